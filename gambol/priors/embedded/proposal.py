"""The targets that the embedded prior proposes: mean films over overlapping windows of a clip.

A mean of films moves less than they do and is blurred where the prior does not know; its amplitude is restored, and
each number counts as precisely as it is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.score_gradient import draw_noise
from gambol.diffusion.video_prior import VideoPrior
from gambol.priors.embedded.style import StyleConditioning

MEAN_LEVELS = (0.985, 0.95)
"""Noise levels at which the mean film is sought, first and last."""
MEAN_STEP = 0.1
"""Least step of the running mean."""


@torch.no_grad()
def mean_latent(
    prior: VideoPrior[Any],
    condition: Any,
    start: Float[Tensor, "*latent"],
    generator: torch.Generator,
    *,
    guidance: float,
    steps: int,
) -> Float[Tensor, "*latent"]:
    """The latent at which score distillation would end if every film could be shown.

    x <- x + r (x0(z_t) - x) with fresh noise in every step, t falling, and r = 1 / k, at least 0.1: first the mean of
    the estimates, then one that forgets the first ones.
    """

    def estimate(x: Tensor, t: float) -> Tensor:
        return prior.predict_clean(prior.add_noise(x, draw_noise(x, generator), t), t, condition, guidance)

    return mean_of_estimates(estimate, start, steps)


def mean_of_estimates(
    estimate: Callable[[Float[Tensor, "*latent"], float], Float[Tensor, "*latent"]],
    start: Float[Tensor, "*latent"],
    steps: int,
) -> Float[Tensor, "*latent"]:
    """The running mean of clean estimates, each made from the mean so far at a lower noise level."""
    x, (first, last) = start, MEAN_LEVELS
    for k in range(steps):
        clean = estimate(x, first + (last - first) * k / steps)
        x = x + max(MEAN_STEP, 1.0 / (k + 1)) * (clean - x)
    return x


def window_starts(frames: int, window: int, *, loop: bool = False) -> tuple[int, ...]:
    """First frames of evenly spread windows that overlap by half or more; one window covers a clip of its length.

    Windows of a loop go all around it.
    """
    if loop:
        count = max(2 * -(-frames // window), 2)
        return tuple(round(frames * i / count) for i in range(count))
    spare = frames - window
    count = -(-spare // (window // 2)) + 1
    return tuple(round(spare * i / max(count - 1, 1)) for i in range(count))


def whole_cycles(style: StyleConditioning, frames: int) -> StyleConditioning:
    """The style at the nearest rate at which `frames` frames hold a whole number of cycles, at least one."""
    return replace(style, rate=max(round(style.rate * frames), 1) / frames)


def style_from_frame(style: StyleConditioning, first: int) -> StyleConditioning:
    """The style of a window that starts at a later frame: the cycle has gone on."""
    return replace(style, phase=(style.phase + first * style.rate) % 1.0)
