"""The minimal distillation: rest pose and straight drift in, the motion that the embedded prior sees in a sentence out.

Two phases. The first follows one fixed noise from one pair of cameras, which settles the phase of the gait; the second
draws fresh noise and looks from both sides. What the prior pulls at is held together by the penalties. On the stage the
body stays in front of the cameras: how far it goes is found at the end, from the feet that stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.body import Body
from gambol.distill.motion_variables import MotionVariables, start_at
from gambol.distill.penalties import PenaltyWeights, ground_penalty, limit_penalty, smooth_penalty
from gambol.errors import MissingPart
from gambol.motion.clip import Clip
from gambol.motion.planting import walk_over_ground
from gambol.prior.embedded.embedded_prior import EmbeddedCondition, EmbeddedPrior
from gambol.prior.embedded.stage import FRAMES, Stage, StageView, make_stage
from gambol.prior.noise_levels import FallingBound, Ramp
from gambol.prior.score_distillation import draw_noise, gradient_at
from gambol.progress import Progress


@dataclass(frozen=True)
class SketchSettings:
    """How a motion is distilled from the embedded prior."""

    steps: int = 300
    settling: int = 150
    """Steps of the first phase."""
    guidance: float = 6.0
    rate: float = 0.05
    frequencies: int = 16
    """Of the motion's cosine transform."""
    levels: FallingBound = FallingBound(0.02, Ramp(0.98, 0.5, 150))
    penalties: PenaltyWeights = field(default_factory=PenaltyWeights)
    view: StageView = StageView()
    seed: int = 0


@dataclass(frozen=True)
class Distilled:
    """A motion and how it came about."""

    clip: Clip
    """Over the ground, at the prior's frame rate."""
    on_stage: Clip
    """As it was optimised, on the spot."""
    evaluations: int
    """Calls of the prior's network, with and without text counted as one."""


def distil(
    prior: EmbeddedPrior,
    body: Body,
    prompt: str,
    settings: SketchSettings | None = None,
    *,
    progress: Progress | None = None,
) -> Distilled:
    """Distil one clip (AKD eq. 8 with our penalties)."""
    settings = settings or SketchSettings()
    variables = rest_variables(body, settings)
    stages = [make_stage(body.actor, body.anatomy, view) for view in (settings.view, settings.view.mirrored())]
    conditions = [condition_on(prior, stage, prompt) for stage in stages]
    generator = torch.Generator().manual_seed(settings.seed)
    fixed = draw_noise(prior.encode(stages[0].rest_frame.expand(FRAMES, -1, -1, -1)), generator)
    optimiser = torch.optim.Adam(variables.parameters(), lr=settings.rate, betas=(0.9, 0.99))
    for step in range(settings.steps):
        settled = step >= settings.settling
        side = step % 2 if settled else 0
        noise = draw_noise(fixed, generator) if settled else fixed
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * _cooling(step / settings.steps)
        optimiser.zero_grad()
        root, angles = variables.motion()
        T = body.actor.pose(root, angles)
        z = prior.encode(stages[side].film_poses(T))
        t = settings.levels.draw(step, generator)
        gradient, _ = gradient_at(prior, z.detach(), conditions[side], noise, t, guidance=settings.guidance)
        pull = (z * gradient).sum() / FRAMES
        (pull + penalty(body, root, angles, T, settings.penalties)).backward()
        optimiser.step()
        if progress is not None:
            progress(step + 1, settings.steps, prompt)
    on_stage = clip_of(variables, prompt, body)
    return Distilled(over_ground(body, on_stage), on_stage, settings.steps)


def _cooling(part: float) -> float:
    """Full rate for 60 % of the steps, then down to 15 %."""
    return 1.0 if part < 0.6 else 1.0 - 0.85 * (part - 0.6) / 0.4


def rest_variables(body: Body, settings: SketchSettings) -> MotionVariables:
    """The start: the rest pose in every frame; its drift goes with the cameras, so on the stage it stands."""
    joints = body.actor.splats.bone_count - 1
    return start_at(torch.zeros(FRAMES, 6), torch.zeros(FRAMES, joints, 3), body.reach, settings.frequencies)


def condition_on(prior: EmbeddedPrior, stage: Stage, prompt: str) -> EmbeddedCondition:
    """What the prior is told of this body, seen from here."""
    return prior.condition(prompt, reference_frame=stage.rest_frame, camera=stage.first_camera)


def penalty(
    body: Body,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    T_world_rest: Float[Tensor, "frames bones 4 4"],
    weights: PenaltyWeights,
) -> Tensor:
    """The weighted sum of all penalties."""
    below, lowest = ground_penalty(body.actor, T_world_rest, body.leg)
    floats = lowest.min().clamp_min(0.0).square()  # it touches the ground at least once
    return (
        weights.limits * limit_penalty(angles, body.limits)
        + weights.smooth * smooth_penalty(root, angles, body.leg)
        + weights.ground * (below + floats)
    )


def clip_of(variables: MotionVariables, name: str, body: Body) -> Clip:
    """The variables as a clip."""
    with torch.no_grad():
        root, angles = (x.double().numpy() for x in variables.motion())
    return Clip(name, body.fps, np.ascontiguousarray(root), np.ascontiguousarray(angles))


def over_ground(body: Body, clip: Clip) -> Clip:
    """The way that the standing feet show, and their slip taken away; a body without feet stays where it is."""
    try:
        return walk_over_ground(body.character, clip, body.anatomy)
    except MissingPart:
        return replace(clip)
