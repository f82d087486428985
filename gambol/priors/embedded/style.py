"""What the network of the embedded prior is conditioned on beside the sentence: phase, tempo, side and style.

A gait can start anywhere in its cycle. A network that does not know where sees the mean of all starts at high noise,
which does not move; one that does not know how long the strides are sees blurred legs. So it is conditioned on both,
as on the camera. An optimisation draws phase and side from its seed and asks for a natural style in everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

STYLE_AXES = ("stride", "bounce", "exaggeration", "lift", "crouch", "width", "head", "wander")
"""Fields of a `MotionStyle` that the network sees, as deviations from what is natural."""
STYLE_NUMBERS = 5 + len(STYLE_AXES)
"""Numbers of a `StyleConditioning`."""
START_PHASES = (0.02, 0.14)
"""Range of the phases at which videos start: all motions are trained there."""


@dataclass(frozen=True)
class StyleConditioning:
    """The part of a motion's style that decides what a video shows when."""

    phase: float
    """Phase of the cycle in the first frame, 0 to 1."""
    tempo: float = 1.0
    """Speed of the motion; 1 is natural."""
    mirrored: bool = False
    """Whether the other side leads."""
    axes: tuple[float, ...] = (0.0,) * len(STYLE_AXES)
    """Deviation from natural along each of `STYLE_AXES`, in half ranges."""

    def numbers(self) -> Float[Tensor, "13"]:
        """The network's input: known, phase as a point on the circle, tempo, side, style axes."""
        angle = 2.0 * np.pi * self.phase
        side = -1.0 if self.mirrored else 1.0
        first = (1.0, np.sin(angle), np.cos(angle), 3.0 * np.log(self.tempo), side)
        return torch.tensor([*first, *self.axes], dtype=torch.float32)


def unknown_style() -> Float[Tensor, "13"]:
    """The network's input where nothing is known of phase and style: zeros."""
    return torch.zeros(STYLE_NUMBERS)


def draw_start(generator: np.random.Generator) -> StyleConditioning:
    """The beginning of a cycle at a natural tempo, either side leading."""
    return StyleConditioning(float(generator.uniform(*START_PHASES)), 1.0, bool(generator.random() < 0.5))
