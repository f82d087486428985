"""One frame per call: drawing, and the gradients of splats, camera and bones from those of the pictures."""

from __future__ import annotations

import numpy as np

from gambol.render.raster.backward import tile_gradients
from gambol.render.raster.forward import draw_tiles
from gambol.render.raster.projection import RECORD_SIZE
from gambol.render.raster.simd_lanes import LANE_COUNT, raster_kernel
from gambol.render.raster.splat_buffers import (
    project_skinned_splats,
    project_world_splats,
    skinned_splat_gradients,
    visible_splats,
    world_splat_gradients,
)
from gambol.render.raster.tile_lists import fill_tiles, sort_by_depth


@raster_kernel()
def _tables(splats, picture):
    """Buffers of a frame: splat indices in whole blocks, records, (depth, splat) pairs, tile boxes, tile counts."""
    rows = np.arange((splats + LANE_COUNT - 1) // LANE_COUNT * LANE_COUNT).astype(np.int32)
    rows[splats:] = max(splats - 1, 0)
    cover = np.zeros(((picture.shape[0] + 3) // 4 + 1, (picture.shape[1] + 3) // 4 + 1), np.int32)
    records = np.empty((len(rows), RECORD_SIZE), np.float32)
    return rows, records, np.empty(splats, np.int64), np.empty(splats, np.int64), cover


@raster_kernel()
def _draw(records, order, reach, cover, rgb, alpha, depth):
    """Draw from the buffers; returns what the gradients need, and the number of splat-tile pairs evaluated."""
    starts, splats = fill_tiles(sort_by_depth(order), reach, cover)
    used = np.empty(len(starts) - 1, np.int32)
    evaluated = draw_tiles(records, starts, splats, used, rgb, alpha, depth)
    return records, starts, splats, used, evaluated


@raster_kernel()
def draw_world_frame(camera, centres, covariances, view, colours, log_opacities, rgb, alpha, depth):
    """Draw splats in world coordinates, seen by the camera [R | t]; `view` is a row of `cpu.camera_intrinsics`."""
    rows, records, order, reach, cover = _tables(len(centres), alpha)
    count = project_world_splats(
        rows, camera, centres, covariances, view, colours, log_opacities, records, order, reach, cover
    )  # fmt: skip
    return _draw(records, order[:count], reach, cover, rgb, alpha, depth)


@raster_kernel()
def draw_skinned_frame(
    bones, shift, bone_index, bone_weight, centres, covariances, view, colours, log_opacities, rgb, alpha, depth
):  # fmt: skip
    """Draw skinned splats; `bones` are rows of [R R_k | R t_k], `shift` is the camera's t."""
    rows, records, order, reach, cover = _tables(len(centres), alpha)
    count = project_skinned_splats(
        rows, bones.reshape(-1), shift, bone_index, bone_weight, centres, covariances, view, colours, log_opacities,
        records, order, reach, cover,
    )  # fmt: skip
    return _draw(records, order[:count], reach, cover, rgb, alpha, depth)


@raster_kernel()
def world_frame_gradients(
    records, starts, splats, used, evaluated, of_rgb, of_alpha, of_depth, camera, centres, covariances, view, opacities,
    of_camera, of_centres, of_covariances, of_colours, of_opacities,
):  # fmt: skip
    """Add the gradients of all inputs of `draw_world_frame` to arrays of zeros."""
    sums = np.zeros((len(centres), RECORD_SIZE), np.float32)
    tile_gradients(records, starts, splats, used, of_rgb, of_alpha, of_depth, True, sums)
    rows, count = visible_splats(sums)
    world_splat_gradients(rows, count, camera, centres, covariances, view, sums, of_camera, of_centres, of_covariances)
    for i in range(count):
        splat = rows[i]
        of_opacities[splat] = sums[splat, 5] / opacities[splat]
        for j in range(3):
            of_colours[splat, j] = sums[splat, 6 + j]


@raster_kernel()
def skinned_frame_gradients(
    records, starts, splats, used, evaluated, with_depth, of_rgb, of_alpha, of_depth,
    bones, shift, bone_index, bone_weight, centres, covariances, view, of_bones, of_shift,
):  # fmt: skip
    """Add the gradients of bones and shift to arrays of zeros; `with_depth` tells whether the depth has a gradient."""
    sums = np.zeros((len(centres), RECORD_SIZE), np.float32)
    tile_gradients(records, starts, splats, used, of_rgb, of_alpha, of_depth, with_depth, sums)
    rows, count = visible_splats(sums)
    skinned_splat_gradients(
        rows, count, bones.reshape(-1), shift, bone_index, bone_weight, centres, covariances, view, sums,
        of_bones, of_shift,
    )  # fmt: skip
