"""The middle of the body: the line of bones from the root to the head, and where things are attached along it."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
MAX_HANDLE_HEIGHT = 0.02
"""A root without a surface that lies lower than this share of the size is a handle, no part of the body."""


@dataclass(frozen=True)
class Midline:
    """The bones that belong to no side, and among them the spine: the path from the root to the tip of the head."""

    shape: RestShape
    """The measured rest pose."""
    middle: frozenset[int]
    """Bones that belong to no side."""
    spine: tuple[int, ...]
    """Bones from the root to the tip of the head; of a body without legs, from the tip of the tail."""
    knots: Float[ndarray, "knots 3"]
    """The spine as a line in the plane of symmetry: where each of its bones begins, then where the last ends."""
    upright: bool
    """Whether the body stands upright, as a human's."""

    @cached_property
    def extent(self) -> tuple[float, float]:
        """Smallest and largest x of the joints and ends of all middle bones."""
        bones = sorted(self.middle)
        along = np.concatenate([self.shape.heads[bones, 0], self.shape.tails[bones, 0]])
        return float(along.min()), float(along.max())

    @property
    def axis(self) -> Float[ndarray, "3"]:
        """The direction of the trunk: up or forwards."""
        return UP if self.upright else FORWARD

    def holder(self, bone: int) -> int:
        """Place on the spine of the nearest spine bone above a bone in the tree; the nearest in space without one."""
        walk = bone
        while walk not in self.spine and walk != 0:
            walk = int(self.shape.skeleton.parents[walk])
        return self.spine.index(walk) if walk in self.spine else int(self._gaps(bone).argmin())

    def place(self, bone: int) -> int:
        """Place on the spine where a branch starts: at its holder, or at the nearest bone where that is far off."""
        held, gaps = self.holder(bone), self._gaps(bone)
        nearest = int(np.flatnonzero(gaps <= gaps.min() + 0.005 * self.shape.size)[0])
        place = nearest if gaps[held] > gaps[nearest] + DISPLACED_DISTANCE * self.shape.size else held
        return max(place, int(self._has_handle))

    @cached_property
    def _has_handle(self) -> bool:
        """Whether the spine begins with a joint on the ground that moves nothing itself: the body is the next one."""
        own, size = self.shape.points, self.shape.size
        bare = len(self.spine) < 2 or len(own[self.spine[0]]) or not len(own[self.spine[1]])
        return not bare and bool(self.knots[0, 1] < MAX_HANDLE_HEIGHT * size)

    def _gaps(self, bone: int) -> Float[ndarray, "spine"]:
        """Distance of a bone's joint from each bone of the spine."""
        return point_segment_distances(self.shape.heads[bone], self.knots[:-1], self.knots[1:])

    def fraction(self, place: int, point: Float[ndarray, "3"]) -> float:
        """Where a point projects onto a spine bone: 0 at its joint, 1 at the next one."""
        along = self.knots[place + 1] - self.knots[place]
        return float((point - self.knots[place]) @ along / max(float(along @ along), 1e-12))

    def along(self, place: int) -> float:
        """Where a spine bone begins, as a share of the spine's length."""
        lengths = np.linalg.norm(np.diff(self.knots, axis=0), axis=1)
        return float(lengths[:place].sum() / max(float(lengths.sum()), 1e-12))

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
    spine = _without_return(shape, spine, ahead)
    return Midline(shape, middle, spine, _knots(shape, spine), upright)


def from_tail_to_head(midline: Midline) -> Midline:
    """The same body with a spine that begins at its hindmost end, as a body without legs is read.

    Before the spine comes the longest side chain that leads backwards; a spine that itself leads backwards (the root is
    the head) is turned around.
    """
    spine, knots = midline.spine, midline.knots
    back = _back_path(midline)
    if back:
        fork = midline.holder(back[0])
        rear = np.concatenate([midline.shape.tails[[back[-1]]], midline.shape.heads[list(back[:0:-1])]])
        knots = np.concatenate([rear * [1.0, 1.0, 0.0], knots[fork:]])
        spine = (*reversed(back), *spine[fork:])
    if len(spine) > 2 and (knots[-1] - knots[0]) @ midline.axis < 0:
        spine, knots = spine[::-1], knots[::-1].copy()
        knots[-1] = far_end(knots[-2], midline.shape.points[spine[-1]] * [1.0, 1.0, 0.0], knots[-1] - knots[-2])
    return replace(midline, spine=spine, knots=knots)


def _back_path(midline: Midline) -> tuple[int, ...]:
    """The longest side chain that ends behind where the spine begins and behind its own start, () without one."""
    shape = midline.shape
    lengths = {}
    for path in midline.side_paths():
        points = np.concatenate([shape.heads[list(path)], shape.tails[[path[-1]]]])
        if points[-1, 0] < min(float(midline.knots[0, 0]), float(points[0, 0])):
            length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
            lengths[path] = (round(length / shape.size, 5), float(points[-1, 1]))
    return max(lengths, key=lengths.__getitem__, default=())


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
