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

UP, LEVEL = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 1.0])
STEEP = 0.3
"""A point closer than this share of its distance to straight below the ankle has no clear direction of its own."""


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
    """Rotation vectors about the ankle that bring all points of a foot up to the ground; 0 where none is below.

    A point at distance l from an ankle at height h above the ground, seen from it at the angle f = atan2(up, out),
    comes up to the ground by asin(-h / l) - f; the largest turn wins. Out is the point's own direction from the ankle;
    where that is nearly straight down, the direction of the toes (or heel) decides.
    """
    ankle = T_world_bone[:, foot, :3, 3]
    arms, height = pose_sole(skeleton, sole, T_world_bone) - ankle[:, None], ankle[:, 1, None] - ground
    length = np.maximum(np.linalg.norm(arms, axis=-1), 1e-9)
    rest = sole.points - skeleton.heads[foot]
    toes = rest[np.hypot(rest[:, 0], rest[:, 2]).argmax()] * LEVEL
    # the axis across the foot stays level, however steep the foot is
    across = T_world_bone[:, foot, :3, :3] @ skeleton.T_world_rest[foot, :3, :3].T @ np.cross(toes, UP) * LEVEL
    ahead = _unit(np.cross(UP, across))[:, None] * np.where(rest @ toes >= 0, 1.0, -1.0)[:, None]
    out = _unit(arms * LEVEL + STEEP * length[..., None] * ahead)
    rise = np.arcsin(-np.clip(height / length, 0.0, 1.0)) - np.arctan2(arms[..., 1], (arms * out).sum(-1))
    rise = np.where(arms[..., 1] < -height, rise, 0.0)
    frames, most = np.arange(len(arms)), rise.argmax(1)
    return np.maximum(rise[frames, most], 0.0)[:, None] * np.cross(out[frames, most], UP)


def _unit(vectors: Float[ndarray, "*any 3"]) -> Float[ndarray, "*any 3"]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
