"""Score distillation sampling (AKD eq. 7, 8): the prior's score on a render moves the coefficients, by Adam."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.diffusion.level_schedules import AnnealedDraw, Constant, FallingBound, Levels, Ramp, Schedule
from gambol.diffusion.out_of_memory import explain_out_of_memory
from gambol.diffusion.score_gradient import ScoreConfig, ScoreReference, draw_noise, draw_score
from gambol.distill.adam import AdamMoments, adam_step
from gambol.distill.method import Method, StepLog, check_motion, problem_losses, step_log, with_coefficients
from gambol.distill.motion_parameters import RootAndAngles
from gambol.distill.motion_representation import Transforms
from gambol.distill.problem import Problem
from gambol.distill.state import State
from gambol.errors import ConfigError


@dataclass(frozen=True)
class SDS(Method):
    """Score distillation; the defaults are the paper's, except the learning rate, which it does not state."""

    steps: int = 10_000
    """Number of optimiser steps."""
    guidance: float | Schedule = 100.0
    """Classifier-free guidance: how strongly the sentence counts."""
    learning_rate: float = 0.005
    """Learning rate of Adam. Coefficients are scaled so that 1 is about the full range of a joint."""
    levels: Levels = field(default_factory=FallingBound)
    """Which noise levels are drawn at which step."""
    draws: int = 1
    """Noises and levels in each step, averaged."""
    per_frame: bool = False
    """Divide the score by the number of frames; the paper's loss weights go with the plain sum."""
    fixed_noise: bool = False
    """Use one noise in all steps, which settles the large motion."""

    def __post_init__(self) -> None:
        self.check_steps()
        if not self.learning_rate > 0:
            raise ConfigError(f"learning_rate is {self.learning_rate}; it must be above 0.")
        if not isinstance(self.draws, int) or self.draws < 1:
            raise ConfigError(f"draws is {self.draws}; it must be a whole number, 1 or more.")
        for step in (0, self.steps):
            if not 0 <= self.guidance_schedule.at(step) <= 1000:
                raise ConfigError(
                    f"The guidance is {self.guidance_schedule.at(step):g}; it takes a number from 0 to 1000."
                )

    @property
    def guidance_schedule(self) -> Schedule:
        """The guidance as a schedule over steps."""
        return self.guidance if isinstance(self.guidance, Ramp | Constant) else Constant(self.guidance)

    @property
    def score_config(self) -> ScoreConfig:
        """How scores are drawn."""
        return ScoreConfig(self.levels, self.guidance_schedule, self.draws)

    def init(self, problem: Problem, state: State) -> State:
        """Adam's moments at zero; what a fit left behind is dropped."""
        moments = AdamMoments(problem.parameters.zeros(), problem.parameters.zeros())
        return replace(state, adam=moments, target=None, lbfgs=None)

    def step(self, problem: Problem, state: State, done: int) -> tuple[State, StepLog]:
        """Render a window of the motion, draw the prior's score, take a step of Adam.

        Where a clip is refined, the score of the clip as it was, with the same noise and no sentence, is subtracted
        (delta denoising score): what the prior would change in any video, such as its amplitude, is not asked for.
        """
        assert state.adam is not None
        prior, observer = problem.prior, problem.observer
        generator = torch.Generator()
        generator.set_state(state.rng)
        window = draw_window(problem, generator)
        coefficients = tuple(c.detach().requires_grad_() for c in state.coefficients)
        motion, T = problem.moved(coefficients)
        view = state.step % observer.views
        z = prior.encode(observer.render(seen_poses(problem, motion, T, window), view))
        frames, loop = problem.parameters.frames, problem.config.loop
        condition = prior.window_condition(problem.conditions[view], int(window[0]), frames, loop=loop)
        reference = None
        if problem.refines:
            reference = ScoreReference(start_latent(problem, window, view), condition, guidance=0.0)
        noise = fixed_window_noise(problem, z, window) if self.fixed_noise else None
        score = draw_score(prior, z, condition, done, self.score_config, generator, noise=noise, reference=reference)
        losses = problem_losses(problem, motion, T, step=state.step)
        scale = 1.0 / problem.window if self.per_frame else 1.0
        with explain_out_of_memory("the backward pass through the encoder"):
            gradients = torch.autograd.grad((z * score.gradient).sum() * scale + sum(losses.values()), coefficients)
        rate = self.learning_rate * learning_rate_decay(done / self.steps)
        moved, moments = adam_step(state.coefficients, state.adam, gradients, rate)
        moved = tuple(c.detach() for c in moved)
        check_motion(problem, moved, state.step)
        log = step_log(
            problem,
            state.step,
            level=score.levels[-1],
            pull=float(score.gradient.square().mean()),
            losses=losses,
            gradient=float(sum(g.square().sum() for g in gradients) ** 0.5),
            T_world_rest=T,
        )
        after = replace(
            with_coefficients(state, moved),
            adam=moments,
            rng=generator.get_state(),
            evaluations=state.evaluations + score.evaluations,
        )
        return after, log

    def with_steps(self, steps: int) -> SDS:
        """The method with another number of steps; ramps of levels and guidance are stretched along."""
        share = steps / self.steps

        def stretched(schedule: Schedule) -> Schedule:
            if not isinstance(schedule, Ramp):
                return schedule
            return replace(schedule, steps=max(round(schedule.steps * share), 1))

        levels: Levels = self.levels
        if isinstance(levels, AnnealedDraw):
            levels = replace(levels, steps=max(round(levels.steps * share), 1))
        else:
            levels = replace(levels, high=stretched(levels.high))
        guidance = stretched(self.guidance) if isinstance(self.guidance, Ramp) else self.guidance
        return replace(self, steps=steps, levels=levels, guidance=guidance)


def learning_rate_decay(share: float) -> float:
    """Factor of the learning rate after a share of the steps: 1 for 60 % of them, then falling to 0.15."""
    return 1.0 if share < 0.6 else 1.0 - 0.85 * (share - 0.6) / 0.4


def draw_window(problem: Problem, generator: torch.Generator) -> Int[Tensor, "window"]:
    """Which frames of the clip the prior sees in this step; in a loop the first frame follows the last.

    Starts are drawn from half a window before the clip to half a window after its last start, and clamped, so that the
    first and last frames are seen as often as others.
    """
    window, frames = problem.window, problem.parameters.frames
    if frames == window and not problem.config.loop:
        return torch.arange(window)
    if problem.config.loop:
        first = int(torch.randint(frames, (), generator=generator))
    else:
        last = frames - window
        first = int(torch.randint(last + window + 1, (), generator=generator)) - window // 2
        first = min(max(first, 0), last)
    return (first + torch.arange(window)) % frames


def seen_poses(problem: Problem, motion: RootAndAngles, T: Transforms, window: Int[Tensor, "window"]) -> Transforms:
    """The poses of a window as the prior is shown them; `T` are those of the whole motion."""
    first = int(window[0])
    return T[window] if problem.observer.travels or not first else problem.later_window(motion, T, first)


@torch.no_grad()
def start_latent(problem: Problem, window: Int[Tensor, "window"], view: int) -> Float[Tensor, "*latent"]:
    """The latent of the clip that is refined, as it was."""
    seen = seen_poses(problem, *problem.moved(problem.parameters.zeros()), window)
    return problem.prior.encode(problem.observer.render(seen, view))


def fixed_window_noise(
    problem: Problem, z: Float[Tensor, "*latent"], window: Int[Tensor, "window"]
) -> Float[Tensor, "*latent"] | None:
    """The noise of a window's frames, the same in every step; None if a moving window's latent has no frame axis."""
    frames = problem.parameters.frames
    rows = frames if len(z) == problem.window else len(z)
    noise = draw_noise(z[:1].expand(rows, *z.shape[1:]), torch.Generator().manual_seed(problem.seed))
    if rows == frames:
        return noise[window]
    return noise if frames == problem.window and not problem.config.loop else None
