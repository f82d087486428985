"""Results of tracking: the simulated motion, its torques, contact forces and virtual work, and the clip of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip, clip_from_matrices, joint_matrices
from gambol.motion.kinematics import pose_clip
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.forces_reference import ground_forces, joint_torques, upright_torque
from gambol.physics.generalised_coordinates import transforms_from_states
from gambol.physics.world import Gains

STIFF_BONE_HEIGHT = 0.08
"""Welded bones that come nearer to the ground than this keep the pose they were simulated in, sizes."""

BLOCK_STEPS = 2048
"""Simulation steps whose forces are computed at once; it bounds the memory that long clips need."""


@dataclass(frozen=True)
class SimulatedMotion:
    """One simulated motion at every simulation step, the start first; simulated metres, one copy."""

    fps: float
    """Frames per second of the clip."""
    per_frame: int
    """Simulation steps per frame."""
    states: Float[ndarray, "moments bodies 7"]
    """Position and quaternion xyzw of every body."""
    twists: Float[ndarray, "moments bodies 6"]
    """Velocity of the centre of mass and angular velocity of every body, world axes, m/s and rad/s."""
    targets: Float[ndarray, "steps joints 3"]
    """Joint targets (theta hat of eq. 12), radians."""
    rates: Float[ndarray, "rates"]
    """Initial velocity: velocity and angular velocity of the root, then rates of the joint angles."""
    upright: float
    """Scale of the upright torque."""
    engine: str
    """Simulator: newton or mujoco."""
    contacts: Float[ndarray, "frames points 3"] | None = None
    """Forces of the ground on the contact points, newtons; None where they follow `forces_reference.ground_forces`."""

    @property
    def frame_states(self) -> Float[ndarray, "frames bodies 7"]:
        """States at the frames."""
        return self.states[:: self.per_frame]


@dataclass(frozen=True)
class UprightWork:
    """How much the virtual upright torque contributes."""

    mean: float
    """Mean torque, newton metres."""
    peak: float
    """Largest torque, newton metres."""
    work_share: float
    """Work of the upright torque as a share of all work of joints and upright torque, each counted positive."""


@dataclass(frozen=True)
class Efforts:
    """Forces of a simulated motion at the frames (the last step before each), newtons and newton metres."""

    torques: Float[ndarray, "frames joints 3"]
    """Torques about the three axes of each joint, newton metres."""
    contacts: Float[ndarray, "frames points 3"]
    """Forces of the ground on the contact points, newtons."""
    upright_torques: Float[ndarray, "frames 3"]
    """Virtual upright torque, newton metres."""
    upright: UprightWork
    """Summary of the upright torque over all steps."""


def efforts(body: ArticulatedBody, g: Gains, motion: SimulatedMotion) -> Efforts:
    """Compute joint torques (eq. 12), ground forces and the upright torque along a motion."""
    g = replace(g, upright_ke=g.upright_ke * motion.upright, upright_kd=g.upright_kd * motion.upright)
    states, twists = motion.states[:-1], motion.twists[:-1]
    at = np.maximum(np.arange(0, len(motion.states), motion.per_frame) - 1, 0)
    virtual = upright_torque(body, g, states, twists)
    joint_work = 0.0
    for steps in step_blocks(len(states)):
        torques, rates = joint_torques(body, g, states[steps], twists[steps], motion.targets[steps])
        joint_work += np.abs(torques * rates).sum()
    virtual_work = np.abs((virtual * twists[:, 0, 3:]).sum(-1)).sum()
    size = np.linalg.norm(virtual, axis=-1)
    share = float(virtual_work / max(joint_work + virtual_work, 1e-12))
    contacts = ground_forces(body, g, states[at], twists[at]) if motion.contacts is None else motion.contacts
    return Efforts(
        joint_torques(body, g, states[at], twists[at], motion.targets[at])[0],
        contacts,
        virtual[at],
        UprightWork(float(size.mean()), float(size.max()), share),
    )


def step_blocks(steps: int, *, multiple: int = 1) -> list[slice]:
    """Divide simulation steps into blocks of a multiple, about `BLOCK_STEPS` each: a minute has 100,000 steps."""
    size = max(BLOCK_STEPS // multiple, 1) * multiple
    return [slice(first, min(first + size, steps)) for first in range(0, steps, size)]


def clip_from_simulation(
    body: ArticulatedBody, skeleton: Skeleton, target: Clip, motion: SimulatedMotion, *, name: str | None = None
) -> Clip:
    """Convert a simulated motion into a clip of the character.

    Joints take the simulated rotations; the small distances by which they come apart are lost. Welded bones keep the
    target's own motion where they stay clear of the ground (ears, fingers), else the pose they were simulated in.
    """
    R_body = transforms_from_states(motion.frame_states)[..., :3, :3]
    frames = min(len(R_body), len(target))
    R_body, goal = R_body[:frames], joint_matrices(target)[:frames]
    stiff = _stiff_bones(body, skeleton, target)
    tops = set(map(int, body.top_bones))
    R_world = np.zeros((frames, len(skeleton), 3, 3))
    local = np.zeros_like(R_world)
    for bone in range(len(skeleton)):
        parent, R_rest = int(skeleton.parents[bone]), skeleton.T_parent_rest[bone, :3, :3]
        zero = R_world[:, parent] @ R_rest if parent >= 0 else np.broadcast_to(R_rest, (frames, 3, 3))
        if bone in tops:
            R_world[:, bone] = R_body[:, body.bone_bodies[bone]]
            local[:, bone] = np.swapaxes(zero, -1, -2) @ R_world[:, bone]
        else:
            local[:, bone] = body.mean_joints[bone] if stiff[bone] else goal[:, bone]
            R_world[:, bone] = zero @ local[:, bone]
    places = motion.frame_states[:frames, 0, :3] / body.scale - skeleton.heads[0]
    clip, _ = clip_from_matrices(name or f"{target.name}_tracked", target.fps, places, local)
    return clip


def bone_heights(body: ArticulatedBody, skeleton: Skeleton, clip: Clip) -> Float[ndarray, "frames bones"]:
    """Height of the lowest contact point of every bone, metres of the character."""
    T = pose_clip(skeleton, clip)
    # contact points stand in the order of bones, in their body's frame
    of = T[:, body.top_bones[body.point_bodies]]
    heights = np.einsum("fpj,pj->fp", of[..., 1, :3], body.points / body.scale) + of[..., 1, 3]
    return heights.reshape(len(T), len(skeleton), -1).min(2)


def _stiff_bones(body: ArticulatedBody, skeleton: Skeleton, target: Clip) -> Bool[ndarray, "bones"]:
    """Whether each bone comes near the ground in the target."""
    low = bone_heights(body, skeleton, target).min(0)
    return low - low.min() < STIFF_BONE_HEIGHT * body.size / body.scale
