"""Films of several pictures with labels and a title, in one size, that play in a loop without a jump where they can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.progress import Progress
from gambol.render.captions import draw_text, text_coverage
from gambol.render.memory_budget import MemoryPlan
from gambol.render.video_file import write_film
from gambol.view.film_layout import Cell, title_height
from gambol.view.picture_panes import Pane
from gambol.view.posed_asset import PoseSequence

BACKDROP, TITLE_INK, NOTE_INK = (22, 23, 26), (240, 240, 238), (150, 152, 158)
"""Colours behind the pictures, of the title and of the note beside it, sRGB bytes."""
LABEL_SHADE = 0.45
"""How much the picture is darkened behind a label, 0 to 1."""
REPEAT_TOLERANCE = 1e-4
"""Largest difference of two poses (rotations, and places in metres) that count as the same."""


@dataclass(frozen=True)
class FilmPane:
    """A picture of a film."""

    pane: Pane
    """What is drawn."""
    cell: Cell
    """Where."""
    label: str
    """Text in its corner; empty for none."""


@dataclass(frozen=True)
class ComposedFilm:
    """A film that is ready to be drawn."""

    target: Path
    """The file to write."""
    fps: float
    """Frames per second."""
    size: tuple[int, int]
    """Width and height, pixels."""
    panes: tuple[FilmPane, ...]
    """The pictures."""
    title: str
    """Text at the left of the bar below the pictures."""
    note: str
    """Text at its right."""
    plan: MemoryPlan
    """How many frames are drawn at once."""

    def __str__(self) -> str:
        """Size and length, as one line for people."""
        width, height = self.size
        return f"{self.plan.frames} frames of {width} x {height} pixels, {self.plan.chunk} frames at once"


def frames_of_loop(poses: PoseSequence) -> int:
    """Number of frames to show: without the last one where it repeats the first, so that a loop does not stutter."""
    T = poses.T_world_rest
    if T is None or len(poses) < 3 or np.abs(T[0] - T[-1]).max() > REPEAT_TOLERANCE:
        return len(poses)
    moves = np.abs(T - T[0]).max() > REPEAT_TOLERANCE
    return len(poses) - 1 if moves else len(poses)


def write_composed_film(film: ComposedFilm, *, progress: Progress | None = None) -> None:
    """Draw a film and write it to its file."""
    write_film(film.target, _frames(film, progress), film.fps)


def _frames(film: ComposedFilm, progress: Progress | None) -> Iterator[UInt8[ndarray, "frames height width 3"]]:
    """Chunks of frames; a clip that ends early holds its last frame."""
    empty = _empty_frame(film)
    for part in film.plan.chunks():
        frames = np.arange(part.start, part.stop)
        pictures = np.repeat(empty[None], len(frames), axis=0)
        for one in film.panes:
            drawn = one.pane.draw(np.minimum(frames, len(one.pane.poses) - 1))
            if one.label:
                _draw_label(drawn, one.label)
            c = one.cell
            pictures[:, c.top : c.top + c.height, c.left : c.left + c.width] = drawn
        yield pictures
        if progress is not None:
            progress(part.stop, film.plan.frames, "drawing the film")


def _empty_frame(film: ComposedFilm) -> UInt8[ndarray, "height width 3"]:
    """The background with title and note."""
    width, height = film.size
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = BACKDROP
    bar = title_height(height)
    if bar:
        size, margin = round(0.5 * bar), round(0.4 * bar)
        top = height - bar + (bar - text_coverage("x", size, width).shape[0]) // 2
        wide = (width - 3 * margin) * 2 // 3
        draw_text(picture, film.title, left=margin, top=top, size=size, colour=TITLE_INK, width=wide)
        rest = width - 3 * margin - wide
        draw_text(
            picture, film.note, left=2 * margin + wide, top=top, size=size, colour=NOTE_INK, width=rest, right=True
        )
    return picture


def _draw_label(pictures: UInt8[ndarray, "frames height width 3"], label: str) -> None:
    """A label in the top left corner, on a darker ground."""
    height, width = pictures.shape[1:3]
    size = int(np.clip(round(0.07 * height), 10, 20))
    if height < 6 * size:
        return
    text = text_coverage(label, size, width - 3 * size)
    high, wide = text.shape[0] + size // 3, text.shape[1] + size
    part = pictures[:, size // 2 : size // 2 + high, size // 2 : size // 2 + wide]
    part[:] = np.round((1.0 - LABEL_SHADE) * part)
    draw_text(
        pictures, label, left=size, top=size // 2 + size // 6, size=size, colour=TITLE_INK, width=width - 3 * size
    )
