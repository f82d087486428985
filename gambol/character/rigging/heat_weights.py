"""Skin weights by heat diffusion over the surface (Baran and Popovic, Pinocchio; AKD's supplement, 1)."""

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
from gambol.errors import AssetError, ConfigError
from gambol.progress import Progress

BONES_PER_SOLVE = 16
"""Bones that are solved for at once."""
LEAST_BONE_DISTANCE = 1e-4
"""Least distance of a vertex from its bone, as a share of the size."""


@dataclass(frozen=True)
class HeatConfig:
    """Settings of the heat diffusion."""

    c: float = 4.0
    """Strength of the heat sources, H = c / d^2: heat spreads over about d / sqrt(c) (tuned on the training files)."""
    influences: int = 4
    """Bones per vertex, at most."""
    fade: tuple[float, float] = (0.025, 0.05)
    """Weights below the first limit are dropped, those up to the second are faded linearly."""
    per_bone: bool = False
    """Use the supplement's H_b for every bone, with its own visibility, distance and factorisation; slower, softer."""

    def __post_init__(self) -> None:
        if not isinstance(self.influences, int) or self.influences < 1:
            raise ConfigError(f"influences is {self.influences!r}; a vertex follows 1 bone or more, usually 4.")
        if not self.c > 0 or not 0 <= self.fade[0] <= self.fade[1] < 1:
            raise ConfigError(
                f"The heat settings are c={self.c}, fade={self.fade}; c must be above 0, "
                "and the limits of fade must grow within 0 to 1."
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
    """Compute the weights of every vertex for every bone: (-L + M H) w_b = M H p_b.

    L is the cotangent matrix (what it makes negative is cut off at 0), M the lumped vertex areas, H(j, j) = c / d_j^2
    with d_j the distance to the closest bone (0 where it is hidden) and p_b(j) = 1 where that is b. A connected part
    that sees no bone is bound to its nearest one, and so is a vertex without triangles.
    """
    config = config or HeatConfig()
    if not len(segments):
        raise AssetError("Skin weights need at least one bone.")
    if not (np.isfinite(vertices).all() and np.isfinite(segments.heads).all() and np.isfinite(segments.tails).all()):
        raise AssetError("Skin weights need finite vertices and bones.")
    mesh = weld(vertices, triangles)
    size = max(float(np.ptp(vertices, axis=0).max()), 1e-30) if len(vertices) else 1.0
    table = _StrongestWeights(len(mesh.vertices), config.influences)
    if len(mesh.vertices):
        solve = _sources_per_bone if config.per_bone else _shared_sources
        for first, heat in solve(mesh, segments, bone_count, size, config, progress):
            table.add(first, _fade(np.maximum(heat, 0.0), config.fade))
    loose = np.flatnonzero(mesh.of_drawn < 0)
    bones, weights = table.rows(mesh.of_drawn)
    if len(loose):
        nearest = plain_distances(vertices[loose], segments, bone_count).argmin(1)
        bones[loose], weights[loose] = 0, 0.0
        bones[loose, 0], weights[loose, 0] = nearest, 1.0
    return SkinWeights(bones, weights, bone_count)


def _shared_sources(
    mesh: WeldedMesh,
    segments: BoneSegments,
    bone_count: int,
    size: float,
    config: HeatConfig,
    progress: Progress | None,
) -> Iterator[tuple[int, Float[ndarray, "vertices _bones"]]]:
    """Heat of `BONES_PER_SOLVE` bones at a time, with one H for all: rows sum to 1 by themselves."""
    normals, least = vertex_normals(mesh), LEAST_BONE_DISTANCE * size
    nearest = nearest_bones(mesh, normals, segments, bone_count, least=least, progress=progress)
    sources, shares = config.c * nearest.sources, nearest.shares
    _bind_blind_parts(mesh, segments, bone_count, sources, shares, size)
    L, areas = surface_matrices(mesh)
    if progress is not None:
        progress(0, bone_count, "factorising")
    heated, A = areas * sources, -L
    A.setdiag(A.diagonal() + heated)
    factor = factorise(A, mesh.vertices)
    for first in range(0, bone_count, BONES_PER_SOLVE):
        if progress is not None:
            progress(first, bone_count, "heat of each bone")
        columns = shares[:, first : first + BONES_PER_SOLVE]
        yield first, factor.solve(heated[:, None] * columns)


def _sources_per_bone(
    mesh: WeldedMesh,
    segments: BoneSegments,
    bone_count: int,
    size: float,
    config: HeatConfig,
    progress: Progress | None,
) -> Iterator[tuple[int, Float[ndarray, "vertices _bones"]]]:
    """Heat of each bone with its own H_b, in the parts that see the bone; rows are normalised later."""
    from scipy.sparse import diags

    far = np.maximum(all_bones(mesh, vertex_normals(mesh), segments, bone_count), LEAST_BONE_DISTANCE * size)
    closest = np.where(np.isfinite(far), far == far.min(1, keepdims=True), False)
    shares = (closest / np.maximum(closest.sum(1, keepdims=True), 1)).astype(np.float32)
    all_sources = np.zeros_like(far)
    all_sources[np.isfinite(far)] = config.c / far[np.isfinite(far)] ** 2
    blind = all_sources.sum(1)
    _bind_blind_parts(mesh, segments, bone_count, blind, shares, size)
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


def _bind_blind_parts(
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
    A Laplacian for nonmanifold triangle meshes, 4.5). Flipping edges to their Delaunay triangulation, as they then do,
    would leave no negative weight, but takes the weights away from artists' on 28 of the 33 training files.
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


def _fade(heat: Float[ndarray, "vertices bones"], limits: tuple[float, float]) -> Float[ndarray, "vertices bones"]:
    """0 below the first limit, unchanged above the second, straight between them."""
    low, high = limits
    between = (heat - low) * (high / (high - low)) if high > low else heat
    return np.where(heat < low, 0.0, np.where(heat < high, between, heat))


class _StrongestWeights:
    """Keeps the strongest few weights of each vertex while the bones come in groups."""

    def __init__(self, vertices: int, influences: int):
        self.bones = np.zeros((vertices, influences), np.int64)
        self.weights = np.zeros((vertices, influences))

    def add(self, first: int, heat: Float[ndarray, "vertices bones"]) -> None:
        """Merge in the weights of the bones from number `first` on."""
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
