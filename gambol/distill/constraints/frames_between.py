"""Which frames of a motion a time or an interval means."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor


def span_frames(span: tuple[float, float], frames: int, fps: float) -> Int[ndarray, "chosen"]:
    """The frames from the first to the last time of a span; the nearest one for a single moment."""
    first, last = (min(max(round(time * fps), 0), frames - 1) for time in span)
    return np.arange(first, last + 1)


def frame_weights(span: tuple[float, float], frames: int, fps: float) -> Float[Tensor, "frames"]:
    """Weights of the frames in a loss on a span: equal, their sum is 1."""
    weights = torch.zeros(frames)
    chosen = span_frames(span, frames, fps)
    weights[torch.from_numpy(chosen)] = 1.0 / len(chosen)
    return weights
