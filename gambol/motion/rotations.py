"""Rotations in numpy: joint angles from matrices, continuous angles and quaternions (wxyz), the angle of a rotation."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray


def angles_from_matrix(R: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch 3"]:
    """The angles with b in [-90, 90] degrees: b = asin R02, a = atan2(-R12, R22), c = atan2(-R01, R00).

    At gimbal lock (|R02| = 1) only a +- c is determined; a takes all of it.
    """
    # entry by entry in memory: NumPy rounds the arctan2 of strided arrays by where they happen to lie
    R = np.ascontiguousarray(np.moveaxis(np.asarray(R, dtype=np.float64), (-2, -1), (0, 1)))
    cosine = np.hypot(R[0, 0], R[0, 1])
    locked = cosine < 1e-9
    b = np.arctan2(R[0, 2], cosine)
    a = np.where(locked, np.arctan2(R[2, 1], R[1, 1]), np.arctan2(-R[1, 2], R[2, 2]))
    c = np.where(locked, 0.0, np.arctan2(-R[0, 1], R[0, 0]))
    return np.stack([a, b, c], -1)


def continuous_angles(R: Float[ndarray, "frames *batch 3 3"]) -> Float[ndarray, "frames *batch 3"]:
    """Angles of a motion without jumps: of the equivalent triples, each frame takes the one nearest to the last.

    (a, b, c) and (a + pi, pi - b, c + pi) are the same rotation, and every angle is free by whole turns.
    """
    first = angles_from_matrix(R)
    second = np.stack([first[..., 0] + np.pi, np.pi - first[..., 1], first[..., 2] + np.pi], -1)
    result = np.empty_like(first)
    result[0] = first[0]
    for frame in range(1, len(first)):
        last = result[frame - 1]
        options = [last + np.remainder(x[frame] - last + np.pi, 2 * np.pi) - np.pi for x in (first, second)]
        costs = [np.abs(option - last).sum(-1, keepdims=True) for option in options]
        result[frame] = np.where(costs[0] <= costs[1], *options)
    return result


def continuous_quaternions(wxyz: Float[ndarray, "frames *batch 4"]) -> Float[ndarray, "frames *batch 4"]:
    """Flip signs so that quaternions of neighbouring frames have a positive dot product; rotations stay the same."""
    flips = np.cumprod(np.where((wxyz[1:] * wxyz[:-1]).sum(-1, keepdims=True) < 0, -1.0, 1.0), axis=0)
    return np.concatenate([wxyz[:1], wxyz[1:] * flips])


def rotation_angle(R: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch"]:
    """Angle of a rotation, 2 asin(|R - 1|_F / sqrt 8): exact also where it is tiny."""
    return 2.0 * np.arcsin(np.clip(np.linalg.norm(R - np.eye(3), axis=(-2, -1)) / np.sqrt(8.0), 0.0, 1.0))
