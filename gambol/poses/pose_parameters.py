"""A pose as numbers: three per bone, about 1 large, whatever the body.

A joint's three are its rotation vector w (axis times angle) in the canonical rest frame, divided by the joint's reach:
R = exp([w]). The root's three are its height above rest, roll and pitch: where a body stands on the ground and which
way it looks is no part of a pose.
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
from gambol.poses.pose_rig import Rig

Numbers = Float[Tensor, "poses bones 3"]


@dataclass(frozen=True)
class Posed:
    """Bodies in some poses, in sizes."""

    joint: Float[Tensor, "poses bones 3 3"]
    """Each bone's rotation in its own rest frame."""
    T_world_bone: Float[Tensor, "poses bones 4 4"]
    T_world_rest: Float[Tensor, "poses bones 4 4"]
    """Where each bone carries the rest surface."""

    @property
    def heads(self) -> Float[Tensor, "poses bones 3"]:
        """Places of the joints."""
        return self.T_world_bone[..., :3, 3]


def matrix_from_vector(w: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
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


def vector_from_matrix(R: Float[ndarray, "*batch 3 3"]) -> Float[ndarray, "*batch 3"]:
    """The shortest rotation vector of R, from its quaternion: w = 2 atan2(|v|, c) v / |v|, c >= 0."""
    wxyz = quaternion_from_matrix(np.asarray(R, dtype=np.float64))
    wxyz = wxyz * np.where(wxyz[..., :1] < 0, -1.0, 1.0)
    v = wxyz[..., 1:]
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(length, wxyz[..., :1])
    return v * np.where(length > 1e-12, angle / np.maximum(length, 1e-12), 2.0)


def numbers_from_joints(rig: Rig, height: Float[ndarray, "poses"], joint: Float[ndarray, "poses bones 3 3"]) -> Numbers:
    """The numbers of poses; `height` is the root's above rest, in sizes; its heading is left out."""
    w = vector_from_matrix(joint)
    w[:, 0, 1:] = angles_from_matrix(joint[:, 0])[:, 1:]
    w[:, 0, 0] = height
    return torch.as_tensor(w).float() / rig.reach


def numbers_from_clip(rig: Rig, clip: Clip) -> Numbers:
    """The poses of a clip."""
    clip.check_fits(rig.skeleton)
    return numbers_from_joints(rig, clip.root[:, 1] / rig.size, joint_matrices(clip))


def numbers_from_angles(rig: Rig, root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]) -> Numbers:
    """The numbers of a motion while it is optimised (metres and angles, the root near upright); differentiable.

    q = q_x q_y q_z of half the angles, w = 2 atan2(|v|, c) v / |v|.
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
    return torch.cat([first[:, None], w], 1) / rig.reach.to(w.dtype)


def pose(rig: Rig, x: Numbers, *, rest: RestPose | None = None) -> Posed:
    """Forward kinematics; differentiable. `rest`: other constants than the rig's own."""
    scaled = x * rig.reach.to(x.dtype)
    zero = torch.zeros_like(scaled[:, 0, 0])
    root = matrix_from_angles(torch.stack([zero, scaled[:, 0, 1], scaled[:, 0, 2]], -1))
    joint = torch.cat([root[:, None], matrix_from_vector(scaled[:, 1:])], 1)
    place = torch.stack([zero, scaled[:, 0, 0], zero], -1)
    rest = rest or (rig.rest if x.dtype == torch.float32 else rig.rest64)
    T = chain_joints(rest, place, joint)
    return Posed(joint, T, skinning_transforms(rest, T))


def skin(rig: Rig, posed: Posed) -> Float[Tensor, "poses points 3"]:
    """The coarse skin in every pose (AKD eq. 5); differentiable."""
    T = posed.T_world_rest
    poses, bones = T.shape[:2]
    columns = T[:, :, :3].permute(1, 3, 0, 2).reshape(4 * bones, 3 * poses)
    bound = torch.as_tensor(rig.surface.bound, dtype=T.dtype)
    return (bound @ columns).reshape(-1, poses, 3).transpose(0, 1)


def clip_of(rig: Rig, x: Numbers, name: str, fps: float, *, ways: Float[ndarray, "frames 3"] | None = None) -> Clip:
    """Poses one after another as a clip of the character; `ways`: where the root is moved to beside its height."""
    scaled = (x.double() * rig.reach.double()).numpy()
    with torch.no_grad():
        joint = pose(rig, x.double()).joint.numpy()
    places = np.zeros((len(x), 3)) if ways is None else ways.copy()
    places[:, 1] = scaled[:, 0, 0] * rig.size
    return clip_from_matrices(name, fps, places, joint)[0]
