"""The film of splats that move freely, laid out as the film of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Float
from torch import Tensor

from gambol.progress import Progress
from gambol.render.actor import Actor
from gambol.render.follow_camera import View, view_named
from gambol.render.looks import Look
from gambol.render.memory_budget import DEFAULT_MEMORY_BYTES, plan_frames
from gambol.render.mesh.video import RenderConfig
from gambol.view.composed_film import ComposedFilm, FilmPane, write_composed_film
from gambol.view.film_layout import hero_layout
from gambol.view.picture_panes import splat_pane
from gambol.view.picture_settings import FILM_SIZE, ViewName
from gambol.view.pictures import MAX_FRAMES_PER_CHUNK
from gambol.view.posed_asset import PoseSequence
from gambol.view.run_film import RUN_FILM_VIEWS


def write_splat_film(
    actor: Actor,
    T_world_rest: Float[Tensor, "frames splats 4 4"],
    fps: float,
    first_view: View,
    target: Path,
    *,
    title: str = "",
    view: ViewName = RUN_FILM_VIEWS[0],
    size: tuple[int, int] = FILM_SIZE,
    progress: Progress | None = None,
) -> None:
    """Write the film with `view` large and the prior's view first beside it; `size` is width and height in pixels."""
    poses = PoseSequence("field", np.arange(len(T_world_rest)) / fps, T_world_rest.numpy())
    small = [name for name in RUN_FILM_VIEWS if name != view][:2]
    hero, first, *others = hero_layout(2 + len(small), *size)
    shown = [(first_view, first, "what the prior saw"), (view_named(view), hero, "")]
    shown += [(view_named(name), cell, name) for name, cell in zip(small, others, strict=True)]
    panes = []
    for seen_from, cell, caption in shown:
        config = RenderConfig(cell.width, cell.height)
        panes.append(FilmPane(splat_pane(actor, Look(config.ground), poses, seen_from, config), cell, caption))
    plan = plan_frames(len(poses), *size, len(actor.splats), DEFAULT_MEMORY_BYTES)
    plan = plan.with_max_chunk(MAX_FRAMES_PER_CHUNK)
    note = f"a deformation field  ·  {len(poses) / fps:.1f} s"
    write_composed_film(ComposedFilm(target, fps, size, tuple(panes), title, note, plan), progress=progress)
