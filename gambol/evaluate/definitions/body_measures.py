"""What definitions of several kinds look at: a body's own unit of time and the bones of its trunk."""

from __future__ import annotations

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.observation import Observation

REFERENCE_LEG = 0.9
"""Length of the legs for which a body's own seconds are seconds, metres."""


def own_second(seen: Observation) -> float:
    """Return the body's own second, sqrt(leg / 0.9 m): small bodies move faster and are measured alike, seconds."""
    return float(np.sqrt(max(seen.leg, 1e-6) / REFERENCE_LEG))


def own_rate(seen: Observation) -> float:
    """Return the frames per own second of a clip."""
    return seen.fps * own_second(seen)


def trunk_bones(seen: Observation) -> list[int]:
    """Return the bones of the torso; the root without any."""
    return [b for b, part in enumerate(seen.anatomy.parts) if part == BodyPart.TORSO] or [0]
