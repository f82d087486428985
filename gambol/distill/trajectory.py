"""A trajectory that is given: a root that drifts straight ahead or follows a path over the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.polyline import arc_lengths
from gambol.motion.chosen_travel import follow_path, parse_travel
from gambol.motion.clip import Clip


@dataclass(frozen=True)
class Trajectory:
    """The root of a motion whose way over the ground is given."""

    seen: Float[Tensor, "frames 6"]
    """The root as the prior's cameras see it: at rest where they go along."""
    travelled: Float[Tensor, "frames 6"]
    """The root over the ground."""


def given_trajectory(
    size: float, joints: int, *, travel: Any, start_speed: float, frames: int, fps: float, travels: bool
) -> Trajectory:
    """Straight along +x at a speed, or along a path that is covered in the length of the clip.

    `travel` is a speed in m/s or a path (`parse_travel`); None takes `start_speed`, sizes per second. `travels` is
    whether the prior sees the root's travel.
    """
    asked = None if travel is None else parse_travel(travel)
    path = None if asked is None or isinstance(asked, float) else np.asarray(asked)
    if path is None:
        speed = start_speed * size if asked is None else float(asked)  # type: ignore[arg-type]
    else:
        speed = float(arc_lengths(path)[-1]) * fps / max(frames - 1, 1)
    root = np.zeros((frames, 6))
    root[:, 0] = speed / fps * np.arange(frames)
    if path is not None:
        root = follow_path(Clip("trajectory", fps, root, np.zeros((frames, joints, 3))), path, size).root
    travelled = torch.as_tensor(root).float()
    return Trajectory(travelled if travels else torch.zeros_like(travelled), travelled)
