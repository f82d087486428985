"""The verbs `view`, `render` and `splat`: a character as a page, a picture, a film, or splats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from gambol.app.check_arguments import check_existing_file
from gambol.cli.arguments import READ_AS_IT_IS, ArgumentCheck, CharacterFile, ClipName, Loading, Output
from gambol.cli.console import console, escape, progress_bar

SplatCapture = Annotated[Path | None, tyro.conf.arg(metavar="PLY"), ArgumentCheck(check_existing_file)]
"""A splat file of another source."""


def view(
    file: CharacterFile,
    /,
    *,
    html: Annotated[Path | None, tyro.conf.arg(metavar="PATH")] = None,
    clip: ClipName = None,
    loading: Loading = READ_AS_IT_IS,
) -> None:
    """Play a character's clips in the browser: one page, offline, with skeleton, part colours and a timeline.

    Args:
        file: A character file.
        html: Write the page here instead of opening it.
        clip: The clip to start with.
        loading: How the file is read.
    """
    from gambol.app.view import view_file

    page = view_file(file, html, clip=clip, **loading.keywords())
    console().print(f"[green]wrote[/] {escape(str(page))}", highlight=False)


def render(
    file: CharacterFile,
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
    restore_travel: bool = False,
    splats: int = 20_000,
    memory: Annotated[str, tyro.conf.arg(metavar="BYTES")] = "2GB",
    loading: Loading = READ_AS_IT_IS,
) -> None:
    """Draw a character: a contact sheet (.png) or a film (.mp4, .gif) on a checkerboard, from several views.

    Args:
        file: A character file.
        output: Where to write: sheet.png, film.mp4 or film.gif.
        clip: Clips of the file by name or number, side by side. Default: the rest pose.
        style: mesh: the shaded surface; splats: as video models see it; control: one colour per body part; skeleton.
        views: Views, one row of a sheet or one pane of a film each.
        width: Width of one picture in pixels.
        height: Height of one picture in pixels.
        fps: Frames per second of the film.
        columns: Number of moments of the clip on a sheet.
        ground: Draw the ground plane.
        skeleton: Draw the motion skeleton over the mesh.
        restore_travel: Give clips that walk in place their travel over the ground back, and lock the standing feet.
        splats: Number of splats (styles splats and control).
        memory: Working memory that drawing may use, such as 2GB or 500MB.
        loading: How the file is read.
    """
    from gambol.app.render import render_file

    with progress_bar() as progress:
        render_file(
            file,
            output,
            clips=clip,
            style=style,
            views=views,
            width=width,
            height=height,
            fps=fps,
            columns=columns,
            ground=ground,
            skeleton=skeleton,
            restore_travel=restore_travel,
            splats=splats,
            memory=memory,
            **loading.keywords(),
            announce=lambda text: console(stderr=True).print(text, highlight=False),
            progress=progress,
        )
    console().print(f"[green]wrote[/] {escape(str(output))}", highlight=False)


def splat(
    file: CharacterFile,
    /,
    *,
    output: Output,
    fit: bool = False,
    count: Annotated[int | None, tyro.conf.arg(metavar="N")] = None,
    capture: SplatCapture = None,
    lit: bool = True,
    loading: Loading = READ_AS_IT_IS,
) -> None:
    """Write a character as 3D Gaussian splats (.ply) bound to its bones; other splat viewers open it too.

    Args:
        file: A character file.
        output: Where to write: a .ply file.
        fit: Fit the splats to 200 renders of the mesh, which is sharper and takes a few minutes.
        count: Largest number of splats.
        capture: Bind the splats of this 3DGS .ply file, in the coordinates of FILE, to FILE's bones instead.
        lit: Bake the light of the rest pose into the colours.
        loading: How the file is read.
    """
    from gambol.app.splat import splat_file

    with progress_bar() as progress:
        report = splat_file(
            file,
            output,
            count=count,
            fit=fit,
            capture=capture,
            lit=lit,
            **loading.keywords(),
            progress=progress,
        )
    near = "" if report.psnr is None else f", PSNR {report.psnr:.1f} dB against the mesh"
    console().print(f"[green]wrote[/] {escape(str(output))}: {len(report.splats)} splats{near}", highlight=False)
