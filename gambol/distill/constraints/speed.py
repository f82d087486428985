"""How fast the body goes over the ground, over time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError


@dataclass(frozen=True)
class Speed(MotionConstraint):
    """Speeds at times; between them the speed changes evenly, before and after them it stays."""

    speeds: tuple[float, ...]
    """Speed over the ground at each time, m/s."""
    times: tuple[float, ...]
    """Times, seconds."""
    weight: float = field(default=1.0, kw_only=True)
    """Factor of the loss, where the prior sees the root's travel."""
    name = "speed"
    needs_travel = True

    def __post_init__(self) -> None:
        takes = "speeds in m/s of 0 or more, one for each time"
        speeds = check.numbers(self.speeds, (None,), "speeds", takes)
        if (speeds < 0).any():
            raise ConfigError(f"speeds is {self.speeds!r}; it takes {takes}.")
        object.__setattr__(self, "speeds", tuple(speeds.tolist()))
        object.__setattr__(self, "times", check.checked_times(self.times, len(speeds), "times"))
        object.__setattr__(self, "weight", check.checked_weight(self.weight, "weight"))

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean squared difference of the root's speed over the ground from the one asked for, sizes per second."""
        steps = (motion.root[1:] - motion.root[:-1])[:, [0, 2]].norm(dim=1) * motion.fps
        at = (np.arange(len(steps)) + 0.5) / motion.fps
        wanted = torch.as_tensor(np.interp(at, self.times, self.speeds)).to(steps)
        return ((steps - wanted) / motion.body.character.size).square().mean()
