"""What the pose space uses of a character: skeleton, anatomy, bone boxes and a coarse skin, all in sizes.

A size is the longest side of the rest bounding box, so a mouse and an elephant compare. The names of the bones are
kept for messages only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy, BodyPart, Limb, Side
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.character.skeleton import LEFT, Skeleton, rest_frames
from gambol.character.weights import SkinWeights
from gambol.motion.kinematics import RestPose, rest_pose
from gambol.poses.coarse_skin import CoarseSkin, make_coarse_skin

BODY_PARTS, BODY_SIDES = tuple(BodyPart), tuple(Side)
"""Body parts and sides in the order of their indices."""
HALF_RANGE_BOUNDS = (0.2, 1.5)
"""Half the range of a joint about one axis is clipped to these bounds, radians, before it scales a parameter."""
HALF_RANGE_SHARE = 0.2
"""Share of a joint's half range that one unit of its pose parameters stands for: about what real poses use."""
ROOT_PARAMETER_SCALE = (0.05, 0.12, 0.12)
"""What one unit of the root's pose parameters stands for: height (sizes), roll and pitch (radians)."""
CAPSULE_RADIUS_SHARE = 0.7
"""Radius of a bone's capsule as a share of the distance of its skin: soft tissue may overlap, the core may not."""
LEFT_AXIS_COSINE = float(np.sqrt(1.0 - 0.7**2))
"""`rest_frames` made a frame with x to the left if the cosine between x and left is above this, else with x up."""


@dataclass(frozen=True)
class PoseRig:
    """A character scaled to size 1, with everything that the pose space measures of it."""

    skeleton: Skeleton
    """Motion skeleton, lengths in sizes."""
    size: float
    """Longest side of the character's rest bounding box, metres."""
    parts: Int[ndarray, "bones"]
    """Body part of each bone, an index into `BODY_PARTS`."""
    sides: Int[ndarray, "bones"]
    """Side of the body that each bone is on, an index into `BODY_SIDES`."""
    orders: Int[ndarray, "bones"]
    """Position of each bone along its own limb, 0 at the body."""
    pairs: Int[ndarray, "bones"]
    """Number of the pair of legs, arms or wings, from front to back; 0 for other bones."""
    contacts: Int[ndarray, "bones"]
    """1 for feet, 0 for other bones."""
    limits: Float[ndarray, "bones 3 2"]
    """Lowest and highest angle of each joint about x, y and z, radians."""
    centres: Float[ndarray, "bones 3"]
    """Centre of each bone's cuboid in the bone's frame, sizes."""
    halves: Float[ndarray, "bones 3"]
    """Half the side lengths of each bone's cuboid, sizes."""
    radii: Float[ndarray, "bones"]
    """Radius of the capsule around each bone, sizes."""
    masses: Float[ndarray, "bones"]
    """Share of the skin that each bone moves; sums to 1."""
    coarse_skin: CoarseSkin
    """Simplified skin, sizes."""

    def __len__(self) -> int:
        return len(self.skeleton)

    @cached_property
    def rest(self) -> RestPose:
        """Constants of forward kinematics in single precision."""
        return rest_pose(self.skeleton)

    @cached_property
    def rest64(self) -> RestPose:
        """Constants of forward kinematics in double precision."""
        return rest_pose(self.skeleton, dtype=torch.float64)

    @cached_property
    def parameter_scale(self) -> Float[Tensor, "bones 3"]:
        """What one unit of each pose parameter stands for: radians, and sizes for the root's height."""
        half = np.clip(0.5 * np.ptp(self.limits, axis=-1), *HALF_RANGE_BOUNDS) * HALF_RANGE_SHARE
        half[0] = ROOT_PARAMETER_SCALE
        return torch.as_tensor(half).float()


def make_pose_rig(character: Character, anatomy: Anatomy | None = None) -> PoseRig:
    """Measure a character for the pose space; raises `MissingPart` if it has no mesh or no skeleton."""
    mesh, skeleton, weights = character.require_skin()
    anatomy = anatomy or find_anatomy(character)
    size = character.size
    frames = skeleton.T_world_rest.copy()
    frames[:, :3, 3] /= size
    scaled = Skeleton(skeleton.names, skeleton.parents, frames, skeleton.tails / size)
    cuboids = character.cuboids
    pairs = np.zeros(len(skeleton), int)
    for limb in anatomy.limbs:
        pairs[list(_limb_and_descendants(skeleton, limb))] = limb.pair
    vertices = mesh.vertices / size
    mass = weights.mass()
    return PoseRig(
        skeleton=scaled,
        size=size,
        parts=np.array([BODY_PARTS.index(part) for part in anatomy.parts]),
        sides=np.array([BODY_SIDES.index(side) for side in anatomy.sides]),
        orders=np.asarray(anatomy.orders).astype(int),
        pairs=pairs,
        contacts=anatomy.contacts.astype(int),
        limits=anatomy.limits.astype(np.float64),
        centres=cuboids.centres_bone / size,
        halves=cuboids.half_sides / size,
        radii=capsule_radii(scaled, weights, vertices, cuboids.half_sides / size),
        masses=mass / mass.sum(),
        coarse_skin=make_coarse_skin(vertices, mesh.triangles, weights),
    )


def capsule_radii(
    skeleton: Skeleton, weights: SkinWeights, vertices: Float[ndarray, "vertices 3"], halves: Float[ndarray, "bones 3"]
) -> Float[ndarray, "bones"]:
    """Radius of each bone's capsule: `CAPSULE_RADIUS_SHARE` of the median distance of its own vertices from the bone.

    It is no larger than the same share of the middle one of the half sides of the bone's cuboid.
    """
    dominant, radii = weights.dominant(), np.sort(halves, axis=1)[:, 1]
    for bone in range(len(skeleton)):
        own = vertices[dominant == bone]
        if len(own) >= 4:
            head, along = skeleton.heads[bone], skeleton.tails[bone] - skeleton.heads[bone]
            u = np.clip((own - head) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
            away = np.linalg.norm(own - head - u[:, None] * along, axis=1)
            radii[bone] = min(radii[bone], float(np.median(away)))
    return CAPSULE_RADIUS_SHARE * radii


def mirrored_rig(rig: PoseRig) -> PoseRig:
    """The mirror image (z -> -z) of a rig; multiply poses by `parameter_mirror_signs` to mirror them too."""
    flip = np.array([1.0, 1.0, -1.0])
    skeleton, signs = rig.skeleton, rotation_mirror_signs(rig)
    heads, tails = skeleton.heads * flip, skeleton.tails * flip
    frames = rest_frames(heads, tails, skeleton.parents)
    other_side = {Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
    swap = np.array([BODY_SIDES.index(other_side.get(side, side)) for side in BODY_SIDES])
    skin = rig.coarse_skin
    return replace(
        rig,
        skeleton=Skeleton(skeleton.names, skeleton.parents, frames, tails),
        sides=swap[rig.sides],
        limits=np.sort(rig.limits * signs[..., None], axis=-1),
        centres=-signs * rig.centres,
        coarse_skin=replace(skin, points=skin.points * flip, triangles=skin.triangles[:, ::-1]),
    )


def rotation_mirror_signs(rig: PoseRig) -> Float[ndarray, "bones 3"]:
    """Signs that mirror rotation vectors with M = diag(1, 1, -1): w becomes -M w, in the mirrored rest frames.

    Where a frame's x is to the left (`skeleton.rest_frames`), x' = -M x, y' = M y, z' = M z, and w keeps its x; where
    the bone points sideways x is up, x' = M x, z' = -M z, and w keeps its z. The root's x is up.
    """
    to_the_left = rig.skeleton.T_world_rest[:, :3, 0] @ LEFT > LEFT_AXIS_COSINE
    return np.where(to_the_left[:, None], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0])


def parameter_mirror_signs(rig: PoseRig) -> Float[ndarray, "bones 3"]:
    """Signs that mirror pose parameters: those of rotations, but the root's height keeps its sign."""
    signs = rotation_mirror_signs(rig)
    signs[0, 0] = 1.0
    return signs


def _limb_and_descendants(skeleton: Skeleton, limb: Limb) -> set[int]:
    """Bones of the limb's chain and all bones below them."""
    found = set(limb.bones)
    for bone in range(min(limb.bones), len(skeleton)):
        if int(skeleton.parents[bone]) in found:
            found.add(bone)
    return found
