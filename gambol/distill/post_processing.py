"""From the motion that was optimised to the clip that is written: way over the ground, feet, path, frame rate."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.distill.body import Body
from gambol.distill.held_objects import lift_held_things
from gambol.errors import AssetError, MissingPart
from gambol.evaluate.soundness import LIMIT_SLACK
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import clip_stances, never_leave, track_feet
from gambol.motion.feet.planting import PlantConfig, plant_feet
from gambol.motion.feet.travel import Travel, add_travel, find_travel, remove_travel, standing_height
from gambol.motion.root_trajectory import ground_path, smooth_path

TREMBLING = 1.2
"""Standard deviation of the window, frames of the prior's film, over which a motion is smoothed to see when feet stand.
Only feet that go back count as standing, and a foot that trembles always goes back at times."""
SHIVERING = 0.8
"""The same to see how far they go then. Of fitted motions the way is then 7 % too long in walks and right in runs; with
`TREMBLING` it is right in walks and 15 % too short in runs, of true motions 13 and 28 %."""
SLOWEST = 0.02
"""A body that goes less than this, sizes per second, stands: it has no speed to change."""
CORNER = 0.8
"""How far a path's corners are rounded, sizes of the body."""


@dataclass(frozen=True)
class FinishSettings:
    """How a clip is finished."""

    fps: float = 30.0
    """Of the clip that is written."""
    follow_feet: bool = True
    """Find the way over the ground from the standing feet; else the motion's own way stays."""
    foot_lock: bool = True
    """Lock standing feet to the ground by the legs' joints."""
    knees: bool = True
    """Keep the joints between hip and foot within their limits, whatever the prior or the lock made of them."""
    in_place: bool = False
    """Take the way out again."""
    travel: str | None = None
    """A speed in m/s (the clip is played faster or slower), or a path 'x,z x,z ...' in metres (x ahead, z right)."""

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 240:
            raise AssetError(f"The clip is to have {self.fps:g} frames per second; allowed is 1 to 240.")
        if self.travel is not None:
            read_travel(self.travel)
            if self.in_place:
                raise AssetError("--in-place and --travel exclude each other: give one of them.")


DEFAULT_FINISH = FinishSettings()


def finish_clip(body: Body, clip: Clip, settings: FinishSettings, *, travels: bool, loop: bool) -> Clip:
    """Everything in order. `travels`: the clip's way over the ground is its own; `loop`: its last pose is its first.

    Feet are planted before frames are left out: a mouse's stance lasts three frames of thirty in a second.
    """
    clip = resample(clip, max(settings.fps, clip.fps), loop=loop)
    clip = sound_knees(body, clip) if settings.knees else clip
    if settings.follow_feet and not travels:
        clip = over_ground(body, clip, foot_lock=settings.foot_lock)
    elif settings.foot_lock and settings.follow_feet:
        clip = locked_feet(body, clip)
    if settings.travel is not None:
        told = read_travel(settings.travel)
        if isinstance(told, float):
            clip = at_speed(clip, told, body.character.size)
        else:
            clip = along_path(clip, told, body.character.size)
            clip = locked_feet(body, clip) if settings.foot_lock else clip
    clip = sound_knees(body, clip) if settings.knees else clip
    clip = lift_held_things(body, clip) if settings.follow_feet else clip
    clip = resample(clip, settings.fps, loop=loop)
    return remove_travel(clip) if settings.in_place else clip


def sound_knees(body: Body, clip: Clip) -> Clip:
    """Joints between hip and foot, cut off at their limits and the slack that guessed limits have."""
    inner = np.array([bone for limb in body.anatomy.legs for bone in limb.bones[1:-1] if bone > 0], dtype=np.int64)
    limits, angles = body.anatomy.limits[inner], clip.angles.copy()
    angles[:, inner - 1] = np.clip(angles[:, inner - 1], limits[..., 0] - LIMIT_SLACK, limits[..., 1] + LIMIT_SLACK)
    return replace(clip, angles=angles)


def over_ground(body: Body, clip: Clip, *, foot_lock: bool = True) -> Clip:
    """The way that the standing feet show, and their slip taken away; a body without feet stays where it is.

    When they stand is seen in a calmer motion than how far they go then: to choose the steps of trembling feet by their
    direction would choose the longest. Feet that never leave their place stand all along, however they
    tremble; a body with no other feet goes nowhere.
    """
    character, anatomy = body.character, body.anatomy
    try:
        tracks = track_feet(character, clip, anatomy)
    except MissingPart:
        return replace(clip)
    rooted = never_leave(tracks)
    if rooted.all():
        root = clip.root.copy()
        root[:, 1] -= float(np.median(tracks.heights))
        clip = replace(clip, root=root)
    else:
        calm, lively = (smoothed(clip, sigma * clip.fps / body.fps) for sigma in (TREMBLING, SHIVERING))
        stances = find_travel(character, calm, anatomy)[1]
        travel = find_travel(character, lively, anatomy, stances=stances)[2]
        root = add_travel(clip, travel).root
        root[:, 1] -= standing_height(tracks, stances)
        clip = replace(clip, root=root)
    if not foot_lock:
        return clip
    given = clip_stances(character, clip, anatomy)[1] if rooted.any() else None
    if given is not None:
        given = replace(given, standing=given.standing | rooted[:, None])
    return plant_feet(character, clip, anatomy, stances=given)


def smoothed(clip: Clip, sigma: float) -> Clip:
    """The clip with all its numbers averaged over a Gaussian window in time, sigma in frames."""
    from scipy.ndimage import gaussian_filter1d

    root, angles = (gaussian_filter1d(x, sigma, axis=0, mode="nearest") for x in (clip.root, clip.angles))
    return replace(clip, root=root, angles=angles)


def locked_feet(body: Body, clip: Clip) -> Clip:
    """Standing feet locked to y = 0, where there are feet."""
    try:
        return plant_feet(body.character, clip, body.anatomy, config=PlantConfig(ground=0.0))
    except MissingPart:
        return clip


def resample(clip: Clip, fps: float, *, loop: bool = False) -> Clip:
    """The clip at another frame rate, by cubic splines; a loop is stretched to whole frames."""
    from scipy.interpolate import CubicSpline

    if len(clip) < 2 or clip.fps == fps:
        return clip
    numbers = np.concatenate([clip.root, clip.angles.reshape(len(clip), -1)], 1)
    frames = clip.duration * fps
    if loop:
        count = max(round(frames), 1) + 1
        times = np.linspace(0.0, clip.duration, count)
    else:
        times = np.arange(int(np.floor(frames + 1e-6)) + 1) / fps
    moved = CubicSpline(clip.times, numbers)(times)
    if loop:
        moved[-1, 6:] = moved[0, 6:]
    return Clip(clip.name, fps, np.ascontiguousarray(moved[:, :6]), moved[:, 6:].reshape(len(times), -1, 3).copy())


def read_travel(text: str) -> float | Float[ndarray, "points 2"]:
    """'1.2' is a speed, '0,0 2,0 2,1' a path."""
    try:
        if "," not in text:
            speed = float(text)
            if 0 < speed <= 100:
                return speed
        else:
            points = np.array([[float(x) for x in point.split(",")] for point in text.split()])
            if points.ndim == 2 and points.shape[1] == 2 and len(points) > 1 and np.isfinite(points).all():
                if not np.linalg.norm(np.diff(points, axis=0), axis=1).all():
                    raise AssetError(f"--travel is {text!r}; each point of a path must be another than the one before.")
                return points
    except ValueError:
        pass
    raise AssetError(f"--travel is {text!r}; it takes a speed in m/s such as 1.2, or a path such as '0,0 2,0 3,1'.")


def at_speed(clip: Clip, speed: float, size: float) -> Clip:
    """The clip played faster or slower, so that it covers the ground at `speed`; one that stays stays as it is."""
    own = way_length(clip) / clip.duration
    return clip if own < SLOWEST * size else replace(clip, fps=clip.fps * speed / own)


def along_path(clip: Clip, points: Float[ndarray, "points 2"], size: float) -> Clip:
    """The clip laid along a path with round corners, as far as it goes by itself; past the end straight on.

    It looks along the path from its first frame on.
    """
    way = ground_path(clip)
    gone = np.concatenate([[0.0], np.linalg.norm(np.diff(way, axis=0), axis=1).cumsum()])
    bent, headings = rounded(points, CORNER * size)
    along = np.concatenate([[0.0], np.linalg.norm(np.diff(bent, axis=0), axis=1).cumsum()])
    beyond = np.maximum(gone - along[-1], 0.0)[:, None]
    last = np.array([np.cos(headings[-1]), -np.sin(headings[-1])])
    places = np.stack([np.interp(gone, along, bent[:, k]) for k in (0, 1)], 1) - points[0] + beyond * last
    return add_travel(remove_travel(clip), Travel(places, np.interp(gone, along, headings)))


def rounded(
    points: Float[ndarray, "points 2"], sigma: float
) -> tuple[Float[ndarray, "samples 2"], Float[ndarray, "samples"]]:
    """A path through its points' neighbourhood, corners smoothed over `sigma` metres, and its headings."""
    knots = np.concatenate([[0.0], np.linalg.norm(np.diff(points, axis=0), axis=1).cumsum()])
    samples = np.linspace(0.0, knots[-1], max(int(np.ceil(knots[-1] / sigma * 8)), 2 * len(points)) + 1)
    dense = np.stack([np.interp(samples, knots, points[:, k]) for k in (0, 1)], 1)
    bent = smooth_path(dense, sigma / (samples[1] - samples[0]))
    ahead = np.gradient(bent, axis=0)
    return bent, np.unwrap(np.arctan2(-ahead[:, 1], ahead[:, 0]))


def way_length(clip: Clip) -> float:
    """How far a clip goes over the ground, metres."""
    return float(np.linalg.norm(np.diff(ground_path(clip), axis=0), axis=1).sum())


def first_seconds(clip: Clip, seconds: float | None) -> Clip:
    """The beginning of a clip that is longer than it should be."""
    count = len(clip) if seconds is None else max(round(seconds * clip.fps) + 1, 2)
    return replace(clip, root=clip.root[:count], angles=clip.angles[:count]) if count < len(clip) else clip


def travel_note(clip: Clip, travel: str | None, size: float) -> str | None:
    """A sentence where a clip could not travel as it was told to."""
    told, gone = read_travel(travel) if travel is not None else None, way_length(clip)
    if told is None:
        return None
    if gone / clip.duration < SLOWEST * size:
        return "The motion stays where it is, so --travel changes nothing."
    whole = 0.0 if isinstance(told, float) else float(np.linalg.norm(np.diff(told, axis=0), axis=1).sum())
    if gone > 0.95 * whole:
        return None
    return f"The clip goes {gone:.2f} of the path's {whole:.2f} m; --seconds makes it longer."
