"""Broken and hostile containers, JSON and addresses: refused in one sentence that names file and thing."""

from __future__ import annotations

import json
import os
import struct

import pytest
from gltf_builder import CHUNK_BIN, pack_glb, skinned_tower
from mutations import load_fully
from refusals import refuse, write

from gambol.errors import AssetError
from gambol.files.gltf.container import resolve_uri


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


def with_buffer_uri(path, uri):
    """The .gltf file with another address of its first buffer."""
    document = json.loads(path.read_text())
    document["buffers"][0]["uri"] = uri
    path.write_text(json.dumps(document))
    return path


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
            refuse(
                with_buffer_uri(builder.write_gltf(folder / "a.gltf"), uri),
                r"buffers\[0\] points to .* outside the file's own folder",
            )

    @pytest.mark.parametrize(
        "uri", ["", ".", "sub", "missing.bin", "sub/missing.bin", "a" * 5000 + ".bin", "loop.bin", "tower.gltf/x"]
    )
    def test_files_that_are_not_there(self, tmp_path, uri):
        (tmp_path / "sub").mkdir()
        (tmp_path / "loop.bin").symlink_to(tmp_path / "loop.bin")
        refuse(
            with_buffer_uri(skinned_tower(2).write_gltf(tmp_path / "tower.gltf"), uri),
            r"buffers\[0\] (needs the file|has an unreadable address)",
        )

    @pytest.mark.parametrize("uri", ["a\0b.bin", "a%00b.bin", "\ud800.bin", "http://[broken/x.bin", 7, None, []])
    def test_addresses_that_are_none(self, tmp_path, uri):
        refuse(with_buffer_uri(skinned_tower(2).write_gltf(tmp_path / "tower.gltf"), uri), r"buffers\[0\]")

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
        refuse(
            with_buffer_uri(skinned_tower(2).write_gltf(tmp_path / "tower.gltf"), uri),
            r"buffers\[0\] has a data: URI that is not",
        )

    def test_a_link_inside_the_folder_is_followed(self, tmp_path):
        (tmp_path / "real.bin").write_bytes(b"x")
        (tmp_path / "link.bin").symlink_to(tmp_path / "real.bin")
        assert resolve_uri("link.bin", tmp_path, "it").read_bytes() == b"x"
