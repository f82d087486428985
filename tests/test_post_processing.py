"""Post-processing: root travel, foot lock, held objects, speed and path of the clip that is written."""

from dataclasses import replace

import numpy as np
import pytest
from creature_body import creature_body
from distillation_setup import body_of
from real_data import DATA, needs_data
from scipy.spatial.transform import Rotation

import gambol
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.distill.held_objects import MAX_HELD_DEPTH, least_turn, lift_held_objects
from gambol.distill.optimised_body import make_subject
from gambol.distill.post_processing import (
    DEFAULT_POST_PROCESSING,
    PostProcessing,
    add_root_travel,
    post_process,
    resample,
)
from gambol.errors import ConfigError
from gambol.evaluate.observation import observe_clip, observe_node_clip
from gambol.evaluate.quality_metrics import foot_skate, penetration
from gambol.evaluate.recognise import recognise
from gambol.files.asset import export_scene, load
from gambol.motion.chosen_travel import follow_path, parse_travel, path_length, set_speed, travel_note
from gambol.motion.clip import rest_clip
from gambol.motion.close_cycle import repeat_loop
from gambol.motion.feet.contacts import Stances, stationary_feet, track_feet
from gambol.motion.feet.foot_lock import restore_travel_and_lock_feet
from gambol.motion.feet.travel import remove_travel, restore_travel
from gambol.motion.motion_names import canonical_motion
from gambol.motion.root_trajectory import ground_path, remove_steady_travel


@pytest.fixture(scope="module")
def mouse():
    character = make_creature("mouse", 3, vertices=500).character()
    return body_of(make_subject(character))


def skate(body, clip):
    return foot_skate(observe_clip(body.character, body.anatomy, clip)) / body.character.size


def test_feet_that_tremble_in_place_are_locked_all_along(mouse):
    """A body that sways and shivers on its legs, much faster than a person's feet may slip."""
    clip = rest_clip(mouse.character.require_skeleton(), 20, 30.0)
    clip.root[:, 0] = 0.05 * mouse.leg * np.sin(np.arange(20))
    clip.root[:, 3] = 0.02 * np.cos(1.3 * np.arange(20))
    assert stationary_feet(track_feet(mouse.character, clip, mouse.anatomy)).all()
    free, locked = (
        add_root_travel(mouse.character, clip, mouse.anatomy, foot_lock=lock, source_fps=mouse.fps)
        for lock in (False, True)
    )
    assert (free.root[:, [0, 2, 3, 4, 5]] == clip.root[:, [0, 2, 3, 4, 5]]).all()  # it does not travel
    assert skate(mouse, free) > 0.05
    assert skate(mouse, locked) < 0.1 * skate(mouse, free)
    clip.root[8:12, 1] += 0.08 * mouse.leg  # a little hop
    assert not stationary_feet(track_feet(mouse.character, clip, mouse.anatomy)).any()


def test_walking_feet_leave_their_places_and_are_locked_as_ever(mouse):
    walk = make_motion(mouse.character, mouse.anatomy, "walk", seconds=1.0)
    assert not stationary_feet(track_feet(mouse.character, walk, mouse.anatomy)).any()
    on_the_spot = remove_travel(walk)
    assert not stationary_feet(track_feet(mouse.character, on_the_spot, mouse.anatomy)).any()
    meant = restore_travel_and_lock_feet(mouse.character, on_the_spot, mouse.anatomy)
    found = add_root_travel(mouse.character, on_the_spot, mouse.anatomy, source_fps=mouse.fps)
    assert distance(found) == pytest.approx(distance(meant), rel=0.1)
    assert skate(mouse, found) < 2.0 * skate(mouse, meant) + 0.01


def distance(clip):
    return float(np.linalg.norm(clip.root[-1, [0, 2]] - clip.root[0, [0, 2]]))


def test_trembling_feet_carry_a_body_no_farther_than_calm_ones():
    """A wolf that turns on the spot, calm and with noise on all joints, at the rate of the prior's film."""
    character, anatomy = creature_body("wolf", 7, vertices=500)
    body = body_of(make_subject(character, anatomy), splats=100)
    calm = make_motion(character, body.anatomy, "turn left", seconds=23 / body.fps, fps=body.fps, loop=False)
    noise = 0.06 * np.random.default_rng(0).standard_normal(calm.angles.shape)
    trembling = replace(calm, angles=calm.angles + noise)
    on_the_spot = replace(trembling, root=remove_steady_travel(trembling)[0])
    plain = restore_travel(character, on_the_spot, body.anatomy)
    found = add_root_travel(body.character, on_the_spot, body.anatomy, foot_lock=False, source_fps=body.fps)
    assert distance(plain) > 1.5 * distance(calm)
    assert abs(distance(found) - distance(calm)) < 0.6 * abs(distance(plain) - distance(calm))


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
def test_what_hands_hold_leaves_the_ground_and_nothing_else_moves():
    character = load(DATA / "characters" / "kaykit" / "Rogue.glb").character
    body = body_of(make_subject(character))
    clip = rest_clip(character.require_skeleton(), 4, 30.0)
    clip = replace(clip, angles=clip.angles + body.start_angles.double().numpy())
    moved = lift_held_objects(character, clip, body.anatomy)
    before, after = (penetration(observe_clip(character, body.anatomy, c))[0] for c in (clip, moved))
    assert before > 0.05
    assert after <= 1.01 * MAX_HELD_DEPTH
    changed = np.flatnonzero(np.abs(moved.angles - clip.angles).max((0, 2)) > 1e-9) + 1
    assert {character.require_skeleton().names[bone] for bone in changed} <= {"hand.l", "hand.r"}
    assert (lift_held_objects(character, moved, body.anatomy).angles == moved.angles).all()


@pytest.mark.parametrize(("family", "motion"), [("fox", "walk"), ("fox", "gallop"), ("mouse", "walk"), ("trex", "run")])
def test_a_motion_on_the_stage_gets_its_own_travel_back(family, motion):
    """A calmer motion says when feet stand; if it also said how far they go, runs would be a quarter too slow."""
    character = make_creature(family, 3, vertices=1500).character()
    body = body_of(make_subject(character))
    clip = make_motion(character, body.anatomy, motion, seconds=23 / body.fps, fps=body.fps, loop=False)
    still = replace(clip, root=remove_steady_travel(clip)[0])
    done = post_process(body.character, still, body.anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)
    assert done.fps == 30.0
    speeds = [(c.root[-1, 0] - c.root[0, 0]) / c.duration for c in (clip, done)]
    assert speeds[1] == pytest.approx(speeds[0], rel=0.12)
    assert recognise(observe_clip(character, body.anatomy, done)).motion == canonical_motion(motion)


@pytest.mark.parametrize(
    ("family", "motion"),
    [("fox", "walk"), ("fox", "gallop"), ("cat", "run"), ("horse", "gallop"), ("person", "run"), ("spider", "walk")],
)
def test_feet_neither_slide_nor_sink_at_the_frame_rate_that_is_written(family, motion):
    """Gaits with noise on all joints, as a fit leaves it, at the frame rate of the prior's video."""
    character = make_creature(family, 3, vertices=500).character()
    body = body_of(make_subject(character), splats=100)
    clip = make_motion(character, body.anatomy, motion, seconds=23 / body.fps, fps=body.fps, loop=False)
    noise = 0.03 * np.random.default_rng(0).standard_normal(clip.angles.shape)
    still = replace(clip, root=remove_steady_travel(clip)[0], angles=clip.angles + noise)
    done = post_process(character, still, body.anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)
    seen = observe_clip(character, body.anatomy, done)
    assert penetration(seen)[0] < 0.005
    assert foot_skate(seen) / character.size < 0.15


def test_the_tutorial_s_fox_runs_without_sliding_or_sinking(tmp_path):
    """The example that everybody sees, from the sentence to the file that is written."""
    scene = make_creature("a small long-legged fox").scene
    asset = load(export_scene(scene, (), tmp_path / "fox.glb"))
    gambol.save(asset, gambol.animate(asset, "a fox is running"), tmp_path / "runs.glb")
    written = load(tmp_path / "runs.glb")
    seen = observe_node_clip(written.character, find_anatomy(written.character), written.clips[-1])
    assert penetration(seen)[0] < 0.005
    assert foot_skate(seen) / written.character.size < 0.15
    assert recognise(seen).motion == "run"


def test_stances_keep_their_times_at_another_frame_rate():
    """Stances of 0.2 and 0.02 s at 100 fps, seen at 20 fps: one of four intervals, and one that would be lost."""
    standing = np.zeros((2, 50), bool)
    standing[0, 10:30] = True
    standing[1, 24:26] = True
    slow = Stances(standing, np.zeros(2)).resample(10, 5.0)
    assert slow.runs(0).tolist() == [[2, 6]]
    assert slow.standing[1].sum() == 1
    assert slow.standing[1, 4:6].any()
    same = Stances(standing, np.zeros(2)).resample(50, 1.0)
    assert (same.standing == standing).all()


def test_a_loop_at_another_frame_rate_has_no_kink_at_its_seam(mouse):
    """A sine on a steadily travelling root: its velocity is the same on both sides of the seam."""
    u = np.linspace(0.0, 1.0, 18)
    clip = rest_clip(mouse.character.require_skeleton(), 18, 17.0)
    clip.root[:, 0], clip.root[:, 1] = 2.0 * u, 0.1 * np.sin(2 * np.pi * u + 0.4)
    clip.angles[:, 0, 0] = 0.3 * np.sin(2 * np.pi * u + 1.0)
    done = resample(clip, 30.0, loop=True)
    v = np.linspace(0.0, 1.0, len(done))
    assert np.abs(done.root[:, 0] - 2.0 * v).max() < 1e-9
    assert np.abs(done.root[:, 1] - 0.1 * np.sin(2 * np.pi * v + 0.4)).max() < 1e-4
    assert np.abs(done.angles[:, 0, 0] - 0.3 * np.sin(2 * np.pi * v + 1.0)).max() < 3e-4


def walking(mouse, seconds=2.0):
    return make_motion(mouse.character, mouse.anatomy, "walk", seconds=seconds)


@pytest.mark.parametrize("family", ["fox", "human", "mouse"])
def test_a_loop_continues_over_its_seam(family):
    """A walk that loops on the spot: pose, velocity and standing feet agree where the end meets the beginning."""
    character = make_creature(family, 3, vertices=500).character()
    anatomy = find_anatomy(character)
    walk = remove_travel(make_motion(character, anatomy, "walk", seconds=1.2, fps=20.0, loop=True))
    walk = replace(walk, root=np.concatenate([walk.root[:-1], walk.root[:1]]))
    loop = post_process(character, walk, anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=True)
    assert (loop.angles[-1] == loop.angles[0]).all()
    assert (loop.root[-1, [1, 4, 5]] == loop.root[0, [1, 4, 5]]).all()
    changes = np.abs(np.diff(np.diff(loop.angles, axis=0), axis=0)).max((1, 2))
    seam = np.abs((loop.angles[1] - loop.angles[0]) - (loop.angles[-1] - loop.angles[-2])).max()
    assert seam <= 1.1 * changes.max()
    twice = repeat_loop(loop, 2)
    assert len(twice) == 2 * len(loop) - 1
    assert skate(body_of(make_subject(character, anatomy), splats=50), twice) < 0.15
    still = post_process(character, walk, anatomy, PostProcessing(in_place=True), travels=False, loop=True)
    assert path_length(still) < 0.2 * path_length(loop)


def test_a_path_is_looked_along_from_the_first_frame_on(mouse):
    """(0, 1) is to the right: the body looks there, and its path is its own, turned."""
    clip = walking(mouse)
    right = follow_path(clip, np.array([[0.0, 0.0], [0.0, 9.0]]), mouse.character.size)
    assert np.allclose(right.root[:, 3] - clip.root[:, 3], -np.pi / 2)
    path, before = ground_path(right), ground_path(clip)
    assert path[-1, 1] - path[0, 1] == pytest.approx(np.linalg.norm(before[-1] - before[0]), rel=0.02)
    assert abs(path[-1, 0] - path[0, 0]) < 0.02 * path[-1, 1]


def test_a_path_has_round_corners_and_ends_where_it_should(mouse):
    clip, size = walking(mouse, 4.0), mouse.character.size
    side = 0.5 * path_length(clip)
    bent = follow_path(clip, np.array([[0.0, 0.0], [side, 0.0], [side, side]]), size)
    turns = np.abs(np.diff(bent.root[:, 3] - clip.root[:, 3]))
    assert (bent.root[-1, 3] - bent.root[0, 3]) == pytest.approx(-np.pi / 2, abs=0.1)
    steps = np.linalg.norm(np.diff(ground_path(clip), axis=0), axis=1).mean()
    assert turns.max() < np.pi / 2 * steps / size  # 90 degrees take a size of the body and more
    assert np.linalg.norm(ground_path(bent)[-1] - [side, side]) < size


def test_what_stays_cannot_be_told_to_travel_and_says_so(mouse):
    still, size = rest_clip(mouse.character.require_skeleton(), 20, 30.0), mouse.character.size
    assert set_speed(still, 1.0, size) is still
    assert "stays where it is" in travel_note(still, "1.0", size)
    clip = walking(mouse)
    assert travel_note(clip, "1.0", size) is None
    assert "of the path's 50.00 m" in travel_note(clip, "0,0 50,0", size)
    assert travel_note(clip, None, size) is None
    assert path_length(set_speed(clip, 0.5, size)) == pytest.approx(0.5 * set_speed(clip, 0.5, size).duration, rel=0.05)


def test_travel_is_given_as_text_as_a_number_or_as_points():
    assert parse_travel("1.2") == parse_travel(1.2) == PostProcessing(travel=1.2).travel == 1.2
    assert parse_travel(np.float32(2)) == parse_travel(2) == 2.0
    points = ((0.0, 0.0), (2.0, 0.0), (3.0, 1.0))
    for given in ("0,0 2,0 3,1", points, [[0, 0], [2, 0], [3, 1]], np.array(points)):
        assert PostProcessing(travel=given).travel == points


@pytest.mark.parametrize(
    "travel", ["fast", "-1", "1,2", "0,0 a,b", 0, -1.0, 101, True, (1.0, 2.0), [], {}, float("nan")]
)
def test_travel_that_is_neither_speed_nor_path_is_refused(travel):
    with pytest.raises(ConfigError, match="it takes a speed"):
        PostProcessing(travel=travel)


def test_a_path_that_stops_at_a_point_is_refused():
    with pytest.raises(ConfigError, match="must differ"):
        parse_travel([(0, 0), (1, 0), (1, 0)])
