"""The validators: nothing is wrong at rest, gradients are right, fast paths agree with slow ones."""

import numpy as np
import pytest
import torch
from pose_bodies import clip_of_creature, creature, random_poses, rig_of

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.segment_distances import segment_distance
from gambol.poses.pose_parameters import coarse_skin_points, parameters_from_clip, pose_bones
from gambol.poses.pose_rig import BODY_PARTS
from gambol.poses.pose_violations import (
    DEPTH_TOLERANCE,
    capsule_overlaps,
    find_violations,
    joint_range_excess,
    posed_violations,
    skin_stretch,
    sound_poses,
    torch_segment_distance,
    volume_change,
)

NOUNS = ("fox", "human", "spider", "trex", "eagle")


@pytest.mark.parametrize("noun", NOUNS)
def test_the_rest_pose_has_no_violations_and_a_random_one_has_many(noun):
    rig = rig_of(noun)
    still = find_violations(rig, torch.zeros(1, len(rig), 3))
    assert float(still.count()[0]) == 0
    assert float(still.energy()[0]) < 1e-9
    wild = find_violations(rig, random_poses(len(rig), 16, size=8.0))
    assert float(wild.count().mean()) > 10
    assert not sound_poses(wild).any()


def test_a_procedural_walk_is_sound():
    for noun in NOUNS:
        rig = rig_of(noun)
        violations = find_violations(rig, parameters_from_clip(rig, clip_of_creature(noun)))
        assert sound_poses(violations).float().mean() > 0.9


@pytest.mark.parametrize("what", ["joints", "overlaps", "stretch", "volume", "ground"])
def test_gradients_agree_with_finite_differences(what):
    rig = rig_of()
    x = random_poses(len(rig), 2, seed=4, size=3.0).double()

    def value(x):
        posed = pose_bones(rig, x)
        points = coarse_skin_points(rig, posed)
        limits = torch.as_tensor(rig.limits)
        return {
            "joints": lambda: joint_range_excess(posed.joint, limits).square().sum(),
            "overlaps": lambda: capsule_overlaps(rig, posed).square().sum(),
            "stretch": lambda: skin_stretch(rig, points).square().sum(),
            "volume": lambda: volume_change(rig, points - 0.0).sum() + volume_change(rig, 0.6 * points).square().sum(),
            "ground": lambda: posed_violations(rig, posed).ground.square().sum(),
        }[what]()

    free = x.clone().requires_grad_()
    total = value(free)
    assert float(total.detach()) > 0, "the pose must be wrong for the gradient to mean anything"
    (gradient,) = torch.autograd.grad(total, free)
    generator = torch.Generator().manual_seed(1)
    for _ in range(3):
        along = torch.randn(x.shape, generator=generator, dtype=torch.float64)
        step = 1e-6
        measured = float(value(x + step * along) - value(x - step * along)) / (2 * step)
        assert float((gradient * along).sum()) == pytest.approx(measured, rel=2e-4, abs=1e-8)


def test_wings_fold_without_stretch_and_other_skin_does_not():
    rig = rig_of("eagle")
    wing = np.flatnonzero(rig.parts == BODY_PARTS.index(BodyPart.WING))
    leg = np.flatnonzero(rig.parts == BODY_PARTS.index(BodyPart.LEG))
    stretched = []
    for bones in (wing[-2:], leg):  # the wing's outer bones: nothing but wing hangs on them
        x = torch.zeros(1, len(rig), 3)
        x[0, bones] = 6.0
        stretched.append(float(find_violations(rig, x).stretch.sum()))
    assert stretched[0] == 0
    assert stretched[1] > 0


def test_joint_excess_is_the_angle_beyond_the_limit():
    limits = torch.tensor([[[-9.0, 9.0]] * 3, [[-0.2, 0.5], [-0.1, 0.1], [-0.1, 0.1]]])
    angle = torch.tensor(1.0)
    R = torch.eye(3).repeat(1, 2, 1, 1)
    R[0, 1] = torch.tensor([[1, 0, 0], [0, angle.cos(), -angle.sin()], [0, angle.sin(), angle.cos()]])
    assert torch.allclose(joint_range_excess(R, limits, slack=0.1), torch.tensor([[0.0, 0.4]]), atol=1e-6)


def test_segment_distances_agree_with_the_reference():
    p0, p1, q0, q1 = (torch.as_tensor(np.random.default_rng(0).normal(size=(4, 500, 3)))[i] for i in range(4))
    reference = segment_distance(*(x.numpy() for x in (p0, p1, q0, q1)))
    assert np.allclose(torch_segment_distance(p0, p1, q0, q1), reference, atol=1e-6)


def test_a_leg_through_the_other_is_found():
    rig = rig_of("human")
    legs = [i for i, name in enumerate(rig.skeleton.names) if rig.pairs[i] == 0 and rig.contacts[i]]
    assert len(legs) == 2
    x = torch.zeros(1, len(rig), 3)
    for foot in legs:
        thigh = foot
        while int(rig.skeleton.parents[thigh]) > 0 and rig.parts[int(rig.skeleton.parents[thigh])] == rig.parts[foot]:
            thigh = int(rig.skeleton.parents[thigh])
        side = float(np.sign(rig.skeleton.heads[thigh, 2]))
        x[0, thigh, 2] = side * 0.17 / float(rig.parameter_scale[thigh, 2])
    crossed = find_violations(rig, x).overlaps.max()
    apart = find_violations(rig, -x).overlaps.max()
    assert max(float(crossed), float(apart)) > DEPTH_TOLERANCE
    assert min(float(crossed), float(apart)) < DEPTH_TOLERANCE


def test_the_coarse_skin_of_a_closed_body_is_closed():
    character, _ = creature()
    rig = rig_of()
    triangles = rig.coarse_skin.triangles
    directed = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    ahead = {tuple(edge) for edge in directed.tolist()}
    assert sum((b, a) in ahead for a, b in ahead) > 0.97 * len(ahead)
    whole, few = character.mesh.vertices / rig.size, rig.coarse_skin.points
    assert np.abs(few.min(0) - whole.min(0)).max() < 0.05
    assert np.abs(few.max(0) - whole.max(0)).max() < 0.05
