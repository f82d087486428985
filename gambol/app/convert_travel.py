"""Append clips of a file with root travel or without it: `gambol convert --restore-travel` and `--in-place`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import ConfigError, MissingPart
from gambol.files.asset import Asset, check_target, export_clips
from gambol.motion.clip import Clip
from gambol.motion.facing_from_clips import GAIT_NAMES
from gambol.motion.feet.contacts import stance_slip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.foot_lock import restore_travel_and_lock_feet
from gambol.motion.feet.travel import remove_travel
from gambol.motion.root_trajectory import ground_path

MIN_TRAVEL = 0.1
"""A clip travels where it ends farther than this from where it began, in sizes."""


@dataclass(frozen=True)
class ClipTravel:
    """How one clip that was written travels."""

    name: str
    """Name of the clip in the file."""
    speed: float
    """Speed of the body over the ground, metres per second."""
    slip: float | None
    """How far a standing foot slips, as a share of the stride; None for clips in place."""


def change_travel(
    asset: Asset,
    output: str | Path,
    *,
    restore_travel: bool = False,
    in_place: bool = False,
    clip: str | None = None,
    fps: float = 30.0,
) -> tuple[ClipTravel, ...]:
    """Write the asset with further clips: NAME_travel with root travel and locked feet, or NAME_in_place.

    Without `clip`, `restore_travel` takes all clips whose names say walk, run, gallop, ..., and `in_place` all that
    travel.
    """
    check_travel_options(restore_travel=restore_travel, in_place=in_place)
    check_target(output)
    suffix = "travel" if restore_travel else "in_place"
    character, anatomy = asset.character, find_anatomy(asset.character)
    if clip is not None:
        chosen = [asset.clip(clip)]
    else:
        chosen = [c for c in asset.clips if in_place or GAIT_NAMES.search(c.name) is not None]
    read = [replace(clip_with_feet(character, c, anatomy, fps=fps), name=c.name.split("|")[-1]) for c in chosen]
    if clip is None and in_place:
        read = [c for c in read if _distance(c) > MIN_TRAVEL * character.size]
    if not read:
        wanted = "travels" if in_place else "is named walk, run, gallop, ..."
        raise MissingPart(f"{asset.path.name} has no clip that {wanted}. Say which to change, as in --clip NAME.")
    moved = [remove_travel(c) if in_place else restore_travel_and_lock_feet(character, c, anatomy) for c in read]
    moved = [replace(c, name=f"{c.name}_{suffix}") for c in moved]
    export_clips(asset, tuple(moved), output)
    return tuple(measure_travel(character, c, anatomy) for c in moved)


def check_travel_options(*, restore_travel: bool, in_place: bool) -> None:
    """Raise `ConfigError` where travel is to be restored and removed at once."""
    if restore_travel and in_place:
        raise ConfigError(
            "--restore-travel and --in-place exclude each other: one adds root travel to a clip, the other removes it."
            " Choose one."
        )


def measure_travel(character: Character, clip: Clip, anatomy: Anatomy) -> ClipTravel:
    """Speed of a clip and slip of its standing feet."""
    distance = _distance(clip)
    travels = distance > MIN_TRAVEL * character.size
    slip = stance_slip(character, clip, anatomy).share if travels else None
    return ClipTravel(clip.name, distance / max(clip.duration, 1.0 / clip.fps), slip)


def _distance(clip: Clip) -> float:
    """Distance between the first and the last point of the root's path over the ground, metres."""
    path = ground_path(clip)
    return float(np.linalg.norm(path[-1] - path[0]))
