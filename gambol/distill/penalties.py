"""What holds a motion together while a prior pulls at it: limits, smoothness, ground. All are 0 for a sound motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.render.actor import Actor, outline_points


@dataclass(frozen=True)
class PenaltyWeights:
    """How much each counts against the prior's pull of mean square 1; 0 switches it off."""

    limits: float = 40.0
    """Joint limits from the anatomy."""
    smooth: float = 4.0
    """Squared accelerations."""
    ground: float = 60.0
    """The lowest point below the ground, and floating all the time."""
    ahead: float = 20.0
    """The heading of the first frame: a motion starts out straight ahead."""
    paper_smooth: float = 0.0
    """AKD eq. 9."""
    paper_ground: float = 0.0
    """AKD eq. 10."""
    skate: float = 0.0
    """Low points that slide over the ground, where the way is part of the motion."""


PAPER_PENALTIES = PenaltyWeights(0.0, 0.0, 0.0, 0.0, paper_smooth=2e5, paper_ground=1e7)
"""As AKD prints them; they go with a gradient that is summed over the latent."""


@dataclass(frozen=True)
class Limits:
    """Joint limits, radians."""

    low: Float[Tensor, "joints 3"]
    high: Float[Tensor, "joints 3"]


def joint_limits(anatomy: Anatomy) -> Limits:
    """Those of the anatomy, the root's left out."""
    low, high = (torch.as_tensor(np.ascontiguousarray(anatomy.limits[1:, :, k])).float() for k in (0, 1))
    return Limits(low, high)


def limit_penalty(angles: Float[Tensor, "frames joints 3"], limits: Limits) -> Tensor:
    """Mean over frames of the summed squares by which angles are beyond their limits."""
    beyond = (angles - limits.high).clamp_min(0.0) + (limits.low - angles).clamp_min(0.0)
    return beyond.square().sum((1, 2)).mean()


def smooth_penalty(root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"], leg: float) -> Tensor:
    """Mean squared second difference in time; the root's places in leg lengths."""
    scaled = torch.cat([root[:, :3] / leg, root[:, 3:]], 1)
    second = [second_difference(x) for x in (scaled, angles)]
    return second[0].square().sum(1).mean() + second[1].square().sum((1, 2)).mean()


def paper_smooth_penalty(root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]) -> Tensor:
    """AKD eq. 9: mean |x(i + 1) - 2 x(i) + x(i - 1)| over all numbers of the motion, ends excluded."""
    return second_difference(torch.cat([root, angles.flatten(1)], 1)).abs().mean()


def ahead_penalty(root: Float[Tensor, "frames 6"]) -> Tensor:
    """Squared heading of the first frame, radians."""
    return root[0, 3].square()


def second_difference(x: Float[Tensor, "frames *numbers"]) -> Float[Tensor, "fewer *numbers"]:
    """x(i + 1) - 2 x(i) + x(i - 1)."""
    return x[2:] - 2 * x[1:-1] + x[:-2]


def ground_penalty(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], leg: float
) -> tuple[Tensor, Float[Tensor, "frames"]]:
    """Mean squared depth of the lowest point below y = 0, in leg lengths; and its height in every frame."""
    lowest = outline_points(actor, T_world_rest)[..., 1].amin(1) / leg
    return lowest.clamp_max(0.0).square().mean(), lowest


def cuboid_corners(character: Character) -> Float[Tensor, "bones 8 4"]:
    """Corners of the bones' boxes in the rest pose, in the world, as (x, y, z, 1)."""
    bones = character.require_skeleton()
    R, t = bones.T_world_rest[:, :3, :3], bones.T_world_rest[:, :3, 3]
    corners = np.einsum("bij,bkj->bki", R, character.cuboids.corners_bone()) + t[:, None]
    return torch.as_tensor(np.concatenate([corners, np.ones((*corners.shape[:2], 1))], -1)).float()


def paper_ground_penalty(
    corners: Float[Tensor, "bones 8 4"], T_world_rest: Float[Tensor, "frames bones 4 4"]
) -> Tensor:
    """AKD eq. 10: mean of max(-y, 0) over all corners of the bones' boxes and all frames."""
    heights = torch.einsum("fbj,bkj->fbk", T_world_rest[:, :, 1], corners)
    return (-heights).clamp_min(0.0).mean()


def skate_penalty(actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], leg: float) -> Tensor:
    """Mean of exp(-(y / 0.05)^2) |horizontal step|^2 over the outline's points, in leg lengths."""
    points = outline_points(actor, T_world_rest) / leg
    low = torch.exp(-(points[1:, :, 1] / 0.05).square()).detach()
    steps = (points[1:] - points[:-1])[..., [0, 2]].square().sum(-1)
    return (low * steps).sum(1).mean() / low.sum(1).mean().clamp_min(1.0)
