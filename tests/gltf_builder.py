"""Makes small .glb and .gltf files from numpy arrays, with full control over how every array is stored."""

from __future__ import annotations

import base64
import json
import struct
import urllib.parse
from pathlib import Path
from typing import Any

import numpy as np

COMPONENTS = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
GLB_MAGIC, CHUNK_JSON, CHUNK_BIN = 0x46546C67, 0x4E4F534A, 0x004E4942


class GltfBuilder:
    """A glTF document under construction; every method that adds something returns its index.

    `json` and `buffers` are plain and open: a test that wants a broken file breaks them before it writes.
    """

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0", "generator": "gambol tests"}}
        self.buffers: list[bytearray] = [bytearray()]

    def add(self, key: str, entry: dict[str, Any]) -> int:
        """Append a raw entry to the top-level list `key`; fields that are None are left out."""
        entries = self.json.setdefault(key, [])
        entries.append({k: v for k, v in entry.items() if v is not None})
        return len(entries) - 1

    def view(self, data: bytes, *, buffer: int = 0, stride: int | None = None, target: int | None = None) -> int:
        """A buffer view with its own bytes, aligned to 4; `buffer` may name the next, not yet existing, buffer."""
        if buffer == len(self.buffers):
            self.buffers.append(bytearray())
        store = self.buffers[buffer]
        store.extend(bytes(-len(store) % 4))
        entry = {"buffer": buffer, "byteOffset": len(store), "byteLength": len(data), "byteStride": stride}
        store.extend(data)
        return self.add("bufferViews", {**entry, "target": target})

    def accessor(
        self,
        values: Any,
        dtype: str = "float32",
        *,
        kind: str | None = None,
        normalized: bool = False,
        offset: int = 0,
        stride: int | None = None,
        buffer: int = 0,
        **fields: Any,
    ) -> int:
        """An accessor over its own view. `offset` bytes of rubbish come first and `stride` spreads the elements.

        Matrices are given as [count, side, side] acting on columns (or [count, 16]) and stored column by column,
        padded as glTF 2.0 (3.6.2.4) demands.
        """
        array = np.asarray(values)
        if array.ndim == 3 and kind is None:
            kind = f"MAT{array.shape[1]}"
        array = array.astype(np.dtype(dtype).newbyteorder("<"))
        rows = _element_bytes(array)
        kind = kind or KINDS[1 if array.ndim == 1 else array.shape[1]]
        step = stride or rows.shape[1]
        data = np.full(offset + step * max(len(rows) - 1, 0) + rows.shape[1] * min(len(rows), 1), 0xEE, np.uint8)
        for i, row in enumerate(rows):
            data[offset + i * step : offset + i * step + len(row)] = row
        return self.add(
            "accessors",
            {
                "bufferView": self.view(data.tobytes(), buffer=buffer, stride=stride),
                "byteOffset": offset or None,
                "componentType": COMPONENTS[dtype],
                "normalized": normalized or None,
                "count": len(rows),
                "type": kind,
                **_bounds(array, kind, dtype),
                **fields,
            },
        )

    def interleaved(self, *columns: tuple[Any, str]) -> list[int]:
        """Accessors over one view in which the columns (values, dtype) lie side by side, each aligned to 4 bytes."""
        rows = [_element_bytes(np.asarray(v).astype(np.dtype(d).newbyteorder("<"))) for v, d in columns]
        padded = [np.pad(r, ((0, 0), (0, -r.shape[1] % 4))) for r in rows]
        table = np.concatenate(padded, axis=1)
        view, offset, result = self.view(table.tobytes(), stride=table.shape[1], target=34962), 0, []
        for (values, dtype), row in zip(columns, padded, strict=True):
            array = np.asarray(values)
            kind = KINDS[1 if array.ndim == 1 else array.shape[1]]
            entry = {"bufferView": view, "byteOffset": offset, "componentType": COMPONENTS[dtype], "count": len(array)}
            result.append(self.add("accessors", {**entry, "type": kind, **_bounds(array, kind, dtype)}))
            offset += row.shape[1]
        return result

    def sparse_accessor(
        self,
        base: Any | None,
        indices: Any,
        values: Any,
        *,
        count: int | None = None,
        index_dtype: str = "uint16",
        dtype: str = "float32",
    ) -> int:
        """An accessor whose rows `indices` are replaced by `values`, over `base` or, where that is None, over zeros."""
        values = np.asarray(values).astype(np.dtype(dtype).newbyteorder("<"))
        index_array = np.asarray(indices).astype(np.dtype(index_dtype).newbyteorder("<"))
        sparse = {
            "count": len(index_array),
            "indices": {"bufferView": self.view(index_array.tobytes()), "componentType": COMPONENTS[index_dtype]},
            "values": {"bufferView": self.view(values.tobytes())},
        }
        if base is not None:
            result = self.accessor(base, dtype, sparse=sparse)
            full = np.array(base, dtype=np.float64)
        else:
            entry = {"componentType": COMPONENTS[dtype], "count": count, "type": KINDS[values.shape[1]]}
            result = self.add("accessors", {**entry, "sparse": sparse})
            full = np.zeros((count or 0, values.shape[1]))
        full[np.asarray(indices, int)] = values
        self.json["accessors"][result].update(_bounds(full, KINDS[values.shape[1]], dtype))
        return result

    def primitive(self, positions: Any, indices: Any | None = None, **fields: Any) -> dict[str, Any]:
        """A primitive from plain arrays; see `attribute_accessors` for what `fields` may hold.

        Besides attributes: `mode`, `material`, `index_dtype`, and `targets`, a list of position offsets.
        """
        index_dtype = fields.pop("index_dtype", "uint16")
        targets = fields.pop("targets", None)
        plain = {k: fields.pop(k) for k in ("mode", "material", "extensions") if k in fields}
        primitive: dict[str, Any] = {"attributes": self.attribute_accessors(POSITION=positions, **fields), **plain}
        if indices is not None:
            primitive["indices"] = self.accessor(np.asarray(indices).ravel(), index_dtype)
        if targets is not None:
            primitive["targets"] = [{"POSITION": self.accessor(t)} for t in targets]
        return primitive

    def attribute_accessors(self, **attributes: Any) -> dict[str, int]:
        """Accessors by attribute name. A value is an array, (array, dtype) or (array, dtype, normalized).

        JOINTS_n are stored as uint8 and everything else as float32 where no type is given. An int is an accessor.
        """
        result = {}
        for name, value in attributes.items():
            if isinstance(value, int):
                result[name] = value
                continue
            array, dtype, *rest = value if isinstance(value, tuple) else (value, _default_dtype(name))
            size = np.dtype(dtype).itemsize * np.asarray(array).shape[1]
            stride = size + -size % 4 if size % 4 else None  # vertex attributes are aligned to 4 bytes
            result[name] = self.accessor(array, dtype, normalized=bool(rest and rest[0]), stride=stride)
        return result

    def mesh(self, *primitives: dict[str, Any], **fields: Any) -> int:
        """A mesh of primitives; `weights` and `name` may be given."""
        return self.add("meshes", {"primitives": list(primitives), **fields})

    def node(self, name: str | None = None, **fields: Any) -> int:
        """A node; arrays become lists, `matrix` is 4x4 acting on columns, `rotation` is xyzw as the format has it."""
        if fields.get("matrix") is not None:
            fields["matrix"] = np.asarray(fields["matrix"], float).T.ravel()
        plain = {k: np.asarray(v).tolist() if isinstance(v, (np.ndarray, tuple)) else v for k, v in fields.items()}
        return self.add("nodes", {"name": name, **plain})

    def skin(self, joints: list[int], inverse_binds: Any | None = None, **fields: Any) -> int:
        """A skin; inverse bind matrices are [joints, 4, 4] acting on columns, or absent."""
        matrices = None if inverse_binds is None else self.accessor(np.asarray(inverse_binds, float))
        return self.add("skins", {"joints": list(joints), "inverseBindMatrices": matrices, **fields})

    def animation(self, name: str | None, *channels: tuple) -> int:
        """A clip of channels (node, path, times, values, interpolation[, dtype]); rotations are xyzw.

        CUBICSPLINE values are [keys, 3, width]: in-tangent, value, out-tangent. Morph weights are [keys, targets].
        """
        samplers, entries = [], []
        for node, path, times, values, interpolation, *rest in channels:
            dtype = rest[0] if rest else "float32"
            array = np.asarray(values)
            flat = array.reshape(-1) if path == "weights" else array.reshape(-1, array.shape[-1])
            output = self.accessor(flat, dtype, normalized=dtype != "float32")
            sampler = {"input": self.accessor(np.asarray(times, float)), "output": output}
            samplers.append({**sampler, **({} if interpolation is None else {"interpolation": interpolation})})
            entries.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        return self.add("animations", {"name": name, "samplers": samplers, "channels": entries})

    def picture(self, png: bytes, **texture: Any) -> int:
        """A texture over a PNG in its own view; further fields such as `sampler` go to the texture."""
        image = self.add("images", {"bufferView": self.view(png), "mimeType": "image/png"})
        return self.add("textures", {"source": image, **texture})

    def document(self) -> dict[str, Any]:
        """The JSON with one scene over all top nodes (where the test made none) and the lengths of the buffers."""
        result = json.loads(json.dumps(self.json))
        nodes = result.get("nodes", [])
        below = {c for n in nodes if isinstance(n, dict) for c in n.get("children", []) if isinstance(c, int)}
        if nodes and "scenes" not in result:
            result["scenes"] = [{"nodes": [i for i in range(len(nodes)) if i not in below]}]
            result["scene"] = 0
        if any(self.buffers) and "buffers" not in result:
            result["buffers"] = [{"byteLength": len(b)} for b in self.buffers]
        return result

    def glb_bytes(self) -> bytes:
        """The whole document as a .glb (one buffer only)."""
        return pack_glb(json.dumps(self.document()).encode(), bytes(self.buffers[0]) if self.buffers[0] else None)

    def write_glb(self, path: Path) -> Path:
        """Write a .glb."""
        path.write_bytes(self.glb_bytes())
        return path

    def write_gltf(self, path: Path, *, embed: bool = False, names: tuple[str, ...] = ()) -> Path:
        """Write a .gltf, its buffers beside it (percent-encoded in the file) or inside it as data: URIs."""
        document = self.document()
        for i, (entry, data) in enumerate(zip(document.get("buffers", []), self.buffers, strict=False)):
            if embed:
                entry["uri"] = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
            else:
                name = names[i] if i < len(names) else f"{path.stem}_{i}.bin"
                target = path.parent / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                entry["uri"] = urllib.parse.quote(name)
        path.write_text(json.dumps(document), encoding="utf-8")
        return path


def pack_glb(text: bytes, binary: bytes | None, *extra: tuple[int, bytes]) -> bytes:
    """A .glb from its JSON, its BIN chunk and further chunks (kind, data)."""
    chunks = [(CHUNK_JSON, text + b" " * (-len(text) % 4))]
    chunks += [(CHUNK_BIN, binary + bytes(-len(binary) % 4))] if binary is not None else []
    chunks += [(kind, data + bytes(-len(data) % 4)) for kind, data in extra]
    body = b"".join(struct.pack("<II", len(data), kind) + data for kind, data in chunks)
    return struct.pack("<III", GLB_MAGIC, 2, 12 + len(body)) + body


def box(low: Any, high: Any) -> tuple[np.ndarray, np.ndarray]:
    """Corners and outward triangles of an axis-aligned box."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    return low + corners * (high - low), np.array(triangles)


def one_hot(joint: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """JOINTS_0 and WEIGHTS_0 that bind `count` vertices to one joint."""
    return np.tile([joint, 0, 0, 0], (count, 1)), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))


def translation(x: float, y: float, z: float) -> np.ndarray:
    """A 4x4 translation."""
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def skinned_tower(joints: int = 3, *, clip: bool = True) -> GltfBuilder:
    """A complete small character: boxes on top of each other, one joint each, blended weights, colours and a clip."""
    builder = GltfBuilder()
    points, triangles, weights, names = [], [], [], []
    for j in range(joints):
        corners, faces = box((-0.2, 0.5 * j, -0.1), (0.2, 0.5 * j + 0.5, 0.1))
        share = np.where(corners[:, 1] > 0.5 * j + 0.25, 0.25, 0.0) if j + 1 < joints else np.zeros(8)
        points.append(corners)
        triangles.append(faces + 8 * j)
        weights.append(np.stack([1 - share, share, 0 * share, 0 * share], 1))
        names.append(np.tile([j, min(j + 1, joints - 1), 0, 0], (8, 1)))
    positions = np.concatenate(points)
    uvs = positions[:, :2] * [2.5, 0.6] + [0.5, 0.0]
    red = {"baseColorFactor": [0.9, 0.1, 0.1, 1.0]}
    material = builder.add("materials", {"name": "red", "pbrMetallicRoughness": red})
    primitive = builder.primitive(
        positions,
        np.concatenate(triangles),
        JOINTS_0=np.concatenate(names),
        WEIGHTS_0=np.concatenate(weights),
        TEXCOORD_0=uvs,
        material=material,
    )
    mesh = builder.mesh(primitive, name="tower")
    nodes = [builder.node(f"joint{j}", translation=[0.0, 0.5 if j else 0.0, 0.0]) for j in range(joints)]
    for j in range(joints - 1):
        builder.json["nodes"][nodes[j]]["children"] = [nodes[j + 1]]
    skin = builder.skin(nodes, [translation(0.0, -0.5 * j, 0.0) for j in range(joints)])
    builder.node("body", mesh=mesh, skin=skin)
    if clip:
        bend = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, np.sin(0.4), np.cos(0.4)], [0.0, 0.0, 0.0, 1.0]]
        builder.animation(
            "bend",
            (nodes[-1], "rotation", [0.0, 0.5, 1.0], bend, "LINEAR"),
            (nodes[0], "translation", [0.0, 1.0], [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0]], "STEP"),
        )
    return builder


def _element_bytes(array: np.ndarray) -> np.ndarray:
    """The bytes of every element, [count, bytes]; matrices column by column, each column padded to 4 bytes."""
    count = len(array)
    if array.ndim == 3:
        columns = np.ascontiguousarray(array.transpose(0, 2, 1)).view(np.uint8).reshape(count, array.shape[1], -1)
        return np.pad(columns, ((0, 0), (0, 0), (0, -columns.shape[2] % 4))).reshape(count, -1)
    width = array.dtype.itemsize * int(np.prod(array.shape[1:]))
    return np.ascontiguousarray(array).view(np.uint8).reshape(count, width)


def _bounds(array: np.ndarray, kind: str, dtype: str) -> dict[str, list[float]]:
    """The min and max that glTF wants on positions and key times; as stored, so float32 is rounded first."""
    if kind not in ("SCALAR", "VEC3") or not len(array) or not np.isfinite(array).all():
        return {}
    stored = np.asarray(array).astype(dtype).reshape(len(array), -1)
    return {"min": stored.min(0).tolist(), "max": stored.max(0).tolist()}


def _default_dtype(name: str) -> str:
    return "uint8" if name.startswith("JOINTS") else "float32"
