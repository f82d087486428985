"""Plausible poses of a character: sample them, solve for handles, walk and in-between through them, score them.

Every function takes a character as a file, as what `gambol.load` returns, as a `Character`, or as a `Poser`, and
returns clips in memory. With `output` it also writes the file with the clip as one more animation, and a picture sheet
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch

from gambol.app.pose_arguments import parse_pose
from gambol.character.character import Character
from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import Asset, export_clip, load
from gambol.files.formats import check_target
from gambol.motion.clip import Clip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.poses.interpolation import interpolate_keys, walk_pose_space
from gambol.poses.inverse_kinematics import HANDLE_REACHED, find_handles, solve_handles
from gambol.poses.plausibility import PoseScore, score_parameters
from gambol.poses.pose_parameters import PoseParameters, clip_from_parameters, parameters_from_clip
from gambol.poses.pose_space import PoseSpace, make_pose_space, sample_pose_space

POSE_CLIP_FPS = 30.0
"""Frames per second of clips of poses, and of the frames that `CLIP:FRAME` counts."""
SAMPLE_CLIP_FPS = 1.0
"""Frames per second of a clip of samples: one pose a second."""
MAX_SAMPLES = 1000
"""Most poses that can be sampled at once."""
MAX_POSE_FRAMES = 10_000
"""Longest walk, and last frame of a key: more is a slip of the keyboard, and would take hours."""
MAX_SCORED_FRAMES = 300
"""Longer clips are scored at this many evenly spaced frames."""


@dataclass(frozen=True)
class Poser:
    """A character with its pose space. Pass it in place of the character to pose the same character many times."""

    character: Character
    """The character that is posed."""
    space: PoseSpace
    """Its pose space."""
    asset: Asset | None
    """The file that the character is from, needed for `output` and for poses named `CLIP:FRAME`."""


CharacterLike: TypeAlias = str | Path | Asset | Character | Poser
"""A character: a file, what `gambol.load` returns, a `Character`, or a `Poser`."""
PoseLike: TypeAlias = str | Clip
"""A pose: `rest`, `sample:SEED`, `CLIP:FRAME` (30 frames per second), or a clip of one frame."""


@dataclass(frozen=True)
class SolvedPose:
    """A pose that follows its handles."""

    clip: Clip
    """The pose as a clip of one frame."""
    distances: dict[str, float]
    """Distance of each handle from its target, metres, by the name that was given."""
    size: float
    """Longest side of the character's rest bounding box, metres."""

    def is_reached(self, handle: str) -> bool:
        """Whether a handle is at its target, to 1 % of the size."""
        return self.distances[handle] <= HANDLE_REACHED * self.size

    @property
    def reached(self) -> bool:
        """Whether all handles are at their targets, to 1 % of the size."""
        return all(map(self.is_reached, self.distances))


@dataclass(frozen=True)
class ScoredPoses:
    """How plausible the frames of a clip are."""

    frames: tuple[int, ...]
    """Frame numbers that were scored."""
    scores: tuple[PoseScore, ...]
    """Score of each of these frames."""

    @property
    def plausibility(self) -> float:
        """Mean plausibility of the scored frames, 0 to 1."""
        return float(np.mean([score.plausibility for score in self.scores]))

    @property
    def violations(self) -> float:
        """Mean number of violations of the scored frames."""
        return float(np.mean([score.violations for score in self.scores]))


def make_poser(character: CharacterLike, *, weights: str | Path | None = None) -> Poser:
    """Prepare a character for posing; `weights` is a file that `gambol pose train` wrote (default: the shipped one)."""
    if isinstance(character, Poser):
        if weights is not None:
            raise ConfigError("weights was given with a Poser, which has weights already: give them to make_poser.")
        return character
    if isinstance(character, str | Path):
        character = load(character)
    if not isinstance(character, Asset | Character):
        raise ConfigError(f"character is {character!r}; allowed are a file, what gambol.load returns, or a Poser.")
    asset = character if isinstance(character, Asset) else None
    body = character.character if isinstance(character, Asset) else character
    return Poser(body, make_pose_space(body, weights=None if weights is None else Path(weights)), asset)


def sample_poses(
    character: CharacterLike,
    count: int = 8,
    *,
    seed: int = 0,
    output: str | Path | None = None,
    weights: str | Path | None = None,
) -> Clip:
    """Draw plausible poses of a character: a clip `poses` with one pose a second.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        count: Number of poses, 1 to 1000.
        seed: Seed of the random draw; the same seed gives the same poses.
        output: Also write the character with this clip here, and a picture sheet (.png) beside it.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    _check_whole("count", count, 1, MAX_SAMPLES)
    poser = _open(character, weights, output)
    x = sample_pose_space(poser.space, count, _generator(seed))
    clip = clip_from_parameters(poser.space.rig, x, "poses", SAMPLE_CLIP_FPS)
    return _write(poser, clip, output)


def solve_pose(
    character: CharacterLike,
    handles: Mapping[str, Sequence[float]],
    *,
    start: PoseLike = "rest",
    output: str | Path | None = None,
    weights: str | Path | None = None,
) -> SolvedPose:
    """Pull joints to positions, the rest of the body follows plausibly: inverse kinematics on the pose space.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        handles: Target of each handle in metres (x ahead, y up, z to the right) by joint name; `NAME:end` is the far
            end of a bone. Case and a prefix that all bones share (`mixamorig:`) do not matter.
        start: The pose to start from.
        output: Also write the character with the pose as a clip here, and a picture sheet (.png) beside it.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    if not isinstance(handles, Mapping):
        raise ConfigError(f"handles is {handles!r}; allowed is a dictionary such as {{'hand.L': (0.3, 1.2, -0.4)}}.")
    poser = _open(character, weights, output)
    rig = poser.space.rig
    targets, first = find_handles(rig, handles), find_pose(poser, start)
    found = solve_handles(poser.space, first, targets)
    clip = clip_from_parameters(rig, found.x, "pose", POSE_CLIP_FPS)
    both = clip_from_parameters(rig, torch.cat([first, found.x]), "pose", SAMPLE_CLIP_FPS)
    _write(poser, clip, output, sheet=both, captions=["start", "solved"])
    distances = dict(zip(handles, (rig.size * found.distances).tolist(), strict=True))
    return SolvedPose(clip, distances, rig.size)


def walk_poses(
    character: CharacterLike,
    start: PoseLike = "rest",
    end: PoseLike = "sample:0",
    *,
    frames: int = 24,
    output: str | Path | None = None,
    weights: str | Path | None = None,
) -> Clip:
    """Walk through the pose space from one pose to another in even steps: a clip `pose walk` at 30 frames per second.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        start: The first pose.
        end: The last pose.
        frames: Number of frames, 2 to 10000.
        output: Also write the character with this clip here, and a picture sheet (.png) beside it.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    _check_whole("frames", frames, 2, MAX_POSE_FRAMES)
    poser = _open(character, weights, output)
    x = walk_pose_space(poser.space, find_pose(poser, start), find_pose(poser, end), frames)
    return _write(poser, clip_from_parameters(poser.space.rig, x, "pose walk", POSE_CLIP_FPS), output)


def inbetween(
    character: CharacterLike,
    keys: Mapping[int, PoseLike],
    *,
    output: str | Path | None = None,
    weights: str | Path | None = None,
) -> Clip:
    """Fill the frames between key poses: a clip `in-between` at 30 frames per second.

    The keys are exact, the frames between them plausible. Frames before the first key repeat it.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        keys: Key poses by frame number, two or more, such as `{0: "rest", 12: "walk:6", 24: clip}`.
        output: Also write the character with this clip here, and a picture sheet (.png) beside it.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    if not isinstance(keys, Mapping):
        raise ConfigError(f"keys is {keys!r}; allowed is a dictionary such as {{0: 'rest', 24: 'sample:3'}}.")
    for frame in keys:
        _check_whole("the frame of a key", frame, 0, MAX_POSE_FRAMES)
    poser = _open(character, weights, output)
    x = interpolate_keys(poser.space, [(frame, find_pose(poser, pose)) for frame, pose in keys.items()])
    names = {frame: pose if isinstance(pose, str) else pose.name for frame, pose in keys.items()}
    captions = [f"key {i}: {names[i]}" if i in names else str(i) for i in range(len(x))]
    clip = clip_from_parameters(poser.space.rig, x, "in-between", POSE_CLIP_FPS)
    return _write(poser, clip, output, captions=captions)


def score_poses(
    character: CharacterLike, clip: str | Clip | None = None, *, weights: str | Path | None = None
) -> ScoredPoses:
    """Score how plausible the frames of a clip are; clips of more than 300 frames at 300 evenly spaced frames.

    Args:
        character: A file, what `gambol.load` returns, a `Character`, or a `Poser`.
        clip: A clip in memory, or the name or number of a clip of the file; by default the rest pose.
        weights: Weights that `gambol pose train` wrote, by default the shipped ones.
    """
    poser = make_poser(character, weights=weights)
    x = find_pose(poser, "rest") if clip is None else clip_parameters(poser, clip)
    frames = np.unique(np.linspace(0, len(x) - 1, min(len(x), MAX_SCORED_FRAMES)).round().astype(int))
    scores = score_parameters(poser.space, x[torch.from_numpy(frames)])
    return ScoredPoses(tuple(frames.tolist()), tuple(scores))


def clip_parameters(poser: Poser, clip: str | Clip) -> PoseParameters:
    """Pose parameters of all frames of a clip, given in memory or by its name in the file (30 frames per second)."""
    if isinstance(clip, Clip):
        return parameters_from_clip(poser.space.rig, clip)
    if not isinstance(clip, str):
        raise ConfigError(f"clip is {clip!r}; allowed is a clip, or the name or number of one of the file's clips.")
    if poser.asset is None:
        raise ConfigError(f"The clip '{clip}' is named, but the character is from no file: give the clip itself.")
    node_clip = poser.asset.clip(clip)
    return parameters_from_clip(poser.space.rig, clip_from_nodes(poser.character, node_clip, fps=POSE_CLIP_FPS)[0])


def pose_sheet_path(output: str | Path) -> Path:
    """Where the picture sheet of an output file is written."""
    return Path(output).with_suffix(".png")


def find_pose(poser: Poser, pose: PoseLike) -> PoseParameters:
    """One pose, by name or as a clip of one frame."""
    if isinstance(pose, Clip):
        if len(pose) != 1:
            raise ConfigError(f"The clip '{pose.name}' was given as a pose, but has {len(pose)} frames instead of 1.")
        return clip_parameters(poser, pose)
    named = parse_pose(pose)
    if named.kind == "rest":
        return torch.zeros(1, len(poser.space.rig), 3)
    if named.kind == "sample":
        return sample_pose_space(poser.space, 1, _generator(named.number or 0))
    clips = poser.asset.clips if poser.asset is not None else ()
    if not clips:
        raise MissingPart(f"{poser.character.name} has no clips, so no pose '{pose}': write rest or sample:SEED.")
    if named.number is not None and pose in (clip.name for clip in clips):
        x, frame = clip_parameters(poser, pose), 0  # the clip's own name ends in a colon and a number
    else:
        x, frame = clip_parameters(poser, named.clip), named.number or 0
    if not 0 <= frame < len(x):
        raise ConfigError(
            f"The clip '{named.clip}' has the frames 0 to {len(x) - 1} at {POSE_CLIP_FPS:g} per second, not {frame}."
        )
    return x[frame][None]


def _write(
    poser: Poser,
    clip: Clip,
    output: str | Path | None,
    *,
    sheet: Clip | None = None,
    captions: Sequence[str] | None = None,
) -> Clip:
    """Write the clip and its picture sheet if there is an output; returns the clip."""
    if output is not None and poser.asset is not None:
        from gambol.view.pose_sheet import draw_pose_sheet

        export_clip(poser.asset, clip, output)
        draw_pose_sheet(poser.character, sheet or clip, pose_sheet_path(output), captions)
    return clip


def _open(character: CharacterLike, weights: str | Path | None, output: str | Path | None) -> Poser:
    """Prepare a character for posing after checking that the output can be written."""
    if output is not None:
        if not isinstance(output, str | Path):
            raise ConfigError(f"output is {output!r}; allowed is a path, such as poses.glb.")
        check_target(output)
    poser = make_poser(character, weights=weights)
    if output is not None and poser.asset is None:
        raise ConfigError("output needs the character's file: give the file or what gambol.load returns.")
    return poser


def _check_whole(name: str, value: int, least: int, most: int | None = None) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        allowed = f"{least} or more" if most is None else f"{least} to {most}"
        raise ConfigError(f"{name} is {value!r}; allowed is a whole number, {allowed}.")


def _generator(seed: int) -> torch.Generator:
    _check_whole("seed", seed, 0)
    return torch.Generator().manual_seed(seed)
