"""RGB colours and the sRGB transfer function."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1; whoever uses it says whether it is sRGB or linear light."""


def srgb_to_linear(values: Float[ndarray, "*shape"]) -> Float[ndarray, "*shape"]:
    """Linear light of sRGB values (IEC 61966-2-1): v / 12.92 up to 0.04045, ((v + 0.055) / 1.055)^2.4 above."""
    return np.where(values <= 0.04045, values / 12.92, ((np.maximum(values, 0.04045) + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(values: Float[ndarray, "*shape"]) -> Float[ndarray, "*shape"]:
    """sRGB values of linear light, clipped to [0, 1]: the inverse of `srgb_to_linear`."""
    values = np.clip(values, 0.0, 1.0)
    return np.where(values <= 0.0031308, 12.92 * values, 1.055 * np.maximum(values, 0.0031308) ** (1 / 2.4) - 0.055)
