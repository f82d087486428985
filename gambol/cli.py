"""The command line: parse, call one function, report. No logic lives here."""

from __future__ import annotations

import json as json_text
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from gambol.errors import GambolError

if TYPE_CHECKING:
    from rich.tree import Tree

    from gambol.files.describe import Description

File = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="PATH")]
Clip = Annotated[str | None, tyro.conf.arg(metavar="NAME")]
Scale = Annotated[float | None, tyro.conf.arg(metavar="METRES_PER_UNIT")]
Facing = Annotated[str | None, tyro.conf.arg(metavar="+x|-x|+z|-z")]


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
        tyro.extras.subcommand_cli_from_dict(
            {"new": new, "inspect": inspect, "view": view, "render": render, "convert": convert, "doctor": doctor},
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
    from gambol.files.creature_file import write_creature

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
    from gambol.character.anatomy_tags import find_anatomy
    from gambol.files.asset import load
    from gambol.view.part_colours import bone_colours
    from gambol.view.show import show

    asset = load(file, scale=scale, facing=facing)
    colours = bone_colours(find_anatomy(asset.character)) if asset.character.skeleton else None
    page = show(asset, html, clip=clip, bone_colours=colours)
    _console().print(f"[green]wrote[/] {_escape(str(page))}", highlight=False)


def inspect(file: File, /, *, json: bool = False, scale: Scale = None, facing: Facing = None) -> None:
    """Show what a character file holds: bone tree, motion skeleton, weights, units, clips, problems.

    Args:
        file: A .glb, .gltf, .vrm, .bvh, .obj, .ply, .stl, .fbx or .blend file.
        json: Print everything as JSON.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.files.asset import load
    from gambol.files.describe import describe

    description = describe(load(file, scale=scale, facing=facing))
    if json:
        sys.stdout.write(json_text.dumps(asdict(description), indent=1, ensure_ascii=False) + "\n")
    else:
        _print_description(description)


def render(
    file: File,
    /,
    *,
    output: Output,
    clip: Clip = None,
    style: Literal["mesh"] = "mesh",
    views: tuple[Literal["side", "three-quarter", "front", "top"], ...] = ("three-quarter", "side", "front", "top"),
    width: int = 480,
    height: int = 360,
    fps: float = 30.0,
    columns: int = 8,
    ground: bool = True,
    skeleton: bool = False,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Draw a character: a contact sheet (.png) or a film (.mp4, .gif) on a checkerboard, from several views.

    Args:
        file: A character file.
        output: Where to write: sheet.png, film.mp4 or film.gif.
        clip: One of the file's clips by name or number; the rest pose where not given.
        style: How to draw: mesh is the shaded surface.
        views: One row (sheet) or one pane (film) for each.
        width: Width of one picture, pixels.
        height: Height of one picture, pixels.
        fps: Frames per second of the film.
        columns: Moments of the clip on a sheet.
        ground: Draw the ground plane.
        skeleton: Draw the motion skeleton over the surface.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.files.asset import load
    from gambol.view.pictures import PictureSettings, draw_asset

    settings = PictureSettings(views, width, height, fps, columns, ground, skeleton)
    with _progress() as progress:
        draw_asset(load(file, scale=scale, facing=facing), clip, output, settings, progress=progress)
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def convert(
    file: File, /, *, output: Output, clip: Clip = None, fps: float = 30.0, scale: Scale = None, facing: Facing = None
) -> None:
    """Write a character in another format (.glb, .gltf, .fbx, .blend), or one clip of it as .bvh.

    Args:
        file: A character file.
        output: Where to write; the suffix decides the format.
        clip: For .bvh: which clip. For the others: append this clip of the file again, as pure joint rotations.
        fps: Frames per second of a clip that is written.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.files import asset as files
    from gambol.motion.node_motion import clip_from_nodes

    asset = files.load(file, scale=scale, facing=facing)
    if clip is None:
        files.convert(asset, output)
    else:
        motion, error = clip_from_nodes(asset.character, asset.clip(clip), fps=fps)
        files.export_clip(asset, motion, output)
        lost = error.joint / asset.character.size
        _console().print(
            f"as pure rotations the clip's joints are off by up to {lost:.1%} of the size", highlight=False
        )
    _console().print(f"[green]wrote[/] {_escape(str(output))}", highlight=False)


def doctor(*, json: bool = False) -> None:
    """Say what this machine can run, what is missing, and the one command that fixes it.

    Args:
        json: Print the report as JSON.
    """
    from gambol.doctor import diagnose

    diagnosis = diagnose()
    if json:
        sys.stdout.write(json_text.dumps(asdict(diagnosis), indent=1) + "\n")
        return
    console = _console()
    for check in diagnosis.checks:
        mark = "[green]ok[/]     " if check.ok else "[yellow]missing[/]"
        console.print(f"{mark} {_escape(check.name):<14} {_escape(check.detail)}", highlight=False, soft_wrap=True)
    if diagnosis.command:
        console.print(
            f"\nOne command brings what can be had here:\n  {_escape(diagnosis.command)}",
            highlight=False,
            soft_wrap=True,
        )
    else:
        console.print("\nNothing is missing.")


def _print_description(d: Description) -> None:
    from rich.table import Table

    console = _console()
    looks = f"{d.materials} materials, {d.textures} textures"
    surface = f"{d.vertices} vertices, {d.triangles} triangles, {looks}, {d.influences:.1f} bones per vertex"
    console.print(f"[bold]{_escape(d.file)}[/]  {surface}", highlight=False)
    units = f"({d.metres_per_unit:.4g} m per unit)"
    console.print(f"{d.height:.3g} m high, size {d.size:.3g} m {units}, faces {d.facing} in the file", highlight=False)
    if d.bones:
        console.print(
            f"\n[bold]Motion skeleton[/]: {len(d.bones)} bones of {d.joints} joints in {d.skins} skins", highlight=False
        )
        console.print(_bone_tree(d))
        for change in d.changes:
            console.print(f"  · {_escape(change)}", highlight=False, soft_wrap=True)
    if d.clips:
        table = Table(
            "clip",
            "seconds",
            "keys",
            "channels",
            "travel m",
            "rise m",
            box=None,
            title="Clips",
            title_justify="left",
            title_style="bold",
        )
        for clip in d.clips:
            table.add_row(
                _escape(clip.name),
                f"{clip.seconds:.2f}",
                str(clip.keys),
                str(clip.channels),
                f"{clip.travel:.2f}",
                f"{clip.rise:+.2f}",
            )
        console.print()
        console.print(table)
    if d.problems:
        console.print("\n[bold]Noticed[/]")
        for problem in d.problems:
            console.print(f"  · {_escape(problem)}", highlight=False, soft_wrap=True)


def _bone_tree(d: Description) -> Tree:
    from rich.tree import Tree

    branches: dict[str, Tree] = {}
    for bone in d.bones:
        moved = bone.parent is not None and bone.file_parent != bone.parent
        note = f" [yellow](in the file under {_escape(bone.file_parent or 'the top')})[/]" if moved else ""
        label = f"{_escape(bone.name)} [dim]{bone.length:.2f} m, {bone.vertices} vertices[/]{note}"
        branches[bone.name] = branches[bone.parent].add(label) if bone.parent else Tree(label)
    return branches[d.bones[0].name]


def _console(*, stderr: bool = False) -> Any:
    from rich.console import Console

    return Console(stderr=stderr)


def _progress() -> Any:
    from gambol.progress import bar

    return bar()


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def entry() -> None:
    """Console script."""
    sys.exit(main())


if __name__ == "__main__":
    entry()
