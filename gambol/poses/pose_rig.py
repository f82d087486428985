"""What the pose space knows of a body: skeleton, anatomy, flesh and a coarse skin, all in sizes.

A size is the longest side of the rest bounding box, so a mouse and an elephant compare. Bones' names are kept for
messages and never looked at.
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
from gambol.poses.surface_samples import Surface, coarse_surface

PARTS, SIDES = tuple(BodyPart), tuple(Side)
HALF_RANGES = (0.2, 1.5)
"""Half the range of a joint about one axis counts as no less and no more than this, radians."""
USED = 0.2
"""Share of its half range that a joint uses, about: what counts as 1 for the network."""
ROOT_REACH = (0.05, 0.12, 0.12)
"""The same for the root's height (sizes), roll and pitch (radians)."""

CORE = 0.7
"""Part of a bone's flesh that no other bone may enter."""
UPRIGHT = float(np.sqrt(1.0 - 0.7**2))
"""A frame whose x has a larger cosine than this to the left was made with x to the left, another with x up."""


@dataclass(frozen=True)
class Rig:
    """A body, scaled to size 1."""

    skeleton: Skeleton
    size: float
    """Metres."""
    parts: Int[ndarray, "bones"]
    """Numbers of `PARTS`."""
    sides: Int[ndarray, "bones"]
    """Numbers of `SIDES`."""
    orders: Int[ndarray, "bones"]
    """Place along the bone's own limb."""
    pairs: Int[ndarray, "bones"]
    """Which pair of legs, arms or wings from front to back; 0 for others."""
    contacts: Int[ndarray, "bones"]
    """1 for feet."""
    limits: Float[ndarray, "bones 3 2"]
    centres: Float[ndarray, "bones 3"]
    """Middle of each bone's flesh in its own frame,"""
    halves: Float[ndarray, "bones 3"]
    """and half its sides."""
    radii: Float[ndarray, "bones"]
    """Of the capsule around each bone."""
    masses: Float[ndarray, "bones"]
    """Share of the skin that each bone moves."""
    surface: Surface

    def __len__(self) -> int:
        return len(self.skeleton)

    @cached_property
    def rest(self) -> RestPose:
        """Constants of forward kinematics."""
        return rest_pose(self.skeleton)

    @cached_property
    def rest64(self) -> RestPose:
        """The same in double precision."""
        return rest_pose(self.skeleton, dtype=torch.float64)

    @cached_property
    def reach(self) -> Float[Tensor, "bones 3"]:
        """What counts as 1 of each number of a pose (`numbers`)."""
        half = np.clip(0.5 * np.ptp(self.limits, axis=-1), *HALF_RANGES) * USED
        half[0] = ROOT_REACH
        return torch.as_tensor(half).float()


def make_rig(character: Character, anatomy: Anatomy | None = None) -> Rig:
    """Everything of a character that a pose depends on; says what is missing where it has no mesh or no skeleton."""
    mesh, skeleton, weights = character.skinned()
    anatomy = anatomy or find_anatomy(character)
    size = character.size
    frames = skeleton.T_world_rest.copy()
    frames[:, :3, 3] /= size
    scaled = Skeleton(skeleton.names, skeleton.parents, frames, skeleton.tails / size)
    cuboids = character.cuboids
    pairs = np.zeros(len(skeleton), int)
    for limb in anatomy.limbs:
        pairs[list(_whole_limb(skeleton, limb))] = limb.pair
    vertices = mesh.vertices / size
    mass = weights.mass()
    return Rig(
        scaled,
        size,
        np.array([PARTS.index(part) for part in anatomy.parts]),
        np.array([SIDES.index(side) for side in anatomy.sides]),
        np.asarray(anatomy.orders).astype(int),
        pairs,
        anatomy.contacts.astype(int),
        anatomy.limits.astype(np.float64),
        cuboids.centres_bone / size,
        cuboids.half_sides / size,
        capsule_radii(scaled, weights, vertices, cuboids.half_sides / size),
        mass / mass.sum(),
        coarse_surface(vertices, mesh.triangles, weights),
    )


def capsule_radii(
    skeleton: Skeleton, weights: SkinWeights, vertices: Float[ndarray, "vertices 3"], halves: Float[ndarray, "bones 3"]
) -> Float[ndarray, "bones"]:
    """A part of the median distance of a bone's own vertices from its segment: flesh gives way, the core does not."""
    dominant, radii = weights.dominant(), np.sort(halves, axis=1)[:, 1]
    for bone in range(len(skeleton)):
        own = vertices[dominant == bone]
        if len(own) >= 4:
            head, along = skeleton.heads[bone], skeleton.tails[bone] - skeleton.heads[bone]
            u = np.clip((own - head) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
            away = np.linalg.norm(own - head - u[:, None] * along, axis=1)
            radii[bone] = min(radii[bone], float(np.median(away)))
    return CORE * radii


def mirrored(rig: Rig) -> Rig:
    """The body in a mirror (z -> -z): its left is its right. `mirror_signs` say what becomes of its poses."""
    flip = np.array([1.0, 1.0, -1.0])
    skeleton, signs = rig.skeleton, turn_signs(rig)
    heads, tails = skeleton.heads * flip, skeleton.tails * flip
    frames = rest_frames(heads, tails, skeleton.parents)
    swap = np.array([SIDES.index({Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}.get(side, side)) for side in SIDES])
    surface = replace(rig.surface, points=rig.surface.points * flip, triangles=rig.surface.triangles[:, ::-1])
    return replace(
        rig,
        skeleton=Skeleton(skeleton.names, skeleton.parents, frames, tails),
        sides=swap[rig.sides],
        limits=np.sort(rig.limits * signs[..., None], axis=-1),
        centres=-signs * rig.centres,
        surface=surface,
    )


def turn_signs(rig: Rig) -> Float[ndarray, "bones 3"]:
    """Signs of a turn's numbers in the mirror M = diag(1, 1, -1): w becomes -M w, seen in the mirrored frames.

    Where a frame's x is to the left (`skeleton.rest_frames`), x' = -M x, y' = M y, z' = M z, and the turn keeps its x;
    where the bone points sideways x is up, x' = M x, z' = -M z, and the turn keeps its z. The root's x is up.
    """
    to_the_left = rig.skeleton.T_world_rest[:, :3, 0] @ LEFT > UPRIGHT
    return np.where(to_the_left[:, None], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0])


def mirror_signs(rig: Rig) -> Float[ndarray, "bones 3"]:
    """Signs of a pose's numbers in the mirror: those of turns, but the root's height stays."""
    signs = turn_signs(rig)
    signs[0, 0] = 1.0
    return signs


def _whole_limb(skeleton: Skeleton, limb: Limb) -> set[int]:
    """The limb's chain and all that hangs on it."""
    found = set(limb.bones)
    for bone in range(min(limb.bones), len(skeleton)):
        if int(skeleton.parents[bone]) in found:
            found.add(bone)
    return found
