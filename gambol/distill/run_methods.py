"""An optimisation run: methods one after the other, one step as a function of a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from gambol.diffusion.score_gradient import draw_noise, gradient_at
from gambol.diffusion.video_prior import evaluations_per_call
from gambol.distill.method import Method, StepLog, problem_losses
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.problem import Problem
from gambol.distill.state import State, initial_state
from gambol.progress import Progress, peak_memory

SNAPSHOTS = 6
"""Number of moments of an optimisation that a report shows."""
RANKING_LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Noise levels at which finished motions are compared."""
RANKING_SEED = 12345
"""Seed of the noises with which finished motions are compared."""


def total_steps(methods: Sequence[Method]) -> int:
    """Optimiser steps of all methods together."""
    return sum(method.steps for method in methods)


def scale_steps(methods: Sequence[Method], steps: int) -> tuple[Method, ...]:
    """The methods with `steps` steps in all, shared among them as before."""
    share, left, scaled = steps / total_steps(methods), steps, []
    for method in methods[:-1]:
        own = min(round(method.steps * share), left - 1)
        left -= own
        scaled += [method.with_steps(own)] if own > 0 else []
    return (*scaled, methods[-1].with_steps(left))


def take_step(problem: Problem, methods: Sequence[Method], state: State) -> tuple[State, StepLog]:
    """One step of the method whose turn it is; its `init` comes before its first step."""
    done, current = state.step, methods[-1]
    for method in methods:
        if done < method.steps:
            current = method
            break
        done -= method.steps
    if done == 0:
        state = current.init(problem, state)
    after, log = current.step(problem, state, done)
    shown = {round(k * total_steps(methods) / SNAPSHOTS) for k in range(1, SNAPSHOTS + 1)}
    if after.step in shown:
        after = replace(after, snapshots=(*after.snapshots, (after.step, after.coefficients)))
    return after, log


def run_methods(
    problem: Problem,
    methods: Sequence[Method],
    state: State | None = None,
    *,
    after_step: Callable[[State, StepLog], None] | None = None,
    progress: Progress | None = None,
) -> State:
    """Take all steps that are left; `after_step` sees every new state and its log."""
    state = state or initial_state(problem.parameters, problem.seed)
    steps = total_steps(methods)
    names = [loss.name for loss in problem.losses]
    while state.step < steps:
        state, log = take_step(problem, methods, state)
        if after_step is not None:
            after_step(state, log)
        if progress is not None:
            memory = f", {(peak_memory() or 0) / 1e9:.1f} GB"
            others = sum(log[name] for name in names)
            numbers = f"prior {log['prior']:.3g}, losses {others:.2g}, motion {log['motion']:.2f}/s"
            progress(state.step, steps, numbers + memory)
    return state


@torch.no_grad()
def ranking_loss(
    problem: Problem, coefficients: Coefficients, *, guidance: float, per_frame: bool
) -> tuple[float, int]:
    """The prior's loss at fixed levels and noises plus all other losses, to rank variants; and the evaluations.

    The prior sees the first window of the clip from the first view.
    """
    prior = problem.prior
    motion, T = problem.moved(coefficients)
    generator = torch.Generator().manual_seed(RANKING_SEED)
    z = prior.encode(problem.observer.render(T[problem.window_frames()], 0))
    total, share = 0.0, 1.0 / problem.window if per_frame else 1.0
    for level in RANKING_LEVELS:
        noise = draw_noise(z, generator)
        gradient, _ = gradient_at(prior, z, problem.conditions[0], noise, level, guidance=guidance)
        total += float(gradient.square().sum()) / len(RANKING_LEVELS) * share
    others = sum(float(value) for value in problem_losses(problem, motion, T).values())
    return 0.5 * total + others, len(RANKING_LEVELS) * evaluations_per_call(guidance)
