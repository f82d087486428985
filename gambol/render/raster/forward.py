"""Blending front to back, tile by tile, with one lane per pixel of a 4 x 4 tile."""

from __future__ import annotations

import numpy as np

from gambol.render.raster.projection import F32, LOG2_ALPHA_MIN, RECORD_SIZE, ZERO
from gambol.render.raster.simd_lanes import (
    LANE_COUNT,
    any_lane,
    broadcast,
    exp2,
    load_broadcast,
    load_vector,
    minimum,
    prefetch,
    raster_kernel,
    store_vector,
    where,
)
from gambol.render.raster.torch_reference import ALPHA_MAX, TRANSMITTANCE_MIN

ALPHA_MAX_F32, TRANSMITTANCE_MIN_F32 = F32(ALPHA_MAX), F32(TRANSMITTANCE_MIN)
"""`ALPHA_MAX` and `TRANSMITTANCE_MIN` in the kernels' precision."""
PIXEL_X = np.tile(np.arange(4), 4).astype(np.float32) + F32(0.5)
"""Horizontal positions of the centres of a tile's sixteen pixels from its corner, pixels."""
PIXEL_Y = np.repeat(np.arange(4), 4).astype(np.float32) + F32(0.5)
"""Vertical positions of the centres of a tile's sixteen pixels from its corner, pixels."""
PREFETCH_DISTANCE = 8
"""Splats between the one in work and the one whose record is prefetched."""
SPLATS_PER_CHUNK = 32
"""Splats whose alphas are computed before they are blended: the two loops share no registers."""


@raster_kernel(forceinline=True)
def find_alphas(record, splats, first, last, px, py, alphas):
    """Alphas of a list of splats in every pixel of a tile; 0 where they are below `ALPHA_MIN`."""
    place = 0
    for i in range(first, last):
        prefetch(record, splats[np.uintp(i + PREFETCH_DISTANCE)] * RECORD_SIZE)
        r = splats[np.uintp(i)] * RECORD_SIZE
        dx, dy = px - load_broadcast(record, r), py - load_broadcast(record, r + 1)
        slope = load_broadcast(record, r + 3) * dx + load_broadcast(record, r + 4) * dy
        power = load_broadcast(record, r + 5) - load_broadcast(record, r + 2) * dx * dx - slope * dy
        store_vector(alphas, place, where(power >= LOG2_ALPHA_MIN, minimum(exp2(power), ALPHA_MAX_F32), ZERO))
        place += LANE_COUNT


@raster_kernel()
def draw_tiles(records, starts, splats, used, rgb, alpha, depth):
    """Draw the pictures of one frame; returns the number of splat-tile pairs that were evaluated.

    Each tile's list is reduced to the splats that are visible in it or end it, `used[tile]` of them.
    """
    height, width = alpha.shape
    columns, rows = (width + 3) // 4, (height + 3) // 4
    record = records.reshape(-1)
    tile, alphas = np.empty((5, LANE_COUNT), np.float32), np.empty(SPLATS_PER_CHUNK * LANE_COUNT, np.float32)
    across, down = PIXEL_X.copy(), PIXEL_Y.copy()
    evaluated = 0
    for t in range(columns * rows):
        ty, tx = t // columns, t % columns
        px = load_vector(across, 0) + (F32(4 * tx) - F32(0.5) * F32(width))
        py = load_vector(down, 0) + (F32(4 * ty) - F32(0.5) * F32(height))
        T, r, g, b = broadcast(F32(1)), broadcast(ZERO), broadcast(ZERO), broadcast(ZERO)
        a, z = broadcast(ZERO), broadcast(ZERO)
        first, last = starts[t], starts[t + 1]
        kept, begin, end = first, first, first
        while begin < last:
            end = min(begin + SPLATS_PER_CHUNK, last)
            find_alphas(record, splats, begin, end, px, py, alphas)
            place = 0
            for i in range(begin, end):
                splat = splats[np.uintp(i)]
                here = load_vector(alphas, place)
                place += LANE_COUNT
                w, after = here * T, T * (F32(1) - here)
                splats[np.uintp(kept)] = splat
                kept += any_lane(w > ZERO)
                live = after > TRANSMITTANCE_MIN_F32
                w, T = where(live, w, ZERO), where(live, after, ZERO)
                o = splat * RECORD_SIZE
                r = r + w * load_broadcast(record, o + 6)
                g = g + w * load_broadcast(record, o + 7)
                b = b + w * load_broadcast(record, o + 8)
                z = z + w * load_broadcast(record, o + 9)
                a = a + w
                if not any_lane(live):
                    end, last = i + 1, i + 1
                    break
            begin = end
        used[t] = kept - first
        evaluated += end - first
        store_vector(tile, 0, r)
        store_vector(tile, 16, g)
        store_vector(tile, 32, b)
        store_vector(tile, 48, a)
        store_vector(tile, 64, z)
        for y in range(min(4, height - 4 * ty)):
            for x in range(min(4, width - 4 * tx)):
                k, v, h = 4 * y + x, 4 * ty + y, 4 * tx + x
                rgb[0, v, h] = tile[0, k]
                rgb[1, v, h] = tile[1, k]
                rgb[2, v, h] = tile[2, k]
                alpha[v, h] = tile[3, k]
                depth[v, h] = tile[4, k]
    return evaluated
