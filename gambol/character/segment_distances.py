"""Distances of line segments, such as bones, from points and from each other."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def point_segment_distances(
    point: Float[ndarray, "3"], starts: Float[ndarray, "segments 3"], ends: Float[ndarray, "segments 3"]
) -> Float[ndarray, "segments"]:
    """Distance from a point to each segment: to start + u (end - start), u in [0, 1]."""
    spans = ends - starts
    squared = (spans * spans).sum(1)
    u = np.clip(((point - starts) * spans).sum(1) / np.where(squared > 0, squared, 1.0), 0.0, 1.0)
    return np.linalg.norm(point - starts - u[:, None] * spans, axis=1)


def segment_distance(
    p0: Float[ndarray, "*#batch 3"],
    p1: Float[ndarray, "*#batch 3"],
    q0: Float[ndarray, "*#batch 3"],
    q1: Float[ndarray, "*#batch 3"],
) -> Float[ndarray, "*batch"]:
    """Least distance between the segments p0 p1 and q0 q1 (Ericson, Real-Time Collision Detection, 5.1.9)."""
    d1, d2, r = p1 - p0, q1 - q0, p0 - q0
    a, e, f = (d1 * d1).sum(-1), (d2 * d2).sum(-1), (d2 * r).sum(-1)
    b, c = (d1 * d2).sum(-1), (d1 * r).sum(-1)
    tiny = np.finfo(np.float64).tiny
    denominator = a * e - b * b
    crossing = denominator > 1e-12 * a * e  # parallel segments may start anywhere
    s = np.where(crossing, np.clip((b * f - c * e) / np.where(crossing, denominator, 1.0), 0.0, 1.0), 0.0)
    t = np.clip((b * s + f) / np.maximum(e, tiny), 0.0, 1.0)
    s = np.clip((b * t - c) / np.maximum(a, tiny), 0.0, 1.0)
    return np.linalg.norm(p0 + s[..., None] * d1 - q0 - t[..., None] * d2, axis=-1)
