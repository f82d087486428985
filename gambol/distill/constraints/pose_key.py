"""A key pose: the whole body takes a pose at a time."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.frames_between import frame_weights
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError
from gambol.motion.clip import Clip
from gambol.motion.joint_rotations import matrix_from_angles


@dataclass(frozen=True)
class PoseKey(MotionConstraint):
    """All joints take the angles of a pose, and the root its height, roll and pitch; place and heading stay."""

    time: float
    """Time of the clip, seconds."""
    pose: str | Clip
    """The pose: a clip of one frame, or its name: rest, CLIP:FRAME, sample:SEED, or FILE:FRAME."""
    angles: Clip | None = field(default=None, kw_only=True)
    """The pose that the name stands for; found from the character's file."""
    weight: float = field(default=1.0, kw_only=True)
    """Factor of the loss."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", check.checked_time(self.time, "time"))
        if isinstance(self.pose, Clip):
            object.__setattr__(self, "angles", self.pose)
            object.__setattr__(self, "pose", self.pose.name)
        check.checked_text(self.pose, "pose", "rest, CLIP:FRAME, sample:SEED, a file, or a clip of one frame")
        if self.angles is not None and len(self.angles) != 1:
            raise ConfigError(f"pose '{self.pose}' has {len(self.angles)} frames; a key takes a clip of one frame.")
        object.__setattr__(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in logs and reports."""
        return f"pose {self.pose} at {self.time:g} s"

    @property
    def found(self) -> Clip:
        """The pose; raises where its name has not been looked up."""
        if self.angles is None:
            raise ConfigError(f"The pose '{self.pose}' is a name; give the clip of one frame that it stands for.")
        return self.angles

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over joints of |R - R_key|^2 at the key's frame."""
        weights = frame_weights((self.time, self.time), len(motion.angles), motion.fps).to(motion.angles)
        wanted = matrix_from_angles(torch.as_tensor(self.found.angles).to(motion.angles))
        misses = (matrix_from_angles(motion.angles) - wanted).square().sum((-1, -2)).mean(-1)
        return (weights * misses).sum()
