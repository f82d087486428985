"""Which foot stands on the ground when, and how far a standing foot slips."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.motion.clip import Clip
from gambol.motion.feet.soles import Sole, find_soles, leg_length, pose_sole
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import ground_path

STATIONARY_RADIUS = 0.25
"""A foot whose contact point stays within a square of this side is stationary, leg lengths (see `stationary_feet`)."""
STATIONARY_LIFT = 0.12
"""A stationary foot is lifted by less than this, leg lengths."""
HOP_LIFT = 0.05
"""Where all feet are lifted by more than this at once, the body hops and no foot is stationary, leg lengths."""


@dataclass(frozen=True)
class ContactConfig:
    """When a foot counts as standing."""

    touch_band: float = 0.01
    """Points of a foot share the contact where they are about this far above its lowest one, in leg lengths."""
    ground_band: float = 0.05
    """A foot is on the ground up to this height above its own ground level, in leg lengths."""
    max_stance_speed: float = 0.35
    """Where the body does not travel, a standing foot moves slower than this, in leg lengths per second."""
    min_seconds: float = 0.06
    """Shorter stances and shorter gaps in a stance are taken for noise, seconds."""
    level_spread: float = 0.12
    """A foot's ground level is no higher than this above its lowest height while it is slow, and above the lowest
    level of all feet, in leg lengths."""


DEFAULT_CONTACTS = ContactConfig()
"""The settings that are used where none are given."""


@dataclass(frozen=True)
class FootTracks:
    """How the feet of a clip move; an interval leads from one frame to the next."""

    heights: Float[ndarray, "feet frames"]
    """Height of the lowest point of each foot, metres."""
    steps: Float[ndarray, "feet intervals 2"]
    """Displacement (x, z) of the contact point (of a lifted foot the lowest point) in an interval, metres."""
    places: Float[ndarray, "feet intervals 2"]
    """Position (x, z) of the contact point in the middle of an interval, metres."""
    turns: Float[ndarray, "feet intervals"]
    """Turn of the foot about the vertical in an interval, radians, positive from +z to +x."""
    leg: float
    """Median length of the legs, metres."""
    fps: float
    """Frames per second of the clip."""

    @property
    def tops(self) -> Float[ndarray, "feet intervals"]:
        """The greater of the two heights at the ends of each interval."""
        return np.maximum(self.heights[:, 1:], self.heights[:, :-1])


@dataclass(frozen=True)
class Stances:
    """When each foot stands, and how high its lowest point is then."""

    standing: Bool[ndarray, "feet intervals"]
    """Whether a foot stands during an interval."""
    levels: Float[ndarray, "feet"]
    """Height of each foot's own ground level, metres."""

    def runs(self, foot: int) -> Int[ndarray, "runs 2"]:
        """First and last frame of every stance of a foot."""
        return true_runs(self.standing[foot])

    def resample(self, intervals: int, ratio: float) -> Stances:
        """These stances at another frame rate: `ratio` old frames for each new one, `intervals` new intervals.

        An interval stands where at least half of it does; a stance too short for that keeps the interval that it shares
        most time with.
        """
        starts = np.arange(intervals) * ratio
        standing = np.zeros((len(self.standing), intervals), bool)
        for foot in range(len(standing)):
            for first, last in self.runs(foot):
                shared = np.minimum(starts + ratio, last) - np.maximum(starts, first)
                standing[foot, shared >= 0.5 * ratio - 1e-9] = True
                standing[foot, shared.argmax()] |= shared.max() > 0
        return replace(self, standing=standing)


@dataclass(frozen=True)
class StanceSlip:
    """How far standing feet move over the ground."""

    slip: float
    """Path of the contact point over the ground during one stance, mean over all stances of all feet, metres."""
    stride: float
    """Speed times cycle time: what the body travels from one stance of a foot to its next one, metres."""
    stances: int
    """Number of stances of all feet."""
    leg: float
    """Median length of the legs, metres."""

    @property
    def share(self) -> float:
        """Slip as a share of the stride; infinite where the body does not travel and the feet slip."""
        return self.slip / self.stride if self.stride > 0 else (0.0 if self.slip == 0 else float("inf"))

    @property
    def in_legs(self) -> float:
        """Slip in leg lengths: for clips that do not travel."""
        return self.slip / self.leg


def true_runs(values: Bool[ndarray, "frames"]) -> Int[ndarray, "runs 2"]:
    """Where each run of True begins, and where the next False is."""
    edges = np.diff(np.concatenate([[0], values.astype(int), [0]]))
    return np.stack([np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)], axis=1)


def touch_weights(heights: Float[ndarray, "frames points"], band: float) -> Float[ndarray, "intervals points"]:
    """Contact weight of each point of a foot in each interval: w_p ~ exp(-(h_p - min_q h_q) / band), h the higher end.

    The weighted mean is the contact point. A foot that rolls from heel to toe moves the weight along with it, so the
    contact point of a rolling foot that does not slip stands still, which no single vertex and no joint does.
    """
    top = np.maximum(heights[1:], heights[:-1])
    weights = np.exp((top.min(1, keepdims=True) - top) / band)
    return weights / weights.sum(1, keepdims=True)


def track_feet(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    *,
    config: ContactConfig = DEFAULT_CONTACTS,
    soles: tuple[Sole, ...] | None = None,
) -> FootTracks:
    """Follow the contact points of all feet through a clip."""
    skeleton = character.require_skeleton()
    soles = find_soles(character, anatomy) if soles is None else soles
    T_world_bone = pose_clip(skeleton, clip)
    leg = float(np.median([leg_length(skeleton, sole.limb) for sole in soles]))
    points = [pose_sole(skeleton, sole, T_world_bone) for sole in soles]
    return tracks_of_points(points, leg, clip.fps, config=config)


def tracks_of_points(
    feet: list[Float[ndarray, "frames _points 3"]], leg: float, fps: float, *, config: ContactConfig = DEFAULT_CONTACTS
) -> FootTracks:
    """Foot tracks from the points of each foot in every frame, metres."""
    heights, steps, places, turns = [], [], [], []
    for points in feet:
        w = touch_weights(points[..., 1], config.touch_band * leg)
        moves, middles = points[1:] - points[:-1], 0.5 * (points[1:] + points[:-1])
        step = np.einsum("fp,fpi->fi", w, moves)[:, [0, 2]]
        heights.append(points[..., 1].min(1))
        steps.append(step)
        places.append(np.einsum("fp,fpi->fi", w, middles)[:, [0, 2]])
        turns.append(_turns(points))
    return FootTracks(np.stack(heights), np.stack(steps), np.stack(places), np.stack(turns), leg, fps)


def _turns(points: Float[ndarray, "frames points 3"]) -> Float[ndarray, "intervals"]:
    """Least-squares turn of a foot's points about the vertical: atan2(sum a x b, sum a . b) over centred points."""
    flat = points[..., [2, 0]] - points[..., [2, 0]].mean(1, keepdims=True)
    a, b = flat[:-1], flat[1:]
    cross = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(1)
    dot = (a * b).sum((1, 2))
    return np.arctan2(cross, np.where((cross == 0) & (dot == 0), 1.0, dot))


def body_motion(clip: Clip, leg: float, config: ContactConfig = DEFAULT_CONTACTS) -> tuple[ndarray, ndarray]:
    """The body's step over the ground in every interval, and its direction (zero where it hardly travels)."""
    steps = np.diff(ground_path(clip), axis=0)
    lengths = np.linalg.norm(steps, axis=1, keepdims=True)
    travels = lengths * clip.fps > config.max_stance_speed * leg
    return steps, np.where(travels, steps / np.maximum(lengths, 1e-12), 0.0)


def find_stances(
    tracks: FootTracks,
    body: Float[ndarray, "intervals 2"],
    forward: Float[ndarray, "intervals 2"],
    *,
    config: ContactConfig = DEFAULT_CONTACTS,
) -> Stances:
    """A foot stands where it is on the ground and goes backwards under the body: (d_foot - d_body) . u < 0.

    That is how treadmill gait is divided (Zeni, Richards and Higginson 2008: a stance lasts from a foot's foremost to
    its rearmost place relative to the pelvis); it holds as well over ground, where it says that a standing foot is
    slower than the body. It does not ask how fast the foot goes back, so a slipping foot still stands. Where the body
    does not travel (u = 0), a standing foot is slow. On the ground: both ends of the interval are no higher than `near`
    above the foot's own ground level, which also bounds its vertical speed. Between two stances a foot goes ahead;
    where it does not, and stays low (twice `near`), it has only tilted, and the two are one.
    """
    relative = np.einsum("sti,ti->st", tracks.steps - body, forward)
    speeds = np.linalg.norm(tracks.steps, axis=-1) * tracks.fps
    travels = forward.any(1)
    # no more than noise: a foot that rests while the body waits
    still = 0.02 * config.max_stance_speed * tracks.leg / tracks.fps
    slow = np.where(travels, relative < still, speeds < config.max_stance_speed * tracks.leg)
    tops = tracks.tops
    near, spread = config.ground_band * tracks.leg, config.level_spread * tracks.leg
    levels = np.array([ground_level(h[s], near, spread) for h, s in zip(tops, slow, strict=True)])
    levels = np.minimum(levels, levels.min() + spread)
    standing, held = (slow & (tops <= levels[:, None] + reach) for reach in (near, 2.0 * near))
    shortest = round(config.min_seconds * tracks.fps)
    clean = [_without_noise(s, h, shortest) for s, h in zip(standing, held, strict=True)]
    return Stances(np.stack(clean), levels)


def ground_level(heights: Float[ndarray, "slow"], near: float, spread: float) -> float:
    """The height at which a foot lingers: the start of the window [h, h + near] with the most of the given heights.

    Not the lowest height, since toes dip below the ground as they push off; but no higher than `spread` above it, since
    the foot of a runner also lingers behind and above. Infinite where there are no heights.
    """
    starts = np.sort(heights)
    if not len(starts):
        return float("inf")
    counts = np.searchsorted(starts, starts + near, side="right") - np.arange(len(starts))
    low = starts <= starts[0] + spread
    return float(starts[low][counts[low].argmax()])


def _without_noise(
    standing: Bool[ndarray, "intervals"], held: Bool[ndarray, "intervals"], shortest: int
) -> Bool[ndarray, "intervals"]:
    """Close gaps that are held all along or shorter than `shortest`, then drop stances that are shorter.

    What touches an end of the clip may continue beyond it, and stays.
    """
    result = standing.copy()
    for value in (False, True):
        for first, end in true_runs(result == value):
            no_swing = not value and bool(held[first:end].all())
            if (end - first < shortest or no_swing) and first > 0 and end < len(result):
                result[first:end] = not value
    return result


def stationary_feet(tracks: FootTracks) -> Bool[ndarray, "feet"]:
    """Whether each foot never takes a step: it stays within STATIONARY_RADIUS of one place and is lifted little.

    A lift counts from STATIONARY_LIFT. No foot is stationary where all leave the ground at once, by more than HOP_LIFT:
    then the body hops.
    """
    if tracks.places.shape[1] == 0:
        return np.ones(len(tracks.places), bool)
    lifts = (tracks.heights - tracks.heights.min(1, keepdims=True)) / tracks.leg
    within = np.ptp(tracks.places, axis=1).max(1) < STATIONARY_RADIUS * tracks.leg
    return within & (lifts.max(1) < STATIONARY_LIFT) & (lifts.min(0).max() < HOP_LIFT)


def clip_stances(character: Character, clip: Clip, anatomy: Anatomy) -> tuple[FootTracks, Stances]:
    """Tracks and stances of a clip that travels (or stands) over the ground."""
    tracks = track_feet(character, clip, anatomy)
    return tracks, find_stances(tracks, *body_motion(clip, tracks.leg))


def stance_slip(character: Character, clip: Clip, anatomy: Anatomy, *, stances: Stances | None = None) -> StanceSlip:
    """How far the contact point of a standing foot moves over the ground, by its whole path, forth and back.

    slip = mean over stances of sum_t |d_t|; stride = (path of the body) (feet that stand) / (stances), that is speed
    times cycle time. `stances` may come from another clip with the same frames (the file's own, before feet were
    locked), so that a clip cannot look better by standing less.
    """
    tracks = track_feet(character, clip, anatomy)
    if stances is None:
        stances = find_stances(tracks, *body_motion(clip, tracks.leg))
    count = sum(len(stances.runs(foot)) for foot in range(len(stances.standing)))
    if count == 0:
        return StanceSlip(0.0, 0.0, 0, tracks.leg)
    slip = float((np.linalg.norm(tracks.steps, axis=-1) * stances.standing).sum()) / count
    travelled = float(np.linalg.norm(np.diff(ground_path(clip), axis=0), axis=1).sum())
    return StanceSlip(slip, travelled * int(stances.standing.any(1).sum()) / count, count, tracks.leg)
