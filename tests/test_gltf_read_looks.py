"""The glTF reader against the materials, textures and extensions that were put into the file."""

from __future__ import annotations

import numpy as np
import pytest
from gltf_builder import GltfBuilder, box, one_hot
from gltf_reading import one_mesh, read, read_part
from real_data import characters, needs_data

from gambol.errors import AssetError
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene
from gambol.files.images import encode_png

RNG = np.random.default_rng(24)


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
