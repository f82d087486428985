"""The prior's own idea of a motion: a film drawn from noise (DDIM), or the mean of such films."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.score_distillation import draw_noise
from gambol.diffusion.video_prior import VideoPrior

NOISIEST = 0.99
MEAN_LEVELS = (0.985, 0.95)
"""Noise levels at which the mean film is sought, first and last. Lower ones see more of what the film is by then, and
jumps get smaller."""
MEAN_STEP = 0.1


@torch.no_grad()
def sample_latent(
    prior: VideoPrior[Any],
    condition: Any,
    generator: torch.Generator,
    *,
    guidance: float = 1.5,
    steps: int = 30,
    start: Float[Tensor, "*latent"] | None = None,
    level: float = NOISIEST,
) -> Float[Tensor, "*latent"]:
    """From noise to a film in `steps` calls; from `start` with noise of `level`, where one is given (SDEdit).

    e = (z_t - a x0) / s, then z_t' = a' x0 + s' e at the next lower level. Levels are dense where noise is strong and
    decides: t_k = level (1 - (k / steps)^2).
    """
    base = condition.rest.expand(prior.format.frames, -1) if start is None else start
    z = prior.add_noise(base, draw_noise(base, generator), level)
    levels = [level * (1.0 - (k / steps) ** 2) for k in range(steps + 1)]
    clean = z
    for t, following in pairwise(levels):
        clean = prior.predict_clean(z, t, condition, guidance)
        noise = (z - prior.signal(t).a * clean) / prior.signal(t).s
        z = prior.add_noise(clean, noise, following)
    return clean


@torch.no_grad()
def mean_latent(
    prior: VideoPrior[Any],
    condition: Any,
    generator: torch.Generator,
    *,
    start: Float[Tensor, "*latent"],
    guidance: float,
    steps: int,
) -> Float[Tensor, "*latent"]:
    """The film that score distillation would end at if every film could be shown: blurred where the prior has no say.

    x <- x + r (x0(z_t) - x) with fresh noise in every step, t falling, and r = 1 / k, at least 0.1: first the mean of
    the guesses, then one that forgets the first ones.
    """
    x, (first, last) = start, MEAN_LEVELS
    for k in range(steps):
        t = first + (last - first) * k / steps
        clean = prior.predict_clean(prior.add_noise(x, draw_noise(x, generator), t), t, condition, guidance)
        x = x + max(MEAN_STEP, 1.0 / (k + 1)) * (clean - x)
    return x
