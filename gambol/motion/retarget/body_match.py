"""Match the bones of two characters by anatomy, not by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton
from gambol.errors import AssetError
from gambol.motion.feet.leg_ik import leg_chain
from gambol.motion.feet.soles import Sole, find_soles

Section = tuple[BodyPart, Side, int, str]
"""Key of a section of a limb: body part, side, number of the pair, and which section (such as "arm" or "hand")."""
ALIGNED_SECTIONS = ("leg", "arm", "wing")
"""Sections whose bones take the source's directions, whatever both rest poses are (T-pose, A-pose, standing)."""
MAX_ANCHOR_OFFSET = 0.25
"""A collarbone starts closer to the middle plane than this share of the distance at which it ends."""


@dataclass(frozen=True)
class BodyPlan:
    """A character's chains of bones, by what they are."""

    pelvis: int
    """The bone that the (hindmost) legs hang on."""
    spine: tuple[int, ...]
    """From the pelvis to the bone that arms, wings or forelegs hang on."""
    sections: dict[Section, tuple[int, ...]]
    """Limbs in sections: anchor (collarbone), arm, hand; anchor, leg, foot; wing; tail; neck; head."""


@dataclass(frozen=True)
class BoneMatch:
    """How every bone of a target is driven by bones of a source."""

    first: Int[ndarray, "bones"]
    """First source bone of each target bone; -1 where the target's bone follows its parent."""
    second: Int[ndarray, "bones"]
    """Second source bone of each target bone; -1 as above."""
    mix: Float[ndarray, "bones"]
    """Interpolation between the rotations of the first (0) and the second (1) source bone."""
    align: Float[ndarray, "bones 3 3"]
    """Rotation from the target bone's rest direction to the source bone's, world axes."""


def body_plan(character: Character, anatomy: Anatomy) -> BodyPlan:
    """Divide a character into sections that have counterparts in other characters."""
    skeleton = character.require_skeleton()
    standing = {}
    if any(limb.contact is not None for limb in anatomy.limbs):
        standing = {sole.limb: sole for sole in find_soles(character, anatomy)}
    sections: dict[Section, tuple[int, ...]] = {}
    for limb in anatomy.limbs:
        if limb.part == BodyPart.TORSO:
            continue
        if limb in standing:
            cuts = _leg_cuts(skeleton, standing[limb])
        elif limb.part in (BodyPart.ARM, BodyPart.LEG):
            cuts = _main_bones(skeleton, limb)
        else:
            cuts = (0, len(limb.bones))
        for name, bones in zip(_names(limb.part), np.split(np.array(limb.bones), cuts), strict=True):
            if len(bones):
                sections[limb.part, limb.side, limb.pair, name] = tuple(map(int, bones))
    pelvis = _holder(skeleton, _rear(anatomy)) if anatomy.legs else 0
    front = [*anatomy.of(BodyPart.ARM), *anatomy.of(BodyPart.WING)] or _front(anatomy)
    torso = [limb for limb in anatomy.limbs if limb.part == BodyPart.TORSO]
    chest = _holder(skeleton, front) if front else (torso[0].bones[-1] if torso else pelvis)
    return BodyPlan(pelvis, _tree_path(skeleton, pelvis, chest), sections)


def match_bones(source: Character, source_plan: BodyPlan, target: Character, target_plan: BodyPlan) -> BoneMatch:
    """Match spine with spine and limb with limb, along their lengths."""
    skeleton, other = target.require_skeleton(), source.require_skeleton()
    count = len(skeleton)
    first, second, mix = np.full(count, -1), np.full(count, -1), np.zeros(count)
    align = np.tile(np.eye(3), (count, 1, 1))

    def drive(bones: tuple[int, ...], by: tuple[int, ...], *, blend: bool) -> None:
        a, b, u = _along(skeleton, bones, other, by, blend=blend)
        first[list(bones)], second[list(bones)], mix[list(bones)] = a, b, u

    for bone in (0, target_plan.pelvis):
        first[bone] = second[bone] = source_plan.pelvis
    drive(target_plan.spine, source_plan.spine, blend=True)
    for key, bones in target_plan.sections.items():
        by = source_plan.sections.get(key)
        if by is None:
            continue
        drive(bones, by, blend=key[0] in (BodyPart.NECK, BodyPart.TAIL))
        if key[3] in ALIGNED_SECTIONS:
            align[list(bones)] = _alignments(skeleton, bones, other, by)
            hand = target_plan.sections.get((*key[:3], "hand"), ())
            align[list(hand)] = align[bones[-1]]
    if target_plan.pelvis != 0:
        first[0] = second[0] = source_plan.pelvis
        mix[0] = 0.0
    return BoneMatch(first, second, mix, align)


def check_same_kind(source: Character, source_anatomy: Anatomy, target: Character, target_anatomy: Anatomy) -> None:
    """Raise `AssetError` where the characters have different numbers of legs or no limbs in common."""
    legs, other = len(source_anatomy.legs), len(target_anatomy.legs)
    if legs != other:
        raise AssetError(
            f"{source.name} has {legs or 'no'} legs and {target.name} has {other or 'no'}; a clip can be moved only "
            f"between characters with as many legs. `gambol inspect FILE` shows what was found."
        )
    ours = {(limb.part, limb.side, limb.pair) for limb in source_anatomy.limbs if limb.part != BodyPart.TORSO}
    theirs = {(limb.part, limb.side, limb.pair) for limb in target_anatomy.limbs if limb.part != BodyPart.TORSO}
    if not ours & theirs:
        names = [", ".join(sorted({part.value for part, _, _ in limbs})) or "none" for limbs in (ours, theirs)]
        both = f"{source.name} (limbs: {names[0]}) and {target.name} (limbs: {names[1]})"
        raise AssetError(f"{both} have no limbs in common, so there is nothing to move the clip to.")


def _names(part: BodyPart) -> tuple[str, str, str]:
    if part == BodyPart.LEG:
        return "anchor", "leg", "foot"
    return ("anchor", "arm", "hand") if part == BodyPart.ARM else ("anchor", part.value, "end")


def _leg_cuts(skeleton: Skeleton, sole: Sole) -> tuple[int, int]:
    """Where hip and ankle are in a leg that stands on a sole."""
    joints = list(leg_chain(skeleton, sole).joints)
    while len(joints) > 2 and _is_anchor(skeleton.heads[joints[0]], skeleton.heads[joints[1]]):
        joints = joints[1:]
    hip = sole.limb.bones.index(joints[0])
    return hip, max(sole.start, hip + 1)


def _is_anchor(head: Float[ndarray, "3"], tail: Float[ndarray, "3"]) -> bool:
    """Whether a bone begins near the middle plane and ends beside it: a collarbone, a half of the pelvis."""
    return bool(abs(head[2]) < MAX_ANCHOR_OFFSET * abs(tail[2]))


def _main_bones(skeleton: Skeleton, limb: Limb) -> tuple[int, int]:
    """Where the two main bones of a limb start and end: upper and lower arm, between collarbone and hand.

    They are the longest neighbours; a collarbone is none of them, however long.
    """
    ends = np.concatenate([skeleton.heads[list(limb.bones)], skeleton.tails[[limb.bones[-1]]]])
    lengths = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    if len(lengths) < 3:
        return 0, len(lengths)
    collar = int(_is_anchor(ends[0], ends[1]))
    start = collar + int(np.minimum(lengths[collar:-1], lengths[collar + 1 :]).argmax())
    return start, start + 2


def _rear(anatomy: Anatomy) -> list[Limb]:
    return [limb for limb in anatomy.legs if limb.pair == max(leg.pair for leg in anatomy.legs)]


def _front(anatomy: Anatomy) -> list[Limb]:
    return [limb for limb in anatomy.legs if limb.pair == 0] if len({leg.pair for leg in anatomy.legs}) > 1 else []


def _holder(skeleton: Skeleton, limbs: list[Limb]) -> int:
    """The bone that all of some limbs hang on."""
    above = [_ancestors(skeleton, limb.bones[0])[1:] for limb in limbs]
    shared = set(above[0]).intersection(*above[1:])
    return max(shared) if shared else 0


def _ancestors(skeleton: Skeleton, bone: int) -> list[int]:
    chain = [bone]
    while skeleton.parents[chain[-1]] >= 0:
        chain.append(int(skeleton.parents[chain[-1]]))
    return chain


def _tree_path(skeleton: Skeleton, start: int, end: int) -> tuple[int, ...]:
    """The bones on the path from one bone to another, through their common ancestor."""
    up, down = _ancestors(skeleton, start), _ancestors(skeleton, end)
    top = max(set(up) & set(down))
    return (*up[: up.index(top) + 1], *reversed(down[: down.index(top)]))


def _places(skeleton: Skeleton, bones: tuple[int, ...], *, middles: bool) -> Float[ndarray, "bones"]:
    """Where the joints (or the bones' middles) of a chain are along it, 0 to 1."""
    ends = np.concatenate([skeleton.heads[list(bones)], skeleton.tails[[bones[-1]]]])
    steps = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    if not middles and len(bones) > 1:
        steps = steps[:-1]
    along = np.concatenate([[0.0], steps.cumsum()]) / max(float(steps.sum()), 1e-12)
    return 0.5 * (along[1:] + along[:-1]) if middles else along[: len(bones)]


def _along(
    skeleton: Skeleton, bones: tuple[int, ...], other: Skeleton, by: tuple[int, ...], *, blend: bool
) -> tuple[ndarray, ndarray, ndarray]:
    """For each bone of a chain the two bones of another chain at the same place along it, and the mix of them.

    Chains of as many bones go one to one. Else a blended chain (spine, neck, tail) is interpolated between the joints,
    and a limb, which bends only at its joints, takes the bone in which its own bone's middle lies.
    """
    if len(bones) == len(by):
        return np.array(by), np.array(by), np.zeros(len(by))
    if blend and len(by) > 1:
        at, joints = _places(skeleton, bones, middles=False), _places(other, by, middles=False)
        right = np.clip(np.searchsorted(joints, at, side="right"), 1, len(by) - 1)
        span = np.maximum(joints[right] - joints[right - 1], 1e-12)
        u = np.clip((at - joints[right - 1]) / span, 0.0, 1.0)
        return np.array(by)[right - 1], np.array(by)[right], u
    at, ends = _places(skeleton, bones, middles=True), _places(other, by, middles=False)
    found = np.array(by)[np.clip(np.searchsorted(ends, at, side="right") - 1, 0, len(by) - 1)]
    return found, found, np.zeros(len(bones))


def _alignments(
    skeleton: Skeleton, bones: tuple[int, ...], other: Skeleton, by: tuple[int, ...]
) -> Float[ndarray, "bones 3 3"]:
    """Turns that bring a limb at rest into the direction of another, each by the shortest way from the one above it.

    Bone by bone where both have as many, so that a bent elbow becomes as straight as the other's; else the whole limb
    at once, so that it keeps its own shape.
    """
    ours, theirs = _directions(skeleton, bones), _directions(other, by)
    if len(bones) != len(by):
        return np.tile(shortest_turn(ours.sum(0), theirs.sum(0)), (len(bones), 1, 1))
    turns, turn = [], np.eye(3)
    for mine, wanted in zip(ours, theirs, strict=True):
        if min(np.linalg.norm(mine), np.linalg.norm(wanted)) > 1e-9:
            turn = shortest_turn(turn @ mine, wanted) @ turn
        turns.append(turn)
    return np.stack(turns)


def _directions(skeleton: Skeleton, bones: tuple[int, ...]) -> Float[ndarray, "bones 3"]:
    """From each joint of a chain to the next one; from the last to the end of its bone."""
    return np.diff(np.concatenate([skeleton.heads[list(bones)], skeleton.tails[[bones[-1]]]]), axis=0)


def shortest_turn(a: Float[ndarray, "3"], b: Float[ndarray, "3"]) -> Float[ndarray, "3 3"]:
    """The least rotation that takes the direction of a into that of b: 1 + [v] + [v]^2 / (1 + a.b), v = a x b."""
    a, b = a / max(float(np.linalg.norm(a)), 1e-12), b / max(float(np.linalg.norm(b)), 1e-12)
    v, c = np.cross(a, b), float(a @ b)
    if c < -1.0 + 1e-9:  # opposite: half a turn about any axis across
        axis = np.eye(3)[np.abs(a).argmin()]
        axis = np.cross(a, axis)
        axis /= np.linalg.norm(axis)
        return 2.0 * np.outer(axis, axis) - np.eye(3)
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + cross + cross @ cross / (1.0 + c)
