"""The studio's page in headless Chromium, with short words for what an animator does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from headless_browser import BrowserPage, browser_page

from gambol.client import Client

LONGEST = 120.0
"""Seconds that anything may take; machines that run tests may be very busy."""


class StudioPage:
    """The page with short words for what an animator does. Every wait has a limit and says what it waited for."""

    def __init__(self, browser: BrowserPage):
        self.browser, self.page = browser, browser.page
        self.page.set_default_timeout(1000 * LONGEST)

    def open(self, address: str) -> str:
        """Load the page and wait until it is ready or says why not; returns its state."""
        self.browser.complaints.clear()
        self.page.goto(address)
        return self.wait("document.body.dataset.state !== 'loading' && document.body.dataset.state")

    def get(self, expression: str) -> Any:
        """The value of an expression."""
        return self.page.evaluate(expression)

    def wait(self, expression: str, seconds: float = LONGEST) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.get(expression):
                return found
            time.sleep(0.1)
        said = self.get("[...document.querySelectorAll('.toast')].map((t) => t.innerText)")
        raise AssertionError(f"never came true: {expression}; the page said {said}")

    def click(self, selector: str) -> None:
        """Without waiting for the picture to stand still, which a busy machine draws rarely."""
        self.wait(f"Boolean(document.querySelector({selector!r}))")
        assert self.get(f"document.querySelector({selector!r}).disabled") is not True, selector
        self.get(f"document.querySelector({selector!r}).click()")

    def pause(self) -> None:
        """Stop playing."""
        self.get("gambol.studio.playhead.toggle(false)")

    def write(self, selector: str, text: str) -> None:
        """Fill a field and leave it."""
        self.page.fill(selector, text)
        self.page.press(selector, "Tab")

    def take(self) -> dict:
        """The take that is shown, once it is done."""
        self.wait("['done', 'failed'].includes(gambol.studio.take?.state)")
        take = self.get("gambol.studio.take")
        assert take["state"] == "done", take["error"]
        self.wait("gambol.studio.jobs.motions.has(gambol.studio.take.id)")
        self.pause()
        return take

    def joints_at(self, seconds: float) -> np.ndarray:
        """Joints in the picture at a time of the motion that is shown."""
        drawn = self.get(
            f"(() => {{ gambol.studio.playhead.seek({seconds}); return gambol.studio.viewport.drawn; }})()"
        )
        self.wait(f"gambol.studio.viewport.drawn !== {drawn} && !gambol.studio.stale && !gambol.studio.viewport.dirty")
        return np.array(self.get("gambol.joints()"))

    def place(self, joint: str) -> tuple[float, float]:
        """Where a joint is on the screen."""
        bone = f"gambol.studio.facts.bones.findIndex(({{ name }}) => name === {joint!r})"
        x, y = self.get(f"gambol.project(gambol.studio.viewport.head({bone}))")
        left, top = self.get("(({ x, y }) => [x, y])(document.getElementById('picture').getBoundingClientRect())")
        return left + x, top + y


@contextmanager
def studio_page(client: Client, *, size: tuple[int, int] = (1280, 720), options: str = "") -> Iterator[StudioPage]:
    """The page of a server in a new browser."""
    with browser_page(size=size) as browser:
        page = StudioPage(browser)
        assert page.open(f"{client.base}/?token={client.token}{options}") == "ready"
        yield page
