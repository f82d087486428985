"""Paths through the pose space: a walk from one pose to another, and the frames between key poses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import ConfigError
from gambol.poses.pose_diffusion import MAX_POSE_NOISE_LEVEL, blend_noise, denoise_poses, invert_poses
from gambol.poses.pose_parameters import PoseParameters, pose_bones
from gambol.poses.pose_rig import PoseRig
from gambol.poses.pose_space import PoseSpace, reduce_violations

WALK_OVERSAMPLING = 3
"""A walk is computed with this many times the frames and then resampled to even steps."""
KEY_BLEND_LEVEL = 0.6
"""Noise level at which the frames between keys are blended: low enough for them to stay near the keys."""
PATH_REPAIR_STEPS = 4
"""Repair steps of the frames between the ends of a path."""


def walk_pose_space(
    space: PoseSpace, first: PoseParameters, last: PoseParameters, frames: int, *, level: float = MAX_POSE_NOISE_LEVEL
) -> PoseParameters:
    """A path from one pose to another in even steps: both are inverted to noise, which is blended and denoised.

    The ends are exact: what inversion and denoising miss there is subtracted, blended linearly along the path.
    """
    if frames < 2:
        raise ConfigError(f"A walk of {frames} frames was asked for; it needs 2 or more.")
    u = torch.linspace(0.0, 1.0, WALK_OVERSAMPLING * (frames - 1) + 1)
    noises = invert_poses(space.network, space.features, torch.cat([first, last]), start_level=level)
    x = denoise_poses(space.network, space.features, blend_noise(noises[0], noises[1], u), start_level=level)
    x = x + (1 - u)[:, None, None] * (first - x[:1]) + u[:, None, None] * (last - x[-1:])
    return resample_evenly(space.rig, repair_between(space.rig, x), frames)


def repair_between(rig: PoseRig, x: PoseParameters) -> PoseParameters:
    """Reduce the violations of all frames but the ends; the changes are smoothed in time and fade in from the ends."""
    fade = torch.sin(torch.pi * torch.linspace(0.0, 1.0, len(x)))[:, None, None].clamp_max(0.5) * 2.0
    for _ in range(PATH_REPAIR_STEPS):
        change = reduce_violations(rig, x) - x
        padded = torch.cat([change[:1], change, change[-1:]])
        x = x + fade * (0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:])
    return x


def resample_evenly(rig: PoseRig, x: PoseParameters, frames: int) -> PoseParameters:
    """Resample a path to `frames` poses that are equally far apart (`step_lengths`); the ends are kept."""
    along = torch.cat([torch.zeros(1), step_lengths(rig, x).cumsum(0)])
    if float(along[-1]) < 1e-9:
        return x[torch.linspace(0, len(x) - 1, frames).round().long()]
    wanted = torch.linspace(0.0, float(along[-1]), frames)
    after = torch.searchsorted(along, wanted).clamp(1, len(x) - 1)
    span = (along[after] - along[after - 1]).clamp_min(1e-12)
    part = ((wanted - along[after - 1]) / span).clamp(0.0, 1.0)[:, None, None]
    even = (1 - part) * x[after - 1] + part * x[after]
    even[0], even[-1] = x[0], x[-1]
    return even


def step_lengths(rig: PoseRig, x: PoseParameters) -> Float[Tensor, "steps"]:
    """Mean distance that the bones' ends move from each pose to the next, sizes."""
    with torch.no_grad():
        ends = pose_bones(rig, x).carry(torch.as_tensor(rig.skeleton.tails).float())
    return (ends[1:] - ends[:-1]).norm(dim=-1).mean(1)


def interpolate_keys(space: PoseSpace, keys: Sequence[tuple[int, PoseParameters]]) -> PoseParameters:
    """All frames up to the last of the keys, given as (frame, pose): keys are exact, frames between them plausible.

    The keys are inverted to noise; a Catmull-Rom curve of constant variance through it is denoised; what is missing at
    the keys is added, blended linearly between them. Frames before the first key repeat it.
    """
    if len(keys) < 2:
        raise ConfigError(f"{len(keys)} keys were given; in-betweening needs two or more, such as 0=idle:0 24=walk:6.")
    ordered = sorted(keys, key=lambda key: key[0])
    frames = np.array([frame for frame, _ in ordered])
    if (np.diff(frames) < 1).any() or frames[0] < 0:
        given = ", ".join(map(str, frames))
        raise ConfigError(f"The keys are at frames {given}; their frames must differ and not be negative.")
    x = torch.cat([pose for _, pose in ordered])
    noises = invert_poses(space.network, space.features, x, start_level=KEY_BLEND_LEVEL)
    times = np.clip(np.arange(int(frames[-1]) + 1), frames[0], frames[-1]).astype(np.float64)
    curve = catmull_rom(frames, noises, times)
    moved = denoise_poses(space.network, space.features, curve, start_level=KEY_BLEND_LEVEL)
    moved = moved + piecewise_linear(frames, x - moved[frames], times)
    for a, b in pairwise(frames.tolist()):
        moved[a + 1 : b] = repair_between(space.rig, moved[a : b + 1])[1:-1]
    return moved


def catmull_rom(
    frames: np.ndarray, values: Float[Tensor, "keys bones 3"], times: np.ndarray
) -> Float[Tensor, "frames bones 3"]:
    """A cubic Hermite curve through values at key frames, with Catmull-Rom slopes, zero at the ends.

    Between two keys it is rescaled, so that its root mean square changes linearly from key to key.
    """
    slopes = torch.zeros_like(values)
    spans = torch.as_tensor(np.diff(frames)).float()
    rates = (values[1:] - values[:-1]) / spans[:, None, None]
    slopes[1:-1] = 0.5 * (rates[1:] + rates[:-1])
    after = np.clip(np.searchsorted(frames, times, side="right"), 1, len(frames) - 1)
    k = torch.as_tensor(after - 1)
    h = spans[k][:, None, None]
    u = torch.as_tensor(times - frames[after - 1]).float()[:, None, None] / h
    curve = (
        (2 * u**3 - 3 * u**2 + 1) * values[k]
        + (u**3 - 2 * u**2 + u) * h * slopes[k]
        + (3 * u**2 - 2 * u**3) * values[k + 1]
        + (u**3 - u**2) * h * slopes[k + 1]
    )
    size = values.square().mean((1, 2)).sqrt()[:, None, None]
    wanted = (1 - u) * size[k] + u * size[k + 1]
    return curve * wanted / curve.square().mean((1, 2), keepdim=True).sqrt().clamp_min(1e-6)


def piecewise_linear(
    frames: np.ndarray, values: Float[Tensor, "keys bones 3"], times: np.ndarray
) -> Float[Tensor, "frames bones 3"]:
    """Linear interpolation of values at key frames."""
    after = np.clip(np.searchsorted(frames, times, side="right"), 1, len(frames) - 1)
    u = torch.as_tensor((times - frames[after - 1]) / np.diff(frames)[after - 1]).float()[:, None, None]
    return (1 - u) * values[after - 1] + u * values[after]
