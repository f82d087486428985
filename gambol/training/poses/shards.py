"""Poses on disk: one file per individual and source, with the rig, its poses, and where they come from.

A file that exists is not made again, so a stopped collection resumes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Int
from numpy import ndarray
from torch import Tensor

from gambol.character.skeleton import Skeleton
from gambol.character.weights import SkinWeights
from gambol.errors import AssetError
from gambol.files.atomic_write import replacing
from gambol.files.tensors import read_tensors, write_tensors
from gambol.poses.coarse_skin import CoarseSkin
from gambol.poses.pose_parameters import PoseParameters
from gambol.poses.pose_rig import PoseRig, mirrored_rig, parameter_mirror_signs
from gambol.poses.pose_violations import find_violations, sound_poses

SHARD_SCHEMA = "1"
"""Version of the file format."""
RIG_ARRAYS = ("parts", "sides", "orders", "pairs", "contacts", "limits", "centres", "halves", "radii", "masses")
"""Fields of `PoseRig` that are stored."""
INTEGER_ARRAYS = ("parts", "sides", "orders", "pairs", "contacts")
"""Those of them that hold integers."""


@dataclass(frozen=True)
class PoseShard:
    """Poses of one individual."""

    rig: PoseRig
    """The posed body."""
    x: PoseParameters
    """The poses."""
    clip: Int[Tensor, "poses"]
    """Index of the clip that each pose is from."""
    metadata: dict[str, str]
    """Where the poses come from: route, kind of body, prior, prompts, seed, number of poses tried."""

    def __len__(self) -> int:
        return len(self.x)

    @property
    def kind(self) -> str:
        """Name of the body: its family or its file."""
        return self.metadata["kind"]

    @cached_property
    def mirror(self) -> PoseShard:
        """The shard mirrored left to right."""
        signs = torch.as_tensor(parameter_mirror_signs(self.rig)).float()
        return replace(self, rig=mirrored_rig(self.rig), x=self.x * signs)


def only_sound(shard: PoseShard) -> PoseShard:
    """Keep the poses that the validators accept; the metadata says how many were tried and kept."""
    with torch.no_grad():
        good = sound_poses(find_violations(shard.rig, shard.x)) & torch.isfinite(shard.x).all(-1).all(-1)
    metadata = {**shard.metadata, "tried": str(len(shard)), "kept": str(int(good.sum()))}
    return replace(shard, x=shard.x[good], clip=shard.clip[good], metadata=metadata)


def write_poses(path: Path, shard: PoseShard) -> None:
    """Write a shard atomically."""
    rig, surface = shard.rig, shard.rig.coarse_skin
    arrays: dict[str, ndarray] = {
        "x": shard.x.numpy().astype(np.float32),
        "clip": shard.clip.numpy().astype(np.int32),
        "parents": rig.skeleton.parents.astype(np.int32),
        "frames": rig.skeleton.T_world_rest.astype(np.float32),
        "tails": rig.skeleton.tails.astype(np.float32),
        "points": surface.points.astype(np.float32),
        "triangles": surface.triangles.astype(np.int32),
        "skin.bones": surface.weights.bones.astype(np.int32),
        "skin.weights": surface.weights.weights.astype(np.float32),
    }
    for name in RIG_ARRAYS:
        arrays[name] = np.asarray(getattr(rig, name)).astype(np.int32 if name in INTEGER_ARRAYS else np.float32)
    metadata = {
        **shard.metadata,
        "schema": SHARD_SCHEMA,
        "size": repr(rig.size),
        "names": json.dumps(rig.skeleton.names),
    }
    with replacing(path) as temporary:
        write_tensors(temporary, arrays, metadata)


def read_poses(path: Path) -> PoseShard:
    """Read a shard and check its schema."""
    arrays, metadata = read_tensors(path)
    if metadata.get("schema") != SHARD_SCHEMA:
        raise AssetError(f"{path.name} is no file of poses (schema {metadata.get('schema')}); collect them again.")
    frames = arrays["frames"].astype(np.float64)
    U, _, Vt = np.linalg.svd(frames[:, :3, :3])  # rotations to double precision
    frames[:, :3, :3] = U @ Vt
    parents = arrays["parents"].astype(int)
    skeleton = Skeleton(tuple(json.loads(metadata["names"])), parents, frames, arrays["tails"].astype(np.float64))
    weights = arrays["skin.weights"] / arrays["skin.weights"].sum(1, keepdims=True)
    skin = SkinWeights(arrays["skin.bones"].astype(int), weights, len(parents))
    surface = CoarseSkin(arrays["points"].astype(np.float64), skin, arrays["triangles"].astype(int))
    kept = {name: arrays[name].astype(int if name in INTEGER_ARRAYS else np.float64) for name in RIG_ARRAYS}
    rig = PoseRig(skeleton, float(metadata["size"]), coarse_skin=surface, **kept)
    return PoseShard(rig, torch.tensor(arrays["x"]), torch.tensor(arrays["clip"].astype(np.int64)), metadata)


def read_folder(folders: Iterable[Path], *, leave_out: Sequence[str] = (), least: int = 1) -> list[PoseShard]:
    """Read all shards of some folders with at least `least` poses, except kinds and files named in `leave_out`."""
    shards = []
    for folder in folders:
        if not folder.is_dir():
            raise AssetError(f"There is no folder {folder} with poses; make one: gambol pose collect -o {folder}")
        for path in sorted(folder.glob("*.safetensors")):
            shard = read_poses(path)
            source = f"{path.stem} {shard.metadata.get('file', '')}"
            if len(shard) >= least and shard.kind not in leave_out and not any(part in source for part in leave_out):
                shards.append(shard)
    if not shards:
        raise AssetError("There are no poses in the folders given; make some: gambol pose collect -o FOLDER")
    return shards
