"""Feet that tilt at the ankle so that toes and heels do not go through the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.leg_ik import LegChain, angles_between
from gambol.motion.soles import Sole, pose_sole


def flex_feet(
    skeleton: Skeleton,
    clip: Clip,
    soles: tuple[Sole, ...],
    chains: list[LegChain],
    may_tilt: Bool[ndarray, "feet frames"],
    *,
    ground: float,
) -> Clip:
    """The clip with feet tilted up where they would go through the ground: long feet on short legs, as they take off.

    A foot that is its leg's last joint stays as it is.
    """
    from scipy.spatial.transform import Rotation

    T_world_bone, angles = pose_clip(skeleton, clip), clip.angles.copy()
    for sole, chain, allowed in zip(soles, chains, may_tilt, strict=True):
        if chain.foot is None:
            continue
        turn = np.where(allowed[:, None], tilt_out(skeleton, sole, chain.foot, T_world_bone, ground), 0.0)
        if not turn.any():
            continue
        tilted = Rotation.from_rotvec(turn).as_matrix() @ T_world_bone[:, chain.foot, :3, :3]
        above, place = T_world_bone[:, skeleton.parents[[chain.foot]], :3, :3], [chain.foot - 1]
        angles[:, place] = angles_between(skeleton, [chain.foot], above, tilted[:, None], near=angles[0, place])
    return replace(clip, angles=angles)


def tilt_out(
    skeleton: Skeleton, sole: Sole, foot: int, T_world_bone: Float[ndarray, "frames bones 4 4"], ground: float
) -> Float[ndarray, "frames 3"]:
    """Rotation vectors about the ankle that bring the deepest point of a foot up to the ground; 0 where none is below.

    The axis is the foot's own axis across, laid level. In the plane across it, a point at distance l from an ankle at
    height h above the ground, at the angle f = atan2(up, ahead), comes up to the ground by asin(-h / l) - f. For points
    behind the ankle, ahead is behind.
    """
    frames, ankle = np.arange(len(T_world_bone)), T_world_bone[:, foot, :3, 3]
    arms = pose_sole(skeleton, sole, T_world_bone) - ankle[:, None]
    height, deepest = ankle[:, 1] - ground, arms[..., 1].argmin(1)
    rest = sole.points - skeleton.heads[foot]
    toes = rest[np.hypot(rest[:, 0], rest[:, 2]).argmax()]
    turned = T_world_bone[:, foot, :3, :3] @ skeleton.T_world_rest[foot, :3, :3].T
    axis = turned @ np.array([-toes[2], 0.0, toes[0]]) * np.array([1.0, 0.0, 1.0])
    axis /= np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-9)
    side = np.where(rest @ toes >= 0, 1.0, -1.0)[deepest]
    arm = arms[frames, deepest]
    ahead = side * (arm[:, 0] * axis[:, 2] - arm[:, 2] * axis[:, 0])
    length = np.maximum(np.hypot(ahead, arm[:, 1]), 1e-9)
    tilt = np.arcsin(-np.clip(height / length, 0.0, 1.0)) - np.arctan2(arm[:, 1], ahead)
    below = arm[:, 1] < -height
    return (np.where(below, np.maximum(tilt, 0.0), 0.0) * side)[:, None] * axis
