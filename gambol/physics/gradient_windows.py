"""Tracking by gradient in windows: the state that is carried is that of the simulated bodies, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.physics.gradient_tracking import TrackConfig, optimise_controls, simulate
from gambol.physics.simulator import Simulator
from gambol.physics.track_windows import (
    Window,
    WindowedSearch,
    WindowMethod,
    add_window,
    windows_in_seconds,
)
from gambol.physics.tracking_problem import CarriedState, TrackingProblem
from gambol.progress import Progress

DEFAULT_WINDOW = 2.0
"""Length of the windows, seconds."""
LOOK_AHEAD_SHARE = 0.25
"""Part of a window that the next one searches again."""
PAST_FRAMES = 3
"""Frames before a window that its losses look back at: third differences of states."""
PAST_KNOTS = 2
"""Knots before a window that its losses look back at: second differences of controls."""


class GradientWindows(WindowMethod):
    """Optimises the controls of each window by gradient (`optimise_controls`).

    `starts` copies in a row are starts of one clip. After each window all of them go on from the best one.
    """

    def __init__(self, problem: TrackingProblem, simulator: Simulator, config: TrackConfig, *, starts: int = 1):
        self.problem, self.simulator, self.config, self.starts = problem, simulator, config, starts
        seconds = DEFAULT_WINDOW if config.window is None else config.window
        self.windows = windows_in_seconds(
            problem.frames, problem.time.fps, seconds, config.look_ahead, look_ahead_share=LOOK_AHEAD_SHARE
        )
        self._knots_per_frame = 1 if config.knots == "frame" else problem.time.per_frame
        self._shared = 1 if config.knots == "frame" else 0

    def track(
        self,
        number: int,
        before: WindowedSearch | None,
        *,
        progress: Progress | None,
        resume: dict[str, Any] | None,
        checkpoint: Callable[[dict[str, Any]], None] | None,
    ) -> WindowedSearch:
        """Optimise one window, keep its part up to the handover, and simulate that part to carry its last state."""
        window = self.windows[number]
        part = self.part(window, before)
        config = replace(self.config, seed=self.config.seed + number)
        solution = optimise_controls(
            part, self.simulator, config=config, progress=progress, resume=resume, checkpoint=checkpoint
        )
        best = best_copies(solution.losses, self.starts)
        controls, rates = solution.controls[:, best], solution.rates[best]
        kept = (window.handover - window.first) * self._knots_per_frame + self._shared
        with torch.no_grad():
            states, twists = simulate(self.simulator, part, controls, rates)
        frame = window.handover - window.first
        carried = {
            "start": states[frame],
            "twists": twists[frame],
            "guess": controls[kept - self._shared :],
            "past_states": states[max(frame - PAST_FRAMES, 0) : frame],
            "past_controls": controls[max(kept - self._shared - PAST_KNOTS, 0) : kept - self._shared],
        }
        steps = solution.iterations * (window.last - window.first) * part.time.per_frame * part.copies
        found = WindowedSearch(
            controls[:kept],
            rates,
            {name: values.contiguous() for name, values in carried.items()},
            solution.losses[best],
            solution.upright,
            (solution.iterations,),
            (steps,),
            solution.history,
        )
        return add_window(before, found, shared_knots=self._shared)

    def part(self, window: Window, before: WindowedSearch | None) -> TrackingProblem:
        """The frames of a window as a problem of their own, which begins in the carried state."""
        problem, frames = self.problem, slice(window.first, window.last + 1)
        start, state = problem.start, None
        if before is not None:
            carried = before.carried
            start = carried["start"]
            past = carried["past_states"]
            state = CarriedState(
                carried["twists"],
                carried["guess"],
                past,
                problem.states[window.first - len(past) : window.first],
                carried["past_controls"],
            )
        return replace(
            problem,
            states=problem.states[frames],
            valid=problem.valid[frames],
            angles=problem.angles[frames],
            swinging=problem.swinging[frames],
            places=problem.places[frames],
            start=start,
            carried=state,
        )


def best_copies(losses: Float[Tensor, "copies"], starts: int) -> Int[Tensor, "copies"]:
    """For each copy the one of its clip's `starts` starts with the smallest loss."""
    best = losses.unflatten(0, (-1, starts)).argmin(1) + torch.arange(len(losses) // starts) * starts
    return best.repeat_interleave(starts)
