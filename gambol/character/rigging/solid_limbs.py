"""The limbs of a solid: a tree of slices at growing distance from its core (Verroust and Lazarus, 2000)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.rigging.voxel_solid import VoxelSolid
from gambol.character.skeleton import children_of

SLICE_THICKNESS = 0.02
"""Thickness of a slice, as a share of the size."""
FORK_REACH = 0.7
"""Forks beyond this share of a centre line's length are fingers and toes, not limbs."""
SHORTEST_BRANCH = 0.03
"""A branch that protrudes by less than this share of the size is a bump."""


@dataclass(frozen=True)
class SliceTree:
    """Connected slices of the solid; the parent of a slice is its neighbour towards the core (slice 0)."""

    centres: Float[ndarray, "slices 3"]
    """Mean of the voxels of each slice."""
    radii: Float[ndarray, "slices"]
    """Greatest depth in each slice: the radius of the ball that fits into it."""
    distances: Float[ndarray, "slices"]
    """Mean distance of each slice from the core, through the solid."""
    parents: Int[ndarray, "slices"]
    """Neighbour of each slice towards the core; -1 for the core."""


@dataclass(frozen=True)
class CentreLine:
    """The line through the middle of a part that protrudes from a solid."""

    line: Float[ndarray, "points 3"]
    """Points from where the part leaves the rest of the solid to its tip."""
    radii: Float[ndarray, "points"]
    """Radius of the ball that fits into the part at each point."""

    @property
    def base(self) -> Float[ndarray, "3"]:
        """Where the part leaves the rest of the solid."""
        return self.line[0]

    @property
    def tip(self) -> Float[ndarray, "3"]:
        """Far end of the part."""
        return self.line[-1]

    @property
    def length(self) -> float:
        """Length of the line."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())


@dataclass(frozen=True)
class SolidBranch(CentreLine):
    """A protruding part of a solid."""

    trunk: Float[ndarray, "_points 3"]
    """Path from the core to the start of the branch."""


def slice_tree(solid: VoxelSolid) -> SliceTree:
    """Cut a solid where its distance from the core passes multiples of the slices' thickness.

    The core is the deepest voxel: of those that are nearly as deep, the one nearest to their mean.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components, dijkstra

    deep = np.flatnonzero(solid.depths >= 0.9 * solid.depths.max())
    middle = solid.centres[deep].mean(0)
    core = int(deep[np.linalg.norm(solid.centres[deep] - middle, axis=1).argmin()])
    away = dijkstra(solid.graph, directed=False, indices=core)
    away = np.where(np.isfinite(away), away, 0.0)
    level = np.floor(away / SLICE_THICKNESS).astype(int)
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
    return SliceTree(centres, radii, np.bincount(of, away) / sizes, parents)


def find_branches(tree: SliceTree) -> tuple[SolidBranch, ...]:
    """Branches that protrude by more than `SHORTEST_BRANCH`, longest first; each leaves out the longer ones."""
    count = len(tree.parents)
    children, far = children_of(tree.parents), tree.distances.copy()
    for s in range(count - 1, -1, -1):
        for child in children[s]:
            far[s] = max(far[s], far[child])
    starts = []
    for s in range(count):
        branching = sorted(children[s], key=lambda c: -far[c])
        side = branching if tree.parents[s] < 0 else branching[1:]  # the farthest child goes on with its branch
        starts += [c for c in side if far[c] - tree.distances[s] > SHORTEST_BRANCH]
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
        inner = tree.centres[trunk[::-1]]
        found.append(SolidBranch(tree.centres[line], tree.radii[line], inner))
    return tuple(sorted(found, key=lambda b: -b.length))


def _after_last_fork(tree: SliceTree, line: list[int], others: list[int]) -> list[int]:
    """The part of a line from the core after the last fork of its inner part: the line without the shared trunk."""
    forks = {int(tree.parents[other]) for other in others}
    reach = FORK_REACH * tree.distances[line[-1]]
    last = max((k for k, s in enumerate(line) if s in forks and tree.distances[s] < reach), default=-1)
    return line[last + 1 :]
