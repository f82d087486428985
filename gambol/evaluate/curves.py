"""What is measured on one or two curves over the frames: their span and their likeness."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.evaluate.recogniser_thresholds import SPAN_QUANTILES


def span(values: Float[ndarray, "frames"]) -> float:
    """Return the difference of high and low quantile of a curve."""
    high, low = SPAN_QUANTILES
    return float(np.quantile(values, high) - np.quantile(values, low))


def likeness(a: Float[ndarray, "frames"], b: Float[ndarray, "frames"]) -> float:
    """Return the correlation of two curves, -1 to 1; 0 where one of them hardly moves."""
    x, y = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 1e-9 else 0.0
