"""Rigs for bare meshes: type, symmetry, facing, joints inside; given skeletons; weights changed; what is written."""

import json
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh
from bodies_made_by_code import bare_character

from gambol.app.rig import RigSettings, rig_file, rig_mesh
from gambol.character.character import make_character
from gambol.character.mesh import Mesh
from gambol.character.rigging.bone_ends import bone_tails
from gambol.character.rigging.bone_names import NAMINGS, rename_bones
from gambol.character.rigging.choose_template import BODY_TYPES
from gambol.character.rigging.edit_weights import (
    make_parts_rigid,
    mirror_bones,
    smooth_weights,
    symmetrise_weights,
    transfer_weights,
)
from gambol.character.rigging.rig import find_rig
from gambol.character.rigging.rigged_scene import rigged_scene, strip_rig
from gambol.character.rigging.template_placement import neck_height
from gambol.character.rigging.voxel_solid import voxelise
from gambol.character.scene import NodeTree, Scene, Skin, apply_matrix, translated_nodes
from gambol.character.transforms import compose_trs
from gambol.character.weights import SkinWeights, weights_from_dense
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.errors import AssetError, ConfigError, MissingPart
from gambol.files.asset import Asset, export_asset, export_scene, load
from gambol.files.rignet_text import read_rig_text, read_text_weights
from gambol.view.rig_pictures import deformation_clip, rig_sheet

CASES = {"fox": "quadruped", "human": "biped", "eagle": "bird", "raptor": "theropod", "spider": "spider"}


@pytest.fixture(scope="module")
def bare():
    """A bare body of every type."""
    return {name: strip_rig(make_creature(name, vertices=2500).character()) for name in (*CASES, "snake")}


@pytest.fixture(scope="module")
def fox_file(bare, tmp_path_factory):
    path = tmp_path_factory.mktemp("rig") / "fox-mesh.glb"
    return export_scene(bare["fox"].scene, (), path)


def turned(character, quarter_turns):
    """The same body in a file that is turned about the vertical."""
    angle = 0.5 * np.pi * quarter_turns
    R = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    parts = tuple(replace(p, positions=(p.positions @ R.T).astype(np.float32)) for p in character.scene.parts)
    return make_character(character.name, replace(character.scene, parts=parts), scale=1.0), R


@pytest.mark.parametrize("name", [*CASES, "snake"])
def test_a_bare_body_shows_its_type_and_gets_joints_inside(bare, name):
    character = bare[name]
    rig = find_rig(character)
    assert rig.kind == CASES.get(name, "snake")
    solid = voxelise(character.mesh.vertices, character.mesh.triangles)
    heads = apply_matrix(character.placement.T_world_file, rig.T_file_joint[:, :3, 3])
    assert (solid.depth_at(heads) > 0).all()
    assert all(parent < bone for bone, parent in enumerate(rig.parents))
    assert rig.parents.count(-1) == 1


@pytest.mark.parametrize("name", CASES)
def test_left_and_right_joints_mirror_each_other(bare, name):
    character = bare[name]
    rig = find_rig(character)
    place = dict(
        zip(rig.names, apply_matrix(character.placement.T_world_file, rig.T_file_joint[:, :3, 3]), strict=True)
    )
    sided = [n for n in place if n.endswith(".L")]
    assert sided
    middle = {round(float(place[n][2] + place[n[:-1] + "R"][2]), 4) for n in sided}
    assert max(middle) - min(middle) < 0.01 * character.size
    assert all(place[n][2] < place[n[:-1] + "R"][2] for n in sided)


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_the_way_that_a_body_looks_is_found_in_any_direction(bare, quarter_turns):
    straight = find_rig(bare["fox"])
    character, R = turned(bare["fox"], quarter_turns)
    rig = find_rig(character)
    forward = R @ np.array({"+z": [0, 0, 1]}[straight.facing])
    assert (
        rig.facing
        == {(1, 0): "+x", (-1, 0): "-x", (0, 1): "+z", (0, -1): "-z"}[tuple(np.round(forward[::2]).astype(int))]
    )
    there = rig.T_file_joint[:, :3, 3]
    assert np.linalg.norm(there - straight.T_file_joint[:, :3, 3] @ R.T, axis=1).mean() < 0.02 * character.size


def test_the_joints_lie_near_the_reference(bare):
    reference = make_creature("fox", vertices=2500).character().skeleton
    rig = find_rig(bare["fox"])
    place = dict(
        zip(rig.names, apply_matrix(bare["fox"].placement.T_world_file, rig.T_file_joint[:, :3, 3]), strict=True)
    )
    wanted = ("Thigh.L", "Shin.R", "UpperArm.L", "Neck1", "Head", "Tail1")
    gaps = [np.linalg.norm(place[n] - reference.heads[reference.names.index(n)]) for n in wanted]
    assert np.mean(gaps) < 0.06 * bare["fox"].size


def test_the_neck_of_a_person_is_the_narrow_place_below_the_head():
    """Shoulders, a neck and a head of known heights on two legs, with the arms up, down or as a T."""
    trunk = [trimesh.creation.box(size).apply_translation([0, y, 0]) for size, y in (((0.2, 0.5, 0.3), 0.65),)]
    neck = trimesh.creation.box((0.08, 0.1, 0.06)).apply_translation([0, 0.9, 0])
    head = trimesh.creation.box((0.16, 0.15, 0.14)).apply_translation([0, 1.0, 0])
    legs = [trimesh.creation.box((0.1, 0.45, 0.1)).apply_translation([0, 0.225, z]) for z in (-0.09, 0.09)]
    for height in (0.45, 0.86):
        arms = [trimesh.creation.box((0.06, 0.06, 0.3)).apply_translation([0, height, z]) for z in (-0.25, 0.25)]
        body = trimesh.util.concatenate([*trunk, neck, head, *legs, *arms])
        found = neck_height(voxelise(np.array(body.vertices), np.array(body.faces)))
        assert abs(found - 0.9125) < 0.03  # the neck is seen from the shoulders, 0.9, to the chin, 0.925


def test_binding_leaves_the_surface_where_it_was(bare):
    """Whatever transform the drawing node has."""
    scene = bare["fox"].scene
    count = len(scene.nodes)
    nodes = replace(
        scene.nodes,
        translations=np.tile([0.3, 1.0, -2.0], (count, 1)),
        rotations_wxyz=np.tile([np.cos(0.2), 0.0, np.sin(0.2), 0.0], (count, 1)),
        scales=np.full((count, 3), 0.01),
    )
    T = np.linalg.inv(compose_trs(nodes.translations[:1], nodes.rotations_wxyz[:1], nodes.scales[:1])[0])
    parts = tuple(replace(p, positions=apply_matrix(T, p.positions).astype(np.float32)) for p in scene.parts)
    character = make_character("fox", replace(scene, nodes=nodes, parts=parts), scale=1.0)
    rig = find_rig(character)
    rows = len(character.mesh.vertices)
    weights = weights_from_dense(np.random.default_rng(0).uniform(size=(rows, len(rig))))
    rigged = make_character("fox", rigged_scene(character, rig, weights), scale=1.0, facing=rig.facing)
    assert np.abs(rigged.mesh.vertices - character.mesh.vertices).max() < 1e-5 * character.size
    assert rigged.binding.changes == ()
    assert rigged.skeleton.names[0] == "Hips"


def test_a_rigged_file_keeps_what_the_mesh_file_had(fox_file, tmp_path):
    rigged = rig_file(fox_file)
    out = export_asset(rigged.asset, tmp_path / "rigged.glb")
    old, new = gltf_json(fox_file), gltf_json(out)
    assert new["materials"] == old["materials"]
    assert new["accessors"][: len(old["accessors"])] == old["accessors"]
    assert new["nodes"][0].keys() - {"skin"} == old["nodes"][0].keys()
    assert len(new["skins"][0]["joints"]) == len(rigged.rig)
    again = load(out).character
    mesh, skeleton, weights = again.require_skin()
    assert set(skeleton.names) == set(rigged.rig.names)
    assert np.abs(mesh.vertices - load(fox_file).character.mesh.vertices).max() < 1e-5
    assert (weights.mass() > 0).all()


def gltf_json(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack("<I", data[12:16])[0]])


def test_a_rig_that_is_there_is_replaced(tmp_path):
    creature = make_creature("human", vertices=2500)
    path = export_scene(creature.scene, (), tmp_path / "human.glb")
    rigged = rig_file(path, naming="mixamo")
    assert "mixamorig:LeftUpLeg" in rigged.asset.character.skeleton.names
    assert "Thigh.L" not in rigged.asset.character.scene.nodes.names


@pytest.mark.parametrize("naming", NAMINGS)
def test_names_differ_and_tell_sides_in_every_naming(naming):
    names = ("Hips", "Spine1", "Chest", "Neck1", "Head", "Thigh.L", "Thigh.R", "Hock.L", "Hock.R", "Tail1", "Wing1.L")
    renamed = rename_bones(names, naming)
    assert len(set(renamed)) == len(names)
    if naming != "gambol":
        assert (
            renamed[5]
            == {
                "mixamo": "mixamorig:LeftUpLeg",
                "unreal": "thigh_l",
                "unity": "LeftUpperLeg",
                "vrm": "leftUpperLeg",
            }[naming]
        )


def test_a_given_skeleton_is_used_as_it_is_and_fitted(fox_file, tmp_path):
    creature = make_creature("fox", vertices=2500)
    own = export_scene(creature.scene, (), tmp_path / "own.glb")
    rigged = rig_file(fox_file, skeleton=own)
    ours, theirs = rigged.asset.character, creature.character()
    assert set(ours.skeleton.names) == set(theirs.skeleton.names)
    order = [ours.skeleton.names.index(n) for n in theirs.skeleton.names]
    assert np.abs(ours.skeleton.heads[order] - theirs.skeleton.heads).max() < 1e-4
    far = replace(creature.scene, parts=tuple(replace(p, positions=10 * p.positions) for p in creature.scene.parts))
    nodes = replace(far.nodes, translations=10 * far.nodes.translations)
    skins = tuple(replace(s, inverse_binds=scaled_binds(s.inverse_binds)) for s in far.skins)
    large = export_scene(replace(far, nodes=nodes, skins=skins), (), tmp_path / "large.glb")
    fitted = rig_file(fox_file, skeleton=large, fit=True).asset.character
    assert np.abs(fitted.skeleton.heads[order] - theirs.skeleton.heads).max() < 0.02
    for options in ({"skeleton": large}, {"weights_from": large}):
        with pytest.raises(AssetError, match=r"large\.glb is .* times as large .* with --fit"):
            rig_file(fox_file, **options)
    near, far_off = (
        rig_file(fox_file, weights_from=file, fit=fit).asset.character.weights.mass()
        for file, fit in ((own, False), (large, True))
    )
    assert np.abs(near - far_off).max() < 0.02 * near.max(), "weights are fitted with the skeleton"


def scaled_binds(binds):
    binds = binds.copy()
    binds[:, :3, 3] *= 10
    return binds


def test_bones_end_where_the_rigs_own_axes_say():
    """A chain along y with an end node; a side joint whose bone points along its own y; a rig of another axis."""
    quarter = np.array([np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)])  # y of the joint along -x
    rotations = np.array([[1, 0, 0, 0]] * 3 + [quarter, [1, 0, 0, 0]], float)
    moves = np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0], [0.2, 0.5, 0], [0, 0.5, 0]], float)
    nodes = NodeTree(
        ("a", "b", "end", "side", "tip"), np.array([-1, 0, 1, 0, 3]), moves, rotations, np.ones((5, 3)), {}
    )
    binds = {n: nodes.T_world_node[n] for n in (0, 1, 3)}
    skin = Skin("s", np.array([0, 1, 3]), np.linalg.inv(nodes.T_world_node[[0, 1, 3]]))
    tails = bone_tails(Scene(nodes, (skin,)), binds, 2.0)
    assert np.allclose(tails[0], [0, 1, 0])
    assert np.allclose(tails[1], [0, 2, 0])
    assert np.allclose(tails[3], [0.2 - 0.5, 0.5, 0])


@pytest.mark.parametrize(("height", "end"), [(0.95, np.hypot(0.95, 0.1)), (0.6, 1.0)])
def test_a_chest_ends_at_shoulders_that_leave_it_near_its_end(height, end):
    moves = np.array([[0, 0, 0], [0, 1, 0], [0.1, height, 0], [-0.1, height, 0], [0, 0.5, 0]], float)
    names, parents = ("chest", "neck", "arm.L", "arm.R", "head"), np.array([-1, 0, 0, 0, 1])
    nodes = translated_nodes(names, parents, moves)
    skin = Skin("s", np.arange(5), np.linalg.inv(nodes.T_world_node))
    tails = bone_tails(Scene(nodes, (skin,)), dict(enumerate(nodes.T_world_node)), 2.0)
    assert np.allclose(tails[0], [0, end, 0])
    assert np.allclose(tails[1], [0, 1.5, 0])


def test_weights_are_made_symmetric():
    points = np.array([[0, 0, -1], [0, 0, 1], [1, 1, -1], [1, 1, 1], [0, 5, 0.0]])
    full = np.array([[0.8, 0.2], [0.4, 0.6], [1.0, 0.0], [0.0, 1.0], [0.9, 0.1]])
    partner = mirror_bones(("Leg.L", "Leg.R"), np.array([[0, 0, -1.0], [0, 0, 1.0]]), 2.0)
    assert partner.tolist() == [1, 0]
    done = symmetrise_weights(weights_from_dense(full), points, partner).dense()
    assert np.allclose(done, [[0.7, 0.3], [0.3, 0.7], [1, 0], [0, 1], [0.5, 0.5]], atol=1e-6)


def test_smoothing_spreads_weights_and_keeps_sums():
    sphere = trimesh.creation.icosphere(subdivisions=3)
    mesh = plain_mesh(np.array(sphere.vertices), np.array(sphere.faces))
    hard = weights_from_dense(np.stack([mesh.vertices[:, 0] > 0, mesh.vertices[:, 0] <= 0], 1).astype(float))
    soft = smooth_weights(mesh, hard, 0.1)
    assert np.abs(soft.dense().sum(1) - 1).max() < 1e-6
    near = np.abs(mesh.vertices[:, 0]) < 0.05
    assert soft.dense()[near].max(1).mean() < 0.7
    assert smooth_weights(mesh, hard, 0.0) is hard


def test_loose_parts_become_rigid_where_a_bone_leads():
    box = trimesh.creation.box()
    points = np.concatenate([box.vertices, np.add(box.vertices, [3, 0, 0]), [[9, 9, 9]]])
    mesh = plain_mesh(points, np.concatenate([box.faces, box.faces + 8]))
    rows = np.concatenate([np.tile([0.7, 0.3, 0.0], (8, 1)), np.tile([0.4, 0.3, 0.3], (8, 1)), [[0.1, 0.2, 0.7]]])
    done = make_parts_rigid(mesh, weights_from_dense(rows)).dense()
    assert np.array_equal(done[:8], np.tile([1, 0, 0], (8, 1)))
    assert np.allclose(done[8:16], rows[8:16], atol=1e-6)
    assert np.array_equal(done[16], [0, 0, 1])


def test_weights_move_to_another_mesh_of_the_same_surface():
    sphere, other = trimesh.creation.icosphere(subdivisions=4), trimesh.creation.icosphere(subdivisions=3)
    mesh = plain_mesh(np.array(sphere.vertices), np.array(sphere.faces))
    share = 0.5 + 0.5 * mesh.vertices[:, :1]
    moved = transfer_weights(
        np.array(other.vertices), mesh, weights_from_dense(np.concatenate([share, 1 - share], 1))
    ).dense()
    assert np.abs(moved[:, 0] - (0.5 + 0.5 * other.vertices[:, 0])).max() < 0.01


def plain_mesh(points, faces):
    return Mesh(points, faces, np.zeros(len(faces), int))


RIG_TEXT = (
    "joints a 0 0 0\njoints b 0 1 0\njoints c 1 1 0\nroot a\nhier a b\nhier b c\nskin 0 a 0.5 b 0.5\nskin 1 c 1\n"
)


def test_rigs_of_other_riggers_are_read(tmp_path):
    path = tmp_path / "rig.txt"
    path.write_text(RIG_TEXT)
    scene = read_rig_text(path)
    assert scene.nodes.names == ("a", "b", "c")
    assert scene.nodes.parents.tolist() == [-1, 0, 1]
    assert np.allclose(scene.nodes.T_world_node[2, :3, 3], [1, 1, 0])
    weights = read_text_weights(path, ("a", "b", "c"), 2).dense()
    assert np.allclose(weights, [[0.5, 0.5, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("nothing", "names 0 joints"),
        ("joints a 0 0", "line 1"),
        ("joints a 0 0 0\nhier a b", "gives no joints"),
        ("joints a 0 0 0\njoints b 0 0 1\nhier a b\nhier b a", "in a circle"),
        ("joints a 0 0 nan\nroot a", "not finite"),
    ],
)
def test_broken_rig_texts_are_refused_with_a_sentence(tmp_path, text, said):
    path = tmp_path / "rig.txt"
    path.write_text(text)
    with pytest.raises(AssetError, match=said):
        read_rig_text(path)


def test_bodies_that_fit_no_template_are_refused_with_a_sentence(bare):
    ball = trimesh.creation.icosphere(subdivisions=3)
    with pytest.raises(AssetError, match="no feet that come in pairs"):
        find_rig(bare_character(np.array(ball.vertices), np.array(ball.faces)))
    arms = [
        trimesh.creation.box((0.2, 0.2, 3)),
        trimesh.creation.box((0.2, 2, 0.2)),
        trimesh.creation.box((3, 0.2, 0.2)),
    ]
    arms = [arm.apply_translation(shift) for arm, shift in zip(arms, np.diag([1.0, 1.4, 1.3])[::-1], strict=True)]
    heap = trimesh.util.concatenate([*arms, trimesh.creation.box((0.5, 0.2, 0.3)).apply_translation([1.2, 0, 1.2])])
    with pytest.raises(AssetError, match="no plane of symmetry"):
        find_rig(bare_character(np.array(heap.vertices), np.array(heap.faces)))
    with pytest.raises(AssetError, match="needs two pairs of feet"):
        find_rig(bare["human"], "quadruped")
    with pytest.raises(ConfigError, match=f"there are auto, {BODY_TYPES[0]}"):
        find_rig(bare["human"], "horse")
    with pytest.raises(AssetError, match="no extent"):
        find_rig(bare_character(np.zeros((3, 3)), np.array([[0, 1, 2]])))
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    with pytest.raises(AssetError, match="flat or holds no space"):
        find_rig(bare_character(square, np.array([[0, 1, 2], [0, 2, 3]])))


@pytest.mark.parametrize("template", ["bird", "theropod", "biped"])
def test_a_template_can_be_forced_on_another_body(bare, template):
    rig = find_rig(bare["fox"], template)
    assert rig.kind == template
    assert np.isfinite(rig.T_file_joint).all()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"smooth": -1.0}, "cannot be smoothed"),
        ({"smooth": float("nan")}, "cannot be smoothed"),
        ({"skeleton": Path("a.glb"), "weights_from": Path("b.glb")}, "either"),
        ({"skeleton": Path("a.glb"), "template": "bird"}, "leave out --template"),
        ({"skeleton": Path("a.glb"), "naming": "vrm"}, "--naming"),
        ({"fit": True}, "no skeleton to fit"),
        ({"template": "horse"}, "there are auto, biped"),
        ({"naming": "maya"}, "there are gambol, mixamo"),
        ({"facing": "north"}, "'north'"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings, said):
    with pytest.raises(ConfigError, match=said):
        RigSettings(**settings)


def test_a_rig_without_a_mesh_cannot_be_rigged(bare, tmp_path):
    path = tmp_path / "rig.txt"
    path.write_text(RIG_TEXT)
    asset = Asset(path, make_character("rig.txt", read_rig_text(path)), (), None, ())
    with pytest.raises(MissingPart, match="--skeleton"):
        rig_mesh(asset)


def test_the_verb_writes_a_file_a_sheet_and_a_page(fox_file, tmp_path, capsys):
    out, sheet, page = (tmp_path / f"fox.{suffix}" for suffix in ("glb", "png", "html"))
    given = ["rig", str(fox_file), "-o", str(out), "--sheet", str(sheet), "--page", str(page), "--symmetric"]
    assert main(given) == 0
    assert "quadruped" in capsys.readouterr().out
    assert load(out).character.weights is not None
    assert sheet.stat().st_size > 10_000
    assert "test poses" in page.read_text()
    assert main(["rig", str(fox_file), "-o", str(tmp_path / "fox.txt")]) == 2
    assert main(["rig", str(fox_file), "-o", str(out), "--skeleton", str(tmp_path / "no.glb")]) == 2


def test_test_poses_start_and_end_at_rest(bare):
    rigged = make_creature("fox", vertices=2500).character()
    clip = deformation_clip(rigged)
    clip.check_fits(rigged.skeleton)
    assert np.abs(clip.angles[[0, -1]]).max() == 0
    assert rig_sheet.__doc__


def test_weights_name_only_bones_of_the_rig(fox_file):
    rigged = rig_file(fox_file, smooth=0.01, rigid_parts=True)
    weights = rigged.asset.character.weights
    assert isinstance(weights, SkinWeights)
    assert np.abs(weights.weights.sum(1) - 1).max() < 1e-4
