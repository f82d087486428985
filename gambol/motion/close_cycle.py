"""Exact cycles: a loop repeated, and one cycle of a repeated motion closed without a jump of pose or velocity."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.motion.clip import Clip


def repeat_loop(clip: Clip, times: int) -> Clip:
    """A loop several times in a row; its steady travel continues."""
    frames = np.arange(times * (len(clip) - 1) + 1)
    rounds, inside = np.divmod(frames, len(clip) - 1)
    root, step = clip.root[inside].copy(), clip.root[-1] - clip.root[0]
    root[:, [0, 2]] += rounds[:, None] * step[[0, 2]]
    return replace(clip, root=root, angles=clip.angles[inside])


def close_cycle(clip: Clip, first: int, period: int) -> Clip:
    """The cycle of `period` frames from frame `first` on, its last pose exactly its first; a cycle lies before it.

    y(k) = (1 - s) x(first + k) + s x(first + k - period), s a smooth step from 0 to 1 over the cycle's second half and
    the travel of one cycle added to the second term: at its end y follows the cycle before, whose next frame is y(0).
    So y continues itself, with all its velocities. The cycle starts at the origin and looks ahead as the clip does.
    """
    now, before = np.arange(first, first + period + 1), np.arange(first - period, first + 1)
    u = np.clip(2.0 * np.arange(period + 1) / period - 1.0, 0.0, 1.0)
    s = u**3 * (u * (6.0 * u - 15.0) + 10.0)
    travel = np.zeros(6)
    travel[[0, 2]] = clip.root[first, [0, 2]] - clip.root[first - period, [0, 2]]
    root = (1.0 - s[:, None]) * clip.root[now] + s[:, None] * (clip.root[before] + travel)
    angles = (1.0 - s[:, None, None]) * clip.angles[now] + s[:, None, None] * clip.angles[before]
    root[:, [0, 2]] -= root[0, [0, 2]]
    return replace(clip, root=root, angles=angles)
