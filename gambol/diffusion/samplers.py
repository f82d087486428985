"""Samples of a prior: DDIM from noise, or from a noisy video (SDEdit)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.score_gradient import draw_noise
from gambol.diffusion.video_prior import TargetLatent, VideoPrior, evaluations_per_call

HIGHEST_LEVEL = 0.99
"""Noise level at which sampling from noise starts."""


@torch.no_grad()
def sample_latent(
    prior: VideoPrior[Any],
    condition: Any,
    start: Float[Tensor, "*latent"],
    generator: torch.Generator,
    *,
    guidance: float = 1.5,
    steps: int = 30,
    level: float = HIGHEST_LEVEL,
) -> Float[Tensor, "*latent"]:
    """Sample a latent in `steps` calls, from `start` with noise of `level` (DDIM; SDEdit for lower levels).

    e = (z_t - a x0) / s, then z_t' = a' x0 + s' e at the next lower level. Levels are dense where noise is strong and
    decides: t_k = level (1 - (k / steps)^2).
    """
    z = prior.add_noise(start, draw_noise(start, generator), level)
    levels = [level * (1.0 - (k / steps) ** 2) for k in range(steps + 1)]
    clean = z
    for t, following in pairwise(levels):
        clean = prior.predict_clean(z, t, condition, guidance)
        noise = (z - prior.signal(t).a * clean) / prior.signal(t).s
        z = prior.add_noise(clean, noise, following)
    return clean


def propose_sample(
    prior: VideoPrior[Any],
    condition: Any,
    still: Float[Tensor, "*latent"],
    *,
    calls: int,
    guidance: float,
    generator: torch.Generator,
) -> TargetLatent:
    """A target that is one sample of the first view, every number of it counting alike."""
    latent = sample_latent(prior, condition, still, generator, guidance=guidance, steps=calls)
    return TargetLatent(latent[None], ((0, 0),), evaluations=calls * evaluations_per_call(guidance))
