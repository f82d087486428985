"""What the bones of a character are: legs, arms, wings, tail, neck, head, torso; sides, order, ground contacts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.errors import AssetError

FIRST_FINGER_BONE = 4
"""Index in an arm's `Limb.bones` (0 to 3: shoulder, upper arm, forearm, hand) from which bones are fingers or hold
something."""


class BodyPart(str, Enum):
    """The kinds of body part that Gambol distinguishes."""

    TORSO = "torso"
    """Spine and ribs, from the hips to the shoulders."""
    NECK = "neck"
    """Bones between shoulders and skull."""
    HEAD = "head"
    """The skull and what hangs on it: jaw, ears, eyes, antennae, horns, hair."""
    TAIL = "tail"
    """Chains that leave the body behind the hips."""
    LEG = "leg"
    """Limbs that stand on the ground, or hang from a flying body."""
    ARM = "arm"
    """Limbs that do not reach the ground and are not flat."""
    WING = "wing"
    """Limbs with a flat surface."""


class Side(str, Enum):
    """Which half of the body a bone belongs to, from the character's own point of view (its left is -z)."""

    LEFT = "left"
    """The half with z < 0."""
    RIGHT = "right"
    """The half with z > 0."""
    MIDDLE = "middle"
    """Bones on the plane of symmetry."""


@dataclass(frozen=True)
class Limb:
    """One chain of bones that belongs together, from the body outwards."""

    part: BodyPart
    """What kind of limb it is."""
    side: Side
    """Which half of the body it is on."""
    pair: int
    """Number of its pair among the legs (arms, wings) from front to back, 0 for the foremost; 0 for other parts."""
    bones: tuple[int, ...]
    """The main chain, from the joint at the body to the last bone; toes and fingers beside it are not listed."""
    contact: int | None
    """The bone of the chain that touches the ground in a normal stance (a foot), None for limbs that do not."""


@dataclass(frozen=True)
class Anatomy:
    """Tags for every bone of a motion skeleton, and the limbs that they form."""

    parts: tuple[BodyPart, ...]
    """Body part of each bone."""
    sides: tuple[Side, ...]
    """Side of each bone."""
    orders: Int[ndarray, "bones"]
    """Place along the bone's own limb: 0 at the body, growing outwards."""
    limbs: tuple[Limb, ...]
    """All limbs: torso, neck, head, tails, legs, arms, wings."""
    limits: Float[ndarray, "bones 3 2"]
    """Guessed lowest and highest joint angle about each axis of the bone's rest frame, radians."""

    def __post_init__(self) -> None:
        if not len(self.parts) == len(self.sides) == len(self.orders) == len(self.limits):
            raise AssetError("An anatomy needs one part, side, order and limit for every bone.")
        if (self.limits[..., 0] > 0).any() or (self.limits[..., 1] < 0).any():
            raise AssetError("An anatomy's joint limits must allow the rest pose.")

    def of(self, part: BodyPart, side: Side | None = None) -> tuple[Limb, ...]:
        """All limbs of one kind, front to back, left before right."""
        found = [limb for limb in self.limbs if limb.part == part and side in (None, limb.side)]
        return tuple(sorted(found, key=lambda limb: (limb.pair, limb.side != Side.LEFT)))

    @property
    def legs(self) -> tuple[Limb, ...]:
        """The legs, front to back, left before right."""
        return self.of(BodyPart.LEG)

    @cached_property
    def contacts(self) -> Bool[ndarray, "bones"]:
        """Bones that touch the ground in a normal stance."""
        touching = np.zeros(len(self.parts), bool)
        touching[[limb.contact for limb in self.limbs if limb.contact is not None]] = True
        return touching
