"""A reader of .glb animations that shares nothing with Gambol: bytes of channels, and where nodes are at a key."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

SIZES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def parts(path: Path) -> tuple[dict, bytes]:
    """The JSON and the binary chunk."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length]), data[20 + length + 8 :]


def accessor_bytes(document: dict, binary: bytes, index: int) -> bytes:
    accessor = document["accessors"][index]
    view = document["bufferViews"][accessor["bufferView"]]
    start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    return binary[start : start + accessor["count"] * WIDTHS[accessor["type"]] * SIZES[accessor["componentType"]]]


def channels(path: Path, name: str | None = None) -> dict[tuple[int, str], tuple[bytes, bytes]]:
    """Bytes of times and values by node and path, of the animation of that name or of the last one."""
    document, binary = parts(path)
    animations = document["animations"]
    animation = animations[-1] if name is None else next(a for a in animations if a.get("name") == name)
    found = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        key = (channel["target"]["node"], channel["target"]["path"])
        found[key] = tuple(accessor_bytes(document, binary, sampler[side]) for side in ("input", "output"))
    return found


def node_places(path: Path, time: float) -> dict[str, np.ndarray]:
    """World transforms of all nodes by name, in the file's axes, at the last animation's keys nearest to a time."""
    document, _ = parts(path)
    local = []
    for node in document["nodes"]:
        T = np.array(node["matrix"], float).reshape(4, 4).T if "matrix" in node else None
        local.append(
            T
            if T is not None
            else {
                "translation": np.array(node.get("translation", [0, 0, 0]), float),
                "rotation": np.array(node.get("rotation", [0, 0, 0, 1]), float),
                "scale": np.array(node.get("scale", [1, 1, 1]), float),
            }
        )
    for (node, target), (times, values) in channels(path).items():
        keys = np.frombuffer(times, "<f4")
        rows = np.frombuffer(values, "<f4").reshape(len(keys), -1)
        local[node][target] = rows[np.abs(keys - time).argmin()].astype(float)
    world: dict[int, np.ndarray] = {}

    def visit(index: int, above: np.ndarray) -> None:
        own = local[index]
        world[index] = above @ (own if isinstance(own, np.ndarray) else matrix(**own))
        for child in document["nodes"][index].get("children", ()):
            visit(child, world[index])

    for top in document["scenes"][document.get("scene", 0)]["nodes"]:
        visit(top, np.eye(4))
    return {document["nodes"][index].get("name", str(index)): T for index, T in world.items()}


def matrix(translation: np.ndarray, rotation: np.ndarray, scale: np.ndarray) -> np.ndarray:
    x, y, z, w = rotation / np.linalg.norm(rotation)
    R = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R * scale, translation
    return T
