"""Make a new glTF document of a scene that was made by code or read from another format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gambol import __version__
from gambol.character.scene import Material, NodeTree, Part, Scene, Skin, Texture
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.encode import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, BinaryBuilder, append, trs_fields
from gambol.files.images import encode_png
from gambol.motion.node_clip import NodeClip

WRAP_CODES = {"clamp": 33071, "mirror": 33648, "repeat": 10497}
"""glTF sampler code of each wrapping rule."""


def new_document(scene: Scene, clips: tuple[NodeClip, ...], path: Path) -> GltfDocument:
    """Make a .glb document of a scene and its clips; nothing is written to disk."""
    entries: dict[str, Any] = {"asset": {"version": "2.0", "generator": f"Gambol {__version__}"}}
    builder = BinaryBuilder(entries, 0, 0)
    entries["nodes"] = node_entries(scene.nodes)
    entries["scenes"] = [{"nodes": np.flatnonzero(scene.nodes.parents < 0).tolist()}]
    entries["scene"] = 0
    for material in scene.materials:
        append(entries, "materials", _material(entries, builder, material))
    for skin in scene.skins:
        append(entries, "skins", skin_entry(builder, skin))
    for node in sorted({p.node for p in scene.parts}):
        parts = [p for p in scene.parts if p.node == node]
        mesh: dict[str, Any] = {"name": scene.nodes.names[node], "primitives": [_primitive(builder, p) for p in parts]}
        if parts[0].morph_weights is not None:
            mesh["weights"] = parts[0].morph_weights.tolist()
        entries["nodes"][node]["mesh"] = append(entries, "meshes", mesh)
        skin_index = next((p.skin for p in parts if p.skin is not None), None)
        if skin_index is not None:
            entries["nodes"][node]["skin"] = skin_index
    for clip in clips:
        builder.add_animation(clip)
    binary = builder.data()
    if not binary:
        return GltfDocument(path.with_suffix(".glb"), entries, None, ())
    entries["buffers"] = [{"byteLength": len(binary)}]
    return GltfDocument(path.with_suffix(".glb"), entries, binary, (binary,))


def node_entries(nodes: NodeTree) -> list[dict[str, Any]]:
    """Make the glTF entries of all nodes."""
    entries: list[dict[str, Any]] = []
    for i, name in enumerate(nodes.names):
        entry: dict[str, Any] = {"name": name}
        if nodes.children[i]:
            entry["children"] = list(nodes.children[i])
        if i in nodes.matrices:
            entry["matrix"] = nodes.matrices[i].T.ravel().tolist()
        else:
            entry |= trs_fields(nodes, i)
        entries.append(entry)
    return entries


def _primitive(builder: BinaryBuilder, part: Part) -> dict[str, Any]:
    attributes = {"POSITION": builder.add_array(part.positions.astype("<f4"), target=ARRAY_BUFFER, bounds=True)}
    if part.uvs is not None:
        attributes["TEXCOORD_0"] = builder.add_array(part.uvs.astype("<f4"), target=ARRAY_BUFFER)
    if part.colours is not None:
        attributes["COLOR_0"] = builder.add_array(part.colours.astype("<f4"), target=ARRAY_BUFFER)
    attributes |= influence_attributes(builder, part)
    indices = builder.add_array(part.triangles.astype("<u4").reshape(-1), target=ELEMENT_ARRAY_BUFFER)
    primitive: dict[str, Any] = {"attributes": attributes, "indices": indices}
    if part.material is not None:
        primitive["material"] = part.material
    if part.morph_targets is not None:
        targets = (builder.add_array(t.astype("<f4"), target=ARRAY_BUFFER, bounds=True) for t in part.morph_targets)
        primitive["targets"] = [{"POSITION": t} for t in targets]
    return primitive


def influence_attributes(builder: BinaryBuilder, part: Part) -> dict[str, int]:
    """Add JOINTS_n and WEIGHTS_n of a part, four influences each; empty for a part without weights."""
    if part.joints is None or part.weights is None:
        return {}
    attributes, width = {}, -part.joints.shape[1] % 4
    joints = np.pad(np.where(part.weights > 0, part.joints, 0), ((0, 0), (0, width))).astype("<u2")
    weights = np.pad(part.weights, ((0, 0), (0, width))).astype("<f4")
    for n in range(joints.shape[1] // 4):
        attributes[f"JOINTS_{n}"] = builder.add_array(joints[:, 4 * n : 4 * n + 4], target=ARRAY_BUFFER)
        attributes[f"WEIGHTS_{n}"] = builder.add_array(weights[:, 4 * n : 4 * n + 4], target=ARRAY_BUFFER)
    return attributes


def skin_entry(builder: BinaryBuilder, skin: Skin) -> dict[str, Any]:
    """Make the glTF entry of a skin."""
    binds = skin.inverse_binds.transpose(0, 2, 1).reshape(-1, 16).astype("<f4")
    binds[:, [3, 7, 11]], binds[:, 15] = 0.0, 1.0
    return {"name": skin.name, "joints": skin.joints.tolist(), "inverseBindMatrices": builder.add_array(binds)}


def _material(entries: dict[str, Any], builder: BinaryBuilder, material: Material) -> dict[str, Any]:
    pbr: dict[str, Any] = {"baseColorFactor": list(material.base_colour), "metallicFactor": 0.0, "roughnessFactor": 0.9}
    if material.texture is not None:
        pbr["baseColorTexture"] = {"index": _texture(entries, builder, material.texture)}
    entry: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": pbr, "doubleSided": material.double_sided}
    if material.alpha_mode in ("MASK", "BLEND"):
        entry["alphaMode"] = material.alpha_mode
        if material.alpha_mode == "MASK":
            entry["alphaCutoff"] = material.alpha_cutoff
    return entry


def _texture(entries: dict[str, Any], builder: BinaryBuilder, texture: Texture) -> int:
    view = builder.add_bytes(encode_png(texture.pixels))
    image = append(entries, "images", {"bufferView": view, "mimeType": "image/png"})
    wrap = {"wrapS": WRAP_CODES[texture.wrap[0]], "wrapT": WRAP_CODES[texture.wrap[1]]}
    return append(entries, "textures", {"source": image, "sampler": append(entries, "samplers", wrap)})
