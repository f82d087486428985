"""Score distillation: the direction in which a latent video has to change to please a prior (AKD eq. 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.noise_schedules import Constant, FallingBound, Levels, Schedule
from gambol.diffusion.out_of_memory import explain_out_of_memory
from gambol.diffusion.parametrisation import Weighting
from gambol.diffusion.video_prior import PriorFailure, VideoPrior

PAPER_LEVELS = FallingBound()
PAPER_GUIDANCE = Constant(100.0)


@dataclass(frozen=True)
class DistillationSettings:
    """How scores are drawn; the defaults are AKD's."""

    levels: Levels = PAPER_LEVELS
    guidance: Schedule = PAPER_GUIDANCE
    draws: int = 1
    """Noise draws per step, averaged."""
    weighting: Weighting | None = None
    """w(t) as a function of the signal; None takes the one that goes with the prior."""
    control_variate: float = 1.0
    """How much of the rest clip's deviation is taken off where a rest clip is given; 0 is none."""


@dataclass(frozen=True)
class RestClip:
    """A clip that does not move, scored with the same noise: what the two scores share is noise, not motion."""

    latent: Float[Tensor, "*latent"]
    condition: Any
    """What the prior is told about it."""
    levels: tuple[float, ...] = ()
    """Rising levels t at which its mean gradient is known; empty takes the mean as zero (delta denoising score)."""
    means: tuple[Float[Tensor, "*latent"], ...] = ()
    """Its mean gradient at each of them."""

    def mean(self, t: float) -> Float[Tensor, "*latent"]:
        """The mean gradient at level t, linear between the known levels."""
        if not self.levels:
            return torch.zeros_like(self.latent)
        after = next((i for i, level in enumerate(self.levels) if level >= t), len(self.levels) - 1)
        before = max(after - 1, 0)
        span = self.levels[after] - self.levels[before]
        part = min(max((t - self.levels[before]) / span, 0.0), 1.0) if span else 0.0
        return torch.lerp(self.means[before], self.means[after], part)


@dataclass(frozen=True)
class Score:
    """One step's gradient on the latent, and what it was made of."""

    gradient: Float[Tensor, "*latent"]
    clean: Float[Tensor, "*latent"]
    """The last draw's clean estimate: what the prior would like to see."""
    levels: tuple[float, ...]
    """The levels t that were drawn."""


def score_gradient(
    latent: Float[Tensor, "*latent"], clean: Float[Tensor, "*latent"], weight: float
) -> Float[Tensor, "*latent"]:
    """g = w(t) (z - x0), AKD eq. 7."""
    return weight * (latent - clean)


def control_variate(
    gradient: Float[Tensor, "*latent"],
    rest_gradient: Float[Tensor, "*latent"],
    rest_mean: Float[Tensor, "*latent"],
    strength: float,
) -> Float[Tensor, "*latent"]:
    """g - c (g_rest - E g_rest): the same mean, less spread where both gradients answer to the noise alike."""
    return gradient - strength * (rest_gradient - rest_mean)


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
    gradient = prior.weigh_score(score_gradient(latent, clean, (weighting or prior.weighting)(prior.signal(t))))
    check_finite(gradient, t, guidance)
    return gradient, clean


@torch.no_grad()
def draw_score(
    prior: VideoPrior,
    latent: Float[Tensor, "*latent"],
    condition: Any,
    step: int,
    settings: DistillationSettings,
    generator: torch.Generator,
    *,
    rest: RestClip | None = None,
) -> Score:
    """Average the gradient over `settings.draws` noises and levels; with a rest clip, minus its share of the noise."""
    latent = latent.detach()
    gradient_of = partial(gradient_at, prior, guidance=settings.guidance.at(step), weighting=settings.weighting)
    total, clean, levels = torch.zeros_like(latent), latent, []
    for _ in range(settings.draws):
        t, noise = settings.levels.draw(step, generator), draw_noise(latent, generator)
        gradient, clean = gradient_of(latent, condition, noise, t)
        if rest is not None and settings.control_variate:
            still, _ = gradient_of(rest.latent, rest.condition, noise, t)
            gradient = control_variate(gradient, still, rest.mean(t), settings.control_variate)
        total += gradient / settings.draws
        levels.append(t)
    return Score(total, clean, tuple(levels))


def with_mean_gradient(
    prior: VideoPrior,
    rest: RestClip,
    levels: Sequence[float],
    draws: int,
    generator: torch.Generator,
    *,
    guidance: float,
    weighting: Weighting | None = None,
) -> RestClip:
    """The rest clip with its mean gradient estimated from `draws` noises at each level (len(levels) x draws calls)."""
    gradient_of = partial(gradient_at, prior, rest.latent, rest.condition, guidance=guidance, weighting=weighting)
    means = []
    for t in sorted(levels):
        each = (gradient_of(draw_noise(rest.latent, generator), t)[0] for _ in range(draws))
        means.append(sum(each, torch.zeros_like(rest.latent)) / draws)
    return replace(rest, levels=tuple(sorted(levels)), means=tuple(means))


def backpropagate(latent: Float[Tensor, "*latent"], gradient: Float[Tensor, "*latent"]) -> None:
    """Carry a gradient on the latent back through the encoder and the renderer, to whatever made the video."""
    with explain_out_of_memory("the backward pass through the encoder"):
        torch.autograd.backward(latent, gradient)


def check_finite(gradient: Float[Tensor, "*latent"], t: float, guidance: float) -> None:
    """Refuse a gradient with NaN or infinity, before it reaches the motion."""
    if not torch.isfinite(gradient).all():
        bad = int((~torch.isfinite(gradient)).sum())
        raise PriorFailure(
            f"The prior gave {bad} of {gradient.numel()} numbers that are not finite, at noise level t = {t:.3f} with "
            f"guidance {guidance:g}. Run it in bfloat16 or float32 (float16 overflows), or lower the guidance."
        )
