"""How a motion is finished: in the time of the body's size, with what hands hold out of the ground."""

from dataclasses import replace

import numpy as np
import pytest
from real_data import DATA, needs_data
from scipy.spatial.transform import Rotation

from gambol.character.anatomy_tags import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits import make_motion
from gambol.distill.body import make_body
from gambol.distill.finish import over_ground
from gambol.distill.held_things import DEEP, least_turn, lift_held_things
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.soundness import penetration
from gambol.files.asset import export_scene, load
from gambol.motion.clip import rest_clip


def test_a_body_a_quarter_as_large_is_finished_in_the_same_way_at_twice_the_pace(tmp_path):
    creature = make_creature("fox", 3, vertices=500)
    path = export_scene(creature.scene, (), tmp_path / "fox.glb")
    large, small = load(path, scale=1.0).character, load(path, scale=0.25).character
    assert small.size == pytest.approx(large.size / 4)
    bodies = [make_body(character, find_anatomy(character)) for character in (large, small)]
    assert bodies[1].fps == pytest.approx(2.0 * bodies[0].fps)
    walk = make_motion(large, bodies[0].anatomy, "walk", seconds=1.0)
    noise = np.random.default_rng(0).normal(scale=0.03, size=walk.angles.shape)
    walk = replace(walk, angles=walk.angles + noise)
    tiny = replace(walk, fps=2.0 * walk.fps, root=walk.root * np.repeat([0.25, 1.0], 3))
    for foot_lock in (False, True):
        slow, fast = (over_ground(b, c, foot_lock=foot_lock) for b, c in zip(bodies, (walk, tiny), strict=True))
        assert fast.fps == tiny.fps
        np.testing.assert_allclose(fast.angles, slow.angles, atol=1e-4)
        np.testing.assert_allclose(4.0 * fast.root[:, :3], slow.root[:, :3], atol=1e-3 * large.size)


def test_a_stick_is_turned_by_the_least_angle_that_keeps_its_end_out_of_the_ground():
    """A stick of 1 m hangs from a hand at 0.5 m: cos(turn) = 0.5. In a hand at 1.2 m it stays as it is."""
    stick = np.linspace(0.0, 1.0, 5)[:, None] * np.array([[0.0, -1.0, 0.0]])
    hands = np.tile(np.eye(4), (3, 1, 1))
    hands[:, 1, 3] = [0.8, 0.5, 1.0]
    turn = Rotation.from_matrix(least_turn(stick, hands, 1e-6))
    assert np.degrees(turn.magnitude()) == pytest.approx(60.0)
    hands[:, 1, 3] = 1.2
    assert (least_turn(stick, hands, 1e-6) == np.eye(3)).all()
    hands[:, 1, 3] = -0.3  # a hand in the ground: no turn helps more than a level one
    assert np.degrees(Rotation.from_matrix(least_turn(stick, hands, 1e-6)).magnitude()) == pytest.approx(90.0, abs=5.1)


@needs_data
@pytest.mark.parametrize("name", ["Knight", "Rogue"])
def test_what_hands_hold_leaves_the_ground_and_nothing_else_moves(name):
    character = load(DATA / "characters" / "kaykit" / f"{name}.glb").character
    body = make_body(character, find_anatomy(character))
    clip = rest_clip(character.posable(), 4, 30.0)
    clip = replace(clip, angles=clip.angles + body.first_angles.double().numpy())
    moved = lift_held_things(body, clip)
    before, after = (penetration(observe_clip(character, body.anatomy, c))[0] for c in (clip, moved))
    assert before > 0.05
    assert after <= 1.01 * DEEP
    changed = np.flatnonzero(np.abs(moved.angles - clip.angles).max((0, 2)) > 1e-9) + 1
    assert {character.posable().names[bone] for bone in changed} <= {"hand.l", "hand.r"}
    assert (lift_held_things(body, moved).angles == moved.angles).all()
