"""The path that a clip's root takes over the ground, without its sway; and whether a clip is a loop."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.rotations import rotation_angle

SWAY_SECONDS = 0.4
"""Standard deviation of the smoothing that takes the sway out of the path of a clip that is no loop."""
CLOSED = 0.6
"""A loop's last pose is its first one within this share of a usual step from frame to frame,"""
ONE_SHORT = 1.6
"""or it lacks the step back to the first pose and is within this share of one."""


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
    if usual <= 1e-9 or gap <= CLOSED * usual:
        return len(clip) - 1
    return len(clip) if gap <= ONE_SHORT * usual else None


def ground_path(clip: Clip) -> Float[ndarray, "frames 2"]:
    """Where the body is over the ground (x, z), without its sway.

    A loop's path is straight, p(t) = p_0 + t (p_T - p_0) / T; another clip's is its root's path smoothed by a Gaussian,
    continued at both ends by its mirror image through the end point, so that a steady walk stays as it is.
    """
    root = clip.root[:, [0, 2]]
    if loop_frames(clip) is not None or len(clip) < 3:
        return root[0] + np.linspace(0.0, 1.0, len(root))[:, None] * (root[-1] - root[0])
    return smooth_path(root, SWAY_SECONDS * clip.fps)


def smooth_path(values: Float[ndarray, "frames *width"], sigma: float) -> Float[ndarray, "frames *width"]:
    """Gaussian smoothing over time (sigma in frames); past its ends the path goes on as 2 end - mirror image."""
    reach = min(int(np.ceil(3.0 * sigma)), len(values) - 1)
    if reach < 1:
        return values.copy()
    before, after = 2.0 * values[0] - values[reach:0:-1], 2.0 * values[-1] - values[-2 : -reach - 2 : -1]
    extended = np.concatenate([before, values, after])
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    flat = extended.reshape(len(extended), -1)
    smooth = np.stack([np.convolve(column, kernel / kernel.sum(), mode="valid") for column in flat.T], axis=1)
    return smooth.reshape(values.shape)
