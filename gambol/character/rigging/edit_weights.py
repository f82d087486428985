"""Weights changed afterwards: left like right, smoother, whole parts on one bone, taken from another mesh."""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.mesh import Mesh
from gambol.character.rigging.heat_weights import surface_matrices
from gambol.character.rigging.weld_seams import WeldedMesh, weld
from gambol.character.weights import SkinWeights, weights_from_dense

PARTNER = 0.02
"""A vertex without another one this close to its mirror image, in sizes, keeps its weights."""
ROWS = 50_000


def mirror_bones(names: tuple[str, ...], heads: Float[ndarray, "bones 3"], size: float) -> Int[ndarray, "bones"]:
    """The bone on the other side of each: by its head, mirrored across z = 0, and its name; itself where none is."""
    partner = np.arange(len(names))
    for bone, head in enumerate(heads):
        gaps = np.linalg.norm(heads * [1.0, 1.0, -1.0] - head, axis=1) / size
        plain = [_plain(name) == _plain(names[bone]) for name in names]
        gaps = np.where(plain, gaps, gaps + PARTNER)
        if gaps.min() < 2.0 * PARTNER:
            partner[bone] = int(gaps.argmin())
    return np.where(partner[partner] == np.arange(len(names)), partner, np.arange(len(names)))


def _plain(name: str) -> str:
    """A name without what tells its side."""
    return re.sub(r"(?i)left|right|(?<![a-z])[lr](?![a-z])", "", name)


def symmetrise(
    weights: SkinWeights, vertices: Float[ndarray, "vertices 3"], partner: Int[ndarray, "bones"], influences: int = 4
) -> SkinWeights:
    """w_b(x) = (w_b(x) + w_b'(x')) / 2 with x' the nearest vertex to the mirror image of x, b' the mirrored bone.

    The middle plane is z = 0 (Gambol's world). Vertices without a partner keep their weights.
    """
    from scipy.spatial import cKDTree

    size = float(np.ptp(vertices, axis=0).max())
    gaps, image = cKDTree(vertices).query(vertices * [1.0, 1.0, -1.0])
    full = weights.dense()
    both = 0.5 * (full + full[image][:, partner])
    return weights_from_dense(np.where((gaps <= PARTNER * size)[:, None], both, full), influences)


def smooth(mesh: Mesh, weights: SkinWeights, amount: float, influences: int = 4) -> SkinWeights:
    """(M - t L) w' = M w: heat that starts as the weights and flows for a time t = (amount times the size)^2.

    Rows still sum to 1; seams stay closed, parts that touch stay apart.
    """
    from scipy.sparse import diags

    from gambol.character.rigging.sparse_factorisation import factorise

    welded = weld(mesh.vertices, mesh.triangles)
    if amount <= 0 or not len(welded.vertices):
        return weights
    L, areas = surface_matrices(welded)
    factor = factorise((diags(areas) - (amount * mesh.size) ** 2 * L).tocsc(), welded.vertices)
    full = weights.dense()
    on_fan = np.zeros((len(welded.vertices), weights.bone_count))
    used = welded.of_drawn >= 0
    on_fan[welded.of_drawn[used]] = full[used]
    spread = np.maximum(factor.solve(areas[:, None] * on_fan), 0.0)
    full[used] = spread[welded.of_drawn[used]]
    return weights_from_dense(full, influences)


def rigid_parts(mesh: Mesh, weights: SkinWeights, share: float = 0.5) -> SkinWeights:
    """Each connected part on its strongest bone alone, where that has more than `share` of it: robots, armour, eyes."""
    welded = weld(mesh.vertices, mesh.triangles)
    part = _part_of_drawn(welded)
    full = weights.dense()
    counts = np.maximum(np.bincount(part, minlength=int(part.max()) + 1), 1)
    means = np.stack([np.bincount(part, full[:, b], len(counts)) for b in range(full.shape[1])], 1) / counts[:, None]
    stiff = (means.max(1) > share)[part]
    return weights_from_dense(np.where(stiff[:, None], np.eye(full.shape[1])[means.argmax(1)][part], full))


def _part_of_drawn(mesh: WeldedMesh) -> Int[ndarray, "drawn"]:
    """The part of each drawn vertex; those that no triangle uses are a part each."""
    part = np.arange(len(mesh.of_drawn)) + mesh.part_count
    used = mesh.of_drawn >= 0
    part[used] = mesh.parts[mesh.of_drawn[used]]
    return np.unique(part, return_inverse=True)[1].ravel()


def transfer(
    points: Float[ndarray, "points 3"], source: Mesh, weights: SkinWeights, influences: int = 4
) -> SkinWeights:
    """Weights of another mesh at the closest point of its surface to each point (barycentric interpolation)."""
    import igl

    vertices = np.ascontiguousarray(source.vertices, np.float64)
    triangles = source.triangles.astype(np.int64)
    full, rows = weights.dense(), []
    for start in range(0, len(points), ROWS):
        some = np.ascontiguousarray(points[start : start + ROWS], np.float64)
        _, face, closest = igl.point_mesh_squared_distance(some, vertices, triangles)
        corners = triangles[face]
        shares = igl.barycentric_coordinates(
            closest, *(np.ascontiguousarray(vertices[corners[:, k]]) for k in range(3))
        )
        shares = np.nan_to_num(np.clip(shares, 0.0, 1.0))
        shares[shares.sum(1) <= 0] = 1.0 / 3.0
        rows.append(np.einsum("pk,pkb->pb", shares / shares.sum(1, keepdims=True), full[corners]))
    return weights_from_dense(np.concatenate(rows) if rows else np.zeros((0, weights.bone_count)), influences)
