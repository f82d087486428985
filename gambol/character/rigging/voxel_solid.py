"""A mesh as a solid of cells, however torn its surface: what is inside, how deep, and how to walk through it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.errors import AssetError

CELLS = 96
"""Cells along the longest side."""


@dataclass(frozen=True)
class Solid:
    """Cells inside a surface or touched by it; empty cells all around."""

    full: Bool[ndarray, "x y z"]
    low: Float[ndarray, "3"]
    """Centre of the first cell."""
    step: float
    depth: Float[ndarray, "x y z"]
    """Distance of each full cell to the nearest empty one, in the units of the mesh."""

    @property
    def left_half(self) -> Solid:
        """What lies at z <= 0 of the solid laid over its mirror image; depths are those of the whole."""
        middle = int(np.round(-self.low[2] / self.step))
        full = self.full.copy()
        for left in range(middle + 1):
            right = 2 * middle - left
            if right < full.shape[2]:
                full[:, :, left] |= self.full[:, :, right]
        full[:, :, middle + 1 :] = False
        return replace(self, full=full, depth=np.where(full, np.maximum(self.depth, self.step), 0.0))

    @cached_property
    def cells(self) -> Int[ndarray, "cells 3"]:
        """The full cells."""
        return np.argwhere(self.full)

    @cached_property
    def centres(self) -> Float[ndarray, "cells 3"]:
        """Their centres."""
        return self.low + self.step * self.cells

    @cached_property
    def depths(self) -> Float[ndarray, "cells"]:
        """Their depths."""
        return self.depth[tuple(self.cells.T)]

    @cached_property
    def graph(self):
        """The distances between neighbouring full cells (26 neighbours) as a sparse matrix."""
        from scipy.sparse import coo_matrix

        number = np.full(self.full.shape, -1)
        number[tuple(self.cells.T)] = np.arange(len(self.cells))
        rows, columns, lengths = [], [], []
        for way in np.argwhere(np.ones((3, 3, 3), bool)) - 1:
            if tuple(way) <= (0, 0, 0):
                continue
            there = number[tuple((self.cells + way).T)]
            here = np.flatnonzero(there >= 0)
            rows.append(here)
            columns.append(there[here])
            lengths.append(np.full(len(here), self.step * float(np.linalg.norm(way))))
        count = len(self.cells)
        return coo_matrix(
            (np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns))), (count, count)
        ).tocsr()

    def trunk_at(self, x: float) -> Float[ndarray, "3"]:
        """The middle of the trunk at x: of the cells in the plane z = 0 that are nearly as deep as any there."""
        slab = (np.abs(self.centres[:, 0] - x) <= 1.5 * self.step) & (np.abs(self.centres[:, 2]) < 0.03)
        if not slab.any():
            return self.centres[int(np.abs(self.centres[:, 0] - x).argmin())] * [1.0, 1.0, 0.0]
        deep = slab & (self.depths >= 0.8 * self.depths[slab].max())
        return np.average(self.centres[deep], axis=0, weights=self.depths[deep]) * [1.0, 1.0, 0.0]

    def depth_at(self, points: Float[ndarray, "points 3"]) -> Float[ndarray, "points"]:
        """Depth of the cells that hold the points, 0 outside."""
        index = np.round((points - self.low) / self.step).astype(int)
        within = ((index >= 0) & (index < self.full.shape)).all(1)
        result = np.zeros(len(points))
        result[within] = self.depth[tuple(index[within].T)]
        return result

    def inwards(self, point: Float[ndarray, "3"], reach: float, *, middle: bool = False) -> Float[ndarray, "3"]:
        """The centre of the deepest full cell within `reach`, but no farther than depth is won: a step to the middle.

        A cell at distance r counts as depth - r / 2, so that a point that lies deep enough stays where it is. `middle`
        looks in the plane z = 0 alone.
        """
        gaps = np.linalg.norm(self.centres - point, axis=1)
        if middle:
            gaps = np.where(np.abs(self.centres[:, 2]) < 0.75 * self.step, gaps, np.inf)
        near = gaps <= max(reach, float(gaps.min()) + 0.5 * self.step)
        worth = np.where(near, self.depths - 0.5 * gaps, -np.inf)
        best = int(worth.argmax())
        here = float(self.depth_at(point[None])[0])
        return point if here > 0 and here >= worth[best] else self.centres[best]

    def centre_line(self, start: Float[ndarray, "3"], end: Float[ndarray, "3"]) -> Float[ndarray, "points 3"]:
        """A way through the solid that keeps to the middle: each step costs its length / depth^2; smoothed a little."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        links = self.graph.tocoo()
        cost = links.data / (0.5 * (self.depths[links.row] + self.depths[links.col])) ** 2
        weighted = csr_matrix((cost, (links.row, links.col)), links.shape)
        first, last = (int(np.linalg.norm(self.centres - p, axis=1).argmin()) for p in (start, end))
        before = dijkstra(weighted, directed=False, indices=first, return_predecessors=True)[1]
        way = [last]
        while way[-1] != first and before[way[-1]] >= 0:
            way.append(int(before[way[-1]]))
        line = self.centres[way[::-1]]
        for _ in range(4):
            line = np.concatenate([line[:1], (line[:-2] + 2.0 * line[1:-1] + line[2:]) / 4.0, line[-1:]])
        return line


def fill(vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"]) -> Solid:
    """The solid of a mesh: cells whose winding number is above 1/2, and those that the surface passes through.

    The generalised winding number sees an inside even where the surface has holes or is made of overlapping parts.
    """
    import igl
    from scipy.ndimage import distance_transform_edt

    size = float(np.ptp(vertices, axis=0).max()) if len(triangles) else 0.0
    if not size > 0:
        raise AssetError("The mesh has no triangles with an extent, so there is no body to put bones into.")
    step = size / CELLS
    low = vertices.min(0) - 2.0 * step
    shape = np.ceil(np.ptp(vertices, axis=0) / step).astype(int) + 5
    full = np.zeros(shape, bool)
    points = _spread(vertices, triangles, 0.5 * step)
    full[tuple(np.round((points - low) / step).astype(int).T)] = True
    cells = np.argwhere(~full)
    inside = np.asarray(
        igl.fast_winding_number(
            np.ascontiguousarray(vertices, np.float64),
            np.ascontiguousarray(triangles, np.int64),
            np.ascontiguousarray(low + step * cells),
        )
    )
    full[tuple(cells[np.abs(inside) > 0.5].T)] = True
    full = _largest(full)
    return Solid(full, low, step, step * distance_transform_edt(full))


def _spread(vertices: ndarray, triangles: ndarray, gap: float) -> Float[ndarray, "points 3"]:
    """Points on all triangles, about `gap` apart: the corners, and a lattice on those that are larger."""
    corners = vertices[triangles]
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2).max(1)
    parts = np.maximum(np.ceil(sides / gap).astype(int), 1)
    points = [vertices[np.unique(triangles)]]
    for n in np.unique(parts[parts > 1]):
        i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        inside = i + j <= n
        u, v = i[inside] / n, j[inside] / n
        mix = np.stack([1.0 - u - v, u, v], 1)
        points.append(np.einsum("pk,tkd->tpd", mix, corners[parts == n]).reshape(-1, 3))
    return np.concatenate(points)


def _largest(full: Bool[ndarray, "x y z"]) -> Bool[ndarray, "x y z"]:
    """The largest connected piece: the body, without what floats beside it."""
    from scipy.ndimage import label

    labels, count = label(full, np.ones((3, 3, 3)))
    return labels == 1 + int(np.bincount(labels.ravel())[1:].argmax()) if count > 1 else full
