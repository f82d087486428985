"""What a network knows, measured on films that it was not trained on: explained shares, energies, natural rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import PART_NUMBER_KINDS, RATE_FEATURES, FilmKnowledge, rate_features
from gambol.priors.embedded.network import Conditioning, MotionNetwork
from gambol.priors.embedded.part_film import PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.training.embedded.film_noise import add_noise, clean_film
from gambol.training.embedded.shards import FilmSamples, pick_films

MEASURED_LEVEL = 0.985
"""Noise level at which the explained share is measured: there the conditioning decides."""


def motion_vectors(
    bank: Float[Tensor, "motions phrases text"], motions: Int[Tensor, "films"]
) -> Float[Tensor, "films text"]:
    """The vector of a phrase of each film's motion, phrases in turn: for measurements."""
    return bank[motions, torch.arange(len(motions)) % bank.shape[1]]


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
        true.append(network.dct @ z)
        found.append(network.dct @ clean_film(z_t, v, t))
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
