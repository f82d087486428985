"""Moving splats as files: one 3DGS .ply per frame, or one .glb whose frames follow one another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol import __version__
from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import replacing
from gambol.files.gltf.container import read_document
from gambol.files.gltf.encode import ARRAY_BUFFER, BinaryBuilder, append, encode_glb
from gambol.files.splat_ply import SplatArrays, write_splat_ply

SPLAT_EXTENSION = "KHR_gaussian_splatting"
"""The Khronos extension of glTF by which points are Gaussians."""
FIRST_HARMONIC = 0.28209479177387814
"""Value of the spherical harmonic of degree 0, 1 / (2 sqrt pi): colour = 0.5 + this * coefficient."""


@dataclass(frozen=True)
class SplatSequence:
    """Splats that move and turn, but keep shape, opacity and colour."""

    fps: float
    """Frames per second."""
    positions: Float[ndarray, "frames splats 3"]
    """Centres in every frame, metres; y is up."""
    rotations_wxyz: Float[ndarray, "frames splats 4"]
    """Rotations in every frame, unit quaternions."""
    scales: Float[ndarray, "splats 3"]
    """Standard deviations along the splats' own axes, metres."""
    opacities: Float[ndarray, "splats"]
    """Opacities, above 0 and below 1."""
    harmonics: Float[ndarray, "splats 3"]
    """Coefficient of degree 0 of the sRGB colour: the colour is the same from every direction."""

    def __post_init__(self) -> None:
        frames, count = self.positions.shape[:2]
        if frames < 1 or count < 1:
            raise AssetError("A sequence of splats needs one frame and one splat or more.")
        if not (np.isfinite(self.positions).all() and np.isfinite(self.rotations_wxyz).all()):
            raise AssetError("A sequence of splats has places or rotations that are not finite.")

    def __len__(self) -> int:
        return len(self.positions)

    def frame(self, index: int) -> SplatArrays:
        """One frame as a 3DGS file stores it."""
        return SplatArrays(
            self.positions[index].astype(np.float32),
            self.harmonics[:, None].astype(np.float32),
            np.log(self.opacities / (1.0 - self.opacities)).astype(np.float32),
            np.log(self.scales).astype(np.float32),
            self.rotations_wxyz[index].astype(np.float32),
        )


def write_ply_frames(sequence: SplatSequence, folder: Path) -> tuple[Path, ...]:
    """Write folder/0000.ply, 0001.ply, ...; files of an earlier, longer sequence are removed."""
    folder.mkdir(parents=True, exist_ok=True)
    written = tuple(write_splat_ply(sequence.frame(i), folder / f"{i:04}.ply") for i in range(len(sequence)))
    for old in folder.glob("[0-9][0-9][0-9][0-9].ply"):
        if old not in written:
            old.unlink()
    return written


def write_splat_glb(sequence: SplatSequence, target: Path) -> Path:
    """Write one .glb with a node per frame, shown one after the other by an animation, and read it back.

    A primitive of points with KHR_gaussian_splatting has the splats of a frame; shapes, opacities and colours are
    stored once. The animation switches the nodes' scale between 0 and 1 in steps, which every viewer of glTF plays; a
    viewer without the extension shows coloured points.
    """
    document: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": f"Gambol {__version__}"},
        "extensionsUsed": [SPLAT_EXTENSION],
    }
    builder = BinaryBuilder(document, 0, 0)
    colours = np.concatenate([0.5 + FIRST_HARMONIC * sequence.harmonics, sequence.opacities[:, None]], 1)
    shared = {
        f"{SPLAT_EXTENSION}:SCALE": _attribute(builder, sequence.scales),
        f"{SPLAT_EXTENSION}:OPACITY": _attribute(builder, sequence.opacities),
        f"{SPLAT_EXTENSION}:SH_DEGREE_0_COEF_0": _attribute(builder, sequence.harmonics),
        "COLOR_0": _attribute(builder, colours.clip(0.0, 1.0)),
    }
    nodes = [
        append(document, "nodes", _frame_node(document, builder, sequence, i, shared)) for i in range(len(sequence))
    ]
    if len(sequence) > 1:
        append(document, "animations", _frames_in_turn(builder, nodes, sequence.fps))
    document |= {"scenes": [{"nodes": nodes}], "scene": 0}
    binary = builder.data()
    document["buffers"] = [{"byteLength": len(binary)}]
    with replacing(target) as temporary:
        temporary.write_bytes(encode_glb(document, binary))
        if read_document(temporary).json != document:
            raise GambolError(f"{target.name} does not read back as it was written; it was not kept.")
    return target


def _attribute(builder: BinaryBuilder, values: ndarray, *, bounds: bool = False) -> int:
    return builder.add_array(values.astype("<f4"), target=ARRAY_BUFFER, bounds=bounds)


def _frame_node(
    document: dict[str, Any], builder: BinaryBuilder, sequence: SplatSequence, index: int, shared: dict[str, int]
) -> dict[str, Any]:
    attributes = {
        "POSITION": _attribute(builder, sequence.positions[index], bounds=True),
        f"{SPLAT_EXTENSION}:ROTATION": _attribute(builder, sequence.rotations_wxyz[index][:, [1, 2, 3, 0]]),
        **shared,
    }
    kind = {"kernel": "ellipse", "colorSpace": "srgb_rec709_display"}
    primitive = {"mode": 0, "attributes": attributes, "extensions": {SPLAT_EXTENSION: kind}}
    mesh = append(document, "meshes", {"name": f"frame {index}", "primitives": [primitive]})
    return {"name": f"frame {index}", "mesh": mesh, "scale": [1.0 if index == 0 else 0.0] * 3}


def _frames_in_turn(builder: BinaryBuilder, nodes: list[int], fps: float) -> dict[str, Any]:
    """An animation in which node i has scale 1 during frame i, and 0 else."""
    samplers, channels = [], []
    for i, node in enumerate(nodes):
        times = [0.0, i / fps, (i + 1) / fps][0 if i else 1 :]
        shown = [0.0, 1.0, 1.0 if i + 1 == len(nodes) else 0.0][0 if i else 1 :]
        values = np.repeat(np.array(shown, "<f4")[:, None], 3, 1)
        ticks = builder.add_array(np.array(times, "<f4"), bounds=True)
        samplers.append({"input": ticks, "interpolation": "STEP", "output": builder.add_array(values)})
        channels.append({"sampler": i, "target": {"node": node, "path": "scale"}})
    return {"name": "motion", "channels": channels, "samplers": samplers}
