"""The binary container of FBX 7.4: a tree of named records with typed values, encoded and parsed.

A record is u32 end offset, u32 number of values, u32 bytes of the values, u8 length of the name, the name, the values
and the records inside it, closed by 13 zero bytes. A value is a letter for its type and its bytes; arrays carry their
length, whether they are deflated, and their size in the file.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy import ndarray

from gambol.errors import AssetError

MAGIC = b"Kaydara FBX Binary  \x00\x1a\x00"
"""First bytes of a binary FBX file."""
FBX_VERSION = 7400
"""FBX 7.4, the newest version with 32-bit offsets and the one that every importer reads."""
FILE_ID = bytes.fromhex("28b32aebb624ccc2bfc8b02aa92bfcf1")
"""File identifier that belongs to `CREATION_TIME`; importers of Autodesk compare it with the footer."""
CREATION_TIME = b"1970-01-01 10:00:00:000"
"""Always the same, so that the same character gives the same bytes."""
FOOTER_ID = bytes.fromhex("fabcab09d0c8d466b176fb831cf7267e")
"""First bytes of the footer, computed from `CREATION_TIME`."""
FOOTER_END = bytes.fromhex("f85a8c6adef5d97eece90ce3758f290b")
"""Last bytes of every binary FBX file."""
CLOSED_BY = bytes(13)
"""Empty record that ends a list of records."""
DEFLATED_FROM_BYTES = 128
"""Arrays of at least this many bytes are deflated."""
ALWAYS_LISTS = (b"AnimationStack", b"AnimationLayer")
"""Records that are closed even where they hold nothing, as Autodesk writes them."""
MAX_DEPTH = 64
"""Deepest nesting of records that is read."""
ARRAY_TYPES = {"i": "<i4", "l": "<i8", "f": "<f4", "d": "<f8", "b": "<u1"}
"""Letter of each array type and its numbers."""
SCALAR_FORMATS = {"Y": "<h", "C": "<?", "I": "<i", "F": "<f", "D": "<d", "L": "<q"}
"""Letter of each single value and its layout."""

FbxValue: TypeAlias = "bool | int | float | str | bytes | ndarray | np.int64"
"""A value of a record: int is 32 bits wide, np.int64 64; arrays are int32, int64, float32 or float64."""


@dataclass
class FbxRecord:
    """A named record with values and records inside it."""

    name: str
    """Name of the record, ASCII."""
    values: list[FbxValue] = field(default_factory=list)
    """Its values."""
    children: list[FbxRecord] = field(default_factory=list)
    """The records inside it."""

    def add(self, name: str, *values: FbxValue) -> FbxRecord:
        """Append a record with these values and return it."""
        self.children.append(FbxRecord(name, list(values)))
        return self.children[-1]

    def all(self, name: str) -> Iterator[FbxRecord]:
        """Iterate over the records of that name inside this one."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> FbxRecord:
        """Return the first record of that name inside this one; raises `AssetError` where there is none."""
        for child in self.all(name):
            return child
        raise AssetError(f"The FBX record '{self.name}' has no '{name}' in it.")


def encode_fbx(records: list[FbxRecord]) -> bytes:
    """Encode top-level records as a binary FBX file with header and footer."""
    out = bytearray(MAGIC + struct.pack("<I", FBX_VERSION))
    for record in records:
        _encode(record, out)
    out += CLOSED_BY + FOOTER_ID + bytes(4)
    out += bytes(16 - len(out) % 16) + struct.pack("<I", FBX_VERSION) + bytes(120) + FOOTER_END
    return bytes(out)


def _encode(record: FbxRecord, out: bytearray) -> None:
    start, name = len(out), record.name.encode("ascii")
    values = b"".join(map(_encode_value, record.values))
    out += bytes(12) + bytes([len(name)]) + name + values
    for child in record.children:
        _encode(child, out)
    if record.children or not record.values or name in ALWAYS_LISTS:
        out += CLOSED_BY
    try:
        struct.pack_into("<3I", out, start, len(out), len(record.values), len(values))
    except struct.error as error:
        raise AssetError("The character is larger than 4 GB, which FBX 7.4 cannot hold; write a .glb.") from error


def _encode_value(value: FbxValue) -> bytes:
    if isinstance(value, bool):
        return b"C" + struct.pack("<?", value)
    if isinstance(value, np.int64):
        return b"L" + struct.pack("<q", value)
    if isinstance(value, int):
        return b"I" + struct.pack("<i", value)
    if isinstance(value, float):
        return b"D" + struct.pack("<d", value)
    if isinstance(value, ndarray):
        return _encode_array(value)
    data = value.encode("utf-8") if isinstance(value, str) else value
    return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(data)) + data


def _encode_array(values: ndarray) -> bytes:
    letter = {("i", 4): "i", ("i", 8): "l", ("f", 4): "f", ("f", 8): "d"}[values.dtype.kind, values.dtype.itemsize]
    data = np.ascontiguousarray(values, dtype=ARRAY_TYPES[letter]).tobytes()
    deflated = len(data) >= DEFLATED_FROM_BYTES
    stored = zlib.compress(data, 6) if deflated else data
    return letter.encode() + struct.pack("<3I", values.size, deflated, len(stored)) + stored


def parse_fbx(data: bytes) -> FbxRecord:
    """Parse a binary FBX 7.4 file into a record without a name that holds the top-level ones."""
    if not data.startswith(MAGIC) or len(data) < len(MAGIC) + 4:
        raise AssetError("The file is no binary FBX: its first bytes are others.")
    (version,) = struct.unpack_from("<I", data, len(MAGIC))
    if version != FBX_VERSION:
        raise AssetError(f"The file is FBX {version}; only {FBX_VERSION} is read here.")
    try:
        children, end = _parse_list(data, len(MAGIC) + 4, len(data), 0)
    except (struct.error, zlib.error, ValueError, KeyError) as error:
        raise AssetError(f"The FBX file is cut or damaged ({error}).") from error
    if data[end : end + 16] != FOOTER_ID or not data.endswith(FOOTER_END):
        raise AssetError("The FBX file has no footer; it is cut or damaged.")
    return FbxRecord("", [], children)


def _parse_list(data: bytes, start: int, stop: int, depth: int) -> tuple[list[FbxRecord], int]:
    """Parse records until the empty one that closes the list; returns them and the place behind it."""
    if depth > MAX_DEPTH:
        raise ValueError("records are nested too deeply")
    found: list[FbxRecord] = []
    at = start
    while True:
        end, count, size, width = struct.unpack_from("<3IB", data, at)
        if end == 0:
            return found, at + 13
        if not at + 13 + width + size <= end <= stop:
            raise ValueError(f"a record at byte {at} ends outside of what holds it")
        record = FbxRecord(data[at + 13 : at + 13 + width].decode("ascii"))
        at += 13 + width
        inside = at + size
        for _ in range(count):
            value, at = _parse_value(data, at)
            record.values.append(value)
        if at != inside:
            raise ValueError(f"the values of '{record.name}' do not fill their space")
        if inside < end:
            record.children, inside = _parse_list(data, inside, end, depth + 1)
        if inside != end:
            raise ValueError(f"the record '{record.name}' does not end where it says")
        found.append(record)
        at = end


def _parse_value(data: bytes, at: int) -> tuple[FbxValue, int]:
    letter, at = data[at : at + 1].decode("ascii"), at + 1
    if letter in SCALAR_FORMATS:
        layout = SCALAR_FORMATS[letter]
        (value,) = struct.unpack_from(layout, data, at)
        return (np.int64(value) if letter == "L" else value), at + struct.calcsize(layout)
    if letter in ("S", "R"):
        (size,) = struct.unpack_from("<I", data, at)
        raw = data[at + 4 : at + 4 + size]
        if len(raw) != size:
            raise ValueError("a text is cut")
        return (raw.decode("utf-8") if letter == "S" else raw), at + 4 + size
    count, deflated, size = struct.unpack_from("<3I", data, at)
    raw = data[at + 12 : at + 12 + size]
    if deflated:
        inflater = zlib.decompressobj()
        raw = inflater.decompress(raw, 8 * count + 1)
    values = np.frombuffer(raw, dtype=ARRAY_TYPES[letter])
    if len(values) != count:
        raise ValueError("an array is cut")
    return values, at + 12 + size
