"""Gestures and actions of the hands: made for different bodies, and told apart by their definitions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.arm_reach import arm_segments, guide_hand, hand_place, reach_hand, reach_length
from gambol.creatures.gaits.hand_acts import HAND_ACTS
from gambol.creatures.gaits.make_motion import motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.creatures.gaits.pose_builder import UP_AXIS, PoseBuilder
from gambol.evaluate.definitions.hand_acts import HAND_DEFINITIONS
from gambol.evaluate.definitions.hand_measures import chest_turn, find_hands, forward_pitch, hand_gap, rhythm
from gambol.evaluate.observation import Observation, observe_clip
from gambol.motion.clip import Clip

FRAMES = 48
NATURAL = MotionStyle()
PEOPLE = ("human", "toddler")
ARMED = (*PEOPLE, "centaur", "crab")
OF_PEOPLE = ("bow", "nod", "talk", "laugh", "salute", "dribble")
SYMMETRIC = ("clap", "bow", "nod", "catch", "push")
"""Motions of both hands alike."""


@dataclass(frozen=True)
class Made:
    clip: Clip
    seen: Observation


@cache
def body_of(family: str) -> tuple[MovingBody, object, object]:
    creature = make_creature(family, 3, vertices=400)
    character = creature.character()
    anatomy = creature.anatomy(character)
    return measure_body(character, anatomy), character, anatomy


@cache
def made(family: str, motion: str, style: MotionStyle = NATURAL) -> Made:
    body, character, anatomy = body_of(family)
    fps = 16.0 * float(np.sqrt(0.9 / body.leg_length))
    clip = move_body(body, motion, style, seconds=(FRAMES - 1) / fps, fps=fps, loop=False)
    return Made(clip, observe_clip(character, anatomy, clip))


CASES = [(family, motion) for family in ARMED for motion in HAND_ACTS if family in PEOPLE or motion not in OF_PEOPLE]


@pytest.mark.parametrize(("family", "motion"), CASES)
def test_motion_shows_its_definition_and_stands_on_the_ground(family: str, motion: str) -> None:
    clip, seen = made(family, motion).clip, made(family, motion).seen
    assert len(clip) == FRAMES
    assert np.isfinite(clip.angles).all()
    assert np.isfinite(seen.joints).all()
    assert seen.surface[..., 1].min() > -0.02 * seen.size
    assert HAND_DEFINITIONS[motion](seen) >= 0.5
    shown = [other for other, score in HAND_DEFINITIONS.items() if other != motion and score(seen) >= 0.5]
    assert not shown


@pytest.mark.parametrize("family", ARMED)
@pytest.mark.parametrize("motion", ["idle", "walk", "punch", "wave"])
def test_other_motions_show_no_gesture(family: str, motion: str) -> None:
    seen = made(family, motion).seen
    assert [name for name, score in HAND_DEFINITIONS.items() if score(seen) >= 0.5] == []


@pytest.mark.parametrize("motion", sorted(HAND_ACTS))
def test_mirrored_motion_is_the_mirror_image(motion: str) -> None:
    plain, mirrored = (find_hands(made("human", motion, MotionStyle(mirrored=m, wander=0.0)).seen) for m in (0, 1))
    if motion == "talk":  # each hand has strokes of its own
        assert np.abs(plain[0].place - mirrored[0].place).max() > 0.02
        return
    assert np.allclose(plain[0].place, mirrored[1].place, atol=1e-3)
    assert np.allclose(plain[1].place, mirrored[0].place, atol=1e-3)
    same = np.allclose(plain[0].place, mirrored[0].place, atol=1e-2)
    assert same == (motion in SYMMETRIC)


@pytest.mark.parametrize("motion", sorted(HAND_ACTS))
def test_styles_are_shown_and_differ(motion: str) -> None:
    generator = np.random.default_rng(8)
    styles = [draw_style(generator) for _ in range(3)]
    takes = [made("woman", motion, style).seen for style in styles]
    assert all(HAND_DEFINITIONS[motion](seen) >= 0.5 for seen in takes)
    assert all(np.abs(a.joints - b.joints).max() > 0.01 * a.size for k, a in enumerate(takes) for b in takes[k + 1 :])


@pytest.mark.parametrize("family", ["human", "toddler", "centaur"])
def test_a_punch_goes_straight_ahead_at_shoulder_height(family: str) -> None:
    seen = made(family, "punch").seen
    fist = max(find_hands(seen), key=lambda hand: float(hand.reach.max()))
    struck = fist.reach > 0.9
    assert struck.any()
    assert fist.place[struck, 0].min() > 0.85
    assert np.abs(fist.place[struck, 1]).max() < 0.25


@pytest.mark.parametrize("family", ["human", "toddler", "centaur"])
def test_a_wave_is_high_and_goes_from_side_to_side(family: str) -> None:
    hand = max(find_hands(made(family, "wave").seen), key=lambda hand: float(hand.place[:, 1].max()))
    high = hand.place[:, 1] > 0.4
    assert high.mean() > 0.4
    assert np.ptp(hand.place[high, 2]) > 0.3


def test_clapping_hands_meet_at_the_pace_of_the_body() -> None:
    seen = made("human", "clap").seen
    gap = hand_gap(find_hands(seen))
    assert gap.min() < 0.3 < gap.max()
    frequency, share = rhythm(gap, seen.fps)
    assert 1.2 < frequency < 2.2
    assert share > 0.7


def test_weight_leans_into_a_push_and_out_of_a_pull() -> None:
    push, pull = (made("human", name).seen for name in ("push", "pull"))
    assert forward_pitch(push, chest_turn(push)).max() > 0.25
    assert forward_pitch(pull, chest_turn(pull)).min() < -0.15


@pytest.mark.parametrize("family", ARMED)
def test_hand_reaches_a_target_in_reach(family: str) -> None:
    body = body_of(family)[0]
    generator = np.random.default_rng(1)
    builder = PoseBuilder(body.skeleton, 20)
    builder.turn(0, UP_AXIS, 0.5)
    for arm in body.arms:
        way = generator.normal(size=(20, 3))
        away = generator.uniform(0.5, 0.9, (20, 1)) * way / np.linalg.norm(way, axis=1, keepdims=True)
        target = hand_place(body, builder, arm, away)
        reach_hand(body, builder, arm, target, (-0.3, -1.0, 0.2), pronation=0.8)
        assert arm.fore is not None
        end = body.skeleton.heads[arm.fore] + arm_segments(body, arm)[1]
        assert np.abs(builder.point(arm.fore, end) - target).max() < 1e-6 * reach_length(body, arm)
        assert np.allclose(builder.rotations @ np.swapaxes(builder.rotations, -1, -2), np.eye(3), atol=1e-9)


def test_the_elbow_is_on_its_side_and_the_hand_points_with_the_fingers() -> None:
    body = body_of("human")[0]
    builder = PoseBuilder(body.skeleton, 1)
    for arm in body.arms:
        guide_hand(body, builder, arm, np.array([0.6, 0.0, 0.0]), (0.0, -1.0, 0.0), fingers=(0.0, 1.0, 0.0))
        assert arm.fore is not None
        assert arm.hand is not None
        _, p = builder.displacements()
        assert p[0, arm.fore, 1] < min(p[0, arm.upper, 1], p[0, arm.hand, 1])
        tip = builder.point(arm.hand, body.skeleton.tails[arm.hand])[0]
        assert np.allclose((tip - p[0, arm.hand])[[0, 2]], 0.0, atol=1e-6)
        middle = 0.5 * (tip + p[0, arm.hand])
        assert np.allclose(middle, hand_place(body, builder, arm, np.array([0.6, 0.0, 0.0]))[0], atol=1e-6)


def test_motions_are_for_their_bodies_only() -> None:
    for family in ARMED:
        known = set(motions_for(body_of(family)[2]))  # type: ignore[arg-type]
        assert {m for m in HAND_ACTS if m in known} == {m for f, m in CASES if f == family}
