"""Lines through points: the lengths along them, points at distances along them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def arc_lengths(line: Float[ndarray, "points axes"]) -> Float[ndarray, "points"]:
    """Length of the line from its first point to each of its points."""
    return np.concatenate([[0.0], np.linalg.norm(np.diff(line, axis=0), axis=1).cumsum()])


def points_along(
    line: Float[ndarray, "points axes"], distances: Float[ndarray, "samples"]
) -> Float[ndarray, "samples axes"]:
    """Points of the line at distances from its first point, measured along it."""
    along = arc_lengths(line)
    return np.stack([np.interp(distances, along, line[:, axis]) for axis in range(line.shape[1])], 1)
