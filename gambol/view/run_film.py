"""The film of a run: what the prior saw, and three more views of the character; strips for its report."""

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
from gambol.render.follow_camera import VIEWS, View
from gambol.render.memory_budget import DEFAULT_MEMORY, plan_frames
from gambol.render.mesh.video import RenderConfig
from gambol.view.picture_panes import pane_maker, video_bytes
from gambol.view.pictures import MOST_AT_ONCE, Pictures, Tile, draw_pictures
from gambol.view.posed_asset import find_poses

WIDTH, HEIGHT, SPLATS = 320, 240, 4000
BESIDE = ("three-quarter", "side", "front")
STRIP = 6
"""Pictures of a strip."""
ENLARGED = 96
"""Small pictures are enlarged to at least this height, pixels."""


def film_run(asset: Asset, clip: str, problem: Problem, target: Path, *, progress: Progress | None = None) -> None:
    """Write the film of a clip of a written file."""
    character, poses = asset.character, find_poses(asset, clip, 30.0)
    config = RenderConfig(WIDTH, HEIGHT)
    control = problem.prior.format.picture == "control"
    seen = pane_maker(character, "control" if control else "splats", config, splats=SPLATS, skeleton=False)
    drawn = pane_maker(character, "mesh", config, splats=0, skeleton=False)
    view = problem.settings.view
    own = View("the prior's view", view.azimuth, view.elevation)
    tiles = [Tile(seen(poses, own), own.name)]
    tiles += [Tile(drawn(poses, v), v.name) for name in BESIDE for v in VIEWS if v.name == name]
    plan = plan_frames(len(poses), WIDTH, HEIGHT, SPLATS, DEFAULT_MEMORY).at_most(MOST_AT_ONCE)
    draw_pictures(Pictures(target, 30.0, tuple(tiles), 2, True, plan), progress=progress)


def iteration_strips(problem: Problem, moments: list[tuple[str, Coefficients]]) -> UInt8[ndarray, "height width 3"]:
    """What the prior was shown, one row for each moment of the optimisation."""
    window = problem.prior.format.frames
    frames = np.linspace(0, window - 1, STRIP).round().astype(int)
    pictures, captions = [], []
    for name, coefficients in moments:
        with torch.no_grad():
            T = problem.body.actor.pose(*problem.curves.motion(coefficients))[:window]
            rows = video_bytes(problem.scene.film(T, 0)[torch.from_numpy(frames)])
        times = max(1, -(-ENLARGED // rows.shape[1]))
        pictures += [*rows.repeat(times, 1).repeat(times, 2)]
        captions += [f"{name}  {i / problem.scene.fps:.2f} s" for i in frames]
    return contact_sheet(pictures, STRIP, captions)
