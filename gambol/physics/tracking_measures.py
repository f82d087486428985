"""Measures of how well a clip was tracked, and whether the body stands, from the simulated bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import transforms_from_states

STANDING_HEIGHT = 0.7
"""Least height of a standing body's root as a share of the target's."""
STANDING_TILT = 45.0
"""Largest tilt of a standing body's root beyond the target's, degrees."""


@dataclass(frozen=True)
class TrackMeasures:
    """Numbers of one tracked motion; lengths in simulated metres."""

    mpjpe: float
    """Mean distance of the bodies' joints from the target's, simulated metres."""
    mpjpe_root_relative: float
    """Mean distance of the joints with both roots moved to the origin, simulated metres."""
    mpjpe_sizes: float
    """Mean distance of the joints in sizes of the body."""
    penetration: float
    """Depth of the deepest contact point below the ground, simulated metres."""
    skate_lowest: float
    """Mean horizontal distance that the lowest contact point moves per frame, simulated metres."""
    skate_lowest_target: float
    """Mean horizontal distance that the target's lowest contact point moves per frame, simulated metres."""
    jerk_ratio: float
    """Mean third difference of the joints, as a multiple of the target's."""
    root_height: float
    """Least height of the root as a share of the target's."""
    tilt: float
    """Largest angle of the root's up axis to the vertical beyond the target's own, degrees."""

    @property
    def stands(self) -> bool:
        """Whether the body has neither sunk nor fallen over."""
        return self.root_height >= STANDING_HEIGHT and self.tilt <= STANDING_TILT


def measure_tracking(
    body: ArticulatedBody, states: Float[ndarray, "frames bodies 7"], target: Float[ndarray, "frames bodies 7"]
) -> TrackMeasures:
    """Compare a simulated motion with its target, frame by frame."""
    frames = min(len(states), len(target))
    T, goal = transforms_from_states(states[:frames]), transforms_from_states(target[:frames])
    joints, meant = T[..., :3, 3], goal[..., :3, 3]
    whole = np.linalg.norm(joints - meant, axis=-1).mean()
    relative = np.linalg.norm((joints - joints[:, :1]) - (meant - meant[:, :1]), axis=-1).mean()
    points = _points(body, T)
    tilts = [np.degrees(np.arccos(np.clip(M[:, 0, 1, :3] @ body.up, -1.0, 1.0))) for M in (T, goal)]
    return TrackMeasures(
        mpjpe=float(whole),
        mpjpe_root_relative=float(relative),
        mpjpe_sizes=float(whole) / body.size,
        penetration=float(max(-points[..., 1].min(), 0.0)),
        skate_lowest=_skate(points),
        skate_lowest_target=_skate(_points(body, goal)),
        jerk_ratio=_jerk(joints) / max(_jerk(meant), 1e-9),
        root_height=float((joints[:, 0, 1] / np.maximum(meant[:, 0, 1], 1e-6)).min()),
        tilt=float(np.maximum(tilts[0] - tilts[1], 0.0).max()),
    )


def _points(body: ArticulatedBody, T: Float[ndarray, "frames bodies 4 4"]) -> Float[ndarray, "frames points 3"]:
    of = T[:, body.point_bodies]
    return np.einsum("fpij,pj->fpi", of[..., :3, :3], body.points) + of[..., :3, 3]


def _skate(points: Float[ndarray, "frames points 3"]) -> float:
    lowest = points[:-1, :, 1].argmin(1)
    ways = np.linalg.norm(np.diff(points, axis=0)[..., [0, 2]], axis=-1)
    return float(ways[np.arange(len(ways)), lowest].mean())


def _jerk(joints: Float[ndarray, "frames bodies 3"]) -> float:
    return float(np.linalg.norm(np.diff(joints, n=3, axis=0), axis=-1).mean()) if len(joints) > 3 else 0.0
