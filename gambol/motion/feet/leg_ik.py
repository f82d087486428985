"""Inverse kinematics of legs: bring ankles to goals, as close to the clip's own pose as the goals allow."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.skeleton import Skeleton
from gambol.motion.clip import Clip
from gambol.motion.feet.soles import Sole, leg_length
from gambol.motion.kinematics import pose_clip
from gambol.motion.rotations import continuous_angles

HIP_TWIST_EASE = 0.3
"""IK weight of the hip's twist about its own bone, relative to its swing."""
OFF_HINGE_EASE = 0.1
"""IK weight of the joints below the hip out of the plane in which they bend, relative to within it."""
MAX_ANCHOR_LENGTH = 0.18
"""A first bone shorter than this share of its leg belongs to the pelvis and is not turned."""
IK_ITERATIONS = 24
"""Iterations of damped least squares."""
MAX_ITERATION_TURN = 0.35
"""Largest turn of a joint in one iteration, radians."""
REST_PULL = 0.3
"""Share by which a joint returns to the clip's own pose in one iteration, in the null space of the goal."""
MIN_KNEE_BEND = 0.2
"""A straight knee whose leg must become shorter is first bent by up to this in its usual direction, radians."""
MAX_LEG_STRETCH = 0.998
"""Longest reach of a leg as a share of its length, unless the clip stretches it further."""


@dataclass(frozen=True)
class LegChain:
    """The joints that place a foot."""

    joints: tuple[int, ...]
    """Bone indices from the hip down; each is the parent of the next one."""
    end: Float[ndarray, "3"]
    """The point to bring to the goal, in the rest frame of the last joint."""
    foot: int | None
    """The bone that keeps its direction in the world (the foot); None where the last joint is the foot itself."""


def leg_chain(skeleton: Skeleton, sole: Sole) -> LegChain:
    """The joints above a foot and the ankle as the end; for legs of one or two bones the middle of the sole."""
    bones = sole.limb.bones
    if sole.start >= 2:
        last, foot = bones[sole.start - 1], bones[sole.start]
        point = skeleton.heads[foot]
    else:
        last, foot = bones[sole.start], None
        low = sole.points[:, 1] <= sole.points[:, 1].min() + 0.02 * leg_length(skeleton, sole.limb)
        point = sole.points[low].mean(0)
    joints = [last]
    while joints[0] != bones[0]:
        joints.insert(0, int(skeleton.parents[joints[0]]))
    lengths = np.linalg.norm(np.diff(skeleton.heads[[*joints, last]], axis=0), axis=1)
    lengths[-1] = np.linalg.norm(point - skeleton.heads[last])
    while len(joints) > 2 and lengths[0] < MAX_ANCHOR_LENGTH * lengths.sum():
        joints, lengths = joints[1:], lengths[1:]
    T = skeleton.T_world_rest[last]
    return LegChain(tuple(joints), T[:3, :3].T @ (point - T[:3, 3]), foot)


def chain_length(skeleton: Skeleton, chain: LegChain) -> float:
    """Length of the stretched leg, metres."""
    return float(sum(np.linalg.norm(offset) for offset in _offsets(skeleton, chain)))


def _offsets(skeleton: Skeleton, chain: LegChain) -> list[Float[ndarray, "3"]]:
    """From each joint to the next one, and from the last to the end, each in its own frame."""
    return [skeleton.T_parent_rest[child, :3, 3] for child in chain.joints[1:]] + [chain.end]


def chain_ends(chain: LegChain, T_world_bone: Float[ndarray, "frames bones 4 4"]) -> Float[ndarray, "frames 3"]:
    """World position of the end of a leg in every frame, metres."""
    T = T_world_bone[:, chain.joints[-1]]
    return T[:, :3, :3] @ chain.end + T[:, :3, 3]


def solve_leg_ik(
    skeleton: Skeleton, clip: Clip, chains: list[LegChain], goals: list[Float[ndarray, "frames 3"]]
) -> Clip:
    """Bring the end of each leg to its goal, or as near as the leg allows; the feet keep their orientations."""
    T_world_bone = pose_clip(skeleton, clip)
    angles = clip.angles.copy()
    for chain, goal in zip(chains, goals, strict=True):
        turned = _turn_chain(skeleton, chain, T_world_bone, goal)
        above = T_world_bone[:, skeleton.parents[chain.joints[0]], :3, :3]
        changed = list(chain.joints)
        if chain.foot is not None:
            changed.append(chain.foot)
            turned = np.concatenate([turned, T_world_bone[:, [chain.foot], :3, :3]], axis=1)
        parents = np.concatenate([above[:, None], turned[:, :-1]], axis=1)
        places = np.array(changed) - 1
        angles[:, places] = angles_between(skeleton, changed, parents, turned, near=angles[0, places])
    return replace(clip, angles=angles)


def angles_between(
    skeleton: Skeleton,
    bones: list[int],
    parents: Float[ndarray, "frames chosen 3 3"],
    R: Float[ndarray, "frames chosen 3 3"],
    *,
    near: Float[ndarray, "chosen 3"],
) -> Float[ndarray, "frames chosen 3"]:
    """Joint angles of bones with world rotations R below parents with given world rotations, continuous in time.

    Of all equivalent triples it takes the ones that start nearest to `near`.
    """
    local = np.swapaxes(skeleton.T_parent_rest[bones, :3, :3], -1, -2)
    fresh = continuous_angles(local @ np.swapaxes(parents, -1, -2) @ R)
    return fresh + 2.0 * np.pi * np.round((near - fresh[0]) / (2.0 * np.pi))


def _turn_chain(
    skeleton: Skeleton,
    chain: LegChain,
    T_world_bone: Float[ndarray, "frames bones 4 4"],
    goal: Float[ndarray, "frames 3"],
) -> Float[ndarray, "frames joints 3 3"]:
    """World rotations of the joints of a leg whose end is at the goal.

    Damped least squares on the joint angles with weights W (Wampler 1986), all frames at once, with a pull back to the
    clip's own pose in the null space, so that the result does not depend on the iterations:
    turn = P (goal - end) - h (1 - P J) D, P = W^2 J^T (J W^2 J^T + lambda^2)^-1, J the columns axis x (end - joint),
    D what the joints have turned so far.
    """
    joints = list(chain.joints)
    R = T_world_bone[:, joints, :3, :3].copy()
    hip = T_world_bone[:, joints[0], :3, 3]
    offsets, length = _offsets(skeleton, chain), chain_length(skeleton, chain)
    now = np.linalg.norm(chain_ends(chain, T_world_bone) - hip, axis=1)
    goal = hip + _within_reach(goal - hip, now, length)
    hinges = bend_axes(R, offsets)
    R = _bent(R, offsets, hinges, (now - np.linalg.norm(goal - hip, axis=1)) / length)
    ease = _ease(hinges, offsets[0])
    done = np.zeros((len(R), 3 * len(joints)))
    for round_ in range(IK_ITERATIONS):
        heads = [hip]
        for k, offset in enumerate(offsets):
            heads.append(heads[-1] + R[:, k] @ offset)
        miss = goal - heads[-1]
        arms = heads[-1][:, None] - np.stack(heads[:-1], axis=1)
        # columns axis x arm, the axes being the columns of R: [frames, 3, joints * 3]
        J = np.cross(np.swapaxes(R, -1, -2), arms[:, :, None]).reshape(len(R), -1, 3).swapaxes(1, 2)
        damping = (0.03 * length * 0.7**round_ + 1e-4 * length) ** 2
        J_ease = J @ ease
        normal = J_ease @ J.swapaxes(1, 2) + damping * np.eye(3)
        wanted = miss + REST_PULL * np.einsum("fik,fk->fi", J, done)
        pull = np.linalg.solve(normal, wanted[..., None])[..., 0]
        turn = np.einsum("fik,fi->fk", J_ease, pull) - REST_PULL * done
        most = np.abs(turn).max(1, keepdims=True)
        turn = turn * np.minimum(1.0, MAX_ITERATION_TURN / np.maximum(most, 1e-12))
        done += turn
        R = _turn_joints(R, turn.reshape(len(R), len(joints), 3))
    return R


def bend_axes(R: Float[ndarray, "frames joints 3 3"], offsets: list[Float[ndarray, "3"]]) -> Float[ndarray, "hinges 3"]:
    """The axis about which each joint below the first bends in a clip, in its own frame: sum over frames of a x b.

    a and b are the bones before and behind the joint. Where a leg is straight all along, x: the character's left.
    """
    axes = []
    for k in range(1, R.shape[1]):
        before = np.einsum("fji,fj->fi", R[:, k], R[:, k - 1] @ offsets[k - 1])
        normal = np.cross(before, offsets[k]).sum(0) / (
            np.linalg.norm(offsets[k]) * np.linalg.norm(before, axis=1).sum()
        )
        length = float(np.linalg.norm(normal))
        axes.append(normal / length if length > 0.01 else np.array([1.0, 0.0, 0.0]))
    return np.array(axes).reshape(-1, 3)


def _ease(hinges: Float[ndarray, "hinges 3"], first: Float[ndarray, "3"]) -> Float[ndarray, "angles angles"]:
    """W^2 of all joints, block by block: 1 - (1 - twist^2) t t^T for the first, s^2 + (1 - s^2) n n^T for hinges."""
    ease = np.zeros((3 * len(hinges) + 3, 3 * len(hinges) + 3))
    along = first / max(float(np.linalg.norm(first)), 1e-12)
    ease[:3, :3] = np.eye(3) - (1.0 - HIP_TWIST_EASE**2) * np.outer(along, along)
    for k, axis in enumerate(hinges, start=1):
        block = slice(3 * k, 3 * k + 3)
        ease[block, block] = OFF_HINGE_EASE**2 * np.eye(3) + (1.0 - OFF_HINGE_EASE**2) * np.outer(axis, axis)
    return ease


def _bent(
    R: Float[ndarray, "frames joints 3 3"],
    offsets: list[Float[ndarray, "3"]],
    hinges: Float[ndarray, "hinges 3"],
    shorten: Float[ndarray, "frames"],
) -> Float[ndarray, "frames joints 3 3"]:
    """Bend straight joints to their usual side where the leg has to become shorter (by a share of its length).

    A straight leg bends to either side equally well, and would do so differently from frame to frame.
    """
    turn = np.zeros((*R.shape[:2], 3))
    least = MIN_KNEE_BEND * np.clip(shorten / 0.01, 0.0, 1.0)
    for k, hinge in enumerate(hinges, start=1):
        before, after = R[:, k - 1] @ offsets[k - 1], R[:, k] @ offsets[k]
        bend = np.arctan2((np.cross(before, after) * (R[:, k] @ hinge)).sum(1), (before * after).sum(1))
        straight = np.clip(3.0 - np.abs(bend) / (2.0 * MIN_KNEE_BEND), 0.0, 1.0)
        turn[:, k] = (straight * np.maximum(least - bend, 0.0))[:, None] * hinge
    return _turn_joints(R, turn)


def _within_reach(
    goal: Float[ndarray, "frames 3"], now: Float[ndarray, "frames"], length: float
) -> Float[ndarray, "frames 3"]:
    """Goals (from the hip) no farther than the leg is long."""
    distance = np.linalg.norm(goal, axis=1)
    allowed = np.maximum(MAX_LEG_STRETCH * length, np.minimum(now, length))
    return goal * np.minimum(1.0, allowed / np.maximum(distance, 1e-12))[:, None]


def _turn_joints(
    R: Float[ndarray, "frames joints 3 3"], turn: Float[ndarray, "frames joints 3"]
) -> Float[ndarray, "frames joints 3 3"]:
    """Turn each joint by a rotation vector of its own frame; joints below follow."""
    from scipy.spatial.transform import Rotation

    small = Rotation.from_rotvec(turn.reshape(-1, 3)).as_matrix().reshape(R.shape)
    result = np.empty_like(R)
    carried = np.broadcast_to(np.eye(3), R[:, 0].shape)
    for k in range(R.shape[1]):
        moved = carried @ R[:, k]
        result[:, k] = moved @ small[:, k]
        carried = result[:, k] @ np.swapaxes(R[:, k], -1, -2)
    return result
