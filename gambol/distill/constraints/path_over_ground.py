"""A path over the ground: points with headings and arrival times."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.polyline import arc_lengths
from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError
from gambol.motion.chosen_travel import CORNER_SIGMA, round_corners


@dataclass(frozen=True)
class GroundPath(MotionConstraint):
    """The body goes along points on the ground; it faces along the path, or as the headings say.

    The body's place is its root's, counted from where the root is at rest.
    """

    points: tuple[tuple[float, float], ...]
    """Points (x ahead, z to the right), metres; corners are rounded."""
    _: KW_ONLY
    headings: tuple[float, ...] | None = None
    """Heading at each point, radians to the left of ahead; None: along the path."""
    times: tuple[float, ...] | None = None
    """When each point is reached, seconds; None: at the motion's own speed."""
    weight: float = 1.0
    """Factor of the loss, where the prior sees the root's travel."""
    name = "path"
    needs_travel = True

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        takes = "two or more points (x, z) in metres, each different from the one before it"
        points = check.numbers(self.points, (None, 2), "points", takes)
        if len(points) < 2 or not np.linalg.norm(np.diff(points, axis=0), axis=1).all():
            raise ConfigError(f"points is {self.points!r}; it takes {takes}.")
        set_field(self, "points", tuple((float(x), float(z)) for x, z in points))
        if self.headings is not None:
            takes = f"{len(points)} angles in radians, one for each point"
            headings = check.numbers(self.headings, (len(points),), "headings", takes)
            set_field(self, "headings", tuple(headings.tolist()))
        if self.times is not None:
            set_field(self, "times", check.checked_times(self.times, len(points), "times"))
        set_field(self, "weight", check.checked_weight(self.weight, "weight"))

    @property
    def fastest(self) -> tuple[float, float, float]:
        """Highest speed that the arrival times ask for, m/s, and between which times; 0 without times."""
        if self.times is None:
            return 0.0, 0.0, 0.0
        speeds = np.diff(arc_lengths(np.array(self.points))) / np.diff(self.times)
        k = int(speeds.argmax())
        return float(speeds[k]), self.times[k], self.times[k + 1]

    def __call__(self, motion: Motion) -> Float[Tensor, ""]:
        """Mean squared distance of the root from the path (with times: from its place at each time), sizes."""
        size = motion.body.character.size
        line, _ = round_corners(np.array(self.points), CORNER_SIGMA * size)
        places = motion.root[:, [0, 2]]
        if self.times is None:
            gaps = torch.cdist(places, torch.as_tensor(line).to(places)).amin(1)
            return (gaps / size).square().mean()
        at = np.arange(len(places)) / motion.fps
        wanted = np.stack([np.interp(at, self.times, np.array(self.points)[:, k]) for k in (0, 1)], 1)
        return ((places - torch.as_tensor(wanted).to(places)) / size).square().sum(1).mean()
