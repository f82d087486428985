"""Which frame rate a clip's keys lie on."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

BAKING_FRAME_RATES = (24, 25, 30, 48, 50, 60, 100, 120, 240)
"""Frames per second that clips are baked at, tried in this order."""


def baking_frame_rate(times: Float[ndarray, "keys"]) -> int:
    """Find the lowest usual frame rate that has all key times on whole frames, else the one that comes closest."""
    misses = np.array(
        [np.abs(times * fps - np.round(times * fps)).max(initial=0.0) / fps for fps in BAKING_FRAME_RATES]
    )
    fitting = np.flatnonzero(misses * BAKING_FRAME_RATES < 1e-2)
    return BAKING_FRAME_RATES[int(fitting[0] if len(fitting) else misses.argmin())]


def clip_frame_rate(times: Float[ndarray, "keys"]) -> int:
    """Find the usual frame rate of one clip, counted from its first key.

    The lowest rate that has all keys on whole frames; where none has, the one nearest to the usual distance of keys,
    and at least 24.
    """
    since = times - times[0]
    rate = baking_frame_rate(since)
    if len(times) < 2 or np.abs(since * rate - np.round(since * rate)).max() < 1e-2:
        return rate
    return min(BAKING_FRAME_RATES, key=lambda fps: abs(fps - 1.0 / max(float(np.median(np.diff(times))), 1e-6)))
