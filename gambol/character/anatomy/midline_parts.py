"""Divide the middle bones of a body into torso, neck, head and tails."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.limb_kinds import BranchPair
from gambol.character.anatomy.midline import Midline
from gambol.character.segment_distances import point_segment_distances

MIN_TAIL_BEHIND_HIPS = 0.02
"""A tail reaches this share of the size behind the hips."""
SAME_PLACE_DISTANCE = 0.003
"""Joints closer than this share of the size along the body start at the same place."""
EAR_NEXT_BONE_FRACTION = 0.75
"""Ears that start in the last quarter of a bone grow on the next one."""
JAW_PREVIOUS_BONE_FRACTION = 0.2
"""A jaw that starts in the first fifth of a bone (the upper beak) hangs on the one before (the skull)."""
SHORT_SKULL_BONE_RATIO = 0.65
"""A bone before the last that is shorter than this share of both its neighbours is part of the head."""
TIP_SURFACE_RATIO = 0.3
"""The surface of a tip is at most this share of that of the bone before."""
LIMB_NEAR_END_FRACTION = 2.0 / 3.0
"""A limb that starts beyond this share of the bone that holds it may belong to a later one."""
LEGLESS_TAIL_SHARE = 1.0 / 3.0
"""The tail of a body without legs: this share of its length."""
MIN_JAW_PLACE = 0.6
"""A chain of a body without legs that starts beyond this share of its length may be a jaw; others are fins."""
MAX_HEAD_BONES = 4
"""At most so many bones at the end of the spine of a body without legs are searched for a skull above its jaw."""
OVERLAP_SHARE = 0.7
"""A bone whose surface reaches over this share of the way to the spine's end is the skull, what follows its jaw."""


@dataclass(frozen=True)
class TrunkParts:
    """The middle bones by part; what is in none of the three is torso."""

    neck: tuple[int, ...]
    """Bones of the neck, from the body outwards."""
    head: tuple[int, ...]
    """The part of the spine from the skull to its tip."""
    tails: tuple[tuple[int, ...], ...]
    """Chains from the body outwards."""


def divide_trunk(
    midline: Midline, legs: list[BranchPair], others: list[BranchPair], ears: list[BranchPair]
) -> TrunkParts:
    """Torso up to where the limbs start, then neck, then head; the tail leaves behind the hips.

    `legs` and `others` (arms, wings) are the limbs, `ears` what grows on the head. A body on two legs without other
    limbs has one neck bone where its spine is long enough.
    """
    spine, last, side_paths = midline.spine, len(midline.spine) - 1, midline.side_paths()
    if not legs:
        return _divide_legless(midline, others, ears, side_paths)
    tails = tuple(tail for path in side_paths if (tail := _tail(midline, path, legs)))
    if last == 0:
        return TrunkParts((), (), tails)
    if len(legs) + len(others) == 1:
        skull = _skull(midline, max(1, last - 1), ears, side_paths)
        return TrunkParts(spine[skull - 1 : skull] if skull > 2 else (), spine[skull:], tails)
    starts = [(leg, leg.base) for leg in legs] + [(limb, limb.front) for limb in others]
    shoulders = max(_shoulders(midline, limb, start) for limb, start in starts)
    skull = _skull(midline, min(shoulders + 1, last), ears, side_paths)
    return TrunkParts(spine[shoulders + 1 : skull], spine[skull:] if shoulders < last else (), tails)


def _shoulders(midline: Midline, limb: BranchPair, start: Float[ndarray, "3"]) -> int:
    """The last spine bone that belongs to the trunk where a limb starts.

    It is the bone that holds the limb. Where the limb starts near its end, or is far from it (rigs often hang legs on
    the root), it is the last bone that begins before the limb does and whose surface lies beside it.
    """
    shape, held = midline.shape, min(midline.holder(b) for b in limb.pair.bones)
    displaced = limb.place != held
    if not displaced and midline.fraction(held, start) < LIMB_NEAR_END_FRACTION:
        return held
    axis = _direction(midline, held) if held > 0 and not displaced else midline.axis
    for here in range(held, len(midline.spine) - 2):
        bone = midline.spine[here + 1]
        joint, own = shape.heads[bone] @ axis, shape.points[bone] @ axis
        rear = np.percentile(own, 5.0) if len(own) else 0.5 * (joint + midline.knots[here + 2] @ axis)
        if joint > limb.base @ axis + SAME_PLACE_DISTANCE * shape.size or rear > start @ axis - 0.01 * shape.size:
            return here
    return max(held, len(midline.spine) - 2)


def _direction(midline: Midline, place: int) -> Float[ndarray, "3"]:
    """The trunk's direction, or that of one of its bones where it stands square to it (a centaur's upper half)."""
    along = midline.knots[place + 1] - midline.knots[place]
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    return along if abs(along @ midline.axis) < 0.5 else midline.axis


def _skull(midline: Midline, first: int, ears: list[BranchPair], side_paths: list[tuple[int, ...]]) -> int:
    """Place on the spine where the head begins, not before `first`.

    Ears, eyes and horns grow on the skull, a jaw hangs on it: the head begins at the first bone that holds one. Without
    any, the head is the last bone; with the one before where that is much shorter than its neighbours (a skull with a
    jaw, a hinge), or the last is only a tip: shorter, with next to no surface.
    """
    last, found = len(midline.spine) - 1, []
    lengths = np.linalg.norm(np.diff(midline.knots, axis=0), axis=1)
    for ear in ears:
        along = [midline.fraction(place, ear.base) for place in range(last + 1)]
        place = max(midline.holder(b) for b in ear.pair.bones)
        while place > first and along[place] < 0.0 and along[place - 1] <= EAR_NEXT_BONE_FRACTION:
            place -= 1
        near = np.linalg.norm(ear.base - midline.knots[place + 1]) < lengths[place]
        found.append(place + 1 if along[place] > EAR_NEXT_BONE_FRACTION and near else place)
    for path in side_paths:
        place = midline.holder(path[0])
        if place > first and midline.fraction(place, midline.shape.heads[path[0]]) < JAW_PREVIOUS_BONE_FRACTION:
            place -= 1
        found += [place] if place >= first else []
    if found:
        return max(first, min(last, *found))
    if last - first < 2:
        return last
    areas = np.trace(midline.shape.spreads[list(midline.spine[-2:])], axis1=1, axis2=2)
    is_hinge = lengths[-2] < SHORT_SKULL_BONE_RATIO * min(lengths[-3], lengths[-1])
    is_tip = lengths[-1] < 0.99 * lengths[-2] and areas[1] <= TIP_SURFACE_RATIO * areas[0]
    return last - 1 if is_hinge or is_tip else last


def _tail(midline: Midline, path: tuple[int, ...], legs: list[BranchPair]) -> tuple[int, ...]:
    """The part of a middle chain behind the hips; nothing where it does not lead there.

    Bones of the chain that begin ahead of the hips, and lie nearer to them than the spine does, are the rump.
    """
    shape = midline.shape
    rear = min(legs, key=lambda leg: float(leg.base[0]))
    second = [shape.main_chain(b)[:2][-1] for b in rear.pair.bones]
    hindmost = min(float(rear.base[0]), float(shape.heads[second, 0].min()))
    flat = np.array([1.0, 1.0, 0.0])
    joints = np.concatenate([shape.heads[list(path)], shape.tails[[path[-1]]]]) * flat
    behind = joints[:, 0].min() < hindmost - MIN_TAIL_BEHIND_HIPS * shape.size and joints[:, 0].mean() < rear.base[0]
    place = midline.place(path[0])
    hips = min(leg.place for leg in legs)
    if not behind or (place > hips and place >= _half_way(midline, legs)):
        return ()
    gaps = point_segment_distances(rear.base * flat, joints[:-1], joints[1:])
    spine_gap = point_segment_distances(rear.base * flat, midline.knots[:-1], midline.knots[1:]).min()
    ahead = (joints[:-1, 0] > rear.base[0]) & (gaps < spine_gap - 0.005 * shape.size)
    return path[1 + int(np.flatnonzero(ahead)[-1]) :] if ahead.any() else path


def _half_way(midline: Midline, legs: list[BranchPair]) -> int:
    """The spine bone half way from the hips to the head: what hangs beyond is a cape or a mane, no tail."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(midline.knots, axis=0), axis=1))])
    half = 0.5 * (along[min(leg.place for leg in legs)] + along[-1])
    return int(np.searchsorted(along, half, side="right")) - 1


def _divide_legless(
    midline: Midline, others: list[BranchPair], ears: list[BranchPair], side_paths: list[tuple[int, ...]]
) -> TrunkParts:
    """A snake, a fish: the spine runs from the hindmost end to the head, and its first third is the tail.

    The neck is one bone, of upright bodies with arms alone.
    """
    spine, last = midline.spine, len(midline.spine) - 1
    first = min(max((limb.place for limb in others), default=0) + 1, last)
    ahead = [path for path in side_paths if midline.along(midline.holder(path[0])) > MIN_JAW_PLACE]
    skull = _skull(midline, max(first, _overlapping(midline, first)), ears, ahead)
    skull = min(skull, _overlapping(midline, first) or last)
    head = spine[skull:] if last else ()
    neck = spine[skull - 1 : skull] if others and midline.upright and skull > first else ()
    tail = spine[: _third(np.linalg.norm(np.diff(midline.knots, axis=0), axis=1))] if last > 1 else ()
    tail = tuple(bone for bone in reversed(tail) if bone not in (*neck, *head))
    return TrunkParts(neck, head, (tail,) if tail else ())


def _overlapping(midline: Midline, first: int) -> int:
    """The first spine bone, from `first` on, whose own surface reaches as far as what follows: a skull above its jaw.

    0 where there is none.
    """
    tip = midline.knots[-1]
    for place in range(max(first, len(midline.spine) - MAX_HEAD_BONES), len(midline.spine) - 1):
        own, start = midline.shape.points[midline.spine[place]], midline.knots[place]
        along = (tip - start) / max(float(np.linalg.norm(tip - start)), 1e-12)
        ahead = float(((own - start) @ along).max()) if len(own) else 0.0
        if ahead > OVERLAP_SHARE * float((tip - start) @ along):
            return place
    return 0


def _third(lengths: Float[ndarray, "bones"]) -> int:
    """How many of the first bones lie, by their middles, in the first third of their common length."""
    middles = np.cumsum(lengths) - 0.5 * lengths
    return int((middles < LEGLESS_TAIL_SHARE * lengths.sum()).sum())
