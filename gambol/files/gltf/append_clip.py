"""Append a clip to a copy of the user's glTF: nothing that was there changes its index or its value."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gambol.character.scene import NodeTree
from gambol.errors import AssetError
from gambol.files.gltf.container import GltfDocument, resolve_uri
from gambol.files.gltf.encode import BinaryBuilder, append, data_uri, encode_glb, encode_json, trs_fields
from gambol.motion.node_clip import NodeClip


def append_clip(
    document: GltfDocument, nodes: NodeTree, clip: NodeClip, *, extras: Mapping[str, object] = MappingProxyType({})
) -> GltfDocument:
    """Return the document with one more animation.

    In a .glb the new bytes go behind the old BIN chunk, which stays a prefix of the new one; a .gltf gets one more
    buffer inside its JSON, its own .bin files are not touched. The one exception to "no value changes": an animated
    node that was given as a matrix is rewritten as translation, rotation, scale, since glTF allows no other way.
    `extras` are what is told of the animation, under `gambol`.
    """
    grown = copy.deepcopy(document.json)
    _open_matrices(grown, nodes, {channel.node for channel in clip.channels})
    return with_bytes(document, grown, lambda builder: builder.add_animation(clip, extras))


def with_bytes(document: GltfDocument, grown: dict[str, Any], add: Callable[[BinaryBuilder], object]) -> GltfDocument:
    """Return a document with the JSON `grown` and the bytes that `add` appends to the old ones."""
    if _uses_binary_chunk(document):
        old = document.binary_chunk or b""
        old += bytes(-len(old) % 4)
        if not grown.get("buffers"):
            append(grown, "buffers", {"byteLength": 0})
        builder = BinaryBuilder(grown, 0, len(old))
        add(builder)
        binary = old + builder.data()
        grown["buffers"][0]["byteLength"] = len(binary)
        return GltfDocument(document.path, grown, binary, (binary, *document.buffers[1:]))
    builder = BinaryBuilder(grown, len(grown.get("buffers", [])), 0)
    add(builder)
    data = builder.data()
    append(grown, "buffers", {"byteLength": len(data), "uri": data_uri(data)})
    return GltfDocument(document.path, grown, document.binary_chunk, (*document.buffers, data))


def write_document(document: GltfDocument, target: Path, *, beside: Path) -> None:
    """Write a document to `target` (.glb or .gltf), and copy the files that it refers to into the folder of `beside`.

    Same container: as it is. A .gltf written as .glb takes its buffers and pictures in; a .glb written as .gltf carries
    its binary chunk as base64.
    """
    to_glb = target.suffix.lower() != ".gltf"
    if to_glb and document.is_glb:
        target.write_bytes(encode_glb(document.json, document.binary_chunk))
        _copy_resources(document, beside)
    elif to_glb:
        target.write_bytes(_packed(document))
    else:
        entries = copy.deepcopy(document.json)
        if document.binary_chunk is not None and _uses_binary_chunk(document):
            entries["buffers"][0]["uri"] = data_uri(document.buffers[0])
        target.write_bytes(encode_json(entries))
        _copy_resources(document, beside)


def unique_clip_name(document: dict[str, Any], name: str) -> str:
    """Return the name, or name.2, name.3, ... where the file already has a clip of that name."""
    taken = {a.get("name") for a in document.get("animations", [])}
    candidate, n = name, 1
    while candidate in taken:
        n += 1
        candidate = f"{name}.{n}"
    return candidate


def _uses_binary_chunk(document: GltfDocument) -> bool:
    """Whether buffer 0 is (or can become) the .glb's BIN chunk."""
    buffers = document.json.get("buffers", [])
    return document.is_glb and (not buffers or "uri" not in buffers[0])


def _open_matrices(document: dict[str, Any], nodes: NodeTree, animated: set[int]) -> None:
    for node in animated & set(nodes.matrices):
        entry = document["nodes"][node]
        del entry["matrix"]
        entry |= trs_fields(nodes, node)


def _packed(document: GltfDocument) -> bytes:
    """A .gltf as one .glb: all buffers behind each other in the BIN chunk, pictures as buffer views."""
    entries = copy.deepcopy(document.json)
    starts, binary = [], b""
    for data in document.buffers:
        starts.append(len(binary))
        binary += data + bytes(-len(data) % 4)
    for view in entries.get("bufferViews", []):
        view["byteOffset"] = view.get("byteOffset", 0) + starts[view["buffer"]]
        view["buffer"] = 0
    builder = BinaryBuilder(entries, 0, len(binary))
    for i, image in enumerate(entries.get("images", [])):
        uri = image.get("uri", "")
        if uri and not uri.startswith("data:"):
            path = resolve_uri(uri, document.path.parent, f"{document.path.name}: images[{i}]")
            image["bufferView"] = builder.add_bytes(path.read_bytes())
            image["mimeType"] = "image/png" if path.suffix.lower() == ".png" else "image/jpeg"
            del image["uri"]
    binary += builder.data()
    entries["buffers"] = [{"byteLength": len(binary)}]
    return encode_glb(entries, binary)


def _copy_resources(document: GltfDocument, beside: Path) -> None:
    """Lay buffers and pictures that the file refers to beside the copy, under their own names, where missing."""
    source = document.path.parent
    if beside.parent.resolve() == source.resolve():
        return
    for key in ("buffers", "images"):
        for i, entry in enumerate(document.json.get(key, [])):
            uri = entry.get("uri", "data:") if isinstance(entry, dict) else "data:"
            if uri.startswith("data:"):
                continue
            path = resolve_uri(uri, source, f"{document.path.name}: {key}[{i}]")
            copy_to = beside.parent / path.relative_to(source.resolve())
            if copy_to.exists() and copy_to.read_bytes() != path.read_bytes():
                need = f"{beside.name} needs another file of that name beside it"
                raise AssetError(f"{copy_to} is in the way: {need}. Write to an empty folder.")
            copy_to.parent.mkdir(parents=True, exist_ok=True)
            if not copy_to.exists():
                shutil.copyfile(path, copy_to)
