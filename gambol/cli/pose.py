"""The verbs `gambol pose ...`: parse, call one function of `app`, report."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from gambol.app.check_arguments import check_pose_weights, check_prior_weights
from gambol.cli.arguments import ArgumentCheck, CharacterFile, CharacterOutput, Folder, Output, Verb, options_of
from gambol.cli.console import escape, print_json, progress_bar, report_written, say

if TYPE_CHECKING:
    from gambol.files.asset import Asset

Weights = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_pose_weights)]
SHOWN_SCORES = 5
"""Number of the least plausible frames that `pose score` lists."""


@options_of(
    "gambol.app.pose_training.collect_training_poses",
    bodies="FOLDER",
    prior=Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_prior_weights)],
    from_files=Annotated[Path | None, tyro.conf.arg(name="from", metavar="FOLDER")],
    meshes="FOLDER",
    character=Annotated[Path | None, tyro.conf.arg(metavar="FILE")],
)
def collect(*, output: Folder, **options: Any) -> None:
    """Collect poses to train on, from the video prior, artists' clips or meshes; the same command again resumes.

    Args:
        output: Folder for the files of poses.
        meshes: Fit the rig of --character to the meshes in this folder instead, one per frame.
    """
    from gambol.app.pose_training import collect_training_poses

    with progress_bar() as progress:
        found = collect_training_poses(output, **options, progress=progress)
    say(f"{len(found.files)} individuals, {found.poses} poses in {escape(str(output))}")


@options_of("gambol.app.pose_training.train_pose_weights")
def train(
    folders: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="POSES")],
    /,
    *,
    output: Folder,
    **options: Any,
) -> None:
    """Train pose weights on collected poses; the same command again resumes.

    Args:
        folders: Folders that `gambol pose collect` filled.
        output: Folder for checkpoints, log and the weights, poses.safetensors.
    """
    from gambol.app.pose_training import train_pose_weights

    with progress_bar() as progress:
        path = train_pose_weights(folders, output, **options, progress=progress)
    report_written(path)


@options_of("gambol.load")
def sample(
    file: CharacterFile,
    /,
    *,
    output: CharacterOutput,
    count: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 8,
    seed: int = 0,
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Draw plausible poses of a character: a clip with one pose a second, and a picture sheet.

    Args:
        file: A rigged, skinned character.
        output: Where to write: .glb, .gltf, .fbx ...; the sheet is written beside it as .png.
        count: Number of poses, 1 to 1000.
        seed: Seed of the random draw; another seed gives other poses.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    character = _read(file, loading)
    from gambol.app.pose import pose_sheet_path, sample_poses

    sample_poses(character, count, seed=seed, output=output, weights=weights)
    report_written(output, pose_sheet_path(output))


@options_of("gambol.load")
def project(
    file: CharacterFile,
    /,
    *,
    handle: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=x,y,z ...")],
    output: CharacterOutput,
    start: Annotated[str, tyro.conf.arg(metavar="POSE")] = "rest",
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Pull joints to positions; the rest of the body follows plausibly.

    Args:
        file: A rigged, skinned character.
        handle: Joints and their targets in metres (x ahead, y up, z to the right). NAME:end is the far end of a bone;
            case and a prefix that all bones share, such as mixamorig:, may be left out.
        output: Where to write the pose as a clip; a picture sheet is written beside it as .png.
        start: The pose to start from: rest, CLIP:FRAME or sample:SEED.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    from gambol.app.pose_arguments import parse_handles, parse_pose

    handles = parse_handles(handle)
    parse_pose(start)
    character = _read(file, loading)
    from gambol.app.pose import pose_sheet_path, solve_pose

    found = solve_pose(character, handles, start=start, output=output, weights=weights)
    for name, distance in found.distances.items():
        said = "reached," if found.is_reached(name) else "cannot be reached; the closest pose is"
        say(f"{escape(name)}: {said} {100 * distance:.1f} cm away ({distance / found.size:.1%} of the size)")
    report_written(output, pose_sheet_path(output))


@options_of("gambol.load")
def walk(
    file: CharacterFile,
    /,
    *,
    output: CharacterOutput,
    first: Annotated[str, tyro.conf.arg(name="from", metavar="POSE")] = "rest",
    last: Annotated[str, tyro.conf.arg(name="to", metavar="POSE")] = "sample:0",
    frames: int = 24,
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Walk through the pose space from one pose to another.

    Args:
        file: A rigged, skinned character.
        output: Where to write the walk as a clip; a picture sheet is written beside it as .png.
        first: The first pose: rest, CLIP:FRAME or sample:SEED.
        last: The last pose: rest, CLIP:FRAME or sample:SEED.
        frames: Number of frames of the walk, 2 to 10000.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    from gambol.app.pose_arguments import parse_pose

    parse_pose(first)
    parse_pose(last)
    character = _read(file, loading)
    from gambol.app.pose import pose_sheet_path, walk_poses

    walk_poses(character, first, last, frames=frames, output=output, weights=weights)
    report_written(output, pose_sheet_path(output))


@options_of("gambol.load")
def inbetween(
    file: CharacterFile,
    /,
    *,
    keys: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FRAME=POSE ...")],
    output: CharacterOutput,
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Fill the frames between key poses: the keys are exact, the frames between them plausible.

    Args:
        file: A rigged, skinned character.
        keys: Key poses by frame, such as 0=rest 12=walk:6 24=sample:3.
        output: Where to write the clip; a picture sheet is written beside it as .png.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    from gambol.app.pose_arguments import parse_keys

    poses = parse_keys(keys)
    character = _read(file, loading)
    from gambol.app.pose import inbetween as inbetween_poses
    from gambol.app.pose import pose_sheet_path

    inbetween_poses(character, poses, output=output, weights=weights)
    report_written(output, pose_sheet_path(output))


@options_of("gambol.load")
def score(
    file: CharacterFile,
    /,
    *,
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    json: bool = False,
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Score how plausible each frame of a clip is, and list unusual joints and violations.

    Args:
        file: A rigged, skinned character.
        clip: The clip, by name or number; by default the rest pose.
        json: Print everything as JSON.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    character = _read(file, loading)
    from gambol.app.pose import score_poses

    found = score_poses(character, clip, weights=weights)
    scores = list(zip(found.frames, found.scores, strict=True))
    if json:
        frames = [{"frame": frame, **asdict(score)} for frame, score in scores]
        print_json({"clip": clip, "frames": frames})
        return
    means = f"plausibility {found.plausibility:.2f}, {found.violations:.1f} violations per pose"
    say(means)
    for frame, s in sorted(scores, key=lambda pair: pair[1].plausibility)[:SHOWN_SCORES]:
        unusual = [f"unusual: {', '.join(s.worst_joints)}"] if s.worst_joints else []
        said = "; ".join([*unusual, *s.messages]) or "no violations"
        say(f"frame {frame}: {s.plausibility:.2f}  {escape(said)}")


@options_of("gambol.load")
def film(
    file: CharacterFile,
    prompt: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT")],
    /,
    *,
    output: Output,
    poses: Annotated[tuple[str, ...], tyro.conf.arg(metavar="POSE ...")] = (),
    level: float = 0.6,
    control: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    seed: int = 0,
    weights: Weights = None,
    **loading: Any,
) -> None:
    """Guide a video prior with posed renders: the renders are shown above, the prior's video below.

    Args:
        file: A rigged, skinned character.
        prompt: What the video shows.
        output: A film (.mp4, .gif, .webp) or a contact sheet (.png).
        poses: One clip, or poses to go through: CLIP:FRAME, sample:SEED, rest; by default four samples.
        level: Noise on the renders, between 0 and 1: less keeps the poses, more leaves them to the prior.
        control: Folder of a Wan-VACE model of diffusers to use instead of the embedded prior.
        seed: Seed of the random draw; another seed gives another video.
        weights: A file that `gambol pose train` wrote. Default: the shipped weights.
    """
    character = _read(file, loading)
    from gambol.app.pose_guided_video import make_pose_video

    make_pose_video(character, prompt, output, poses=poses, control=control, level=level, seed=seed, weights=weights)
    report_written(output)


def _read(file: Path, loading: dict[str, Any]) -> Asset:
    """Read the character before anything imports torch; prints the warnings of the file."""
    from gambol import load

    asset = load(file, **loading)
    for warning in asset.warnings:
        say(escape(warning), stderr=True)
    return asset


POSE_VERBS: dict[str, Verb] = {
    "sample": sample,
    "project": project,
    "walk": walk,
    "inbetween": inbetween,
    "score": score,
    "film": film,
    "collect": collect,
    "train": train,
}
"""The verbs of `gambol pose`."""


def pose() -> None:
    """Plausible poses of a character: sample, project, walk, inbetween, score, film, collect, train."""
