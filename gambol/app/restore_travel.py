"""Clips of a file with their way over the ground, or without it: `gambol convert --restore-travel` and `--in-place`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import AssetError, MissingPart
from gambol.files.asset import Asset, export_clips
from gambol.files.formats import check_target
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
class MovedClip:
    """One clip that was written, for the report."""

    name: str
    speed: float
    """How fast the body goes, metres per second."""
    slip: float | None
    """How far a standing foot slips, as a share of the stride; None on the spot."""


def change_travel(
    asset: Asset, out: str | Path, *, restore: bool, in_place: bool, clip: str | None = None, fps: float = 30.0
) -> tuple[MovedClip, ...]:
    """Write the asset with further clips: NAME_travel goes over the ground with planted feet, NAME_in_place does not.

    Without `clip`, `restore` takes all clips whose names say walk, run, gallop, ..., and `in_place` all that travel.
    """
    check_one_way(restore, in_place)
    check_target(out)
    to = "travel" if restore else "in_place"
    character, anatomy = asset.character, find_anatomy(asset.character)
    chosen = [asset.clip(clip)] if clip is not None else [c for c in asset.clips if _fits(c.name, to)]
    read = [replace(clip_with_feet(character, c, anatomy, fps=fps), name=c.name.split("|")[-1]) for c in chosen]
    if clip is None and to == "in_place":
        read = [c for c in read if _way(c) > MIN_TRAVEL * character.size]
    if not read:
        wanted = "is named walk, run, gallop, ..." if to == "travel" else "travels"
        raise MissingPart(f"{asset.path.name} has no clip that {wanted}. Say which to change, as in --clip NAME.")
    moved = [restore_travel_and_lock_feet(character, c, anatomy) if to == "travel" else remove_travel(c) for c in read]
    moved = [replace(c, name=f"{c.name}_{to}") for c in moved]
    export_clips(asset, tuple(moved), out)
    return tuple(_facts(character, anatomy, c) for c in moved)


def check_one_way(restore: bool, in_place: bool) -> None:
    """Raise where both are asked for."""
    if restore and in_place:
        both = "--restore-travel and --in-place exclude each other"
        raise AssetError(f"{both}: one gives a clip its way over the ground, the other takes it out. Choose one.")


def _fits(name: str, to: str) -> bool:
    return to == "in_place" or GAIT_NAMES.search(name) is not None


def _way(clip: Clip) -> float:
    path = ground_path(clip)
    return float(np.linalg.norm(path[-1] - path[0]))


def _facts(character: Character, anatomy: Anatomy, clip: Clip) -> MovedClip:
    speed = _way(clip) / max(clip.duration, 1.0 / clip.fps)
    going = _way(clip) > MIN_TRAVEL * character.size
    return MovedClip(clip.name, speed, stance_slip(character, clip, anatomy).share if going else None)
