"""Find the branches of a skeleton that lie on one side of the body, and which of them mirror each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.character.anatomy.rest_shape import RestShape

OFF_PLANE_DISTANCE = 0.006
"""A joint farther than this share of the size from the plane of symmetry lies on one side."""
MAX_OTHER_SIDE_SHARE = 0.25
"""A branch on one side reaches at most this share of its width over to the other."""
MIN_UNPAIRED_WIDTH = 0.04
"""A branch without a mirror image that stays closer to the plane than this is no limb, only a crooked middle bone."""
MAX_BASE_GAP = 0.12
"""Mirrored branches start no farther than this share of the size from each other's mirror image."""
MAX_LENGTH_RATIO = 2.5
"""Mirrored branches differ by at most this factor in length, unless `MAX_FIRST_BONE_END_GAP` holds."""
MAX_FIRST_BONE_END_GAP = 0.03
"""Branches of unlike length are mirrored where their first bones end this close to each other's mirror image,
as a share of the size: one hand may hold a lance."""
MAX_MIDDLE_GAP_SHARE = 0.75
"""Mirrored branches have their middles no farther than this share of their length from each other's mirror image:
the halves of a winding snake are no pair."""
MIN_BODY_PAIR_LENGTH = 0.1
"""A body where no mirrored branches are longer than this share of the size (only eyes, feelers) is a snake or a worm: a
chain that lies to one side of the plane is its trunk, which winds."""
HUB_CHILD_LENGTH_SHARE = 0.6
"""Legs that hang on a common hub are at least this share as long as the whole branch; toes are shorter."""
MIN_HUB_HEIGHT_SHARE = 0.4
"""A hub of legs lies higher than this share of the branch's highest joint; a foot with toes does not."""
MAX_HUB_TIP_HEIGHT = 0.06
"""Legs that hang on a common hub reach down to below this share of the size above the ground."""


@dataclass(frozen=True)
class MirrorPair:
    """A branch on the left and its mirror image on the right; one of them may be missing."""

    left: int | None
    """First bone of the left branch."""
    right: int | None
    """First bone of the right branch."""

    @property
    def bones(self) -> tuple[int, ...]:
        """First bones of the branches that exist, left first."""
        return tuple(bone for bone in (self.left, self.right) if bone is not None)

    def sided(self) -> tuple[tuple[Side, int], ...]:
        """Side and first bone of the branches that exist, left first."""
        both = ((Side.LEFT, self.left), (Side.RIGHT, self.right))
        return tuple((side, bone) for side, bone in both if bone is not None)


def find_mirror_pairs(shape: RestShape) -> tuple[MirrorPair, ...]:
    """Find all one-sided branches that leave the middle of the body, matched left to right.

    A branch starts at the first bone that is off the plane and leads only to bones on its side. Branches are matched
    for the least sum of mirrored distances between their starts and between their middles, and differences in length.
    """
    starts = _branch_starts(shape)
    left = [b for b in starts if _middle(shape, b)[2] < 0]
    right = [b for b in starts if _middle(shape, b)[2] >= 0]
    matches = _match(shape, left, right)
    alone = set(left + right) - {b for pair in matches for b in pair}
    winds = max((shape.reaches[b] for pair in matches for b in pair), default=0.0) < MIN_BODY_PAIR_LENGTH * shape.size
    wide = [b for b in sorted(alone) if not winds and _is_wide(shape, b)]
    single = [MirrorPair(b, None) if b in left else MirrorPair(None, b) for b in wide]
    return tuple([MirrorPair(a, b) for a, b in matches] + single)


def _branch_starts(shape: RestShape) -> list[int]:
    starts, pending = [], list(shape.skeleton.children[0])
    while pending:
        bone = pending.pop()
        if _is_one_sided(shape, bone) and not _is_hub(shape, bone):
            starts.append(bone)
        else:
            pending += shape.skeleton.children[bone]
    return sorted(starts)


def _is_one_sided(shape: RestShape, bone: int) -> bool:
    tolerance = OFF_PLANE_DISTANCE * shape.size
    if max(abs(shape.heads[bone, 2]), abs(shape.tails[bone, 2])) < tolerance:
        return False
    z = _points(shape, bone)[:, 2]
    near, far = sorted((max(-float(z.min()), 0.0), max(float(z.max()), 0.0)))
    return far > tolerance and near < MAX_OTHER_SIDE_SHARE * far


def _is_hub(shape: RestShape, bone: int) -> bool:
    """Whether several legs hang on a one-sided bone: chains about as long as the branch that reach the ground."""
    high = float(shape.heads[list(shape.below[bone]), 1].max())
    legs = [
        child
        for child in shape.skeleton.children[bone]
        if shape.reaches[child] > HUB_CHILD_LENGTH_SHARE * shape.reaches[bone]
        and shape.heads[child, 1] > MIN_HUB_HEIGHT_SHARE * high
        and shape.lowest(shape.below[child]) < MAX_HUB_TIP_HEIGHT * shape.size
    ]
    return len(legs) > 1


def _is_wide(shape: RestShape, bone: int) -> bool:
    """Whether a branch without a mirror image is a limb all the same: far out, and no single bone from the plane."""
    crooked = abs(shape.heads[bone, 2]) < OFF_PLANE_DISTANCE * shape.size and len(shape.below[bone]) == 1
    return bool(np.abs(_points(shape, bone)[:, 2]).max() > MIN_UNPAIRED_WIDTH * shape.size) and not crooked


def _points(shape: RestShape, bone: int) -> Float[ndarray, "points 3"]:
    """The joints and ends of a branch, without the joint that it starts at (which may lie on the plane)."""
    bones = list(shape.below[bone])
    return np.concatenate([shape.heads[[b for b in bones if b != bone]], shape.tails[bones]])


def _middle(shape: RestShape, bone: int) -> Float[ndarray, "3"]:
    return _points(shape, bone).mean(0)


def _match(shape: RestShape, left: list[int], right: list[int]) -> list[tuple[int, int]]:
    if not left or not right:
        return []
    from scipy.optimize import linear_sum_assignment

    mirror = np.array([1.0, 1.0, -1.0])
    bases = np.linalg.norm(shape.heads[left][:, None] - (shape.heads[right] * mirror)[None], axis=2)
    centres, images = (np.stack([_middle(shape, b) for b in bones]) for bones in (left, right))
    middles = np.linalg.norm(centres[:, None] - (images * mirror)[None], axis=2)
    longer = np.maximum(shape.reaches[left][:, None], shape.reaches[right][None])
    shorter = np.minimum(shape.reaches[left][:, None], shape.reaches[right][None])
    ends = np.linalg.norm(shape.tails[left][:, None] - (shape.tails[right] * mirror)[None], axis=2)
    uneven = (longer > MAX_LENGTH_RATIO * shorter + 0.02 * shape.size) & (ends > MAX_FIRST_BONE_END_GAP * shape.size)
    unlike = (bases > MAX_BASE_GAP * shape.size) | uneven | (middles > MAX_MIDDLE_GAP_SHARE * longer)
    costs = (bases + middles + longer - shorter) / shape.size + 100.0 * unlike
    rows, columns = linear_sum_assignment(costs)
    return [(left[r], right[c]) for r, c in zip(rows, columns, strict=True) if not unlike[r, c]]
