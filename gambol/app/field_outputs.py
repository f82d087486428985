"""What a run with a deformation field writes beside the character file: its splats in every frame, and their film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.app.run_folder import SPLATS, SPLATS_FILE
from gambol.app.segment_runs import SegmentRun
from gambol.distill.field_motion import DeformationField
from gambol.distill.field_observation import observe_field, shown_frames
from gambol.evaluate.observation import Observation
from gambol.files.splat_sequence import write_ply_frames, write_splat_glb
from gambol.progress import Progress
from gambol.render.actor import Actor, make_actor
from gambol.render.free_splats import free_actor
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.splats.splat_file import splat_sequence
from gambol.view.splat_film import write_splat_film

FIELD_SPLATS = 6000
"""Splats that are written and filmed, where the request has no number."""


@dataclass(frozen=True)
class MovedSplats:
    """A character's splats, as a field moves them."""

    actor: Actor
    """The splats in the start pose, each free."""
    T_world_rest: Float[Tensor, "frames splats 4 4"]
    """Transform of each splat in every frame."""
    fps: float
    """Frames per second."""


def is_field(run: SegmentRun) -> bool:
    """Whether a run moved splats by a field."""
    return isinstance(run.problem.parameters, DeformationField)


def moved_splats(run: SegmentRun, count: int | None = None) -> MovedSplats:
    """Splats of the character's mesh along the finished motion: a field can be asked for any point of the body."""
    field, character = run.problem.parameters, run.problem.body.character
    assert isinstance(field, DeformationField)
    bound = make_actor(character, splats_from_mesh(character, count or FIELD_SPLATS))
    actor = free_actor(bound, field.T_start)
    with torch.no_grad():
        T = field.finished.at(actor.splats.centres, run.state.coefficients)[: shown_frames(run.problem)]
    return MovedSplats(actor, T, run.problem.observer.fps)


def field_observation(run: SegmentRun, name: str) -> Observation:
    """What is measured on the field itself; the clip of the character file only comes near to it."""
    return observe_field(run.problem, run.state.coefficients, name)


def write_field_splats(moved: MovedSplats, run: Path) -> tuple[Path, ...]:
    """Write splats/0000.ply, ... and splats/splats.glb of a run folder; of the frames only their folder is returned."""
    sequence = splat_sequence(moved.actor.splats, moved.T_world_rest, moved.fps)
    write_ply_frames(sequence, run / SPLATS)
    return run / SPLATS, write_splat_glb(sequence, run / SPLATS / SPLATS_FILE)


def write_field_film(
    moved: MovedSplats, run: SegmentRun, target: Path, *, progress: Progress | None = None, **drawn: Any
) -> None:
    """Write the film of the splats on the ground; title, view and size as in `write_splat_film`."""
    view = run.problem.observer.first_view
    write_splat_film(moved.actor, moved.T_world_rest, moved.fps, view, target, progress=progress, **drawn)
