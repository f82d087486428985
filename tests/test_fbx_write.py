"""Gambol's own FBX writer: records round trip, the pose it writes is the scene's, bad files are refused. No Blender."""

import struct

import numpy as np
import pytest
from gltf_builder import skinned_tower
from scipy.spatial.transform import Rotation

from gambol.errors import AssetError, GambolError
from gambol.files.fbx.animation import unique_clip_names
from gambol.files.fbx.curves import channel_times, euler_degrees
from gambol.files.fbx.read_back import FbxFile, check_fbx
from gambol.files.fbx.records import FbxRecord, encode_fbx, parse_fbx
from gambol.files.fbx.write import encode_document, write_fbx
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.motion.node_clip import NodeChannel, NodeClip


@pytest.fixture
def tower(tmp_path):
    return read_document(skinned_tower(3).write_glb(tmp_path / "tower.glb"))


def encoded(document):
    scene, clips, _ = read_scene(document)
    return encode_document(document, scene, clips), scene, clips


def test_records_of_every_kind_round_trip():
    root = FbxRecord("Objects")
    root.add("Scalars", True, 7, np.int64(2**40), 0.25, "word", b"\x00\x01")
    root.add("Arrays", np.arange(5, dtype=np.int32), np.arange(300) / 7, np.arange(3, dtype=np.int64))
    root.add("Floats", np.arange(4, dtype=np.float32)).add("Child", "inside")
    found = parse_fbx(encode_fbx([root])).first("Objects")
    assert found.first("Scalars").values == root.first("Scalars").values
    for mine, theirs in zip(root.first("Arrays").values, found.first("Arrays").values, strict=True):
        assert theirs.dtype == mine.dtype
        assert np.array_equal(theirs, mine)
    assert found.first("Floats").first("Child").values == ["inside"]


def test_the_same_document_gives_the_same_bytes_and_reads_back(tower, tmp_path):
    data, scene, clips = encoded(tower)
    assert data == encoded(tower)[0]
    check_fbx(data, scene, clips, "tower.fbx")
    write_fbx(tower, tmp_path / "out.fbx")
    assert (tmp_path / "out.fbx").read_bytes() == data


def test_bones_skin_and_takes_are_there_by_name(tower):
    file = FbxFile(encoded(tower)[0])
    bones = {file.name(n) for n in file.of_class("Model", "LimbNode")}
    assert bones == {"joint0", "joint1", "joint2"}
    assert len(file.of_class("Deformer", "Skin")) == 1
    assert len(file.of_class("Deformer", "Cluster")) == 3
    assert list(file.stacks()) == ["bend"]
    (material,) = file.of_class("Material").values()
    colours = {p.values[0]: p.values[4:] for p in material.first("Properties70").children}
    assert colours["DiffuseColor"] == pytest.approx([0.9, 0.1, 0.1])


def test_a_file_with_another_pose_is_refused(tower):
    data, scene, clips = encoded(tower)
    moved = tuple(NodeClip("bend", (clip.channels[0],)) for clip in clips)
    with pytest.raises(GambolError, match=r"tower\.fbx"):
        check_fbx(data, scene, moved, "tower.fbx")
    with pytest.raises(GambolError, match="its clips are"):
        check_fbx(data, scene, (), "tower.fbx")


@pytest.mark.parametrize("keep", [30, 200, 0.5, 0.98])
def test_a_cut_file_gets_a_sentence(tower, keep):
    data = encoded(tower)[0]
    with pytest.raises(AssetError):
        parse_fbx(data[: keep if isinstance(keep, int) else int(keep * len(data))])


def test_another_version_gets_a_sentence(tower):
    data = bytearray(encoded(tower)[0])
    data[23:27] = struct.pack("<I", 6100)
    with pytest.raises(AssetError, match="6100"):
        parse_fbx(bytes(data))


def test_angles_mean_the_rotation_and_never_jump():
    """A turn through the pole of the angles: each row is the quaternion's rotation and close to the row before."""
    turns = np.linspace(0.0, 4.0 * np.pi, 200)
    axis = np.array([0.6, 0.64, 0.48])
    wxyz = np.concatenate([np.cos(0.5 * turns)[:, None], np.sin(0.5 * turns)[:, None] * axis], 1)
    angles = np.radians(euler_degrees(wxyz))

    def about(k, angle):
        c, s, R = np.cos(angle), np.sin(angle), np.tile(np.eye(3), (len(angle), 1, 1))
        i, j = [(1, 2), (2, 0), (0, 1)][k]
        R[:, i, i] = R[:, j, j] = c
        R[:, i, j], R[:, j, i] = -s, s
        return R

    R = about(2, angles[:, 2]) @ about(1, angles[:, 1]) @ about(0, angles[:, 0])
    assert np.abs(R - Rotation.from_quat(wxyz[:, [1, 2, 3, 0]]).as_matrix()).max() < 1e-9
    assert np.abs(np.diff(angles, axis=0)).max() < 0.5


def test_steps_and_rotations_get_a_key_per_frame_and_lines_keep_theirs():
    times = np.array([0.0, 0.5, 1.0])
    moved = np.array([[0.0, 0, 0], [1.0, 0, 0], [1.0, 0, 0]])
    line, step = (NodeChannel(0, "translation", times, moved, kind) for kind in ("LINEAR", "STEP"))
    assert np.array_equal(channel_times(line, 30.0), times)
    stepped = channel_times(step, 30.0)
    assert np.allclose(stepped, [*np.arange(15) / 30, 0.5, 1.0])
    assert np.array_equal(step.sample(stepped)[:, 0], [0.0] * 15 + [1.0, 1.0])


def test_clips_of_one_name_are_told_apart():
    assert unique_clip_names(tuple(NodeClip(n, ()) for n in ("a", "a", "b", "a"))) == ["a", "a.2", "b", "a.3"]
