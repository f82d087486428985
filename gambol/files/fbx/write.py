"""Write a glTF document as FBX 7.4: nodes, skins with bind pose, meshes, materials, one animation stack per clip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gambol.character.scene import Scene
from gambol.files.atomic_write import replacing
from gambol.files.fbx.animation import add_clips
from gambol.files.fbx.curves import FBX_TICKS, euler_degrees, file_frame_rate
from gambol.files.fbx.geometry import MeshArrays, geometry_record, mesh_arrays, shape_record
from gambol.files.fbx.layout import FbxLayout, FbxMesh, FbxModel, lay_out
from gambol.files.fbx.materials import MaterialWriter
from gambol.files.fbx.read_back import check_fbx
from gambol.files.fbx.records import FbxRecord, encode_fbx
from gambol.files.fbx.scene_records import (
    FbxBuilder,
    add_properties,
    clean_name,
    definitions_record,
    opening_records,
)
from gambol.files.gltf.container import GltfDocument
from gambol.files.gltf.read import read_scene
from gambol.motion.node_clip import NodeClip


def write_fbx(document: GltfDocument, target: Path) -> None:
    """Write a document as binary FBX; it is read back before it takes its name.

    Metres, y up. Every clip becomes an animation stack of its name at its own frame rate; pictures are inside the file.
    """
    scene, clips, _ = read_scene(document)
    data = encode_document(document, scene, clips)
    with replacing(target) as temporary:
        temporary.write_bytes(data)
        check_fbx(temporary.read_bytes(), scene, clips, target.name)


def encode_document(document: GltfDocument, scene: Scene, clips: tuple[NodeClip, ...]) -> bytes:
    """Encode a document, its scene and clips as the bytes of an FBX file."""
    layout, builder = lay_out(scene), FbxBuilder()
    numbers = [_add_model(builder, scene, model) for model in layout.models]
    for model, number in zip(layout.models, numbers, strict=True):
        builder.connect(number, numbers[model.parent] if model.parent >= 0 else 0)
    materials = MaterialWriter(builder, scene, document)
    morphs: dict[int, list[Any]] = {}
    for mesh in layout.meshes:
        arrays = mesh_arrays(scene, mesh)
        name = layout.models[mesh.model].name
        geometry = builder.number()
        geometry_record(builder.objects, geometry, clean_name(name), arrays)
        builder.connect(geometry, numbers[mesh.model])
        for index in arrays.materials:
            builder.connect(materials.material(index), numbers[mesh.model])
        _add_skin(builder, scene, layout, mesh, geometry, numbers)
        channels = _add_morphs(builder, scene, mesh, geometry, arrays, _morph_names(document.json, scene, mesh))
        morphs.setdefault(scene.parts[mesh.parts[0]].node, []).append(channels)
    _add_bind_pose(builder, scene, layout, numbers)
    takes = add_clips(builder, scene, layout, clips, numbers, morphs)
    stop = round(max((clip.end for clip in clips), default=0.0) * FBX_TICKS)
    opening = opening_records(file_frame_rate(clips), stop)
    return encode_fbx([*opening, definitions_record(builder.objects), builder.objects, builder.connections, takes])


def _add_model(builder: FbxBuilder, scene: Scene, model: FbxModel) -> np.int64:
    """Add a Model record and its kind of node; T, R and S as FBX has them, children follow the whole transform."""
    nodes, node = scene.nodes, model.node
    translation, scale, angles = np.zeros(3), np.ones(3), np.zeros(3)
    if node is not None:
        translation, scale = nodes.translations[node], nodes.scales[node]
        angles = euler_degrees(nodes.rotations_wxyz[node : node + 1])[0]
    number = builder.object("Model", model.name, model.kind)
    record = builder.last
    record.add("Version", 232)
    properties: list[Any] = [
        ("RotationActive", "bool", "", "", 1),
        ("InheritType", "enum", "", "", 1),
        ("ScalingMax", "Vector3D", "Vector", "", 0.0, 0.0, 0.0),
        ("DefaultAttributeIndex", "int", "Integer", "", 0),
    ]
    for name, values in (("Lcl Translation", translation), ("Lcl Rotation", angles), ("Lcl Scaling", scale)):
        properties.append((name, name, "", "A", *(float(v) for v in values)))
    add_properties(record, properties)
    record.add("MultiLayer", 0)
    record.add("MultiTake", 0)
    record.add("Shading", True)
    record.add("Culling", "CullingOff")
    if model.kind != "Mesh":
        attribute = builder.object("NodeAttribute", model.name, model.kind)
        builder.last.add("TypeFlags", "Skeleton" if model.kind == "LimbNode" else "Null")
        builder.connect(attribute, number)
    return number


def _add_skin(
    builder: FbxBuilder, scene: Scene, layout: FbxLayout, mesh: FbxMesh, geometry: np.int64, numbers: list[np.int64]
) -> None:
    """Add a skin's clusters, one per joint: v = sum_j w_j T_world_joint(j) Transform(j) p.

    Transform(j) = inverse_bind(j) T_model_part^-1 takes the model's vertices into the joint at bind; TransformLink(j)
    is where the joint was then.
    """
    if mesh.skin is None:
        return
    skin, name = scene.skins[mesh.skin], clean_name(layout.models[mesh.model].name)
    deformer = builder.object("Deformer", name, "Skin")
    builder.last.add("Version", 101)
    builder.last.add("Link_DeformAcuracy", 50.0)
    builder.last.add("SkinningType", "Linear")
    builder.connect(deformer, geometry)
    weights = np.zeros((sum(len(scene.parts[p].positions) for p in mesh.parts), len(skin.joints)))
    start = 0
    for part in (scene.parts[p] for p in mesh.parts):
        assert part.joints is not None
        assert part.weights is not None
        rows = np.arange(start, start + len(part.positions))[:, None]
        np.add.at(weights, (np.broadcast_to(rows, part.joints.shape), part.joints), part.weights)
        start += len(part.positions)
    to_part = np.linalg.inv(mesh.T_model_part)
    for j, joint in enumerate(map(int, skin.joints)):
        cluster = builder.object("Deformer", scene.nodes.names[joint], "Cluster", label="SubDeformer")
        record = builder.last
        record.add("Version", 100)
        record.add("UserData", "", "")
        held = np.flatnonzero(weights[:, j] > 0)
        if len(held):
            record.add("Indexes", held.astype(np.int32))
            record.add("Weights", weights[held, j])
        record.add("Transform", (skin.inverse_binds[j] @ to_part).T.reshape(-1))
        record.add("TransformLink", layout.binds[joint].T.reshape(-1))
        builder.connect(cluster, deformer)
        builder.connect(numbers[joint], cluster)


def _add_bind_pose(builder: FbxBuilder, scene: Scene, layout: FbxLayout, numbers: list[np.int64]) -> None:
    """Add the bind pose: every joint where it was bound, every other model where it rests."""
    if not scene.skins:
        return
    builder.object("Pose", "BindPose", "BindPose")
    record = builder.last
    record.add("Type", "BindPose")
    record.add("Version", 100)
    record.add("NbPoseNodes", len(numbers))
    for model, number in zip(layout.models, numbers, strict=True):
        node = model.node if model.node is not None else model.parent
        rest = scene.nodes.T_world_node[node] if node >= 0 else np.eye(4)
        entry = record.add("PoseNode")
        entry.add("Node", number)
        entry.add(
            "Matrix", layout.binds.get(node, rest).T.reshape(-1) if model.kind == "LimbNode" else rest.T.reshape(-1)
        )


def _morph_names(entries: dict[str, Any], scene: Scene, mesh: FbxMesh) -> list[str]:
    """Names of a mesh's morph targets, where the document has them (mesh.extras.targetNames)."""
    node = scene.parts[mesh.parts[0]].node
    extras = entries["meshes"][entries["nodes"][node]["mesh"]].get("extras")
    names = extras.get("targetNames", []) if isinstance(extras, dict) else []
    return [n for n in names if isinstance(n, str)] if isinstance(names, list) else []


def _add_morphs(
    builder: FbxBuilder, scene: Scene, mesh: FbxMesh, geometry: np.int64, arrays: MeshArrays, names: list[str]
) -> list[np.int64]:
    """Add the blend shape channels of a mesh; returns their numbers."""
    if not len(arrays.morphs):
        return []
    rest = next((w for p in mesh.parts if (w := scene.parts[p].morph_weights) is not None), np.zeros(0))
    deformer = builder.object("Deformer", "Morphs", "BlendShape")
    builder.last.add("Version", 100)
    builder.connect(deformer, geometry)
    channels = []
    for k, offsets in enumerate(arrays.morphs):
        name = clean_name(names[k]) if k < len(names) else f"target{k}"
        percent = 100.0 * float(rest[k])
        channel = builder.object("Deformer", name, "BlendShapeChannel", label="SubDeformer")
        record: FbxRecord = builder.last
        record.add("Version", 100)
        record.add("DeformPercent", percent)
        record.add("FullWeights", np.array([100.0]))
        add_properties(record, [("DeformPercent", "Number", "", "A", percent)])
        shape = builder.number()
        shape_record(builder.objects, shape, name, offsets)
        builder.connect(channel, deformer)
        builder.connect(shape, channel)
        channels.append(channel)
    return channels
