"""Sheets and films of an asset: the rest pose or one of its clips, from several views."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from gambol.errors import AssetError, MissingPart
from gambol.files.asset import Asset
from gambol.motion.node_motion import bone_displacements, node_clip_vertices
from gambol.progress import Progress
from gambol.render.cameras import Camera, follow
from gambol.render.film import FILM_KINDS, contact_sheet, write_film, write_png
from gambol.render.ground import Ground
from gambol.render.mesh_film import VIEWS, RenderConfig, View, draw_skeleton_overlay, render_frames


@dataclass(frozen=True)
class PictureSettings:
    """What to draw, how large, from where."""

    views: tuple[str, ...] = ("three-quarter", "side", "front", "top")
    """Names of views: one row of a sheet, one pane of a film for each."""
    width: int = 480
    """Width of one picture, pixels."""
    height: int = 360
    """Height of one picture, pixels."""
    fps: float = 30.0
    """Frames per second of a film."""
    columns: int = 8
    """Moments of a clip on a sheet."""
    ground: bool = True
    """Draw the checkerboard."""
    skeleton: bool = False
    """Draw the motion skeleton over the surface."""

    def __post_init__(self) -> None:
        known = [view.name for view in VIEWS]
        if not self.views or any(name not in known for name in self.views):
            raise AssetError(f"The views are {', '.join(self.views) or 'none'}; allowed are {', '.join(known)}.")
        if not (16 <= self.width <= 4096 and 16 <= self.height <= 4096):
            raise AssetError(
                f"A picture of {self.width} x {self.height} pixels cannot be drawn; allowed is 16 to 4096."
            )
        if not 0 < self.fps <= 240:
            raise AssetError(f"A film of {self.fps} frames per second cannot be made; allowed is up to 240.")
        if not 1 <= self.columns <= 64:
            raise AssetError(f"A sheet cannot have {self.columns} columns; allowed is 1 to 64.")


def draw_asset(
    asset: Asset, clip: str | None, target: Path, settings: PictureSettings, *, progress: Progress | None = None
) -> None:
    """Write a sheet (.png) or a film (.mp4, .gif) of the rest pose or a clip, by the suffix of `target`."""
    film = target.suffix.lower() in FILM_KINDS
    if not film and target.suffix.lower() != ".png":
        raise AssetError(
            f"{target.name} has the suffix {target.suffix!r}; pictures are .png, films {', '.join(FILM_KINDS)}."
        )
    if film and clip is None:
        raise MissingPart(f"A film needs a clip: --clip NAME. {_clips(asset)}")
    times, vertices, segments = _pose(asset, clip, settings)
    views = [next(view for view in VIEWS if view.name == name) for name in settings.views]
    chosen = (
        np.arange(len(times))
        if film
        else np.unique(np.linspace(0, len(times) - 1, settings.columns).round().astype(int))
    )
    rows = []
    for i, view in enumerate(views):
        step = _step(progress, i, len(views))
        rows.append(_draw_view(asset, vertices, segments, chosen, view, settings, step))
    if film:
        write_film(target, _panes(rows), settings.fps)
    elif clip is None:
        write_png(target, contact_sheet([row[0] for row in rows], min(2, len(rows)), [view.name for view in views]))
    else:
        captions = [f"{view.name}  {times[k] - times[0]:.2f} s" for view in views for k in chosen]
        write_png(target, contact_sheet(np.concatenate(rows), len(chosen), captions))


def _pose(asset: Asset, clip: str | None, settings: PictureSettings) -> tuple[ndarray, ndarray, ndarray | None]:
    """Times, vertices and (where asked for) bone segments [frames, segments, 2, 3]."""
    character = asset.character
    if character.mesh is None:
        verb = f"gambol rig MESH --skeleton {character.name} -o OUT.glb"
        raise MissingPart(f"{character.name} has a skeleton but no mesh to draw. Give it a mesh: {verb}")
    skeleton = character.skeleton if settings.skeleton else None
    ends = np.stack([skeleton.segments.heads, skeleton.segments.tails], 1) if skeleton else None
    if clip is None:
        return np.zeros(1), character.mesh.vertices[None], ends[None] if ends is not None else None
    node_clip = asset.clip(clip)
    times = node_clip.frame_times(settings.fps)
    vertices = node_clip_vertices(character, node_clip, times)
    if skeleton is None or ends is None:
        return times, vertices, None
    moved = bone_displacements(character, node_clip, times)[:, skeleton.segments.bones]
    return times, vertices, np.einsum("fsij,skj->fski", moved[..., :3, :3], ends) + moved[:, :, None, :3, 3]


def _draw_view(
    asset: Asset,
    vertices: Float[ndarray, "frames vertices 3"],
    segments: Float[ndarray, "frames segments 2 3"] | None,
    chosen: ndarray,
    view: View,
    settings: PictureSettings,
    progress: Progress | None,
) -> UInt8[ndarray, "chosen height width 3"]:
    mesh = asset.character.mesh
    assert mesh is not None
    config = RenderConfig(settings.width, settings.height, ground=Ground() if settings.ground else None)
    cameras = follow(vertices, view.azimuth, view.elevation, config.fov, config.width, config.height, config.margin)
    picked = [cameras[i] for i in chosen]
    pictures = render_frames(mesh, vertices[chosen], picked, config=config, progress=progress)
    return pictures if segments is None else _overlay(pictures, picked, segments[chosen])


def _overlay(pictures: ndarray, cameras: list[Camera], segments: ndarray) -> ndarray:
    drawn = [draw_skeleton_overlay(p, c, s[:, 0], s[:, 1]) for p, c, s in zip(pictures, cameras, segments, strict=True)]
    return np.stack(drawn)


def _panes(rows: list[UInt8[ndarray, "frames height width 3"]]) -> UInt8[ndarray, "frames all_height all_width 3"]:
    """The views of every frame side by side, two in a row."""
    if len(rows) == 1:
        return rows[0]
    if len(rows) % 2:
        rows = [*rows, np.full_like(rows[0], 255)]
    pairs = [np.concatenate(rows[i : i + 2], axis=2) for i in range(0, len(rows), 2)]
    return np.concatenate(pairs, axis=1)


def _step(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """Progress of one view as progress of the whole."""
    if progress is None:
        return None
    return lambda done, total, what: progress(part * total + done, parts * total, what)


def _clips(asset: Asset) -> str:
    names = ", ".join(clip.name for clip in asset.clips[:12])
    return f"{asset.path.name} has: {names}." if names else f"{asset.path.name} has no clips."
