"""The verb `edit`: change a finished clip where constraints demand it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from gambol.app.check_arguments import check_file_or_run
from gambol.cli.arguments import ArgumentCheck, CharacterName, ClipName, Facing, Scale, options_of
from gambol.cli.console import escape, progress_bar, report_written, say
from gambol.cli.constraint_options import CONSTRAINT_OPTIONS, constraints_of

Editable = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="RUN|FILE"), ArgumentCheck(check_file_or_run)]
"""A finished run, or a character file with clips."""
SHOWN_CHANGES = 6
"""Number of the most changed joints that are printed."""


@options_of("gambol.app.constraint_arguments.constraint_arguments", **CONSTRAINT_OPTIONS)
def edit(
    source: Editable,
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="RUN")],
    clip: ClipName = None,
    name: ClipName = None,
    keys: Literal["all", "reduce"] = "all",
    film: bool = False,
    overwrite: bool = False,
    scale: Scale = None,
    facing: Facing = None,
    character: CharacterName = None,
    **options: Any,
) -> None:
    """Change a finished clip where constraints demand it; everything else stays.

    gambol edit RUN --pin hand.L@1.0=0.4,1.3,-0.5 -o RUN2

    Args:
        source: The folder of a run, or a character file with clips.
        output: Folder of the new run.
        clip: The clip that is edited, by name or number. Default: the last one.
        name: Name of the edited clip. Default: that of the clip, with a number.
        keys: reduce: few editable keys within a tolerance, in place of one per frame.
        film: Draw a film too.
        overwrite: Start anew in a folder that holds another run.
        scale: Metres per file unit. Default: found from the file.
        facing: The file's axis that the character faces along. Default: found from the file.
        character: Which of several characters in the file. Default: the largest.
    """
    constraints = constraints_of(options)
    from gambol.app import edit as app

    with progress_bar() as progress:
        done = app.edit(
            source,
            constraints(),
            clip=clip,
            name=name,
            output=output,
            keys=keys,
            film=film,
            overwrite=overwrite,
            scale=scale,
            facing=facing,
            character=character,
            progress=progress,
        )
    for note in done.notes:
        say(escape(note))
    for one in done.constraints:
        if one.met:
            say(f"{escape(one.name)}: met")
    most = sorted(done.changes, key=lambda joint: -done.changes[joint])[:SHOWN_CHANGES]
    say(
        "turned most, mean over the clip: " + (", ".join(f"{escape(j)} {done.changes[j]:.1f}°" for j in most) or "none")
    )
    report_written(*done.written)
