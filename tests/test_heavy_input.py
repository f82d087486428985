"""Small files that ask for much time or memory are loaded or refused in seconds."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
from gltf_builder import GltfBuilder, box, one_hot, skinned_tower, translation
from mutations import LONGEST, MOST_BYTES, load_each, needs_limits


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


def many_skins(folder: Path) -> Path:
    """1000 skins over 4000 separate joints, and 5000 nodes that draw with them."""
    builder = GltfBuilder()
    joints, weights = one_hot(0, 3)
    mesh = builder.mesh(builder.primitive(np.eye(3), JOINTS_0=joints, WEIGHTS_0=weights))
    builder.json["nodes"] = [{"translation": [0.0, 0.1 * (i % 7), 0.1 * (i % 5)]} for i in range(4000)]
    builder.json["skins"] = [{"joints": [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]} for i in range(1000)]
    builder.json["nodes"] += [{"mesh": mesh, "skin": i % 1000} for i in range(5000)]
    return builder.write_glb(folder / "skins.glb")


def many_channels(folder: Path) -> Path:
    """A clip that moves the same two joints 100 000 times over."""
    builder = skinned_tower(3)
    builder.json["animations"][0]["channels"] *= 50_000
    return builder.write_glb(folder / "channels.glb")


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
    many_skins: "loaded",
    many_channels: "loaded",
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
