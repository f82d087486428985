"""The closest bone of each vertex that is visible through the inside of the mesh, and its distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.compile_kernel import kernel
from gambol.character.mesh import triangle_normals
from gambol.character.rigging.segment_occlusion import blocked, box_tree
from gambol.character.rigging.weld_seams import WeldedMesh
from gambol.character.skeleton import BoneSegments
from gambol.progress import Progress

TIE_TOLERANCE = 1e-4
"""Bones whose distances differ by no more than this share are equally close and share the vertex."""
PROGRESS_ROWS = 50_000
"""Vertices between two reports of progress."""


@dataclass(frozen=True)
class NearestBones:
    """The closest visible bone of each vertex, or several that are equally close."""

    sources: Float[ndarray, "vertices"]
    """Sum of 1 / d^2 over the closest bones that are seen (n / d^2 for n equally close ones), 0 where none is."""
    shares: Float[ndarray, "vertices bones"]
    """p_b(j): 1 for the closest bone, 1/n for each of n equally close ones, else 0."""


def nearest_bones(
    mesh: WeldedMesh,
    normals: Float[ndarray, "vertices 3"],
    segments: BoneSegments,
    bone_count: int,
    *,
    least: float,
    progress: Progress | None = None,
) -> NearestBones:
    """The closest bone of every vertex of a welded mesh, by `bone_distance`, which counts as at least `least`.

    A vertex sees a bone where no triangle lies before the bone's closest point. One that does not see its closest
    bone is no source: a bone that lies farther off is not the better guess, what flows in from its neighbours is.
    """
    tree = box_tree(mesh.vertices, mesh.triangles)
    count = len(mesh.vertices)
    sources, shares = np.zeros(count), np.zeros((count, bone_count), np.float32)
    bones = segments.bones.astype(np.int64)
    for start in range(0, count, PROGRESS_ROWS):
        rows = slice(start, min(start + PROGRESS_ROWS, count))
        if progress is not None:
            progress(start, count, "visible bones")
        _find_nearest(
            *(tree.corners, tree.indices, tree.low, tree.high),
            *(start, mesh.vertices[rows], normals[rows], segments.heads, segments.tails, bones),
            *(least, sources[rows], shares[rows]),
        )
    return NearestBones(sources, shares)


def all_bones(
    mesh: WeldedMesh, normals: Float[ndarray, "vertices 3"], segments: BoneSegments, bone_count: int
) -> Float[ndarray, "vertices bones"]:
    """Distance of every vertex to every bone, infinite where it does not see it: for the supplement's per-bone H."""
    tree = box_tree(mesh.vertices, mesh.triangles)
    result = np.full((len(mesh.vertices), bone_count), np.inf)
    _find_distances(
        *(tree.corners, tree.indices, tree.low, tree.high, mesh.vertices, normals),
        *(segments.heads, segments.tails, segments.bones.astype(np.int64), result),
    )
    return result


def vertex_normals(mesh: WeldedMesh) -> Float[ndarray, "vertices 3"]:
    """Unit normals, plain means of the triangles' own; closed parts that are inside out are turned.

    Weighing triangles by their angles, which does not depend on how a surface is cut, is farther from artists' weights.
    """
    face = triangle_normals(mesh.vertices, mesh.triangles)
    volumes = np.einsum("ti,ti->t", mesh.vertices[mesh.triangles[:, 0]], face)
    part_volume = np.bincount(mesh.parts[mesh.triangles[:, 0]], volumes, mesh.part_count)
    if (part_volume < 0).any():
        inside_out = (part_volume < 0) & ~_open_parts(mesh)
        face = np.where(inside_out[mesh.parts[mesh.triangles[:, 0]], None], -face, face)
    normals = np.zeros_like(mesh.vertices)
    _add_to_corners(mesh.triangles, _unit(face), normals)
    return _unit(normals)


@kernel
def _add_to_corners(triangles, of_triangles, of_vertices):
    """Add a vector of each triangle to those of its three corners (in place)."""
    for t in range(len(triangles)):
        for k in range(3):
            for d in range(3):
                of_vertices[triangles[t, k], d] += of_triangles[t, d]


def _unit(vectors: Float[ndarray, "rows 3"]) -> Float[ndarray, "rows 3"]:
    """Each vector divided by its length; zero stays zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def _open_parts(mesh: WeldedMesh) -> ndarray:
    """Parts with a border, whose volume says nothing."""
    start, end = mesh.triangles.ravel(), np.roll(mesh.triangles, -1, axis=1).ravel()
    key = np.minimum(start, end) * len(mesh.vertices) + np.maximum(start, end)
    edges, counts = np.unique(key, return_counts=True)
    border = edges[counts == 1] // max(len(mesh.vertices), 1)
    is_open = np.zeros(mesh.part_count, bool)
    is_open[mesh.parts[border]] = True
    return is_open


def plain_distances(
    points: Float[ndarray, "points 3"], segments: BoneSegments, bone_count: int
) -> Float[ndarray, "points bones"]:
    """Distance of each point to each bone, visible or not; infinite for bones without segments."""
    result = np.full((len(points), bone_count), np.inf)
    for bone, head, tail in zip(segments.bones, segments.heads, segments.tails, strict=True):
        span = tail - head
        squared = float(span @ span)
        u = np.clip((points - head) @ span / squared, 0.0, 1.0) if squared > 0 else np.zeros(len(points))
        gaps = np.linalg.norm(points - head - u[:, None] * span, axis=1)
        result[:, bone] = np.minimum(result[:, bone], gaps)
    return result


@kernel
def bone_distance(v, normal, head, tail, towards):
    """Distance from a vertex to a bone that favours bones behind the surface, d / ((1 + cos) / 2).

    `towards` is filled with the vector from the vertex to the closest point of the bone.

    cos is that of the angle between the vertex's normal and the vector from the bone to the vertex: a bone inside the
    body lies behind the surface (cos = 1, the plain distance), one in front of it counts as up to 2000 times as far.
    """
    squared, dot = 0.0, 0.0
    for d in range(3):
        span = tail[d] - head[d]
        squared += span * span
        dot += (v[d] - head[d]) * span
    u = min(max(dot / squared, 0.0), 1.0) if squared > 0.0 else 0.0
    length, cosine = 0.0, 0.0
    for d in range(3):
        towards[d] = head[d] + u * (tail[d] - head[d]) - v[d]
        length += towards[d] * towards[d]
        cosine -= towards[d] * normal[d]
    length = np.sqrt(length)
    cosine = cosine / length if length > 0.0 else 1.0
    return length / (0.5 * (1.001 + cosine))


@kernel
def _find_nearest(corners, indices, low, high, first, points, normals, heads, tails, bones, least, sources, shares):
    """Fill the sources and shares of `NearestBones` for vertices from number `first` on (in place)."""
    count = len(bones)
    far, towards, stack = np.empty(count), np.empty((count, 3)), np.empty(128, np.int64)
    for i in range(len(points)):
        for s in range(count):
            far[s] = bone_distance(points[i], normals[i], heads[s], tails[s], towards[s])
        closest, found = far.min(), 0
        for s in range(count):
            if far[s] > closest * (1.0 + TIE_TOLERANCE) or shares[i, bones[s]] > 0.0:
                continue
            if not blocked(corners, indices, low, high, first + i, points[i], towards[s], stack):
                shares[i, bones[s]] = 1.0
                found += 1
        if found > 0:
            sources[i] = found / max(closest, least) ** 2
            for b in range(shares.shape[1]):
                shares[i, b] /= found


@kernel
def _find_distances(corners, indices, low, high, points, normals, heads, tails, bones, result):
    """Fill the distances of vertices to all bones that they see (in place)."""
    towards, stack = np.empty(3), np.empty(128, np.int64)
    for i in range(len(points)):
        for s in range(len(bones)):
            far = bone_distance(points[i], normals[i], heads[s], tails[s], towards)
            if far < result[i, bones[s]] and not blocked(corners, indices, low, high, i, points[i], towards, stack):
                result[i, bones[s]] = far
