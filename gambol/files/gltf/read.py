"""glTF 2.0 to a `Scene` and its clips."""

from __future__ import annotations

from typing import Any

import numpy as np

from gambol.character.scene import NodeTree, Part, Scene, Skin
from gambol.character.transforms import decompose_trs
from gambol.errors import AssetError
from gambol.files.formats import MAX_CLIP_SECONDS
from gambol.files.gltf.accessors import AccessorReader, normalise_integers
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.json_fields import (
    field_index,
    field_indices,
    field_list,
    field_name,
    field_numbers,
    field_object,
    field_objects,
    field_text,
)
from gambol.files.gltf.meshes import MeshReader
from gambol.motion.node_clip import NodeChannel, NodeClip

CHANNEL_WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}
"""Numbers per key of each animated property; morph weights have as many as the mesh has targets."""
KNOWN_EXTENSIONS = {
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
}
"""Extensions that a file may require without a warning."""
MAX_SKIN_JOINTS = 4096
"""Largest number of joints of all skins together; the largest real file that was seen has 840."""
SINGULAR_DETERMINANT_SHARE = 1e-9
"""A matrix counts as singular where its determinant is below this share of its Frobenius norm cubed."""
MAX_TRANSFORM = 1e12
"""Largest number in a transform that is read; products of larger ones would overflow."""


def read_scene(document: GltfDocument) -> tuple[Scene, tuple[NodeClip, ...], tuple[str, ...]]:
    """Read scene, clips and warnings of a document."""
    warnings: list[str] = []
    reader = AccessorReader(document)
    entries = field_objects(document.json, "nodes", reader.name)
    nodes = read_nodes(entries, reader.name)
    _check_extensions(document, warnings)
    skins = tuple(_read_skins(reader, len(nodes)))
    meshes = MeshReader(reader, [len(s.joints) for s in skins], warnings)
    parts = _read_parts(reader, entries, nodes, meshes, len(skins))
    scene = Scene(nodes, skins, parts, meshes.materials(), tuple(meshes.repaired), read_told_parts(entries))
    return scene, _read_clips(reader, scene, warnings), tuple(warnings)


def read_told_parts(entries: list[dict[str, Any]]) -> dict[int, str]:
    """Body parts that `extras.gambol.part` of nodes says; other extras are the business of other programs."""
    told = {}
    for i, entry in enumerate(entries):
        extras = entry.get("extras")
        own = extras.get("gambol") if isinstance(extras, dict) else None
        part = own.get("part") if isinstance(own, dict) else None
        if isinstance(part, str):
            told[i] = part
    return told


def read_nodes(entries: list[dict[str, Any]], name: str) -> NodeTree:
    """Read the node hierarchy; a node with two parents or a cycle raises `AssetError`."""
    count = len(entries)
    parents = np.full(count, -1)
    translations, scales = np.zeros((count, 3)), np.ones((count, 3))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    matrices: dict[int, np.ndarray] = {}
    names = []
    for i, entry in enumerate(entries):
        where = f"{name}: nodes[{i}]"
        names.append(field_name(entry, f"node{i}"))
        for child in field_indices(entry, "children", count, where):
            if parents[child] >= 0 or child == i:
                raise AssetError(
                    f"{where} has node {child} as a child, which already has a parent; nodes must form a tree."
                )
            parents[child] = i
        if "matrix" in entry:
            matrix = field_numbers(entry, "matrix", 16, where).reshape(4, 4).T
            matrix[3] = [0.0, 0.0, 0.0, 1.0]
            matrices[i] = matrix
            translations[i], rotations[i], scales[i] = decompose_trs(matrix)
        else:
            translations[i] = field_numbers(entry, "translation", 3, where, default=[0.0] * 3)
            rotations[i] = field_numbers(entry, "rotation", 4, where, default=[0.0, 0.0, 0.0, 1.0])[[3, 0, 1, 2]]
            scales[i] = field_numbers(entry, "scale", 3, where, default=[1.0] * 3)
    _check_tree(parents, name)
    nodes = NodeTree(tuple(names), parents, translations, rotations, scales, matrices)
    with np.errstate(over="ignore", invalid="ignore"):
        beyond = ~(np.abs(nodes.T_world_node) <= MAX_TRANSFORM).all((1, 2))
    if beyond.any():
        i = int(np.flatnonzero(beyond)[0])
        raise AssetError(f"{name}: nodes[{i}] has a transform that is not finite or beyond {MAX_TRANSFORM:g}.")
    return nodes


def _check_tree(parents: np.ndarray, name: str) -> None:
    """Follow all parent links at once, twice as far each time; what never reaches the top runs in a circle."""
    reach = parents.copy()
    for _ in range(len(parents).bit_length()):
        reach = np.where(reach >= 0, reach[reach], -1)
    if (reach >= 0).any():
        raise AssetError(f"{name}: the node hierarchy contains a cycle.")


def _check_extensions(document: GltfDocument, warnings: list[str]) -> None:
    required = field_list(document.json, "extensionsRequired", document.path.name)
    for unknown in sorted({e[:60] for e in required if isinstance(e, str)} - KNOWN_EXTENSIONS):
        warnings.append(f"{document.path.name} requires the extension {unknown}, which Gambol does not know.")


def _read_skins(reader: AccessorReader, node_count: int) -> list[Skin]:
    skins: list[Skin] = []
    met: set[int] = set()
    for i, entry in enumerate(field_objects(reader.document.json, "skins", reader.name)):
        where = f"{reader.name}: skins[{i}]"
        joints = np.array(field_indices(entry, "joints", node_count, where), dtype=int)
        if len(joints) == 0:
            raise AssetError(f"{where} has no joints.")
        if len(np.unique(joints)) != len(joints):
            raise AssetError(f"{where} names the same joint twice.")
        met.update(joints.tolist())
        if len(met) > MAX_SKIN_JOINTS:
            raise AssetError(f"{where} brings the file to {len(met)} joints; at most {MAX_SKIN_JOINTS} are read.")
        inverse_binds = np.tile(np.eye(4), (len(joints), 1, 1))
        if "inverseBindMatrices" in entry:
            stored = reader.read(entry["inverseBindMatrices"], f"{where}.inverseBindMatrices", kinds=("MAT4",))
            if len(stored) < len(joints) or stored.dtype.kind != "f":
                raise AssetError(f"{where} has {len(stored)} inverse bind matrices for {len(joints)} joints.")
            stored = stored[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1)
            if not (np.abs(stored) <= MAX_TRANSFORM).all():
                raise AssetError(f"{where} has inverse bind matrices that are not finite or beyond {MAX_TRANSFORM:g}.")
            inverse_binds = stored.astype(np.float64)
            inverse_binds[:, 3] = [0.0, 0.0, 0.0, 1.0]
        size = np.linalg.norm(inverse_binds[:, :3, :3], axis=(1, 2))
        flat = np.abs(np.linalg.det(inverse_binds[:, :3, :3])) <= SINGULAR_DETERMINANT_SHARE * size**3
        flat |= size < 1.0 / MAX_TRANSFORM
        if flat.any():
            raise AssetError(
                f"{where}: the inverse bind matrix of joint {int(np.flatnonzero(flat)[0])} cannot be inverted."
            )
        skins.append(Skin(field_name(entry, f"skin{i}"), joints, inverse_binds))
    return skins


def _read_parts(
    reader: AccessorReader, entries: list[dict[str, Any]], nodes: NodeTree, meshes: MeshReader, skin_count: int
) -> tuple[Part, ...]:
    shown = _shown_nodes(reader, nodes)
    parts: list[Part] = []
    for i, entry in enumerate(entries):
        where = f"{reader.name}: nodes[{i}]"
        mesh = field_index(entry, "mesh", len(meshes.meshes), where)
        skin = field_index(entry, "skin", skin_count, where)
        if mesh is not None and i in shown:
            weights = field_list(entry, "weights", where) if "weights" in entry else None
            parts += meshes.parts_of(i, mesh, skin, weights)
    return tuple(parts)


def _shown_nodes(reader: AccessorReader, nodes: NodeTree) -> set[int]:
    """Nodes of the default scene (all of them where the file names no scene)."""
    scenes = field_objects(reader.document.json, "scenes", reader.name)
    if not scenes:
        return set(range(len(nodes)))
    chosen = field_index(reader.document.json, "scene", len(scenes), reader.name) or 0
    pending = field_indices(scenes[chosen], "nodes", len(nodes), f"{reader.name}: scenes[{chosen}]")
    shown: set[int] = set()
    while pending:
        node = pending.pop()
        if node not in shown:
            shown.add(node)
            pending.extend(nodes.children[node])
    return shown


def _read_clips(reader: AccessorReader, scene: Scene, warnings: list[str]) -> tuple[NodeClip, ...]:
    morphs = {part.node: len(part.morph_weights) for part in scene.parts if part.morph_weights is not None}
    clips = []
    for i, entry in enumerate(field_objects(reader.document.json, "animations", reader.name)):
        where = f"{reader.name}: animations[{i}]"
        samplers = field_objects(entry, "samplers", where)
        channels = []
        met: set[tuple[int, str]] = set()
        again = 0
        for c, channel in enumerate(field_objects(entry, "channels", where)):
            target = field_object(channel, "target", f"{where}.channels[{c}]")
            node = field_index(target, "node", len(scene.nodes), f"{where}.channels[{c}].target")
            path = field_text(target, "path", f"{where}.channels[{c}].target", default="")
            width = CHANNEL_WIDTHS.get(path, morphs.get(node, 0) if path == "weights" and node is not None else 0)
            if node is None or width == 0:
                continue
            if (node, path) in met:
                again += 1
                continue
            met.add((node, path))
            sampler = field_index(channel, "sampler", len(samplers), f"{where}.channels[{c}]")
            if sampler is None:
                raise AssetError(f"{where}.channels[{c}] names no sampler.")
            channels.append(_read_channel(reader, samplers[sampler], node, path, width, f"{where}.samplers[{sampler}]"))
        clips.append(NodeClip(field_name(entry, f"clip{i}"), tuple(c for c in channels if c is not None)))
        if again:
            warnings.append(f"{where} ({clips[-1].name}) moves {again} targets again; the first channel counts.")
        if channels and not clips[-1].channels:
            warnings.append(f"{where} ({clips[-1].name}) has no keys.")
    _check_reach(scene.nodes, clips, reader.name)
    return tuple(clips)


def _check_reach(nodes: NodeTree, clips: list[NodeClip], name: str) -> None:
    """No key throws a node out of the world, so that a sampled clip is always finite.

    With s the largest stretch and t the longest step of a node over all keys, a node's world transform is bounded by
    S = S_parent s and D = D_parent + S_parent t.
    """
    stretch = np.linalg.norm(nodes.T_parent_node[:, :3, :3], 2, axis=(1, 2)) if len(nodes) else np.zeros(0)
    step = np.linalg.norm(nodes.T_parent_node[:, :3, 3], axis=1)
    channels = [c for clip in clips for c in clip.channels if c.path in ("scale", "translation")]
    for channel in channels:
        bounds = stretch if channel.path == "scale" else step
        longest = np.linalg.norm(channel.values, axis=-1).max()
        if channel.interpolation == "CUBICSPLINE":  # its weights are at most 1 and 4/27 of the time between keys
            longest *= 2.0 + np.diff(channel.times).max(initial=0.0)
        bounds[channel.node] = max(bounds[channel.node], longest)
    with np.errstate(over="ignore", invalid="ignore"):
        for level in nodes.levels[1:] if channels else ():
            above = nodes.parents[level]
            step[level] = step[above] + stretch[above] * step[level]
            stretch[level] *= stretch[above]
        beyond = ~(np.maximum(step, stretch) <= MAX_TRANSFORM)
    if beyond.any():
        node = int(np.flatnonzero(beyond)[0])
        raise AssetError(f"{name}: a clip moves nodes[{node}] beyond {MAX_TRANSFORM:g} units; its keys look broken.")


def _read_channel(
    reader: AccessorReader, sampler: dict[str, Any], node: int, path: str, width: int, where: str
) -> NodeChannel | None:
    interpolation = field_text(sampler, "interpolation", where, default="LINEAR")
    if interpolation not in ("STEP", "LINEAR", "CUBICSPLINE"):
        raise AssetError(f"{where}.interpolation is {interpolation!r}; glTF knows STEP, LINEAR and CUBICSPLINE.")
    times = reader.read(sampler.get("input"), f"{where}.input", kinds=("SCALAR",))[:, 0]
    kinds = ("SCALAR",) if path == "weights" else (f"VEC{width}",)
    values = normalise_integers(reader.read(sampler.get("output"), f"{where}.output", kinds=kinds))
    keys = len(times)
    if keys == 0:
        return None
    per_key = width * (3 if interpolation == "CUBICSPLINE" else 1)
    if values.size != keys * per_key:
        raise AssetError(f"{where} has {values.size} values for {keys} keys of {per_key} numbers.")
    if not (np.abs(values) <= MAX_TRANSFORM).all() or not (np.abs(times) <= MAX_CLIP_SECONDS).all():
        raise AssetError(f"{where} has keys that are not finite, or times beyond {MAX_CLIP_SECONDS:g} seconds.")
    times, values = times.astype(np.float64), values.astype(np.float64)
    if (np.diff(times) < 0).any():
        raise AssetError(f"{where} has key times that run backwards.")
    values = values.reshape((keys, 3, width) if interpolation == "CUBICSPLINE" else (keys, width))
    if path == "rotation":
        values = values[..., [3, 0, 1, 2]]
    return NodeChannel(node, path, times, values, interpolation)  # type: ignore[arg-type]
