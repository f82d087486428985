"""The interface of optimisation methods: a frozen config with two pure functions, `init` and `step`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

import torch
from torch import Tensor

from gambol.distill.losses.loss import weighted_losses
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.motion_representation import Transforms
from gambol.distill.problem import Problem
from gambol.distill.state import State
from gambol.errors import ConfigError, GambolError

DIVERGENCE_LIMIT = 100.0
"""A motion that goes farther than this, radians or sizes, has diverged."""
StepLog = dict[str, float | int]
"""What one step saw, by name: step, noise level, the prior's pull, every loss, gradient norm, motion amount.

It is deterministic, so that the log of a resumed run is that of an undisturbed one.
"""


class Method(ABC):
    """A way to optimise a motion. Implementations are frozen dataclasses; all state is in `State`."""

    steps: int
    """Number of optimiser steps."""

    @abstractmethod
    def init(self, problem: Problem, state: State) -> State:
        """The state before this method's first step, from where the previous method ended."""

    @abstractmethod
    def step(self, problem: Problem, state: State, done: int) -> tuple[State, StepLog]:
        """One optimiser step; `done` is the number of this method's steps before it."""

    @abstractmethod
    def with_steps(self, steps: int) -> Method:
        """The method with another number of steps, its schedules stretched along."""

    def check_steps(self) -> None:
        """Refuse fewer steps than one."""
        if not isinstance(self.steps, int) or self.steps < 1:
            raise ConfigError(f"steps is {self.steps}; it must be a whole number, 1 or more.")


def problem_losses(
    problem: Problem, motion: tuple[Tensor, Tensor], T_world_rest: Tensor, *, step: int = 0
) -> dict[str, Tensor]:
    """Weighted losses of a motion beside the prior's, by name."""
    return weighted_losses(problem.losses, problem.loss_motion(motion, T_world_rest, step=step))


def step_log(
    problem: Problem,
    step: int,
    *,
    level: float,
    pull: float,
    losses: dict[str, Tensor],
    gradient: float,
    T_world_rest: Tensor,
) -> StepLog:
    """The log of one step; numbers are rounded to six digits."""
    named = {name: float(value.detach()) for name, value in losses.items()}
    numbers = {
        "level": level,
        "prior": pull,
        **named,
        "gradient": gradient,
        "motion": motion_amount(problem, T_world_rest),
    }
    return {"step": step, **{name: float(f"{value:.6g}") for name, value in numbers.items()}}


def motion_amount(problem: Problem, T_world_rest: Transforms) -> float:
    """Mean speed relative to the root of joints, or of a field's splats, sizes per second."""
    places = problem.parameters.places(problem.body, T_world_rest)
    speeds = (places[1:] - places[:-1]).norm(dim=-1) * problem.observer.fps
    return float(speeds.mean()) / problem.body.character.size


def check_motion(problem: Problem, coefficients: Coefficients, step: int) -> None:
    """Refuse a motion that is not finite or has diverged, before it replaces the last good one."""
    with torch.no_grad():
        root, angles = problem.parameters.motion(coefficients)
    if not all(bool(torch.isfinite(x).all()) for x in (root, angles, *coefficients)):
        raise GambolError(f"The motion is not finite any more after step {step + 1}; the last good one is kept.")
    size, start = problem.body.character.size, problem.parameters.start_root[:, :3]
    if angles.abs().max() > DIVERGENCE_LIMIT or (root[:, :3] - start).abs().max() > DIVERGENCE_LIMIT * size:
        raise GambolError(
            f"The motion diverges after step {step + 1}; the last good one is kept. Lower the guidance, or try another"
            " seed."
        )


def with_coefficients(state: State, coefficients: Coefficients) -> State:
    """The state one step later."""
    return replace(state, step=state.step + 1, coefficients=coefficients)
