"""The pose verbs on files: read a character, find poses, write it with one more clip and a picture sheet beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from gambol.errors import AssetError, MissingPart
from gambol.files.asset import Asset, export_clip, load
from gambol.files.formats import check_target
from gambol.motion.clip import Clip
from gambol.motion.node_motion import clip_from_nodes
from gambol.poses.handles import Projected, find_handles, project_pose
from gambol.poses.paths import between_keys, walk
from gambol.poses.pose_parameters import Numbers, clip_of, numbers_from_clip
from gambol.poses.score import PoseScore, score_poses
from gambol.poses.space import PoseSpace, pose_space, sample_poses
from gambol.view.pose_sheet import draw_pose_sheet

FPS = 30.0
SHOWN = 1.0
"""Poses per second of a clip of samples."""


@dataclass(frozen=True)
class Posing:
    """A character that is being posed."""

    asset: Asset
    space: PoseSpace

    def find(self, words: str) -> Numbers:
        """A pose by words: `rest`, `sample` or `sample:SEED`, `CLIP` or `CLIP:FRAME` (30 frames per second)."""
        name, _, number = words.rpartition(":") if ":" in words else (words, "", "0")
        if not number.isdigit():
            raise AssetError(
                f"The pose '{words}' does not end in a frame number; write CLIP:FRAME, sample:SEED or rest."
            )
        if name == "rest":
            return torch.zeros(1, len(self.space.rig), 3)
        if name == "sample":
            return sample_poses(self.space, 1, torch.Generator().manual_seed(int(number)))
        if not self.asset.clips:
            told = f"{self.asset.path.name} has no clips, so there is no pose '{words}'"
            raise MissingPart(f"{told}; write rest, or sample:SEED.")
        poses = self.clip(name)
        if int(number) >= len(poses):
            raise AssetError(f"The clip '{name}' has {len(poses)} frames at {FPS:g} per second, no frame {number}.")
        return poses[int(number)][None]

    def clip(self, name: str) -> Numbers:
        """All poses of one of the file's clips."""
        return numbers_from_clip(
            self.space.rig, clip_from_nodes(self.asset.character, self.asset.clip(name), fps=FPS)[0]
        )

    def write(
        self, x: Numbers, name: str, target: Path, *, fps: float = FPS, captions: Sequence[str] | None = None
    ) -> Path:
        """The file with one more clip, and the sheet beside it."""
        clip: Clip = clip_of(self.space.rig, x, name, fps)
        export_clip(self.asset, clip, target)
        return draw_pose_sheet(self.asset.character, clip, target.with_suffix(".png"), captions)


def open_posing(
    file: Path, *, weights: Path | None = None, scale: float | None = None, facing: str | None = None
) -> Posing:
    """Read a character and its pose space."""
    asset = load(file, scale=scale, facing=facing)
    return Posing(asset, pose_space(asset.character, weights=weights))


def sample_file(posing: Posing, count: int, seed: int, target: Path) -> Path:
    """So many poses of the space as a clip `poses`, one a second; returns the sheet."""
    check_target(target)
    if not 1 <= count <= 1000:
        raise AssetError(f"{count} poses were asked for; allowed is 1 to 1000.")
    x = sample_poses(posing.space, count, torch.Generator().manual_seed(seed))
    return posing.write(x, "poses", target, fps=SHOWN)


def project_file(
    posing: Posing, start: str, handles: Mapping[str, Sequence[float]], target: Path
) -> tuple[Projected, Path]:
    """A pose whose joints are where the handles say, as a clip `pose`; the start is its first picture."""
    check_target(target)
    first = posing.find(start)
    found = project_pose(posing.space, first, find_handles(posing.space.rig, handles))
    posing.write(found.x, "pose", target)
    clip = clip_of(posing.space.rig, torch.cat([first, found.x]), "pose", SHOWN)
    return found, draw_pose_sheet(posing.asset.character, clip, target.with_suffix(".png"), ["start", "projected"])


def walk_file(posing: Posing, first: str, last: str, frames: int, target: Path) -> Path:
    """A walk through the space as a clip `pose walk`."""
    check_target(target)
    return posing.write(walk(posing.space, posing.find(first), posing.find(last), frames), "pose walk", target)


def inbetween_file(posing: Posing, keys: Mapping[int, str], target: Path) -> Path:
    """Keys and the frames between them as a clip `in-between`."""
    check_target(target)
    x = between_keys(posing.space, [(frame, posing.find(words)) for frame, words in keys.items()])
    captions = [f"key {i}: {keys[i]}" if i in keys else str(i) for i in range(len(x))]
    return posing.write(x, "in-between", target, captions=captions)


def score_file(posing: Posing, clip: str | None, *, most: int = 300) -> tuple[np.ndarray, list[PoseScore]]:
    """Frames and scores of a clip, evenly chosen where it is long; of the rest pose where none is named."""
    x = posing.find("rest") if clip is None else posing.clip(clip)
    frames = np.unique(np.linspace(0, len(x) - 1, min(len(x), most)).round().astype(int))
    return frames, score_poses(posing.space, x[torch.from_numpy(frames)])


def read_handles(words: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """NAME=x,y,z ... as a mapping."""
    found: dict[str, tuple[float, ...]] = {}
    for text in words:
        name, mark, place = text.rpartition("=")
        try:
            numbers = tuple(float(x) for x in place.split(","))
        except ValueError:
            numbers = ()
        if not mark or len(numbers) != 3:
            raise AssetError(f"The handle '{text}' cannot be read; write NAME=x,y,z in metres, as hand.L=0.3,1.2,-0.4.")
        found[name] = numbers
    return found


def read_keys(words: Sequence[str]) -> dict[int, str]:
    """FRAME=POSE ... as a mapping."""
    found: dict[int, str] = {}
    for text in words:
        frame, mark, pose = text.partition("=")
        if not mark or not frame.isdigit() or not pose:
            raise AssetError(f"The key '{text}' cannot be read; write FRAME=POSE, as 0=rest 24=walk:6 48=sample:3.")
        found[int(frame)] = pose
    return found
