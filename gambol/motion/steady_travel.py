"""The straight, steady part of a root trajectory."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.motion.clip import Clip


def remove_steady_travel(clip: Clip) -> tuple[Float[ndarray, "frames 6"], Float[ndarray, "2"]]:
    """The root without its straight steady travel on the ground, and that travel's velocity (x, z), metres per frame.

    The line is the least-squares one through the root's positions; a camera that goes along sees what is left.
    """
    root, frames = clip.root.copy(), np.arange(len(clip)) - 0.5 * (len(clip) - 1)
    places = root[:, [0, 2]]
    velocity = frames @ (places - places.mean(0)) / max(float(frames @ frames), 1e-9)
    root[:, [0, 2]] = places - places.mean(0) - frames[:, None] * velocity
    return root, velocity
