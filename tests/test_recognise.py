"""The judge names the motions of creatures made by code, whatever their size, place and side; and stillness is idle."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion, motions_for
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.evaluate.observation import observe_clip, trunk_headings
from gambol.evaluate.recognise import recognise
from gambol.evaluate.traits import split_clip, traits_of
from gambol.motion.clip import Clip, rest_clip
from gambol.motion.motion_names import MOTIONS, canonical_motion

CORE = ("idle", "walk", "run", "gallop", "jump", "turn left", "turn right", "slither", "swim")
BODIES = {words: None for words in ("fox", "human", "ostrich", "snake", "songbird", "fish", "eel", "shark")}


def body(words: str):
    """A creature and its anatomy, made once."""
    if BODIES[words] is None:
        character = make_creature(words, seed=77, vertices=1200).character()
        BODIES[words] = character, find_anatomy(character)
    return BODIES[words]


@pytest.mark.parametrize("words", BODIES)
def test_core_motions_of_creatures_are_named(words: str) -> None:
    character, anatomy = body(words)
    for motion in motions_for(anatomy):
        if motion in CORE:
            said = recognise(observe_clip(character, anatomy, make_motion(character, anatomy, motion)))
            assert said.motion == canonical_motion(motion), motion
            assert set(said.scores) == set(MOTIONS)
            assert all(0.0 <= score <= 1.0 for score in said.scores.values())
            assert 0.0 <= said.confidence <= 1.0


@pytest.mark.parametrize("words", BODIES)
def test_standing_in_the_rest_pose_is_idle(words: str) -> None:
    character, anatomy = body(words)
    clip = rest_clip(character.require_skeleton(), 40, 30.0)
    assert recognise(observe_clip(character, anatomy, clip)).motion == "idle"


def test_sliding_along_in_the_rest_pose_is_no_gait() -> None:
    """The start of a distillation, rest pose and straight drift, must not pass for a walk or a run."""
    for words in ("fox", "human", "ostrich", "songbird", "fish"):
        character, anatomy = body(words)
        clip = rest_clip(character.require_skeleton(), 40, 30.0)
        root = clip.root.copy()
        root[:, 0] = np.linspace(0.0, 2.0 * character.size, len(root))
        scores = recognise(observe_clip(character, anatomy, replace(clip, root=root))).scores
        assert max(scores[m] for m in ("walk", "run", "trot", "jump", "turn left", "turn right", "swim")) < 0.1


@pytest.mark.parametrize("words", ["fish", "dolphin", "whale"])
def test_swimming_is_a_wave_that_travels_backwards(words: str) -> None:
    """Sideways or up and down, also in place; not one that runs forwards, a standing one, a small one or a snake's."""
    creature = make_creature(words, seed=5, vertices=1200)
    character = creature.character()
    anatomy = creature.anatomy(character)
    swim = make_motion(character, anatomy, "swim")
    in_place = replace(swim, root=swim.root * [0.0, 1.0, 0.0, 1.0, 1.0, 1.0])
    for clip in (swim, in_place):
        assert recognise(observe_clip(character, anatomy, clip)).scores["swim"] > 0.8
    backwards = replace(swim, angles=swim.angles[::-1].copy(), root=swim.root[::-1].copy())
    backwards.root[:, 0] = swim.root[:, 0]
    bent = np.sin(np.linspace(0.0, 4.0 * np.pi, len(swim)))[:, None, None] * swim.angles[:1]
    small = replace(swim, angles=0.05 * swim.angles, root=swim.root * [1.0, 0.0, 0.0, 0.05, 0.05, 0.05])
    standing = replace(swim, angles=bent, root=swim.root * [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for clip in (backwards, standing, small):
        assert recognise(observe_clip(character, anatomy, clip)).scores["swim"] < 0.2
    for motion in ("jump", "bite", "idle", "turn left"):
        said = recognise(observe_clip(character, anatomy, make_motion(character, anatomy, motion)))
        assert said.motion == motion


def test_a_snake_never_swims_and_a_fish_never_slithers() -> None:
    for words, motion, other in (("snake", "slither", "swim"), ("eel", "swim", "slither")):
        character, anatomy = body(words)
        said = recognise(observe_clip(character, anatomy, make_motion(character, anatomy, motion)))
        assert said.motion == motion
        assert said.scores[other] == 0.0


@pytest.mark.parametrize("words", ["fox", "human", "ostrich"])
def test_shuffled_frames_and_random_poses_are_no_gait(words: str) -> None:
    """They have the amplitudes of a gait, even the contacts; but no rhythm."""
    character, anatomy = body(words)
    walk, generator = make_motion(character, anatomy, "walk"), np.random.default_rng(0)
    order = generator.permutation(len(walk))
    shuffled = replace(walk, angles=walk.angles[order])
    noise = replace(walk, angles=generator.normal(0.0, 0.3, walk.angles.shape))
    for broken in (shuffled, noise):
        scores = recognise(observe_clip(character, anatomy, broken)).scores
        assert max(scores[m] for m in ("walk", "trot", "run", "sneak", "march", "limp")) < 0.01


def test_place_heading_and_tempo_of_sampling_do_not_matter() -> None:
    character, anatomy = body("fox")
    walk = make_motion(character, anatomy, "walk", fps=60.0)
    said = recognise(observe_clip(character, anatomy, walk))
    slower = Clip("walk", 30.0, walk.root[::2], walk.angles[::2])
    moved = walk.root.copy()
    moved[:, 0], moved[:, 2] = walk.root[:, 2] + 7.0, -walk.root[:, 0] - 3.0
    moved[:, 3] += np.pi / 2  # a quarter turn to the left takes +x to -z
    turned = replace(walk, root=moved)
    for other in (slower, turned):
        again = recognise(observe_clip(character, anatomy, other))
        assert again.motion == said.motion == "walk"
        assert again.confidence == pytest.approx(said.confidence, abs=0.05)


@pytest.mark.parametrize("phase", [0.0, 0.25, 0.5, 0.75])
def test_a_body_that_winds_goes_straight_and_turns_as_its_trunk_does(phase: float) -> None:
    """A lizard's pelvis swings by half a radian in a walk; whatever part of the cycle is seen, that is no turn."""
    character = make_creature("lizard", 0, vertices=1500).character()
    anatomy = find_anatomy(character)
    style = MotionStyle(phase=phase)
    turned = {}
    for motion in ("walk", "turn left"):
        clip = make_motion(character, anatomy, motion, style, seconds=0.36, fps=60.0)
        seen = observe_clip(character, anatomy, clip)
        turned[motion] = seen.heading[-1] - seen.heading[0]
        assert np.ptp(trunk_headings(seen.displaced[:, :1, :3, :3])) > 0.3  # the pelvis
    assert abs(turned["walk"]) < 0.06
    assert turned["turn left"] > 0.15


def test_sprawling_legs_march_higher_than_upright_ones() -> None:
    """Feet that stand beside the body are lifted by a quarter of the leg in a walk, which would be a march of a dog."""
    for seed in range(2):
        character = make_creature("crocodile", seed, vertices=1500).character()
        anatomy = find_anatomy(character)
        walk, march = (make_motion(character, anatomy, m, seconds=2.0) for m in ("walk", "march"))
        assert recognise(observe_clip(character, anatomy, walk)).motion == "walk"
        assert recognise(observe_clip(character, anatomy, march)).scores["walk"] < 0.1


def test_long_clips_are_judged_in_pieces_that_cover_them() -> None:
    character, anatomy = body("human")
    seen = observe_clip(character, anatomy, make_motion(character, anatomy, "walk", seconds=9.0))
    pieces = split_clip(seen, 2.0)
    assert len(pieces) > 4
    assert all(len(piece) == 60 for piece in pieces)
    np.testing.assert_array_equal(pieces[0].joints, seen.joints[:60])
    np.testing.assert_array_equal(pieces[-1].joints, seen.joints[-60:])
    assert recognise(seen).motion == "walk"


def test_traits_have_no_scale() -> None:
    """Ten times the size at the same tempo: the same traits."""
    character, anatomy = body("human")
    run = make_motion(character, anatomy, "run")
    seen = observe_clip(character, anatomy, run)
    large = replace(
        seen,
        size=10.0 * seen.size,
        leg=10.0 * seen.leg,
        joints=10.0 * seen.joints,
        tips=10.0 * seen.tips,
        rest_joints=10.0 * seen.rest_joints,
        rest_tips=10.0 * seen.rest_tips,
        feet=tuple(replace(foot, points=10.0 * foot.points) for foot in seen.feet),
        surface=10.0 * seen.surface,
    )
    for name, value in vars(traits_of(seen)).items():
        assert vars(traits_of(large))[name] == pytest.approx(value, abs=1e-9), name


def swinging(seen, *, lift: float = 0.1, bob: float = 0.0, sway: float = 0.0, seconds: float = 2.0):
    """A person that steps with the feet at x = -+ 0.4 sin(2 pi t) leg lengths; the body goes up by `bob` cos(4 pi t).

    With `sway` the feet stay and the body goes to and fro over them.
    """
    t = np.linspace(0.0, seconds, round(30 * seconds) + 1)
    joints = np.repeat(seen.rest_joints[None], len(t), axis=0)
    joints[:, :, 0] += sway * seen.leg * np.sin(2 * np.pi * t)[:, None]
    joints[:, 0, 1] += bob * seen.leg * np.cos(4 * np.pi * t)
    feet = []
    for foot, side in zip(seen.feet, (1.0, -1.0), strict=True):
        points = np.repeat(foot.points[:1], len(t), axis=0)
        wave = side * 2 * np.pi * t
        points[..., 0] += (0.4 * (sway == 0.0) * seen.leg * np.sin(wave))[:, None]
        points[..., 1] += ((sway == 0.0) * lift * seen.leg * np.maximum(np.cos(wave) * side, 0.0))[:, None]
        feet.append(replace(foot, points=points))
    tips = joints + (seen.rest_tips - seen.rest_joints)
    return replace(seen, fps=30.0, joints=joints, tips=tips, feet=tuple(feet), heading=np.zeros(len(t)), loop=True)


def person():
    character, anatomy = body("human")
    return observe_clip(character, anatomy, rest_clip(character.require_skeleton(), 4, 30.0))


@pytest.mark.parametrize("bob", [0.05, -0.03, 0.0])
def test_a_body_that_is_high_where_the_feet_pass_vaults(bob: float) -> None:
    """The feet are 0.8 |sin(2 pi t)| apart, with -cos(4 pi t) in it: a body that goes as cos(4 pi t) is against it."""
    traits = traits_of(swinging(person(), bob=bob))
    assert traits.stride_hz == pytest.approx(1.0)
    assert traits.vault == pytest.approx(-bob, abs=0.002)


def test_made_walks_vault_and_made_runs_bounce() -> None:
    for words in ("human", "ostrich"):
        character, anatomy = body(words)
        walk, run = (
            traits_of(observe_clip(character, anatomy, make_motion(character, anatomy, motion)))
            for motion in ("walk", "run")
        )
        assert walk.vault < 0.0 < run.vault


def test_swaying_over_feet_that_stay_is_no_gait() -> None:
    swaying = swinging(person(), sway=0.4)
    traits = traits_of(swaying)
    assert traits.swing > 0.6
    assert traits.step == 0.0
    assert max(recognise(swaying).scores[m] for m in ("walk", "run", "limp", "sneak", "march")) < 0.01
    assert traits_of(swinging(person())).step == pytest.approx(0.8, abs=0.02)


def test_a_limp_is_uneven_in_way_or_in_time() -> None:
    character, anatomy = body("human")
    walk, limp = (
        traits_of(observe_clip(character, anatomy, make_motion(character, anatomy, motion)))
        for motion in ("walk", "limp")
    )
    assert walk.uneven < 0.05
    assert limp.uneven > 0.2


def test_a_gait_slower_than_the_pieces_is_still_a_gait() -> None:
    """One stride in five seconds: a piece of two seconds would see half a step."""
    character, anatomy = body("human")
    walk = make_motion(character, anatomy, "walk", seconds=3.0, fps=50.0)
    hz = traits_of(observe_clip(character, anatomy, walk)).stride_hz
    slow = replace(walk, fps=50.0 * 0.2 / hz)
    assert recognise(observe_clip(character, anatomy, slow)).motion == "walk"
