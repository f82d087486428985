"""Which segments inside a mesh are blocked by its triangles: exact tests in double precision.

Triangles are sorted along a space-filling curve into the leaves of a binary tree of bounding boxes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel

LEAF_TRIANGLES = 4
"""Triangles in a leaf of the tree."""
TOUCH_TOLERANCE = 1e-6
"""A hit within this share of a segment's length from an end touches that end and does not block."""


@dataclass(frozen=True)
class BoxTree:
    """Triangles in leaf order, with the boxes of a full binary tree as a heap: children of n are 2 n + 1, 2 n + 2."""

    corners: Float[ndarray, "triangles 3 3"]
    """Corner positions of each triangle."""
    indices: Int[ndarray, "triangles 3"]
    """Vertex numbers of each triangle."""
    numbers: Int[ndarray, "triangles"]
    """Number of each triangle in the mesh."""
    low: Float[ndarray, "boxes 3"]
    """Lower corner of each box; above the upper corner where the box is empty."""
    high: Float[ndarray, "boxes 3"]
    """Upper corner of each box."""


def box_tree(vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"]) -> BoxTree:
    """Build the tree of boxes over a mesh's triangles."""
    corners = vertices[triangles]
    centres = corners.mean(1)
    order = np.argsort(_morton(centres), kind="stable") if len(triangles) else np.zeros(0, np.int64)
    corners, indices = np.ascontiguousarray(corners[order]), np.ascontiguousarray(triangles[order])
    leaves = 1
    while leaves * LEAF_TRIANGLES < len(triangles):
        leaves *= 2
    low, high = np.full((2 * leaves - 1, 3), np.inf), np.full((2 * leaves - 1, 3), -np.inf)
    _fit_boxes(corners, low, high, leaves)
    return BoxTree(corners, indices, order, low, high)


def _morton(points: Float[ndarray, "points 3"]) -> Int[ndarray, "points"]:
    """Bits of the three coordinates (20 each) interleaved."""
    low, span = points.min(0), max(float(np.ptp(points, axis=0).max()), 1e-30)
    cells = ((points - low) / span * (2**20 - 1)).astype(np.int64)
    for shift, mask in (
        (32, 0x1F00000000FFFF),
        (16, 0x1F0000FF0000FF),
        (8, 0x100F00F00F00F00F),
        (4, 0x10C30C30C30C30C3),
        (2, 0x1249249249249249),
    ):
        cells = (cells | (cells << shift)) & mask
    return cells[:, 0] | (cells[:, 1] << 1) | (cells[:, 2] << 2)


@kernel
def _fit_boxes(corners, low, high, leaves):
    """Fit the boxes of a tree around its triangles, from the leaves up (in place)."""
    first = leaves - 1
    for t in range(len(corners)):
        node = first + t // LEAF_TRIANGLES
        for k in range(3):
            for d in range(3):
                low[node, d] = min(low[node, d], corners[t, k, d])
                high[node, d] = max(high[node, d], corners[t, k, d])
    for node in range(first - 1, -1, -1):
        for d in range(3):
            low[node, d] = min(low[2 * node + 1, d], low[2 * node + 2, d])
            high[node, d] = max(high[2 * node + 1, d], high[2 * node + 2, d])


@kernel
def _crosses(box_low, box_high, sx, sy, sz, ix, iy, iz):
    """Whether s + t d, 0 <= t <= 1, meets a box; i = 1 / d. An empty box has its low corner above its high one."""
    if box_low[0] > box_high[0]:
        return False
    ax, bx = (box_low[0] - sx) * ix, (box_high[0] - sx) * ix
    ay, by = (box_low[1] - sy) * iy, (box_high[1] - sy) * iy
    az, bz = (box_low[2] - sz) * iz, (box_high[2] - sz) * iz
    enter = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), 0.0))
    leave = min(min(max(ax, bx), max(ay, by)), min(max(az, bz), 1.0))
    return enter <= leave * (1.0 + 1e-12) + 1e-12


@kernel
def hit(corner, s, d):
    """Share t of s + t d at which it meets a triangle, and the sign of d . normal; t = inf where it misses."""
    e1x, e1y, e1z = corner[1, 0] - corner[0, 0], corner[1, 1] - corner[0, 1], corner[1, 2] - corner[0, 2]
    e2x, e2y, e2z = corner[2, 0] - corner[0, 0], corner[2, 1] - corner[0, 1], corner[2, 2] - corner[0, 2]
    px, py, pz = d[1] * e2z - d[2] * e2y, d[2] * e2x - d[0] * e2z, d[0] * e2y - d[1] * e2x
    det = e1x * px + e1y * py + e1z * pz
    if det == 0.0:
        return np.inf, 0.0
    tx, ty, tz = s[0] - corner[0, 0], s[1] - corner[0, 1], s[2] - corner[0, 2]
    u = (tx * px + ty * py + tz * pz) / det
    if u < -1e-9 or u > 1.0 + 1e-9:
        return np.inf, 0.0
    qx, qy, qz = ty * e1z - tz * e1y, tz * e1x - tx * e1z, tx * e1y - ty * e1x
    v = (d[0] * qx + d[1] * qy + d[2] * qz) / det
    if v < -1e-9 or u + v > 1.0 + 1e-9:
        return np.inf, 0.0
    return (e2x * qx + e2y * qy + e2z * qz) / det, -det


@kernel
def blocked(corners, indices, low, high, own, s, d, stack):
    """Whether anything lies across the segment from vertex `own` at s to s + d.

    Only triangles that the segment enters from their outside count: it starts inside the body, so one that it leaves
    is the body's own far side, with nothing behind it but a bone that sticks out. Triangles that have the vertex as a
    corner do not count; another part that touches the vertex does.
    """
    ix = 1.0 / d[0] if d[0] != 0.0 else 1e300
    iy = 1.0 / d[1] if d[1] != 0.0 else 1e300
    iz = 1.0 / d[2] if d[2] != 0.0 else 1e300
    first, count = len(low) // 2, len(corners)
    stack[0], top = 0, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if not _crosses(low[node], high[node], s[0], s[1], s[2], ix, iy, iz):
            continue
        if node < first:
            stack[top], stack[top + 1] = 2 * node + 2, 2 * node + 1
            top += 2
            continue
        start = (node - first) * LEAF_TRIANGLES
        for t in range(start, min(start + LEAF_TRIANGLES, count)):
            if indices[t, 0] == own or indices[t, 1] == own or indices[t, 2] == own:
                continue
            where, leaving = hit(corners[t], s, d)
            if leaving < 0.0 and -TOUCH_TOLERANCE <= where <= 1.0 - TOUCH_TOLERANCE:
                return True
    return False
