"""The verb `pose`: collect and train a pose space; sample it, pull joints, walk and in-between in it, score, film."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gambol.cli.console import console, escape, progress_bar

File = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="PATH")]
Folder = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")]
Weights = Annotated[Path | None, tyro.conf.arg(metavar="FILE")]
Scale = Annotated[float | None, tyro.conf.arg(metavar="METRES_PER_UNIT")]
Facing = Annotated[str | None, tyro.conf.arg(metavar="+x|-x|+z|-z")]


def collect(
    *,
    output: Folder,
    individuals: int = 220,
    clips: int = 5,
    route: Literal["films", "distilled"] = "films",
    steps: int | None = None,
    families: tuple[str, ...] = (),
    bodies: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    prior: Weights = None,
    from_files: Annotated[Path | None, tyro.conf.arg(name="from", metavar="FOLDER")] = None,
    leave_out: tuple[str, ...] = (),
    meshes: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    character: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None,
    processes: int = 1,
    seed: int = 0,
) -> None:
    """Collect poses to learn from: out of the video prior, artists' clips or mesh sequences; the same command goes on.

    Args:
        output: Folder for the shards of poses.
        individuals: Creatures, the families by turns.
        clips: Motions that each is asked for, 24 poses each.
        route: films: fit the rig to films that the prior imagines; distilled: distil each clip (slower).
        steps: Of each fit or distillation.
        families: Only these families.
        bodies: Rigged .glb files: every fourth individual is one of their bodies, in random proportions.
        prior: Weights of another embedded prior.
        from_files: Take the clips of all rigged files of this folder instead.
        leave_out: Parts of paths of files that are not taken.
        meshes: Fit the rig of --character to this folder's meshes instead, one per frame.
        character: The rigged character that the meshes show.
        processes: So many at a time.
        seed: Decides creatures, prompts and films.
    """
    from gambol.errors import AssetError

    with progress_bar() as progress:
        if meshes is not None:
            if character is None:
                raise AssetError("--meshes needs --character FILE: the rig that is fitted to them.")
            from gambol.files.asset import load
            from gambol.training.poses.from_meshes import collect_meshes

            written = [collect_meshes(meshes, load(character).character, output, progress=progress)]
        elif from_files is not None:
            from gambol.training.poses.from_files import collect_files

            written = collect_files(from_files, output, leave_out=leave_out, progress=progress)
        else:
            from gambol.training.poses.from_prior import CollectSettings, collect_poses

            settings = CollectSettings(
                individuals,
                clips,
                route,
                steps=steps or (60 if route == "films" else 300),
                families=families,
                bodies=bodies,
                leave_out=leave_out,
                weights=prior,
                seed=seed,
                processes=processes,
            )
            written = collect_poses(settings, output, progress=progress)
    from gambol.training.poses.shards import read_poses

    poses = sum(len(read_poses(path)) for path in written)
    console().print(f"{len(written)} individuals, {poses} poses in {escape(str(output))}", highlight=False)


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
    """Train pose weights on collected poses; the same command goes on where it was stopped.

    Args:
        folders: Folders that `gambol pose collect` filled.
        output: Folder for checkpoints, log and the weights, poses.safetensors.
        leave_out: Families or parts of file names that are not trained on.
        steps: 48 poses each.
        rate: Learning rate at its highest.
        seed: Decides the start and the order.
    """
    from gambol.training.poses.recipe import PoseRecipe, make_pose_weights
    from gambol.training.poses.train import PoseTraining

    recipe = PoseRecipe(folders, leave_out, training=PoseTraining(steps=steps, rate=rate, seed=seed))
    with progress_bar() as progress:
        path = make_pose_weights(recipe, output, progress=progress)
    console().print(f"[green]wrote[/] {escape(str(path))}", highlight=False)


def sample(
    file: File,
    /,
    *,
    output: Output,
    count: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 8,
    seed: int = 0,
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Draw plausible poses of a character: a clip with one pose a second, and a picture sheet.

    Args:
        file: A rigged, skinned character.
        output: Where to write: .glb, .gltf, .fbx ...; the sheet is written beside it as .png.
        count: How many poses.
        seed: Other seeds, other poses.
        weights: A file that `gambol pose train` wrote, instead of the shipped one.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import open_posing, sample_file

    _wrote(output, sample_file(open_posing(file, weights=weights, scale=scale, facing=facing), count, seed, output))


def project(
    file: File,
    /,
    *,
    handle: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=x,y,z ...")],
    output: Output,
    start: Annotated[str, tyro.conf.arg(metavar="POSE")] = "rest",
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Pull joints to places; the body follows plausibly.

    Args:
        file: A rigged, skinned character.
        handle: Joints and where they go, in metres (x ahead, y up, z right); NAME:end is the far end of a bone.
        output: Where to write the pose as a clip.
        start: The pose to start from: rest, CLIP:FRAME or sample:SEED.
        weights: A file that `gambol pose train` wrote.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import open_posing, project_file, read_handles

    posing = open_posing(file, weights=weights, scale=scale, facing=facing)
    wanted = read_handles(handle)
    found, sheet = project_file(posing, start, wanted, output)
    for name, miss in zip(wanted, found.misses.tolist(), strict=True):
        far = miss * posing.space.rig.size
        said = "reached" if miss <= 0.01 else "cannot be reached; the closest is"
        console().print(f"{escape(name)}: {said} ({100 * far:.1f} cm away, {miss:.1%} of the size)", highlight=False)
    _wrote(output, sheet)


def walk(
    file: File,
    /,
    *,
    output: Output,
    first: Annotated[str, tyro.conf.arg(name="from", metavar="POSE")] = "rest",
    last: Annotated[str, tyro.conf.arg(name="to", metavar="POSE")] = "sample:0",
    frames: int = 24,
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Walk through the pose space from one pose to another.

    Args:
        file: A rigged, skinned character.
        output: Where to write the walk as a clip.
        first: rest, CLIP:FRAME or sample:SEED.
        last: The same.
        frames: Of the walk.
        weights: A file that `gambol pose train` wrote.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import open_posing, walk_file

    posing = open_posing(file, weights=weights, scale=scale, facing=facing)
    _wrote(output, walk_file(posing, first, last, frames, output))


def inbetween(
    file: File,
    /,
    *,
    keys: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FRAME=POSE ...")],
    output: Output,
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Fill the frames between key poses: the keys stay exact, what is between them stays plausible.

    Args:
        file: A rigged, skinned character.
        keys: As 0=rest 12=walk:6 24=sample:3.
        output: Where to write the clip.
        weights: A file that `gambol pose train` wrote.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import inbetween_file, open_posing, read_keys

    posing = open_posing(file, weights=weights, scale=scale, facing=facing)
    _wrote(output, inbetween_file(posing, read_keys(keys), output))


def score(
    file: File,
    /,
    *,
    clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    json: bool = False,
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Say how plausible each frame of a clip is, which joints are strange, and what the validators find.

    Args:
        file: A rigged, skinned character.
        clip: The clip, by name or number; the rest pose where not given.
        json: Print everything as JSON.
        weights: A file that `gambol pose train` wrote.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import open_posing, score_file

    frames, scores = score_file(open_posing(file, weights=weights, scale=scale, facing=facing), clip)
    if json:
        told = [{"frame": int(i), **asdict(s)} for i, s in zip(frames, scores, strict=True)]
        sys.stdout.write(json_text.dumps({"clip": clip, "frames": told}, indent=1, ensure_ascii=False) + "\n")
        return
    mean = sum(s.plausibility for s in scores) / len(scores)
    wrong = sum(s.violations for s in scores) / len(scores)
    console().print(f"plausibility {mean:.2f}, {wrong:.1f} violations per pose", highlight=False)
    for i, s in sorted(zip(frames, scores, strict=True), key=lambda pair: pair[1].plausibility)[:5]:
        said = "; ".join([f"strange: {', '.join(s.worst_joints)}"] * bool(s.worst_joints) + list(s.faults)) or "sound"
        console().print(f"frame {i}: {s.plausibility:.2f}  {escape(said)}", highlight=False, soft_wrap=True)


def film(
    file: File,
    prompt: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="PROMPT")],
    /,
    *,
    output: Output,
    poses: Annotated[tuple[str, ...], tyro.conf.arg(metavar="POSE ...")] = (),
    level: float = 0.6,
    control: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None,
    seed: int = 0,
    weights: Weights = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Guide the video prior with posed renders: the renders above, the film that the prior makes of them below.

    Args:
        file: A rigged, skinned character.
        prompt: What the film shows.
        output: A film (.mp4, .gif) or a sheet (.png).
        poses: One clip, or poses to go through: CLIP:FRAME, sample:SEED, rest; four samples where not given.
        level: Noise on the renders, 0 to 1: less keeps the poses, more leaves them to the prior.
        control: A Wan-VACE folder of diffusers, instead of the embedded prior: the renders are its control video.
        seed: Another seed, another film.
        weights: A file that `gambol pose train` wrote.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.pose import open_posing
    from gambol.app.pose_video import GuidedByStart, film_poses, load_control
    from gambol.priors.embedded.prior import load_embedded

    guided = load_control(control) if control is not None else GuidedByStart(load_embedded(), level=level)
    posing = open_posing(file, weights=weights, scale=scale, facing=facing)
    path = film_poses(posing, poses, prompt, output, guided, seed=seed)
    console().print(f"[green]wrote[/] {escape(str(path))}", highlight=False)


def _wrote(*paths: Path) -> None:
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


def pose() -> None:
    """Plausible poses of a character: sample, project, walk, inbetween, score, film, collect, train."""
