"""Poses from artists' clips: all clips of every rigged, skinned file of a folder."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from gambol import __version__
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.errors import AssetError, GambolError
from gambol.files.asset import Asset, load
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.poses.pose_parameters import parameters_from_clip
from gambol.poses.pose_rig import make_pose_rig
from gambol.progress import Progress
from gambol.training.embedded.file_clips import MAX_SHARED_TRACKS, moving_tracks
from gambol.training.poses.shards import PoseShard, only_sound, write_poses

POSES_PER_SECOND = 8.0
"""Poses sampled per second of a clip."""
MAX_POSES_PER_CLIP = 40
"""Most poses of one clip."""
ANIMATED_SUFFIXES = (".glb", ".gltf", ".vrm", ".fbx")
"""Files that are read."""


def collect_files(
    source: Path,
    folder: Path,
    *,
    leave_out: Sequence[str] = (),
    only: Sequence[str] = (),
    sift: bool = True,
    progress: Progress | None = None,
) -> list[Path]:
    """Write one shard per file of `source`, except files with one of `leave_out` in their path.

    Clips elsewhere that share their tracks with a clip that is left out are left out too. `only` restricts files to
    paths that contain one of its entries; `sift` keeps only the poses that the validators accept.
    """
    paths = sorted(p for p in source.rglob("*") if p.suffix.lower() in ANIMATED_SUFFIXES)
    if not paths:
        raise AssetError(f"{source} holds no animated {', '.join(ANIMATED_SUFFIXES)} file.")
    left = [p for p in paths if any(part in p.as_posix() for part in leave_out)]
    known = {track for p in left for clip in _clips(p) for track in moving_tracks(clip)}
    chosen = [p for p in paths if p not in left and (not only or any(part in p.as_posix() for part in only))]
    written = []
    for i, path in enumerate(chosen):
        target = (
            folder / f"file-{re.sub(r'[^A-Za-z0-9]+', '-', str(path.relative_to(source).with_suffix('')))}.safetensors"
        )
        if not target.exists():
            asset = _read(path)
            shard = None if asset is None else file_poses(asset, known, str(path.relative_to(source)))
            if shard is not None:
                write_poses(target, only_sound(shard) if sift else shard)
        if target.exists():
            written.append(target)
        if progress is not None:
            progress(i + 1, len(chosen), path.stem)
    return written


def file_poses(asset: Asset, known: set[bytes], name: str) -> PoseShard | None:
    """Return the poses of a file's clips, except clips that share tracks with `known`; None if it cannot be posed."""
    try:
        rig, anatomy = make_pose_rig(asset.character), find_anatomy(asset.character)
    except GambolError:
        return None
    poses: list[Tensor] = []
    numbers: list[Tensor] = []
    names: list[str] = []
    for clip in asset.clips:
        tracks = moving_tracks(clip)
        if not tracks or len(tracks & known) > MAX_SHARED_TRACKS * len(tracks):
            continue
        try:
            moved = clip_with_feet(asset.character, clip, anatomy, fps=POSES_PER_SECOND)
        except (GambolError, ValueError, np.linalg.LinAlgError):
            continue
        x = parameters_from_clip(rig, moved)
        x = x[torch.linspace(0, len(x) - 1, min(len(x), MAX_POSES_PER_CLIP)).round().long()]
        poses.append(x)
        numbers.append(torch.full((len(x),), len(names)))
        names.append(clip.name)
    if not poses:
        return None
    facts = {
        "route": "files",
        "kind": asset.path.stem,
        "file": name,
        "prompts": json.dumps(names),
        "version": __version__,
    }
    return PoseShard(rig, torch.cat(poses), torch.cat(numbers), facts)


def _read(path: Path) -> Asset | None:
    try:
        return load(path)
    except GambolError:
        return None


def _clips(path: Path):  # type: ignore[no-untyped-def]
    asset = _read(path)
    return () if asset is None else asset.clips
