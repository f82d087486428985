"""The glTF reader against the arrays that were put into the file: containers, accessors, primitives, nodes."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gltf_builder import GltfBuilder, one_hot, pack_glb, skinned_tower, translation
from gltf_reading import POINTS, TRIANGLES, assert_same_scene, one_mesh, read, read_part
from scipy.spatial.transform import Rotation

from gambol.character.character import make_character
from gambol.character.scene import pose_parts
from gambol.errors import AssetError
from gambol.files.gltf.accessors import AccessorReader
from gambol.files.gltf.container import read_document
from gambol.files.gltf.meshes import fan_triangles, strip_triangles
from gambol.files.gltf.read import read_scene

RNG = np.random.default_rng(21)


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
