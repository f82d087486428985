"""The slow, readable twins of forward kinematics and skinning: plain numpy, one bone and one vertex at a time."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.character.weights import SkinWeights
from gambol.motion.clip import Clip


def axis_rotation(axis: int, angle: float) -> Float[ndarray, "3 3"]:
    """Rotation about x, y or z, by Rodrigues' formula."""
    n = np.eye(3)[axis]
    cross = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def forward_kinematics_reference(skeleton: Skeleton, clip: Clip) -> Float[ndarray, "frames bones 4 4"]:
    """T_world_bone = T_world_parent * T_parent_bone(rest) * R_x(a) R_y(b) R_z(c)."""
    result = np.zeros((len(clip), len(skeleton), 4, 4))
    for frame in range(len(clip)):
        for bone, parent in enumerate(skeleton.parents):
            angles = clip.root[frame, 3:] if bone == 0 else clip.angles[frame, bone - 1]
            R = np.eye(4)
            R[:3, :3] = axis_rotation(0, angles[0]) @ axis_rotation(1, angles[1]) @ axis_rotation(2, angles[2])
            if bone == 0:
                moved = np.eye(4)
                moved[:3, 3] = clip.root[frame, :3]
                result[frame, bone] = moved @ skeleton.T_world_rest[0] @ R
            else:
                T_parent_bone = np.linalg.inv(skeleton.T_world_rest[parent]) @ skeleton.T_world_rest[bone]
                result[frame, bone] = result[frame, parent] @ T_parent_bone @ R
    return result


def skin_reference(
    skeleton: Skeleton,
    weights: SkinWeights,
    points: Float[ndarray, "vertices 3"],
    covariances: Float[ndarray, "vertices 3 3"],
    T_world_bone: Float[ndarray, "bones 4 4"],
) -> tuple[Float[ndarray, "vertices 3"], Float[ndarray, "vertices 3 3"]]:
    """phi(x) = sum_i w_i (R_i x + T_i) and J S J^T, J = sum_i w_i R_i, for one frame."""
    moved, shaped = np.zeros_like(points, dtype=np.float64), np.zeros((len(points), 3, 3))
    for vertex in range(len(points)):
        J = np.zeros((3, 3))
        for bone, weight in zip(weights.bones[vertex], weights.weights[vertex], strict=True):
            T = T_world_bone[bone] @ np.linalg.inv(skeleton.T_world_rest[bone])
            moved[vertex] += weight * (T[:3, :3] @ points[vertex] + T[:3, 3])
            J += weight * T[:3, :3]
        shaped[vertex] = J @ covariances[vertex] @ J.T
    return moved, shaped
