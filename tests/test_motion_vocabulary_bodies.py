"""Actions of the whole body: cartwheel, roll, climb, squat, throw, swings, lifts; and full turns through resampling."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.gaits.athletic_acts import ATHLETIC_ACTS
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.make_motion import motions_for, move_body, pose_motion
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import measure_body
from gambol.distill.post_processing import resample
from gambol.evaluate.definitions.athletic_acts import ATHLETIC_DEFINITIONS, turned_over
from gambol.evaluate.observation import observe_clip
from gambol.motion.clip import Clip, clip_from_matrices, joint_matrices
from gambol.motion.close_cycle import repeat_loop
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.folding_limb_ik import turn
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import rotation_angle
from tests.creature_body import creature_body

FAMILIES = ("human", "toddler", "centaur", "crab")
OTHER_MOTIONS = ("idle", "walk", "run", "jump", "dance", "punch", "wave", "kick")
FRAMES = 48


@cache
def known(family: str):
    character, anatomy = creature_body(family, 3)
    return character, anatomy, measure_body(character, anatomy)


def film(family: str, motion: str, style: MotionStyle = MotionStyle()):  # noqa: B008
    """A motion as training sees it: 48 frames at the natural frame rate."""
    character, anatomy, body = known(family)
    fps = natural_frame_rate(body.leg_length)
    clip = move_body(body, motion, style, seconds=(FRAMES - 1) / fps, fps=fps, loop=False)
    return clip, observe_clip(character, anatomy, clip)


def acts_of(family: str) -> list[str]:
    return [motion for motion in motions_for(known(family)[1]) if motion in ATHLETIC_ACTS]


def test_people_do_all_acts_and_other_bodies_with_arms_those_of_the_arms():
    assert set(acts_of("human")) == set(ATHLETIC_ACTS) == set(ATHLETIC_DEFINITIONS)
    assert set(acts_of("centaur")) == set(acts_of("crab")) == {"throw", "swing sword", "box"}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_act_shows_itself_and_no_other_and_stays_above_the_ground(family):
    generator = np.random.default_rng(3)
    for motion in acts_of(family):
        for style in (MotionStyle(), draw_style(generator, spread=0.75)):
            clip, seen = film(family, motion, style)
            assert len(clip) == FRAMES
            assert np.isfinite(clip.angles).all()
            assert np.isfinite(clip.root).all()
            assert seen.low.min() > -0.02 * seen.size, motion
            shown = {name for name, score in ATHLETIC_DEFINITIONS.items() if score(seen) >= 0.5}
            assert shown == {motion}


@pytest.mark.parametrize("family", FAMILIES)
def test_other_motions_are_no_athletic_acts(family):
    for motion in set(OTHER_MOTIONS) & set(motions_for(known(family)[1])):
        _, seen = film(family, motion)
        assert {name for name, score in ATHLETIC_DEFINITIONS.items() if score(seen) >= 0.5} == set(), motion


@pytest.mark.parametrize("motion", sorted(ATHLETIC_ACTS))
def test_a_mirrored_act_is_the_mirror_image(motion):
    _, _, body = known("human")
    pairs = {name: k for k, name in enumerate(body.skeleton.names)}
    swap = [pairs[n[:-2] + (".R" if n.endswith(".L") else ".L")] if n[-2:] in (".L", ".R") else pairs[n] for n in pairs]
    poses = []
    for mirrored in (False, True):
        times = FrameTimes(np.arange(24) / 12.0, False)
        poses.append(pose_motion(body, motion, MotionStyle(mirrored=mirrored), times).displacements()[1])
    assert np.abs(poses[0] - poses[1][:, swap] * [1.0, 1.0, -1.0]).max() < 0.01 * body.size


def test_a_cartwheel_turns_once_over_hands_that_stand_still_one_after_the_other():
    _, seen = film("human", "cartwheel")
    assert turned_over(seen)[0] == pytest.approx(2 * np.pi, abs=0.35)
    assert turned_over(seen)[2] < 0.05
    carries = []
    for limb in seen.anatomy.of(BodyPart.ARM):
        wrist = seen.joints[:, limb.bones[-1]]
        low = np.flatnonzero(wrist[:, 1] < 0.1 * seen.leg)
        assert len(low) >= 5
        assert np.ptp(wrist[low], axis=0).max() < 0.05 * seen.leg
        carries.append((low[0], low[-1], wrist[low, 2].mean()))
    (first, second) = sorted(carries)
    assert first[0] < second[0] <= first[1] < second[1]
    assert abs(second[2] - first[2]) > 0.3 * seen.leg
    upside_down = int(seen.displaced[:, 0, 1, 1].argmin())
    lowest_foot = np.minimum.reduce([foot.low for foot in seen.feet])
    assert lowest_foot[upside_down] > 0.9 * seen.leg
    feet_end = np.stack([foot.low[[0, -1]] for foot in seen.feet])
    assert feet_end.max() < 0.02 * seen.size


def test_a_roll_turns_once_ahead_and_goes_on_from_where_it_ended():
    _, seen = film("human", "roll")
    assert turned_over(seen)[2] == pytest.approx(2 * np.pi, abs=0.6)
    assert seen.joints[-1, 0, 0] - seen.joints[0, 0, 0] > seen.leg
    assert np.abs(np.diff(seen.joints[:, 0], axis=0)).max() < 0.35 * seen.leg


@pytest.mark.parametrize("motion", ["cartwheel", "roll", "swing golf club"])
def test_the_clip_poses_as_the_builder_does(motion):
    _, _, body = known("human")
    times = FrameTimes(np.arange(60) / 20.0, False)
    builder = pose_motion(body, motion, MotionStyle(), times)
    D, places = builder.displacements()
    T = pose_clip(body.skeleton, builder.clip(motion, 20.0))
    assert np.abs(T[..., :3, 3] - places).max() < 1e-9
    assert np.abs(T[..., :3, :3] - D @ body.skeleton.T_world_rest[:, :3, :3]).max() < 1e-9


def full_turn(axis: list[float], t: np.ndarray) -> np.ndarray:
    """A full turn about an axis in 2.5 s with a nod on top."""
    unit = np.array(axis) / np.linalg.norm(axis)
    return (turn(unit, 2 * np.pi * t / 2.5) @ turn(np.array([0.0, 0.0, 1.0]), 0.2 * np.sin(2 * np.pi * t / 2.5)))[
        :, None
    ]


@pytest.mark.parametrize("axis", [[0.0, 1.0, 0.0], [0.05, 1.0, 0.05], [0.3, 1.0, 0.2], [1.0, 1.0, 1.0]])
def test_resampling_a_full_turn_follows_the_rotation_through_gimbal_lock(axis):
    t = np.arange(41) / 16.0
    clip, lost = clip_from_matrices("turn", 16.0, np.zeros((41, 3)), full_turn(axis, t))
    fine = resample(clip, 64.0)
    right = full_turn(axis, np.arange(len(fine)) / 64.0)
    assert lost < 1e-9
    assert rotation_angle(np.swapaxes(right, -1, -2) @ joint_matrices(fine)).max() < 0.015


@pytest.mark.parametrize("axis", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.05, 1.0, 0.05]])
def test_a_repeated_loop_with_a_full_turn_does_not_spin_back(axis):
    clip, _ = clip_from_matrices("turn", 16.0, np.zeros((41, 3)), full_turn(axis, np.arange(41) / 16.0))
    for fine in (resample(repeat_loop(clip, 3), 64.0), resample(clip, 64.0, loop=True)):
        R = joint_matrices(fine)
        right = full_turn(axis, np.arange(len(fine)) / 64.0)
        assert rotation_angle(np.swapaxes(right, -1, -2) @ R).max() < 0.015


def test_steady_angles_are_resampled_as_before():
    t = np.arange(33) / 16.0
    angles = 0.5 * np.sin(2 * np.pi * t)[:, None, None] * np.ones((1, 2, 3))
    fine = resample(Clip("nod", 16.0, np.zeros((33, 6)), angles), 32.0)
    from scipy.interpolate import CubicSpline

    assert np.array_equal(fine.angles, CubicSpline(t, angles)(np.arange(len(fine)) / 32.0))
