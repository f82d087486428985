"""Noise on films of parts, and the loss of what is found in them: the error of the clean film, band by band."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.priors.embedded.network import MotionNetwork
from gambol.priors.embedded.part_film import FRAMES
from gambol.training.embedded.shards import FilmSamples, film_transforms

MIN_TRAINED_LEVEL, MAX_TRAINED_LEVEL = 0.02, 0.997
"""Range of noise levels that are trained."""
DECISIVE_LEVEL, DECISIVE_SHARE = 0.85, 0.8
"""Noise level above which this share of the training takes place. A film has thousands of numbers that tell of one
motion, so which one it is shows through strong noise: it is decided above 0.88; below, details get sharper."""
BANDS: tuple[tuple[int, int, float], ...] = (
    (0, 1, 0.5),
    (1, 3, 1.0),
    (3, 7, 1.0),
    (7, 13, 1.0),
    (13, 28, 0.5),
)
"""First frequency, first frequency beyond, and weight of each band of the loss; a film's error in a band is divided by
its energy there."""
BAND_FLOOR = 0.05
"""Least energy of a film in a band, as a share of the mean over films: still films count, but their noise does not."""
MAX_NUMBER_WEIGHT = 4.0
"""Largest weight of a number that moves little, relative to usual ones."""
DEVIATION_FLOOR = 0.02
"""Added to the deviation of every number."""


@dataclass(frozen=True)
class LossWeights:
    """What errors are divided by, so that every band, motion and part counts."""

    numbers: Float[Tensor, "numbers"]
    """Weight of each number."""
    bands: Float[Tensor, "bands frequencies"]
    """1 where a frequency belongs to a band."""
    floor: Float[Tensor, "bands"]
    """Least energy of a film in each band."""


def loss_weights(samples: FilmSamples, network: MotionNetwork) -> LossWeights:
    """Weights of numbers and bands from the samples' energies."""
    z, present = film_transforms(samples)
    deviation = network.deviation[1:13].square().mean(0).sqrt()
    moving = deviation > 2.0 * DEVIATION_FLOOR
    numbers = (deviation[moving].mean() / deviation).clamp(max=MAX_NUMBER_WEIGHT)
    bands = torch.zeros(len(BANDS), FRAMES)
    for k, (first, beyond, _) in enumerate(BANDS):
        bands[k, first:beyond] = 1.0
    energies = (numbers * z.square() * present[:, None]).sum(2) @ bands.T
    return LossWeights(numbers, bands, BAND_FLOOR * energies.mean(0))


def add_noise(
    z: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"], generator: torch.Generator
) -> Float[Tensor, "batch frames numbers"]:
    """z_t = a z + s e."""
    a, s = signal_shares(t)
    return a * z + s * torch.randn(z.shape, generator=generator)


def draw_levels(count: int, generator: torch.Generator) -> Float[Tensor, "count"]:
    """Draw noise levels, a share of `DECISIVE_SHARE` of them above `DECISIVE_LEVEL`."""
    u, decisive = torch.rand(2, count, generator=generator)
    low = torch.where(decisive < DECISIVE_SHARE, DECISIVE_LEVEL, MIN_TRAINED_LEVEL)
    return low + (MAX_TRAINED_LEVEL - low) * u


def clean_film(
    z_t: Float[Tensor, "batch frames numbers"], v: Float[Tensor, "batch frames numbers"], t: Float[Tensor, "batch"]
) -> Float[Tensor, "batch frames numbers"]:
    """The clean film that v stands for: x0 = a z_t - s v."""
    a, s = signal_shares(t)
    return a * z_t - s * v


def banded_loss(
    true: Float[Tensor, "batch frequencies numbers"],
    found: Float[Tensor, "batch frequencies numbers"],
    weights: LossWeights,
) -> Tensor:
    """Mean over films and bands of the squared error of clean films, divided by the film's own energy in the band.

    An error of v would be divided by s^2 too. Where little noise is added it would be nearly all of the loss, though
    a film's motion is decided where noise is strong.
    """
    missed, energy = ((weights.numbers * x.square()).sum(2) @ weights.bands.T for x in (found - true, true))
    each = torch.tensor([weight for *_, weight in BANDS])
    return (each * missed / torch.maximum(energy, weights.floor)).sum(1).mean() / each.sum()


def signal_shares(t: Float[Tensor, "batch"]) -> tuple[Float[Tensor, "batch 1 1"], Float[Tensor, "batch 1 1"]]:
    """Shares of film and noise at a level: a = cos(pi t / 2), s = sin(pi t / 2)."""
    return torch.cos(0.5 * math.pi * t)[:, None, None], torch.sin(0.5 * math.pi * t)[:, None, None]
