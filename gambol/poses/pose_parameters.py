"""A pose as numbers: three per bone, of about unit variance whatever the character.

The three of a joint are its rotation vector w (axis times angle) in the canonical rest frame, R = exp([w]), divided by
the joint's parameter scale. The three of the root are its height above rest, its roll and its pitch: the position on
the ground and the heading are not part of a pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.character.transforms import quaternion_from_matrix
from gambol.motion.clip import Clip, clip_from_matrices, joint_matrices
from gambol.motion.joint_rotations import matrix_from_angles
from gambol.motion.kinematics import RestPose, chain_joints, skinning_transforms
from gambol.motion.rotations import angles_from_matrix
from gambol.poses.pose_rig import PoseRig

PoseParameters = Float[Tensor, "poses bones 3"]
"""Poses of one rig; all zero is the rest pose."""


@dataclass(frozen=True)
class PosedBones:
    """Bone transforms of a rig in several poses; lengths in sizes."""

    joint: Float[Tensor, "poses bones 3 3"]
    """Rotation of each bone in its own rest frame."""
    T_world_bone: Float[Tensor, "poses bones 4 4"]
    """Frame of each bone in the world."""
    T_world_rest: Float[Tensor, "poses bones 4 4"]
    """Skinning transform of each bone: it maps points at rest to where the bone carries them."""

    @property
    def heads(self) -> Float[Tensor, "poses bones 3"]:
        """Joint positions, sizes."""
        return self.T_world_bone[..., :3, 3]

    def carry(
        self, points: Float[Tensor, "bones 3"], bones: Tensor | slice = slice(None)
    ) -> Float[Tensor, "poses bones 3"]:
        """Positions of points given at rest, one for each bone (or each of `bones`) that carries it."""
        T = self.T_world_rest[:, bones]
        return torch.einsum("pbij,bj->pbi", T[..., :3, :3], points) + T[..., :3, 3]


def matrix_from_rotvec(w: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """Rodrigues: exp([w]) = 1 + sin(h)/h [w] + (1 - cos h)/h^2 [w]^2 with h = |w|; smooth at 0."""
    square = (w * w).sum(-1)
    small = square < 1e-8
    h = torch.where(small, torch.ones_like(square), square).sqrt()
    A = torch.where(small, 1.0 - square / 6.0, torch.sin(h) / h)[..., None, None]
    B = torch.where(small, 0.5 - square / 24.0, (1.0 - torch.cos(h)) / (h * h))[..., None, None]
    x, y, z = w.unbind(-1)
    zero = torch.zeros_like(x)
    K = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).unflatten(-1, (3, 3))
    return torch.eye(3, dtype=w.dtype) + A * K + B * (K @ K)


def rotvec_from_matrix(R: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch 3"]:
    """Shortest rotation vector of R, from its quaternion (c, v): w = 2 atan2(|v|, c) v / |v|, c >= 0."""
    wxyz = quaternion_from_matrix(np.asarray(R, dtype=np.float64))
    wxyz = wxyz * np.where(wxyz[..., :1] < 0, -1.0, 1.0)
    v = wxyz[..., 1:]
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(length, wxyz[..., :1])
    return v * np.where(length > 1e-12, angle / np.maximum(length, 1e-12), 2.0)


def parameters_from_joints(
    rig: PoseRig, height: Float[ndarray, "poses"], joint: Float[ndarray, "poses bones 3 3"]
) -> PoseParameters:
    """Pose parameters from joint rotations and the root's height above rest in sizes; the heading is dropped."""
    w = rotvec_from_matrix(joint)
    w[:, 0, 1:] = angles_from_matrix(joint[:, 0])[:, 1:]
    w[:, 0, 0] = height
    return torch.as_tensor(w).float() / rig.parameter_scale


def parameters_from_clip(rig: PoseRig, clip: Clip) -> PoseParameters:
    """Pose parameters of every frame of a clip."""
    clip.check_fits(rig.skeleton)
    return parameters_from_joints(rig, clip.root[:, 1] / rig.size, joint_matrices(clip))


def parameters_from_angles(
    rig: PoseRig, root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]
) -> PoseParameters:
    """Pose parameters of a motion given as root (metres, radians) and joint angles; differentiable.

    q = q_x q_y q_z of half the angles, w = 2 atan2(|v|, c) v / |v|. The root must be near upright.
    """
    (sa, sb, sc), (ca, cb, cc) = (f(0.5 * angles).unbind(-1) for f in (torch.sin, torch.cos))
    c = ca * cb * cc - sa * sb * sc
    v = (
        torch.stack([sa * cb * cc + ca * sb * sc, ca * sb * cc - sa * cb * sc, ca * cb * sc + sa * sb * cc], -1)
        * torch.where(c < 0, -1.0, 1.0)[..., None]
    )
    length = (v.square().sum(-1) + 1e-12).sqrt()
    w = v * (2.0 * torch.atan2(length, c.abs()) / length)[..., None]
    first = torch.stack([root[:, 1] / rig.size, root[:, 4], root[:, 5]], -1)
    return torch.cat([first[:, None], w], 1) / rig.parameter_scale.to(w.dtype)


def pose_bones(rig: PoseRig, x: PoseParameters, *, rest: RestPose | None = None) -> PosedBones:
    """Forward kinematics of poses; differentiable. `rest` replaces the rig's own rest pose."""
    scaled = x * rig.parameter_scale.to(x.dtype)
    zero = torch.zeros_like(scaled[:, 0, 0])
    root = matrix_from_angles(torch.stack([zero, scaled[:, 0, 1], scaled[:, 0, 2]], -1))
    joint = torch.cat([root[:, None], matrix_from_rotvec(scaled[:, 1:])], 1)
    position = torch.stack([zero, scaled[:, 0, 0], zero], -1)
    rest = rest or (rig.rest if x.dtype == torch.float32 else rig.rest64)
    T = chain_joints(rest, position, joint)
    return PosedBones(joint, T, skinning_transforms(rest, T))


def coarse_skin_points(rig: PoseRig, posed: PosedBones) -> Float[Tensor, "poses points 3"]:
    """Points of the coarse skin in every pose, in sizes (AKD eq. 5); differentiable."""
    T = posed.T_world_rest
    poses, bones = T.shape[:2]
    columns = T[:, :, :3].permute(1, 3, 0, 2).reshape(4 * bones, 3 * poses)
    weighted = torch.as_tensor(rig.coarse_skin.weighted_points, dtype=T.dtype)
    return (weighted @ columns).reshape(-1, poses, 3).transpose(0, 1)


def clip_from_parameters(rig: PoseRig, x: PoseParameters, name: str, fps: float) -> Clip:
    """A clip of the character whose frames are these poses, standing at the origin and facing ahead."""
    root = np.zeros((len(x), 3))
    root[:, 1] = (x.double() * rig.parameter_scale.double()).numpy()[:, 0, 0] * rig.size
    with torch.no_grad():
        joint = pose_bones(rig, x.double()).joint.numpy()
    return clip_from_matrices(name, fps, root, joint)[0]
