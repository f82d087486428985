"""`gambol evaluate FILE`: the numbers of one clip, or of all clips, of a character file or a run."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambol.app.find_runs import find_run
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.errors import AssetError, MissingPart
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.observation import SHORTEST, observe_node_clip
from gambol.files.asset import Asset, load
from gambol.motion.feet.travel import find_travel
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_motion import clip_from_nodes
from gambol.progress import Progress

FPS = 30.0
"""Clips of files are judged at this rate, frames per second."""
ON_THE_SPOT = 0.25
"""A clip that lacks more than this share of its way stays behind its feet,"""
LEAST_WAY = 0.1
"""if the way that it lacks is at least so long, sizes per second."""


@dataclass(frozen=True)
class Evaluation:
    """What `gambol evaluate` reports; JSON with `schema` 1."""

    file: str
    schema: int
    size: float
    """Longest side of the rest bounding box, metres."""
    travel_restored: bool
    clips: tuple[ClipMetrics, ...]
    notes: tuple[str, ...]
    """Sentences: clips that were left out, gaits that stay on the spot."""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def evaluate_path(
    path: str | Path,
    *,
    clip: str | None = None,
    reference: str | None = None,
    restore_travel: bool = False,
    scale: float | None = None,
    facing: str | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Evaluate a run (its last clip) or a character file (all its clips), or the clip of that name."""
    run = find_run(path)
    if run.model is None:
        raise AssetError(f"{path} holds a film but no character file; the judge sees joints, not pixels.")
    asset = load(run.model, scale=scale, facing=facing or run.settings.facing or None)
    last = last_clip(asset, clip)
    chosen = (last,) if clip is not None or Path(path).is_dir() else asset.clips
    return evaluate_clips(
        asset, chosen, reference=reference, restore_travel=restore_travel, may_skip=len(chosen) > 1, progress=progress
    )


def last_clip(asset: Asset, name: str | None = None) -> NodeClip:
    """The clip of that name; where none is given the file's last one, which in a run is the new one."""
    if name is None and not asset.clips:
        raise MissingPart(f"{asset.path.name} has no clips.")
    return asset.clip(name) if name is not None else asset.clips[-1]


def evaluate_clips(
    asset: Asset,
    clips: tuple[NodeClip, ...],
    *,
    reference: str | None = None,
    restore_travel: bool = False,
    may_skip: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """The numbers of these clips; `may_skip` leaves out, with a note, those that are too short to be judged."""
    character, anatomy = asset.character, find_anatomy(asset.character)
    cuboids = character.cuboids if character.weights is not None else None
    other = None
    if reference is not None:
        other = observe_node_clip(character, anatomy, asset.clip(reference), fps=FPS, restore_travel=restore_travel)
    found, notes = [], []
    for i, clip in enumerate(clips):
        if progress is not None:
            progress(i, len(clips), clip.name)
        if may_skip and len(clip.frame_times(FPS)) < SHORTEST:
            notes.append(f"'{clip.name}' is left out: it is a pose, not a motion.")
            continue
        seen = observe_node_clip(character, anatomy, clip, fps=FPS, restore_travel=restore_travel)
        found.append(measure(seen, cuboids=cuboids, reference=other))
        if not restore_travel and (way := missing_way(asset, anatomy, clip)) is not None:
            said = f"'{clip.name}' stays behind its feet: they walk {way:.2f} m that the body does not go"
            notes.append(f"{said}, so it skates. --restore-travel judges it with that way.")
    if not found:
        raise MissingPart(f"{asset.path.name} has poses only, no clip of {SHORTEST} frames or more.")
    return Evaluation(asset.path.name, 1, character.size, restore_travel, tuple(found), tuple(notes))


def missing_way(asset: Asset, anatomy: Anatomy, node_clip: NodeClip) -> float | None:
    """Metres that the standing feet go back under a body that stays; None where the body keeps up with its feet."""
    if not anatomy.contacts.any():
        return None
    clip, _ = clip_from_nodes(asset.character, node_clip, fps=FPS)
    lacking = find_travel(asset.character, clip, anatomy)[2].places
    gone = np.linalg.norm(clip.root[-1, [0, 2]] - clip.root[0, [0, 2]])
    way = float(np.linalg.norm(lacking[-1]))
    enough = LEAST_WAY * asset.character.size * clip.duration
    return way if way > enough and way > ON_THE_SPOT * (way + gone) else None
