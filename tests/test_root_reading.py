"""The root is read off a film of parts: exactly for rigid motions, closely for true clips, and a fit starts there."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_embedded_prior import tiny_prior

from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.diffusion.video_prior import TargetLatent
from gambol.distill.optimised_body import make_subject
from gambol.distill.problem import make_problem
from gambol.distill.state import initial_state
from gambol.distill.video_fit import VideoFit, read_root
from gambol.motion.rotations import rotation_angle
from gambol.priors.embedded.part_film import FRAMES
from gambol.priors.embedded.root_reading import rigid_motions


def turned(axis, angle):
    x, y, z = np.asarray(axis, float) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def test_rigid_motions_are_found_exactly():
    generator = np.random.default_rng(0)
    rest, weights = generator.normal(size=(7, 3)), generator.uniform(0.1, 1.0, 7)
    R = np.stack([turned(generator.normal(size=3), a) for a in np.linspace(-3.0, 3.0, 9)])
    t = generator.normal(size=(9, 3))
    found, shift = rigid_motions(rest, np.einsum("fij,pj->fpi", R, rest) + t[:, None], weights)
    assert np.allclose(found, R, atol=1e-9)
    assert np.allclose(shift, t, atol=1e-9)


def test_parts_on_a_line_do_not_turn_and_mirrored_ones_are_no_rotation():
    rest = np.outer(np.arange(5.0), [1.0, 0.2, 0.0])
    found, shift = rigid_motions(rest, rest[None] + 2.0, np.ones(5))
    assert np.array_equal(found[0], np.eye(3))
    assert np.allclose(shift, 2.0)
    rest = np.random.default_rng(1).normal(size=(6, 3))
    found, _ = rigid_motions(rest, (rest * [1.0, 1.0, -1.0])[None], np.ones(6))
    assert np.linalg.det(found[0]) == pytest.approx(1.0)


@pytest.fixture(scope="module")
def human():
    creature = make_creature("human", 3, vertices=1500)
    character = creature.character()
    return character, creature.anatomy(character)


def problem_and_film(human, motion):
    character, anatomy = human
    clip = make_motion(character, anatomy, motion, seconds=(FRAMES - 1) / 16.0, fps=16.0, loop=False)
    problem = make_problem(tiny_prior(), make_subject(character, anatomy), "a walk")
    with torch.no_grad():
        film = problem.prior.encode(problem.observer.render(problem.body.actor.pose_clip(clip), 0))
    return clip, problem, TargetLatent(film[None], ((0, 0),))


@pytest.mark.parametrize("motion", ["turn around", "cartwheel", "walk"])
def test_the_root_of_a_true_film_is_read(human, motion):
    from gambol.motion.joint_rotations import matrix_from_angles

    clip, problem, target = problem_and_film(human, motion)
    root = read_root(problem, target)
    R, wanted = (matrix_from_angles(torch.as_tensor(np.array(x[:, 3:])).double()).numpy() for x in (root, clip.root))
    assert np.degrees(np.median(rotation_angle(np.swapaxes(R, -1, -2) @ wanted))) < 15.0
    assert np.abs(np.diff(root[:, 3:], axis=0)).max() < 1.5, "angles go on without jumps"


def test_a_fit_starts_there_where_that_is_nearer(human):
    _, problem, target = problem_and_film(human, "turn around")
    method = VideoFit(steps=2)
    started = method.init(replace(problem, target=target), initial_state(problem.parameters, 0))
    zeros = problem.parameters.zeros()
    with torch.no_grad():
        near, far = (method.objective(problem, target, c).total for c in (started.coefficients, zeros))
    assert near < 0.7 * far
    assert not started.coefficients[1].any(), "joints start at the start pose"
    assert started.step == 0
    still = TargetLatent(torch.stack(problem.stills()), ((0, 0),))
    rested = method.init(replace(problem, target=still), initial_state(problem.parameters, 0))
    assert not any(c.any() for c in rested.coefficients) or method.objective(
        problem, still, rested.coefficients
    ).total < (method.objective(problem, still, zeros).total)


def test_coefficients_are_those_of_the_motion(human):
    _, problem, _ = problem_and_film(human, "walk")
    generator = torch.Generator().manual_seed(0)
    c = tuple(torch.randn(x.shape, generator=generator) for x in problem.parameters.zeros())
    found = problem.parameters.coefficients(problem.parameters.motion(c))
    moving = problem.parameters.scale.angles > 0
    assert torch.allclose(found[0], c[0], atol=2e-3)
    assert torch.allclose(found[1][:, moving], c[1][:, moving], atol=2e-3)
