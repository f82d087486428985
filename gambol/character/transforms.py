"""4x4 transforms in numpy: compose, take apart, invert. Matrices act on columns; quaternions are wxyz."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def matrix_from_quaternion(wxyz: Float[ndarray, "*batch 4"]) -> Float[ndarray, "*batch 3 3"]:
    """Convert quaternions to rotation matrices; they are normalised first, a zero quaternion counts as identity."""
    q = np.asarray(wxyz, dtype=np.float64)
    norm = np.linalg.norm(q, axis=-1, keepdims=True)
    q = np.where(norm > 1e-12, q / np.maximum(norm, 1e-12), np.array([1.0, 0.0, 0.0, 0.0]))
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def quaternion_from_matrix(R: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch 4"]:
    """Convert rotation matrices to unit quaternions with w >= 0, by the largest of four candidates (Shepperd)."""
    R = np.asarray(R, dtype=np.float64)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=-1)
    zy, xz, yx = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    yx_, xz_, zy_ = R[..., 1, 0] + R[..., 0, 1], R[..., 0, 2] + R[..., 2, 0], R[..., 2, 1] + R[..., 1, 2]
    candidates = np.stack(
        [
            np.stack([squares[..., 0], zy, xz, yx], axis=-1),
            np.stack([zy, squares[..., 1], yx_, xz_], axis=-1),
            np.stack([xz, yx_, squares[..., 2], zy_], axis=-1),
            np.stack([yx, xz_, zy_, squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = squares.argmax(axis=-1)[..., None, None]
    q = np.take_along_axis(candidates, best, axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(q[..., :1] < 0, -q, q)


def compose_trs(
    translations: Float[ndarray, "*batch 3"],
    rotations_wxyz: Float[ndarray, "*batch 4"],
    scales: Float[ndarray, "*batch 3"],
) -> Float[ndarray, "*batch 4 4"]:
    """Compose translations, rotations and scales into matrices: T * R * S."""
    matrices = np.zeros((*np.shape(translations)[:-1], 4, 4))
    matrices[..., :3, :3] = matrix_from_quaternion(rotations_wxyz) * np.asarray(scales)[..., None, :]
    matrices[..., :3, 3] = translations
    matrices[..., 3, 3] = 1.0
    return matrices


def decompose_trs(
    matrices: Float[ndarray, "*batch 4 4"],
) -> tuple[Float[ndarray, "*batch 3"], Float[ndarray, "*batch 4"], Float[ndarray, "*batch 3"]]:
    """Decompose matrices into translation, rotation (wxyz) and scale; a shear is lost, a mirror goes into the scale."""
    linear = matrices[..., :3, :3]
    mirror = np.where(np.linalg.det(linear) < 0, -1.0, 1.0)[..., None]
    scales = np.linalg.norm(linear, axis=-2) * np.concatenate([mirror, np.ones_like(mirror), np.ones_like(mirror)], -1)
    rotations = nearest_rotation(linear / np.where(np.abs(scales) > 1e-30, scales, 1.0)[..., None, :])
    return matrices[..., :3, 3].copy(), quaternion_from_matrix(rotations), scales


def nearest_rotation(linear: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch 3 3"]:
    """Find the rotation closest to a 3x3 matrix in the Frobenius norm (polar decomposition by SVD)."""
    u, _, vt = np.linalg.svd(linear)
    sign = np.sign(np.linalg.det(u @ vt))
    u[..., :, 2] *= np.where(sign == 0, 1.0, sign)[..., None]
    return u @ vt


def rigid_inverse(T: Float[ndarray, "*batch 4 4"]) -> Float[ndarray, "*batch 4 4"]:
    """Invert rigid transforms: [R^T, -R^T p]."""
    result = np.zeros_like(T)
    transposed = np.swapaxes(T[..., :3, :3], -1, -2)
    result[..., :3, :3] = transposed
    result[..., :3, 3] = -(transposed @ T[..., :3, 3:])[..., 0]
    result[..., 3, 3] = 1.0
    return result


def similarity(rotation: Float[ndarray, "3 3"], scale: float, offset: Float[ndarray, "3"]) -> Float[ndarray, "4 4"]:
    """Compose a similarity: x -> scale * rotation x + offset."""
    T = np.eye(4)
    T[:3, :3] = scale * rotation
    T[:3, 3] = offset
    return T
