import jaxtyping
import numpy as np
import pytest
import torch

from gambol.character.skeleton import Skeleton, rest_frames
from gambol.character.transforms import matrix_from_quaternion, quaternion_from_matrix
from gambol.character.weights import SkinWeights, weights_from_dense
from gambol.errors import AssetError
from gambol.motion.clip import Clip, clip_from_matrices, joint_matrices, rest_clip
from gambol.motion.kinematics import forward_kinematics, pose_clip, rest_pose, skinning_transforms
from gambol.motion.rotations import continuous_quaternions
from gambol.motion.skinning import blend_transforms, skin_covariances, skin_points, weight_matrix
from gambol.motion.skinning_reference import forward_kinematics_reference, skin_reference


def random_skeleton(bones: int, seed: int) -> Skeleton:
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(rng.integers(0, i) for i in range(1, bones))])
    heads = rng.normal(size=(bones, 3))
    tails = heads + rng.normal(size=(bones, 3))
    return Skeleton(tuple(f"b{i}" for i in range(bones)), parents, rest_frames(heads, tails, parents), tails)


def random_clip(skeleton: Skeleton, frames: int, seed: int) -> Clip:
    rng = np.random.default_rng(seed)
    return Clip("random", 24.0, rng.normal(size=(frames, 6)), rng.uniform(-3, 3, (frames, len(skeleton) - 1, 3)))


def random_weights(vertices: int, bones: int, seed: int) -> SkinWeights:
    return weights_from_dense(np.random.default_rng(seed).uniform(size=(vertices, bones)) ** 4, influences=4)


@pytest.mark.parametrize("bones", [1, 2, 17, 60])
def test_forward_kinematics_equals_the_plain_reference(bones):
    skeleton = random_skeleton(bones, bones)
    clip = random_clip(skeleton, 3, 1)
    np.testing.assert_allclose(pose_clip(skeleton, clip), forward_kinematics_reference(skeleton, clip), atol=1e-11)


def test_rest_clip_is_the_rest_pose():
    skeleton = random_skeleton(20, 3)
    found = pose_clip(skeleton, rest_clip(skeleton, 2, 30.0))
    np.testing.assert_allclose(found, np.broadcast_to(skeleton.T_world_rest, found.shape), atol=1e-12)


def test_root_angles_are_heading_roll_and_pitch():
    skeleton = random_skeleton(4, 5)
    for axis, turned in [(0, (0, 0, -1)), (1, (1, 0, 0)), (2, (0, -1, 0))]:
        # a quarter turn of heading takes forward (+x) to the left (-z); roll keeps it; pitch takes it down
        clip = rest_clip(skeleton, 1, 30.0)
        clip.root[0, 3 + axis] = np.pi / 2
        R = (pose_clip(skeleton, clip)[0, 0] @ np.linalg.inv(skeleton.T_world_rest[0]))[:3, :3]
        np.testing.assert_allclose(R @ [1.0, 0.0, 0.0], turned, atol=1e-12)


def test_bones_keep_their_lengths_in_any_pose():
    skeleton = random_skeleton(30, 8)
    posed = pose_clip(skeleton, random_clip(skeleton, 5, 2))[..., :3, 3]
    lengths = np.linalg.norm(posed[:, 1:] - posed[:, skeleton.parents[1:]], axis=-1)
    rest = np.linalg.norm(skeleton.heads[1:] - skeleton.heads[skeleton.parents[1:]], axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to(rest, lengths.shape), atol=1e-10)


def test_skinning_of_points_and_covariances_equals_the_plain_reference():
    skeleton, weights = random_skeleton(12, 4), random_weights(40, 12, 4)
    rng = np.random.default_rng(9)
    points, roots = rng.normal(size=(40, 3)), rng.normal(size=(40, 3, 3))
    covariances = roots @ roots.transpose(0, 2, 1)
    clip = random_clip(skeleton, 3, 6)
    rest = rest_pose(skeleton, dtype=torch.float64)
    T = forward_kinematics(rest, torch.from_numpy(clip.root), torch.from_numpy(clip.angles))
    blended = blend_transforms(weight_matrix(weights, dtype=torch.float64), skinning_transforms(rest, T))
    moved = skin_points(blended, torch.from_numpy(points)).numpy()
    shaped = skin_covariances(blended, torch.from_numpy(covariances)).numpy()
    for frame in range(3):
        meant, meant_shape = skin_reference(skeleton, weights, points, covariances, T[frame].numpy())
        np.testing.assert_allclose(moved[frame], meant, atol=1e-7)  # weights are stored in float32
        np.testing.assert_allclose(shaped[frame], meant_shape, atol=1e-5)


def test_a_rigid_motion_moves_points_rigidly_and_turns_covariances():
    skeleton, weights = random_skeleton(6, 1), random_weights(20, 6, 1)
    clip = rest_clip(skeleton, 1, 30.0)
    clip.root[0] = [1.0, 2.0, 3.0, 0.4, -0.2, 0.9]
    rest = rest_pose(skeleton, dtype=torch.float64)
    T = forward_kinematics(rest, torch.from_numpy(clip.root), torch.from_numpy(clip.angles))
    rigid = T[0, 0].numpy() @ np.linalg.inv(skeleton.T_world_rest[0])
    blended = blend_transforms(weight_matrix(weights, dtype=torch.float64), skinning_transforms(rest, T))
    points = np.random.default_rng(0).normal(size=(20, 3))
    moved = skin_points(blended, torch.from_numpy(points)).numpy()[0]
    np.testing.assert_allclose(moved, points @ rigid[:3, :3].T + rigid[:3, 3], atol=1e-6)
    shaped = skin_covariances(blended, torch.eye(3, dtype=torch.float64).expand(20, 3, 3)).numpy()[0]
    np.testing.assert_allclose(shaped, np.broadcast_to(np.eye(3), shaped.shape), atol=1e-6)


def test_leading_axes_batch():
    skeleton = random_skeleton(9, 2)
    rest = rest_pose(skeleton, dtype=torch.float64)
    generator = torch.Generator().manual_seed(0)
    root = torch.randn(2, 5, 6, generator=generator, dtype=torch.float64)
    angles = torch.randn(2, 5, 8, 3, generator=generator, dtype=torch.float64)
    together = forward_kinematics(rest, root, angles)
    alone = torch.stack(
        [torch.stack([forward_kinematics(rest, root[i, j], angles[i, j]) for j in range(5)]) for i in range(2)]
    )
    torch.testing.assert_close(together, alone)
    weights = weight_matrix(random_weights(11, 9, 2), dtype=torch.float64)
    blended = blend_transforms(weights, together)
    assert blended.shape == (2, 5, 11, 3, 4)
    torch.testing.assert_close(blended[1, 3], blend_transforms(weights, together[1, 3]))


def test_gradients_of_kinematics_and_skinning_pass_gradcheck():
    skeleton, weights = random_skeleton(7, 3), random_weights(5, 7, 3)
    rest, W = rest_pose(skeleton, dtype=torch.float64), weight_matrix(weights, dtype=torch.float64)
    generator = torch.Generator().manual_seed(1)
    points = torch.randn(5, 3, generator=generator, dtype=torch.float64)
    spread = torch.randn(5, 3, 3, generator=generator, dtype=torch.float64)

    def picture(root, angles, points, spread):
        blended = blend_transforms(W, skinning_transforms(rest, forward_kinematics(rest, root, angles)))
        return skin_points(blended, points), skin_covariances(blended, spread @ spread.transpose(-1, -2))

    root = torch.randn(2, 6, generator=generator, dtype=torch.float64)
    angles = torch.randn(2, 6, 3, generator=generator, dtype=torch.float64)
    inputs = tuple(x.requires_grad_() for x in (root, angles, points, spread))
    assert torch.autograd.gradcheck(picture, inputs)


def test_clip_to_quaternions_and_back_reports_its_error():
    skeleton = random_skeleton(10, 6)
    clip = random_clip(skeleton, 12, 3)
    wxyz = continuous_quaternions(quaternion_from_matrix(joint_matrices(clip)))
    again, lost = clip_from_matrices("again", clip.fps, clip.root[:, :3], matrix_from_quaternion(wxyz))
    assert lost < 1e-7
    np.testing.assert_allclose(pose_clip(skeleton, again), pose_clip(skeleton, clip), atol=1e-9)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"fps": 0.0}, "frames per second"),
        ({"root": np.zeros((3, 5))}, "root"),
        ({"angles": np.zeros((2, 4, 3))}, "angles"),
        ({"root": np.full((3, 6), np.nan)}, "finite"),
    ],
)
def test_a_broken_clip_is_refused(change, word, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it
    fields = {"name": "x", "fps": 30.0, "root": np.zeros((3, 6)), "angles": np.zeros((3, 4, 3))} | change
    with pytest.raises(AssetError, match=word):
        Clip(**fields)


def test_a_clip_for_another_skeleton_is_refused():
    with pytest.raises(AssetError, match="moves 5 bones; the skeleton has 9"):
        pose_clip(random_skeleton(9, 1), rest_clip(random_skeleton(5, 1), 2, 30.0))
