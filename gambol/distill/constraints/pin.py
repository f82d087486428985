"""Pin a joint or the end of a bone to a place in the world."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.transforms import matrix_from_quaternion
from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.frames_between import frame_weights
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError
from gambol.poses.inverse_kinematics import find_handle_point


@dataclass(frozen=True)
class Pin(MotionConstraint):
    """A joint (or the end of its bone, `NAME:end`) is at a place at a time, or over an interval."""

    joint: str
    """Name of the joint; `NAME:end` is the far end of its bone."""
    position: tuple[float, float, float]
    """Place in the world, metres: x ahead, y up, z to the right."""
    time: float | None = field(default=None, kw_only=True)
    """Time of the clip, seconds; either this or `interval` is given."""
    interval: tuple[float, float] | None = field(default=None, kw_only=True)
    """First and last time, seconds."""
    orientation: tuple[float, float, float, float] | None = field(default=None, kw_only=True)
    """Turn of the bone in the world from how it rests, as a unit quaternion w, x, y, z; None leaves it free."""
    weight: float = field(default=100.0, kw_only=True)
    """Factor of the loss, where the prior sees the root's travel."""
    needs_travel = True

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "joint", check.checked_text(self.joint, "joint", "the name of a joint"))
        set_field(self, "position", check.checked_point(self.position, "position"))
        if (self.time is None) == (self.interval is None):
            raise ConfigError(f"time is {self.time!r} and interval is {self.interval!r}; a pin takes one of them.")
        if self.time is not None:
            set_field(self, "time", check.checked_time(self.time, "time"))
        if self.interval is not None:
            set_field(self, "interval", check.checked_interval(self.interval, "interval"))
        if self.orientation is not None:
            set_field(self, "orientation", check.checked_quaternion(self.orientation, "orientation"))
        set_field(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def span(self) -> tuple[float, float]:
        """First and last time, seconds."""
        return self.interval or (self.time or 0.0, self.time or 0.0)

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in logs and reports."""
        first, last = self.span
        return f"pin {self.joint} at {first:g} s" + (f" to {last:g} s" if last > first else "")

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over its frames of |place - position|^2 in sizes, plus |R - orientation|^2 / 8."""
        skeleton = motion.body.character.require_skeleton()
        bone, at_end = find_handle_point(skeleton, self.joint)
        rest = torch.as_tensor(skeleton.tails[bone] if at_end else skeleton.heads[bone]).to(motion.T_world_rest)
        T = motion.T_world_rest[:, bone]
        weights = frame_weights(self.span, len(T), motion.fps).to(T)
        off = (T[:, :3, :3] @ rest + T[:, :3, 3] - T.new_tensor(self.position)) / motion.body.character.size
        misses = off.square().sum(-1)
        if self.orientation is not None:
            R = torch.as_tensor(matrix_from_quaternion(np.array(self.orientation))).to(T)
            misses = misses + (T[:, :3, :3] - R).square().sum((1, 2)) / 8.0
        return (weights * misses).sum()
