"""Postures: sit, stand up, lie, get up, stretch, be hit and fall, on very different bodies."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.evaluate.definitions.postures import POSTURE_DEFINITIONS, posture_change
from gambol.evaluate.observation import Observation, observe_clip

FAMILIES = ("human", "dog", "horse", "chicken", "trex", "crocodile", "spider", "frog", "centaur", "elephant")
SITTING = ("dog", "cat", "horse", "bear")
FRAMES = 49


@cache
def body_of(family: str) -> tuple[MovingBody, Character, Anatomy]:
    creature = make_creature(family, 3, vertices=600)
    character = creature.character()
    anatomy = creature.anatomy(character)
    return measure_body(character, anatomy), character, anatomy


@cache
def observed(family: str, motion: str, style: MotionStyle | None = None) -> Observation:
    body, character, anatomy = body_of(family)
    seconds = 3.0 * float(np.sqrt(body.leg_length / 0.9))
    clip = move_body(body, motion, style or MotionStyle(), seconds=seconds, fps=48 / seconds, loop=False)
    assert len(clip) == FRAMES
    return observe_clip(character, anatomy, clip)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_body_with_legs_does_all_postures(family: str) -> None:
    _, _, anatomy = body_of(family)
    assert set(POSTURE_DEFINITIONS) <= set(motions_for(anatomy))


@pytest.mark.parametrize("motion", POSTURE_DEFINITIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_a_posture_shows_itself_and_stays_above_the_ground(family: str, motion: str) -> None:
    seen = observed(family, motion)
    scores = {name: score(seen) for name, score in POSTURE_DEFINITIONS.items()}
    assert [name for name, score in scores.items() if score >= 0.5] == [motion]
    assert seen.low.min() > -0.02 * seen.size


@pytest.mark.parametrize("motion", ["idle", "walk", "jump"])
@pytest.mark.parametrize("family", FAMILIES)
def test_other_motions_show_no_posture(family: str, motion: str) -> None:
    seen = observed(family, motion)
    assert max(score(seen) for score in POSTURE_DEFINITIONS.values()) < 0.5


@pytest.mark.parametrize("family", SITTING)
def test_a_sitting_animal_sits_on_its_haunches(family: str) -> None:
    seen = observed(family, "sit down")
    change = posture_change(seen)
    assert 0.4 < change.end.tilt < 1.1
    assert abs(change.end.front_drop) < 0.12
    assert change.end.belly < 0.15
    hips = [foot.limb.bones[0] for foot in seen.feet]
    for foot, hip in zip(seen.feet, hips, strict=True):
        height = (seen.joints[-1, hip, 1] - foot.low[-1]) / seen.leg
        if foot.limb.pair == 0:
            moved = np.ptp(foot.points.mean(1), axis=0).max() / seen.leg
            assert height > 0.6
            assert moved < 0.045
        else:
            assert height < 0.55
            assert foot.points[-1, :, 0].mean() > seen.joints[-1, hip, 0]
    trunk = seen.joints[-1, hips[0], 1] - seen.joints[-1, 0, 1]
    assert trunk > 0.3 * seen.leg


@pytest.mark.parametrize("family", SITTING)
def test_a_sitting_animal_keeps_its_head_level(family: str) -> None:
    seen = observed(family, "sit down", MotionStyle(wander=0.0))
    head = seen.anatomy.of(BodyPart.HEAD)[0].bones[0]
    assert abs(np.arctan2(seen.displaced[-1, head, 1, 0], seen.displaced[-1, head, 0, 0])) < 0.25


def test_a_person_sits_at_knee_height_with_flat_feet() -> None:
    seen = observed("human", "sit down")
    leg = seen.feet[0].limb.bones
    assert abs(seen.joints[-1, leg[0], 1] - seen.joints[-1, leg[1], 1]) < 0.12 * seen.leg
    for foot in seen.feet:
        assert np.ptp(foot.points.mean(1), axis=0).max() < 0.02 * seen.leg
    assert posture_change(seen).end.tilt < 0.25


@pytest.mark.parametrize("family", ["dog", "horse", "chicken"])
def test_getting_up_starts_where_lying_down_ends(family: str) -> None:
    down, up = observed(family, "lie down"), observed(family, "get up")
    away = down.joints[-1] - up.joints[0]
    assert np.linalg.norm(away, axis=1).max() < 0.15 * down.leg


@pytest.mark.parametrize("family", ["human", "dog"])
def test_a_mirrored_fall_goes_to_the_other_side(family: str) -> None:
    plain = observed(family, "fall down", MotionStyle(wander=0.0))
    mirrored = observed(family, "fall down", MotionStyle(wander=0.0, mirrored=True))
    np.testing.assert_allclose(plain.joints[:, 0] * [1, 1, -1], mirrored.joints[:, 0], atol=0.02 * plain.size)
    np.testing.assert_allclose(plain.heading, -mirrored.heading, atol=0.03)


@pytest.mark.parametrize("motion", POSTURE_DEFINITIONS)
@pytest.mark.parametrize(
    "changed",
    [MotionStyle(tempo=0.75), MotionStyle(exaggeration=1.6), MotionStyle(head=0.2)],
    ids=("tempo", "exaggeration", "head"),
)
def test_a_style_is_seen(motion: str, changed: MotionStyle) -> None:
    plain, other = observed("dog", motion), observed("dog", motion, changed)
    assert np.abs(plain.tips - other.tips).max() > 0.01 * plain.size


@pytest.mark.parametrize("motion", POSTURE_DEFINITIONS)
def test_joints_turn_without_jumps(motion: str) -> None:
    for family in ("human", "dog", "crocodile"):
        seen = observed(family, motion)
        steps = np.abs(np.diff(seen.angles, axis=0)).max()
        assert steps < 1.2, (family, steps)
