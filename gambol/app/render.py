"""Pictures and films of a character file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gambol.errors import ConfigError
from gambol.files.asset import Asset, load
from gambol.motion.clip import Clip
from gambol.progress import Progress
from gambol.render.memory_budget import parse_bytes
from gambol.view.picture_settings import DEFAULT_PICTURES, PictureSettings, PictureStyle, ViewName


def render_file(
    source: str | Path | Asset,
    output: str | Path,
    *,
    clips: str | int | Clip | Sequence[str | int | Clip] = (),
    style: PictureStyle = DEFAULT_PICTURES.style,
    views: ViewName | Sequence[ViewName] = DEFAULT_PICTURES.views,
    width: int = DEFAULT_PICTURES.width,
    height: int = DEFAULT_PICTURES.height,
    fps: float = DEFAULT_PICTURES.fps,
    columns: int = DEFAULT_PICTURES.columns,
    ground: bool = DEFAULT_PICTURES.ground,
    skeleton: bool = DEFAULT_PICTURES.skeleton,
    restore_travel: bool = DEFAULT_PICTURES.restore_travel,
    splats: int = DEFAULT_PICTURES.splats,
    memory: int | str = "2GB",
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    announce: Callable[[str], None] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Render a contact sheet (.png) or a film (.mp4, .gif) of a character, and return the file that was written.

    Args:
        source: A character file, or what `gambol.load` gives.
        output: The file to write; its suffix decides between sheet and film.
        clips: Clips to show side by side: names or numbers of the file's clips, or new clips. Without any, a sheet
            shows the rest pose.
        style: `mesh` (shaded), `splats` (as video models see it), `control` (one colour per body part) or `skeleton`.
        views: Names of views: front, side, three-quarter, top. Each is a row of a sheet or a pane of a film.
        width: Width of one picture, pixels.
        height: Height of one picture, pixels.
        fps: Frames per second of a film.
        columns: Number of moments of a clip on a sheet.
        ground: Draw the checkerboard, the contact shadow and the sky.
        skeleton: Draw the motion skeleton over the mesh (style mesh).
        restore_travel: Give clips that walk in place their travel over the ground back, and lock the standing feet.
        splats: Number of splats (styles splats and control).
        memory: Working memory that drawing may use: bytes, or a text such as 2GB or 500MB.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which of several characters in the file; the largest where not given.
        announce: Called once before drawing with a line that says how much is drawn and how much memory it needs.
        progress: Called while drawing.
    """
    settings = PictureSettings(
        views=(views,) if isinstance(views, str) else tuple(views),
        width=width,
        height=height,
        fps=fps,
        columns=columns,
        ground=ground,
        skeleton=skeleton,
        style=style,
        splats=splats,
        restore_travel=restore_travel,
        memory=parse_bytes(memory) if isinstance(memory, str) else memory,
    )
    if not isinstance(source, Asset):
        source = load(source, scale=scale, facing=facing, character=character)
    elif (scale, facing, character) != (None, None, None):
        raise ConfigError(
            "scale, facing and character belong to a file that is read; give them to gambol.load instead."
        )
    wanted = [clips] if isinstance(clips, str | int | Clip) else clips
    named = [str(clip) if isinstance(clip, int) else clip for clip in wanted]
    for clip in named:
        if isinstance(clip, str):
            source.clip(clip)
    # after the checks, because it imports torch
    from gambol.view.pictures import plan_pictures, write_pictures

    pictures = plan_pictures(source, named, Path(output), settings)
    if announce is not None:
        announce(str(pictures))
    write_pictures(pictures, progress=progress)
    return Path(output)
