"""Builds a motion: one rotation per frame and bone in the world's axes at rest, and the root's displacement."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip, clip_from_matrices
from gambol.motion.folding_limb_ik import arc, share_rotation, turn

ROLL_AXIS = np.array([1.0, 0.0, 0.0])
"""Forward; a positive rotation about it rolls the body to its right."""
UP_AXIS = np.array([0.0, 1.0, 0.0])
"""Up; a positive rotation about it turns to the left."""
PITCH_AXIS = np.array([0.0, 0.0, 1.0])
"""To the right; a positive rotation about it lifts the nose and swings a hanging limb forwards."""


class PoseBuilder:
    """Rotations and root displacement of a motion while it is being made; all identity and zero is the rest pose.

    Rotations compose down the skeleton, D_bone = D_parent Q_bone: D takes rest directions to posed ones, in world axes.
    """

    def __init__(self, skeleton: Skeleton, frames: int) -> None:
        self.skeleton = skeleton
        self.rotations = np.tile(np.eye(3), (frames, len(skeleton), 1, 1))
        """Q of every frame and bone, shape [frames, bones, 3, 3]."""
        self.root_shift = np.zeros((frames, 3))
        """Displacement of the root joint from its rest position, metres, shape [frames, 3]."""
        self.standing = np.zeros((frames, 0), bool)
        """Which feet are planned to stand, shape [frames, legs]; set by `plant_legs`."""

    def __len__(self) -> int:
        return len(self.root_shift)

    def turn(self, bone: int, axis: Float[ndarray, "*frames 3"], angle: Float[ndarray, "frames"] | float) -> None:
        """Rotate one bone further, about an axis that moves with it, by an angle in radians."""
        self.rotations[:, bone] = self.rotations[:, bone] @ turn(
            axis, np.broadcast_to(np.asarray(angle, float), len(self))
        )

    def bend(self, bones: Sequence[int], axis: Float[ndarray, "3"], angle: Float[ndarray, "frames"] | float) -> None:
        """Rotate a chain by a total angle in radians, in equal parts per bone."""
        if len(bones):
            R = turn(axis, np.broadcast_to(np.asarray(angle, float), len(self)) / len(bones))
            for bone in bones:
                self.rotations[:, bone] = self.rotations[:, bone] @ R

    def displacements(self) -> tuple[Float[ndarray, "frames bones 3 3"], Float[ndarray, "frames bones 3"]]:
        """Return D and the joint position of every bone: D_b = D_p Q_b, p_b = p_p + D_p (h_b - h_p)."""
        heads, parents = self.skeleton.heads, self.skeleton.parents
        D, p = np.empty_like(self.rotations), np.empty((*self.rotations.shape[:2], 3))
        D[:, 0], p[:, 0] = self.rotations[:, 0], heads[0] + self.root_shift
        for bone in range(1, len(parents)):
            above = D[:, parents[bone]]
            D[:, bone] = above @ self.rotations[:, bone]
            p[:, bone] = p[:, parents[bone]] + above @ (heads[bone] - heads[parents[bone]])
        return D, p

    def point(self, bone: int, at_rest: Float[ndarray, "*points 3"]) -> Float[ndarray, "frames *points 3"]:
        """Return the posed positions of rest-pose points that move with a bone."""
        D, p = self.displacements()
        offsets = np.moveaxis(at_rest - self.skeleton.heads[bone], -1, 0).reshape(3, -1)
        moved = np.swapaxes(D[:, bone] @ offsets, 1, 2) + p[:, None, bone]
        return moved.reshape(len(self), *np.shape(at_rest))

    def orient_chain(self, bones: Sequence[int], target: Float[ndarray, "frames 3 3"], share: float = 1.0) -> None:
        """Rotate a chain towards D = target for its last bone, by a share of the way, in equal parts per bone.

        With N = D_base^T target, every bone of n takes N^(share / n) and keeps its own rotation before it.
        """
        if not len(bones):
            return
        D, _ = self.displacements()
        parent = self.skeleton.parents[bones[0]]
        base = D[:, parent] if parent >= 0 else np.eye(3)
        own = np.swapaxes(base, -1, -2) @ D[:, bones[-1]]
        part = share_rotation(np.swapaxes(base, -1, -2) @ target @ np.swapaxes(own, -1, -2), share / len(bones))
        for bone in bones:
            self.rotations[:, bone] = part @ self.rotations[:, bone]

    def aim(
        self,
        bone: int,
        rest_direction: Float[ndarray, "3"],
        direction: Float[ndarray, "frames 3"],
        above: Float[ndarray, "frames 3 3"],
    ) -> Float[ndarray, "frames 3 3"]:
        """Point a bone in a direction by the smallest rotation from `above`, its parent's D; returns the bone's D."""
        D = arc(above @ rest_direction, direction) @ above
        self.rotations[:, bone] = np.swapaxes(above, -1, -2) @ D
        return D

    def clip(self, name: str, fps: float) -> Clip:
        """Convert the motion to a clip: R_rest^T Q R_rest in every bone's own frame."""
        R = self.skeleton.T_world_rest[:, :3, :3]
        local = np.swapaxes(R, -1, -2) @ self.rotations @ R
        clip, _ = clip_from_matrices(name, fps, self.root_shift, local)
        return clip
