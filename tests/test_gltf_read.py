"""The glTF reader against the arrays that were put into the file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, box, one_hot, pack_glb, skinned_tower, translation
from real_data import characters, needs_data
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial.transform import Rotation, Slerp

from gambol.character.character import make_character
from gambol.character.scene import Scene, pose_parts
from gambol.errors import AssetError
from gambol.files.gltf_accessors import AccessorReader
from gambol.files.gltf_container import read_document
from gambol.files.gltf_meshes import fan_triangles, strip_triangles
from gambol.files.gltf_read import read_scene
from gambol.files.pictures import encode_png
from gambol.motion.node_clip import NodeClip, pose_scene

RNG = np.random.default_rng(20)
POINTS = RNG.normal(size=(7, 3)).astype(np.float32)
TRIANGLES = np.array([[0, 1, 2], [2, 3, 4], [6, 5, 4]])


def read(builder: GltfBuilder, folder: Path, name: str = "made.glb") -> tuple[Scene, tuple[NodeClip, ...], tuple]:
    path = folder / name
    return read_scene(read_document(builder.write_glb(path) if path.suffix == ".glb" else builder.write_gltf(path)))


def one_mesh(builder: GltfBuilder, **fields) -> GltfBuilder:
    """A node that draws POINTS with the given attributes."""
    builder.node("thing", mesh=builder.mesh(builder.primitive(POINTS, TRIANGLES, **fields)))
    return builder


def read_part(builder: GltfBuilder, folder: Path):
    scene, _, warnings = read(builder, folder)
    assert len(scene.parts) == 1
    assert warnings == ()
    return scene.parts[0]


def assert_same_scene(a: Scene, b: Scene) -> None:
    assert a.nodes.names == b.nodes.names
    np.testing.assert_array_equal(a.nodes.T_world_node, b.nodes.T_world_node)
    for one, other in zip(a.skins, b.skins, strict=True):
        np.testing.assert_array_equal(one.inverse_binds, other.inverse_binds)
    for one, other in zip(a.parts, b.parts, strict=True):
        for key in ("positions", "triangles", "uvs", "joints", "weights"):
            np.testing.assert_array_equal(getattr(one, key), getattr(other, key))


class TestContainers:
    def test_glb_and_gltf_hold_the_same(self, tmp_path):
        builder = skinned_tower(3)
        packed, packed_clips, _ = read(builder, tmp_path)
        beside, beside_clips, _ = read(builder, tmp_path, "beside.gltf")
        inside = read_scene(read_document(builder.write_gltf(tmp_path / "inside.gltf", embed=True)))
        assert len(packed.parts[0].positions) == 24
        for scene, clips in ((beside, beside_clips), inside[:2]):
            assert_same_scene(scene, packed)
            for one, other in zip(clips[0].channels, packed_clips[0].channels, strict=True):
                np.testing.assert_array_equal(one.values, other.values)
                np.testing.assert_array_equal(one.times, other.times)

    @pytest.mark.parametrize("name", ["my buffer.bin", "größe #1 100%.bin", "sub/folder/a.bin", "a?b&c=d.bin"])
    def test_names_of_buffers_are_percent_encoded(self, tmp_path, name):
        path = skinned_tower(2).write_gltf(tmp_path / "a.gltf", names=(name,))
        assert (tmp_path / name).is_file()
        scene, _, _ = read_scene(read_document(path))
        assert len(scene.parts[0].positions) == 16

    def test_a_backslash_separates_folders_as_windows_exporters_write(self, tmp_path):
        path = skinned_tower(2).write_gltf(tmp_path / "a.gltf", names=("sub/a.bin",))
        path.write_text(path.read_text().replace("sub/a.bin", "sub\\\\a.bin"))
        assert len(read_scene(read_document(path))[0].parts[0].positions) == 16

    def test_several_buffers(self, tmp_path):
        builder = GltfBuilder()
        attributes = {"POSITION": builder.accessor(POINTS, buffer=1)}
        indices = builder.accessor(TRIANGLES.ravel(), "uint16", buffer=2)
        builder.node(mesh=builder.mesh({"attributes": attributes, "indices": indices}))
        builder.view(b"unused")
        scene, _, _ = read(builder, tmp_path, "three.gltf")
        np.testing.assert_array_equal(scene.parts[0].positions, POINTS)
        np.testing.assert_array_equal(scene.parts[0].triangles, TRIANGLES)

    def test_unknown_chunks_are_passed_over(self, tmp_path):
        builder = skinned_tower(2)
        path = tmp_path / "extra.glb"
        text = json.dumps(builder.document()).encode()
        path.write_bytes(pack_glb(text, bytes(builder.buffers[0]), (0x12345678, b"what is this"), (0x004E4942, b"2nd")))
        assert_same_scene(read_scene(read_document(path))[0], read(builder, tmp_path)[0])

    def test_a_byte_order_mark_is_skipped(self, tmp_path):
        path = skinned_tower(2).write_gltf(tmp_path / "bom.gltf")
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
        assert len(read_document(path).json["nodes"]) == 3

    def test_an_empty_file_is_a_scene_without_anything(self, tmp_path):
        scene, clips, warnings = read(GltfBuilder(), tmp_path)
        assert (len(scene.nodes), scene.parts, scene.skins, clips, warnings) == (0, (), (), (), ())
        with pytest.raises(AssetError, match=r"made\.glb holds neither a mesh nor a skeleton"):
            make_character("made.glb", scene)


class TestAccessors:
    @pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32"])
    def test_triangle_indices(self, tmp_path, dtype):
        part = read_part(one_mesh(GltfBuilder(), index_dtype=dtype), tmp_path)
        np.testing.assert_array_equal(part.positions, POINTS)
        np.testing.assert_array_equal(part.triangles, TRIANGLES)

    @pytest.mark.parametrize("offset", [0, 4, 24])
    @pytest.mark.parametrize("stride", [None, 12, 16, 20, 252])
    def test_strides_and_offsets(self, tmp_path, offset, stride):
        builder = GltfBuilder()
        position = builder.accessor(POINTS, offset=offset, stride=stride)
        builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
        np.testing.assert_array_equal(read_part(builder, tmp_path).positions, POINTS)

    def test_interleaved_attributes(self, tmp_path):
        uvs = RNG.random((7, 2)).astype(np.float32)
        joints, weights = one_hot(0, 7)
        builder = GltfBuilder()
        columns = builder.interleaved((POINTS, "float32"), (joints, "uint8"), (uvs, "float32"), (weights, "float32"))
        names = ("POSITION", "JOINTS_0", "TEXCOORD_0", "WEIGHTS_0")
        mesh = builder.mesh({"attributes": dict(zip(names, columns, strict=True))})
        builder.node(mesh=mesh, skin=builder.skin([builder.node("bone")]))
        part = read_part(builder, tmp_path)
        np.testing.assert_array_equal(part.positions, POINTS)
        np.testing.assert_array_equal(part.uvs, uvs)
        np.testing.assert_array_equal(part.joints, joints)
        np.testing.assert_array_equal(part.weights, weights)

    @pytest.mark.parametrize("index_dtype", ["uint8", "uint16", "uint32"])
    @pytest.mark.parametrize("with_base", [True, False])
    def test_sparse_accessors(self, tmp_path, index_dtype, with_base):
        builder = GltfBuilder()
        rows, values = [1, 4, 6], RNG.normal(size=(3, 3)).astype(np.float32)
        base = POINTS if with_base else None
        position = builder.sparse_accessor(base, rows, values, count=7, index_dtype=index_dtype)
        assert ("bufferView" in builder.json["accessors"][position]) == with_base
        builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
        expected = POINTS.copy() if with_base else np.zeros((7, 3), np.float32)
        expected[rows] = values
        np.testing.assert_array_equal(read_part(builder, tmp_path).positions, expected)

    def test_an_accessor_without_a_view_is_zero(self, tmp_path):
        builder = GltfBuilder()
        position = builder.add("accessors", {"componentType": 5126, "count": 5, "type": "VEC3"})
        builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
        np.testing.assert_array_equal(read_part(builder, tmp_path).positions, np.zeros((5, 3)))

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
    def test_normalised_integers(self, tmp_path, dtype):
        info = np.iinfo(dtype)
        stored = np.array([[info.min, info.min + 1], [0, 1], [info.max - 1, info.max]])
        builder = GltfBuilder()
        accessor = builder.accessor(stored, dtype, normalized=True)
        values = AccessorReader(read_document(builder.write_glb(tmp_path / "a.glb"))).read(
            accessor, "it", kinds=("VEC2",)
        )
        # glTF 2.0, 3.6.2.2: f = c / max, for signed types max(c / max, -1)
        expected = np.maximum(stored / info.max, -1.0) if info.min < 0 else stored / info.max
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-7)
        assert values.min() >= -1.0
        assert values.max() == 1.0

    @pytest.mark.parametrize(
        ("side", "dtype", "element_bytes"),
        [(2, "uint8", 8), (3, "uint8", 12), (3, "int16", 24), (2, "int16", 8), (2, "float32", 16), (4, "float32", 64)],
    )
    def test_matrices_pad_their_columns(self, tmp_path, side, dtype, element_bytes):
        matrices = RNG.integers(0, 100, (3, side, side))
        builder = GltfBuilder()
        accessor = builder.accessor(matrices, dtype)
        assert builder.json["bufferViews"][-1]["byteLength"] == 3 * element_bytes
        reader = AccessorReader(read_document(builder.write_glb(tmp_path / "a.glb")))
        values = reader.read(accessor, "it", kinds=(f"MAT{side}",))
        np.testing.assert_array_equal(values.reshape(3, side, side).transpose(0, 2, 1), matrices)

    @pytest.mark.parametrize(
        ("dtype", "normalized"), [("int16", False), ("int16", True), ("int8", True), ("uint16", False)]
    )
    def test_quantised_positions(self, tmp_path, dtype, normalized):
        stored = RNG.integers(0, 120, (7, 3))
        builder = GltfBuilder()
        builder.json["extensionsRequired"] = builder.json["extensionsUsed"] = ["KHR_mesh_quantization"]
        position = builder.accessor(stored, dtype, normalized=normalized, stride=8 if "16" in dtype else 4)
        builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
        expected = stored / np.iinfo(dtype).max if normalized else stored
        np.testing.assert_allclose(read_part(builder, tmp_path).positions, expected, rtol=1e-6)


class TestPrimitives:
    def test_without_indices_every_three_vertices_are_a_triangle(self, tmp_path):
        builder = GltfBuilder()
        builder.node(mesh=builder.mesh(builder.primitive(POINTS)))
        np.testing.assert_array_equal(read_part(builder, tmp_path).triangles, [[0, 1, 2], [3, 4, 5]])

    def test_strips_and_fans_keep_their_orientation(self):
        zigzag = np.array([[x, y, 0.0] for x in range(4) for y in (1, 0)])
        ring = np.array([[0.0, 0.0, 0.0]] + [[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 3, 7)])
        for points, triangles in ((zigzag, strip_triangles(np.arange(8))), (ring, fan_triangles(np.arange(8)))):
            a, b, c = (points[triangles[:, k]] for k in range(3))
            normals = np.cross(b - a, c - a)
            assert (normals[:, 2] > 0.1).all()
            assert len(triangles) == 6

    @pytest.mark.parametrize("indexed", [True, False])
    def test_strip_and_fan_by_the_formula_of_the_standard(self, tmp_path, indexed):
        order = np.array([3, 1, 4, 0, 5, 2, 6]) if indexed else np.arange(7)
        # glTF 2.0, 3.7.2.1: strip p_i = (v_i, v_i+(1+i%2), v_i+(2-i%2)), fan p_i = (v_i+1, v_i+2, v_0)
        strip = [[order[i], order[i + 1 + i % 2], order[i + 2 - i % 2]] for i in range(5)]
        fan = [[order[i + 1], order[i + 2], order[0]] for i in range(5)]
        for mode, expected in ((5, strip), (6, fan)):
            builder = GltfBuilder()
            builder.node(mesh=builder.mesh(builder.primitive(POINTS, order if indexed else None, mode=mode)))
            np.testing.assert_array_equal(read_part(builder, tmp_path).triangles, expected)

    @pytest.mark.parametrize("mode", [5, 6])
    def test_short_strips_and_fans_are_empty(self, tmp_path, mode):
        builder = GltfBuilder()
        builder.node(mesh=builder.mesh(builder.primitive(POINTS[:2], mode=mode)))
        assert read_part(builder, tmp_path).triangles.shape == (0, 3)

    def test_points_lines_and_primitives_without_positions_are_left_out(self, tmp_path):
        builder = GltfBuilder()
        primitives = [builder.primitive(POINTS, mode=m) for m in (0, 1, 2, 3)] + [{"attributes": {}}]
        builder.node(mesh=builder.mesh(*primitives, builder.primitive(POINTS)))
        scene, _, warnings = read(builder, tmp_path)
        assert len(scene.parts) == 1
        assert sum("points or lines" in w for w in warnings) == 4
        assert sum("no POSITION" in w for w in warnings) == 1

    @pytest.mark.parametrize(
        ("dtype", "width"), [("float32", 3), ("float32", 4), ("uint8", 4), ("uint16", 3), ("uint16", 4)]
    )
    def test_vertex_colours(self, tmp_path, dtype, width):
        top = 1.0 if dtype == "float32" else np.iinfo(dtype).max
        colours = RNG.random((7, width)) if dtype == "float32" else RNG.integers(0, top + 1, (7, width))
        part = read_part(one_mesh(GltfBuilder(), COLOR_0=(colours, dtype, dtype != "float32")), tmp_path)
        np.testing.assert_allclose(part.colours[:, :width], colours / top, atol=1e-7)
        assert part.colours.shape == (7, 4)
        if width == 3:
            np.testing.assert_array_equal(part.colours[:, 3], 1.0)

    def test_colours_and_uvs_that_are_not_finite_are_replaced(self, tmp_path):
        colours, uvs = np.full((7, 4), 0.5), np.full((7, 2), 0.25)
        colours[2], uvs[3] = [np.nan, np.inf, -np.inf, 2.0], [np.nan, -np.inf]
        part = read_part(one_mesh(GltfBuilder(), COLOR_0=colours, TEXCOORD_0=uvs), tmp_path)
        np.testing.assert_array_equal(part.colours[2], [0.0, 1.0, 0.0, 1.0])
        np.testing.assert_array_equal(part.uvs[3], [0.0, 0.0])
        np.testing.assert_array_equal(part.uvs[[0, 1, 2, 4]], 0.25)


class TestNodes:
    def test_world_transforms_with_rotation_and_uneven_scale(self, tmp_path):
        builder = GltfBuilder()
        count = 6
        turns = Rotation.random(count, random_state=4)
        moves, scales = RNG.normal(size=(count, 3)), RNG.uniform(0.3, 2.0, (count, 3)) * [1, -1, 1]
        parents = [2, 0, -1, 2, 5, 1]  # parents stand behind their children in the file
        for i in range(count):
            children = [c for c in range(count) if parents[c] == i] or None
            builder.node(f"n{i}", translation=moves[i], rotation=turns[i].as_quat(), scale=scales[i], children=children)
        scene, _, _ = read(builder, tmp_path)
        expected = {-1: np.eye(4)}
        for i in (2, 0, 3, 1, 5, 4):
            local = np.eye(4)
            local[:3, :3] = turns[i].as_matrix() @ np.diag(scales[i])
            local[:3, 3] = moves[i]
            expected[i] = expected[parents[i]] @ local
        assert scene.nodes.parents.tolist() == parents
        for i in range(count):
            np.testing.assert_allclose(scene.nodes.T_world_node[i], expected[i], atol=1e-12)

    def test_matrices_on_nodes(self, tmp_path):
        turn = Rotation.from_euler("xyz", [0.3, -1.0, 2.0])
        matrix = np.eye(4)
        matrix[:3, :3] = turn.as_matrix() @ np.diag([2.0, 3.0, 0.5])
        matrix[:3, 3] = [1, 2, 3]
        sheared = matrix.copy()
        sheared[0, 1] += 0.7
        builder = GltfBuilder()
        builder.node("plain", matrix=matrix, children=[1])
        builder.node("sheared", matrix=sheared)
        nodes = read(builder, tmp_path)[0].nodes
        np.testing.assert_allclose(nodes.T_world_node[0], matrix, atol=1e-12)
        np.testing.assert_allclose(nodes.T_world_node[1], matrix @ sheared, atol=1e-12)
        np.testing.assert_allclose(nodes.scales[0], [2.0, 3.0, 0.5], atol=1e-12)
        np.testing.assert_allclose(nodes.translations[0], [1, 2, 3])
        quaternion = turn.as_quat()[[3, 0, 1, 2]]
        np.testing.assert_allclose(nodes.rotations_wxyz[0], quaternion * np.sign(quaternion[0]), atol=1e-12)

    def test_an_animation_does_not_move_a_node_given_as_matrix(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node(matrix=translation(1, 2, 3))
        builder.animation("a", (node, "translation", [0, 1], [[0, 0, 0], [9, 9, 9]], "LINEAR"))
        scene, clips, _ = read(builder, tmp_path)
        np.testing.assert_array_equal(clips[0].sample(scene.nodes, np.array([0.5]))[0, 0], translation(1, 2, 3))

    def test_names(self, tmp_path):
        builder = GltfBuilder()
        for name in ("", None, "頭", 'a"b\n'):
            builder.node(name)
        builder.json["nodes"].append({"name": 7})
        path = tmp_path / "names.glb"
        text = json.dumps(builder.document()).encode()
        path.write_bytes(pack_glb(text.replace(b'"name": 7', b'"name": "half \\ud800 pair"'), None))
        names = read_scene(read_document(path))[0].nodes.names
        assert names == ("", "node1", "頭", 'a"b\n', "half ? pair")
        assert read(builder, tmp_path)[0].nodes.names[4] == "node4"

    @pytest.mark.parametrize(("fields", "shown"), [({}, 0), ({"scene": 1}, 1), ({"scene": 0}, 0)])
    def test_only_the_default_scene_is_drawn(self, tmp_path, fields, shown):
        builder = GltfBuilder()
        meshes = [builder.mesh(builder.primitive(POINTS + i)) for i in range(2)]
        builder.node("top0", mesh=meshes[0], children=[2])
        builder.node("top1", mesh=meshes[1])
        builder.node("below0", mesh=meshes[0])
        builder.json |= {"scenes": [{"nodes": [0]}, {"nodes": [1]}], **fields}
        scene, _, _ = read(builder, tmp_path)
        assert [p.node for p in scene.parts] == ([0, 2] if shown == 0 else [1])
        assert len(scene.nodes) == 3

    def test_without_scenes_everything_is_drawn(self, tmp_path):
        builder = one_mesh(one_mesh(GltfBuilder()))
        builder.json["scenes"] = []
        assert len(read(builder, tmp_path)[0].parts) == 2

    def test_a_mesh_shared_by_two_nodes(self, tmp_path):
        builder = GltfBuilder()
        mesh = builder.mesh(builder.primitive(POINTS, TRIANGLES))
        builder.node("a", mesh=mesh, translation=[1, 0, 0])
        builder.node("b", mesh=mesh, scale=[2, 1, 1])
        scene, _, _ = read(builder, tmp_path)
        assert scene.parts[0].positions is scene.parts[1].positions
        a, b = pose_parts(scene, scene.nodes.T_world_node)
        np.testing.assert_allclose(a, POINTS + np.array([1.0, 0.0, 0.0]), atol=1e-7)
        np.testing.assert_allclose(b, POINTS * np.array([2.0, 1.0, 1.0]), atol=1e-7)
        character = make_character("two", scene)
        np.testing.assert_allclose(character.mesh.triangles, np.concatenate([TRIANGLES, TRIANGLES + 7]))


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


class TestMorphs:
    TARGETS = (np.eye(7, 3), RNG.normal(size=(7, 3)))

    def build(self, **fields) -> GltfBuilder:
        builder = GltfBuilder()
        mesh_weights = fields.pop("mesh_weights", None)
        mesh = builder.mesh(builder.primitive(POINTS, targets=self.TARGETS), weights=mesh_weights)
        builder.node("face", mesh=mesh, **fields)
        return builder

    @pytest.mark.parametrize(
        ("fields", "weights"),
        [
            ({}, [0.0, 0.0]),
            ({"mesh_weights": [0.25, -1.5]}, [0.25, -1.5]),
            ({"weights": [0.5, 2.0]}, [0.5, 2.0]),
            ({"mesh_weights": [0.25, 1.0], "weights": [0.5, 2.0]}, [0.5, 2.0]),
        ],
    )
    def test_default_weights(self, tmp_path, fields, weights):
        part = read_part(self.build(**fields), tmp_path)
        np.testing.assert_array_equal(part.morph_weights, weights)
        expected = POINTS + weights[0] * self.TARGETS[0] + weights[1] * self.TARGETS[1]
        np.testing.assert_allclose(part.morphed(None), expected, atol=1e-6)

    def test_sparse_and_missing_targets(self, tmp_path):
        builder = GltfBuilder()
        primitive = builder.primitive(POINTS)
        values = RNG.normal(size=(2, 3)).astype(np.float32)
        primitive["targets"] = [{"POSITION": builder.sparse_accessor(None, [0, 5], values, count=7)}, {}]
        builder.node(mesh=builder.mesh(primitive))
        targets = read_part(builder, tmp_path).morph_targets
        np.testing.assert_array_equal(targets[0, [0, 5]], values)
        assert np.count_nonzero(targets) == 6

    def test_animated_weights(self, tmp_path):
        builder = self.build(mesh_weights=[1.0, 1.0])
        keys = np.array([[0.0, 1.0], [1.0, 0.0], [4.0, -2.0]])
        builder.animation("talk", (0, "weights", [0.0, 1.0, 3.0], keys, "LINEAR"))
        scene, clips, _ = read(builder, tmp_path)
        for time, expected in ((-1.0, keys[0]), (0.25, [0.25, 0.75]), (2.0, [2.5, -1.0]), (9.0, keys[2])):
            np.testing.assert_allclose(clips[0].sample_morphs(time)[0], expected, atol=1e-6)
            moved = POINTS + expected[0] * self.TARGETS[0] + expected[1] * self.TARGETS[1]
            np.testing.assert_allclose(pose_scene(scene, clips[0], time)[0], moved, atol=1e-5)

    def test_cubic_weights(self, tmp_path):
        keys = RNG.normal(size=(3, 3, 2)).astype(np.float32)  # key, (in, value, out), target
        times = np.array([0.0, 0.5, 2.0])
        builder = self.build()
        builder.animation("talk", (0, "weights", times, keys, "CUBICSPLINE"))
        clip = read(builder, tmp_path)[1][0]
        for time in np.linspace(0.0, 2.0, 9):
            left = min(int(np.searchsorted(times, time, side="right")) - 1, 1)
            piece = CubicHermiteSpline(
                times[left : left + 2], keys[left : left + 2, 1], np.stack([keys[left, 2], keys[left + 1, 0]])
            )
            np.testing.assert_allclose(clip.sample_morphs(time)[0], piece(time), atol=1e-5)


class TestClips:
    TIMES = np.array([0.25, 1.0, 1.5, 4.0], np.float32)
    PROBES = np.concatenate([[-3.0, 0.0, 9.0], np.linspace(0.25, 4.0, 31), TIMES])

    def channel(self, folder: Path, path: str, values, interpolation, *rest):
        builder = GltfBuilder()
        node = builder.node("n")
        builder.animation("clip", (node, path, self.TIMES, values, interpolation, *rest))
        clips = read(builder, folder)[1]
        assert clips[0].name == "clip"
        assert (clips[0].start, clips[0].end, clips[0].duration) == (0.25, 4.0, 3.75)
        return clips[0].channels[0]

    @pytest.mark.parametrize("path", ["translation", "scale"])
    def test_linear(self, tmp_path, path):
        values = RNG.normal(size=(4, 3)).astype(np.float32)
        for name in ("LINEAR", None):  # LINEAR where the file says nothing
            channel = self.channel(tmp_path, path, values, name)
            expected = np.stack([np.interp(self.PROBES, self.TIMES, values[:, k]) for k in range(3)], 1)
            np.testing.assert_allclose(channel.sample(self.PROBES), expected, atol=1e-6)

    @pytest.mark.parametrize("path", ["translation", "rotation"])
    def test_step(self, tmp_path, path):
        values = RNG.normal(size=(4, 3 if path == "translation" else 4))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        channel = self.channel(tmp_path, path, values, "STEP")
        held = np.clip(np.searchsorted(self.TIMES, self.PROBES, side="right") - 1, 0, 3)
        expected = values if path == "translation" else values[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(channel.sample(self.PROBES), expected[held], atol=1e-6)

    def test_rotations_take_the_shortest_arc(self, tmp_path):
        turns = Rotation.random(4, random_state=8)
        quaternions = turns.as_quat() * np.array([[1.0], [-1.0], [1.0], [-1.0]])  # q and -q are the same turn
        channel = self.channel(tmp_path, "rotation", quaternions, "LINEAR")
        found = Rotation.from_quat(channel.sample(self.PROBES)[:, [1, 2, 3, 0]])
        inside = np.clip(self.PROBES, self.TIMES[0], self.TIMES[-1])
        expected = Slerp(self.TIMES.astype(float), turns)(inside)
        assert (found * expected.inv()).magnitude().max() < 1e-6

    def test_nearly_equal_and_opposite_rotations(self, tmp_path):
        tiny = Rotation.from_rotvec([[0, 0, 0], [0, 0, 1e-5], [0, 0, 1e-5 + np.pi], [0, 0, 1e-5]])
        found = self.channel(tmp_path, "rotation", tiny.as_quat(), "LINEAR").sample(self.PROBES)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-9)

    @pytest.mark.parametrize("path", ["translation", "scale", "rotation"])
    def test_cubic_splines(self, tmp_path, path):
        width = 4 if path == "rotation" else 3
        keys = RNG.normal(size=(4, 3, width)).astype(np.float32)
        channel = self.channel(tmp_path, path, keys, "CUBICSPLINE")
        expected = []
        for time in np.clip(self.PROBES, self.TIMES[0], self.TIMES[-1]):
            left = min(int(np.searchsorted(self.TIMES, time, side="right")) - 1, 2)
            ends = slice(left, left + 2)
            slopes = np.stack([keys[left, 2], keys[left + 1, 0]]).astype(float)
            expected.append(
                CubicHermiteSpline(self.TIMES[ends].astype(float), keys[ends, 1].astype(float), slopes)(time)
            )
        expected = np.array(expected)
        if path == "rotation":
            expected = (expected / np.linalg.norm(expected, axis=1, keepdims=True))[:, [3, 0, 1, 2]]
        np.testing.assert_allclose(channel.sample(self.PROBES), expected, atol=1e-5)

    def test_cubic_spline_of_the_standard(self, tmp_path):
        """Tangents of a straight line make a straight line; p(u) of appendix C at u = 1/2 in closed form."""
        line = np.full((4, 3, 3), 2.0)
        line[:, 1] = 2.0 * self.TIMES[:, None]
        channel = self.channel(tmp_path, "translation", line, "CUBICSPLINE")
        inside = np.linspace(0.25, 4.0, 40)
        np.testing.assert_allclose(channel.sample(inside), 2.0 * inside[:, None].repeat(3, 1), atol=1e-5)
        keys = RNG.normal(size=(4, 3, 3)).astype(np.float32)
        middle = self.channel(tmp_path, "translation", keys, "CUBICSPLINE").sample(np.array([2.75]))[0]
        # (v_k + v_k+1) / 2 + d (b_k - a_k+1) / 8
        expected = 0.5 * (keys[2, 1] + keys[3, 1]) + 2.5 / 8.0 * (keys[2, 2] - keys[3, 0])
        np.testing.assert_allclose(middle, expected, atol=1e-6)

    @pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16"])
    def test_rotations_as_integers(self, tmp_path, dtype):
        info = np.iinfo(dtype)
        values = RNG.normal(size=(4, 4))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        values = np.abs(values) if info.min == 0 else values
        stored = np.round(values * info.max)
        channel = self.channel(tmp_path, "rotation", stored, "STEP", dtype)
        expected = stored / np.linalg.norm(stored, axis=1, keepdims=True)
        np.testing.assert_allclose(channel.sample(self.TIMES), expected[:, [3, 0, 1, 2]], atol=1e-6)

    def test_one_key_and_two_keys_at_the_same_time(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node("n")
        builder.animation("one", (node, "translation", [2.0], [[1, 2, 3]], "LINEAR"))
        builder.animation("one cubic", (node, "translation", [2.0], [[[9, 9, 9], [1, 2, 3], [9, 9, 9]]], "CUBICSPLINE"))
        keys = [[0, 0, 0], [1, 0, 0], [5, 0, 0], [6, 0, 0]]
        builder.animation("jump", (node, "translation", [0.0, 1.0, 1.0, 2.0], keys, "LINEAR"))
        clips = read(builder, tmp_path)[1]
        for clip in clips[:2]:
            np.testing.assert_array_equal(clip.channels[0].sample(np.array([0.0, 2.0, 5.0])), [[1, 2, 3]] * 3)
        jump = clips[2].channels[0].sample(np.array([0.5, 0.999999, 1.0, 1.5]))[:, 0]
        np.testing.assert_allclose(jump, [0.5, 1.0, 5.0, 5.5], atol=1e-5)

    def test_sampled_nodes_follow_their_parents(self, tmp_path):
        builder = GltfBuilder()
        builder.node("hip", children=[1], scale=[1.0, 3.0, 1.0])
        builder.node("knee", translation=[0.0, 2.0, 0.0])
        half_turn = [[0, 0, 0, 1], [0, 0, 1, 0]]
        builder.animation("kick", (0, "rotation", [0, 1], half_turn, "LINEAR"), (1, "scale", [0], [[2, 2, 2]], "STEP"))
        scene, clips, _ = read(builder, tmp_path)
        at = clips[0].sample(scene.nodes, np.array([0.0, 0.5, 1.0]))
        np.testing.assert_allclose(at[:, 1, :3, 3], [[0, 6, 0], [-6, 0, 0], [0, -6, 0]], atol=1e-9)
        np.testing.assert_allclose(np.linalg.det(at[:, 1, :3, :3]), 3.0 * 8.0)

    def test_channels_without_a_known_target_are_passed_over(self, tmp_path):
        builder = GltfBuilder()
        node = builder.node("n")
        moves = ([0, 1], [[0, 0, 0], [1, 0, 0]], "LINEAR")
        builder.animation("a", (node, "translation", *moves), (node, "pointer", *moves), (node, "weights", *moves))
        del builder.json["animations"][0]["channels"][2]["target"]["node"]
        builder.animation(None, (node, "scale", *moves))
        clips = read(builder, tmp_path)[1]
        assert [c.path for c in clips[0].channels] == ["translation"]
        assert clips[1].name == "clip1"


class TestMaterials:
    PIXELS = RNG.integers(0, 256, (3, 5, 4), dtype=np.uint8)

    def material(self, builder: GltfBuilder, **info) -> int:
        texture = builder.picture(encode_png(self.PIXELS))
        return builder.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": texture, **info}}})

    def test_colour_texture_and_sampler(self, tmp_path):
        builder = GltfBuilder()
        sampler = builder.add("samplers", {"wrapS": 33071, "wrapT": 33648})
        texture = builder.picture(encode_png(self.PIXELS), sampler=sampler)
        pbr = {"baseColorFactor": [0.1, 0.2, 0.3, 0.4], "baseColorTexture": {"index": texture}}
        looks = {"alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": True, "name": "skin"}
        builder.add("materials", {"pbrMetallicRoughness": pbr, **looks})
        builder.add("materials", {})
        scene, _, warnings = read(one_mesh(builder, material=0), tmp_path)
        first, second = scene.materials
        assert warnings == ()
        assert scene.parts[0].material == 0
        np.testing.assert_array_equal(first.texture.pixels, self.PIXELS)
        assert first.texture.wrap == ("clamp", "mirror")
        assert first.base_colour == (0.1, 0.2, 0.3, 0.4)
        assert (first.name, first.alpha_mode, first.alpha_cutoff, first.double_sided) == ("skin", "MASK", 0.25, True)
        assert second.texture is None
        assert (second.base_colour, second.alpha_mode, second.double_sided) == ((1.0, 1.0, 1.0, 1.0), "OPAQUE", False)

    def test_specular_glossiness(self, tmp_path):
        builder = GltfBuilder()
        texture = builder.picture(encode_png(self.PIXELS))
        glossy = {"diffuseFactor": [0.5, 0.25, 0.0, 1.0], "diffuseTexture": {"index": texture}}
        builder.add("materials", {"extensions": {"KHR_materials_pbrSpecularGlossiness": glossy}})
        material = read(builder, tmp_path)[0].materials[0]
        assert material.base_colour == (0.5, 0.25, 0.0, 1.0)
        np.testing.assert_array_equal(material.texture.pixels, self.PIXELS)

    @pytest.mark.parametrize("place", ["beside", "inside"])
    def test_pictures_outside_the_buffer(self, tmp_path, place):
        import base64

        png = encode_png(self.PIXELS)
        (tmp_path / "a picture.png").write_bytes(png)
        uri = "a%20picture.png" if place == "beside" else "data:image/png;base64," + base64.b64encode(png).decode()
        builder = GltfBuilder()
        builder.add("textures", {"source": builder.add("images", {"uri": uri})})
        builder.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
        scene, _, warnings = read(builder, tmp_path)
        assert warnings == ()
        np.testing.assert_array_equal(scene.materials[0].texture.pixels, self.PIXELS)

    def test_one_picture_is_decoded_once(self, tmp_path):
        builder = GltfBuilder()
        self.material(builder)
        for _ in range(3):
            builder.json["materials"].append(builder.json["materials"][0])
        materials = read(builder, tmp_path)[0].materials
        assert all(m.texture.pixels is materials[0].texture.pixels for m in materials)

    @pytest.mark.parametrize("data", [b"", b"GIF89a", b"\x89PNG broken", b"\xff\xd8\xff\xe0 broken", b"RIFFbroken"])
    def test_a_broken_picture_costs_a_warning_not_the_file(self, tmp_path, data):
        builder = GltfBuilder()
        builder.picture(data)
        builder.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}})
        scene, _, warnings = read(one_mesh(builder, material=0), tmp_path)
        assert scene.materials[0].texture is None
        assert len(warnings) == 1
        assert warnings[0].startswith("made.glb: materials[0]: its texture is left out")

    @pytest.mark.parametrize("rotation", [0.0, 0.3, np.pi / 2, -2.0])
    @pytest.mark.parametrize(
        ("offset", "scale"), [([0.0, 0.0], [1.0, 1.0]), ([0.25, -0.5], [2.0, 0.3]), ([0, 1], [1, -1])]
    )
    def test_texture_transform(self, tmp_path, rotation, offset, scale):
        """uv' = T R S uv with R counter-clockwise as one looks at the picture, whose v points down.

        The matrix of the extension's listing turns the other way; its text, its sample model and all importers agree on
        this one (KhronosGroup/glTF issue 1563). The reference below goes the way of Blender's importer: v upwards.
        """
        uvs = RNG.random((7, 2))
        transform = {"offset": list(offset), "rotation": rotation, "scale": list(scale)}
        builder = GltfBuilder()
        material = self.material(builder, extensions={"KHR_texture_transform": transform})
        part = read_part(one_mesh(builder, TEXCOORD_0=uvs, material=material), tmp_path)
        upwards = uvs[:, 0] * scale[0] - 1j * uvs[:, 1] * scale[1]
        turned = upwards * np.exp(1j * rotation) + (offset[0] - 1j * offset[1])
        np.testing.assert_allclose(part.uvs, np.stack([turned.real, -turned.imag], 1), atol=1e-6)

    def test_texture_transform_by_hand(self, tmp_path):
        """A quarter turn takes the right neighbour of the origin, (1, 0), to its upper one, (0, -1)."""
        builder = GltfBuilder()
        material = self.material(builder, extensions={"KHR_texture_transform": {"rotation": np.pi / 2}})
        uvs = np.zeros((7, 2))
        uvs[0] = [1.0, 0.0]
        part = read_part(one_mesh(builder, TEXCOORD_0=uvs, material=material), tmp_path)
        np.testing.assert_allclose(part.uvs[0], [0.0, -1.0], atol=1e-7)

    def test_which_texture_coordinates(self, tmp_path):
        uvs = RNG.random((3, 7, 2)).astype(np.float32)
        for info, expected in (
            ({}, 0),
            ({"texCoord": 2}, 2),
            ({"texCoord": 2, "extensions": {"KHR_texture_transform": {"texCoord": 1}}}, 1),
        ):
            builder = GltfBuilder()
            fields = {f"TEXCOORD_{i}": uvs[i] for i in range(3)}
            part = read_part(one_mesh(builder, material=self.material(builder, **info), **fields), tmp_path)
            np.testing.assert_array_equal(part.uvs, uvs[expected])

    def test_integer_texture_coordinates(self, tmp_path):
        stored = RNG.integers(0, 256, (7, 2))
        part = read_part(one_mesh(GltfBuilder(), TEXCOORD_0=(stored, "uint8", True)), tmp_path)
        np.testing.assert_allclose(part.uvs, stored / 255.0, atol=1e-7)


class TestExtensions:
    def test_an_unknown_required_extension_is_a_warning(self, tmp_path):
        builder = one_mesh(GltfBuilder())
        builder.json["extensionsRequired"] = ["KHR_texture_transform", "EXT_from_the_future"]
        warnings = read(builder, tmp_path)[2]
        assert warnings == ("made.glb requires the extension EXT_from_the_future, which Gambol does not know.",)

    def test_meshopt_is_refused_with_a_way_out(self, tmp_path):
        builder = one_mesh(GltfBuilder())
        builder.json["bufferViews"][0]["extensions"] = {"EXT_meshopt_compression": {}}
        with pytest.raises(AssetError, match=r"made\.glb is compressed with EXT_meshopt_compression.*gltfpack"):
            read(builder, tmp_path)

    @needs_data
    def test_draco(self):
        pytest.importorskip("DracoPy", reason="needs pip install 'gambol[draco]'")
        path = characters("quaternius/Mech-draco.glb")[0]
        document = read_document(path)
        scene, _, _ = read_scene(document)
        accessors = document.json["accessors"]
        primitives = [p for mesh in document.json["meshes"] for p in mesh["primitives"]]
        assert len(scene.parts) == len(primitives) > 0
        for part, primitive in zip(scene.parts, primitives, strict=True):
            assert "KHR_draco_mesh_compression" in primitive["extensions"]
            position = accessors[primitive["attributes"]["POSITION"]]
            size = np.ptp([position["min"], position["max"]])
            assert len(part.positions) == position["count"]
            assert part.triangles.size == accessors[primitive["indices"]]["count"]
            np.testing.assert_allclose(part.positions.min(0), position["min"], atol=1e-3 * size)
            np.testing.assert_allclose(part.positions.max(0), position["max"], atol=1e-3 * size)
            assert set(np.unique(part.triangles)) == set(range(len(part.positions)))
            assert part.joints.shape == part.weights.shape == (len(part.positions), 4)
            assert part.joints.max() < len(scene.skins[part.skin].joints)

    def test_draco_keeps_what_was_put_in(self, tmp_path):
        draco = pytest.importorskip("DracoPy", reason="needs pip install 'gambol[draco]'")
        corners, faces = box((-1, -2, -3), (1, 2, 3))
        data = draco.encode(
            corners.astype(np.float32), faces.astype(np.uint32), quantization_bits=16, preserve_order=True
        )
        builder = GltfBuilder()
        position = builder.add("accessors", {"componentType": 5126, "count": 8, "type": "VEC3"})
        indices = builder.add("accessors", {"componentType": 5123, "count": 36, "type": "SCALAR"})
        joints, weights = one_hot(0, 8)
        outside = builder.attribute_accessors(JOINTS_0=joints, WEIGHTS_0=weights)  # left out of the compressed data
        packed = {"bufferView": builder.view(data), "attributes": {"POSITION": 0}}
        primitive = {"attributes": {"POSITION": position, **outside}, "indices": indices}
        primitive["extensions"] = {"KHR_draco_mesh_compression": packed}
        builder.node(mesh=builder.mesh(primitive), skin=builder.skin([builder.node("bone")]))
        part = read_part(builder, tmp_path)
        np.testing.assert_allclose(part.positions, corners, atol=1e-3)
        np.testing.assert_array_equal(part.triangles, faces)
        np.testing.assert_array_equal(part.weights, weights)
