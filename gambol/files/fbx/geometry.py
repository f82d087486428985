"""Geometry records: vertices, triangles, normals, texture coordinates, colours, material slots, morph targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.scene import Part, Scene, apply_matrix
from gambol.files.fbx.layout import FbxMesh
from gambol.files.fbx.records import FbxRecord


@dataclass(frozen=True)
class MeshArrays:
    """The parts of a mesh, one behind the other, in the model's space."""

    positions: Float[ndarray, "vertices 3"]
    """Vertex positions."""
    triangles: Int[ndarray, "triangles 3"]
    """Vertex indices."""
    normals: Float[ndarray, "vertices 3"]
    """Vertex normals."""
    uvs: Float[ndarray, "vertices 2"] | None
    """Texture coordinates, v from the picture's top."""
    colours: Float[ndarray, "vertices 4"] | None
    """Linear RGBA."""
    slots: Int[ndarray, "triangles"]
    """Material of each triangle, an index into `materials`."""
    materials: tuple[int | None, ...]
    """Materials of the scene in the order of the slots; None for a surface without one."""
    morphs: Float[ndarray, "targets vertices 3"]
    """Offsets of each morph target."""


def mesh_arrays(scene: Scene, mesh: FbxMesh) -> MeshArrays:
    """Join the parts of a mesh and take them into its model's space."""
    parts, T = [scene.parts[i] for i in mesh.parts], mesh.T_model_part
    flip = np.linalg.det(T[:3, :3]) < 0
    starts = np.cumsum([0, *(len(p.positions) for p in parts)])
    triangles = [p.triangles[:, [0, 2, 1]] if flip else p.triangles for p in parts]
    turn = np.linalg.inv(T[:3, :3])
    normals = np.concatenate([part_normals(p) for p in parts]).astype(np.float64) @ turn
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    materials = tuple(dict.fromkeys(p.material for p in parts))
    targets = max((len(p.morph_targets) for p in parts if p.morph_targets is not None), default=0)
    morphs = [np.zeros((targets, len(p.positions), 3)) if p.morph_targets is None else p.morph_targets for p in parts]
    return MeshArrays(
        positions=np.concatenate([apply_matrix(T, p.positions.astype(np.float64)) for p in parts]),
        triangles=np.concatenate([t + s for t, s in zip(triangles, starts, strict=False)]).astype(np.int32),
        normals=normals,
        uvs=_joined([p.uvs for p in parts], parts, 0.0),
        colours=_joined([p.colours for p in parts], parts, 1.0),
        slots=np.repeat([materials.index(p.material) for p in parts], [len(p.triangles) for p in parts]),
        materials=materials,
        morphs=np.concatenate(morphs, axis=1).astype(np.float64) @ T[:3, :3].T,
    )


def _joined(arrays: list[ndarray | None], parts: list[Part], missing: float) -> ndarray | None:
    width = next((a.shape[1] for a in arrays if a is not None), None)
    if width is None:
        return None
    pairs = zip(arrays, parts, strict=True)
    return np.concatenate([np.full((len(p.positions), width), missing) if a is None else a for a, p in pairs])


def part_normals(part: Part) -> Float[ndarray, "vertices 3"]:
    """Return a part's own normals, else area-weighted ones, n = sum of (b - a) x (c - a) over a vertex's triangles."""
    if part.normals is not None:
        return part.normals
    corners = part.positions.astype(np.float64)[part.triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros(part.positions.shape)
    for corner in range(3):
        np.add.at(normals, part.triangles[:, corner], areas)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-30, normals / np.maximum(length, 1e-30), [0.0, 1.0, 0.0])


def geometry_record(objects: FbxRecord, number: np.int64, name: str, arrays: MeshArrays) -> None:
    """Add the Geometry record of a mesh to the file's objects."""
    geometry = objects.add("Geometry", number, f"{name}\x00\x01Geometry", "Mesh")
    geometry.add("GeometryVersion", 124)
    geometry.add("Vertices", arrays.positions.reshape(-1))
    ends = arrays.triangles.astype(np.int32).copy()
    ends[:, 2] = ~ends[:, 2]  # the last corner of a polygon is marked by its complement
    geometry.add("PolygonVertexIndex", ends.reshape(-1))
    corners = arrays.triangles.reshape(-1)
    layers = ["LayerElementNormal"]
    _layer(geometry, layers[0], "Normals", arrays.normals[corners], None)
    if arrays.uvs is not None:
        flipped = np.stack([arrays.uvs[:, 0], 1.0 - arrays.uvs[:, 1]], axis=1)
        _layer(geometry, "LayerElementUV", "UV", flipped, corners)
        layers.append("LayerElementUV")
    if arrays.colours is not None:
        _layer(geometry, "LayerElementColor", "Colors", _srgb(arrays.colours), corners)
        layers.append("LayerElementColor")
    layer = geometry.add("LayerElementMaterial", 0)
    layer.add("Version", 101)
    layer.add("Name", "")
    layer.add("MappingInformationType", "ByPolygon")
    layer.add("ReferenceInformationType", "IndexToDirect")
    layer.add("Materials", arrays.slots.astype(np.int32))
    layer = geometry.add("Layer", 0)
    layer.add("Version", 100)
    for kind in [*layers, "LayerElementMaterial"]:
        element = layer.add("LayerElement")
        element.add("Type", kind)
        element.add("TypedIndex", 0)


def _layer(geometry: FbxRecord, kind: str, name: str, values: ndarray, index: ndarray | None) -> None:
    """One value per corner of a triangle, or values with an index per corner."""
    layer = geometry.add(kind, 0)
    layer.add("Version", 101)
    layer.add("Name", {"UV": "UVMap", "Colors": "Color"}.get(name, ""))
    layer.add("MappingInformationType", "ByPolygonVertex")
    layer.add("ReferenceInformationType", "Direct" if index is None else "IndexToDirect")
    layer.add(name, np.ascontiguousarray(values, dtype=np.float64).reshape(-1))
    if index is not None:
        layer.add("UVIndex" if name == "UV" else "ColorIndex", index.astype(np.int32))


def _srgb(colours: Float[ndarray, "vertices 4"]) -> Float[ndarray, "vertices 4"]:
    """Linear to sRGB (IEC 61966-2-1), which FBX programs expect of vertex colours; alpha stays."""
    rgb = np.asarray(colours[:, :3], dtype=np.float64)
    curved = np.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * np.maximum(rgb, 1e-9) ** (1 / 2.4) - 0.055)
    return np.concatenate([curved, colours[:, 3:]], axis=1)


def shape_record(objects: FbxRecord, number: np.int64, name: str, offsets: Float[ndarray, "vertices 3"]) -> None:
    """Add a morph target's Geometry record: offsets of the vertices that it moves."""
    shape = objects.add("Geometry", number, f"{name}\x00\x01Geometry", "Shape")
    moved = np.flatnonzero((offsets != 0).any(1)).astype(np.int32)
    moved = moved if len(moved) else np.zeros(1, np.int32)
    shape.add("Version", 100)
    shape.add("Indexes", moved)
    shape.add("Vertices", offsets[moved].reshape(-1))
    shape.add("Normals", np.zeros(3 * len(moved)))
