"""How time scales with a body: bodies of one build and different size move alike in units of sqrt(leg / g)."""

from __future__ import annotations

import numpy as np

from gambol.motion.gravity import EARTH_GRAVITY

NATURAL_TICK = 0.21
"""Time between two frames at the natural frame rate, in sqrt(leg length / g): 1/16 s for a person."""
SCALED_LEGS = (0.03, 2.5)
"""Shortest and longest legs that time is scaled for, metres: a mouse's and an elephant's."""


def natural_frame_rate(leg: float) -> float:
    """Frames per second at which motions of bodies of any size look alike: 1 / (0.21 sqrt(leg / g)), 9.4 to 86.

    `leg` is the length of a leg in metres. Files in strange units have legs of any length; beyond `SCALED_LEGS` they
    count as those.
    """
    return 1.0 / (NATURAL_TICK * float(np.sqrt(np.clip(leg, *SCALED_LEGS) / EARTH_GRAVITY)))
