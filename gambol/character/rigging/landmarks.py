"""What a bare body shows: its plane of symmetry, feet, hands, head end and tail end, and which way it looks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.branches import Branch, find_branches, slice_tree
from gambol.character.rigging.voxel_solid import Solid

GROUND = 0.06
"""A tip below this share of the size stands on the ground."""
BESIDE = 0.012
"""A tip farther from the middle plane than this share of the size belongs to a side."""
UPRIGHT = 0.4
"""A body that is no longer than this share of its height stands upright, and only its toes tell its front."""
AHEAD, UP = np.array([1.0, 0.3, 0.0]), np.array([0.2, 1.0, 0.0])
"""Where the head is sought."""
NARROW = 0.5
"""Feet stand no nearer to the middle plane than this share of the widest pair."""
ACROSS = 0.75
"""A branch belongs to the middle where more than this share of its outer half crosses the middle plane: a tail."""
TOE = 0.05
"""A pair that starts closer than this to another's line is a toe of it; three times that near the ground."""
FACING_WEIGHTS = {"toes": 3.5, "height": 1.8, "blunt": 0.0, "volume": 1.4, "tip": 2.3}
"""What each hint says about the way that a body looks (set on built-in creatures)."""


@dataclass(frozen=True)
class Pair:
    """Two limbs that mirror each other, as one line on the left side (-z), from the body to the tip."""

    line: Float[ndarray, "points 3"]
    radii: Float[ndarray, "points"]
    volume: float

    @property
    def base(self) -> Float[ndarray, "3"]:
        """Where it leaves the body."""
        return self.line[0]

    @property
    def tip(self) -> Float[ndarray, "3"]:
        """Its far end."""
        return self.line[-1]


@dataclass(frozen=True)
class Landmarks:
    """A body that looks along +x, its middle plane at z = 0, its lowest point at y = 0, its longest side 1."""

    solid: Solid
    feet: tuple[Pair, ...]
    """Pairs that stand on the ground, front to back."""
    hands: tuple[Pair, ...]
    """Pairs that do not: hands, wings, ears, horns; the longest first."""
    ends: tuple[Branch, ...]
    """Tips in the middle plane: head, tail; the longest first."""
    front: Float[ndarray, "3"]
    """The foremost point of the middle plane along `AHEAD`: the snout; of an upright body along `UP`: the crown."""
    back: Float[ndarray, "3"] | None
    """The tip of the tail, else the rearmost point of the middle plane; none where that is above the feet."""


def mirrored_overlap(solid: Solid, axis: int) -> float:
    """Share of full cells whose mirror image across the middle of the solid is full too."""
    cells = solid.cells
    ends = cells[:, axis].min() + cells[:, axis].max()
    image = cells.copy()
    image[:, axis] = ends - cells[:, axis]
    return float(solid.full[tuple(image.T)].mean())


def find_landmarks(solid: Solid) -> Landmarks:
    """The landmarks of a solid of size 1 with the middle plane z = 0, turned so that it looks along +x."""
    pairs, ends = find_limbs(solid)
    if looks_forward(solid, pairs) < 0:
        solid, pairs, ends = _turned(solid), [_turned_pair(p) for p in pairs], [_turned_branch(b) for b in ends]
    feet = sorted((p for p in pairs if _stands(p)), key=lambda p: -p.tip[0])
    widest = max((abs(p.tip[2]) for p in feet), default=0.0)
    feet = [p for p in feet if abs(p.tip[2]) > NARROW * widest]  # a forked tail that drags on the ground is no foot
    hands = sorted((p for p in pairs if not _stands(p)), key=lambda p: -_length(p.line))
    plane = solid.centres[np.abs(solid.centres[:, 2]) < 0.03]
    length, height, _ = np.ptp(solid.centres, axis=0)
    front = plane[int((plane @ (AHEAD if length > UPRIGHT * height else UP)).argmax())]
    rear = min((p.tip[0] for p in feet), default=0.0)
    behind = [b.tip for b in ends if b.tip[0] < rear] or list(plane[[int(plane[:, 0].argmin())]])
    back = min(behind, key=lambda t: t[0])
    return Landmarks(solid, tuple(feet), tuple(hands), tuple(ends), front, back if back[0] < rear - 0.03 else None)


def looks_forward(solid: Solid, pairs: list[Pair]) -> float:
    """Above 0 where the body looks along +x, else below; with more than two pairs of legs the thick end is behind."""
    hints = facing_hints(solid, pairs)
    length, height, _ = np.ptp(solid.centres, axis=0)
    if length < UPRIGHT * height:
        return hints["toes"]
    if sum(map(_stands, pairs)) > 2:
        return -hints["blunt"]
    return sum(FACING_WEIGHTS[name] * hint for name, hint in hints.items())


def facing_hints(solid: Solid, pairs: list[Pair]) -> dict[str, float]:
    """Evidence that the body looks along +x rather than -x, each from about -1 to 1."""
    centres, depths = solid.centres, solid.depths
    low, high = centres[:, 0].min(), centres[:, 0].max()
    reach = 0.12 * (high - low)
    fore, aft = centres[:, 0] > high - reach, centres[:, 0] < low + reach
    middle = np.abs(centres[:, 2]) < 0.1
    blunt = np.log(depths[fore & middle].max(initial=1e-3) / depths[aft & middle].max(initial=1e-3))
    tips = [middle & (way * centres[:, 0] > way * end - 0.04) for way, end in ((1.0, high), (-1.0, low))]
    tip = np.log(depths[tips[0]].max(initial=1e-3) / depths[tips[1]].max(initial=1e-3))
    height = float(
        np.average(centres[fore, 1], weights=depths[fore]) - np.average(centres[aft, 1], weights=depths[aft])
    )
    toes = [_toes(p) for p in pairs if _stands(p)]
    feet = [float(p.tip[0]) for p in pairs if _stands(p)]
    beyond = np.log(
        (depths[centres[:, 0] > max(feet, default=0.0)].sum() + 1e-3)
        / (depths[centres[:, 0] < min(feet, default=0.0)].sum() + 1e-3)
    )
    return {
        "toes": float(np.clip(np.mean(toes) / 0.05, -1, 1)) if toes else 0.0,
        "height": float(np.clip(height / 0.2, -1, 1)),
        "blunt": float(np.clip(blunt, -1, 1)),
        "volume": float(np.clip(0.5 * beyond, -1, 1)),
        "tip": float(np.clip(tip, -1, 1)),
    }


def _toes(pair: Pair) -> float:
    """How far ahead of the ankle, the last point of a leg that is clearly above the ground, its tip lies."""
    above = np.flatnonzero(pair.line[:, 1] > pair.tip[1] + 0.03)
    return float(pair.tip[0] - pair.line[int(above[-1]) if len(above) else 0, 0])


def _stands(pair: Pair) -> bool:
    return bool(pair.tip[1] < GROUND)


def _length(line: Float[ndarray, "points 3"]) -> float:
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def find_limbs(solid: Solid) -> tuple[list[Pair], list[Branch]]:
    """Limbs that come in pairs, the longest first, and what ends in the middle plane.

    Seen in the left half alone, so that legs that touch each other stay two.
    """
    middle: list[Branch] = []
    pairs: list[Pair] = []
    for branch in find_branches(slice_tree(solid.left_half, 1.0), 1.0):
        outer = branch.points[len(branch.points) // 2 :]
        way = outer[:, None] * np.stack([np.ones(9), np.ones(9), np.linspace(0.0, 1.0, 9)], 1)
        crossing = (solid.depth_at(way.reshape(-1, 3)) > 0).reshape(len(outer), 9).all(1)
        if abs(branch.tip[2]) <= BESIDE or crossing.mean() > ACROSS:
            middle.append(branch)
            continue
        pair = Pair(branch.points, branch.radii, branch.volume)
        if not _stands(pair):
            pair = _from_the_trunk(solid, branch)
        reach = 3.0 * TOE if _stands(pair) and pair.base[1] < GROUND else TOE
        if all(np.linalg.norm(other.line - pair.base, axis=1).min() > reach for other in pairs):
            pairs.append(pair)
    return pairs, middle


def _from_the_trunk(solid: Solid, branch: Branch) -> Pair:
    """An arm or a wing from where it leaves the ball that fits into the trunk there, wherever its branch was found."""
    way = np.concatenate([branch.trunk, branch.points])
    widths = [float(solid.depth_at(solid.trunk_at(point[0])[None])[0]) for point in way]
    inside = np.flatnonzero(np.abs(way[:, 2]) < np.array(widths))
    line = way[min(int(inside[-1]) if len(inside) else 0, len(way) - 2) :]
    return Pair(line, solid.depth_at(line), branch.volume)


def _turned(solid: Solid) -> Solid:
    """Half a turn about the vertical."""
    full = solid.full[::-1, :, ::-1]
    far = solid.low + solid.step * (np.array(full.shape) - 1)
    depth = solid.depth[::-1, :, ::-1]
    return replace(solid, full=full, depth=depth, low=np.array([-far[0], solid.low[1], -far[2]]))


def _turned_pair(pair: Pair) -> Pair:
    return replace(pair, line=pair.line * [-1.0, 1.0, 1.0])


def _turned_branch(branch: Branch) -> Branch:
    turn = np.array([-1.0, 1.0, -1.0])
    return replace(branch, points=branch.points * turn, trunk=branch.trunk * turn)
