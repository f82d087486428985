"""The verb `render`: a sheet or a film of a character file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gambol.files.asset import load
from gambol.progress import Progress
from gambol.render.memory_budget import parse_bytes as parse_bytes
from gambol.view.picture_settings import PictureSettings


def render_file(
    file: str | Path,
    output: str | Path,
    *,
    clips: tuple[str, ...] = (),
    settings: PictureSettings | None = None,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Draw the rest pose or some clips of a character file as a sheet (.png) or a film (.mp4, .gif).

    `announce` is called with a sentence that says what will be drawn and how much memory it needs. Returns `output`.
    """
    asset, output = load(file, scale=scale, facing=facing, character=character), Path(output)
    for clip in clips:
        asset.clip(clip)
    # after the checks, because it imports torch
    from gambol.view.pictures import plan_pictures, write_pictures

    pictures = plan_pictures(asset, clips, output, settings or PictureSettings())
    if announce is not None:
        announce(str(pictures))
    write_pictures(pictures, progress=progress)
    return output
