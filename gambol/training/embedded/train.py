"""Training of the embedded prior's denoiser on shards of films of parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES, mirrored_motion
from gambol.priors.embedded.network import Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.part_film import PART_NUMBERS
from gambol.priors.embedded.part_labels import MIRRORED_LABELS, PART_LABELS
from gambol.progress import Progress
from gambol.training.embedded.film_noise import (
    DEVIATION_FLOOR,
    LossWeights,
    add_noise,
    banded_loss,
    clean_film,
    draw_levels,
    loss_weights,
)
from gambol.training.embedded.measure_knowledge import measure_network
from gambol.training.embedded.shards import FilmSamples, film_transforms, pick_films
from gambol.training.loop import TrainingSchedule, train_network

LEAST_FILMS = 8
"""Films that must show a part for its own mean and deviation to be known; other parts count as the mean of all."""
MIRROR_SIGNS = torch.tensor([1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0])
"""Sign that each of a part's numbers gets in the mirror (left and right exchanged)."""

MIRRORED_MOTIONS = torch.tensor([VOCABULARY_NAMES.index(mirrored_motion(name)) for name in VOCABULARY_NAMES])
"""Index of the motion that each motion is in the mirror."""


@dataclass(frozen=True)
class FilmTraining(TrainingSchedule):
    """Training of the embedded prior's denoiser."""

    steps: int = 12_000
    """Number of optimiser steps."""
    learning_rate: float = 1.3e-3
    """Peak learning rate of AdamW."""
    warmup_steps: int = 200
    """Steps of linear warm-up."""
    ema_decay: float = 0.998
    """Decay of the averaged weights per step."""
    batch: int = 64
    """Films per step."""
    text_dropout: float = 0.1
    """Probability that a film is trained without its text."""
    style_dropout: float = 0.1
    """Probability that a film is trained without its style and phase."""
    text_noise: float = 0.3
    """Length of the noise that is added to the unit vector of a sentence."""
    start_noise: float = 0.2
    """Standard deviation of the noise that is added to the start pose's numbers."""
    rare_motion_power: float = 0.5
    """Films of a motion are drawn in proportion to the number of them to the power 1 minus this."""
    rare_family_power: float = 0.6
    """Films of a family of bodies are drawn in proportion to the number of them to the power 1 minus this."""


def draw_wordings(
    motions: Int[Tensor, "batch"],
    bank: Float[Tensor, "motions phrases text"],
    noise: float,
    generator: torch.Generator,
) -> Float[Tensor, "batch text"]:
    """Draw the vector of a phrase of each motion and add noise of the given length; the sum has length 1 again."""
    phrase = torch.randint(bank.shape[1], (len(motions),), generator=generator)
    vectors = bank[motions, phrase]
    away = torch.randn(vectors.shape, generator=generator) / vectors.shape[1] ** 0.5
    return torch.nn.functional.normalize(vectors + noise * away, dim=-1)


def new_network(samples: FilmSamples, shape: NetworkShape, seed: int) -> MotionNetwork:
    """Make a network with random weights and the samples' mean and deviation of every number at every frequency."""
    torch.manual_seed(seed)
    network = MotionNetwork(shape)
    z, present = film_transforms(samples)
    count = present.sum(0)
    mean = torch.where(count >= LEAST_FILMS, z.sum(0) / count.clamp_min(1), torch.zeros(()))
    variance = ((z - mean).square() * present[:, None]).sum(0) / count.clamp_min(1)
    seen = count >= LEAST_FILMS
    usual = variance[:, seen].unflatten(1, (-1, PART_NUMBERS)).mean(1).repeat(1, len(PART_LABELS))
    network.mean.copy_(mean)
    network.deviation.copy_(torch.where(seen, variance, usual).sqrt() + DEVIATION_FLOOR)
    return network


def mirror_films(samples: FilmSamples, mirrored: Tensor) -> FilmSamples:
    """The films with left and right exchanged where `mirrored` says so: the other side leads, turns turn."""
    if not mirrored.any():
        return samples
    other, signs = torch.as_tensor(MIRRORED_LABELS), MIRROR_SIGNS
    film, start, mass, style, motion = (
        x.clone() for x in (samples.film, samples.start, samples.mass, samples.style, samples.motion)
    )
    film[mirrored] = film[mirrored][:, :, other] * signs.to(film)
    start[mirrored] = start[mirrored][:, other] * signs
    mass[mirrored] = mass[mirrored][:, other]
    style[mirrored, 3] *= -1.0
    motion[mirrored] = MIRRORED_MOTIONS[motion[mirrored]]
    return FilmSamples(film, start, mass, style, motion, samples.nouns)


def film_batch_loss(
    network: MotionNetwork,
    samples: FilmSamples,
    weights: LossWeights,
    shares: Float[Tensor, "films"],
    bank: Float[Tensor, "motions phrases text"],
    settings: FilmTraining,
    generator: torch.Generator,
) -> Tensor:
    """The banded loss of a batch of films with noise of random levels, half of them mirrored."""
    count = settings.batch
    chosen = torch.multinomial(shares, count, replacement=True, generator=generator)
    films = mirror_films(pick_films(samples, chosen), torch.rand(count, generator=generator) < 0.5)
    z, t = films.film.float().flatten(2), draw_levels(count, generator)
    z_t = add_noise(z, t, generator)
    text = draw_wordings(films.motion, bank, settings.text_noise, generator)
    has_text = (torch.rand(count, generator=generator) >= settings.text_dropout).float()
    style = films.style * (torch.rand(count, 1, generator=generator) >= settings.style_dropout)
    noise = settings.start_noise * torch.randn(films.start.shape, generator=generator)
    start = films.start + noise * films.present[..., None]
    v = network(z_t, t, Conditioning(text, has_text, start, films.mass, style))
    return banded_loss(network.dct @ z, network.dct @ clean_film(z_t, v, t), weights)


def film_shares(samples: FilmSamples, motion_power: float, family_power: float) -> Float[Tensor, "films"]:
    """Probability with which each film is drawn: rare motions and rare bodies more often."""
    motions = torch.bincount(samples.motion, minlength=len(VOCABULARY_NAMES)).float()[samples.motion]
    families = Counter(samples.nouns)
    bodies = torch.tensor([float(families[noun]) for noun in samples.nouns])
    shares = motions**-motion_power * bodies**-family_power
    return shares / shares.sum()


def train_motion_network(
    network: MotionNetwork,
    samples: FilmSamples,
    held_out: FilmSamples,
    bank: Float[Tensor, "motions phrases text"],
    settings: FilmTraining,
    folder: Path,
    *,
    progress: Progress | None = None,
) -> MotionNetwork:
    """Train to the last step, resuming from the folder's checkpoint; returns the averaged network."""
    weights, shares = (
        loss_weights(samples, network),
        film_shares(samples, settings.rare_motion_power, settings.rare_family_power),
    )
    return train_network(
        network,
        lambda network, generator: film_batch_loss(network, samples, weights, shares, bank, settings, generator),
        settings,
        folder,
        measure=lambda average: measure_network(average, held_out, bank),
        progress=progress,
    )
