"""The glTF reader against the skins that were put into the file, and the characters made of them."""

from __future__ import annotations

import numpy as np
import pytest
from gltf_builder import GltfBuilder, box, one_hot, skinned_tower, translation
from gltf_reading import POINTS, TRIANGLES, read, read_part
from scipy.spatial.transform import Rotation

from gambol.character.character import make_character
from gambol.character.scene import pose_parts

RNG = np.random.default_rng(22)


class TestSkins:
    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32"])
    def test_joint_types(self, tmp_path, dtype):
        joints = RNG.integers(0, 5, (7, 4))
        weights = RNG.dirichlet(np.ones(4), 7).astype(np.float32)
        builder = GltfBuilder()
        bones = [builder.node(f"b{i}") for i in range(5)]
        mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=(joints, dtype), WEIGHTS_0=weights))
        builder.node(mesh=mesh, skin=builder.skin(bones))
        part = read_part(builder, tmp_path)
        np.testing.assert_array_equal(part.joints, joints)
        np.testing.assert_allclose(part.weights, weights, atol=1e-6)

    @pytest.mark.parametrize("dtype", ["uint8", "uint16"])
    @pytest.mark.parametrize("flagged", [True, False])
    def test_integer_weights(self, tmp_path, dtype, flagged):
        top = np.iinfo(dtype).max
        first = RNG.integers(0, top, 7)
        stored = np.stack([first, top - first, 0 * first, 0 * first], 1)
        builder = GltfBuilder()
        fields = {"JOINTS_0": np.tile([0, 1, 0, 0], (7, 1)), "WEIGHTS_0": (stored, dtype, flagged)}
        mesh = builder.mesh(builder.primitive(POINTS, **fields))
        builder.node(mesh=mesh, skin=builder.skin([builder.node("a"), builder.node("b")]))
        np.testing.assert_allclose(read_part(builder, tmp_path).weights, stored / top, atol=1e-6)

    def test_eight_influences(self, tmp_path):
        joints, weights = RNG.permuted(np.tile(np.arange(8), (7, 1)), axis=1), RNG.dirichlet(np.ones(8), 7)
        builder = GltfBuilder()
        fields = {"JOINTS_0": joints[:, :4], "JOINTS_1": (joints[:, 4:], "uint16")}
        fields |= {"WEIGHTS_0": weights[:, :4], "WEIGHTS_1": weights[:, 4:]}
        bones = [builder.node(f"b{i}", translation=[0, i, 0]) for i in range(8)]
        builder.node(mesh=builder.mesh(builder.primitive(POINTS, **fields)), skin=builder.skin(bones))
        scene, _, _ = read(builder, tmp_path)
        part = scene.parts[0]
        dense = np.zeros((7, 8))
        np.add.at(dense, (np.arange(7)[:, None], joints), weights)
        found = np.zeros((7, 8))
        np.add.at(found, (np.arange(7)[:, None], part.joints), part.weights)
        np.testing.assert_allclose(found, dense, atol=1e-6)
        # every joint moves its share of a vertex by its own height (identity inverse bind matrices)
        lifted = pose_parts(scene, scene.nodes.T_world_node)[0][:, 1] - POINTS[:, 1]
        np.testing.assert_allclose(lifted, dense @ np.arange(8), atol=1e-5)

    def test_missing_inverse_bind_matrices_are_identities(self, tmp_path):
        builder = GltfBuilder()
        joints, weights = one_hot(1, 7)
        mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=joints, WEIGHTS_0=weights))
        bones = [builder.node("a"), builder.node("b", translation=[1, 2, 3])]
        builder.node(mesh=mesh, skin=builder.skin(bones))
        scene, _, _ = read(builder, tmp_path)
        np.testing.assert_array_equal(scene.skins[0].inverse_binds, np.tile(np.eye(4), (2, 1, 1)))
        posed = pose_parts(scene, scene.nodes.T_world_node)[0]
        np.testing.assert_allclose(posed, POINTS + np.array([1.0, 2.0, 3.0]), atol=1e-6)

    def test_more_inverse_bind_matrices_than_joints_are_allowed(self, tmp_path):
        builder = GltfBuilder()
        matrices = [translation(*RNG.normal(size=3)) for _ in range(5)]
        builder.skin([builder.node("a"), builder.node("b")], matrices)
        found = read(builder, tmp_path)[0].skins[0].inverse_binds
        np.testing.assert_allclose(found, np.array(matrices[:2]).astype(np.float32))

    def test_skinning_by_the_formula_of_the_standard(self, tmp_path):
        """v = sum_j w_j T_world(j) inverse_bind(j) p, whatever the transform of the node that draws the mesh."""
        builder = GltfBuilder()
        joints, weights = RNG.integers(0, 3, (7, 4)), RNG.dirichlet(np.ones(4), 7).astype(np.float32)
        turns, moves = Rotation.random(3, random_state=1), RNG.normal(size=(3, 3))
        binds = np.tile(np.eye(4), (3, 1, 1))
        binds[:, :3, :3], binds[:, :3, 3] = (
            Rotation.random(3, random_state=2).as_matrix() * 0.7,
            RNG.normal(size=(3, 3)),
        )
        bones = [builder.node(translation=moves[i], rotation=turns[i].as_quat(), scale=[1, 2, 3]) for i in range(3)]
        mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=joints, WEIGHTS_0=weights))
        builder.node(mesh=mesh, skin=builder.skin(bones, binds), translation=[50, 60, 70], scale=[9, 9, 9])
        scene, _, _ = read(builder, tmp_path)
        expected = np.zeros((7, 3))
        for v in range(7):
            for j, w in zip(joints[v], weights[v], strict=True):
                T = np.eye(4)
                T[:3, :3], T[:3, 3] = turns[j].as_matrix() @ np.diag([1, 2, 3]), moves[j]
                expected[v] += w * (T @ binds[j] @ [*POINTS[v], 1.0])[:3]
        np.testing.assert_allclose(pose_parts(scene, scene.nodes.T_world_node)[0], expected, atol=1e-5)

    def test_several_skins_and_meshes(self, tmp_path):
        builder = GltfBuilder()
        bones = [builder.node(f"b{i}", translation=[i, 0, 0]) for i in range(3)]
        for skin_joints, j in (([bones[2], bones[0]], 0), ([bones[1]], 0), ([bones[2], bones[0]], 1)):
            joints, weights = one_hot(j, 7)
            mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=joints, WEIGHTS_0=weights))
            builder.node(mesh=mesh, skin=builder.skin(skin_joints))
        scene, _, _ = read(builder, tmp_path)
        assert [p.skin for p in scene.parts] == [0, 1, 2]
        assert [s.joints.tolist() for s in scene.skins] == [[2, 0], [1], [2, 0]]
        shifts = [p[0, 0] - POINTS[0, 0] for p in pose_parts(scene, scene.nodes.T_world_node)]
        np.testing.assert_allclose(shifts, [2.0, 1.0, 0.0], atol=1e-6)

    def test_bad_weights_are_repaired_and_counted(self, tmp_path):
        weights = np.tile([1.0, 0.0, 0.0, 0.0], (7, 1))
        weights[1] = [np.nan] * 4
        weights[2] = 0.0
        weights[3] = [2.0, 2.0, 0.0, 0.0]
        weights[4] = [0.5, -0.5, 0.5, 0.0]
        weights[5] = [0.3, 0.3, np.nan, 0.3]
        joints = np.tile([0, 1, 2, 3], (7, 1))
        joints[[0, 6], 0] = [2, 3]
        points = np.arange(7)[:, None] * np.array([[10.0, 0.0, 0.0]])
        points[1, 0], points[2, 0] = 1.0, 59.0
        builder = GltfBuilder()
        mesh = builder.mesh(builder.primitive(points, JOINTS_0=joints, WEIGHTS_0=weights))
        builder.node(mesh=mesh, skin=builder.skin([builder.node(f"b{i}") for i in range(4)]))
        scene, _, warnings = read(builder, tmp_path)
        part = scene.parts[0]
        assert len(warnings) == 2
        assert "2 of 7 vertices had no valid weight" in warnings[0]
        assert "3 of 7 vertices did not sum to 1" in warnings[1]
        assert all(w.startswith("made.glb: meshes[0].primitives[0]") for w in warnings)
        assert scene.repaired_rows[0].tolist() == [1, 2]
        np.testing.assert_allclose(part.weights.sum(1), 1.0, atol=1e-6)
        np.testing.assert_allclose(part.weights[3], [0.5, 0.5, 0.0, 0.0])
        np.testing.assert_allclose(part.weights[4], [0.5, 0.0, 0.5, 0.0])
        np.testing.assert_allclose(part.weights[5], [1 / 3, 1 / 3, 0.0, 1 / 3], atol=1e-6)
        # the broken rows follow their nearest neighbours, vertices 0 and 6
        assert (part.joints[1, 0], part.weights[1, 0]) == (2, 1.0)
        assert (part.joints[2, 0], part.weights[2, 0]) == (3, 1.0)

    def test_where_no_vertex_has_a_weight_all_follow_the_first_joint(self, tmp_path):
        builder = GltfBuilder()
        mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=np.ones((7, 4)), WEIGHTS_0=np.zeros((7, 4))))
        builder.node(mesh=mesh, skin=builder.skin([builder.node("a"), builder.node("b")]))
        scene, _, warnings = read(builder, tmp_path)
        assert "7 of 7" in warnings[0]
        np.testing.assert_array_equal(scene.parts[0].joints, 0)
        np.testing.assert_array_equal(scene.parts[0].weights, np.eye(4)[[0] * 7])

    def test_a_joint_out_of_range_is_harmless_without_weight(self, tmp_path):
        joints, weights = one_hot(0, 7)
        joints[:, 3] = 200
        builder = GltfBuilder()
        mesh = builder.mesh(builder.primitive(POINTS, JOINTS_0=joints, WEIGHTS_0=weights))
        builder.node(mesh=mesh, skin=builder.skin([builder.node("a")]))
        assert read_part(builder, tmp_path).joints.max() == 0

    def test_a_skin_without_weights_is_drawn_by_its_node(self, tmp_path):
        builder = GltfBuilder()
        skin = builder.skin([builder.node("bone")])
        builder.node(mesh=builder.mesh(builder.primitive(POINTS)), skin=skin, translation=[5, 0, 0])
        scene, _, warnings = read(builder, tmp_path)
        assert scene.parts[0].skin is None
        assert len(warnings) == 1
        assert "has no weights" in warnings[0]
        np.testing.assert_allclose(pose_parts(scene, scene.nodes.T_world_node)[0][:, 0], POINTS[:, 0] + 5.0, atol=1e-6)


class TestCharacterFromFile:
    def test_an_unskinned_mesh_below_a_joint_counts_as_weight_one(self, tmp_path):
        builder = skinned_tower(3, clip=False)
        hat, faces = box((-0.1, 0.0, -0.1), (0.1, 0.2, 0.1))
        stand = builder.node("stand", translation=[0.0, 0.3, 0.0], scale=[2.0, 1.0, 1.0], children=[5])
        builder.node("hat", mesh=builder.mesh(builder.primitive(hat, faces)), translation=[0.1, 0.2, 0.0])
        builder.json["nodes"][2]["children"] = [stand]
        scene, _, _ = read(builder, tmp_path)
        character = make_character("hat", scene, facing="+x")
        assert character.binding.loose_parts == ()
        assert character.skeleton.names == ("joint0", "joint1", "joint2")
        rows = slice(24, 32)
        np.testing.assert_array_equal(character.weights.dense()[rows], np.tile([0.0, 0.0, 1.0], (8, 1)))
        # joint2 is at 1.0, the stand 0.3 above it, the hat 0.2 above that and 2 * 0.1 aside
        in_file = hat * np.array([2.0, 1.0, 1.0]) + np.array([0.2, 1.5, 0.0])
        back = (
            character.mesh.vertices @ character.placement.T_file_world[:3, :3].T
            + character.placement.T_file_world[:3, 3]
        )
        np.testing.assert_allclose(back[rows], in_file, atol=1e-6)

    def test_a_joint_of_scale_zero_may_hold_a_mesh(self, tmp_path):
        builder = skinned_tower(3, clip=False)
        hat = builder.node("hat", mesh=builder.mesh(builder.primitive(POINTS)))
        builder.json["nodes"][2] |= {"children": [hat], "scale": [0.0, 0.0, 0.0]}
        scene, _, _ = read(builder, tmp_path)
        character = make_character("hat", scene)
        np.testing.assert_array_equal(character.weights.dense()[24:, 2], 1.0)

    def test_parts_on_no_joint_are_loose(self, tmp_path):
        builder = skinned_tower(3)
        floor = builder.node("floor", mesh=builder.mesh(builder.primitive(POINTS * 100, TRIANGLES)))
        scene, _, _ = read(builder, tmp_path)
        character = make_character("loose", scene)
        assert [scene.parts[i].node for i in character.binding.loose_parts] == [floor]
        assert len(character.mesh.vertices) == 24
        assert character.mesh.size == pytest.approx(1.5, abs=1e-6)

    def test_rest_pose_that_is_not_the_bind_pose(self, tmp_path):
        """The character stands as it was bound; the file's own rest pose stays in its nodes."""
        straight, bent = skinned_tower(3, clip=False), skinned_tower(3, clip=False)
        turn = Rotation.from_euler("z", 1.1)
        bent.json["nodes"][1]["rotation"] = turn.as_quat().tolist()
        bent.json["nodes"][2]["translation"] = [0.0, 0.8, 0.0]
        one, _, _ = read(straight, tmp_path)
        other, _, _ = read(bent, tmp_path)
        a, b = make_character("a", one, facing="+x"), make_character("b", other, facing="+x")
        np.testing.assert_allclose(b.mesh.vertices, a.mesh.vertices, atol=1e-6)
        np.testing.assert_allclose(b.skeleton.T_world_rest, a.skeleton.T_world_rest, atol=1e-6)
        at_rest = pose_parts(other, other.nodes.T_world_node)[0]
        tip = one.parts[0].positions.astype(float)[16:]  # weight 1 on the third joint, bound at (0, 1, 0)
        expected = turn.apply(tip + np.array([0, 0.8 - 1.0, 0])) + np.array([0, 0.5, 0])
        np.testing.assert_allclose(at_rest[16:], expected, atol=1e-6)
        assert np.abs(at_rest - one.parts[0].positions).max() > 0.3
