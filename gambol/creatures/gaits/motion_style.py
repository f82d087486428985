"""Style of a motion: tempo, stride, bounce and other parameters, each with a range."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gambol.creatures.parameter_ranges import check_ranges, ranged, ranges_of

UNEVEN_PROBABILITY = 0.25
"""Probability that a drawn style spares one side."""


@dataclass(frozen=True)
class MotionStyle:
    """Style of a motion; the defaults are the natural one, and every value in range gives a valid motion."""

    tempo: float = ranged(0.6, 1.6, 1.0)
    """Factor of the frequency."""
    stride: float = ranged(0.55, 1.3, 1.0)
    """Factor of the stride length (as far as the legs reach) and of the size of an action."""
    bounce: float = ranged(0.3, 1.7, 1.0)
    """Factor of the body's rise and fall; in runs it lengthens the flight."""
    exaggeration: float = ranged(0.4, 1.7, 1.0)
    """Factor of the motion of spine, head, tail, arms and wings."""
    lift: float = ranged(0.5, 2.0, 1.0)
    """Factor of the height to which feet are lifted."""
    crouch: float = ranged(0.0, 0.18, 0.02)
    """Constant lowering of the body, in leg lengths."""
    width: float = ranged(0.75, 1.35, 1.0)
    """Factor of the distance between left and right feet."""
    head: float = ranged(-0.4, 0.4, 0.0)
    """Pitch of the head and neck, radians, nose up positive; in gaits neck, back and chest go some of the way."""
    phase: float = ranged(0.0, 1.0, 0.0)
    """Phase of the cycle at which the motion starts, 0 to 1."""
    asymmetry: float = ranged(0.0, 1.0, 0.0)
    """How much one side is spared: its strides are shorter and lower and the body falls onto the other side, 0 to 1."""
    mirrored: bool = False
    """Whether left and right are exchanged (leading leg, limping leg, punching arm)."""
    wander: float = ranged(0.0, 1.0, 0.3)
    """Amount of slow, irregular head movement that is added, 0 to 1."""
    seed: int = 0
    """Seed of the irregular movement."""

    def __post_init__(self) -> None:
        check_ranges(self)


def draw_style(generator: np.random.Generator, *, spread: float = 1.0) -> MotionStyle:
    """Draw a random style: every parameter is triangular around its typical value, over `spread` of its range.

    Most styles are symmetrical; in the others the asymmetry is uniform.
    """
    values: dict[str, float] = {}
    for name, allowed in ranges_of(MotionStyle).items():
        if name == "phase":
            values[name] = float(generator.uniform(0.0, 1.0))
        if name in ("phase", "asymmetry"):
            continue
        low = allowed.typical + spread * (allowed.low - allowed.typical)
        high = allowed.typical + spread * (allowed.high - allowed.typical)
        values[name] = (
            float(generator.triangular(low, np.clip(allowed.typical, low, high), high)) if high > low else low
        )
    seed, mirrored = int(generator.integers(2**31)), bool(generator.random() < 0.5)
    if generator.random() < UNEVEN_PROBABILITY:
        values["asymmetry"] = spread * float(generator.random())
    return replace(MotionStyle(), **values, mirrored=mirrored, seed=seed)
