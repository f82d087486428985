"""Which way a character faces by its shape alone, for rigs whose joints have no telling names."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

MAX_MIRRORED_POINTS = 1500
"""At most about so many vertices are compared with their mirror images."""
MAX_MIRROR_MISS = 0.03
"""A point whose mirror image is farther than this share of the size from the body counts as unmatched."""
MIDDLE_BONE_DISTANCE = 0.02
"""A bone whose vertices lie on average closer than this share of the size to the plane of symmetry is in the middle."""
LIMB_BASE_DISTANCE = 0.15
"""Joints of other bones within this share of the size from the plane are where limbs start."""
FOOT_HEIGHT = 0.04
"""Vertices below this share of the size above the ground belong to feet."""
MAX_TOE_JOINT_HEIGHT = 0.3
"""The joint of a foot lies below this share of the size above the ground."""
MAX_TOE_EVIDENCE = 0.15
"""Largest weight of the toes: the fins of a fish that touch the ground point backwards."""
UPRIGHT_TRUNK_RATIO = 1.2
"""The middle of an upright body is this many times as high as long; only its toes tell where its front is."""
LONG_BODY_RATIO = 4.0
"""A body that is this many times longer than wide and high, as a winding snake, lies along its longer side."""
TRUNK_END_SHARE = 0.12
"""Limbs that start in the outer parts of the trunk, this share of its length, are eyes, ears and tail fins."""
SLICES = 12
"""Slices along the body in which its thickness is measured."""
LIMB_WEIGHT, THICKNESS_WEIGHT, HEIGHT_WEIGHT = 1.3, 1.5, 1.0
"""Weights of where the limbs start, where the body is thick and which end is higher.

Chosen on the built-in families and the real characters of the training split, against how many are turned around.
"""


def facing_evidence(
    heads: Float[ndarray, "bones 3"], vertices: Float[ndarray, "vertices 3"], dominant: Int[ndarray, "vertices"]
) -> Float[ndarray, "3"]:
    """Horizontal vector towards the front, from 0 (no idea) to about 1.

    The body is symmetric about a plane that holds its front. Along it, limbs start nearer to the head than to the end
    of a tail or an abdomen (legs of a spider, fins of a fish), the thick end is the head's (of snakes, fish, lizards),
    the higher end too, and toes point forwards.
    """
    size = max(float(np.ptp(vertices, axis=0).max()), 1e-9)
    side, plane, width = _symmetry(heads, vertices, size)
    ahead = 2 - side
    counts = np.bincount(dominant, minlength=len(heads))
    aside = np.bincount(dominant, vertices[:, side] - plane, minlength=len(heads)) / np.maximum(counts, 1)
    middle, limbs = (counts > 0) & (np.abs(aside) < width), (counts > 0) & (np.abs(aside) >= width)
    score = _toes(heads, vertices, dominant, limbs, size)[ahead]
    trunk = vertices[middle[dominant]]
    if len(trunk) and np.ptp(trunk[:, 1]) <= UPRIGHT_TRUNK_RATIO * np.ptp(trunk[:, ahead]):
        starts = heads[limbs & (np.abs(heads[:, side] - plane) < LIMB_BASE_DISTANCE * size), ahead]
        score += _trunk_evidence(trunk[:, [ahead, 1, side]], starts, size)
    evidence = np.zeros(3)
    evidence[ahead] = score
    return evidence


def _symmetry(
    heads: Float[ndarray, "bones 3"], vertices: Float[ndarray, "vertices 3"], size: float
) -> tuple[int, float, float]:
    """Axis (0 for x, 2 for z) that the plane of symmetry is square to, its place there, half width of the trunk.

    All of a body that is only long, as a winding snake, is trunk.
    """
    extent = np.ptp(vertices, axis=0)
    for side in (0, 2):
        if extent[2 - side] > LONG_BODY_RATIO * max(extent[side], extent[1]):
            return side, float(np.median(vertices[:, side])), np.inf
    few = vertices[:: max(1, len(vertices) // MAX_MIRRORED_POINTS)]
    misses = {}
    for axis in (0, 2):
        miss, plane = _mirror_miss(few, axis, size)
        misses[axis] = (miss + _mirror_miss(heads, axis, size)[0], plane)
    side = min(misses, key=lambda axis: misses[axis][0])
    return side, misses[side][1], MIDDLE_BONE_DISTANCE * size


def _mirror_miss(points: Float[ndarray, "points 3"], axis: int, size: float) -> tuple[float, float]:
    """Mean distance from mirrored points to the nearest point in sizes for the best of three planes, and that plane."""
    from scipy.spatial import cKDTree

    tree, along = cKDTree(points), points[:, axis]
    found = []
    for plane in (0.0, float(np.median(along)), 0.5 * float(along.min() + along.max())):
        mirrored = points.copy()
        mirrored[:, axis] = 2.0 * plane - along
        gaps = np.minimum(tree.query(mirrored)[0], MAX_MIRROR_MISS * size)
        found.append((round(float(gaps.mean()) / size, 6), plane))
    return min(found, key=lambda pair: pair[0])


def _trunk_evidence(trunk: Float[ndarray, "points 3"], starts: Float[ndarray, "limbs"], size: float) -> float:
    """Evidence for the first axis of the trunk's points (ahead, up, aside): limbs, thickness and height."""
    low, high = float(trunk[:, 0].min()), float(trunk[:, 0].max())
    length = max(high - low, 1e-9)
    slices = np.minimum(((trunk[:, 0] - low) / length * SLICES).astype(int), SLICES - 1)
    groups = [trunk[slices == k] for k in range(SLICES)]
    thick = np.array([min(np.ptp(g[:, 1]), np.ptp(g[:, 2])) if len(g) else 0.0 for g in groups])
    places = (np.arange(SLICES) + 0.5) / SLICES - 0.5
    shift = float(thick @ places) / max(float(thick.sum()), 1e-12)
    front, rear = (np.concatenate(g)[:, 1] for g in (groups[2 * SLICES // 3 :], groups[: SLICES // 3]))
    rise = (float(front.mean()) - float(rear.mean())) / size if len(front) and len(rear) else 0.0
    starts = starts[(starts > low + TRUNK_END_SHARE * length) & (starts < high - TRUNK_END_SHARE * length)]
    attached = (float(starts.mean()) - 0.5 * (low + high)) / length if len(starts) else 0.0
    return LIMB_WEIGHT * attached + THICKNESS_WEIGHT * shift + HEIGHT_WEIGHT * rise


def _toes(
    heads: Float[ndarray, "bones 3"],
    vertices: Float[ndarray, "vertices 3"],
    dominant: Int[ndarray, "vertices"],
    limbs: ndarray,
    size: float,
) -> Float[ndarray, "3"]:
    """Mean step from the low joints of limbs to the middle of their lowest vertices, ten times in sizes, clipped."""
    ground = vertices[:, 1].min()
    low, steps = vertices[:, 1] < ground + FOOT_HEIGHT * size, []
    for bone in np.unique(dominant[low]):
        if limbs[bone] and heads[bone, 1] < ground + MAX_TOE_JOINT_HEIGHT * size:
            toes = vertices[low & (dominant == bone)]
            steps.append(0.5 * (toes.min(0) + toes.max(0)) - heads[bone])
    mean = np.mean(steps, axis=0) if steps else np.zeros(3)
    return np.clip(mean * (10.0 / size), -MAX_TOE_EVIDENCE, MAX_TOE_EVIDENCE)
