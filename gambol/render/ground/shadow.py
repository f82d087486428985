"""The soft contact shadow of a pose: light s = 1 - s_max exp(-beta d), d the height above (AKD supplement 3).

It is not differentiated: it helps people who watch, not the optimisation (the paper's finding).
"""

from __future__ import annotations

from math import ceil, floor

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.ground.kernels import NO_SHADOW, Shadow

MESH_SHADOW_CELLS = 96
"""Cells of a mesh's height grid along the character's size."""
SPLAT_SHADOW_CELLS = 64
"""Cells of the splats' height grid along the character's size; coarser, because it is made at every optimiser step."""
MAX_SHADOW_CELLS = 512
"""Longest side of a height grid, cells; a pose that reaches farther gets larger cells."""


def cast_shadow(
    ground: Checkerboard, vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], size: float
) -> Shadow:
    """The shadow of a posed mesh, whose surface is projected straight down onto a grid; `size` in metres."""
    if not len(triangles) or ground.shadow_strength == 0 or not size > 0:
        return NO_SHADOW
    used = vertices[np.unique(triangles)][:, [0, 2]]
    first, cell, rows, columns = _grid(used.min(0), used.max(0), size / MESH_SHADOW_CELLS, ground, size)
    surface = np.array(vertices, np.float64, order="C"), np.array(triangles, np.int32, order="C")
    heights = height_grid(*surface, first * cell, cell, rows, columns)
    return Shadow(first * cell, cell, _darkness(ground, heights[None], cell, size)[0])


def cast_splat_shadows(
    ground: Checkerboard, points: Float[ndarray, "frames points 3"], radii: Float[ndarray, "points"], size: float
) -> list[Shadow]:
    """The shadow in every frame of level discs of `radii` metres around points; those below the ground cast none."""
    frames, count = points.shape[:2]
    if not count or ground.shadow_strength == 0 or not size > 0:
        return [NO_SHADOW] * frames
    low, high = points[..., [0, 2]].min(1) - radii.max(), points[..., [0, 2]].max(1) + radii.max()
    # all frames share one cell and one count of nodes, so that they are blurred together
    _, cell, rows, columns = _grid(np.zeros(2), (high - low).max(0), size / SPLAT_SHADOW_CELLS, ground, size)
    first = np.floor((low - _border(ground, size)) / cell)
    heights = np.full((frames, rows + 1, columns + 1), np.inf, np.float32)
    for i in range(frames):
        drop_discs(heights[i], points[i], radii, first[i] * cell, cell)
    darkness = _darkness(ground, heights, cell, size)
    return [Shadow(first[i] * cell, cell, darkness[i]) for i in range(frames)]


def _border(ground: Checkerboard, size: float) -> float:
    return 4.0 * ground.shadow_blur * size


def _grid(
    low: ndarray, high: ndarray, cell: float, ground: Checkerboard, size: float
) -> tuple[ndarray, float, int, int]:
    """The first node (in cells), the cell, rows and columns of a grid around a rectangle.

    Its nodes are whole multiples of the cell in the world, so that the shadow does not swim under a walking character.
    """
    border = _border(ground, size)
    while (high - low).max() + 2 * border > (MAX_SHADOW_CELLS - 3) * cell:
        cell *= 2.0
    first = np.floor((low - border) / cell)
    columns, rows = (np.ceil((high + border) / cell) - first + 1).astype(int)
    return first, cell, int(rows), int(columns)


def _darkness(
    ground: Checkerboard, heights: Float[ndarray, "frames rows columns"], cell: float, size: float
) -> Float[ndarray, "frames rows columns"]:
    """s_max exp(-beta d), with a soft edge."""
    from scipy.ndimage import gaussian_filter

    darkness = ground.shadow_strength * np.exp(-ground.shadow_falloff / size * np.maximum(heights, 0.0))
    return gaussian_filter(darkness, ground.shadow_blur * size / cell, mode="constant", axes=(1, 2))


@kernel
def height_grid(vertices, triangles, origin, cell, rows, columns):
    """The least height of the surface above each node of a grid of the ground, infinite where there is none.

    Triangles count where a node lies below them, their corners at the nearest node, so that thin ones are not lost.
    """
    heights = np.full((rows, columns), np.inf)
    for t in range(len(triangles)):
        a, b, c = vertices[triangles[t, 0]], vertices[triangles[t, 1]], vertices[triangles[t, 2]]
        ax, az = (a[0] - origin[0]) / cell, (a[2] - origin[1]) / cell
        bx, bz = (b[0] - origin[0]) / cell, (b[2] - origin[1]) / cell
        cx, cz = (c[0] - origin[0]) / cell, (c[2] - origin[1]) / cell
        for x, z, y in ((ax, az, a[1]), (bx, bz, b[1]), (cx, cz, c[1])):
            i, j = floor(z + 0.5), floor(x + 0.5)
            heights[i, j] = min(heights[i, j], y)
        area = (bx - ax) * (cz - az) - (cx - ax) * (bz - az)
        if area == 0.0:
            continue
        for i in range(max(ceil(min(az, bz, cz)), 0), min(floor(max(az, bz, cz)) + 1, rows)):
            for j in range(max(ceil(min(ax, bx, cx)), 0), min(floor(max(ax, bx, cx)) + 1, columns)):
                beta = ((j - ax) * (cz - az) - (cx - ax) * (i - az)) / area
                gamma = ((bx - ax) * (i - az) - (j - ax) * (bz - az)) / area
                if beta >= 0.0 and gamma >= 0.0 and beta + gamma <= 1.0:
                    y = (1.0 - beta - gamma) * a[1] + beta * b[1] + gamma * c[1]
                    heights[i, j] = min(heights[i, j], y)
    return heights


@kernel
def drop_discs(heights, points, radii, origin, cell):
    """Lower each node of the grid to the lowest disc above it; a disc covers at least the node nearest its centre."""
    rows, columns = heights.shape
    for k in range(len(points)):
        x, y, z = points[k]
        if y < 0.0:
            continue
        x, z, reach = (x - origin[0]) / cell, (z - origin[1]) / cell, radii[k] / cell
        i, j = floor(z + 0.5), floor(x + 0.5)
        heights[i, j] = min(heights[i, j], y)
        for i in range(max(ceil(z - reach), 0), min(floor(z + reach) + 1, rows)):
            for j in range(max(ceil(x - reach), 0), min(floor(x + reach) + 1, columns)):
                if (i - z) ** 2 + (j - x) ** 2 <= reach * reach:
                    heights[i, j] = min(heights[i, j], y)
