"""Writes a bare mesh with vertex colours as a binary .ply."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.files.atomic_write import replacing


def write_mesh_ply(
    positions: Float[ndarray, "vertices 3"],
    triangles: Int[ndarray, "triangles 3"],
    colours: Float[ndarray, "vertices 3"],
    target: Path,
) -> Path:
    """Write positions as float32 and sRGB colours, 0 to 1, as bytes."""
    vertices = np.zeros(len(positions), [("place", "<f4", 3), ("colour", "u1", 3)])
    vertices["place"], vertices["colour"] = positions, np.round(255.0 * colours)
    faces = np.zeros(len(triangles), [("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, triangles
    lines = ["ply", "format binary_little_endian 1.0", f"element vertex {len(vertices)}"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += [f"property uchar {colour}" for colour in ("red", "green", "blue")]
    lines += [f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    with replacing(target) as temporary:
        temporary.write_bytes("\n".join([*lines, ""]).encode("ascii") + vertices.tobytes() + faces.tobytes())
    return target
