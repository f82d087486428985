"""What hands hold (swords, bows) stays out of the ground: priors never see it, and hanging arms let it down."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.transform import Rotation

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.transforms import rigid_inverse
from gambol.distill.body import Body
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.soles import bones_below
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import continuous_angles
from gambol.priors.embedded.stage import HELD

TURNS = np.radians(np.arange(0.0, 121.0, 5.0))
"""Of a hand, tried in this order."""
DEEP = 0.01
"""Less depth is left alone, sizes."""


def lift_held_things(body: Body, clip: Clip) -> Clip:
    """Turn a hand whose load is in the ground in some frame, by the same angle in all frames.

    The least turn about one of the hand's axes that keeps the load above y = 0; where none does, the best one.
    """
    mesh, skeleton, weights = body.character.skinned()
    angles, T = clip.angles.copy(), pose_clip(skeleton, clip)
    for limb in body.anatomy.of(BodyPart.ARM):
        if len(limb.bones) <= HELD:
            continue
        hand, held = limb.bones[HELD - 1], bones_below(skeleton, limb.bones[HELD])
        load = mesh.vertices[np.isin(weights.dominant(), held)]
        if not len(load):
            continue
        T_hand_world = rigid_inverse(skeleton.T_world_rest[hand])
        own = load @ T_hand_world[:3, :3].T + T_hand_world[:3, 3]
        turn = least_turn(own, T[:, hand], DEEP * body.character.size)
        R = joint_matrices(replace(clip, angles=angles))[:, hand] @ turn
        angles[:, hand - 1] = continuous_angles(R) if not np.array_equal(turn, np.eye(3)) else angles[:, hand - 1]
    return replace(clip, angles=angles)


def least_turn(
    points: Float[ndarray, "points 3"], T_world_hand: Float[ndarray, "frames 4 4"], deep: float
) -> Float[ndarray, "3 3"]:
    """The smallest of the tried turns of points in a frame that keeps them above -deep, or the one that helps most."""
    best, highest = np.eye(3), -np.inf
    for angle in TURNS:
        for axis in np.concatenate([np.eye(3), -np.eye(3)])[: 1 if angle == 0 else None]:
            R = Rotation.from_rotvec(angle * axis).as_matrix()
            lowest = float((T_world_hand[:, 1, :3] @ (points @ R.T).T + T_world_hand[:, 1, 3:]).min())
            if lowest > highest:
                best, highest = R, lowest
        if highest >= -deep:
            break
    return best
