"""The points of a body that a text-motion matching model follows: one vocabulary for all bodies.

A point lies at a share of the rest length of a limb's main chain: 0.5 of a leg is its knee, 1 its toe. Legs have
places for the hindmost, the foremost and the middle pair, so that the legs of a biped are the hind legs of a quadruped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import FIRST_FINGER_BONE, Anatomy, BodyPart, Limb, Side


@dataclass(frozen=True)
class BodyPoint:
    """One point of the vocabulary."""

    part: BodyPart
    """The kind of limb that it lies on."""
    share: float
    """Place along the limb's rest length, 0 at the body, 1 at its end."""
    side: Side = Side.MIDDLE
    """Which half of the body it is on."""
    pair: str = "only"
    """Which pair of legs: "hind", "fore" or "middle"; "only" for all other limbs, whose foremost pair counts."""


@dataclass(frozen=True)
class BonePlace:
    """A place on a bone."""

    bone: int
    """Index of the bone."""
    share: float
    """Place between the bone's head (0) and its tail (1)."""


def _vocabulary() -> tuple[BodyPoint, ...]:
    thirds, half = (1 / 3, 2 / 3, 1.0), (0.5, 1.0)
    midline = [
        *(BodyPoint(BodyPart.TORSO, share) for share in thirds),
        BodyPoint(BodyPart.NECK, 1.0),
        BodyPoint(BodyPart.HEAD, 1.0),
        *(BodyPoint(BodyPart.TAIL, share) for share in thirds),
    ]
    pairs = [*((BodyPart.LEG, pair) for pair in ("hind", "fore", "middle")), (BodyPart.ARM, "only")]
    limbs = [
        BodyPoint(part, share, side, pair)
        for part, pair in (*pairs, (BodyPart.WING, "only"))
        for side in (Side.LEFT, Side.RIGHT)
        for share in half
    ]
    return (*midline, *limbs)


BODY_POINTS: tuple[BodyPoint, ...] = _vocabulary()
"""All points, in the order of the features' point axis."""


def find_points(
    anatomy: Anatomy, heads: Float[ndarray, "bones 3"], tails: Float[ndarray, "bones 3"]
) -> dict[int, BonePlace]:
    """Places of the points that a body has, by their index in `BODY_POINTS`; `heads` and `tails` are those at rest."""
    length = np.linalg.norm(tails - heads, axis=1) + 1e-9
    found = {}
    for index, point in enumerate(BODY_POINTS):
        limb = _limb_of(anatomy, point)
        if limb is not None:
            found[index] = _place(_main_chain(limb), length, point.share)
    return found


def _limb_of(anatomy: Anatomy, point: BodyPoint) -> Limb | None:
    """The limb that a point lies on, or None where the body has none."""
    limbs = anatomy.of(point.part, None if point.side == Side.MIDDLE else point.side)
    if point.part == BodyPart.LEG:
        limbs = tuple(limb for limb in limbs if limb.contact is not None) or limbs
    if not limbs:
        return None
    if point.pair == "hind":
        return limbs[-1]
    if point.pair == "fore":
        return limbs[0] if len(limbs) > 1 else None
    if point.pair == "middle":
        return limbs[len(limbs) // 2] if len(limbs) > 2 else None
    return limbs[0]


def _main_chain(limb: Limb) -> tuple[int, ...]:
    """The bones of a limb without an arm's fingers."""
    return limb.bones[:FIRST_FINGER_BONE] if limb.part == BodyPart.ARM else limb.bones


def _place(bones: tuple[int, ...], length: Float[ndarray, "bones"], share: float) -> BonePlace:
    """The place at a share of a chain's length."""
    own = length[list(bones)]
    ends = np.cumsum(own)
    along = share * ends[-1]
    at = min(int(np.searchsorted(ends, along - 1e-9)), len(bones) - 1)
    return BonePlace(bones[at], float(np.clip((along - (ends[at] - own[at])) / own[at], 0.0, 1.0)))
