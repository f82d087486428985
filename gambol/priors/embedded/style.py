"""What the network of the embedded prior is conditioned on beside the sentence: phase, rate, side and style.

A gait can start anywhere in its cycle. A network that does not know where sees the mean of all starts at high noise,
which does not move; one that does not know how long the strides are sees blurred legs. So it is told both. An
optimisation draws a take from its seed: phase, side, and a style and tempo near the natural ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError

STYLE_AXES = ("stride", "bounce", "exaggeration", "lift", "crouch", "width", "head", "wander", "asymmetry")
"""Fields of a `MotionStyle` that the network sees, as deviations from what is natural."""
STYLE_NUMBERS = 4 + len(STYLE_AXES)
"""Numbers of a `StyleConditioning`: known, phase, rate, side, then the axes."""
START_PHASES = (0.02, 0.14)
"""Range of the phases at which films start."""
TAKE_SPREAD, TAKE_TEMPO = 0.3, 0.06
"""How far a take's style axes are from natural at most, in half ranges, and the logarithm of its tempo."""

TAKE_SIDES = np.array([float(name != "asymmetry") for name in STYLE_AXES])
"""Axes along which takes differ by chance: nobody limps a little unasked."""
MAX_DEVIATION = 1.5
"""Largest deviation of an axis that is told, in half ranges."""
TEMPO_HALF_RANGE = 0.5
"""Half of the range of the tempo, as a factor of the natural rate."""


@dataclass(frozen=True)
class StyleAxis:
    """Allowed numbers of one axis of the style."""

    low: float
    """Smallest number."""
    high: float
    """Largest number."""
    natural: float
    """The number of the natural style."""

    def deviation(self, value: float) -> float:
        """Deviation from natural in half ranges: (x - natural) / (0.5 (high - low))."""
        return (value - self.natural) / (0.5 * (self.high - self.low))


STYLE_NUMBER_AXES: Mapping[str, StyleAxis] = {
    "tempo": StyleAxis(0.5, 1.5, 1.0),
    "stride": StyleAxis(0.55, 1.3, 1.0),
    "bounce": StyleAxis(0.3, 1.7, 1.0),
    "exaggeration": StyleAxis(0.4, 1.7, 1.0),
    "lift": StyleAxis(0.5, 2.0, 1.0),
    "crouch": StyleAxis(0.0, 0.18, 0.02),
    "width": StyleAxis(0.75, 1.35, 1.0),
    "head": StyleAxis(-0.4, 0.4, 0.0),
    "wander": StyleAxis(0.0, 1.0, 0.3),
    "asymmetry": StyleAxis(0.0, 1.0, 0.0),
}
"""Axes that a request gives numbers of. Factors are 1 where natural; crouch is in leg lengths, head in radians (nose up
positive), wander and asymmetry are amounts from 0 to 1."""


def check_style_axes(style: Mapping[str, float]) -> None:
    """Raise `ConfigError` for an axis that there is not, and for a number out of its range."""
    for name, value in style.items():
        if name not in STYLE_NUMBER_AXES:
            near = get_close_matches(name, STYLE_NUMBER_AXES, n=1, cutoff=0.4)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise ConfigError(f"The style has no axis '{name}'.{meant} It has {', '.join(STYLE_NUMBER_AXES)}.")
        axis = STYLE_NUMBER_AXES[name]
        if not axis.low <= value <= axis.high:
            raise ConfigError(
                f"style.{name} is {value:g}; it takes a number from {axis.low:g} to {axis.high:g}, and {axis.natural:g}"
                " is natural."
            )


def style_deviations(style: Mapping[str, float]) -> dict[str, float]:
    """Deviations from natural by axis, in half ranges, of numbers of the style."""
    return {name: STYLE_NUMBER_AXES[name].deviation(value) for name, value in style.items()}


def add_deviations(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Sum of two styles' deviations by axis."""
    return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in dict.fromkeys([*first, *second])}


@dataclass(frozen=True)
class StyleConditioning:
    """The part of a motion's style that decides what a film shows when."""

    phase: float
    """Phase of the cycle in the first frame, 0 to 1."""
    rate: float
    """Cycles per frame."""
    mirrored: bool = False
    """Whether the other side leads."""
    axes: tuple[float, ...] = (0.0,) * len(STYLE_AXES)
    """Deviation from natural along each of `STYLE_AXES`, in half ranges."""

    def numbers(self) -> Float[Tensor, "style_numbers"]:
        """The network's input: known, phase, rate, side (1 or -1), style axes."""
        side = -1.0 if self.mirrored else 1.0
        return torch.tensor([1.0, self.phase, self.rate, side, *self.axes], dtype=torch.float32)


def unknown_style() -> Float[Tensor, "style_numbers"]:
    """The network's input where nothing is known of phase and style: zeros."""
    return torch.zeros(STYLE_NUMBERS)


def draw_take(
    generator: np.random.Generator, rate: float, style: Mapping[str, float] | None = None
) -> StyleConditioning:
    """A take: the beginning of a cycle about a given rate, either side leading, in a style near the asked one.

    `style` has deviations from natural by axis and of the tempo, in half ranges; what it leaves out is natural.
    """
    asked = dict(style or {})
    phase, mirrored = float(generator.uniform(*START_PHASES)), bool(generator.random() < 0.5)
    axes = generator.uniform(-TAKE_SPREAD, TAKE_SPREAD, len(STYLE_AXES)) * TAKE_SIDES
    axes = np.clip(axes + [asked.get(name, 0.0) for name in STYLE_AXES], -MAX_DEVIATION, MAX_DEVIATION)
    tempo = 1.0 + TEMPO_HALF_RANGE * float(np.clip(asked.get("tempo", 0.0), -1.0, 1.0))
    rate = rate * tempo * float(np.exp(generator.uniform(-TAKE_TEMPO, TAKE_TEMPO)))
    return StyleConditioning(phase, rate, mirrored, tuple(axes.tolist()))
