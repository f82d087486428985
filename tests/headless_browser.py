"""Pages in headless Chromium, driven by Playwright: opened from a file, watched for errors and network requests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="Chromium is not installed (apt install chromium)"
)
"""Skips where there is no browser, except in CI, where a missing browser is a failure."""
CHROMIUM_FLAGS = (
    "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-quic",
)  # fmt: skip


class BrowserPage:
    """A Playwright page that remembers what the opened document complained about and asked the network for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.complaints: list[str] = []
        """Console errors and warnings, and uncaught exceptions, since the page was opened."""
        self.requests: list[str] = []
        """Addresses the page asked for, besides itself and what it holds inside (blob: and data:)."""
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._on_request)

    def open(self, path: Path, options: str = "") -> str:
        """Load a page from a file and wait until it is ready or shows an error; returns its state."""
        self.page.goto("about:blank")
        self.complaints.clear()
        self.requests.clear()
        self.page.goto(path.as_uri() + (f"#{options}" if options else ""))
        self.page.wait_for_selector("body[data-state=ready], body[data-state=error]", state="attached", timeout=120_000)
        return self.run("document.body.dataset.state")

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression; promises are awaited."""
        return self.page.evaluate(expression)

    def press(self, key: str) -> None:
        """Press and release one key."""
        self.page.keyboard.press(key)

    def check_quiet(self) -> None:
        """Fail if the page complained or asked for anything since it was opened."""
        self.run("1")  # events that are on their way arrive before the answer
        assert self.complaints == []
        assert self.requests == []

    def _on_console(self, message: Any) -> None:
        # software rendering reports its own speed
        if message.type in ("error", "warning", "assert") and "GL Driver Message" not in message.text:
            self.complaints.append(message.text)

    def _on_request(self, request: Any) -> None:
        if not request.is_navigation_request() and not request.url.startswith(("blob:", "data:")):
            self.requests.append(request.url)


@contextmanager
def browser_page(*, size: tuple[int, int], flags: tuple[str, ...] = ()) -> Iterator[BrowserPage]:
    """A new browser with one empty page of `size` pixels."""
    browser = _playwright().chromium.launch(executable_path=CHROMIUM, args=[*CHROMIUM_FLAGS, *flags])
    try:
        yield BrowserPage(browser.new_page(viewport={"width": size[0], "height": size[1]}))
    finally:
        browser.close()


@cache
def _playwright() -> Any:
    """Playwright's driver, of which a process may run one."""
    import atexit

    from playwright.sync_api import sync_playwright

    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver
