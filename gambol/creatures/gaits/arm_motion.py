"""Poses of arms (hang, swing, reach) and wings (fold, spread, beat), in the axes of the chest."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.moving_body import SHORT_ARM_RATIO, Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.motion.folding_limb_ik import arc, turn

Angle = Float[ndarray, "frames"] | float
"""One angle for all frames, or one per frame; radians."""


@dataclass(frozen=True)
class ArmPose:
    """Pose of one arm by joint angles; a hanging arm is all zeros."""

    swing: Angle = 0.0
    """Angle of the upper arm forwards from hanging down."""
    spread: Angle = 0.0
    """Angle of the upper arm outwards, beyond what keeps the hand clear of the hips."""
    elbow: Angle = 0.2
    """Bend of the elbow."""
    outward: Angle = -0.15
    """Rotation of the bent forearm about the upper arm: 0 points it ahead; positive is outwards for a hanging arm and
    upwards for one that is held out to the side."""


def is_short(body: MovingBody, arm: Arm) -> bool:
    """Return whether an arm is too short to hang beside the body (a tyrannosaur's)."""
    return arm.length < SHORT_ARM_RATIO * body.leg_length


def hang_spread(body: MovingBody, arm: Arm) -> float:
    """Return the outward angle at which an arm hangs clear of the trunk, radians."""
    shoulder = abs(float(body.skeleton.heads[arm.upper][2]))
    clear = np.arctan2(0.9 * body.torso_half_width - shoulder, max(0.7 * arm.length, 1e-6))
    return float(np.clip(clear, 0.0, 0.5)) + 0.1


def pose_arm(body: MovingBody, builder: PoseBuilder, arm: Arm, pose: ArmPose) -> None:
    """Pose the upper arm and the forearm; the hand continues the forearm. Claws stay near their rest pose.

    The upper arm points along (sin s cos o, -cos s cos o, +-sin o) for swing s and outward angle o; the forearm bends
    from there towards straight ahead, turned `outward` about the upper arm.
    """
    frames = len(builder)
    side = -1.0 if arm.left else 1.0
    swing, spread, elbow, outward = (np.broadcast_to(np.asarray(x, float), frames) for x in vars(pose).values())
    if body.has_claws:
        builder.turn(arm.upper, PITCH_AXIS, 0.2 * np.maximum(swing, 0.0))
        if arm.fore is not None:
            builder.turn(arm.fore, UP_AXIS, side * 0.15 * (elbow - 0.25))
        return
    if is_short(body, arm):
        builder.turn(arm.upper, PITCH_AXIS, 0.6 * swing)
        if arm.fore is not None:
            builder.turn(arm.fore, PITCH_AXIS, 0.3 * (elbow - 0.2))
        return
    out = hang_spread(body, arm) + spread
    upper = np.stack([np.sin(swing) * np.cos(out), -np.cos(swing) * np.cos(out), side * np.sin(out)], -1)
    heads, tails = body.skeleton.heads, body.skeleton.tails
    along = (heads[arm.fore] if arm.fore is not None else tails[arm.upper]) - heads[arm.upper]
    D = builder.aim(arm.upper, along, upper, np.tile(np.eye(3), (frames, 1, 1)))
    if arm.fore is None:
        return
    # in front of the upper arm: ahead, made perpendicular to it, turned outwards about it
    ahead = np.stack([np.cos(swing), np.sin(swing), np.zeros(frames)], -1)
    ahead = ahead - (ahead * upper).sum(-1, keepdims=True) * upper
    ahead = ahead / np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-6)
    front = (turn(upper, side * outward) @ ahead[..., None])[..., 0]
    fore = np.cos(elbow)[:, None] * upper + np.sin(elbow)[:, None] * front
    end = heads[arm.hand] if arm.hand is not None else tails[arm.fore]
    builder.aim(arm.fore, end - heads[arm.fore], fore, D)


def swing_arms(
    body: MovingBody, builder: PoseBuilder, swing: Float[ndarray, "frames"], elbow: float, *, back: float = 0.0
) -> None:
    """Swing both arms in opposition: `swing` is the left arm's angle, forwards positive; a forward arm bends more."""
    for arm in body.arms:
        mine = swing if arm.left else -swing
        size = max(float(np.abs(swing).max()), 1e-6)
        pose_arm(body, builder, arm, ArmPose(mine - back, 0.0, elbow + 0.25 * (mine + size), -0.2))


def hold_arms(body: MovingBody, builder: PoseBuilder, pose: ArmPose, swing: Float[ndarray, "frames"]) -> None:
    """Hold both arms in a pose and swing them about it in opposition, as `swing_arms` does."""
    for arm in body.arms:
        pose_arm(body, builder, arm, replace(pose, swing=pose.swing + (swing if arm.left else -swing)))


@dataclass(frozen=True)
class WingPose:
    """Pose of both wings; angles in radians."""

    fold: Angle = 1.0
    """1 is folded at the body's side, 0 is spread."""
    beat: Angle = 0.0
    """Angle of a spread wing above the horizontal."""
    bend: Angle = 0.0
    """Angle of the outer wing against the inner one, up positive."""
    twist: Angle = 0.0
    """Rotation of the wing about its length, leading edge up positive."""


def pose_wings(body: MovingBody, builder: PoseBuilder, pose: WingPose) -> None:
    """Spread, beat and fold the wings, whether the rest pose has them spread or folded.

    A spread wing points straight aside; folding turns it back beside the body, its surface upright, its outer bones
    bent a little more.
    """
    fold, beat, bend, twist = (np.broadcast_to(np.asarray(x, float), len(builder)) for x in vars(pose).values())
    slope = _back_slope(body)
    for wing in body.wings:
        side = -1.0 if wing.side.value == "left" else 1.0
        first, outer = wing.bones[0], wing.bones[1:]
        tip = body.skeleton.tails[wing.bones[-1]] - body.skeleton.heads[first]
        rest = tip / max(float(np.linalg.norm(tip)), 1e-9)
        folded_at_rest = float(np.clip((0.75 - abs(rest[2])) / 0.35, 0.0, 1.0))
        spread = np.array([0.0, 0.0, side])
        opened = arc(rest, spread) if folded_at_rest > 0 else np.eye(3)
        back = turn(UP_AXIS, -side * 1.4 * fold)  # from aside to behind
        upright = turn(PITCH_AXIS, slope * fold) @ turn(ROLL_AXIS, side * 0.4 * fold)  # it lies on the back like a roof
        up = turn(ROLL_AXIS, -side * beat * (1.0 - fold))
        lead = turn(np.array([0.0, 0.0, 1.0]), twist * (1.0 - fold))
        open_share = 1.0 - fold if folded_at_rest > 0.5 else np.ones(len(builder))
        if folded_at_rest > 0.5:  # a wing that rests folded stays so where it is not spread
            half = _partly(opened, open_share)
            builder.rotations[:, first] = up @ lead @ half
        else:
            builder.rotations[:, first] = up @ lead @ upright @ back @ opened
        for k, bone in enumerate(outer):
            out = turn(ROLL_AXIS, -side * bend * (1.0 - fold) / len(outer))
            close = turn(UP_AXIS, -side * (0.15 if folded_at_rest <= 0.5 else 0.0) * fold * (1 if k == 0 else -0.5))
            builder.rotations[:, bone] = out @ close


def _back_slope(body: MovingBody) -> float:
    """Return the slope of the back from wings to tail, radians; less where long wings would touch the ground."""
    if not body.tails or not body.wings:
        return 0.0
    shoulder = body.skeleton.heads[body.wings[0].bones[0]]
    away = body.skeleton.heads[body.tails[0][0]] - shoulder
    slope = float(np.clip(np.arctan2(-away[1], max(-away[0], 1e-9)), 0.0, 0.9))
    length = float(np.linalg.norm(body.skeleton.tails[body.wings[0].bones[-1]] - shoulder))
    return min(slope, float(np.arcsin(np.clip(0.55 * shoulder[1] / max(length, 1e-9), 0.0, 1.0))))


def _partly(R: Float[ndarray, "3 3"], share: Float[ndarray, "frames"]) -> Float[ndarray, "frames 3 3"]:
    """Scale the angle of a rotation by one share per frame."""
    from gambol.motion.folding_limb_ik import rotation_vector

    vector = rotation_vector(R)
    angle = float(np.linalg.norm(vector))
    return turn(vector / max(angle, 1e-12), angle * share)
