"""The head looks at a point."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.frames_between import frame_weights
from gambol.distill.constraints.limb_names import head_chain
from gambol.distill.losses.loss import Motion


@dataclass(frozen=True)
class LookAt(MotionConstraint):
    """Head and neck turn so that the face points at a place in the world."""

    target: tuple[float, float, float]
    """Place in the world, metres."""
    interval: tuple[float, float] | None = field(default=None, kw_only=True)
    """First and last time, seconds; None: all the time."""
    weight: float = field(default=10.0, kw_only=True)
    """Factor of the loss, where the prior sees the root's travel."""
    needs_travel = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "target", check.checked_point(self.target, "target"))
        if self.interval is not None:
            object.__setattr__(self, "interval", check.checked_interval(self.interval, "interval"))
        object.__setattr__(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def name(self) -> str:  # type: ignore[override]
        """Name in logs and reports."""
        x, y, z = self.target
        when = "" if self.interval is None else f" from {self.interval[0]:g} to {self.interval[1]:g} s"
        return f"look at {x:g},{y:g},{z:g}{when}"

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean over its frames of 1 - cos of the angle between the face's direction and the target's."""
        character = motion.body.character
        head = head_chain(character.require_skeleton(), motion.body.anatomy)[-1]
        T = motion.T_world_rest[:, head]
        place = T[:, :3, :3] @ torch.as_tensor(character.require_skeleton().heads[head]).to(T) + T[:, :3, 3]
        wanted = torch.nn.functional.normalize(T.new_tensor(self.target) - place, dim=-1)
        span = self.interval or (0.0, (len(T) - 1) / motion.fps)
        weights = frame_weights(span, len(T), motion.fps).to(T)
        return (weights * (1.0 - (T[:, :3, 0] * wanted).sum(-1))).sum()
