"""Another speed over time: a clip is played faster or slower and takes longer or shorter steps, in equal shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.polyline import arc_lengths
from gambol.distill.constraints.falloff import apply_change, change_of
from gambol.motion.chosen_travel import MIN_TRAVEL_SPEED
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.contacts import Stances
from gambol.motion.feet.travel import Travel, add_travel
from gambol.motion.root_trajectory import rotate_on_ground, smooth_path, swayless_path
from gambol.motion.rotation_splines import jumping_angles, spline_rotations
from gambol.motion.rotations import rotation_angle

SLOWEST_RATE, FASTEST_RATE = 0.5, 1.6
"""How much slower and faster than it is a motion may be played."""
SHORTEST_STRIDE, LONGEST_STRIDE = 0.0, 1.6
"""How much shorter and longer than they are the steps of a motion may be."""
SHORTEST_CYCLE = 0.3
"""Shortest stretch of a motion that is repeated to make it longer, seconds."""
JOIN_SECONDS = 0.25
"""Time over which the difference between both sides of a repetition is faded out, seconds."""
SPEED_SIGMA = 0.15
"""Standard deviation of the Gaussian that smooths how fast a motion is played, seconds."""


@dataclass(frozen=True)
class Retimed:
    """A clip at another speed."""

    clip: Clip
    """The clip in place (without its travel), as many frames as before."""
    source: Float[ndarray, "frames"]
    """At which frame of the motion each frame is, with its continuation; not whole."""
    places: Float[ndarray, "frames 2"]
    """Where the body is over the ground, along its own way, metres."""
    capable: float
    """Highest speed that the motion can do, m/s."""
    continued: Int[ndarray, "source"]
    """Which frame of the clip each frame of the motion with its continuation repeats."""


def own_speed(clip: Clip) -> float:
    """Mean speed over the ground, m/s."""
    return float(arc_lengths(swayless_path(clip))[-1]) / max(clip.duration, 1e-9)


def capable_speed(clip: Clip) -> float:
    """Highest speed that a motion can be given, m/s: played faster, with longer steps."""
    return own_speed(clip) * FASTEST_RATE * LONGEST_STRIDE


def change_speed(clip: Clip, speeds: Float[ndarray, "frames"], size: float) -> Retimed | None:
    """The clip with the given speed over the ground in each frame, m/s, as far as the motion can do it.

    With r = wanted / own speed it is played sqrt(r) times as fast, with steps sqrt(r) times as long. A motion that does
    not last long enough is continued by its best cycle. None for a motion that does not travel.
    """
    own = own_speed(clip)
    if own < MIN_TRAVEL_SPEED * size:
        return None
    speeds = np.minimum(speeds, capable_speed(clip))
    rates = np.clip(np.sqrt(speeds / own), SLOWEST_RATE, FASTEST_RATE)
    rates = smooth_path(rates[:, None], SPEED_SIGMA * clip.fps)[:, 0]
    at = np.concatenate([[0.0], 0.5 * (rates[1:] + rates[:-1])]).cumsum()
    longer, continued = continue_clip(clip, int(np.ceil(at[-1])) + 1)
    path = swayless_path(longer)
    still = sample_clip(add_travel(longer, Travel(path[0] - path, np.zeros(len(longer)))), at)
    frames = np.arange(len(path))
    steps = np.diff(np.stack([np.interp(at, frames, path[:, k]) for k in (0, 1)], 1), axis=0)
    lengths = np.linalg.norm(steps, axis=1) * clip.fps
    lengths = smooth_path(lengths[:, None], SPEED_SIGMA * clip.fps)[:, 0]
    wanted = 0.5 * (speeds[1:] + speeds[:-1])
    strides = np.clip(wanted / np.maximum(lengths, 0.2 * own), SHORTEST_STRIDE, LONGEST_STRIDE)
    places = np.concatenate([np.zeros((1, 2)), (steps * strides[:, None]).cumsum(0)])
    return Retimed(still, at, places, capable_speed(clip), continued)


def retimed_stances(stances: Stances, retimed: Retimed) -> Stances:
    """When feet stand in a clip at another speed."""
    middles = 0.5 * (retimed.source[1:] + retimed.source[:-1])
    frames = retimed.continued[np.floor(middles).astype(int)]
    return replace(stances, standing=stances.standing[:, np.minimum(frames, stances.standing.shape[1] - 1)])


def sample_clip(clip: Clip, frames: Float[ndarray, "samples"]) -> Clip:
    """The clip at frames that need not be whole, by cubic splines."""
    from scipy.interpolate import CubicSpline

    if len(clip) < 2:
        return replace(clip, root=clip.root[np.zeros(len(frames), int)], angles=clip.angles[np.zeros(len(frames), int)])
    times = np.arange(len(clip), dtype=np.float64)
    root, angles = CubicSpline(times, clip.root)(frames), CubicSpline(times, clip.angles)(frames)
    R = joint_matrices(clip)[:, 1:]
    jump = jumping_angles(clip.angles, R)
    if jump.any():
        angles[:, jump] = spline_rotations(times, R[:, jump], frames)
    return replace(clip, root=root, angles=angles)


def continue_clip(clip: Clip, frames: int) -> tuple[Clip, Int[ndarray, "frames"]]:
    """A clip that goes on for at least so many frames, and which of its own frames each one is.

    It goes on from the frame that is most like its last one, turned and moved to where the last one is; what differs
    fades out.
    """
    which = np.arange(len(clip))
    shortest = max(round(SHORTEST_CYCLE * clip.fps), 2)
    if frames <= len(clip) or len(clip) <= shortest + 2:
        least = np.minimum(np.arange(max(frames, len(clip))), len(clip) - 1)
        return replace(clip, root=clip.root[least], angles=clip.angles[least]), least
    R = joint_matrices(clip)
    back = _best_return(R, shortest)
    cycle = replace(clip, root=clip.root[back:], angles=clip.angles[back:])
    result = clip
    while len(result) < frames:
        result = _append(result, cycle)
        which = np.concatenate([which, np.arange(back + 1, len(clip))])
    return result, which


def _best_return(R: Float[ndarray, "frames bones 3 3"], shortest: int) -> int:
    """The frame whose pose and step are most like those of the last one."""
    last = len(R) - 1
    poses = rotation_angle(R[1 : last - shortest, 1:].swapaxes(-1, -2) @ R[last, 1:]).mean(1)
    steps = np.diff(R[:, 1:], axis=0)
    moves = np.linalg.norm(steps[: last - shortest - 1] - steps[-1], axis=(2, 3)).mean(1)
    return 1 + int((poses + moves).argmin())


def _append(clip: Clip, cycle: Clip) -> Clip:
    """A clip that goes on with a cycle whose first pose is like its last."""
    turn = clip.root[-1, 3] - cycle.root[0, 3]
    root = cycle.root.copy()
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]] - cycle.root[0, [0, 2]], np.full(len(root), turn))
    root[:, [0, 2]] += clip.root[-1, [0, 2]]
    root[:, 3] += turn
    moved = replace(cycle, root=root)
    width = min(JOIN_SECONDS * clip.fps, len(cycle) - 1)
    end = replace(clip, root=clip.root[-1:], angles=clip.angles[-1:])
    gap = change_of(moved, np.zeros(1, int), end)
    u = np.clip(np.arange(len(moved)) / width, 0.0, 1.0)[:, None]
    moved = apply_change(moved, (1.0 - u**3 * (10.0 - 15.0 * u + 6.0 * u * u)) * gap.values)
    return replace(
        clip, root=np.concatenate([clip.root, moved.root[1:]]), angles=np.concatenate([clip.angles, moved.angles[1:]])
    )
