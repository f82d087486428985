"""The pose space as a loss: every frame stays a plausible pose."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.losses.loss import Loss, Motion
from gambol.distill.optimised_body import Body
from gambol.poses.plausibility import pose_prior_loss
from gambol.poses.pose_space import PoseSpace, make_pose_space


@dataclass(frozen=True)
class PosePrior(Loss):
    """How implausible the pose space finds each frame, and what its validators find wrong."""

    weight: float = 1.0
    """Factor in the objective."""
    space: PoseSpace | None = None
    """The body's pose space; loaded by `bind`."""
    name = "pose_prior"

    def bind(self, body: Body) -> PosePrior:
        """The loss with the pose space of the body."""
        return replace(self, space=self.space or make_pose_space(body.character, body.anatomy))

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """The pose space's loss with noise that seed and step decide."""
        assert self.space is not None, "bind_losses comes first"
        generator = torch.Generator().manual_seed(motion.seed * 1_000_003 + motion.step)
        return pose_prior_loss(self.space, motion.root, motion.angles, generator)
