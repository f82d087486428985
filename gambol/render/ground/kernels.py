"""Numba loops that cast rays through pixels onto a filtered checkerboard, and their derivative."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.colour import linear_to_srgb
from gambol.character.compile_kernel import kernel

PIXEL_LOOP_FASTMATH = {"contract", "reassoc", "arcp", "nsz"}
"""Fast-math flags of loops over a row of pixels without branches, which are vectorised."""
FLATTEST_RAY_SLOPE = -1e-6
"""Slope d_y above which a ray counts as level: it meets the ground so far away that the squares are one grey."""
SRGB_TABLE_STEPS = 65536
"""Steps of `SRGB_TABLE` between 0 and 1."""
SRGB_TABLE = linear_to_srgb(np.arange(SRGB_TABLE_STEPS + 2) / SRGB_TABLE_STEPS)
"""sRGB values of linear light; straight lines between these points are within 1e-7 of the curve."""


class GroundTable(NamedTuple):
    """A `Checkerboard` for a character of known size, as the kernels read it: linear light, metres."""

    light: Float[ndarray, "3"]
    """Colour of the light squares."""
    dark: Float[ndarray, "3"]
    """Colour of the dark squares."""
    horizon: Float[ndarray, "3"]
    """Colour of the horizon and the haze."""
    zenith: Float[ndarray, "3"]
    """Colour of the sky straight above."""
    cell: float
    """Side of a square, metres."""
    haze: float
    """Range of the haze, metres; 0 is clear air."""


class Shadow(NamedTuple):
    """A contact shadow on a grid of the ground; node (i, j) lies at origin + cell (j, i), without shadow outside."""

    origin: Float[ndarray, "2"]
    """x and z of node (0, 0), metres."""
    cell: float
    """Distance between nodes, metres."""
    darkness: Float[ndarray, "rows columns"]
    """Share of the light that is missing at each node, 0 to 1."""


NO_SHADOW = Shadow(np.zeros(2), 1.0, np.zeros((0, 0)))
"""A shadow that darkens nothing."""


@kernel(forceinline=True)
def square_mean(x, width):
    """Mean of the square wave (+1 on [0, 1), -1 on [1, 2), ...) over a box around x, and its slopes by x and width.

    Its integral is the triangle wave T(x) = 1 - |2 frac(x / 2) - 1|, so s = (T(x + w/2) - T(x - w/2)) / w. With q the
    square wave itself, ds/dx = (q(x + w/2) - q(x - w/2)) / w and ds/dw = ((q(x + w/2) + q(x - w/2)) / 2 - s) / w.
    """
    inverse = 1.0 / max(width, 1e-9)
    half = 0.5 * max(width, 1e-9)
    upper, lower = 0.5 * (x + half), 0.5 * (x - half)
    upper, lower = 2.0 * (upper - np.floor(upper)) - 1.0, 2.0 * (lower - np.floor(lower)) - 1.0
    mean = (abs(lower) - abs(upper)) * inverse
    q_upper, q_lower = (1.0 if upper < 0.0 else -1.0), (1.0 if lower < 0.0 else -1.0)
    return mean, (q_upper - q_lower) * inverse, (0.5 * (q_upper + q_lower) - mean) * inverse


@kernel(forceinline=True)
def checker(x, z, width_x, width_z):
    """Share of light squares in a box around (x, z) of a board with cells of side 1: (1 + s(x) s(z)) / 2."""
    return 0.5 + 0.5 * square_mean(x, width_x)[0] * square_mean(z, width_z)[0]


@kernel(forceinline=True)
def _shadow_at(shadow, x, z):
    """Bilinear darkness at (x, z); 0 outside of the grid."""
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


@kernel(forceinline=True)
def _triple(row):
    """The three entries as scalars, which stay in registers; an array might change with every pixel that is written."""
    return row[0], row[1], row[2]


@kernel(forceinline=True)
def _numbers(ground):
    return _triple(ground.light), _triple(ground.dark), _triple(ground.horizon), _triple(ground.zenith)


@kernel
def _light_row(light, v, eye, d_0, g_u, g_v, shadow):
    """Fill `light` with the share of the light that reaches the ground under each pixel of a row."""
    for column in range(len(light)):
        u = column + 0.5
        dy = d_0[1] + u * g_u[1] + v * g_v[1]
        light[column] = 1.0
        if dy < FLATTEST_RAY_SLOPE:
            t = -eye[1] / dy
            x = eye[0] + t * (d_0[0] + u * g_u[0] + v * g_v[0])
            z = eye[2] + t * (d_0[2] + u * g_u[2] + v * g_v[2])
            light[column] = 1.0 - _shadow_at(shadow, x, z)


@kernel(forceinline=True)
def _ray(u, v, eye, d_0, g_u, g_v, flatness):
    """Ray d, |d|^2, 1 / d_y (held negative), distance t to the ground, and the ground's share of the pixel."""
    dx = d_0[0] + u * g_u[0] + v * g_v[0]
    dy = d_0[1] + u * g_u[1] + v * g_v[1]
    dz = d_0[2] + u * g_u[2] + v * g_v[2]
    per_dy = 1.0 / min(dy, FLATTEST_RAY_SLOPE)
    # d_y times the flatness is the signed distance to the horizon in pixels: the pixel that holds it shows both
    cover = min(max(0.5 - dy * flatness, 0.0), 1.0) if eye[1] > 0.0 else 0.0
    return dx, dy, dz, dx * dx + dy * dy + dz * dz, per_dy, -eye[1] * per_dy, cover


@kernel(forceinline=True)
def _footprint(t, slope, along_u, along_v, g_u, g_v):
    """Change of the ground point along x or z per pixel step in u and v, and the width of the box of that variance."""
    p_u, p_v = t * (along_u - slope * g_u[1]), t * (along_v - slope * g_v[1])
    return p_u, p_v, np.sqrt(p_u * p_u + p_v * p_v)


@kernel(forceinline=True)
def _clearness(q):
    """(1 + q / 8)^-8, near exp(-q), and its slope."""
    p = 1.0 / (1.0 + 0.125 * q)
    power = (p * p) * (p * p)
    power *= power
    return power, -power * p


@kernel(fastmath=PIXEL_LOOP_FASTMATH)
def cast_ground(image, eye, d_0, g_u, g_v, ground, shadow):
    """Fill `image` [3, height, width] with linear light; the rays are d = d_0 + u g_u + v g_v (see `draw_ground`)."""
    flatness = 1.0 / max(np.sqrt(g_u[1] * g_u[1] + g_v[1] * g_v[1]), 1e-30)
    thinning = 1.0 / ground.haze**2 if ground.haze > 0.0 else 0.0
    shaded, per_cell = shadow.darkness.size > 0, 1.0 / ground.cell
    (L0, L1, L2), (D0, D1, D2), (H0, H1, H2), (Z0, Z1, Z2) = _numbers(ground)
    eye, d_0, g_u, g_v = _triple(eye), _triple(d_0), _triple(g_u), _triple(g_v)
    light = np.ones(image.shape[2])
    for row in range(image.shape[1]):
        v = row + 0.5
        if shaded:
            _light_row(light, v, eye, d_0, g_u, g_v, shadow)
        for column in range(image.shape[2]):
            dx, dy, dz, squared, per_dy, t, cover = _ray(column + 0.5, v, eye, d_0, g_u, g_v, flatness)
            _, _, w_x = _footprint(t, dx * per_dy, g_u[0], g_v[0], g_u, g_v)
            _, _, w_z = _footprint(t, dz * per_dy, g_u[2], g_v[2], g_u, g_v)
            x, z = (eye[0] + t * dx) * per_cell, (eye[2] + t * dz) * per_cell
            bright = 0.5 * square_mean(x, w_x * per_cell)[0] * square_mean(z, w_z * per_cell)[0]
            seen = cover * _clearness(t * t * squared * thinning)[0]
            # the sky's colour goes with the sine of the ray's elevation, a gradient with no end in sight
            up = (1.0 - cover) * max(dy, 0.0) / np.sqrt(squared)
            near, far, rest = (
                seen * (0.5 + bright) * light[column],
                seen * (0.5 - bright) * light[column],
                1.0 - up - seen,
            )
            image[0, row, column] = up * Z0 + near * L0 + far * D0 + rest * H0
            image[1, row, column] = up * Z1 + near * L1 + far * D1 + rest * H1
            image[2, row, column] = up * Z2 + near * L2 + far * D2 + rest * H2


@kernel(fastmath=PIXEL_LOOP_FASTMATH)
def cast_ground_back(gradient, eye, d_0, g_u, g_v, ground, shadow):
    """Gradients by eye, d_0, g_u and g_v [4, 3] of a loss whose gradient by the image [3, height, width] is given.

    `cast_ground` from its last line to its first; a_q is the gradient by q. The shadow's light counts as constant.
    """
    flatness = 1.0 / max(np.sqrt(g_u[1] * g_u[1] + g_v[1] * g_v[1]), 1e-30)
    thinning = 1.0 / ground.haze**2 if ground.haze > 0.0 else 0.0
    shaded, per_cell = shadow.darkness.size > 0, 1.0 / ground.cell
    (L0, L1, L2), (D0, D1, D2), (H0, H1, H2), (Z0, Z1, Z2) = _numbers(ground)
    eye, d_0, g_u, g_v = _triple(eye), _triple(d_0), _triple(g_u), _triple(g_v)
    light = np.ones(gradient.shape[2])
    result = np.zeros((4, 3))
    for row in range(gradient.shape[1]):
        v = row + 0.5
        if shaded:
            _light_row(light, v, eye, d_0, g_u, g_v, shadow)
        # sums over the row: gradients by the eye, the rays, u times the rays, g_u and g_v themselves
        ex = ey = ez = rx = ry = rz = ux = uy = uz = hx = hy = hz = kx = ky = kz = 0.0
        for column in range(gradient.shape[2]):
            u = column + 0.5
            dx, dy, dz, squared, per_dy, t, cover = _ray(u, v, eye, d_0, g_u, g_v, flatness)
            slope_x, slope_z = dx * per_dy, dz * per_dy
            x_u, x_v, w_x = _footprint(t, slope_x, g_u[0], g_v[0], g_u, g_v)
            z_u, z_v, w_z = _footprint(t, slope_z, g_u[2], g_v[2], g_u, g_v)
            x, z = (eye[0] + t * dx) * per_cell, (eye[2] + t * dz) * per_cell
            s_x, s_x_by_x, s_x_by_w = square_mean(x, w_x * per_cell)
            s_z, s_z_by_z, s_z_by_w = square_mean(z, w_z * per_cell)
            clear, clear_by_q = _clearness(t * t * squared * thinning)
            bright, per_length = 0.5 * s_x * s_z, 1.0 / np.sqrt(squared)
            high = max(dy, 0.0) * per_length
            a0, a1, a2 = gradient[0, row, column], gradient[1, row, column], gradient[2, row, column]
            a_rest = a0 * H0 + a1 * H1 + a2 * H2
            a_up = a0 * Z0 + a1 * Z1 + a2 * Z2 - a_rest
            a_near = (a0 * L0 + a1 * L1 + a2 * L2) * light[column]
            a_far = (a0 * D0 + a1 * D1 + a2 * D2) * light[column]
            a_seen = a_near * (0.5 + bright) + a_far * (0.5 - bright) - a_rest
            met = 1.0 if dy < FLATTEST_RAY_SLOPE else 0.0
            a_bright = met * cover * clear * (a_near - a_far)
            a_q = met * a_seen * cover * clear_by_q * thinning
            # up = (1 - cover) d_y / |d|, cover = 1/2 - d_y flatness
            a_high = a_up * (1.0 - cover)
            a_cover = a_seen * clear - a_up * high if 0.0 < cover < 1.0 else 0.0
            turned = a_high * high * per_length * per_length
            a_dx, a_dz = -turned * dx, -turned * dz
            a_dy = (a_high * per_length if dy > 0.0 else 0.0) - turned * dy - a_cover * flatness
            a_steep = a_cover * dy * flatness**3
            # bright = s(x) s(z) / 2, p = eye + t d, p_u = t (g_u - d g_u,y / d_y), q = t^2 |d|^2 thinning
            a_x, a_z = 0.5 * a_bright * s_z * s_x_by_x * per_cell, 0.5 * a_bright * s_x * s_z_by_z * per_cell
            a_wx = 0.5 * a_bright * s_z * s_x_by_w * per_cell / max(w_x, 1e-300)
            a_wz = 0.5 * a_bright * s_x * s_z_by_w * per_cell / max(w_z, 1e-300)
            a_xu, a_xv, a_zu, a_zv = a_wx * x_u, a_wx * x_v, a_wz * z_u, a_wz * z_v
            a_t = 2.0 * a_q * t * squared + a_wx * w_x * w_x / t + a_wz * w_z * w_z / t + a_x * dx + a_z * dz
            a_slope_x = -t * (a_xu * g_u[1] + a_xv * g_v[1])
            a_slope_z = -t * (a_zu * g_u[1] + a_zv * g_v[1])
            a_dx += a_slope_x * per_dy + a_x * t + 2.0 * a_q * t * t * dx
            a_dz += a_slope_z * per_dy + a_z * t + 2.0 * a_q * t * t * dz
            a_dy += 2.0 * a_q * t * t * dy - (a_slope_x * slope_x + a_slope_z * slope_z + a_t * t) * per_dy
            ex, ey, ez = ex + a_x, ey - a_t * per_dy, ez + a_z
            rx, ry, rz = rx + a_dx, ry + a_dy, rz + a_dz
            ux, uy, uz = ux + u * a_dx, uy + u * a_dy, uz + u * a_dz
            hx, hz = hx + t * a_xu, hz + t * a_zu
            kx, kz = kx + t * a_xv, kz + t * a_zv
            hy += a_steep * g_u[1] - t * (a_xu * slope_x + a_zu * slope_z)
            ky += a_steep * g_v[1] - t * (a_xv * slope_x + a_zv * slope_z)
        for k, (a_eye, a_d, a_u, a_gu, a_gv) in enumerate(
            ((ex, rx, ux, hx, kx), (ey, ry, uy, hy, ky), (ez, rz, uz, hz, kz))
        ):
            result[0, k] += a_eye
            result[1, k] += a_d
            result[2, k] += a_u + a_gu
            result[3, k] += v * a_d + a_gv
    return result


@kernel
def encode_srgb(linear, table, srgb, slope):
    """sRGB values of linear light and the slope of the transfer curve there; all arrays flat."""
    steps = len(table) - 2
    for i in range(len(linear)):
        place = min(max(linear[i], 0.0), 1.0) * steps
        low = int(place)
        rise = table[low + 1] - table[low]
        srgb[i] = table[low] + (place - low) * rise
        slope[i] = rise * steps
