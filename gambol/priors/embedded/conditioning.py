"""When in its cycle a motion starts, how quick, long, high it is, which side leads: told, so that nobody need guess.

A gait can start anywhere in its cycle. A network that does not know where sees the mean of all starts at high noise,
which does not move; one that does not know how long the strides are sees blurred legs. So it is told, like the camera.
A distillation draws the phase and the side from its seed and asks for a natural manner in everything else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

WAYS = ("stride", "bounce", "exaggeration", "lift", "crouch", "width", "head", "wander")
"""Fields of a `MotionStyle` that are told as they deviate from what is natural."""
NUMBERS = 5 + len(WAYS)
BEGINNING = (0.02, 0.14)
"""Phases at which films start: all motions are trained there."""


@dataclass(frozen=True)
class Manner:
    """The part of a `MotionStyle` that decides what a film shows when."""

    phase: float
    """0 to 1."""
    tempo: float = 1.0
    """1 is natural."""
    mirrored: bool = False
    ways: tuple[float, ...] = (0.0,) * len(WAYS)
    """Deviations from natural, in half ranges."""

    def numbers(self) -> Float[Tensor, "13"]:
        """Known, phase as a point on the circle, tempo, side, ways."""
        angle = 2.0 * np.pi * self.phase
        side = -1.0 if self.mirrored else 1.0
        first = (1.0, np.sin(angle), np.cos(angle), 3.0 * np.log(self.tempo), side)
        return torch.tensor([*first, *self.ways], dtype=torch.float32)


def unknown_manner() -> Float[Tensor, "13"]:
    """What is told where nothing is known: zeros."""
    return torch.zeros(NUMBERS)


def draw_start(generator: np.random.Generator) -> Manner:
    """A natural tempo, the beginning of a cycle (an action begins there, and a gait may as well), any side."""
    return Manner(float(generator.uniform(*BEGINNING)), 1.0, bool(generator.random() < 0.5))
