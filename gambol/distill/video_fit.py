"""Video fit: the prior proposes target latents, and the coefficients are fitted to them by L-BFGS."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.dct import precision_weight
from gambol.diffusion.samplers import propose_sample
from gambol.diffusion.video_prior import TargetLatent
from gambol.distill.joint_motion import JointMotion
from gambol.distill.lbfgs import init_lbfgs, lbfgs_step
from gambol.distill.method import Method, StepLog, check_motion, problem_losses, step_log, with_coefficients
from gambol.distill.motion_parameters import Coefficients
from gambol.distill.problem import Problem
from gambol.distill.state import State
from gambol.distill.track_frames import track_frames
from gambol.errors import ConfigError, GambolError

FIRST_STEP = 0.05
"""Length of the first step: mean displacement of the surface, in leg lengths."""


@dataclass(frozen=True)
class Objective:
    """What a fit minimises, at one motion."""

    distance: float
    """1 / (frames targets) sum e^T W e."""
    pulled: Tensor
    """A scalar whose gradient is that of the distance."""
    pulls: float
    """Mean square of the distance's gradient in the latents."""
    losses: dict[str, Tensor]
    """The other losses by name."""
    T_world_rest: Tensor
    """Skinning transforms of the motion."""

    @property
    def total(self) -> float:
        """Distance and losses together."""
        return self.distance + float(sum(self.losses.values(), torch.zeros(())).detach())


@dataclass(frozen=True)
class VideoFit(Method):
    """A fit to targets that the prior proposes once, or to a video that is given."""

    steps: int = 30
    """Number of optimiser steps."""
    target: Literal["proposal", "sample"] = "proposal"
    """What is fitted to: what the prior proposes (`VideoPrior.propose`), or one sample of its first view."""
    calls: int | None = None
    """Calls of the prior for each target; None takes the prior's own number."""
    guidance: float | None = None
    """Classifier-free guidance of the targets; None takes the prior's own."""
    per_frame: bool = True
    """Divide the distance by the number of frames."""

    def __post_init__(self) -> None:
        self.check_steps()
        if self.calls is not None and self.calls < 1:
            raise ConfigError(f"calls is {self.calls}; it must be 1 or more.")
        if self.guidance is not None and not 0 <= self.guidance <= 1000:
            raise ConfigError(f"The guidance is {self.guidance:g}; it takes a number from 0 to 1000.")

    def init(self, problem: Problem, state: State) -> State:
        """The state with its targets, proposed by the prior unless a video is given, and L-BFGS at the coefficients."""
        check_length(problem, self.target)
        generator = torch.Generator()
        generator.set_state(state.rng)
        target = problem.target or self.propose(problem, generator)
        state = replace(state, coefficients=self.first_guess(problem, target, state.coefficients))
        lbfgs = init_lbfgs(problem.parameters.to_search(problem.whitening, state.coefficients))
        evaluations = state.evaluations + target.evaluations
        rng = generator.get_state()
        return replace(state, target=target, lbfgs=lbfgs, rng=rng, evaluations=evaluations, adam=None)

    def propose(self, problem: Problem, generator: torch.Generator) -> TargetLatent:
        """The targets that the prior proposes for this problem."""
        prior, stills = problem.prior, problem.stills()
        calls = prior.proposal_calls if self.calls is None else self.calls
        guidance = prior.proposal_guidance if self.guidance is None else self.guidance
        if self.target == "sample":
            return propose_sample(
                prior, problem.conditions[0], stills[0], calls=calls, guidance=guidance, generator=generator
            )
        frames = problem.parameters.frames
        return prior.propose(
            problem.conditions,
            stills,
            frames=frames,
            calls=calls,
            guidance=guidance,
            generator=generator,
            loop=problem.config.loop,
        )

    def first_guess(self, problem: Problem, target: TargetLatent, start: Coefficients) -> Coefficients:
        """Where the fit starts: with a motion that the targets show at once, if that is better.

        It is the one that is followed from picture to picture, or the root's that the prior reads off its targets.
        """
        fresh = not problem.refines and not any(c.any() for c in start)
        if not (fresh and isinstance(problem.parameters, JointMotion) and bool(target.latents.isfinite().all())):
            return start
        if problem.prior.tracks_frames:
            motion = track_frames(problem, target)
        else:
            root = read_root(problem, target)
            if root is None:
                return start
            motion = root, problem.parameters.start_angles
        guess = problem.parameters.coefficients(motion)
        with torch.no_grad():
            totals = [self.objective(problem, target, c).total for c in (start, guess)]
        return guess if totals[1] < totals[0] else start

    def step(self, problem: Problem, state: State, done: int) -> tuple[State, StepLog]:
        """Evaluate the distance to all targets at L-BFGS's trial point, and find the next one.

        The loss is 1 / (frames targets) sum e^T W e plus the other losses, e the difference of latents and W its
        precision, in coordinates in which every direction moves the body's surface alike.
        """
        assert state.target is not None
        assert state.lbfgs is not None
        trial, search = state.lbfgs.trial.requires_grad_(), problem.parameters.from_search
        fit = self.objective(problem, state.target, search(problem.whitening, trial))
        others = sum(fit.losses.values(), torch.zeros(()))
        (gradient,) = torch.autograd.grad(fit.pulled + others, trial)
        lbfgs = lbfgs_step(state.lbfgs, fit.total, gradient, first_step=FIRST_STEP)
        if not np.isfinite(lbfgs.loss):
            raise GambolError(f"The distance to the target is not finite in step {state.step + 1}; check the prior.")
        moved = search(problem.whitening, lbfgs.point)
        check_motion(problem, moved, state.step)
        norm = float(gradient.norm())
        log = step_log(
            problem,
            state.step,
            level=0.0,
            pull=fit.pulls,
            losses=fit.losses,
            gradient=norm,
            T_world_rest=fit.T_world_rest,
        )
        return replace(with_coefficients(state, moved), lbfgs=lbfgs), log

    def objective(self, problem: Problem, target: TargetLatent, coefficients: Coefficients) -> Objective:
        """Evaluate the distance of a motion to all targets, and the other losses."""
        prior, observer = problem.prior, problem.observer
        motion, T = problem.moved(coefficients)
        share = (1.0 / problem.window if self.per_frame else 1.0) / len(target.latents)
        distance, pulled, pulls = 0.0, torch.zeros(()), 0.0
        windows = {first: problem.later_window(motion, T, first) for first in dict(target.windows) if first}
        windows[0] = T[problem.window_frames()]
        for (first, view), latent in zip(target.windows, target.latents, strict=True):
            z = prior.encode(observer.render(windows[first], view))
            error = z.detach() - latent
            weighted = error if target.precision is None else precision_weight(error, target.precision)
            distance += share * float((error * weighted).sum())
            pulled = pulled + share * (z * 2.0 * weighted).sum()
            pulls += float((2.0 * weighted).square().mean()) / len(target.latents)
        return Objective(distance, pulled, pulls, problem_losses(problem, motion, T), T)

    def with_steps(self, steps: int) -> VideoFit:
        """The method with another number of steps."""
        return replace(self, steps=steps)


def check_length(problem: Problem, target: str) -> None:
    """Refuse lengths that no target has: loops and longer clips where the prior's targets have one length."""
    windows = target == "proposal" and problem.prior.proposes_windows and problem.target is None
    long = problem.parameters.frames != problem.window
    if (problem.config.loop or long) and not windows:
        asked = "a loop" if problem.config.loop else f"{problem.config.seconds:g} s"
        raise ConfigError(
            f"A fit has the length of the video it fits to, {problem.window / problem.observer.fps:.2f} s here, and"
            f" {asked} was asked for. Leave out length and loop, or use the method sds."
        )


def read_root(problem: Problem, target: TargetLatent) -> Float[Tensor, "frames 6"] | None:
    """The root's motion that the prior reads off its targets, window behind window; None where it reads none.

    Of two windows the later one counts from the middle of their overlap. Every target begins looking ahead, so a later
    window's headings are counted from where the motion has turned by then.
    """
    frames, end = problem.parameters.frames, 0
    root = problem.parameters.start_root.clone()
    for (first, view), latent in zip(target.windows, target.latents, strict=True):
        read = problem.prior.read_root(problem.observer, latent) if view == 0 else None
        if read is None:
            return None
        if first:
            read[:, 3] += root[first % frames, 3] - read[0, 3]
        skip = max(end - first, 0) // 2
        count = min(problem.window - skip, frames)
        root[torch.arange(first + skip, first + skip + count) % frames] = read[skip : skip + count]
        end = first + problem.window
    return root
