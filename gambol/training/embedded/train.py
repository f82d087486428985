"""Training of the embedded prior's denoiser on shards of films of parts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.diffusion.dct import cosine_transform
from gambol.motion.vocabulary import VOCABULARY_NAMES, mirrored_motion
from gambol.priors.embedded.knowledge import PART_NUMBER_KINDS, RATE_FEATURES, FilmKnowledge, rate_features
from gambol.priors.embedded.network import Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.part_film import FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import MIRRORED_LABELS, PART_LABELS
from gambol.progress import Progress
from gambol.training.embedded.shards import FilmSamples
from gambol.training.loop import TrainingSchedule, train_network

MIN_TRAINED_LEVEL, MAX_TRAINED_LEVEL = 0.02, 0.997
"""Range of noise levels that are trained."""
DECISIVE_LEVEL, DECISIVE_SHARE = 0.85, 0.8
"""Noise level above which this share of the training takes place. A film has thousands of numbers that tell of one
motion, so which one it is shows through strong noise: it is decided above 0.88; below, details get sharper."""
MEASURED_LEVEL = 0.985
"""Noise level at which the explained share is measured: there the conditioning decides."""
BANDS: tuple[tuple[int, int, float], ...] = (
    (0, 1, 0.5),
    (1, 3, 1.0),
    (3, 7, 1.0),
    (7, 13, 1.0),
    (13, 28, 0.5),
)
"""First frequency, first frequency beyond, and weight of each band of the loss; a film's error in a band is divided by
its energy there."""
BAND_FLOOR = 0.15
"""Least energy of a film in a band, as a share of the mean over films: still films count, but their noise does not."""
MAX_NUMBER_WEIGHT = 4.0
"""Largest weight of a number that moves little, relative to usual ones."""
DEVIATION_FLOOR = 0.02
"""Added to the deviation of every number."""
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


@dataclass(frozen=True)
class LossWeights:
    """What errors are divided by, so that every band, motion and part counts."""

    numbers: Float[Tensor, "numbers"]
    """Weight of each number."""
    bands: Float[Tensor, "bands frequencies"]
    """1 where a frequency belongs to a band."""
    floor: Float[Tensor, "bands"]
    """Least energy of a film in each band."""


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


def motion_vectors(
    bank: Float[Tensor, "motions phrases text"], motions: Int[Tensor, "films"]
) -> Float[Tensor, "films text"]:
    """The vector of a phrase of each film's motion, phrases in turn: for measurements."""
    return bank[motions, torch.arange(len(motions)) % bank.shape[1]]


def new_network(samples: FilmSamples, shape: NetworkShape, seed: int) -> MotionNetwork:
    """Make a network with random weights and the samples' mean and deviation of every number at every frequency."""
    torch.manual_seed(seed)
    network = MotionNetwork(shape)
    z, present = _statistics_films(samples)
    count = present.sum(0)
    mean = torch.where(count >= LEAST_FILMS, z.sum(0) / count.clamp_min(1), torch.zeros(()))
    variance = ((z - mean).square() * present[:, None]).sum(0) / count.clamp_min(1)
    seen = count >= LEAST_FILMS
    usual = variance[:, seen].unflatten(1, (-1, PART_NUMBERS)).mean(1).repeat(1, len(PART_LABELS))
    network.mean.copy_(mean)
    network.deviation.copy_(torch.where(seen, variance, usual).sqrt() + DEVIATION_FLOOR)
    return network


def loss_weights(samples: FilmSamples, network: MotionNetwork) -> LossWeights:
    """Weights of numbers and bands from the samples' energies."""
    z, present = _statistics_films(samples)
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
    a, s = _signal(t)
    return a * z + s * torch.randn(z.shape, generator=generator)


def draw_levels(count: int, generator: torch.Generator) -> Float[Tensor, "count"]:
    """Draw noise levels, a share of `DECISIVE_SHARE` of them above `DECISIVE_LEVEL`."""
    u, decisive = torch.rand(2, count, generator=generator)
    low = torch.where(decisive < DECISIVE_SHARE, DECISIVE_LEVEL, MIN_TRAINED_LEVEL)
    return low + (MAX_TRAINED_LEVEL - low) * u


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
    """Mean over films and bands of the squared error of v, divided by the film's own energy in the band."""
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
    a, s = _signal(t)
    error = network.dct @ (a * z_t - s * v - z) / s
    missed, energy = ((weights.numbers * x.square()).sum(2) @ weights.bands.T for x in (error, network.dct @ z))
    each = torch.tensor([weight for *_, weight in BANDS])
    return (each * missed / torch.maximum(energy, weights.floor)).sum(1).mean() / each.sum()


def film_shares(samples: FilmSamples, motion_power: float, family_power: float) -> Float[Tensor, "films"]:
    """Probability with which each film is drawn: rare motions and rare bodies more often."""
    motions = torch.bincount(samples.motion, minlength=len(VOCABULARY_NAMES)).float()[samples.motion]
    families = Counter(samples.nouns)
    bodies = torch.tensor([float(families[noun]) for noun in samples.nouns])
    shares = motions**-motion_power * bodies**-family_power
    return shares / shares.sum()


@torch.no_grad()
def clean_estimates(
    network: MotionNetwork,
    samples: FilmSamples,
    bank: Float[Tensor, "motions phrases text"],
    *,
    level: float = MEASURED_LEVEL,
    batch: int = 128,
) -> tuple[Float[Tensor, "films frequencies numbers"], Float[Tensor, "films frequencies numbers"]]:
    """True films and the network's estimates of them at a noise level, as cosine transforms over time."""
    generator, true, found = torch.Generator().manual_seed(1), [], []
    for rows in torch.arange(len(samples)).split(batch):
        films = pick_films(samples, rows)
        z, t = films.film.float().flatten(2), torch.full((len(rows),), level)
        z_t = add_noise(z, t, generator)
        text = motion_vectors(bank, films.motion)
        v = network(z_t, t, Conditioning(text, torch.ones(len(rows)), films.start, films.mass, films.style))
        a, s = _signal(t)
        true.append(network.dct @ z)
        found.append(network.dct @ (a * z_t - s * v))
    return torch.cat(true), torch.cat(found)


def explained_shares(
    true: Float[Tensor, "films frequencies numbers"],
    found: Float[Tensor, "films frequencies numbers"],
    groups: Sequence[str],
    band: slice = slice(1, 13),
) -> dict[str, float]:
    """R^2 of the estimates in a band of frequencies, by group of films."""
    missed, energy = (x[:, band].square().sum((1, 2)) for x in (true - found, true))
    names = sorted(set(groups))
    rows = {name: torch.tensor([group == name for group in groups]) for name in names}
    return {name: float(1.0 - missed[rows[name]].sum() / energy[rows[name]].sum().clamp_min(1e-9)) for name in names}


def measure_network(
    network: MotionNetwork, samples: FilmSamples, bank: Float[Tensor, "motions phrases text"]
) -> dict[str, float]:
    """What the log says of a network: explained shares of unseen films by band, and the mean over families."""
    true, found = clean_estimates(network, samples, bank)
    everything = ["all"] * len(samples)
    families = explained_shares(true, found, samples.nouns)
    return {
        "mean pose": explained_shares(true, found, everything, slice(0, 1))["all"],
        "slow": explained_shares(true, found, everything)["all"],
        "fast": explained_shares(true, found, everything, slice(13, 19))["all"],
        "families": sum(families.values()) / len(families),
        "worst family": min(families.values()),
    }


def measure_knowledge(
    network: MotionNetwork,
    unseen: FilmSamples,
    samples: FilmSamples,
    bank: Float[Tensor, "motions phrases text"],
) -> FilmKnowledge:
    """Explained shares and energies from unseen films, natural rates from the training films."""
    true, found = clean_estimates(network, unseen, bank)
    present = unseen.present.float().sum(0).clamp_min(1.0)

    def by_kind(squares: Tensor) -> Float[Tensor, "frequencies labels 2"]:
        per_number = squares.sum(0).unflatten(1, (len(PART_LABELS), PART_NUMBERS))
        return torch.stack([per_number[..., kind == PART_NUMBER_KINDS].mean(-1) for kind in (0, 1)], -1)

    missed, energy = by_kind((true - found).square()), by_kind(true.square())
    pooled = 1.0 - missed.sum(1, keepdim=True) / energy.sum(1, keepdim=True).clamp_min(1e-9)
    doubt = 0.05 * energy.mean(1, keepdim=True) + 1e-9  # labels that move little count as all labels do
    explained = 1.0 - (missed + doubt * (1.0 - pooled)) / (energy + doubt)
    return FilmKnowledge(explained, energy / present[None, :, None], natural_rates(samples))


def natural_rates(samples: FilmSamples, ridge: float = 1.0) -> Float[Tensor, "motions rate_features"]:
    """Coefficients of each motion's rate by ridge regression of its logarithm on the body's extent."""
    rates = torch.zeros(len(VOCABULARY_NAMES), RATE_FEATURES)
    for k in range(len(VOCABULARY_NAMES)):
        rows = ((samples.motion == k) & (samples.style[:, 0] > 0) & (samples.style[:, 2] > 0)).nonzero()[:, 0]
        if not len(rows):
            rates[k, 0] = math.log(0.065)
            continue
        x, y = rate_features(samples.start[rows]), samples.style[rows, 2].log()
        middle = x[:, 1:].mean(0)
        centred = x[:, 1:] - middle
        A = centred.T @ centred + ridge * torch.eye(RATE_FEATURES - 1)
        slope = torch.linalg.solve(A, centred.T @ (y - y.median()))
        rates[k, 1:] = slope
        rates[k, 0] = y.median() - middle @ slope
    return rates


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


def pick_films(samples: FilmSamples, rows: Int[Tensor, "rows"]) -> FilmSamples:
    """Some of the films."""
    chosen = {name: getattr(samples, name)[rows] for name in ("film", "start", "mass", "style", "motion")}
    return FilmSamples(**chosen, nouns=tuple(samples.nouns[int(row)] for row in rows))


def _statistics_films(samples: FilmSamples, most: int = 6000) -> tuple[Tensor, Tensor]:
    """Cosine transforms of some films, and which of their numbers are present."""
    rows = torch.randperm(len(samples), generator=torch.Generator().manual_seed(3))[:most]
    z = cosine_transform(FRAMES) @ samples.film[rows].float().flatten(2)
    return z, samples.present[rows].float().repeat_interleave(PART_NUMBERS, 1)


def _signal(t: Float[Tensor, "batch"]) -> tuple[Tensor, Tensor]:
    return torch.cos(0.5 * math.pi * t)[:, None, None], torch.sin(0.5 * math.pi * t)[:, None, None]
