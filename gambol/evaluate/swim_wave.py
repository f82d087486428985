"""The wave that travels down the trunk of a swimming body, sideways or up and down."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Complex, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Side
from gambol.evaluate.gait_cycle import stride_frequency
from gambol.evaluate.observation import Observation

CLEAR_AMPLITUDE = 0.2
"""Least amplitude of a point, as a share of the largest one, for its phase to count."""
LARGEST_STEP = 1.9
"""Larger steps of the phase from point to point, radians, are the sign changes of a standing wave at its nodes."""


class MeasuredSwimWave(NamedTuple):
    """The larger one of the waves sideways and up and down."""

    span: float
    """Twice the amplitude where it is largest, sizes."""
    lag: float
    """Phase of the front minus phase of the tail's end, radians: positive where the wave travels backwards."""
    rhythm: float
    """Share of the motion that one frequency explains, 0 to 1."""


def swim_wave(seen: Observation) -> MeasuredSwimWave:
    """Measure the wave of a body without feet; all 0 where it has feet or no fins."""
    line = _middle_line(seen)
    if seen.feet or not seen.anatomy.of(BodyPart.WING) or len(line) < 3:
        return MeasuredSwimWave(0.0, 0.0, 0.0)
    ends = np.concatenate([seen.tips[:, line], seen.joints[:, line]], axis=1)
    rest = np.concatenate([seen.rest_tips[line], seen.rest_joints[line]])[:, 0]
    order = np.argsort(-rest)  # from the nose to the tail: the body looks along x at rest
    points = ends[:, order] - seen.centre[:, None]
    aside = (points * seen.aside[:, None]).sum(-1)
    return max((_wave(across / seen.size, seen) for across in (aside, points[..., 1])), key=lambda wave: wave.span)


def _middle_line(seen: Observation) -> list[int]:
    """Bones of torso, neck, head and tail limbs: the line from nose to tail."""
    trunk = (BodyPart.TORSO, BodyPart.NECK, BodyPart.HEAD, BodyPart.TAIL)
    return sorted(
        {b for limb in seen.anatomy.limbs if limb.part in trunk and limb.side == Side.MIDDLE for b in limb.bones}
    )


def _wave(across: Float[ndarray, "frames points"], seen: Observation) -> MeasuredSwimWave:
    """Fit one frequency to the displacements and add up the phase from point to point where it is clear."""
    signals = np.stack([across.T, np.zeros_like(across.T)], axis=-1)
    _, rhythm, amplitudes = stride_frequency(signals, seen.fps, loop=seen.loop)
    sizes = np.abs(amplitudes)
    return MeasuredSwimWave(2.0 * float(sizes.max(initial=0.0)), _lag(amplitudes), rhythm)


def _lag(amplitudes: Complex[ndarray, "points"]) -> float:
    """Return sum_k arg(a_k conj(a_k+1)) over neighbours that both move clearly, x_k(t) = Re(a_k e^{2 pi i f t})."""
    sizes = np.abs(amplitudes)
    clear = sizes > CLEAR_AMPLITUDE * sizes.max(initial=0.0)
    steps = np.angle(amplitudes[:-1] * amplitudes[1:].conj())
    return float(steps[clear[:-1] & clear[1:] & (np.abs(steps) < LARGEST_STEP)].sum())
