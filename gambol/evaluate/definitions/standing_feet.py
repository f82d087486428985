"""Feet that stay where they stand: how far they go over the ground, and up to where that counts as standing."""

from __future__ import annotations

import numpy as np

from gambol.evaluate.curves import span
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold

GESTURE_FEET_STAY = SoftThreshold(0.16, 0.02)
"""Path of every foot below which a body stands that gestures, leg lengths."""
ACT_FEET_STAY = SoftThreshold(0.22, 0.02)
"""The same for an athletic act, whose feet may shift more."""
MOST_FEET_STAY = SoftThreshold(0.22, 0.03)
"""Path of the median foot below which a body stands, leg lengths: one foot of it may step."""


def longest_foot_path(seen: Observation) -> float:
    """Return the longest side of the box around any foot's path over the ground, leg lengths."""
    paths = [foot.points.mean(1) for foot in seen.feet]
    return max((max(span(p[:, 0]), span(p[:, 2])) for p in paths), default=0.0) / seen.leg


def all_feet_stay(seen: Observation) -> float:
    """Return the score of no foot going farther than `GESTURE_FEET_STAY`."""
    return GESTURE_FEET_STAY.below(longest_foot_path(seen))


def most_feet_stay(seen: Observation) -> float:
    """Return the score of the median foot's whole path staying below `MOST_FEET_STAY`; 0 without feet."""
    spans = [float(np.ptp(foot.points.mean(1)[:, [0, 2]], axis=0).max()) for foot in seen.feet]
    return MOST_FEET_STAY.below(float(np.median(spans)) / seen.leg) if spans else 0.0
