"""The shape of bones for the physics: their cuboids, and the points that can touch the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.bone_cuboids import BOX_CORNERS, BoneCuboids
from gambol.character.character import Character
from gambol.character.segment_distances import segment_distance
from gambol.character.skeleton import Skeleton
from gambol.character.transforms import rigid_inverse
from gambol.errors import AssetError

PART_THICKNESS = {BodyPart.TORSO: 0.16, BodyPart.HEAD: 0.1}
"""Thickness of bones without a surface, by body part, sizes."""
LIMB_THICKNESS = 0.055
"""Thickness of bones without a surface of all other parts, sizes."""
MAX_LIMB_THICKNESS = 0.8
"""Largest thickness of a limb's bone without a surface, as a share of its length."""
LENGTHLESS_BONE = 1e-3
"""A bone whose box has no side longer than this counts as having no length, sizes."""
SMALLEST_BODY = 1e-6
"""Smallest skeleton that can be simulated, metres."""
SAME_TURN = 0.02
"""Joints whose largest turns differ by less than this count as turning alike, radians."""
FEWEST_SURFACE_VERTICES = 4
"""A bone with fewer vertices of its own than this touches the ground with the corners of its box."""
CAPE_DISTANCE = 1.3
"""Least distance of a cape's vertices from their bone, hip heights: no body stands on a cape."""
CAPE_HEIGHT = 0.5
"""Largest height of a cape's vertices that are kept off the ground contact, hip heights."""
SEPARATE_BODY_GAP = 0.15
"""Distance from a bone's joint to its parent's box beyond which the two are separate bodies, sizes."""
SEPARATE_BODY_VOLUME = 0.2
"""Least share of the whole volume that both separate bodies have where a file holds two."""


@dataclass(frozen=True)
class BoneBoxes:
    """Cuboid and contact points of every bone, in the bone's own frame, metres."""

    cuboids: BoneCuboids
    """Centre and half sides of each bone's cuboid."""
    points: Float[ndarray, "bones 8 3"]
    """Points where each bone can touch the ground."""
    size: float
    """Longest side of the rest bounding box, metres."""

    @property
    def lengthless(self) -> Bool[ndarray, "bones"]:
        """Whether each bone has neither length nor surface."""
        return self.cuboids.half_sides.max(1) <= 0.5 * LENGTHLESS_BONE * self.size


def bone_boxes(character: Character) -> BoneBoxes:
    """Find the boxes of a character: around its surface, or around its bones where it has none."""
    skeleton = character.require_skeleton()
    if character.weights is None or character.mesh is None:
        boxes = boxes_from_segments(skeleton, thickness=_thickness(character, skeleton))
    else:
        boxes = BoneBoxes(character.cuboids, _support_points(character), character.size)
    _check_one_body(character.name, skeleton, boxes)
    return boxes


def _thickness(character: Character, skeleton: Skeleton) -> Float[ndarray, "bones"]:
    """Assumed thickness of the bones of a rig without a surface, metres."""
    lengths = np.linalg.norm(skeleton.tails - skeleton.heads, axis=1)
    parts = find_anatomy(character).parts
    limbs = np.minimum(LIMB_THICKNESS * character.size, MAX_LIMB_THICKNESS * lengths)
    thick = [
        PART_THICKNESS.get(part, 0.0) * character.size * (length > 0)
        for part, length in zip(parts, lengths, strict=True)
    ]
    return np.maximum(limbs, thick)


def boxes_from_segments(skeleton: Skeleton, *, thickness: Float[ndarray, "bones"]) -> BoneBoxes:
    """Make boxes along the bones (y runs along a bone, except for the root); `thickness` in metres."""
    ends = np.stack([skeleton.heads, skeleton.tails], 1)
    local = np.einsum("bji,bkj->bki", skeleton.T_world_rest[:, :3, :3], ends - skeleton.heads[:, None])
    size = float(np.ptp(ends.reshape(-1, 3), axis=0).max())
    half = 0.5 * np.abs(local[:, 1] - local[:, 0])
    half = np.maximum(half, 0.5 * thickness[:, None])
    cuboids = BoneCuboids(local.mean(1), half)
    return BoneBoxes(cuboids, cuboids.corners_bone(), size)


def _support_points(character: Character) -> Float[ndarray, "bones 8 3"]:
    """Contact points of each bone: for each corner of its box the vertex that reaches farthest towards the corner.

    argmax_v sum_i s_i (v_i - c_i) / h_i over the corner's signs s. A box's corners lie outside a rounded paw; with
    these points a body stands on its skin. Capes are left out.
    """
    mesh, skeleton, weights = character.require_skin()
    points = character.cuboids.corners_bone()
    dominant, T_rest_world = weights.dominant(), rigid_inverse(skeleton.T_world_rest)
    bearing = ~cape_vertices(character, dominant)
    for bone in range(len(skeleton)):
        own = mesh.vertices[(dominant == bone) & bearing]
        if len(own) < FEWEST_SURFACE_VERTICES:
            continue
        own = own @ T_rest_world[bone, :3, :3].T + T_rest_world[bone, :3, 3]
        reach = (own - character.cuboids.centres_bone[bone]) / character.cuboids.half_sides[bone]
        points[bone] = own[(reach @ BOX_CORNERS.T).argmax(0)]
    return points


def cape_vertices(character: Character, dominant: Int[ndarray, "vertices"]) -> Bool[ndarray, "vertices"]:
    """Whether each vertex belongs to a cape: torso skin far from its bone and near the ground, on bodies with legs."""
    mesh, skeleton, _ = character.require_skin()
    anatomy = find_anatomy(character)
    if not anatomy.legs:
        return np.zeros(len(mesh.vertices), bool)
    heights = mesh.vertices[:, 1] - mesh.vertices[:, 1].min()
    hip = float(np.median([skeleton.heads[limb.bones[0], 1] for limb in anatomy.legs]) - mesh.vertices[:, 1].min())
    away = segment_distance(mesh.vertices, mesh.vertices, skeleton.heads[dominant], skeleton.tails[dominant])
    on_torso = np.array([part == BodyPart.TORSO for part in anatomy.parts])[dominant]
    return on_torso & (heights < CAPE_HEIGHT * hip) & (away > CAPE_DISTANCE * hip)


def _check_one_body(name: str, skeleton: Skeleton, boxes: BoneBoxes) -> None:
    volumes = np.where(boxes.lengthless, 0.0, boxes.cuboids.volumes())
    if not volumes.sum() > 0 or boxes.size < SMALLEST_BODY:
        raise AssetError(
            f"No bone of {name} has a length or a surface, so there is no body to simulate. "
            "Give a rig with bones longer than a thousandth of its size."
        )
    below = volumes.copy()
    for bone in range(len(skeleton) - 1, 0, -1):
        below[skeleton.parents[bone]] += below[bone]
    apart = _gaps(skeleton, boxes.cuboids) > SEPARATE_BODY_GAP * boxes.size
    least = SEPARATE_BODY_VOLUME * below[0]
    for bone in np.flatnonzero(apart & (below >= least) & (below <= below[0] - least)):
        raise AssetError(
            f"{name} holds two bodies that do not touch: '{skeleton.names[bone]}' stands apart from "
            f"'{skeleton.names[skeleton.parents[bone]]}'. Physics tracks one body; put each in a file of its own."
        )


def _gaps(skeleton: Skeleton, cuboids: BoneCuboids) -> Float[ndarray, "bones"]:
    """Distance of each bone's joint from the box of its parent, metres; 0 inside."""
    gaps = np.zeros(len(skeleton))
    for bone in range(1, len(skeleton)):
        parent = int(skeleton.parents[bone])
        joint = skeleton.T_parent_rest[bone, :3, 3]
        outside = np.abs(joint - cuboids.centres_bone[parent]) - cuboids.half_sides[parent]
        gaps[bone] = np.linalg.norm(np.maximum(outside, 0.0))
    return gaps


def weld_short_ends(
    skeleton: Skeleton, boxes: BoneBoxes, turns: Float[ndarray, "bones"], shortest: float
) -> Int[ndarray, "bones"]:
    """Topmost bone of the body that each bone is part of: short ends of limbs (ears, toes) are welded to their parent.

    From the tips inwards: a body without bodies below it that reaches less than `shortest` sizes beyond its joint is
    welded to its parent, and so is every bone without length. A root without length is welded to those children that
    turn least in the clip (`turns`, radians), since hips are rigid.
    """
    count, parents = len(skeleton), skeleton.parents
    group, bodies_below = np.arange(count), np.zeros(count, int)
    reach = 2.0 * boxes.cuboids.half_sides.max(1)
    joints = np.linalg.norm(skeleton.T_parent_rest[:, :3, 3], axis=1)
    lengthless = boxes.lengthless.copy()
    if lengthless[0] and skeleton.children[0]:
        children = np.array(skeleton.children[0])
        lengthless[children[turns[children] <= turns[children].min() + SAME_TURN]] = True
    for bone in range(count - 1, 0, -1):
        parent = int(parents[bone])
        if lengthless[bone] or (bodies_below[bone] == 0 and reach[bone] < shortest * boxes.size):
            group[bone] = parent
            reach[parent] = max(reach[parent], joints[bone] + reach[bone])
            bodies_below[parent] += bodies_below[bone]
        else:
            bodies_below[parent] += 1
    for bone in range(1, count):
        group[bone] = group[group[bone]]
    return group
