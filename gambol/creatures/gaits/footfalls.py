"""Footfall patterns: when each leg touches down in a cycle and how long it stays, by gait and number of legs.

Phases are shares of a cycle. Sequences: Hildebrand 1965, 1977 (quadrupeds), Wilson 1966 (many legs).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import ConfigError


@dataclass(frozen=True)
class Footfall:
    """Touch-down phase of the left and right leg of every pair, front to back, and their duty factors."""

    left: tuple[float, ...]
    """Touch-down phase of the left leg of every pair."""
    right: tuple[float, ...]
    """Touch-down phase of the right leg of every pair."""
    duty: tuple[float, ...]
    """Duty factor (share of the cycle on the ground): one for all legs, or one per pair."""
    duty_right: tuple[float, ...] | None = None
    """Duty factors of the right legs if they differ (a limp)."""

    def __post_init__(self) -> None:
        duties = (*self.duty, *(self.duty_right or ()))
        if len(self.left) != len(self.right) or not all(0.05 <= d <= 0.95 for d in duties):
            raise ConfigError(f"A footfall needs as many left as right legs and duty factors in 0.05 to 0.95: {self}.")

    @property
    def pairs(self) -> int:
        """Number of pairs of legs."""
        return len(self.left)

    def touchdown(self, pair: int, left: bool) -> float:
        """Return the phase at which a leg touches down."""
        return (self.left if left else self.right)[pair] % 1.0

    def duty_of(self, pair: int, left: bool) -> float:
        """Return the duty factor of one leg."""
        duties = self.duty if left or self.duty_right is None else self.duty_right
        return duties[min(pair, len(duties) - 1)]

    def mirrored(self) -> Footfall:
        """Return the footfall with left and right exchanged."""
        right = self.duty_right or self.duty
        return Footfall(self.right, self.left, right, self.duty if self.duty_right else None)

    def uneven(self, amount: float) -> Footfall:
        """Return the footfall with the right legs spared by `amount`, 0 to 1: they land late and leave early.

        Right legs stay 1 - 0.3 u of their time, left ones 1 + 0.12 u of theirs.
        """
        left = tuple(float(np.clip((1.0 + 0.12 * amount) * d, 0.15, 0.85)) for d in self.duty)
        right = tuple(float(np.clip((1.0 - 0.3 * amount) * d, 0.15, 0.85)) for d in self.duty_right or self.duty)
        return Footfall(self.left, tuple(phase + 0.06 * amount for phase in self.right), left, right)

    def with_duty(self, change: float) -> Footfall:
        """Return the footfall with all duty factors changed by `change`, kept in 0.15 to 0.85."""

        def shift(duties: tuple[float, ...]) -> tuple[float, ...]:
            return tuple(float(np.clip(d + change, 0.15, 0.85)) for d in duties)

        return replace(
            self, duty=shift(self.duty), duty_right=None if self.duty_right is None else shift(self.duty_right)
        )


def alternating(pairs: int, duty: float, lag: float = 0.0) -> Footfall:
    """Return a footfall with neighbours and opposites half a cycle apart (biped walk, trot, tripod, tetrapod).

    `lag` delays every pair towards the front a little, so that waves run forwards as in real arthropods.
    """
    left = tuple(0.5 * (pair % 2) + lag * (pairs - 1 - pair) for pair in range(pairs))
    return Footfall(left, tuple(phase + 0.5 for phase in left), (duty,))


def metachronal(pairs: int, duty: float, lag: float) -> Footfall:
    """Return a wave: every pair lands `lag` cycles after the one behind it, left and right half a cycle apart."""
    left = tuple(lag * (pairs - 1 - pair) for pair in range(pairs))
    return Footfall(left, tuple(phase + 0.5 for phase in left), (duty,))


def in_phase(pairs: int, duty: float, lead: float = 0.0) -> Footfall:
    """Return a footfall of all legs together; `lead` lets every pair land that much before the one behind it."""
    phases = tuple(-lead * (pairs - 1 - pair) for pair in range(pairs))
    return Footfall(phases, phases, (duty,))


LATERAL_WALK = Footfall((0.25, 0.0), (0.75, 0.5), (0.64,))
"""Walk in lateral sequence (left hind, left fore, right hind, right fore) of nearly all four-legged mammals."""
TROT = Footfall((0.0, 0.5), (0.5, 0.0), (0.43,))
"""Trot: diagonal pairs together."""
SPRAWLED_WALK = Footfall((0.03, 0.5), (0.53, 0.0), (0.62,))
"""Walk of a lizard: nearly diagonal pairs, long on the ground."""
ROTARY_GALLOP = Footfall((0.58, 0.0), (0.48, 0.11), (0.26,))
"""Rotary gallop (left hind, right hind, right fore, left fore) with two suspensions: dog, cat, fox."""
TRANSVERSE_GALLOP = Footfall((0.36, 0.0), (0.5, 0.13), (0.29,))
"""Transverse gallop (left hind, right hind, left fore, right fore) with one suspension: horse."""
BOUND = Footfall((0.5, 0.0), (0.5, 0.0), (0.3,))
"""Bound: hind legs together, then forelegs together."""


LARGEST_ALTERNATING_PAIRS = 4
"""Largest number of pairs of legs that walk on two alternating sets; more walk in waves."""
PAIRS_PER_WAVE = 7.0
"""Number of pairs of legs in one wave of a many-legged walk (Manton 1952: 5 to 12 in centipedes and millipedes)."""


def wave_lag(pairs: int) -> float:
    """Return the lag between neighbouring pairs of a wave, cycles; at most a whole wave fits on a short body."""
    return 1.0 / min(PAIRS_PER_WAVE, pairs)


def walk_footfall(pairs: int, *, sprawling: bool = False) -> Footfall:
    """Return a walk: bipeds half a cycle apart, quadrupeds in lateral sequence, insects and spiders alternating.

    Six legs walk on alternating tripods, eight on tetrapods, more in a wave that runs from the tail to the head.
    """
    if pairs == 1:
        return alternating(1, 0.62)
    if pairs == 2:
        return SPRAWLED_WALK if sprawling else LATERAL_WALK
    if pairs <= LARGEST_ALTERNATING_PAIRS:
        return alternating(pairs, 0.66, lag=0.04)
    return metachronal(pairs, 0.68, lag=wave_lag(pairs))


def run_footfall(pairs: int, *, sprawling: bool = False, rotary: bool = True) -> Footfall:
    """Return a run: bipeds with flights, quadrupeds gallop (sprawling ones trot), more legs step as they walk."""
    if pairs == 1:
        return alternating(1, 0.36)
    if pairs == 2:
        if sprawling:
            return replace(SPRAWLED_WALK, duty=(0.48,))
        return ROTARY_GALLOP if rotary else TRANSVERSE_GALLOP
    if pairs <= LARGEST_ALTERNATING_PAIRS:
        return alternating(pairs, 0.48, lag=0.02)
    return metachronal(pairs, 0.48, lag=wave_lag(pairs))


def limp_footfall(pairs: int) -> Footfall:
    """Return a limp: the right (fore)leg lands late and leaves early, the others stay longer."""
    base = walk_footfall(pairs)
    spared, sound = 0.4, 0.72
    right = (base.right[0] + 0.06, *base.right[1:])
    return Footfall(base.left, right, (sound,), (spared, *([sound] * (pairs - 1))))


def leg_phase(phase: Float[ndarray, "frames"], touchdown: float) -> Float[ndarray, "frames"]:
    """Return a leg's own phase since it touched down, in [0, 1)."""
    return np.remainder(phase - touchdown, 1.0)


def flights(footfall: Footfall) -> list[tuple[float, float]]:
    """Return the spans of the cycle in which no leg is on the ground, as (start, length), in order."""
    spans = []
    for pair in range(footfall.pairs):
        for left in (True, False):
            start = footfall.touchdown(pair, left)
            spans.append((start, start + footfall.duty_of(pair, left)))
    spans += [(a + 1.0, b + 1.0) for a, b in spans]
    spans.sort()
    found, covered = [], spans[0][1]
    for start, end in spans[1:]:
        if start > covered + 1e-9 and covered < spans[0][0] + 1.0 - 1e-9:
            found.append((covered % 1.0, start - covered))
        covered = max(covered, end)
    return sorted(found)
