"""Few editable keys in place of one per frame: cubic splines fitted to a clip's channels within a tolerance.

The splines are natural cubic splines (continuous acceleration, none at the ends), written as glTF's CUBICSPLINE with
their tangents. Blender's importer (5.0) drops the tangents of a file and makes its own from the values: those of the
cubic spline with continuous acceleration and no velocity at the ends. So keys are chosen for which both curves, which
differ near the ends only, stay within the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.node_clip import NodeChannel, NodeClip
from gambol.motion.rotations import continuous_quaternions

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

KEY_ANGLE_TOLERANCE = float(np.radians(0.6))
"""By how much a rotation may miss the clip's at any frame, radians."""
KEY_PLACE_TOLERANCE = 1e-3
"""By how much a translation may miss the clip's at any frame, sizes of the character; also for scales and weights."""
ROUNDING_SHARE = 0.01
"""Share of a tolerance that is left for rounding to the file's 32-bit numbers."""
REWEIGHTINGS = 4
"""Least-squares fits per set of keys; each gives more weight to the frames that the last one missed most."""
END_CONDITIONS = ("natural", "clamped")
"""What splines do at their ends: no acceleration as written, no velocity as Blender reads them."""
WINDOW_FRAMES = 96
"""Keys of longer channels are chosen in windows of so many frames, so that time grows linearly with the length."""


def reduce_keys(clip: NodeClip, size: float) -> NodeClip:
    """The clip with as few keys as cubic splines need to stay within a tolerance at all of its frames.

    No rotation misses by more than KEY_ANGLE_TOLERANCE, no translation by more than KEY_PLACE_TOLERANCE times `size`
    (the character's size in the file's unit), no scale or morph weight by more than KEY_PLACE_TOLERANCE. The first and
    last key keep their values.
    """
    angle, share = KEY_ANGLE_TOLERANCE, KEY_PLACE_TOLERANCE
    tolerances = {"rotation": angle, "translation": share * size, "scale": share, "weights": share}
    return replace(clip, channels=tuple(reduce_channel(c, tolerances[c.path]) for c in clip.channels))


def key_count(clip: NodeClip) -> int:
    """Number of keys of all channels together."""
    return sum(len(channel.times) for channel in clip.channels)


def reduce_channel(channel: NodeChannel, tolerance: float) -> NodeChannel:
    """A LINEAR channel as a line of two keys or as a natural spline, whichever is enough; others stay as they are."""
    if channel.interpolation != "LINEAR" or len(channel.times) < 3:
        return channel
    tolerance = (1.0 - ROUNDING_SHARE) * tolerance
    line = replace(channel, times=channel.times[[0, -1]], values=channel.values[[0, -1]])
    if channel_misses(channel, line).max() <= tolerance:
        return line
    rotation = channel.path == "rotation"
    curve = Curve(channel.times, continuous_quaternions(channel.values) if rotation else channel.values, rotation)
    keys = choose_keys(curve, tolerance)
    values = fit_values(curve, keys)
    tangents = smooth_spline(curve.times[keys], values)(curve.times[keys], 1)
    spline = replace(
        channel,
        times=curve.times[keys],
        values=np.stack([tangents, values, tangents], axis=1),
        interpolation="CUBICSPLINE",
    )
    return spline if len(keys) < len(channel.times) else channel


def channel_misses(channel: NodeChannel, other: NodeChannel) -> Float[ndarray, "keys"]:
    """How far another channel is off at the keys of this one: radians for rotations, else distance."""
    return misses(channel.values, other.sample(channel.times), rotation=channel.path == "rotation")


def misses(
    values: Float[ndarray, "frames width"], others: Float[ndarray, "frames width"], *, rotation: bool
) -> Float[ndarray, "frames"]:
    """Angle between two unit quaternions, 2 asin(|q -+ p| / 2); distance of anything else."""
    apart = np.linalg.norm(values - others, axis=-1)
    if not rotation:
        return apart
    apart = np.minimum(apart, np.linalg.norm(values + others, axis=-1))
    return 4.0 * np.arcsin(np.clip(0.5 * apart, 0.0, 1.0))


@dataclass(frozen=True)
class Curve:
    """What is fitted: the values of one channel at all frames."""

    times: Float[ndarray, "frames"]
    """Seconds, increasing."""
    values: Float[ndarray, "frames width"]
    """Quaternions have continuous signs."""
    rotation: bool
    """Whether the values are unit quaternions: splines through them are normalised where they are sampled."""

    def part(self, first: int, last: int) -> Curve:
        """The frames from `first` to `last`, both included."""
        return replace(self, times=self.times[first : last + 1], values=self.values[first : last + 1])


def choose_keys(curve: Curve, tolerance: float) -> list[int]:
    """Frames at which a natural spline needs keys, window by window; then more where the whole spline still misses."""
    count = len(curve.times)
    bounds = np.linspace(0, count - 1, max(1, round((count - 1) / WINDOW_FRAMES)) + 1).round().astype(int)
    keys = {0}
    for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        part = curve.part(first, last)
        chosen = drop_keys(part, insert_keys(part, [0, last - first], tolerance), tolerance)
        keys |= {first + key for key in chosen}
    return insert_keys(curve, sorted(keys), tolerance)


def insert_keys(curve: Curve, keys: list[int], tolerance: float) -> list[int]:
    """Add the frame that the fitted spline misses most until it misses none; all frames where that fails."""
    while len(keys) < len(curve.times):
        off = fit_misses(curve, keys)
        if off.max() <= tolerance:
            return keys
        off[keys] = 0.0
        keys = sorted([*keys, int(off.argmax())])
    return keys


def drop_keys(curve: Curve, keys: list[int], tolerance: float) -> list[int]:
    """Leave out keys that the fitted spline does without, those nearest to the line of their neighbours first."""
    t, v = curve.times[keys], curve.values[keys]
    share = ((t[1:-1] - t[:-2]) / (t[2:] - t[:-2]))[:, None]
    bends = np.linalg.norm(v[1:-1] - (1.0 - share) * v[:-2] - share * v[2:], axis=1)
    for key in [keys[1 + place] for place in np.argsort(bends, kind="stable")]:
        fewer = [other for other in keys if other != key]
        if fit_misses(curve, fewer).max() <= tolerance:
            keys = fewer
    return keys


def fit_misses(curve: Curve, keys: list[int]) -> Float[ndarray, "frames"]:
    """How far the fitted spline is off at every frame (`misses`), the worse of both `END_CONDITIONS`."""
    values, worst = fit_values(curve, keys), np.zeros(len(curve.times))
    for ends in END_CONDITIONS:
        sampled = smooth_spline(curve.times[keys], values, ends)(curve.times)
        if curve.rotation:
            sampled = sampled / np.maximum(np.linalg.norm(sampled, axis=1, keepdims=True), 1e-12)
        worst = np.maximum(worst, misses(curve.values, sampled, rotation=curve.rotation))
    return worst


def fit_values(curve: Curve, keys: list[int]) -> Float[ndarray, "keys width"]:
    """Values at the keys for which a natural spline misses the curve least; the first and last are the curve's own.

    x = argmin sum_f w_f |B_f x - v_f|^2, B the splines through unit vectors. The weights start at 1 and are multiplied
    by |B_f x - v_f| / max + 0.05 after each fit (Lawson 1961), which brings the largest miss down.
    """
    v = curve.values
    if len(keys) < 3 or len(keys) == len(v):
        return v[keys]
    B = smooth_spline(curve.times[keys], np.eye(len(keys)))(curve.times)
    inner, wanted, weights = B[:, 1:-1], v - B[:, [0, -1]] @ v[[0, -1]], np.ones(len(v))
    for _ in range(REWEIGHTINGS):
        weighted = inner * weights[:, None]
        normal = inner.T @ weighted + 1e-12 * np.eye(len(keys) - 2)
        x = np.linalg.solve(normal, weighted.T @ wanted)
        off = np.linalg.norm(inner @ x - wanted, axis=1)
        weights = weights * (off / max(float(off.max()), 1e-30) + 0.05)
    values = np.concatenate([v[:1], x, v[-1:]])
    return values / np.linalg.norm(values, axis=1, keepdims=True) if curve.rotation else values


def smooth_spline(
    times: Float[ndarray, "keys"], values: Float[ndarray, "keys width"], ends: str = "natural"
) -> CubicSpline:
    """The cubic spline through values with continuous second derivatives; natural: they are 0 at both ends."""
    from scipy.interpolate import CubicSpline

    return CubicSpline(times, values, bc_type=ends)
