"""Read Wavefront objects (.obj) and their materials (.mtl).

Why not trimesh: it takes relative indices (-1 is the vertex before) from the end of the file, which loses whole pieces,
splits vertices wherever normals differ, and needs Pillow for textures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.scene import Material, Part
from gambol.errors import AssetError
from gambol.files.gltf.container import read_bytes
from gambol.files.meshes.polygons import fan_corners, split_at_seams
from gambol.files.meshes.texture_files import find_beside, read_texture

MAP_OPTION_NUMBERS = {"-o": 3, "-s": 3, "-t": 3, "-mm": 2}
"""Largest number of values after each option of map_Kd; other options have one."""


@dataclass
class _Lines:
    """What the lines of a file have brought so far."""

    vertices: list[list[str]] = field(default_factory=list)
    uvs: list[list[str]] = field(default_factory=list)
    corner_vertices: list[int] = field(default_factory=list)
    corner_uvs: list[int] = field(default_factory=list)
    """-1 where a corner has no texture coordinate."""
    counts: list[int] = field(default_factory=list)
    face_materials: list[int] = field(default_factory=list)
    materials: dict[str, int] = field(default_factory=dict)
    libraries: list[str] = field(default_factory=list)


def read_obj(data: bytes, path: Path, warnings: list[str]) -> tuple[list[Part], list[Material]]:
    """Read one part per material, with vertex colours (sRGB, as stored) where every vertex has one.

    Vertices keep the file's order; only those with two texture coordinates are split.
    """
    lines = _read_lines(data, path.name)
    positions, colours = _positions(lines, path.name)
    uvs = _numbers([w[:2] if len(w) > 1 else [w[0], "0"] for w in lines.uvs], f"{path.name}: a vt line")
    corner_vertices, corner_uvs = np.array(lines.corner_vertices, int), np.array(lines.corner_uvs, int)
    for used, count, what in (
        (corner_vertices, len(positions), "vertex"),
        (corner_uvs, len(uvs), "texture coordinate"),
    ):
        if used.max(initial=-1) >= count:
            raise AssetError(f"{path.name}: a face points at {what} {used.max() + 1} of {count}.")
    corners, faces = fan_corners(np.array(lines.counts, int))
    material_of = np.array(lines.face_materials, int)[faces]
    parts = []
    for material in np.unique(material_of):
        vertices, uv_indices, triangles = split_at_seams(corners[material_of == material], corner_vertices, corner_uvs)
        part = Part(0, None, positions[vertices], triangles, int(material) if material >= 0 else None)
        if len(uvs) and uv_indices.max() >= 0:
            # OBJ counts v from the picture's bottom, glTF from its top
            flipped = np.stack([uvs[uv_indices, 0], 1.0 - uvs[uv_indices, 1]], axis=1)
            part = replace(part, uvs=np.where(uv_indices[:, None] >= 0, flipped, 0.0).astype(np.float32))
        parts.append(replace(part, colours=colours[vertices] if colours is not None else None))
    return parts, _materials(lines, path, warnings)


def _read_lines(data: bytes, name: str) -> _Lines:
    if b"\0" in data:
        raise AssetError(f"{name} is not an OBJ file: it holds binary data.")
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n").replace("\\\n", " ")
    lines, material = _Lines(), -1
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        keyword = words[0]
        if keyword == "v":
            lines.vertices.append(words[1:])
        elif keyword == "vt":
            lines.uvs.append(words[1:] or [""])
        elif keyword == "f":
            for corner in words[1:]:
                _add_corner(lines, corner, name)
            lines.counts.append(len(words) - 1)
            lines.face_materials.append(material)
        elif keyword == "usemtl":
            material = lines.materials.setdefault(_rest(line), len(lines.materials))
        elif keyword == "mtllib":
            lines.libraries.append(_rest(line))
    return lines


def _rest(line: str) -> str:
    return line.strip().partition(" ")[2].strip() or line.strip().partition("\t")[2].strip()


def _add_corner(lines: _Lines, corner: str, name: str) -> None:
    """Take v, v/vt, v//vn or v/vt/vn: from 1 in the order of the file, or from -1 backwards from this line."""
    vertex, _, rest = corner.partition("/")
    uv = rest.partition("/")[0]
    try:
        lines.corner_vertices.append(_index(int(vertex), len(lines.vertices)))
        lines.corner_uvs.append(_index(int(uv), len(lines.uvs)) if uv else -1)
    except ValueError as error:
        raise AssetError(f"{name}: a face has the corner {corner[:40]!r}, which points at no vertex.") from error


def _index(written: int, seen: int) -> int:
    index = written - 1 if written > 0 else seen + written
    if written == 0 or index < 0:
        raise ValueError
    return index


def _positions(lines: _Lines, name: str) -> tuple[Float[ndarray, "vertices 3"], Float[ndarray, "vertices 4"] | None]:
    positions = _numbers([words[:3] for words in lines.vertices], f"{name}: a v line")
    if len(positions) == 0 or not lines.counts:
        raise AssetError(f"{name} has {len(positions)} vertices and {len(lines.counts)} faces; a mesh needs both.")
    if positions.shape[1] != 3:
        raise AssetError(f"{name}: a v line has {positions.shape[1]} numbers instead of 3.")
    if not all(len(words) >= 6 for words in lines.vertices):
        return positions, None
    colours = _numbers([words[-3:] for words in lines.vertices], f"{name}: a v line")
    return positions, np.concatenate([colours, np.ones((len(colours), 1))], axis=1)


def _numbers(rows: list[list[str]], what: str) -> Float[ndarray, "rows columns"]:
    if not rows:
        return np.zeros((0, 3))
    try:
        return np.array(rows, dtype=np.float64)
    except ValueError as error:
        raise AssetError(f"{what} does not hold the numbers it should ({str(error)[:60]}).") from error


def _materials(lines: _Lines, path: Path, warnings: list[str]) -> list[Material]:
    """List the materials that faces use, grey where no library beside the file describes them."""
    known: dict[str, Material] = {}
    for library in lines.libraries:
        try:
            file = find_beside(library, path, f"{path.name}: the material library")
            text = read_bytes(file).decode("utf-8", errors="replace")
        except AssetError as error:
            warnings.append(f"{path.name}: its materials are grey: {error}")
            continue
        known |= {m.name: m for m in _read_mtl(text, path, set(lines.materials), warnings)}
    return [known.get(name, Material(name)) for name in lines.materials]


def _read_mtl(text: str, path: Path, used: set[str], warnings: list[str]) -> list[Material]:
    """Read the diffuse colour, opacity and diffuse picture of each used material; a picture replaces the colour."""
    materials: list[Material] = []
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        keyword = words[0].lower() if words else ""
        if keyword == "newmtl":
            materials.append(Material(_rest(line)))
        if not materials or materials[-1].name not in used:
            continue
        material, colour = materials[-1], materials[-1].base_colour
        try:
            if keyword == "kd" and material.texture is None:
                r, g, b = (float(w) for w in words[1:4])
                material = replace(material, base_colour=(*np.clip((r, g, b), 0.0, 1.0).tolist(), colour[3]))
            elif keyword in ("d", "tr"):
                opacity = float(words[-1]) if keyword == "d" else 1.0 - float(words[-1])
                material = replace(material, base_colour=(*colour[:3], float(np.clip(opacity, 0.0, 1.0))))
                material = replace(material, alpha_mode="BLEND" if opacity < 1.0 else "OPAQUE")
            elif keyword == "map_kd":
                texture = read_texture(_picture_name(_rest(line)), path, warnings)
                if texture is not None:
                    material = replace(material, texture=texture, base_colour=(1.0, 1.0, 1.0, colour[3]))
        except (ValueError, IndexError):
            warnings.append(f"{path.name}: the material line {line.strip()[:60]!r} is left out.")
        materials[-1] = material
    return materials


def _picture_name(text: str) -> str:
    """Take the options away from what follows map_Kd; the name may have spaces in it."""
    while option := re.match(r"(-\w+)\s+", text):
        text = text[option.end() :]
        if option[1] in MAP_OPTION_NUMBERS:
            text = re.sub(rf"^([-+.\deE]+\s+){{1,{MAP_OPTION_NUMBERS[option[1]]}}}", "", text)
        else:
            text = text.partition(" ")[2].lstrip()
    return text.strip()
