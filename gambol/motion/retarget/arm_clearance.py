"""Move arms out of a trunk that is stouter than the source's."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.feet.leg_ik import angles_between
from gambol.motion.folding_limb_ik import arc
from gambol.motion.kinematics import pose_clip
from gambol.motion.retarget.body_match import BodyPlan, Section
from gambol.motion.root_trajectory import smooth_path

ARM_SMOOTHING_SECONDS = 0.07
"""Standard deviation of the smoothing of the arms' corrections, seconds, so that they do not jump on contact."""
MIN_TRUNK_SHARE = 0.3
"""A point closer to the trunk's axis than this share of its half width is moved as if it were at that distance."""


@dataclass(frozen=True)
class Trunk:
    """An upright elliptic cylinder around the trunk at rest; it moves with the bone that the arms hang on."""

    bone: int
    """The bone that the arms hang on."""
    middle: Float[ndarray, "2"]
    """Axis of the cylinder (x, z), metres."""
    radii: Float[ndarray, "2"]
    """Half its depth and half its width, metres, each plus half the thickness of an arm."""
    bottom: float
    """Height of its lower end, metres."""
    top: float
    """Height of its upper end (the shoulders), metres."""


def find_trunk(character: Character, anatomy: Anatomy, plan: BodyPlan) -> Trunk | None:
    """The trunk of a character with arms and a surface, from the vertices that its torso bones dominate."""
    arms = two_bone_arms(plan)
    if character.mesh is None or character.weights is None or not arms:
        return None
    skeleton, owners = character.require_skeleton(), character.weights.dominant()
    torso = np.isin(owners, [b for b, part in enumerate(anatomy.parts) if part == BodyPart.TORSO])
    shoulders = np.array([skeleton.heads[plan.sections[key][0]] for key in arms])
    points = character.mesh.vertices.astype(np.float64)[torso]
    points = points[points[:, 1] < shoulders[:, 1].mean()]
    if len(points) < 8:
        return None
    low, high = np.quantile(points[:, [0, 2]], [0.1, 0.9], axis=0)
    thickness = np.median([_thickness(character, plan.sections[key][-1]) for key in arms])
    middle, radii = 0.5 * (low + high), 0.5 * (high - low + thickness)
    return Trunk(plan.spine[-1], middle, radii, float(points[:, 1].min()), float(shoulders[:, 1].mean()))


def _thickness(character: Character, bone: int) -> float:
    """Median distance of the vertices that a bone dominates from its axis, metres."""
    mesh, skeleton, weights = character.require_skin()
    points = mesh.vertices[weights.dominant() == bone] - skeleton.heads[bone]
    along = skeleton.tails[bone] - skeleton.heads[bone]
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    return float(np.median(np.linalg.norm(points - (points @ along)[:, None] * along, axis=1))) if len(points) else 0.0


def push_out(
    trunk: Trunk, T_trunk: Float[ndarray, "frames 4 4"], points: Float[ndarray, "frames 3"]
) -> Float[ndarray, "frames 3"]:
    """Displacement that moves points inside a trunk to its side, world axes, metres.

    It is (1 / s - 1) r with r from the trunk's axis and s = |r / radii|; it fades out towards the trunk's top and
    bottom.
    """
    inside = np.einsum(
        "fij,fj->fi", rigid_inverse(T_trunk)[:, :3], np.pad(points, ((0, 0), (0, 1)), constant_values=1.0)
    )
    r = inside[:, [0, 2]] - trunk.middle
    s = np.linalg.norm(r / trunk.radii, axis=1)
    edge = 0.25 * max(trunk.top - trunk.bottom, 1e-9)
    fade = np.clip((trunk.top - inside[:, 1]) / edge, 0, 1) * np.clip((inside[:, 1] - trunk.bottom) / edge + 1.0, 0, 1)
    move = np.zeros_like(inside)
    move[:, [0, 2]] = (fade * np.where(s < 1.0, 1.0 / np.maximum(s, MIN_TRUNK_SHARE) - 1.0, 0.0))[:, None] * r
    return np.einsum("fij,fj->fi", T_trunk[:, :3, :3], move)


def clear_arms(
    clip: Clip,
    character: Character,
    anatomy: Anatomy,
    plan: BodyPlan,
    allowed: dict[Section, Float[ndarray, "frames 2"]],
) -> Clip:
    """Move elbows and wrists out of the trunk, except for the depth (metres) that is `allowed`."""
    trunk, skeleton = find_trunk(character, anatomy, plan), character.require_skeleton()
    if trunk is None:
        return clip
    angles = clip.angles.copy()
    for key in two_bone_arms(plan):
        bones, within = list(plan.sections[key]), allowed[key]
        T_world_bone = pose_clip(skeleton, replace(clip, angles=angles))
        R = T_world_bone[:, bones, :3, :3].copy()
        joints = arm_points(character, plan, key, T_world_bone)
        T_trunk = T_world_bone[:, trunk.bone] @ rigid_inverse(skeleton.T_world_rest[trunk.bone])
        for k, first in ((0, 0), (1, len(bones) - 1)):
            start, end = joints[k], joints[k + 1]
            move = push_out(trunk, T_trunk, end)
            depth = np.linalg.norm(move, axis=1, keepdims=True)
            move = move * np.maximum(1.0 - within[:, k, None] / np.maximum(depth, 1e-9), 0.0)
            turn = _smoothed(arc(end - start, end + move - start), ARM_SMOOTHING_SECONDS * clip.fps)
            joints[k + 1 :] = [start + np.einsum("fij,fj->fi", turn, p - start) for p in joints[k + 1 :]]
            R[:, first:] = turn[:, None] @ R[:, first:]
        above = np.concatenate([T_world_bone[:, skeleton.parents[bones[:1]], :3, :3], R[:, :-1]], axis=1)
        places = np.array(bones) - 1
        angles[:, places] = angles_between(skeleton, bones, above, R, near=angles[0, places])
    return replace(clip, angles=angles)


def arm_depths(
    clip: Clip, character: Character, anatomy: Anatomy, plan: BodyPlan, keys: list[Section]
) -> dict[Section, Float[ndarray, "frames 2"]]:
    """How deep elbow and wrist of each arm are inside the trunk, metres; 0 for a bare skeleton, which has no side."""
    trunk, skeleton = find_trunk(character, anatomy, plan), character.require_skeleton()
    T_world_bone = pose_clip(skeleton, clip)
    result = {key: np.zeros((len(clip), 2)) for key in keys}
    for key in keys:
        if trunk is not None and key in plan.sections and len(plan.sections[key]) > 1:
            T_trunk = T_world_bone[:, trunk.bone] @ rigid_inverse(skeleton.T_world_rest[trunk.bone])
            points = arm_points(character, plan, key, T_world_bone)[1:]
            result[key] = np.stack([np.linalg.norm(push_out(trunk, T_trunk, p), axis=1) for p in points], axis=1)
    return result


def arm_points(
    character: Character, plan: BodyPlan, key: Section, T_world_bone: Float[ndarray, "frames bones 4 4"]
) -> list[Float[ndarray, "frames 3"]]:
    """World positions of shoulder, elbow and wrist of an arm, metres."""
    skeleton, bones = character.require_skeleton(), plan.sections[key]
    hand = plan.sections.get((*key[:3], "hand"), ())
    rest = skeleton.T_world_rest[bones[-1]]
    wrist = rest[:3, :3].T @ ((skeleton.heads[hand[0]] if hand else skeleton.tails[bones[-1]]) - rest[:3, 3])
    last = T_world_bone[:, bones[-1]]
    return [T_world_bone[:, bones[0], :3, 3], last[:, :3, 3], last[:, :3, :3] @ wrist + last[:, :3, 3]]


def two_bone_arms(plan: BodyPlan) -> list[Section]:
    """The arms that have an elbow."""
    return [key for key, bones in plan.sections.items() if key[3] == "arm" and len(bones) > 1]


def _smoothed(R: Float[ndarray, "frames 3 3"], sigma: float) -> Float[ndarray, "frames 3 3"]:
    """Small rotations smoothed over time by their rotation vectors."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_rotvec(smooth_path(Rotation.from_matrix(R).as_rotvec(), sigma)).as_matrix()
