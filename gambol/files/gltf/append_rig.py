"""Append a rig to a copy of the user's glTF; materials, normals and everything else stay as they were."""

from __future__ import annotations

import copy
from typing import Any

from gambol.character.scene import Scene
from gambol.files.gltf.append_clip import with_bytes
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.encode import BinaryBuilder, append
from gambol.files.gltf.write import influence_attributes, node_entries, skin_entry


def append_rig(document: GltfDocument, scene: Scene, old_nodes: int) -> GltfDocument | None:
    """Return the document with the joints, skins and weights of `scene`.

    The scene's first `old_nodes` nodes are the document's. The result is None where the file cannot take weights as it
    is: compressed primitives, or ones that its reader left out.
    """
    primitives = _primitives_of_parts(document.json, scene)
    if primitives is None:
        return None
    grown = copy.deepcopy(document.json)

    def add(builder: BinaryBuilder) -> None:
        grown["nodes"] += node_entries(scene.nodes)[old_nodes:]
        roots = [n for n in range(old_nodes, len(scene.nodes)) if scene.nodes.parents[n] < 0]
        shown = grown.setdefault("scenes", [{"nodes": list(range(old_nodes))}])[grown.get("scene", 0)]
        shown["nodes"] = [*shown.get("nodes", []), *roots]
        skins = [append(grown, "skins", skin_entry(builder, skin)) for skin in scene.skins]
        drawn: dict[int, int] = {}
        for part, (node, p) in zip(scene.parts, primitives, strict=True):
            entry = grown["nodes"][node]
            if node not in drawn:  # a mesh that several nodes draw is copied, since their weights differ
                drawn[node] = append(grown, "meshes", copy.deepcopy(document.json["meshes"][entry["mesh"]]))
                entry["mesh"], entry["skin"] = drawn[node], skins[part.skin or 0]
            attributes = grown["meshes"][drawn[node]]["primitives"][p]["attributes"]
            attributes |= influence_attributes(builder, part)
        _drop_unused_meshes(grown)

    return with_bytes(document, grown, add)


def _primitives_of_parts(entries: dict[str, Any], scene: Scene) -> list[tuple[int, int]] | None:
    """Node and primitive that each part was read from."""
    found: list[tuple[int, int]] = []
    for node in dict.fromkeys(part.node for part in scene.parts):
        primitives = entries["meshes"][entries["nodes"][node]["mesh"]]["primitives"]
        counts = [len(part.positions) for part in scene.parts if part.node == node]
        if len(primitives) != len(counts) or any(p.get("extensions") for p in primitives):
            return None
        for p, (primitive, count) in enumerate(zip(primitives, counts, strict=True)):
            accessor = entries["accessors"][primitive["attributes"]["POSITION"]]
            if accessor["count"] != count or any(key.startswith("JOINTS") for key in primitive["attributes"]):
                return None
            found.append((node, p))
    return found if [node for node, _ in found] == [part.node for part in scene.parts] else None


def _drop_unused_meshes(entries: dict[str, Any]) -> None:
    """Meshes that no node draws any more leave the list; the others close up."""
    used = sorted({node["mesh"] for node in entries["nodes"] if "mesh" in node})
    place = {old: new for new, old in enumerate(used)}
    entries["meshes"] = [entries["meshes"][old] for old in used]
    for node in entries["nodes"]:
        if "mesh" in node:
            node["mesh"] = place[node["mesh"]]
