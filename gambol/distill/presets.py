"""Presets: which methods, losses and start suit which kind of prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gambol.diffusion.level_schedules import AnnealedDraw, Constant, FallingBound, Ramp
from gambol.distill.losses import (
    AKDFieldGround,
    AKDFieldSmoothness,
    AKDGround,
    AKDSmoothness,
    Ground,
    JointLimits,
    Loss,
    Smoothness,
    Stance,
    StartHeading,
)
from gambol.distill.method import Method
from gambol.distill.motion_parameters import TimeBasis
from gambol.distill.run_methods import total_steps
from gambol.distill.sds import SDS
from gambol.distill.video_fit import VideoFit
from gambol.errors import ConfigError

MethodName = Literal["fit", "sds", "annealed"]
"""Methods by name: fit to the prior's targets, score distillation, and score distillation from high to low noise."""
OUR_LOSSES: tuple[Loss, ...] = (JointLimits(), Smoothness(), Ground(), StartHeading())
"""Losses of sketch and draft; their weights go with a score that is divided by the number of frames."""
AKD_LATENT_NUMBERS = 13 * 16 * 60 * 90
"""Numbers in CogVideoX's latent of 49 x 480 x 720 pixels, over which the paper's score is summed."""


def akd_losses(latent_numbers: int = AKD_LATENT_NUMBERS) -> tuple[Loss, ...]:
    """The paper's losses (eq. 9, 10); its weights go with a score that is summed over a latent of this size."""
    share = latent_numbers / AKD_LATENT_NUMBERS
    return (AKDSmoothness(share * AKDSmoothness().weight), AKDGround(share * AKDGround().weight))


def akd_field_losses(latent_numbers: int = AKD_LATENT_NUMBERS) -> tuple[Loss, Loss]:
    """The counterparts of `akd_losses` for a deformation field, with the paper's weights."""
    share = latent_numbers / AKD_LATENT_NUMBERS
    return AKDFieldSmoothness(share * AKDFieldSmoothness().weight), AKDFieldGround(share * AKDFieldGround().weight)


@dataclass(frozen=True)
class Preset:
    """Settings that belong together."""

    name: str
    """Name on the command line."""
    prior: str
    """Prior that is used where none is named."""
    method: MethodName
    """Method that is used where none is named."""
    fit_steps: int
    """Steps of a fit to the prior's targets."""
    video_steps: int
    """Steps of a fit to a video that is given: one view says less than several, so it takes longer."""
    scores: SDS
    """Score distillation from the start pose: `sds`, and the base of `annealed` and of clip refinement."""
    sds: tuple[Method, ...] | None = None
    """Methods of `sds` in place of `scores` alone."""
    sds_loop: tuple[Method, ...] | None = None
    """Methods of `sds` for a loop in place of `scores` alone."""
    losses: tuple[Loss, ...] = OUR_LOSSES
    """Losses beside the prior's."""
    ranking_guidance: float = 5.0
    """Guidance at which variants are compared."""
    basis: TimeBasis = "cosine"
    """Basis functions of the motion in time."""
    start_speed: float = 0.0
    """Speed of the start along +x, sizes per second."""
    root_travel: bool = True
    """Find the root's travel over the ground from the standing feet."""
    per_frame: bool = True
    """Whether scores and distances are divided by the number of frames; the weights of the losses go with it."""


SKETCH_FIT_STEPS = 120
"""Steps of a fit to the embedded prior's films, about 10 ms each."""
SKETCH_SCORES = SDS(
    steps=190, guidance=5.0, learning_rate=0.05, levels=FallingBound(0.6, Ramp(0.99, 0.92, 30)), per_frame=True
)
"""Score distillation with the embedded prior from the start pose."""
SKETCH_SETTLING = replace(SKETCH_SCORES, steps=140, levels=FallingBound(0.6, Ramp(0.99, 0.92, 140)), fixed_noise=True)
"""The first part of a loop, which settles the large motion."""
SKETCH_REFINING = replace(SKETCH_SCORES, steps=160, learning_rate=0.03, levels=FallingBound(0.6, Constant(0.92)))
"""Score distillation of a motion that is settled."""
SKETCH = Preset(
    name="sketch",
    prior="embedded",
    method="fit",
    fit_steps=SKETCH_FIT_STEPS,
    video_steps=SKETCH_FIT_STEPS,
    losses=(*OUR_LOSSES, Stance()),
    scores=SKETCH_SCORES,
    sds=(VideoFit(steps=SKETCH_FIT_STEPS), SKETCH_REFINING),
    sds_loop=(SKETCH_SETTLING, SKETCH_REFINING),
)
"""The embedded prior on any computer: a fit to what it proposes."""
DRAFT_SDS = SDS(
    steps=1000,
    guidance=Ramp(25.0, 12.0, 1000),
    learning_rate=0.02,
    levels=AnnealedDraw(1000),
    per_frame=True,
)
"""Score distillation in a tenth of the paper's steps, for rectified flows."""
DRAFT = Preset(
    name="draft",
    prior="wan2.1-1.3b",
    method="sds",
    fit_steps=200,
    video_steps=200,
    scores=DRAFT_SDS,
    ranking_guidance=12.0,
    start_speed=0.4,
)
"""A large model in a tenth of the paper's steps: noise levels and guidance from high to low, smooth curves, limits."""
PAPER = Preset(
    name="paper",
    prior="cogvideox-5b",
    method="sds",
    fit_steps=200,
    video_steps=200,
    scores=SDS(),
    losses=akd_losses(),
    ranking_guidance=100.0,
    basis="free",
    start_speed=0.4,
    root_travel=False,
    per_frame=False,
)
"""AKD's printed settings. It does not give learning rate, start speed, view and splats: these are our choices."""
PRESETS = {preset.name: preset for preset in (SKETCH, DRAFT, PAPER)}
"""All presets by name."""


def find_preset(name: str) -> Preset:
    """The preset of this name."""
    if name not in PRESETS:
        raise ConfigError(f"There is no preset '{name}'; there are {', '.join(PRESETS)}.")
    return PRESETS[name]


def named_methods(preset: Preset, name: MethodName | str, *, loop: bool = False) -> tuple[Method, ...]:
    """The methods that a name stands for in a preset."""
    if name == "fit":
        return (VideoFit(steps=preset.fit_steps, per_frame=preset.per_frame),)
    scores = (preset.sds_loop if loop else preset.sds) or (preset.scores,)
    if name == "sds":
        return scores
    if name == "annealed":
        return (annealed_scores(preset, total_steps(scores)),)
    raise ConfigError(f"There is no method '{name}'; there are fit, sds, annealed.")


def annealed_scores(preset: Preset, steps: int) -> SDS:
    """Score distillation with noise levels and guidance from high to low (after CHORD)."""
    strong = preset.scores.guidance_schedule.at(0)
    guidance = Ramp(1.5 * strong, 0.5 * strong, steps)
    return replace(preset.scores, steps=steps, guidance=guidance, levels=AnnealedDraw(steps, shift=1.0))


def refining_scores(preset: Preset, methods: Sequence[Method]) -> SDS:
    """Score distillation that changes a given clip: noise levels at which the prior still sees it, no fit before."""
    scores = [method for method in methods if isinstance(method, SDS)]
    if not scores:
        raise ConfigError("A clip is refined by the prior's scores; with a start clip the method is sds or annealed.")
    steps = total_steps(methods)
    levels = FallingBound(0.3, Ramp(0.9, 0.6, steps))
    return replace(preset.scores, steps=steps, levels=levels, guidance=scores[-1].guidance)
