"""The derivative of blending, tile by tile: alphas are recomputed front to back, gradients found back to front.

With q_i the loss's derivative by w_i and B_i what is seen behind splat i (the q of the splats there, blended),

    dL / d ln alpha_i = w_i (q_i - B_i),   B_(i-1) = B_i + alpha_i (q_i - B_i)

which needs no division. Sums over a tile's pixels are taken for sixteen splats at a time, one lane each: moments of
g = dL / d ln alpha about the tile's corner, moved to the splat's centre.
"""

from __future__ import annotations

import numpy as np

from gambol.render.raster.forward import ALPHA_MAX_F32, PIXEL_X, PIXEL_Y, TRANSMITTANCE_MIN_F32, find_alphas
from gambol.render.raster.projection import F32, HALF, RECORD_SIZE, TILE_COUNT_SLOT, TWO, ZERO
from gambol.render.raster.simd_lanes import (
    LANE_COUNT,
    broadcast,
    gather,
    load_broadcast,
    load_vector,
    maximum,
    prefetch,
    raster_kernel,
    store_vector,
    transpose,
    where,
)

LEAST_TRANSMITTANCE = F32(1e-20)
"""Transmittance is kept above this, to avoid slow denormal floats."""


@raster_kernel(forceinline=True)
def _find_weights(count, alphas, weights):
    """Weights w of each splat in each pixel; 0 where the splat is not drawn.

    T only decreases, so a finished pixel stays finished; kept above 0, it avoids slow denormal floats.
    """
    T = broadcast(F32(1))
    for place in range(0, count * LANE_COUNT, LANE_COUNT):
        here = load_vector(alphas, place)
        after = T * (F32(1) - here)
        store_vector(weights, place, where(after > TRANSMITTANCE_MIN_F32, here * T, ZERO))
        T = maximum(after, LEAST_TRANSMITTANCE)


@raster_kernel(forceinline=True)
def _walk_back(record, splats, first, count, gradient, alphas, weights, slopes, total):
    """Slopes dL / d ln alpha of each splat in each pixel; 0 where alpha was clamped to `ALPHA_MAX`.

    Splats were drawn where w > 0. Prefetches the splats' rows of `total`, which are needed next.
    """
    red, green, blue = load_vector(gradient, 0), load_vector(gradient, 16), load_vector(gradient, 32)
    cover, depth = load_vector(gradient, 48), load_vector(gradient, 64)
    behind = broadcast(ZERO)
    for i in range(count - 1, -1, -1):
        r = splats[np.uintp(first + i)] * RECORD_SIZE
        prefetch(total, r)
        q = cover + load_broadcast(record, r + 6) * red + load_broadcast(record, r + 7) * green
        q = q + load_broadcast(record, r + 8) * blue + load_broadcast(record, r + 9) * depth
        here, w, more = load_vector(alphas, i * LANE_COUNT), load_vector(weights, i * LANE_COUNT), q - behind
        behind = behind + where(w > ZERO, here, ZERO) * more
        store_vector(slopes, i * LANE_COUNT, where(here < ALPHA_MAX_F32, w * more, ZERO))


@raster_kernel(forceinline=True)
def _moments(block, record, splats, first, corner_x, corner_y, sums):
    """Sums of g d, g d d^T and g of sixteen splats over a tile's pixels, d from the splat's centre."""
    s0, sx, sy = broadcast(ZERO), broadcast(ZERO), broadcast(ZERO)
    sxx, sxy, syy = broadcast(ZERO), broadcast(ZERO), broadcast(ZERO)
    for row in range(4):
        a, b = load_vector(block, row * 64), load_vector(block, row * 64 + 16)
        c, d = load_vector(block, row * 64 + 32), load_vector(block, row * 64 + 48)
        down = F32(row) + HALF
        here = (a + b) + (c + d)
        across = a * HALF + b * F32(1.5) + c * F32(2.5) + d * F32(3.5)
        s0, sx = s0 + here, sx + across
        sxx = sxx + (a * F32(0.25) + b * F32(2.25) + c * F32(6.25) + d * F32(12.25))
        sy, sxy, syy = sy + down * here, sxy + down * across, syy + (down * down) * here
    x = corner_x - gather(record, splats, first, RECORD_SIZE, 0)
    y = corner_y - gather(record, splats, first, RECORD_SIZE, 1)
    store_vector(sums, 0, sx + x * s0)
    store_vector(sums, 16, sy + y * s0)
    store_vector(sums, 32, sxx + x * (TWO * sx + x * s0))
    store_vector(sums, 48, sxy + x * sy + y * (sx + x * s0))
    store_vector(sums, 64, syy + y * (TWO * sy + y * s0))
    store_vector(sums, 80, s0)


@raster_kernel(forceinline=True)
def _colour_sums(block, gradient, sums):
    """Sums of w times the picture's gradient: gradients of colour and depth of sixteen splats."""
    red, green, blue, depth = broadcast(ZERO), broadcast(ZERO), broadcast(ZERO), broadcast(ZERO)
    for pixel in range(LANE_COUNT):
        w = load_vector(block, pixel * LANE_COUNT)
        red = red + w * load_broadcast(gradient, pixel)
        green = green + w * load_broadcast(gradient, 16 + pixel)
        blue = blue + w * load_broadcast(gradient, 32 + pixel)
        depth = depth + w * load_broadcast(gradient, 64 + pixel)
    store_vector(sums, 96, red)
    store_vector(sums, 112, green)
    store_vector(sums, 128, blue)
    store_vector(sums, 144, depth)


@raster_kernel(forceinline=True)
def _read_gradient(tx, ty, of_rgb, of_alpha, of_depth, gradient):
    """The picture's gradient in a tile's pixels: red, green, blue, alpha, depth; 0 beyond the picture's edge."""
    height, width = of_alpha.shape
    gradient[:] = ZERO
    for y in range(min(4, height - 4 * ty)):
        for x in range(min(4, width - 4 * tx)):
            k, v, h = 4 * y + x, 4 * ty + y, 4 * tx + x
            gradient[k] = of_rgb[0, v, h]
            gradient[16 + k] = of_rgb[1, v, h]
            gradient[32 + k] = of_rgb[2, v, h]
            gradient[48 + k] = of_alpha[v, h]
            gradient[64 + k] = of_depth[v, h]


@raster_kernel()
def tile_gradients(records, starts, splats, used, of_rgb, of_alpha, of_depth, with_colours, sums):
    """Add to each splat's row of `sums`: g d (2), g d d^T (3), g, then w times the gradient of rgb and depth (4).

    The last entry of a row counts the tiles in which the splat is visible.
    """
    height, width = of_alpha.shape
    columns = (width + 3) // 4
    record, total = records.reshape(-1), sums.reshape(-1)
    longest = (used.max() + LANE_COUNT - 1) // LANE_COUNT * LANE_COUNT
    alphas, weights = np.empty(longest * LANE_COUNT, np.float32), np.empty(longest * LANE_COUNT, np.float32)
    slopes = np.empty(longest * LANE_COUNT, np.float32)
    block, batch = np.empty(LANE_COUNT * LANE_COUNT, np.float32), np.zeros(LANE_COUNT * LANE_COUNT, np.float32)
    store_vector(batch, TILE_COUNT_SLOT * LANE_COUNT, broadcast(F32(1)))
    gradient, across, down = np.empty(5 * LANE_COUNT, np.float32), PIXEL_X.copy(), PIXEL_Y.copy()
    for t in range(len(used)):
        first, count = starts[t], used[t]
        if count == 0:
            continue
        ty, tx = t // columns, t % columns
        _read_gradient(tx, ty, of_rgb, of_alpha, of_depth, gradient)
        corner_x, corner_y = F32(4 * tx) - HALF * F32(width), F32(4 * ty) - HALF * F32(height)
        px, py = load_vector(across, 0) + corner_x, load_vector(down, 0) + corner_y
        find_alphas(record, splats, first, first + count, px, py, alphas)
        _find_weights(count, alphas, weights)
        _walk_back(record, splats, first, count, gradient, alphas, weights, slopes, total)
        for place in range(
            count * LANE_COUNT, (count + LANE_COUNT - 1) // LANE_COUNT * LANE_COUNT * LANE_COUNT, LANE_COUNT
        ):
            store_vector(slopes, place, broadcast(ZERO))
            store_vector(weights, place, broadcast(ZERO))
        for i in range(0, count, LANE_COUNT):
            transpose(block, 0, slopes, i * LANE_COUNT)
            _moments(block, record, splats, first + i, corner_x, corner_y, batch)
            if with_colours:
                transpose(block, 0, weights, i * LANE_COUNT)
                _colour_sums(block, gradient, batch)
            transpose(block, 0, batch, 0)
            for j in range(min(LANE_COUNT, count - i)):
                r = splats[first + i + j] * RECORD_SIZE
                store_vector(total, r, load_vector(total, r) + load_vector(block, j * LANE_COUNT))
