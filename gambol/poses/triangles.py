"""Where a surface runs through itself: exact tests of triangle pairs, for reports."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray


def crossing_pairs(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"]
) -> Int[ndarray, "pairs 2"]:
    """Pairs of triangles without a common place that cut each other.

    Two triangles cut each other where an edge of one passes through the other. Pairs whose boxes do not meet are passed
    over; so are neighbours, which share a corner (by place: files split vertices at seams).
    """
    _, place = np.unique(np.round(vertices / max(float(np.ptp(vertices)), 1e-12), 6), axis=0, return_inverse=True)
    corners = vertices[triangles]
    pairs = box_pairs(corners.min(1), corners.max(1))
    ids = place.reshape(-1)[triangles]
    joined = (ids[pairs[:, 0]][:, :, None] == ids[pairs[:, 1]][:, None]).any((1, 2))
    pairs = pairs[~joined]
    first, second = corners[pairs[:, 0]], corners[pairs[:, 1]]
    return pairs[edges_pierce(first, second) | edges_pierce(second, first)]


def box_pairs(low: Float[ndarray, "boxes 3"], high: Float[ndarray, "boxes 3"]) -> Int[ndarray, "pairs 2"]:
    """Pairs of boxes that meet: sorted along x, each is compared with those that start before it ends."""
    order = np.argsort(low[:, 0])
    last = np.searchsorted(low[order, 0], high[order, 0], side="right")
    found = []
    for i, end in enumerate(last):
        others = order[i + 1 : end]
        me = order[i]
        meet = (low[others, 1:] <= high[me, 1:]).all(1) & (high[others, 1:] >= low[me, 1:]).all(1)
        found.append(np.stack([np.full(int(meet.sum()), me), others[meet]], axis=1))
    return np.concatenate(found) if found else np.zeros((0, 2), int)


def edges_pierce(edges: Float[ndarray, "pairs 3 3"], faces: Float[ndarray, "pairs 3 3"]) -> Bool[ndarray, "pairs"]:
    """Whether an edge of the first triangle passes through the inside of the second (Moeller and Trumbore 1997)."""
    found = np.zeros(len(edges), bool)
    a, u, v = faces[:, 0], faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]
    for k in range(3):
        start, along = edges[:, k], edges[:, (k + 1) % 3] - edges[:, k]
        p = np.cross(along, v)
        det = (u * p).sum(1)
        ok = np.abs(det) > 1e-18
        inverse = 1.0 / np.where(ok, det, 1.0)
        to = start - a
        q = np.cross(to, u)
        s, t, w = (to * p).sum(1) * inverse, (along * q).sum(1) * inverse, (v * q).sum(1) * inverse
        found |= ok & (s > 0) & (t > 0) & (s + t < 1) & (w > 0) & (w < 1)
    return found


def share_in_itself(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], rest: set[tuple[int, int]]
) -> float:
    """Share of the triangles that cut another one which they do not cut at rest."""
    pairs = [pair for pair in map(tuple, crossing_pairs(vertices, triangles).tolist()) if pair not in rest]
    return len({triangle for pair in pairs for triangle in pair}) / max(len(triangles), 1)
