"""Cut the polygons of plain mesh files into triangles."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray


def fan_corners(counts: Int[ndarray, "polygons"]) -> tuple[Int[ndarray, "triangles 3"], Int[ndarray, "triangles"]]:
    """Cut polygons into fans around their first corner.

    Polygon p is the next counts[p] corners of one long list; its triangles are the corners (s, s + i + 1, s + i + 2),
    s its first corner. Returned are corner indices, and the polygon of each triangle; fewer than 3 corners give none.
    """
    pieces = np.maximum(counts - 2, 0)
    polygons = np.repeat(np.arange(len(counts)), pieces)
    starts = (np.cumsum(counts) - counts)[polygons]
    i = np.arange(len(polygons)) - (np.cumsum(pieces) - pieces)[polygons]
    return np.stack([starts, starts + i + 1, starts + i + 2], axis=1), polygons


def split_at_seams(
    corners: Int[ndarray, "triangles 3"],
    corner_vertices: Int[ndarray, "corners"],
    corner_uvs: Int[ndarray, "corners"],
) -> tuple[Int[ndarray, "vertices"], Int[ndarray, "vertices"], Int[ndarray, "triangles 3"]]:
    """Make one vertex of each pair of position and texture coordinate, in the order of the file's positions.

    Returned are the position index and the texture coordinate index of every vertex, and the triangles between them;
    positions that no triangle uses are left out. A corner without a texture coordinate has the index -1.
    """
    used = corners.ravel()
    width = int(corner_uvs.max(initial=-1)) + 2
    pairs = corner_vertices[used] * width + corner_uvs[used] + 1
    unique, inverse = np.unique(pairs, return_inverse=True)
    return unique // width, unique % width - 1, inverse.reshape(-1, 3).astype(np.int32)


def merge_equal(
    positions: Float[ndarray, "corners 3"], triangles: Int[ndarray, "triangles 3"]
) -> tuple[Float[ndarray, "vertices 3"], Int[ndarray, "triangles 3"]]:
    """Join corners at exactly the same place, in the order of their first occurrence (STL stores no indices)."""
    _, first, inverse = np.unique(positions, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return positions[first[order]], rank[inverse.ravel()][triangles].astype(np.int32)
