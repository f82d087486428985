"""What each bone of a motion skeleton is, from geometry and topology alone: names are never looked at."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.anatomy.joint_limits import guess_limits
from gambol.character.anatomy.limb_kinds import GROUND, Branch, measure_branch, tell_kinds
from gambol.character.anatomy.midline import Midline, find_midline
from gambol.character.anatomy.midline_parts import Trunk, divide_trunk
from gambol.character.anatomy.rest_shape import RestShape, measure_rest
from gambol.character.anatomy.side_branches import find_twins
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton

Kinds = dict[BodyPart, list[Branch]]
PAIRED = (BodyPart.LEG, BodyPart.ARM, BodyPart.WING)
LOW = 0.015
"""A bone touches the ground where its surface is this share of the size above the lowest of its leg, or less."""
FLAT_FOOT = 0.03
"""A foot ends no higher than this share of the size,"""
LOW_ANKLE = 0.08
"""and starts no higher than this one."""


def find_anatomy(character: Character) -> Anatomy:
    """Tag every bone with part, side and order, and list the limbs (the rules stand in docs/anatomy.md)."""
    shape = measure_rest(character)
    twins = find_twins(shape)
    midline = find_midline(shape, {b for pair in twins for first in pair.bones for b in shape.below[first]})
    branches = [measure_branch(midline, pair) for pair in twins]
    kinds = tell_kinds(midline, branches)
    of = {part: [b for b in branches if kinds[b.twins] == part] for part in BodyPart}
    trunk = divide_trunk(midline, of[BodyPart.LEG], of[BodyPart.ARM] + of[BodyPart.WING], of[BodyPart.HEAD])
    parts = _tag_parts(shape, midline, trunk, of)
    sides = _tag_sides(shape, branches)
    orders = _tag_orders(shape.skeleton, parts, sides, trunk)
    limbs = _trunk_limbs(midline, parts, trunk)
    for part in PAIRED:
        limbs += _paired_limbs(shape, part, of[part])
    return Anatomy(parts, sides, orders, tuple(limbs), guess_limits(shape, parts, tuple(limbs)))


def _tag_parts(shape: RestShape, midline: Midline, trunk: Trunk, of: Kinds) -> tuple[BodyPart, ...]:
    """The spine, the tails and the first bones of branches are known; every other bone is what it hangs on."""
    known = dict.fromkeys(midline.spine, BodyPart.TORSO)
    known |= dict.fromkeys(trunk.neck, BodyPart.NECK) | dict.fromkeys(trunk.head, BodyPart.HEAD)
    known |= {bone: BodyPart.TAIL for tail in trunk.tails for bone in tail}
    for part, branches in of.items():
        if part != BodyPart.TORSO:
            known |= {first: part for branch in branches for first in branch.twins.bones}
    parts: list[BodyPart] = []
    for bone in range(len(shape)):
        parts.append(known[bone] if bone in known else parts[shape.skeleton.parents[bone]])
    return tuple(parts)


def _tag_sides(shape: RestShape, branches: list[Branch]) -> tuple[Side, ...]:
    sides = [Side.MIDDLE] * len(shape)
    for branch in branches:
        for side, first in branch.twins.sided():
            for bone in shape.below[first]:
                sides[bone] = side
    return tuple(sides)


def _tag_orders(
    skeleton: Skeleton, parts: tuple[BodyPart, ...], sides: tuple[Side, ...], trunk: Trunk
) -> Int[ndarray, "bones"]:
    """How many bones of the same part and side lie above a bone; a tail that holds the root counts from the body."""
    outwards = {bone: place for tail in trunk.tails for place, bone in enumerate(tail)}
    orders = np.zeros(len(skeleton), int)
    for bone in range(len(skeleton)):
        parent = skeleton.parents[bone]
        if bone in outwards:
            orders[bone] = outwards[bone]
        elif bone and (parts[parent], sides[parent]) == (parts[bone], sides[bone]):
            orders[bone] = orders[parent] + 1
    return orders


def _trunk_limbs(midline: Midline, parts: tuple[BodyPart, ...], trunk: Trunk) -> list[Limb]:
    """Torso, neck, head and tails as chains."""
    torso = tuple(bone for bone in midline.spine if parts[bone] == BodyPart.TORSO)
    chains = [(BodyPart.TORSO, torso), (BodyPart.NECK, trunk.neck), (BodyPart.HEAD, trunk.head)]
    chains += [(BodyPart.TAIL, tail) for tail in trunk.tails]
    return [Limb(part, Side.MIDDLE, 0, chain, None) for part, chain in chains if chain]


def _paired_limbs(shape: RestShape, part: BodyPart, branches: list[Branch]) -> list[Limb]:
    """Legs, arms or wings, numbered from front to back, and from top to bottom where they are level."""
    step = 0.02 * shape.size
    ranked = sorted(branches, key=lambda b: (-round((b.base[0] + b.tip[0]) / (2.0 * step)), -float(b.base[1])))
    limbs = []
    for pair, branch in enumerate(ranked):
        chains = {side: shape.main_chain(first) for side, first in branch.twins.sided()}
        alike = len({len(chain) for chain in chains.values()}) == 1
        for side, chain in chains.items():
            place = find_contact(shape, list(chains.values()) if alike else [chain]) if part == BodyPart.LEG else None
            limbs.append(Limb(part, side, pair, chain, None if place is None else chain[place]))
    return limbs


def find_contact(shape: RestShape, chains: list[tuple[int, ...]]) -> int | None:
    """Place in a leg of the bone that stands on the ground: the one with the largest print, of those that lie low.

    Lying low means: the surface is within 1.5 % of the size of the leg's lowest, the bone ends below 3 % and starts
    below 8 %. Where no bone does, it is the lowest; where the leg ends above 6 % (in the air), there is none. Both
    legs of a pair are measured together, so that they stand on the same bone.
    """
    bones = np.array(chains)
    lows, tails, heads = shape.lows[bones].mean(0), shape.tails[bones, 1].mean(0), shape.heads[bones, 1].mean(0)
    lowest, size = lows.min(), shape.size
    if lowest > GROUND * size:
        return None
    lies = (lows <= lowest + LOW * size) & (tails <= lowest + FLAT_FOOT * size) & (heads <= lowest + LOW_ANKLE * size)
    if lies.any():
        return int(np.where(lies, shape.footprints[bones].mean(0), -1.0).argmax())
    return int(lows.argmin())
