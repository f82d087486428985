"""A character as rigid bodies on compound joints (AKD 4.5): masses, inertias, joints, contact points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.skeleton import UP, Skeleton
from gambol.character.transforms import nearest_rotation
from gambol.errors import AssetError
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import rotation_angle
from gambol.physics.bone_boxes import BoneBoxes, weld_short

UPRIGHT_JOINTS = 3.0
"""The upright torque's damping, in joints."""


@dataclass(frozen=True)
class BodyConfig:
    """How bones become bodies."""

    size: float | None = 1.5
    """Longest side of the body as it is simulated, metres: files have arbitrary units, gravity has not. None: as it
    is."""
    density: float = 1000.0
    """Of the cuboids, kg/m^3."""
    roundness: float = 0.5
    """No principal inertia is below this share of the largest: thin bones are unstable about their own axis. 0: off."""
    inertia_floor: float = 1.5e-4
    """Added to every principal inertia for each joint of the body (the upright torque counts as three), in (whole mass
    x size^2): joints' damping must not outweigh a body. Limbs become sluggish by it. 0: off."""
    mass_floor: float = 0.02
    """No body is lighter than this share of the whole: friction must not outweigh a foot. 0: off."""
    weld: float = 0.08
    """Ends of limbs that are shorter than this ride on their parent, sizes. 0: off."""

    def __post_init__(self) -> None:
        if self.size is not None and not (np.isfinite(self.size) and 0.05 <= self.size <= 50.0):
            raise AssetError(f"A body of {self.size} m cannot be simulated; allowed is a size of 0.05 to 50 m.")
        if not self.density > 0:
            raise AssetError(f"The density is {self.density} kg/m^3; it must be positive.")


DEFAULT_BODY = BodyConfig()


@dataclass(frozen=True)
class Body:
    """Rigid bodies in a tree, parents first; all in simulated metres. A body's frame is that of its topmost bone."""

    names: tuple[str, ...]
    parents: Int[ndarray, "bodies"]
    T_parent_joint: Float[ndarray, "bodies 4 4"]
    """Joint at zero angles in the parent's frame: the clip's mean pose, far from gimbal lock. The root's is unused."""
    masses: Float[ndarray, "bodies"]
    centres: Float[ndarray, "bodies 3"]
    """Centre of mass in the body's frame."""
    inertias: Float[ndarray, "bodies 3 3"]
    """About the centre of mass, axes of the body's frame, floors included."""
    points: Float[ndarray, "points 3"]
    """Contact points in their body's frame."""
    point_bodies: Int[ndarray, "points"]
    T_body_box: Float[ndarray, "boxes 4 4"]
    box_half_sides: Float[ndarray, "boxes 3"]
    box_bodies: Int[ndarray, "boxes"]
    up: Float[ndarray, "3"]
    """The root's axis that points up on average in the clip; the upright torque turns it there."""
    size: float
    """Longest side at rest, simulated metres."""
    scale: float
    """Simulated metres per metre of the character."""
    bone_bodies: Int[ndarray, "bones"]
    """The body that each bone of the skeleton is part of."""
    mean_joints: Float[ndarray, "bones 3 3"]
    """Every bone's mean rotation in the clips; bones that ride on another are simulated in it."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mass(self) -> float:
        """Of all bodies, kg."""
        return float(self.masses.sum())

    @cached_property
    def has_box(self) -> Bool[ndarray, "boxes"]:
        """Boxes that are more than a point or a face: a bone without length has none."""
        return self.box_half_sides.min(1) > 0

    @cached_property
    def top_bones(self) -> Int[ndarray, "bodies"]:
        """The bone whose frame each body has."""
        return np.array([int(np.flatnonzero(self.bone_bodies == body)[0]) for body in range(len(self))])


def make_body(
    skeleton: Skeleton, boxes: BoneBoxes, clips: tuple[Clip, ...], *, config: BodyConfig = DEFAULT_BODY
) -> Body:
    """Bodies for these clips: boxes of one density, welded and floored as `config` says; joints at the mean pose."""
    scale = 1.0 if config.size is None else config.size / boxes.size
    half, volumes = boxes.cuboids.half_sides * scale, boxes.cuboids.volumes() * scale**3
    masses = config.density * volumes
    joints = np.concatenate([joint_matrices(clip) for clip in clips])
    mean = nearest_rotation(joints.mean(0))
    turns = rotation_angle(np.swapaxes(mean, -1, -2) @ joints).max(0)
    group = weld_short(skeleton, boxes, turns, config.weld)
    tops = np.unique(group)
    body_of = np.searchsorted(tops, group)
    T_parent = _posed(skeleton, mean, scale)
    T_body_bone = np.tile(np.eye(4), (len(skeleton), 1, 1))
    for bone in range(1, len(skeleton)):
        if group[bone] != bone:
            T_body_bone[bone] = T_body_bone[skeleton.parents[bone]] @ T_parent[bone]
    parents, T_parent_joint = np.full(len(tops), -1), np.tile(np.eye(4), (len(tops), 1, 1))
    for body, bone in enumerate(tops[1:], start=1):
        above = int(skeleton.parents[bone])
        parents[body], T_parent_joint[body] = body_of[above], T_body_bone[above] @ T_parent[bone]
    T_body_box = T_body_bone.copy()
    T_body_box[:, :3, 3] += np.einsum("bij,bj->bi", T_body_bone[:, :3, :3], boxes.cuboids.centres_bone * scale)
    mass, centres, inertias = _combine(T_body_box, half, masses, body_of, len(tops))
    mass, inertias = _floored(mass, inertias, parents, boxes.size * scale, config)
    points = np.einsum("bij,bkj->bki", T_body_bone[:, :3, :3], boxes.points * scale) + T_body_bone[:, None, :3, 3]
    ups = [pose_clip(skeleton, clip)[:, 0, 1, :3].mean(0) for clip in clips]
    up = np.mean(ups, axis=0)
    rest_up = skeleton.T_world_rest[0, :3, :3].T @ UP
    return Body(
        names=tuple(skeleton.names[bone] for bone in tops),
        parents=parents,
        T_parent_joint=T_parent_joint,
        masses=mass,
        centres=centres,
        inertias=inertias,
        points=points.reshape(-1, 3),
        point_bodies=body_of.repeat(points.shape[1]),
        T_body_box=T_body_box,
        box_half_sides=half,
        box_bodies=body_of,
        up=up / np.linalg.norm(up) if np.linalg.norm(up) > 0.3 else rest_up,
        size=boxes.size * scale,
        scale=scale,
        bone_bodies=body_of,
        mean_joints=mean,
    )


def _posed(skeleton: Skeleton, joints: Float[ndarray, "bones 3 3"], scale: float) -> Float[ndarray, "bones 4 4"]:
    """Each bone in its parent's frame, turned by its joint; simulated metres."""
    T = skeleton.T_parent_rest.copy()
    T[:, :3, :3] = T[:, :3, :3] @ joints
    T[:, :3, 3] *= scale
    return T


def _combine(T_body_box: ndarray, half: ndarray, masses: ndarray, body_of: ndarray, count: int) -> tuple:
    """Mass, centre and inertia of boxes that are one body: I = sum R diag(m/3 (h_j^2 + h_k^2)) R^T + m (|d|^2 - d d^T).

    d from the common centre of mass to the box's.
    """
    mass = np.bincount(body_of, masses, count)
    centres = np.stack([np.bincount(body_of, masses * T_body_box[:, axis, 3], count) for axis in range(3)], 1)
    centres = centres / mass[:, None]
    R, d = T_body_box[:, :3, :3], T_body_box[:, :3, 3] - centres[body_of]
    squares = half**2
    principal = masses[:, None] / 3.0 * (squares.sum(1, keepdims=True) - squares)
    own = R * principal[:, None, :] @ R.transpose(0, 2, 1)
    moved = masses[:, None, None] * ((d**2).sum(1)[:, None, None] * np.eye(3) - d[:, :, None] * d[:, None])
    inertias = np.zeros((count, 3, 3))
    np.add.at(inertias, body_of, own + moved)
    return mass, centres, inertias


def _floored(
    mass: ndarray, inertias: ndarray, parents: ndarray, size: float, config: BodyConfig
) -> tuple[ndarray, ndarray]:
    """Masses and inertias with their floors: explicit integration of very light or thin bodies is unstable."""
    total, joints = mass.sum(), np.ones(len(mass))
    joints[0] = UPRIGHT_JOINTS
    np.add.at(joints, parents[1:], 1.0)
    raised = np.maximum(mass, config.mass_floor * total)
    values, axes = np.linalg.eigh(inertias * (raised / mass)[:, None, None])
    values = np.maximum(values, config.roundness * values.max(1, keepdims=True))
    values = values + config.inertia_floor * joints[:, None] * total * size**2
    return raised, axes * values[:, None, :] @ axes.transpose(0, 2, 1)
