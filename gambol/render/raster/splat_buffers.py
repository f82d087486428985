"""Projection of splats into records and tile lists, and its derivative: in world coordinates, or skinned to bones.

Both come through an affine map to the camera (see `projection`): the camera's own [R | t] for all splats, or per
splat sum_k w_k [R R_k | R t_k] plus the camera's t.
"""

from __future__ import annotations

from math import log

import numpy as np

from gambol.render.raster.projection import (
    F32,
    HALF,
    LOG2_ALPHA_MIN,
    ONE,
    RECORD_SIZE,
    TILE_COUNT_SLOT,
    ZERO,
    footprint,
    footprint_gradients,
    project_centre,
)
from gambol.render.raster.simd_lanes import (
    LANE_COUNT,
    broadcast,
    gather,
    load_broadcast,
    load_vector,
    maximum,
    minimum,
    raster_kernel,
    sqrt,
    store_as_int32,
    store_tuple,
    store_vector,
    transpose,
    where,
)
from gambol.render.raster.tile_lists import list_block
from gambol.render.raster.torch_reference import SPLAT_NEAR_PLANE

CUTOFF_FACTOR = F32(2 * log(2) * 1.0001)
"""alpha >= 1/255 needs d^T C^-1 d <= 2 ln 2 (log2 o + log2 255); a little more, against rounding."""
LOG2_E, NEAR_PLANE_F32 = F32(1 / log(2)), F32(SPLAT_NEAR_PLANE)
"""log2 e, and `SPLAT_NEAR_PLANE` in the kernels' precision."""


@raster_kernel(forceinline=True)
def _world_map(camera):
    """The camera's [R | t], the same in every lane."""
    return (
        load_broadcast(camera, 0), load_broadcast(camera, 1), load_broadcast(camera, 2), load_broadcast(camera, 3),
        load_broadcast(camera, 4), load_broadcast(camera, 5), load_broadcast(camera, 6), load_broadcast(camera, 7),
        load_broadcast(camera, 8), load_broadcast(camera, 9), load_broadcast(camera, 10), load_broadcast(camera, 11),
    )  # fmt: skip


@raster_kernel(forceinline=True)
def _bone_map(rows, first, bones, shift, bone_index, bone_weight, scratch, block):
    """Blended rows sum_k w_k [R R_k | R t_k] of sixteen splats, one lane each."""
    influences = bone_index.shape[1]
    index, weight = bone_index.reshape(-1), bone_weight.reshape(-1)
    for lane in range(LANE_COUNT):
        blended, begin = broadcast(ZERO), rows[np.uintp(first + lane)] * influences
        for k in range(begin, begin + influences):
            blended = blended + load_broadcast(weight, k) * load_vector(bones, index[np.uintp(k)] * RECORD_SIZE)
        store_vector(scratch, lane * LANE_COUNT, blended)
    transpose(block, 0, scratch, 0)
    return (
        load_vector(block, 0), load_vector(block, 16), load_vector(block, 32), load_vector(block, 48) + shift[0],
        load_vector(block, 64), load_vector(block, 80), load_vector(block, 96), load_vector(block, 112) + shift[1],
        load_vector(block, 128), load_vector(block, 144), load_vector(block, 160), load_vector(block, 176) + shift[2],
    )  # fmt: skip


@raster_kernel(forceinline=True)
def _three_columns(table, rows, first):
    """The three columns of a table (centres or colours) for sixteen splats."""
    return gather(table, rows, first, 3, 0), gather(table, rows, first, 3, 1), gather(table, rows, first, 3, 2)


@raster_kernel(forceinline=True)
def _covariances(covariances, rows, first):
    """The upper triangles of sixteen covariances."""
    return (
        gather(covariances, rows, first, 9, 0),
        gather(covariances, rows, first, 9, 1),
        gather(covariances, rows, first, 9, 2),
        gather(covariances, rows, first, 9, 4),
        gather(covariances, rows, first, 9, 5),
        gather(covariances, rows, first, 9, 8),
    )


@raster_kernel(forceinline=True)
def _record(first, rows, L, x, S, view, colours, log_opacities, records, boxes, scratch):
    """Write the records of sixteen splats and the box of pixels each may reach: x0, x1, y0, y1; x1 < 0 if not visible.

    A record: centre from the picture's middle, conic times log2 e (xx and yy halved), log2 opacity, colour, depth.
    """
    focal, half_width, half_height = view[0], view[1], view[2]
    _, _, _, _, _, C = footprint(L, x, S, focal, view[3], view[4])
    u, v, z = project_centre(L, x, focal)
    determinant = C[0] * C[2] - C[1] * C[1]
    scale = LOG2_E / determinant
    opacity = gather(log_opacities, rows, first, 1, 0)
    budget = CUTOFF_FACTOR * (opacity - LOG2_ALPHA_MIN) + F32(1e-4)
    reach_x, reach_y = sqrt(budget * C[0]), sqrt(budget * C[2])
    width, height = half_width + half_width, half_height + half_height
    x0, x1 = maximum(u + (half_width + HALF) - reach_x, ZERO), minimum(u + (half_width - HALF) + reach_x, width - ONE)
    y0, y1 = (
        maximum(v + (half_height + HALF) - reach_y, ZERO),
        minimum(v + (half_height - HALF) + reach_y, height - ONE),
    )
    seen = (z >= NEAR_PLANE_F32) & (determinant > ZERO) & (opacity >= LOG2_ALPHA_MIN)
    seen = seen & (x1 >= ZERO) & (y1 >= ZERO) & (x0 < width) & (y0 < height)
    store_as_int32(boxes, 0, where(seen, x0, ZERO))
    store_as_int32(boxes, 16, where(seen, x1, -ONE))
    store_as_int32(boxes, 32, where(seen, y0, ZERO))
    store_as_int32(boxes, 48, where(seen, y1, -ONE))
    conic = (HALF * scale * C[2], -scale * C[1], HALF * scale * C[0])
    colour = _three_columns(colours, rows, first)
    store_tuple(scratch, 0, (u, v, conic[0], conic[1], conic[2], opacity, colour[0], colour[1], colour[2], z))
    transpose(records, first * RECORD_SIZE, scratch, 0)


@raster_kernel()
def project_world_splats(
    rows, camera, centres, covariances, view, colours, log_opacities, records, order, reach, cover
):
    """Write records and tile boxes of splats in world coordinates; returns the number of visible ones."""
    boxes, scratch = np.empty(4 * LANE_COUNT, np.int32), np.zeros(LANE_COUNT * LANE_COUNT, np.float32)
    depths, count = records.view(np.int32).reshape(-1), 0
    L = _world_map(camera)
    for first in range(0, len(rows), LANE_COUNT):
        x, S = _three_columns(centres, rows, first), _covariances(covariances, rows, first)
        _record(first, rows, L, x, S, view, colours, log_opacities, records, boxes, scratch)
        count = list_block(first, boxes, depths, order, count, reach, cover)
    return count


@raster_kernel()
def project_skinned_splats(
    rows, bones, shift, bone_index, bone_weight, centres, covariances, view, colours, log_opacities,
    records, order, reach, cover,
):  # fmt: skip
    """Write records and tile boxes of skinned splats; returns the number of visible ones."""
    boxes, scratch = np.empty(4 * LANE_COUNT, np.int32), np.zeros(LANE_COUNT * LANE_COUNT, np.float32)
    depths, count, block = records.view(np.int32).reshape(-1), 0, np.empty(LANE_COUNT * LANE_COUNT, np.float32)
    for first in range(0, len(rows), LANE_COUNT):
        L = _bone_map(rows, first, bones, shift, bone_index, bone_weight, scratch, block)
        x, S = _three_columns(centres, rows, first), _covariances(covariances, rows, first)
        _record(first, rows, L, x, S, view, colours, log_opacities, records, boxes, scratch)
        count = list_block(first, boxes, depths, order, count, reach, cover)
    return count


@raster_kernel()
def visible_splats(sums):
    """Indices of the splats that are visible in some pixel, in whole blocks of sixteen, and their number."""
    rows, count = np.zeros((len(sums) + LANE_COUNT - 1) // LANE_COUNT * LANE_COUNT, np.int32), 0
    for splat in range(len(sums)):
        rows[count] = splat
        count += sums[splat, TILE_COUNT_SLOT] > ZERO
    if count:
        rows[count:] = rows[count - 1]
    return rows, count


@raster_kernel(forceinline=True)
def _sums(sums, rows, first, count, scratch, block):
    """Sums over pixels of sixteen splats, one lane each: g d, g d d^T, and w times the gradient of depth."""
    for lane in range(LANE_COUNT):
        if first + lane < count:
            store_vector(scratch, lane * LANE_COUNT, load_vector(sums, rows[first + lane] * RECORD_SIZE))
        else:
            store_vector(scratch, lane * LANE_COUNT, broadcast(ZERO))
    transpose(block, 0, scratch, 0)
    return (
        load_vector(block, 0),
        load_vector(block, 16),
        load_vector(block, 32),
        load_vector(block, 48),
        load_vector(block, 64),
        load_vector(block, 144),
    )


@raster_kernel(forceinline=True)
def _map_gradient(x, g, G):
    """Gradient with respect to the rows of [L | l], where x_c = L x + l and M = J L."""
    return (
        G[0][0] + g[0] * x[0], G[0][1] + g[0] * x[1], G[0][2] + g[0] * x[2], g[0],
        G[1][0] + g[1] * x[0], G[1][1] + g[1] * x[1], G[1][2] + g[1] * x[2], g[1],
        G[2][0] + g[2] * x[0], G[2][1] + g[2] * x[1], G[2][2] + g[2] * x[2], g[2],
    )  # fmt: skip


@raster_kernel(forceinline=True)
def _covariance_gradient(a, b, X, i, j):
    """Entry (i, j) of M^T X M, the gradient with respect to the splat's covariance; a and b are the rows of M."""
    return X[0] * a[i] * a[j] + X[1] * (a[i] * b[j] + a[j] * b[i]) + X[2] * b[i] * b[j]


@raster_kernel()
def world_splat_gradients(rows, count, camera, centres, covariances, view, sums, of_camera, of_centres, of_covariances):
    """Gradients of the first `count` splats of `rows` and of the camera's [R | t] from the sums over pixels."""
    scratch, block = np.zeros(LANE_COUNT * LANE_COUNT, np.float32), np.empty(LANE_COUNT * LANE_COUNT, np.float32)
    totals, flat = np.zeros((12, LANE_COUNT), np.float32), sums.reshape(-1)
    L = _world_map(camera)
    for first in range(0, count, LANE_COUNT):
        x, S = _three_columns(centres, rows, first), _covariances(covariances, rows, first)
        s = _sums(flat, rows, first, count, scratch, block)
        g, G, a, b, X = footprint_gradients(L, x, S, view[0], view[3], view[4], s)
        store_tuple(block, 0, _map_gradient(x, g, G))
        for i in range(0, 12 * LANE_COUNT, LANE_COUNT):
            store_vector(totals, i, load_vector(totals, i) + load_vector(block, i))
        xy, xz, yz = (
            _covariance_gradient(a, b, X, 0, 1),
            _covariance_gradient(a, b, X, 0, 2),
            _covariance_gradient(a, b, X, 1, 2),
        )
        of_x = (
            L[0] * g[0] + L[4] * g[1] + L[8] * g[2],
            L[1] * g[0] + L[5] * g[1] + L[9] * g[2],
            L[2] * g[0] + L[6] * g[1] + L[10] * g[2],
        )
        of_S = (
            _covariance_gradient(a, b, X, 0, 0),
            xy,
            xz,
            xy,
            _covariance_gradient(a, b, X, 1, 1),
            yz,
            xz,
            yz,
            _covariance_gradient(a, b, X, 2, 2),
        )
        store_tuple(scratch, 0, of_x)
        store_tuple(scratch, 3 * LANE_COUNT, of_S)
        transpose(block, 0, scratch, 0)
        for lane in range(min(LANE_COUNT, count - first)):
            splat, place = rows[first + lane], lane * LANE_COUNT
            for j in range(3):
                of_centres[splat, j] = block[place + j]
            for j in range(9):
                of_covariances[splat, j] = block[place + 3 + j]
    for i in range(12):
        of_camera[i] = totals[i].astype(np.float64).sum()


@raster_kernel()
def skinned_splat_gradients(
    rows, count, bones, shift, bone_index, bone_weight, centres, covariances, view, sums, of_bones, of_shift
):  # fmt: skip
    """Gradients of the bones' rows and of the camera's t from the sums over pixels."""
    scratch, block = np.zeros(LANE_COUNT * LANE_COUNT, np.float32), np.empty(LANE_COUNT * LANE_COUNT, np.float32)
    totals, flat = np.zeros((3, LANE_COUNT), np.float32), sums.reshape(-1)
    exact, rough = np.zeros((len(of_bones), RECORD_SIZE), np.float64), np.zeros(len(of_bones) * RECORD_SIZE, np.float32)
    influences, index, weight = bone_index.shape[1], bone_index.reshape(-1), bone_weight.reshape(-1)
    for first in range(0, count, LANE_COUNT):
        L = _bone_map(rows, first, bones, shift, bone_index, bone_weight, scratch, block)
        x, S = _three_columns(centres, rows, first), _covariances(covariances, rows, first)
        s = _sums(flat, rows, first, count, scratch, block)
        g, G, _, _, _ = footprint_gradients(L, x, S, view[0], view[3], view[4], s)
        store_tuple(scratch, 0, _map_gradient(x, g, G))
        for i in range(3):
            store_vector(
                totals,
                i * LANE_COUNT,
                load_vector(totals, i * LANE_COUNT) + load_vector(scratch, (4 * i + 3) * LANE_COUNT),
            )
        transpose(block, 0, scratch, 0)
        for lane in range(min(LANE_COUNT, count - first)):
            row, begin = load_vector(block, lane * LANE_COUNT), rows[np.uintp(first + lane)] * influences
            for k in range(begin, begin + influences):
                place = index[np.uintp(k)] * RECORD_SIZE
                store_vector(rough, place, load_vector(rough, place) + load_broadcast(weight, k) * row)
        if (first // LANE_COUNT) % 16 == 15 or first + LANE_COUNT >= count:  # float32 sums stay short
            exact += rough.reshape(-1, RECORD_SIZE)
            rough[:] = ZERO
    for bone in range(len(of_bones)):
        for i in range(12):
            of_bones[bone, i] = exact[bone, i]
    for i in range(3):
        of_shift[i] = totals[i].astype(np.float64).sum()
