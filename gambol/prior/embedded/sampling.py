"""The prior's own idea of a motion: a film drawn from noise (DDIM)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.prior.score_distillation import draw_noise
from gambol.prior.video_prior import VideoPrior

NOISIEST = 0.98


@torch.no_grad()
def sample_latent(
    prior: VideoPrior[Any],
    condition: Any,
    generator: torch.Generator,
    *,
    guidance: float = 3.0,
    steps: int = 30,
    start: Float[Tensor, "*latent"] | None = None,
    level: float = NOISIEST,
) -> Float[Tensor, "*latent"]:
    """From noise to a film in `steps` calls; from `start` with noise of `level`, where one is given (SDEdit).

    e = (z_t - a x0) / s, then z_t' = a' x0 + s' e at the next lower level.
    """
    base = condition.rest.expand(prior.format.frames, -1) if start is None else start
    z = prior.add_noise(base, draw_noise(base, generator), level)
    levels = torch.linspace(level, 0.0, steps + 1).tolist()
    clean = z
    for t, following in pairwise(levels):
        clean = prior.predict_clean(z, t, condition, guidance)
        noise = (z - prior.signal(t).a * clean) / prior.signal(t).s
        z = prior.add_noise(clean, noise, following)
    return clean
