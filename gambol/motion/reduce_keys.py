"""Few editable keys in place of one per frame, within a tolerance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.motion.node_clip import NodeChannel, NodeClip

ANGLE = float(np.radians(0.6))
"""By how much a rotation may miss, radians."""
PLACE = 1e-3
"""By how much a translation may miss, in units of what the character's size is given in."""


def thin_keys(clip: NodeClip, size: float, *, angle: float = ANGLE, place: float = PLACE) -> NodeClip:
    """The clip with only those keys that straight lines (slerps) between them need.

    No rotation misses by more than `angle`, no translation by more than `place` times `size` (file units), no scale by
    more than `place`. Keys are chosen from the clip's own frames, the worst one first (Ramer, Douglas, Peucker).
    """
    tolerances = {"rotation": angle, "translation": place * size, "scale": place, "weights": place}
    return replace(clip, channels=tuple(_thinned(channel, tolerances[channel.path]) for channel in clip.channels))


def key_count(clip: NodeClip) -> int:
    """Keys of all channels together."""
    return sum(len(channel.times) for channel in clip.channels)


def _thinned(channel: NodeChannel, tolerance: float) -> NodeChannel:
    if channel.interpolation != "LINEAR" or len(channel.times) < 3:
        return channel
    chosen = _needed(channel, tolerance)
    return replace(channel, times=channel.times[chosen], values=channel.values[chosen])


def _needed(channel: NodeChannel, tolerance: float) -> Int[ndarray, "keys"]:
    """Indices of the keys to keep."""
    keep, open_pieces = {0, len(channel.times) - 1}, [(0, len(channel.times) - 1)]
    while open_pieces:
        first, last = open_pieces.pop()
        if last - first < 2:
            continue
        ends = replace(channel, times=channel.times[[first, last]], values=channel.values[[first, last]])
        between = slice(first + 1, last)
        misses = _miss(channel, channel.values[between], ends.sample(channel.times[between]))
        worst = int(misses.argmax())
        if misses[worst] > tolerance:
            middle = first + 1 + worst
            keep.add(middle)
            open_pieces += [(first, middle), (middle, last)]
    return np.array(sorted(keep))


def _miss(channel: NodeChannel, values: ndarray, drawn: ndarray) -> Float[ndarray, "keys"]:
    """Angle between two rotations, 2 acos |q . p|; distance of anything else."""
    if channel.path == "rotation":
        return 2.0 * np.arccos(np.clip(np.abs((values * drawn).sum(-1)), 0.0, 1.0))
    return np.linalg.norm(values - drawn, axis=-1)
