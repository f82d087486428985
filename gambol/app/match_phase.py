"""Two clips brought into phase, so that they can be watched side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.app.evaluate import EVALUATION_FPS, last_clip
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.errors import ConfigError
from gambol.evaluate.gait_cycle import gait_cycle
from gambol.evaluate.observation import Observation, observe_node_clip
from gambol.files.asset import load


def match_phase(
    source: Path,
    clip: str | None,
    other: Path,
    other_clip: str | None,
    *,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
) -> dict[str, Any]:
    """At which time another clip of the same skeleton is where a clip starts, and how long a stride of both takes.

    Keys: `clip`, `other_clip`; `offset_seconds`, the time of the other clip to start at; `distance`, the mean distance
    of the joints then, sizes; `cycle_seconds` of both, None where no foot swings.
    """
    seen = [
        _observe(path, name, scale=scale, facing=facing, character=character)
        for path, name in ((source, clip), (other, other_clip))
    ]
    if seen[0].joints.shape[1] != seen[1].joints.shape[1]:
        raise ConfigError(
            f"'{seen[1].name}' moves {seen[1].joints.shape[1]} bones and '{seen[0].name}' {seen[0].joints.shape[1]};"
            " only clips of the same skeleton are compared. Retarget one first: gambol retarget."
        )
    frame, distance = best_offset(body_joints(seen[0]), body_joints(seen[1]))
    strides = [gait_cycle(one) for one in seen]
    return {
        "notes": [],
        "files": [],
        "clip": seen[0].name,
        "other_clip": seen[1].name,
        "offset_seconds": frame / EVALUATION_FPS,
        "distance": distance / seen[0].size,
        "cycle_seconds": [1.0 / c.stride_hz if c.stride_hz > 0 and c.clear.any() else None for c in strides],
    }


def body_joints(seen: Observation) -> Float[ndarray, "frames joints 3"]:
    """Joints relative to the body's centre, with the heading taken off: what a pose is, wherever the body went."""
    away = seen.joints - seen.joints[:, :1]
    c, s = np.cos(seen.heading)[:, None], np.sin(seen.heading)[:, None]
    x, z = away[..., 0], away[..., 2]
    return np.stack([x * c - z * s, away[..., 1], x * s + z * c], -1)


def best_offset(
    first: Float[ndarray, "frames joints 3"], second: Float[ndarray, "others joints 3"]
) -> tuple[int, float]:
    """Frame of the second clip at which it follows the first most closely when it is repeated; and the distance then.

    argmin_k mean_t |p_t - q_((k + t) mod n)|, over as many frames as the shorter clip has.
    """
    count = min(len(first), len(second))
    gaps = np.linalg.norm(first[:count, None] - second[None], axis=-1).mean(-1)
    rows = np.arange(count)
    costs = [gaps[rows, (k + rows) % len(second)].mean() for k in range(len(second))]
    best = int(np.argmin(costs))
    return best, float(costs[best])


def _observe(path: Path, clip: str | None, **reading: Any) -> Observation:
    asset = load(path, **reading)
    return observe_node_clip(asset.character, find_anatomy(asset.character), last_clip(asset, clip), fps=EVALUATION_FPS)
