"""A mesh as a solid of voxels, even where its surface has holes: what is inside, how deep, and paths through it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.errors import AssetError

VOXELS_PER_SIZE = 96
"""Voxels along the longest side of a mesh."""
SURFACE_REACH = 0.5
"""A voxel is filled where its centre is no farther from the surface than this share of the voxel's side."""
MIDDLE_HALF_WIDTH = 0.03
"""Voxels no farther than this share of the size from the plane z = 0 belong to the middle of the body."""
PATH_SMOOTHING_PASSES = 4
"""How often the points of a centre line are averaged with their neighbours."""


@dataclass(frozen=True)
class VoxelSolid:
    """Voxels inside a surface or touched by it, with empty voxels all around."""

    filled: Bool[ndarray, "x y z"]
    """Which voxels belong to the body."""
    origin: Float[ndarray, "3"]
    """Centre of the first voxel."""
    voxel: float
    """Side of a voxel, in the units of the mesh."""
    depth: Float[ndarray, "x y z"]
    """Distance of each filled voxel to the nearest empty one, in the units of the mesh; 0 outside."""
    detached: float = 0.0
    """Share of the mesh's voxels that were left out because they are not connected to the body."""

    @property
    def left_half(self) -> VoxelSolid:
        """The solid and its mirror image laid over each other, at z <= 0 only; depths are those of the whole."""
        middle = int(np.round(-self.origin[2] / self.voxel))
        filled = self.filled.copy()
        for left in range(middle + 1):
            right = 2 * middle - left
            if right < filled.shape[2]:
                filled[:, :, left] |= self.filled[:, :, right]
        filled[:, :, middle + 1 :] = False
        return replace(self, filled=filled, depth=np.where(filled, np.maximum(self.depth, self.voxel), 0.0))

    def within(self, half_width: float) -> VoxelSolid:
        """The voxels no farther than `half_width` from the plane z = 0; depths are those of the whole."""
        z = self.origin[2] + self.voxel * np.arange(self.filled.shape[2])
        filled = self.filled & (np.abs(z) <= half_width)
        return replace(self, filled=filled, depth=np.where(filled, self.depth, 0.0))

    @cached_property
    def cells(self) -> Int[ndarray, "cells 3"]:
        """Indices of the filled voxels."""
        return np.argwhere(self.filled)

    @cached_property
    def centres(self) -> Float[ndarray, "cells 3"]:
        """Centres of the filled voxels."""
        return self.origin + self.voxel * self.cells

    @cached_property
    def depths(self) -> Float[ndarray, "cells"]:
        """Depths of the filled voxels."""
        return self.depth[tuple(self.cells.T)]

    @cached_property
    def middle_centres(self) -> Float[ndarray, "_cells 3"]:
        """Centres of the filled voxels next to the plane z = 0."""
        return self.centres[np.abs(self.centres[:, 2]) < MIDDLE_HALF_WIDTH]

    @cached_property
    def extent(self) -> Float[ndarray, "3"]:
        """Length (x), height (y) and width (z) of the solid."""
        return np.ptp(self.centres, axis=0)

    @cached_property
    def graph(self):
        """Distances between the centres of neighbouring filled voxels (26 neighbours), as a sparse matrix."""
        from scipy.sparse import coo_matrix

        number = np.full(self.filled.shape, -1)
        number[tuple(self.cells.T)] = np.arange(len(self.cells))
        rows, columns, lengths = [], [], []
        for offset in np.argwhere(np.ones((3, 3, 3), bool)) - 1:
            if tuple(offset) <= (0, 0, 0):
                continue
            there = number[tuple((self.cells + offset).T)]
            here = np.flatnonzero(there >= 0)
            rows.append(here)
            columns.append(there[here])
            lengths.append(np.full(len(here), self.voxel * float(np.linalg.norm(offset))))
        count = len(self.cells)
        return coo_matrix(
            (np.concatenate(lengths), (np.concatenate(rows), np.concatenate(columns))), (count, count)
        ).tocsr()

    def trunk_at(self, x: float) -> Float[ndarray, "3"]:
        """Middle of the trunk at x: the mean of the voxels near z = 0 that are nearly as deep as the deepest there."""
        slab = (np.abs(self.centres[:, 0] - x) <= 1.5 * self.voxel) & (np.abs(self.centres[:, 2]) < MIDDLE_HALF_WIDTH)
        if not slab.any():
            return self.centres[int(np.abs(self.centres[:, 0] - x).argmin())] * [1.0, 1.0, 0.0]
        deep = slab & (self.depths >= 0.8 * self.depths[slab].max())
        return np.average(self.centres[deep], axis=0, weights=self.depths[deep]) * [1.0, 1.0, 0.0]

    def depth_at(self, points: Float[ndarray, "points 3"]) -> Float[ndarray, "points"]:
        """Depth of the voxels that hold the points, 0 outside the solid."""
        index = np.round((points - self.origin) / self.voxel).astype(int)
        within = ((index >= 0) & (index < self.filled.shape)).all(1)
        result = np.zeros(len(points))
        result[within] = self.depth[tuple(index[within].T)]
        return result

    def move_inside(self, point: Float[ndarray, "3"], reach: float, *, middle: bool = False) -> Float[ndarray, "3"]:
        """The point itself, or the centre of a deeper voxel within `reach` where moving there gains enough depth.

        A voxel at distance r counts as depth - r / 2, so a point that already lies deep stays where it is. With
        `middle`, only voxels in the plane z = 0 are candidates.
        """
        gaps = np.linalg.norm(self.centres - point, axis=1)
        if middle:
            gaps = np.where(np.abs(self.centres[:, 2]) < 0.75 * self.voxel, gaps, np.inf)
        near = gaps <= max(reach, float(gaps.min()) + 1.5 * self.voxel)
        gain = np.where(near, self.depths - 0.5 * gaps, -np.inf)
        best = int(gain.argmax())
        here = float(self.depth_at(point[None])[0])
        return point if here > 0 and here >= gain[best] else self.centres[best]

    def centre_line(self, start: Float[ndarray, "3"], end: Float[ndarray, "3"]) -> Float[ndarray, "points 3"]:
        """A path through the solid that keeps to its middle: a step costs its length / depth^2; slightly smoothed."""
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        links = self.graph.tocoo()
        cost = links.data / (0.5 * (self.depths[links.row] + self.depths[links.col])) ** 2
        weighted = csr_matrix((cost, (links.row, links.col)), links.shape)
        first, last = (int(np.linalg.norm(self.centres - p, axis=1).argmin()) for p in (start, end))
        before = dijkstra(weighted, directed=False, indices=first, return_predecessors=True)[1]
        path = [last]
        while path[-1] != first and before[path[-1]] >= 0:
            path.append(int(before[path[-1]]))
        line = self.centres[path[::-1]]
        for _ in range(PATH_SMOOTHING_PASSES):
            line = np.concatenate([line[:1], (line[:-2] + 2.0 * line[1:-1] + line[2:]) / 4.0, line[-1:]])
        return line


def voxelise(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], *, voxel: float | None = None
) -> VoxelSolid:
    """The solid of a mesh: voxels with a winding number above 1/2, and those with the surface near their centre.

    `voxel` is the side of a voxel; by default the longest side of the mesh has `VOXELS_PER_SIZE` voxels.

    The generalised winding number sees an inside even where the surface has holes or is made of overlapping parts. Both
    tests depend on the surface alone, not on the triangles that it is cut into.
    """
    import igl
    from scipy.ndimage import distance_transform_edt

    size = float(np.ptp(vertices, axis=0).max()) if len(triangles) else 0.0
    if not size > 0:
        raise AssetError("The mesh has no triangles with an extent, so there is no body to put bones into.")
    V, F = np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(triangles, np.int64)
    voxel = voxel or size / VOXELS_PER_SIZE
    origin = vertices.min(0) - 2.0 * voxel
    filled = np.zeros(np.ceil(np.ptp(vertices, axis=0) / voxel).astype(int) + 5, bool)
    near = _cells_near(V, F, origin, voxel, filled.shape)
    squared = np.asarray(igl.point_mesh_squared_distance(np.ascontiguousarray(origin + voxel * near), V, F)[0])
    filled[tuple(near[squared <= (SURFACE_REACH * voxel) ** 2].T)] = True
    cells = np.argwhere(~filled)
    winding = np.asarray(igl.fast_winding_number(V, F, np.ascontiguousarray(origin + voxel * cells)))
    filled[tuple(cells[np.abs(winding) > 0.5].T)] = True
    body = _largest(filled)
    detached = 1.0 - float(body.sum() / filled.sum())
    return VoxelSolid(body, origin, voxel, voxel * distance_transform_edt(body), detached)


def _cells_near(
    vertices: ndarray, triangles: ndarray, origin: ndarray, voxel: float, shape: tuple[int, ...]
) -> Int[ndarray, "cells 3"]:
    """All voxels that the surface could touch: those that hold a point of it, and their neighbours."""
    from scipy.ndimage import binary_dilation

    touched = np.zeros(shape, bool)
    points = _sample_surface(vertices, triangles, 0.5 * voxel)
    touched[tuple(np.round((points - origin) / voxel).astype(int).T)] = True
    return np.argwhere(binary_dilation(touched, np.ones((3, 3, 3), bool)))


def _sample_surface(vertices: ndarray, triangles: ndarray, gap: float) -> Float[ndarray, "points 3"]:
    """Points on all triangles, about `gap` apart: the corners, and a lattice on larger triangles."""
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


def _largest(filled: Bool[ndarray, "x y z"]) -> Bool[ndarray, "x y z"]:
    """The largest connected piece: the body, without what floats beside it."""
    from scipy.ndimage import label

    labels, count = label(filled, np.ones((3, 3, 3)))
    return labels == 1 + int(np.bincount(labels.ravel())[1:].argmax()) if count > 1 else filled
