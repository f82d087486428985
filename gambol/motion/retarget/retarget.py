"""Move a clip from one character to another of the same kind, whatever its bones, proportions and rest pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.transforms import nearest_rotation
from gambol.motion.clip import Clip, clip_from_matrices
from gambol.motion.feet.contacts import Stances, body_motion, find_stances, track_feet
from gambol.motion.feet.foot_lock import FootLockConfig, FootTargets, move_feet, pad_loop
from gambol.motion.feet.soles import Sole, find_soles
from gambol.motion.feet.travel import standing_height
from gambol.motion.kinematics import pose_clip
from gambol.motion.retarget.arm_clearance import arm_depths, clear_arms, two_bone_arms
from gambol.motion.retarget.body_match import BodyPlan, BoneMatch, body_plan, check_same_kind, match_bones
from gambol.motion.root_trajectory import loop_frames

RETARGET_FOOT_LOCK = FootLockConfig(tilt=True)
"""Foot lock for feet of other proportions: they tilt where they would go through the ground."""


def retarget_clip(
    clip: Clip,
    source: Character,
    source_anatomy: Anatomy,
    target: Character,
    target_anatomy: Anatomy,
    *,
    lock_feet: bool = True,
    config: FootLockConfig = RETARGET_FOOT_LOCK,
) -> Clip:
    """Move a clip of `source` to `target`: limbs take the same directions, the root path is scaled by leg length.

    R_target = D A R_rest: D what the matching bone of the source has turned away from its rest pose, A what brings the
    target's limb at rest into the direction of the source's. Feet that stand in the source stand on the ground y = 0
    here: locked, or (`lock_feet=False`) slipping as the source's do. Arms are moved out of
    a trunk that is stouter than the source's.
    """
    check_same_kind(source, source_anatomy, target, target_anatomy)
    clip.check_fits(source.require_skeleton())
    period = loop_frames(clip)
    whole, real = (clip, np.arange(len(clip))) if period is None else pad_loop(clip, period)
    plans = body_plan(source, source_anatomy), body_plan(target, target_anatomy)
    match = match_bones(source, plans[0], target, plans[1])
    moved = _with_rotations(whole, source, target, match)
    scale = leg_ratio(source, plans[0], target, plans[1])
    depths = arm_depths(whole, source, source_anatomy, plans[0], two_bone_arms(plans[1]))
    moved = clear_arms(moved, target, target_anatomy, plans[1], {key: scale * d for key, d in depths.items()})
    moved = _with_path(moved, whole, source, target, plans, scale)
    if any(limb.contact is not None for limb in target_anatomy.limbs):
        moved = _with_feet(moved, whole, source, source_anatomy, target, target_anatomy, scale, lock_feet, config)
    return replace(moved, root=moved.root[real], angles=moved.angles[real])


def leg_ratio(source: Character, source_plan: BodyPlan, target: Character, target_plan: BodyPlan) -> float:
    """Length of the target's legs over that of the source's (hip to ankle, plus the ankle's height at rest).

    Characters without legs in common are compared by their sizes.
    """
    shared = [k for k in target_plan.sections if k[3] == "leg" and k in source_plan.sections]
    if not shared:
        return target.size / source.size
    ours = sum(_leg_length(target, target_plan.sections[k]) for k in shared)
    return ours / sum(_leg_length(source, source_plan.sections[k]) for k in shared)


def _leg_length(character: Character, bones: tuple[int, ...]) -> float:
    skeleton = character.require_skeleton()
    ends = np.concatenate([skeleton.heads[list(bones)], skeleton.tails[[bones[-1]]]])
    return float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum() + max(ends[-1, 1], 0.0))


def _with_rotations(clip: Clip, source: Character, target: Character, match: BoneMatch) -> Clip:
    """The target's clip with all joints turned and the root where it rests."""
    skeleton = target.require_skeleton()
    away = turns_from_rest(source, clip)
    R_rest = skeleton.T_world_rest[:, :3, :3]
    R_world = np.empty((len(clip), len(skeleton), 3, 3))
    for bone, parent in enumerate(skeleton.parents):
        if match.first[bone] < 0:
            R_world[:, bone] = R_world[:, parent] @ R_rest[parent].T @ R_rest[bone]
            continue
        a, b, u = away[:, match.first[bone]], away[:, match.second[bone]], match.mix[bone]
        turn = a if u == 0 else nearest_rotation((1.0 - u) * a + u * b)
        R_world[:, bone] = turn @ match.align[bone] @ R_rest[bone]
    joint = np.swapaxes(skeleton.T_parent_rest[:, :3, :3], -1, -2) @ skeleton.local_rotations(R_world)
    return clip_from_matrices(clip.name, clip.fps, np.zeros((len(clip), 3)), joint)[0]


def turns_from_rest(character: Character, clip: Clip) -> Float[ndarray, "frames bones 3 3"]:
    """D = R_world_bone R_world_rest^T: how far each bone has turned away from rest, in the axes of the world."""
    skeleton = character.require_skeleton()
    return pose_clip(skeleton, clip)[..., :3, :3] @ np.swapaxes(skeleton.T_world_rest[:, :3, :3], -1, -2)


def _with_path(
    moved: Clip, clip: Clip, source: Character, target: Character, plans: tuple[BodyPlan, BodyPlan], scale: float
) -> Clip:
    """Put the middle of the hips where the source's is, scaled about where it rests; its height about the ground."""
    ours, theirs = _hips(plans[1]), _hips(plans[0])
    rest, other = target.require_skeleton().heads[ours].mean(0), source.require_skeleton().heads[theirs].mean(0)
    hips = pose_clip(source.require_skeleton(), clip)[:, theirs][..., :3, 3].mean(1)
    wanted = scale * (hips - other) + rest
    wanted[:, 1] = scale * hips[:, 1]
    now = pose_clip(target.require_skeleton(), moved)[:, ours][..., :3, 3].mean(1)
    root = moved.root.copy()
    root[:, :3] += wanted - now
    return replace(moved, root=root)


def _hips(plan: BodyPlan) -> list[int]:
    legs = [bones[0] for (_, _, _, name), bones in plan.sections.items() if name == "leg"]
    return legs or [plan.pelvis]


def _with_feet(
    moved: Clip,
    clip: Clip,
    source: Character,
    source_anatomy: Anatomy,
    target: Character,
    target_anatomy: Anatomy,
    scale: float,
    lock: bool,
    config: FootLockConfig,
) -> Clip:
    """Bring the feet to the ground where the source's stand."""
    ours, theirs = find_soles(target, target_anatomy), find_soles(source, source_anatomy)
    before = track_feet(source, clip, source_anatomy, config=config.contacts, soles=theirs)
    stances = find_stances(before, *body_motion(clip, before.leg, config.contacts), config=config.contacts)
    ground = standing_height(before, stances)
    if abs(ground) <= config.contacts.ground_band * before.leg:  # the source's feet stand on y = 0 already
        ground = 0.0
    after = track_feet(target, moved, target_anatomy, config=config.contacts, soles=ours)
    standing = carried_stances(stances, theirs, ours).standing
    steps, heights = np.zeros_like(after.steps), np.zeros_like(after.heights)
    for k, other in enumerate(matching_feet(ours, theirs)):
        if other is not None and not lock:
            steps[k] = scale * before.steps[other]
            heights[k] = scale * (before.heights[other] - ground)
    # bodies of other proportions stand too high or too low as a whole: that is not for the legs to correct
    root = moved.root.copy()
    on_ground = np.concatenate([standing, standing[:, -1:]], axis=1)
    if on_ground.any():
        root[:, 1] += np.median((heights - after.heights)[on_ground])
    wanted = FootTargets(Stances(standing, np.zeros(len(ours))), steps, heights, float(min(heights.min(), 0.0)))
    config = config if lock else replace(config, clearance=0.0)
    return move_feet(target, replace(moved, root=root), ours, wanted, config=config)


def matching_feet(ours: tuple[Sole, ...], theirs: tuple[Sole, ...]) -> list[int | None]:
    """For each foot the one of the other body that is the same: same side, same pair."""
    places = {(s.limb.part, s.limb.side, s.limb.pair): k for k, s in enumerate(theirs)}
    return [places.get((s.limb.part, s.limb.side, s.limb.pair)) for s in ours]


def carried_stances(stances: Stances, theirs: tuple[Sole, ...], ours: tuple[Sole, ...]) -> Stances:
    """The stances of the source's feet (`theirs`) for the matching feet of the target (`ours`)."""
    standing = np.zeros((len(ours), stances.standing.shape[1]), bool)
    for k, other in enumerate(matching_feet(ours, theirs)):
        if other is not None:
            standing[k] = stances.standing[other]
    return Stances(standing, np.zeros(len(ours)))
