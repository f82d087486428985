"""Read typed arrays from glTF buffers: strides, normalised integers, sparse overlays, every bound checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.errors import AssetError
from gambol.files.gltf.container import GltfDocument, meshopt_refusal
from gambol.files.gltf.json_fields import (
    check_index,
    field_index,
    field_integer,
    field_object,
    field_objects,
    field_text,
)

COMPONENT_TYPES: dict[int, np.dtype] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
"""Number type of each glTF component type."""
COMPONENT_COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
"""Numbers per element of each glTF accessor type."""
DECODE_ALLOWANCE_BYTES = 64 << 20
"""Bytes that decoded arrays may take beyond `DECODED_BYTES_PER_FILE_BYTE` times the file's size."""
DECODED_BYTES_PER_FILE_BYTE = 20
"""Bytes of decoded arrays that each byte of the file may ask for."""


class AccessorReader:
    """Reads accessors of one document and limits the memory that the file may ask for."""

    def __init__(self, document: GltfDocument):
        self.document = document
        self.name = document.path.name
        self.accessors = field_objects(document.json, "accessors", self.name)
        self.views = field_objects(document.json, "bufferViews", self.name)
        self.budget = DECODE_ALLOWANCE_BYTES + DECODED_BYTES_PER_FILE_BYTE * document.size

    def read(self, index: Any, what: str, *, kinds: tuple[str, ...]) -> np.ndarray:
        """Read accessor `index` as [count, components] in its stored type, normalised integers as float32."""
        i = check_index(index, len(self.accessors), what)
        accessor, where = self.accessors[i], f"{self.name}: accessors[{i}]"
        kind = field_text(accessor, "type", where)
        if kind not in kinds:
            raise AssetError(f"{what} uses {where} of type {kind!r}; allowed is {' or '.join(kinds)}.")
        component = COMPONENT_TYPES.get(field_integer(accessor, "componentType", where))
        if component is None:
            raise AssetError(f"{where}.componentType is {accessor.get('componentType')}, which glTF does not know.")
        count = field_integer(accessor, "count", where)
        width = COMPONENT_COUNTS[kind]
        self.spend(count * width * max(component.itemsize, 4), where)
        if "bufferView" in accessor:
            values = self._read_view(accessor, component, count, width, kind, where)
        else:
            values = np.zeros((count, width), component)
        if "sparse" in accessor:
            values = self._overlay_sparse(accessor, values, component, width, kind, where)
        return normalise_integers(values) if accessor.get("normalized") is True else values

    def view_bytes(self, index: Any, what: str) -> bytes:
        """Return the raw bytes of a buffer view (images, Draco streams)."""
        i = check_index(index, len(self.views), what)
        view, where = self.views[i], f"{self.name}: bufferViews[{i}]"
        if "EXT_meshopt_compression" in field_object(view, "extensions", where):
            raise AssetError(meshopt_refusal(self.name))
        buffer_index = field_index(view, "buffer", len(self.document.buffers), where)
        if buffer_index is None:
            raise AssetError(f"{where} names no buffer.")
        data = self.document.buffers[buffer_index]
        offset = field_integer(view, "byteOffset", where, default=0)
        length = field_integer(view, "byteLength", where)
        if offset + length > len(data):
            raise AssetError(
                f"{where} reaches to byte {offset + length} of a buffer of {len(data)} bytes; the file looks truncated."
            )
        return memoryview(data)[offset : offset + length]  # type: ignore[return-value]

    def spend(self, size: int, where: str) -> None:
        """Count `size` bytes against the budget before they are allocated."""
        self.budget -= size
        if self.budget < 0:
            whole = f"a file of {self.document.size} bytes"
            raise AssetError(f"{where} asks for {size} bytes more than {whole} can mean; it looks broken.")

    def _read_view(
        self, accessor: dict[str, Any], component: np.dtype, count: int, width: int, kind: str, where: str
    ) -> np.ndarray:
        data = self.view_bytes(accessor["bufferView"], f"{where}.bufferView")
        view = self.views[int(accessor["bufferView"])]
        offset = field_integer(accessor, "byteOffset", where, default=0)
        element, columns = element_layout(component, width, kind)
        stride = field_integer(view, "byteStride", where, default=element, low=element, high=4096)
        needed = offset + stride * (count - 1) + element
        if count and needed > len(data):
            what = f"{where} needs {needed} bytes of a view of {len(data)}"
            raise AssetError(f"{what}; the accessor is larger than its data.")
        if count == 0:
            return np.zeros((0, width), component)
        raw: np.ndarray = np.ndarray((count, element), np.uint8, buffer=data, offset=offset, strides=(stride, 1))
        return np.ascontiguousarray(raw[:, columns]).view(component).reshape(count, width)

    def _overlay_sparse(
        self, accessor: dict[str, Any], values: np.ndarray, component: np.dtype, width: int, kind: str, where: str
    ) -> np.ndarray:
        sparse = field_object(accessor, "sparse", where)
        count = field_integer(sparse, "count", f"{where}.sparse", high=len(values))
        places = field_object(sparse, "indices", f"{where}.sparse")
        index_type = COMPONENT_TYPES.get(field_integer(places, "componentType", f"{where}.sparse.indices"))
        if index_type is None or index_type.kind != "u":
            raise AssetError(f"{where}.sparse.indices must be unsigned integers.")
        view = {"bufferView": places.get("bufferView"), "byteOffset": places.get("byteOffset", 0)}
        indices = self._read_view(view, index_type, count, 1, "SCALAR", f"{where}.sparse.indices")[:, 0]
        stored = field_object(sparse, "values", f"{where}.sparse")
        view = {"bufferView": stored.get("bufferView"), "byteOffset": stored.get("byteOffset", 0)}
        replacement = self._read_view(view, component, count, width, kind, f"{where}.sparse.values")
        if count and int(indices.max()) >= len(values):
            raise AssetError(f"{where}.sparse points at element {int(indices.max())} of {len(values)}.")
        values = values.copy()
        values[indices] = replacement
        return values


def element_layout(component: np.dtype, width: int, kind: str) -> tuple[int, np.ndarray]:
    """Size of one element in bytes, and which of its bytes carry data: matrices pad columns to 4 bytes (3.6.2.4)."""
    if not kind.startswith("MAT"):
        return component.itemsize * width, np.arange(component.itemsize * width)
    side = int(kind[3])
    column = component.itemsize * side
    padded = column + (-column % 4)
    starts = np.arange(side)[:, None] * padded
    return padded * side, (starts + np.arange(column)).ravel()


def normalise_integers(values: np.ndarray) -> np.ndarray:
    """Convert normalised integers to floats: c / max, signed ones clamped at -1 (glTF 2.0, 3.6.2.2)."""
    if values.dtype.kind == "f":
        return values
    scaled = values.astype(np.float32) / np.float32(np.iinfo(values.dtype).max)
    return np.maximum(scaled, -1.0) if values.dtype.kind == "i" else scaled
