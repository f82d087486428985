"""What the network of the embedded prior is conditioned on beside the sentence: phase, rate, side and style.

A gait can start anywhere in its cycle. A network that does not know where sees the mean of all starts at high noise,
which does not move; one that does not know how long the strides are sees blurred legs. So it is told both. An
optimisation draws phase and side from its seed and asks for a natural rate and style.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

STYLE_AXES = ("stride", "bounce", "exaggeration", "lift", "crouch", "width", "head", "wander")
"""Fields of a `MotionStyle` that the network sees, as deviations from what is natural."""
STYLE_NUMBERS = 4 + len(STYLE_AXES)
"""Numbers of a `StyleConditioning`: known, phase, rate, side, then the axes."""
START_PHASES = (0.02, 0.14)
"""Range of the phases at which films start."""


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

    def numbers(self) -> Float[Tensor, "12"]:
        """The network's input: known, phase, rate, side (1 or -1), style axes."""
        side = -1.0 if self.mirrored else 1.0
        return torch.tensor([1.0, self.phase, self.rate, side, *self.axes], dtype=torch.float32)


def unknown_style() -> Float[Tensor, "12"]:
    """The network's input where nothing is known of phase and style: zeros."""
    return torch.zeros(STYLE_NUMBERS)


def draw_start(generator: np.random.Generator, rate: float) -> StyleConditioning:
    """The beginning of a cycle at a given rate, either side leading."""
    return StyleConditioning(float(generator.uniform(*START_PHASES)), rate, bool(generator.random() < 0.5))
