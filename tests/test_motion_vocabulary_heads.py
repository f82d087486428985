"""Actions of head and trunk, of wings, fins and legless bodies: valid, clear by their definitions, mirrored."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.head_and_trunk_acts import HEAD_AND_TRUNK_ACTS
from gambol.creatures.gaits.make_motion import motions_for, move_body
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.creatures.gaits.slither import coil_turns, spiral_angle
from gambol.creatures.gaits.wing_fin_trunk_acts import FINNED_ACTS, LEGLESS_ACTS, WING_ACTS
from gambol.evaluate.motion_definitions import MOTION_DEFINITIONS, shows_motion
from gambol.evaluate.observation import Observation, observe_clip
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.kinematics import pose_clip

FRAMES = 48
LEGGED = ("human", "fox", "trex", "crocodile", "spider", "centipede", "centaur", "frog")
LEGGED_CASES = [(noun, motion) for noun in LEGGED for motion in HEAD_AND_TRUNK_ACTS]
OTHER_CASES = [
    *((noun, motion) for noun in ("songbird", "dragon", "wasp") for motion in WING_ACTS),
    *((noun, motion) for noun in ("shark", "dolphin") for motion in FINNED_ACTS),
    *(("snake", motion) for motion in LEGLESS_ACTS),
]


@cache
def body_of(noun: str) -> tuple[Character, Anatomy, MovingBody]:
    creature = make_creature(noun, 3, vertices=1500)
    character = creature.character()
    anatomy = creature.anatomy(character)
    return character, anatomy, measure_body(character, anatomy)


def film(noun: str, motion: str, style: MotionStyle | None = None) -> Clip:
    character, anatomy, body = body_of(noun)
    fps = natural_frame_rate(typical_leg_length(character, anatomy))
    return move_body(body, motion, style or MotionStyle(), seconds=(FRAMES - 1) / fps, fps=fps, loop=False)


@cache
def seen(noun: str, motion: str) -> Observation:
    character, anatomy, _ = body_of(noun)
    return observe_clip(character, anatomy, film(noun, motion))


def joints(noun: str, clip: Clip) -> np.ndarray:
    return pose_clip(body_of(noun)[0].require_skeleton(), clip)[:, :, :3, 3]


@pytest.mark.parametrize(("noun", "motion"), [*LEGGED_CASES, *OTHER_CASES])
def test_is_valid_and_shows_itself(noun: str, motion: str) -> None:
    assert motion in motions_for(body_of(noun)[1])
    found = seen(noun, motion)
    assert len(found) == FRAMES
    assert np.isfinite(found.surface).all()
    assert found.low.min() > -0.02 * found.size
    assert shows_motion(found, motion) >= 0.5


@pytest.mark.parametrize(
    ("noun", "motion"), [*LEGGED_CASES, *((noun, m) for noun, m in OTHER_CASES if m not in ("breach", "strike"))]
)
def test_steady_motions_do_not_show_it(noun: str, motion: str) -> None:
    others = ("idle", "walk") if body_of(noun)[2].legs else ("idle", "slither")
    assert max(shows_motion(seen(noun, other), motion) for other in others) < 0.5


@pytest.mark.parametrize(("noun", "motion"), [("fox", "walk"), ("snake", "slither"), ("shark", "swim")])
def test_every_definition_has_a_score_for_every_body(noun: str, motion: str) -> None:
    """A body without arms, legs or wings shows what needs them not at all."""
    scores = {name: score(seen(noun, motion)) for name, score in MOTION_DEFINITIONS.items()}
    assert all(0.0 <= score < 0.5 for score in scores.values()), scores


@pytest.mark.parametrize("noun", ["human", "fox"])
def test_actions_of_one_body_are_told_apart(noun: str) -> None:
    names = list(HEAD_AND_TRUNK_ACTS)
    scores = np.array([[shows_motion(seen(noun, shown), asked) for asked in names] for shown in names])
    assert (scores.argmax(1) == np.arange(len(names))).all()
    assert (scores[~np.eye(len(names), dtype=bool)] < 0.5).all()


@pytest.mark.parametrize("motion", ["slither", "idle", "bite", *LEGLESS_ACTS])
def test_mirrored_snake_is_the_mirror_image(motion: str) -> None:
    style = MotionStyle(phase=0.3, stride=1.1, exaggeration=1.2, wander=0.8, seed=4)
    here = joints("snake", film("snake", motion, style))
    there = joints("snake", film("snake", motion, MotionStyle(**{**vars(style), "mirrored": True, "seed": 9})))
    assert np.abs(np.diff(here[..., 2], axis=0)).max() > 1e-3
    np.testing.assert_allclose(there, here * [1.0, 1.0, -1.0], atol=1e-6)


def test_mirrored_turn_of_a_snake_is_the_other_turn() -> None:
    left = joints("snake", film("snake", "turn left", MotionStyle(phase=0.3)))
    right = joints("snake", film("snake", "turn right", MotionStyle(phase=0.3, mirrored=True)))
    np.testing.assert_allclose(right, left * [1.0, 1.0, -1.0], atol=1e-6)


@pytest.mark.parametrize("motion", ["slither", "turn left", "idle"])
def test_a_whole_cycle_later_a_snake_does_the_same(motion: str) -> None:
    """Phases 0 and 1 are one phase."""
    first, last = (joints("snake", film("snake", motion, MotionStyle(phase=phase))) for phase in (0.0, 1.0))
    np.testing.assert_allclose(last, first, atol=2e-3)


def test_mirrored_look_begins_on_the_other_side() -> None:
    head = body_of("human")[2].head
    assert head is not None
    yaws = []
    for mirrored in (False, True):
        clip = film("human", "look around", MotionStyle(mirrored=mirrored))
        ahead = pose_clip(body_of("human")[0].require_skeleton(), clip)[:, head, :3, :3]
        turned = ahead @ ahead[0].T
        yaws.append(np.arctan2(-turned[:, 2, 0], turned[:, 0, 0]))
    np.testing.assert_allclose(yaws[0], -yaws[1], atol=1e-6)
    assert np.abs(yaws[0]).max() > 0.8


def test_coil_fits_into_its_turns() -> None:
    """A spiral of T turns turns by 2 pi T over the body's length, and its loops lie one gap apart."""
    length, gap = 2.0, 0.08
    turns = coil_turns(length, gap)
    u = np.linspace(0.0, length, 4001)
    angle = spiral_angle(u, length, turns, gap)
    assert angle[0] == 0.0
    assert angle[-1] == pytest.approx(2 * np.pi * turns)
    radius = np.diff(u) / np.diff(angle)
    assert radius[-1] - radius[0] == pytest.approx(turns * gap, rel=1e-2)
    assert coil_turns(0.3, 0.1) < turns


@pytest.mark.parametrize("motion", list(WING_ACTS))
def test_flying_height(motion: str) -> None:
    """A take-off rises and a landing descends by about one size; a glide stays in the air."""
    found = seen("songbird", motion)
    change = float(found.centre[-1, 1] - found.centre[0, 1]) / found.size
    expected = {"take off": 1.0, "land": -1.0, "glide": 0.0}[motion]
    assert change == pytest.approx(expected, abs=0.25)
    assert (found.low > 0.02 * found.size).all() == (motion == "glide")
