"""The loss that puts feet near the ground on it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from distillation_setup import body_of, subject_of

from gambol.distill.losses import Stance
from gambol.distill.losses.loss import Motion
from gambol.distill.losses.stance import STANCE_REACH, ground_attraction, sole_heights
from gambol.motion.clip import Clip
from gambol.motion.feet.soles import find_soles, pose_sole
from gambol.motion.kinematics import pose_clip


@pytest.fixture(scope="module")
def body():
    return body_of(subject_of("lizard", 7))


def motion_of(body, root, angles, **fields):
    T = body.actor.pose(root, angles)
    return Motion(root, angles, T, body, body.fps, root, angles, **fields)


def shifted_start(body, heights):
    """The start pose at several heights of the root, metres."""
    root = torch.zeros(len(heights), 6)
    root[:, 1] = torch.as_tensor(heights)
    return root, body.start_angles.repeat(len(heights), 1, 1)


def test_the_pull_is_quadratic_near_the_ground_and_bounded_above_it():
    r = STANCE_REACH
    heights = torch.tensor([0.0, -0.5, 0.01 * r, r, 1e3])
    expected = torch.tensor([0.0, 0.25, 1e-4 * r**2 / 1.0001, 0.5 * r**2, r**2])
    assert torch.allclose(ground_attraction(heights), expected, rtol=1e-5, atol=0)
    # the force on a foot is largest at r / sqrt 3 and fades beyond it
    heights = torch.linspace(0.0, 3.0 * r, 3001, requires_grad=True)
    (force,) = torch.autograd.grad(ground_attraction(heights).sum(), heights)
    assert (force[1:] > 0).all()
    assert float(heights.detach()[force.argmax()]) == pytest.approx(r / 3**0.5, abs=1e-3)


def test_sole_heights_are_those_of_the_skinned_soles(body):
    generator = torch.Generator().manual_seed(3)
    joints = len(body.character.require_skeleton()) - 1
    root, angles = torch.randn(5, 6, generator=generator), torch.randn(5, joints, 3, generator=generator)
    T = pose_clip(body.character.require_skeleton(), Clip("", 30.0, root.double().numpy(), angles.double().numpy()))
    bound = Stance().bind(body)
    soles = find_soles(body.character, body.anatomy)
    assert len(bound.soles) == len(soles) == 4
    for matrix, sole in zip(bound.soles, soles, strict=True):
        slow = pose_sole(body.character.require_skeleton(), sole, T)[..., 1]
        np.testing.assert_allclose(sole_heights(matrix, body.actor.pose(root, angles)).numpy(), slow, atol=1e-4)


def test_the_loss_of_a_shifted_body_is_the_pull_on_every_foot(body):
    loss = Stance().bind(body)
    heights = [0.0, 0.05, -0.1, 0.4]
    root, angles = shifted_start(body, [h * body.leg for h in heights])
    T = body.actor.pose(root, angles)
    rest = torch.stack([sole_heights(sole, T[:1]).amin() for sole in loss.soles]) / body.leg
    expected = np.mean([float(ground_attraction(rest + h).sum()) for h in heights])
    assert float(loss(motion_of(body, root, angles))) == pytest.approx(expected, rel=1e-4)


def test_a_hovering_body_is_pulled_straight_down(body):
    root, angles = shifted_start(body, [0.1 * body.leg] * 3)
    loss = Stance().bind(body)
    (force,) = torch.autograd.grad(loss(motion_of(body, root.requires_grad_(), angles)), root)
    assert (force[:, 1] > 0).all()
    assert not force[:, [0, 2, 3]].any()  # neither place nor heading changes how high feet are


def test_refined_clips_and_bodies_without_feet_are_left_alone(body):
    loss = Stance().bind(body)
    motion = motion_of(body, *shifted_start(body, [0.1 * body.leg]))
    assert float(loss(motion)) > 0
    assert float(loss(replace(motion, refines=True))) == 0
    snake = body_of(subject_of("snake", 7))
    legless = Stance().bind(snake)
    assert legless.soles == ()
    assert float(legless(motion_of(snake, *shifted_start(snake, [0.1])))) == 0
