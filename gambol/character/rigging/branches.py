"""The limbs of a solid: a tree of slices at growing distance from its core (Verroust and Lazarus, 2000)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.rigging.voxel_solid import Solid

SLICE = 0.02
"""Thickness of a slice, as a share of the size."""
INNER = 0.7
"""Forks beyond this share of a line's length are fingers and toes."""
SHORTEST = 0.03
"""A branch that stands out by less than this share of the size is a bump."""


@dataclass(frozen=True)
class SliceTree:
    """Connected slices of the solid, each hanging on the one below it towards the core (slice 0)."""

    centres: Float[ndarray, "slices 3"]
    radii: Float[ndarray, "slices"]
    """Greatest depth in each slice: the radius of the ball that fits."""
    distances: Float[ndarray, "slices"]
    """How far from the core, through the solid."""
    volumes: Float[ndarray, "slices"]
    """Share of the solid."""
    parents: Int[ndarray, "slices"]


@dataclass(frozen=True)
class Branch:
    """Something that stands out: its centre line from where it leaves the rest to its tip."""

    points: Float[ndarray, "points 3"]
    radii: Float[ndarray, "points"]
    trunk: Float[ndarray, "_points 3"]
    """The way from the core to the branch."""
    volume: float
    """Share of the solid in it, with what it carries."""
    slices: tuple[int, ...]
    """Its slices, from the rest outwards."""

    @property
    def base(self) -> Float[ndarray, "3"]:
        """Where it leaves the rest."""
        return self.points[0]

    @property
    def tip(self) -> Float[ndarray, "3"]:
        """Its far end."""
        return self.points[-1]

    @property
    def length(self) -> float:
        """Length of the centre line."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())


def slice_tree(solid: Solid, size: float) -> SliceTree:
    """Cut the solid where its distance from the core passes multiples of the slice's thickness.

    The core is the cell that lies deepest, the middle one of those that are nearly as deep.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, dijkstra

    deep = np.flatnonzero(solid.depths >= 0.9 * solid.depths.max())
    middle = solid.centres[deep].mean(0)
    core = int(deep[np.linalg.norm(solid.centres[deep] - middle, axis=1).argmin()])
    away = dijkstra(solid.graph, directed=False, indices=core)
    away = np.where(np.isfinite(away), away, 0.0)
    level = np.floor(away / (SLICE * size)).astype(int)
    links = solid.graph.tocoo()
    same = level[links.row] == level[links.col]
    count = len(away)
    inside = coo_matrix((np.ones(int(same.sum())), (links.row[same], links.col[same])), (count, count))
    slices, of = connected_components(inside, directed=False)
    order = np.argsort(np.bincount(of, away) / np.bincount(of), kind="stable")
    rank = np.empty(slices, int)
    rank[order] = np.arange(slices)
    of = rank[of]
    sizes = np.bincount(of)
    centres = np.stack([np.bincount(of, solid.centres[:, d]) for d in range(3)], 1) / sizes[:, None]
    radii = np.zeros(slices)
    np.maximum.at(radii, of, solid.depths)
    one, other = of[links.row[~same]], of[links.col[~same]]
    lower = np.where(level[links.row[~same]] < level[links.col[~same]], one, other)
    upper = one + other - lower
    touching = coo_matrix((np.ones(len(lower)), (upper, lower)), (slices, slices)).tocsr()
    parents = np.full(slices, -1)
    for s in range(slices):
        below = touching[s]
        if below.nnz:
            parents[s] = below.indices[below.data.argmax()]
    return SliceTree(centres, radii, np.bincount(of, away) / sizes, sizes / count, parents)


def find_branches(tree: SliceTree, size: float) -> tuple[Branch, ...]:
    """What stands out from the solid by more than `SHORTEST`: the longest first, each without those before it."""
    count = len(tree.parents)
    children: list[list[int]] = [[] for _ in range(count)]
    for s, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(s)
    far, volume = tree.distances.copy(), tree.volumes.copy()
    for s in range(count - 1, -1, -1):
        for child in children[s]:
            far[s] = max(far[s], far[child])
            volume[s] += volume[child]
    starts = []
    for s in range(count):
        branching = sorted(children[s], key=lambda c: -far[c])
        if tree.parents[s] < 0:
            starts += [c for c in branching if far[c] - tree.distances[s] > SHORTEST * size]
        else:
            starts += [c for c in branching[1:] if far[c] - tree.distances[s] > SHORTEST * size]
    found = []
    for start in starts:
        line = [start]
        while children[line[-1]]:
            line.append(max(children[line[-1]], key=lambda c: far[c]))
        if tree.parents[start] == 0:
            line = _after_last_fork(tree, line, [s for s in starts if s != start])
        trunk, above = [], int(tree.parents[line[0]])
        while above >= 0:
            trunk.append(above)
            above = int(tree.parents[above])
        way = tree.centres[trunk[::-1]]
        found.append(Branch(tree.centres[line], tree.radii[line], way, float(volume[line[0]]), tuple(line)))
    return tuple(sorted(found, key=lambda b: -b.length))


def _after_last_fork(tree: SliceTree, line: list[int], others: list[int]) -> list[int]:
    """A line from the core without the trunk that it shares: what follows the last fork of its inner part."""
    forks = {int(tree.parents[other]) for other in others}
    reach = INNER * tree.distances[line[-1]]
    last = max((k for k, s in enumerate(line) if s in forks and tree.distances[s] < reach), default=-1)
    return line[last + 1 :]
