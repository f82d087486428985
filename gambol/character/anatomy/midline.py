"""The middle of the body: the line of bones from the root to the head, and where things are attached along it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.rest_shape import RestShape
from gambol.character.motion_skeleton import far_end
from gambol.character.segment_distances import point_segment_distances
from gambol.character.skeleton import FORWARD, UP

AHEAD_SLANT = 0.35
"""Weight of the minor direction in "ahead": of up for a body that lies along x, of forwards for an upright one."""
UPRIGHT_HEIGHT_RATIO = 1.2
"""A body is upright where its middle bones span at least this many times more height than length."""
MAX_HEAD_BEHIND_ROOT = 0.05
"""A spine that ends more than this share of the size behind the root leads to no head."""
TURN_BACK_SHARE = 0.5
"""The end of a spine that leads back by more than this share of its own length (hair) is not part of the spine."""
DISPLACED_DISTANCE = 0.03
"""A branch whose parent bone is this share of the size farther away than the nearest spine bone starts at that one."""


@dataclass(frozen=True)
class Midline:
    """The bones that belong to no side, and among them the spine: the path from the root to the tip of the head."""

    shape: RestShape
    """The measured rest pose."""
    middle: frozenset[int]
    """Bones that belong to no side."""
    spine: tuple[int, ...]
    """Bones from the root to the tip of the head."""
    upright: bool
    """Whether the body stands upright, as a human's."""

    @cached_property
    def knots(self) -> Float[ndarray, "knots 3"]:
        """The spine as a line in the plane of symmetry: the joint of each of its bones, then where the last ends."""
        return _knots(self.shape, self.spine)

    @property
    def axis(self) -> Float[ndarray, "3"]:
        """The direction of the trunk: up or forwards."""
        return UP if self.upright else FORWARD

    def holder(self, bone: int) -> int:
        """Place on the spine of the nearest spine bone above a bone in the tree."""
        walk = bone
        while walk not in self.spine:
            walk = int(self.shape.skeleton.parents[walk])
        return self.spine.index(walk)

    def place(self, bone: int) -> int:
        """Place on the spine where a branch starts: at its holder, or at the nearest bone where that is far off."""
        held, gaps = self.holder(bone), point_segment_distances(self.shape.heads[bone], self.knots[:-1], self.knots[1:])
        nearest = int(np.flatnonzero(gaps <= gaps.min() + 0.005 * self.shape.size)[0])
        return nearest if gaps[held] > gaps[nearest] + DISPLACED_DISTANCE * self.shape.size else held

    def fraction(self, place: int, point: Float[ndarray, "3"]) -> float:
        """Where a point projects onto a spine bone: 0 at its joint, 1 at the next one."""
        along = self.knots[place + 1] - self.knots[place]
        return float((point - self.knots[place]) @ along / max(float(along @ along), 1e-12))

    def side_paths(self) -> list[tuple[int, ...]]:
        """The other middle chains: from the bone after the fork to each end that is not the head's."""
        paths = []
        for end in _ends(self.shape, self.middle):
            path = [end]
            while (above := int(self.shape.skeleton.parents[path[-1]])) >= 0 and path[-1] not in self.spine:
                path.append(above)
            if end not in self.spine:
                paths.append(tuple(reversed(path[:-1])))
        return paths


def find_midline(shape: RestShape, sided: set[int]) -> Midline:
    """The middle bones and the spine; `sided` are the bones of all branches to the left and right.

    The spine leads to the end that lies farthest along (1, 0.35) in the plane of x and y, or (0.35, 1) for an upright
    body: the end itself and its path on average. What turns back from its foremost point, like hair, is not part of it.
    Where limbs leave the middle and all ends lie behind the root (a spider with an abdomen), it is the root alone.
    """
    middle = frozenset(range(len(shape))) - sided
    ends = _ends(shape, middle)
    own = np.concatenate([shape.heads[sorted(middle)], shape.tails[ends]])
    length, height = np.ptp(own[:, 0]), np.ptp(own[:, 1])
    upright = bool(height > UPRIGHT_HEIGHT_RATIO * length)
    ahead = np.array([AHEAD_SLANT, 1.0, 0.0]) if upright else np.array([1.0, AHEAD_SLANT, 0.0])
    paths = [_path(shape, end) for end in ends]
    spine = max(paths, key=lambda path: _how_far_ahead(shape, path, ahead))
    if sided and (shape.tails[spine[-1]] - shape.heads[0]) @ ahead < -MAX_HEAD_BEHIND_ROOT * shape.size:
        spine = (0,)
    return Midline(shape, middle, _without_return(shape, spine, ahead), upright)


def _path(shape: RestShape, end: int) -> tuple[int, ...]:
    """The bones from the root to a bone."""
    path = [end]
    while path[-1] != 0:
        path.append(int(shape.skeleton.parents[path[-1]]))
    return tuple(reversed(path))


def _knots(shape: RestShape, path: tuple[int, ...]) -> Float[ndarray, "knots 3"]:
    """A path as a line in the plane of symmetry.

    The last bone ends where it says; where only side branches hang on it, at the far end of its own vertices, and
    without any it continues as the bone before.
    """
    last = path[-1]
    knots = np.concatenate([shape.heads[list(path)], shape.tails[[last]]]) * [1.0, 1.0, 0.0]
    if shape.skeleton.children[last]:
        onwards = knots[-2] - knots[-3] if len(path) > 1 else knots[-1] - knots[-2]
        knots[-1] = far_end(knots[-2], shape.points[last] * [1.0, 1.0, 0.0], onwards)
    return knots


def _how_far_ahead(shape: RestShape, path: tuple[int, ...], ahead: Float[ndarray, "3"]) -> tuple[float, float]:
    """Mean of the end of a path and of its average along its length; equal ones by the end."""
    line = _knots(shape, path)
    lengths, knots = np.linalg.norm(np.diff(line, axis=0), axis=1) + 1e-9 * shape.size, line @ ahead
    average = 0.5 * (knots[1:] + knots[:-1]) @ lengths / lengths.sum()
    return round(float(average + knots[-1]) / shape.size, 5), float(knots[-1])


def _without_return(shape: RestShape, path: tuple[int, ...], ahead: Float[ndarray, "3"]) -> tuple[int, ...]:
    """The path up to its foremost point, where what follows is shorter and leads back by more than half its length."""
    knots = _knots(shape, path)
    foremost = 1 + int((knots[1:] @ ahead).argmax())
    lengths = np.linalg.norm(np.diff(knots, axis=0), axis=1)
    before, rest = float(lengths[:foremost].sum()), float(lengths[foremost:].sum())
    turns_back = float((knots[foremost] - knots[-1]) @ ahead) > TURN_BACK_SHARE * rest * float(np.linalg.norm(ahead))
    return path[:foremost] if 0 < rest < before and turns_back else path


def _ends(shape: RestShape, middle: frozenset[int]) -> list[int]:
    """The middle bones without a middle child."""
    return [b for b in sorted(middle) if not any(c in middle for c in shape.skeleton.children[b])]
