"""A simulated motion on hard ground: the simulation's gives way, and its friction creeps; the clip's does neither."""

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
from gambol.motion.feet.leg_ik import chain_ends, leg_chain, reach
from gambol.motion.feet.planting import DEFAULT_PLANT, PlantConfig, plant_feet, standing_frames
from gambol.motion.feet.soles import Sole, find_soles, leg_length, pose_sole
from gambol.motion.kinematics import pose_clip
from gambol.physics.articulated_body import Body
from gambol.physics.generalised_coordinates import transforms_from_states
from gambol.physics.physics_settings import Gains, ground_forces
from gambol.physics.tracked_clip import Simulated, bone_heights

SLIDES = 0.9
"""A foot slides where friction is above this share of mu times what it bears; below, dry friction would hold it."""
BEARS = 0.02
"""A foot stands where it bears this share of the body's weight from one frame to the next, on average."""


def feet_as_simulated(character: Character, anatomy: Anatomy, body: Body, clip: Clip, motion: Simulated) -> Clip:
    """The clip with its feet where the simulation has them, by the legs' joints.

    Simulated joints give way under load, by a few thousandths of the size each; the clip's bones do not, so its feet
    would sink by the sum over a leg.
    """
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return clip
    skeleton = character.posable()
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
    return reach(skeleton, clip, chains, goals)


def out_of_the_ground(character: Character, anatomy: Anatomy, body: Body, clip: Clip) -> Clip:
    """The clip on hard ground: the simulated one gives way, by half a per cent of the size under a standing body.

    In every frame each foot is lifted by its own depth, by the leg's joints; what still sinks raises the whole body. So
    the flight between two steps is as high as it was simulated.
    """
    skeleton = character.posable()
    if any(limb.contact is not None for limb in anatomy.limbs):
        soles = find_soles(character, anatomy)
        chains = [leg_chain(skeleton, sole) for sole in soles]
        T = pose_clip(skeleton, clip)
        depths = [np.maximum(-pose_sole(skeleton, sole, T)[..., 1].min(1), 0.0) for sole in soles]
        goals = [chain_ends(chain, T) + UP * depth[:, None] for chain, depth in zip(chains, depths, strict=True)]
        clip = reach(skeleton, clip, chains, goals)
    root = clip.root.copy()
    root[:, 1] += np.maximum(-bone_heights(body, skeleton, clip).min(1), 0.0)
    return replace(clip, root=root)


def on_hard_ground(character: Character, anatomy: Anatomy, body: Body, g: Gains, soft: Clip, motion: Simulated) -> Clip:
    """The simulated clip on hard ground, with those feet at rest that dry friction holds; feet that slide go on.

    The simulation's friction is smooth: it needs some speed to hold anything (`world.ground_forces`), so that a foot
    that pushes hard creeps by centimetres in a step. Swinging feet clear the hard ground as they cleared the feet that
    stood sunk in the soft one.
    """
    hard = out_of_the_ground(character, anatomy, body, soft)
    if not any(limb.contact is not None for limb in anatomy.limbs):
        return hard
    skeleton, soles = character.posable(), find_soles(character, anatomy)
    held = held_feet(body, g, soles, motion)[:, : len(soft) - 1]
    stances = Stances(held, np.zeros(len(held)))
    T = pose_clip(skeleton, soft)
    heights = np.stack([pose_sole(skeleton, sole, T)[..., 1].min(1) for sole in soles])
    sunk = np.maximum(-heights[standing_frames(stances)], 0.0)
    leg = float(np.median([leg_length(skeleton, sole.limb) for sole in soles]))
    clearance = DEFAULT_PLANT.clearance + (float(np.median(sunk)) / leg if len(sunk) else 0.0)
    config = PlantConfig(ground=0.0, lowest=0.0, clearance=clearance)
    planted = plant_feet(character, hard, anatomy, stances=stances, config=config)
    return out_of_the_ground(character, anatomy, body, planted)


def held_feet(body: Body, g: Gains, soles: tuple[Sole, ...], motion: Simulated) -> Bool[ndarray, "feet intervals"]:
    """Where the ground bears a foot from frame to frame, with |sum f_t| < SLIDES mu sum f_n over the steps between."""
    if motion.contacts is None:
        steps = ground_forces(body, g, motion.states[1:], motion.twists[1:])
        pushes = steps.reshape(-1, motion.per_frame, len(body.points), 3).mean(1)
    else:
        pushes = 0.5 * (motion.contacts[1:] + motion.contacts[:-1])
    held = []
    for sole in soles:
        bodies = np.unique(body.bone_bodies[list(sole.limb.bones[sole.start :])])
        push = pushes[:, np.isin(body.point_bodies, bodies)].sum(1)
        sideways = np.linalg.norm(push[:, [0, 2]], axis=1)
        bears = push[:, 1] > BEARS * body.mass * g.gravity
        held.append(_without_flicker(bears & (sideways < SLIDES * g.friction * push[:, 1]), bears))
    return np.array(held)


def _without_flicker(held: Bool[ndarray, "intervals"], bears: Bool[ndarray, "intervals"]) -> Bool[ndarray, "intervals"]:
    """What slips or leaves the ground for less than a frame is held: beside a held interval, or between two."""
    beside = np.pad(held, 1)
    held = held | (bears & (beside[:-2] | beside[2:]))
    beside = np.pad(held, 1)
    return held | (beside[:-2] & beside[2:])
