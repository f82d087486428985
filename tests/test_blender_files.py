"""FBX and .blend through Blender: round trips keep names, clips and surface; bad files and missing Blender say so."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from blender_oracle import needs_blender
from gltf_builder import skinned_tower
from real_data import DATA, needs_data
from scipy.spatial import cKDTree

import gambol.files.blender.fbx_blend as blender
from gambol.character.character import make_character
from gambol.errors import AssetError, GambolError, MissingExtra
from gambol.files.blender.fbx_blend import read_through_blender, write_through_blender
from gambol.files.fbx.write import write_fbx
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.motion.frame_rate import BAKING_FRAME_RATES, baking_frame_rate
from gambol.motion.node_clip import pose_scene


def write_suffix(source: Path, out: Path) -> None:
    """Write a .glb as FBX by Gambol's own writer, or as .blend through Blender."""
    if out.suffix == ".fbx":
        write_fbx(read_document(source), out)
    else:
        write_through_blender(source, out)


def tower(folder: Path) -> Path:
    return skinned_tower(3).write_glb(folder / "tower.glb")


def used_points(scene, clip, time) -> np.ndarray:
    """World vertices that some triangle uses."""
    posed = pose_scene(scene, clip, time)
    return np.concatenate([points[np.unique(part.triangles)] for part, points in zip(scene.parts, posed, strict=True)])


def both_ways(a: np.ndarray, b: np.ndarray) -> float:
    """Largest distance from a point of one set to the nearest of the other, as a share of the size of `a`."""
    distance = max(cKDTree(a).query(b)[0].max(), cKDTree(b).query(a)[0].max())
    return float(distance / np.ptp(a, axis=0).max())


def assert_same_character(original: Path, converted: Path, *, same_bind: bool = True) -> None:
    """Names, textures, clips with their times, the surface at bind as Gambol places it, and the surface in motion."""
    scene, clips, _ = read_scene(read_document(original))
    other, other_clips, _ = read_scene(read_document(converted))
    names = {scene.nodes.names[j] for j in scene.joint_nodes}
    assert {other.nodes.names[j] for j in other.joint_nodes} == names
    assert {m.name: m.texture is None for m in other.materials} == {m.name: m.texture is None for m in scene.materials}
    by_name = {clip.name: clip for clip in other_clips}
    assert sorted(by_name) == sorted(clip.name for clip in clips)
    if same_bind:
        placed, other_placed = (make_character("a", s).mesh.vertices for s in (scene, other))
        assert both_ways(placed, other_placed) < 1e-4
    for clip in clips:
        back, keys = by_name[clip.name], clip.key_times()
        assert back.start == pytest.approx(clip.start, abs=0.01)
        assert back.end == pytest.approx(clip.end, abs=0.01)
        for time in keys[[len(keys) // 3, -1]]:
            gap = both_ways(used_points(scene, clip, time), used_points(other, back, time))
            assert gap < 5e-5, (clip.name, time)


@needs_blender
@needs_data
@pytest.mark.parametrize(
    ("name", "bones", "clips"),
    [
        ("Cow", 28, ["Death", "Idle", "Jump", "Run", "Walk", "WalkSlow"]),
        ("Pig", 24, ["Idle", "Jump"]),
    ],
)
def test_fbx_characters_load_with_their_clips(tmp_path, name, bones, clips):
    glb = read_through_blender(DATA / f"characters/fbx/{name}.fbx", tmp_path)
    assert glb == tmp_path / f"{name}.glb"
    scene, found, _ = read_scene(read_document(glb))
    assert [clip.name for clip in found] == [f"Armature|{clip}" for clip in clips]
    assert all(clip.start == 0.0 and clip.duration > 0.5 for clip in found)
    assert len(scene.joint_nodes) == bones
    assert not any(n.endswith("_end") for n in scene.nodes.names)
    character = make_character(name, scene)
    assert character.weights is not None
    assert character.skeleton.names[0] == "Body"
    assert {"BackFoot.L", "FrontFoot.R", "Head"} <= set(character.skeleton.names)
    rest = used_points(scene, found[0], 0.0)
    moved = max(both_ways(rest, used_points(scene, c, t)) for c in found for t in np.linspace(c.start, c.end, 5))
    assert moved > 0.02


ROBOT, BIRD = "quaternius-more/RobotExpressive", "quaternius-more/Animals_Pack__bird"


@needs_blender
@needs_data
@pytest.mark.parametrize(
    ("name", "suffix"),
    [("khronos/Fox", ".blend"), (ROBOT, ".fbx"), (BIRD, ".blend"), (BIRD, ".fbx"), ("quaternius/Wolf", ".fbx")],
)
def test_a_character_survives_the_way_there_and_back(tmp_path, name, suffix):
    """Fox: 155 units high, a texture, keys off any frame. Robot: morphs, unskinned limbs, scale 100. Bird: NaN weights.

    The bird's bind pose comes back turned: the file draws it by a tilted node, Blender stands it on its armature.
    """
    source = DATA / f"characters/{name}.glb"
    out = tmp_path / f"out{suffix}"
    write_suffix(source, out)
    assert [p.name for p in tmp_path.iterdir()] == [out.name]
    assert_same_character(source, read_through_blender(out, tmp_path), same_bind="bird" not in name)


MORE = ["quaternius/Wolf", "quaternius/Trex", "quaternius/Mech-draco", "mesh2motion/fox-animated", "kaykit/Knight"]


@needs_blender
@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".fbx", ".blend"])
@pytest.mark.parametrize("name", [*MORE, "khronos/Fox", ROBOT])
def test_more_characters_survive_the_way_there_and_back(tmp_path, name, suffix):
    source = DATA / f"characters/{name}.glb"
    write_suffix(source, tmp_path / f"out{suffix}")
    assert_same_character(source, read_through_blender(tmp_path / f"out{suffix}", tmp_path))


@needs_blender
@pytest.mark.parametrize("suffix", [".fbx", ".blend"])
def test_a_made_character_survives_and_replaces_the_old_file(tmp_path, suffix):
    source = tower(tmp_path)
    out = tmp_path / f"out{suffix}"
    out.write_text("old")
    write_suffix(source, out)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([source.name, out.name])
    assert out.read_bytes()[:3] != b"old"
    folder = tmp_path / "back"
    folder.mkdir()
    assert_same_character(source, read_through_blender(out, folder))


@needs_blender
def test_scripts_in_a_blend_file_are_not_run(tmp_path):
    """The file has a text that registers itself on loading, a Python driver and a load handler in it."""
    marker = tmp_path / "ran.txt"
    maker = f"""
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_cube_add()
text = bpy.data.texts.new("evil.py")
text.write("import pathlib; pathlib.Path({str(marker)!r}).write_text('script')")
text.use_module = True
curve = bpy.context.object.driver_add("location", 0)
curve.driver.expression = "__import__('pathlib').Path({str(marker)!r}).write_text('driver') * 0.0"
bpy.context.preferences.filepaths.use_scripts_auto_execute = True
bpy.ops.wm.save_as_mainfile(filepath={str(tmp_path / "evil.blend")!r})
"""
    subprocess.run([sys.executable, "-c", maker], check=True, capture_output=True, timeout=300)
    marker.unlink(missing_ok=True)
    opener = f"""
import bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.open_mainfile(filepath={str(tmp_path / "evil.blend")!r}, use_scripts=True)
"""
    subprocess.run([sys.executable, "-c", opener], check=True, capture_output=True, timeout=300)
    assert marker.exists(), "the file's script does not run even where it is allowed to, so this test shows nothing"
    marker.unlink()
    glb = read_through_blender(tmp_path / "evil.blend", tmp_path)
    scene, _, _ = read_scene(read_document(glb))
    assert len(scene.parts) == 1
    assert not marker.exists()


@needs_blender
@pytest.mark.parametrize("suffix", [".fbx", ".blend"])
@pytest.mark.parametrize("data", [b"", b"garbage " * 100], ids=["empty", "words"])
def test_broken_files_are_refused_with_blenders_own_words(tmp_path, suffix, data):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(data)
    with pytest.raises(AssetError) as caught:
        read_through_blender(path, tmp_path)
    message = str(caught.value)
    assert message.startswith(f"Blender could not read broken{suffix}")
    assert "Error" in message
    assert len(message) < 500
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@needs_blender
def test_a_file_with_nothing_in_it_is_refused(tmp_path):
    path = tmp_path / "hollow.fbx"
    path.write_bytes(b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(200))
    with pytest.raises(AssetError, match="neither a mesh nor a skeleton"):
        read_through_blender(path, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@needs_blender
@needs_data
def test_a_cut_fbx_is_refused(tmp_path):
    path = tmp_path / "cut.fbx"
    data = (DATA / "characters/fbx/Pig.fbx").read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(AssetError, match=r"cut\.fbx"):
        read_through_blender(path, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@needs_blender
def test_wrong_names_and_missing_files_are_refused(tmp_path):
    with pytest.raises(AssetError, match="no such file"):
        read_through_blender(tmp_path / "absent.fbx", tmp_path)
    with pytest.raises(AssetError, match="suffix"):
        write_through_blender(tower(tmp_path), tmp_path / "out.obj")
    with pytest.raises(AssetError):
        write_through_blender(tmp_path / "absent.glb", tmp_path / "out.blend")
    assert not (tmp_path / "out.blend").exists()


@needs_blender
def test_a_slow_blender_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(blender, "BLENDER_TIMEOUT_SECONDS", 0.05)
    with pytest.raises(AssetError, match=r"did not write out\.blend within 0\.05 s"):
        write_through_blender(tower(tmp_path), tmp_path / "out.blend")
    assert [p.name for p in tmp_path.iterdir()] == ["tower.glb"]


SUMMARY = {"bones": ["a", "b"], "clips": {"walk": [0.0, 1.0]}, "vertices": 8, "low": [0.0] * 3, "high": [2.0] * 3}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"bones": ["a"]}, "bones"),
        ({"clips": {}}, "clips"),
        ({"clips": {"Armature|walk": [0.0, 1.0]}}, "clips"),
        ({"clips": {"walk": [0.0, 0.9]}}, "walk"),
        ({"vertices": 7}, "vertices"),
        ({"high": [2.0, 2.0, 200.0]}, "surface"),
    ],
)
def test_a_file_that_reads_back_otherwise_is_not_kept(tmp_path, monkeypatch, change, word):
    monkeypatch.setattr(blender, "_check_blender", lambda what: None)
    monkeypatch.setattr(blender, "_run", lambda job, what: {"meant": SUMMARY, "found": SUMMARY | change})
    with pytest.raises(GambolError, match=word):
        write_through_blender(tower(tmp_path), tmp_path / "out.blend")
    assert [p.name for p in tmp_path.iterdir()] == ["tower.glb"]


@pytest.mark.parametrize(
    "change", [{"bones": ["a bone that is not there"]}, {"clips": {"sprint": [0, 1]}}, {"high": [9.0] * 3}]
)
def test_what_blender_lost_while_reading_is_noticed(tmp_path, monkeypatch, change):
    (tmp_path / "a.fbx").write_text("x")

    def convert(job, what):
        tower(tmp_path).rename(job["target"])
        scene, _, _ = read_scene(read_document(Path(job["target"])))
        points = np.concatenate([p.positions for p in scene.parts])
        low, high = ([a[0], -a[2], a[1]] for a in (points.min(0).tolist(), points.max(0).tolist()))
        return {"meant": {"bones": [], "clips": {}, "low": low, "high": high} | change, "found": None}

    monkeypatch.setattr(blender, "_check_blender", lambda what: None)
    monkeypatch.setattr(blender, "_run", convert)
    with pytest.raises(AssetError, match="on the way through Blender"):
        read_through_blender(tmp_path / "a.fbx", tmp_path)


@pytest.mark.parametrize(("version", "words"), [((3, 11), []), ((3, 12), ["Python 3.11", "bpy 5.0.1", "3.12"])])
def test_without_blender_the_error_says_what_to_install(tmp_path, monkeypatch, version, words):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(blender.sys, "version_info", (*version, 0))
    with pytest.raises(MissingExtra) as caught:
        read_through_blender(tmp_path / "a.fbx", tmp_path)
    assert str(caught.value).startswith("Reading FBX")
    assert "pip install 'gambol[blender]'" in str(caught.value)
    assert all(word in str(caught.value) for word in words)
    with pytest.raises(MissingExtra, match=r"Writing \.blend"):
        write_through_blender(tmp_path / "a.glb", tmp_path / "a.blend")


def test_the_frame_rate_has_all_keys_on_frames():
    assert baking_frame_rate(np.arange(50) / 24) == 24
    assert baking_frame_rate(np.arange(50) / 30) == 30
    assert baking_frame_rate(np.concatenate([np.arange(50) / 30, np.arange(50) / 24])) == 120
    assert baking_frame_rate(np.zeros(1)) == 24
    assert baking_frame_rate(np.array([0.0, 0.123456])) in BAKING_FRAME_RATES


def test_a_crash_is_told_from_an_error(tmp_path, monkeypatch):
    def crash(*_, **__):
        return subprocess.CompletedProcess([], -11, "", "")

    monkeypatch.setattr(subprocess, "run", crash)
    with pytest.raises(AssetError, match="code -11"):
        blender._run({"kind": "read"}, "read a.fbx")
