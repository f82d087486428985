"""Pose parameters: rotation vectors, clips, mirror images."""

import numpy as np
import torch
from pose_bodies import clip_of_creature, creature, random_poses, rig_of

from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import rotation_angle
from gambol.poses.pose_parameters import (
    clip_from_parameters,
    coarse_skin_points,
    matrix_from_rotvec,
    parameters_from_angles,
    parameters_from_clip,
    pose_bones,
    rotvec_from_matrix,
)
from gambol.poses.pose_rig import mirrored_rig, parameter_mirror_signs


def test_a_rotation_vector_is_axis_times_angle_and_comes_back():
    w = torch.tensor([[0.0, 0.0, 0.0], [1e-6, 0.0, 0.0], [0.3, -0.8, 0.5], [0.0, 3.1, 0.0]], dtype=torch.float64)
    R = matrix_from_rotvec(w)
    assert np.allclose(rotation_angle(R.numpy()), w.norm(dim=1), atol=1e-9)
    assert np.allclose((R @ w[..., None])[..., 0], w, atol=1e-12), "the axis stays"
    assert np.allclose(rotvec_from_matrix(R.numpy()), w, atol=1e-7)


def test_parameters_of_a_clip_pose_the_body_as_the_clip_does():
    character, _ = creature()
    rig, clip = rig_of(), clip_of_creature()
    T = pose_clip(character.require_skeleton(), clip)[..., :3, 3]
    heads = pose_bones(rig, parameters_from_clip(rig, clip).double()).heads.numpy() * rig.size
    # place and heading are no part of a pose: compare heights and distances from the root
    assert np.allclose(heads[..., 1], T[..., 1], atol=1e-6)
    away = [np.linalg.norm(x - x[:, :1], axis=-1) for x in (heads, T)]
    assert np.allclose(*away, atol=1e-6)


def test_parameters_survive_the_conversion_to_a_clip():
    rig = rig_of()
    x = random_poses(len(rig), 5)
    assert torch.allclose(parameters_from_clip(rig, clip_from_parameters(rig, x, "poses", 30.0)), x, atol=1e-4)


def test_the_differentiable_parameters_agree_and_have_the_right_gradient():
    rig, clip = rig_of(), clip_of_creature()
    root, angles = torch.as_tensor(clip.root), torch.as_tensor(clip.angles)
    assert torch.allclose(parameters_from_angles(rig, root, angles).float(), parameters_from_clip(rig, clip), atol=1e-5)
    free = angles[:2, :4].clone().requires_grad_()

    def some(free):
        return parameters_from_angles(rig, root[:2], torch.cat([free, angles[:2, 4:]], 1))[:, :6]

    assert torch.autograd.gradcheck(some, (free,), atol=1e-5)


def test_the_pose_in_the_mirror_is_the_mirror_image_of_the_pose():
    for noun in ("fox", "human", "spider", "eagle"):
        rig = rig_of(noun)
        x = random_poses(len(rig), 4)
        other = mirrored_rig(rig)
        y = x * torch.as_tensor(parameter_mirror_signs(rig)).float()
        flip = torch.tensor([1.0, 1.0, -1.0])
        assert torch.allclose(pose_bones(other, y).heads, pose_bones(rig, x).heads * flip, atol=1e-5)
        assert torch.allclose(
            coarse_skin_points(other, pose_bones(other, y)),
            coarse_skin_points(rig, pose_bones(rig, x)) * flip,
            atol=1e-5,
        )
        assert np.allclose(mirrored_rig(other).limits, rig.limits)
        assert (mirrored_rig(other).sides == rig.sides).all()
