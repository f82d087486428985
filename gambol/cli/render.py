"""The verbs `view`, `render` and `splat`: a character as a page, a picture, a film, or splats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from gambol.app.check_arguments import check_existing_file
from gambol.cli.arguments import ArgumentCheck, CharacterFile, Output, options_of
from gambol.cli.console import escape, progress_bar, report_written, say

SplatCapture = Annotated[Path | None, tyro.conf.arg(metavar="PLY"), ArgumentCheck(check_existing_file)]
"""A splat file of another source."""


@options_of("gambol.app.view.view_file")
def view(
    file: CharacterFile, /, *, html: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None, **options: Any
) -> None:
    """Play a character's clips in the browser: one page, offline, with skeleton, part colours and a timeline.

    Args:
        file: A character file.
        html: Write the page here instead of opening it.
    """
    from gambol.app.view import view_file

    report_written(view_file(file, html, **options))


@options_of(
    "gambol.app.render.render_file",
    without=("announce",),
    clips=Annotated[tuple[str, ...], tyro.conf.arg(name="clip", metavar="NAME ...")],
    views=Annotated[tuple[Literal["side", "three-quarter", "front", "top"], ...], tyro.conf.arg(aliases=["--view"])],
    size=Annotated[str | None, tyro.conf.arg(metavar="WxH")],
    memory=Annotated[str, tyro.conf.arg(metavar="BYTES")],
)
def render(file: CharacterFile, /, *, output: Output, **options: Any) -> None:
    """Draw a character: a contact sheet (.png) or a film (.mp4, .gif, .webp) on a checkerboard, from several views.

    Args:
        file: A character file.
        output: Where to write: sheet.png, film.mp4, film.gif or film.webp.
        clips: Clips of the file by name or number, side by side. Default: the rest pose.
    """
    from gambol.app.render import render_file

    with progress_bar() as progress:
        render_file(file, output, **options, announce=lambda text: say(text, stderr=True), progress=progress)
    report_written(output)


@options_of("gambol.app.splat.splat_file", count="N", capture=SplatCapture)
def splat(file: CharacterFile, /, *, output: Output, **options: Any) -> None:
    """Write a character as 3D Gaussian splats (.ply) bound to its bones; other splat viewers open it too.

    Args:
        file: A character file.
        output: Where to write: a .ply file.
    """
    from gambol.app.splat import splat_file

    with progress_bar() as progress:
        report = splat_file(file, output, **options, progress=progress)
    near = "" if report.psnr is None else f", PSNR {report.psnr:.1f} dB against the mesh"
    say(f"[green]wrote[/] {escape(str(output))}: {len(report.splats)} splats{near}")
