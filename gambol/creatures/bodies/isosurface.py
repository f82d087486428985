"""Surface of a plan: marching cubes on a grid refined in the plan's regions, then relaxed onto the flesh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from gambol.creatures.bodies.body_plan import CreatureBodyPlan
from gambol.creatures.bodies.distance_field import FleshField, evaluate_field, make_flesh_field
from gambol.creatures.bodies.warped_grid import warp_grid
from gambol.errors import GambolError

CELL_CORNERS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]])
"""Corners of a cell in the order that libigl's marching cubes expects."""
COARSEST_BLOCK_CELLS = 8
"""Cells along a side of the largest blocks in the search for the surface."""
MIN_RADII_IN_CELLS = (0.5, 0.75, 1.0)
"""Least radius of flesh in grid cells, tried in turn until no thin part is lost."""
SPACING_ROUNDS = 4
"""Iterations that adapt the grid spacing to the wanted number of vertices."""
MARCHING_ATTEMPTS = ((2.0, 1.0), (2.5, 0.983), (4.0, 0.957), (4.0, 0.931), (4.0, 0.9))
"""Slack of the search and factor of the spacing, tried in turn if the first surface is no closed manifold."""


@dataclass(frozen=True)
class IsoSurface:
    """A closed, consistently oriented triangle surface."""

    vertices: Float[ndarray, "vertices 3"]
    """Positions, metres, file space."""
    triangles: Int[ndarray, "triangles 3"]
    """Vertex indices, counter-clockwise seen from outside."""
    normals: Float[ndarray, "vertices 3"]
    """Unit normals."""

    @cached_property
    def edge_lengths(self) -> Float[ndarray, "vertices"]:
        """Root mean square of the lengths of each vertex's edges, metres."""
        pairs = np.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]], self.triangles[:, [2, 0]]])
        squares = ((self.vertices[pairs[:, 0]] - self.vertices[pairs[:, 1]]) ** 2).sum(1)
        count = np.bincount(pairs[:, 0], minlength=len(self.vertices))
        return np.sqrt(np.bincount(pairs[:, 0], squares, len(self.vertices)) / np.maximum(count, 1))


def extract_surface(
    plan: CreatureBodyPlan, *, vertices: int, relax: int = 4, radii: tuple[float, ...] = MIN_RADII_IN_CELLS
) -> tuple[IsoSurface, FleshField]:
    """Extract the surface of a plan with about so many vertices; returns it with the field of the flesh.

    Parts thinner than the grid resolves are lost; if any is, thin flesh is made thicker and the surface extracted anew:
    `radii` are the least radii in grid cells that are tried in turn.
    """
    for thickness in radii:
        points, triangles, field, spacing = _fit_spacing(plan, vertices, thickness)
        if not _lost_ends(plan, field, points, spacing).any():
            break
    for slack, factor in MARCHING_ATTEMPTS:
        if is_closed_manifold(triangles):
            return _relax(points, triangles, field, relax), field
        points, triangles = _march(plan, field, spacing * factor, slack)
    raise GambolError(f"{plan.name}: the flesh gave no closed surface at a spacing of {spacing:g} m.")


def _fit_spacing(plan: CreatureBodyPlan, vertices: int, thickness: float) -> tuple[ndarray, ndarray, FleshField, float]:
    """Adapt the grid spacing, coarse at first, until the surface has about the wanted number of vertices."""
    low, high = make_flesh_field(plan).bounds
    spacing = float((high - low).max()) / 32.0
    for _ in range(SPACING_ROUNDS):
        field = make_flesh_field(plan, thickness * spacing)
        points, triangles = _march(plan, field, spacing)
        ratio = len(points) / vertices
        if 0.85 < ratio < 1.2:
            break
        spacing *= float(np.sqrt(ratio))
    return points, triangles, field, spacing


def is_closed_manifold(triangles: Int[ndarray, "triangles 3"]) -> bool:
    """Return whether every edge has exactly two triangles that run along it in opposite directions."""
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    count = int(edges.max()) + 1 if len(edges) else 0
    there, back = np.sort(edges @ [count, 1]), np.sort(edges @ [1, count])
    return bool(len(edges)) and bool((np.diff(there) > 0).all()) and np.array_equal(there, back)


def _lost_ends(
    plan: CreatureBodyPlan, field: FleshField, points: Float[ndarray, "points 3"], spacing: float
) -> Bool[ndarray, "ends"]:
    """Return which ends of thin cones have no surface near them, which should be as far as the field says.

    Deep inside, where cones overlap, the field underestimates the distance; there nothing can be lost.
    """
    ends = np.array([end for piece in plan.flesh for end in (piece.start, piece.end)])
    depths = np.abs(evaluate_field(field, ends)[0])
    return (depths < 1.5 * spacing) & (cKDTree(points).query(ends)[0] > depths + 1.2 * spacing)


def _march(plan: CreatureBodyPlan, field: FleshField, spacing: float, slack: float = 1.3) -> tuple[ndarray, ndarray]:
    """Run marching cubes on the left half's cells near the surface, mirror the result and keep its largest piece."""
    import igl

    def place(lattice: ndarray) -> ndarray:
        return warp_grid(plan.refined_regions, lattice * spacing)

    cells = _cells_near_surface(field, place, spacing, slack)
    corners = (cells[:, None] + CELL_CORNERS).reshape(-1, 3)
    base = corners.min(0)
    extent = np.ptp(corners, axis=0) + 1
    keys, inverse = np.unique(np.ravel_multi_index(tuple((corners - base).T), tuple(extent)), return_inverse=True)
    lattice = np.stack(np.unravel_index(keys, tuple(extent)), 1) + base
    grid = place(lattice)
    grid[lattice[:, 0] == 0, 0] = 0.0
    values = evaluate_field(field, grid)[0]
    nearest = 1e-3 * spacing
    values = np.where(np.abs(values) < nearest, np.where(values < 0, -nearest, nearest), values)
    points, triangles, _ = igl.marching_cubes(values, grid, inverse.reshape(-1, 8).astype(np.int64), 0.0)
    points, triangles = mirror_half(points, triangles.astype(np.int64))
    piece_of = connected_components(neighbour_mean(triangles, len(points)), directed=False)[1]
    triangles = triangles[piece_of[triangles[:, 0]] == np.bincount(piece_of).argmax()]
    used, triangles = np.unique(triangles, return_inverse=True)
    return points[used], triangles.reshape(-1, 3)


def mirror_half(
    points: Float[ndarray, "half 3"], triangles: Int[ndarray, "triangles 3"]
) -> tuple[Float[ndarray, "vertices 3"], Int[ndarray, "both 3"]]:
    """Join a left half (x >= 0) with its mirror image at x = 0; the result is exactly symmetric, vertex by vertex."""
    free = points[:, 0] > 0
    twin = np.where(free, len(points) + np.cumsum(free) - 1, np.arange(len(points)))
    return np.concatenate([points, points[free] * [-1.0, 1.0, 1.0]]), np.concatenate(
        [triangles, twin[triangles][:, ::-1]]
    )


def _cells_near_surface(
    field: FleshField, place: Callable[[ndarray], ndarray], spacing: float, slack: float
) -> Int[ndarray, "cells 3"]:
    """Return the cells near the surface, found by splitting blocks whose middle is within half a diagonal of it."""
    low, high = field.bounds
    pad = 0.15 * (high - low).max()  # refined regions draw the grid inwards
    first = np.floor((low - pad) / (spacing * COARSEST_BLOCK_CELLS)).astype(int)
    last = np.ceil((high + pad) / (spacing * COARSEST_BLOCK_CELLS)).astype(int)
    first[0] = 0  # the right half is the left one's mirror image
    axes = [np.arange(a, b + 1) for a, b in zip(first, last, strict=True)]
    blocks = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3) * COARSEST_BLOCK_CELLS
    size = COARSEST_BLOCK_CELLS
    while True:
        distances = evaluate_field(field, place(blocks + 0.5 * size))[0]
        blocks = blocks[np.abs(distances) < slack * size * spacing * np.sqrt(3.0) / 2.0]
        size //= 2
        blocks = (blocks[:, None] + CELL_CORNERS * size).reshape(-1, 3)
        if size == 1:
            return blocks


def _relax(points: ndarray, triangles: ndarray, field: FleshField, rounds: int) -> IsoSurface:
    """Even out the triangles along the surface and project the vertices onto it: x -= d grad d."""
    neighbours, middle = neighbour_mean(triangles, len(points)), points[:, 0] == 0
    distances, normals = _evaluate_mirrored(field, points)
    for _ in range(rounds):
        move = neighbours @ points - points
        points = points + 0.6 * (move - (move * normals).sum(1, keepdims=True) * normals)
        points[middle, 0] = 0.0
        distances, normals = _evaluate_mirrored(field, points)
        longest = 0.5 * np.linalg.norm(move, axis=1) + 1e-3 * np.abs(points).max()
        points = points - np.clip(distances, -longest, longest)[:, None] * normals
        points[middle, 0] = 0.0
    return IsoSurface(points, triangles, area_weighted_normals(points, triangles))


def _evaluate_mirrored(field: FleshField, points: ndarray) -> tuple[ndarray, ndarray]:
    """Evaluate the left half's field on both sides: smooth unions depend on their order, so the right half differs."""
    distances, gradients = evaluate_field(field, np.abs(points) * [1.0, 0.0, 0.0] + points * [0.0, 1.0, 1.0])
    gradients[:, 0] *= np.sign(points[:, 0])
    return distances, gradients


def neighbour_mean(triangles: Int[ndarray, "triangles 3"], count: int) -> csr_matrix:
    """Return the sparse matrix that averages over each vertex's neighbours."""
    rows = np.concatenate([triangles[:, k] for k in (0, 1, 2)])
    columns = np.concatenate([triangles[:, k] for k in (1, 2, 0)])
    links = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    links = ((links + links.T) > 0).astype(float)
    return csr_matrix(links.multiply(1.0 / np.maximum(links.sum(1), 1.0)))


def area_weighted_normals(
    points: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"]
) -> Float[ndarray, "vertices 3"]:
    """Return area-weighted unit normals of all vertices."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    normals = np.stack([np.bincount(triangles.ravel(), np.repeat(faces[:, k], 3), len(points)) for k in range(3)], 1)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
