"""Read Stanford polygon files (.ply), ASCII and binary, with polygons of any size.

Why not trimesh: it refuses binary files whose polygons differ in size, which is what Blender writes by default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int, UInt8
from numpy import ndarray

from gambol.character.scene import Material, Part
from gambol.errors import AssetError
from gambol.files.meshes.polygons import fan_corners
from gambol.files.meshes.texture_files import read_texture

NUMBER_KINDS = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4"}
NUMBER_KINDS |= {"double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4"}
NUMBER_KINDS |= {"uint32": "u4", "int64": "i8", "uint64": "u8", "float32": "f4", "float64": "f8"}
"""numpy type of each number type of the format."""
BYTE_ORDERS = {"ascii": "<", "binary_little_endian": "<", "binary_big_endian": ">"}
"""numpy byte order of each encoding."""
UV_NAMES = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
"""Names that exporters use for texture coordinates."""


@dataclass(frozen=True)
class PlyProperty:
    """One column of an element."""

    name: str
    """Name in the header."""
    kind: np.dtype
    """Type of its numbers."""
    count_kind: np.dtype | None
    """Type of the length in front of a list; absent for a single number."""
    full: float
    """The number that means 1 in a colour: the largest of an integer type, else 1."""


@dataclass(frozen=True)
class PlyElement:
    """One table of the file, as the header promises it."""

    name: str
    """Name in the header: vertex, face, ..."""
    count: int
    """Number of rows."""
    properties: list[PlyProperty]
    """Its columns in order."""

    @property
    def smallest_row(self) -> int:
        """Least size of a row, bytes."""
        return sum((p.count_kind or p.kind).itemsize for p in self.properties)


def read_ply(data: bytes, path: Path, warnings: list[str]) -> tuple[list[Part], list[Material]]:
    """Read the one part of a .ply file: positions, triangles, vertex colours (sRGB, as stored) and texture."""
    header, elements, body = parse_ply(data, path.name)
    if not any(element.name == "face" and element.count for element in elements):
        raise AssetError(f"{path.name} has no faces, so it is a cloud of points or splats; a mesh needs triangles.")
    rows = read_elements(elements, body, path.name)
    vertex, face = rows.get("vertex", {}), rows.get("face", {})
    positions = _columns(vertex, ("x", "y", "z"))
    if positions is None:
        raise AssetError(f"{path.name} has no vertices with x, y and z.")
    polygons = face.get("vertex_indices", face.get("vertex_index"))
    if not isinstance(polygons, tuple):
        raise AssetError(f"{path.name} has faces without a list of vertex_indices.")
    corners, counts = polygons
    triangles = corners.astype(np.int64)[fan_corners(counts)[0]]
    uvs = next((uv for names in UV_NAMES if (uv := _columns(vertex, names)) is not None), None)
    materials = _materials(header, path, uvs is not None, warnings)
    if "texcoord" in face:
        warnings.append(f"{path.name}: its texture coordinates per face are left out; Gambol reads them per vertex.")
    full = {p.name: p.full for element in elements for p in element.properties if element.name == "vertex"}
    part = Part(0, None, positions, triangles, 0 if materials else None, _flipped(uvs), _colours(vertex, full))
    return [part], materials


def parse_ply(data: bytes, name: str) -> tuple[str, list[PlyElement], bytes]:
    """Split a file into header text, declared elements, and the data after it (an ASCII file's as float64)."""
    header, body = _split_header(data, name)
    elements, is_ascii = _read_header(header, name)
    # every number becomes a float64, so that one reader does for both kinds of file
    return header, elements, np.array(body.split(), dtype=np.float64).tobytes() if is_ascii else body


def read_elements(elements: list[PlyElement], body: bytes, name: str) -> dict[str, dict[str, Any]]:
    """Read the columns of every element by name; a list's column is (all numbers, count in each row)."""
    rows, offset = {}, 0
    for element in elements:
        rows[element.name], offset = _read_rows(element, body, offset, f"{name}: element {element.name}")
    return rows


def _split_header(data: bytes, name: str) -> tuple[str, bytes]:
    end = re.search(rb"\nend_header[ \t]*(\r\n|\n|\r)", data[: 1 << 20].replace(b"\r", b"\n"))
    if not data.startswith(b"ply") or end is None:
        raise AssetError(f"{name} is not a PLY file: it has no header from 'ply' to 'end_header'.")
    after = end.end() + (1 if data[end.end() - 1 : end.end() + 1] == b"\r\n" else 0)
    return data[: end.start()].decode("latin-1"), data[after:]


def _read_header(header: str, name: str) -> tuple[list[PlyElement], bool]:
    encoding, order, elements = None, "", []
    for line in header.splitlines()[1:]:
        words = line.split()
        keyword = words[0] if words else "comment"
        try:
            if keyword == "format":
                encoding = words[1]
                order = BYTE_ORDERS[encoding]
            elif keyword == "element":
                if int(words[2]) < 0:
                    raise ValueError("a negative count")
                elements.append(PlyElement(words[1], int(words[2]), []))
            elif keyword == "property":
                elements[-1].properties.append(_read_property(words[1:], "" if encoding == "ascii" else order))
            elif keyword not in ("comment", "obj_info"):
                raise ValueError(f"an unknown keyword {keyword[:20]!r}")
        except (ValueError, KeyError, IndexError) as error:
            raise AssetError(f"{name}: the header line {line.strip()[:60]!r} is not PLY ({error}).") from error
    if encoding is None:
        raise AssetError(f"{name}: the PLY header has no format line.")
    return elements, encoding == "ascii"


def _read_property(words: list[str], order: str) -> PlyProperty:
    """Read `uchar red` or `list uchar int vertex_indices`; without a byte order every number is a float64."""
    is_list = words[0] == "list"
    kinds = [np.dtype(order + NUMBER_KINDS[word]) for word in words[is_list:-1]]
    if len(kinds) != 1 + is_list:
        raise ValueError("neither a number nor a list")
    full = float(np.iinfo(kinds[-1]).max) if kinds[-1].kind in "ui" else 1.0
    stored = kinds if order else [np.dtype(np.float64)] * len(kinds)
    return PlyProperty(words[-1], stored[-1], stored[0] if is_list else None, full)


def _read_rows(element: PlyElement, data: bytes, offset: int, what: str) -> tuple[dict[str, Any], int]:
    """Read an element's columns, and where the next element starts; a list's column is (all numbers, how many each)."""
    left = len(data) - offset
    if element.count * element.smallest_row > left:
        raise AssetError(
            f"{what} promises {element.count} rows, more than the rest of the file holds; it looks truncated."
        )
    if element.count == 0 or not element.properties:
        return {}, offset
    if all(p.count_kind is None for p in element.properties) and len({p.name for p in element.properties}) == len(
        element.properties
    ):
        kind = np.dtype([(p.name, p.kind) for p in element.properties])
        table = np.frombuffer(data, kind, element.count, offset)
        return {p.name: table[p.name] for p in element.properties}, offset + table.nbytes
    starts, counts, end = _row_layout(element, data, offset, what)
    raw = np.frombuffer(data, np.uint8)
    columns: dict[str, Any] = {}
    for p, column_starts in zip(element.properties, starts, strict=True):
        if p.count_kind is None:
            columns[p.name] = _gather(raw, column_starts, p.kind)
        else:
            lengths = counts[p.name]
            within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            columns[p.name] = (
                _gather(raw, np.repeat(column_starts, lengths) + within * p.kind.itemsize, p.kind),
                lengths,
            )
    return columns, end


def _row_layout(
    element: PlyElement, data: bytes, offset: int, what: str
) -> tuple[list[Int[ndarray, "rows"]], dict[str, Int[ndarray, "rows"]], int]:
    """Find the byte at which each row's value of each property starts, the lengths of its lists, and its end."""
    starts, counts, end = _walk_rows(element, data, offset, 1, what)
    # mostly all rows are like the first one; then they need not be walked
    steps = np.arange(element.count) * (end - offset)
    if offset + element.count * (end - offset) <= len(data):
        raw, same = np.frombuffer(data, np.uint8), True
        for p, column in zip(element.properties, starts, strict=True):
            if p.count_kind is not None:
                found = _gather(raw, column[0] - p.count_kind.itemsize + steps, p.count_kind)
                same = same and bool((found == counts[p.name][0]).all())
        if same:
            full = {name: np.repeat(lengths, element.count) for name, lengths in counts.items()}
            return [column[0] + steps for column in starts], full, offset + element.count * (end - offset)
    return _walk_rows(element, data, offset, element.count, what)


def _walk_rows(
    element: PlyElement, data: bytes, offset: int, rows: int, what: str
) -> tuple[list[Int[ndarray, "rows"]], dict[str, Int[ndarray, "rows"]], int]:
    """Find the layout of the first `rows` rows, one after the other."""
    starts = np.zeros((len(element.properties), rows), np.int64)
    counts = {p.name: np.zeros(rows, np.int64) for p in element.properties if p.count_kind is not None}
    for row in range(rows):
        for i, p in enumerate(element.properties):
            length = 1
            if p.count_kind is not None:
                head = data[offset : offset + p.count_kind.itemsize]
                length = int(np.frombuffer(head, p.count_kind)[0]) if len(head) == p.count_kind.itemsize else -1
                counts[p.name][row] = length
                offset += p.count_kind.itemsize
            starts[i, row] = offset
            offset += max(length, 0) * p.kind.itemsize
            if length < 0 or offset > len(data):
                raise AssetError(f"{what} ends inside row {row} of {element.count}; the file looks truncated.")
    return list(starts), counts, offset


def _gather(raw: UInt8[ndarray, "bytes"], starts: Int[ndarray, "values"], kind: np.dtype) -> ndarray:
    return np.ascontiguousarray(raw[starts[:, None] + np.arange(kind.itemsize)]).view(kind)[:, 0]


def _columns(rows: dict[str, Any], names: tuple[str, ...]) -> Float[ndarray, "rows columns"] | None:
    if not all(isinstance(rows.get(name), ndarray) for name in names):
        return None
    return np.stack([rows[name].astype(np.float64) for name in names], axis=1)


def _flipped(uvs: Float[ndarray, "vertices 2"] | None) -> Float[ndarray, "vertices 2"] | None:
    """Turn v around: PLY counts it from the picture's bottom, glTF from its top."""
    return None if uvs is None else np.stack([uvs[:, 0], 1.0 - uvs[:, 1]], axis=1).astype(np.float32)


def _colours(vertex: dict[str, Any], full: dict[str, float]) -> Float[ndarray, "vertices 4"] | None:
    for prefix in ("", "diffuse_"):
        names = tuple(prefix + name for name in ("red", "green", "blue"))
        colours = _columns(vertex, names)
        if colours is not None:
            alpha = _columns(vertex, ("alpha",))
            alpha = np.ones((len(colours), 1)) if alpha is None else alpha / full["alpha"]
            return np.concatenate([colours / [full[name] for name in names], alpha], axis=1)
    return None


def _materials(header: str, path: Path, has_uvs: bool, warnings: list[str]) -> list[Material]:
    named = re.search(r"^comment\s+TextureFile\s+(.+)$", header, re.IGNORECASE | re.MULTILINE)
    texture = read_texture(named[1].strip(), path, warnings) if named and has_uvs else None
    return [Material("texture", (1.0, 1.0, 1.0, 1.0), texture)] if texture else []
