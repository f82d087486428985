"""Joints of a template while they are put together inside a body."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.voxel_solid import VoxelSolid

LEFT_SUFFIX, RIGHT_SUFFIX = ".L", ".R"
"""Endings of the names of paired bones."""
MIRROR_FACTORS = np.array([1.0, 1.0, -1.0])
"""Factors that mirror a point across the middle plane."""
MIDDLE_REACH, LIMB_REACH = 0.04, 0.03
"""How far joints of the middle plane and of limbs may move to lie deeper in the body, as shares of the size."""


@dataclass(frozen=True)
class TemplateJoints:
    """A template's joints in the body's frame, parents first."""

    names: tuple[str, ...]
    """Names of the joints."""
    parents: tuple[int, ...]
    """Parent of each joint, -1 for the root."""
    places: Float[ndarray, "joints 3"]
    """Position of each joint."""
    ends: dict[int, Float[ndarray, "3"]]
    """Where the bones of joints without children end."""


class JointBuilder:
    """Collects joints of a template; paired ones are built on the left (-z) and mirrored."""

    def __init__(self, solid: VoxelSolid):
        self.solid = solid
        self.names: list[str] = []
        self.parents: list[int] = []
        self.places: list[ndarray] = []
        self.ends: dict[int, ndarray] = {}

    def joints(self) -> TemplateJoints:
        """The joints collected so far."""
        return TemplateJoints(tuple(self.names), tuple(self.parents), np.array(self.places), self.ends)

    def add(
        self,
        name: str,
        parent: str | None,
        place: Float[ndarray, "3"],
        *,
        reach: float = MIDDLE_REACH,
        flat: bool = True,
    ) -> int:
        """Add one unpaired joint, moved deeper into the body within `reach`, and return its number.

        It stays in the middle plane, unless `flat` is False: a snake may curve to the side.
        """
        if reach > 0 or not self.solid.depth_at(place[None])[0] > 0:
            place = self.solid.move_inside(place, reach, middle=flat)
        return self._append(name, parent, place * [1.0, 1.0, 0.0] if flat else place)

    def add_chain(
        self,
        names: Iterable[str],
        parent: str | None,
        places: Iterable[Float[ndarray, "3"]],
        end: Float[ndarray, "3"],
        *,
        reach: float = MIDDLE_REACH,
        flat: bool = True,
    ) -> None:
        """Add unpaired joints, each the child of the one before it; the last bone ends at `end`."""
        for name, place in zip(names, places, strict=True):
            last, parent = self.add(name, parent, place, reach=reach, flat=flat), name
        self.ends[last] = end

    def add_pair(
        self, chain: tuple[str, ...], parent: str, places: list[Float[ndarray, "3"]], end: Float[ndarray, "3"]
    ) -> None:
        """Add a chain of joints on the left and its mirror image on the right; `end` is where the left one ends."""
        inside = [self.solid.move_inside(place, LIMB_REACH) for place in places]
        for side, mirror in ((LEFT_SUFFIX, np.ones(3)), (RIGHT_SUFFIX, MIRROR_FACTORS)):
            above = parent
            for name, place in zip(chain, inside, strict=True):
                last = self._append(name + side, above, place * mirror)
                above = name + side
            self.ends[last] = end * mirror

    def _append(self, name: str, parent: str | None, place: Float[ndarray, "3"]) -> int:
        self.names.append(name)
        self.parents.append(self.names.index(parent) if parent is not None else -1)
        self.places.append(place)
        return len(self.names) - 1
