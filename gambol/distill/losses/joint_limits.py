"""Angles beyond their joint limits."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.optimised_body import AngleLimits


@dataclass(frozen=True)
class JointLimits(Loss):
    """Squared excess of joint angles over the limits of the anatomy."""

    weight: float = 40.0
    """Factor in the objective."""
    name = "joint_limits"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """`limit_excess`; the limits of a refined clip include the angles that it has."""
        limits = motion.body.limits
        if motion.refines:
            start = motion.start_angles
            limits = AngleLimits(torch.minimum(limits.low, start.amin(0)), torch.maximum(limits.high, start.amax(0)))
        return limit_excess(motion.angles, limits)


def limit_excess(angles: Float[Tensor, "frames joints 3"], limits: AngleLimits) -> Float[Tensor, ""]:
    """Mean over frames of the summed squares by which angles exceed their limits, rad^2."""
    beyond = (angles - limits.high).clamp_min(0.0) + (limits.low - angles).clamp_min(0.0)
    return beyond.square().sum((1, 2)).mean()
