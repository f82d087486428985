"""The verb `view`: the page that plays a character's clips in the browser."""

from __future__ import annotations

from pathlib import Path

from gambol.files.asset import load


def view_file(
    file: str | Path,
    html: Path | None = None,
    *,
    clip: str | None = None,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
) -> Path:
    """Write the player page of a character file to `html`, or to a temporary file that is opened in the browser.

    Args:
        file: A character file.
        html: File to write; None opens the page.
        clip: The clip to start with.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which of several characters in the file; the largest where not given.
    """
    asset = load(file, scale=scale, facing=facing, character=character)
    if clip is not None:
        asset.clip(clip)
    # after the checks, because these import torch
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.render.part_palette import bone_colours
    from gambol.view.open_player import show_player

    skeleton = asset.character.skeleton
    colours = bone_colours(find_anatomy(asset.character), skeleton) if skeleton else None
    return show_player(asset, html, clip=clip, bone_colours=colours)
