"""Carry what was changed in some frames smoothly into the frames around them.

Root places change by displacements, joints by rotation vectors of their own frames, so that the clip's own detail stays
(motion warping, Witkin and Popovic 1995).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.motion.blend_poses import nearest_angles
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.contacts import true_runs


@dataclass(frozen=True)
class Change:
    """How far some frames of a clip differ from another clip."""

    frames: Int[ndarray, "chosen"]
    """Frames, increasing."""
    values: Float[ndarray, "chosen numbers"]
    """Displacement of the root (metres), then a rotation vector for each bone (radians)."""


def change_of(clip: Clip, frames: Int[ndarray, "chosen"], changed: Clip) -> Change:
    """The change that makes `changed` (one frame for each of `frames`) of a clip."""
    from scipy.spatial.transform import Rotation

    before = joint_matrices(replace(clip, root=clip.root[frames], angles=clip.angles[frames]))
    left = before.swapaxes(-1, -2) @ joint_matrices(changed)
    turns = Rotation.from_matrix(left.reshape(-1, 3, 3)).as_rotvec().reshape(len(frames), -1)
    return Change(frames, np.concatenate([changed.root[:, :3] - clip.root[frames, :3], turns], 1))


def apply_change(clip: Clip, values: Float[ndarray, "frames numbers"]) -> Clip:
    """A clip with a change in every frame; what does not change keeps its numbers."""
    from scipy.spatial.transform import Rotation

    frames = len(clip)
    turns = values[:, 3:].reshape(frames, -1, 3)
    moved = np.linalg.norm(turns, axis=-1) > 1e-9
    angles = np.concatenate([clip.root[:, None, 3:], clip.angles], 1)
    R = joint_matrices(clip)[moved] @ Rotation.from_rotvec(turns[moved]).as_matrix()
    angles[moved] = nearest_angles(R, angles[moved])
    return replace(clip, root=np.concatenate([clip.root[:, :3] + values[:, :3], angles[:, 0]], 1), angles=angles[:, 1:])


def spread_change(
    change: Change, frames: int, widths: Float[ndarray, "frames"] | float, *, period: int | None = None
) -> Float[ndarray, "frames numbers"]:
    """The change in every frame: as given in its frames, and fading to nothing within `widths` frames of them.

    Between two runs of changed frames closer than that, one goes over into the other. The fade of a run leaves it with
    the run's own speed. In a loop of `period` frames the fade goes on across the seam.
    """
    known, values = np.zeros(frames, bool), np.zeros((frames, change.values.shape[1]))
    known[change.frames], values[change.frames] = True, change.values
    width = np.broadcast_to(np.asarray(widths, dtype=np.float64), (frames,))
    if period is None:
        return _fill(known, values, width)
    inside = _close_loop(known, values, period)
    three = [np.concatenate([x[:period]] * 3) for x in (inside, values, width)]
    filled = _fill(three[0], three[1], three[2])[period : 2 * period]
    return filled[np.arange(frames) % period]


def _close_loop(known: Bool[ndarray, "frames"], values: ndarray, period: int) -> Bool[ndarray, "frames"]:
    """Frames behind the first cycle demand the same of it; returns which frames of it are known."""
    inside = known.copy()
    for frame in range(period, len(known)):
        if known[frame] and not inside[frame % period]:
            inside[frame % period], values[frame % period] = True, values[frame]
    return inside


def _fill(known: Bool[ndarray, "frames"], values: ndarray, width: Float[ndarray, "frames"]) -> ndarray:
    result = values.copy()
    runs = true_runs(known)
    result[~known] = 0.0
    edges = [(-1, -1), *runs.tolist(), (len(known), len(known))]
    for (_, left), (right, _) in pairwise(edges):
        gap = np.arange(max(left, 0), min(right, len(known)))
        if not len(gap):
            continue
        length = right - (left - 1)
        if left > 0:
            reach = float(min(width[left - 1], length) if right < len(known) else width[left - 1])
            result[gap] += _fade(values, known, left - 1, -1, gap - (left - 1), reach)
        if right < len(known):
            reach = float(min(width[right], length) if left > 0 else width[right])
            result[gap] += _fade(values, known, right, 1, right - gap, reach)
    return result


def _fade(
    values: ndarray, known: Bool[ndarray, "frames"], edge: int, inward: int, away: Int[ndarray, "gap"], reach: float
) -> ndarray:
    """From a run's edge to zero by a cubic that leaves with the run's speed; smoother where the run is one frame."""
    reach = max(float(reach), 1.0)
    u = np.clip(away / reach, 0.0, 1.0)[:, None]
    within = edge + inward
    if not (0 <= within < len(known) and known[within]):
        return (1.0 - u**3 * (10.0 - 15.0 * u + 6.0 * u * u)) * values[edge]
    speed = values[edge] - values[within]
    most = 2.0 * np.linalg.norm(values[edge]) / reach
    speed = speed * min(1.0, most / max(float(np.linalg.norm(speed)), 1e-12))
    return (1.0 - u * u * (3.0 - 2.0 * u)) * values[edge] + u * (1.0 - u) ** 2 * reach * speed
