"""A coarse skin: a few hundred points with weights and triangles, enough to tell what a pose does to the surface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.weights import SkinWeights, weights_from_dense

POINTS = 320
"""About so many points are kept."""
INFLUENCES = 4


@dataclass(frozen=True)
class Surface:
    """Points at rest (in sizes), the bones that move them, and the triangles between them."""

    points: Float[ndarray, "points 3"]
    skin: SkinWeights
    triangles: Int[ndarray, "triangles 3"]

    @cached_property
    def edges(self) -> Int[ndarray, "edges 2"]:
        """Each pair of points that a triangle joins, once."""
        pairs = np.concatenate([self.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
        return np.unique(np.sort(pairs, axis=1), axis=0).reshape(-1, 2)

    @cached_property
    def bound(self) -> Float[ndarray, "points bones*4"]:
        """w_b (x, 1) for all bones b: skinning (AKD eq. 5) is one product with the bones' transforms."""
        whole = np.concatenate([self.points, np.ones((len(self.points), 1))], axis=1)
        return (self.skin.dense()[:, :, None] * whole[:, None]).reshape(len(whole), -1)


def coarse_surface(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], skin: SkinWeights
) -> Surface:
    """Merge the vertices of each cell of a grid; the grid is as fine as about `POINTS` cells allow.

    A closed mesh stays closed: triangles only lose corners that have become one.
    """
    low, size = vertices.min(0), float(np.ptp(vertices, axis=0).max())
    fine, coarse = 200.0, 2.0
    for _ in range(12):  # bisection on the cells per side
        cells = np.sqrt(fine * coarse)
        count = len(np.unique(_cells(vertices, low, size / cells)))
        fine, coarse = (cells, coarse) if count > POINTS else (fine, cells)
    _, member = np.unique(_cells(vertices, low, size / coarse), return_inverse=True)
    counts = np.bincount(member).astype(np.float64)
    points = np.stack([np.bincount(member, vertices[:, k]) / counts for k in range(3)], axis=1)
    dense = np.zeros((len(counts), skin.bone_count))
    np.add.at(dense, (member[:, None], skin.bones), skin.weights)
    merged = member[triangles]
    a, b, c = merged.T
    merged = np.unique(_rolled(merged[(a != b) & (b != c) & (c != a)]), axis=0).reshape(-1, 3)
    return Surface(points, weights_from_dense(dense / counts[:, None], INFLUENCES), merged)


def _cells(points: ndarray, low: ndarray, side: float) -> ndarray:
    places = np.floor((points - low) / side + 1e-9).astype(np.int64)
    return (places[:, 0] * 4096 + places[:, 1]) * 4096 + places[:, 2]


def _rolled(triangles: Int[ndarray, "triangles 3"]) -> Int[ndarray, "triangles 3"]:
    """The smallest corner first, orientation kept."""
    first = triangles.argmin(1)
    return np.take_along_axis(triangles, (first[:, None] + np.arange(3)) % 3, axis=1)
