"""Skeletons for bodies of every shape: dense meshes, fishes, dragons; facing, confidence, refusals."""

import os
from pathlib import Path

import bodies_made_by_code
import numpy as np
import pytest
import trimesh
from bodies_made_by_code import bare_character, finned, subdivided

from gambol.app.rig import RigSettings, rig_file, rig_mesh
from gambol.character.rigging.body_analysis import analyse_body
from gambol.character.rigging.confidence import WARNING_CONFIDENCE
from gambol.character.rigging.fins import find_tail_fin
from gambol.character.rigging.rig import find_rig
from gambol.character.rigging.rigged_scene import strip_rig
from gambol.character.rigging.voxel_solid import voxelise
from gambol.character.scene import apply_matrix
from gambol.cli.main import main
from gambol.creatures.catalogue import make_creature
from gambol.errors import AssetError, ConfigError
from gambol.files.asset import export_scene, load

DATA = os.environ.get("GAMBOL_DATA")
with_data = pytest.mark.skipif(not DATA, reason="GAMBOL_DATA is not set")
FISHES = ("fish", "shark", "whale", "torpedo")


def real(name):
    return load(Path(str(DATA)) / "characters" / "mesh2motion" / f"{name}-mesh.glb").character


def joints(character, rig):
    """Positions of the joints in Gambol's world, by name."""
    places = apply_matrix(character.placement.T_world_file, rig.T_file_joint[:, :3, 3])
    return dict(zip(rig.names, places, strict=True))


def file_joints(rig):
    return dict(zip(rig.names, rig.T_file_joint[:, :3, 3], strict=True))


def assert_same_joints(one, other, size, tolerance=0.01):
    assert one.kind == other.kind
    assert one.facing == other.facing
    assert one.names == other.names
    gaps = np.linalg.norm(one.T_file_joint[:, :3, 3] - other.T_file_joint[:, :3, 3], axis=1)
    assert gaps.max() < tolerance * size


def assert_inside(character, rig):
    solid = voxelise(character.mesh.vertices, character.mesh.triangles)
    assert (solid.depth_at(np.array(list(joints(character, rig).values()))) > 0).all()


class TestDenseMeshes:
    @with_data
    @pytest.mark.parametrize(("name", "times"), [("human", 2), ("dragon", 3), ("fox", 2), ("bird", 2)])
    def test_joints_do_not_depend_on_the_number_of_triangles(self, name, times):
        """The human has 220,112 triangles after two subdivisions; its arms were lost there."""
        coarse = real(name)
        dense = subdivided(coarse, times)
        assert len(dense.mesh.triangles) == 4**times * len(coarse.mesh.triangles)
        one, other = find_rig(coarse), find_rig(dense)
        assert_same_joints(one, other, coarse.size)
        assert one.confidence.overall == pytest.approx(other.confidence.overall, abs=0.02)

    @pytest.mark.parametrize("body", ["fox", "eagle", "human", "spider", "snake"])
    def test_joints_of_creatures_do_not_depend_on_it_either(self, body):
        coarse = strip_rig(make_creature(body, vertices=1500).character())
        dense = subdivided(coarse, 2)
        assert_same_joints(find_rig(coarse), find_rig(dense), coarse.size)

    @with_data
    def test_a_person_in_a_t_pose_has_arms_out_to_the_hands(self):
        human = real("human")
        places = joints(human, find_rig(human))
        hands = np.abs([places["Hand.L"][2], places["Hand.R"][2]])
        reach = np.abs(human.mesh.vertices[:, 2]).max()
        assert (hands > 0.7 * reach).all()
        assert {"Clavicle.L", "UpperArm.R", "Forearm.L"} <= set(places)

    def test_voxels_are_those_near_the_surface_or_inside(self):
        """A ball: the solid is the set of voxels whose centres are inside or within half a voxel of its surface."""
        for detail in (3, 5):
            ball = trimesh.creation.icosphere(subdivisions=detail)
            solid = voxelise(np.array(ball.vertices), np.array(ball.faces))
            index = np.stack(np.meshgrid(*map(np.arange, solid.filled.shape), indexing="ij"), -1)
            radius = np.linalg.norm(solid.origin + solid.voxel * index, axis=-1)
            flat = 1.0 - np.linalg.norm(ball.triangles_center, axis=1).min()
            assert solid.filled[radius < 1.0 + 0.5 * solid.voxel - flat].all()
            assert not solid.filled[radius > 1.0 + 0.5 * solid.voxel].any()


class TestDragons:
    @with_data
    def test_the_shared_dragon_has_four_legs_two_wings_and_a_tail(self):
        dragon = real("dragon")
        rig = find_rig(dragon)
        assert rig.kind == "dragon"
        assert rig.facing == "+z"
        assert rig.confidence.overall > 0.9
        assert rig.confidence.warnings == ()
        assert_inside(dragon, rig)
        places, size = joints(dragon, rig), dragon.size
        theirs = load(Path(str(DATA)) / "characters" / "mesh2motion" / "dragon-animated.glb").character
        scale = size / theirs.size
        reference = dict(zip(theirs.skeleton.names, scale * theirs.skeleton.heads, strict=True))
        pairs = {
            **{"Foot": ("back_foot_", 0.03), "Paw": ("front_foot_", 0.03), "Thigh": ("back_leg_", 0.04)},
            **{"Forearm": ("front_ankle_", 0.03), "Wing2": ("wing_3_", 0.07), "Wing3": ("wing_5_", 0.07)},
        }
        for ours, (their, limit) in pairs.items():
            for side in "LR":
                gap = np.linalg.norm(places[f"{ours}.{side}"] - reference[f"{their}{side.lower()}"])
                assert gap < limit * size, (ours, side)
        for ours, their in {"Hips": "hips", "Head": "spine_4", "Tail1": "tail_2"}.items():
            assert np.linalg.norm(places[ours] - reference[their]) < 0.04 * size, ours

    def test_a_dragon_with_raised_wings(self):
        dragon = finned(bodies_made_by_code.standing_dragon())
        rig = find_rig(dragon)
        assert (rig.kind, rig.facing) == ("dragon", "+x")
        assert_inside(dragon, rig)
        places = file_joints(rig)
        assert places["Wing3.L"][1] > places["Wing1.L"][1] > places["Thigh.L"][1]
        parents = dict(zip(rig.names, rig.parents, strict=True))
        assert rig.names[parents["Wing1.L"]] == "Chest"
        assert {"Thigh.L", "Shin.R", "Paw.L", "Tail5", "Head"} <= set(rig.names)

    def test_animals_without_wings_are_no_dragons(self):
        for name in ("deer", "rabbit", "elephant", "turtle", "goat"):
            assert find_rig(strip_rig(make_creature(name, 5, vertices=3000).character())).kind == "quadruped"

    def test_the_template_needs_wings(self):
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        with pytest.raises(AssetError, match="needs a pair of wings"):
            find_rig(fox, "dragon")


class TestFishes:
    @pytest.mark.parametrize("name", FISHES)
    @pytest.mark.parametrize("quarter_turns", [0, 1, 2])
    def test_a_fish_is_a_fish_whatever_its_fins(self, name, quarter_turns):
        body = finned(getattr(bodies_made_by_code, name)(), quarter_turns=quarter_turns)
        rig = find_rig(body)
        assert rig.kind == "fish"
        assert rig.facing == ("+x", "-z", "-x")[quarter_turns]
        assert rig.confidence.overall > 0.9
        assert_inside(body, rig)

    def test_its_joints_lie_along_the_body_in_order(self):
        rig = find_rig(finned(bodies_made_by_code.fish()))
        places = file_joints(rig)
        spine = ("Head", "Spine1", "Hips", "Tail1", "Tail2", "Tail3", "TailFin")
        x = [places[name][0] for name in spine]
        assert (np.diff(x) < 0).all()
        assert abs(places["TailFin"][0] + 0.8) < 0.12  # the fin grows out of the thin end of the trunk
        assert all(abs(places[name][2]) < 0.02 for name in spine)
        assert np.allclose(rig.ends[rig.names.index("Head")], [0.9, 0.0, 0.0], atol=0.06)
        assert rig.ends[rig.names.index("TailFin")][0] < -1.0

    def test_its_fins_have_bones_on_the_spine_next_to_them(self):
        rig = find_rig(finned(bodies_made_by_code.fish()))
        places = file_joints(rig)
        parents = {name: rig.names[p] for name, p in zip(rig.names, rig.parents, strict=True) if p >= 0}
        assert parents["PectoralFin2.L"] == "PectoralFin1.L"
        assert parents["PectoralFin1.L"] in ("Spine1", "Head", "Hips")
        assert parents["PelvicFin.R"] in ("Hips", "Tail1")
        assert parents["DorsalFin"] in ("Hips", "Spine1", "Tail1")
        tip = rig.ends[rig.names.index("PectoralFin2.L")]
        assert np.linalg.norm(np.abs(tip) - [0.16, 0.21, 0.42]) < 0.1
        assert places["PectoralFin1.L"][2] < 0 < places["PectoralFin1.R"][2]
        assert rig.ends[rig.names.index("DorsalFin")][1] > 0.4

    def test_a_shark_has_pelvic_fins_and_no_flukes(self):
        rig = find_rig(finned(bodies_made_by_code.shark()))
        assert {"PectoralFin1.L", "PelvicFin.L", "PelvicFin.R", "DorsalFin"} <= set(rig.names)
        assert "Fluke.L" not in rig.names

    def test_a_whale_has_flukes(self):
        rig = find_rig(finned(bodies_made_by_code.whale()))
        assert {"Fluke.L", "Fluke.R", "PectoralFin1.L", "TailFin"} <= set(rig.names)
        tip = rig.ends[rig.names.index("Fluke.L")]
        assert np.linalg.norm(tip - [-1.1, 0.0, -0.42]) < 0.12

    def test_a_fish_without_paired_fins_has_only_a_spine(self):
        rig = find_rig(finned(bodies_made_by_code.torpedo()))
        assert rig.names == ("Hips", "Spine1", "Head", "Tail1", "Tail2", "Tail3", "TailFin")

    def test_a_long_body_without_fins_is_a_snake(self):
        assert find_rig(finned(bodies_made_by_code.eel())).kind == "snake"

    def test_tails_of_other_animals_are_no_fins(self):
        for name in ("fox", "horse", "eagle", "duck", "crocodile", "zebra"):
            body = analyse_body(strip_rig(make_creature(name, 3, vertices=3000).character()).mesh)
            assert find_tail_fin(body.landmarks.solid) is None, name

    def test_weights_and_the_written_file(self, tmp_path):
        source = tmp_path / "fish.obj"
        bodies_made_by_code.fish().subdivide().subdivide().export(source)
        result = rig_file(source, tmp_path / "rigged.glb")
        again = load(tmp_path / "rigged.glb").character
        assert set(again.skeleton.names) == set(result.rig.names)
        assert (again.weights.mass() > 0).all()
        assert np.abs(again.weights.weights.sum(1) - 1.0).max() < 1e-4


class TestFacing:
    @pytest.mark.parametrize(("facing", "sign"), [("+z", 1.0), ("-z", -1.0)])
    def test_a_given_facing_is_used(self, facing, sign):
        """A fox that looks along +z by its shape, and the same fox said to look backwards."""
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        rig = find_rig(fox, facing=facing)
        assert rig.facing == facing
        assert rig.confidence.facing == 1.0
        places = file_joints(rig)
        assert sign * (places["Head"][2] - places["Hips"][2]) > 0
        left = sign * places["Thigh.L"][0]
        assert left > 0 > sign * places["Thigh.R"][0]

    @pytest.mark.parametrize("make", ["fish", "standing_dragon", "eel"])
    def test_it_is_used_by_every_template(self, make):
        body = finned(getattr(bodies_made_by_code, make)())
        for facing in ("+x", "-x"):
            rig = find_rig(body, facing=facing)
            places = file_joints(rig)
            assert rig.facing == facing
            assert {"+x": 1.0, "-x": -1.0}[facing] * (places["Head"][0] - places["Hips"][0]) > 0

    def test_it_reaches_the_skeleton_from_the_file_and_from_the_settings(self, tmp_path):
        path = tmp_path / "fish.obj"
        bodies_made_by_code.fish().export(path)
        assert rig_mesh(load(path)).rig.facing == "+x"
        assert rig_mesh(load(path, facing="-x")).rig.facing == "-x"
        assert rig_mesh(load(path), RigSettings(facing="-x")).rig.facing == "-x"
        result = rig_file(path, facing="-x")
        assert result.rig.facing == "-x"
        assert result.asset.character.placement.facing == "-x"

    def test_a_facing_across_the_body_is_refused(self):
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        with pytest.raises(AssetError, match="no plane of symmetry along the direction"):
            find_rig(fox, facing="+x")

    def test_front_and_rear_that_look_alike_give_a_warning(self):
        bar = trimesh.creation.capsule(height=2.0, radius=0.08)
        bar.apply_transform(trimesh.transformations.rotation_matrix(0.5 * np.pi, [0, 1, 0]))
        body = finned(bar)
        rig = find_rig(body)
        assert rig.confidence.facing < 0.6
        assert any("--facing" in warning for warning in rig.confidence.warnings)
        assert find_rig(body, facing="-x").confidence.warnings == ()


class TestConfidence:
    @pytest.mark.parametrize("name", ["fox", "human", "eagle", "raptor", "lizard", "penguin"])
    def test_bodies_of_a_template_are_certain(self, name):
        confidence = find_rig(strip_rig(make_creature(name, vertices=3000).character())).confidence
        assert confidence.overall >= WARNING_CONFIDENCE
        assert confidence.warnings == ()

    def test_arms_without_bones_lower_the_coverage(self):
        """A person with four arms: the template has bones for two."""
        confidence = find_rig(finned(bodies_made_by_code.person(arm_heights=(0.6, 0.95))), "biped").confidence
        assert confidence.coverage < 0.5
        assert any("limbs are missing" in warning for warning in confidence.warnings)
        assert find_rig(finned(bodies_made_by_code.person(arm_heights=(0.95,)))).confidence.coverage > 0.9

    def test_a_doubtful_template_is_refused_unless_it_is_named(self):
        body = finned(bodies_made_by_code.person(arm_heights=(0.55, 0.75, 0.95)))
        with pytest.raises(
            AssetError, match="No template fits this mesh: the nearest, biped, has a confidence of 0"
        ) as no:
            find_rig(body)
        assert "--template" in str(no.value)
        assert "--skeleton" in str(no.value)
        named = find_rig(body, "biped")
        assert named.kind == "biped"
        assert named.confidence.warnings

    def test_a_person_without_arms_is_reported(self):
        confidence = find_rig(finned(bodies_made_by_code.person(arm_heights=()))).confidence
        assert confidence.limbs < WARNING_CONFIDENCE
        assert any("No arms were found" in warning for warning in confidence.warnings)

    def test_parts_that_float_beside_the_body_are_reported(self):
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        points = apply_matrix(fox.placement.T_file_world, fox.mesh.vertices)
        ball = trimesh.creation.icosphere(subdivisions=3, radius=0.12 * fox.size)
        ball.apply_translation([0.0, 1.3 * np.ptp(points[:, 1]), 0.0])
        faces = np.concatenate([fox.mesh.triangles, ball.faces + len(points)])
        rig = find_rig(bare_character(np.concatenate([points, ball.vertices]), faces), "quadruped")
        assert rig.confidence.connected < WARNING_CONFIDENCE
        assert any("not connected" in warning for warning in rig.confidence.warnings)

    def test_what_no_template_fits_exits_with_2_and_a_sentence(self, tmp_path, capsys):
        ball = tmp_path / "ball.obj"
        trimesh.creation.icosphere(subdivisions=3).export(ball)
        assert main(["rig", str(ball), "-o", str(tmp_path / "out.glb")]) == 2
        said = " ".join(capsys.readouterr().err.split())
        assert "no template fits" in said
        assert "--skeleton" in said
        assert not (tmp_path / "out.glb").exists()

    def test_the_command_line_says_what_it_found_and_how_sure_it_is(self, tmp_path, capsys):
        source = tmp_path / "fish.obj"
        bodies_made_by_code.fish().export(source)
        assert main(["rig", str(source), "-o", str(tmp_path / "out.glb"), "--facing", "-x"]) == 0
        said = " ".join(capsys.readouterr().out.split())
        assert "taken for a fish that faces -x (confidence 0." in said
        assert main(["rig", str(source), "-o", str(tmp_path / "out.glb"), "--facing", "up"]) == 2


class TestRigFile:
    def test_one_call_does_what_the_command_does(self, tmp_path):
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        source = export_scene(fox.scene, (), tmp_path / "fox.glb")
        options = {"naming": "unity", "symmetric": True, "smooth": 0.01, "influences": 3}
        out, sheet, page = (tmp_path / f"python.{suffix}" for suffix in ("glb", "png", "html"))
        result = rig_file(source, out, **options, sheet=sheet, page=page)
        assert result.written == (out, sheet, page)
        assert all(path.exists() for path in result.written)
        given = ["--naming", "unity", "--symmetric", "--smooth", "0.01", "--influences", "3"]
        assert main(["rig", str(source), "-o", str(tmp_path / "command.glb"), *given]) == 0
        assert out.read_bytes() == (tmp_path / "command.glb").read_bytes()

    def test_a_loaded_file_can_be_rigged_without_writing(self, tmp_path):
        fox = strip_rig(make_creature("fox", vertices=2500).character())
        asset = load(export_scene(fox.scene, (), tmp_path / "fox.glb"))
        result = rig_file(asset, template="quadruped")
        assert result.written == ()
        assert result.asset.character.weights is not None

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"sheet": "weights.jpg"}, "allowed is .png"),
            ({"page": "page.txt"}, "allowed is .html"),
            ({"influences": 0}, "influences"),
            ({"template": "horse"}, "there are auto"),
        ],
    )
    def test_bad_arguments_are_refused_before_anything_is_read(self, options, said):
        with pytest.raises(ConfigError, match=said):
            rig_file("no-such-file.glb", **options)
