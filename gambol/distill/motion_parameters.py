"""Basis functions in time, and how far each parameter of a motion may be expected to go.

A parameter x over the frames is x = start + scale * sum_k c_k f_k: all coefficients c_k are of one size, and `scale` is
how far the joint goes about that axis. The basis functions f_k are cosines (slow change comes easier than fast),
B-splines, or one per frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.skeleton import Skeleton, find_joint
from gambol.diffusion.dct import cosine_transform
from gambol.render.actor import Actor

TimeBasis = Literal["cosine", "spline", "free"]
"""Kinds of basis functions in time."""
UNIT_HALF_RANGE = 1.5
"""A joint with this half range of motion, radians, has scale 1."""
LEAST_SCALE, LARGEST_SCALE = 0.12, 1.0
"""Bounds of a joint's scale."""
VISIBLE_SHARE = 0.02
"""Bones that carry less of the surface than this are moved less: renders say little of them."""
ROOT_SCALE = (0.12, 0.35, 0.08)
"""Scale of the root's displacement x, y, z, in leg lengths."""
ROOT_ANGLE_SCALE = (1.0, 0.15, 0.3)
"""Scale of the root's angles: heading, roll, pitch, radians."""
SLOW_FREQUENCY = 6.0
"""Frequency at which the weight of a cosine is halved, half waves in a window of the prior."""

RootAndAngles = tuple[Float[Tensor, "frames 6"], Float[Tensor, "frames joints 3"]]
"""A motion: the root's position (m) and angles (rad), and all joint angles (rad), in every frame."""
Coefficients = tuple[Tensor, ...]
"""What is optimised: a few tensors, all zero at the start; of joints one for the root and one for the joint angles."""


@dataclass(frozen=True)
class ParameterScale:
    """How far each parameter may be expected to go."""

    root: Float[Tensor, "6"]
    """Scale of the root's displacement (m) and angles (rad)."""
    angles: Float[Tensor, "joints 3"]
    """Scale of the joint angles, radians."""


def parameter_scale(actor: Actor, skeleton: Skeleton, anatomy: Anatomy, leg: float) -> ParameterScale:
    """Scales from the joint limits, and from how much of the surface hangs on each joint."""
    half = 0.5 * np.ptp(anatomy.limits, axis=-1)
    scale = np.clip(half / UNIT_HALF_RANGE, LEAST_SCALE, LARGEST_SCALE)
    scale *= np.clip(carried_share(actor, skeleton) / VISIBLE_SHARE, 0.15, 1.0)[:, None]
    root = np.array([*(leg * x for x in ROOT_SCALE), *ROOT_ANGLE_SCALE])
    return ParameterScale(torch.as_tensor(root).float(), torch.as_tensor(scale[1:]).float())


def carried_share(actor: Actor, skeleton: Skeleton) -> Float[ndarray, "bones"]:
    """The share of the splats that move with each bone, its children's included."""
    share = actor.splats.skin.mass() / max(len(actor.splats), 1)
    for bone in range(len(skeleton) - 1, 0, -1):
        share[skeleton.parents[bone]] += share[bone]
    return share


def find_locked_joint(skeleton: Skeleton, name: str) -> int:
    """The joint of a name; `root` is the root, where no joint is called so."""
    return 0 if name.lower() == "root" and name not in skeleton.names else find_joint(skeleton, name)


def lock_joints(scale: ParameterScale, skeleton: Skeleton, names: tuple[str, ...]) -> ParameterScale:
    """The scale with these joints held still; `root` is the root."""
    root, angles = scale.root.clone(), scale.angles.clone()
    for name in names:
        bone = find_locked_joint(skeleton, name)
        if bone == 0:
            root[:] = 0.0
        else:
            angles[bone - 1] = 0.0
    return replace(scale, root=root, angles=angles)


def time_basis(
    kind: TimeBasis, frames: int, count: int, *, loop: bool, window: int | None = None
) -> Float[Tensor, "frames functions"]:
    """Basis functions f_k over the frames, about 1 high; those of a loop continue from the last frame to the first.

    Cosines: w_k cos(pi (i + 1/2) k / n) with w_k = 1 / (1 + k' / 6), k' = k w / n the half waves in a window of w
    frames (by default all n), so that a frequency has one weight in clips of any length; a loop has whole waves, sines
    too. Splines: cubic B-splines on even knots. Free: one function per frame.
    """
    share = (window or frames) / frames
    count = min(count, frames)
    if kind == "free":
        return torch.eye(frames)
    if kind == "spline":
        knots = count if loop else count - 1
        place = torch.arange(frames)[:, None] * (knots / (frames if loop else max(frames - 1, 1)))
        away = (place - torch.arange(count if loop else count + 2) + (0 if loop else 1)).abs()
        away = torch.minimum(away, count - away) if loop else away
        return torch.where(away < 1, 2 / 3 - away**2 + away**3 / 2, (2 - away).clamp_min(0) ** 3 / 6)
    if loop:
        waves = torch.arange(count // 2 + 1)
        phase = 2 * np.pi * torch.arange(frames)[:, None] * waves / frames
        weights = 1.0 / (1.0 + 2 * waves * share / SLOW_FREQUENCY)
        return torch.cat([weights * torch.cos(phase), (weights * torch.sin(phase))[:, 1:]], 1)
    weights = 1.0 / (1.0 + torch.arange(count) * share / SLOW_FREQUENCY)
    return cosine_transform(frames)[:count].T * weights * (0.5 * frames) ** 0.5
