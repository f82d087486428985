"""Lock standing feet to the ground by the legs' joints, so that they neither slip, float nor sink."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import (
    ContactConfig,
    FootTracks,
    Stances,
    body_motion,
    find_stances,
    track_feet,
    tracks_of_points,
    true_runs,
)
from gambol.motion.feet.foot_tilt import tilt_feet
from gambol.motion.feet.leg_ik import MAX_LEG_STRETCH, LegChain, chain_ends, chain_length, leg_chain, solve_leg_ik
from gambol.motion.feet.soles import Sole, find_soles, leg_length, pose_sole
from gambol.motion.feet.travel import add_travel, remove_travel, restore_travel, standing_height, steady_travel
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import loop_frames, loop_speed, rotate_on_ground

QUICK_LIFT = 0.03
"""Lift that is applied one frame after a stance, leg lengths; more is blended in over `vertical_blend_seconds`."""


@dataclass(frozen=True)
class FootLockConfig:
    """How standing feet are locked and swinging feet are kept off the ground."""

    contacts: ContactConfig = field(default_factory=ContactConfig)
    """When a foot counts as standing."""
    blend_seconds: float = 0.25
    """Time over which a correction fades out after a stance and in before the next, seconds; shorter swings are blended
    from stance to stance."""
    vertical_blend_seconds: float = 0.1
    """How long before and after a vertical correction is needed it is blended in and out, seconds."""
    max_shift: float = 0.4
    """Largest horizontal shift of a foot, leg lengths; a foot that slides farther is meant to slide."""
    max_body_drop: float = 0.06
    """Largest drop of the body where a standing foot is out of its leg's reach, leg lengths."""
    clearance: float = 0.015
    """Smallest height of a swinging foot above the ground, leg lengths (less in its first and last frames)."""
    max_lift: float = 0.08
    """Largest lift of a swinging foot that dips into the ground, leg lengths."""
    lift_slope: float = 0.0
    """Rise over distance at which a swinging foot leaves its last stance and reaches its next one at least, up to
    `clearance`, however abrupt that is; 0 lifts only smoothly and lets quick feet touch the ground."""
    passes: int = 3
    """Number of passes; each corrects what the last one left."""
    tilt: bool = False
    """Let a foot tilt at the ankle where its toes dip deep, in place of lifting it: for feet of other proportions."""
    ground: float | None = None
    """Height of the ground, metres; None takes the height at which the clip's feet stand."""


DEFAULT_FOOT_LOCK = FootLockConfig()
"""The settings that are used where none are given."""


def restore_travel_and_lock_feet(character: Character, clip: Clip, anatomy: Anatomy) -> Clip:
    """Give an in-place clip its root travel over y = 0, then lock the standing feet."""
    return lock_feet(character, restore_travel(character, clip, anatomy, ground=True), anatomy)


def lock_feet(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    *,
    stances: Stances | None = None,
    config: FootLockConfig = DEFAULT_FOOT_LOCK,
) -> Clip:
    """Lock standing feet to the ground; the root path, the body's pose and the feet's orientations stay.

    While a foot stands, it is moved by the opposite of what its contact point slips, c(t + 1) = c(t) - d(t), and up or
    down onto the ground; how the foot rolls stays as it is. The correction's middle is zero, so that a step keeps its
    place. While the foot swings, the correction is blended into the next stance's by a cubic. Where a standing foot is
    out of its leg's reach, the body comes down a little. A loop stays a loop.
    """
    if len(clip) < 2:
        return clip
    soles, period = find_soles(character, anatomy), loop_frames(clip)
    whole, real = (clip, np.arange(len(clip))) if period is None else pad_loop(clip, period)
    tracks = track_feet(character, whole, anatomy, config=config.contacts, soles=soles)
    if stances is None:
        stances = find_stances(tracks, *body_motion(whole, tracks.leg, config.contacts), config=config.contacts)
    elif period is not None:
        stances = pad_stances(stances, period, len(clip))
    ground = config.ground if config.ground is not None else standing_height(tracks, stances)
    wanted = FootTargets(stances, np.zeros_like(tracks.steps), np.full_like(tracks.heights, ground), ground)
    planted = move_feet(character, whole, soles, wanted, config=config)
    root = clip.root.copy()
    root[:, 1] = planted.root[real, 1]
    return replace(clip, root=root, angles=planted.angles[real])


@dataclass(frozen=True)
class FootTargets:
    """How feet should move while they stand."""

    stances: Stances
    """When each foot stands."""
    steps: Float[ndarray, "feet intervals 2"]
    """Displacement (x, z) of the contact points in each interval, metres; zero: they do not slip."""
    heights: Float[ndarray, "feet frames"]
    """Height of the lowest point of each foot, metres."""
    ground: float
    """Height that no foot may go below, metres."""


def move_feet(
    character: Character, clip: Clip, soles: tuple[Sole, ...], wanted: FootTargets, *, config: FootLockConfig
) -> Clip:
    """Bring standing feet to their targets by inverse kinematics of the legs."""
    skeleton = character.require_skeleton()
    chains = [leg_chain(skeleton, sole) for sole in soles]
    leg = float(np.median([leg_length(skeleton, sole.limb) for sole in soles]))
    on_ground = standing_frames(wanted.stances)
    for number in range(config.passes):
        T_world_bone = pose_clip(skeleton, clip)
        points = [pose_sole(skeleton, sole, T_world_bone) for sole in soles]
        tracks = tracks_of_points(points, leg, clip.fps, config=config.contacts)
        # a foot that was tilted has to be brought to rest once more
        within = replace(config, max_shift=config.max_shift / 4 ** max(number - config.tilt, 0))
        moves = foot_corrections(tracks, wanted, within, peak=QUICK_LIFT if config.tilt and number == 0 else np.inf)
        goals = [chain_ends(chain, T_world_bone) + move for chain, move in zip(chains, moves, strict=True)]
        if number == 0:
            clip = lower_body(skeleton, clip, chains, goals, wanted.stances, config=config, leg=leg)
        clip = solve_leg_ik(skeleton, clip, chains, goals)
        if config.tilt:
            # how standing feet tilt is settled in the first pass; the others bring their contact points to rest
            may_tilt = np.ones_like(on_ground) if number == 0 else ~on_ground
            clip = tilt_feet(skeleton, clip, soles, chains, may_tilt, ground=wanted.ground)
    return clip


def standing_frames(stances: Stances) -> Bool[ndarray, "feet frames"]:
    """Whether each frame is at either end of an interval in which the foot stands."""
    padded = np.pad(stances.standing, ((0, 0), (1, 1)))
    return padded[:, 1:] | padded[:, :-1]


def lower_body(
    skeleton: Skeleton,
    clip: Clip,
    chains: list[LegChain],
    goals: list[Float[ndarray, "frames 3"]],
    stances: Stances,
    *,
    config: FootLockConfig,
    leg: float,
) -> Clip:
    """Lower the root smoothly where a standing foot's goal is out of reach, by at most `max_body_drop`.

    A hip at height y above a goal at horizontal distance r reaches it where y^2 + r^2 <= L^2, so it has to come down by
    y - sqrt(L^2 - r^2).
    """
    T_world_bone = pose_clip(skeleton, clip)
    need, stands = np.zeros(len(clip)), standing_frames(stances)
    for foot, (chain, goal) in enumerate(zip(chains, goals, strict=True)):
        length = MAX_LEG_STRETCH * chain_length(skeleton, chain)
        away = T_world_bone[:, chain.joints[0], :3, 3] - goal
        down = away[:, 1] - np.sqrt(np.maximum(length**2 - away[:, 0] ** 2 - away[:, 2] ** 2, 0.0))
        need = np.maximum(need, np.where(stands[foot], down, 0.0))
    most, width = config.max_body_drop * leg, max(round(config.vertical_blend_seconds * clip.fps), 1)
    if not need.any() or most <= 0:
        return clip
    root = clip.root.copy()
    root[:, 1] -= _smooth_bound(np.minimum(need, most), width)
    return replace(clip, root=root)


def pad_loop(clip: Clip, period: int) -> tuple[Clip, Int[ndarray, "frames"]]:
    """A loop with one more cycle before and after it, and the indices of its own frames there."""
    frames = np.arange(-period, len(clip) + period)
    still = remove_travel(clip)
    around = np.where((frames >= 0) & (frames < len(clip)), frames, frames % period)
    spread = replace(still, root=still.root[around], angles=still.angles[around])
    travel = steady_travel(*loop_speed(clip), frames / clip.fps)
    moved = add_travel(spread, travel)
    # one rigid move takes the repeated clip to where the clip's own frames are
    turn = clip.root[0, 3] - moved.root[period, 3]
    root = moved.root.copy()
    root[:, [0, 2]] = (
        rotate_on_ground(root[:, [0, 2]] - moved.root[period, [0, 2]], np.full(len(root), turn)) + clip.root[0, [0, 2]]
    )
    root[:, 3] += turn
    return replace(moved, root=root), np.arange(period, period + len(clip))


def pad_stances(stances: Stances, period: int, frames: int) -> Stances:
    """The stances of a loop for the clip that `pad_loop` makes of it."""
    standing = stances.standing
    if period == frames:  # the step from the last pose to the first one is in no interval: as before and after it
        closing = standing[:, -1:] & standing[:, :1]
        standing = np.concatenate([standing, closing], axis=1)
    more = np.concatenate([standing] * 3, axis=1)[:, : frames + 2 * period - 1]
    return Stances(more, stances.levels)


def foot_corrections(
    tracks: FootTracks, wanted: FootTargets, config: FootLockConfig, *, peak: float = np.inf
) -> list[Float[ndarray, "frames 3"]]:
    """Displacement of each foot in each frame, metres: c(t + 1) = c(t) + wanted step - step over the ground.

    No standing foot is lifted by more than `peak` (in leg lengths) beyond what it needs just before and after.
    """
    frames, longest = tracks.heights.shape[1], max(round(config.blend_seconds * tracks.fps), 1)
    width = max(round(config.vertical_blend_seconds * tracks.fps), 1)
    result = []
    for foot in range(len(tracks.heights)):
        move, known = np.zeros((frames, 3)), np.zeros(frames, bool)
        rise = wanted.heights[foot] - tracks.heights[foot]
        for first, last in wanted.stances.runs(foot):
            steps = wanted.steps[foot, first:last] - tracks.steps[foot, first:last]
            drift = np.concatenate([np.zeros((1, 2)), steps.cumsum(0)])
            drift -= 0.5 * (drift.min(0) + drift.max(0))
            most = float(np.linalg.norm(drift, axis=1).max())
            move[first : last + 1, [0, 2]] = drift * min(1.0, config.max_shift * tracks.leg / max(most, 1e-12))
            move[first : last + 1, 1] = _without_peaks(rise[first : last + 1], width, peak * tracks.leg)
            known[first : last + 1] = True
        move = blend_between(move, known, longest, fastest=0.1 * config.max_shift * tracks.leg)
        # a swinging foot must not scrape over the ground either
        least = wanted.ground + config.clearance * tracks.leg
        need = np.where(known, 0.0, np.maximum(least - tracks.heights[foot] - move[:, 1], 0.0))
        lift, quick = np.minimum(_smooth_bound(need, width), config.max_lift * tracks.leg), QUICK_LIFT * tracks.leg
        move[:, 1] += np.minimum(lift, quick) * _away_from(known, 1)
        move[:, 1] += np.maximum(lift - quick, 0.0) * _away_from(known, width)
        if config.lift_slope > 0:
            away = stance_distance(tracks.steps[foot], known)
            rise = np.minimum(config.lift_slope * away, config.clearance * tracks.leg)
            need = np.where(known, 0.0, wanted.ground + rise - tracks.heights[foot] - move[:, 1])
            move[:, 1] += np.clip(need, 0.0, config.max_lift * tracks.leg)
        result.append(move)
    return result


def stance_distance(steps: Float[ndarray, "intervals 2"], known: Bool[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """How far over the ground a foot is from where it last stood or will stand next, whichever is nearer, metres."""
    places = np.concatenate([np.zeros((1, 2)), steps.cumsum(0)])
    frames, stands = np.arange(len(known)), np.flatnonzero(known)
    if not len(stands):
        return np.full(len(known), np.inf)
    after = np.searchsorted(stands, frames)
    ends = [stands[np.clip(k, 0, len(stands) - 1)] for k in (after - 1, after)]
    away = [np.linalg.norm(places - places[end], axis=1) for end in ends]
    return np.minimum(*away)


def _without_peaks(values: Float[ndarray, "frames"], width: int, most: float) -> Float[ndarray, "frames"]:
    """No value more than `most` above the median of those within +-width frames."""
    padded = np.pad(values, width, mode="reflect" if len(values) > width else "edge")
    usual = np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1), axis=1)
    return np.minimum(values, usual + most)


def _smooth_bound(values: Float[ndarray, "frames"], width: int) -> Float[ndarray, "frames"]:
    """A smooth curve that is nowhere below the values: their maximum over +-width frames, averaged over as many."""
    padded = np.pad(values, 2 * width, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1).max(1)
    window = np.hanning(2 * width + 3)[1:-1]
    return np.convolve(highest, window / window.sum(), mode="valid")


def _away_from(known: Bool[ndarray, "frames"], width: int) -> Float[ndarray, "frames"]:
    """0 in known frames, growing as 3 u^2 - 2 u^3 to 1 that many frames and one away from them."""
    if not known.any():
        return np.ones(len(known))
    gaps = np.abs(np.arange(len(known))[:, None] - np.flatnonzero(known)).min(1)
    u = np.minimum(gaps / (width + 1), 1.0)
    return u * u * (3.0 - 2.0 * u)


def blend_between(
    values: Float[ndarray, "frames 3"], known: Bool[ndarray, "frames"], blend: int, *, fastest: float = np.inf
) -> Float[ndarray, "frames 3"]:
    """Fill the unknown frames by cubics that leave and meet the known ones with their speed (up to `fastest`).

    A gap longer than 2 blend goes to zero for its middle; so does what is before the first known frame and behind the
    last one.
    """
    frames = len(values)
    result = values.copy()
    for first, end in true_runs(~known).tolist():
        left, right = first - 1, end
        result[first:end] = 0.0
        has_left, has_right = left >= 0, right < frames
        speeds = [_speed(values, known, left, -1, fastest), _speed(values, known, right, 1, fastest)]
        if has_left and has_right and right - left <= 2 * blend:
            result[first:end] = _cubic(values[left], speeds[0], values[right], speeds[1], right - left)[1:-1]
            continue
        if has_left:
            fade = _cubic(values[left], speeds[0], np.zeros(3), np.zeros(3), blend)[1:]
            stop = min(left + 1 + len(fade), end)
            result[first:stop] += fade[: stop - first]
        if has_right:
            fade = _cubic(np.zeros(3), np.zeros(3), values[right], speeds[1], blend)[:-1]
            start = max(right - len(fade), first)
            result[start:end] += fade[len(fade) - (end - start) :]
    return result


def _speed(values: ndarray, known: ndarray, at: int, towards: int, fastest: float) -> Float[ndarray, "3"]:
    """Change per frame at the edge of a stance, from inside it; none vertically, where a foot just leaves or lands."""
    inside = at + towards
    if not (0 <= at < len(values) and 0 <= inside < len(values) and known[inside]):
        return np.zeros(3)
    speed = (values[inside] - values[at]) * towards * np.array([1.0, 0.0, 1.0])
    return speed * min(1.0, fastest / max(float(np.linalg.norm(speed)), 1e-12))


def _cubic(p0: ndarray, v0: ndarray, p1: ndarray, v1: ndarray, frames: int) -> Float[ndarray, "_frames 3"]:
    """Hermite: (2u^3-3u^2+1) p0 + n (u^3-2u^2+u) v0 + (3u^2-2u^3) p1 + n (u^3-u^2) v1 at u = 0, 1/n, ..., 1.

    n is the number of frames, but no more than 4, so that the speeds of a long gap do not carry it far away.
    """
    u = np.linspace(0.0, 1.0, frames + 1)[:, None]
    u2, u3 = u * u, u * u * u
    ends = (2 * u3 - 3 * u2 + 1) * p0 + (3 * u2 - 2 * u3) * p1
    return ends + min(frames, 4) * ((u3 - 2 * u2 + u) * v0 + (u3 - u2) * v1)
