"""The film of a run: the character large, what the prior saw and two more views beside it; strips for its report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from jaxtyping import UInt8
from numpy import ndarray

from gambol.distill.motion_parameters import Coefficients
from gambol.distill.problem import Problem
from gambol.files.asset import Asset
from gambol.progress import Progress
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import view_named
from gambol.render.memory_budget import DEFAULT_MEMORY_BYTES, plan_frames
from gambol.render.mesh.video import RenderConfig
from gambol.render.observer import Observer
from gambol.render.video_file import chosen_frames, film_length
from gambol.view.composed_film import ComposedFilm, FilmPane, frames_of_loop, write_composed_film
from gambol.view.film_layout import Cell, hero_layout
from gambol.view.picture_panes import pane_maker, video_to_bytes
from gambol.view.picture_settings import FILM_SIZE, ViewName
from gambol.view.pictures import MAX_FRAMES_PER_CHUNK
from gambol.view.posed_asset import pose_asset

RUN_FILM_FPS, RUN_FILM_SPLATS = 30.0, 4000
"""Frames per second of a run's film, and number of splats of the picture that the prior saw."""
RUN_FILM_VIEWS: tuple[ViewName, ...] = ("three-quarter", "side", "front")
"""Views of the character in a run's film: the first one large, where no other is asked for."""
MOMENTS, MOMENT_WIDTH = 6, 440
"""Pictures of the sheet of moments, and the width of each, pixels."""
STRIP_COLUMNS = 6
"""Pictures of a strip."""
STRIP_MIN_HEIGHT = 96
"""Small pictures are enlarged to at least this height, pixels."""


def write_run_film(
    asset: Asset,
    clip: str,
    observer: Observer,
    target: Path,
    *,
    title: str = "",
    view: ViewName = RUN_FILM_VIEWS[0],
    size: tuple[int, int] = FILM_SIZE,
    progress: Progress | None = None,
) -> None:
    """Write the film of a clip of a written file, with `view` large; `size` is width and height in pixels."""
    character, poses, own = asset.character, pose_asset(asset, clip, RUN_FILM_FPS), observer.first_view
    small = [name for name in RUN_FILM_VIEWS if name != view][:2]
    hero, first, *others = hero_layout(2 + len(small), *size)
    seen = pane_maker(character, observer.style, _config(first), splats=RUN_FILM_SPLATS, skeleton=False)
    panes = [FilmPane(seen(poses, own), first, "what the prior saw")]
    for name, cell in zip([view, *small], [hero, *others], strict=True):
        drawn = pane_maker(character, "mesh", _config(cell), splats=0, skeleton=False)
        panes.append(FilmPane(drawn(poses, view_named(name)), cell, "" if cell is hero else name))
    frames = frames_of_loop(poses)
    plan = plan_frames(frames, *size, RUN_FILM_SPLATS, DEFAULT_MEMORY_BYTES).with_max_chunk(MAX_FRAMES_PER_CHUNK)
    note = f"{character.name}  ·  {frames / RUN_FILM_FPS:.1f} s"
    film = ComposedFilm(target, RUN_FILM_FPS, size, tuple(panes), title or clip, note, plan)
    write_composed_film(film, progress=progress)


def _config(cell: Cell) -> RenderConfig:
    return RenderConfig(cell.width, cell.height)


def film_moments(film: Path) -> UInt8[ndarray, "height width 3"]:
    """A sheet of moments of a run's film: its large picture, evenly spaced in time."""
    from PIL import Image

    count, fps = film_length(film)
    chosen = np.linspace(0, count - 1, min(MOMENTS, count)).round().astype(int)
    pictures = []
    for frame in chosen_frames(film, chosen):
        cell = hero_layout(2 + len(RUN_FILM_VIEWS[1:]), frame.shape[1], frame.shape[0])[0]
        high = round(MOMENT_WIDTH * cell.height / cell.width)
        small = Image.fromarray(frame[: cell.height, : cell.width]).resize((MOMENT_WIDTH, high), Image.Resampling.BOX)
        pictures.append(np.asarray(small))
    return contact_sheet(pictures, MOMENTS // 2, [f"{i / fps:.2f} s" for i in chosen])


def iteration_strips(problem: Problem, moments: list[tuple[str, Coefficients]]) -> UInt8[ndarray, "height width 3"]:
    """What the prior was shown, one row for each moment of the optimisation."""
    window = problem.window
    frames = np.linspace(0, window - 1, STRIP_COLUMNS).round().astype(int)
    pictures, captions = [], []
    for name, coefficients in moments:
        with torch.no_grad():
            T = problem.moved(coefficients)[1][problem.window_frames()]
            shown = problem.observer.render(T, 0)[torch.from_numpy(frames)]
            rows = video_to_bytes(problem.observer.picture(shown))
        times = max(1, -(-STRIP_MIN_HEIGHT // rows.shape[1]))
        pictures += [*rows.repeat(times, 1).repeat(times, 2)]
        captions += [f"{name}  {i / problem.observer.fps:.2f} s" for i in frames]
    return contact_sheet(pictures, STRIP_COLUMNS, captions)
