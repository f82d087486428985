"""A character as rigid bodies on compound joints (AKD 4.5): masses, inertias, joints, contact points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.skeleton import UP, Skeleton
from gambol.character.transforms import nearest_rotation
from gambol.errors import ConfigError
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import rotation_angle
from gambol.physics.collision_boxes import BoneBoxes, weld_short_ends

UPRIGHT_TORQUE_JOINTS = 3.0
"""How many joints the upright torque counts as where the inertia floor is shared out."""


@dataclass(frozen=True)
class BodyConfig:
    """How the bones of a character become rigid bodies."""

    size: float | None = 1.5
    """Longest side of the simulated body, metres: files have arbitrary units, gravity has not. None: as in the file."""
    density: float = 1000.0
    """Density of the cuboids, kg/m^3."""
    roundness: float = 0.5
    """Least principal inertia as a share of the largest; thin bones are unstable about their own axis. 0: off."""
    inertia_floor: float = 1.5e-4
    """Inertia that is added to every principal axis for each joint of a body, in (whole mass x size^2). 0: off.

    The joints' damping must not outweigh a body; limbs become a little sluggish. The upright torque counts as three
    joints."""
    mass_floor: float = 0.02
    """Least mass of a body as a share of the whole: friction must not outweigh a foot. 0: off."""
    weld: float = 0.08
    """Ends of limbs that are shorter than this are welded to their parent, sizes. 0: off."""

    def __post_init__(self) -> None:
        if self.size is not None and not (np.isfinite(self.size) and 0.05 <= self.size <= 50.0):
            raise ConfigError(f"A body of {self.size} m cannot be simulated; allowed is a size of 0.05 to 50 m.")
        if not self.density > 0:
            raise ConfigError(f"The density is {self.density} kg/m^3; it must be positive.")


DEFAULT_BODY = BodyConfig()
"""Bodies of 1.5 m with all floors on."""


@dataclass(frozen=True)
class ArticulatedBody:
    """Rigid bodies in a tree, parents first, in simulated metres. A body's frame is that of its topmost bone."""

    names: tuple[str, ...]
    """Name of each body: that of its topmost bone."""
    parents: Int[ndarray, "bodies"]
    """Index of each body's parent; -1 for the root."""
    T_parent_joint: Float[ndarray, "bodies 4 4"]
    """Each joint at zero angles in the parent's frame: the clip's mean pose, far from gimbal lock. Root: unused."""
    masses: Float[ndarray, "bodies"]
    """Mass of each body, kg."""
    centres: Float[ndarray, "bodies 3"]
    """Centre of mass in the body's frame, metres."""
    inertias: Float[ndarray, "bodies 3 3"]
    """Inertia about the centre of mass, axes of the body's frame, floors included, kg m^2."""
    points: Float[ndarray, "points 3"]
    """Contact points in their body's frame, metres."""
    point_bodies: Int[ndarray, "points"]
    """Body that each contact point belongs to."""
    T_body_box: Float[ndarray, "boxes 4 4"]
    """Frame of each bone's box in its body's frame."""
    box_half_sides: Float[ndarray, "boxes 3"]
    """Half of the sides of each box, metres."""
    box_bodies: Int[ndarray, "boxes"]
    """Body that each box belongs to."""
    up: Float[ndarray, "3"]
    """Direction in the root's frame that points up on average in the clips; the upright torque turns it there."""
    size: float
    """Longest side of the rest bounding box, simulated metres."""
    scale: float
    """SimulatedMotion metres per metre of the character."""
    bone_bodies: Int[ndarray, "bones"]
    """Body that each bone of the skeleton is part of."""
    mean_joints: Float[ndarray, "bones 3 3"]
    """Mean rotation of every bone in the clips; welded bones are simulated in it."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def mass(self) -> float:
        """Mass of all bodies together, kg."""
        return float(self.masses.sum())

    @cached_property
    def has_box(self) -> Bool[ndarray, "boxes"]:
        """Whether each box has a volume; a bone without length has none."""
        return self.box_half_sides.min(1) > 0

    @cached_property
    def top_bones(self) -> Int[ndarray, "bodies"]:
        """Topmost bone of each body, whose frame the body has."""
        return np.array([int(np.flatnonzero(self.bone_bodies == body)[0]) for body in range(len(self))])


def make_articulated_body(
    skeleton: Skeleton, boxes: BoneBoxes, clips: tuple[Clip, ...], *, config: BodyConfig = DEFAULT_BODY
) -> ArticulatedBody:
    """Make the bodies for these clips: boxes of one density as `config` says, zero angles at the clips' mean pose."""
    scale = 1.0 if config.size is None else config.size / boxes.size
    half, volumes = boxes.cuboids.half_sides * scale, boxes.cuboids.volumes() * scale**3
    masses = config.density * volumes
    joints = np.concatenate([joint_matrices(clip) for clip in clips])
    mean = nearest_rotation(joints.mean(0))
    turns = rotation_angle(np.swapaxes(mean, -1, -2) @ joints).max(0)
    group = weld_short_ends(skeleton, boxes, turns, config.weld)
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
    return ArticulatedBody(
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
    joints[0] = UPRIGHT_TORQUE_JOINTS
    np.add.at(joints, parents[1:], 1.0)
    raised = np.maximum(mass, config.mass_floor * total)
    values, axes = np.linalg.eigh(inertias * (raised / mass)[:, None, None])
    values = np.maximum(values, config.roundness * values.max(1, keepdims=True))
    values = values + config.inertia_floor * joints[:, None] * total * size**2
    return raised, axes * values[:, None, :] @ axes.transpose(0, 2, 1)
