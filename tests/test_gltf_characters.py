"""Files with several characters: they are told apart, one is loaded, the others stay in the file as they are."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gltf_builder import GltfBuilder, box, one_hot, translation
from gltf_validator import needs_validator, validate
from real_data import characters, needs_data

from gambol.character.scene_characters import find_characters
from gambol.cli.main import main
from gambol.errors import ConfigError
from gambol.files.asset import export_clip, load
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.motion.clip import Clip

SIZES = {"Small": 0.6, "Large": 1.5, "Middle": 0.9}
APPENDED = ("accessors", "animations", "bufferViews", "buffers")


def add_tower(builder: GltfBuilder, name: str, height: float, x: float, *, armature: bool = True) -> int:
    """Three boxes on three joints, standing at x, with a hat that hangs unskinned on the top joint; gives its top node.

    Every tower has two skins on its one skeleton and a clip of its own, which bends the second joint.
    """
    step = height / 3
    heads = [np.array([x, step * j, 0.0]) for j in range(3)]
    joints = [
        builder.node(f"{name}:joint{j}", translation=heads[j] - heads[j - 1] if j else heads[0]) for j in range(3)
    ]
    hat = builder.mesh(builder.primitive(*box((-0.02, 0, -0.02), (0.02, 0.02, 0.02))), name=f"{name} hat")
    hat_node = builder.node(f"{name} hat", mesh=hat)
    for j, below in enumerate((joints[1:2], joints[2:3], [hat_node])):
        builder.json["nodes"][joints[j]]["children"] = below
    meshes = []
    for skinned in ((0, 1), (2,)):  # the second skin knows the top joint only, which hangs below the first one's
        points, faces, owners, weights = [], [], [], []
        for k, j in enumerate(skinned):
            corners, triangles = box(heads[j] - [0.1, 0, 0.1], heads[j] + [0.1, step, 0.1])
            points.append(corners)
            faces.append(triangles + 8 * k)
            one, weight = one_hot(k, 8)
            owners.append(one)
            weights.append(weight)
        primitive = builder.primitive(
            np.concatenate(points),
            np.concatenate(faces),
            JOINTS_0=np.concatenate(owners),
            WEIGHTS_0=np.concatenate(weights),
        )
        skin = builder.skin([joints[j] for j in skinned], [translation(*-heads[j]) for j in skinned])
        meshes.append(builder.node(f"{name} body{len(meshes)}", mesh=builder.mesh(primitive), skin=skin))
    bend = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, np.sin(0.2), np.cos(0.2)]]
    builder.animation(f"{name} bends", (joints[1], "rotation", [0.0, 1.0], bend, "LINEAR"))
    return builder.node(f"{name} rig", children=[joints[0], *meshes]) if armature else joints[0]


def three_towers(*, armature: bool = True, container: bool = False) -> GltfBuilder:
    builder = GltfBuilder()
    tops = [add_tower(builder, name, size, 2.0 * i, armature=armature) for i, (name, size) in enumerate(SIZES.items())]
    if container:
        builder.node("RootNode", children=[builder.node("Group", children=tops)])
    return builder


@pytest.fixture
def three(tmp_path):
    return three_towers().write_glb(tmp_path / "three.glb")


@pytest.mark.parametrize("container", [False, True])
def test_the_largest_is_loaded_and_the_choice_is_said(tmp_path, container):
    asset = load(three_towers(container=container).write_glb(tmp_path / "three.glb"))
    assert asset.character.skeleton.names == ("Large:joint0", "Large:joint1", "Large:joint2")
    assert asset.character.size == pytest.approx(1.5, rel=1e-5)
    assert len(asset.character.mesh.vertices) == 4 * 8  # three boxes and the hat
    assert [clip.name for clip in asset.clips] == ["Large bends"]
    assert any("3 characters: Small rig, Large rig, Middle rig. The largest, 'Large rig'," in w for w in asset.warnings)
    assert [(c.name, c.joints, c.vertices, c.loaded) for c in asset.characters] == [
        ("Small rig", 3, 32, False),
        ("Large rig", 3, 32, True),
        ("Middle rig", 3, 32, False),
    ]
    np.testing.assert_allclose([c.size for c in asset.characters], list(SIZES.values()), rtol=1e-5)


@pytest.mark.parametrize("name", ["Middle rig", "middle RIG"])
def test_a_character_is_chosen_by_name(three, name):
    asset = load(three, character=name)
    assert asset.character.skeleton.names[0] == "Middle:joint0"
    assert asset.warnings == ()
    low, high = asset.character.mesh.bounds
    np.testing.assert_allclose([low[1], high[1]], [0.0, 0.9], atol=1e-6)


def test_a_name_that_is_not_there_is_answered_with_those_that_are(three, tmp_path):
    with pytest.raises(
        ConfigError, match=r"no character 'Middel rig'\. Did you mean 'Middle rig'.*Small rig, Large rig"
    ):
        load(three, character="Middel rig")
    builder = GltfBuilder()
    builder.node("thing", mesh=builder.mesh(builder.primitive(*box((0, 0, 0), (1, 1, 1)))))
    with pytest.raises(ConfigError, match="has no skinned character"):
        load(builder.write_glb(tmp_path / "bare.glb"), character="Fox")


def test_skeletons_without_an_armature_node_are_named_after_their_meshes(tmp_path):
    asset = load(three_towers(armature=False).write_glb(tmp_path / "three.glb"))
    assert [c.name for c in asset.characters] == ["Small body0", "Large body0", "Middle body0"]
    assert asset.character.skeleton.names[0] == "Large:joint0"


@needs_validator
def test_export_leaves_the_other_characters_as_they_are(three, tmp_path):
    asset = load(three, character="Small rig")
    skeleton = asset.character.skeleton
    turns = np.zeros((2, len(skeleton) - 1, 3))
    turns[1] = 0.3
    written = export_clip(asset, Clip("Wave", 30.0, np.zeros((2, 6)), turns), tmp_path / "out.glb")
    before, after = read_document(three), read_document(written)
    assert {key: value for key, value in before.json.items() if key not in APPENDED} == {
        key: value for key, value in after.json.items() if key not in APPENDED
    }
    for key in ("accessors", "animations", "bufferViews"):
        assert after.json[key][: len(before.json[key])] == before.json[key]
    assert after.buffers[0].startswith(before.buffers[0])
    moved = {channel["target"]["node"] for channel in after.json["animations"][-1]["channels"]}
    assert {after.json["nodes"][node]["name"] for node in moved} <= set(skeleton.names)
    assert [issue for issue in validate(written) if issue.severity == "error"] == []
    again = load(written, character="Small rig")
    assert [clip.name for clip in again.clips] == ["Small bends", "Wave"]
    assert [clip.name for clip in load(written).clips] == ["Large bends"]


def test_skins_below_one_bone_are_one_character_even_if_it_is_no_joint(tmp_path):
    """As converters write it: the head's skin and the leg's skin list only their own joints, the hips are in none."""
    builder = GltfBuilder()
    hips = builder.node("Hips", translation=[0.0, 1.0, 0.0])
    meshes = []
    for name, y in (("Head", 0.5), ("Leg", -0.5)):
        joint = builder.node(name, translation=[0.0, y, 0.0])
        builder.json["nodes"][hips].setdefault("children", []).append(joint)
        owners, weights = one_hot(0, 8)
        corners, triangles = box((-0.1, 0.8 + y, -0.1), (0.1, 1.2 + y, 0.1))
        mesh = builder.mesh(builder.primitive(corners, triangles, JOINTS_0=owners, WEIGHTS_0=weights))
        skin = builder.skin([joint], [translation(0.0, -1.0 - y, 0.0)])
        meshes.append(builder.node(f"{name} mesh", mesh=mesh, skin=skin))
    builder.node("Armature", children=[hips, *meshes])
    asset = load(builder.write_glb(tmp_path / "person.glb"))
    assert [c.name for c in asset.characters] == ["Armature"]
    assert set(asset.character.skeleton.names) == {"Head", "Leg"}
    assert asset.warnings == ()


def test_many_skins_on_a_long_chain_take_no_time():
    """Thousands of joints below each other, each with a skin of its own: one character, found in linear time."""
    from gambol.character.scene import Scene, Skin, translated_nodes

    count = 5000
    tree = translated_nodes(tuple(map(str, range(count))), np.arange(count) - 1, np.zeros((count, 3)))
    skins = tuple(Skin(f"skin{i}", np.array([i]), np.eye(4)[None]) for i in range(1, count, 2))
    (only,) = find_characters(Scene(tree, skins))
    assert len(only.skins) == len(skins)


def test_inspect_lists_the_characters_and_convert_says_which_one_it_took(three, tmp_path, capsys):
    assert main(["inspect", str(three), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(c["name"], c["loaded"]) for c in told["characters"]] == [
        ("Small rig", False),
        ("Large rig", True),
        ("Middle rig", False),
    ]
    assert main(["inspect", str(three), "--character", "Small rig"]) == 0
    out = capsys.readouterr().out
    assert "Small rig" in out
    assert "(shown here)" in out
    assert "Small:joint1 at 0.000,0.200,0.000" in out
    assert main(["inspect", str(three), "--character", "Tiny"]) == 2
    assert "The file has: Small rig, Large rig, Middle rig" in capsys.readouterr().err.replace("\n", " ")
    target = tmp_path / "small.bvh"
    assert main(["convert", str(three), "-o", str(target), "--clip", "0", "--character", "Small rig"]) == 0
    assert "ROOT Small:joint0" in target.read_text()
    capsys.readouterr()
    assert main(["convert", str(three), "-o", str(tmp_path / "all.gltf")]) == 0
    assert "The largest, 'Large rig', is loaded" in capsys.readouterr().err.replace("\n", " ")


@needs_data
def test_real_files_hold_one_character_each():
    """Several skins on one skeleton and helmets on joints are one body; only a sample file has four skeletons."""
    for path in characters():
        if "draco" not in path.stem and path.suffix in (".glb", ".gltf"):
            found = find_characters(read_scene(read_document(path))[0])
            assert len(found) == (0 if path.stem.endswith("-mesh") else 4 if path.stem == "RecursiveSkeletons" else 1)
