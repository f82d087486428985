"""Encode arrays and JSON as glTF: a growing binary buffer with its views and accessors, and the containers."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy import ndarray

from gambol.character.scene import NodeTree
from gambol.files.gltf.accessors import COMPONENT_TYPES
from gambol.files.gltf.container import CHUNK_BIN, CHUNK_JSON, GLB_MAGIC
from gambol.motion.node_clip import NodeClip

TYPE_OF_WIDTH = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
"""glTF accessor type by numbers per element."""
CODE_OF_DTYPE = {dtype: code for code, dtype in COMPONENT_TYPES.items()}
"""glTF component type by number type."""
ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963
"""Buffer view targets of vertex attributes and of triangle indices."""


class BinaryBuilder:
    """Appends arrays to `json` as views and accessors of one buffer, starting at byte `first_byte` of it."""

    def __init__(self, document: dict[str, Any], buffer: int, first_byte: int):
        self.json, self.buffer = document, buffer
        self.first_byte, self.pieces, self.length = first_byte, list[bytes](), 0

    def add_bytes(self, data: bytes, *, target: int | None = None) -> int:
        """Add a buffer view of raw bytes, aligned to 4; returns its index."""
        view: dict[str, Any] = {
            "buffer": self.buffer,
            "byteOffset": self.first_byte + self.length,
            "byteLength": len(data),
        }
        if target is not None:
            view["target"] = target
        padded = data + bytes(-len(data) % 4)
        self.pieces.append(padded)
        self.length += len(padded)
        return append(self.json, "bufferViews", view)

    def add_array(self, values: ndarray, *, target: int | None = None, bounds: bool = False) -> int:
        """Add an accessor for [count] or [count, width] values; returns its index."""
        values = np.ascontiguousarray(values)
        rows = values.reshape(len(values), -1)
        accessor: dict[str, Any] = {
            "bufferView": self.add_bytes(rows.tobytes(), target=target),
            "componentType": CODE_OF_DTYPE[values.dtype.newbyteorder("<")],
            "count": len(rows),
            "type": TYPE_OF_WIDTH[rows.shape[1]],
        }
        if bounds:
            accessor |= {"min": rows.min(0).tolist(), "max": rows.max(0).tolist()}
        return append(self.json, "accessors", accessor)

    def add_animation(self, clip: NodeClip, extras: Mapping[str, object] = MappingProxyType({})) -> int:
        """Add a node clip as an animation; channels with the same times share their input. Returns its index."""
        inputs: dict[bytes, int] = {}
        samplers: list[dict[str, Any]] = []
        channels: list[dict[str, Any]] = []
        for channel in clip.channels:
            times = channel.times.astype("<f4")
            if times.tobytes() not in inputs:
                inputs[times.tobytes()] = self.add_array(times, bounds=True)
            values = channel.values[..., [1, 2, 3, 0]] if channel.path == "rotation" else channel.values
            flat = values.reshape(-1, 1 if channel.path == "weights" else values.shape[-1])
            samplers.append(
                {
                    "input": inputs[times.tobytes()],
                    "interpolation": channel.interpolation,
                    "output": self.add_array(flat.astype("<f4")),
                }
            )
            target = {"node": int(channel.node), "path": channel.path}
            channels.append({"sampler": len(samplers) - 1, "target": target})
        animation: dict[str, Any] = {"name": clip.name, "channels": channels, "samplers": samplers}
        animation |= {"extras": {"gambol": dict(extras)}} if extras else {}
        return append(self.json, "animations", animation)

    def data(self) -> bytes:
        """All bytes that were added."""
        return b"".join(self.pieces)


def append(document: dict[str, Any], key: str, element: dict[str, Any]) -> int:
    """Add an element to one of the document's lists; returns its index."""
    elements = document.setdefault(key, [])
    elements.append(element)
    return len(elements) - 1


def trs_fields(nodes: NodeTree, node: int) -> dict[str, list[float]]:
    """Translation, rotation and scale of a node as glTF writes them, quaternions as xyzw."""
    wxyz = nodes.rotations_wxyz[node]
    trs = {"translation": nodes.translations[node], "rotation": wxyz[[1, 2, 3, 0]], "scale": nodes.scales[node]}
    return {key: values.tolist() for key, values in trs.items()}


def encode_glb(document: dict[str, Any], binary: bytes | None) -> bytes:
    """Encode a .glb container: header, JSON chunk padded with spaces, BIN chunk padded with zeros."""
    text = encode_json(document)
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), CHUNK_JSON) + text
    if binary is not None:
        binary = binary + bytes(-len(binary) % 4)
        chunks += struct.pack("<II", len(binary), CHUNK_BIN) + binary
    return struct.pack("<III", GLB_MAGIC, 2, 12 + len(chunks)) + chunks


def encode_json(document: dict[str, Any]) -> bytes:
    """Encode compact JSON; every number keeps its value."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair in a name: only its escape can stand in a file
        return json.dumps(document, separators=(",", ":"), allow_nan=False).encode("ascii")


def data_uri(data: bytes) -> str:
    """Encode bytes as a base64 data: URI."""
    return "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
