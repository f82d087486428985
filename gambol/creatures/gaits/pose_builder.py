"""A pose being made: one rotation per frame and bone in the world's axes at rest, and the root's path."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip, clip_from_matrices
from gambol.motion.limb_ik import arc, share_rotation, turn

FORE_AXIS = np.array([1.0, 0.0, 0.0])
"""A turn about it rolls the body to its right."""
UP_AXIS = np.array([0.0, 1.0, 0.0])
"""A turn about it turns to the left."""
SIDE_AXIS = np.array([0.0, 0.0, 1.0])
"""A turn about it lifts the nose, and swings a hanging limb forwards."""


class Posing:
    """The state of a motion in the making.

    `turns[f, b]` is Q of METHOD-like composition D_bone = D_parent Q_bone, where D takes rest directions to moved ones,
    all in world axes; `shift` is the root joint's displacement. All identity and zero is the rest pose.
    """

    def __init__(self, skeleton: Skeleton, frames: int) -> None:
        self.skeleton = skeleton
        self.turns = np.tile(np.eye(3), (frames, len(skeleton), 1, 1))
        self.shift = np.zeros((frames, 3))
        self.standing = np.zeros((frames, 0), bool)
        """Which feet are meant to stand, by leg; set where the legs are planted."""

    def __len__(self) -> int:
        return len(self.shift)

    def turn(self, bone: int, axis: Float[ndarray, "*frames 3"], angle: Float[ndarray, "frames"] | float) -> None:
        """Turn one bone further, about an axis that moves with it."""
        self.turns[:, bone] = self.turns[:, bone] @ turn(axis, np.broadcast_to(np.asarray(angle, float), len(self)))

    def bend(self, bones: Sequence[int], axis: Float[ndarray, "3"], angle: Float[ndarray, "frames"] | float) -> None:
        """Turn a chain by an angle in total, in equal parts."""
        if len(bones):
            R = turn(axis, np.broadcast_to(np.asarray(angle, float), len(self)) / len(bones))
            for bone in bones:
                self.turns[:, bone] = self.turns[:, bone] @ R

    def displacements(self) -> tuple[Float[ndarray, "frames bones 3 3"], Float[ndarray, "frames bones 3"]]:
        """D and joint position of every bone: D_b = D_p Q_b, p_b = p_p + D_p (h_b - h_p)."""
        heads, parents = self.skeleton.heads, self.skeleton.parents
        D, p = np.empty_like(self.turns), np.empty((*self.turns.shape[:2], 3))
        D[:, 0], p[:, 0] = self.turns[:, 0], heads[0] + self.shift
        for bone in range(1, len(parents)):
            above = D[:, parents[bone]]
            D[:, bone] = above @ self.turns[:, bone]
            p[:, bone] = p[:, parents[bone]] + above @ (heads[bone] - heads[parents[bone]])
        return D, p

    def point(self, bone: int, at_rest: Float[ndarray, "*points 3"]) -> Float[ndarray, "frames *points 3"]:
        """Where points of the rest pose that ride on a bone are."""
        D, p = self.displacements()
        offsets = np.moveaxis(at_rest - self.skeleton.heads[bone], -1, 0).reshape(3, -1)
        moved = np.swapaxes(D[:, bone] @ offsets, 1, 2) + p[:, None, bone]
        return moved.reshape(len(self), *np.shape(at_rest))

    def hold(self, bones: Sequence[int], target: Float[ndarray, "frames 3 3"], share: float = 1.0) -> None:
        """Turn a chain so that its last bone comes to the rotation D = target (by a share), in equal parts.

        With N = D_base^T target, every bone of n takes N^(share / n) and keeps its own turn before it.
        """
        if not len(bones):
            return
        D, _ = self.displacements()
        parent = self.skeleton.parents[bones[0]]
        base = D[:, parent] if parent >= 0 else np.eye(3)
        own = np.swapaxes(base, -1, -2) @ D[:, bones[-1]]
        part = share_rotation(np.swapaxes(base, -1, -2) @ target @ np.swapaxes(own, -1, -2), share / len(bones))
        for bone in bones:
            self.turns[:, bone] = part @ self.turns[:, bone]

    def aim(
        self,
        bone: int,
        rest_direction: Float[ndarray, "3"],
        direction: Float[ndarray, "frames 3"],
        above: Float[ndarray, "frames 3 3"],
    ) -> Float[ndarray, "frames 3 3"]:
        """Point a bone in a direction (in the axes of `above`, its parent's D), by the smallest turn; its D."""
        D = arc(above @ rest_direction, direction) @ above
        self.turns[:, bone] = np.swapaxes(above, -1, -2) @ D
        return D

    def clip(self, name: str, fps: float) -> Clip:
        """The motion as a clip: R_rest^T Q R_rest in every bone's own frame."""
        R = self.skeleton.T_world_rest[:, :3, :3]
        local = np.swapaxes(R, -1, -2) @ self.turns @ R
        clip, _ = clip_from_matrices(name, fps, self.shift, local)
        return clip
