"""Read and write the standard 3DGS .ply as plain arrays; bone weights are stored in extra properties."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import replacing
from gambol.files.meshes.ply import parse_ply, read_elements

POSITION_PROPERTIES, NORMAL_PROPERTIES, COLOUR_PROPERTIES = (
    ("x", "y", "z"),
    ("nx", "ny", "nz"),
    ("f_dc_0", "f_dc_1", "f_dc_2"),
)
"""Property names of position, normal and first harmonic."""
SCALE_PROPERTIES, ROTATION_PROPERTIES = ("scale_0", "scale_1", "scale_2"), ("rot_0", "rot_1", "rot_2", "rot_3")
"""Property names of scale and rotation."""
SPHERICAL_HARMONIC_REST_COUNTS = (0, 9, 24, 45)
"""Number of f_rest properties of spherical harmonics of degree 0, 1, 2, 3."""
MAX_EXACT_FLOAT_INTEGER = 1 << 24
"""Largest bone number: float32 holds integers up to this exactly, and many viewers expect float32 properties."""


@dataclass(frozen=True)
class SplatArrays:
    """The numbers of a 3DGS file as they are stored, so that a round trip is exact."""

    positions: Float[ndarray, "splats 3"]
    """Centres."""
    harmonics: Float[ndarray, "splats coefficients 3"]
    """Spherical harmonics of the colour: f_dc is the first coefficient, f_rest the others, channel by channel."""
    opacity_logits: Float[ndarray, "splats"]
    """log(a / (1 - a)) of the opacity a; infinite for 0 and 1."""
    log_scales: Float[ndarray, "splats 3"]
    """Natural logarithm of the standard deviations."""
    rotations_wxyz: Float[ndarray, "splats 4"]
    """Rotations, not normalised."""
    bones: Int[ndarray, "splats influences"] | None = None
    """Bone of each influence, properties bone_k; only in Gambol's own files."""
    weights: Float[ndarray, "splats influences"] | None = None
    """Weight of each influence, properties weight_k; only in Gambol's own files."""
    bone_count: int = 1
    """Number of bones of the skeleton."""

    def __len__(self) -> int:
        return len(self.positions)


def write_splat_ply(arrays: SplatArrays, target: str | Path) -> Path:
    """Write the file (binary, little-endian, float32) and read it back."""
    target = Path(target)
    if target.suffix.lower() != ".ply":
        raise AssetError(f"{target.name} has the suffix {target.suffix or '(none)'!r}; splats are written as .ply.")
    if arrays.bone_count > MAX_EXACT_FLOAT_INTEGER:
        raise AssetError(
            f"Splats on {arrays.bone_count} bones cannot be written; allowed are {MAX_EXACT_FLOAT_INTEGER}."
        )
    columns = _columns(arrays)
    table = np.stack(list(columns.values()), axis=1).astype("<f4")
    lines = ["ply", "format binary_little_endian 1.0", "comment 3D Gaussian splats"]
    if arrays.bones is not None:
        lines.append(f"comment bones {arrays.bone_count}")
    lines += [f"element vertex {len(arrays)}", *(f"property float {name}" for name in columns), "end_header"]
    with replacing(target) as temporary:
        temporary.write_bytes("\n".join([*lines, ""]).encode("ascii") + table.tobytes())
        again = np.stack(list(_columns(read_splat_ply(temporary)).values()), axis=1).astype("<f4")
        if not np.array_equal(again, table):
            raise GambolError(f"{target.name} does not read back as it was written; it was not kept.")
    return target


def read_splat_ply(path: str | Path) -> SplatArrays:
    """Read a 3DGS .ply of any writer: ASCII or binary, degree 0 to 3, further properties ignored."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AssetError(f"{path} cannot be read: {error.strerror or error}.") from error
    header, elements, body = parse_ply(data, path.name)
    if any(element.name == "chunk" for element in elements):
        raise AssetError(f"{path.name} holds compressed splats; export them as a standard (uncompressed) .ply.")
    vertex = read_elements(elements, body, path.name).get("vertex", {})
    if not vertex:
        raise AssetError(f"{path.name} holds no splats: it has no element 'vertex' with rows.")
    arrays = SplatArrays(
        _stack(vertex, POSITION_PROPERTIES, path.name),
        _harmonics(vertex, path.name),
        _stack(vertex, ("opacity",), path.name, finite=False)[:, 0],
        _stack(vertex, SCALE_PROPERTIES, path.name),
        _stack(vertex, ROTATION_PROPERTIES, path.name),
        *_binding(vertex, header, path.name),
    )
    if not (np.linalg.norm(arrays.rotations_wxyz, axis=1) > 1e-12).all():
        raise AssetError(f"{path.name} has a splat whose rotation (rot_0 ... rot_3) is all zero.")
    return arrays


def _columns(arrays: SplatArrays) -> dict[str, ndarray]:
    """Every property of the file in its order."""
    zero = np.zeros(len(arrays), np.float32)
    columns = dict(zip(POSITION_PROPERTIES, arrays.positions.T, strict=True)) | dict.fromkeys(NORMAL_PROPERTIES, zero)
    columns |= dict(zip(COLOUR_PROPERTIES, arrays.harmonics[:, 0].T, strict=True))
    rest = arrays.harmonics[:, 1:].transpose(0, 2, 1).reshape(len(arrays), -1)
    columns |= {f"f_rest_{i}": column for i, column in enumerate(rest.T)}
    columns |= {"opacity": arrays.opacity_logits}
    columns |= dict(zip(SCALE_PROPERTIES, arrays.log_scales.T, strict=True))
    columns |= dict(zip(ROTATION_PROPERTIES, arrays.rotations_wxyz.T, strict=True))
    if arrays.bones is not None and arrays.weights is not None:
        columns |= {f"bone_{k}": column for k, column in enumerate(arrays.bones.T)}
        columns |= {f"weight_{k}": column for k, column in enumerate(arrays.weights.T)}
    return columns


def _stack(
    vertex: dict[str, Any], names: tuple[str, ...], file: str, *, finite: bool = True
) -> Float[ndarray, "splats columns"]:
    missing = [name for name in names if not isinstance(vertex.get(name), ndarray)]
    if missing:
        kind = "a mesh or a cloud of points" if "f_dc_0" not in vertex else "an unusual splat file"
        raise AssetError(
            f"{file} has no property {missing[0]!r}, so it is {kind}; 3DGS splats have {', '.join(names)}."
        )
    stacked = np.stack([vertex[name].astype(np.float32) for name in names], axis=1)
    broken = np.flatnonzero(~(np.isfinite(stacked) if finite else ~np.isnan(stacked)).all(1))
    if len(broken):
        what = f"{len(broken)} of {len(stacked)} splats (the first is number {broken[0]})"
        raise AssetError(f"{file}: {names[0]} and the properties with it are not finite in {what}.")
    return stacked


def _harmonics(vertex: dict[str, Any], file: str) -> Float[ndarray, "splats coefficients 3"]:
    first = _stack(vertex, COLOUR_PROPERTIES, file)[:, None]
    count = sum(re.fullmatch(r"f_rest_\d+", name) is not None for name in vertex)
    if count not in SPHERICAL_HARMONIC_REST_COUNTS:
        raise AssetError(
            f"{file} has {count} properties f_rest; allowed are {', '.join(map(str, SPHERICAL_HARMONIC_REST_COUNTS))}."
        )
    if count == 0:
        return first
    rest = _stack(vertex, tuple(f"f_rest_{i}" for i in range(count)), file)
    return np.concatenate([first, rest.reshape(len(rest), 3, -1).transpose(0, 2, 1)], axis=1)


def _binding(vertex: dict[str, Any], header: str, file: str) -> tuple[ndarray | None, ndarray | None, int]:
    influences = sum(re.fullmatch(r"bone_\d+", name) is not None for name in vertex)
    if influences == 0:
        return None, None, 1
    bones = _stack(vertex, tuple(f"bone_{k}" for k in range(influences)), file)
    weights = _stack(vertex, tuple(f"weight_{k}" for k in range(influences)), file)
    if (bones < 0).any() or (bones != np.round(bones)).any() or (bones > MAX_EXACT_FLOAT_INTEGER).any():
        raise AssetError(f"{file} has a bone number that is no whole number from 0 on.")
    said = re.search(r"^comment bones (\d{1,8})\s*$", header, re.MULTILINE)
    return bones.astype(np.int64), weights, int(said[1]) if said else int(bones.max(initial=0)) + 1
