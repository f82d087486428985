"""Contact sheets and films of an asset: its rest pose or clips, in one of four styles, from several views."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import Asset
from gambol.files.formats import FILM_SUFFIXES
from gambol.motion.clip import Clip
from gambol.progress import Progress
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import View, view_named
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.memory_budget import MemoryPlan, plan_frames, show_bytes
from gambol.render.mesh.video import RenderConfig
from gambol.render.video_file import write_film, write_png
from gambol.view.composed_film import ComposedFilm, FilmPane, frames_of_loop, write_composed_film
from gambol.view.film_layout import grid_layout, hero_layout
from gambol.view.picture_panes import Pane, pane_maker
from gambol.view.picture_settings import DEFAULT_PICTURES, PictureSettings
from gambol.view.posed_asset import PoseSequence, pose_asset

WHOLE_FILM_SUFFIXES = (".gif", ".webp")
"""Suffixes of films that are encoded only when all their frames are there."""
MAX_FRAMES_PER_CHUNK = 16
"""Most frames that are drawn between two steps of the progress bar."""


@dataclass(frozen=True)
class Tile:
    """A pane in a sheet or film, with its caption."""

    pane: Pane
    """What is drawn."""
    caption: str
    """Text below the picture."""
    frame: int | None = None
    """Index of the frame that a sheet shows; None in films, which show all frames, and for single poses."""


@dataclass(frozen=True)
class PicturePlan:
    """A sheet or film that is ready to be drawn, with an estimate of the memory it needs."""

    target: Path
    """The file to write."""
    fps: float
    """Frames per second of a film."""
    tiles: tuple[Tile, ...]
    """The pictures, row by row."""
    columns: int
    """Pictures in a row."""
    labelled: bool
    """Whether captions are drawn below the pictures."""
    plan: MemoryPlan
    """How many frames are drawn at once."""

    def __str__(self) -> str:
        """Number of pictures and the memory they need, as one line for people."""
        need = f"about {show_bytes(self.plan.peak_bytes)} of memory"
        if self.target.suffix.lower() in FILM_SUFFIXES:
            return f"{self.plan.frames} frames x {len(self.tiles)} pictures, {need}, {self.plan.chunk} frames at once"
        return f"{len(self.tiles)} pictures, {need}"


def render_asset(
    asset: Asset,
    clips: Sequence[str | Clip],
    target: Path,
    settings: PictureSettings = DEFAULT_PICTURES,
    *,
    progress: Progress | None = None,
) -> None:
    """Write a sheet (.png) or film (.mp4, .gif, .webp) of clips, or without clips a sheet of the rest pose."""
    write_pictures(plan_pictures(asset, clips, target, settings), progress=progress)


def plan_pictures(
    asset: Asset, clips: Sequence[str | Clip], target: Path, settings: PictureSettings = DEFAULT_PICTURES
) -> PicturePlan | ComposedFilm:
    """Prepare a sheet or film: pose the asset, place the cameras, estimate the memory; nothing is drawn yet.

    Clips are named as in the file (or by number), or are new clips of the asset's skeleton.
    """
    film = target.suffix.lower() in FILM_SUFFIXES
    if film and settings.film_size is not None and clips:
        return _plan_composed(asset, clips, target, settings, settings.film_size)
    if not film and target.suffix.lower() != ".png":
        raise ConfigError(
            f"{target.name} has the suffix {target.suffix!r}; pictures are .png, films {', '.join(FILM_SUFFIXES)}."
        )
    if film and not clips:
        raise MissingPart(f"A film needs a clip: --clip NAME. {_clip_names(asset)}")
    wanted: list[str | Clip | None] = [*clips] or [None]
    moving = [pose_asset(asset, clip, settings.fps, restore_travel=settings.restore_travel) for clip in wanted]
    config = RenderConfig(settings.width, settings.height, ground=Checkerboard() if settings.ground else None)
    splats = settings.splats if settings.style in ("splats", "control") else 0
    frames, pixels = max(map(len, moving)), settings.width * settings.height * len(moving) * len(settings.views)
    resident = (
        3
        * pixels
        * (
            frames
            if target.suffix.lower() in WHOLE_FILM_SUFFIXES
            else MAX_FRAMES_PER_CHUNK
            if film
            else settings.columns
        )
    )
    plan = plan_frames(frames, settings.width, settings.height, splats, settings.memory, resident=resident)
    plan = plan.with_max_chunk(MAX_FRAMES_PER_CHUNK)
    make = pane_maker(asset.character, settings.style, config, splats=splats, skeleton=settings.skeleton)
    views = [view_named(name) for name in settings.views]
    several = len(moving) > 1
    # a film of several clips has a column for each
    order = [(p, v) for v in views for p in moving] if film else [(p, v) for p in moving for v in views]
    tiles = [
        Tile(make(poses, view), _caption(poses, view, clips=len(moving), views=len(views))) for poses, view in order
    ]
    columns = len(moving) if several else min(2, len(tiles))
    if clips and not film:
        columns = min(settings.columns, frames)
        tiles = [at for tile in tiles for at in _moments(tile, columns)]
    return PicturePlan(target, settings.fps, tuple(tiles), columns, several or not film, plan)


def _plan_composed(
    asset: Asset, clips: Sequence[str | Clip], target: Path, settings: PictureSettings, size: tuple[int, int]
) -> ComposedFilm:
    """A film in one size: one clip with its first view large and the others beside it, or several in a grid."""
    moving = [pose_asset(asset, clip, settings.fps, restore_travel=settings.restore_travel) for clip in clips]
    views = [view_named(name) for name in settings.views]
    order = [(poses, view) for view in views for poses in moving]
    if len(moving) == 1:
        cells = hero_layout(len(order), *size)
    else:
        columns = len(moving) if len(views) > 1 else math.ceil(math.sqrt(len(moving)))
        cells = grid_layout(len(order), len(moving) if len(moving) <= 3 else columns, *size)
    ground = Checkerboard() if settings.ground else None
    splats = settings.splats if settings.style in ("splats", "control") else 0
    config = RenderConfig(ground=ground)
    make = pane_maker(asset.character, settings.style, config, splats=splats, skeleton=settings.skeleton)
    panes = []
    for (poses, view), cell in zip(order, cells, strict=True):
        pane = make(poses, view, config=replace(config, width=cell.width, height=cell.height))
        panes.append(FilmPane(pane, cell, _caption(poses, view, clips=len(moving), views=len(views))))
    frames = frames_of_loop(moving[0]) if len(moving) == 1 else max(map(len, moving))
    whole_film = target.suffix.lower() in WHOLE_FILM_SUFFIXES
    resident = 3 * size[0] * size[1] * (frames if whole_film else MAX_FRAMES_PER_CHUNK)
    plan = plan_frames(frames, *size, splats, settings.memory, resident=resident).with_max_chunk(MAX_FRAMES_PER_CHUNK)
    title = ", ".join(poses.name.split("|")[-1] for poses in moving)
    note = f"{asset.character.name}  ·  {frames / settings.fps:.1f} s"
    return ComposedFilm(target, settings.fps, size, tuple(panes), title, note, plan)


def write_pictures(pictures: PicturePlan | ComposedFilm, *, progress: Progress | None = None) -> None:
    """Draw a prepared sheet or film and write it to its file."""
    if isinstance(pictures, ComposedFilm):
        write_composed_film(pictures, progress=progress)
        return
    if pictures.target.suffix.lower() in FILM_SUFFIXES:
        write_film(pictures.target, _film(pictures, progress), pictures.fps)
        return
    drawn: list[ndarray] = []
    for _, group in groupby(pictures.tiles, key=lambda tile: id(tile.pane)):
        tiles = list(group)
        drawn += [*tiles[0].pane.draw(np.array([tile.frame or 0 for tile in tiles]))]
        if progress is not None:
            progress(len(drawn), len(pictures.tiles), "rendering")
    write_png(pictures.target, contact_sheet(drawn, pictures.columns, [tile.caption for tile in pictures.tiles]))


def _film(pictures: PicturePlan, progress: Progress | None) -> Iterator[UInt8[ndarray, "frames height width 3"]]:
    """Chunks of frames with all tiles side by side; a clip that ends early holds its last frame."""
    captions = [tile.caption for tile in pictures.tiles] if pictures.labelled else None
    for part in pictures.plan.chunks():
        frames = np.arange(part.start, part.stop)
        drawn = [tile.pane.draw(np.minimum(frames, len(tile.pane.poses) - 1)) for tile in pictures.tiles]
        gap = 4 if captions else 0
        yield np.stack([contact_sheet(f, pictures.columns, captions, gap=gap) for f in zip(*drawn, strict=True)])
        if progress is not None:
            progress(part.stop, pictures.plan.frames, "rendering")


def _moments(tile: Tile, columns: int) -> list[Tile]:
    """The tile at evenly spaced moments of its clip."""
    times = tile.pane.poses.times
    chosen = np.linspace(0, len(times) - 1, columns).round().astype(int)
    return [replace(tile, frame=int(i), caption=f"{tile.caption}  {times[i]:.2f} s") for i in chosen]


def _caption(poses: PoseSequence, view: View, *, clips: int, views: int) -> str:
    """Name of the clip (without the rig's name before a bar), of the view, or both where there are several of both."""
    clip = poses.name.split("|")[-1]
    return view.name if clips == 1 else clip if views == 1 else f"{clip}, {view.name}"


def _clip_names(asset: Asset) -> str:
    names = ", ".join(clip.name for clip in asset.clips[:12])
    return f"{asset.path.name} has: {names}." if names else f"{asset.path.name} has no clips."
