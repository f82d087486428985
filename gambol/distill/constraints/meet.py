"""Meet all constraints in a finished clip, one kind after the other, the exact ones last.

Frozen limbs, then path and speed over the ground, held limbs, key poses, where the head looks, and pins. Each changes
the clip near what it demands only, and feet that stand stay.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.falloff import Change, apply_change, change_of, spread_change
from gambol.distill.constraints.frame_ik import GoalBody, goal_body
from gambol.distill.constraints.frames_between import span_frames
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.hold import Hold
from gambol.distill.constraints.lay_on_path import follow_course, follow_speed
from gambol.distill.constraints.limb_names import chosen_joints, head_chain
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.path_over_ground import GroundPath
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.pose_key import PoseKey
from gambol.distill.constraints.retime import sample_clip
from gambol.distill.constraints.speed import Speed
from gambol.distill.constraints.standing_feet import Feet, find_feet, keep_feet
from gambol.distill.post_processing import lock_feet_to_ground
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import typical_leg_length
from gambol.poses.inverse_kinematics import find_handle_point

FADE_FRAMES = 6.0
"""Time over which a change fades in and out, frames at the body's natural rate: 0.37 s for a person."""
FADE_FRAMES_PER_TURN = 5.0
"""How many frames longer that is for each radian that a joint turns."""


@dataclass(frozen=True)
class ConstrainedClip:
    """A clip whose constraints are met, and what is known of it."""

    character: Character
    """The character."""
    anatomy: Anatomy
    """What each bone is."""
    body: GoalBody
    """Its measures for inverse kinematics."""
    clip: Clip
    """The clip so far."""
    feet: Feet | None
    """When feet stand; None for a body without feet."""
    frozen: Bool[ndarray, "frames bones"]
    """Joints that may not turn."""
    period: int | None
    """Frames of a cycle, for loops."""
    leg: float
    """Typical length of a leg, metres."""

    @property
    def tick(self) -> float:
        """Frames of the clip in one frame at the body's natural rate."""
        return self.clip.fps / natural_frame_rate(self.leg)

    def fade(self, turn: float) -> float:
        """How many frames a change takes to fade whose largest turn is so many radians."""
        return self.tick * (FADE_FRAMES + FADE_FRAMES_PER_TURN * min(turn, 2.0))

    def spread(self, change: Change) -> Float[ndarray, "frames numbers"]:
        """A change of some frames, spread over the frames around them."""
        turns = np.linalg.norm(change.values[:, 3:].reshape(len(change.frames), -1, 3), axis=-1).max(1)
        moves = np.linalg.norm(change.values[:, :3], axis=1) / (0.5 * self.body.size)
        widths = np.full(len(self.clip), self.fade(0.0))
        widths[change.frames] = [self.fade(size) for size in np.maximum(turns, moves)]
        return spread_change(change, len(self.clip), widths, period=self.period)


def meet_constraints(
    character: Character,
    anatomy: Anatomy,
    clip: Clip,
    constraints: tuple[MotionConstraint, ...],
    *,
    loop: bool | None = None,
) -> Clip:
    """The nearest clip that meets the constraints, as closely as the body can; those after its end are left out.

    In a loop they act in every cycle; None: a clip whose last pose is exactly its first is one.
    """
    from gambol.distill.constraints.meet_pins import meet_looks, meet_pins

    inside = [one for one in constraints if first_time(one) <= clip.duration + 0.5 / clip.fps]
    if len(clip) < 2 or not inside:
        return clip
    if loop is None:
        loop = bool(np.array_equal(clip.angles[0], clip.angles[-1]) and np.ptp(clip.angles, axis=0).any())
    scene = make_scene(character, anatomy, clip, loop=loop)
    for one in inside:
        if isinstance(one, Freeze):
            scene = meet_freeze(scene, one)
    courses = [one for one in inside if isinstance(one, GroundPath | Speed)]
    for course in sorted(courses, key=lambda one: isinstance(one, GroundPath)):  # a speed would stretch the path
        scene = meet_course(scene, course)
    for one in inside:
        if isinstance(one, Hold):
            scene = meet_hold(scene, one)
    keys = [one for one in inside if isinstance(one, PoseKey)]
    scene = meet_poses(scene, keys) if keys else scene
    looks = [one for one in inside if isinstance(one, LookAt)]
    scene = meet_looks(scene, looks) if looks else scene
    pins = [one for one in inside if isinstance(one, Pin)]
    if pins:
        scene = meet_pins(scene, pins)
        for one in inside:  # a limb is held where the pin has put it
            scene = meet_hold(scene, one) if isinstance(one, Hold) else scene
        scene = meet_looks(scene, looks) if looks and not pins_head(scene, pins) else scene
    return scene.clip


def pins_head(scene: ConstrainedClip, pins: list[Pin]) -> bool:
    """Whether a pin holds what the head carries, which would move if the head turned."""
    neck = head_chain(scene.body.skeleton, scene.anatomy)[0]
    return any(scene.body.ancestors[find_handle_point(scene.body.skeleton, pin.joint)[0], neck] for pin in pins)


def first_time(constraint: MotionConstraint) -> float:
    """When a constraint first demands something, seconds."""
    if isinstance(constraint, Pin):
        return constraint.span[0]
    if isinstance(constraint, PoseKey):
        return constraint.time
    interval = getattr(constraint, "interval", None)
    return 0.0 if interval is None else float(interval[0])


def make_scene(character: Character, anatomy: Anatomy, clip: Clip, *, loop: bool = False) -> ConstrainedClip:
    """Stances, limits and measures of a clip."""
    body = goal_body(character, anatomy)
    frozen = np.zeros((len(clip), len(body.skeleton)), bool)
    feet, leg = find_feet(character, clip, anatomy), typical_leg_length(character, anatomy)
    return ConstrainedClip(character, anatomy, body, clip, feet, frozen, len(clip) - 1 if loop else None, leg)


def meet_freeze(scene: ConstrainedClip, freeze: Freeze) -> ConstrainedClip:
    """Joints take the angles of the source over its spans; around them the difference fades."""
    clip, source = scene.clip, freeze.found.clip
    chosen = chosen_joints(scene.body.skeleton, scene.anatomy, freeze.limbs)
    frozen, frames = scene.frozen.copy(), np.zeros(len(clip), bool)
    for first, last in freeze.frozen_spans(clip.duration):
        frames[span_frames((first, last), len(clip), clip.fps)] = True
    if not frames.any():
        return scene
    frozen |= frames[:, None] & chosen
    at = np.flatnonzero(frames)
    taken = sample_clip(source, np.minimum(at / clip.fps * source.fps, len(source) - 1.0))
    wanted = replace(clip, root=clip.root[at], angles=np.where(chosen[1:, None], taken.angles, clip.angles[at]))
    values = scene.spread(change_of(clip, at, wanted))
    moved = apply_change(clip, values)
    angles = moved.angles.copy()
    angles[at] = wanted.angles
    return replace(scene, clip=replace(moved, angles=angles), frozen=frozen)


def meet_course(scene: ConstrainedClip, course: GroundPath | Speed) -> ConstrainedClip:
    """Lay the clip along a path or give it a speed, and lock its feet anew."""
    stances = scene.feet.stances if scene.feet is not None else None
    if isinstance(course, GroundPath):
        clip, stances = follow_course(
            scene.clip, stances, course, scene.body.size, scene.body.skeleton.heads[0, [0, 2]]
        )
    else:
        clip, stances = follow_speed(scene.clip, stances, course, scene.body.size)
    if scene.feet is None or stances is None:
        return replace(scene, clip=clip)
    locked = lock_feet_to_ground(scene.character, clip, scene.anatomy, stances)
    locked = keep_frozen(scene, clip, locked)
    return replace(scene, clip=locked, feet=replace(scene.feet, stances=stances))


def keep_frozen(scene: ConstrainedClip, before: Clip, after: Clip) -> Clip:
    """The clip `after`, with the frozen joints of `before`."""
    frozen = scene.frozen[:, 1:, None]
    return replace(after, angles=np.where(frozen, before.angles, after.angles)) if frozen.any() else after


def meet_hold(scene: ConstrainedClip, hold: Hold) -> ConstrainedClip:
    """Joints keep the angles that they have at the start of the interval; feet of held legs are left to them."""
    clip = scene.clip
    chosen = chosen_joints(scene.body.skeleton, scene.anatomy, hold.limbs)
    at = span_frames(hold.interval, len(clip), clip.fps)
    still = chosen[1:, None] & ~scene.frozen[at][:, 1:, None]
    if not (still & (clip.angles[at] != clip.angles[at[0]])).any():
        return scene
    wanted = replace(clip, root=clip.root[at], angles=np.where(still, clip.angles[at[0]], clip.angles[at]))
    values = scene.spread(change_of(clip, at, wanted))
    moved = apply_change(clip, values)
    angles = moved.angles.copy()
    angles[at] = wanted.angles
    return replace(scene, clip=replace(moved, angles=angles))


def meet_poses(scene: ConstrainedClip, keys: list[PoseKey]) -> ConstrainedClip:
    """The body takes key poses; the feet are kept as far as the keys leave them."""
    clip = scene.clip
    frames = np.array([int(span_frames((key.time, key.time), len(clip), clip.fps)[0]) for key in keys])
    order = np.argsort(frames, kind="stable")
    frames, keys = frames[order], [keys[k] for k in order]
    root, angles = clip.root[frames].copy(), np.stack([key.found.angles[0] for key in keys])
    root[:, [1, 4, 5]] = np.stack([key.found.root[0, [1, 4, 5]] for key in keys])
    angles = np.where(scene.frozen[frames][:, 1:, None], clip.angles[frames], angles)
    wanted = replace(clip, root=root, angles=angles)
    change = change_of(clip, frames, wanted)
    moved = apply_change(clip, scene.spread(change))
    if scene.feet is not None:
        marks = Change(frames, np.ones((len(frames), 3 + 3 * len(scene.body.skeleton))))
        turned = np.linalg.norm(change.values[:, 3:].reshape(len(frames), -1, 3), axis=-1).max(1)
        widths = np.full(len(clip), scene.fade(float(turned.max())))
        near = spread_change(marks, len(clip), widths, period=scene.period)[:, 0]
        share = np.broadcast_to(1.0 - np.clip(near, 0.0, 1.0), (len(scene.feet.chains), len(clip)))
        moved = keep_frozen(scene, moved, keep_feet(scene.body, scene.feet, clip, moved, share))
    exact = moved.angles.copy()
    exact[frames] = angles
    moved = replace(moved, angles=exact)
    moved.root[frames] = root
    return replace(scene, clip=moved)
