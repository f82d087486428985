"""The motion of a skeleton that is nearest to freely moved splats: each bone follows its own as a rigid body."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import clip_from_matrices

LEAST_SPLATS = 3.0
"""A bone with less skin weight than this many splats follows its parent."""
LEAST_BONE_SPREAD = 1e-3
"""Least ratio of the second to the first standard deviation of a bone's splats: a line says nothing of the twist."""


def nearest_joints(
    skeleton: Skeleton,
    T_start: Float[ndarray, "bones 4 4"],
    weights: Float[ndarray, "splats bones"],
    start: Float[ndarray, "splats 3"],
    moved: Float[ndarray, "frames splats 3"],
    carriage: Float[ndarray, "frames 4 4"],
) -> tuple[Float[ndarray, "frames 6"], Float[ndarray, "frames joints 3"]]:
    """Root and joint angles; `T_start` are the skinning transforms of the start pose, in which splats are at `start`.

    The rotation of each bone is the least-squares one of its splats, weighted by skin weights (Kabsch); the root's
    place is where its splats carry it. Bones with too few splats follow their parents, the root the `carriage`.
    """
    R, known = bone_rotations(weights, start, moved)
    T_bone = T_start @ skeleton.T_world_rest
    R_world = np.empty((len(moved), len(skeleton), 3, 3))
    for bone, parent in enumerate(skeleton.parents):
        if known[bone]:
            R_world[:, bone] = R[:, bone] @ T_bone[bone, :3, :3]
        elif parent < 0:
            R_world[:, bone] = carriage[:, :3, :3] @ T_bone[bone, :3, :3]
        else:
            R_world[:, bone] = R_world[:, parent] @ (rigid_inverse(T_bone[parent]) @ T_bone[bone])[:3, :3]
    head = T_bone[0, :3, 3]
    if known[0]:
        share = weights[:, 0] / weights[:, 0].sum()
        middle = share @ start
        place = np.einsum("n,fni->fi", share, moved) + np.einsum("fij,j->fi", R[:, 0], head - middle)
    else:
        place = carriage[:, :3, :3] @ head + carriage[:, :3, 3]
    local = skeleton.local_rotations(R_world)
    joints = np.swapaxes(skeleton.T_parent_rest[:, :3, :3], -1, -2) @ local
    clip, _ = clip_from_matrices("nearest", 1.0, place - skeleton.heads[0], joints)
    return clip.root, clip.angles


def bone_rotations(
    weights: Float[ndarray, "splats bones"],
    start: Float[ndarray, "splats 3"],
    moved: Float[ndarray, "frames splats 3"],
) -> tuple[Float[ndarray, "frames bones 3 3"], ndarray]:
    """Rotations R that minimise sum_n w_n |R (x_n - x') - (y_n - y')|^2 of each bone, and which have enough splats."""
    total = np.maximum(weights.sum(0), 1e-12)
    share = weights / total
    middle, centre = share.T @ start, np.einsum("nb,fni->fbi", share, moved)
    second = np.einsum("nb,ni,nj->bij", share, start, start) - middle[:, :, None] * middle[:, None]
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(second), 0.0))
    known = (weights.sum(0) >= LEAST_SPLATS) & (spread[:, 1] > LEAST_BONE_SPREAD * spread[:, 2])
    crossed = np.einsum("nb,fni,nj->fbij", share, moved, start, optimize=True)
    crossed -= centre[..., :, None] * middle[None, :, None]
    U, _, Vt = np.linalg.svd(crossed)
    flip = np.ones(U.shape[:-1])
    flip[..., 2] = np.sign(np.linalg.det(U @ Vt))
    return (U * flip[..., None, :]) @ Vt, known
