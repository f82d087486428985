"""Read the containers of glTF 2.0: .glb chunks, .gltf text, buffers and the files beside them."""

from __future__ import annotations

import base64
import binascii
import json
import stat
import struct
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambol.errors import AssetError
from gambol.files.gltf.json_fields import field_integer, field_object, field_objects, field_text

GLB_MAGIC = 0x46546C67
"""First four bytes of a .glb, "glTF"."""
CHUNK_JSON = 0x4E4F534A
"""Type of a .glb's JSON chunk."""
CHUNK_BIN = 0x004E4942
"""Type of a .glb's binary chunk."""
MAX_FILE_BYTES = 4 << 30
"""Largest file that is read, bytes."""
MAX_JSON_BYTES = 512 << 20
"""Largest JSON part that is read, bytes."""
MAX_REPEATED_BUFFER_BYTES = 64 << 20
"""Bytes by which buffers that name the same data again may exceed what was read."""


@dataclass(frozen=True)
class GltfDocument:
    """A glTF file as it lies on disk: parsed JSON, the .glb's own BIN chunk, and the bytes of every buffer."""

    path: Path
    """The file."""
    json: dict[str, Any]
    """The parsed JSON."""
    binary_chunk: bytes | None
    """The .glb's BIN chunk."""
    buffers: tuple[bytes, ...]
    """Contents of each buffer."""

    @property
    def is_glb(self) -> bool:
        """Whether the document came from a .glb container."""
        return self.path.suffix.lower() != ".gltf"

    @property
    def size(self) -> int:
        """Bytes of all buffers: they bound what is allocated on the file's word."""
        return sum(map(len, self.buffers)) + (len(self.binary_chunk) if self.binary_chunk and not self.buffers else 0)


def read_document(path: Path) -> GltfDocument:
    """Read a .glb or .gltf and its buffers; nothing beside its own folder is opened."""
    data = read_bytes(path)
    if path.suffix.lower() == ".gltf":
        text, binary = data, None
    else:
        text, binary = split_glb(data, path.name)
    document = parse_json(text, path.name)
    version = field_text(field_object(document, "asset", path.name), "version", f"{path.name}: asset", default="")
    if version.split(".")[0] != "2":
        raise AssetError(
            f"{path.name} is glTF version {version or 'unknown'!r}; Gambol reads glTF 2.x. Export it again as glTF 2.0."
        )
    return GltfDocument(path, document, binary, _read_buffers(document, binary, path))


def read_bytes(path: Path) -> bytes:
    """Read a whole file; `AssetError` where it is missing, too large or not a regular file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise AssetError(f"{path} cannot be read: it is a folder or a device, not a file.")
        if status.st_size > MAX_FILE_BYTES:
            raise AssetError(f"{path.name} has {status.st_size} bytes; at most {MAX_FILE_BYTES} are read.")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise AssetError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from error


def split_glb(data: bytes, name: str) -> tuple[bytes, bytes | None]:
    """Split a .glb into its JSON and BIN chunks (glTF 2.0, 4.4); unknown chunks are skipped as the standard demands."""
    if len(data) < 20:
        raise AssetError(f"{name} has {len(data)} bytes, too few for a .glb file; it looks truncated.")
    magic, version, length = struct.unpack_from("<III", data, 0)
    if magic != GLB_MAGIC:
        raise AssetError(f"{name} is not a .glb file: it starts with {data[:4]!r}, not b'glTF'.")
    if version != 2:
        raise AssetError(f"{name} is glb container version {version}; Gambol reads version 2.")
    if length > len(data):
        raise AssetError(f"{name} is truncated: its header promises {length} bytes, the file has {len(data)}.")
    text, binary, offset = None, None, 12
    while offset + 8 <= length:
        size, kind = struct.unpack_from("<II", data, offset)
        offset += 8
        if offset + size > length:
            raise AssetError(
                f"{name} is broken: a chunk of {size} bytes at byte {offset} reaches past the end of the file."
            )
        if kind == CHUNK_JSON and text is None:
            text = data[offset : offset + size]
        elif kind == CHUNK_BIN and binary is None:
            binary = data[offset : offset + size]
        offset += size + (-size % 4)
    if text is None:
        raise AssetError(f"{name} has no JSON chunk, so it describes nothing.")
    return text, binary


def parse_json(text: bytes, name: str) -> dict[str, Any]:
    """Parse the JSON part; constants such as NaN, which JSON forbids, raise `AssetError`."""
    if len(text) > MAX_JSON_BYTES:
        raise AssetError(f"{name}: the JSON part has {len(text)} bytes; at most {MAX_JSON_BYTES} are read.")
    try:
        document = json.loads(text.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise AssetError(f"{name}: the JSON part cannot be parsed ({str(error)[:120]}).") from error
    if not isinstance(document, dict):
        raise AssetError(f"{name}: the JSON part must be an object.")
    return document


def read_uri(uri: str, folder: Path, what: str) -> bytes:
    """Read the bytes of a data: URI, or of a relative path inside `folder`."""
    if uri.startswith("data:"):
        head, comma, body = uri.partition(",")
        if not comma or not head.endswith(";base64"):
            raise AssetError(f"{what} has a data: URI that is not base64.")
        try:
            return base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError) as error:
            raise AssetError(f"{what} has a data: URI that is not valid base64 ({error}).") from error
    return read_bytes(resolve_uri(uri, folder, what))


def resolve_uri(uri: str, folder: Path, what: str) -> Path:
    """Return the file that a relative URI names; one outside `folder` raises `AssetError`."""
    try:
        parts = urllib.parse.urlsplit(uri)
        relative = Path(urllib.parse.unquote(parts.path).replace("\\", "/"))
        target = (folder / relative).resolve()
        inside = not parts.scheme and not parts.netloc and not relative.is_absolute()
        inside = inside and target.is_relative_to(folder.resolve())
        found = inside and target.is_file()
    except (ValueError, OSError, RuntimeError) as error:  # a name that is too long, a circle of links
        raise AssetError(f"{what} has an unreadable address {uri[:80]!r}.") from error
    if not inside:
        raise AssetError(
            f"{what} points to {uri[:80]!r}, outside the file's own folder; only files beside it are read."
        )
    if not found:
        raise AssetError(f"{what} needs the file {uri[:80]!r} beside it, which is not there.")
    return target


def _read_buffers(document: dict[str, Any], binary: bytes | None, path: Path) -> tuple[bytes, ...]:
    buffers: list[bytes] = []
    beside: dict[str, bytes] = {}
    brought, held = len(binary or b""), 0
    for i, entry in enumerate(field_objects(document, "buffers", path.name)):
        where = f"{path.name}: buffers[{i}]"
        length = field_integer(entry, "byteLength", where)
        if "uri" in entry:
            uri = field_text(entry, "uri", where)
            if uri not in beside:
                beside[uri] = read_uri(uri, path.parent, where)
                brought += len(beside[uri])
            data = beside[uri]
        elif i == 0 and binary is not None:
            data = binary
        elif "EXT_meshopt_compression" in field_object(entry, "extensions", where):
            raise AssetError(meshopt_refusal(path.name))
        else:
            raise AssetError(f"{where} has neither a uri nor a BIN chunk.")
        if length > len(data):
            raise AssetError(
                f"{where} promises {length} bytes, but only {len(data)} are there; the file looks truncated."
            )
        held += length
        if held > brought + MAX_REPEATED_BUFFER_BYTES:
            raise AssetError(f"{where} names the same bytes over and over, {held} in all; the file looks broken.")
        buffers.append(data[:length])
    return tuple(buffers)


def meshopt_refusal(name: str) -> str:
    """Error text for a file that is compressed with meshopt."""
    cause = f"{name} is compressed with EXT_meshopt_compression, which Gambol does not read."
    return f"{cause} Export it without, or decompress it with gltfpack -noq."


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not allowed in JSON")
