"""Ways through the pose space: a walk from one pose to another, and the frames between keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.errors import AssetError
from gambol.poses.pose_diffusion import HIGHEST, blend_noises, denoise, invert
from gambol.poses.pose_parameters import Numbers, pose
from gambol.poses.pose_rig import Rig
from gambol.poses.space import PoseSpace, milder

FINER = 3
"""The way is found with so many times the frames and then walked at an even pace."""
BETWEEN = 0.6
"""Frames between keys are blended at this noise level: they stay near the keys."""
MILD = 4
"""Steps of the validators on the frames between the ends."""


def walk(space: PoseSpace, first: Numbers, last: Numbers, frames: int, *, top: float = HIGHEST) -> Numbers:
    """From one pose to another in even steps: both are inverted, their noises blended, every blend decoded.

    The ends are exact; what inversion and decoding miss there is taken out along the way.
    """
    if frames < 2:
        raise AssetError(f"A walk of {frames} frames has no way to go; it needs 2 or more.")
    u = torch.linspace(0.0, 1.0, FINER * (frames - 1) + 1)
    noises = invert(space.network, space.told, torch.cat([first, last]), top=top)
    x = denoise(space.network, space.told, blend_noises(noises[0], noises[1], u), top=top)
    x = x + (1 - u)[:, None, None] * (first - x[:1]) + u[:, None, None] * (last - x[-1:])
    return even_steps(space.rig, mild_between(space.rig, x), frames)


def mild_between(rig: Rig, x: Numbers, *, steps: int = MILD) -> Numbers:
    """The validators' steps on all frames but the ends, softened in time so that neighbours go together."""
    fade = torch.sin(torch.pi * torch.linspace(0.0, 1.0, len(x)))[:, None, None].clamp_max(0.5) * 2.0
    for _ in range(steps):
        change = milder(rig, x) - x
        padded = torch.cat([change[:1], change, change[-1:]])
        x = x + fade * (0.25 * padded[:-2] + 0.5 * padded[1:-1] + 0.25 * padded[2:])
    return x


def even_steps(rig: Rig, x: Numbers, frames: int) -> Numbers:
    """The same way in `frames` poses that are equally far from each other, by the mean distance of their joints."""
    steps = joint_steps(rig, x)
    along = torch.cat([torch.zeros(1), steps.cumsum(0)])
    if float(along[-1]) < 1e-9:
        return x[torch.linspace(0, len(x) - 1, frames).round().long()]
    wanted = torch.linspace(0.0, float(along[-1]), frames)
    after = torch.searchsorted(along, wanted).clamp(1, len(x) - 1)
    span = (along[after] - along[after - 1]).clamp_min(1e-12)
    part = ((wanted - along[after - 1]) / span).clamp(0.0, 1.0)[:, None, None]
    even = (1 - part) * x[after - 1] + part * x[after]
    even[0], even[-1] = x[0], x[-1]
    return even


def joint_steps(rig: Rig, x: Numbers) -> Float[Tensor, "steps"]:
    """Mean distance that the joints and the bones' ends go from each pose to the next, sizes."""
    with torch.no_grad():
        T = pose(rig, x).T_world_rest
    ends = torch.as_tensor(rig.skeleton.tails).float()
    tips = torch.einsum("pbij,bj->pbi", T[..., :3, :3], ends) + T[..., :3, 3]
    return (tips[1:] - tips[:-1]).norm(dim=-1).mean(1)


def between_keys(space: PoseSpace, keys: Sequence[tuple[int, Numbers]], frames: int | None = None) -> Numbers:
    """All frames of a clip whose keys are given as (frame, pose): the keys exact, the way between them on the manifold.

    The noises at the keys are carried through by a smooth curve (Catmull-Rom) of unchanged variance and decoded; what
    is missing at the keys is added, blended linearly between them.
    """
    if len(keys) < 2:
        raise AssetError(f"{len(keys)} keys were given; in-betweening needs two or more, as --keys 0=idle:0 24=walk:6")
    ordered = sorted(keys, key=lambda key: key[0])
    places = np.array([frame for frame, _ in ordered])
    if (np.diff(places) < 1).any() or places[0] < 0:
        raise AssetError(f"The keys are at frames {', '.join(map(str, places))}; they must differ and not be negative.")
    x = torch.cat([pose for _, pose in ordered])
    count = max(frames or 0, int(places[-1]) + 1)
    noises = invert(space.network, space.told, x, top=BETWEEN)
    times = np.clip(np.arange(count), places[0], places[-1]).astype(np.float64)
    moved = denoise(space.network, space.told, smooth_through(places, noises, times), top=BETWEEN)
    moved = moved + linear_through(places, x - moved[places], times)
    for a, b in pairwise(places.tolist()):
        moved[a + 1 : b] = mild_between(space.rig, moved[a : b + 1])[1:-1]
    return moved


def smooth_through(
    places: np.ndarray, values: Float[Tensor, "keys bones 3"], times: np.ndarray
) -> Float[Tensor, "frames bones 3"]:
    """A cubic Hermite curve through the keys with Catmull-Rom slopes; between two keys its variance is kept."""
    slopes = torch.zeros_like(values)
    spans = torch.as_tensor(np.diff(places)).float()
    rates = (values[1:] - values[:-1]) / spans[:, None, None]
    slopes[1:-1] = 0.5 * (rates[1:] + rates[:-1])
    after = np.clip(np.searchsorted(places, times, side="right"), 1, len(places) - 1)
    k = torch.as_tensor(after - 1)
    h = spans[k][:, None, None]
    u = torch.as_tensor(times - places[after - 1]).float()[:, None, None] / h
    curve = (
        (2 * u**3 - 3 * u**2 + 1) * values[k]
        + (u**3 - 2 * u**2 + u) * h * slopes[k]
        + (3 * u**2 - 2 * u**3) * values[k + 1]
        + (u**3 - u**2) * h * slopes[k + 1]
    )
    size = values.square().mean((1, 2)).sqrt()[:, None, None]
    wanted = (1 - u) * size[k] + u * size[k + 1]
    return curve * wanted / curve.square().mean((1, 2), keepdim=True).sqrt().clamp_min(1e-6)


def linear_through(
    places: np.ndarray, values: Float[Tensor, "keys bones 3"], times: np.ndarray
) -> Float[Tensor, "frames bones 3"]:
    """Straight lines through the keys."""
    after = np.clip(np.searchsorted(places, times, side="right"), 1, len(places) - 1)
    u = torch.as_tensor((times - places[after - 1]) / np.diff(places)[after - 1]).float()[:, None, None]
    return (1 - u) * values[after - 1] + u * values[after]
