"""Blend joint angles as rotations, in the branch of the angles that they are given in."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.joint_rotations import matrix_from_angles
from gambol.motion.rotations import angles_from_matrix


def blend_angles(
    first: Float[ndarray, "frames joints 3"], second: Float[ndarray, "frames joints 3"], share: Float[ndarray, "frames"]
) -> Float[ndarray, "frames joints 3"]:
    """Angles of R_1 exp(w log(R_1^T R_2)), w the share of the second pose: the shortest way between two rotations.

    Of the equivalent triples the one nearest to (1 - w) a_1 + w a_2 is taken, so that angles go on beyond a half turn.
    """
    from scipy.spatial.transform import Rotation

    R, S = (matrix_from_angles(torch.from_numpy(np.ascontiguousarray(x))).numpy() for x in (first, second))
    shape = R.shape
    between = Rotation.from_matrix((np.swapaxes(R, -1, -2) @ S).reshape(-1, 3, 3)).as_rotvec()
    w = np.repeat(share, shape[1])[:, None]
    turned = Rotation.from_rotvec(w * between).as_matrix().reshape(shape)
    return nearest_angles(R @ turned, first + share[:, None, None] * (second - first))


def nearest_angles(R: Float[ndarray, "*batch 3 3"], guess: Float[ndarray, "*batch 3"]) -> Float[ndarray, "*batch 3"]:
    """The triple of angles of each rotation that is nearest to a guess.

    (a, b, c) and (a + pi, pi - b, c + pi) are the same rotation, and every angle is free by whole turns.
    """
    first = angles_from_matrix(R)
    second = np.stack([first[..., 0] + np.pi, np.pi - first[..., 1], first[..., 2] + np.pi], -1)
    options = [guess + np.remainder(x - guess + np.pi, 2 * np.pi) - np.pi for x in (first, second)]
    costs = [np.abs(option - guess).sum(-1, keepdims=True) for option in options]
    return np.where(costs[0] <= costs[1], options[0], options[1])


def same_branch(angles: Float[ndarray, "frames *joints"], offset: Float[ndarray, "*joints"]) -> Float[ndarray, "..."]:
    """Angles moved by the whole turns that are nearest to an offset from them."""
    return angles + 2 * np.pi * np.round(offset / (2 * np.pi))
