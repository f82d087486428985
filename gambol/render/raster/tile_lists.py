"""Lists of the splats that may reach each 4 x 4 tile, front to back: one sort by depth, then one pass."""

from __future__ import annotations

import numpy as np

from gambol.render.raster.projection import RECORD_SIZE
from gambol.render.raster.simd_lanes import LANE_COUNT, raster_kernel

TILE_SIZE_BITS = 2
"""Binary logarithm of a tile's side in pixels."""
RADIX_BITS = 12
"""Bits per pass of the radix sort: two passes for depths within a factor of four."""
LIST_PADDING = LANE_COUNT
"""Entries behind the last list, so that kernels may prefetch beyond its end."""


@raster_kernel()
def list_block(first, boxes, depths, order, count, reach, cover):
    """Append the visible splats of a block of sixteen to `order` as (depth, splat), and return their number so far.

    `boxes` has their first and last pixels: x0, x1, y0, y1, sixteen each. `cover` gets +1 and -1 at the corners of each
    box of tiles; its sums over rows and columns are the splats per tile.
    """
    for lane in range(min(LANE_COUNT, len(reach) - first)):
        x0, x1, y0, y1 = boxes[lane], boxes[lane + 16], boxes[lane + 32], boxes[lane + 48]
        if x0 <= x1 and y0 <= y1:
            x0, x1, y0, y1 = x0 >> TILE_SIZE_BITS, x1 >> TILE_SIZE_BITS, y0 >> TILE_SIZE_BITS, y1 >> TILE_SIZE_BITS
            splat = first + lane
            order[count] = (np.int64(depths[splat * RECORD_SIZE + 9]) << 32) | splat
            count += 1
            reach[splat] = (np.int64(y1) << 48) | (np.int64(y0) << 32) | (np.int64(x1) << 16) | np.int64(x0)
            cover[y0, x0] += 1
            cover[y0, x1 + 1] -= 1
            cover[y1 + 1, x0] -= 1
            cover[y1 + 1, x1 + 1] += 1
    return count


@raster_kernel()
def sort_by_depth(order):
    """Sort (depth, splat) pairs by a stable radix sort over as many digits as the depths differ in.

    Depths are positive, so the bits of these floats sort as whole numbers do.
    """
    count = len(order)
    if count == 0:
        return order
    low, high = order[0], order[0]
    for i in range(count):
        low, high = min(low, order[i]), max(high, order[i])
    low = (low >> 32) << 32
    other, size = np.empty_like(order), 1 << RADIX_BITS
    shift = 32
    while shift == 32 or (high - low) >> shift:
        places = np.zeros(size, np.int32)
        for i in range(count):
            places[((order[i] - low) >> shift) & (size - 1)] += 1
        total = 0
        for digit in range(size):
            now = places[digit]
            places[digit] = total
            total += now
        for i in range(count):
            digit = ((order[i] - low) >> shift) & (size - 1)
            other[places[digit]] = order[i]
            places[digit] += 1
        order, other = other, order
        shift += RADIX_BITS
    return order


@raster_kernel()
def fill_tiles(order, reach, cover):
    """The splats of all tiles in one array, and the start of each tile's list; tile t ends where t + 1 starts."""
    rows, columns = cover.shape[0] - 1, cover.shape[1] - 1
    starts = np.empty(rows * columns + 1, np.int32)
    total = 0
    for y in range(rows):
        here = 0
        for x in range(columns):
            if y > 0:
                cover[y, x] += cover[y - 1, x]
            here += cover[y, x]
            starts[y * columns + x] = total
            total += here
    starts[rows * columns] = total
    ends = starts.copy()
    splats = np.empty(total + LIST_PADDING, np.int32)
    splats[total:] = 0
    for i in range(len(order)):
        splat = order[i] & 0xFFFFFFFF
        box = reach[splat]
        x0, x1, y0, y1 = box & 0xFFFF, (box >> 16) & 0xFFFF, (box >> 32) & 0xFFFF, box >> 48
        across = x1 - x0 + 1
        tile, left = np.uintp(y0 * columns + x0), across
        for _ in range(across * (y1 - y0 + 1)):
            splats[np.uintp(ends[tile])] = splat
            ends[tile] += 1
            left -= 1
            tile += np.uintp(1 if left else columns - across + 1)
            left = left if left else across
    return starts, splats
