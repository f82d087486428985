"""Feet that stand stay where they are while the body above them is moved."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.distill.constraints.frame_ik import Goal, GoalBody, PointGoal, pose_frames
from gambol.errors import MissingPart
from gambol.motion.blend_poses import nearest_angles
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.contacts import Stances, clip_stances
from gambol.motion.feet.foot_lock import standing_frames
from gambol.motion.feet.leg_ik import LegChain, chain_ends, leg_chain, solve_leg_ik
from gambol.motion.feet.soles import find_soles


@dataclass(frozen=True)
class Feet:
    """The feet of a clip and when they stand."""

    chains: tuple[LegChain, ...]
    """The joints that place each foot."""
    stances: Stances
    """When each foot stands."""

    @property
    def bones(self) -> tuple[int, ...]:
        """The bone of each foot whose orientation counts."""
        return tuple(chain.joints[-1] if chain.foot is None else chain.foot for chain in self.chains)


def find_feet(character: Character, clip: Clip, anatomy: Anatomy) -> Feet | None:
    """The feet of a body and when they stand in a clip; None for a body without feet."""
    try:
        soles = find_soles(character, anatomy)
        stances = clip_stances(character, clip, anatomy)[1]
    except MissingPart:
        return None
    return Feet(tuple(leg_chain(character.require_skeleton(), sole) for sole in soles), stances)


def foot_goals(
    body: GoalBody, clip: Clip, frames: ndarray, feet: Feet, counts: Bool[ndarray, "feet frames"]
) -> list[Goal]:
    """Standing feet stay where they are in the clip."""
    part = replace(clip, root=clip.root[frames], angles=clip.angles[frames])
    T = pose_frames(body, part)
    stands = standing_frames(feet.stances)[:, frames] & counts[:, frames]
    goals: list[Goal] = []
    for foot, chain in enumerate(feet.chains):
        if stands[foot].any():
            place = chain_ends(chain, T)
            goals.append(PointGoal(chain.joints[-1], chain.end, place, stands[foot], stands=True))
    return goals


def keep_feet(body: GoalBody, feet: Feet, before: Clip, after: Clip, share: Float[ndarray, "feet frames"]) -> Clip:
    """The clip `after` with its feet where `before` has them, by the legs' joints.

    `share` says how much of it counts for each foot: 1 keeps place and orientation, 0 leaves them as they are.
    """
    from scipy.spatial.transform import Rotation

    T_before, T_after = pose_frames(body, before), pose_frames(body, after)
    moved = np.abs(T_after - T_before).max((1, 2, 3)) > 1e-9 * body.size
    if not moved.any():
        return after
    goals = []
    for foot, chain in enumerate(feet.chains):
        ends = chain_ends(chain, T_before), chain_ends(chain, T_after)
        goals.append(ends[1] + share[foot][:, None] * (ends[0] - ends[1]))
    used = [foot for foot in range(len(feet.chains)) if share[foot].any()]
    solved = solve_leg_ik(body.skeleton, after, [feet.chains[f] for f in used], [goals[f] for f in used])
    T = pose_frames(body, solved)
    R_joint = joint_matrices(solved)
    changed = np.zeros(len(body.skeleton), bool)
    for foot in used:
        chain = feet.chains[foot]
        changed[list(chain.joints)] = True
        if chain.foot is None:
            continue
        bone, parent = chain.foot, int(body.skeleton.parents[chain.foot])
        R = T_after[:, bone, :3, :3]
        turn = Rotation.from_matrix(R.swapaxes(1, 2) @ T_before[:, bone, :3, :3]).as_rotvec()
        wanted = R @ Rotation.from_rotvec(share[foot][:, None] * turn).as_matrix()
        above = T[:, parent, :3, :3] @ body.skeleton.T_parent_rest[bone, :3, :3]
        R_joint[:, bone] = above.swapaxes(1, 2) @ wanted
        changed[bone] = True
    changed[0] = False
    angles = after.angles.copy()
    places = np.flatnonzero(changed)
    fresh = nearest_angles(R_joint[:, places], after.angles[:, places - 1])
    angles[np.ix_(moved, places - 1)] = fresh[moved]
    return replace(after, angles=angles)
