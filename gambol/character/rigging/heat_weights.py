"""Skin weights by heat diffusion over the surface (Pinocchio; AKD's supplement, 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.rigging.sparse_factorisation import factorise
from gambol.character.rigging.visible_bones import all_bones, nearest_bones, plain_distances, vertex_normals
from gambol.character.rigging.weld_seams import WeldedMesh, weld
from gambol.character.skeleton import BoneSegments
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError
from gambol.progress import Progress

SIDES = 16
"""Bones that are solved for at once."""
CLOSEST = 1e-4
"""A vertex counts as at least this share of the size away from its bone."""


@dataclass(frozen=True)
class HeatConfig:
    """How heat flows."""

    c: float = 4.0
    """Strength of the sources: H = c / d^2. Heat spreads over about d / sqrt(c) (set on the training split)."""
    influences: int = 4
    """Bones per vertex, at most."""
    faint: tuple[float, float] = (0.025, 0.05)
    """Weights below the first are dropped, those up to the second faded."""
    per_bone: bool = False
    """The supplement's H_b for every bone (its own visibility and distance, a factorisation each) in place of one H."""

    def __post_init__(self) -> None:
        if not self.c > 0 or self.influences < 1 or not 0 <= self.faint[0] <= self.faint[1] < 1:
            raise AssetError(
                "Heat weights need c > 0, at least one influence, and faint limits that grow within 0 to 1."
            )


def heat_weights(
    vertices: Float[ndarray, "vertices 3"],
    triangles: Int[ndarray, "triangles 3"],
    segments: BoneSegments,
    bone_count: int,
    *,
    config: HeatConfig | None = None,
    progress: Progress | None = None,
) -> SkinWeights:
    """Weights of every vertex for the bones that have segments: (-L + M H) w_b = M H p_b.

    L is the cotangent matrix (what it makes negative is cut off at 0), M the lumped vertex areas, H(j, j) = c / d_j^2
    with d_j the distance to the closest bone (0 where it is hidden) and p_b(j) = 1 where that is b. A connected part
    that sees no bone goes to its nearest one; a vertex without triangles to its own.
    """
    config = config or HeatConfig()
    if not len(segments):
        raise AssetError("Skin weights need at least one bone.")
    if not (np.isfinite(vertices).all() and np.isfinite(segments.heads).all() and np.isfinite(segments.tails).all()):
        raise AssetError("Skin weights need finite vertices and bones.")
    mesh = weld(vertices, triangles)
    size = max(float(np.ptp(vertices, axis=0).max()), 1e-30) if len(vertices) else 1.0
    table = _Strongest(len(mesh.vertices), config.influences)
    if len(mesh.vertices):
        solve = _per_bone if config.per_bone else _one_matrix
        for first, heat in solve(mesh, segments, bone_count, size, config, progress):
            table.take(first, _fade(np.maximum(heat, 0.0), config.faint))
    loose = np.flatnonzero(mesh.of_drawn < 0)
    bones, weights = table.rows(mesh.of_drawn)
    if len(loose):
        nearest = plain_distances(vertices[loose], segments, bone_count).argmin(1)
        bones[loose], weights[loose] = 0, 0.0
        bones[loose, 0], weights[loose, 0] = nearest, 1.0
    return SkinWeights(bones, weights, bone_count)


def _one_matrix(
    mesh: WeldedMesh,
    segments: BoneSegments,
    bone_count: int,
    size: float,
    config: HeatConfig,
    progress: Progress | None,
) -> Iterator[tuple[int, Float[ndarray, "vertices _bones"]]]:
    """Heat of `SIDES` bones at a time, with one H for all: rows sum to 1 by themselves."""
    normals, least = vertex_normals(mesh), CLOSEST * size
    nearest = nearest_bones(mesh, normals, segments, bone_count, least=least, progress=progress)
    sources, shares = config.c * nearest.sources, nearest.shares
    _tie_blind_parts(mesh, segments, bone_count, sources, shares, size)
    L, areas = surface_matrices(mesh)
    if progress is not None:
        progress(0, bone_count, "factorising")
    heated, A = areas * sources, -L
    A.setdiag(A.diagonal() + heated)
    factor = factorise(A, mesh.vertices)
    for first in range(0, bone_count, SIDES):
        if progress is not None:
            progress(first, bone_count, "heat of each bone")
        columns = shares[:, first : first + SIDES]
        yield first, factor.solve(heated[:, None] * columns)


def _per_bone(
    mesh: WeldedMesh,
    segments: BoneSegments,
    bone_count: int,
    size: float,
    config: HeatConfig,
    progress: Progress | None,
) -> Iterator[tuple[int, Float[ndarray, "vertices _bones"]]]:
    """Heat of each bone with its own H_b; per part only for bones that it sees. Rows are made to sum to 1 later."""
    from scipy.sparse import diags

    far = np.maximum(all_bones(mesh, vertex_normals(mesh), segments, bone_count), CLOSEST * size)
    closest = np.where(np.isfinite(far), far == far.min(1, keepdims=True), False)
    shares = (closest / np.maximum(closest.sum(1, keepdims=True), 1)).astype(np.float32)
    all_sources = np.zeros_like(far)
    all_sources[np.isfinite(far)] = config.c / far[np.isfinite(far)] ** 2
    blind = all_sources.sum(1)
    _tie_blind_parts(mesh, segments, bone_count, blind, shares, size)
    tied = (all_sources.sum(1) == 0) & (blind > 0)
    all_sources[tied] = blind[tied, None] * (shares[tied] > 0)
    L, areas = surface_matrices(mesh)
    for bone in range(bone_count):
        if progress is not None:
            progress(bone, bone_count, "heat of each bone")
        heat = np.zeros((len(mesh.vertices), 1))
        seen = np.bincount(mesh.parts, all_sources[:, bone], mesh.part_count) > 0
        rows = np.flatnonzero(seen[mesh.parts])
        if len(rows):
            inside = areas[rows] * all_sources[rows, bone]
            factor = factorise((diags(inside) - L[rows][:, rows]).tocsc(), mesh.vertices[rows])
            heat[rows] = factor.solve((inside * shares[rows, bone])[:, None])
        yield bone, heat


def _tie_blind_parts(
    mesh: WeldedMesh, segments: BoneSegments, bone_count: int, sources: ndarray, shares: ndarray, size: float
) -> None:
    """Bind each part that sees no bone to the one that is nearest to any of its vertices (in place)."""
    sees = np.bincount(mesh.parts, sources, mesh.part_count) > 0
    blind = np.flatnonzero(~sees[mesh.parts])
    if not len(blind):
        return
    far = plain_distances(mesh.vertices[blind], segments, bone_count)
    for part in np.unique(mesh.parts[blind]):
        rows = mesh.parts[blind] == part
        bone = int(far[rows].min(0).argmin())
        sources[blind[rows]] = 1.0 / size**2
        shares[blind[rows]] = 0.0
        shares[blind[rows], bone] = 1.0


def surface_matrices(mesh: WeldedMesh):
    """The cotangent matrix L and the vertices' Voronoi areas, of the triangles as they are drawn.

    Edge lengths are first made a little longer where a triangle is flat, so that every angle exists (Sharp and Crane,
    A Laplacian for nonmanifold triangle meshes, 4.5). Flipping edges to their Delaunay triangulation, as they go on to
    do, would leave no negative weight, but takes the weights away from artists' on 28 of the 33 training files.
    """
    import igl

    corners = mesh.vertices[mesh.triangles]
    lengths = np.stack([np.linalg.norm(corners[:, (k + 1) % 3] - corners[:, (k + 2) % 3], axis=1) for k in range(3)], 1)
    slack = lengths.sum(1, keepdims=True) - 2.0 * lengths
    lengths = lengths + max(0.0, 1e-5 * float(lengths.mean()) - float(slack.min()))
    faces = mesh.triangles.astype(np.int64)
    L = igl.cotmatrix_intrinsic(lengths, faces)
    areas = igl.massmatrix_intrinsic(lengths, faces, igl.MASSMATRIX_TYPE_VORONOI).diagonal()
    return L, areas


def _fade(heat: Float[ndarray, "vertices bones"], faint: tuple[float, float]) -> Float[ndarray, "vertices bones"]:
    """0 below the first limit, unchanged above the second, straight between them."""
    low, high = faint
    between = (heat - low) * (high / (high - low)) if high > low else heat
    return np.where(heat < low, 0.0, np.where(heat < high, between, heat))


class _Strongest:
    """The strongest few weights of each vertex, while the bones come in groups."""

    def __init__(self, vertices: int, influences: int):
        self.bones = np.zeros((vertices, influences), np.int64)
        self.weights = np.zeros((vertices, influences))

    def take(self, first: int, heat: Float[ndarray, "vertices bones"]) -> None:
        """Look at the heat of the bones from `first` on."""
        keep = self.weights.shape[1]
        numbers = np.broadcast_to(np.arange(first, first + heat.shape[1]), heat.shape)
        weights, bones = np.concatenate([self.weights, heat], 1), np.concatenate([self.bones, numbers], 1)
        order = np.argsort(-weights, axis=1, kind="stable")[:, :keep]
        self.weights = np.take_along_axis(weights, order, 1)
        self.bones = np.take_along_axis(bones, order, 1)

    def rows(self, of_drawn: Int[ndarray, "drawn"]) -> tuple[ndarray, ndarray]:
        """Bones and weights of each drawn vertex; rows sum to 1."""
        weights = self.weights / np.maximum(self.weights.sum(1, keepdims=True), 1e-300)
        if not len(weights):
            return np.zeros((len(of_drawn), 1), np.int64), np.ones((len(of_drawn), 1), np.float32)
        bones = np.where(weights > 0, self.bones, 0)
        return bones[of_drawn], weights[of_drawn].astype(np.float32)
