"""Pictures and films of a character file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from gambol.errors import ConfigError
from gambol.files.asset import Asset, load
from gambol.files.formats import FILM_SUFFIXES
from gambol.motion.clip import Clip
from gambol.progress import Progress
from gambol.render.memory_budget import parse_bytes
from gambol.view.picture_settings import (
    CHAT_FILM_SIZE,
    DEFAULT_PICTURES,
    FILM_SIZE,
    PictureSettings,
    PictureStyle,
    ViewName,
    check_film_size,
    parse_film_size,
)


def render_file(
    source: str | Path | Asset,
    output: str | Path,
    *,
    clips: str | int | Clip | Sequence[str | int | Clip] = (),
    style: PictureStyle = DEFAULT_PICTURES.style,
    views: ViewName | Sequence[ViewName] = (),
    size: str | tuple[int, int] | None = None,
    width: int | None = None,
    height: int | None = None,
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
    """Render a contact sheet (.png) or a film (.mp4, .gif, .webp) of a character, and return the file that was written.

    Args:
        source: A character file, or what `gambol.load` gives.
        output: The file to write; its suffix decides between sheet and film.
        clips: Clips to show side by side: names or numbers of the file's clips, or new clips. Without any, a sheet
            shows the rest pose.
        style: `mesh` (shaded), `splats` (as video models see it), `control` (one colour per body part) or `skeleton`.
        views: Names of views: front, side, three-quarter, top. Each is a row of a sheet; a film of one clip shows the
            first one large. Without any: all four, and for a film of several clips three-quarter.
        size: Width and height of a whole film, such as 1280x720 (its default; 640x360 for .gif and .webp).
        width: Width of one picture, pixels; 480 in a sheet. With it or height, a film has pictures of this size.
        height: Height of one picture, pixels; 360 in a sheet.
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
    output = Path(output)
    wanted = [clips] if isinstance(clips, str | int | Clip) else clips
    settings = PictureSettings(
        views=_views(views, film_of_several=output.suffix.lower() in FILM_SUFFIXES and len(wanted) > 1),
        width=DEFAULT_PICTURES.width if width is None else width,
        height=DEFAULT_PICTURES.height if height is None else height,
        film_size=film_size(output, size, width, height),
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
    named = [str(clip) if isinstance(clip, int) else clip for clip in wanted]
    for clip in named:
        if isinstance(clip, str):
            source.clip(clip)
    # after the checks, because it imports torch
    from gambol.view.pictures import plan_pictures, write_pictures

    pictures = plan_pictures(source, named, output, settings)
    if announce is not None:
        announce(str(pictures))
    write_pictures(pictures, progress=progress)
    return output


def film_size(
    output: Path, size: str | tuple[int, int] | None, width: int | None = None, height: int | None = None
) -> tuple[int, int] | None:
    """Width and height of a whole film; None for a sheet, and for a film of pictures of a given size."""
    if output.suffix.lower() not in FILM_SUFFIXES:
        if size is not None:
            raise ConfigError("size is that of a film; the pictures of a sheet have width and height.")
        return None
    if size is not None and (width is not None or height is not None):
        raise ConfigError("size is that of the whole film, width and height that of each picture: give one of them.")
    if width is not None or height is not None:
        return None
    if size is None:
        return FILM_SIZE if output.suffix.lower() == FILM_SUFFIXES[0] else CHAT_FILM_SIZE
    return parse_film_size(size) if isinstance(size, str) else check_film_size(size)


def _views(given: ViewName | Sequence[ViewName], *, film_of_several: bool) -> tuple[ViewName, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(given) or (DEFAULT_PICTURES.views[:1] if film_of_several else DEFAULT_PICTURES.views)
