"""The verb `retarget`: a clip of one file on the character of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.app.convert_travel import check_travel_options
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import MissingPart
from gambol.files.asset import Asset, export_clip, load
from gambol.files.formats import check_target, refuse_input
from gambol.motion.clip import Clip
from gambol.motion.feet import travel
from gambol.motion.feet.contacts import StanceSlip, clip_stances, stance_slip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.soles import find_soles
from gambol.motion.node_clip import NodeClip
from gambol.motion.retarget.retarget import carried_stances, retarget_clip
from gambol.motion.root_trajectory import rotate_on_ground


@dataclass(frozen=True)
class Retargeted:
    """A clip on another character, and how well its feet stand."""

    clip: Clip
    """The clip for the target character."""
    slip: StanceSlip | None
    """How far the standing feet slip on the target; None for bodies without feet."""
    path: Path | None
    """The file that was written; None where no `output` was given."""
    warnings: tuple[str, ...] = ()
    """What was noticed while files were read."""


def retarget(
    motion: str | Path | Asset,
    target: str | Path | Asset,
    *,
    clip: str | None = None,
    output: str | Path | None = None,
    restore_travel: bool = False,
    in_place: bool = False,
    keep_place: bool = False,
    fps: float = 30.0,
    character: str | None = None,
) -> Retargeted:
    """Move a clip of `motion` to another character of the same kind, by anatomy, and write it where `output` is given.

    `motion` and `target` are files or what `gambol.load` returns. `clip` names the clip and may be left out where
    `motion` has only one. `restore_travel` gives an in-place clip root travel first; `in_place` removes root travel.
    The clip starts where the target stands and faces, unless `keep_place` is set. `output` gets a copy of the target's
    file with one more animation. `character` names one of several characters in the target's file.
    """
    check_travel_options(restore_travel=restore_travel, in_place=in_place)
    if output is not None:
        check_target(output)
    source = motion if isinstance(motion, Asset) else load(motion)
    node_clip = _chosen(source, clip)
    target = target if isinstance(target, Asset) else load(target, character=character)
    if target.character.skeleton is None:
        raise MissingPart(f"{target.path.name} has no skeleton to move; a clip needs a rigged character.")
    if source.character.skeleton is None:
        raise MissingPart(f"{source.path.name} has no skeleton, so its clip cannot be moved to another character.")
    if output is not None:
        refuse_input(Path(output), source.path, target.path)
    anatomies = find_anatomy(source.character), find_anatomy(target.character)
    original = clip_with_feet(source.character, node_clip, anatomies[0], fps=fps)
    if restore_travel:
        original = travel.restore_travel(source.character, original, anatomies[0], ground=True)
    moved = retarget_clip(original, source.character, anatomies[0], target.character, anatomies[1])
    slip = contact_slip(original, source.character, anatomies[0], moved, target.character, anatomies[1])
    moved = travel.remove_travel(moved) if in_place else moved
    moved = moved if keep_place else start_at_rest(moved)
    moved = replace(moved, name=node_clip.name.split("|")[-1])
    path = export_clip(target, moved, output) if output is not None else None
    return Retargeted(moved, slip, path, (*source.warnings, *target.warnings))


def contact_slip(
    clip: Clip, source: Character, source_anatomy: Anatomy, moved: Clip, target: Character, anatomy: Anatomy
) -> StanceSlip | None:
    """How far the target's feet slip while the source's stand; None for bodies without feet and for single frames."""
    if len(clip) < 2 or not (source_anatomy.contacts.any() and anatomy.contacts.any()):
        return None
    _, stances = clip_stances(source, clip, source_anatomy)
    carried = carried_stances(stances, find_soles(source, source_anatomy), find_soles(target, anatomy))
    return stance_slip(target, moved, anatomy, stances=carried)


def start_at_rest(clip: Clip) -> Clip:
    """Rotate and shift a clip as a whole, so that it starts above the rest position and faces ahead there."""
    heading = np.full(len(clip), -clip.root[0, 3])
    first = rotate_on_ground(clip.root[:1, [0, 2]], heading[:1])[0]
    return travel.add_travel(clip, travel.Travel(np.broadcast_to(-first, (len(clip), 2)), heading))


def _chosen(source: Asset, name: str | None) -> NodeClip:
    if name is not None:
        return source.clip(name)
    if len(source.clips) == 1:
        return source.clips[0]
    if not source.clips:
        raise MissingPart(f"{source.path.name} has no clips to move.")
    known = ", ".join(c.name for c in source.clips[:12]) + (" ..." if len(source.clips) > 12 else "")
    raise MissingPart(
        f"{source.path.name} has {len(source.clips)} clips: say which, as in --clip NAME. It has: {known}."
    )
