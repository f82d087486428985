"""Joints keep the pose that they have when an interval begins."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.frames_between import span_frames
from gambol.distill.constraints.limb_names import LIMB_NAMES, chosen_joints
from gambol.distill.losses.loss import Motion
from gambol.motion.joint_rotations import matrix_from_angles


@dataclass(frozen=True)
class Hold(MotionConstraint):
    """The joints of limbs keep, over an interval, the angles that they have at its start."""

    limbs: tuple[str, ...]
    """Limbs by their words (arms, left arm, tail, upper body ...) or joints by name, with everything below them."""
    interval: tuple[float, float]
    """First and last time, seconds."""
    weight: float = field(default=1.0, kw_only=True)
    """Factor of the loss."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "limbs", check.checked_names(self.limbs, "limbs", LIMB_NAMES))
        object.__setattr__(self, "interval", check.checked_interval(self.interval, "interval"))
        object.__setattr__(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in logs and reports."""
        return f"hold {', '.join(self.limbs)} from {self.interval[0]:g} to {self.interval[1]:g} s"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over its frames and joints of |R - R_start|^2, R_start without a gradient."""
        skeleton = motion.body.character.require_skeleton()
        chosen = chosen_joints(skeleton, motion.body.anatomy, self.limbs)[1:]
        frames = torch.from_numpy(span_frames(self.interval, len(motion.angles), motion.fps))
        R = matrix_from_angles(motion.angles[frames][:, torch.from_numpy(chosen)])
        return (R - R[:1].detach()).square().sum((-1, -2)).mean()
