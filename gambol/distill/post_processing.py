"""From the optimised motion to the clip that is written: frame rate, joint limits, root travel, foot lock, path."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.distill.held_objects import lift_held_objects
from gambol.errors import ConfigError, MissingPart
from gambol.evaluate.quality_metrics import LIMIT_SLACK, SKATE_CONTACT_HEIGHT
from gambol.motion.chosen_travel import follow_path, parse_travel, set_speed
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.close_cycle import close_cycle, repeat_loop
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.contacts import ContactConfig, Stances, clip_stances, stationary_feet, track_feet
from gambol.motion.feet.foot_lock import FootLockConfig, lock_feet
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.feet.travel import TravelConfig, add_travel, find_travel, remove_travel, standing_height
from gambol.motion.rotation_splines import jumping_angles, spline_rotations
from gambol.motion.trunk_travel import add_trunk_travel

STANCE_SIGMA = 1.2
"""Standard deviation, in frames of the optimised clip, of the Gaussian that smooths a motion before stances are found.
A trembling foot moves backwards now and then and would seem to stand."""
STRIDE_SIGMA = 0.8
"""Standard deviation, in frames of the optimised clip, of the Gaussian that smooths a motion before its travel is
measured. On fitted motions of made creatures the path is then 7 % too long in walks and right in runs; with
`STANCE_SIGMA` it is right in walks and 15 % too short in runs."""
MIN_STANCE_FRAMES = 2.0
"""Shortest stance, in frames of the optimised clip: priors scale time with the body, so small bodies step faster."""
LOOP_REPETITIONS = 4
"""How often a loop is repeated while it is post-processed: the first and last cycle feel the clip's ends."""
LOCK_ROUNDS = 2
"""How often feet are locked and leg joints clamped in turn, since each disturbs the other."""
FOOT_CLEARANCE = 1.2 * SKATE_CONTACT_HEIGHT
"""Height of a swinging foot above the ground at least, sizes: more than what counts as contact."""
MAX_FOOT_LIFT = 0.3
"""By how much a swinging foot that dips into the ground is lifted at most, leg lengths."""
LIFT_FRAMES = 1.6
"""How long before and after a foot needs a lift it is blended in and out, in frames at the body's natural rate: 0.1 s
for a person, and less for small bodies, whose swings last hardly longer and would be lifted as a whole."""
LIFT_SLOPE = 0.5
"""Rise over distance at which a foot leaves the ground and comes down at least, up to `FOOT_CLEARANCE`."""


@dataclass(frozen=True)
class PostProcessing:
    """How an optimised motion becomes the clip that is written."""

    fps: float = 30.0
    """Frame rate of the clip, 1 to 240 frames per second."""
    root_travel: bool = True
    """Move the root so that standing feet stay in place; False keeps the motion's own root trajectory."""
    foot_lock: bool = True
    """Lock standing feet to the ground by inverse kinematics of the legs; needs `root_travel`."""
    limit_leg_joints: bool = True
    """Clamp the joints between hip and foot to their anatomical limits."""
    in_place: bool = False
    """Remove the root travel at the end; excludes `travel`."""
    travel: Any = None
    """Speed in m/s (the clip is played faster or slower), or a path of points (x ahead, z right) in metres; as text
    '1.2' or '0,0 2,0 3,1'. Stored as a number or as a tuple of points."""

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 240:
            raise ConfigError(f"The clip is to have {self.fps:g} frames per second; allowed is 1 to 240.")
        if self.travel is not None:
            if self.in_place:
                raise ConfigError("--in-place and --travel exclude each other: give one of them.")
            object.__setattr__(self, "travel", parse_travel(self.travel))


DEFAULT_POST_PROCESSING = PostProcessing()
"""The settings that are used where none are given."""


def post_process(
    character: Character, clip: Clip, anatomy: Anatomy, config: PostProcessing, *, travels: bool, loop: bool
) -> Clip:
    """Turn the optimised clip, at the frame rate it was optimised at, into the one that is written.

    `travels`: the clip already has its root travel; `loop`: its last pose is its first. Stances are found at the higher
    of both frame rates (a mouse's stance lasts three frames of thirty in a second); feet are locked at the last one,
    since a spline through few frames of a stance does not stand still.
    """
    if loop:
        return post_process_loop(character, clip, anatomy, config, travels=travels)
    return finish_clip(character, ground_clip(character, clip, anatomy, config, travels=travels), anatomy, config)


@dataclass(frozen=True)
class GroundedClip:
    """A clip on its way over the ground, at the frame rate at which stances are found; its feet are not yet locked."""

    clip: Clip
    """The clip with its root travel."""
    stances: Stances | None
    """When feet stand; None for a body without feet and for a clip whose travel is its own."""


def ground_clip(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    config: PostProcessing,
    *,
    travels: bool,
    turning: bool | None = None,
) -> GroundedClip:
    """Limit leg joints, find the root travel and when feet stand; `turning` as in `TravelConfig`."""
    source_fps = clip.fps
    clip = resample(clip, max(config.fps, clip.fps))
    clip = limit_leg_joints(clip, anatomy) if config.limit_leg_joints else clip
    stances = None
    if config.root_travel and not travels:
        clip, stances = travel_and_stances(character, clip, anatomy, source_fps=source_fps, turning=turning)
    elif config.root_travel:
        stances = ground_stances(character, clip, anatomy)
    return GroundedClip(clip, stances)


def finish_clip(character: Character, grounded: GroundedClip, anatomy: Anatomy, config: PostProcessing) -> Clip:
    """Speed or path, the frame rate that is written, foot lock, joint limits, held objects."""
    clip, stances = grounded.clip, grounded.stances
    if isinstance(config.travel, float):
        clip = set_speed(clip, config.travel, character.size)
    elif config.travel is not None:
        clip = follow_path(clip, config.travel, character.size)
    found, clip = clip, resample(clip, config.fps)
    if stances is not None and len(clip) > 1:
        stances = stances.resample(len(clip) - 1, found.fps / clip.fps)
    for _ in range(LOCK_ROUNDS):
        if config.foot_lock and stances is not None:
            clip = lock_feet_to_ground(character, clip, anatomy, stances)
        clip = limit_leg_joints(clip, anatomy) if config.limit_leg_joints else clip
    clip = lift_held_objects(character, clip, anatomy) if config.root_travel else clip
    return remove_travel(clip) if config.in_place else clip


def post_process_loop(
    character: Character, clip: Clip, anatomy: Anatomy, config: PostProcessing, *, travels: bool
) -> Clip:
    """Post-process a loop among repetitions of itself, so that contacts, locks and velocities cross its seam.

    The loop is stretched to a whole number of frames. A cycle from the middle of the repetitions is closed exactly
    (`close_cycle`): its last pose is its first, but for the root's travel, and so is its velocity.
    """
    period = max(round(clip.duration * config.fps), 1)
    clip = replace(clip, fps=(len(clip) - 1) * config.fps / period)
    once = replace(config, travel=None, in_place=False)
    grounded = ground_clip(
        character, repeat_loop(clip, LOOP_REPETITIONS), anatomy, once, travels=travels, turning=False
    )
    done = finish_clip(character, grounded, anatomy, once)
    looped = close_cycle(done, (LOOP_REPETITIONS // 2) * period, period)
    if isinstance(config.travel, float):
        looped = resample(set_speed(looped, config.travel, character.size), config.fps, loop=True)
    return remove_travel(looped) if config.in_place else looped


def limit_leg_joints(clip: Clip, anatomy: Anatomy) -> Clip:
    """Clamp the joints between hip and foot to their limits, plus the slack that guessed limits are given."""
    inner = np.array([bone for limb in anatomy.legs for bone in limb.bones[1:-1] if bone > 0], dtype=np.int64)
    limits, angles = anatomy.limits[inner], clip.angles.copy()
    angles[:, inner - 1] = np.clip(angles[:, inner - 1], limits[..., 0] - LIMIT_SLACK, limits[..., 1] + LIMIT_SLACK)
    return replace(clip, angles=angles)


def add_root_travel(
    character: Character, clip: Clip, anatomy: Anatomy, *, foot_lock: bool = True, source_fps: float | None = None
) -> Clip:
    """Move the root of an in-place clip so that standing feet stay in place on y = 0, and lock them.

    `source_fps` is the frame rate at which the clip was optimised; None: its own.
    """
    clip, stances = travel_and_stances(character, clip, anatomy, source_fps=source_fps)
    return lock_feet_to_ground(character, clip, anatomy, stances) if foot_lock and stances is not None else clip


def travel_and_stances(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    *,
    source_fps: float | None = None,
    turning: bool | None = None,
) -> tuple[Clip, Stances | None]:
    """An in-place clip with root travel, its standing feet around y = 0 but not locked; and when they stand.

    Stances are found in a smoother motion (`STANCE_SIGMA`) than the travel is measured in (`STRIDE_SIGMA`): choosing
    the steps of trembling feet by their direction would choose the longest ones. Feet that never leave their place
    stand all the time, however they tremble; a body with no other feet does not travel. A body without feet travels
    along its trunk and has no stances.
    """
    source_fps = clip.fps if source_fps is None else source_fps
    going = TravelConfig(turning=turning)
    contacts = ContactConfig(min_seconds=min(MIN_STANCE_FRAMES / source_fps, ContactConfig.min_seconds))
    try:
        tracks = track_feet(character, clip, anatomy)
    except MissingPart:
        return add_trunk_travel(character, clip, anatomy), None
    rooted = stationary_feet(tracks)
    if rooted.all():
        stances = Stances(np.ones_like(tracks.turns, dtype=bool), tracks.heights.min(1))
        height = float(np.median(tracks.heights))
    else:
        frames = clip.fps / source_fps
        for_stances, for_strides = (smooth_clip(clip, sigma * frames) for sigma in (STANCE_SIGMA, STRIDE_SIGMA))
        stances = find_travel(character, for_stances, anatomy, config=replace(going, contacts=contacts))[1]
        clip = add_travel(clip, find_travel(character, for_strides, anatomy, stances=stances, config=going)[2])
        height = standing_height(tracks, stances)
    root = clip.root.copy()
    root[:, 1] -= height
    return replace(clip, root=root), replace(stances, standing=stances.standing | rooted[:, None])


def ground_stances(character: Character, clip: Clip, anatomy: Anatomy) -> Stances | None:
    """When feet stand in a clip that has its root travel; None for a body without feet."""
    try:
        return clip_stances(character, clip, anatomy)[1]
    except MissingPart:
        return None


def lock_feet_to_ground(character: Character, clip: Clip, anatomy: Anatomy, stances: Stances) -> Clip:
    """Lock standing feet to y = 0 and keep swinging feet clear of it."""
    leg = typical_leg_length(character, anatomy)
    config = FootLockConfig(
        ground=0.0,
        clearance=FOOT_CLEARANCE * character.size / leg,
        max_lift=MAX_FOOT_LIFT,
        lift_slope=LIFT_SLOPE,
        vertical_blend_seconds=min(LIFT_FRAMES / natural_frame_rate(leg), FootLockConfig.vertical_blend_seconds),
    )
    return lock_feet(character, clip, anatomy, stances=stances, config=config)


def smooth_clip(clip: Clip, sigma: float) -> Clip:
    """Smooth root and joint angles by a Gaussian in time, sigma in frames."""
    from scipy.ndimage import gaussian_filter1d

    root, angles = (gaussian_filter1d(x, sigma, axis=0, mode="nearest") for x in (clip.root, clip.angles))
    return replace(clip, root=root, angles=angles)


def resample(clip: Clip, fps: float, *, loop: bool = False) -> Clip:
    """The clip at another frame rate, by cubic splines; a loop is stretched to a whole number of frames.

    A loop's splines are periodic (the root's about its steady travel), so that its velocity has no jump at the seam.
    Joints whose angles jump where their rotation does not are interpolated as quaternions.
    """
    from scipy.interpolate import CubicSpline

    if len(clip) < 2 or clip.fps == fps:
        return clip
    values = np.concatenate([clip.root, clip.angles.reshape(len(clip), -1)], 1)
    frames = clip.duration * fps
    if loop:
        count = max(round(frames), 1) + 1
        times = np.linspace(0.0, clip.duration, count)
    else:
        times = np.arange(int(np.floor(frames + 1e-6)) + 1) / fps
    if loop:
        travel = values[-1] - values[0]
        around = values - clip.times[:, None] / clip.duration * travel
        around[-1] = around[0]
        moved = CubicSpline(clip.times, around, bc_type="periodic")(times) + times[:, None] / clip.duration * travel
    else:
        moved = CubicSpline(clip.times, values)(times)
    angles, R = values[:, 3:].reshape(len(clip), -1, 3), joint_matrices(clip)
    jump = jumping_angles(angles, R)
    if jump.any():
        smooth = moved[:, 3:].reshape(len(times), -1, 3)
        smooth[:, jump] = spline_rotations(clip.times, R[:, jump], times, loop=loop)
        moved[:, 3:] = smooth.reshape(len(times), -1)
    if loop:
        moved[-1, 6:] = moved[0, 6:]
    return Clip(clip.name, fps, np.ascontiguousarray(moved[:, :6]), moved[:, 6:].reshape(len(times), -1, 3).copy())


def first_seconds(clip: Clip, seconds: float | None) -> Clip:
    """The first `seconds` of a clip; all of it where None is given or it is shorter."""
    count = len(clip) if seconds is None else max(round(seconds * clip.fps) + 1, 2)
    return replace(clip, root=clip.root[:count], angles=clip.angles[:count]) if count < len(clip) else clip
