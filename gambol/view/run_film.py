"""The film of a run: what the prior saw, and three more views of the character; strips for its report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, UInt8
from numpy import ndarray
from torch import Tensor

from gambol.distill.motion_parameters import Coefficients
from gambol.distill.problem import Problem
from gambol.files.asset import Asset
from gambol.progress import Progress
from gambol.render.actor import Actor
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import VIEWS, View
from gambol.render.looks import Look
from gambol.render.memory_budget import DEFAULT_MEMORY_BYTES, plan_frames
from gambol.render.mesh.video import RenderConfig
from gambol.render.observer import Observer
from gambol.view.picture_panes import pane_maker, splat_pane, video_to_bytes
from gambol.view.pictures import MAX_FRAMES_PER_CHUNK, PicturePlan, Tile, write_pictures
from gambol.view.posed_asset import PoseSequence, pose_asset

RUN_FILM_WIDTH, RUN_FILM_HEIGHT, RUN_FILM_SPLATS = 320, 240, 4000
"""Width and height in pixels of one pane of a run's film, and number of splats of the pane that the prior saw."""
RUN_FILM_VIEWS = ("three-quarter", "side", "front")
"""Views of the mesh in a run's film."""
STRIP_COLUMNS = 6
"""Pictures of a strip."""
STRIP_MIN_HEIGHT = 96
"""Small pictures are enlarged to at least this height, pixels."""


def write_run_film(
    asset: Asset, clip: str, observer: Observer, target: Path, *, progress: Progress | None = None
) -> None:
    """Write the film of a clip of a written file."""
    character, poses = asset.character, pose_asset(asset, clip, 30.0)
    config = RenderConfig(RUN_FILM_WIDTH, RUN_FILM_HEIGHT)
    seen = pane_maker(character, observer.style, config, splats=RUN_FILM_SPLATS, skeleton=False)
    drawn = pane_maker(character, "mesh", config, splats=0, skeleton=False)
    own = observer.first_view
    tiles = [Tile(seen(poses, own), own.name)]
    tiles += [Tile(drawn(poses, v), v.name) for name in RUN_FILM_VIEWS for v in VIEWS if v.name == name]
    plan = plan_frames(
        len(poses), RUN_FILM_WIDTH, RUN_FILM_HEIGHT, RUN_FILM_SPLATS, DEFAULT_MEMORY_BYTES
    ).with_max_chunk(MAX_FRAMES_PER_CHUNK)
    write_pictures(PicturePlan(target, 30.0, tuple(tiles), 2, True, plan), progress=progress)


def write_splat_film(
    actor: Actor,
    T_world_rest: Float[Tensor, "frames splats 4 4"],
    fps: float,
    first_view: View,
    target: Path,
    *,
    progress: Progress | None = None,
) -> None:
    """Write the film of splats that move freely, from the prior's view and three more."""
    poses = PoseSequence("field", np.arange(len(T_world_rest)) / fps, T_world_rest.numpy())
    config = RenderConfig(RUN_FILM_WIDTH, RUN_FILM_HEIGHT)
    views = [first_view, *(v for name in RUN_FILM_VIEWS for v in VIEWS if v.name == name)]
    tiles = tuple(Tile(splat_pane(actor, Look(config.ground), poses, v, config), v.name) for v in views)
    plan = plan_frames(len(poses), RUN_FILM_WIDTH, RUN_FILM_HEIGHT, len(actor.splats), DEFAULT_MEMORY_BYTES)
    plan = plan.with_max_chunk(MAX_FRAMES_PER_CHUNK)
    write_pictures(PicturePlan(target, fps, tiles, 2, True, plan), progress=progress)


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
