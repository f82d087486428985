"""Constraints of a request made ready for a character: poses and clips that are named are looked up, all is checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from gambol.app.pose import POSE_CLIP_FPS, find_pose, make_poser
from gambol.app.pose_arguments import parse_pose
from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.distill.constraints import (
    ConstraintReport,
    Freeze,
    MotionConstraint,
    PoseKey,
    check_constraints,
    read_constraint,
    report_constraints,
)
from gambol.distill.constraints.freeze import FrozenSource
from gambol.distill.constraints.frozen_keys import copy_frozen_keys, frozen_nodes
from gambol.distill.losses.loss import Loss
from gambol.errors import ConfigError
from gambol.files.asset import Asset, load
from gambol.files.formats import READABLE
from gambol.motion.clip import Clip
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.reduce_keys import reduce_keys
from gambol.poses.pose_parameters import clip_from_parameters

SOURCE_FPS = 60.0
"""Frames per second that the clip of frozen limbs is read at."""


def read_constraints(data: Sequence[Mapping[str, Any]]) -> tuple[MotionConstraint, ...]:
    """Constraints from plain data, as request files and the command line give them."""
    return tuple(read_constraint(one, f"constraints[{k}]") for k, one in enumerate(data))


def find_constraints(asset: Asset, constraints: Sequence[Loss], *, seconds: float | None = None) -> tuple[Loss, ...]:
    """The constraints with the poses and clips that they name; what cannot be met by any motion is refused.

    `seconds` is the length of the clip, None where it is not known yet.
    """
    if not any(isinstance(one, MotionConstraint) for one in constraints):
        return tuple(constraints)
    found = []
    for one in constraints:
        if isinstance(one, PoseKey) and one.angles is None:
            one = replace(one, angles=named_pose(asset, str(one.pose)))
        elif isinstance(one, Freeze) and one.source is None:
            one = replace(one, source=frozen_source(asset, one.clip))
        found.append(one)
    check_constraints(asset.character, find_anatomy(asset.character), found, seconds=seconds)
    return tuple(found)


def named_pose(asset: Asset, name: str) -> Clip:
    """A pose as a clip of one frame: rest, sample:SEED, CLIP:FRAME of the character, or FILE:FRAME of another file.

    FILE is a file of the same skeleton; its last clip is meant, and without FRAME its first pose.
    """
    stem, colon, number = name.rpartition(":")
    path = Path(stem if colon and number.isdigit() else name)
    if path.suffix.lower() in READABLE:
        return _pose_of_file(asset, path, int(number) if colon and number.isdigit() else 0)
    named = parse_pose(name)
    if named.kind == "clip":
        clip, _ = clip_from_nodes(asset.character, asset.clip(named.clip), fps=POSE_CLIP_FPS)
        return _frame(clip, named.number or 0)
    if named.kind == "rest":
        joints = len(asset.character.require_skeleton()) - 1
        return Clip("rest", POSE_CLIP_FPS, np.zeros((1, 6)), np.zeros((1, joints, 3)))
    poser = make_poser(asset)
    return clip_from_parameters(poser.space.rig, find_pose(poser, name), name, POSE_CLIP_FPS)


def _pose_of_file(asset: Asset, path: Path, frame: int) -> Clip:
    other = load(path, scale=asset.character.placement.scale, facing=asset.character.placement.facing)
    if other.character.require_skeleton().names != asset.character.require_skeleton().names:
        raise ConfigError(f"The pose of {path.name} is of another skeleton; retarget its clip first: gambol retarget.")
    if not other.clips:
        raise ConfigError(f"{path.name} has no clips, so no pose; write rest, sample:SEED or CLIP:FRAME.")
    return _frame(clip_from_nodes(other.character, other.clips[-1], fps=POSE_CLIP_FPS)[0], frame)


def _frame(clip: Clip, frame: int) -> Clip:
    if not 0 <= frame < len(clip):
        raise ConfigError(
            f"The clip '{clip.name}' has the frames 0 to {len(clip) - 1} at {clip.fps:g} per second, not {frame}."
        )
    return replace(clip, root=clip.root[[frame]], angles=clip.angles[[frame]])


def frozen_source(asset: Asset, name: str) -> FrozenSource:
    """The clip that limbs are taken from; its time 0 is the file's, before its first key it holds its first pose."""
    node_clip = asset.clip(name)
    clip, _ = clip_from_nodes(asset.character, node_clip, fps=SOURCE_FPS)
    which = np.maximum(np.arange(-round(node_clip.start * SOURCE_FPS), len(clip)), 0)
    return FrozenSource(replace(clip, root=clip.root[which], angles=clip.angles[which]), node_clip)


def change_keys(asset: Asset, constraints: Sequence[Loss], clip: NodeClip, *, reduce: bool) -> NodeClip:
    """The keys that are written: few ones where that is asked for; frozen limbs keep those of their source."""
    freezes = [one for one in constraints if isinstance(one, Freeze)]
    size = asset.character.size / asset.character.placement.scale
    if not freezes:
        return reduce_keys(clip, size) if reduce else clip
    anatomy = find_anatomy(asset.character)
    copied = copy_frozen_keys(asset.character, anatomy, clip, freezes)
    if not reduce:
        return copied
    still = set().union(*(frozen_nodes(asset.character, anatomy, freeze) for freeze in freezes))
    fewer = reduce_keys(replace(copied, channels=tuple(c for c in copied.channels if c.node not in still)), size)
    return replace(copied, channels=(*fewer.channels, *(c for c in copied.channels if c.node in still)))


def constraint_reports(
    asset: Asset, clip: Clip, constraints: Sequence[Loss], *, anatomy: Anatomy | None = None
) -> tuple[ConstraintReport, ...]:
    """How closely a finished clip meets the constraints that `find_constraints` made ready."""
    if not any(isinstance(one, MotionConstraint) for one in constraints):
        return ()
    return report_constraints(asset.character, anatomy or find_anatomy(asset.character), clip, constraints)


def report_data(reports: Sequence[ConstraintReport]) -> list[dict[str, Any]]:
    """Reports as metrics.json has them."""
    return [{k: v for k, v in asdict(one).items() if v is not None and v != ""} for one in reports]
