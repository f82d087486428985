"""The points of the feet that can touch the ground: hull points of the feet's surface, carried by the bones."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, Limb
from gambol.character.character import Character
from gambol.character.skeleton import Skeleton
from gambol.character.transforms import rigid_inverse
from gambol.errors import MissingPart

MAX_ANKLE_HEIGHT = 0.22
"""A foot starts at the first joint of its leg that is lower than this at rest, as a share of the leg."""
MAX_HEELED_ANKLE_HEIGHT = 0.3
"""The same limit for a joint whose bone has a heel (see `MAX_HEEL_HEIGHT`), as of a boot."""
MAX_HEEL_HEIGHT = 0.06
"""A bone has a heel where its surface reaches this low above the lowest of the foot, as a share of the leg."""
MAX_SOLE_POINTS = 40
"""Most points per foot, spread over the hull."""
LEGLESS_LEG_LENGTH = 0.1
"""What counts as the leg length of a body without legs, as a share of its `size`."""


@dataclass(frozen=True)
class Sole:
    """Points of one foot at rest, bound to bones as the surface is."""

    limb: Limb
    """The leg that the foot belongs to."""
    start: int
    """Place in `limb.bones` where the foot begins (the ankle's bone)."""
    points: Float[ndarray, "points 3"]
    """World positions at rest, metres."""
    bones: Int[ndarray, "points influences"]
    """Bones that move each point."""
    weights: Float[ndarray, "points influences"]
    """Skin weights of these bones; each row sums to 1."""


def find_soles(character: Character, anatomy: Anatomy) -> tuple[Sole, ...]:
    """One sole for each limb that touches the ground in a normal stance.

    The lowest point of a set of points is always on its convex hull, however the foot rolls, so the hull is enough. A
    bare skeleton has its joints instead: heel (the ankle, dropped to the ground at rest), ball, toe.
    """
    skeleton = character.require_skeleton()
    feet = [limb for limb in anatomy.limbs if limb.contact is not None]
    if not feet:
        raise MissingPart(f"{character.name} has no limbs that touch the ground, so there are no feet to work with.")
    lows, soles = _lowest_surface(character), []
    for limb in feet:
        start = foot_start(skeleton, limb, lows)
        below = bones_below(skeleton, limb.bones[start])
        if character.mesh is None or character.weights is None:
            points, owners = _joint_points(skeleton, limb.bones[start], below)
            soles.append(Sole(limb, start, points, owners[:, None], np.ones((len(points), 1))))
            continue
        near = np.flatnonzero(np.isin(character.weights.dominant(), below))
        if not len(near):  # a foot bone that dominates no vertex moves those that it touches at all
            touched = np.isin(character.weights.bones, below) & (character.weights.weights > 0)
            near = np.flatnonzero(touched.any(1))
        chosen = near[_hull(character.mesh.vertices[near])]
        weights = character.weights.weights[chosen].astype(np.float64)
        soles.append(Sole(limb, start, character.mesh.vertices[chosen], character.weights.bones[chosen], weights))
    return tuple(soles)


def foot_start(skeleton: Skeleton, limb: Limb, lows: Float[ndarray, "bones"]) -> int:
    """Where in the chain the foot begins: the first low bone, leaving two bones above it where the chain has them.

    `lows` is the height of the lowest surface that each bone dominates.
    """
    assert limb.contact is not None
    bones, leg = limb.bones, leg_length(skeleton, limb)
    last = bones.index(limb.contact)
    heel = lows[list(bones[last:])].min() + MAX_HEEL_HEIGHT * leg
    limits = [MAX_HEELED_ANKLE_HEIGHT if lows[b] < heel else MAX_ANKLE_HEIGHT for b in bones]
    low = [k for k in range(2, last) if skeleton.heads[bones[k], 1] < limits[k] * leg]
    return low[0] if low else last


def _lowest_surface(character: Character) -> Float[ndarray, "bones"]:
    """Height of the lowest vertex that each bone dominates; infinite where there is none."""
    lows = np.full(len(character.require_skeleton()), np.inf)
    if character.mesh is not None and character.weights is not None:
        np.minimum.at(lows, character.weights.dominant(), character.mesh.vertices[:, 1].astype(np.float64))
    return lows


def bones_below(skeleton: Skeleton, top: int) -> list[int]:
    """A bone and all its descendants."""
    found = [top]
    for bone in found:
        found.extend(skeleton.children[bone])
    return found


def leg_length(skeleton: Skeleton, limb: Limb) -> float:
    """Height of the limb's first joint above the ground at rest; its own length where it starts at the ground."""
    heads = skeleton.heads[list(limb.bones)]
    along = float(np.linalg.norm(np.diff(heads, axis=0), axis=1).sum())
    return max(float(heads[0, 1]), 0.5 * along, 1e-9)


def typical_leg_length(character: Character, anatomy: Anatomy) -> float:
    """Mean length of the legs that touch the ground, metres; a tenth of the character's size where there are none."""
    lengths = [leg_length(character.require_skeleton(), limb) for limb in anatomy.legs if limb.contact is not None]
    return float(np.mean(lengths)) if lengths else LEGLESS_LEG_LENGTH * character.size


def pose_sole(
    skeleton: Skeleton, sole: Sole, T_world_bone: Float[ndarray, "frames bones 4 4"]
) -> Float[ndarray, "frames points 3"]:
    """phi(x) = sum_i w_i T_i x for the points of one sole, T_i = T_world_bone * inverse bind (AKD eq. 5)."""
    used, places = np.unique(sole.bones, return_inverse=True)
    moved = T_world_bone[:, used] @ rigid_inverse(skeleton.T_world_rest[used])
    by_point = moved[:, places.reshape(sole.bones.shape), :3]
    homogeneous = np.concatenate([sole.points, np.ones((len(sole.points), 1))], axis=1)
    return np.einsum("pk,fpkij,pj->fpi", sole.weights, by_point, homogeneous)


def _joint_points(skeleton: Skeleton, ankle: int, below: list[int]) -> tuple[ndarray, ndarray]:
    heel = skeleton.heads[ankle] * np.array([1.0, 0.0, 1.0])
    return np.stack([heel, *(skeleton.tails[b] for b in below)]), np.array([ankle, *below])


def _hull(points: Float[ndarray, "points 3"]) -> Int[ndarray, "chosen"]:
    """Indices of at most MAX_SOLE_POINTS points of the convex hull, each as far as possible from the ones before it."""
    from scipy.spatial import ConvexHull, QhullError

    corners = np.arange(len(points))
    if len(points) > 4:
        with suppress(QhullError):  # flat feet: their points are their hull
            corners = ConvexHull(points).vertices
    if len(corners) <= MAX_SOLE_POINTS:
        return corners
    chosen = [int(points[corners, 1].argmin())]
    gaps = np.full(len(corners), np.inf)
    while len(chosen) < MAX_SOLE_POINTS:
        gaps = np.minimum(gaps, np.linalg.norm(points[corners] - points[corners[chosen[-1]]], axis=1))
        chosen.append(int(gaps.argmax()))
    return corners[chosen]
