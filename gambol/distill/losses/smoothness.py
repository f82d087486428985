"""Smoothness in time: squared accelerations, or the paper's mean absolute second difference."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.motion_parameters import RootAndAngles


@dataclass(frozen=True)
class Smoothness(Loss):
    """Squared second differences of root and joint angles."""

    weight: float = 4.0
    """Factor in the objective."""
    name = "smoothness"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`squared_acceleration` of the motion, or of what a refined clip gains."""
        return squared_acceleration(*changed_motion(motion), motion.body.leg)


@dataclass(frozen=True)
class AKDSmoothness(Loss):
    """AKD eq. 9: mean absolute second difference of all parameters."""

    weight: float = 2e5
    """Factor in the objective; the paper's goes with a score that is summed over the latent."""
    name = "akd_smoothness"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`mean_absolute_acceleration` of the motion, or of what a refined clip gains."""
        return mean_absolute_acceleration(*changed_motion(motion))


def changed_motion(motion: Motion) -> RootAndAngles:
    """Root and angles; of a clip that is refined, their difference from the clip."""
    if not motion.refines:
        return motion.root, motion.angles
    return motion.root - motion.start_root, motion.angles - motion.start_angles


def squared_acceleration(
    root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"], leg: float
) -> Float[Tensor, ""]:
    """Mean over frames of the summed squared second differences; the root's positions in leg lengths."""
    scaled = torch.cat([root[:, :3] / leg, root[:, 3:]], 1)
    second = [second_difference(x) for x in (scaled, angles)]
    return second[0].square().sum(1).mean() + second[1].square().sum((1, 2)).mean()


def mean_absolute_acceleration(
    root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]
) -> Float[Tensor, ""]:
    """AKD eq. 9: mean |x(i + 1) - 2 x(i) + x(i - 1)| over all parameters of the motion, ends excluded."""
    return second_difference(torch.cat([root, angles.flatten(1)], 1)).abs().mean()


def second_difference(x: Float[Tensor, "frames *numbers"]) -> Float[Tensor, "fewer *numbers"]:
    """x(i + 1) - 2 x(i) + x(i - 1)."""
    return x[2:] - 2 * x[1:-1] + x[:-2]
