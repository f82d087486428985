"""Landmarks of a bare body: its feet, hands, fins, head end and tail end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.polyline import arc_lengths, points_along
from gambol.character.rigging.fins import TailFin, find_tail_fin
from gambol.character.rigging.solid_limbs import CentreLine, SolidBranch, find_branches, slice_tree
from gambol.character.rigging.voxel_solid import VoxelSolid

GROUND_HEIGHT = 0.06
"""A limb whose tip is below this share of the size stands on the ground."""
OFF_MIDDLE = 0.012
"""A tip farther from the middle plane than this share of the size belongs to a paired limb."""
UPRIGHT_LENGTH = 0.4
"""A body no longer than this share of its height stands upright: only its toes tell its front."""
STACKED_LENGTH, STACKED_OFFSET = 0.7, 0.05
"""A body no longer than the first share of its height is upright if its top is that close to above its middle."""
FRONT_DIRECTION, CROWN_DIRECTION = np.array([1.0, 0.3, 0.0]), np.array([0.2, 1.0, 0.0])
"""Directions in which the front of a long body and the crown of an upright body are sought."""
NARROW_STANCE = 0.5
"""A pair that stands closer to the middle plane than this share of the widest pair may be a forked tail."""
MIDDLE_CROSSING = 0.75
"""A branch that reaches the middle plane along more than this share of its outer half is a tail, not a limb."""
SIDEWAYS_SHARE = 0.5
"""A branch that runs sideways by more than this share of its reach is a limb, even if it reaches the middle plane."""
TOE_DISTANCE = 0.05
"""A pair that starts closer than this to another's line is a part of it; three times that if it lies on the ground."""
TOE_DROP = 0.015
"""A pair on the ground that drops by less than this share of the size lies on it, like a toe."""
CLEARANCE = 0.45
"""Legs hold the belly at least this share of the trunk's height above the ground."""
REAR_MARGIN = 0.03
"""The rearmost point is a tail where it lies this share of the size behind the hind feet."""


@dataclass(frozen=True)
class LimbPair(CentreLine):
    """Two limbs that mirror each other, described by the left one (-z)."""

    @property
    def stands(self) -> bool:
        """Whether the tip is on the ground."""
        return bool(self.tip[1] < GROUND_HEIGHT)

    def at(self, shares: Float[ndarray, "shares"]) -> Float[ndarray, "shares 3"]:
        """Points at shares of the centre line's length, from 0 (base) to 1 (tip)."""
        return points_along(self.line, np.asarray(shares) * arc_lengths(self.line)[-1])


@dataclass(frozen=True)
class Landmarks:
    """Landmarks of a body that faces +x, with its middle plane at z = 0, its lowest point at y = 0 and size 1."""

    solid: VoxelSolid
    """The body's voxels."""
    feet: tuple[LimbPair, ...]
    """Pairs of limbs that stand on the ground, front to back."""
    hands: tuple[LimbPair, ...]
    """Other pairs, the longest first: arms, wings, ears, horns, fins."""
    ends: tuple[SolidBranch, ...]
    """Branches in the middle plane, the longest first: head, tail, dorsal fin."""
    front: Float[ndarray, "3"]
    """Foremost point of the middle plane along `FRONT_DIRECTION`, or `CROWN_DIRECTION` for an upright body."""
    back: Float[ndarray, "3"] | None
    """Tip of the tail, else the rearmost point of the middle plane; None where that is above the feet."""
    tail_fin: TailFin | None = None
    """The fin at the rear end of a fish or whale."""
    wings: LimbPair | None = None
    """Wings of a body that has two pairs of feet too."""

    @property
    def rear(self) -> Float[ndarray, "3"]:
        """The rear end of the body: `back`, or the rearmost voxel of the middle plane."""
        plane = self.solid.middle_centres
        return self.back if self.back is not None else plane[int(plane[:, 0].argmin())]


def find_limbs(solid: VoxelSolid) -> tuple[list[LimbPair], list[SolidBranch]]:
    """Paired limbs and the branches that end in the middle plane, both with the longest first.

    Only the left half is looked at, so that legs that touch each other stay two.
    """
    middle: list[SolidBranch] = []
    pairs: list[LimbPair] = []
    for branch in find_branches(slice_tree(solid.left_half)):
        if abs(branch.tip[2]) <= OFF_MIDDLE or (_reaches_middle(solid, branch) and not _runs_sideways(branch)):
            middle.append(branch)
            continue
        pair = LimbPair(branch.line, branch.radii)
        if not pair.stands:
            pair = _from_trunk(solid, branch)
        if not any(_belongs_to(pair, branch.base, other) for other in pairs):
            pairs.append(pair)
    return pairs, middle


def make_landmarks(solid: VoxelSolid, pairs: list[LimbPair], ends: list[SolidBranch]) -> Landmarks:
    """Sort the limbs of a body that faces +x into feet, hands, head end and tail end."""
    feet = _feet(pairs)
    hands = sorted((p for p in pairs if not p.stands), key=lambda p: -p.length)
    plane = solid.middle_centres
    front = plane[int((plane @ (CROWN_DIRECTION if is_upright(solid) else FRONT_DIRECTION)).argmax())]
    rear = min((p.tip[0] for p in feet), default=0.0)
    behind = [b.tip for b in ends if b.tip[0] < rear] or list(plane[[int(plane[:, 0].argmin())]])
    back = min(behind, key=lambda t: t[0])
    return Landmarks(
        solid=solid,
        feet=tuple(feet),
        hands=tuple(hands),
        ends=tuple(ends),
        front=front,
        back=back if back[0] < rear - REAR_MARGIN else None,
        tail_fin=find_tail_fin(solid),
    )


def is_upright(solid: VoxelSolid) -> bool:
    """Whether a body stands like a person: short for its height, with its top above its middle."""
    length, height, _ = solid.extent
    if length < UPRIGHT_LENGTH * height:
        return True
    x, y, _ = solid.centres.T
    offset = abs(float(x[y > y.max() - 0.1 * height].mean() - x.mean()))
    return bool(length < STACKED_LENGTH * height and offset < STACKED_OFFSET * height)


def has_clearance(solid: VoxelSolid, pairs: Sequence[LimbPair]) -> bool:
    """Whether limbs hold the trunk off the ground: the belly between the feet is clearly above it."""
    standing = [p for p in pairs if p.stands]
    if not standing:
        return False
    x = [float(point[0]) for p in standing for point in (p.base, p.tip)]
    trunk = np.mean([solid.trunk_at(p.base[0])[1] for p in standing])
    plane = solid.middle_centres[np.abs(solid.middle_centres[:, 2]) < 1.5 * solid.voxel]
    between = plane[(plane[:, 0] >= min(x)) & (plane[:, 0] <= max(x))]
    return bool(len(between) and between[:, 1].min() > CLEARANCE * trunk)


def turned_solid(solid: VoxelSolid) -> VoxelSolid:
    """The solid after half a turn about the vertical."""
    far = solid.origin + solid.voxel * (np.array(solid.filled.shape) - 1)
    return replace(
        solid,
        filled=solid.filled[::-1, :, ::-1],
        depth=solid.depth[::-1, :, ::-1],
        origin=np.array([-far[0], solid.origin[1], -far[2]]),
    )


def turned_pair(pair: LimbPair) -> LimbPair:
    """The pair after half a turn about the vertical, described by its new left limb."""
    return replace(pair, line=pair.line * [-1.0, 1.0, 1.0])


def turned_branch(branch: SolidBranch) -> SolidBranch:
    """The branch after half a turn about the vertical."""
    turn = np.array([-1.0, 1.0, -1.0])
    return replace(branch, line=branch.line * turn, trunk=branch.trunk * turn)


def _feet(pairs: list[LimbPair]) -> list[LimbPair]:
    """Pairs that stand on the ground, front to back, without a forked tail that drags on it.

    A leg drops by more than it runs along the body; a tail does not and stands close to the middle plane.
    """
    standing = sorted((p for p in pairs if p.stands), key=lambda p: -p.tip[0])
    widest = max((abs(p.tip[2]) for p in standing), default=0.0)
    drags = [p.base[1] - p.tip[1] < abs(p.base[0] - p.tip[0]) for p in standing]
    return [p for p, drag in zip(standing, drags, strict=True) if abs(p.tip[2]) > NARROW_STANCE * widest or not drag]


def _belongs_to(pair: LimbPair, start: Float[ndarray, "3"], other: LimbPair) -> bool:
    """Whether a pair whose branch starts at `start` is a finger or toe of another one."""
    lies = pair.stands and pair.base[1] - pair.tip[1] < TOE_DROP
    reach = 3.0 * TOE_DISTANCE if lies else TOE_DISTANCE
    starts = [start] if other.stands else [start, pair.base]  # arms may reach into the trunk near the legs
    return any(np.linalg.norm(other.line - point, axis=1).min() <= reach for point in starts)


def _reaches_middle(solid: VoxelSolid, branch: SolidBranch) -> bool:
    """Whether the straight line from most of the branch's outer half to the middle plane stays in the solid."""
    outer = branch.line[len(branch.line) // 2 :]
    paths = outer[:, None] * np.stack([np.ones(9), np.ones(9), np.linspace(0.0, 1.0, 9)], 1)
    crossing = (solid.depth_at(paths.reshape(-1, 3)) > 0).reshape(len(outer), 9).all(1)
    return bool(crossing.mean() > MIDDLE_CROSSING)


def _runs_sideways(branch: SolidBranch) -> bool:
    """Whether a branch runs away from the middle plane, like an arm of a T pose."""
    span = branch.tip - branch.base
    return bool(abs(span[2]) > SIDEWAYS_SHARE * np.linalg.norm(span))


def _from_trunk(solid: VoxelSolid, branch: SolidBranch) -> LimbPair:
    """An arm or a wing from where it leaves the ball that fits into the trunk, wherever its branch starts."""
    path = np.concatenate([branch.trunk, branch.line])
    widths = [float(solid.depth_at(solid.trunk_at(point[0])[None])[0]) for point in path]
    inside = np.flatnonzero(np.abs(path[:, 2]) < np.array(widths))
    line = path[min(int(inside[-1]) if len(inside) else 0, len(path) - 2) :]
    return LimbPair(line, solid.depth_at(line))
