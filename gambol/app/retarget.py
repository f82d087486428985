"""From a file with a clip and a file with a character to a file with both: what `gambol retarget` does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.app.restore_travel import check_one_way
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
from gambol.motion.feet.travel import Travel, add_travel, remove_travel, restore_travel
from gambol.motion.node_clip import NodeClip
from gambol.motion.retarget.retarget import carried_stances, retarget
from gambol.motion.root_trajectory import rotate_on_ground


@dataclass(frozen=True)
class Retargeted:
    """What was done, for the report."""

    clip: Clip
    """As it was written."""
    slip: StanceSlip | None
    """How far the standing feet slip on the target; None for bodies without feet."""
    path: Path


def retarget_asset(
    source_path: str | Path,
    clip_name: str | None,
    target_path: str | Path,
    out: str | Path,
    *,
    fps: float = 30.0,
    restore: bool = False,
    in_place: bool = False,
    keep_place: bool = False,
) -> Retargeted:
    """Write the target with one more clip: that of the source, moved to the target's body.

    `clip_name` may be None where the source has one clip. `restore` gives a clip that walks on the spot its way first;
    `in_place` takes the way out. The clip starts where the target stands and looks, unless `keep_place`.
    """
    check_one_way(restore, in_place)
    check_target(out)
    source, target = load(source_path), load(target_path)
    node_clip = _chosen(source, clip_name)
    if target.character.skeleton is None:
        raise MissingPart(f"{target.path.name} has no skeleton to move; a clip needs a rigged character.")
    if source.character.skeleton is None:
        raise MissingPart(f"{source.path.name} has no skeleton, so its clip cannot be moved to another character.")
    anatomies = find_anatomy(source.character), find_anatomy(target.character)
    clip = clip_with_feet(source.character, node_clip, anatomies[0], fps=fps)
    if restore:
        clip = restore_travel(source.character, clip, anatomies[0], ground=True)
    moved = retarget(clip, source.character, anatomies[0], target.character, anatomies[1])
    slip = contact_slip(clip, source.character, anatomies[0], moved, target.character, anatomies[1])
    moved = remove_travel(moved) if in_place else moved
    moved = moved if keep_place else started_at_rest(moved)
    moved = replace(moved, name=node_clip.name.split("|")[-1])
    return Retargeted(moved, slip, export_clip(target, moved, out))


def contact_slip(
    clip: Clip, source: Character, source_anatomy: Anatomy, moved: Clip, target: Character, anatomy: Anatomy
) -> StanceSlip | None:
    """How far the target's feet slip while the source's stand; None where a body has no feet or does not move."""
    if len(clip) < 2 or not (source_anatomy.contacts.any() and anatomy.contacts.any()):
        return None
    _, stances = clip_stances(source, clip, source_anatomy)
    carried = carried_stances(stances, find_soles(source, source_anatomy), find_soles(target, anatomy))
    return stance_slip(target, moved, anatomy, stances=carried)


def started_at_rest(clip: Clip) -> Clip:
    """The clip turned and shifted as a whole, so that it starts above the rest position and looks ahead there."""
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
