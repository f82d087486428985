"""Quality metrics of a motion, one formula each: ground, skate, jerk, stretch, joint limits, self-intersection.

Lengths are in sizes (longest side of the rest bounding box) unless a docstring says metres, so that a cat and a giraffe
can be compared. Standing still is good by most of them: read them beside `motion_amount`.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.bone_cuboids import BoneCuboids
from gambol.character.segment_distances import segment_distance
from gambol.evaluate.observation import Observation

SKATE_CONTACT_HEIGHT = 0.01
"""Height from which a foot has left the ground, sizes."""
CONTACT_BAND = 0.002
"""Height above a foot's lowest point up to which its points touch the ground with it, sizes."""
LIMIT_SLACK = 0.1
"""Angle by which joints may exceed their estimated limits, radians."""


def motion_amount(seen: Observation) -> float:
    """Mean speed of joints and tips relative to the body's centre, sizes per second."""
    points = np.concatenate([seen.joints, seen.tips], axis=1) - seen.centre[:, None]
    return float(np.linalg.norm(np.diff(points, axis=0), axis=-1).mean()) * seen.fps / seen.size


def penetration(seen: Observation) -> tuple[float, float]:
    """Largest and mean depth below the ground: max_t and mean_t of max(-low, 0), low the lowest height, sizes."""
    depth = np.maximum(-seen.low, 0.0) / seen.size
    return float(depth.max()), float(depth.mean())


def float_mean(seen: Observation) -> float:
    """Mean height above the ground: mean_t of max(low, 0), sizes. Jumps and flight have some by nature."""
    return float(np.maximum(seen.low, 0.0).mean()) / seen.size


def contact_points(seen: Observation) -> list[Float[ndarray, "frames points 3"]]:
    """Points that can touch the ground, by foot; the whole surface for a body without feet."""
    return [foot.points for foot in seen.feet] or [seen.surface]


def foot_skate(seen: Observation) -> float | None:
    """Horizontal speed of feet in contact, sum w v / sum w, metres per second; None where nothing touches.

    The sums run over feet and steps from frame to frame. v is the horizontal speed of the slowest point that touches at
    both ends of the step (a foot that rolls or turns about one of its points does not skate). w = 2 - 2^(h / H) with
    H = SKATE_CONTACT_HEIGHT, clipped to 0 to 1, and h the height of the foot's lowest point at the higher end: 1 on or
    below the ground, 0 from H upwards (Zhang et al. 2018, MANN).
    """
    speed, weight = 0.0, 0.0
    reach = SKATE_CONTACT_HEIGHT * seen.size
    for points in contact_points(seen):
        height = points[..., 1]
        low = height.min(1)
        touching = height <= (np.minimum(low, reach) + CONTACT_BAND * seen.size)[:, None]
        both: Bool[ndarray, "steps points"] = touching[1:] & touching[:-1]
        slides = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1)
        lowest = slides[np.arange(len(slides)), height[1:].argmin(1)]
        v = np.where(both.any(1), np.where(both, slides, np.inf).min(1), lowest)
        h = np.maximum(np.maximum(low[1:], low[:-1]), 0.0)
        w = np.maximum(2.0 - np.exp2(np.minimum(h / reach, 1.0)), 0.0)
        speed, weight = speed + float((w * v).sum()), weight + float(w.sum())
    return speed / weight * seen.fps if weight > 0 else None


def jerk(seen: Observation) -> float:
    """Mean |third difference| of joints and tips in the world times fps^3, sizes per second cubed.

    Steady travel and free fall have none, so the root's motion is included.
    """
    if len(seen) < 4:
        return 0.0
    points = np.concatenate([seen.joints, seen.tips], axis=1)
    return float(np.linalg.norm(np.diff(points, n=3, axis=0), axis=-1).mean()) * seen.fps**3 / seen.size


def bone_stretch(seen: Observation) -> float:
    """Largest |length / rest length - 1| over bones and frames, from parent joint to joint and from joint to tip."""
    child = np.flatnonzero(seen.parents >= 0)
    spans = [seen.joints[:, child] - seen.joints[:, seen.parents[child]], seen.tips - seen.joints]
    rests = [
        seen.rest_joints[child] - seen.rest_joints[seen.parents[child]],
        seen.rest_tips - seen.rest_joints,
    ]
    lengths = np.linalg.norm(np.concatenate(spans, axis=1), axis=-1)
    rest = np.linalg.norm(np.concatenate(rests), axis=-1)
    long = rest > 0.01 * seen.size
    return float(np.abs(lengths[:, long] / rest[long] - 1.0).max(initial=0.0))


def edge_stretch(seen: Observation) -> float:
    """Stretch of the skin: 95th percentile over frames and edges of |log(length / rest length)|."""
    rest = np.linalg.norm(seen.rest_surface[seen.edges[:, 0]] - seen.rest_surface[seen.edges[:, 1]], axis=1)
    edges = seen.edges[rest > 1e-6 * seen.size]
    if not len(edges):
        return 0.0
    rest = rest[rest > 1e-6 * seen.size]
    frames = np.unique(np.linspace(0, len(seen) - 1, 24).round().astype(int))
    moved = seen.surface[frames]
    lengths = np.linalg.norm(moved[:, edges[:, 0]] - moved[:, edges[:, 1]], axis=-1)
    return float(np.quantile(np.abs(np.log(np.maximum(lengths, 1e-9 * seen.size) / rest)), 0.95))


def joint_limit_violation(seen: Observation) -> float:
    """Mean over frames and joints of the angle beyond the estimated limits and LIMIT_SLACK, radians.

    R_x(a) R_y(b) R_z(c) = R_x(a + pi) R_y(pi - b) R_z(c + pi): of the two triples of angles the better one counts.
    """
    low, high = seen.anatomy.limits[1:, :, 0] - LIMIT_SLACK, seen.anatomy.limits[1:, :, 1] + LIMIT_SLACK
    beyond = []
    for angles in (seen.angles, seen.angles * [1.0, -1.0, 1.0] + np.pi):
        wrapped = np.remainder(angles + np.pi, 2 * np.pi) - np.pi
        beyond.append((np.maximum(wrapped - high, 0.0) + np.maximum(low - wrapped, 0.0)).sum(-1))
    return float(np.minimum(*beyond).mean()) if beyond[0].size else 0.0


def loop_error(seen: Observation) -> float:
    """Mean distance of joints and tips between the first and last frame, in the body's own frame, sizes."""
    ends = []
    for frame in (0, -1):
        points = np.concatenate([seen.joints[frame], seen.tips[frame]])
        points = points - seen.joints[frame, 0] * np.array([1.0, 0.0, 1.0])
        ends.append(np.stack([points @ seen.ahead[frame], points[:, 1], points @ seen.aside[frame]], axis=1))
    return float(np.linalg.norm(ends[0] - ends[1], axis=1).mean()) / seen.size


def self_intersection(seen: Observation, cuboids: BoneCuboids) -> float:
    """Mean over frames of the deepest overlap of two bones' capsules beyond the rest pose, sizes.

    depth = r_a + r_b - distance(a, b) for bones that are neither parent and child nor siblings; less its value at rest.
    """
    radii = np.sort(cuboids.half_sides, axis=1)[:, 1]
    pairs = separate_pairs(seen.parents)
    if not len(pairs):
        return 0.0
    frames = np.unique(np.linspace(0, len(seen) - 1, 24).round().astype(int))
    starts = np.concatenate([seen.rest_joints[None], seen.joints[frames]])
    ends = np.concatenate([seen.rest_tips[None], seen.tips[frames]])
    a, b = pairs.T
    gaps = segment_distance(starts[:, a], ends[:, a], starts[:, b], ends[:, b])
    depth = np.maximum(radii[a] + radii[b] - gaps, 0.0)
    return float(np.maximum(depth[1:] - depth[0], 0.0).max(1).mean()) / seen.size


def separate_pairs(parents: ndarray) -> ndarray:
    """Pairs of bones that are at least three steps apart in the tree [pairs, 2]."""
    count = len(parents)
    near = np.eye(count, dtype=bool)
    joined = np.zeros((count, count), bool)
    child = np.flatnonzero(parents >= 0)
    joined[child, parents[child]] = joined[parents[child], child] = True
    for _ in range(2):
        near = near | (near.astype(np.float32) @ joined.astype(np.float32) > 0)
    return np.argwhere(np.triu(~near, 1))
