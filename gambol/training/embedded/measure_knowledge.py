"""What a network knows, measured on films that it was not trained on: explained shares, energies, gains, rates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.knowledge import (
    PART_NUMBER_KINDS,
    RATE_FEATURES,
    FilmKnowledge,
    ProposalConstants,
    rate_features,
    unknown_knowledge,
)
from gambol.priors.embedded.network import Conditioning, MotionNetwork
from gambol.priors.embedded.part_film import FILM_NUMBERS, FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import MIRRORED_LABELS, PART_LABELS
from gambol.priors.embedded.prior import EmbeddedPrior
from gambol.priors.embedded.proposal import mean_of_estimates
from gambol.training.embedded.film_noise import add_noise, clean_film
from gambol.training.embedded.shards import FilmSamples, pick_films

MEASURED_LEVEL = 0.985
"""Noise level at which the explained share is measured: there the conditioning decides."""
LEAST_GAIN_FILMS = 6
"""Unseen films of a motion from which its gains are measured."""
KNOWN_CORRELATION = 0.7
"""Correlation of true and found motion from which its amplitude is restored whole."""
PART_DOUBT, FREQUENCY_DOUBT = 0.001, 0.02
"""Share of a motion's mean energy, over parts and over frequencies, that is added to the energies of a gain."""
LARGEST_FREQUENCY_GAIN = 2.0
"""Largest gain of a single frequency."""


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
    """Explained shares, energies and gains from unseen films, natural rates from the training films."""
    true, found = clean_estimates(network, unseen, bank)
    present = unseen.present.float().sum(0).clamp_min(1.0)

    missed, energy = _by_kind((true - found).square().sum(0)), _by_kind(true.square().sum(0))
    pooled = 1.0 - missed.sum(1, keepdim=True) / energy.sum(1, keepdim=True).clamp_min(1e-9)
    doubt = 0.05 * energy.mean(1, keepdim=True) + 1e-9  # labels that move little count as all labels do
    explained = 1.0 - (missed + doubt * (1.0 - pooled)) / (energy + doubt)
    plain = unknown_knowledge(len(VOCABULARY_NAMES))
    known = replace(plain, explained=explained, energy=energy / present[None, :, None], rates=natural_rates(samples))
    means = network.dct @ mean_films(network, unseen, bank)
    gains, part_gains = motion_gains(true, known.amplitude() * means, unseen.motion)
    return replace(known, gains=gains, part_gains=part_gains)


def _by_kind(squares: Float[Tensor, "frequencies numbers"]) -> Float[Tensor, "frequencies labels 2"]:
    """Mean over the places and over the spreads of each label."""
    per_number = squares.unflatten(1, (len(PART_LABELS), PART_NUMBERS))
    return torch.stack([per_number[..., kind == PART_NUMBER_KINDS].mean(-1) for kind in (0, 1)], -1)


@torch.no_grad()
def mean_films(
    network: MotionNetwork, samples: FilmSamples, bank: Float[Tensor, "motions phrases text"], *, batch: int = 128
) -> Float[Tensor, "films frames numbers"]:
    """The mean films that the prior would propose for the samples' bodies, motions and styles (`proposal`)."""
    generator, found = torch.Generator().manual_seed(1), []
    for rows in torch.arange(len(samples)).split(batch):
        films = pick_films(samples, rows)
        told = Conditioning(
            motion_vectors(bank, films.motion), torch.ones(len(rows)), films.start, films.mass, films.style
        )

        def estimate(x: Tensor, level: float, told: Conditioning = told) -> Tensor:
            t = torch.full((len(x),), level)
            z_t = add_noise(x, t, generator)
            return clean_film(z_t, network(z_t, t, told), t)

        still = torch.zeros(len(rows), FRAMES, FILM_NUMBERS)
        found.append(mean_of_estimates(estimate, still, EmbeddedPrior.proposal_calls))
    return torch.cat(found)


def motion_gains(
    true: Float[Tensor, "films frequencies numbers"],
    found: Float[Tensor, "films frequencies numbers"],
    motions: Int[Tensor, "films"],
) -> tuple[Float[Tensor, "motions frequencies"], Float[Tensor, "motions labels 2"]]:
    """By how much each motion has to be larger than it was found, at every frequency, and in every part.

    Parts first (left and right alike), then what places lack at single frequencies. A motion of which there are too few
    films has gains of 1.
    """
    gains = torch.ones(len(VOCABULARY_NAMES), FRAMES)
    part_gains = torch.ones(len(VOCABULARY_NAMES), len(PART_LABELS), 2)
    other = torch.as_tensor(MIRRORED_LABELS)
    for k in range(len(gains)):
        rows = motions == k
        if int(rows.sum()) < LEAST_GAIN_FILMS:
            continue
        both = [(true[rows], true[rows]), (true[rows], found[rows]), (found[rows], found[rows])]
        tt, tf, ff = (_by_kind((x * y).sum(0)) for x, y in both)  # [frequencies, labels, 2]
        parts = _known_gain(*(x[1:].sum(0) + x[1:, other].sum(0) for x in (tt, tf, ff)), doubt=PART_DOUBT)
        part_gains[k] = parts.clamp_max(ProposalConstants().largest_gain)
        own = part_gains[k, :, 0]
        places = (x[1:, :, 0] @ factor for x, factor in ((tt, own**0), (tf, own), (ff, own**2)))
        gains[k, 1:] = _known_gain(*places, doubt=FREQUENCY_DOUBT).clamp_max(LARGEST_FREQUENCY_GAIN)
    return gains, part_gains


def _known_gain(tt: Tensor, tf: Tensor, ff: Tensor, *, doubt: float) -> Tensor:
    """max(1, sqrt(E_true / E_found)) min(1, rho / `KNOWN_CORRELATION`), rho the correlation of true and found.

    What was found too small is made larger, and what has little to do with the truth is made smaller. A share of the
    mean energy is added to all three sums, so that what hardly moves stays as it is.
    """
    d = doubt * tt.mean() + 1e-9
    rho = (tf + d) / ((tt + d) * (ff + d)).sqrt()
    return ((tt + d) / (ff + d)).sqrt().clamp_min(1.0) * (rho / KNOWN_CORRELATION).clamp(0.0, 1.0)


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
