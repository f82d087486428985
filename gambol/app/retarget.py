"""The verb `retarget`: a clip of one file on the character of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.app.restore_travel import check_travel_options
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import MissingPart
from gambol.files.asset import Asset, export_clip, load
from gambol.files.formats import check_target
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import StanceSlip, clip_stances, stance_slip
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.soles import find_soles
from gambol.motion.feet.travel import Travel, add_travel, remove_travel
from gambol.motion.feet.travel import restore_travel as find_and_add_travel
from gambol.motion.node_clip import NodeClip
from gambol.motion.retarget.retarget import carried_stances, retarget
from gambol.motion.root_trajectory import rotate_on_ground


@dataclass(frozen=True)
class RetargetReport:
    """The clip that was written, and how well its feet stand."""

    path: Path
    """The file that was written."""
    clip: Clip
    """The clip as it was written."""
    slip: StanceSlip | None
    """How far the standing feet slip on the target; None for bodies without feet."""
    warnings: tuple[str, ...] = ()
    """What was noticed while both files were read."""


def retarget_file(
    motion: str | Path,
    file: str | Path,
    output: str | Path,
    *,
    clip: str | None = None,
    restore_travel: bool = False,
    in_place: bool = False,
    keep_place: bool = False,
    fps: float = 30.0,
    character: str | None = None,
) -> RetargetReport:
    """Write the character of `file` with one more animation: a clip of `motion`, moved to its body by anatomy.

    `clip` names the clip and may be left out where `motion` has only one. `restore_travel` gives an in-place clip root
    travel first; `in_place` removes root travel. The clip starts where the character stands and faces, unless
    `keep_place` is set. `character` names one of several characters in `file`.
    """
    check_travel_options(restore_travel=restore_travel, in_place=in_place)
    check_target(output)
    source, target = load(motion), load(file, character=character)
    node_clip = _chosen(source, clip)
    if target.character.skeleton is None:
        raise MissingPart(f"{target.path.name} has no skeleton to move; a clip needs a rigged character.")
    if source.character.skeleton is None:
        raise MissingPart(f"{source.path.name} has no skeleton, so its clip cannot be moved to another character.")
    anatomies = find_anatomy(source.character), find_anatomy(target.character)
    original = clip_with_feet(source.character, node_clip, anatomies[0], fps=fps)
    if restore_travel:
        original = find_and_add_travel(source.character, original, anatomies[0], ground=True)
    moved = retarget(original, source.character, anatomies[0], target.character, anatomies[1])
    slip = contact_slip(original, source.character, anatomies[0], moved, target.character, anatomies[1])
    moved = remove_travel(moved) if in_place else moved
    moved = moved if keep_place else start_at_rest(moved)
    moved = replace(moved, name=node_clip.name.split("|")[-1])
    path = export_clip(target, moved, output)
    return RetargetReport(path, moved, slip, (*source.warnings, *target.warnings))


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
    return add_travel(clip, Travel(np.broadcast_to(-first, (len(clip), 2)), heading))


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
