"""Constraints in finished clips: what they demand is met, the rest stays, what cannot be is said."""

from dataclasses import replace

import jaxtyping
import numpy as np
import pytest
from constrained_walk import SECONDS, anatomy_of, beside, bone, joints, motion, walk, walker
from plain_glb import channels, node_places
from scipy.spatial.transform import Rotation

import gambol
from gambol.app.found_constraints import change_keys, find_constraints
from gambol.distill.constraints import (
    Freeze,
    GroundPath,
    Hold,
    LookAt,
    Pin,
    PoseKey,
    Speed,
    constraint_data,
    meet_constraints,
    read_constraint,
    report_constraints,
)
from gambol.distill.constraints.frozen_keys import frozen_nodes
from gambol.distill.constraints.limb_names import chosen_joints
from gambol.errors import ConfigError, GambolError
from gambol.files.asset import export_clips
from gambol.motion.clip import joint_matrices
from gambol.motion.close_cycle import close_cycle
from gambol.motion.root_trajectory import swayless_path
from gambol.motion.rotations import rotation_angle


def met(*constraints, clip=None, noun="human", loop=None):
    """The walk with constraints met, and how closely."""
    asset = walker(noun)
    found = find_constraints(asset, constraints, seconds=SECONDS)
    done = meet_constraints(asset.character, anatomy_of(noun), clip or walk(noun), found, loop=loop)
    return done, report_constraints(asset.character, anatomy_of(noun), done, found)


SIZE = 0.01
"""What counts as met, sizes."""


@pytest.mark.parametrize(
    ("name", "offset", "noun"),
    [
        ("Hand.L", (0.1, 0.35, -0.1), "human"),
        ("Hand.R", (0.25, 0.1, -0.2), "human"),
        ("Foot.L", (0.1, 0.15, -0.05), "human"),
        ("Head", (0.05, -0.1, 0.1), "human"),
        ("Hips", (0.0, -0.08, 0.05), "human"),
        ("Head", (0.02, -0.1, 0.03), "fox"),
    ],
)
def test_a_pin_is_met_in_the_written_file_and_far_frames_stay(name, offset, noun, tmp_path):
    """Read by other code: the joint's node is at the pinned place; frames 1 s away are not touched."""
    asset, size = walker(noun), walker(noun).character.size
    scale = 1.0 if noun == "human" else size / 1.8
    place = beside(name, 40, scale * np.array(offset), noun)
    done, (report,) = met(Pin(name, place, time=40 / 30), noun=noun)
    assert report.met
    T_file = np.linalg.inv(asset.character.placement.T_world_file)
    written = gambol.save(asset, done, tmp_path / "pinned.glb")
    found = node_places(written, 40 / 30)[name][:3, 3]
    off = asset.character.placement.T_world_file[:3, :3] @ (found - (T_file @ [*place, 1.0])[:3])
    assert np.linalg.norm(off) < SIZE * size
    assert report.distance == pytest.approx(np.linalg.norm(off) / size, abs=1e-4)
    assert (done.angles[:8] == walk(noun).angles[:8]).all()
    assert (done.angles[-8:] == walk(noun).angles[-8:]).all()
    steps = [
        np.linalg.norm(np.diff(joints(clip, noun)[..., :3, 3], axis=0), axis=-1).max() for clip in (walk(noun), done)
    ]
    assert steps[1] < 2.5 * steps[0]  # no jump on the way there and back


def test_a_pin_moves_only_what_it_needs():
    """A hand that is near its place is brought there by the arm; legs and the other arm keep their angles."""
    done, (report,) = met(Pin("Hand.L", beside("Hand.L", 40, (0.03, 0.05, 0.0)), time=40 / 30))
    assert report.met
    turned = np.degrees(rotation_angle(joint_matrices(walk()).swapaxes(-1, -2) @ joint_matrices(done)))
    arm = chosen_joints(walker().character.require_skeleton(), anatomy_of(), ["left arm"])
    assert turned[:, ~arm].mean() < 1.0
    assert turned[:, ~arm].max() < 10.0
    assert turned[40, arm].max() > turned[40, ~arm].max()


def test_standing_feet_stay_while_a_hand_is_pinned_far_away():
    done, (report,) = met(Pin("Hand.R", beside("Hand.R", 40, (0.3, 0.6, 0.3)), time=40 / 30))
    assert report.distance < SIZE
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.quality_metrics import foot_skate, penetration

    before, after = (observe_clip(walker().character, anatomy_of(), clip) for clip in (walk(), done))
    assert foot_skate(after) < foot_skate(before) + 0.03
    assert penetration(after)[0] < penetration(before)[0] + 0.01


def test_a_pin_over_an_interval_with_an_orientation_holds_in_all_its_frames():
    place, turn = beside("Hand.L", 40, (0.15, 0.4, -0.1)), Rotation.from_euler("xyz", [0.3, 0.4, 0.2])
    wxyz = tuple(turn.as_quat(scalar_first=True).tolist())
    done, (report,) = met(Pin("Hand.L", place, interval=(1.2, 1.5), orientation=wxyz))
    assert report.met
    hand = bone("Hand.L")
    T, rest = joints(done)[36:46, hand], walker().character.require_skeleton().T_world_rest[hand]
    assert np.linalg.norm(T[:, :3, 3] - place, axis=1).max() < SIZE * walker().character.size
    off = rotation_angle(T[:, :3, :3].swapaxes(-1, -2) @ (turn.as_matrix() @ rest[:3, :3]))
    assert np.degrees(off).max() < 5.0


def test_the_end_of_a_bone_can_be_pinned():
    skeleton, hand = walker().character.require_skeleton(), bone("Hand.L")
    at_end = skeleton.tails[hand] - skeleton.heads[hand]
    place = beside("Hand.L", 40, (0.1, 0.3, 0.0))
    done, (report,) = met(Pin("Hand.L:end", place, time=40 / 30))
    T = joints(done)[40, hand]
    end = T[:3, 3] + T[:3, :3] @ skeleton.T_world_rest[hand, :3, :3].T @ at_end
    assert report.met
    assert np.linalg.norm(end - place) < SIZE * walker().character.size


def test_what_is_out_of_reach_says_how_close_it_came():
    place = beside("Hand.L", 40, (0.0, 3.0, 0.0))
    done, (report,) = met(Pin("Hand.L", place, time=40 / 30))
    missed = np.linalg.norm(joints(done)[40, bone("Hand.L"), :3, 3] - place)
    assert not report.met
    assert missed > 1.0
    assert report.distance == pytest.approx(missed / walker().character.size)
    assert f"the closest is {missed:.2f} m away" in report.note
    assert np.isfinite(done.angles).all()


def test_a_place_beside_the_way_bends_the_way():
    """A pin too far to the side for the arms: the whole body goes there, and does not slide."""
    done, (report,) = met(Pin("Hand.L", beside("Hand.L", 40, (0.0, 0.2, -1.2)), time=40 / 30))
    assert report.met
    aside = swayless_path(done)[40, 1] - swayless_path(walk())[40, 1]
    assert aside < -0.2
    speeds = [np.linalg.norm(np.diff(swayless_path(clip), axis=0), axis=1).max() for clip in (walk(), done)]
    assert speeds[1] < 2.0 * speeds[0]


@pytest.mark.parametrize("pose", ["rest", "wave:20"])
def test_a_key_pose_is_taken_in_place_and_heading(pose):
    key = PoseKey(40 / 30, pose)
    done, (report,) = met(key)
    (found,) = find_constraints(walker(), (key,))
    assert report.distance < SIZE
    assert joint_matrices(done)[40, 1:] == pytest.approx(joint_matrices(found.found)[0, 1:], abs=1e-6)
    assert done.root[40, [0, 2, 3]] == pytest.approx(walk().root[40, [0, 2, 3]], abs=1e-9)
    assert (done.angles[:8] == walk().angles[:8]).all()


def test_a_path_is_followed_in_distance_heading_and_time():
    points, times = ((0.0, 0.0), (1.0, 0.2), (2.0, -0.4)), (0.0, 1.2, 2.4)
    done, (report,) = met(GroundPath(points, times=times))
    assert report.met
    assert report.distance < 0.03
    assert np.degrees(report.angle) < 10.0
    where = swayless_path(done)
    for point, time in zip(points, times, strict=True):
        assert np.linalg.norm(where[round(time * 30)] - where[0] - point) < 0.15
    ahead = np.gradient(where, axis=0)
    off = np.remainder(done.root[:, 3] - np.arctan2(-ahead[:, 1], ahead[:, 0]) + np.pi, 2 * np.pi) - np.pi
    assert np.degrees(np.abs(off)[10:-10]).mean() < 12.0


def test_headings_of_a_path_are_kept():
    done, (report,) = met(GroundPath(((0.0, 0.0), (2.0, 0.0)), headings=(0.0, np.pi / 2)))
    assert report.met
    assert done.root[0, 3] == pytest.approx(0.0, abs=0.25)
    assert done.root[-1, 3] > 0.9


def test_a_speed_changes_over_time():
    done, (report,) = met(Speed((0.6, 1.8), (0.4, 2.2)))
    assert report.met
    speeds = np.linalg.norm(np.diff(swayless_path(done), axis=0), axis=1) * 30
    assert speeds[:10].mean() == pytest.approx(0.6, rel=0.25)
    assert speeds[-10:].mean() == pytest.approx(1.8, rel=0.15)
    assert len(done) == len(walk())


def test_the_face_points_at_a_place():
    target = (3.0, 1.2, -2.0)
    done, (report,) = met(LookAt(target, interval=(1.0, 1.8)))
    skeleton, head = walker().character.require_skeleton(), bone("Head")
    T = joints(done)[30:55, head]
    face = T[:, :3, :3] @ skeleton.T_world_rest[head, 0, :3]
    wanted = np.array(target) - T[:, :3, 3]
    off = np.degrees(np.arccos((face * wanted).sum(1) / np.linalg.norm(wanted, axis=1)))
    assert report.met
    assert off.max() < 5.0
    neck = chosen_joints(skeleton, anatomy_of(), ["head", "neck"])[1:]
    assert (done.angles[:, ~neck] == walk().angles[:, ~neck]).all()
    _, (report,) = met(LookAt((-5.0, 1.5, 0.0), interval=(1.0, 1.8)))
    assert not report.met
    assert "turn no farther" in report.note


def test_limbs_are_held_exactly():
    done, (report,) = met(Hold(("arms",), (0.8, 1.6)))
    arms = chosen_joints(walker().character.require_skeleton(), anatomy_of(), ["arms"])[1:]
    assert report.met
    assert (done.angles[24:49, arms] == walk().angles[24, arms]).all()
    assert (done.angles[:, ~arms] == walk().angles[:, ~arms]).all()
    assert (done.root == walk().root).all()


def test_a_limb_is_held_where_a_pin_has_put_it():
    place = beside("Hand.L", 24, (0.1, 0.4, -0.1))
    done, reports = met(Hold(("left arm",), (0.8, 1.6)), Pin("Hand.L", place, time=0.8))
    assert [report.note for report in reports] == ["", ""]
    arm = chosen_joints(walker().character.require_skeleton(), anatomy_of(), ["left arm"])[1:]
    assert (done.angles[24:49, arm] == done.angles[24, arm]).all()
    assert np.linalg.norm(joints(done)[24, bone("Hand.L"), :3, 3] - place) < SIZE * walker().character.size


def test_a_path_is_followed_anew_by_a_clip_that_is_on_a_path_already():
    """The first path leaves nothing behind: neither its bends nor its headings."""
    first, _ = met(GroundPath(((0.0, 0.0), (1.2, 0.5), (2.6, 0.0))))
    points = ((0.0, 0.0), (1.2, -0.5), (2.4, -0.4))
    direct, _ = met(GroundPath(points))
    again, (report,) = met(GroundPath(points), clip=first)
    assert report.met
    off = np.linalg.norm(swayless_path(again) - swayless_path(direct), axis=1)
    assert off.max() < 0.1
    assert np.abs(again.root[:, 3] - direct.root[:, 3]).max() < 0.2


def test_who_goes_backwards_goes_backwards_along_a_path():
    backwards = motion(walker(), "walk backwards", SECONDS)
    done, (report,) = met(GroundPath(((0.0, 0.0), (1.0, 0.2), (2.0, 0.0))), clip=backwards)
    assert np.degrees(report.angle) < 10.0
    assert report.distance < 0.03
    assert abs(done.root[0, 3] - np.pi) % (2 * np.pi) < 0.6


@pytest.mark.parametrize("spans", [None, ((0.3, 0.9),)], ids=["whole", "a span"])
@pytest.mark.parametrize("reduce", [False, True], ids=["all keys", "few keys"])
def test_frozen_limbs_have_the_sources_bytes_in_the_file(spans, reduce, tmp_path):
    asset = walker()
    freeze = Freeze("wave", ("upper body",), spans=spans)
    done, (report,) = met(freeze)
    assert report.met
    found = find_constraints(asset, (freeze,))
    written = export_clips(
        asset, (done,), tmp_path / "frozen.glb", change=lambda clip: change_keys(asset, found, clip, reduce=reduce)
    )
    nodes = frozen_nodes(asset.character, anatomy_of(), freeze)
    source, made = channels(asset.path, "wave"), channels(written)
    compared = 0
    for key, (times, values) in source.items():
        if key[0] not in nodes:
            continue
        keys, width = np.frombuffer(times, "<f4"), len(values) // (len(times) // 4)
        own = np.frombuffer(made[key][0], "<f4")
        for index, time in enumerate(keys):
            if len(keys) > 1 and (spans is None or spans[0][0] <= time <= spans[0][1]):
                (at,) = np.flatnonzero(own == time)
                assert made[key][1][at * width : (at + 1) * width] == values[index * width : (index + 1) * width]
                compared += 1
    assert compared > 20
    legs = ~chosen_joints(asset.character.require_skeleton(), anatomy_of(), ["upper body"])[1:]
    assert (done.angles[:, legs] == walk().angles[:, legs]).all()


def test_a_pin_in_a_loop_holds_across_its_seam():
    steady = walk()
    period = 30
    loop = close_cycle(replace(steady, root=steady.root, angles=steady.angles), period, period)
    place = tuple((joints(loop)[0, bone("Hand.L"), :3, 3] + (0.1, 0.3, 0.0)).tolist())
    done, (report,) = met(Pin("Hand.L", place, time=0.0), clip=loop, loop=True)
    assert report.met
    assert (done.angles[0] == done.angles[-1]).all()
    around = np.concatenate([done.angles[:-1], done.angles])
    jumps = np.abs(np.diff(around, 2, axis=0)).max((1, 2))
    assert jumps[period - 2 : period + 1].max() < 3.0 * np.delete(jumps, range(period - 2, period + 1)).max()


def test_several_constraints_are_met_together():
    """Frozen arms, a held head, a path and a pinned foot in one clip."""
    constraints = (
        Freeze("wave", ("right arm",), spans=((0.2, 1.2),)),
        GroundPath(((0.0, 0.0), (1.3, 0.25), (2.5, 0.0))),
        LookAt((6.0, 1.4, 1.0)),
        Pin("Hand.L", beside("Hand.L", 40, (0.1, 0.3, 0.0)), time=40 / 30),
    )
    _, reports = met(*constraints)
    assert [(report.name, report.note) for report in reports if not report.met] == []


HAND = {"joint": "Hand.L", "position": (1.0, 1.2, -0.3)}


@pytest.mark.parametrize(
    ("constraints", "sentences"),
    [
        ([Pin("Hand.X", (0.0, 1.0, 0.0), time=1.0)], ["There is no joint 'Hand.X'. Did you mean 'Hand."]),
        ([Pin(**HAND, time=9.0)], ["'pin Hand.L at 9 s' is outside the clip, which lasts from 0 to 2.6 s"]),
        (
            [Pin(**HAND, time=1.0), Pin("hand.l", (0.0, 1.0, 0.0), interval=(0.5, 2.0))],
            ["pin Hand.L at 1 s", "pin hand.l at 0.5 s to 2 s", "contradict"],
        ),
        ([Pin(**HAND, time=1.0), Pin(**HAND, time=1.0)], ["the same pin twice"]),
        ([PoseKey(1.0, "rest"), PoseKey(1.0, "wave:3")], ["pose rest at 1 s", "pose wave:3 at 1 s", "same time"]),
        ([PoseKey(1.0, "wav:3")], ["wav", "wave"]),
        ([PoseKey(1.0, "wave:900")], ["the frames 0 to", "not 900"]),
        ([Freeze("Wave2", ("arms",))], ["Wave2", "wave"]),
        ([Freeze("wave", ("wings",))], ["'wings': this body has no such limb", "arm"]),
        ([Hold(("left arn",), (0.5, 1.0))], ["left arn", "Limbs take words"]),
        (
            [Freeze("wave", ("arms",)), Pin(**HAND, time=1.0)],
            ["freeze arms of wave", "pin Hand.L at 1 s", "frozen at that time"],
        ),
        ([GroundPath(((0.0, 0.0), (1.0, 0.0))), GroundPath(((0.0, 0.0), (2.0, 0.0)))], ["a clip has one path"]),
        (
            [GroundPath(((0.0, 0.0), (1.0, 0.0)), times=(0.0, 2.0)), Speed((1.0,), (0.0,))],
            ["path", "speed", "contradict"],
        ),
        (
            [LookAt((3.0, 1.0, 0.0)), LookAt((0.0, 1.0, 3.0), interval=(0.5, 1.0))],
            ["look at 3,1,0", "look at 0,1,3 from 0.5 to 1 s", "overlap"],
        ),
        (
            [Hold(("left arm",), (0.5, 1.5)), Pin(**HAND, time=1.0)],
            ["hold left arm from 0.5 to 1.5 s", "Hand.L is held at that time"],
        ),
        (
            [Freeze("wave", ("head", "neck")), LookAt((3.0, 1.0, 0.0))],
            ["freeze head, neck of wave", "look at 3,1,0", "the head is frozen"],
        ),
        ([PoseKey(1.0, "rest"), Hold(("legs",), (0.5, 1.5))], ["pose rest at 1 s", "hold legs", "legs is held"]),
        ([GroundPath(((0.0, 0.0), (90.0, 0.0)), times=(0.0, 1.0))], ["asks for 90 m/s between 0 and 1 s", "can do"]),
        ([Speed((0.5, 80.0), (0.0, 1.5))], ["asks for 80 m/s at 1.5 s", "can do"]),
    ],
)
def test_what_no_motion_can_meet_is_refused_before_a_run(constraints, sentences):
    with pytest.raises(GambolError) as told:
        find_constraints(walker(), constraints, seconds=SECONDS)
    for sentence in sentences:
        assert sentence in str(told.value)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"kind": "pim"}, "constraints[3].kind is 'pim'; it takes one of pin, pose"),
        ({"kind": "pin", "joint": "Hand.L", "time": 1}, "constraints[3].position is missing"),
        ({"kind": "pin", **HAND}, "constraints[3].time is None and interval is None; a pin takes one of them"),
        ({"kind": "pin", **HAND, "time": -1}, "constraints[3].time is -1"),
        ({"kind": "pin", **HAND, "time": float("nan")}, "constraints[3].time is nan"),
        (
            {"kind": "pin", "joint": "a", "position": [0, float("inf"), 0], "time": 1},
            "constraints[3].position is [0, inf",
        ),
        ({"kind": "pin", "joint": "a", "position": [0, 1], "time": 1}, "takes three numbers x, y, z"),
        ({"kind": "pin", **HAND, "time": 1, "orientation": [1, 1, 0, 0]}, "of length 1.41"),
        ({"kind": "pin", **HAND, "interval": [2, 1]}, "the first before the second"),
        ({"kind": "hold", "limbs": [], "interval": [0, 1]}, "constraints[3].limbs is []"),
        ({"kind": "path", "points": [[0, 0]]}, "two or more points"),
        ({"kind": "path", "points": [[0, 0], [1, 0]], "times": [1, 1]}, "2 increasing times"),
        ({"kind": "speed", "speeds": [-1], "times": [0]}, "speeds in m/s of 0 or more"),
        ({"kind": "freeze", "clip": "wave", "spans": [[0, 1], [0.5, 2]]}, "these overlap"),
        ({"kind": "look_at", "target": [0, 1, 0], "at": 3}, "constraints[3].at is no field of a look_at"),
    ],
)
def test_bad_data_names_its_field(data, sentence, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it
    with pytest.raises(ConfigError) as told:
        read_constraint(data, "constraints[3]")
    assert sentence in str(told.value)


ALL_KINDS = (
    Pin("Hand.L", (1.0, 1.2, -0.3), interval=(0.5, 1.0), orientation=(1.0, 0.0, 0.0, 0.0)),
    PoseKey(1.0, "wave:3", weight=2.0),
    GroundPath(((0.0, 0.0), (1.0, 0.5)), headings=(0.0, 0.3), times=(0.0, 2.0)),
    Speed((0.6, 1.6), (0.5, 2.0)),
    LookAt((3.0, 1.0, 0.0)),
    Hold(("arms", "head"), (0.2, 1.0)),
    Freeze("wave", ("upper body",), spans=((0.0, 0.4), (0.6, 1.0))),
)


def test_a_request_with_all_kinds_of_constraints_is_written_and_read(tmp_path, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # as users run it
    request = gambol.AnimateRequest("a person walks", constraints=ALL_KINDS)
    path = gambol.write_request(request, tmp_path / "request.json")
    again = gambol.read_request(path)
    assert again == request
    assert [constraint_data(one) for one in again.constraints] == [constraint_data(one) for one in ALL_KINDS]
