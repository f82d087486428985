"""Bodies on the ground: deeply folded legs, feet that move to a place, trunks that come to rest on their surface."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.head_tail_motion import bend_above_ground
from gambol.creatures.gaits.leg_geometry import Leg, bones_under
from gambol.creatures.gaits.leg_motion import plant_legs, upper_envelope
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, lifted_foot
from gambol.motion.folding_limb_ik import TABLED_FOLDS, arc, fold_turns, limb_end, rotation_vector, turn

CONTACT_GAP = 0.001
"""Height above the ground at which a surface counts as lying on it, sizes of the character."""
SKIN_GIVES_WAY = 0.012
"""Depth to which a surface may be pressed into the ground, sizes of the character."""
STEP_LIFT = 0.08
"""Height of the step with which a foot goes to its new place, leg lengths."""

STEEPEST_LAID = 0.5
"""Largest slope with which a chain that lies on the ground rises, sine of the angle."""


def deep_leg(leg: Leg) -> Leg:
    """Return a leg that folds until its reach stops falling, beyond what standing and walking use."""
    chain = leg.chain
    folds = TABLED_FOLDS[chain.folds.min() <= TABLED_FOLDS]
    reaches = np.linalg.norm(limb_end(chain, fold_turns(chain, folds)), axis=-1)
    last = int(np.argmin(np.append(np.diff(reaches) < 0, False)))
    kept = slice(0, last + 1)
    return replace(leg, chain=replace(chain, folds=folds[kept][::-1], reaches=reaches[kept][::-1]))


def deep_body(body: MovingBody) -> MovingBody:
    """Return a body whose legs fold as deep as they can (see `deep_leg`)."""
    return replace(body, legs=tuple(deep_leg(leg) for leg in body.legs))


def surface_heights(body: MovingBody, builder: PoseBuilder, bones: Sequence[int]) -> Float[ndarray, "frames points"]:
    """Return the heights of the outermost surface points of some bones in every frame, metres."""
    chosen = np.flatnonzero(np.isin(body.hull_bones, bones))
    owners, points = body.hull_bones[chosen], body.hull[chosen]
    D, p = builder.displacements()
    return (D[:, owners, 1] * (points - body.skeleton.heads[owners])).sum(-1) + p[:, owners, 1]


def trunk_bones(body: MovingBody) -> tuple[int, ...]:
    """Return the bones of the trunk: root, spine and the abdomen of spiders and insects."""
    abdomen = body.pairs > 2 and not body.long_wave and not body.has_claws
    return (0, *body.spine, *(tail[0] for tail in body.tails if abdomen))


def carried_bones(body: MovingBody) -> tuple[int, ...]:
    """Return all bones except tails, wings, ears and an elephant's trunk, which give way to the ground."""
    chains = (*body.tails, *(wing.bones for wing in body.wings), body.proboscis)
    free = {bone for chain in chains for bone in chain}
    free |= {bone for ear in body.ears for bone in bones_under(body.skeleton, ear)}
    return tuple(bone for bone in range(len(body.skeleton)) if bone not in free)


def settle(body: MovingBody, builder: PoseBuilder, bones: Sequence[int], pull: FrameCurve | float) -> None:
    """Raise the body where some bones are below the ground, and lower it by a share `pull` where they float above it.

    Raising is smoothed over a twelfth of the clip.
    """
    heights = surface_heights(body, builder, bones)
    if not heights.size:
        return
    low = heights.min(1) - CONTACT_GAP * body.size
    builder.root_shift[:, 1] -= np.maximum(low, 0.0) * pull
    depth = np.maximum(-low, 0.0)
    builder.root_shift[:, 1] += upper_envelope(depth, max(len(builder) // 12, 2), loop=False)


def keep_above_ground(body: MovingBody, builder: PoseBuilder, bones: Sequence[int]) -> None:
    """Raise the whole body, planted feet with it, where some bones are further below the ground than skin gives way."""
    heights = surface_heights(body, builder, bones)
    if heights.size:
        depth = np.maximum(-heights.min(1) - SKIN_GIVES_WAY * body.size, 0.0)
        builder.root_shift[:, 1] += upper_envelope(depth, max(len(builder) // 12, 2), loop=False)


def carry_joints(builder: PoseBuilder, joints: Sequence[int], target: Float[ndarray, "frames 3"]) -> None:
    """Shift the root so that the middle of some joints is at a target."""
    _, p = builder.displacements()
    builder.root_shift += target - p[:, list(joints)].mean(1)


def moving_foot(
    leg: Leg, share: FrameCurve, place: Float[ndarray, "3"], pitch: float, lift: float = STEP_LIFT
) -> FootPath:
    """Return the path of a foot that goes to `place` (displacement over the ground, metres) and pitches by `pitch`.

    `share` is how far it has come, 0 to 1; in between it is lifted by up to `lift` leg lengths.
    """
    up = 4.0 * share * (1.0 - share) * lift * leg.length * min(1.0, float(np.linalg.norm(place)) / (0.2 * leg.length))
    up = np.maximum(up, 0.0)
    resting = up < 1e-3 * leg.length
    return lifted_foot(leg, share * place[0], up, share * pitch, resting, share * place[2])


def pose_feet(body: MovingBody, builder: PoseBuilder, paths: Sequence[FootPath]) -> None:
    """Solve all legs for their foot paths, without changing the trunk."""
    plant_legs(body, builder, paths)


def mix_rotations(
    start: Float[ndarray, "frames 3 3"], end: Float[ndarray, "*#frames 3 3"], share: FrameCurve
) -> Float[ndarray, "frames 3 3"]:
    """Return the rotation a share of the way from one to another: A (A^T B)^share."""
    vector = rotation_vector(np.swapaxes(start, -1, -2) @ end)
    angle = np.linalg.norm(vector, axis=-1)
    return start @ turn(vector / np.maximum(angle, 1e-12)[..., None], share * angle)


def limp_legs(body: MovingBody, builder: PoseBuilder, share: FrameCurve, fold: float, curl: float = 0.0) -> None:
    """Relax legs by a share towards their rest shape, folded by `fold` radians, whatever their feet did.

    `curl` turns whole legs from beside the body to under it, radians.
    """
    for leg in body.legs:
        turns = fold_turns(leg.chain, np.full(len(builder), fold))
        outwards = (leg.sole - leg.hip) * [1.0, 0.0, 1.0]
        outwards = outwards / max(float(np.linalg.norm(outwards)), 1e-9)
        under = turn(np.cross(outwards, -UP_AXIS), np.full(len(builder), curl))
        ends = [under, *np.moveaxis(turns, 1, 0)]
        for bone, end in zip(leg.bones, ends, strict=True):
            builder.rotations[:, bone] = mix_rotations(builder.rotations[:, bone], end, share)
        for end_bone in (leg.foot, leg.toes):
            if end_bone is not None:
                builder.rotations[:, end_bone] = mix_rotations(builder.rotations[:, end_bone], np.eye(3)[None], share)


def lay_chain(body: MovingBody, builder: PoseBuilder, bones: Sequence[int]) -> None:
    """Bend a chain bone by bone so that it lies on the ground where it would go below it (a tail behind a seat)."""
    heads, tails = body.skeleton.heads, body.skeleton.tails
    wanted_by_bone, _ = builder.displacements()
    for bone in bones:
        D, p = builder.displacements()
        along = tails[bone] - heads[bone]
        length = max(float(np.linalg.norm(along)), 1e-9)
        direction = wanted_by_bone[:, bone] @ along / length
        floor = (_end_radius(body, bone) + CONTACT_GAP * body.size - p[:, bone, 1]) / length
        up = np.clip(np.maximum(direction[:, 1], np.minimum(floor, STEEPEST_LAID)), -1.0, 0.999)
        flat = direction * [1.0, 0.0, 1.0]
        flat = flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
        laid = np.sqrt(1.0 - up**2)[:, None] * flat + up[:, None] * UP_AXIS
        parent = D[:, body.skeleton.parents[bone]]
        builder.rotations[:, bone] = np.swapaxes(parent, -1, -2) @ arc(direction, laid) @ wanted_by_bone[:, bone]


def lay_free_parts(body: MovingBody, builder: PoseBuilder) -> None:
    """Lay tails, wings, ears and an elephant's trunk on the ground where they would go below it."""
    ears = [bones_under(body.skeleton, ear) for ear in body.ears]
    for chain in (*body.tails, *(wing.bones for wing in body.wings), *ears, body.proboscis):
        lay_chain(body, builder, chain)


def keep_head_up(body: MovingBody, builder: PoseBuilder) -> None:
    """Raise the neck where the head would be below the ground."""
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    if chain:
        bend_above_ground(
            body,
            builder,
            chain,
            surface=(*body.neck, *body.head_bones),
            axis=PITCH_AXIS,
            clearance=CONTACT_GAP * body.size,
            width=max(3, round(0.15 * len(builder))),
            loop=False,
        )


def _end_radius(body: MovingBody, bone: int) -> float:
    """Return the radius of a bone's surface near its far end, metres."""
    along = body.skeleton.tails[bone] - body.skeleton.heads[bone]
    points = body.hull[body.hull_bones == bone] - body.skeleton.heads[bone]
    share = points @ along / max(float(along @ along), 1e-12)
    beside = np.linalg.norm(points - share[:, None] * along, axis=1)[share > 0.6]
    return float(np.median(beside)) if len(beside) else 0.0
