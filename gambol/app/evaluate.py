"""`gambol evaluate FILE`: measure one clip, or all clips, of a character file or a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gambol.app.find_runs import find_run
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.errors import AssetError, MissingPart
from gambol.evaluate.metric_texts import SHORT_COLUMNS as SHORT_COLUMNS
from gambol.evaluate.metric_texts import detail_rows as detail_rows
from gambol.evaluate.metric_texts import short_row as short_row
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.observation import FEWEST_OBSERVED_FRAMES, Observation, observe_node_clip
from gambol.files.asset import Asset, load
from gambol.motion.feet.travel import find_travel
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.progress import Progress, reported

if TYPE_CHECKING:  # measuring needs no torch, matching does
    from gambol.evaluate.matching.match import ClipMatch

EVALUATION_FPS = 30.0
"""Frames per second that the clips of files are measured at."""
MISSING_TRAVEL_SHARE = 0.25
"""Share of the feet's travel that the body must lack for a clip to count as moving in place."""
MISSING_TRAVEL_SPEED = 0.1
"""Least travel that the body must lack for a clip to count as moving in place, sizes per second."""


@dataclass(frozen=True)
class Evaluation:
    """What `gambol evaluate` reports."""

    file: str
    """Name of the character file."""
    schema: int
    """Version of the JSON format."""
    size: float
    """Longest side of the rest bounding box, metres."""
    travel_restored: bool
    """Whether clips that move in place were given their travel first."""
    clips: tuple[ClipMetrics, ...]
    """Metrics of each clip."""
    matches: tuple[ClipMatch, ...]
    """What the learned text-motion matching model reads in each clip; empty where its weights are missing."""
    notes: tuple[str, ...]
    """Sentences for the user: clips that were left out, clips that move in place, missing weights."""

    def as_json(self) -> dict[str, Any]:
        """The evaluation as plain data."""
        return asdict(self)


def evaluate_path(
    path: str | Path,
    *,
    clip: str | None = None,
    reference: str | None = None,
    restore_travel: bool = False,
    prompt: str | None = None,
    scale: float | None = None,
    facing: str | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure the last clip of a run, or all clips of a character file; with `clip` the one of that name.

    Args:
        path: A character file, or the folder of a run.
        clip: Name or number of one clip.
        reference: Name or number of another clip of the file to measure the distance to.
        restore_travel: Give clips that move in place their travel over the ground first.
        prompt: Sentence that the clips should show; by default the prompt of the run.
        scale: Metres per unit of the file, where the guess is wrong.
        facing: Axis of the file that the character faces along, where the guess is wrong.
        progress: Called for every clip.
    """
    run = find_run(path)
    if run.model is None:
        raise AssetError(f"{path} holds a film but no character file; metrics need joints, not pixels.")
    asset = load(run.model, scale=scale, facing=facing or run.settings.facing or None)
    last = last_clip(asset, clip)
    chosen = (last,) if clip is not None or Path(path).is_dir() else asset.clips
    return evaluate_clips(
        asset,
        chosen,
        reference=reference,
        restore_travel=restore_travel,
        prompt=run.settings.prompt if prompt is None else prompt,
        may_skip=len(chosen) > 1,
        progress=progress,
    )


def last_clip(asset: Asset, name: str | None = None) -> NodeClip:
    """The clip of that name or number; without one the file's last clip, which in a run is the new one."""
    if name is None and not asset.clips:
        raise MissingPart(f"{asset.path.name} has no clips.")
    return asset.clip(name) if name is not None else asset.clips[-1]


def evaluate_clips(
    asset: Asset,
    clips: tuple[NodeClip, ...],
    *,
    reference: str | None = None,
    restore_travel: bool = False,
    prompt: str = "",
    may_skip: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure these clips; `may_skip` leaves out, with a note, those that are too short."""
    character, anatomy = asset.character, find_anatomy(asset.character)
    cuboids = character.cuboids if character.weights is not None else None
    other = None
    if reference is not None:
        other = observe_node_clip(
            character, anatomy, asset.clip(reference), fps=EVALUATION_FPS, restore_travel=restore_travel
        )
    found, observed, notes = [], [], []
    for clip in reported(clips, progress, lambda clip: clip.name):
        if may_skip and len(clip.frame_times(EVALUATION_FPS)) < FEWEST_OBSERVED_FRAMES:
            notes.append(f"'{clip.name}' is left out: it is a pose, not a motion.")
            continue
        seen = observe_node_clip(character, anatomy, clip, fps=EVALUATION_FPS, restore_travel=restore_travel)
        found.append(measure(seen, cuboids=cuboids, reference=other))
        observed.append(seen)
        if not restore_travel and (travel := missing_travel(asset, anatomy, clip)) is not None:
            said = f"'{clip.name}' moves in place: the feet walk {travel:.2f} m, but the body stays behind"
            notes.append(f"{said}, so it skates. --restore-travel measures it with that travel.")
    if not found:
        raise MissingPart(f"{asset.path.name} has poses only, no clip of {FEWEST_OBSERVED_FRAMES} frames or more.")
    matches, missing = _matches(observed, prompt)
    return Evaluation(
        file=asset.path.name,
        schema=1,
        size=character.size,
        travel_restored=restore_travel,
        clips=tuple(found),
        matches=matches,
        notes=(*notes, *missing),
    )


def _matches(observed: list[Observation], prompt: str) -> tuple[tuple[ClipMatch, ...], tuple[str, ...]]:
    """What the matching model reads in clips, or a note why it cannot."""
    from gambol.app.match_motions import match_observed

    try:
        return match_observed(observed, prompt), ()
    except MissingPart as error:
        return (), (str(error),)


def missing_travel(asset: Asset, anatomy: Anatomy, node_clip: NodeClip) -> float | None:
    """Distance that the feet walk and the body does not go, metres; None where the body keeps up with its feet."""
    if not anatomy.contacts.any():
        return None
    clip, _ = clip_from_nodes(asset.character, node_clip, fps=EVALUATION_FPS)
    lacking = find_travel(asset.character, clip, anatomy)[2].places
    gone = np.linalg.norm(clip.root[-1, [0, 2]] - clip.root[0, [0, 2]])
    travel = float(np.linalg.norm(lacking[-1]))
    enough = MISSING_TRAVEL_SPEED * asset.character.size * clip.duration
    return travel if travel > enough and travel > MISSING_TRAVEL_SHARE * (travel + gone) else None
