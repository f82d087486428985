"""What is optimised: coefficients of curves in time, for the root's and the joints' numbers.

A number x over the frames is x = start + reach * sum_k c_k f_k: all c_k are of one size, and `reach` is how far the
joint goes about that axis. The curves f_k are cosines (slow change comes easier than fast), B-splines or frames.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.skeleton import Skeleton
from gambol.diffusion.dct import cosine_transform
from gambol.errors import AssetError
from gambol.render.actor import Actor

if TYPE_CHECKING:
    from gambol.distill.settings import Curves

HALF_RANGE = 1.5
"""A joint with this half range of motion, radians, has reach 1."""
LEAST_REACH, FULL_REACH = 0.12, 1.0
SEEN_SHARE = 0.02
"""Bones that carry less of the surface than this are moved less: pictures say little of them."""
ROOT_REACH = (0.12, 0.35, 0.08)
"""Of the root's displacement x, y, z, in leg lengths,"""
ROOT_TURN = (1.0, 0.15, 0.3)
"""and of its angles: heading, roll, pitch, radians."""
SLOW = 6.0

Motion = tuple[Float[Tensor, "frames 6"], Float[Tensor, "frames joints 3"]]
Coefficients = tuple[Float[Tensor, "curves 6"], Float[Tensor, "curves joints 3"]]


@dataclass(frozen=True)
class Reach:
    """How far each number may be expected to go."""

    root: Float[Tensor, "6"]
    angles: Float[Tensor, "joints 3"]


@dataclass(frozen=True)
class MotionCurves:
    """How coefficients become a motion: x = start + reach * (curves c)."""

    curves: Float[Tensor, "frames curves"]
    reach: Reach
    start_root: Float[Tensor, "frames 6"]
    start_angles: Float[Tensor, "frames joints 3"]

    def motion(self, coefficients: Coefficients) -> Motion:
        """Root and angles of all frames; differentiable in the coefficients."""
        root, angles = coefficients
        moved = torch.einsum("fk,kjc->fjc", self.curves, angles)
        return self.start_root + self.reach.root * (self.curves @ root), self.start_angles + self.reach.angles * moved

    def zeros(self) -> Coefficients:
        """The coefficients of the start."""
        count = self.curves.shape[1]
        return torch.zeros(count, 6), torch.zeros(count, *self.start_angles.shape[1:])


def find_reach(actor: Actor, skeleton: Skeleton, anatomy: Anatomy, leg: float) -> Reach:
    """From the joint limits, and from how much of the surface hangs on each joint."""
    half = 0.5 * np.ptp(anatomy.limits, axis=-1)
    reach = np.clip(half / HALF_RANGE, LEAST_REACH, FULL_REACH)
    share = carried_share(actor, skeleton)
    reach *= np.clip(share / SEEN_SHARE, 0.15, 1.0)[:, None]
    root = np.array([*(leg * x for x in ROOT_REACH), *ROOT_TURN])
    return Reach(torch.as_tensor(root).float(), torch.as_tensor(reach[1:]).float())


def carried_share(actor: Actor, skeleton: Skeleton) -> Float[ndarray, "bones"]:
    """The share of the splats that move with each bone, its children's included."""
    share = actor.splats.skin.mass() / max(len(actor.splats), 1)
    for bone in range(len(skeleton) - 1, 0, -1):
        share[skeleton.parents[bone]] += share[bone]
    return share


def lock_joints(reach: Reach, skeleton: Skeleton, names: tuple[str, ...]) -> Reach:
    """The reach with these joints held still; `root` is the root."""
    root, angles = reach.root.clone(), reach.angles.clone()
    for name in names:
        found = [i for i, bone in enumerate(skeleton.names) if bone.lower() == name.lower()]
        if not found and name.lower() != "root":
            known = ", ".join(skeleton.names)
            raise AssetError(f"There is no joint '{name}' to lock. The joints are: {known}.")
        bone = found[0] if found else 0
        if bone == 0:
            root[:] = 0.0
        else:
            angles[bone - 1] = 0.0
    return replace(reach, root=root, angles=angles)


def time_curves(kind: Curves, frames: int, count: int, *, loop: bool) -> Float[Tensor, "frames curves"]:
    """The curves f_k over the frames, about 1 high; those of a loop go on from the last frame to the first.

    Cosines: w_k cos(pi (i + 1/2) k / n) with w_k = 1 / (1 + k / 6); a loop has whole waves, sines too. Splines: cubic
    B-splines on even knots. Free: one curve per frame.
    """
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
        weights = 1.0 / (1.0 + 2 * waves / SLOW)
        return torch.cat([weights * torch.cos(phase), (weights * torch.sin(phase))[:, 1:]], 1)
    weights = 1.0 / (1.0 + torch.arange(count) / SLOW)
    return cosine_transform(frames)[:count].T * weights * (0.5 * frames) ** 0.5
