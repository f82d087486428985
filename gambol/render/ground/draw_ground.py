"""Checkerboard and sky behind a batch of frames, differentiable with respect to the cameras.

A moving ground is what makes a character's travel visible to a camera that follows it. On the CPU the loops of
`kernels` draw and differentiate; `cast_torch` is their twin in plain torch, for other devices and for the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.render.camera_batch import PinholeCameras
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.ground.kernels import (
    NO_SHADOW,
    SRGB_TABLE,
    GroundTable,
    Shadow,
    cast_ground,
    cast_ground_back,
    encode_srgb,
)

Rays = Float[Tensor, "frames 4 3"]
"""Rows eye, d_0, g_u, g_v of each frame: the ray through pixel position (u, v) is eye + t (d_0 + u g_u + v g_v)."""


def draw_ground_frames(
    ground: Checkerboard, cameras: PinholeCameras, size: float, shadows: Sequence[Shadow] | None = None
) -> Float[Tensor, "frames 3 height width"]:
    """Draw what the cameras see of ground and sky, sRGB; the same pixels as `checkerboard.draw_ground`, differentiable.

    Shadows, one per frame, count as constant.
    """
    shadows = shadows if shadows is not None else [NO_SHADOW] * len(cameras)
    rays, table = camera_rays(cameras), ground.table(size)
    if rays.device.type != "cpu":
        return linear_to_srgb_torch(cast_torch(rays, table, cameras.width, cameras.height, shadows))
    return _CastGround.apply(rays, table, cameras.width, cameras.height, shadows)


def camera_rays(cameras: PinholeCameras) -> Rays:
    """Rays of each camera: the eye, d_0 = forward - w/2 g_u - h/2 g_v, g_u = right / focal and g_v = down / focal."""
    R = cameras.T_camera_world[:, :3, :3]
    g_u, g_v = (R[:, k] / cameras.focal[:, None] for k in (0, 1))
    return torch.stack([cameras.eyes, R[:, 2] - 0.5 * cameras.width * g_u - 0.5 * cameras.height * g_v, g_u, g_v], 1)


def linear_to_srgb_torch(linear: Tensor) -> Tensor:
    """sRGB values of linear light: `colour.linear_to_srgb` in torch."""
    linear = linear.clamp(0.0, 1.0)
    return torch.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear.clamp_min(0.0031308) ** (1 / 2.4) - 0.055)


def cast_torch(
    rays: Rays, ground: GroundTable, width: int, height: int, shadows: Sequence[Shadow]
) -> Float[Tensor, "frames 3 height width"]:
    """The readable twin of `kernels.cast_ground`: linear light, every pixel of every frame at once."""
    eye, d_0, g_u, g_v = (row[:, :, None, None] for row in rays.unbind(1))
    u = torch.arange(width, dtype=rays.dtype, device=rays.device)[None, None, None] + 0.5
    v = torch.arange(height, dtype=rays.dtype, device=rays.device)[None, None, :, None] + 0.5
    d = d_0 + u * g_u + v * g_v
    squared = (d * d).sum(1)
    d_y = d[:, 1]
    steepness = torch.hypot(g_u[:, 1], g_v[:, 1]).clamp_min(1e-30)
    cover = torch.where(eye[:, 1] > 0, (0.5 - d_y / steepness).clamp(0.0, 1.0), 0.0)
    high = d_y.clamp_min(0.0) / squared.sqrt()
    met = (cover > 0) & (d_y < 0)
    d_y = torch.where(met, d_y, -1.0)
    t = -eye[:, 1] / d_y
    point = eye + t[:, None] * d
    means = []
    for k in (0, 2):
        steps = [torch.where(met, t * (g[:, k] - d[:, k] * g[:, 1] / d_y), 1.0) for g in (g_u, g_v)]
        means.append(_square_mean(point[:, k] / ground.cell, torch.hypot(*steps) / ground.cell))
    share = torch.where(met, 0.5 + 0.5 * means[0] * means[1], 0.5)[:, None]
    clear = (
        torch.where(met, (1 + t * t * squared / (8 * ground.haze**2)) ** -8, 0.0)[:, None] if ground.haze > 0 else 1.0
    )
    places = point.detach()
    dim = [shadow_under(shadow, places[i, 0], places[i, 2]) for i, shadow in enumerate(shadows)]
    light = torch.where(met, 1.0 - torch.stack(dim), 1.0)[:, None]
    bright, dark, horizon, zenith = (torch.as_tensor(c).to(rays)[None, :, None, None] for c in ground[:4])
    sky = horizon + high[:, None] * (zenith - horizon)
    colour = (dark + share * (bright - dark)) * light
    return sky + cover[:, None] * (horizon + clear * (colour - horizon) - sky)


def shadow_under(shadow: Shadow, x: Tensor, z: Tensor) -> Tensor:
    """Share of the light that is missing at points of the ground: bilinear, 0 outside of the grid."""
    if not shadow.darkness.size:
        return torch.zeros_like(x)
    rows, columns = shadow.darkness.shape
    D = torch.as_tensor(shadow.darkness).to(x)
    j, i = (x - float(shadow.origin[0])) / shadow.cell, (z - float(shadow.origin[1])) / shadow.cell
    inside = (i >= 0) & (i < rows - 1) & (j >= 0) & (j < columns - 1)
    i, j = torch.where(inside, i, 0.0), torch.where(inside, j, 0.0)
    i0, j0 = i.long(), j.long()
    near = torch.lerp(D[i0, j0], D[i0, j0 + 1], j - j0)
    far = torch.lerp(D[i0 + 1, j0], D[i0 + 1, j0 + 1], j - j0)
    return torch.where(inside, torch.lerp(near, far, i - i0), 0.0)


def _square_mean(x: Tensor, width: Tensor) -> Tensor:
    """Mean of a square wave over a box, as `kernels.square_mean`."""
    width = width.clamp_min(1e-9)
    upper, lower = 0.5 * x + 0.25 * width, 0.5 * x - 0.25 * width
    upper, lower = upper - upper.detach().floor(), lower - lower.detach().floor()
    return ((2.0 * lower - 1.0).abs() - (2.0 * upper - 1.0).abs()) / width


class _CastGround(torch.autograd.Function):
    """`cast_ground` and `cast_ground_back`, a frame at a time, with the sRGB curve behind it."""

    @staticmethod
    def forward(
        context: Any, rays: Tensor, ground: GroundTable, width: int, height: int, shadows: Sequence[Shadow]
    ) -> Tensor:
        numbers = rays.detach().numpy().astype(np.float64)
        linear = np.empty((len(numbers), 3, height, width))
        for image, frame, shadow in zip(linear, numbers, shadows, strict=True):
            cast_ground(image, *frame, ground, shadow)
        srgb, slope = torch.empty(linear.shape, dtype=rays.dtype), torch.empty(linear.shape, dtype=rays.dtype)
        encode_srgb(linear.reshape(-1), SRGB_TABLE, srgb.numpy().reshape(-1), slope.numpy().reshape(-1))
        context.numbers, context.ground, context.shadows = numbers, ground, shadows
        context.save_for_backward(slope)
        return srgb

    @staticmethod
    def backward(context: Any, gradient: Tensor) -> tuple[Tensor, None, None, None, None]:  # type: ignore[override]
        (slope,) = context.saved_tensors
        by_light = (gradient * slope).double().contiguous().numpy()
        frames = zip(by_light, context.numbers, context.shadows, strict=True)
        result = [cast_ground_back(a, *frame, context.ground, shadow) for a, frame, shadow in frames]
        return torch.from_numpy(np.stack(result)).to(gradient), None, None, None, None
