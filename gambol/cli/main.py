"""The command line: parse, call one function, report. No logic lives here."""

from __future__ import annotations

import json as json_text
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import tyro

from gambol.cli.animate import animate
from gambol.cli.console import console as _console
from gambol.cli.console import escape as _escape
from gambol.cli.console import print_description
from gambol.cli.console import progress_bar as _progress
from gambol.cli.doctor import doctor
from gambol.cli.evaluate import evaluate
from gambol.cli.pose import POSE_VERBS, pose
from gambol.cli.prior import PRIOR_VERBS, prior
from gambol.cli.rig import rig
from gambol.cli.track import track
from gambol.errors import GambolError

File = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="PATH")]
Clip = Annotated[str | None, tyro.conf.arg(metavar="NAME")]
Scale = Annotated[float | None, tyro.conf.arg(metavar="METRES_PER_UNIT")]
Facing = Annotated[str | None, tyro.conf.arg(metavar="+x|-x|+z|-z")]
CharacterName = Annotated[str | None, tyro.conf.arg(metavar="NAME")]


def main(arguments: list[str] | None = None) -> int:
    """Run one verb; exit code 0 = the output exists and was read back, 1 = failed while running, 2 = bad input."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in arguments
    arguments = [a for a in arguments if a != "--debug"]
    if arguments[:1] == ["--version"]:
        from gambol import __version__

        _console().print(f"gambol {__version__}", highlight=False)
        return 0
    try:
        if arguments[:1] == ["prior"]:
            tyro.extras.subcommand_cli_from_dict(PRIOR_VERBS, prog="gambol prior", args=arguments[1:])
            return 0
        if arguments[:1] == ["pose"]:
            tyro.extras.subcommand_cli_from_dict(POSE_VERBS, prog="gambol pose", args=arguments[1:])
            return 0
        tyro.extras.subcommand_cli_from_dict(
            {
                "animate": animate,
                "new": new,
                "inspect": inspect,
                "view": view,
                "render": render,
                "splat": splat,
                "convert": convert,
                "retarget": retarget,
                "rig": rig,
                "track": track,
                "pose": pose,
                "evaluate": evaluate,
                "prior": prior,
                "doctor": doctor,
            },
            prog="gambol",
            description="Gives any rigged 3D character motion from a sentence. --debug shows tracebacks.",
            args=arguments,
        )
    except GambolError as error:
        if debug:
            raise
        _console(stderr=True).print(f"[bold red]gambol:[/] {_escape(str(error))}", highlight=False, soft_wrap=True)
        return error.exit_code
    except KeyboardInterrupt:
        _console(stderr=True).print("[bold red]gambol:[/] stopped.", highlight=False)
        return 1
    except BrokenPipeError:
        return 1
    except Exception as error:
        if debug:
            raise
        what = f"{type(error).__name__}: {str(error)[:200]}"
        _console(stderr=True).print(
            f"[bold red]gambol:[/] an error that should not happen: {_escape(what)}. --debug shows where.",
            highlight=False,
            soft_wrap=True,
        )
        return 1
    return 0


def new(
    words: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="WORDS")],
    /,
    *,
    output: Output,
    seed: int = 0,
    motions: tuple[str, ...] = (),
    vary: bool = False,
    seconds: float = 2.0,
) -> None:
    """Make a creature by code: rigged, skinned, coloured, watertight; with procedural motions if asked for.

    Args:
        words: What to make: fox, horse, human, spider, ... or a sentence such as "a small long-legged fox".
        output: Where to write: .glb, .gltf, .fbx or .blend.
        seed: Another seed gives another individual.
        motions: Clips to add: walk, gallop, idle, ..., or all.
        vary: Draw the manner of each motion from the seed too.
        seconds: Length of each clip.
    """
    from gambol.app.new import write_creature

    write_creature(words, output, seed=seed, motions=motions, vary=vary, seconds=seconds)
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def view(
    file: File,
    /,
    *,
    html: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    clip: Clip = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Play a character's clips in the browser: one page, offline, with skeleton, part colours and a timeline.

    Args:
        file: A character file.
        html: Write the page here instead of opening it.
        clip: The clip to start with.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.files.asset import load
    from gambol.render.part_palette import bone_colours
    from gambol.view.open_player import show_player

    asset = load(file, scale=scale, facing=facing)
    character = asset.character
    colours = bone_colours(find_anatomy(character), character.skeleton) if character.skeleton else None
    page = show_player(asset, html, clip=clip, bone_colours=colours)
    _console().print(f"[green]wrote[/] {_escape(str(page))}", highlight=False)


def inspect(
    file: File,
    /,
    *,
    json: bool = False,
    scale: Scale = None,
    facing: Facing = None,
    character: CharacterName = None,
) -> None:
    """Show what a character file holds: characters, bones with joint positions, weights, units, clips, problems.

    Args:
        file: A .glb, .gltf, .vrm, .bvh, .obj, .ply, .stl, .fbx or .blend file.
        json: Print everything as JSON.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
        character: Which of several characters in the file; the largest where not given.
    """
    from gambol.files.asset import load
    from gambol.files.describe import describe

    description = describe(load(file, scale=scale, facing=facing, character=character))
    if json:
        sys.stdout.write(json_text.dumps(asdict(description), indent=1, ensure_ascii=False) + "\n")
    else:
        print_description(description)


def render(
    file: File,
    /,
    *,
    output: Output,
    clip: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME ...")] = (),
    style: Literal["mesh", "splats", "control", "skeleton"] = "mesh",
    views: tuple[Literal["side", "three-quarter", "front", "top"], ...] = ("three-quarter", "side", "front", "top"),
    width: int = 480,
    height: int = 360,
    fps: float = 30.0,
    columns: int = 8,
    ground: bool = True,
    skeleton: bool = False,
    travel: bool = False,
    splats: int = 20_000,
    memory: Annotated[str, tyro.conf.arg(metavar="BYTES")] = "2GB",
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Draw a character: a contact sheet (.png) or a film (.mp4, .gif) on a checkerboard, from several views.

    Args:
        file: A character file.
        output: Where to write: sheet.png, film.mp4 or film.gif.
        clip: Clips of the file by name or number, side by side; the rest pose where not given.
        style: The shaded mesh; splats, as video models see them; the control render, one colour per body part; bones.
        views: One row (sheet) or one pane (film) for each.
        width: Width of one picture, pixels.
        height: Height of one picture, pixels.
        fps: Frames per second of the film.
        columns: Moments of the clip on a sheet.
        ground: Draw the ground plane.
        skeleton: Draw the motion skeleton over the mesh.
        travel: Give clips on the spot their way over the ground back, and lock the standing feet.
        splats: How many splats (styles splats and control).
        memory: Working memory that drawing may use, as 2GB or 500MB.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.files.asset import load
    from gambol.render.memory_budget import parse_bytes
    from gambol.view.pictures import PictureSettings, plan_pictures, write_pictures

    size = (width, height, fps, columns, ground, skeleton)
    settings = PictureSettings(views, *size, style, splats, travel, parse_bytes(memory))
    pictures = plan_pictures(load(file, scale=scale, facing=facing), clip, output, settings)
    _console(stderr=True).print(str(pictures), highlight=False)
    with _progress() as progress:
        write_pictures(pictures, progress=progress)
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def splat(
    file: File,
    /,
    *,
    output: Output,
    fit: bool = False,
    count: Annotated[int | None, tyro.conf.arg(metavar="N")] = None,
    capture: Annotated[Path | None, tyro.conf.arg(metavar="PLY")] = None,
    lit: bool = True,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Write a character as 3D Gaussian splats (.ply) that its bones can move; other splat viewers open it too.

    Args:
        file: A character file.
        output: Where to write: a .ply file.
        fit: Fit the splats to 200 pictures of the mesh: sharper, a few minutes.
        count: How many splats, at most.
        capture: Take these splats (a 3DGS .ply in the coordinates of FILE) and bind them to FILE's bones.
        lit: Paint the light of the rest pose on; without it the bare colours.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.splat import write_character_splats
    from gambol.files.asset import load

    character = load(file, scale=scale, facing=facing).character
    with _progress() as progress:
        report = write_character_splats(
            character, output, count=count, fit=fit, capture=capture, lit=lit, progress=progress
        )
    near = "" if report.decibels is None else f", {report.decibels:.1f} dB beside the mesh"
    _console().print(f"[green]wrote[/] {_escape(str(output))}: {len(report.splats)} splats{near}", highlight=False)


def convert(
    file: File,
    /,
    *,
    output: Output,
    clip: Clip = None,
    restore_travel: bool = False,
    in_place: bool = False,
    fps: float = 30.0,
    scale: Scale = None,
    facing: Facing = None,
    character: CharacterName = None,
) -> None:
    """Write a character in another format (.glb, .gltf, .fbx, .blend), or one clip of it as .bvh.

    Args:
        file: A character file.
        output: Where to write; the suffix decides the format.
        clip: For .bvh: which clip. For the others: append this clip of the file again, as pure joint rotations.
        restore_travel: Append the walks that go on the spot once more, as NAME_travel: on their way over the ground,
            with planted feet. All of them, or the one that --clip names.
        in_place: Append the clips that travel once more, as NAME_in_place. All of them, or the one that --clip names.
        fps: Frames per second of a clip that is written.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
        character: Which of several characters the clip belongs to; the largest where not given.
    """
    from gambol.app.restore_travel import change_travel
    from gambol.files import asset as files
    from gambol.motion.node_motion import clip_from_nodes

    asset = files.load(file, scale=scale, facing=facing, character=character)
    for warning in asset.warnings:
        _console(stderr=True).print(_escape(warning), highlight=False, soft_wrap=True)
    if restore_travel or in_place:
        for moved in change_travel(asset, output, restore=restore_travel, in_place=in_place, clip=clip, fps=fps):
            slip = "" if moved.slip is None else f", standing feet slip by {moved.slip:.1%} of a stride"
            _console().print(f"{_escape(moved.name)}: {moved.speed:.2f} m/s{slip}", highlight=False)
    elif clip is None:
        files.convert(asset, output)
    else:
        motion, error = clip_from_nodes(asset.character, asset.clip(clip), fps=fps)
        files.export_clip(asset, motion, output)
        lost = error.joint / asset.character.size
        _console().print(
            f"as pure rotations the clip's joints are off by up to {lost:.1%} of the size", highlight=False
        )
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def retarget(
    motion: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="CLIP_FILE")],
    file: File,
    /,
    *,
    output: Output,
    clip: Clip = None,
    restore_travel: bool = False,
    in_place: bool = False,
    fps: float = 30.0,
) -> None:
    """Move a clip to another character of the same kind, by anatomy: other bones, proportions and rest pose.

    Args:
        motion: The file that has the clip: .bvh, .glb, .fbx, ...
        file: The character that is to move.
        output: Where to write the character with one more clip.
        clip: Which clip, by name or number; not needed where there is one.
        restore_travel: Give a clip that walks on the spot its way over the ground first.
        in_place: Take the way over the ground out.
        fps: Frames per second of the clip that is written.
    """
    from gambol.app.retarget import retarget_asset

    done = retarget_asset(motion, clip, file, output, fps=fps, restore=restore_travel, in_place=in_place)
    slip = "" if done.slip is None else f", standing feet slip by {done.slip.in_legs:.1%} of a leg"
    _console().print(f"{_escape(done.clip.name)}: {done.clip.duration:.1f} s{slip}", highlight=False)
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def entry() -> None:
    """Console script."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
