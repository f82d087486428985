"""Distillation in memory: rest pose and straight drift in, the motion that a prior sees in a sentence out.

In front of the embedded prior the joints are fitted to the films that it imagines, from several views, which settles
the motion; where asked for, the scores follow. What the prior pulls at is held together by the penalties. On the
stage the body stays in front of the cameras: how far it goes is found at the end, from the feet that stand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.body import Body, make_body
from gambol.distill.optimise import StepLog, advance
from gambol.distill.post_processing import add_root_travel
from gambol.distill.problem import Problem, clip_of, make_problem
from gambol.distill.settings import SKETCH, DistilSettings
from gambol.distill.state import State, first_state
from gambol.motion.clip import Clip
from gambol.progress import Progress, peak_memory

__all__ = ["DistilSettings", "Distilled", "add_root_travel", "distil", "make_body", "run_steps"]


@dataclass(frozen=True)
class Distilled:
    """A motion and how it came about."""

    clip: Clip
    """Over the ground, at the prior's frame rate."""
    on_stage: Clip
    """As it was optimised."""
    evaluations: int
    """Of the prior's network, with and without the sentence counted apart."""


def distil(
    prior: VideoPrior[Any],
    body: Body,
    prompt: str,
    settings: DistilSettings | None = None,
    *,
    progress: Progress | None = None,
) -> Distilled:
    """Distil one clip (AKD eq. 8 with our penalties)."""
    problem = make_problem(prior, body, prompt, settings or SKETCH)
    state = run_steps(problem, first_state(problem.curves, problem.settings.seed), progress=progress)
    moved = clip_of(problem, state.coefficients)
    travelled = moved if problem.scene.travels else add_root_travel(body.character, moved, body.anatomy)
    return Distilled(travelled, moved, state.evaluations)


def run_steps(
    problem: Problem,
    state: State,
    *,
    after: Callable[[State, StepLog], None] | None = None,
    progress: Progress | None = None,
) -> State:
    """All steps that are left; `after` sees every new state."""
    steps = problem.settings.steps
    while state.step < steps:
        state, log = advance(problem, state)
        if after is not None:
            after(state, log)
        if progress is not None:
            memory = f", {(peak_memory() or 0) / 1e9:.1f} GB"
            numbers = f"prior {log.prior:.3g}, penalties {log.held:.2g}, motion {log.motion:.2f}/s"
            progress(state.step, steps, numbers + memory)
    return state
