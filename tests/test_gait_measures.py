"""The measures of gaits see what they should: crossing legs, sliding and floating feet, prints, waves."""

from dataclasses import replace

import numpy as np
import pytest
from creature_body import creature_body

from gambol.character.segment_distances import segment_distance
from gambol.creatures.gaits import gait_measures as measures
from gambol.creatures.gaits.gait_motion import FrameTimes, gait_pace
from gambol.creatures.gaits.make_motion import GAIT_MOTIONS, pose_motion
from gambol.creatures.gaits.measure_leg_crossing import leg_pairs, worst_crossing
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.creatures.gaits.strides import foot_offset, gait_treads, neighbours, seen_from_body
from gambol.motion.clip import Clip


@pytest.fixture(scope="module")
def walking_horse():
    character, anatomy = creature_body("horse", 0, vertices=3000)
    body = measure_body(character, anatomy)
    times = FrameTimes(np.arange(97) / 40.0, True)
    builder = pose_motion(body, "walk", MotionStyle(), times)
    return character, anatomy, body, builder, builder.clip("walk", 40.0)


def test_the_distance_of_segments_is_that_of_their_nearest_points():
    generator = np.random.default_rng(0)
    a, b, c, d = generator.normal(size=(4, 300, 3))
    b[:20] = a[:20] + 2.0 * (d[:20] - c[:20])  # parallel ones
    share = np.linspace(0.0, 1.0, 201)
    first = a[:, None] + share[:, None] * (b - a)[:, None]
    second = c[:, None] + share[:, None] * (d - c)[:, None]
    slow = np.linalg.norm(first[:, :, None] - second[:, None], axis=-1).min((1, 2))
    fast = segment_distance(a, b, c, d)
    assert (fast <= slow + 1e-9).all()
    np.testing.assert_allclose(fast, slow, atol=0.03)


def test_a_leg_that_swings_through_its_partner_is_seen(walking_horse):
    character, anatomy, body, _, clip = walking_horse
    pairs = leg_pairs(character, anatomy)
    assert worst_crossing(body.skeleton, pairs, clip) < 0.25
    bend = np.linspace(-0.6, 0.6, 41)  # to both sides: inwards and outwards
    angles = np.zeros((41, *clip.angles.shape[1:]))
    for leg, sign in zip(body.legs[:2], (1.0, -1.0), strict=True):
        angles[:, leg.limb.bones[0] - 1, 2] = sign * bend
    closing = Clip("closing", 30.0, np.zeros((41, 6)), angles)
    assert worst_crossing(body.skeleton, pairs, closing) > 0.5


def test_sliding_sinking_and_floating_feet_are_measured_in_full(walking_horse):
    character, anatomy, _, builder, clip = walking_horse
    sound = measures.trace_motion(character, anatomy, clip, builder.standing)
    root = clip.root.copy()
    root[:, 2] += 0.2 * np.linspace(0.0, 1.0, len(root))
    sliding = measures.trace_motion(character, anatomy, replace(clip, root=root), builder.standing)
    standing = float(builder.standing[1:].mean())
    assert measures.worst_slip(sliding, 1.0) == pytest.approx(0.2 * standing, rel=0.15)
    for up in (0.05, -0.05):
        root = clip.root.copy()
        root[:, 1] += up
        moved = measures.trace_motion(character, anatomy, replace(clip, root=root), builder.standing)
        seen = measures.worst_float(moved) - measures.worst_float(sound) if up > 0 else measures.worst_depth(moved)
        assert seen * moved.size == pytest.approx(0.05, abs=0.002)


def test_prints_tell_stride_turn_and_frequency():
    centre = np.zeros((121, 3))
    touching = (np.arange(121) // 10) % 2 == 1
    step = np.cumsum(np.where(touching, 0.0, 0.05))
    feet = []
    for left, aside in ((True, -0.2), (False, 0.2)):
        angle = step * 0.4
        place = np.stack([(1.0 + aside) * np.sin(angle), 0 * angle, -1.0 + (1.0 + aside) * np.cos(angle)], -1)
        feet.append(measures.FootTrace(0, left, 0 * step, centre + place, step[1:], touching, touching))
    trace = measures.MotionTrace(tuple(feet), 0.0, 0.0, np.zeros(3), np.zeros(121), 1.0)
    steps = measures.measure_steps(trace, 30.0)
    assert steps.frequency == pytest.approx(1.5)
    assert abs(steps.turn) == pytest.approx(0.2, rel=1e-6)
    assert steps.stride == pytest.approx(2.0 * np.sin(0.1), rel=0.01)


def test_a_wave_has_its_length_and_frequency():
    t, s = np.arange(200)[:, None] / 50.0, np.linspace(0.0, 2.0, 60)
    x = s + 0.45 * t
    joints = np.stack([x, 0 * x, 0.1 * np.sin(2 * np.pi * (x / 0.9)) + 0 * t], -1)
    wave = measures.measure_wave(joints, 50.0)
    assert wave.wavelength == pytest.approx(0.9, rel=0.01)
    assert wave.frequency == pytest.approx(0.5, rel=0.01)
    assert measures.side_slip(joints, np.zeros(60)) < 1e-3
    pushed = joints + 0.01 * np.sin(40 * t)[..., None] * [0.0, 0.0, 1.0]
    assert measures.side_slip(pushed, np.zeros(60)) > 2e-3


def test_hind_feet_pass_outside_of_forefeet_in_a_gallop_and_not_in_a_short_walk():
    character, anatomy = creature_body("horse", 0, vertices=3000)
    body = measure_body(character, anatomy)
    style = MotionStyle()
    for motion, outside in (("gallop", True), ("walk", False)):
        gait = GAIT_MOTIONS[motion](body)
        stride = gait_pace(body, gait, style, FrameTimes(np.arange(2) / 30.0, False)).stride
        treads = gait_treads(body, gait, style, stride if outside else 0.3 * stride)
        for a, b in neighbours(body):
            fore, hind = body.legs[a], body.legs[b]
            apart = abs(treads[b][2]) - abs(treads[a][2])
            rest = abs(hind.tread[2]) - abs(fore.tread[2])
            assert apart >= fore.half_width + hind.half_width if outside else apart == pytest.approx(rest, abs=1e-9)
            ahead = foot_offset(gait.footfall, fore)
            assert np.abs(ahead).max() < 1.0
            np.testing.assert_allclose(ahead.mean(), 0.0, atol=0.1)


def test_a_foot_seen_from_a_turning_body_stays_on_the_ground_it_stands_on():
    character, anatomy = creature_body("lizard", 0, vertices=3000)
    body = measure_body(character, anatomy)
    tread, stride, yaw = body.legs[0].tread, 0.3, 0.4
    lead = np.array([0.25, 0.0, -0.25])
    seen = seen_from_body(body, tread, lead, stride, yaw)
    np.testing.assert_allclose(seen[1], tread, atol=1e-12)
    straight = seen_from_body(body, tread, lead, stride, 0.0)
    np.testing.assert_allclose(straight[:, 0] - tread[0], lead * stride, atol=1e-12)
    spun = seen_from_body(body, tread, lead, 0.0, yaw)
    reach = np.linalg.norm((spun - body.centre)[:, [0, 2]], axis=1)
    np.testing.assert_allclose(reach, reach[1], atol=1e-12)
