"""Films of a clip that is longer than one: overlapping windows, each in the phase in which the last one goes on."""

from __future__ import annotations

from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.samplers import mean_latent
from gambol.priors.embedded.conditioning import Manner
from gambol.priors.embedded.prior import EmbeddedCondition, EmbeddedPrior

PHASES = 16
"""Phases that are tried for a window."""


def window_starts(frames: int, window: int) -> tuple[int, ...]:
    """First frames of evenly spread windows that overlap by half or more; one window fills a clip of its length."""
    spare = frames - window
    count = -(-spare // (window // 2)) + 1
    return tuple(round(spare * i / max(count - 1, 1)) for i in range(count))


def window_sides(number: int, sides: int) -> tuple[int, ...]:
    """Views of a window: all, or, where there are many, by turns every other view and its mirror image."""
    return tuple(side for side in range(sides) if sides <= 4 or (side // 2) % 2 == number % 2)


def next_manner(
    prior: EmbeddedPrior,
    condition: EmbeddedCondition,
    manner: Manner,
    before: Float[Tensor, "frames numbers"],
    overlap: int,
    *,
    guidance: float,
) -> tuple[Manner, int]:
    """The manner whose film begins as the film `before` ends, and the calls for it.

    One call for each of `PHASES` phases, all with the same noise; the phase with the least distance in the frames
    that both films show, squared, every number as much as the prior is sure of it.
    """
    sure = prior.certainty[1:7].mean(0)
    still = condition.rest.expand(len(before), -1)
    tried = [replace(manner, phase=(manner.phase + k / PHASES) % 1.0) for k in range(PHASES)]
    distances = []
    for candidate in tried:
        told, generator = prior.in_manner(condition, candidate), torch.Generator().manual_seed(0)
        film = mean_latent(prior, told, generator, start=still, guidance=guidance, steps=1)
        distances.append(float((sure * (film[:overlap] - before[-overlap:]).square()).sum()))
    calls = PHASES * (1 if guidance == 1.0 else 2)
    return tried[min(range(PHASES), key=distances.__getitem__)], calls
