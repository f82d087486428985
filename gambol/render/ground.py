"""The world around the character: a checkerboard at y = 0, filtered up to the horizon, its shadow, the sky."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple, no_type_check

import numpy as np
from jaxtyping import Float, Int
from numba import njit
from numpy import ndarray

from gambol.errors import AssetError
from gambol.render.cameras import Camera
from gambol.render.textures import INNER_KERNEL, KERNEL

SHADOW_CELLS = 96
"""Cells of the shadow's height grid along the character's size."""
MOST_SHADOW_CELLS = 512
"""Longest side of that grid; a pose that reaches farther gets larger cells."""

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Ground:
    """How ground and sky look; colours are linear light, `size` is the character's longest side."""

    cell: float | None = None
    """Side of a square of the checkerboard, metres; None takes a round number near 0.25 size."""
    light_colour: Colour = (0.62, 0.62, 0.61)
    dark_colour: Colour = (0.44, 0.45, 0.46)
    horizon_colour: Colour = (0.74, 0.78, 0.83)
    """Of the sky at the horizon, and of the haze into which the ground fades."""
    zenith_colour: Colour = (0.33, 0.46, 0.66)
    haze: float = 14.0
    """Distance at which the haze takes 1 - 1/e of the ground, in `size`; 0 is clear air."""
    shadow_strength: float = 0.7
    """s_max: the part of the light that is missing right below a surface that touches the ground."""
    shadow_falloff: float = 4.0
    """beta: the shadow falls to 1/e at the height 1 / beta, in 1 / `size`."""
    shadow_blur: float = 0.02
    """Standard deviation of the shadow's soft edge, in `size`."""

    def __post_init__(self) -> None:
        if self.cell is not None and not self.cell > 0:
            raise AssetError(f"The checkerboard's cell is {self.cell} m; it must be positive.")
        if not 0 <= self.shadow_strength <= 1:
            raise AssetError(f"The ground's shadow_strength is {self.shadow_strength}; allowed is 0 to 1.")
        if not min(self.haze, self.shadow_falloff, self.shadow_blur) >= 0:
            raise AssetError("The ground's haze, shadow_falloff and shadow_blur must not be negative.")


class Shadow(NamedTuple):
    """The missing part of the light on a grid of the ground; 0 outside. Node (i, j) lies at origin + cell (j, i)."""

    origin: Float[ndarray, "2"]
    """x and z of node (0, 0)."""
    cell: float
    darkness: Float[ndarray, "rows columns"]


NO_SHADOW = Shadow(np.zeros(2), 1.0, np.zeros((0, 0)))


def round_cell(size: float) -> float:
    """Round a quarter of the size to the series 1, 2, 5, 10, ... (nearest by ratio), for distances that can be read."""
    wanted = 0.25 * max(size, 1e-6)
    base = 10.0 ** np.floor(np.log10(wanted))
    candidates = base * np.array([1.0, 2.0, 5.0, 10.0])
    return float(candidates[np.abs(np.log(candidates / wanted)).argmin()])


def draw_ground(
    ground: Ground, camera: Camera, size: float, shadow: Shadow = NO_SHADOW
) -> Float[ndarray, "height width 3"]:
    """Draw what `camera` sees of ground and sky, linear light; from below the ground it sees only sky.

    The ray through a pixel, d = d_0 + u g_u + v g_v (linear in the pixel position), meets the ground at
    p = eye + t d with t = -eye_y / d_y. A step of one pixel moves that by p_u = t (g_u - d g_u,y / d_y), likewise p_v.
    The pixel's footprint is taken as a box of the same variance: w_x = sqrt(p_u,x^2 + p_v,x^2), likewise w_z.
    """
    R, eye = camera.T_camera_world[:3, :3], camera.eye
    g_u, g_v = R[0] / camera.fx, R[1] / camera.fy
    d_0 = R[2] - camera.cx * g_u - camera.cy * g_v
    colours = np.array([ground.light_colour, ground.dark_colour, ground.horizon_colour, ground.zenith_colour])
    cell = ground.cell if ground.cell is not None else round_cell(size)
    haze = ground.haze * size
    return _cast(camera.height, camera.width, eye, d_0, g_u, g_v, colours, cell, haze, shadow)


def cast_shadow(
    ground: Ground, vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], size: float
) -> Shadow:
    """Cast the soft contact shadow of a pose: light s = 1 - s_max exp(-beta d), d the height of the surface above.

    The surface is projected straight down into a grid; its nodes are whole multiples of the cell in the world, so that
    the shadow does not swim under a walking character.
    """
    from scipy.ndimage import gaussian_filter

    if not len(triangles) or ground.shadow_strength == 0 or not size > 0:
        return NO_SHADOW
    used = vertices[np.unique(triangles)]
    low, high = used[:, [0, 2]].min(0), used[:, [0, 2]].max(0)
    border = 4.0 * ground.shadow_blur * size
    cell = size / SHADOW_CELLS
    while (high - low).max() + 2 * border > (MOST_SHADOW_CELLS - 3) * cell:
        cell *= 2.0
    first = np.floor((low - border) / cell)
    columns, rows = (np.ceil((high + border) / cell) - first + 1).astype(int)
    surface = np.array(vertices, np.float64, order="C"), np.array(triangles, np.int32, order="C")
    heights = height_grid(*surface, first * cell, cell, rows, columns)
    darkness = ground.shadow_strength * np.exp(-ground.shadow_falloff / size * np.maximum(heights, 0.0))
    return Shadow(first * cell, cell, gaussian_filter(darkness, ground.shadow_blur * size / cell, mode="constant"))


@njit(**KERNEL)
@no_type_check
def height_grid(vertices, triangles, origin, cell, rows, columns):
    """Find the least height of the surface above each node of a grid of the ground, infinite where there is none.

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


@njit(**INNER_KERNEL)
@no_type_check
def checker(x, z, width_x, width_z):
    """Give the share of light squares in a box around (x, z) of a board with cells of side 1: (1 + s(x) s(z)) / 2.

    s is the mean over the box of the square wave that is +1 on [0, 1), -1 on [1, 2), ...; its integral is the triangle
    wave T(x) = 1 - |2 frac(x / 2) - 1|, so s(x) = (T(x + w/2) - T(x - w/2)) / w.
    """
    return 0.5 + 0.5 * _square_mean(x, width_x) * _square_mean(z, width_z)


@njit(**INNER_KERNEL)
@no_type_check
def _square_mean(x, width):
    width = max(width, 1e-9)
    upper, lower = 0.5 * (x + 0.5 * width), 0.5 * (x - 0.5 * width)
    upper, lower = upper - np.floor(upper), lower - np.floor(lower)
    return (abs(2.0 * lower - 1.0) - abs(2.0 * upper - 1.0)) / width


@njit(**INNER_KERNEL)
@no_type_check
def _shadow_at(shadow, x, z):
    """Bilinear; 0 outside of the grid."""
    rows, columns = shadow.darkness.shape
    j, i = (x - shadow.origin[0]) / shadow.cell, (z - shadow.origin[1]) / shadow.cell
    if not (0.0 <= i < rows - 1.0 and 0.0 <= j < columns - 1.0):
        return 0.0
    i0, j0 = int(i), int(j)
    fi, fj = i - i0, j - j0
    D = shadow.darkness
    near = D[i0, j0] + fj * (D[i0, j0 + 1] - D[i0, j0])
    far = D[i0 + 1, j0] + fj * (D[i0 + 1, j0 + 1] - D[i0 + 1, j0])
    return near + fi * (far - near)


@njit(**KERNEL)
@no_type_check
def _cast(height, width, eye, d_0, g_u, g_v, colours, cell, haze, shadow):
    image = np.zeros((height, width, 3))
    light, dark, horizon, zenith = colours
    steepness = np.sqrt(g_u[1] * g_u[1] + g_v[1] * g_v[1])
    for row in range(height):
        for column in range(width):
            u, v = column + 0.5, row + 0.5
            dx = d_0[0] + u * g_u[0] + v * g_v[0]
            dy = d_0[1] + u * g_u[1] + v * g_v[1]
            dz = d_0[2] + u * g_u[2] + v * g_v[2]
            length = np.sqrt(dx * dx + dy * dy + dz * dz)
            # the sky's colour goes with the sine of the ray's elevation, a gradient with no end in sight
            high = max(dy / length, 0.0)
            pixel = image[row, column]
            for k in range(3):
                pixel[k] = horizon[k] + high * (zenith[k] - horizon[k])
            if eye[1] <= 0.0:
                continue
            # signed distance to the horizon in pixels: the pixel that holds it shows both
            above = dy / steepness if steepness > 0.0 else (np.inf if dy > 0.0 else -np.inf)
            cover = min(max(0.5 - above, 0.0), 1.0)
            if cover == 0.0:
                continue
            share, dim, clear = 0.5, 0.0, 1.0
            if dy < 0.0:
                t = -eye[1] / dy
                x, z = eye[0] + t * dx, eye[2] + t * dz
                x_u, x_v = t * (g_u[0] - dx * g_u[1] / dy), t * (g_v[0] - dx * g_v[1] / dy)
                z_u, z_v = t * (g_u[2] - dz * g_u[1] / dy), t * (g_v[2] - dz * g_v[1] / dy)
                w_x, w_z = np.sqrt(x_u * x_u + x_v * x_v), np.sqrt(z_u * z_u + z_v * z_v)
                share = checker(x / cell, z / cell, w_x / cell, w_z / cell)
                dim = _shadow_at(shadow, x, z)
                if haze > 0.0:
                    clear = np.exp(-((t * length / haze) ** 2))
            elif haze > 0.0:
                clear = 0.0
            for k in range(3):
                colour = (dark[k] + share * (light[k] - dark[k])) * (1.0 - dim)
                pixel[k] += cover * (horizon[k] + clear * (colour - horizon[k]) - pixel[k])
    return image
