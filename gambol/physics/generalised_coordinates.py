"""Conversions between world transforms of bodies, joint angles and velocities."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.spatial.transform import Rotation

from gambol.character.skeleton import Skeleton
from gambol.character.transforms import matrix_from_quaternion, quaternion_from_matrix
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import angles_from_matrix, continuous_quaternions
from gambol.physics.articulated_body import ArticulatedBody

XYZW = [1, 2, 3, 0]
"""Indices that turn a wxyz quaternion into Warp's xyzw."""
WXYZ = [3, 0, 1, 2]
"""Indices that turn Warp's xyzw quaternion into wxyz."""


def body_transforms(body: ArticulatedBody, skeleton: Skeleton, clip: Clip) -> Float[ndarray, "frames bodies 4 4"]:
    """World transform of each body in every frame of a clip, simulated metres."""
    T = pose_clip(skeleton, clip)[:, body.top_bones]
    T[..., :3, 3] *= body.scale
    return T


def states_from_transforms(T: Float[ndarray, "frames bodies 4 4"]) -> Float[ndarray, "frames bodies 7"]:
    """Position and quaternion (xyzw, signs continuous over frames) of every body: q of eq. 11."""
    wxyz = continuous_quaternions(quaternion_from_matrix(T[..., :3, :3]))
    return np.concatenate([T[..., :3, 3], wxyz[..., XYZW]], -1)


def transforms_from_states(states: Float[ndarray, "*batch bodies 7"]) -> Float[ndarray, "*batch bodies 4 4"]:
    """Transforms of the bodies from positions and quaternions (xyzw); the inverse of `states_from_transforms`."""
    T = np.zeros((*states.shape[:-1], 4, 4))
    T[..., :3, :3] = matrix_from_quaternion(states[..., 3:][..., WXYZ])
    T[..., :3, 3] = states[..., :3]
    T[..., 3, 3] = 1.0
    return T


def joint_rotations(
    body: ArticulatedBody, R_world: Float[ndarray, "*batch bodies 3 3"]
) -> Float[ndarray, "*batch joints 3 3"]:
    """Rotation of each joint from zero angles (the mean pose)."""
    R_zero = R_world[..., body.parents[1:], :, :] @ body.T_parent_joint[1:, :3, :3]
    return np.swapaxes(R_zero, -1, -2) @ R_world[..., 1:, :, :]


def joint_angles(
    body: ArticulatedBody, R_world: Float[ndarray, "*batch bodies 3 3"]
) -> Float[ndarray, "*batch joints 3"]:
    """Angles of the compound joints, R = R_x(a) R_y(b) R_z(c) with |b| <= 90 degrees, radians."""
    return angles_from_matrix(joint_rotations(body, R_world))


def joint_axes(
    body: ArticulatedBody, R_world: Float[ndarray, "*batch bodies 3 3"]
) -> Float[ndarray, "*batch joints 3 3"]:
    """World directions of the three axes of each joint (last index: x, then y turned by a, then z turned by a, b)."""
    angles = joint_angles(body, R_world)
    a, b = angles[..., 0], angles[..., 1]
    zero, one = np.zeros_like(a), np.ones_like(a)
    first = np.stack([one, zero, zero], -1)
    second = np.stack([zero, np.cos(a), np.sin(a)], -1)
    third = np.stack([np.sin(b), -np.sin(a) * np.cos(b), np.cos(a) * np.cos(b)], -1)
    R_zero = R_world[..., body.parents[1:], :, :] @ body.T_parent_joint[1:, :3, :3]
    return R_zero @ np.stack([first, second, third], -1)


def velocity_map(body: ArticulatedBody, T: Float[ndarray, "bodies 4 4"]) -> Float[ndarray, "bodies 6 rates"]:
    """Twists (velocity of the centre of mass, angular velocity; world) = map x rates, linear at a fixed pose.

    Rates: velocity of the root's frame (3), its angular velocity in the world (3), then the joints' angle rates.
    w_child = w_parent + sum_l axis_l rate_l; every point moves with w about the joint that carries it.
    """
    joints = len(body) - 1
    J = np.zeros((len(body), 6, 6 + 3 * joints))
    spin = np.zeros((len(body), 3, 6 + 3 * joints))
    shift = np.zeros((len(body), 3, 6 + 3 * joints))
    spin[0, :, 3:6] = shift[0, :, :3] = np.eye(3)
    axes = joint_axes(body, T[:, :3, :3])
    for i in range(1, len(body)):
        parent = int(body.parents[i])
        spin[i] = spin[parent]
        spin[i, :, 3 + 3 * i : 6 + 3 * i] += axes[i - 1]
        shift[i] = shift[parent] + _cross(spin[parent], T[i, :3, 3] - T[parent, :3, 3])
    for i in range(len(body)):
        J[i, :3] = shift[i] + _cross(spin[i], T[i, :3, :3] @ body.centres[i])
        J[i, 3:] = spin[i]
    return J


def initial_rates(body: ArticulatedBody, T: Float[ndarray, "frames bodies 4 4"], fps: float) -> Float[ndarray, "rates"]:
    """Initial velocity of a clip in generalised coordinates: difference of its first two frames, m/s and rad/s."""
    turn = Rotation.from_matrix(T[1, 0, :3, :3] @ T[0, 0, :3, :3].T).as_rotvec()
    angles = joint_angles(body, T[:2, :, :3, :3])
    swing = np.remainder(angles[1] - angles[0] + np.pi, 2.0 * np.pi) - np.pi
    return np.concatenate([T[1, 0, :3, 3] - T[0, 0, :3, 3], turn, swing.ravel()]) * fps


def _cross(spin: Float[ndarray, "3 rates"], arm: Float[ndarray, "3"]) -> Float[ndarray, "3 rates"]:
    return np.cross(spin, arm, axisa=0).T
