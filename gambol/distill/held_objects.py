"""Keep what hands hold (swords, bows) out of the ground: priors never see it, and hanging arms lower it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.transform import Rotation

from gambol.character.anatomy.anatomy import FIRST_FINGER_BONE, Anatomy, BodyPart
from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.soles import bones_below
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import continuous_angles

HAND_TURNS = np.radians(np.arange(0.0, 121.0, 5.0))
"""Angles by which a hand may be turned, radians, in the order in which they are tried."""
MAX_HELD_DEPTH = 0.01
"""A held object may be this deep in the ground before the hand is turned, sizes."""


def lift_held_objects(character: Character, clip: Clip, anatomy: Anatomy) -> Clip:
    """Turn a hand whose held object is in the ground in some frame, by the same angle in all frames.

    Takes the smallest turn about one of the hand's axes that keeps the object above y = 0, or else the best one.
    """
    mesh, skeleton, weights = character.require_skin()
    angles, T = clip.angles.copy(), pose_clip(skeleton, clip)
    for limb in anatomy.of(BodyPart.ARM):
        if len(limb.bones) <= FIRST_FINGER_BONE:
            continue
        hand, held = limb.bones[FIRST_FINGER_BONE - 1], bones_below(skeleton, limb.bones[FIRST_FINGER_BONE])
        load = mesh.vertices[np.isin(weights.dominant(), held)]
        if not len(load):
            continue
        T_hand_world = rigid_inverse(skeleton.T_world_rest[hand])
        own = load @ T_hand_world[:3, :3].T + T_hand_world[:3, 3]
        turn = least_turn(own, T[:, hand], MAX_HELD_DEPTH * character.size)
        R = joint_matrices(replace(clip, angles=angles))[:, hand] @ turn
        angles[:, hand - 1] = continuous_angles(R) if not np.array_equal(turn, np.eye(3)) else angles[:, hand - 1]
    return replace(clip, angles=angles)


def least_turn(
    points: Float[ndarray, "points 3"], T_world_hand: Float[ndarray, "frames 4 4"], depth: float
) -> Float[ndarray, "3 3"]:
    """The smallest turn that keeps points (in the hand's frame) above y = -depth, or the one that lifts them most."""
    best, highest = np.eye(3), -np.inf
    for angle in HAND_TURNS:
        for axis in np.concatenate([np.eye(3), -np.eye(3)])[: 1 if angle == 0 else None]:
            R = Rotation.from_rotvec(angle * axis).as_matrix()
            lowest = float((T_world_hand[:, 1, :3] @ (points @ R.T).T + T_world_hand[:, 1, 3:]).min())
            if lowest > highest:
                best, highest = R, lowest
        if highest >= -depth:
            break
    return best
