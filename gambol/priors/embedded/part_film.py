"""What the embedded prior sees of a body: a film of its parts, in numbers that do not depend on the body's size.

Each part has nine numbers in every frame: its place (ahead, up, right), in the body's unit of length, and its spread,
divided by twice its standard deviation in the start pose, so that a spread is about a length too. The unit is a leg,
or a quarter of the body where legs are shorter. Pictures have no scale, so
neither has time: a frame is a fixed part of sqrt(leg / g), in which bodies of one build and different size move alike,
1/16 s for a person.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.part_moments import PartTables, part_moments

FRAMES = 48
"""Frames of a film."""
PART_NUMBERS = 9
"""Numbers of a part in a frame: place (3), spread (6)."""
FILM_NUMBERS = len(PART_LABELS) * PART_NUMBERS
"""Numbers of a frame of a film, all labels."""
NUMBERS_PER_UNIT = 10.0
"""Scale of a film's numbers: noise of size 1 is a tenth of the body's unit of length."""
LEAST_DEVIATION = 0.05
"""Least standard deviation that a part is given when its spread is scaled, in the body's unit."""
LEAST_UNIT_SHARE = 0.25
"""Least unit of length of a body, as a share of its size."""


@dataclass(frozen=True)
class PartFrame:
    """Where a body's parts are measured from: unit, origin, and the parts in the start pose."""

    tables: PartTables
    """The parts of the body."""
    unit: float
    """The body's unit of length, metres."""
    origin: Float[Tensor, "3"]
    """Point on the ground below the middle of the start pose, metres."""
    deviation: Float[Tensor, "parts"]
    """Standard deviation of each part in the start pose, in units."""
    start: Float[Tensor, "parts 9"]
    """Numbers of all parts in the start pose."""

    def numbers(self, T_world_rest: Float[Tensor, "frames bones 4 4"]) -> Float[Tensor, "frames parts 9"]:
        """The film of a motion; differentiable in the bones' skinning transforms."""
        return _numbers(*part_moments(self.tables, T_world_rest), self.origin, self.unit, self.deviation)


def body_unit(leg: float, size: float) -> float:
    """A body's unit of length, metres: its leg, but at least a quarter of its size."""
    return max(leg, LEAST_UNIT_SHARE * size)


def part_frame(tables: PartTables, unit: float, T_start: Float[Tensor, "1 bones 4 4"]) -> PartFrame:
    """Measure a body in its start pose; `unit` is its `body_unit`, metres."""
    with torch.no_grad():
        place, spread = part_moments(tables, T_start)
    middle = (tables.mass[:, None] * place[0]).sum(0)
    origin = torch.stack([middle[0], torch.zeros(()), middle[2]])
    deviation = (spread[0, :, :3].mean(-1).clamp_min(0.0).sqrt() / unit).clamp_min(LEAST_DEVIATION)
    start = _numbers(place, spread, origin, unit, deviation)[0]
    return PartFrame(tables, unit, origin, deviation, start)


def _numbers(place: Tensor, spread: Tensor, origin: Tensor, unit: float, deviation: Tensor) -> Tensor:
    scaled = spread / (2.0 * unit * unit * deviation[:, None])
    return NUMBERS_PER_UNIT * torch.cat([(place - origin) / unit, scaled], -1)
