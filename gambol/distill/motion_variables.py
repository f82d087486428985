"""What is optimised: the cosine coefficients in time of the root's and the joints' numbers.

A number x over the frames is x = start + reach * sum_k w_k c_k cos(pi (i + 1/2) k / n): all c_k are of one size, slow
change comes easier than fast (w_k = 1 / (1 + k / 6)), and `reach` is how far the joint goes about that axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy import Anatomy
from gambol.character.skeleton import Skeleton
from gambol.prior.embedded.network import cosine_transform
from gambol.render.actor import Actor

HALF_RANGE = 1.5
"""A joint with this half range of motion, radians, has reach 1."""
LEAST_REACH, FULL_REACH = 0.12, 1.0
SEEN_SHARE = 0.02
"""Bones that carry less of the surface than this are moved less: pictures say little of them."""
ROOT_REACH = (0.12, 0.35, 0.08)
"""Of the root's displacement x, y, z, in leg lengths,"""
ROOT_TURN = (0.5, 0.15, 0.3)
"""and of its angles: heading, roll, pitch, radians."""
SLOW = 6.0


@dataclass(frozen=True)
class Reach:
    """How far each number may be expected to go."""

    root: Float[Tensor, "6"]
    angles: Float[Tensor, "joints 3"]


@dataclass(frozen=True)
class MotionVariables:
    """The coefficients; `motion` makes them a motion."""

    root: Float[Tensor, "frequencies 6"]
    angles: Float[Tensor, "frequencies joints 3"]
    curves: Float[Tensor, "frames frequencies"]
    reach: Reach
    start_root: Float[Tensor, "frames 6"]
    start_angles: Float[Tensor, "frames joints 3"]

    def motion(self) -> tuple[Float[Tensor, "frames 6"], Float[Tensor, "frames joints 3"]]:
        """Root and angles of all frames; differentiable in the coefficients."""
        root = self.start_root + self.reach.root * (self.curves @ self.root)
        angles = torch.einsum("fk,kjc->fjc", self.curves, self.angles)
        return root, self.start_angles + self.reach.angles * angles

    def parameters(self) -> list[Tensor]:
        """What an optimiser changes."""
        return [self.root, self.angles]


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


def start_at(
    root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"], reach: Reach, frequencies: int
) -> MotionVariables:
    """Variables whose motion is exactly this one, all coefficients zero."""
    frames = len(root)
    weights = 1.0 / (1.0 + torch.arange(frequencies) / SLOW)
    curves = cosine_transform(frames)[:frequencies].T * weights * (0.5 * frames) ** 0.5
    zeros = [torch.zeros(frequencies, *x.shape[1:], requires_grad=True) for x in (root, angles)]
    return MotionVariables(zeros[0], zeros[1], curves, reach, root, angles)
