"""Lay a clip along a path with headings and arrival times, or give it a speed over time; the feet are locked anew."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.polyline import arc_lengths
from gambol.distill.constraints.path_over_ground import GroundPath, curve_through
from gambol.distill.constraints.retime import change_speed, own_speed, retimed_stances
from gambol.distill.constraints.speed import Speed
from gambol.motion.chosen_travel import MIN_TRAVEL_SPEED
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import Stances
from gambol.motion.feet.travel import Travel, add_travel
from gambol.motion.root_trajectory import SWAY_SECONDS, rotate_on_ground, smooth_path, swayless_path

EASE_SECONDS = 0.3
"""Standard deviation of the Gaussian that smooths the headings along a path in time, seconds."""


@dataclass(frozen=True)
class GroundCourse:
    """Where the body is to be over the ground, at distances along a path of points."""

    distances: Float[ndarray, "samples"]
    """Distance along the curve, metres."""
    places: Float[ndarray, "samples 2"]
    """Place (x, z) on the curve, metres."""
    headings: Float[ndarray, "samples"]
    """Heading, radians to the left of ahead."""
    knots: Float[ndarray, "points"]
    """Distance of each point."""

    def at(self, distances: Float[ndarray, "frames"]) -> tuple[Float[ndarray, "frames 2"], Float[ndarray, "frames"]]:
        """Places and headings at distances; beyond the end it goes straight on."""
        places = np.stack([np.interp(distances, self.distances, self.places[:, k]) for k in (0, 1)], 1)
        along = self.places[-1] - self.places[-2]
        beyond = np.maximum(distances - self.distances[-1], 0.0)[:, None]
        places = places + beyond * along / max(float(np.linalg.norm(along)), 1e-12)
        return places, np.interp(distances, self.distances, self.headings)


def ground_course(path: GroundPath, size: float) -> GroundCourse:
    """The path as a curve, its headings along it or as they are given."""
    from scipy.interpolate import PchipInterpolator

    places, knots = curve_through(np.array(path.points), size)
    distances = arc_lengths(places)
    ahead = np.gradient(places, axis=0)
    headings = np.unwrap(np.arctan2(-ahead[:, 1], ahead[:, 0]))
    if path.headings is not None:
        headings = PchipInterpolator(knots, np.unwrap(path.headings))(distances)
    return GroundCourse(distances, places, headings, knots)


def travelled_distances(path: GroundPath, clip: Clip, course: GroundCourse) -> Float[ndarray, "frames"]:
    """How far along the path the body is to be in each frame: by its times, else at the clip's own speed, metres."""
    from scipy.interpolate import PchipInterpolator

    if path.times is None:
        return arc_lengths(swayless_path(clip))
    times, own = np.array(path.times), own_speed(clip)
    curve = PchipInterpolator(times, course.knots)
    inside = curve(np.clip(clip.times, times[0], times[-1]))
    last = min(own, float(course.knots[-1] - course.knots[-2]) / float(times[-1] - times[-2]))
    return inside + np.maximum(clip.times - times[-1], 0.0) * last


def follow_course(
    clip: Clip, stances: Stances | None, path: GroundPath, size: float, offset: Float[ndarray, "2"]
) -> tuple[Clip, Stances | None]:
    """A clip along a path, its feet not locked yet; and when they stand.

    `offset` is where the root is at rest, from the body's middle.
    """
    course = ground_course(path, size)
    along = travelled_distances(path, clip, course)
    straight, aside = straightened(clip), 0.0 if path.headings is not None else way_of_going(clip, size)
    still = _on_the_spot(straight)
    if path.times is not None:
        wanted = np.gradient(along) * clip.fps
        retimed = change_speed(straight, wanted, size)
        if retimed is not None:
            still = retimed.clip
            if wanted.max() > retimed.capable:  # too fast for the motion: it arrives later
                along = along[0] + arc_lengths(retimed.places)
            stances = stances and retimed_stances(stances, retimed)
    places, headings = course.at(along)
    from scipy.ndimage import gaussian_filter1d

    headings = gaussian_filter1d(headings, EASE_SECONDS * clip.fps, mode="nearest") if len(clip) > 2 else headings
    # a body that goes sideways or backwards is turned to its way, and faces where it did
    around = still.root.copy()
    around[:, [0, 2]] = rotate_on_ground(around[:, [0, 2]], np.full(len(around), aside))
    around[:, 3] += aside
    laid = add_travel(_centred(replace(still, root=around)), Travel(places, headings))
    facing = headings + aside
    laid.root[:, [0, 2]] += rotate_on_ground(offset, facing) - offset
    return laid, stances


def way_of_going(clip: Clip, size: float) -> float:
    """Heading of the body from the direction in which it goes: 0 ahead, and quarters of a turn for other ways, radians.

    The direction is the mean over the clip; a body that does not travel goes ahead.
    """
    if own_speed(clip) < MIN_TRAVEL_SPEED * size:
        return 0.0
    steps = rotate_on_ground(np.diff(swayless_path(clip), axis=0), -clip.root[:-1, 3])
    x, z = steps.sum(0)
    return float(np.round(np.arctan2(z, x) / (0.5 * np.pi)) * 0.5 * np.pi)


def straightened(clip: Clip) -> Clip:
    """A clip whose way is bent, with the same steps straight ahead along its own first direction of the body.

    The slow part of the heading is taken out, and the way is the same distance along one line.
    """
    path, headings = swayless_path(clip), smooth_path(np.unwrap(clip.root[:, 3]), SWAY_SECONDS * clip.fps)
    root = clip.root.copy()
    sway = rotate_on_ground(root[:, [0, 2]] - path, -headings)
    ways = rotate_on_ground(np.diff(path, axis=0), -0.5 * (headings[1:] + headings[:-1]))
    root[:, [0, 2]] = sway + np.concatenate([np.zeros((1, 2)), ways.cumsum(0)])
    root[:, 3] -= headings
    return replace(clip, root=root)


def _on_the_spot(clip: Clip) -> Clip:
    path = swayless_path(clip)
    return add_travel(clip, Travel(path[0] - path, np.zeros(len(clip))))


def body_path(clip: Clip, offset: Float[ndarray, "2"]) -> Float[ndarray, "frames 2"]:
    """Where the body's middle is over the ground, metres; `offset` as for `follow_course`."""
    root = clip.root.copy()
    root[:, [0, 2]] += offset - rotate_on_ground(offset, root[:, 3])
    return root[:, [0, 2]]


def _centred(clip: Clip) -> Clip:
    """A clip in place, its mean place over the ground at the origin."""
    root = clip.root.copy()
    root[:, [0, 2]] -= root[:, [0, 2]].mean(0)
    return replace(clip, root=root)


def follow_speed(clip: Clip, stances: Stances | None, speed: Speed, size: float) -> tuple[Clip, Stances | None]:
    """A clip with a speed over time, its feet not locked yet; and when they stand."""
    wanted = np.interp(clip.times, speed.times, speed.speeds)
    retimed = change_speed(clip, wanted, size)
    if retimed is None:
        return clip, stances
    moved = add_travel(retimed.clip, Travel(retimed.places, np.zeros(len(clip))))
    return moved, stances and retimed_stances(stances, retimed)
