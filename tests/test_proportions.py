"""Characters in other proportions: lengths scale as asked, the body stands on the ground, nothing tears."""

from __future__ import annotations

import numpy as np
import pytest
from creature_body import creature_body

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.gaits.make_motion import make_motion
from gambol.training.random_proportions import draw_proportions, with_proportions


@pytest.fixture(scope="module")
def fox():
    return creature_body("fox", np.random.default_rng(3), vertices=1500)


def test_factors_of_one_change_nothing(fox):
    character, anatomy = fox
    same = with_proportions(character, anatomy, dict.fromkeys(BodyPart, 1.0))
    down = character.mesh.vertices[:, 1].min()
    np.testing.assert_allclose(same.mesh.vertices[:, 1], character.mesh.vertices[:, 1] - down, atol=1e-6)
    np.testing.assert_allclose(same.skeleton.heads[:, [0, 2]], character.skeleton.heads[:, [0, 2]], atol=1e-9)


def test_one_factor_for_all_parts_is_a_scaling(fox):
    character, anatomy = fox
    double = with_proportions(character, anatomy, dict.fromkeys(BodyPart, 2.0))
    root = character.skeleton.heads[0]
    shift = double.skeleton.heads[0] - root
    np.testing.assert_allclose(double.skeleton.heads - root - shift, 2.0 * (character.skeleton.heads - root), atol=1e-9)
    np.testing.assert_allclose(double.mesh.vertices - root - shift, 2.0 * (character.mesh.vertices - root), atol=1e-5)
    assert abs(double.mesh.vertices[:, 1].min()) < 1e-9


def test_each_part_gets_its_own_length(fox):
    character, anatomy = fox
    factors = {BodyPart.LEG: 0.6, BodyPart.HEAD: 1.8}
    changed = with_proportions(character, anatomy, factors)
    lengths = [np.linalg.norm(c.skeleton.tails - c.skeleton.heads, axis=1) for c in (character, changed)]
    wanted = np.array([factors.get(part, 1.0) for part in anatomy.parts])
    np.testing.assert_allclose(lengths[1], wanted * lengths[0], atol=1e-9)
    np.testing.assert_allclose(
        changed.skeleton.T_world_rest[:, :3, :3], character.skeleton.T_world_rest[:, :3, :3], atol=1e-12
    )


def test_drawn_bodies_walk_on_the_ground(fox):
    character, anatomy = fox
    changed = with_proportions(character, anatomy, draw_proportions(np.random.default_rng(8)))
    clip = make_motion(changed, anatomy, "walk")
    assert np.isfinite(clip.angles).all()
    assert np.ptp(clip.root[:, 0]) > 0.5 * changed.size
