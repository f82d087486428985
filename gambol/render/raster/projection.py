"""Splats to footprints and back, sixteen at a time: EWA projection (see `torch_reference`) and its derivative.

A splat's rest centre x and covariance S come through an affine map, x_c = L x + l: the camera alone, L = R, or the
camera after blended bones, L = R sum_k w_k R_k. With M = J L the footprint's covariance is M S M^T + 0.3 I, so blended
bones cost no covariance of their own. Maps are twelve numbers, the rows of [L | l]; covariances are six: xx, xy, xz,
yy, yz, zz.
"""

from __future__ import annotations

from math import log2
from typing import no_type_check

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from gambol.render.raster.simd_lanes import (
    FAST_MATH_FLAGS,
    FLOATS,
    LANE_COUNT,
    LANES,
    all_lanes,
    maximum,
    minimum,
    raster_kernel,
    where,
)
from gambol.render.raster.torch_reference import ALPHA_MIN, LOW_PASS_VARIANCE

RECORD_SIZE = 16
"""Floats per splat in tables of records and of gradients: one cache line."""
TILE_COUNT_SLOT = 15
"""Entry of a row of gradients that counts the tiles in which the splat is visible."""
F32 = np.float32
"""Type of all numbers in the kernels."""
ZERO, HALF, ONE, TWO = F32(0), F32(0.5), F32(1), F32(2)
"""Small numbers in the kernels' precision."""
LOW_PASS_F32, LOG2_ALPHA_MIN = F32(LOW_PASS_VARIANCE), F32(log2(ALPHA_MIN))
"""`LOW_PASS_VARIANCE` and log2 `ALPHA_MIN` in the kernels' precision."""


@intrinsic
@no_type_check
def project_centre(typing_context, L, x, focal):
    """Project centres in double precision: u and v from the picture's middle, and depth z.

    In single precision the sums L x + l alone move a centre by some 1e-5 pixels, which shows in the sixth digit.
    """

    def build(context, builder, signature, operands):
        wide = ir.VectorType(ir.DoubleType(), LANE_COUNT)
        L = [builder.fpext(builder.extract_value(operands[0], i), wide) for i in range(12)]
        x = [builder.fpext(builder.extract_value(operands[1], i), wide) for i in range(3)]

        def row(i):
            total = L[i + 3]
            for j in range(3):
                total = builder.fadd(builder.fmul(L[i + j], x[j], flags=FAST_MATH_FLAGS), total, flags=FAST_MATH_FLAGS)
            return total

        depth = row(8)
        scale = builder.fdiv(builder.fpext(all_lanes(builder, operands[2]), wide), depth)
        found = [builder.fmul(row(0), scale), builder.fmul(row(4), scale), depth]
        return context.make_tuple(builder, signature.return_type, [builder.fptrunc(v, FLOATS) for v in found])

    return types.UniTuple(LANES, 3)(L, x, focal), build


@raster_kernel(forceinline=True)
def footprint(L, x, S, focal, edge_x, edge_y):
    """Footprints of sixteen splats: centre in the camera, rows of M, rows of M S, and covariance C."""
    X = L[0] * x[0] + L[1] * x[1] + L[2] * x[2] + L[3]
    Y = L[4] * x[0] + L[5] * x[1] + L[6] * x[2] + L[7]
    Z = L[8] * x[0] + L[9] * x[1] + L[10] * x[2] + L[11]
    inverse = F32(1) / Z
    slope_x, slope_y = X * inverse, Y * inverse
    clamped_x, clamped_y = minimum(maximum(slope_x, -edge_x), edge_x), minimum(maximum(slope_y, -edge_y), edge_y)
    scale = focal * inverse
    a0, a1, a2 = (
        scale * (L[0] - clamped_x * L[8]),
        scale * (L[1] - clamped_x * L[9]),
        scale * (L[2] - clamped_x * L[10]),
    )
    b0, b1, b2 = (
        scale * (L[4] - clamped_y * L[8]),
        scale * (L[5] - clamped_y * L[9]),
        scale * (L[6] - clamped_y * L[10]),
    )
    p0, p1, p2 = (
        S[0] * a0 + S[1] * a1 + S[2] * a2,
        S[1] * a0 + S[3] * a1 + S[4] * a2,
        S[2] * a0 + S[4] * a1 + S[5] * a2,
    )
    q0, q1, q2 = (
        S[0] * b0 + S[1] * b1 + S[2] * b2,
        S[1] * b0 + S[3] * b1 + S[4] * b2,
        S[2] * b0 + S[4] * b1 + S[5] * b2,
    )
    C = (
        a0 * p0 + a1 * p1 + a2 * p2 + LOW_PASS_F32,
        a0 * q0 + a1 * q1 + a2 * q2,
        b0 * q0 + b1 * q1 + b2 * q2 + LOW_PASS_F32,
    )
    centre = (X, Y, Z, inverse, slope_x, slope_y, clamped_x, clamped_y)
    return centre, (a0, a1, a2), (b0, b1, b2), (p0, p1, p2), (q0, q1, q2), C


@raster_kernel(forceinline=True)
def footprint_gradients(L, x, S, focal, edge_x, edge_y, s):
    """Gradients dL/dx_c, dL/dL, the rows of M, and X = dL/dC from a splat's sums over pixels (see `backward`).

    With K = C^-1: dL/d(u, v) = K sum g d and X = K (sum g d d^T) K / 2. M = J L, and J depends on x_c.
    """
    centre, a, b, p, q, C = footprint(L, x, S, focal, edge_x, edge_y)
    X, Y, _, inverse, slope_x, slope_y, clamped_x, clamped_y = centre
    determinant = F32(1) / (C[0] * C[2] - C[1] * C[1])
    kxx, kxy, kyy = C[2] * determinant, -C[1] * determinant, C[0] * determinant
    du, dv = focal * (kxx * s[0] + kxy * s[1]), focal * (kxy * s[0] + kyy * s[1])
    e0, e1, e2, e3 = kxx * s[2] + kxy * s[3], kxx * s[3] + kxy * s[4], kxy * s[2] + kyy * s[3], kxy * s[3] + kyy * s[4]
    half = F32(0.5)
    xx, xy, yy = half * (e0 * kxx + e1 * kxy), half * (e0 * kxy + e1 * kyy), half * (e2 * kxy + e3 * kyy)
    two = F32(2)
    m0, m1, m2 = two * (xx * p[0] + xy * q[0]), two * (xx * p[1] + xy * q[1]), two * (xx * p[2] + xy * q[2])
    n0, n1, n2 = two * (xy * p[0] + yy * q[0]), two * (xy * p[1] + yy * q[1]), two * (xy * p[2] + yy * q[2])
    j0 = m0 * L[0] + m1 * L[1] + m2 * L[2]
    j1 = n0 * L[4] + n1 * L[5] + n2 * L[6]
    j2 = m0 * L[8] + m1 * L[9] + m2 * L[10]
    j3 = n0 * L[8] + n1 * L[9] + n2 * L[10]
    scale = focal * inverse
    gx = du - where(clamped_x == slope_x, scale * j2, F32(0))
    gy = dv - where(clamped_y == slope_y, scale * j3, F32(0))
    to_inverse = focal * (j0 + j1 - clamped_x * j2 - clamped_y * j3) + gx * X + gy * Y
    to_centre = (gx * inverse, gy * inverse, s[5] - to_inverse * inverse * inverse)
    third = (
        -scale * (clamped_x * m0 + clamped_y * n0),
        -scale * (clamped_x * m1 + clamped_y * n1),
        -scale * (clamped_x * m2 + clamped_y * n2),
    )
    to_L = ((scale * m0, scale * m1, scale * m2), (scale * n0, scale * n1, scale * n2), third)
    return to_centre, to_L, a, b, (xx, xy, yy)
