"""Facing, placement and bone cuboids on a rig made for the purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from gltf_builder import box
from person_rig import ENDS, PERSON, make_scene, turned

from gambol.character.bone_cuboids import fit_cuboids
from gambol.character.character import make_character
from gambol.character.facing import BodyPoints, guess_facing
from gambol.character.scene import Part
from gambol.character.skeleton import Skeleton, rest_frames
from gambol.character.weights import SkinWeights
from gambol.errors import ConfigError


class TestPlacement:
    @pytest.mark.parametrize(("turns", "facing"), [(0, "+z"), (1, "+x"), (2, "-z"), (3, "-x")])
    def test_a_turned_character_is_placed_the_same_way(self, turns, facing):
        reference = make_character("person", make_scene())
        character = make_character("person", make_scene(T=turned(turns)))
        assert character.placement.facing == facing
        assert character.placement.facing_confidence > 0.5
        np.testing.assert_allclose(character.mesh.vertices, reference.mesh.vertices, atol=1e-6)
        np.testing.assert_allclose(character.skeleton.T_world_rest, reference.skeleton.T_world_rest, atol=1e-6)
        toes = character.skeleton.tails[character.skeleton.names.index("Foot.L")]
        ankle = character.skeleton.heads[character.skeleton.names.index("Foot.L")]
        assert toes[0] - ankle[0] > 0.1
        assert ankle[2] < -0.05  # the left is -z

    @pytest.mark.parametrize(("mirror", "facing"), [((-1, 1, 1), "+z"), ((1, 1, -1), "-z")])
    def test_a_mirrored_character_with_its_sides_renamed(self, mirror, facing):
        other_side = {"L": "R", "R": "L"}

        def swap(name):
            head, dot, side = name.partition(".")
            return head + dot + other_side[side[0]] + side[1:] if side else name

        rig = {swap(n): (p and swap(p), head, width) for n, (p, head, width) in PERSON.items()}
        scene = make_scene(rig, T=np.diag([*mirror, 1.0]).astype(float), ends={swap(n): e for n, e in ENDS.items()})
        character = make_character("person", scene)
        assert character.placement.facing == facing
        names = character.skeleton.names
        assert character.skeleton.heads[names.index("Hand.L")][2] < -0.5
        assert character.skeleton.heads[names.index("Hand.R")][2] > 0.5

    @pytest.mark.parametrize("part", ["sides", "names", "toes"])
    @pytest.mark.parametrize("turns", [0, 1, 2, 3])
    def test_each_piece_of_evidence_is_enough(self, part, turns):
        R = turned(turns)[:3, :3]
        ankles = np.array([[0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]])
        column = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (0.0, 1.8) for z in (-0.1, 0.1)])
        names, heads, points, owners = ("a", "b"), ankles, column, np.zeros(8, int)
        if part == "sides":
            names = ("LeftLeg", "RightLeg")
        elif part == "names":
            names, heads = ("Spine", "Head"), np.array([[0.0, 1.0, 0.0], [0.0, 1.6, 0.3]])
        else:
            toes = np.concatenate([ankles * [1, 0, 1] + [0, 0, z] for z in (-0.05, 0.25)])
            points, owners = np.concatenate([column + np.array([0, 0.2, 0]), toes]), np.array([0] * 8 + [0, 1, 0, 1])
        found, confidence = guess_facing(BodyPoints(names, heads @ R.T, points @ R.T, owners))
        assert found == ["+z", "+x", "-z", "-x"][turns]
        low, high = {"sides": (0.7, 1.0), "names": (0.2, 0.6), "toes": (0.05, 0.5)}[
            part
        ]  # the less it says, the less sure
        assert low <= confidence <= high

    def test_no_evidence_means_no_confidence(self):
        column = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (0.0, 1.8) for z in (-0.1, 0.1)])
        assert guess_facing(BodyPoints((), np.zeros((0, 3)), column, np.zeros(0, int))) == ("+z", 0.0)

    @pytest.mark.parametrize("facing", ["+x", "-x", "+z", "-z"])
    def test_a_given_facing_is_taken(self, facing):
        placement = make_character("person", make_scene(), facing=facing).placement
        axis = {"x": 0, "z": 2}[facing[1]]
        direction = np.zeros(3)
        direction[axis] = 1.0 if facing[0] == "+" else -1.0
        np.testing.assert_allclose(placement.T_world_file[:3, :3] @ direction, [1.0, 0.0, 0.0], atol=1e-9)
        assert placement.facing_confidence == 1.0

    @pytest.mark.parametrize(
        ("given", "match"), [({"facing": "up"}, "facing is 'up'"), ({"scale": -1.0}, "scale is -1")]
    )
    def test_bad_arguments(self, given, match):
        with pytest.raises(ConfigError, match=match):
            make_character("person", make_scene(), **given)

    @pytest.mark.parametrize(
        ("height", "placed"),
        [(0.0499, 1.0), (0.0501, 0.0501), (1.8, 1.8), (19.99, 19.99), (20.01, 1.0), (1e6, 1.0), (1e-6, 1.0)],
    )
    def test_heights_in_metres_are_kept_and_others_scaled_to_one(self, height, placed):
        low, high = make_scene().parts[0].positions[:, 1].min(), make_scene().parts[0].positions[:, 1].max()
        size = height / (high - low)
        T = np.diag([size, size, size, 1.0])
        T[:3, 3] = [3.0 * height, -2.0 * height, 7.0 * height]
        scene = make_scene(T=T)
        character = make_character("person", scene)
        low, high = character.mesh.bounds
        assert high[1] == pytest.approx(placed, rel=1e-4)
        assert low[1] == pytest.approx(0.0, abs=1e-5 * placed)
        np.testing.assert_allclose((low + high)[[0, 2]], 0.0, atol=1e-5 * placed)
        back = character.placement.T_file_world
        np.testing.assert_allclose(
            character.mesh.vertices @ back[:3, :3].T + back[:3, 3], scene.parts[0].positions, atol=1e-5 * height
        )
        np.testing.assert_allclose(back @ character.placement.T_world_file, np.eye(4), atol=1e-9)
        assert character.placement.scale == pytest.approx(placed / height, rel=1e-4)

    def test_a_given_scale_is_taken(self):
        character = make_character("person", make_scene(), scale=0.01)
        assert character.placement.scale == pytest.approx(0.01)
        assert np.ptp(character.mesh.vertices[:, 1]) == pytest.approx(0.019, abs=0.002)

    def test_what_lies_flat_is_measured_by_its_length(self):
        scene = make_scene()
        flat = scene.parts[0].positions * np.float32([1.0, 1e-8, 1.0])
        part = Part(0, None, flat, scene.parts[0].triangles)
        character = make_character("sheet", replace(scene, skins=(), parts=(part,)))
        assert character.placement.scale == pytest.approx(1.0)

    def test_a_single_point_is_no_problem(self):
        scene = make_scene()
        part = Part(0, None, np.ones((3, 3), np.float32), np.array([[0, 1, 2]]))
        character = make_character("dot", replace(scene, skins=(), parts=(part,)))
        np.testing.assert_allclose(character.mesh.vertices, 0.0, atol=1e-6)


class TestCuboids:
    @pytest.mark.parametrize("seed", range(6))
    def test_the_cuboid_of_a_box_shaped_limb_is_the_box(self, seed):
        rng = np.random.default_rng(seed)
        heads = np.array([[0.0, 0.0, 0.0], rng.normal(size=3)])
        tails = heads + rng.normal(size=(2, 3))
        parents = np.array([-1, 0])
        skeleton = Skeleton(("a", "b"), parents, rest_frames(heads, tails, parents), tails)
        centres, halves = rng.normal(size=(2, 3)), rng.uniform(0.5, 1.0, (2, 3))
        points = []
        for bone in range(2):
            grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3), -1).reshape(-1, 3)
            T = skeleton.T_world_rest[bone]
            points.append((centres[bone] + grid * halves[bone]) @ T[:3, :3].T + T[:3, 3])
        owners = np.repeat([0, 1], 125)[:, None]
        weights = SkinWeights(owners, np.ones((250, 1), np.float32), 2)
        cuboids = fit_cuboids(skeleton, weights, np.concatenate(points))
        np.testing.assert_allclose(cuboids.centres_bone, centres, atol=1e-9)
        np.testing.assert_allclose(cuboids.half_sides, halves, atol=1e-9)
        np.testing.assert_allclose(cuboids.volumes(), 8 * halves.prod(1))
        corners = cuboids.corners_bone()
        np.testing.assert_allclose(corners.min(1), centres - halves, atol=1e-9)
        np.testing.assert_allclose(corners.max(1), centres + halves, atol=1e-9)

    def test_the_cuboids_of_the_person_are_its_boxes(self):
        scene = make_scene()
        character = make_character("person", scene)
        T = character.placement.T_world_file
        for bone, name in enumerate(character.skeleton.names):
            mine = character.mesh.vertices[character.weights.dominant() == bone]
            corners = character.cuboids.corners_bone()[bone]
            frame = character.skeleton.T_world_rest[bone]
            placed = corners @ frame[:3, :3].T + frame[:3, 3]
            local = (mine - frame[:3, 3]) @ frame[:3, :3]
            np.testing.assert_allclose(corners.min(0), local.min(0), atol=1e-6)
            np.testing.assert_allclose(corners.max(0), local.max(0), atol=1e-6)
            if name in ("Head", "Hand.L", "Hand.R"):  # bones along an axis: the boxes are those that were put in
                ends = np.array([PERSON[name][1], ENDS[name]])
                corners, _ = box(ends.min(0) - PERSON[name][2], ends.max(0) + PERSON[name][2])
                expected = corners @ T[:3, :3].T + T[:3, 3]
                np.testing.assert_allclose(placed.min(0), expected.min(0), atol=1e-6)
                np.testing.assert_allclose(placed.max(0), expected.max(0), atol=1e-6)

    def test_one_stray_vertex_does_not_inflate_a_box(self):
        rng = np.random.default_rng(0)
        points = rng.uniform(-1, 1, (500, 3))
        points[7] = [50.0, -50.0, 50.0]
        heads = np.zeros((1, 3))
        tails = np.array([[0.0, 1.0, 0.0]])
        skeleton = Skeleton(("a",), np.array([-1]), rest_frames(heads, tails, np.array([-1])), tails)
        cuboids = fit_cuboids(skeleton, SkinWeights(np.zeros((500, 1), int), np.ones((500, 1)), 1), points)
        assert (cuboids.half_sides < 1.0).all()
        assert (cuboids.half_sides > 0.9).all()

    def test_a_bone_without_vertices_takes_a_slim_box_along_itself(self):
        heads, tails = np.array([[0.0, 0, 0], [0, 1, 0]]), np.array([[0.0, 1, 0], [0, 3, 0]])
        parents = np.array([-1, 0])
        skeleton = Skeleton(("a", "b"), parents, rest_frames(heads, tails, parents), tails)
        points, _ = box((-1, -1, -1), (1, 1, 1))
        cuboids = fit_cuboids(skeleton, SkinWeights(np.zeros((8, 1), int), np.ones((8, 1)), 2), points)
        np.testing.assert_allclose(cuboids.centres_bone[1], [0.0, 1.0, 0.0], atol=1e-9)
        np.testing.assert_allclose(cuboids.half_sides[1], [0.15, 1.0, 0.15], atol=1e-9)
