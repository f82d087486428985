"""The command line: parse, call one function of `app`, report."""

from __future__ import annotations

import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import tyro

from gambol.app.check_arguments import check_character_file, check_generator_name
from gambol.cli.animate import animate
from gambol.cli.arguments import (
    PARSING,
    ArgumentCheck,
    CharacterFile,
    CharacterName,
    CharacterOutput,
    ClipName,
    Verb,
    complete,
    join_negative_axes,
    options_of,
)
from gambol.cli.batch import batch
from gambol.cli.completion import completion
from gambol.cli.console import escape, print_description, print_json, report_written, say
from gambol.cli.constraint_options import keep_negative_places
from gambol.cli.doctor import doctor
from gambol.cli.edit import edit
from gambol.cli.evaluate import evaluate
from gambol.cli.pose import POSE_VERBS, pose
from gambol.cli.prior import PRIOR_VERBS, prior
from gambol.cli.render import render, splat, view
from gambol.cli.rig import rig
from gambol.cli.studio import mcp, serve, studio
from gambol.cli.suggestions import check_options, check_verb, option_names
from gambol.cli.track import track
from gambol.cli.welcome import print_welcome
from gambol.errors import GambolError

MotionFile = Annotated[
    Path, tyro.conf.Positional, tyro.conf.arg(metavar="CLIP_FILE"), ArgumentCheck(check_character_file)
]
"""A file whose clip is retargeted."""


def main(arguments: list[str] | None = None) -> int:
    """Run one verb and return its exit code: 0 = the output was written and read back, 1 = failed, 2 = bad input."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in arguments
    arguments = keep_negative_places(join_negative_axes([a for a in arguments if a != "--debug"]))
    if arguments[:1] == ["--version"]:
        from gambol import __version__

        say(f"gambol {__version__}")
        return 0
    try:
        _run(arguments)
    except GambolError as error:
        if debug:
            raise
        say(f"[bold red]gambol:[/] {escape(str(error))}", stderr=True)
        return error.exit_code
    except KeyboardInterrupt:
        say("[bold red]gambol:[/] stopped.", stderr=True)
        return 1
    except BrokenPipeError:
        return 1
    except Exception as error:
        if debug:
            raise
        what = f"{type(error).__name__}: {str(error)[:200]}"
        say(f"[bold red]gambol:[/] an error that should not happen: {escape(what)}. --debug shows where.", stderr=True)
        return 1
    return 0


def _run(arguments: list[str]) -> None:
    if not arguments:
        print_welcome()
        return
    group = arguments[0] if arguments[0] in GROUPS else None
    arguments = arguments if group is None else arguments[1:]
    verbs = VERBS if group is None else GROUPS[group]
    check_verb(arguments, verbs, group)
    asked = arguments[0] if arguments and arguments[0] in verbs else None
    # the options of the other verbs are not asked for, so that their functions need not be imported
    commands = {name: complete(verb) if name == asked else _without_options(verb) for name, verb in verbs.items()}
    if asked is not None:
        prog = " ".join(["gambol", *([group] if group else []), asked])
        check_options(arguments[1:], option_names(commands[asked]), prog)
    tyro.extras.subcommand_cli_from_dict(
        commands,
        prog="gambol" if group is None else f"gambol {group}",
        description=DESCRIPTION if group is None else None,
        args=arguments,
        registry=PARSING,
    )


def _without_options(verb: Verb) -> Verb:
    """A verb for the list of all verbs: only its description."""

    def described() -> None:
        """Stand in for the verb."""

    described.__doc__ = (verb.__doc__ or "").partition("Args:\n")[0]
    return described


@options_of(
    "gambol.app.new.write_creature",
    generator=Annotated[str | None, tyro.conf.arg(metavar="NAME"), ArgumentCheck(check_generator_name)],
)
def new(
    words: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="WORDS")],
    /,
    *,
    output: CharacterOutput,
    **options: Any,
) -> None:
    """Make a creature by code: rigged, skinned, coloured, watertight; with procedural motions if asked for.

    With --generator a text-to-3D model makes the mesh, which then gets a skeleton and skin weights.

    Args:
        words: What to make: fox, horse, human, spider, ... or a sentence such as "a small long-legged fox"; for a
            generator anything.
        output: Where to write: .glb, .gltf, .fbx or .blend.
    """
    from gambol.app.new import write_creature

    report_written(write_creature(words, output, **options))


@options_of("gambol.app.inspect.inspect_file")
def inspect(file: CharacterFile, /, *, json: bool = False, **options: Any) -> None:
    """Show what a character file holds: characters, bones with joint positions, weights, units, clips, problems.

    Args:
        file: A .glb, .gltf, .vrm, .bvh, .obj, .ply, .stl, .fbx or .blend file.
        json: Print everything as JSON.
    """
    from gambol.app.inspect import inspect_file

    description = inspect_file(file, **options)
    if json:
        print_json(asdict(description))
    else:
        print_description(description)


@options_of("gambol.app.convert.convert_file")
def convert(file: CharacterFile, /, *, output: CharacterOutput, **options: Any) -> None:
    """Write a character in another format (.glb, .gltf, .fbx, .blend), or one clip of it as .bvh.

    Args:
        file: A character file.
        output: Where to write; the suffix decides the format.
    """
    from gambol.app.convert import convert_file

    report = convert_file(file, output, **options)
    for warning in report.warnings:
        say(escape(warning), stderr=True)
    for moved in report.moved:
        slip = "" if moved.slip is None else f", standing feet slip by {moved.slip:.1%} of a stride"
        say(f"{escape(moved.name)}: {moved.speed:.2f} m/s{slip}")
    if report.rotation_error is not None:
        say(f"as pure rotations the clip's joints are off by up to {report.rotation_error:.1%} of the size")
    report_written(output)


def retarget(
    motion: MotionFile,
    file: CharacterFile,
    /,
    *,
    output: CharacterOutput,
    clip: ClipName = None,
    restore_travel: bool = False,
    in_place: bool = False,
    fps: float = 30.0,
    character: CharacterName = None,
) -> None:
    """Move a clip to another character of the same kind, by anatomy: other bones, proportions and rest pose.

    Args:
        motion: The file that has the clip: .bvh, .glb, .fbx, ...
        file: The character that is to move.
        output: Where to write the character with one more clip.
        clip: Which clip, by name or number; not needed where there is one.
        restore_travel: Give an in-place clip root travel first, so that its standing feet stand still.
        in_place: Remove the clip's root travel.
        fps: Frames per second of the clip that is written.
        character: Which of several characters in FILE is to move; the largest where not given.
    """
    from gambol.app import retarget as app

    done = app.retarget(
        motion,
        file,
        clip=clip,
        output=output,
        restore_travel=restore_travel,
        in_place=in_place,
        fps=fps,
        character=character,
    )
    for warning in done.warnings:
        say(escape(warning), stderr=True)
    slip = "" if done.slip is None else f", standing feet slip by {done.slip.in_legs:.1%} of a leg"
    say(f"{escape(done.clip.name)}: {done.clip.duration:.1f} s{slip}")
    report_written(output)


DESCRIPTION = "Gives any rigged 3D character motion from a sentence. --debug shows tracebacks."
"""What `gambol --help` says first."""
VERBS: dict[str, Verb] = {
    "animate": animate,
    "edit": edit,
    "batch": batch,
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
    "studio": studio,
    "serve": serve,
    "mcp": mcp,
    "doctor": doctor,
    "completion": completion,
}
"""The verbs in the order of the help."""
GROUPS: dict[str, dict[str, Verb]] = {"pose": POSE_VERBS, "prior": PRIOR_VERBS}
"""Verbs that have verbs of their own."""


def entry() -> None:
    """Run the command line and exit; the console script `gambol`. A polite kill (SIGTERM) leaves no lock behind."""
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    sys.exit(main())


if __name__ == "__main__":
    entry()
