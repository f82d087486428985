"""The pose space: samples, handles, walks, in-betweens, scores, and the pose prior of a distillation."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from character_made_by_code import two_bone_scene
from distillation_setup import optimised
from pose_bodies import clip_of_creature, creature, rig_of, small_network, space_of
from tiny_embedded_prior import tiny_prior

from gambol.app.animate_request import AnimateRequest
from gambol.character.character import make_character
from gambol.character.skeleton import find_joint
from gambol.distill.losses import PosePrior
from gambol.distill.optimised_body import make_subject
from gambol.errors import ConfigError
from gambol.poses.interpolation import interpolate_keys, step_lengths, walk_pose_space
from gambol.poses.inverse_kinematics import (
    find_handle_point,
    find_handles,
    handle_jacobian,
    handle_positions,
    refine_handles,
    solve_handles,
)
from gambol.poses.plausibility import pose_prior_loss, score_parameters
from gambol.poses.pose_parameters import coarse_skin_points, parameters_from_clip, pose_bones
from gambol.poses.pose_rig import make_pose_rig
from gambol.poses.pose_space import PoseSpace, lift_above_ground, repair_poses, sample_pose_space
from gambol.poses.pose_violations import find_violations
from gambol.poses.skeleton_features import describe_skeleton
from gambol.priors.embedded.part_film import FRAMES
from gambol.training.poses.from_meshes import MeshFit, fit_mesh
from gambol.training.poses.from_prior import CollectSettings, collect_individual


def real_poses(noun="fox", motion="walk"):
    rig = rig_of(noun)
    return parameters_from_clip(rig, clip_of_creature(noun, motion))


def test_samples_are_repeatable_and_repaired_by_the_validators():
    space = space_of()
    plain = sample_pose_space(space, 8, torch.Generator().manual_seed(2), validators=False)
    guided = sample_pose_space(space, 8, torch.Generator().manual_seed(2))
    assert torch.equal(guided, sample_pose_space(space, 8, torch.Generator().manual_seed(2)))
    assert float(find_violations(space.rig, plain).count().sum()) > 0
    assert float(find_violations(space.rig, guided).count().sum()) == 0
    assert float(find_violations(space.rig, guided).ground.max()) < 1e-5


def test_repairs_leave_sound_poses_alone_and_lift_bodies_out_of_the_ground():
    rig = rig_of("human")
    still = torch.zeros(1, len(rig), 3)
    assert torch.equal(repair_poses(rig, still), lift_above_ground(rig, still))
    wild = 3.0 * torch.randn(6, len(rig), 3, generator=torch.Generator().manual_seed(0))
    assert (find_violations(rig, wild).count() > 0).all()
    assert (find_violations(rig, repair_poses(rig, wild)).count() == 0).all()
    sunk = still.clone()
    sunk[0, 0, 0] = -3.0
    lifted = coarse_skin_points(rig, pose_bones(rig, lift_above_ground(rig, sunk)))
    assert float(lifted[..., 1].min()) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("noun", ["fox", "human"])
def test_reachable_handles_are_reached(noun):
    space = space_of(noun)
    rig = space.rig
    goal = real_poses(noun)[5:6]
    feet = np.flatnonzero(rig.contacts)[:2]
    places = pose_bones(rig, goal).heads[0, feet] * rig.size
    wanted = {rig.skeleton.names[bone]: place.tolist() for bone, place in zip(feet, places, strict=True)}
    found = solve_handles(space, torch.zeros(1, len(rig), 3), find_handles(rig, wanted))
    assert found.reached
    assert float(found.distances.max()) < 0.01


@pytest.mark.parametrize("noun", ["fox", "human"])
def test_the_handle_jacobian_is_that_of_forward_kinematics(noun):
    rig = rig_of(noun)
    handles = find_handles(rig, {f"{rig.skeleton.names[b]}:end": (0.0, 0.0, 0.0) for b in (0, len(rig) // 2, -1)})
    for x in (parameters_from_clip(rig, clip_of_creature(noun))[5:6], torch.zeros(1, len(rig), 3)):
        J, places = handle_jacobian(rig, x, handles)
        taped = torch.autograd.functional.jacobian(lambda y: handle_positions(rig, y, handles)[0].flatten(), x)
        torch.testing.assert_close(J, taped.reshape(J.shape), atol=1e-6, rtol=1e-4)
        torch.testing.assert_close(places, handle_positions(rig, x, handles)[0])


def test_the_distance_of_a_handle_out_of_reach_is_reported():
    rig = rig_of("human")
    handles = find_handles(rig, {"Hand.L": (0.0, 9.0, 0.0)})
    found = refine_handles(rig, torch.zeros(1, len(rig), 3), handles, steps=10)
    assert not found.reached
    gap = (handles.targets - pose_bones(rig, found.x).heads[0, handles.bones]).norm()
    assert float(found.distances[0]) == pytest.approx(float(gap), rel=1e-5)


def test_handles_are_found_by_name_with_colons_and_without_prefix():
    rig = rig_of("human")
    skeleton = replace(rig.skeleton, names=tuple(f"mixamorig:{name}" for name in rig.skeleton.names))
    rig = replace(rig, skeleton=skeleton)
    hand = skeleton.names.index("mixamorig:Hand.L")
    for name in ("mixamorig:Hand.L", "Hand.L", "hand.l", "MIXAMORIG:HAND.L"):
        for suffix, points in (("", skeleton.heads), (":end", skeleton.tails)):
            handles = find_handles(rig, {f"{name}{suffix}": (0.0, 1.0, 0.0)})
            assert handles.bones.tolist() == [hand]
            assert np.allclose(handles.points, points[hand], atol=1e-6)
            assert np.allclose(handles.targets * rig.size, [0.0, 1.0, 0.0])
    odd = replace(skeleton, names=(*skeleton.names[:-1], "tail:end"))
    assert find_handle_point(odd, "tail:end") == (len(rig) - 1, False)


def test_handles_that_cannot_be_used_are_refused():
    rig = rig_of("human")
    with pytest.raises(ConfigError, match=r"Did you mean 'Hand\.L'"):
        find_handles(rig, {"Hnd.L": (0.0, 1.0, 0.0)})
    with pytest.raises(ConfigError, match="No handle"):
        find_handles(rig, {})
    for target in ((0.0, 1.0), (0.0, 1.0, np.nan), "here", None):
        with pytest.raises(ConfigError, match=r"needs a target x, y, z"):
            find_handles(rig, {"Hand.L": target})
    with pytest.raises(ConfigError, match="a string"):
        find_handles(rig, {3: (0.0, 1.0, 0.0)})


def test_a_walk_has_exact_ends_and_even_steps():
    space, x = space_of(), real_poses(motion="jump")
    path = walk_pose_space(space, x[:1], x[6:7], 12)
    assert len(path) == 12
    assert torch.allclose(path[0], x[0], atol=1e-5)
    assert torch.allclose(path[-1], x[6], atol=1e-5)
    steps = step_lengths(space.rig, path)
    assert float(steps.max()) <= 2.0 * float(steps.mean())


def test_keys_are_exact_and_the_path_between_them_is_smooth():
    space, x = space_of(), real_poses(motion="jump")
    keys = [(0, x[:1]), (6, x[5:6]), (15, x[9:10])]
    path = interpolate_keys(space, keys)
    assert len(path) == 16
    heads = pose_bones(space.rig, path).heads
    for frame, key in keys:
        assert float((heads[frame] - pose_bones(space.rig, key).heads[0]).abs().max()) < 1e-4
    steps = step_lengths(space.rig, path)
    assert float(steps.max()) < 4.0 * float(steps.mean())
    with pytest.raises(ConfigError, match="two or more"):
        interpolate_keys(space, keys[:1])
    with pytest.raises(ConfigError, match="must differ"):
        interpolate_keys(space, [keys[0], keys[0]])


def test_scores_name_what_is_wrong():
    space = space_of("human")
    x = torch.zeros(2, len(space.rig), 3)
    elbow = find_joint(space.rig.skeleton, "Forearm.L")
    x[1, elbow, 0] = x[1, elbow, 2] = 2.5 / float(space.rig.parameter_scale[elbow, 0])
    sound, broken = score_parameters(space, x)
    assert sound.violations == 0
    assert sound.messages == ()
    assert broken.violations >= 1
    assert any("Forearm.L" in words for words in broken.messages)
    assert 0.0 <= broken.plausibility <= 1.0


def test_the_pose_prior_pulls_a_distillation():
    space = space_of("fox")
    subject = make_subject(*creature("fox"))
    plain, held = (
        optimised(tiny_prior(), subject, AnimateRequest("a fox is walking", steps=10, splats=100, constraints=terms))[0]
        for terms in ((), (PosePrior(5.0, space),))
    )
    assert not np.allclose(plain.angles, held.angles)
    root, angles = (torch.as_tensor(x).float() for x in (plain.root, plain.angles))
    free = angles.clone().requires_grad_()
    energy = pose_prior_loss(space, root, free, torch.Generator().manual_seed(0))
    (slope,) = torch.autograd.grad(energy, free)
    with torch.no_grad():
        lower = pose_prior_loss(space, root, angles - 1e-3 * slope / slope.norm(), torch.Generator().manual_seed(0))
    assert float(lower) < float(energy.detach())


def test_collected_poses_say_where_they_come_from():
    settings = CollectSettings(clips=1, calls=2, steps=2, families=("human",))
    shard = collect_individual(tiny_prior(), settings, 0, "tiny")
    again = collect_individual(tiny_prior(), settings, 0, "tiny")
    assert torch.equal(shard.x, again.x)
    assert shard.metadata["prior"] == "tiny"
    assert shard.metadata["kind"] == "human"
    assert int(shard.metadata["tried"]) == FRAMES
    with pytest.raises(ConfigError, match="no family"):
        CollectSettings(families=("unicorn",))


def test_a_rig_fits_to_meshes_of_its_own_poses():
    rig = rig_of("human")
    goal = real_poses("human")[4:5]
    points = coarse_skin_points(rig, pose_bones(rig, goal))[0].numpy()
    found = fit_mesh(rig, points, config=MeshFit(steps=60))
    fitted, still, wanted = (pose_bones(rig, x).heads for x in (found.x, torch.zeros_like(goal), goal))
    away = [(heads - wanted).norm(dim=-1).mean() for heads in (fitted, still)]
    assert float(away[0]) < 0.5 * float(away[1])
    assert found.chamfer < 0.01


def bones_in_a_row(count):
    """A column of boxes on so many bones."""
    scene = two_bone_scene()
    nodes = replace(
        scene.nodes,
        names=(*(f"Bone{i}" for i in range(count)), "Column"),
        parents=np.array([i - 1 for i in range(count)] + [-1]),
        translations=np.array([[0.0, 0.0 if i == 0 else 2.0 / count, 0.0] for i in range(count)] + [[0.0, 0.0, 0.0]]),
        rotations_wxyz=np.tile([1.0, 0.0, 0.0, 0.0], (count + 1, 1)),
        scales=np.ones((count + 1, 3)),
    )
    rings = np.linspace(0.0, 2.0, count + 1).repeat(4)
    ring = np.tile(0.1 * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]), (count + 1, 1))
    points = np.stack([ring[:, 0], rings, ring[:, 1]], 1)
    quads = [
        [4 * r + k, 4 * r + (k + 1) % 4, 4 * r + 4 + (k + 1) % 4, 4 * r + 4 + k] for r in range(count) for k in range(4)
    ]
    triangles = np.array([t for a, b, c, d in quads for t in ((a, c, b), (a, d, c))])
    bone = np.minimum(np.arange(count + 1), count - 1).repeat(4)
    part = replace(
        scene.parts[0], node=count, positions=points, triangles=triangles, joints=bone[:, None],
        weights=np.ones((len(points), 1), np.float32),
    )  # fmt: skip
    skin = replace(scene.skins[0], joints=np.arange(count), inverse_binds=np.linalg.inv(nodes.T_world_node[:count]))
    return replace(scene, nodes=nodes, skins=(skin,), parts=(part,))


@pytest.mark.parametrize("count", [1, 200])
def test_one_bone_and_two_hundred(count):
    character = make_character("row", bones_in_a_row(count))
    rig = make_pose_rig(character)
    assert 0.95 * count <= len(rig) <= count, "a root that carries next to nothing is a handle"
    space = PoseSpace(rig, small_network(), describe_skeleton(rig))
    x = sample_pose_space(space, 2, torch.Generator().manual_seed(0), steps=4)
    assert torch.isfinite(x).all()
    assert torch.isfinite(find_violations(rig, x).count()).all()
    assert torch.isfinite(walk_pose_space(space, x[:1], x[1:], 3, level=0.2)).all()
