"""Tracking in windows: each is searched from the simulated state in which the last one ended, so cost is linear."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError
from gambol.physics.tracking_checkpoint import TrackingCheckpoint
from gambol.physics.tracking_problem import FEWEST_FRAMES
from gambol.progress import Progress


@dataclass(frozen=True)
class Window:
    """Frames that are searched at once: from `first` to `last`, of which those up to `handover` are kept."""

    first: int
    """Frame in whose simulated state the window begins."""
    handover: int
    """Last frame that is kept; the next window begins there."""
    last: int
    """Last frame that is looked at."""


def plan_windows(frames: int, length: int, look_ahead: int) -> tuple[Window, ...]:
    """Divide a clip into windows of at most `length` frame intervals that overlap by `look_ahead`.

    All windows are of equal length, give or take a frame. A clip that fits into one window is one window.
    """
    if length < FEWEST_FRAMES - 1 or not 0 <= look_ahead < length:
        raise ConfigError(
            f"Windows of {length} frames that look {look_ahead} frames ahead cannot be tracked; a window needs "
            f"{FEWEST_FRAMES - 1} frames or more, and must be longer than its look-ahead."
        )
    intervals = frames - 1
    if intervals <= length:
        return (Window(0, intervals, intervals),)
    count = -(-(intervals - look_ahead) // (length - look_ahead))
    starts = [i * (intervals - look_ahead) // count for i in range(count)]
    ends = [*starts[1:], intervals]
    return tuple(Window(first, end, min(end + look_ahead, intervals)) for first, end in zip(starts, ends, strict=True))


def windows_in_seconds(
    frames: int, fps: float, window: float, look_ahead: float | None, *, look_ahead_share: float
) -> tuple[Window, ...]:
    """Plan windows of so many seconds; where no look-ahead is given, it is a share of the window."""
    ahead = look_ahead_share * window if look_ahead is None else look_ahead
    return plan_windows(frames, round(window * fps), round(ahead * fps))


@dataclass(frozen=True)
class WindowedSearch:
    """What the windows up to a frame have found: the controls of one simulation that begins at the clip's start."""

    controls: Float[Tensor, "knots copies joints 3"]
    """Joint targets at the knots so far, radians."""
    rates: Float[Tensor, "copies rates"]
    """Velocity at the clip's start in generalised coordinates, m/s and rad/s."""
    carried: dict[str, Tensor]
    """State of the simulator at the handover, and what else the next window needs; each engine has its own."""
    losses: Float[Tensor, "copies"]
    """Loss of each copy in the last window."""
    upright: float
    """Scale of the upright torque that the controls were found with."""
    iterations: tuple[int, ...]
    """Optimiser steps of each window."""
    steps: tuple[int, ...]
    """Simulation steps that the search of each window took, forward, all copies counted."""
    history: tuple[float, ...]
    """Mean loss in each iteration, window after window."""


class WindowMethod(ABC):
    """A search for controls that goes through a clip window by window, in one simulator."""

    windows: tuple[Window, ...]
    """The windows of the clip, in order."""

    @abstractmethod
    def track(
        self,
        number: int,
        before: WindowedSearch | None,
        *,
        progress: Progress | None,
        resume: dict[str, Any] | None,
        checkpoint: Callable[[dict[str, Any]], None] | None,
    ) -> WindowedSearch:
        """Search the window of this number; returns what `before` had found with this window's part added.

        Args:
            number: Number of the window, from 0.
            before: What the windows before it have found; None for the first.
            progress: Called with the steps of this window.
            resume: What `checkpoint` was called with last, to go on within the window.
            checkpoint: Called with the state of the search within the window.
        """


def track_windows(
    method: WindowMethod, saved: TrackingCheckpoint, *, progress: Progress | None = None
) -> WindowedSearch:
    """Search all windows in turn, each from the simulated state in which the last one ended.

    After each window everything that was found is written, so a run that is stopped goes on there, to the same bytes.
    A body that has drifted from the clip is planned for from where it truly is: the targets stay where the clip has
    them, and the next window leads the body back to them.
    """
    count = len(method.windows)
    stored = saved.read()
    before: WindowedSearch | None = stored["windows"]
    within: dict[str, Any] | None = stored["within"]
    for number in range(0 if before is None else len(before.iterations), count):
        found = before

        def keep(state: dict[str, Any], found: WindowedSearch | None = found) -> None:
            saved.write_within(found, state)

        before = method.track(
            number,
            before,
            progress=_progress_of(number, count, progress),
            resume=within,
            checkpoint=keep,
        )
        saved.write(before, None)
        within = None
    assert before is not None
    return before


def _progress_of(number: int, count: int, progress: Progress | None) -> Progress | None:
    """Progress of one window as a share of all: the remaining time is that of the whole clip."""
    if progress is None or count == 1:
        return progress

    def report(done: int, total: int, what: str) -> None:
        progress(number * total + done, count * total, f"window {number + 1} of {count}, {what}")

    return report


def add_window(before: WindowedSearch | None, found: WindowedSearch, *, shared_knots: int) -> WindowedSearch:
    """Append what one window has found; its first `shared_knots` controls are the last ones of the window before."""
    if before is None:
        return found
    return replace(
        found,
        controls=torch.cat([before.controls, found.controls[shared_knots:]]),
        rates=before.rates,
        iterations=(*before.iterations, *found.iterations),
        steps=(*before.steps, *found.steps),
        history=(*before.history, *found.history),
    )
