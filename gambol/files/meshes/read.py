"""Meshes without a rig: OBJ, PLY, STL and OFF to a `Scene` of one node."""

from __future__ import annotations

import io
import logging
import warnings as python_warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.colour import srgb_to_linear
from gambol.character.scene import Material, Part, Scene, translated_nodes
from gambol.errors import AssetError
from gambol.files.gltf.container import read_bytes
from gambol.files.gltf.meshes import MAX_COORDINATE
from gambol.files.meshes.obj import read_obj
from gambol.files.meshes.ply import read_ply
from gambol.files.meshes.polygons import merge_equal
from gambol.motion.node_clip import NodeClip

MAX_MESH_FILE_BYTES = 1 << 30
"""Largest plain mesh file that is read, bytes."""


def read_plain_mesh(path: Path) -> tuple[Scene, tuple[NodeClip, ...], tuple[str, ...]]:
    """Read a mesh as one node with a part per material, in the file's units and axes; there are no clips.

    Nothing but the file and its pictures and materials in the same folder is opened.
    """
    warnings: list[str] = []
    data = read_bytes(path)
    if len(data) > MAX_MESH_FILE_BYTES:
        raise AssetError(f"{path.name} has {len(data)} bytes; of plain meshes at most {MAX_MESH_FILE_BYTES} are read.")
    suffix = path.suffix.lower()
    try:
        if suffix == ".obj":
            parts, materials = read_obj(data, path, warnings)
        elif suffix == ".ply":
            parts, materials = read_ply(data, path, warnings)
        else:
            parts, materials = _read_by_trimesh(data, suffix.removeprefix(".")), []
        parts = [_checked(part, path.name) for part in parts]
    except AssetError:
        raise
    except (Exception, MemoryError) as error:
        raise AssetError(
            f"{path.name} cannot be read as {suffix[1:].upper()} ({str(error)[:80] or error!r})."
        ) from error
    parts = [part for part in parts if len(part.triangles)]
    if not parts:
        raise AssetError(f"{path.name} holds no triangles.")
    return _scene(path.stem, parts, materials), (), tuple(warnings)


def _read_by_trimesh(data: bytes, file_type: str) -> list[Part]:
    """Read STL and OFF; a stream without a name gives trimesh no way to other files."""
    import trimesh

    if file_type not in ("stl", "off"):
        raise AssetError(f"'.{file_type}' is no plain mesh; allowed are .obj, .ply, .stl and .off.")
    with python_warnings.catch_warnings(), _quiet(logging.getLogger("trimesh")):
        # numpy only warns where a text stops being numbers
        python_warnings.simplefilter("error", DeprecationWarning)
        loaded = trimesh.load(io.BytesIO(data), file_type=file_type, process=False)
    meshes: list[Any] = list(loaded.geometry.values()) if isinstance(loaded, trimesh.Scene) else [loaded]
    parts = []
    for mesh in meshes:
        positions, triangles = (
            np.asarray(mesh.vertices, np.float64),
            np.asarray(getattr(mesh, "faces", np.zeros((0, 3))), int),
        )
        if file_type == "stl":
            positions, triangles = merge_equal(positions, triangles)
        parts.append(Part(0, None, positions, triangles))
    return parts


@contextmanager
def _quiet(logger: logging.Logger) -> Iterator[None]:
    """Keep a library's complaints to itself; what matters of them is in the error."""
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


def _checked(part: Part, name: str) -> Part:
    """Check the numbers once, and give them the types that a part has; colours become linear light."""
    count, triangles = len(part.positions), part.triangles
    if not (np.abs(part.positions) <= MAX_COORDINATE).all():
        raise AssetError(f"{name} has vertex positions that are not finite or beyond {MAX_COORDINATE:g} units.")
    if len(triangles) and not 0 <= triangles.min() <= triangles.max() < count:
        raise AssetError(f"{name} has a face that points at vertex {int(triangles.max())} of {count}.")
    colours = None if part.colours is None else linear_vertex_colours(np.clip(np.nan_to_num(part.colours), 0.0, 1.0))
    return replace(
        part,
        positions=part.positions.astype(np.float32),
        triangles=triangles.astype(np.int32),
        uvs=None if part.uvs is None else np.nan_to_num(part.uvs, posinf=0.0, neginf=0.0),
        colours=colours,
    )


def linear_vertex_colours(colours: Float[ndarray, "vertices 4"]) -> Float[ndarray, "vertices 4"]:
    """Convert sRGB vertex colours to linear light; alpha stays."""
    return np.concatenate([srgb_to_linear(colours[:, :3]), colours[:, 3:]], axis=1).astype(np.float32)


def _scene(name: str, parts: list[Part], materials: list[Material]) -> Scene:
    nodes = translated_nodes((name,), np.array([-1]), np.zeros((1, 3)))
    return Scene(nodes, (), tuple(parts), tuple(materials), tuple(np.zeros(0, int) for _ in parts))
