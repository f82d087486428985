"""The verbs `gambol pose ...`: parse, call one function of `app`, report."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gambol.app.check_arguments import check_pose_weights, check_prior_weights
from gambol.cli.arguments import ArgumentCheck, CharacterFile, CharacterOutput, LoadOptions, Output
from gambol.cli.console import console, escape, progress_bar

if TYPE_CHECKING:
    from gambol.files.asset import Asset

Folder = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")]
Weights = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_pose_weights)]
SHOWN_SCORES = 5
"""Number of the least plausible frames that `pose score` lists."""


@dataclass(frozen=True)
class PoseOptions(LoadOptions):
    """Options of all verbs that pose a character."""

    weights: Weights = None
    """A file that `gambol pose train` wrote. Default: the shipped weights."""


Options = Annotated[PoseOptions, tyro.conf.arg(name="")]


def collect(
    *,
    output: Folder,
    individuals: int = 220,
    clips: int = 5,
    route: Literal["films", "distilled"] = "films",
    steps: int | None = None,
    families: tuple[str, ...] = (),
    bodies: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    prior: Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_prior_weights)] = None,
    from_files: Annotated[Path | None, tyro.conf.arg(name="from", metavar="FOLDER")] = None,
    leave_out: tuple[str, ...] = (),
    meshes: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    character: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    processes: int = 1,
    seed: int = 0,
) -> None:
    """Collect poses to train on, from the video prior, artists' clips or meshes; the same command again resumes.

    Args:
        output: Folder for the files of poses.
        individuals: Number of creatures; the families take turns.
        clips: Motions of each creature, 24 poses each.
        route: films: fit the rig to videos of the prior; distilled: distil each clip (slower).
        steps: Optimiser steps of each fit (default 60) or distillation (default 300).
        families: Only creatures of these families.
        bodies: Folder of rigged .glb files: every fourth individual is one of their bodies, in random proportions.
        prior: Weights of another embedded prior.
        from_files: Take the clips of all rigged files in this folder instead of the prior's.
        leave_out: Files with one of these texts in their path are left out.
        meshes: Fit the rig of --character to the meshes in this folder instead, one per frame.
        character: The rigged character that the meshes show.
        processes: Number of parallel processes.
        seed: Seed of creatures, prompts and videos.
    """
    from gambol.app.pose_training import collect_training_poses

    with progress_bar() as progress:
        found = collect_training_poses(
            output,
            individuals=individuals,
            clips=clips,
            route=route,
            steps=steps,
            families=families,
            bodies=bodies,
            prior=prior,
            from_files=from_files,
            leave_out=leave_out,
            meshes=meshes,
            character=character,
            processes=processes,
            seed=seed,
            progress=progress,
        )
    count = f"{len(found.files)} individuals, {found.poses} poses"
    console().print(f"{count} in {escape(str(output))}", highlight=False)


def train(
    folders: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="POSES")],
    /,
    *,
    output: Folder,
    leave_out: tuple[str, ...] = (),
    steps: int = 3000,
    rate: float = 1.5e-3,
    seed: int = 0,
) -> None:
    """Train pose weights on collected poses; the same command again resumes.

    Args:
        folders: Folders that `gambol pose collect` filled.
        output: Folder for checkpoints, log and the weights, poses.safetensors.
        leave_out: Families or parts of file names that are not trained on.
        steps: Training steps of 48 poses each.
        rate: Highest learning rate.
        seed: Seed of initial weights and of the order of the poses.
    """
    from gambol.app.pose_training import train_pose_weights

    with progress_bar() as progress:
        path = train_pose_weights(
            folders, output, leave_out=leave_out, steps=steps, rate=rate, seed=seed, progress=progress
        )
    _report_written(path)


def sample(
    file: CharacterFile,
    /,
    *,
    output: CharacterOutput,
    count: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 8,
    seed: int = 0,
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Draw plausible poses of a character: a clip with one pose a second, and a picture sheet.

    Args:
        file: A rigged, skinned character.
        output: Where to write: .glb, .gltf, .fbx ...; the sheet is written beside it as .png.
        count: Number of poses, 1 to 1000.
        seed: Seed of the random draw; another seed gives other poses.
        options: How the file is read, and the weights.
    """
    character = _read(file, options)
    from gambol.app.pose import pose_sheet_path, sample_poses

    sample_poses(character, count, seed=seed, output=output, weights=options.weights)
    _report_written(output, pose_sheet_path(output))


def project(
    file: CharacterFile,
    /,
    *,
    handle: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=x,y,z ...")],
    output: CharacterOutput,
    start: Annotated[str, tyro.conf.arg(metavar="POSE")] = "rest",
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Pull joints to positions; the rest of the body follows plausibly.

    Args:
        file: A rigged, skinned character.
        handle: Joints and their targets in metres (x ahead, y up, z to the right). NAME:end is the far end of a bone;
            case and a prefix that all bones share, such as mixamorig:, may be left out.
        output: Where to write the pose as a clip; a picture sheet is written beside it as .png.
        start: The pose to start from: rest, CLIP:FRAME or sample:SEED.
        options: How the file is read, and the weights.
    """
    from gambol.app.pose_arguments import parse_handles, parse_pose

    handles = parse_handles(handle)
    parse_pose(start)
    character = _read(file, options)
    from gambol.app.pose import pose_sheet_path, solve_pose

    found = solve_pose(character, handles, start=start, output=output, weights=options.weights)
    for name, distance in found.distances.items():
        said = "reached" if found.is_reached(name) else "cannot be reached; the closest is"
        away = f"{100 * distance:.1f} cm away, {distance / found.size:.1%} of the size"
        console().print(f"{escape(name)}: {said} ({away})", highlight=False)
    _report_written(output, pose_sheet_path(output))


def walk(
    file: CharacterFile,
    /,
    *,
    output: CharacterOutput,
    first: Annotated[str, tyro.conf.arg(name="from", metavar="POSE")] = "rest",
    last: Annotated[str, tyro.conf.arg(name="to", metavar="POSE")] = "sample:0",
    frames: int = 24,
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Walk through the pose space from one pose to another.

    Args:
        file: A rigged, skinned character.
        output: Where to write the walk as a clip; a picture sheet is written beside it as .png.
        first: The first pose: rest, CLIP:FRAME or sample:SEED.
        last: The last pose: rest, CLIP:FRAME or sample:SEED.
        frames: Number of frames of the walk, 2 or more.
        options: How the file is read, and the weights.
    """
    from gambol.app.pose_arguments import parse_pose

    parse_pose(first)
    parse_pose(last)
    character = _read(file, options)
    from gambol.app.pose import pose_sheet_path, walk_poses

    walk_poses(character, first, last, frames=frames, output=output, weights=options.weights)
    _report_written(output, pose_sheet_path(output))


def inbetween(
    file: CharacterFile,
    /,
    *,
    keys: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FRAME=POSE ...")],
    output: CharacterOutput,
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Fill the frames between key poses: the keys are exact, the frames between them plausible.

    Args:
        file: A rigged, skinned character.
        keys: Key poses by frame, such as 0=rest 12=walk:6 24=sample:3.
        output: Where to write the clip; a picture sheet is written beside it as .png.
        options: How the file is read, and the weights.
    """
    from gambol.app.pose_arguments import parse_keys

    poses = parse_keys(keys)
    character = _read(file, options)
    from gambol.app.pose import inbetween as inbetween_poses
    from gambol.app.pose import pose_sheet_path

    inbetween_poses(character, poses, output=output, weights=options.weights)
    _report_written(output, pose_sheet_path(output))


def score(
    file: CharacterFile,
    /,
    *,
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    json: bool = False,
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Score how plausible each frame of a clip is, and list unusual joints and violations.

    Args:
        file: A rigged, skinned character.
        clip: The clip, by name or number; by default the rest pose.
        json: Print everything as JSON.
        options: How the file is read, and the weights.
    """
    character = _read(file, options)
    from gambol.app.pose import score_poses

    found = score_poses(character, clip, weights=options.weights)
    scores = list(zip(found.frames, found.scores, strict=True))
    if json:
        frames = [{"frame": frame, **asdict(score)} for frame, score in scores]
        sys.stdout.write(json_text.dumps({"clip": clip, "frames": frames}, indent=1, ensure_ascii=False) + "\n")
        return
    means = f"plausibility {found.plausibility:.2f}, {found.violations:.1f} violations per pose"
    console().print(means, highlight=False)
    for frame, s in sorted(scores, key=lambda pair: pair[1].plausibility)[:SHOWN_SCORES]:
        unusual = [f"unusual: {', '.join(s.worst_joints)}"] if s.worst_joints else []
        said = "; ".join([*unusual, *s.messages]) or "no violations"
        console().print(f"frame {frame}: {s.plausibility:.2f}  {escape(said)}", highlight=False, soft_wrap=True)


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
    options: Options = PoseOptions(),  # noqa: B008
) -> None:
    """Guide a video prior with posed renders: the renders are shown above, the prior's video below.

    Args:
        file: A rigged, skinned character.
        prompt: What the video shows.
        output: A film (.mp4, .gif) or a contact sheet (.png).
        poses: One clip, or poses to go through: CLIP:FRAME, sample:SEED, rest; by default four samples.
        level: Noise on the renders, between 0 and 1: less keeps the poses, more leaves them to the prior.
        control: Folder of a Wan-VACE model of diffusers to use instead of the embedded prior.
        seed: Seed of the random draw; another seed gives another video.
        options: How the file is read, and the weights.
    """
    character = _read(file, options)
    from gambol.app.pose_guided_video import make_pose_video

    make_pose_video(
        character, prompt, output, poses=poses, control=control, level=level, seed=seed, weights=options.weights
    )
    _report_written(output)


def _read(file: Path, options: PoseOptions) -> Asset:
    """Read the character before anything imports torch; prints the warnings of the file."""
    from gambol import load

    asset = load(file, **options.keywords())
    for warning in asset.warnings:
        console(stderr=True).print(escape(warning), highlight=False, soft_wrap=True)
    return asset


def _report_written(*paths: Path) -> None:
    for path in paths:
        console().print(f"[green]wrote[/] {escape(str(path))}", highlight=False)


POSE_VERBS: dict[str, Callable[..., None]] = {
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
