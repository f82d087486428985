"""One frame in one call: from splats to pictures, and from the pictures' gradients back to splats, camera and bones."""

from __future__ import annotations

import numpy as np

from gambol.render.raster.backward import tile_gradients
from gambol.render.raster.forward import draw_tiles
from gambol.render.raster.lanes import WIDTH, kernel
from gambol.render.raster.projection import ROW
from gambol.render.raster.splat_buffers import (
    carry_gradients,
    carry_splats,
    place_gradients,
    place_splats,
    touched_splats,
)
from gambol.render.raster.tile_lists import fill_tiles, sort_by_depth


@kernel()
def _tables(splats, picture):
    """Room for a frame: all splats in whole blocks, records, (depth, splat), boxes, corners of boxes."""
    rows = np.arange((splats + WIDTH - 1) // WIDTH * WIDTH).astype(np.int32)
    rows[splats:] = max(splats - 1, 0)
    cover = np.zeros(((picture.shape[0] + 3) // 4 + 1, (picture.shape[1] + 3) // 4 + 1), np.int32)
    records = np.empty((len(rows), ROW), np.float32)
    return rows, records, np.empty(splats, np.int64), np.empty(splats, np.int64), cover


@kernel()
def _draw(records, order, reach, cover, rgb, alpha, depth):
    """Draw what the tables hold; gives what the gradients need, and how many splat-tile pairs were looked at."""
    starts, splats = fill_tiles(sort_by_depth(order), reach, cover)
    used = np.empty(len(starts) - 1, np.int32)
    looked = draw_tiles(records, starts, splats, used, rgb, alpha, depth)
    return records, starts, splats, used, looked


@kernel()
def draw_placed(camera, centres, covariances, view, colours, log_opacities, rgb, alpha, depth):
    """Splats that stand in the world, seen by the camera [R | t]; `view` is focal length, half sizes and edges."""
    rows, records, order, reach, cover = _tables(len(centres), alpha)
    count = place_splats(
        rows, camera, centres, covariances, view, colours, log_opacities, records, order, reach, cover
    )  # fmt: skip
    return _draw(records, order[:count], reach, cover, rgb, alpha, depth)


@kernel()
def draw_carried(
    bones, shift, bone_index, bone_weight, centres, covariances, view, colours, log_opacities, rgb, alpha, depth
):  # fmt: skip
    """Splats that bones carry; `bones` are rows of [R R_k | R t_k], `shift` is the camera's t."""
    rows, records, order, reach, cover = _tables(len(centres), alpha)
    count = carry_splats(
        rows, bones.reshape(-1), shift, bone_index, bone_weight, centres, covariances, view, colours, log_opacities,
        records, order, reach, cover,
    )  # fmt: skip
    return _draw(records, order[:count], reach, cover, rgb, alpha, depth)


@kernel()
def placed_gradients(
    records, starts, splats, used, looked, of_rgb, of_alpha, of_depth, camera, centres, covariances, view, opacities,
    of_camera, of_centres, of_covariances, of_colours, of_opacities,
):  # fmt: skip
    """Gradients of everything that `draw_placed` is given; they come zeroed."""
    sums = np.zeros((len(centres), ROW), np.float32)
    tile_gradients(records, starts, splats, used, of_rgb, of_alpha, of_depth, True, sums)
    rows, count = touched_splats(sums)
    place_gradients(rows, count, camera, centres, covariances, view, sums, of_camera, of_centres, of_covariances)
    for i in range(count):
        splat = rows[i]
        of_opacities[splat] = sums[splat, 5] / opacities[splat]
        for j in range(3):
            of_colours[splat, j] = sums[splat, 6 + j]


@kernel()
def carried_gradients(
    records, starts, splats, used, looked, with_depth, of_rgb, of_alpha, of_depth,
    bones, shift, bone_index, bone_weight, centres, covariances, view, of_bones, of_shift,
):  # fmt: skip
    """Gradients of bones and shift; where the depth has no gradient, `with_depth` saves work."""
    sums = np.zeros((len(centres), ROW), np.float32)
    tile_gradients(records, starts, splats, used, of_rgb, of_alpha, of_depth, with_depth, sums)
    rows, count = touched_splats(sums)
    carry_gradients(
        rows, count, bones.reshape(-1), shift, bone_index, bone_weight, centres, covariances, view, sums,
        of_bones, of_shift,
    )  # fmt: skip
