"""Gait cycle: stride frequency, phases between feet, duty factor, time in the air."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Complex, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.evaluate.observation import Foot, Observation

SLOWEST_STRIDE_HZ, FASTEST_STRIDE_HZ = 0.15, 12.0
"""Range of stride frequencies that are searched, hertz."""
LEAST_STRIDES = 0.7
"""Least number of strides that a clip must hold for their frequency to be found."""
LEAST_SWING = 0.02
"""Least amplitude of a foot's swing for its phase to be defined, leg lengths."""
LEAST_SWING_SHARE = 0.25
"""Least amplitude of a foot's swing for its phase to be defined, as a share of the largest amplitude."""
GROUNDED_FOOT_HEIGHT = 0.06
"""Height above ground level up to which a foot is on the ground, leg lengths."""


@dataclass(frozen=True)
class GaitCycle:
    """Periodic motion of the feet, in the order of `Observation.feet`."""

    stride_hz: float
    """Stride frequency, hertz; 0 where the feet do not swing."""
    regularity: float
    """Share of the feet's motion that the stride frequency and its first overtone explain, 0 to 1."""
    swing: Float[ndarray, "feet"]
    """Span of each foot forwards and backwards relative to its hip, 5th to 95th percentile, leg lengths."""
    lift: Float[ndarray, "feet"]
    """Vertical span of each foot, 5th to 95th percentile, leg lengths."""
    phases: Float[ndarray, "feet"]
    """Time at which each foot is foremost, cycles, 0 to 1."""
    strength: Float[ndarray, "feet"]
    """Amplitude of each foot's swing at the stride frequency, leg lengths."""
    grounded: Bool[ndarray, "feet frames"]
    """Whether each foot is on the ground."""
    pairs: tuple[tuple[int, int], ...]
    """Indices of the left and right foot of each pair, front to back."""

    @cached_property
    def left_right(self) -> tuple[float, ...]:
        """Phase of the left foot minus that of the right one for every pair, cycles, 0 to 1: 0.5 alternates, 0 hops."""
        return tuple(float((self.phases[a] - self.phases[b]) % 1.0) for a, b in self.pairs)

    @cached_property
    def fore_hind(self) -> float | None:
        """Phase of the hindmost left foot minus that of the foremost one: 0.5 trots, 0 paces; None for one pair."""
        if len(self.pairs) < 2:
            return None
        return float((self.phases[self.pairs[-1][0]] - self.phases[self.pairs[0][0]]) % 1.0)

    @cached_property
    def clear(self) -> Bool[ndarray, "feet"]:
        """Whether each foot swings enough for its phase to be defined."""
        return self.strength >= max(LEAST_SWING, LEAST_SWING_SHARE * float(self.strength.max(initial=0.0)))

    @cached_property
    def clear_left_right(self) -> tuple[float | None, ...]:
        """`left_right`, but None where a foot of the pair does not swing."""
        swings = [self.clear[[a, b]].all() for a, b in self.pairs]
        return tuple(phase if ok else None for phase, ok in zip(self.left_right, swings, strict=True))

    @cached_property
    def clear_fore_hind(self) -> float | None:
        """`fore_hind`, but None where one of the two feet does not swing."""
        if len(self.pairs) < 2 or not self.clear[[self.pairs[0][0], self.pairs[-1][0]]].all():
            return None
        return self.fore_hind

    @property
    def duty(self) -> float:
        """Mean share of the time that a foot is on the ground."""
        return float(self.grounded.mean()) if self.grounded.size else 0.0

    @property
    def airborne(self) -> float:
        """Share of the frames in which no foot is on the ground."""
        return float((~self.grounded.any(0)).mean()) if self.grounded.size else 0.0

    @cached_property
    def alternation(self) -> float:
        """Mean of -cos(left-right phase) over the pairs: 1 alternates, -1 moves together, 0 without pairs."""
        return float(np.mean([-np.cos(2 * np.pi * phase) for phase in self.left_right])) if self.pairs else 0.0


def gait_cycle(seen: Observation) -> GaitCycle:
    """Find the gait cycle from the positions of the feet relative to their hips."""
    signals = np.stack([_place(seen, foot) for foot in seen.feet]) if seen.feet else np.zeros((0, len(seen), 3))
    spans = (
        np.quantile(signals, 0.95, axis=1) - np.quantile(signals, 0.05, axis=1) if len(signals) else np.zeros((0, 3))
    )
    hz, share, amplitudes = stride_frequency(signals[..., :2], seen.fps, loop=seen.loop)
    return GaitCycle(
        stride_hz=hz,
        regularity=share,
        swing=spans[:, 0],
        lift=spans[:, 1],
        phases=(-np.angle(amplitudes) / (2 * np.pi)) % 1.0,
        strength=np.abs(amplitudes),
        grounded=_grounded(seen),
        pairs=_pairs(seen.feet),
    )


def _place(seen: Observation, foot: Foot) -> Float[ndarray, "frames 3"]:
    """Position of a foot: ahead of its hip, height above the ground, to the right of its hip; leg lengths."""
    away = foot.points.mean(1) - seen.joints[:, foot.limb.bones[0]]
    ahead, aside = (away * seen.ahead).sum(1), (away * seen.aside).sum(1)
    return np.stack([ahead, foot.points[..., 1].mean(1), aside], axis=1) / seen.leg


def stride_frequency(
    signals: Float[ndarray, "feet frames 2"], fps: float, *, loop: bool
) -> tuple[float, float, Complex[ndarray, "feet"]]:
    """Find the frequency f whose sine and first overtone explain most of the feet's motion, by least squares.

    x(t) ~ c + b t + a_1 e^{2 pi i f t} + a_2 e^{4 pi i f t}; b = 0 for loops, whose f is a whole number of cycles.
    Returns f, the share of the variance explained, and a_1 of each foot's motion ahead.
    """
    feet, frames = signals.shape[:2]
    none = 0.0, 0.0, np.zeros(feet, complex)
    seconds = (frames - 1) / fps
    if not feet or frames < 6:
        return none
    fastest = min(FASTEST_STRIDE_HZ, 0.25 * fps)  # frames show no wave, overtones included, of less than two of them
    if loop:
        candidates = np.arange(1, max(int(fastest * seconds), 1) + 1) / seconds
        candidates = candidates[(candidates >= 0.5 * SLOWEST_STRIDE_HZ) & (candidates <= fastest)]
    else:
        lowest = max(SLOWEST_STRIDE_HZ, LEAST_STRIDES / seconds)
        candidates = np.geomspace(lowest, fastest, 120) if lowest < fastest else np.zeros(0)
    if not len(candidates):
        return none
    t = np.arange(frames) / fps
    flat = signals.transpose(1, 0, 2).reshape(frames, -1)
    base = np.stack([np.ones(frames)] + ([] if loop else [t - t.mean()]), axis=1)
    flat = flat - base @ np.linalg.lstsq(base, flat, rcond=None)[0]
    total = float((flat**2).sum())
    if total <= 1e-12 * flat.size:
        return none
    shares, firsts = [], []
    for f in candidates:
        waves = np.stack([g(2 * np.pi * k * f * t) for k in (1, 2) for g in (np.cos, np.sin)], axis=1)
        basis = np.concatenate([base, waves], axis=1)
        solution = np.linalg.lstsq(basis, flat, rcond=None)[0]
        first = solution[base.shape[1]] - 1j * solution[base.shape[1] + 1]
        fundamental = float((np.abs(first) ** 2).sum()) * frames / 2
        residual = float(((flat - basis @ solution) ** 2).sum())
        # an overtone alone must not pass for a slower stride
        shares.append(min(1.0 - residual / total, 0.3 + fundamental / total))
        firsts.append(first)
    # of frequencies that explain about as much, the slowest full one would be a subharmonic: the best wins
    best = int(np.argmax(shares))
    return float(candidates[best]), float(np.clip(shares[best], 0.0, 1.0)), firsts[best].reshape(feet, 2)[:, 0]


def _grounded(seen: Observation) -> Bool[ndarray, "feet frames"]:
    """Whether each foot is near ground level: the lowest height at which feet stay, not the plane y = 0.

    So a clip that floats or sinks as a whole keeps its rhythm; floating and sinking have metrics of their own.
    """
    if not seen.feet:
        return np.zeros((0, len(seen)), bool)
    heights = np.stack([foot.low for foot in seen.feet])
    level = float(np.quantile(heights.min(0), 0.1))
    return heights <= level + GROUNDED_FOOT_HEIGHT * seen.leg


def _pairs(feet: tuple[Foot, ...]) -> tuple[tuple[int, int], ...]:
    """Left and right feet of the same pair, front to back."""
    found = {}
    for i, foot in enumerate(feet):
        for k, other in enumerate(feet):
            if foot.limb.side == Side.LEFT and other.limb.side == Side.RIGHT and foot.limb.pair == other.limb.pair:
                found[foot.limb.pair] = (i, k)
    return tuple(found[n] for n in sorted(found))
