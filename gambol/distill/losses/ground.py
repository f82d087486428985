"""The ground: penetration, floating, and feet that slide."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.character import Character
from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.optimised_body import Body
from gambol.render.actor import Actor, outline_points

CONTACT_HEIGHT = 0.05
"""Height at which a point hardly counts as touching the ground any more, leg lengths."""


@dataclass(frozen=True)
class Ground(Loss):
    """The lowest point below the ground, and a body that never touches it."""

    weight: float = 60.0
    """Factor in the objective."""
    name = "ground"
    representations = ("joints", "field")

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean squared depth of the lowest point, plus the squared height of its lowest moment; in leg lengths."""
        lowest = lowest_heights(motion.body.actor, motion.T_world_rest, motion.body.leg)
        return lowest.clamp_max(0.0).square().mean() + lowest.min().clamp_min(0.0).square()


@dataclass(frozen=True)
class AKDGround(Loss):
    """AKD eq. 10: mean depth of the corners of the bones' cuboids below the ground."""

    weight: float = 1e7
    """Factor in the objective; the paper's goes with a score that is summed over the latent."""
    corners: Float[Tensor, "bones 8 4"] | None = None
    """Corners of the bones' cuboids in the rest pose (x, y, z, 1); computed by `bind`."""
    name = "akd_ground"

    def bind(self, body: Body) -> AKDGround:
        """The loss with the corners of the body's cuboids."""
        return replace(self, corners=cuboid_corners(body.character))

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`corner_depth` of the motion."""
        assert self.corners is not None, "bind_losses comes first"
        return corner_depth(self.corners, motion.T_world_rest)


@dataclass(frozen=True)
class Skate(Loss):
    """Low points that slide over the ground, where the root's travel is part of the motion."""

    weight: float = 1.0
    """Factor in the objective."""
    name = "skate"
    needs_travel = True
    representations = ("joints", "field")

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`sliding` of the outline."""
        return sliding(motion.body.actor, motion.T_world_rest, motion.body.leg)


def lowest_heights(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], leg: float
) -> Float[Tensor, "frames"]:
    """Height of the lowest point above y = 0 in every frame, leg lengths."""
    return outline_points(actor, T_world_rest)[..., 1].amin(1) / leg


def cuboid_corners(character: Character) -> Float[Tensor, "bones 8 4"]:
    """Corners of the bones' cuboids in the rest pose, in the world, as (x, y, z, 1)."""
    bones = character.require_skeleton()
    R, t = bones.T_world_rest[:, :3, :3], bones.T_world_rest[:, :3, 3]
    corners = np.einsum("bij,bkj->bki", R, character.cuboids.corners_bone()) + t[:, None]
    return torch.as_tensor(np.concatenate([corners, np.ones((*corners.shape[:2], 1))], -1)).float()


def corner_depth(
    corners: Float[Tensor, "bones 8 4"], T_world_rest: Float[Tensor, "frames bones 4 4"]
) -> Float[Tensor, ""]:
    """AKD eq. 10: mean of max(-y, 0) over all corners of the bones' cuboids and all frames, metres."""
    heights = torch.einsum("fbj,bkj->fbk", T_world_rest[:, :, 1], corners)
    return (-heights).clamp_min(0.0).mean()


def sliding(actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], leg: float) -> Float[Tensor, ""]:
    """Mean of exp(-(y / CONTACT_HEIGHT)^2) |horizontal step|^2 over the outline's points, in leg lengths."""
    points = outline_points(actor, T_world_rest) / leg
    low = torch.exp(-(points[1:, :, 1] / CONTACT_HEIGHT).square()).detach()
    steps = (points[1:] - points[:-1])[..., [0, 2]].square().sum(-1)
    return (low * steps).sum(1).mean() / low.sum(1).mean().clamp_min(1.0)
