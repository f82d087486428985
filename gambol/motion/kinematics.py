"""Forward kinematics in torch: batched, differentiable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.skeleton import Skeleton
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.joint_rotations import matrix_from_angles


@dataclass(frozen=True)
class RestPose:
    """A skeleton's constants as tensors of one dtype on one device."""

    R_parent_rest: Float[Tensor, "bones 3 3"]
    """Rest rotation of each bone in its parent's frame."""
    p_parent_rest: Float[Tensor, "bones 3"]
    """Rest position of each bone in its parent's frame, metres."""
    T_rest_world: Float[Tensor, "bones 4 4"]
    """Inverse bind transform: from the world at rest to the bone."""
    levels: tuple[Int[Tensor, "_level"], ...]
    """Bone indices by depth in the tree."""
    parent_places: tuple[Int[Tensor, "_level"], ...]
    """For each level, the indices of its parents within the level above."""
    order: Int[Tensor, "bones"]
    """Index of each bone in the concatenated levels."""


def rest_pose(skeleton: Skeleton, *, dtype: torch.dtype = torch.float32, device: str = "cpu") -> RestPose:
    """The constants of a skeleton that `forward_kinematics` needs, as tensors."""
    local = torch.as_tensor(skeleton.T_parent_rest, dtype=dtype, device=device)
    places, flat = [], np.concatenate(skeleton.levels)
    for above, level in zip(skeleton.levels[:-1], skeleton.levels[1:], strict=True):
        places.append(torch.from_numpy(np.searchsorted(above, skeleton.parents[level])).to(device))
    return RestPose(
        local[:, :3, :3],
        local[:, :3, 3],
        torch.as_tensor(rigid_inverse(skeleton.T_world_rest), dtype=dtype, device=device),
        tuple(torch.from_numpy(level).to(device) for level in skeleton.levels),
        tuple(places),
        torch.from_numpy(np.argsort(flat)).to(device),
    )


def forward_kinematics(
    rest: RestPose, root: Float[Tensor, "*frames 6"], angles: Float[Tensor, "*frames joints 3"]
) -> Float[Tensor, "*frames bones 4 4"]:
    """T_world_bone = T_world_parent * T_parent_bone(rest) * R(angles); the root is moved by its displacement first."""
    return chain_joints(rest, root[..., :3], matrix_from_angles(torch.cat([root[..., None, 3:], angles], dim=-2)))


def chain_joints(
    rest: RestPose, displacement: Float[Tensor, "*frames 3"], joint: Float[Tensor, "*frames bones 3 3"]
) -> Float[Tensor, "*frames bones 4 4"]:
    """Forward kinematics from every bone's rotation matrix in its own rest frame, the root first."""
    local = rest.R_parent_rest @ joint
    R = local[..., rest.levels[0], :, :]
    p = (rest.p_parent_rest[rest.levels[0]] + displacement[..., None, :]).unsqueeze(-1)
    all_R, all_p = [R], [p]
    for level, place in zip(rest.levels[1:], rest.parent_places, strict=True):
        R_parent, p_parent = R[..., place, :, :], p[..., place, :, :]
        p = R_parent @ rest.p_parent_rest[level].unsqueeze(-1) + p_parent
        R = R_parent @ local[..., level, :, :]
        all_R.append(R)
        all_p.append(p)
    upper = torch.cat([torch.cat(all_R, dim=-3), torch.cat(all_p, dim=-3)], dim=-1)[..., rest.order, :, :]
    bottom = upper.new_tensor([0.0, 0.0, 0.0, 1.0]).expand(*upper.shape[:-2], 1, 4)
    return torch.cat([upper, bottom], dim=-2)


def skinning_transforms(
    rest: RestPose, T_world_bone: Float[Tensor, "*frames bones 4 4"]
) -> Float[Tensor, "*frames bones 4 4"]:
    """T_world_bone * inverse bind: takes a point of the rest surface to where the bone carries it."""
    return T_world_bone @ rest.T_rest_world


def pose_clip(skeleton: Skeleton, clip: Clip) -> Float[ndarray, "frames bones 4 4"]:
    """T_world_bone of every frame, in float64."""
    clip.check_fits(skeleton)
    rest = rest_pose(skeleton, dtype=torch.float64)
    return forward_kinematics(rest, torch.from_numpy(clip.root), torch.from_numpy(clip.angles)).numpy()
