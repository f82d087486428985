"""Interpolation of joint rotations whose three angles jump between frames: full turns and passes of gimbal lock."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.transforms import matrix_from_quaternion, quaternion_from_matrix
from gambol.motion.rotations import continuous_angles, continuous_quaternions, rotation_angle

LARGEST_ANGLE_EXCESS = 0.8
"""By how much the largest step of a joint's angles may exceed the rotation that it makes, radians.

Beyond it the angles jump where the rotation does not, and a curve through them would not be the motion."""


def jumping_angles(
    angles: Float[ndarray, "frames joints 3"], R: Float[ndarray, "frames joints 3 3"]
) -> Bool[ndarray, "joints"]:
    """Whether any step of a joint's angles exceeds its rotation from frame to frame by `LARGEST_ANGLE_EXCESS`."""
    steps = np.abs(np.diff(angles, axis=0)).max(-1, initial=0.0)
    turned = rotation_angle(np.swapaxes(R[:-1], -1, -2) @ R[1:])
    return (steps - turned).max(0, initial=0.0) > LARGEST_ANGLE_EXCESS


def spline_rotations(
    times: Float[ndarray, "frames"],
    R: Float[ndarray, "frames joints 3 3"],
    at: Float[ndarray, "samples"],
    *,
    loop: bool = False,
) -> Float[ndarray, "samples joints 3"]:
    """Continuous angles of rotations at other times, by cubic splines through their unit quaternions.

    A loop goes on with the rotation G = R_last R_first^T that it makes in a cycle: R(t + T) = G R(t).
    """
    from scipy.interpolate import CubicSpline

    if loop:
        cycle, span = R[-1] @ np.swapaxes(R[0], -1, -2), times[-1] - times[0]
        R = np.concatenate([np.swapaxes(cycle, -1, -2) @ R[:-1], R, cycle @ R[1:]])
        times = np.concatenate([times[:-1] - span, times, times[1:] + span])
    wxyz = CubicSpline(times, continuous_quaternions(quaternion_from_matrix(R)))(at)
    return continuous_angles(matrix_from_quaternion(wxyz))
