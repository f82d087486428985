"""What is known of the prior's films, measured on films that it was not trained on and stored with its weights.

How precisely each frequency of each label is known, how much smaller mean films move than true ones, of all motions and
of each, and at which rate each motion is natural for a body.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.priors.embedded.part_film import FRAMES, NUMBERS_PER_UNIT, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS

PART_NUMBER_KINDS = torch.tensor([0] * 3 + [1] * (PART_NUMBERS - 3))
"""Kind of each of a part's numbers: 0 place, 1 spread."""
RATE_FEATURES = 4
"""Numbers that a natural rate is found from: 1 and the logarithm of the start pose's extent along each axis."""
KNOWLEDGE_TENSORS = ("explained", "energy", "rates", "gains", "part_gains")
"""Fields of `FilmKnowledge` that are stored as tensors beside the weights."""
PRECISION_BAND = slice(1, 13)
"""Frequencies over which the mean precision of places is taken."""


@dataclass(frozen=True)
class ProposalConstants:
    """How mean films become targets; chosen on development bodies and stored with the weights."""

    scale: float = 10.0
    """Mean precision of places at low frequencies: how much a film counts beside the other losses."""
    amplitude_exponent: float = 1.0
    """Power of 1 / R by which the motion of a mean film is made larger."""
    least_explained: float = 0.4
    """Share R^2 below which an amplitude is not restored: what is hardly known is not made larger."""
    largest_gain: float = 3.0
    """Largest factor by which the amplitude of a part in a motion is made larger than it usually is."""
    precision_floor: float = 0.1
    """Least share R^2 that is assumed for a precision: what is not known is not to move, rather than to be free."""
    mean_pose_precision: float = 1.0
    """Precision of a film's mean over time, as a share of what R^2 says."""
    spread_precision: float = 0.25
    """Precision of spreads, as a share of what R^2 says."""


@dataclass(frozen=True)
class FilmKnowledge:
    """Measures of the network on unseen films."""

    explained: Float[Tensor, "frequencies labels 2"]
    """Share R^2 of true films' energy that the clean estimate explains, of places and of spreads."""
    energy: Float[Tensor, "frequencies labels 2"]
    """Mean energy of true films, per number."""
    rates: Float[Tensor, "motions rate_features"]
    """Coefficients of the logarithm of each motion's natural rate, cycles per frame (`rate_features`)."""
    gains: Float[Tensor, "motions frequencies"]
    """Factor of the amplitude of each motion at each frequency, on top of the usual one."""
    part_gains: Float[Tensor, "motions labels 2"]
    """The same for each part in each motion, places and spreads; near 0 for parts of whose motion nothing is known."""
    constants: ProposalConstants = ProposalConstants()
    """How mean films become targets."""

    def natural_rate(self, motion: Float[Tensor, "motions"], start: Float[Tensor, "labels 9"]) -> float:
        """Cycles per frame that are natural for a body: exp(sum_k p_k c_k . features), p the motions' probabilities."""
        known = motion[: len(self.rates)]
        known = known if known.sum() > 0 else torch.ones(len(known))  # nothing said: a usual rate
        coefficients = known @ self.rates[: len(known)] / known.sum().clamp_min(1e-9)
        return float(torch.exp(coefficients @ rate_features(start[None])[0]))

    def precision(self) -> Float[Tensor, "frames numbers"]:
        """w = R^2 / ((1 - R^2) E) by frequency and number; the mean of places at low frequencies is `scale`.

        A mean film that explains a share R^2 of a true one z is R^2 z and noise of variance R^2 (1 - R^2) E; so z is
        known with this precision. E is the mean over labels: parts that seldom move would else outweigh all others.
        """
        constants = self.constants
        known = self.explained.clamp(constants.precision_floor, 0.95)
        used = self.energy[PRECISION_BAND, :, 0].mean(0) > 0
        energy = self.energy[:, used].mean(1, keepdim=True)
        weights = known / ((1.0 - known) * energy.clamp_min(1e-6))
        weights = constants.scale * weights / weights[PRECISION_BAND][:, used, 0].mean()
        weights[0] *= constants.mean_pose_precision
        weights[..., 1] *= constants.spread_precision
        return weights[..., PART_NUMBER_KINDS].flatten(1)

    def amplitude(self, motion: Float[Tensor, "motions"] | None = None) -> Float[Tensor, "frames numbers"]:
        """R^-a for every frequency of every number, 1 for the mean over time: true films' amplitude from mean ones.

        R is that of all films together. With a `motion` (weights of motions) its own gains come on top: a motion that
        is known less than usual has mean films that move less than usual, and parts that should rest move by mistake.
        """
        constants = self.constants
        known = torch.where(self.explained < constants.least_explained, 1.0, self.explained.clamp_max(1.0))
        shares = known ** (-0.5 * constants.amplitude_exponent)
        shares = torch.cat([torch.ones_like(shares[:1]), shares[1:]])
        if motion is not None and motion.sum() > 0:
            gains, part_gains = (torch.tensordot(motion / motion.sum(), x, 1) for x in (self.gains, self.part_gains))
            own = (gains[1:, None, None] * part_gains).clamp(0.0, constants.largest_gain)
            shares = torch.cat([shares[:1], shares[1:] * own])
        return shares[..., PART_NUMBER_KINDS].flatten(1)


def rate_features(start: Float[Tensor, "bodies labels 9"]) -> Float[Tensor, "bodies rate_features"]:
    """1 and the logarithm of the start pose's extent ahead, up and to the side, in the body's unit."""
    present = start.abs().sum(-1, keepdim=True) > 0
    place = start[..., :3] / NUMBERS_PER_UNIT
    high = torch.where(present, place, -torch.inf).amax(1)
    low = torch.where(present, place, torch.inf).amin(1)
    return torch.cat([torch.ones(len(start), 1), torch.log((high - low).clamp_min(0.05))], 1)


def unknown_knowledge(motions: int) -> FilmKnowledge:
    """Knowledge of a network that was not measured: everything alike."""
    shape = (FRAMES, len(PART_LABELS), 2)
    rates = torch.zeros(motions, RATE_FEATURES)
    rates[:, 0] = torch.log(torch.tensor(0.065))
    gains, part_gains = torch.ones(motions, FRAMES), torch.ones(motions, len(PART_LABELS), 2)
    return FilmKnowledge(torch.full(shape, 0.5), torch.ones(shape), rates, gains, part_gains)
