"""Skin weights for splats: at a point of the mesh, at the closest point of the mesh, or from the closest bones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.mesh import Mesh
from gambol.character.skeleton import Skeleton
from gambol.character.weights import SkinWeights, weights_from_dense
from gambol.splats.skinned_splats import SkinnedSplats

MAX_SPLAT_INFLUENCES = 8
"""Most bones that move one splat; a point between vertices with four bones each seldom has more."""
WEIGHT_ROWS_PER_CHUNK = 20_000
"""Splats whose dense rows of weights are in memory at once."""


def weights_at(
    weights: SkinWeights, corners: Int[ndarray, "points 3"], barycentrics: Float[ndarray, "points 3"]
) -> SkinWeights:
    """Skin weights at points of triangles: w(x) = sum_k b_k w(corner_k) with barycentric coordinates b."""
    from scipy.sparse import csr_matrix

    count, vertices = len(corners), len(weights)
    rows = np.arange(vertices).repeat(weights.bones.shape[1])
    of_vertex = csr_matrix((weights.weights.ravel(), (rows, weights.bones.ravel())), (vertices, weights.bone_count))
    blend = csr_matrix((barycentrics.ravel(), corners.ravel(), 3 * np.arange(count + 1)), (count, vertices))
    parts = [
        weights_from_dense((blend[i : i + WEIGHT_ROWS_PER_CHUNK] @ of_vertex).toarray(), MAX_SPLAT_INFLUENCES)
        for i in range(0, count, WEIGHT_ROWS_PER_CHUNK)
    ]
    bones = np.concatenate([part.bones for part in parts]) if parts else np.zeros((0, 1), int)
    values = np.concatenate([part.weights for part in parts]) if parts else np.zeros((0, 1), np.float32)
    used = max(int((values > 0).sum(1).max(initial=1)), 1)
    return SkinWeights(bones[:, :used], values[:, :used], weights.bone_count)


def closest_weights(points: Float[ndarray, "points 3"], mesh: Mesh, weights: SkinWeights) -> SkinWeights:
    """Skin weights at the point of the mesh that is closest to each point."""
    triangles, barycentrics = closest_on_mesh(points, mesh)
    return weights_at(weights, mesh.triangles[triangles], barycentrics)


def closest_on_mesh(
    points: Float[ndarray, "points 3"], mesh: Mesh
) -> tuple[Int[ndarray, "points"], Float[ndarray, "points 3"]]:
    """Triangle index and barycentric coordinates of the point of the mesh that is closest to each point."""
    import igl

    vertices, triangles = np.ascontiguousarray(mesh.vertices, np.float64), mesh.triangles.astype(np.int64)
    _, index, closest = igl.point_mesh_squared_distance(np.ascontiguousarray(points, np.float64), vertices, triangles)
    corners = vertices[triangles[index]]
    return index, _barycentrics(closest, corners)


def bone_weights(points: Float[ndarray, "points 3"], skeleton: Skeleton) -> SkinWeights:
    """Skin weights from the skeleton alone: w_b ~ 1 / d_b^4 with d_b the distance to the nearest segment of bone b."""
    segments = skeleton.segments
    along = segments.tails - segments.heads
    lengths = np.maximum((along**2).sum(1), 1e-18)
    nearest = np.full((len(points), len(skeleton)), np.inf)
    for bone, head, line, length in zip(segments.bones, segments.heads, along, lengths, strict=True):
        s = np.clip((points - head) @ line / length, 0.0, 1.0)
        nearest[:, bone] = np.minimum(nearest[:, bone], np.linalg.norm(points - head - s[:, None] * line, axis=1))
    closest = np.maximum(nearest.min(1, keepdims=True), 1e-9)
    return weights_from_dense((closest / np.maximum(nearest, 1e-9)) ** 4, 4)


def bind_splats(splats: SkinnedSplats, weights: SkinWeights) -> SkinnedSplats:
    """The splats with new skin weights, one row each, as from `closest_weights` or `bone_weights`."""
    device = splats.centres.device
    return replace(
        splats,
        bones=torch.from_numpy(weights.bones.astype(np.int64)).to(device),
        weights=torch.from_numpy(weights.weights).to(splats.centres),
        bone_count=weights.bone_count,
    )


def single_bone_weights(count: int) -> SkinWeights:
    """Weights of splats without a skeleton: all move with one bone."""
    return SkinWeights(np.zeros((count, 1), int), np.ones((count, 1), np.float32), 1)


def _barycentrics(points: Float[ndarray, "points 3"], corners: Float[ndarray, "points 3 3"]) -> ndarray:
    """b_0, b_1, b_2 with sum_k b_k corner_k = point; a triangle without area counts as its first edge."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    w = points - a
    uu, uv, vv = (u * u).sum(1), (u * v).sum(1), (v * v).sum(1)
    wu, wv = (w * u).sum(1), (w * v).sum(1)
    det = uu * vv - uv * uv
    flat = det <= 1e-14 * np.maximum(uu, vv) ** 2
    safe = np.where(flat, 1.0, det)
    b = np.where(flat, wu / np.where(uu > 0, uu, 1.0), (vv * wu - uv * wv) / safe)
    c = np.where(flat, 0.0, (uu * wv - uv * wu) / safe)
    result = np.clip(np.stack([1.0 - b - c, b, c], 1), 0.0, 1.0)
    return result / result.sum(1, keepdims=True)
