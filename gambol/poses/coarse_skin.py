"""A coarse version of the skin: a few hundred points with weights and triangles, to measure how a pose deforms it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.weights import SkinWeights, weights_from_dense

COARSE_SKIN_POINTS = 320
"""The grid of a coarse skin is as fine as at most this many occupied cells allow."""
COARSE_SKIN_INFLUENCES = 4
"""Largest number of bones that move one point of a coarse skin."""


@dataclass(frozen=True)
class CoarseSkin:
    """A simplified skinned mesh at rest, in sizes."""

    points: Float[ndarray, "points 3"]
    """Positions at rest, in sizes."""
    weights: SkinWeights
    """Bones that move each point."""
    triangles: Int[ndarray, "triangles 3"]
    """Indices of the points of each triangle, counter-clockwise seen from outside."""

    @cached_property
    def edges(self) -> Int[ndarray, "edges 2"]:
        """Indices of the two points of each triangle edge; every edge is listed once."""
        pairs = np.concatenate([self.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
        return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)

    @cached_property
    def weighted_points(self) -> Float[ndarray, "points bones*4"]:
        """w_b (x, 1) for all bones b: skinning (AKD eq. 5) is one matrix product of this with the bone transforms."""
        whole = np.concatenate([self.points, np.ones((len(self.points), 1))], axis=1)
        return (self.weights.dense()[:, :, None] * whole[:, None]).reshape(len(whole), -1)


def make_coarse_skin(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], weights: SkinWeights
) -> CoarseSkin:
    """Merge the vertices in each cell of a grid that has about `COARSE_SKIN_POINTS` occupied cells.

    A closed mesh stays closed: triangles are only removed where corners were merged into one.
    """
    low, size = vertices.min(0), float(np.ptp(vertices, axis=0).max())
    fine, coarse = 200.0, 2.0
    for _ in range(12):  # bisection on the cells per side
        cells = np.sqrt(fine * coarse)
        count = len(np.unique(_cell_index(vertices, low, size / cells)))
        fine, coarse = (cells, coarse) if count > COARSE_SKIN_POINTS else (fine, cells)
    _, member = np.unique(_cell_index(vertices, low, size / coarse), return_inverse=True)
    counts = np.bincount(member).astype(np.float64)
    points = np.stack([np.bincount(member, vertices[:, k]) / counts for k in range(3)], axis=1)
    dense = np.zeros((len(counts), weights.bone_count))
    np.add.at(dense, (member[:, None], weights.bones), weights.weights)
    merged = member[triangles]
    a, b, c = merged.T
    merged = np.unique(_smallest_corner_first(merged[(a != b) & (b != c) & (c != a)]), axis=0).reshape(-1, 3)
    return CoarseSkin(points, weights_from_dense(dense / counts[:, None], COARSE_SKIN_INFLUENCES), merged)


def _cell_index(points: ndarray, low: ndarray, side: float) -> ndarray:
    cells = np.floor((points - low) / side + 1e-9).astype(np.int64)
    return (cells[:, 0] * 4096 + cells[:, 1]) * 4096 + cells[:, 2]


def _smallest_corner_first(triangles: Int[ndarray, "triangles 3"]) -> Int[ndarray, "triangles 3"]:
    """Rotate each triangle's corners, so that equal triangles have equal rows; the orientation stays."""
    first = triangles.argmin(1)
    return np.take_along_axis(triangles, (first[:, None] + np.arange(3)) % 3, axis=1)
