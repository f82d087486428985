"""Correct a simulated motion for hard ground: the simulated ground gives way, and its smooth friction creeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.skeleton import UP
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.feet.contacts import Stances
from gambol.motion.feet.foot_lock import DEFAULT_FOOT_LOCK, FootLockConfig, lock_feet, standing_frames
from gambol.motion.feet.leg_ik import chain_ends, leg_chain, solve_leg_ik
from gambol.motion.feet.soles import Sole, find_soles, leg_length, pose_sole
from gambol.motion.kinematics import pose_clip
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.forces_reference import ground_forces
from gambol.physics.generalised_coordinates import transforms_from_states
from gambol.physics.simulated_motion import SimulatedMotion, bone_heights, step_blocks
from gambol.physics.world import Gains

SLIDING_FRICTION = 0.9
"""A foot slides where its friction exceeds this share of the Coulomb limit; below, dry friction would hold it."""
BEARING_WEIGHT = 0.02
"""A foot stands where it bears at least this share of the body's weight, mean from one frame to the next."""


def move_feet_to_simulated(
    character: Character, anatomy: Anatomy, body: ArticulatedBody, clip: Clip, motion: SimulatedMotion
) -> Clip:
    """Move the feet of a clip to where the simulation has them, by the legs' joints.

    Simulated joints give way under load, by a few thousandths of the size each; the clip's bones do not, so its feet
    would sink by the sum over a leg.
    """
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return clip
    skeleton = character.require_skeleton()
    T = pose_clip(skeleton, clip)
    simulated = transforms_from_states(motion.frame_states[: len(clip)])
    simulated[..., :3, 3] /= body.scale
    chains = [leg_chain(skeleton, sole) for sole in find_soles(character, anatomy)]
    goals = []
    for chain in chains:
        carrier = chain.foot if chain.foot is not None else chain.joints[-1]
        of, last = int(body.bone_bodies[carrier]), skeleton.T_world_rest[chain.joints[-1]]
        carried = rigid_inverse(skeleton.T_world_rest[carrier]) @ np.append(last[:3, :3] @ chain.end + last[:3, 3], 1.0)
        gap = simulated[:, of] @ rigid_inverse(T[:, body.top_bones[of]])
        goals.append((gap @ T[:, carrier] @ carried)[:, :3])
    return solve_leg_ik(skeleton, clip, chains, goals)


def lift_out_of_ground(character: Character, anatomy: Anatomy, body: ArticulatedBody, clip: Clip) -> Clip:
    """Lift what is below the ground: the simulated ground gives way by half a per cent of the size under a body.

    In every frame each foot is lifted by its own depth, by the leg's joints; what is still below the ground raises the
    whole body. So the flight between two steps is as high as it was simulated.
    """
    skeleton = character.require_skeleton()
    if any(limb.contact is not None for limb in anatomy.limbs):
        soles = find_soles(character, anatomy)
        chains = [leg_chain(skeleton, sole) for sole in soles]
        T = pose_clip(skeleton, clip)
        depths = [np.maximum(-pose_sole(skeleton, sole, T)[..., 1].min(1), 0.0) for sole in soles]
        goals = [chain_ends(chain, T) + UP * depth[:, None] for chain, depth in zip(chains, depths, strict=True)]
        clip = solve_leg_ik(skeleton, clip, chains, goals)
    root = clip.root.copy()
    root[:, 1] += np.maximum(-bone_heights(body, skeleton, clip).min(1), 0.0)
    return replace(clip, root=root)


def put_on_hard_ground(
    character: Character, anatomy: Anatomy, body: ArticulatedBody, g: Gains, soft: Clip, motion: SimulatedMotion
) -> Clip:
    """Put a simulated clip on hard ground, with those feet fixed that dry friction would hold; others still slide.

    The simulated friction is smooth and needs some speed to hold anything (`forces_reference.ground_forces`), so a foot
    that pushes hard creeps by centimetres in a step. Swinging feet clear the hard ground by as much as they cleared the
    level of standing feet in the soft one.
    """
    hard = lift_out_of_ground(character, anatomy, body, soft)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return hard
    skeleton, soles = character.require_skeleton(), find_soles(character, anatomy)
    held = feet_held_by_friction(body, g, soles, motion)[:, : len(soft) - 1]
    stances = Stances(held, np.zeros(len(held)))
    T = pose_clip(skeleton, soft)
    heights = np.stack([pose_sole(skeleton, sole, T)[..., 1].min(1) for sole in soles])
    sunk = np.maximum(-heights[standing_frames(stances)], 0.0)
    leg = float(np.median([leg_length(skeleton, sole.limb) for sole in soles]))
    clearance = DEFAULT_FOOT_LOCK.clearance + (float(np.median(sunk)) / leg if len(sunk) else 0.0)
    config = FootLockConfig(ground=0.0, max_body_drop=0.0, clearance=clearance)
    planted = lock_feet(character, hard, anatomy, stances=stances, config=config)
    return lift_out_of_ground(character, anatomy, body, planted)


def feet_held_by_friction(
    body: ArticulatedBody, g: Gains, soles: tuple[Sole, ...], motion: SimulatedMotion
) -> Bool[ndarray, "feet intervals"]:
    """Whether the ground holds each foot between two frames: |sum f_t| < SLIDING_FRICTION mu sum f_n over the steps."""
    if motion.contacts is None:
        states, twists, shape = motion.states[1:], motion.twists[1:], (-1, motion.per_frame, len(body.points), 3)
        blocks = step_blocks(len(states), multiple=motion.per_frame)
        pushes = np.concatenate([ground_forces(body, g, states[b], twists[b]).reshape(shape).mean(1) for b in blocks])
    else:
        pushes = 0.5 * (motion.contacts[1:] + motion.contacts[:-1])
    held = []
    for sole in soles:
        bodies = np.unique(body.bone_bodies[list(sole.limb.bones[sole.start :])])
        push = pushes[:, np.isin(body.point_bodies, bodies)].sum(1)
        sideways = np.linalg.norm(push[:, [0, 2]], axis=1)
        bears = push[:, 1] > BEARING_WEIGHT * body.mass * g.gravity
        held.append(_without_flicker(bears & (sideways < SLIDING_FRICTION * g.friction * push[:, 1]), bears))
    return np.array(held)


def _without_flicker(held: Bool[ndarray, "intervals"], bears: Bool[ndarray, "intervals"]) -> Bool[ndarray, "intervals"]:
    """Fill single intervals that slip beside a held one, or that lie between two held ones."""
    beside = np.pad(held, 1)
    held = held | (bears & (beside[:-2] | beside[2:]))
    beside = np.pad(held, 1)
    return held | (beside[:-2] & beside[2:])
