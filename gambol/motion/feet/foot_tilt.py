"""Tilt feet at the ankle so that toes and heels do not go through the ground."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.skeleton import UP, Skeleton
from gambol.motion.clip import Clip
from gambol.motion.feet.leg_ik import LegChain, angles_between
from gambol.motion.feet.soles import Sole, pose_sole
from gambol.motion.kinematics import pose_clip

HORIZONTAL = np.array([1.0, 0.0, 1.0])
"""Factors that take the vertical part out of a vector."""
MAX_FOOT_TILT = 0.5
"""Largest tilt per call, radians; a foot that dips deeper is not corrected by the ankle alone."""
MAX_BACKWARD_SINE = 0.3
"""A foot that points down and backwards by less than this sine counts as pointing ahead."""


def tilt_feet(
    skeleton: Skeleton,
    clip: Clip,
    soles: tuple[Sole, ...],
    chains: list[LegChain],
    may_tilt: Bool[ndarray, "feet frames"],
    *,
    ground: float,
) -> Clip:
    """Tilt feet up in the frames where they would go through the ground, as long feet on short legs do at lift-off.

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

    The axis is the foot's own axis across, laid level. In the plane across it, a point at distance l from an ankle at
    height h above the ground, at the angle f = atan2(up, out), comes up by asin(-h / l) - f; the largest turn wins. Out
    is ahead for toes and behind for heels, and the other way round for a foot that points backwards (of someone who
    kneels).
    """
    ankle = T_world_bone[:, foot, :3, 3]
    arms, height = pose_sole(skeleton, sole, T_world_bone) - ankle[:, None], ankle[:, 1, None] - ground
    rest = sole.points - skeleton.heads[foot]
    toes = (rest * np.hypot(rest[:, :1], rest[:, 2:])).sum(0) * HORIZONTAL  # far points count more
    toes = toes / max(float(np.linalg.norm(toes)), 1e-9)
    turned = T_world_bone[:, foot, :3, :3] @ skeleton.T_world_rest[foot, :3, :3].T
    across = turned @ np.cross(toes, UP) * HORIZONTAL
    across = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    ahead = np.cross(UP, across)
    along = np.einsum("fpi,fi->fp", arms, ahead)
    length = np.maximum(np.hypot(along, arms[..., 1]), 1e-9)
    points_ahead = ((turned @ toes) * ahead).sum(1, keepdims=True) > -MAX_BACKWARD_SINE
    out = np.where(points_ahead, 1.0, -1.0) * np.where(rest @ toes >= 0, 1.0, -1.0)
    rise = np.arcsin(-np.clip(height / length, 0.0, 1.0)) - np.arctan2(arms[..., 1], out * along)
    rise = np.where(arms[..., 1] < -height, rise, 0.0)
    frames, most = np.arange(len(arms)), rise.argmax(1)
    return (np.clip(rise[frames, most], 0.0, MAX_FOOT_TILT) * out[frames, most])[:, None] * across
