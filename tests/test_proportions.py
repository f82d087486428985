"""Characters in other proportions: lengths scale as asked, the body stands on the ground, nothing tears."""

from __future__ import annotations

import numpy as np
import pytest
from creature_body import creature_body

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.make_motion import make_motion
from gambol.training.random_proportions import MAX_LOG_SCALE, Proportions, draw_proportions, with_proportions


@pytest.fixture(scope="module")
def fox():
    return creature_body("fox", np.random.default_rng(3), vertices=1500)


def sole_heights(character, anatomy):
    """Height of the lowest point of every foot."""
    owners = character.weights.dominant()
    feet = [bones_under(character.skeleton, leg.contact) for leg in anatomy.legs]
    return [float(character.mesh.vertices[np.isin(owners, foot), 1].min()) for foot in feet]


def test_factors_of_one_change_nothing(fox):
    character, anatomy = fox
    same = with_proportions(character, anatomy, Proportions(dict.fromkeys(BodyPart, 1.0)))
    down = character.mesh.vertices[:, 1].min()
    np.testing.assert_allclose(same.mesh.vertices[:, 1], character.mesh.vertices[:, 1] - down, atol=1e-6)
    np.testing.assert_allclose(same.skeleton.heads[:, [0, 2]], character.skeleton.heads[:, [0, 2]], atol=1e-9)


def test_one_factor_for_all_parts_is_a_scaling(fox):
    character, anatomy = fox
    double = with_proportions(character, anatomy, Proportions(dict.fromkeys(BodyPart, 2.0), foot=1.0))
    root = character.skeleton.heads[0]
    shift = double.skeleton.heads[0] - root
    np.testing.assert_allclose(double.skeleton.heads - root - shift, 2.0 * (character.skeleton.heads - root), atol=1e-9)
    np.testing.assert_allclose(double.mesh.vertices - root - shift, 2.0 * (character.mesh.vertices - root), atol=1e-5)
    assert abs(double.mesh.vertices[:, 1].min()) < 1e-3 * double.size


def test_each_part_gets_its_own_length(fox):
    character, anatomy = fox
    factors = {BodyPart.LEG: 0.6, BodyPart.HEAD: 1.8}
    changed = with_proportions(character, anatomy, Proportions(factors))
    lengths = [np.linalg.norm(c.skeleton.tails - c.skeleton.heads, axis=1) for c in (character, changed)]
    wanted = np.array([factors.get(part, 1.0) for part in anatomy.parts])
    legs = np.array([part == BodyPart.LEG for part in anatomy.parts])
    np.testing.assert_allclose(lengths[1][~legs], (wanted * lengths[0])[~legs], atol=1e-9)
    np.testing.assert_allclose(lengths[1][legs], (wanted * lengths[0])[legs], rtol=0.15)  # fitted to one ground
    assert max(abs(height) for height in sole_heights(changed, anatomy)) < 1e-3 * changed.size
    np.testing.assert_allclose(
        changed.skeleton.T_world_rest[:, :3, :3], character.skeleton.T_world_rest[:, :3, :3], atol=1e-12
    )


def test_drawn_bodies_walk_on_the_ground(fox):
    character, anatomy = fox
    changed = with_proportions(character, anatomy, draw_proportions(np.random.default_rng(8)))
    clip = make_motion(changed, anatomy, "walk")
    assert np.isfinite(clip.angles).all()
    assert np.ptp(clip.root[:, 0]) > 0.5 * changed.size


def test_girth_is_across_the_bones_and_feet_grow_on_their_own(fox):
    character, anatomy = fox
    thin = with_proportions(character, anatomy, Proportions({BodyPart.LEG: 1.6}, {BodyPart.LEG: 0.5}))
    owners = character.weights.dominant()
    fore = character.skeleton.names.index("Forearm.L")

    def extent(body):
        bone = body.mesh.vertices[owners == fore] - body.skeleton.heads[fore]
        axis = body.skeleton.tails[fore] - body.skeleton.heads[fore]
        axis = axis / np.linalg.norm(axis)
        return np.linalg.norm(bone - np.outer(bone @ axis, axis), axis=1).mean()

    assert extent(thin) < 0.7 * extent(character)
    large = with_proportions(character, anatomy, Proportions(foot=2.0))
    paw = np.isin(owners, bones_under(character.skeleton, character.skeleton.names.index("Foot.L")))
    spans = [np.ptp(body.mesh.vertices[paw, 0]) for body in (character, large)]
    assert spans[1] > 1.5 * spans[0]
    assert max(abs(height) for height in sole_heights(large, anatomy)) < 1e-3 * large.size


@pytest.mark.parametrize("family", ["fox", "human", "ostrich", "lizard", "dragon", "wasp"])
def test_drawn_proportions_stand_on_all_feet_and_are_symmetric(family):
    creature = make_creature(family, np.random.default_rng(4), vertices=1500)
    character = creature.character()
    anatomy = creature.anatomy(character)
    generator = np.random.default_rng(1)
    names = character.skeleton.names
    mirror = [
        names.index(n[:-1] + {"L": "R", "R": "L"}[n[-1]]) if n[-2:] in (".L", ".R") else i for i, n in enumerate(names)
    ]
    for _ in range(8):
        changed = with_proportions(character, anatomy, draw_proportions(generator))
        heads = changed.skeleton.heads
        assert max(abs(height) for height in sole_heights(changed, anatomy)) < 0.005 * changed.size
        assert changed.mesh.vertices[:, 1].min() > -0.012 * changed.size, "nothing is deep below the feet"
        np.testing.assert_allclose(heads[mirror] * [1, 1, -1], heads, atol=0.003 * changed.size)


def test_draws_reach_far_and_some_stay_moderate():
    draws = [draw_proportions(np.random.default_rng(seed)) for seed in range(300)]
    moderate = [all(abs(np.log(f)) <= MAX_LOG_SCALE + 1e-9 for f in d.lengths.values()) and d.foot == 1 for d in draws]
    assert 0.35 < np.mean(moderate) < 0.6
    for part, low, high in ((BodyPart.HEAD, 0.6, 2.4), (BodyPart.NECK, 0.2, 2.5), (BodyPart.LEG, 0.5, 1.9)):
        lengths = [d.lengths[part] for d in draws]
        assert min(lengths) < low
        assert max(lengths) > high
    assert min(d.girths.get(BodyPart.LEG, 1.0) for d in draws) < 0.55
    assert max(d.foot for d in draws) > 2.0
