"""Linear blend skinning in torch: points and covariances (AKD eq. 2 and 5)."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.character import Character
from gambol.character.weights import SkinWeights
from gambol.motion.clip import Clip
from gambol.motion.kinematics import forward_kinematics, rest_pose, skinning_transforms


def weight_matrix(weights: SkinWeights, *, dtype: torch.dtype = torch.float32, device: str = "cpu") -> Tensor:
    """The weights as one sparse [vertices, bones] tensor."""
    rows = np.arange(len(weights)).repeat(weights.bones.shape[1])
    used = weights.weights.ravel() > 0
    places = torch.from_numpy(np.stack([rows[used], weights.bones.ravel()[used]]))
    values = torch.as_tensor(weights.weights.ravel()[used], dtype=dtype)
    shape = (len(weights), weights.bone_count)
    return torch.sparse_coo_tensor(places, values, shape, device=device, check_invariants=True).coalesce()


def blend_transforms(
    weight_matrix: Tensor, T_world_rest: Float[Tensor, "*frames bones 4 4"]
) -> Float[Tensor, "*frames vertices 3 4"]:
    """sum_i w_i [R_i | T_i] for every vertex."""
    lead, bones = T_world_rest.shape[:-3], T_world_rest.shape[-3]
    columns = T_world_rest[..., :3, :].reshape(-1, bones, 12).transpose(0, 1).reshape(bones, -1)
    blended = torch.sparse.mm(weight_matrix, columns)
    return blended.reshape(len(blended), -1, 12).transpose(0, 1).reshape(*lead, len(blended), 3, 4)


def skin_points(
    blended: Float[Tensor, "*frames vertices 3 4"], points: Float[Tensor, "vertices 3"]
) -> Float[Tensor, "*frames vertices 3"]:
    """phi(x) = sum_i w_i (R_i x + T_i) (eq. 5)."""
    return (blended[..., :3] @ points.unsqueeze(-1)).squeeze(-1) + blended[..., 3]


def skin_covariances(
    blended: Float[Tensor, "*frames vertices 3 4"], covariances: Float[Tensor, "vertices 3 3"]
) -> Float[Tensor, "*frames vertices 3 3"]:
    """J S J^T with J = sum_i w_i R_i (eq. 2)."""
    J = blended[..., :3]
    return J @ covariances @ J.transpose(-1, -2)


def pose_vertices(
    character: Character, clip: Clip, *, dtype: torch.dtype = torch.float32
) -> Float[ndarray, "frames vertices 3"]:
    """The skinned surface in every frame of a clip."""
    mesh, skeleton, weights = character.require_skin()
    clip.check_fits(skeleton)
    rest = rest_pose(skeleton, dtype=dtype)
    root, angles = (torch.as_tensor(x, dtype=dtype) for x in (clip.root, clip.angles))
    transforms = skinning_transforms(rest, forward_kinematics(rest, root, angles))
    columns = transforms[..., :3, :].permute(1, 3, 0, 2).reshape(4 * len(skeleton), -1)
    posed = torch.sparse.mm(_bound_points(weights, mesh.vertices, dtype), columns)
    return posed.reshape(len(posed), len(clip), 3).transpose(0, 1).contiguous().numpy()


def _bound_points(weights: SkinWeights, points: Float[ndarray, "vertices 3"], dtype: torch.dtype) -> Tensor:
    """w_vb (x_v, 1) as one sparse [vertices, 4 bones] tensor: times all [R_b | T_b]^T it is eq. 5 for many frames."""
    whole = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    values = weights.weights[:, :, None] * whole[:, None]
    columns = 4 * weights.bones[:, :, None].astype(np.int64) + np.arange(4)
    rows = np.broadcast_to(np.arange(len(points))[:, None, None], columns.shape)
    used = values != 0
    places = torch.from_numpy(np.stack([rows[used], columns[used]]))
    shape = (len(points), 4 * weights.bone_count)
    kept = torch.as_tensor(values[used], dtype=dtype)
    return torch.sparse_coo_tensor(places, kept, shape, check_invariants=True).coalesce()
