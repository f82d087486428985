"""Root travel, stances, foot lock: known treadmills are found again; real gaits stop slipping."""

from dataclasses import replace

import numpy as np
import pytest
from real_data import characters, needs_data
from scipy.spatial.transform import Rotation
from walker_made_by_code import person, treadmill

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.errors import MissingPart
from gambol.files.asset import load
from gambol.motion.clip import clip_from_matrices, joint_matrices, rest_clip
from gambol.motion.feet.contacts import (
    FootTracks,
    Stances,
    clip_stances,
    find_stances,
    stance_slip,
    touch_weights,
    track_feet,
)
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.foot_lock import (
    FootLockConfig,
    FootTargets,
    blend_between,
    foot_corrections,
    lock_feet,
    pad_loop,
    restore_travel_and_lock_feet,
)
from gambol.motion.feet.foot_tilt import tilt_feet
from gambol.motion.feet.leg_ik import chain_ends, chain_length, leg_chain, solve_leg_ik
from gambol.motion.feet.soles import bones_below, find_soles
from gambol.motion.feet.travel import TravelConfig, remove_travel, restore_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip_conversion import clip_from_nodes, node_clip_vertices
from gambol.motion.root_trajectory import ground_path, loop_frames, loop_speed, smooth_path, steady_path
from gambol.motion.rotations import rotation_angle
from gambol.motion.skinning import pose_vertices

PERSON, ANATOMY = person()


def displacement(clip):
    return (clip.root[-1] - clip.root[0])[[0, 2]]


@pytest.mark.parametrize("velocity", [(0.8, 0.0), (-0.7, 0.0), (0.3, 0.5), (0.0, -0.4)])
def test_the_speed_of_a_treadmill_is_found_in_every_direction(velocity):
    clip = treadmill(PERSON, ANATOMY, velocity)
    restored = restore_travel(PERSON, clip, ANATOMY)
    np.testing.assert_allclose(
        displacement(restored), np.array(velocity) * clip.duration, atol=0.01 * np.linalg.norm(velocity)
    )
    np.testing.assert_array_equal(restored.angles, clip.angles)
    assert stance_slip(PERSON, restored, ANATOMY).share < 1e-3
    np.testing.assert_allclose(remove_travel(restored).root, clip.root, atol=1e-9)


def test_a_runner_keeps_the_speed_of_its_stances_in_the_air():
    clip = treadmill(PERSON, ANATOMY, (1.4, 0.0), duty=0.35)
    restored = restore_travel(PERSON, clip, ANATOMY)
    steps = np.diff(restored.root[:, 0]) * clip.fps
    np.testing.assert_allclose(steps, 1.4, rtol=0.01)


def test_a_loop_of_several_cycles_and_one_without_its_last_frame():
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0), frames=91, cycles=3)
    assert loop_frames(clip) == 90
    assert displacement(restore_travel(PERSON, clip, ANATOMY))[0] == pytest.approx(0.8 * clip.duration, rel=0.01)
    short = replace(clip, root=clip.root[:30], angles=clip.angles[:30])
    assert loop_frames(short) == 30
    assert displacement(restore_travel(PERSON, short, ANATOMY))[0] == pytest.approx(0.8 * short.duration, rel=0.01)


@pytest.mark.parametrize(("speed", "turn"), [(0.7, 0.5), (0.1, -1.0), (0.0, 0.5)])
def test_a_turning_treadmill(speed, turn):
    clip = treadmill(PERSON, ANATOMY, (speed, 0.0), rate=turn)
    restored = restore_travel(PERSON, clip, ANATOMY)
    velocity, rate = loop_speed(restored)
    assert rate == pytest.approx(turn, rel=0.01)
    np.testing.assert_allclose(velocity, [speed, 0.0], atol=0.007)
    np.testing.assert_allclose(ground_path(restored), steady_path(velocity, rate, clip.times)[0], atol=1e-9)
    np.testing.assert_allclose(remove_travel(restored).root, clip.root, atol=1e-9)


def test_a_straight_treadmill_does_not_turn():
    straight = treadmill(PERSON, ANATOMY, (0.7, 0.0))
    for turning, close in ((True, 1e-3), (None, 1e-12)):
        restored = restore_travel(PERSON, straight, ANATOMY, config=TravelConfig(turning=turning))
        assert abs(restored.root[-1, 3]) < close


def test_a_walk_that_is_no_loop_and_changes_its_speed():
    slow = treadmill(PERSON, ANATOMY, (0.4, 0.0), frames=121, cycles=4)
    fast = treadmill(PERSON, ANATOMY, (0.8, 0.0), frames=121, cycles=4)
    mix = np.clip((np.arange(110) - 30) / 60.0, 0.0, 1.0)[:, None]
    both = replace(
        slow, root=slow.root[:110], angles=slow.angles[:110] + mix[..., None] * (fast.angles - slow.angles)[:110]
    )
    assert loop_frames(both) is None
    restored = restore_travel(PERSON, both, ANATOMY)
    speeds = np.diff(restored.root[:, 0]) * both.fps
    assert speeds[:15].mean() == pytest.approx(0.4, rel=0.05)
    assert speeds[-15:].mean() == pytest.approx(0.8, rel=0.05)
    np.testing.assert_allclose(remove_travel(restored).root, both.root, atol=0.05)


def test_a_loop_that_mostly_waits_goes_only_while_its_feet_go():
    walk = treadmill(PERSON, ANATOMY, (0.8, 0.0))
    pause = [walk.root[-1:]] * 60, [walk.angles[-1:]] * 60
    clip = replace(walk, root=np.concatenate([walk.root, *pause[0]]), angles=np.concatenate([walk.angles, *pause[1]]))
    assert loop_frames(clip) is not None
    places = restore_travel(PERSON, clip, ANATOMY).root[:, 0]
    assert places[30] - places[0] == pytest.approx(0.8, rel=0.15)
    assert abs(places[-12] - places[45]) < 1e-3


def test_a_foot_that_only_tilts_has_not_swung():
    """Between two stances a foot goes ahead: a low gap in which it does not is part of the stance."""
    count, leg = 60, 1.0
    back = np.tile(np.array([-0.02, 0.0]), (2, count - 1, 1))
    heights = np.zeros((2, count))
    heights[0, 20:26] = 0.08  # tilts, and still goes back
    heights[1, 20:26] = 0.08
    back[1, 20:26, 0] = 0.05  # swings
    zeros = np.zeros((2, count - 1))
    tracks = FootTracks(heights, back, np.zeros_like(back), zeros, leg, 30.0)
    forward = np.tile(np.array([1.0, 0.0]), (count - 1, 1))
    stances = find_stances(tracks, np.zeros((count - 1, 2)), forward)
    assert stances.standing[0].all()
    assert not stances.standing[1, 20:25].any()


def test_one_frame_stays_where_it_is():
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0))
    single = replace(clip, root=clip.root[:1], angles=clip.angles[:1])
    np.testing.assert_array_equal(
        restore_travel_and_lock_feet(PERSON, single, ANATOMY).root[:, [0, 2]], single.root[:, [0, 2]]
    )


@pytest.mark.parametrize("pitch", [0.5, 1.2, 1.7])
def test_a_foot_that_dips_is_tilted_up_to_the_ground(pitch):
    """Toes down by any angle, past straight down too: the lowest point comes to the ground, the ankle stays."""
    skeleton, soles = PERSON.require_skeleton(), find_soles(PERSON, ANATOMY)
    chains = [leg_chain(skeleton, sole) for sole in soles]
    clip = rest_clip(skeleton, 3, 30.0)
    joints = joint_matrices(clip)
    for chain in chains:
        R = skeleton.T_world_rest[chain.foot, :3, :3]
        joints[:, chain.foot] = R.T @ Rotation.from_rotvec([0.0, 0.0, -pitch]).as_matrix() @ R
    dipped, _ = clip_from_matrices("dip", 30.0, clip.root[:, :3], joints)
    assert track_feet(PERSON, dipped, ANATOMY).heights.max() < -0.01
    tilted = dipped
    for _ in range(4):
        tilted = tilt_feet(skeleton, tilted, soles, chains, np.ones((2, 3), bool), ground=0.0)
    np.testing.assert_allclose(track_feet(PERSON, tilted, ANATOMY).heights, 0.0, atol=2e-3)
    before, after = pose_clip(skeleton, dipped), pose_clip(skeleton, tilted)
    for chain in chains:
        np.testing.assert_allclose(after[:, chain.foot, :3, 3], before[:, chain.foot, :3, 3], atol=1e-9)
        assert (after[:, chain.foot, 0, 1] > 0).all()  # toes still ahead
    same = tilt_feet(skeleton, dipped, soles, chains, np.zeros((2, 3), bool), ground=0.0)
    np.testing.assert_array_equal(same.angles, dipped.angles)


def test_what_already_travels_and_what_stands_are_left_alone():
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0), frames=91, cycles=3)
    once = restore_travel(PERSON, clip, ANATOMY)
    np.testing.assert_allclose(restore_travel(PERSON, once, ANATOMY).root, once.root, atol=0.01)
    still = rest_clip(PERSON.require_skeleton(), 20, 30.0)
    np.testing.assert_allclose(restore_travel(PERSON, still, ANATOMY).root, still.root, atol=1e-9)


def test_grounding_puts_the_standing_feet_on_the_ground():
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0))
    floating = replace(clip, root=clip.root + np.array([0.0, 0.3, 0.0, 0.0, 0.0, 0.0]))
    grounded = restore_travel(PERSON, floating, ANATOMY, ground=True)
    tracks, stances = clip_stances(PERSON, grounded, ANATOMY)
    assert np.abs(tracks.tops[stances.standing]).max() < 1e-3


def test_slip_is_measured_as_the_path_of_the_touching_point():
    """A body that goes 10 % too fast drags its standing feet along by 10 % of its path while they stand."""
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0), duty=0.6)
    root = clip.root.copy()
    root[:, 0] += 1.1 * 0.8 * clip.times
    fast = replace(clip, root=root)
    slip = stance_slip(PERSON, fast, ANATOMY)
    assert slip.share == pytest.approx(0.6 * 0.08 / 0.88, rel=0.02)
    assert slip.stride == pytest.approx(0.88 * 2 / slip.stances, rel=1e-6)  # two feet
    _, stances = clip_stances(PERSON, fast, ANATOMY)
    assert stances.standing.mean() == pytest.approx(0.6, abs=0.02)


def test_the_touching_point_of_a_rolling_wheel_does_not_slip():
    angles, turn = np.linspace(0, 2 * np.pi, 720, endpoint=False), 0.02
    places = [np.stack([k * turn - np.sin(angles + k * turn), 1 - np.cos(angles + k * turn)], 1) for k in range(5)]
    points = np.stack(places)
    w = touch_weights(points[..., 1], 1e-4)
    steps = (w[..., None] * np.diff(points, axis=0)).sum(1)
    assert np.abs(steps).max() < 0.02 * turn


def test_uneven_stances_are_locked_and_nothing_else_is_touched():
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0), uneven=0.6)
    restored = restore_travel(PERSON, clip, ANATOMY, ground=True)
    _, stances = clip_stances(PERSON, restored, ANATOMY)
    locked = lock_feet(PERSON, restored, ANATOMY)
    assert stance_slip(PERSON, restored, ANATOMY, stances=stances).share > 0.1
    assert stance_slip(PERSON, locked, ANATOMY, stances=stances).share < 1e-3
    assert loop_frames(locked) == loop_frames(clip)
    skeleton = PERSON.require_skeleton()
    legs = {b for limb in ANATOMY.legs for b in limb.bones}
    others = [b - 1 for b in range(1, len(skeleton)) if b not in legs]
    np.testing.assert_array_equal(locked.angles[:, others], restored.angles[:, others])
    np.testing.assert_array_equal(locked.root[:, [0, 2, 3, 4, 5]], restored.root[:, [0, 2, 3, 4, 5]])
    feet = [limb.contact for limb in ANATOMY.legs]
    before, after = (pose_clip(skeleton, c)[:, feet] for c in (restored, locked))
    assert rotation_angle(np.swapaxes(before, -1, -2)[..., :3, :3] @ after[..., :3, :3]).max() < 1e-6


def test_feet_that_do_not_slip_stay_where_they_are():
    restored = restore_travel(PERSON, treadmill(PERSON, ANATOMY, (0.8, 0.0)), ANATOMY, ground=True)
    locked = lock_feet(PERSON, restored, ANATOMY, config=FootLockConfig(clearance=0.0))
    np.testing.assert_allclose(locked.angles, restored.angles, atol=1e-5)


def test_swinging_feet_do_not_scrape():
    restored = restore_travel(PERSON, treadmill(PERSON, ANATOMY, (0.8, 0.0), lift=0.004), ANATOMY, ground=True)
    tracks, stances = clip_stances(PERSON, restored, ANATOMY)
    locked = lock_feet(PERSON, restored, ANATOMY, stances=stances, config=FootLockConfig(clearance=0.02))
    after = track_feet(PERSON, locked, ANATOMY)
    near = np.lib.stride_tricks.sliding_window_view(np.pad(stances.standing, ((0, 0), (4, 4)), "wrap"), 8, axis=1).any(
        2
    )
    assert after.heights[~near].min() > 0.0199 * tracks.leg
    assert after.heights.min() > -1e-6


def test_a_lift_reaches_no_farther_than_twice_its_blend():
    """A foot that leaves the ground low and swings high is lifted where it is low, and only about there."""
    height = np.array([0.0] * 6 + [0.01] + [0.3] * 7 + [0.01] + [0.0] * 6)
    stands = np.ones((1, 20), bool)
    stands[0, 5:15] = False
    steps = np.zeros((1, 20, 2))
    tracks = FootTracks(height[None], steps, steps, np.zeros((1, 20)), leg=1.0, fps=10.0)
    wanted = FootTargets(Stances(stands, np.zeros(1)), steps, np.zeros((1, 21)), 0.0)
    for width, untouched in ((1, slice(9, 12)), (2, slice(0, 0))):
        config = FootLockConfig(clearance=0.05, vertical_blend_seconds=width / tracks.fps)
        lift = foot_corrections(tracks, wanted, config)[0][:, 1]
        assert (lift[untouched] == 0).all()
        assert (lift[:6] == 0).all()
        assert (lift[15:] == 0).all()
        changed = np.ones(21, bool)
        changed[untouched] = False
        assert (lift[changed][6:-6] > 0).all()


def test_floating_and_sunken_feet_come_to_the_ground():
    restored = restore_travel(PERSON, treadmill(PERSON, ANATOMY, (0.8, 0.0)), ANATOMY, ground=True)
    root = restored.root.copy()
    root[:, 1] += 0.02 * np.sin(2 * np.pi * np.arange(len(root)) / (len(root) - 1))
    locked = lock_feet(PERSON, replace(restored, root=root), ANATOMY, config=FootLockConfig(ground=0.0))
    tracks, stances = clip_stances(PERSON, locked, ANATOMY)
    assert np.abs(tracks.tops[stances.standing]).max() < 2e-3
    assert tracks.heights.min() > -1e-3


def test_legs_reach_goals_keep_their_feet_level_and_stretch_no_further_than_they_are_long():
    skeleton = PERSON.require_skeleton()
    chains = [leg_chain(skeleton, sole) for sole in find_soles(PERSON, ANATOMY)]
    clip = treadmill(PERSON, ANATOMY, (0.8, 0.0))
    ends = [chain_ends(chain, pose_clip(skeleton, clip)) for chain in chains]
    goals = [end + np.array([0.05, 0.08, 0.03]) for end in ends]
    moved = pose_clip(skeleton, solve_leg_ik(skeleton, clip, chains, goals))
    for chain, goal in zip(chains, goals, strict=True):
        np.testing.assert_allclose(chain_ends(chain, moved), goal, atol=1e-4)
    far = pose_clip(skeleton, solve_leg_ik(skeleton, clip, chains, [end - np.array([0.0, 1.0, 0.0]) for end in ends]))
    for chain, end in zip(chains, ends, strict=True):
        hip = far[:, chain.joints[0], :3, 3]
        assert np.linalg.norm(chain_ends(chain, far) - hip, axis=1).max() <= chain_length(skeleton, chain) * (1 + 1e-6)
        assert (chain_ends(chain, far)[:, 1] < end[:, 1]).all()


def test_a_straight_leg_that_has_to_shorten_bends_to_its_usual_side():
    skeleton = PERSON.require_skeleton()
    chain = leg_chain(skeleton, find_soles(PERSON, ANATOMY)[0])
    clip = rest_clip(skeleton, 12, 30.0)
    knee = chain.joints[1]
    angles = clip.angles.copy()
    # the person's knees are bent a little forwards at rest; here they are straight to a bit beyond, from frame to frame
    bend = 2 * np.arctan(0.03 / 0.42)
    hinge = np.sign((pose_clip(skeleton, clip)[0, knee, :3, 0] * np.array([0.0, 0.0, -1.0])).sum())
    angles[:6, knee - 1, 0] = 0.0
    angles[6:, knee - 1, 0] = -hinge * bend * np.linspace(0.9, 1.1, 6)
    bent = replace(clip, angles=angles)
    for sign in (1.0, -1.0):
        tried = replace(bent, angles=bent.angles * np.array([sign, 1.0, 1.0]))
        goal = chain_ends(chain, pose_clip(skeleton, tried)) + np.array([0.0, 0.1, 0.0])
        moved = solve_leg_ik(skeleton, tried, [chain], [goal])
        places = pose_clip(skeleton, moved)[:, knee, :3, 3] - 0.5 * (
            pose_clip(skeleton, moved)[:, chain.joints[0], :3, 3] + goal
        )
        assert (places[:, 0] > 0.05).all()


def test_a_repeated_loop_goes_on_with_its_speed():
    clip = restore_travel(PERSON, treadmill(PERSON, ANATOMY, (0.8, 0.0)), ANATOMY)
    whole, real = pad_loop(clip, 30)
    np.testing.assert_allclose(whole.root[real], clip.root, atol=1e-9)
    np.testing.assert_allclose(np.diff(whole.root[:, 0]) * clip.fps, 0.8, rtol=0.01)


def test_gaps_are_blended_with_the_speed_at_their_edges_and_long_ones_rest_at_zero():
    values, known = np.zeros((60, 3)), np.zeros(60, bool)
    values[10:20, 0], values[26:30, 0], known[10:20], known[26:30] = 1.0, 2.0, True, True
    filled = blend_between(values, known, 6)
    assert (np.diff(filled[19:27, 0]) > 0).all()
    np.testing.assert_array_equal(filled[40:], 0.0)
    np.testing.assert_array_equal(filled[:3], 0.0)
    np.testing.assert_array_equal(filled[known], values[known])


def test_smoothing_keeps_a_straight_path():
    line = np.stack([np.arange(50.0), -2.0 * np.arange(50.0)], 1)
    np.testing.assert_allclose(smooth_path(line, 6.0), line, atol=1e-9)


def test_without_feet_there_is_nothing_to_restore_from():
    lying = tuple(replace(limb, contact=None) for limb in ANATOMY.limbs)
    no_feet = Anatomy(ANATOMY.parts, ANATOMY.sides, ANATOMY.orders, lying, ANATOMY.limits)
    with pytest.raises(MissingPart, match="no feet"):
        restore_travel(PERSON, rest_clip(PERSON.require_skeleton(), 5, 30.0), no_feet)


REAL = [("Wolf", "Walk"), ("Knight", "Running_A"), ("Knight", "Walking_Backwards"), ("Trex", "Armature|TRex_Walk")]


@needs_data
@pytest.mark.parametrize(("stem", "name"), REAL, ids=lambda x: x.split("|")[-1])
def test_real_gaits_are_restored_and_locked(stem, name):
    asset = load(next(p for p in characters() if p.stem == stem))
    character, anatomy = asset.character, find_anatomy(asset.character)
    clip = clip_with_feet(character, asset.clip(name), anatomy)
    restored = restore_travel(character, clip, anatomy, ground=True)
    assert displacement(restored)[0] * (-1.0 if "Backwards" in name else 1.0) > 0.2 * character.size
    assert (
        np.abs(remove_travel(restore_travel(character, clip, anatomy)).root - clip.root).max() < 0.01 * character.size
    )
    _, stances = clip_stances(character, restored, anatomy)
    locked = lock_feet(character, restored, anatomy)
    assert stance_slip(character, locked, anatomy, stances=stances).share <= 0.05
    assert track_feet(character, locked, anatomy).heights.min() > -0.03 * character.size
    change = rotation_angle(np.swapaxes(joint_matrices(clip), -1, -2) @ joint_matrices(locked))
    assert change.mean() < 0.15


@needs_data
def test_feet_of_a_rig_with_translated_feet_are_where_the_file_has_them():
    asset = load(next(p for p in characters() if p.stem == "Triceratops"))
    character, anatomy = asset.character, find_anatomy(asset.character)
    node_clip = asset.clip("Triceratops_Walk")
    truth = node_clip_vertices(character, node_clip, node_clip.frame_times(15.0))
    owners = [
        b
        for s in find_soles(character, anatomy)
        for b in bones_below(character.require_skeleton(), s.limb.bones[s.start])
    ]
    of_feet = np.isin(character.weights.dominant(), owners)
    clips = clip_from_nodes(character, node_clip, fps=15.0)[0], clip_with_feet(character, node_clip, anatomy, fps=15.0)
    misses = [np.linalg.norm((pose_vertices(character, c) - truth)[:, of_feet], axis=-1).mean() for c in clips]
    assert misses[1] < 0.2 * misses[0]
