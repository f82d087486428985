"""Write Biovision hierarchies (.bvh): a motion of the motion skeleton."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton, unique_names
from gambol.character.transforms import matrix_from_quaternion, nearest_rotation
from gambol.errors import AssetError, GambolError
from gambol.files.atomic_write import replacing
from gambol.files.bvh.read import read_bvh
from gambol.motion.rotations import continuous_angles

BVH_DECIMALS = 8
"""Decimal places of written angles (degrees) and positions (file units)."""


def write_bvh(
    path: Path,
    skeleton: Skeleton,
    rotations_world: Float[ndarray, "frames bones 3 3"],
    root_positions: Float[ndarray, "frames 3"],
    fps: float,
    *,
    unit: float = 1.0,
) -> None:
    """Write a motion of `skeleton`, read it back, and only then put it at `path`.

    `rotations_world[f, b]` turns bone b away from rest in world axes, R_world_bone(f) R_world_rest^T, and
    `root_positions` is where the root joint is. `unit` is file units per metre (100 writes centimetres). BVH joints
    are aligned with the world at rest, so their local rotation is rotations_world[parent]^T rotations_world[b] and
    their OFFSET the difference of the joints at rest. The root's OFFSET is 0: readers that add it to the position
    channels and readers that replace it then agree.
    """
    rotations, positions = np.asarray(rotations_world, np.float64), np.asarray(root_positions, np.float64)
    _check_motion(skeleton, rotations, positions, fps, unit)
    names = unique_names([re.sub(r"[\s{}]+", "_", name) for name in skeleton.names])
    lines, order = _hierarchy_lines(skeleton, names, unit)
    local = nearest_rotation(skeleton.local_rotations(rotations))
    angles = np.degrees(_angles_zxy(local[:, order])).reshape(len(local), -1)
    rows = _rounded(np.concatenate([positions * unit, angles], axis=1))
    lines += ["MOTION", f"Frames: {len(rows)}", f"Frame Time: {1 / fps:.12g}"]
    template = " ".join([f"%.{BVH_DECIMALS}f"] * rows.shape[1])
    lines += [template % tuple(row) for row in rows]
    with replacing(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _check_written(temporary, [names[b] for b in order], local[:, order], positions * unit)


def _check_motion(skeleton: Skeleton, rotations: ndarray, positions: ndarray, fps: float, unit: float) -> None:
    frames, bones = len(positions), len(skeleton)
    if frames == 0 or rotations.shape != (frames, bones, 3, 3) or positions.shape != (frames, 3):
        wanted = f"rotations [frames, {bones}, 3, 3] and positions [frames, 3]"
        raise AssetError(f"{bones} bones need {wanted}; these are {rotations.shape} and {positions.shape}.")
    stretch = np.abs(rotations @ np.swapaxes(rotations, -1, -2) - np.eye(3)).max()
    if not np.isfinite(positions).all() or not stretch < 1e-3:
        raise AssetError("The motion has numbers that are not finite, or matrices that are not rotations.")
    if not (np.isfinite(fps) and fps > 0 and np.isfinite(unit) and unit > 0):
        raise AssetError(f"Frames per second and unit must be above 0; they are {fps} and {unit}.")


def _hierarchy_lines(skeleton: Skeleton, names: tuple[str, ...], unit: float) -> tuple[list[str], list[int]]:
    """Lay out the HIERARCHY section, and list the bones in the order of its blocks (depth first)."""
    lines, order = ["HIERARCHY"], []
    pending: list[tuple[int | None, int]] = [(0, 0)]
    while pending:
        bone, depth = pending.pop()
        tabs = "\t" * depth
        if bone is None:
            lines.append(f"{tabs}}}")
            continue
        order.append(bone)
        offset = skeleton.heads[bone] - skeleton.heads[skeleton.parents[bone]] if bone else np.zeros(3)
        moves = "3" if bone else "6 Xposition Yposition Zposition"
        lines += [f"{tabs}{'JOINT' if bone else 'ROOT'} {names[bone]}", f"{tabs}{{"]
        lines += [f"{tabs}\t{_offset_line(offset * unit)}", f"{tabs}\tCHANNELS {moves} Zrotation Xrotation Yrotation"]
        if not skeleton.children[bone]:
            tail = _offset_line((skeleton.tails[bone] - skeleton.heads[bone]) * unit)
            lines += [f"{tabs}\tEnd Site", f"{tabs}\t{{", f"{tabs}\t\t{tail}", f"{tabs}\t}}"]
        pending.append((None, depth))
        pending += [(child, depth + 1) for child in reversed(skeleton.children[bone])]
    return lines, order


def _offset_line(offset: Float[ndarray, "3"]) -> str:
    return "OFFSET " + " ".join(f"{x:.{BVH_DECIMALS}f}" for x in _rounded(offset))


def _rounded(values: Float[ndarray, "*any"]) -> Float[ndarray, "*any"]:
    """Round to what is written, without -0."""
    return values.round(BVH_DECIMALS) + 0.0


def _angles_zxy(R: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames bones 3"]:
    """Find angles (z, x, y) with R = R_z(z) R_x(x) R_y(y), without jumps from frame to frame.

    With the axes renamed z, x, y -> x, y, z the product is R_x R_y R_z.
    """
    return continuous_angles(R[..., [2, 0, 1], :][..., [2, 0, 1]])


def _check_written(path: Path, names: list[str], local: ndarray, positions: ndarray) -> None:
    """Compare what a reader sees in the file with what was meant."""
    scene, clips, _ = read_bvh(path)
    joints = [int(j) for j in scene.skins[0].joints]
    found = {(c.node, c.path): c.values for c in clips[0].channels}
    if [scene.nodes.names[j] for j in joints] != names or len(found) != len(names) + 1:
        raise GambolError("The .bvh file does not read back: its joints differ from what was meant; it was not kept.")
    turned = np.stack([matrix_from_quaternion(found[j, "rotation"]) for j in joints], axis=1)
    moved = np.abs(found[joints[0], "translation"] - positions).max()
    if not (np.abs(turned - local).max() < 1e-5 and moved <= 1e-6 * max(float(np.abs(positions).max()), 1.0)):
        raise GambolError("The .bvh file does not read back: its motion differs from what was meant; it was not kept.")
