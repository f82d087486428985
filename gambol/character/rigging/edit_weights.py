"""Edits of skin weights: mirror them, smooth them, make parts rigid, transfer them from another mesh."""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.mesh import Mesh
from gambol.character.rigging.heat_weights import surface_matrices
from gambol.character.rigging.weld_seams import WeldedMesh, weld
from gambol.character.weights import SkinWeights, weights_from_dense

MIRROR_TOLERANCE = 0.02
"""A vertex without another one this close to its mirror image, in sizes, keeps its weights."""
TRANSFER_ROWS = 50_000
"""Points whose weights are transferred at once, to bound memory."""


def mirror_bones(names: tuple[str, ...], heads: Float[ndarray, "bones 3"], size: float) -> Int[ndarray, "bones"]:
    """The mirror bone of each bone across z = 0, by position and name; the bone itself where there is none."""
    partner = np.arange(len(names))
    for bone, head in enumerate(heads):
        gaps = np.linalg.norm(heads * [1.0, 1.0, -1.0] - head, axis=1) / size
        same_name = [_without_side(name) == _without_side(names[bone]) for name in names]
        gaps = np.where(same_name, gaps, gaps + MIRROR_TOLERANCE)
        if gaps.min() < 2.0 * MIRROR_TOLERANCE:
            partner[bone] = int(gaps.argmin())
    return np.where(partner[partner] == np.arange(len(names)), partner, np.arange(len(names)))


def _without_side(name: str) -> str:
    """A bone's name without its left or right mark."""
    return re.sub(r"(?i)left|right|(?<![a-z])[lr](?![a-z])", "", name)


def symmetrise_weights(
    weights: SkinWeights, vertices: Float[ndarray, "vertices 3"], partner: Int[ndarray, "bones"], influences: int = 4
) -> SkinWeights:
    """Average weights with their mirror images: w_b(x) = (w_b(x) + w_b'(x')) / 2.

    x' is the nearest vertex to the mirror image of x, b' the mirror bone of b. The middle plane is z = 0 (Gambol's
    world). Vertices without a partner keep their weights.
    """
    from scipy.spatial import cKDTree

    size = float(np.ptp(vertices, axis=0).max())
    gaps, image = cKDTree(vertices).query(vertices * [1.0, 1.0, -1.0])
    full = weights.dense()
    both = 0.5 * (full + full[image][:, partner])
    return weights_from_dense(np.where((gaps <= MIRROR_TOLERANCE * size)[:, None], both, full), influences)


def smooth_weights(mesh: Mesh, weights: SkinWeights, amount: float, influences: int = 4) -> SkinWeights:
    """Smooth weights over a distance of `amount` sizes by diffusion on the surface: (M - t L) w' = M w.

    t = (amount size)^2, L is the cotangent matrix and M the vertex areas. Rows still sum to 1; seams stay closed, parts
    that touch stay apart.
    """
    from scipy.sparse import diags

    from gambol.character.rigging.sparse_factorisation import factorise

    welded = weld(mesh.vertices, mesh.triangles)
    if amount <= 0 or not len(welded.vertices):
        return weights
    L, areas = surface_matrices(welded)
    factor = factorise((diags(areas) - (amount * mesh.size) ** 2 * L).tocsc(), welded.vertices)
    full = weights.dense()
    on_surface = np.zeros((len(welded.vertices), weights.bone_count))
    used = welded.of_drawn >= 0
    on_surface[welded.of_drawn[used]] = full[used]
    spread = np.maximum(factor.solve(areas[:, None] * on_surface), 0.0)
    full[used] = spread[welded.of_drawn[used]]
    return weights_from_dense(full, influences)


def make_parts_rigid(mesh: Mesh, weights: SkinWeights, share: float = 0.5) -> SkinWeights:
    """Bind each connected part to its strongest bone alone, where that has more than `share` of the part's weight."""
    welded = weld(mesh.vertices, mesh.triangles)
    part = _part_of_drawn(welded)
    full = weights.dense()
    counts = np.maximum(np.bincount(part, minlength=int(part.max()) + 1), 1)
    means = np.stack([np.bincount(part, full[:, b], len(counts)) for b in range(full.shape[1])], 1) / counts[:, None]
    stiff = (means.max(1) > share)[part]
    return weights_from_dense(np.where(stiff[:, None], np.eye(full.shape[1])[means.argmax(1)][part], full))


def _part_of_drawn(mesh: WeldedMesh) -> Int[ndarray, "drawn"]:
    """Number of the part of each drawn vertex; a vertex that no triangle uses is a part of its own."""
    part = np.arange(len(mesh.of_drawn)) + mesh.part_count
    used = mesh.of_drawn >= 0
    part[used] = mesh.parts[mesh.of_drawn[used]]
    return np.unique(part, return_inverse=True)[1].ravel()


def transfer_weights(
    points: Float[ndarray, "points 3"], source: Mesh, weights: SkinWeights, influences: int = 4
) -> SkinWeights:
    """Weights of another mesh at the closest point of its surface to each point, interpolated barycentrically."""
    import igl

    vertices = np.ascontiguousarray(source.vertices, np.float64)
    triangles = source.triangles.astype(np.int64)
    full, rows = weights.dense(), []
    for start in range(0, len(points), TRANSFER_ROWS):
        some = np.ascontiguousarray(points[start : start + TRANSFER_ROWS], np.float64)
        _, face, closest = igl.point_mesh_squared_distance(some, vertices, triangles)
        corners = triangles[face]
        shares = igl.barycentric_coordinates(
            closest, *(np.ascontiguousarray(vertices[corners[:, k]]) for k in range(3))
        )
        shares = np.nan_to_num(np.clip(shares, 0.0, 1.0))
        shares[shares.sum(1) <= 0] = 1.0 / 3.0
        rows.append(np.einsum("pk,pkb->pb", shares / shares.sum(1, keepdims=True), full[corners]))
    return weights_from_dense(np.concatenate(rows) if rows else np.zeros((0, weights.bone_count)), influences)
