"""Blending front to back, tile by tile: one lane per pixel of a 4 x 4 tile."""

from __future__ import annotations

from math import log2

import numpy as np

from gambol.render.raster.lanes import WIDTH, any_lane, exp2, kernel, lanes, least, load, prefetch, spread, store, where
from gambol.render.raster.projection import F32, ROW
from gambol.render.raster.torch_reference import ALPHA_LEAST, ALPHA_MOST, T_LEAST

ZERO, LEAST_LOG2, MOST, LEAST_T = F32(0), F32(log2(ALPHA_LEAST)), F32(ALPHA_MOST), F32(T_LEAST)
ACROSS = np.tile(np.arange(4), 4).astype(np.float32) + F32(0.5)
DOWN = np.repeat(np.arange(4), 4).astype(np.float32) + F32(0.5)
AHEAD = 8
CHUNK = 32
"""Splats whose alphas are found at once, before they are blended: the two loops share no registers."""


@kernel(forceinline=True)
def find_alphas(record, splats, first, last, px, py, alphas):
    """alpha of the splats of a list in every pixel of a tile; 0 where it is below the least."""
    place = 0
    for i in range(first, last):
        prefetch(record, splats[np.uintp(i + AHEAD)] * ROW)
        r = splats[np.uintp(i)] * ROW
        dx, dy = px - spread(record, r), py - spread(record, r + 1)
        slope = spread(record, r + 3) * dx + spread(record, r + 4) * dy
        power = spread(record, r + 5) - spread(record, r + 2) * dx * dx - slope * dy
        store(alphas, place, where(power >= LEAST_LOG2, least(exp2(power), MOST), ZERO))
        place += WIDTH


@kernel()
def draw_tiles(records, starts, splats, used, rgb, alpha, depth):
    """The pictures of one frame, and how many splat-tile pairs were looked at.

    Each tile's list is cut down to the splats that show in it or end it, `used[tile]` of them.
    """
    height, width = alpha.shape
    columns, rows = (width + 3) // 4, (height + 3) // 4
    record = records.reshape(-1)
    tile, alphas = np.empty((5, WIDTH), np.float32), np.empty(CHUNK * WIDTH, np.float32)
    across, down = ACROSS.copy(), DOWN.copy()
    looked = 0
    for t in range(columns * rows):
        ty, tx = t // columns, t % columns
        px = load(across, 0) + (F32(4 * tx) - F32(0.5) * F32(width))
        py = load(down, 0) + (F32(4 * ty) - F32(0.5) * F32(height))
        T, r, g, b, a, z = lanes(F32(1)), lanes(ZERO), lanes(ZERO), lanes(ZERO), lanes(ZERO), lanes(ZERO)
        first, last = starts[t], starts[t + 1]
        kept, begin, end = first, first, first
        while begin < last:
            end = min(begin + CHUNK, last)
            find_alphas(record, splats, begin, end, px, py, alphas)
            place = 0
            for i in range(begin, end):
                splat = splats[np.uintp(i)]
                here = load(alphas, place)
                place += WIDTH
                w, after = here * T, T * (F32(1) - here)
                splats[np.uintp(kept)] = splat
                kept += any_lane(w > ZERO)
                live = after > LEAST_T
                w, T = where(live, w, ZERO), where(live, after, ZERO)
                o = splat * ROW
                r = r + w * spread(record, o + 6)
                g = g + w * spread(record, o + 7)
                b = b + w * spread(record, o + 8)
                z = z + w * spread(record, o + 9)
                a = a + w
                if not any_lane(live):
                    end, last = i + 1, i + 1
                    break
            begin = end
        used[t] = kept - first
        looked += end - first
        store(tile, 0, r)
        store(tile, 16, g)
        store(tile, 32, b)
        store(tile, 48, a)
        store(tile, 64, z)
        for y in range(min(4, height - 4 * ty)):
            for x in range(min(4, width - 4 * tx)):
                k, v, h = 4 * y + x, 4 * ty + y, 4 * tx + x
                rgb[0, v, h] = tile[0, k]
                rgb[1, v, h] = tile[1, k]
                rgb[2, v, h] = tile[2, k]
                alpha[v, h] = tile[3, k]
                depth[v, h] = tile[4, k]
    return looked
