"""A clip goes out: appended to a copy of the user's file, and read back as it was meant."""

import json
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import torch
from gltf_validator import needs_validator, new_errors
from real_data import character_ids, characters, needs_data

from gambol.character.scene import apply_matrix
from gambol.errors import AssetError, GambolError
from gambol.files.asset import Asset, export_clip, export_scene, load
from gambol.files.gltf.container import read_document
from gambol.motion.clip import Clip, rest_clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip import pose_scene
from gambol.motion.node_clip_conversion import clip_from_nodes, nodes_from_clip
from gambol.motion.skinning import pose_vertices

SKINNED = [p for p in characters() if not p.stem.endswith(("-mesh", "-rig"))]
SAMPLE = [
    p
    for p in SKINNED
    if p.stem in ("Wolf", "Trex", "Knight", "Fox", "RiggedFigure", "SimpleSkin", "RobotExpressive", "fox-animated")
]
GROWING = ("accessors", "animations", "bufferViews", "buffers")


def random_clip(character, seed=0, frames=4):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(frames, 6)) * [*[0.3 * character.size] * 3, 0.6, 0.6, 0.6]
    return Clip("Random", 30.0, root, rng.normal(size=(frames, len(character.skeleton) - 1, 3)) * 0.5)


class Exported(NamedTuple):
    """A real file, the random clip that was appended to a copy of it, and the copy as it was read again."""

    path: Path
    asset: Asset
    clip: Clip
    written: Path
    again: Asset


@pytest.fixture(scope="module", params=SKINNED, ids=character_ids(SKINNED))
def exported(request, tmp_path_factory):
    asset = load(request.param)
    clip = random_clip(asset.character)
    written = export_clip(asset, clip, tmp_path_factory.mktemp("exported") / request.param.name)
    return Exported(request.param, asset, clip, written, load(written))


@needs_data
def test_random_pose_exported_and_read_back_gives_the_same_vertices(exported):
    _, asset, clip, _, again = exported
    character = asset.character
    assert again.clips[-1].name == "Random"
    assert len(again.clips) == len(asset.clips) + 1
    meant = pose_vertices(character, clip, dtype=torch.float64)
    for frame in range(len(clip)):
        parts = pose_scene(again.character.scene, again.clips[-1], frame / clip.fps)
        found = np.concatenate([p for i, p in enumerate(parts) if i not in character.binding.loose_parts])
        found = apply_matrix(character.placement.T_world_file, found)
        assert np.abs(found - meant[frame]).max() <= 1e-4 * character.size
    # the same through the motion skeleton of the written file
    back, error = clip_from_nodes(again.character, again.clips[-1], fps=clip.fps)
    assert error <= 1e-4 * character.size
    np.testing.assert_allclose(
        pose_clip(again.character.skeleton, back)[..., :3, 3],
        pose_clip(character.skeleton, clip)[..., :3, 3],
        atol=1e-4 * character.size,
    )


@needs_data
def test_no_gap_opens_between_a_bone_and_what_hangs_on_it(exported):
    character, again = exported.asset.character, exported.again
    nodes = again.clips[-1].sample(again.character.scene.nodes, np.arange(4) / 30.0)
    binding, skeleton = character.binding, character.skeleton
    bone = np.arange(1, len(skeleton))
    T_file_bone = nodes[:, binding.bone_nodes]
    # the joint of every bone as its parent carries it, against where its own node stands
    joint_in_parent = np.linalg.inv(binding.T_file_bind[skeleton.parents[bone]]) @ binding.T_file_bind[bone][:, :, 3:]
    carried = (T_file_bone[:, skeleton.parents[bone]] @ joint_in_parent)[..., :3, 0]
    gaps = np.linalg.norm(carried - T_file_bone[:, bone][..., :3, 3], axis=-1) * character.placement.scale
    assert gaps.max() <= 1e-4 * character.size


@needs_data
def test_everything_that_was_in_the_file_keeps_its_place_and_value(exported):
    path, asset, clip, written, _ = exported
    animated = {channel.node for channel in nodes_from_clip(asset.character, clip).channels}
    assert not animated & set(asset.character.scene.nodes.matrices)
    before, after = read_document(path), read_document(written)
    assert list(before.json) == [k for k in after.json if k in before.json]
    for key, value in before.json.items():
        if key == "buffers" and before.is_glb:
            assert {k: v for k, v in after.json[key][0].items() if k != "byteLength"} == {
                k: v for k, v in value[0].items() if k != "byteLength"
            }
            assert after.json[key][1:] == value[1:]
        elif key in GROWING:
            assert after.json[key][: len(value)] == value
        else:
            assert after.json[key] == value
    if before.is_glb:
        assert after.binary_chunk[: len(before.binary_chunk)] == before.binary_chunk
        assert after.json["buffers"][0]["byteLength"] == len(after.binary_chunk)
    else:
        for entry in before.json["buffers"]:
            assert (written.parent / entry["uri"]).read_bytes() == (path.parent / entry["uri"]).read_bytes()


@needs_data
@needs_validator
@pytest.mark.parametrize("path", SAMPLE, ids=character_ids(SAMPLE))
def test_validator_finds_no_error_that_the_original_did_not_have(path, tmp_path):
    asset = load(path)
    assert new_errors(path, export_clip(asset, random_clip(asset.character), tmp_path / path.name)) == []


@needs_data
@needs_validator
@pytest.mark.slow
def test_validator_finds_no_new_error_in_any_file(exported):
    assert new_errors(exported.path, exported.written) == []


@needs_data
def test_own_clips_of_the_file_still_show_the_same(tmp_path):
    path = next(p for p in SKINNED if p.stem == "Wolf")
    asset = load(path)
    again = load(export_clip(asset, random_clip(asset.character), tmp_path / "w.glb"))
    for name in ("Gallop", "Walk"):
        for old, new in zip(
            pose_scene(asset.character.scene, asset.clip(name), 0.3),
            pose_scene(again.character.scene, again.clip(name), 0.3),
            strict=True,
        ):
            np.testing.assert_array_equal(old, new)


@needs_data
def test_walk_of_a_wolf_survives_as_pure_rotations():
    asset = load(next(p for p in SKINNED if p.stem == "Wolf"))
    _, error = clip_from_nodes(asset.character, asset.clip("Walk"))
    assert error <= 0.005 * asset.character.size


@needs_data
def test_a_gltf_becomes_one_glb_and_a_glb_one_gltf(tmp_path):
    simple = next(p for p in SKINNED if p.stem == "SimpleSkin")
    asset = load(simple)
    packed = load(export_clip(asset, random_clip(asset.character), tmp_path / "one.glb"))
    unpacked = load(export_clip(packed, random_clip(asset.character, 1), tmp_path / "two.gltf"))
    assert [c.name for c in unpacked.clips] == [*[c.name for c in asset.clips], "Random", "Random.2"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["one.glb", "two.gltf"]
    np.testing.assert_array_equal(unpacked.character.mesh.vertices, asset.character.mesh.vertices)
    for time in (0.0, 0.1):
        for a, b in zip(
            pose_scene(packed.character.scene, packed.clips[-1], time),
            pose_scene(unpacked.character.scene, unpacked.clips[-2], time),
            strict=True,
        ):
            np.testing.assert_array_equal(a, b)


def test_a_scene_made_by_code_is_written_and_read(tmp_path):
    from character_made_by_code import two_bone_scene

    scene = two_bone_scene()
    written = export_scene(scene, (), tmp_path / "made.glb")
    asset = load(written, scale=1.0, facing="+z")
    np.testing.assert_allclose(asset.character.scene.parts[0].positions, scene.parts[0].positions, atol=1e-6)
    np.testing.assert_allclose(asset.character.scene.skins[0].inverse_binds, scene.skins[0].inverse_binds, atol=1e-6)
    clip = rest_clip(asset.character.skeleton, 2, 30.0, name="Bend")
    clip.angles[1, :, 0] = 0.7
    again = load(export_clip(asset, clip, tmp_path / "bent.glb"), scale=1.0, facing="+z")
    back, error = clip_from_nodes(again.character, again.clips[0])
    np.testing.assert_allclose(back.angles, clip.angles, atol=1e-6)
    assert error < 1e-6


def test_an_animated_matrix_node_is_opened_into_trs(tmp_path):
    from character_made_by_code import two_bone_scene

    scene = two_bone_scene()
    path = export_scene(scene, (), tmp_path / "made.glb")
    document = read_document(path)
    entry = document.json["nodes"][int(scene.skins[0].joints[1])]
    entry["matrix"] = scene.nodes.T_parent_node[int(scene.skins[0].joints[1])].T.ravel().tolist()
    for key in ("translation", "rotation", "scale"):
        del entry[key]
    from gambol.files.gltf.encode import encode_glb

    path.write_bytes(encode_glb(document.json, document.binary_chunk))
    asset = load(path, scale=1.0, facing="+z")
    clip = rest_clip(asset.character.skeleton, 2, 30.0, name="Bend")
    clip.angles[1, :, 0] = 0.7
    again = load(export_clip(asset, clip, tmp_path / "bent.glb"), scale=1.0, facing="+z")
    assert not again.character.scene.nodes.matrices
    np.testing.assert_allclose(clip_from_nodes(again.character, again.clips[0])[0].angles, clip.angles, atol=1e-6)


def test_a_failing_export_leaves_nothing_behind_and_keeps_what_was_there(tmp_path, monkeypatch):
    from character_made_by_code import two_bone_scene

    from gambol.files import asset as module

    asset = load(export_scene(two_bone_scene(), (), tmp_path / "made.glb"))
    target = tmp_path / "out.glb"
    target.write_bytes(b"precious")

    def broken(*_):
        raise GambolError("read-back failed")

    monkeypatch.setattr(module, "_read_back", broken)
    with pytest.raises(GambolError, match="read-back failed"):
        export_clip(asset, rest_clip(asset.character.skeleton, 2, 30.0), target)
    assert target.read_bytes() == b"precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["made.glb", "out.glb"]


@pytest.mark.parametrize("name", ["out.abc", "out", "out.obj"])
def test_an_unknown_format_is_refused_before_anything_is_written(name, tmp_path):
    from character_made_by_code import two_bone_scene

    with pytest.raises(AssetError, match="Gambol writes"):
        export_scene(two_bone_scene(), (), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@needs_data
def test_resources_of_a_gltf_are_laid_beside_the_copy_and_never_overwritten(tmp_path):
    simple = next(p for p in SKINNED if p.stem == "SimpleSkin")
    asset = load(simple)
    export_clip(asset, random_clip(asset.character), tmp_path / "copy.gltf")
    names = [b["uri"] for b in json.loads(simple.read_text())["buffers"]]
    assert {p.name for p in tmp_path.iterdir()} == {"copy.gltf", *names}
    (tmp_path / names[0]).write_bytes(b"another")
    with pytest.raises(AssetError, match="in the way"):
        export_clip(asset, random_clip(asset.character), tmp_path / "copy2.gltf")
    assert not (tmp_path / "copy2.gltf").exists()
    shutil.rmtree(tmp_path)


def test_no_verb_writes_over_the_file_that_it_read(tmp_path):
    """Whatever the output is called: the same path, another spelling of it, or a link to it."""
    from gambol.app.convert import convert_file
    from gambol.app.new import write_creature
    from gambol.app.rig import rig_file

    path = write_creature("fox", tmp_path / "fox.glb", motions=("walk",))
    (tmp_path / "sub").mkdir()
    link = tmp_path / "link.glb"
    link.symlink_to(path)
    before, asset = path.read_bytes(), load(path)
    clip = rest_clip(asset.character.require_skeleton(), 4, 30.0)
    for target in (path, tmp_path / "sub" / ".." / "fox.glb", link):
        for write in (
            lambda target: export_clip(asset, clip, target),
            lambda target: rig_file(path, target),
            lambda target: convert_file(path, target),
        ):
            with pytest.raises(AssetError, match="never changed in place"):
                write(target)
    assert path.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} == {"fox.glb", "link.glb", "sub"}
