"""Wrists that are led to points and legs that hang free of the ground, for actions that turn the whole body over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.gaits.arm_reach import upper_arm_way
from gambol.creatures.gaits.foot_paths import FootPath, pitch_axis
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import upper_envelope
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, keyframe_curve
from gambol.motion.folding_limb_ik import arc, rotation_vector, turn

FULL_REACH = 0.985
"""Largest stretch of an arm, as a share of its full length."""
LEAST_REACH = 0.25
"""Smallest distance of a wrist from its shoulder, as a share of the arm's full length."""
ELBOW_POLE = (-0.6, -0.6, 0.7)
"""Where elbows point: ahead, up and outwards in the axes of the chest."""

ARM_GUIDE = (0.6, -0.35, 0.72)
"""Direction ahead, down and outwards by way of which arms are aimed; no arm reaches to the opposite one."""

FramePoints = Float[ndarray, "frames 3"]
"""One point or direction per frame."""
FrameTurns = Float[ndarray, "frames 3 3"]
"""One rotation per frame."""


def keyframe_points(share: FrameCurve, points: Sequence[tuple[float, float, float, float]]) -> FramePoints:
    """Evaluate smooth curves through (time, x, y, z) keyframes, each number on its own."""
    return np.stack([keyframe_curve(share, [(p[0], p[k]) for p in points]) for k in (1, 2, 3)], -1)


def outward(arm: Arm) -> float:
    """Return the sign of z on the arm's side: -1 on the left."""
    return -1.0 if arm.left else 1.0


def arm_length(body: MovingBody, arm: Arm) -> float:
    """Return the length of the stretched arm from shoulder to wrist, metres."""
    heads = body.skeleton.heads
    joints = [heads[arm.upper], *([] if arm.fore is None else [heads[arm.fore]]), _wrist_at_rest(body, arm)]
    return float(np.linalg.norm(np.diff(joints, axis=0), axis=1).sum())


def _wrist_at_rest(body: MovingBody, arm: Arm) -> Float[ndarray, "3"]:
    if arm.hand is not None:
        return body.skeleton.heads[arm.hand]
    return body.skeleton.tails[arm.upper if arm.fore is None else arm.fore]


def shoulder_frame(body: MovingBody, builder: PoseBuilder, arm: Arm) -> tuple[FrameTurns, FramePoints]:
    """Return D of the bone that carries an arm, and the position of the shoulder."""
    D, p = builder.displacements()
    return D[:, body.skeleton.parents[arm.upper]], p[:, arm.upper]


def chest_point(body: MovingBody, builder: PoseBuilder, arm: Arm, away: FramePoints) -> FramePoints:
    """Return world points given from the shoulder in the axes of the chest: ahead, up, outwards, in arm lengths."""
    above, shoulder = shoulder_frame(body, builder, arm)
    vector = arm_length(body, arm) * away * [1.0, 1.0, outward(arm)]
    return shoulder + (above @ vector[..., None])[..., 0]


def reach_wrist(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    wrist: FramePoints,
    *,
    pole: tuple[float, float, float] = ELBOW_POLE,
    hand: tuple[FramePoints, FrameCurve] | None = None,
) -> None:
    """Lead a wrist to world points; the elbow goes towards `pole`, given ahead, up and outwards in the chest's axes.

    Other than `arm_reach.reach_hand` it leads the wrist, clips distances out of reach, and turns the upper arm not as
    the elbow's hinge asks but by way of `ARM_GUIDE`: no direction that an arm can have is singular, and an arm that
    swings over head and back does not spin. `hand` is a world direction of the fingers and how far, 0 to 1, the hand
    turns to it from the line of the forearm.
    """
    heads = body.skeleton.heads
    above, shoulder = shoulder_frame(body, builder, arm)
    guide = np.array(ARM_GUIDE) * [1.0, 1.0, outward(arm)]
    end = _wrist_at_rest(body, arm)
    if arm.fore is None:
        _aim_by_way(builder, arm.upper, end - heads[arm.upper], guide, wrist - shoulder, above)
        return
    a, b = float(np.linalg.norm(heads[arm.fore] - heads[arm.upper])), float(np.linalg.norm(end - heads[arm.fore]))
    away = wrist - shoulder
    distance = np.linalg.norm(away, axis=-1)
    along = away / np.maximum(distance, 1e-9)[:, None]
    d = np.clip(distance, max(LEAST_REACH * (a + b), 1.02 * abs(a - b)), FULL_REACH * (a + b))
    bent = above @ (np.array(pole) * [1.0, 1.0, outward(arm)])
    upper, _ = upper_arm_way(along, d, bent, a, b)
    D = _aim_by_way(builder, arm.upper, heads[arm.fore] - heads[arm.upper], guide, upper, above)
    D = builder.aim(arm.fore, end - heads[arm.fore], d[:, None] * along - a * upper, D)
    if hand is not None and arm.hand is not None:
        fingers = body.skeleton.tails[arm.hand] - heads[arm.hand]
        turned = rotation_vector(arc(D @ fingers, hand[0]))
        angle = np.linalg.norm(turned, axis=-1)
        part = turn(turned / np.maximum(angle, 1e-12)[:, None], hand[1] * angle)
        builder.rotations[:, arm.hand] = np.swapaxes(D, -1, -2) @ part @ D


def _aim_by_way(
    builder: PoseBuilder,
    bone: int,
    rest_direction: Float[ndarray, "3"],
    guide: Float[ndarray, "3"],
    direction: FramePoints,
    above: FrameTurns,
) -> FrameTurns:
    """Point a bone in a direction by way of `guide`, given in the axes of its parent; returns the bone's D."""
    D = arc(above @ guide, direction) @ above @ arc(rest_direction, guide)
    builder.rotations[:, bone] = np.swapaxes(above, -1, -2) @ D
    return D


def free_foot(
    leg: Leg, D: FrameTurns, hip: FramePoints, ankle: FramePoints, point: FrameCurve, lift: float
) -> FootPath:
    """Return the path of a foot that hangs from the body: `ankle` from the hip in the trunk's axes, toes `point`ed.

    `lift` is the clearance that it is given, metres: legs in the air are solved more softly.
    """
    rotation = D @ turn(pitch_axis(leg), -point)
    place = hip + (D @ ankle[..., None])[..., 0]
    sole = place - rotation @ (leg.chain.joints[-1] - leg.sole)
    frames = len(hip)
    return FootPath(sole, rotation, np.zeros(frames), np.zeros(frames, bool), np.full(frames, lift))


def mix_foot_paths(on_ground: FootPath, free: FootPath, share: FrameCurve) -> FootPath:
    """Return a path that goes from one foot path to another, by a share of the way in every frame."""
    vector = rotation_vector(np.swapaxes(on_ground.rotation, -1, -2) @ free.rotation)
    angle = np.linalg.norm(vector, axis=-1)
    part = turn(vector / np.maximum(angle, 1e-12)[:, None], share * angle)
    return FootPath(
        on_ground.sole + share[:, None] * (free.sole - on_ground.sole),
        on_ground.rotation @ part,
        on_ground.toe_angle * (1.0 - share),
        share <= 1e-6,
        on_ground.clearance + share * (free.clearance - on_ground.clearance),
    )


def lowest_point(
    body: MovingBody, builder: PoseBuilder, skip: Bool[ndarray, "points"] | None = None
) -> tuple[FrameCurve, Float[ndarray, "frames points 3"]]:
    """Return the height of the body's lowest point in every frame, and all its outermost points."""
    kept = slice(None) if skip is None else ~skip
    owners, points = body.hull_bones[kept], body.hull[kept]
    D, p = builder.displacements()
    offsets = points - body.skeleton.heads[owners]
    places = (D[:, owners] @ offsets[:, :, None])[..., 0] + p[:, owners]
    return places[..., 1].min(1), places


def raise_above_ground(body: MovingBody, builder: PoseBuilder, *, width: int, loop: bool) -> None:
    """Raise the whole body smoothly where any part of it would be below the ground."""
    low, _ = lowest_point(body, builder)
    builder.root_shift += upper_envelope(np.maximum(-low, 0.0), width, loop=loop)[:, None] * UP_AXIS
