"""Weld a mesh: close seams, keep touching parts apart, leave out degenerate triangles.

A file splits vertices along seams of texture and shading; heat must pass there. Parts that only touch (two feet) share
positions too; heat must not pass there. Both follow from one rule: triangles are joined along edges, never at points,
and where more than two meet at an edge, those are joined that enclose the same solid.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel

WELD_TOLERANCE = 1e-6
"""Vertices closer than this share of the size are one."""


@dataclass(frozen=True)
class WeldedMesh:
    """A manifold surface (with or without border) and where each drawn vertex lies on it."""

    vertices: Float[ndarray, "vertices 3"]
    """Positions of the welded vertices."""
    triangles: Int[ndarray, "triangles 3"]
    """Welded vertices of each triangle."""
    of_drawn: Int[ndarray, "drawn"]
    """Welded vertex of each vertex of the mesh; -1 for one that no valid triangle uses."""
    parts: Int[ndarray, "vertices"]
    """Number of the connected part of each welded vertex."""

    @property
    def part_count(self) -> int:
        """Number of connected parts."""
        return int(self.parts.max(initial=-1)) + 1


def weld(vertices: Float[ndarray, "drawn 3"], triangles: Int[ndarray, "triangles 3"]) -> WeldedMesh:
    """Join triangles along shared edges; the vertices are the fans of triangles that this leaves around each point."""
    vertices = np.ascontiguousarray(vertices, np.float64)
    points = same_points(vertices)
    kept = triangles[_sound(points[triangles])].astype(np.int64)
    corners = points[kept]
    if not len(kept):
        nothing = np.zeros((0, 3))
        return WeldedMesh(nothing, nothing.astype(np.int64), np.full(len(vertices), -1), np.zeros(0, np.int64))
    one, other = _joined_edges(vertices, kept, corners)
    # half-edge h of triangle t leaves corner 3 t + h; joined ones share both ends, in either direction
    starts, ends = np.arange(3 * len(kept)), 3 * np.repeat(np.arange(len(kept)), 3) + np.tile([1, 2, 0], len(kept))
    flat = corners.ravel()
    along = flat[starts[one]] == flat[starts[other]]
    rows = np.concatenate([starts[one], ends[one]])
    columns = np.concatenate([np.where(along, starts[other], ends[other]), np.where(along, ends[other], starts[other])])
    fans = _joined(3 * len(kept), rows, columns)
    places, of_drawn = np.empty((int(fans.max()) + 1, 3)), np.full(len(vertices), -1)
    places[fans] = vertices[kept.ravel()]
    of_drawn[kept.ravel()[::-1]] = fans[::-1]  # the first fan wins where a drawn vertex has several
    faces = fans.reshape(-1, 3)
    parts = _joined(len(places), faces[:, :2].ravel(), faces[:, 1:].ravel())
    return WeldedMesh(places, faces, of_drawn, parts)


def same_points(vertices: Float[ndarray, "vertices 3"]) -> Int[ndarray, "vertices"]:
    """A number for each place; vertices closer than about `WELD_TOLERANCE` of the size have the same.

    Two grids, shifted by half a cell: what one of them cuts apart, the other keeps together.
    """
    if not len(vertices):
        return np.zeros(0, np.int64)
    low, size = vertices.min(0), max(float(np.ptp(vertices, axis=0).max()), 1e-30)
    cells = (vertices - low) / (WELD_TOLERANCE * size)
    numbers = []
    for shift in (0.25, 0.75):
        grid = np.floor(cells + shift).astype(np.int64)
        numbers.append(np.unique((grid[:, 0] << 42) | (grid[:, 1] << 21) | grid[:, 2], return_inverse=True)[1].ravel())
    first, second = numbers
    count = int(first.max()) + 1
    return _joined(count + int(second.max()) + 1, first, count + second)[first]


@kernel
def _joined(count, one, other):
    """A number for each of `count` things, the same for each pair (one, other); they grow with the first of each set.

    Union-find: every thing points to an earlier one of its set, and chains are halved while they are followed.
    """
    before = np.arange(count)
    for i in range(len(one)):
        a, b = one[i], other[i]
        while before[a] != a:
            before[a] = before[before[a]]
            a = before[a]
        while before[b] != b:
            before[b] = before[before[b]]
            b = before[b]
        before[max(a, b)] = min(a, b)
    numbers, found = np.empty(count, np.int64), 0
    for a in range(count):
        if before[a] == a:
            numbers[a] = found
            found += 1
        else:
            numbers[a] = numbers[before[a]]
    return numbers


def _sound(corners: Int[ndarray, "triangles 3"]) -> ndarray:
    """Triangles with three different corners."""
    a, b, c = corners.T
    return (a != b) & (b != c) & (c != a)


def _joined_edges(vertices: ndarray, kept: ndarray, corners: ndarray) -> tuple[ndarray, ndarray]:
    """Pairs of half-edges across which two triangles are joined."""
    start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
    key = np.minimum(start, end) * (int(corners.max()) + 1) + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    counts = np.diff(np.append(first, len(key)))
    pairs = first[counts == 2]
    crowded = np.flatnonzero(counts > 2)
    partner = np.full(len(order), -1)
    _join_crowded(vertices, kept, corners, order, first[crowded], counts[crowded], partner)
    extra = np.flatnonzero(partner >= 0)
    return np.concatenate([order[pairs], extra]), np.concatenate([order[pairs + 1], partner[extra]])


@kernel
def _join_crowded(vertices, kept, corners, order, firsts, counts, partner):
    """Where more than two triangles meet at an edge: join each with the next one across its own inside.

    Around the edge a -> b a triangle that runs a -> b has its inside at falling angles (right-handed about b - a), one
    that runs b -> a at growing angles. So each a -> b takes the b -> a at the least angle behind; an angle of 0 counts
    as a full turn, so that a sheet with two sides stays two sheets. `partner` is filled for the half-edges a -> b.
    """
    for g in range(len(firsts)):
        group = order[firsts[g] : firsts[g] + counts[g]]
        triangle, k = group[0] // 3, group[0] % 3
        low = min(corners[triangle, k], corners[triangle, (k + 1) % 3])
        a, b = vertices[kept[triangle, k]], vertices[kept[triangle, (k + 1) % 3]]
        if corners[triangle, k] != low:
            a, b = b, a
        axis = (b - a) / np.sqrt(((b - a) ** 2).sum())
        helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.7 else np.array([0.0, 1.0, 0.0])
        x = np.cross(axis, helper)
        x = x / np.sqrt((x**2).sum())
        y = np.cross(axis, x)
        angles, forward = np.empty(len(group)), np.empty(len(group), np.bool_)
        for i in range(len(group)):
            t, k = group[i] // 3, group[i] % 3
            apex = vertices[kept[t, (k + 2) % 3]] - a
            angles[i] = np.arctan2((apex * y).sum(), (apex * x).sum())
            forward[i] = corners[t, k] == low
        taken = np.zeros(len(group), np.bool_)
        for i in range(len(group)):
            if not forward[i]:
                continue
            best, least = -1, 100.0
            for j in range(len(group)):
                if forward[j] or taken[j]:
                    continue
                behind = (angles[i] - angles[j]) % (2.0 * np.pi)
                if behind < 1e-5:
                    behind = 2.0 * np.pi
                if behind < least:
                    best, least = j, behind
            if best >= 0:
                taken[best] = True
                partner[group[i]] = group[best]
