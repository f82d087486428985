"""Points spread evenly over a surface: sampled by area, then thinned to blue noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel
from gambol.character.mesh import Mesh, triangle_normals
from gambol.errors import AssetError

NEIGHBOURS_PER_POINT = 6
"""Neighbours of a point in an even pattern."""


@dataclass(frozen=True)
class SurfacePoints:
    """Points on the surface of a mesh."""

    positions: Float[ndarray, "points 3"]
    """Positions, metres."""
    triangles: Int[ndarray, "points"]
    """Index of the triangle that each point lies in."""
    barycentrics: Float[ndarray, "points 3"]
    """Barycentric coordinates in that triangle."""
    normals: Float[ndarray, "points 3"]
    """Unit normal of that triangle."""

    def __len__(self) -> int:
        return len(self.positions)

    def subset(self, chosen: Int[ndarray, "chosen"] | Bool[ndarray, "points"]) -> SurfacePoints:
        """Some of the points."""
        return SurfacePoints(
            self.positions[chosen], self.triangles[chosen], self.barycentrics[chosen], self.normals[chosen]
        )


def surface_area(mesh: Mesh) -> float:
    """Total area of the triangles, square metres."""
    return 0.5 * float(np.linalg.norm(triangle_normals(mesh.vertices, mesh.triangles), axis=1).sum())


def points_at_barycentrics(
    mesh: Mesh, triangles: Int[ndarray, "points"], barycentrics: Float[ndarray, "points 3"]
) -> SurfacePoints:
    """Surface points from triangle indices and barycentric coordinates."""
    corners = mesh.vertices[mesh.triangles[triangles]]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    units = np.where(lengths > 0, normals / np.where(lengths > 0, lengths, 1.0), [0.0, 1.0, 0.0])
    return SurfacePoints(np.einsum("pk,pki->pi", barycentrics, corners), triangles, barycentrics, units)


def sample_points(mesh: Mesh, count: int, generator: np.random.Generator) -> SurfacePoints:
    """`count` random points, stratified by area: each 1/count of the total area gets exactly one."""
    doubled = np.linalg.norm(triangle_normals(mesh.vertices, mesh.triangles), axis=1)
    total = float(doubled.sum())
    if not total > 0:
        raise AssetError("The mesh has no area, so no splats can lie on it.")
    places = (np.arange(count) + generator.random(count)) / count * total
    # rounding may put the last place beyond the last triangle that has an area
    triangles = np.minimum(np.searchsorted(np.cumsum(doubled), places, side="right"), np.flatnonzero(doubled)[-1])
    root, b = np.sqrt(generator.random(count)), generator.random(count)
    return points_at_barycentrics(mesh, triangles, np.stack([1.0 - root, root * (1.0 - b), root * b], axis=1))


def vertex_points(mesh: Mesh) -> tuple[SurfacePoints, Float[ndarray, "points"]]:
    """The mesh's vertices as points, one per position, and the spacing that their area gives them, metres.

    A vertex has a third of the area of its triangles, A; an even pattern of that density is sqrt(2 A / sqrt(3)) apart.
    """
    doubled = np.linalg.norm(triangle_normals(mesh.vertices, mesh.triangles), axis=1)
    corners = mesh.triangles.reshape(-1)
    _, places = np.unique(mesh.vertices[corners], axis=0, return_inverse=True)
    areas = np.bincount(places.reshape(-1), np.repeat(doubled, 3) / 6.0)
    # of a vertex's triangles the largest lends its plane
    order = np.lexsort((-np.repeat(doubled, 3), places.reshape(-1)))
    first = order[np.unique(places.reshape(-1)[order], return_index=True)[1]]
    chosen = areas > 0
    points = points_at_barycentrics(mesh, first[chosen] // 3, np.eye(3)[first[chosen] % 3])
    return points, np.sqrt(2.0 * areas[chosen] / np.sqrt(3.0))


def thin_points(points: SurfacePoints, count: int, area: float) -> SurfacePoints:
    """Keep the `count` most evenly spaced points: the most crowded one is removed again and again (Yuksel 2015).

    A point is crowded by w = sum_j (1 - d_j / 2r)^8 over points nearer than 2r whose normals are on its own side, so
    that the two faces of an ear do not thin each other out; r = sqrt(A / (2 sqrt(3) count)) is the densest packing's.
    """
    from scipy.spatial import cKDTree

    if len(points) <= count:
        return points
    reach = 2.0 * np.sqrt(area / (2.0 * np.sqrt(3.0) * count))
    pairs = cKDTree(points.positions).query_pairs(reach, output_type="ndarray")
    pairs = pairs[(points.normals[pairs[:, 0]] * points.normals[pairs[:, 1]]).sum(1) > 0.0]
    distances = np.linalg.norm(points.positions[pairs[:, 0]] - points.positions[pairs[:, 1]], axis=1)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    strength = np.tile((1.0 - np.minimum(distances / reach, 1.0)) ** 8, 2)
    order = np.argsort(both[:, 0], kind="stable")
    starts = np.searchsorted(both[order, 0], np.arange(len(points) + 1))
    return points.subset(_eliminate(starts, both[order, 1], strength[order], len(points) - count))


def point_spacing(points: SurfacePoints, area: float) -> Float[ndarray, "points"]:
    """Mean distance of each point to its six nearest neighbours on the same side of the surface, metres.

    Clipped to 0.6 and 1.3 of the even pattern's spacing sqrt(2 A / (sqrt(3) n)), so that a small part with one or two
    points does not use the distance to the next part.
    """
    from scipy.spatial import cKDTree

    even = np.sqrt(2.0 * area / (np.sqrt(3.0) * max(len(points), 1)))
    if len(points) < 2:
        return np.full(len(points), even)
    k = min(3 * NEIGHBOURS_PER_POINT, len(points))
    distances, indices = cKDTree(points.positions).query(points.positions, k=k)
    same_side = np.einsum("pi,pki->pk", points.normals, points.normals[indices]) > 0.0
    same_side[:, 0] = False
    ranked = np.sort(np.where(same_side, distances, np.inf), axis=1)[:, :NEIGHBOURS_PER_POINT]
    return np.clip(np.minimum(ranked, 1.3 * even).mean(1), 0.6 * even, 1.3 * even)


def local_spread(
    points: SurfacePoints, reach: Float[ndarray, "points"]
) -> tuple[Float[ndarray, "points 3"], Float[ndarray, "points 3 3"]]:
    """Mean offset of the points around each point, metres, and their covariance along the surface.

    Weights are exp(-d^2 / 2 reach^2) for points on the same side of the surface. On an open plane the offset is 0; at
    an edge it points inwards and the covariance across the edge is smaller, so that splats do not extend beyond it.
    """
    from scipy.spatial import cKDTree

    k = min(3 * NEIGHBOURS_PER_POINT, len(points))
    distances, indices = (x.reshape(len(points), k) for x in cKDTree(points.positions).query(points.positions, k=k))
    n = points.normals
    near = np.exp(-0.5 * (distances / reach[:, None]) ** 2) * (np.einsum("pi,pki->pk", n, n[indices]) > 0.0)
    near /= near.sum(1, keepdims=True)
    offsets = points.positions[indices] - points.positions[:, None]
    middle = np.einsum("pk,pki->pi", near, offsets)
    offsets -= middle[:, None]
    along = offsets - np.einsum("pki,pi,pj->pkj", offsets, n, n)
    return middle, np.einsum("pk,pki,pkj->pij", near, along, along)


def inner_ball_radius(points: SurfacePoints, reach: float) -> Float[ndarray, "points"]:
    """Radius of the largest empty ball inside the surface that touches each point, up to `reach` metres.

    On a thin part, such as an ear, it is half the thickness. A ball of radius r at p - r n that holds q shrinks to
    r = |p - q|^2 / (2 n . (p - q)), which touches both (Ma, Bae and Choi, 3D medial axis point approximation using
    nearest neighbors and the normal field, 2012).
    """
    from scipy.spatial import cKDTree

    tree, radius = cKDTree(points.positions), np.full(len(points), reach)
    for _ in range(12):
        middle = points.positions - radius[:, None] * points.normals
        distance, nearest = tree.query(middle)
        away = points.positions - points.positions[nearest]
        touching = (away**2).sum(1) / np.maximum(2.0 * (points.normals * away).sum(1), 1e-30)
        shrinks = (distance < 0.999 * radius) & (touching < radius)
        if not shrinks.any():
            break
        radius = np.where(shrinks, touching, radius)
    return radius


@kernel(error_model="python")
def _eliminate(starts, neighbours, strength, removals):
    """Remove the heaviest point of a binary heap `removals` times; returns the indices of the points that stay."""
    count = len(starts) - 1
    weight = np.zeros(count)
    for i in range(count):
        for k in range(starts[i], starts[i + 1]):
            weight[i] += strength[k]
    heap, place = np.arange(count), np.arange(count)
    for i in range(count // 2 - 1, -1, -1):
        _sink(heap, place, weight, i, count)
    for size in range(count, count - removals, -1):
        heaviest = heap[0]
        last = heap[size - 1]
        heap[0], place[last] = last, 0
        place[heaviest] = -1
        _sink(heap, place, weight, 0, size - 1)
        for k in range(starts[heaviest], starts[heaviest + 1]):
            other = neighbours[k]
            if place[other] >= 0:
                weight[other] -= strength[k]
                _sink(heap, place, weight, place[other], size - 1)
    return np.flatnonzero(place >= 0)


@kernel(error_model="python")
def _sink(heap, place, weight, i, size):
    """Let entry i sink below heavier children."""
    item = heap[i]
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and weight[heap[child + 1]] > weight[heap[child]]:
            child += 1
        if weight[heap[child]] <= weight[item]:
            break
        heap[i] = heap[child]
        place[heap[i]] = i
        i = child
    heap[i] = item
    place[item] = i
