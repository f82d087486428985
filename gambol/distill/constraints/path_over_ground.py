"""A path over the ground: points with headings and arrival times."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.polyline import arc_lengths
from gambol.distill.constraints import check_values as check
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.losses.loss import Motion
from gambol.errors import ConfigError


@dataclass(frozen=True)
class GroundPath(MotionConstraint):
    """The body goes along points on the ground; it faces along the path, or as the headings say.

    The body's place is that of its middle: of the point that is at the origin at rest.
    """

    points: tuple[tuple[float, float], ...]
    """Points (x ahead, z to the right), metres; the path is a smooth curve through them."""
    headings: tuple[float, ...] | None = field(default=None, kw_only=True)
    """Heading at each point, radians to the left of ahead; None: along the path."""
    times: tuple[float, ...] | None = field(default=None, kw_only=True)
    """When each point is reached, seconds; None: at the motion's own speed."""
    weight: float = field(default=1.0, kw_only=True)
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
        line, _ = curve_through(np.array(self.points), size)
        x, z = motion.body.character.require_skeleton().heads[0, [0, 2]].tolist()
        c, s = motion.root[:, 3].cos(), motion.root[:, 3].sin()
        turned = torch.stack([x * c + z * s, z * c - x * s], 1)
        places = motion.root[:, [0, 2]] + motion.root.new_tensor([x, z]) - turned
        if self.times is None:
            gaps = torch.cdist(places, torch.as_tensor(line).to(places)).amin(1)
            return (gaps / size).square().mean()
        at = np.arange(len(places)) / motion.fps
        wanted = np.stack([np.interp(at, self.times, np.array(self.points)[:, k]) for k in (0, 1)], 1)
        return ((places - torch.as_tensor(wanted).to(places)) / size).square().sum(1).mean()


def curve_through(
    points: Float[ndarray, "points 2"], size: float
) -> tuple[Float[ndarray, "samples 2"], Float[ndarray, "points"]]:
    """A dense smooth curve through points, and the distance along it of each of them, metres.

    A centripetal Catmull-Rom spline: at each point it goes in the direction from the point before to the point behind,
    and it has neither loops nor cusps.
    """
    from scipy.interpolate import CubicHermiteSpline

    u = np.sqrt(np.linalg.norm(np.diff(points, axis=0), axis=1)).cumsum()
    u = np.concatenate([[0.0], u])
    around = np.concatenate([[2.0 * points[0] - points[1]], points, [2.0 * points[-1] - points[-2]]])
    times = np.concatenate([[2.0 * u[0] - u[1]], u, [2.0 * u[-1] - u[-2]]])
    slopes = np.diff(around, axis=0) / np.diff(times)[:, None]
    before, behind = slopes[:-1], slopes[1:]
    left, right = np.diff(times)[:-1, None], np.diff(times)[1:, None]
    tangents = (right * before + left * behind) / (left + right)
    each = max(int(np.ceil(float(arc_lengths(points)[-1]) / (len(points) - 1) / (0.02 * size))), 8)
    samples = np.concatenate([[0.0], *(np.linspace(a, b, each + 1)[1:] for a, b in pairwise(u))])
    line = CubicHermiteSpline(u, points, tangents)(samples)
    return line, arc_lengths(line)[::each]
