"""The path of a clip's root over the ground without its sway, and whether a clip is a loop."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.rotations import rotation_angle

SWAY_SECONDS = 0.4
"""Standard deviation of the Gaussian that takes the sway out of a root path, seconds."""
UNSTEADY_SHARE = 0.08
"""A path that is this share of its length or more away from a steady one is no loop's, however like its last pose is to
its first."""
CLOSED_LOOP_GAP = 0.6
"""A closed loop's last pose differs from its first by at most this share of a usual step from frame to frame."""
OPEN_LOOP_GAP = 1.6
"""A loop without its closing frame has its last pose within this share of a usual step from its first."""
MIN_LOOP_COSINE = 0.0
"""Least cosine between the missing closing step of a loop and the steps beside it (0.24 and more in gaits of twelve
frames per stride). Of a gait sampled at six frames per stride any two poses are little more than a step apart."""


def loop_frames(clip: Clip) -> int | None:
    """After how many frames the poses begin again: frames - 1, frames (the first pose is not repeated), or None.

    Poses are compared by the joints' rotations; the root counts with its roll and pitch, not with heading or place.
    """
    if len(clip) < 4:
        return None
    R = joint_matrices(clip)
    heading = np.zeros_like(clip.root)
    heading[:, 4:] = clip.root[:, 4:]
    R[:, 0] = joint_matrices(Clip(clip.name, clip.fps, heading, np.zeros((len(clip), 0, 3))))[:, 0]
    steps = rotation_angle(np.swapaxes(R[:-1], -1, -2) @ R[1:]).mean(1)
    gap = float(rotation_angle(R[-1].swapaxes(-1, -2) @ R[0]).mean())
    usual = float(np.sort(steps)[len(steps) // 4 :].mean())
    if usual <= 1e-9 or gap <= CLOSED_LOOP_GAP * usual:
        return len(clip) - 1
    if gap > OPEN_LOOP_GAP * usual:
        return None
    before, back, after = R[-1] - R[-2], R[0] - R[-1], R[1] - R[0]
    beside = before + after
    onwards = float((back * beside).sum()) / max(float(np.linalg.norm(back) * np.linalg.norm(beside)), 1e-30)
    return len(clip) if onwards >= MIN_LOOP_COSINE else None


def ground_path(clip: Clip) -> Float[ndarray, "frames 2"]:
    """Position of the body over the ground (x, z) without its sway, metres.

    A loop travels and turns steadily (`steady_path`); another clip's path is its `swayless_path`. A clip that gets
    somewhere on a bent way, or with a changing speed, is no loop.
    """
    if len(clip) < 3 or loop_frames(clip) is not None:
        places, headings = steady_path(*loop_speed(clip), clip.times)
        steady = rotate_on_ground(clip.root[:1, [0, 2]], headings) + places
        if len(clip) < 3:
            return steady
        smooth = swayless_path(clip)
        length = float(np.linalg.norm(np.diff(smooth, axis=0), axis=1).sum())
        gets_away = np.linalg.norm(smooth[-1] - smooth[0]) > 0.5 * length
        off = float(np.linalg.norm(smooth - steady, axis=1).max())
        return smooth if gets_away and off > UNSTEADY_SHARE * length else steady
    return swayless_path(clip)


def swayless_path(clip: Clip) -> Float[ndarray, "frames 2"]:
    """The root's path over the ground (x, z), smoothed by a Gaussian, metres.

    It is continued at both ends by its mirror image through the end point, so that a steady walk stays as it is.
    """
    return smooth_path(clip.root[:, [0, 2]], SWAY_SECONDS * clip.fps)


def smooth_path(values: Float[ndarray, "frames *width"], sigma: float) -> Float[ndarray, "frames *width"]:
    """Gaussian smoothing over time (sigma in frames); beyond its ends the path is continued as 2 end - mirror image."""
    reach = min(int(np.ceil(3.0 * sigma)), len(values) - 1)
    if reach < 1:
        return values.copy()
    before, after = 2.0 * values[0] - values[reach:0:-1], 2.0 * values[-1] - values[-2 : -reach - 2 : -1]
    extended = np.concatenate([before, values, after])
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    flat = extended.reshape(len(extended), -1)
    smooth = np.stack([np.convolve(column, kernel / kernel.sum(), mode="valid") for column in flat.T], axis=1)
    return smooth.reshape(values.shape)


def loop_speed(clip: Clip) -> tuple[Float[ndarray, "2"], float]:
    """Velocity (x, z, metres) and turning rate (radians) of a loop per second, from its first and last frame.

    p_T = R(w T) p_0 + W v T, with W the mean of the rotations from 0 to w T.
    """
    seconds = clip.duration or 1.0
    turn = float((clip.root[-1, 3] - clip.root[0, 3] + np.pi) % (2.0 * np.pi) - np.pi)
    travelled = clip.root[-1, [0, 2]] - rotate_on_ground(clip.root[0, [0, 2]], np.array(turn))
    return np.linalg.solve(mean_rotation(turn), travelled) / seconds, turn / seconds


def rotate_on_ground(places: Float[ndarray, "*#any 2"], headings: Float[ndarray, "*#any"]) -> Float[ndarray, "*#any 2"]:
    """Rotate (x, z) about +y by headings in radians: x' = x cos h + z sin h, z' = z cos h - x sin h."""
    c, s = np.cos(headings), np.sin(headings)
    x, z = places[..., 0], places[..., 1]
    return np.stack([x * c + z * s, z * c - x * s], axis=-1)


def steady_path(
    velocity: Float[ndarray, "2"], rate: float, times: Float[ndarray, "frames"]
) -> tuple[Float[ndarray, "frames 2"], Float[ndarray, "frames"]]:
    """Positions and headings at constant velocity v and turning rate w: integral_0^t R_y(w s) v ds, and w t."""
    places = np.stack([t * (mean_rotation(rate * float(t)) @ velocity) for t in times])
    return places, rate * times


def mean_rotation(angle: float) -> Float[ndarray, "2 2"]:
    """Mean of the rotations from 0 to `angle` on (x, z): [[sin a, 1 - cos a], [cos a - 1, sin a]] / a."""
    if abs(angle) < 1e-6:
        return np.array([[1.0, 0.5 * angle], [-0.5 * angle, 1.0]])
    s, c = np.sin(angle) / angle, (1.0 - np.cos(angle)) / angle
    return np.array([[s, c], [-c, s]])


def remove_steady_travel(clip: Clip) -> tuple[Float[ndarray, "frames 6"], Float[ndarray, "2"]]:
    """The root without its straight steady travel on the ground, and that travel's velocity (x, z), metres per frame.

    The line is the least-squares one through the root's positions; a camera that goes along sees what is left.
    """
    root, frames = clip.root.copy(), np.arange(len(clip)) - 0.5 * (len(clip) - 1)
    places = root[:, [0, 2]]
    velocity = frames @ (places - places.mean(0)) / max(float(frames @ frames), 1e-9)
    root[:, [0, 2]] = places - places.mean(0) - frames[:, None] * velocity
    return root, velocity
