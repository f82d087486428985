"""Broken, hostile and damaged glTF files: each loads, or is refused in one sentence that names file and thing."""

from __future__ import annotations

import base64
import json
import os
import re
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import CHUNK_BIN, GltfBuilder, box, one_hot, pack_glb, skinned_tower, translation
from mutations import LONGEST, MOST_BYTES, damage, load_each, load_fully, morphing_character, needs_limits

from gambol.errors import AssetError
from gambol.files.gltf_container import read_document, resolve_uri

SEEDS = 200


def refuse(path: Path, match: str) -> str:
    """Load the file, expect one sentence that names it, and return the sentence."""
    with pytest.raises(AssetError) as caught:
        load_fully(path)
    message = str(caught.value)
    assert path.name in message
    assert re.search(match, message), message
    assert "\n" not in message
    assert message.endswith(".")
    assert len(message) < 300
    assert caught.value.exit_code == 2
    return message


def write(folder: Path, data: bytes, name: str = "bad.glb") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def tower_text() -> tuple[bytes, bytes]:
    builder = skinned_tower(3)
    return json.dumps(builder.document()).encode(), bytes(builder.buffers[0])


class TestContainer:
    def test_truncated_anywhere(self, tmp_path):
        whole = skinned_tower(2).glb_bytes()
        for end in [*range(0, 40), *range(40, len(whole), 97), len(whole) - 1]:
            refuse(write(tmp_path, whole[:end]), "truncated|too few")

    def test_truncated_text(self, tmp_path):
        whole = skinned_tower(2).write_gltf(tmp_path / "a.gltf").read_bytes()
        for end in [*range(0, 40), *range(40, len(whole), 97), len(whole) - 1]:
            refuse(write(tmp_path, whole[:end], "cut.gltf"), "cannot be parsed")

    def test_a_short_buffer_beside_the_file(self, tmp_path):
        path = skinned_tower(2).write_gltf(tmp_path / "a.gltf")
        (tmp_path / "a_0.bin").write_bytes((tmp_path / "a_0.bin").read_bytes()[:-5])
        refuse(path, r"buffers\[0\] promises \d+ bytes, but only \d+ are there")

    @pytest.mark.parametrize(
        ("place", "value", "match"),
        [
            (0, b"GLTF", "not a .glb file"),
            (0, b"PK\x03\x04", "not a .glb file"),
            (4, struct.pack("<I", 1), "container version 1"),
            (4, struct.pack("<I", 3), "container version 3"),
            (8, struct.pack("<I", 0xFFFFFFFF), "truncated"),
            (8, struct.pack("<I", 11), "no JSON chunk"),
            (8, struct.pack("<I", 30), "reaches past the end"),
            (12, struct.pack("<I", 0x7FFFFFFF), "reaches past the end"),
            (12, struct.pack("<I", 4), "cannot be parsed|reaches past"),
            (16, struct.pack("<I", CHUNK_BIN), "no JSON chunk"),
        ],
    )
    def test_headers(self, tmp_path, place, value, match):
        data = bytearray(skinned_tower(2).glb_bytes())
        data[place : place + len(value)] = value
        refuse(write(tmp_path, bytes(data)), match)

    def test_a_missing_binary_chunk(self, tmp_path):
        refuse(write(tmp_path, pack_glb(tower_text()[0], None)), r"buffers\[0\] has neither a uri nor a BIN chunk")

    @pytest.mark.parametrize("asset", [{"version": "1.0"}, {"version": "3.0"}, {}, None, {"version": 2.0}, []])
    def test_versions(self, tmp_path, asset):
        builder = skinned_tower(2)
        builder.json["asset"] = asset
        refuse(builder.write_glb(tmp_path / "old.glb"), "glTF version|asset.version|asset must be an object")

    def test_things_that_are_no_file(self, tmp_path):
        (tmp_path / "folder.glb").mkdir()
        refuse(tmp_path / "folder.glb", "cannot be read")
        refuse(tmp_path / "missing.glb", "cannot be read: No such file")
        with pytest.raises(AssetError, match="cannot be read: File name too long"):
            load_fully(tmp_path / ("long" * 100 + ".glb"))
        if hasattr(os, "mkfifo"):
            os.mkfifo(tmp_path / "pipe.glb")
            refuse(tmp_path / "pipe.glb", "cannot be read: it is a folder or a device")

    def test_an_empty_file(self, tmp_path):
        refuse(write(tmp_path, b""), "has 0 bytes")
        refuse(write(tmp_path, b"", "empty.gltf"), "cannot be parsed")


class TestJson:
    @pytest.mark.parametrize(
        "text",
        [
            b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [NaN, 0, 0]}]}',
            b'{"asset": {"version": "2.0"}, "nodes": [{"scale": [1, -Infinity, 1]}]}',
            b'{"asset": {"version": "2.0"}, "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            b'{"asset": {"version": "2.0"}, "x": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
            b'{"asset": {"version": "2.0"}, "x": "\xff\xfe"}',
            b'{"asset": {"version": "2.0"}, "x": "\xc3"}',
            b'{"asset": {"version": "2.0"}, "x": ' + b"7" * 5000 + b"}",
            b'{"asset": {"version": "2.0"}} and more',
            b"\x00\x01\x02",
            b"[]",
            b"null",
            b"12",
        ],
        ids=[
            "NaN",
            "Infinity",
            "lists",
            "objects",
            "utf8",
            "utf8 end",
            "digits",
            "more",
            "zeros",
            "list",
            "null",
            "number",
        ],
    )
    def test_no_json(self, tmp_path, text):
        refuse(write(tmp_path, text, "bad.gltf"), "JSON part (cannot be parsed|must be an object)")
        refuse(write(tmp_path, pack_glb(text, None)), "JSON part (cannot be parsed|must be an object)")

    @pytest.mark.parametrize("depth", [100, 400, 800, 950, 985])
    @pytest.mark.parametrize("place", ["name", "translation", "children", "mesh"])
    def test_deep_values_in_every_kind_of_field(self, tmp_path, depth, place):
        """As deep as the parser lets through: no message may spell the value out, which would recurse again."""
        text = (
            b'{"asset": {"version": "2.0"}, "nodes": [{"%s": ' % place.encode() + b"[" * depth + b"]" * depth + b"}]}"
        )
        refuse(write(tmp_path, text, "deep.gltf"), "deep.gltf")

    @pytest.mark.parametrize("value", [5, "text", [1], {"a": 1}, None, True, [None], [[]], 1e999])
    @pytest.mark.parametrize(
        "key",
        [
            "nodes",
            "meshes",
            "skins",
            "accessors",
            "bufferViews",
            "buffers",
            "materials",
            "animations",
            "scenes",
            "scene",
        ],
    )
    def test_wrong_kinds_of_lists(self, tmp_path, key, value):
        builder = skinned_tower(3)
        document = builder.document()
        document[key] = value
        path = write(
            tmp_path, pack_glb(json.dumps(document).replace("Infinity", "1e999").encode(), bytes(builder.buffers[0]))
        )
        if key == "scene" and value is True:
            refuse(path, r"bad\.glb\.scene must be a whole number")
        else:
            refuse(path, f"{key}|no such element|neither a mesh nor a skeleton|accessor|skin")

    @pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 400, "1e31"])
    @pytest.mark.parametrize("field", ["translation", "rotation", "scale", "matrix"])
    def test_transforms_that_are_not_finite(self, tmp_path, field, number):
        values = {"translation": 3, "rotation": 4, "scale": 3, "matrix": 16}[field] * ["0.5"]
        values[1] = number
        entry = f'{{"{field}": [{", ".join(values)}]}}'
        text = '{"asset": {"version": "2.0"}, "nodes": [' + entry + "]}"
        refuse(write(tmp_path, text.encode(), "far.gltf"), rf"nodes\[0\]\.{field} must hold finite numbers")

    @pytest.mark.parametrize(
        ("field", "value"), [("translation", [1, 2]), ("rotation", [0, 0, 0]), ("scale", "abc"), ("matrix", [1])]
    )
    def test_transforms_of_the_wrong_length(self, tmp_path, field, value):
        builder = skinned_tower(2)
        builder.json["nodes"][0] = {field: value, "children": [1]}
        refuse(builder.write_glb(tmp_path / "short.glb"), rf"nodes\[0\]\.{field} must be a list of \d+ numbers")


def poke(*path: str | int, value: object) -> Callable[[GltfBuilder], None]:
    """A change deep in a builder's JSON."""

    def change(builder: GltfBuilder) -> None:
        place = builder.json
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


PRIMITIVE = ("meshes", 0, "primitives", 0)
SAMPLER = ("animations", 0, "samplers", 0)
BROKEN = {
    "accessor of an attribute": (
        poke(*PRIMITIVE, "attributes", "POSITION", value=99),
        r"POSITION is 99; allowed is 0 to",
    ),
    "negative accessor": (poke(*PRIMITIVE, "attributes", "POSITION", value=-1), "POSITION is -1"),
    "accessor that is no number": (poke(*PRIMITIVE, "attributes", "POSITION", value="0"), "must be a whole number"),
    "accessor that is half": (poke(*PRIMITIVE, "attributes", "POSITION", value=0.5), "must be a whole number"),
    "accessor that is true": (poke(*PRIMITIVE, "attributes", "POSITION", value=True), "must be a whole number"),
    "accessor of the wrong type": (poke(*PRIMITIVE, "attributes", "POSITION", value=3), "allowed is VEC3"),
    "accessor of the indices": (poke(*PRIMITIVE, "indices", value=99), r"primitives\[0\]\.indices is 99"),
    "indices that are floats": (poke("accessors", 4, "componentType", value=5126), "view of|unsigned integers"),
    "attributes of different length": (poke("accessors", 3, "count", value=7), r"has 7 rows for 24 vertices"),
    "joints that are floats": (poke(*PRIMITIVE, "attributes", "JOINTS_0", value=2), "JOINTS_0 must be integers"),
    "mode": (poke(*PRIMITIVE, "mode", value=9), r"mode is 9; allowed is 0 to 6"),
    "material": (poke(*PRIMITIVE, "material", value=1), r"material is 1; allowed is 0 to 0"),
    "buffer view": (poke("accessors", 0, "bufferView", value=99), r"accessors\[0\]\.bufferView is 99"),
    "buffer view as a list": (poke("accessors", 0, "bufferView", value=[]), r"accessors\[0\]\.bufferView"),
    "buffer": (poke("bufferViews", 0, "buffer", value=1), r"bufferViews\[0\]\.buffer is 1; allowed is 0 to 0"),
    "no buffer": (poke("bufferViews", 0, value={"byteLength": 4}), r"bufferViews\[0\] names no buffer"),
    "view past its buffer": (poke("bufferViews", 0, "byteLength", value=10**6), r"bufferViews\[0\] reaches to byte"),
    "view far past its buffer": (
        poke("bufferViews", 0, "byteOffset", value=2**53),
        r"bufferViews\[0\] reaches to byte",
    ),
    "view before its buffer": (poke("bufferViews", 0, "byteOffset", value=-4), "byteOffset is -4"),
    "accessor past its view": (
        poke("accessors", 0, "count", value=25),
        r"accessors\[0\] needs 300 bytes of a view of 288",
    ),
    "accessor offset past its view": (poke("accessors", 0, "byteOffset", value=4), r"accessors\[0\] needs 292 bytes"),
    "count of 2^40": (poke("accessors", 0, "count", value=2**40), r"accessors\[0\] asks for \d+ bytes more"),
    "count of 2^63": (poke("accessors", 0, "count", value=2**63), r"accessors\[0\]\.count is 9223372036854775808"),
    "count below zero": (poke("accessors", 0, "count", value=-1), r"accessors\[0\]\.count is -1"),
    "huge count from nothing": (
        poke("accessors", 0, value={"componentType": 5126, "type": "VEC3", "count": 2**40}),
        r"accessors\[0\] asks for \d+ bytes more",
    ),
    "component type": (poke("accessors", 0, "componentType", value=5124), "componentType is 5124"),
    "type": (poke("accessors", 0, "type", value="VEC5"), "'VEC5'; allowed is VEC3"),
    "stride smaller than an element": (poke("bufferViews", 0, "byteStride", value=4), "byteStride is 4; allowed is 12"),
    "stride too large": (poke("bufferViews", 0, "byteStride", value=5000), "byteStride is 5000"),
    "sparse without anything": (poke("accessors", 0, "sparse", value={}), r"accessors\[0\]\.sparse\.count"),
    "sparse with more rows than there are": (poke("accessors", 0, "sparse", value={"count": 25}), "sparse.count is 25"),
    "sparse row out of range": (
        poke(
            "accessors",
            0,
            "sparse",
            value={"count": 4, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}},
        ),
        r"accessors\[0\]\.sparse points at element \d+ of 24",
    ),
    "sparse indices that are signed": (
        poke("accessors", 0, "sparse", value={"count": 1, "indices": {"bufferView": 0, "componentType": 5122}}),
        "sparse.indices must be unsigned",
    ),
    "child": (poke("nodes", 0, "children", value=[9]), r"nodes\[0\]\.children\[0\] is 9; allowed is 0 to 3"),
    "its own child": (poke("nodes", 0, "children", value=[0]), r"nodes\[0\] has node 0 as a child"),
    "two parents": (
        poke("nodes", 3, "children", value=[2]),
        r"nodes\[3\] has node 2 as a child, which already has a parent",
    ),
    "twice the same child": (poke("nodes", 0, "children", value=[1, 1]), "already has a parent"),
    "circle of two": (poke("nodes", 1, "children", value=[0]), "contains a cycle"),
    "circle of three": (poke("nodes", 2, "children", value=[0]), "contains a cycle"),
    "mesh": (poke("nodes", 3, "mesh", value=1), r"nodes\[3\]\.mesh is 1; allowed is 0 to 0"),
    "skin": (poke("nodes", 3, "skin", value=7), r"nodes\[3\]\.skin is 7"),
    "joint of a skin": (poke("skins", 0, "joints", value=[0, 1, 4]), r"skins\[0\]\.joints\[2\] is 4"),
    "joint twice": (poke("skins", 0, "joints", value=[0, 1, 1]), r"skins\[0\] names the same joint twice"),
    "no joints": (poke("skins", 0, "joints", value=[]), r"skins\[0\] has no joints"),
    "too few joints for the vertices": (
        poke("skins", 0, "joints", value=[0, 1]),
        "binds vertices to joint 2 of a skin with 2",
    ),
    "too few matrices": (poke("accessors", 5, "count", value=2), "2 inverse bind matrices for 3 joints"),
    "inverse bind matrices elsewhere": (poke("skins", 0, "inverseBindMatrices", value=0), "allowed is MAT4"),
    "node of a scene": (poke("scenes", value=[{"nodes": [17]}]), r"scenes\[0\]\.nodes\[0\] is 17"),
    "target of a channel": (poke("animations", 0, "channels", 0, "target", "node", value=4), r"target\.node is 4"),
    "sampler of a channel": (poke("animations", 0, "channels", 0, "sampler", value=2), r"channels\[0\]\.sampler is 2"),
    "channel without a sampler": (
        poke("animations", 0, "channels", 0, value={"target": {"node": 0, "path": "scale"}}),
        r"channels\[0\] names no sampler",
    ),
    "times of a sampler": (poke(*SAMPLER, "input", value=None), r"samplers\[0\]\.input must be a whole number"),
    "values of a sampler": (poke(*SAMPLER, "output", value=8), r"samplers\[0\]\.output uses .* allowed is VEC4"),
    "interpolation": (poke(*SAMPLER, "interpolation", value="MAGIC"), r"interpolation is 'MAGIC'"),
    "cubic with too few values": (poke(*SAMPLER, "interpolation", value="CUBICSPLINE"), "12 values for 3 keys of 12"),
    "weights of a mesh": (poke(*PRIMITIVE, "targets", value=[{"POSITION": 2}]), "POSITION.*allowed is VEC3"),
    "morph target of another length": (
        poke(*PRIMITIVE, "targets", value=[{"POSITION": 8}]),
        r"targets\[0\] has 2 rows for 24 vertices",
    ),
    "factor of a material": (
        poke("materials", 0, "pbrMetallicRoughness", "baseColorFactor", value=[1, 2]),
        r"materials\[0\]\.factor must be a list of 4 numbers",
    ),
    "texture channel": (
        poke("materials", 0, "pbrMetallicRoughness", "baseColorTexture", value={"index": 0, "texCoord": -1}),
        "texCoord is -1",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_references_and_sizes(tmp_path, name):
    change, match = BROKEN[name]
    builder = skinned_tower(3)
    load_fully(builder.write_glb(tmp_path / "sound.glb"))
    change(builder)
    refuse(builder.write_glb(tmp_path / "broken.glb"), match)


class TestArrays:
    def tower_with(self, accessor: int, values: np.ndarray, dtype: str = "<f4") -> GltfBuilder:
        """A tower with the data of one accessor replaced."""
        builder = skinned_tower(3)
        view = builder.json["bufferViews"][builder.json["accessors"][accessor]["bufferView"]]
        data = np.asarray(values).astype(dtype).tobytes()
        builder.buffers[0][view["byteOffset"] : view["byteOffset"] + len(data)] = data
        return builder

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, 3e38])
    def test_positions_that_are_not_finite(self, tmp_path, value):
        refuse(self.tower_with(0, [0.0, value]).write_glb(tmp_path / "a.glb"), r"primitives\[0\] has vertex positions")

    def test_a_triangle_beyond_the_vertices(self, tmp_path):
        path = self.tower_with(4, [0, 1, 24], "<u2").write_glb(tmp_path / "a.glb")
        refuse(path, r"primitives\[0\]\.indices points at vertex 24 of 24")

    def test_a_joint_beyond_the_skin(self, tmp_path):
        path = self.tower_with(1, [3, 0, 0, 0], "<u1").write_glb(tmp_path / "a.glb")
        refuse(path, r"primitives\[0\] binds vertices to joint 3 of a skin with 3 joints")

    @pytest.mark.parametrize("matrix", [np.zeros((4, 4)), np.diag([1.0, 0.0, 1.0, 1.0]), np.diag([1e-20] * 3 + [1.0])])
    def test_singular_inverse_bind_matrices(self, tmp_path, matrix):
        both = np.stack([np.eye(4), matrix])
        path = self.tower_with(5, both.transpose(0, 2, 1)).write_glb(tmp_path / "a.glb")
        refuse(path, r"skins\[0\]: the inverse bind matrix of joint 1 cannot be inverted")

    @pytest.mark.parametrize("value", [np.nan, np.inf, 1e20])
    def test_inverse_bind_matrices_that_are_not_finite(self, tmp_path, value):
        refuse(
            self.tower_with(5, [value]).write_glb(tmp_path / "a.glb"),
            r"skins\[0\] has inverse bind matrices that are not finite",
        )

    def test_small_and_uneven_inverse_bind_matrices_are_fine(self, tmp_path):
        matrix = np.diag([1e-4, 1e-4, 1e-6, 1.0])
        path = self.tower_with(5, np.stack([matrix] * 3)).write_glb(tmp_path / "a.glb")
        assert load_fully(path).startswith("1 parts")

    @pytest.mark.parametrize(
        ("times", "match"),
        [([0.0, 0.5, 0.25], "run backwards"), ([0.0, np.nan, 1.0], "not finite"), ([0.0, 1.0, np.inf], "not finite")],
    )
    def test_key_times(self, tmp_path, times, match):
        path = self.tower_with(7, times).write_glb(tmp_path / "a.glb")
        refuse(path, rf"animations\[0\]\.samplers\[0\] has key.* {match}|samplers\[0\] has keys that are {match}")

    @pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
    def test_keys_that_are_not_finite(self, tmp_path, value):
        path = self.tower_with(6, [0.0, value]).write_glb(tmp_path / "a.glb")
        refuse(path, r"animations\[0\]\.samplers\[0\] has keys that are not finite")

    def test_a_chain_of_large_scales_overflows(self, tmp_path):
        builder = GltfBuilder()
        for i in range(20):
            builder.node(scale=[1e20, 1e20, 1e20], children=[i + 1] if i < 19 else None)
        refuse(builder.write_glb(tmp_path / "a.glb"), r"nodes\[0\] has a transform that is not finite or beyond")

    def test_a_clip_of_large_scales_overflows(self, tmp_path):
        builder = GltfBuilder()
        for i in range(40):
            builder.node(children=[i + 1] if i < 39 else None)
        grow = ([0.0, 1.0], [[1.0] * 3, [1e11] * 3], "LINEAR")
        builder.animation("grow", *[(i, "scale", *grow) for i in range(40)])
        refuse(builder.write_glb(tmp_path / "a.glb"), r"a clip moves nodes\[1\] beyond 1e\+12 units")

    def test_morph_targets_of_different_number(self, tmp_path):
        builder = GltfBuilder()
        points = np.eye(3)
        primitives = [builder.primitive(points, targets=[points] * n) for n in (1, 2)]
        builder.node(mesh=builder.mesh(*primitives))
        refuse(
            builder.write_glb(tmp_path / "a.glb"),
            r"meshes\[0\]: its primitives must have the same number of morph targets",
        )


class TestAddresses:
    @pytest.mark.parametrize(
        "uri",
        [
            "../secret.bin",
            "sub/../../secret.bin",
            "%2e%2e/secret.bin",
            "..%2fsecret.bin",
            "..\\secret.bin",
            "sub\\..\\..\\secret.bin",
            "..%5csecret.bin",
            "\\\\server\\share\\secret.bin",
            "/etc/passwd",
            "//etc/passwd",
            "%2fetc%2fpasswd",
            "file:///etc/passwd",
            "file:secret.bin",
            "http://example.com/secret.bin",
            "https://example.com/secret.bin",
            "ftp://example.com/secret.bin",
            "C:\\secret.bin",
            "link.bin",
            "link_folder/secret.bin",
        ],
    )
    @pytest.mark.parametrize("kind", ["buffer", "picture"])
    def test_nothing_outside_the_folder_is_read(self, tmp_path, uri, kind):
        folder = tmp_path / "inner"
        (folder / "sub").mkdir(parents=True)
        secret = tmp_path / "secret.bin"
        secret.write_bytes(bytes(10_000))
        (folder / "link.bin").symlink_to(secret)
        (folder / "link_folder").symlink_to(tmp_path)
        builder = skinned_tower(2)
        if kind == "picture":
            builder.add("textures", {"source": builder.add("images", {"uri": uri})})
            builder.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
            assert load_fully(builder.write_glb(folder / "a.glb")).endswith("1 notes")  # a texture costs a warning only
        else:
            path = builder.write_gltf(folder / "a.gltf")
            document = json.loads(path.read_text())
            document["buffers"][0]["uri"] = uri
            path.write_text(json.dumps(document))
            refuse(path, r"buffers\[0\] points to .* outside the file's own folder")

    @pytest.mark.parametrize(
        "uri", ["", ".", "sub", "missing.bin", "sub/missing.bin", "a" * 5000 + ".bin", "loop.bin", "tower.gltf/x"]
    )
    def test_files_that_are_not_there(self, tmp_path, uri):
        (tmp_path / "sub").mkdir()
        (tmp_path / "loop.bin").symlink_to(tmp_path / "loop.bin")
        path = skinned_tower(2).write_gltf(tmp_path / "tower.gltf")
        document = json.loads(path.read_text())
        document["buffers"][0]["uri"] = uri
        path.write_text(json.dumps(document))
        refuse(path, r"buffers\[0\] (needs the file|has an unreadable address)")

    @pytest.mark.parametrize("uri", ["a\0b.bin", "a%00b.bin", "\ud800.bin", "http://[broken/x.bin", 7, None, []])
    def test_addresses_that_are_none(self, tmp_path, uri):
        path = skinned_tower(2).write_gltf(tmp_path / "tower.gltf")
        document = json.loads(path.read_text())
        document["buffers"][0]["uri"] = uri
        path.write_text(json.dumps(document))
        refuse(path, r"buffers\[0\]")

    @pytest.mark.parametrize(
        "uri",
        [
            "data:application/octet-stream;base64,@@@@",
            "data:application/octet-stream;base64,AAA",
            "data:application/octet-stream;base64,AAAA AAAA",
            "data:application/octet-stream;base64,ÄÄÄÄ",
            "data:application/octet-stream,plain",
            "data:application/octet-stream;base64",
            "data:",
        ],
    )
    def test_bad_base64(self, tmp_path, uri):
        path = skinned_tower(2).write_gltf(tmp_path / "tower.gltf")
        document = json.loads(path.read_text())
        document["buffers"][0]["uri"] = uri
        path.write_text(json.dumps(document))
        refuse(path, r"buffers\[0\] has a data: URI that is not")

    def test_a_link_inside_the_folder_is_followed(self, tmp_path):
        (tmp_path / "real.bin").write_bytes(b"x")
        (tmp_path / "link.bin").symlink_to(tmp_path / "real.bin")
        assert resolve_uri("link.bin", tmp_path, "it").read_bytes() == b"x"


def chain_of_nodes(folder: Path) -> Path:
    """100 000 nodes, each the child of the one before, a mesh on the last."""
    builder = GltfBuilder()
    builder.json["nodes"] = [{"children": [i + 1]} for i in range(99_999)]
    builder.node(mesh=builder.mesh(builder.primitive(np.eye(3))))
    builder.animation("a", (0, "translation", [0.0, 1.0], [[0.0] * 3, [1.0] * 3], "LINEAR"))
    return builder.write_glb(folder / "chain.glb")


def circle_of_nodes(folder: Path) -> Path:
    builder = GltfBuilder()
    builder.json["nodes"] = [{"children": [(i + 1) % 100_000]} for i in range(100_000)]
    builder.json["scenes"] = [{"nodes": [0]}]
    return builder.write_glb(folder / "circle.glb")


def chain_with_skin(folder: Path) -> Path:
    """4000 joints at the end of a chain of 20 000 nodes, with a mesh on every tenth node."""
    builder = GltfBuilder()
    mesh = builder.mesh(builder.primitive(np.eye(3)))
    builder.json["nodes"] = [{"children": [i + 1], **({"mesh": mesh} if i % 10 == 0 else {})} for i in range(19_999)]
    builder.node("end")
    joints, weights = one_hot(0, 3)
    skinned = builder.mesh(builder.primitive(np.eye(3), JOINTS_0=joints, WEIGHTS_0=weights))
    builder.json["nodes"].append({"mesh": skinned, "skin": builder.skin(list(range(16_000, 20_000)))})
    return builder.write_glb(folder / "skin.glb")


def many_joints(folder: Path) -> Path:
    builder = GltfBuilder()
    builder.json["nodes"] = [{"children": [i + 1]} for i in range(19_999)] + [{}]
    builder.skin(list(range(20_000)))
    return builder.write_glb(folder / "joints.glb")


def same_names(folder: Path) -> Path:
    """2000 joints of the same name."""
    builder = GltfBuilder()
    builder.json["nodes"] = [{"name": "Bone", "translation": [0.0, 0.1, 0.0], "children": [i + 1]} for i in range(1999)]
    builder.json["nodes"].append({"name": "Bone"})
    builder.skin(list(range(2000)))
    return builder.write_glb(folder / "names.glb")


def crowd_of_copies(folder: Path) -> Path:
    """One mesh of 10 000 vertices, drawn by 100 000 nodes: 24 GB of positions in a file of 3 MB."""
    builder = GltfBuilder()
    mesh = builder.mesh(builder.primitive(np.random.default_rng(0).normal(size=(10_000, 3))))
    builder.json["nodes"] = [{"mesh": mesh}] * 100_000
    return builder.write_glb(folder / "crowd.glb")


def vertices_from_nothing(folder: Path) -> Path:
    """Positions, joints and weights without bytes: as many as the reader's free budget allows, and more."""
    builder = GltfBuilder()
    entry = {"count": 600_000}
    position = builder.add("accessors", {**entry, "componentType": 5126, "type": "VEC3"})
    builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
    return builder.write_glb(folder / "nothing.glb")


def many_vertices_from_nothing(folder: Path) -> Path:
    builder = GltfBuilder()
    position = builder.add("accessors", {"count": 5_000_000, "componentType": 5126, "type": "VEC3"})
    builder.node(mesh=builder.mesh({"attributes": {"POSITION": position}}))
    return builder.write_glb(folder / "much.glb")


def keys_from_nothing(folder: Path) -> Path:
    builder = skinned_tower(2, clip=False)
    times = builder.add("accessors", {"count": 3_000_000, "componentType": 5126, "type": "SCALAR"})
    values = builder.add("accessors", {"count": 3_000_000, "componentType": 5126, "type": "VEC3"})
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    builder.add("animations", {"samplers": [{"input": times, "output": values}], "channels": [channel]})
    return builder.write_glb(folder / "keys.glb")


def same_buffer_again(folder: Path) -> Path:
    """20 000 buffers that are the file itself, each a byte shorter than the one before."""
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 1_000_000 - i, "uri": "self.gltf"} for i in range(20_000)],
    }
    path = folder / "self.gltf"
    path.write_text(json.dumps(document) + " " * 1_000_000)
    return path


def png_bomb(folder: Path) -> Path:
    """A picture of 16000 x 16000 in 250 kB, used by 200 materials."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    rows = packer.compress(bytes(16_001 * 4_000)) + packer.flush()
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 16_000, 16_000, 8, 0, 0, 0, 0))
    builder = skinned_tower(2)
    builder.picture(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    builder.json["materials"] += [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}] * 200
    return builder.write_glb(folder / "bomb.glb")


def many_parts(folder: Path) -> Path:
    """20 000 nodes that draw the same small mesh, half of them below a joint."""
    builder = GltfBuilder()
    corners, faces = box((0, 0, 0), (1, 1, 1))
    mesh = builder.mesh(builder.primitive(corners, faces))
    builder.json["nodes"] = [{"mesh": mesh} for _ in range(20_000)]
    builder.json["nodes"][0]["children"] = list(range(1, 10_000))
    builder.skin([0], [translation(0, 0, 0)])
    return builder.write_glb(folder / "parts.glb")


HEAVY = {
    chain_of_nodes: "loaded",
    circle_of_nodes: "refused: circle.glb: the node hierarchy contains a cycle",
    chain_with_skin: "loaded",
    many_joints: "refused: joints.glb: skins[0] brings the file to 20000 joints; at most 4096",
    same_names: "loaded",
    crowd_of_copies: "refused: crowd.glb: nodes[",
    vertices_from_nothing: "loaded",
    many_vertices_from_nothing: "refused: much.glb: nodes[0] asks for",
    keys_from_nothing: "loaded",
    same_buffer_again: "refused: self.gltf: buffers[",
    png_bomb: "loaded",
    many_parts: "loaded",
}


@needs_limits
def test_heavy_files_are_loaded_or_refused_in_seconds(tmp_path):
    """Small files that ask for much: none takes 20 seconds or a gigabyte."""
    paths = [make(tmp_path) for make in HEAVY]
    for outcome, expected in zip(load_each(paths), HEAVY.values(), strict=True):
        found = outcome.kind + (f": {outcome.detail}" if outcome.kind != "loaded" else "")
        assert found.startswith(expected), f"{outcome.job.name}: {found}"
        assert outcome.seconds < LONGEST, outcome
        assert outcome.grown_bytes < MOST_BYTES, outcome


@needs_limits
def test_damaged_files_load_or_are_refused():
    """The mutation proof: 200 damaged files from seeds 0 to 199; any other exception, a crash or a hang fails."""
    outcomes = list(load_each(range(SEEDS)))
    failures = [f"seed {o.job}: {o.detail}" for o in outcomes if o.kind == "failed"]
    assert not failures, "\n".join(failures)
    assert [o.job for o in outcomes] == list(range(SEEDS))
    assert max(o.seconds for o in outcomes) < LONGEST
    assert max(o.grown_bytes for o in outcomes) < MOST_BYTES
    # the proof is only one if the damage is of all kinds: many files get through, many are refused at many places
    kinds = {kind: [o.detail for o in outcomes if o.kind == kind] for kind in ("loaded", "refused")}
    assert len(kinds["loaded"]) > SEEDS // 10
    assert len({re.sub(r"\d+", "#", d) for d in kinds["refused"]}) > 40
    for sentence in kinds["refused"]:
        assert re.match(r"[\w/.-]+\.(glb|gltf|bin)\b", sentence), sentence
        assert "\n" not in sentence
        assert sentence.endswith(".")


def test_the_same_seed_gives_the_same_damage():
    base = [{"a.glb": morphing_character().glb_bytes()}]
    whole = base[0]["a.glb"]
    damaged = [damage(seed, base)["a.glb"] for seed in range(40)]
    assert damaged == [damage(seed, base)["a.glb"] for seed in range(40)]
    assert sum(d != whole for d in damaged) > 35
    assert len(set(damaged)) > 35


def test_the_sound_files_are_sound(tmp_path):
    for builder, parts in ((skinned_tower(3), 1), (morphing_character(), 3)):
        for path in (
            builder.write_glb(tmp_path / "a.glb"),
            builder.write_gltf(tmp_path / "b.gltf"),
            builder.write_gltf(tmp_path / "c.gltf", embed=True),
        ):
            assert load_fully(path).startswith(f"{parts} parts")
            assert load_fully(path).endswith("0 notes")
    document = read_document(tmp_path / "c.gltf")
    assert base64.b64decode(document.json["buffers"][0]["uri"].split(",")[1]) == document.buffers[0]
