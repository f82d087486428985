"""Root travel: find it from the standing feet of an in-place clip, add it, remove it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import ContactConfig, FootTracks, Stances, body_motion, find_stances, track_feet
from gambol.motion.feet.travel_direction import swing_direction
from gambol.motion.root_trajectory import ground_path, loop_frames, loop_speed, rotate_on_ground, steady_path

PAUSE_SPEED_SHARE = 0.25
"""A standing foot that moves back slower than this share of the mean does not carry the body: the clip pauses."""
PAUSE_SMOOTHING_SECONDS = 0.1
"""Standard deviation of the smoothing of the speed in a clip that mostly pauses, seconds."""
STEADY_SPEED_SHARE = 0.15
"""A speed that changes by less than this share of its mean counts as steady."""
MIN_TURN_MISS = 1e-3
"""Standing feet that slide less than this, leg lengths per frame, show no turn."""
MAX_TURN_MISS_SHARE = 0.5
"""A turn counts where it leaves less than this share of the feet's median slide: at most a fifth in turns made by code
and put in place, 0.8 and more in artists' straight gaits."""


@dataclass(frozen=True)
class TravelConfig:
    """How root travel is found."""

    contacts: ContactConfig = field(default_factory=ContactConfig)
    """When a foot counts as standing."""
    smoothing_seconds: float | None = None
    """Standard deviation of the smoothing of the speed, seconds. None: loops and clips of nearly steady speed get one
    speed; others are smoothed over a quarter of a gait cycle, clips that mostly pause over less."""
    swing_seconds: float = 0.5
    """Standard deviation of the window in which the direction of travel is found, seconds; a loop has one direction."""
    turning: bool | None = None
    """Also find a steady turn; None: in loops where it explains the feet (`MAX_TURN_MISS_SHARE`), since the feet of
    straight gaits wobble by up to half a radian."""
    robust: float = 2.0
    """Steps that differ from the speed by more than this many median differences count less."""


DEFAULT_TRAVEL = TravelConfig()
"""The settings that are used where none are given."""


@dataclass(frozen=True)
class Travel:
    """Root travel that can be added to a clip: x_new = R_y(heading) x_old + place."""

    places: Float[ndarray, "frames 2"]
    """Position (x, z) in every frame, metres; the first is 0."""
    headings: Float[ndarray, "frames"]
    """Turn to the left about the vertical in every frame, radians; the first is 0."""


def restore_travel(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    *,
    ground: bool = False,
    config: TravelConfig = DEFAULT_TRAVEL,
) -> Clip:
    """Give an in-place clip root travel, so that its standing feet stand still.

    Only the root moves. `ground` also shifts the clip vertically so that the standing feet are on y = 0.
    """
    tracks, stances, travel = find_travel(character, clip, anatomy, config=config)
    moved = add_travel(clip, travel)
    if not ground:
        return moved
    root = moved.root.copy()
    root[:, 1] -= standing_height(tracks, stances)
    return replace(moved, root=root)


def remove_travel(clip: Clip) -> Clip:
    """Remove a clip's root travel: the inverse of `restore_travel`, exact for loops.

    A loop loses its constant speed (and turn), another clip the smoothed path of its root; the sway stays.
    """
    if loop_frames(clip) is None:
        path = ground_path(clip)
        return add_travel(clip, Travel(path[0] - path, np.zeros(len(clip))))
    travel = steady_travel(*loop_speed(clip), clip.times)
    root = clip.root.copy()
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]] - travel.places, -travel.headings)
    root[:, 3] -= travel.headings
    return replace(clip, root=root)


def add_travel(clip: Clip, travel: Travel) -> Clip:
    """Turn and shift a clip frame by frame: x_new = R_y(heading) x_old + place."""
    root = clip.root.copy()
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]], travel.headings) + travel.places
    root[:, 3] += travel.headings
    return replace(clip, root=root)


def steady_travel(velocity: Float[ndarray, "2"], rate: float, times: Float[ndarray, "frames"]) -> Travel:
    """Root travel of a body with constant velocity (metres per second) and turning rate (`steady_path`)."""
    return Travel(*steady_path(velocity, rate, times - times[0]))


def find_travel(
    character: Character,
    clip: Clip,
    anatomy: Anatomy,
    *,
    stances: Stances | None = None,
    config: TravelConfig = DEFAULT_TRAVEL,
) -> tuple[FootTracks, Stances, Travel]:
    """Foot tracks, stances and the root travel that an in-place clip lacks; known stances may be given."""
    tracks = track_feet(character, clip, anatomy, config=config.contacts)
    no_travel = Travel(np.zeros((len(clip), 2)), np.zeros(len(clip)))
    if len(clip) < 2:
        return tracks, Stances(np.zeros(tracks.turns.shape, bool), tracks.heights[:, 0]), no_travel
    frames = loop_frames(clip)
    if stances is None:
        stances = _stances_of_travel(tracks, clip, config)
    if not stances.standing.any():
        return tracks, stances, no_travel
    turning = config.turning
    if turning is None:
        turning = frames is not None and turn_explains(tracks, stances, config.robust)
    velocity, rate = steady_speed(tracks, stances, config.robust, turning=turning)
    steady = steady_travel(velocity * clip.fps, rate * clip.fps, clip.times)
    waits = not turning and mostly_pauses(tracks, stances)
    if config.smoothing_seconds is None and frames is not None and not waits:
        return tracks, stances, steady
    sigma = PAUSE_SMOOTHING_SECONDS * clip.fps if waits else 0.25 * cycle_frames(stances, len(clip) - 1)
    sigma = sigma if config.smoothing_seconds is None else max(config.smoothing_seconds * clip.fps, 1e-3)
    robust = np.inf if waits else config.robust  # feet that rest must not outvote those that go
    steps = kernel_speed(tracks, stances, sigma, robust, periodic=frames is not None)
    changes = np.linalg.norm(steps - velocity, axis=1).max()
    if config.smoothing_seconds is None and frames is None and changes < STEADY_SPEED_SHARE * np.linalg.norm(velocity):
        return tracks, stances, steady
    return tracks, stances, Travel(np.concatenate([np.zeros((1, 2)), steps.cumsum(0)]), np.zeros(len(clip)))


def _stances_of_travel(tracks: FootTracks, clip: Clip, config: TravelConfig) -> Stances:
    """When feet stand: they move against the direction of travel, or, in an in-place clip, against their swing."""
    body, forward = body_motion(clip, tracks.leg, config.contacts)
    window = np.inf if loop_frames(clip) is not None else config.swing_seconds * clip.fps
    ahead = rotate_on_ground(np.array([1.0, 0.0]), clip.root[1:, 3])
    swing = swing_direction(tracks, body, ahead, window, config.contacts)
    forward = np.where(forward.any(1, keepdims=True), forward, swing)
    return find_stances(tracks, body, forward, config=config.contacts)


def standing_height(tracks: FootTracks, stances: Stances) -> float:
    """Median height of the lowest points of the standing feet, metres."""
    heights = 0.5 * (tracks.heights[:, 1:] + tracks.heights[:, :-1])
    return float(np.median(heights[stances.standing])) if stances.standing.any() else float(tracks.heights.min())


def cycle_frames(stances: Stances, intervals: int) -> float:
    """Length of a gait cycle: the time that the clip has for each stance of a foot, frames."""
    counts = [len(stances.runs(foot)) for foot in range(len(stances.standing))]
    return intervals / max(float(np.median([c for c in counts if c])), 1.0) if any(counts) else float(intervals)


def mostly_pauses(tracks: FootTracks, stances: Stances) -> bool:
    """Whether standing feet rest under the body most of the time, as in a loop that pauses before it leaps."""
    steps = tracks.steps[stances.standing]
    mean = steps.mean(0)
    return bool(np.mean(steps @ mean < PAUSE_SPEED_SHARE * (mean @ mean)) > 0.5)


def steady_speed(
    tracks: FootTracks, stances: Stances, robust: float, *, turning: bool = False
) -> tuple[Float[ndarray, "2"], float]:
    """Velocity v and turning rate w per frame for which standing feet stand still: d + v + w (z, -x) = 0.

    Least squares over all intervals of all stances, with Cauchy's weights: in the intervals of touch-down and lift-off
    a foot is only partly on the ground and slower than the body, and the plain mean is 3 to 8 % too slow for it. Where
    an artist's stances are uneven all along, the weights are nearly equal and the result is nearly the mean. A foot's
    own turn about the vertical is an observation of -w as well, with the weight of the leg's length.
    """
    d, q, turn = (values[stances.standing] for values in (tracks.steps, tracks.places, tracks.turns))
    rows = np.zeros((len(d), 3, 3))
    rows[:, 0, 0] = rows[:, 1, 1] = 1.0
    if turning:
        rows[:, 0, 2], rows[:, 1, 2], rows[:, 2, 2] = q[:, 1], -q[:, 0], tracks.leg
    wanted = -np.stack([d[:, 0], d[:, 1], tracks.leg * turn * turning], axis=1)
    weights = np.ones(len(d))
    for _ in range(20):
        normal = np.einsum("n,nki,nkj->ij", weights, rows, rows) + 1e-12 * np.eye(3)
        solution = np.linalg.solve(normal, np.einsum("n,nki,nk->i", weights, rows, wanted))
        misses = np.linalg.norm(wanted - np.einsum("nki,i->nk", rows, solution), axis=1)
        weights = cauchy_weights(misses, robust)
    return solution[:2], float(solution[2])


def turn_explains(tracks: FootTracks, stances: Stances, robust: float) -> bool:
    """Whether standing feet slide much less under a body that turns than under one that only goes straight."""
    d, q, turn = (values[stances.standing] for values in (tracks.steps, tracks.places, tracks.turns))
    medians = []
    for turning in (False, True):
        v, w = steady_speed(tracks, stances, robust, turning=turning)
        slides = d + v + w * np.stack([q[:, 1], -q[:, 0]], axis=1)
        medians.append(float(np.median(np.hypot(np.linalg.norm(slides, axis=1), tracks.leg * (turn + w)))))
    straight, turned_round = medians
    return straight > MIN_TURN_MISS * tracks.leg and turned_round < MAX_TURN_MISS_SHARE * straight


def kernel_speed(
    tracks: FootTracks, stances: Stances, sigma: float, robust: float, *, periodic: bool
) -> Float[ndarray, "intervals 2"]:
    """Step of the body in every interval: the robust mean of -d over the feet that stand nearby in time.

    v(t) = sum K(t - t') w -d / sum K(t - t') w, K a Gaussian; while no foot stands, the nearest stances count.
    """
    foot, at = np.nonzero(stances.standing)
    d, count = tracks.steps[foot, at], tracks.steps.shape[1]
    gaps = np.abs(np.arange(count)[:, None] - at)
    gaps = np.minimum(gaps, count - gaps) if periodic else gaps
    # the nearest stance always has weight 1, however far it is
    kernel = np.exp(-0.5 * (gaps**2 - gaps.min(1, keepdims=True) ** 2) / sigma**2)
    weights = np.ones(len(d))
    for _ in range(5):
        pull = kernel * weights
        steps = -(pull @ d) / pull.sum(1, keepdims=True)
        weights = huber_weights(np.linalg.norm(d + steps[at], axis=1), robust)
    return steps


def cauchy_weights(misses: Float[ndarray, "samples"], robust: float) -> Float[ndarray, "samples"]:
    """1 / (1 + (miss / scale)^2), scale = robust * median miss."""
    return 1.0 / (1.0 + (misses / max(robust * float(np.median(misses)), 1e-12)) ** 2)


def huber_weights(misses: Float[ndarray, "samples"], robust: float) -> Float[ndarray, "samples"]:
    """min(1, scale / miss), scale = robust * median miss: gentler than Cauchy's, for a speed that changes."""
    if not np.isfinite(robust):
        return np.ones(len(misses))
    bound = max(robust * float(np.median(misses)), 1e-12)
    return np.minimum(1.0, bound / np.maximum(misses, bound))
