"""Score distillation: the direction in which a latent video has to change to please a prior (AKD eq. 4, 6, 7)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.level_schedules import Constant, FallingBound, Levels, Schedule
from gambol.diffusion.parametrisation import Weighting
from gambol.diffusion.video_prior import VideoPrior, evaluations_per_call
from gambol.errors import PriorFailure

PAPER_LEVELS = FallingBound()
"""AKD's schedule of noise levels."""
PAPER_GUIDANCE = Constant(100.0)
"""AKD's guidance."""


@dataclass(frozen=True)
class ScoreConfig:
    """How scores are drawn; the defaults are AKD's."""

    levels: Levels = PAPER_LEVELS
    """Which noise level is drawn at which step."""
    guidance: Schedule = PAPER_GUIDANCE
    """Classifier-free guidance at each step."""
    draws: int = 1
    """Noise draws per step, averaged."""
    weighting: Weighting | None = None
    """w(t) as a function of the signal; None takes the one that goes with the prior."""
    control_variate: float = 1.0
    """c: share of a reference's gradient that is subtracted, g - c g_ref; 1 is the delta denoising score."""


@dataclass(frozen=True)
class ScoreReference:
    """A latent that is scored with the same noise; its score is subtracted, so that noise common to both cancels."""

    latent: Float[Tensor, "*latent"]
    """The reference latent, such as that of a clip that stands still or that is refined."""
    condition: Any
    """What the prior is conditioned on for it."""
    guidance: float | None = None
    """Guidance of its score; None takes that of the step. 0 is the model without the sentence."""


@dataclass(frozen=True)
class Score:
    """One step's gradient on the latent, and what it was made of."""

    gradient: Float[Tensor, "*latent"]
    """The gradient, averaged over the draws."""
    clean: Float[Tensor, "*latent"]
    """The last draw's clean estimate: what the prior would like to see."""
    levels: tuple[float, ...]
    """The noise levels t that were drawn."""
    evaluations: int
    """Evaluations of the prior's network."""


def score_gradient(
    latent: Float[Tensor, "*latent"], clean: Float[Tensor, "*latent"], weight: float
) -> Float[Tensor, "*latent"]:
    """g = w(t) (z - x0), AKD eq. 7."""
    return weight * (latent - clean)


def draw_noise(like: Float[Tensor, "*latent"], generator: torch.Generator) -> Float[Tensor, "*latent"]:
    """e ~ N(0, 1), drawn on the CPU so that every device sees the same noise."""
    return torch.randn(like.shape, generator=generator, dtype=torch.float32).to(like.device, like.dtype)


@torch.no_grad()
def gradient_at(
    prior: VideoPrior,
    latent: Float[Tensor, "*latent"],
    condition: Any,
    noise: Float[Tensor, "*latent"],
    t: float,
    *,
    guidance: float,
    weighting: Weighting | None = None,
) -> tuple[Float[Tensor, "*latent"], Float[Tensor, "*latent"]]:
    """The gradient w(t) (z - x0(z_t)) for one noise at one level, and x0."""
    clean = prior.predict_clean(prior.add_noise(latent, noise, t), t, condition, guidance)
    gradient = score_gradient(latent, clean, (weighting or prior.weighting)(prior.signal(t)))
    check_finite(gradient, t, guidance)
    return gradient, clean


@torch.no_grad()
def draw_score(
    prior: VideoPrior,
    latent: Float[Tensor, "*latent"],
    condition: Any,
    step: int,
    config: ScoreConfig,
    generator: torch.Generator,
    *,
    noise: Float[Tensor, "*latent"] | None = None,
    reference: ScoreReference | None = None,
) -> Score:
    """Average the gradient over `config.draws` noises and levels, minus that of a reference where one is given.

    `noise` replaces the drawn noise.
    """
    latent = latent.detach()
    guidance = config.guidance.at(step)
    gradient_of = partial(gradient_at, prior, weighting=config.weighting)
    total, clean, levels, evaluations = torch.zeros_like(latent), latent, [], 0
    for _ in range(config.draws):
        e = draw_noise(latent, generator) if noise is None else noise
        t = config.levels.draw(step, generator)
        gradient, clean = gradient_of(latent, condition, e, t, guidance=guidance)
        evaluations += evaluations_per_call(guidance)
        if reference is not None and config.control_variate:
            own = guidance if reference.guidance is None else reference.guidance
            other, _ = gradient_of(reference.latent, reference.condition, e, t, guidance=own)
            gradient = gradient - config.control_variate * other
            evaluations += evaluations_per_call(own)
        total = total + gradient / config.draws
        levels.append(t)
    return Score(total, clean, tuple(levels), evaluations)


def check_finite(gradient: Float[Tensor, "*latent"], t: float, guidance: float) -> None:
    """Refuse a gradient with NaN or infinity, before it reaches the motion."""
    if not torch.isfinite(gradient).all():
        bad = int((~torch.isfinite(gradient)).sum())
        raise PriorFailure(
            f"The prior gave {bad} of {gradient.numel()} numbers that are not finite, at noise level t = {t:.3f} with "
            f"guidance {guidance:g}. Run it in bfloat16 or float32 (float16 overflows), or lower the guidance."
        )
