"""BVH in and out: Euler orders, channel subsets, damaged files, read -> write -> read."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from real_data import DATA, needs_data
from scipy.spatial.transform import Rotation

from gambol.character.character import make_character
from gambol.character.skeleton import Skeleton, rest_frames
from gambol.character.transforms import matrix_from_quaternion
from gambol.errors import AssetError, GambolError
from gambol.files.asset import load
from gambol.files.bvh.read import read_bvh
from gambol.files.bvh.write import write_bvh
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip_conversion import clip_from_nodes

ARM = """HIERARCHY
ROOT Hip
{
	OFFSET 0.0 1.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Upper Arm
	{
		OFFSET 1.0 0.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0.0 0.0 2.0
		}
	}
	JOINT Stub
	{
		OFFSET 0.0 -1.0 0.5
	}
}
MOTION
Frames: 2
Frame Time: 0.04
0 0 0 0 0 0 0 0 0
1 2 3 90 0 0 0 90 30
"""


def write(tmp_path: Path, text: str | bytes, name: str = "arm.bvh") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def one_joint(channels: str, rows: list[list[float]], offset: str = "0 0 0") -> str:
    motion = "\n".join(" ".join(map(str, row)) for row in rows)
    count = len(channels.split())
    return (
        f"HIERARCHY\nROOT a\n{{\nOFFSET {offset}\nCHANNELS {count} {channels}\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n"
        f"MOTION\nFrames: {len(rows)}\nFrame Time: 0.1\n{motion}\n"
    )


def test_hierarchy_becomes_nodes_and_one_skin(tmp_path):
    scene, clips, warnings = read_bvh(write(tmp_path, ARM))
    assert scene.nodes.names == ("Hip", "Upper_Arm", "Upper_Arm_end", "Stub")
    assert scene.nodes.parents.tolist() == [-1, 0, 1, 0]
    assert scene.skins[0].joints.tolist() == [0, 1, 3]
    assert scene.parts == ()
    assert warnings == ()
    heads = scene.nodes.T_world_node[:, :3, 3]
    np.testing.assert_array_equal(heads, [[0, 1, 0], [1, 1, 0], [1, 1, 2], [0, 0, 0.5]])
    binds = scene.skins[0].inverse_binds @ scene.nodes.T_world_node[[0, 1, 3]]
    np.testing.assert_array_equal(binds, np.tile(np.eye(4), (3, 1, 1)))
    (clip,) = clips
    assert clip.name == "arm"
    assert clip.end == pytest.approx(0.04)
    assert {(c.node, c.path) for c in clip.channels} == {(0, "translation"), (0, "rotation"), (1, "rotation")}


def test_positions_follow_from_the_product_of_the_channels_by_hand(tmp_path):
    scene, (clip,), _ = read_bvh(write(tmp_path, ARM))
    first, second = clip.sample(scene.nodes, np.array([0.0, 0.04]))[..., :3, 3]
    # the position channels take the OFFSET's place, at frame 0 with zeros
    np.testing.assert_allclose(first, [[0, 0, 0], [1, 0, 0], [1, 0, 2], [0, -1, 0.5]], atol=1e-12)
    # frame 1: the root turns 90 degrees about z (x -> y, y -> -x), then the arm by X(90) Y(30): its end (0, 0, 2)
    # goes to Y(30): (2 sin 30, 0, 2 cos 30) = (1, 0, sqrt 3); X(90): (1, -sqrt 3, 0); root: (sqrt 3, 1, 0)
    upper = np.array([1.0, 3.0, 3.0])
    np.testing.assert_allclose(second[0], [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(second[1], upper, atol=1e-12)
    np.testing.assert_allclose(second[2], np.add(upper, [np.sqrt(3), 1, 0]), atol=1e-12)
    np.testing.assert_allclose(second[3], [2, 2, 3.5], atol=1e-12)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_every_euler_order_and_subset(tmp_path, length):
    rng = np.random.default_rng(length)
    for order in itertools.permutations("XYZ", length):
        angles = rng.uniform(-400, 400, (20, length))
        path = write(tmp_path, one_joint(" ".join(f"{axis}rotation" for axis in order), angles.tolist()))
        _, (clip,), _ = read_bvh(path)
        (channel,) = clip.channels
        # capital letters: turns about the axes as they have been turned, R_1 R_2 R_3
        expected = Rotation.from_euler("".join(order), angles, degrees=True).as_matrix()
        np.testing.assert_allclose(matrix_from_quaternion(channel.values), expected, atol=1e-12)


def test_position_channels_replace_the_offset_axis_by_axis(tmp_path):
    rows = [[5.0, 7.0], [6.0, 8.0]]
    scene, (clip,), _ = read_bvh(write(tmp_path, one_joint("zPosition XPOSITION", rows, offset="1 2 3")))
    places = clip.sample(scene.nodes, np.array([0.0, 0.1]))[:, 0, :3, 3]
    np.testing.assert_array_equal(places, [[7, 2, 5], [8, 2, 6]])


def test_quaternions_do_not_jump(tmp_path):
    rows = [[float(a), float(a) / 3] for a in range(0, 1500, 20)]
    _, (clip,), _ = read_bvh(write(tmp_path, one_joint("Yrotation Xrotation", rows)))
    q = clip.channels[0].values
    assert (q[1:] * q[:-1]).sum(1).min() > 0.9
    assert np.abs(np.linalg.norm(q, axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize(
    "change", [("\n", "\r\n"), ("\n", "\r"), ("Hip\n{", "Hip {"), ("HIER", "\ufeffHIER"), ("Frames:", "FRAMES:")]
)
def test_ways_of_writing_the_same(tmp_path, change):
    scene, (clip,), _ = read_bvh(write(tmp_path, ARM))
    other, (other_clip,), _ = read_bvh(write(tmp_path, ARM.replace(*change)))
    assert other.nodes.names == scene.nodes.names
    np.testing.assert_array_equal(other_clip.channels[1].values, clip.channels[1].values)


def test_a_file_without_frames_is_a_skeleton(tmp_path):
    scene, clips, warnings = read_bvh(write(tmp_path, ARM.split("Frames:")[0] + "Frames: 0\nFrame Time: 0.1\n"))
    assert len(scene.nodes) == 4
    assert clips == ()
    assert "no frames" in warnings[0]


def test_two_roots(tmp_path):
    one = one_joint("Xrotation", [[1.0]])
    head, tail = one.split("MOTION")
    both = head + head.removeprefix("HIERARCHY\n") + "MOTION" + tail.replace("1.0\n", "1.0 2.0\n")
    scene, (clip,), _ = read_bvh(write(tmp_path, both))
    assert scene.nodes.parents.tolist() == [-1, 0, -1, 2]
    assert [c.node for c in clip.channels] == [0, 2]


DAMAGED = {
    "empty": "",
    "garbage": bytes(range(256)) * 20,
    "a picture": b"\x89PNG\r\n\x1a\n" + b"\0" * 100,
    "no motion": ARM.split("MOTION")[0],
    "no header": ARM.split("Frames:")[0],
    "cut row": ARM[:-6],
    "extra number": ARM + "1\n",
    "too few frames": ARM.replace("Frames: 2", "Frames: 1"),
    "too many frames": ARM.replace("Frames: 2", "Frames: 3"),
    "absurd frames": ARM.replace("Frames: 2", "Frames: 999999999999"),
    "endless frames": ARM.replace("Frames: 2", "Frames: " + "9" * 5000),
    "negative frames": ARM.replace("Frames: 2", "Frames: -2"),
    "half a frame": ARM.replace("Frames: 2", "Frames: 1.5"),
    "zero time": ARM.replace("0.04", "0"),
    "negative time": ARM.replace("0.04", "-0.04"),
    "nan time": ARM.replace("0.04", "nan"),
    "infinite time": ARM.replace("0.04", "inf"),
    "years": ARM.replace("0.04", "1e8"),
    "word in motion": ARM.replace("90 30", "ninety 30"),
    "nan in motion": ARM.replace("90 30", "nan 30"),
    "infinity in motion": ARM.replace("90 30", "1e400 30"),
    "underscore": ARM.replace("90 30", "9_0 30"),
    "comma": ARM.replace("90 30", "90,5 30"),
    "nan offset": ARM.replace("OFFSET 1.0 0.0 0.0", "OFFSET nan 0 0"),
    "huge offset": ARM.replace("OFFSET 1.0 0.0 0.0", "OFFSET 1e300 0 0"),
    "two offsets": ARM.replace("OFFSET 1.0 0.0 0.0", "OFFSET 1.0 0.0"),
    "no offset": ARM.replace("OFFSET 1.0 0.0 0.0", ""),
    "word offset": ARM.replace("OFFSET 1.0 0.0 0.0", "OFFSET a b c"),
    "missing open": ARM.replace("Hip\n{", "Hip\n"),
    "missing close": ARM.replace("}\nMOTION", "\nMOTION"),
    "extra close": ARM.replace("MOTION", "}\nMOTION"),
    "double open": ARM.replace("Hip\n{", "Hip\n{\n{"),
    "channel count": ARM.replace("CHANNELS 3", "CHANNELS 4"),
    "absurd channels": ARM.replace("CHANNELS 3", "CHANNELS 99999999999"),
    "channel word": ARM.replace("CHANNELS 3", "CHANNELS three"),
    "no channel count": ARM.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS"),
    "unknown channel": ARM.replace("Zrotation", "Wrotation"),
    "twice": ARM.replace("CHANNELS 3 Zrotation Xrotation", "CHANNELS 3 Zrotation Zrotation"),
    "channels twice": ARM.replace("CHANNELS 3 Z", "CHANNELS 1 Xrotation\nCHANNELS 3 Z"),
    "nameless": ARM.replace("JOINT Stub", "JOINT"),
    "joint at the top": ARM.replace("ROOT Hip", "JOINT Hip"),
    "root inside": ARM.replace("JOINT Stub", "ROOT Stub"),
    "joint in an end": ARM.replace("OFFSET 0.0 0.0 2.0", "OFFSET 0 0 2\nJOINT x\n{\nOFFSET 0 0 0\n}"),
    "channels in an end": ARM.replace("OFFSET 0.0 0.0 2.0", "OFFSET 0 0 2\nCHANNELS 1 Xrotation"),
    "end at the top": "HIERARCHY\nEnd Site\n{\nOFFSET 0 0 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n",
    "no joints": "HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 1\n",
    "stray words": ARM.replace("OFFSET 1.0", "FOO 1\nOFFSET 1.0"),
    "too many joints": "HIERARCHY\n" + "ROOT a\n{\nOFFSET 0 0 0\n}\n" * 10_001 + "MOTION\nFrames: 0\nFrame Time: 1\n",
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_are_refused_with_a_sentence(tmp_path, text):
    with pytest.raises(AssetError) as caught:
        read_bvh(write(tmp_path, text))
    message = str(caught.value)
    assert "arm.bvh" in message
    assert message.endswith(".")
    assert "\n" not in message
    assert len(message) < 300


def test_a_missing_file_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(AssetError, match="cannot be read"):
        read_bvh(tmp_path / "absent.bvh")


def test_a_file_cut_anywhere_is_refused(tmp_path):
    for end in range(len(ARM) - 1):
        text = ARM[:end]
        # a cut inside the last number leaves a shorter number, which nothing can tell
        if len(text.split()) == len(ARM.split()):
            continue
        with pytest.raises(AssetError):
            read_bvh(write(tmp_path, text))


def test_random_damage_gives_a_sound_clip_or_a_sentence(tmp_path):
    refused = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        data = bytearray(ARM.encode())
        for _ in range(rng.integers(1, 5)):
            data[rng.integers(len(data))] = (
                int(rng.integers(256)) if rng.random() < 0.5 else ord("0123456789 .-{}\n"[rng.integers(16)])
            )
        try:
            scene, clips, _ = read_bvh(write(tmp_path, bytes(data)))
        except AssetError:
            refused += 1
            continue
        for clip in clips:
            assert np.isfinite(clip.sample(scene.nodes, clip.key_times())).all()
    assert 100 < refused < 400


def test_a_deep_chain_is_read(tmp_path):
    count = 3000
    text = "HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\n" + "JOINT j\n{\nOFFSET 0 1 0\n" * (count - 1) + "}" * count
    scene, _, _ = read_bvh(write(tmp_path, text + "\nMOTION\nFrames: 0\nFrame Time: 1\n"))
    assert scene.nodes.T_world_node[-1, 1, 3] == count - 1


def tree_skeleton(bones: int, seed: int) -> Skeleton:
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(0, b)) for b in range(1, bones))])
    heads = np.zeros((bones, 3))
    for b in range(1, bones):
        heads[b] = heads[parents[b]] + rng.normal(size=3)
    heads += [3.0, 1.0, -2.0]
    tails = heads + rng.normal(size=(bones, 3))
    return Skeleton(tuple(f"bone {b}" for b in range(bones)), parents, rest_frames(heads, tails, parents), tails)


def smooth_motion(skeleton: Skeleton, frames: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    steps = rng.normal(scale=0.2, size=(frames, len(skeleton), 3)).cumsum(0)
    rotations = Rotation.from_rotvec(steps.reshape(-1, 3)).as_matrix().reshape(frames, len(skeleton), 3, 3)
    return rotations, rng.normal(size=(frames, 3)).cumsum(0)


def test_a_written_motion_reads_back(tmp_path):
    skeleton = tree_skeleton(23, 1)
    rotations, positions = smooth_motion(skeleton, 60, 2)
    path = tmp_path / "walk.bvh"
    write_bvh(path, skeleton, rotations, positions, 24.0, unit=100.0)
    assert [p.name for p in tmp_path.iterdir()] == ["walk.bvh"]
    scene, (clip,), _ = read_bvh(path)
    times = np.arange(60) / 24.0
    np.testing.assert_allclose(clip.channels[0].times, times, rtol=1e-9)
    T_world_node = clip.sample(scene.nodes, clip.channels[0].times)
    order = [scene.nodes.names.index(name.replace(" ", "_")) for name in skeleton.names]
    assert sorted(order) == scene.skins[0].joints.tolist()
    np.testing.assert_allclose(T_world_node[:, order][..., :3, :3], rotations, atol=1e-8)
    # forward kinematics of the motion skeleton in metres: p_b = p_parent + R_parent (head_b - head_parent)
    heads = positions[:, None].repeat(23, 1)
    for b in range(1, 23):
        offset = skeleton.heads[b] - skeleton.heads[skeleton.parents[b]]
        heads[:, b] = heads[:, skeleton.parents[b]] + rotations[:, skeleton.parents[b]] @ offset
    np.testing.assert_allclose(T_world_node[:, order][..., :3, 3] / 100.0, heads, atol=1e-6)
    leaves = [b for b in range(23) if not skeleton.children[b]]
    for b in leaves:
        end = scene.nodes.names.index(f"bone_{b}_end")
        np.testing.assert_allclose(
            scene.nodes.translations[end], 100 * (skeleton.tails[b] - skeleton.heads[b]), atol=1e-6
        )


def test_written_angles_do_not_jump(tmp_path):
    skeleton = tree_skeleton(4, 3)
    turns = np.linspace(0, 6 * np.pi, 200)
    rotations = Rotation.from_euler("ZXY", np.stack([turns, 0.3 * np.sin(turns), 0.5 * turns], 1)).as_matrix()
    write_bvh(tmp_path / "spin.bvh", skeleton, np.repeat(rotations[:, None], 4, 1), np.zeros((200, 3)), 30.0)
    rows = np.array([line.split() for line in (tmp_path / "spin.bvh").read_text().splitlines()[-200:]], float)
    assert np.abs(np.diff(rows[:, 3:6], axis=0)).max() < 12.0
    assert rows[-1, 3] == pytest.approx(3 * 360.0)


def test_a_quarter_turn_about_x_is_written(tmp_path):
    skeleton = tree_skeleton(2, 3)
    for sign in (1, -1):
        R = Rotation.from_euler("ZXY", [[0.4, sign * np.pi / 2, 1.1]] * 2).as_matrix()
        write_bvh(tmp_path / "locked.bvh", skeleton, np.stack([R, R]), np.zeros((2, 3)), 30.0)
        _, (clip,), _ = read_bvh(tmp_path / "locked.bvh")
        np.testing.assert_allclose(matrix_from_quaternion(clip.channels[1].values[0]), R[0], atol=1e-8)


def test_names_that_bvh_cannot_hold_are_changed(tmp_path):
    skeleton = tree_skeleton(3, 0)
    skeleton = Skeleton(("a {b}", "a  b_", "a b_"), skeleton.parents, skeleton.T_world_rest, skeleton.tails)
    write_bvh(tmp_path / "n.bvh", skeleton, np.tile(np.eye(3), (1, 3, 1, 1)), np.zeros((1, 3)), 30.0)
    scene, _, _ = read_bvh(tmp_path / "n.bvh")
    names = [scene.nodes.names[j] for j in scene.skins[0].joints]
    assert sorted(names) == ["a_b_", "a_b_.2", "a_b_.3"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda a: a | {"rotations": a["rotations"] * np.nan},
        lambda a: a | {"rotations": a["rotations"] * 1.1},
        lambda a: a | {"rotations": a["rotations"][:, :2]},
        lambda a: a | {"rotations": a["rotations"][:0], "positions": a["positions"][:0]},
        lambda a: a | {"positions": a["positions"] * np.inf},
        lambda a: a | {"positions": a["positions"] + 1e12},
        lambda a: a | {"fps": 0.0},
        lambda a: a | {"fps": float("nan")},
        lambda a: a | {"unit": -1.0},
    ],
)
def test_a_bad_motion_leaves_nothing_behind_and_the_old_file_alone(tmp_path, spoil):
    skeleton = tree_skeleton(3, 0)
    path = write(tmp_path, "old", "kept.bvh")
    good = {"rotations": np.tile(np.eye(3), (2, 3, 1, 1)), "positions": np.ones((2, 3)), "fps": 30.0, "unit": 1.0}
    bad = spoil(good)
    with pytest.raises(GambolError):
        write_bvh(path, skeleton, bad["rotations"], bad["positions"], bad["fps"], unit=bad["unit"])
    assert [p.name for p in tmp_path.iterdir()] == ["kept.bvh"]
    assert path.read_text() == "old"


def as_skeleton(scene) -> tuple[Skeleton, np.ndarray]:
    joints = scene.skins[0].joints
    place = {int(joint): bone for bone, joint in enumerate(joints)}
    parents = np.array([place.get(int(p), -1) for p in scene.nodes.parents[joints]])
    heads = scene.nodes.T_world_node[joints, :3, 3]
    tails = scene.nodes.T_world_node[[(scene.nodes.children[j] or (j,))[0] for j in joints], :3, 3]
    names = tuple(scene.nodes.names[j] for j in joints)
    return Skeleton(names, parents, rest_frames(heads, tails, parents), tails), joints


@needs_data
def test_motion_capture_survives_read_write_read(tmp_path):
    for source in sorted((DATA / "mocap/cmu").glob("*.bvh"))[::60]:
        scene, (clip,), _ = read_bvh(source)
        skeleton, joints = as_skeleton(scene)
        times = clip.channels[0].times
        T_world_joint = clip.sample(scene.nodes, times)[:, joints]
        write_bvh(tmp_path / "again.bvh", skeleton, T_world_joint[..., :3, :3], T_world_joint[:, 0, :3, 3], 30.0)
        again, (other,), _ = read_bvh(tmp_path / "again.bvh")
        assert [again.nodes.names[j] for j in again.skins[0].joints] == list(skeleton.names)
        before = {scene.nodes.names[c.node]: c.values for c in clip.channels if c.path == "rotation"}
        after = {again.nodes.names[c.node]: c.values for c in other.channels if c.path == "rotation"}
        for name, q in before.items():
            # the angle between two rotations from the chord between their quaternions, exact where it is small
            chord = np.minimum(*(np.linalg.norm(q + sign * after[name], axis=1) for sign in (1, -1)))
            assert (4 * np.arcsin(chord / 2)).max() < 1e-6


@needs_data
def test_motion_capture_reads_and_makes_a_character():
    files = sorted((DATA / "mocap/cmu").glob("*.bvh"))
    assert len(files) == 358
    for path in files[::6]:
        scene, (clip,), warnings = read_bvh(path)
        assert len(scene.skins[0].joints) == 31
        assert warnings == ()
        assert clip.end <= 10.0
    character = make_character("cmu", scene)
    assert character.skeleton is not None
    assert character.skeleton.names[0] == "Hips"
    assert len(character.skeleton) == 31


@needs_data
@pytest.mark.slow
def test_all_motion_capture_reads():
    for path in sorted((DATA / "mocap/cmu").glob("*.bvh")):
        scene, (clip,), _ = read_bvh(path)
        assert np.isfinite(clip.sample(scene.nodes, clip.key_times()[::50])).all()


@needs_data
@pytest.mark.parametrize("name", ["06_04", "16_03", "49_01"])
def test_motion_capture_stands_on_the_ground(name):
    asset = load(DATA / "mocap" / "cmu" / f"{name}.bvh")
    clip, error = clip_from_nodes(asset.character, asset.clips[0])
    lowest = pose_clip(asset.character.skeleton, clip)[..., 1, 3].min()
    assert 0.0 < lowest < 0.05 * asset.character.size
    assert error < 1e-9
