"""Find what each bone of a motion skeleton is, from geometry and topology alone: names are never used."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.anatomy.joint_limits import guess_limits
from gambol.character.anatomy.limb_kinds import (
    MAX_LEG_TIP_HEIGHT,
    BranchPair,
    classify_branches,
    find_legs,
    measure_branch_pair,
)
from gambol.character.anatomy.midline import Midline, find_midline, from_tail_to_head
from gambol.character.anatomy.midline_parts import TrunkParts, divide_trunk
from gambol.character.anatomy.rest_shape import RestShape, measure_rest
from gambol.character.anatomy.side_branches import find_mirror_pairs
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton

BranchesByPart = dict[BodyPart, list[BranchPair]]
"""The branches of each body part."""
PAIRED_PARTS = (BodyPart.LEG, BodyPart.ARM, BodyPart.WING)
"""Body parts whose branches are limbs, numbered in pairs from front to back."""
SOLE_HEIGHT_SPAN = 0.015
"""A bone touches the ground where its surface is at most this share of the size above its leg's lowest point."""
MAX_FOOT_END_HEIGHT = 0.035
"""Largest height of a foot bone's end above its leg's lowest point, as a share of the size."""
MAX_FOOT_START_HEIGHT = 0.08
"""Largest height of a foot bone's joint above its leg's lowest point, as a share of the size."""


def find_anatomy(character: Character) -> Anatomy:
    """Tag every bone with part, side and order, and list the limbs; docs/anatomy.md has the rules.

    What the file itself says of a limb (`Scene.told_parts`) counts more than what is found.
    """
    shape = measure_rest(character)
    pairs = find_mirror_pairs(shape)
    midline = find_midline(shape, {b for pair in pairs for first in pair.bones for b in shape.below[first]})
    branches = [measure_branch_pair(midline, pair) for pair in pairs]
    if not find_legs(midline, branches):
        midline = from_tail_to_head(midline)
        branches = [measure_branch_pair(midline, pair) for pair in pairs]
    kinds = classify_branches(midline, branches)
    told = told_parts(character)
    kinds |= {branch.pair: told[first] for branch in branches for first in branch.pair.bones if first in told}
    of = {part: [b for b in branches if kinds[b.pair] == part] for part in BodyPart}
    trunk = divide_trunk(midline, of[BodyPart.LEG], of[BodyPart.ARM] + of[BodyPart.WING], of[BodyPart.HEAD])
    parts = _tag_parts(shape, midline, trunk, of, told)
    sides = _tag_sides(shape, branches)
    orders = _tag_orders(shape.skeleton, parts, sides, trunk)
    limbs = _trunk_limbs(midline, parts, trunk)
    for part in PAIRED_PARTS:
        limbs += _paired_limbs(shape, part, of[part])
    return Anatomy(parts, sides, orders, tuple(limbs), guess_limits(shape, parts, tuple(limbs)))


def told_parts(character: Character) -> dict[int, BodyPart]:
    """Bones whose body part the file itself says; what is no body part is passed over."""
    if character.binding is None:
        return {}
    known, said = {part.value: part for part in BodyPart}, character.scene.told_parts
    nodes = enumerate(map(int, character.binding.bone_nodes))
    return {bone: known[said[node]] for bone, node in nodes if said.get(node) in known}


def _tag_parts(
    shape: RestShape, midline: Midline, trunk: TrunkParts, of: BranchesByPart, told: dict[int, BodyPart]
) -> tuple[BodyPart, ...]:
    """The spine, the tails and the first bones of branches are known; every other bone is what it hangs on."""
    known = dict.fromkeys((0, *midline.spine), BodyPart.TORSO)
    known |= dict.fromkeys(trunk.neck, BodyPart.NECK) | dict.fromkeys(trunk.head, BodyPart.HEAD)
    known |= {bone: BodyPart.TAIL for tail in trunk.tails for bone in tail}
    for part, branches in of.items():
        if part != BodyPart.TORSO:
            known |= {first: part for branch in branches for first in branch.pair.bones}
    known |= told
    parts: list[BodyPart] = []
    for bone in range(len(shape)):
        parts.append(known[bone] if bone in known else parts[shape.skeleton.parents[bone]])
    return tuple(parts)


def _tag_sides(shape: RestShape, branches: list[BranchPair]) -> tuple[Side, ...]:
    sides = [Side.MIDDLE] * len(shape)
    for branch in branches:
        for side, first in branch.pair.sided():
            for bone in shape.below[first]:
                sides[bone] = side
    return tuple(sides)


def _tag_orders(
    skeleton: Skeleton, parts: tuple[BodyPart, ...], sides: tuple[Side, ...], trunk: TrunkParts
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


def _trunk_limbs(midline: Midline, parts: tuple[BodyPart, ...], trunk: TrunkParts) -> list[Limb]:
    """Torso, neck, head and tails as chains."""
    torso = tuple(bone for bone in midline.spine if parts[bone] == BodyPart.TORSO)
    chains = [(BodyPart.TORSO, torso), (BodyPart.NECK, trunk.neck), (BodyPart.HEAD, trunk.head)]
    chains += [(BodyPart.TAIL, tail) for tail in trunk.tails]
    return [Limb(part, Side.MIDDLE, 0, chain, None) for part, chain in chains if chain]


def _paired_limbs(shape: RestShape, part: BodyPart, branches: list[BranchPair]) -> list[Limb]:
    """Legs, arms or wings, numbered from front to back, and from top to bottom where they are level."""
    step = 0.02 * shape.size
    ranked = sorted(branches, key=lambda b: (-round((b.base[0] + b.tip[0]) / (2.0 * step)), -float(b.base[1])))
    limbs = []
    for pair, branch in enumerate(ranked):
        chains = {side: shape.main_chain(first) for side, first in branch.pair.sided()}
        alike = len({len(chain) for chain in chains.values()}) == 1
        for side, chain in chains.items():
            place = find_contact(shape, list(chains.values()) if alike else [chain]) if part == BodyPart.LEG else None
            limbs.append(Limb(part, side, pair, chain, None if place is None else chain[place]))
    return limbs


def find_contact(shape: RestShape, chains: list[tuple[int, ...]]) -> int | None:
    """Index, along a leg's chain, of the bone that stands on the ground; None for a leg in the air.

    It is the bone with the largest footprint of those that lie low: their surface is within 1.5 % of the size of the
    leg's lowest point, they end below 3.5 % and start below 8 %. Where no bone does, it is the lowest; a leg that ends
    above 6 % is in the air. Both legs of a pair are measured together, so that they stand on the same bone.
    """
    bones = np.array(chains)
    lows, tails, heads = shape.lows[bones].mean(0), shape.tails[bones, 1].mean(0), shape.heads[bones, 1].mean(0)
    lowest, size = lows.min(), shape.size
    if lowest > MAX_LEG_TIP_HEIGHT * size:
        return None
    lies = (
        (lows <= lowest + SOLE_HEIGHT_SPAN * size)
        & (tails <= lowest + MAX_FOOT_END_HEIGHT * size)
        & (heads <= lowest + MAX_FOOT_START_HEIGHT * size)
    )
    if lies.any():
        return int(np.where(lies, shape.footprints[bones].mean(0), -1.0).argmax())
    return int(lows.argmin())
