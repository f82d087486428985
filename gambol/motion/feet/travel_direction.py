"""The direction of travel of an in-place clip, from how its feet swing."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.feet.contacts import ContactConfig, FootTracks

FORWARD_CLEARNESS = 0.5
"""Clearness (at most 2) that a gait needs to count as backwards; real backward walks have more than 1."""


def swing_direction(
    tracks: FootTracks,
    body: Float[ndarray, "intervals 2"],
    ahead: Float[ndarray, "intervals 2"],
    window: float,
    config: ContactConfig,
) -> Float[ndarray, "intervals 2"]:
    """Direction of travel of a body that faces `ahead`, from how its feet swing; zero where they hardly move."""
    axis, clearness = swing_evidence(tracks, body, window, config)
    usual = FORWARD_CLEARNESS * np.einsum("ti,ti->t", axis, ahead)
    return axis * np.where(clearness == 0, 0.0, np.sign(clearness + usual))[:, None]


def swing_evidence(
    tracks: FootTracks, body: Float[ndarray, "intervals 2"], window: float, config: ContactConfig
) -> tuple[Float[ndarray, "intervals 2"], Float[ndarray, "intervals"]]:
    """The axis u along which the feet swing, and how clearly they do so along +u (or, negative, along -u).

    The axis is the first principal axis of the feet's steps d relative to the body. Feet go along -u while they are low
    and along +u while they are high:
    clearness = sum (h - mean h) d.u / sum |(h - mean h) d.u|  -  sum w sign(d.u) / sum w, w = exp(-(h - low) / near),
    how high they swing plus how long they stay low; between -2 and 2, 0 where the feet hardly move. All sums
    are over the feet and a Gaussian window in time (sigma in frames).
    """
    d, tops = tracks.steps - body, tracks.tops
    S = _windowed(np.einsum("sti,stj->tij", d, d).reshape(-1, 4), window)
    angle = 0.5 * np.arctan2(2.0 * S[:, 1], S[:, 0] - S[:, 3])
    axis = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    along = np.einsum("sti,ti->st", d, axis)
    high = tops - _windowed(tops.T, window).T
    floor = np.quantile(tops, 0.1, axis=1, keepdims=True)
    low = np.exp(-np.maximum(tops - floor, 0.0) / (config.ground_band * tracks.leg))
    sums = [(high * along).sum(0), np.abs(high * along).sum(0), (low * np.sign(along)).sum(0), low.sum(0)]
    pull, most, ahead, time = _windowed(np.stack(sums, axis=1), window).T
    pace = np.sqrt(0.5 * (S[:, 0] + S[:, 3]) / len(tops)) * tracks.fps
    clearness = pull / np.maximum(most, 1e-12) - ahead / np.maximum(time, 1e-12)
    return axis, np.where(pace > config.max_stance_speed * tracks.leg, clearness, 0.0)


def _windowed(values: Float[ndarray, "intervals width"], sigma: float) -> Float[ndarray, "intervals width"]:
    """Mean over a Gaussian window in time (sigma in frames), cut at the ends."""
    if not np.isfinite(sigma):
        return np.broadcast_to(values.mean(0), values.shape)
    places = np.arange(len(values))
    kernel = np.exp(-0.5 * ((places[:, None] - places) / sigma) ** 2)
    return kernel @ values / kernel.sum(1, keepdims=True)
