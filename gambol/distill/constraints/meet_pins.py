"""Pins and looks: inverse kinematics in the frames that demand something, faded into the frames around them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.transforms import matrix_from_quaternion
from gambol.distill.constraints.falloff import Change, apply_change, change_of, spread_change
from gambol.distill.constraints.frame_ik import Goal, PointGoal, TurnGoal, pose_frames, solve_goals
from gambol.distill.constraints.frames_between import span_frames
from gambol.distill.constraints.limb_names import head_chain
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.meet import ConstrainedClip, keep_frozen
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.retime import own_speed
from gambol.distill.constraints.standing_feet import foot_goals, keep_feet
from gambol.distill.post_processing import lock_feet_to_ground
from gambol.motion.chosen_travel import MIN_TRAVEL_SPEED
from gambol.motion.gravity import EARTH_GRAVITY
from gambol.motion.root_trajectory import rotate_on_ground, swayless_path
from gambol.poses.inverse_kinematics import find_handle_point

FAR_SHIFT = 0.25
"""By how much the root has to move over the ground for a pin before the way of the whole body is bent, leg lengths."""
BEND_FROUDE = 0.12
"""Speed that bending the way may add, as a share of sqrt(g leg); at least, and beyond it a share of the own speed."""
BEND_SPEED_SHARE = 0.5
"""Share of the body's own speed that bending the way may add."""
PIN_ROUNDS = 6
"""How often the body is moved and its feet put back, since each disturbs the other."""
PIN_DONE = 2e-3
"""A pin this close is left to the last projection, sizes."""


def meet_looks(scene: ConstrainedClip, looks: list[LookAt]) -> ConstrainedClip:
    """Turn head and neck so that the face points at targets, as far as their joints allow."""
    skeleton, clip = scene.body.skeleton, scene.clip
    chain = head_chain(skeleton, scene.anatomy)
    turns = np.zeros(len(skeleton), bool)
    turns[list(chain)] = True
    face = skeleton.T_world_rest[chain[-1], 0, :3]
    spans = [look.interval or (0.0, clip.duration) for look in looks]
    each = [span_frames(span, len(clip), clip.fps) for span in spans]
    frames = np.unique(np.concatenate(each))
    changed = replace(clip, root=clip.root[frames], angles=clip.angles[frames])
    for _ in range(2):  # the head's place changes a little as it turns
        T = pose_frames(scene.body, changed)
        goals: list[Goal] = []
        for look, own in zip(looks, each, strict=True):
            wanted = np.array(look.target) - T[:, chain[-1], :3, 3]
            R = np.zeros((len(frames), 3, 3))
            R[..., 0] = wanted / np.maximum(np.linalg.norm(wanted, axis=1, keepdims=True), 1e-9)
            goals.append(TurnGoal(chain[-1], R, np.isin(frames, own), axis=face))
        may = ~scene.frozen[frames]
        changed = solve_goals(scene.body, clip, frames, tuple(goals), turns, root_moves=False, may_turn=may)
    return replace(scene, clip=apply_change(clip, scene.spread(change_of(clip, frames, changed))))


def meet_pins(scene: ConstrainedClip, pins: list[Pin]) -> ConstrainedClip:
    """Bring pinned joints to their places: bend the way, move the body, turn the limb alone last."""
    spans = [span_frames(pin.span, len(scene.clip), scene.clip.fps) for pin in pins]
    if scene.period is not None:
        spans = [np.unique(np.minimum(span, scene.period) % scene.period) for span in spans]
    frames = np.unique(np.concatenate(spans))
    goals = pin_goals(scene, pins, spans, frames)
    pinned = {find_handle_point(scene.body.skeleton, pin.joint)[0] for pin in pins}
    scene = bend_way(scene, frames, goals, pinned)
    before, share = scene.clip, free_feet(scene, pins, spans)
    legs = {joint for chain in (scene.feet.chains if scene.feet else ()) for joint in chain.joints}
    for _ in range(PIN_ROUNDS):
        if misses(scene, frames, goals) < PIN_DONE:
            break
        soft = [] if scene.feet is None else foot_goals(scene.body, before, frames, scene.feet, share > 0.5)
        turns = above(scene, pinned | (legs if soft else set()))
        scene = move(scene, frames, (*goals, *soft), turns, root_moves=True, reluctant=~own_limbs(scene, pinned))
        if scene.feet is not None and share.any():
            kept = keep_feet(scene.body, scene.feet, before, scene.clip, share)
            scene = replace(scene, clip=keep_frozen(scene, scene.clip, kept))
    for _ in range(2):
        scene = move(scene, frames, goals, own_limbs(scene, pinned), root_moves=0 in pinned)
    return close_seam(scene)


def close_seam(scene: ConstrainedClip) -> ConstrainedClip:
    """A loop ends with the pose that it begins with."""
    if scene.period is None:
        return scene
    root, angles = scene.clip.root.copy(), scene.clip.angles.copy()
    root[-1, [1, 4, 5]], angles[-1] = root[0, [1, 4, 5]], angles[0]
    return replace(scene, clip=replace(scene.clip, root=root, angles=angles))


def pin_goals(
    scene: ConstrainedClip, pins: list[Pin], spans: list[Int[ndarray, "_span"]], frames: Int[ndarray, "chosen"]
) -> tuple[Goal, ...]:
    """What pins demand in the chosen frames."""
    skeleton = scene.body.skeleton
    goals: list[Goal] = []
    for pin, span in zip(pins, spans, strict=True):
        bone, at_end = find_handle_point(skeleton, pin.joint)
        T_rest = skeleton.T_world_rest[bone]
        rest = skeleton.tails[bone] if at_end else skeleton.heads[bone]
        counts = np.isin(frames, span)
        targets = np.tile(np.array(pin.position), (len(frames), 1))
        goals.append(PointGoal(bone, T_rest[:3, :3].T @ (rest - T_rest[:3, 3]), targets, counts))
        if pin.orientation is not None:
            R = matrix_from_quaternion(np.array(pin.orientation)) @ T_rest[:3, :3]
            goals.append(TurnGoal(bone, np.tile(R, (len(frames), 1, 1)), counts))
    return tuple(goals)


def above(scene: ConstrainedClip, bones: set[int]) -> Bool[ndarray, "bones"]:
    """Bones and all bones above them."""
    return scene.body.ancestors[sorted(bones)].any(0)


def own_limbs(scene: ConstrainedClip, bones: set[int]) -> Bool[ndarray, "bones"]:
    """The joints of each bone's own limb, from the body to the bone; for the trunk, all joints above the bone."""
    chosen, parts = np.zeros(len(scene.body.skeleton), bool), scene.anatomy.parts
    for bone in bones:
        chain = scene.body.ancestors[bone].copy()
        if parts[bone] is not BodyPart.TORSO:
            chain &= np.array([part is not BodyPart.TORSO for part in parts])
            chain[0] = False
        chosen |= chain
    return chosen


def move(
    scene: ConstrainedClip,
    frames: Int[ndarray, "chosen"],
    goals: tuple[Goal, ...],
    turns: ndarray,
    *,
    root_moves: bool,
    reluctant: ndarray | None = None,
) -> ConstrainedClip:
    """Solve for the goals in their frames, and fade the change into the frames around."""
    may = ~scene.frozen[frames]
    changed = solve_goals(
        scene.body, scene.clip, frames, goals, turns, root_moves=root_moves, may_turn=may, reluctant=reluctant
    )
    change = change_of(scene.clip, frames, changed)
    values = scene.spread(change)
    values[:, 3:] *= np.repeat(~scene.frozen, 3, axis=1)
    return replace(scene, clip=apply_change(scene.clip, values))


def misses(scene: ConstrainedClip, frames: Int[ndarray, "chosen"], goals: tuple[Goal, ...]) -> float:
    """Largest distance of a pinned point from its place, sizes; turns count in radians."""
    from gambol.distill.constraints.frame_ik import turn_error

    part = replace(scene.clip, root=scene.clip.root[frames], angles=scene.clip.angles[frames])
    T, worst = pose_frames(scene.body, part), 0.0
    for goal in goals:
        R = T[:, goal.bone, :3, :3]
        if isinstance(goal, PointGoal):
            off = np.linalg.norm(R @ goal.point + T[:, goal.bone, :3, 3] - goal.targets, axis=1) / scene.body.size
        else:
            off = np.linalg.norm(turn_error(goal, R)[0], axis=1)
        worst = max(worst, float(off[goal.counts].max(initial=0.0)))
    return worst


def free_feet(
    scene: ConstrainedClip, pins: list[Pin], spans: list[Int[ndarray, "_span"]]
) -> Float[ndarray, "feet frames"]:
    """How much each foot keeps to its own way: 0 while a pin moves it."""
    if scene.feet is None:
        return np.zeros((0, len(scene.clip)))
    share = np.ones((len(scene.feet.chains), len(scene.clip)))
    for foot, chain in enumerate(scene.feet.chains):
        for pin, span in zip(pins, spans, strict=True):
            bone = find_handle_point(scene.body.skeleton, pin.joint)[0]
            if scene.body.ancestors[bone, chain.joints[-1]] or bone in chain.joints:
                marks = Change(span, np.ones((len(span), 3)))
                near = spread_change(marks, len(scene.clip), 2.0 * scene.fade(1.0), period=scene.period)[:, 0]
                share[foot] = np.minimum(share[foot], 1.0 - np.clip(4.0 * near, 0.0, 1.0))
    return share


def bend_way(
    scene: ConstrainedClip, frames: Int[ndarray, "chosen"], goals: tuple[Goal, ...], pinned: set[int]
) -> ConstrainedClip:
    """Move the body's way over the ground where a pin is too far from it for the limbs; the feet are locked anew."""
    changed = solve_goals(scene.body, scene.clip, frames, goals, above(scene, pinned), root_moves=True)
    shift = (changed.root - scene.clip.root[frames])[:, [0, 2]]
    far = np.linalg.norm(shift, axis=1)
    if far.max() < FAR_SHIFT * scene.leg:
        return scene
    own = own_speed(scene.clip)
    added = BEND_FROUDE * np.sqrt(EARTH_GRAVITY * scene.leg) + BEND_SPEED_SHARE * own
    widths = np.full(len(scene.clip), scene.fade(0.0))
    widths[frames] = np.maximum(1.9 * far / added * scene.clip.fps, scene.fade(0.0))
    shifts = spread_change(Change(frames, shift), len(scene.clip), widths, period=scene.period)
    root = scene.clip.root.copy()
    root[:, [0, 2]] += shifts
    if own > MIN_TRAVEL_SPEED * scene.body.size:
        root[:, 3] += turned_way(swayless_path(scene.clip), shifts)
    bent = replace(scene.clip, root=root)
    if scene.feet is not None:
        locked = lock_feet_to_ground(scene.character, bent, scene.anatomy, scene.feet.stances)
        bent = keep_frozen(scene, bent, locked)
    return replace(scene, clip=bent)


def turned_way(path: Float[ndarray, "frames 2"], shifts: Float[ndarray, "frames 2"]) -> Float[ndarray, "frames"]:
    """By how much the direction of a way turns to the left where it is shifted, radians."""
    ahead = np.gradient(path, axis=0)
    usual = float(np.linalg.norm(ahead, axis=1).mean())
    slow = np.maximum(usual / np.maximum(np.linalg.norm(ahead, axis=1), 1e-12), 1.0)[:, None]
    ahead = ahead * slow
    new = ahead + np.gradient(shifts, axis=0)
    heading = np.arctan2(-ahead[:, 1], ahead[:, 0])
    relative = rotate_on_ground(new, -heading)
    return np.arctan2(-relative[:, 1], np.maximum(relative[:, 0], 0.3 * usual))
