"""Motion of neck, head, tail and ears: steadied against the trunk, nodding, waving, kept above the ground."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.creatures.gaits.leg_motion import upper_envelope
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.motion.folding_limb_ik import turn


def steady_head(
    body: MovingBody,
    builder: PoseBuilder,
    heading: Float[ndarray, "frames"],
    pitch: Float[ndarray, "frames"] | float,
    yaw: Float[ndarray, "frames"] | float,
    share: float,
) -> None:
    """Rotate neck and head by a share of the way to the orientation given by `heading` + `yaw` and `pitch`."""
    chain = (*body.neck, *(() if body.head is None else (body.head,)))
    if chain:
        level = turn(UP_AXIS, heading + yaw) @ turn(PITCH_AXIS, np.broadcast_to(np.asarray(pitch, float), len(builder)))
        builder.orient_chain(chain, level, share)


def lower_neck(body: MovingBody, builder: PoseBuilder, angle: Float[ndarray, "frames"] | float) -> None:
    """Bend the neck down by an angle while the head stays level."""
    if body.neck:
        builder.bend(body.neck, PITCH_AXIS, -np.asarray(angle))
        if body.head is not None:
            builder.turn(body.head, PITCH_AXIS, np.asarray(angle))


def bob_head(body: MovingBody, builder: PoseBuilder, reach: Float[ndarray, "frames"]) -> None:
    """Move the head forward by `reach` metres without tilting it: the lower neck bends forward, the upper one back."""
    if not body.neck or body.head is None:
        return
    heads = body.skeleton.heads
    rise = max(float((heads[body.head] - heads[body.neck[0]])[1]), 0.3 * _neck_length(body))
    angle = np.clip(reach / rise, -0.8, 0.8)
    builder.turn(body.neck[0], PITCH_AXIS, -angle)
    builder.turn(body.head, PITCH_AXIS, angle)


def _neck_length(body: MovingBody) -> float:
    bones = [*body.neck] + ([] if body.head is None else [body.head])
    points = body.skeleton.heads[bones]
    return max(float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()), 1e-6)


def hold_and_thrust(phase: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """Return a bird's head bob, twice a cycle in [-1, 1]: it falls while the head is held, rises in a thrust."""
    t = np.remainder(2.0 * phase, 1.0)
    hold = 0.68
    s = np.clip((t - hold) / (1.0 - hold), 0.0, 1.0)
    return np.where(t < hold, 1.0 - 2.0 * t / hold, -1.0 + 2.0 * s * s * (3.0 - 2.0 * s))


def steady_tails(body: MovingBody, builder: PoseBuilder, heading: Float[ndarray, "frames"], share: float) -> None:
    """Counter-rotate tails by a share of the trunk's roll and pitch, so that they point steadily back."""
    for tail in body.tails:
        builder.orient_chain(tail[:1], turn(UP_AXIS, heading), share)


def wave_tails(
    body: MovingBody,
    builder: PoseBuilder,
    sideways: float,
    upwards: float,
    phase: Float[ndarray, "frames"],
    raised: float = 0.0,
) -> None:
    """Send a wave down the tails: bone k of n turns by A / n (1/2 + k / n) sin(2pi t - 0.9 k / n pi)."""
    for tail in body.tails:
        n = len(tail)
        for k, bone in enumerate(tail):
            size = (0.5 + k / max(n - 1, 1)) / n
            lag = 0.9 * np.pi * k / n
            builder.turn(bone, UP_AXIS, sideways * size * np.sin(2 * np.pi * phase - lag))
            lift = upwards * size * np.sin(4 * np.pi * phase - lag)
            builder.turn(bone, PITCH_AXIS, lift - raised / n)


def flick_ears(body: MovingBody, builder: PoseBuilder, angle: Float[ndarray, "frames"]) -> None:
    """Rotate the ears; positive angles bring them up, negative ones lay them back."""
    for ear in body.ears:
        builder.turn(ear, PITCH_AXIS, angle)


def bend_above_ground(
    body: MovingBody,
    builder: PoseBuilder,
    bones: tuple[int, ...],
    *,
    surface: tuple[int, ...],
    axis: Float[ndarray, "3"],
    clearance: float,
    width: int,
    loop: bool,
) -> None:
    """Rotate a chain at its first bones, about `axis`, until the surface of some bones is above the ground."""
    chosen = np.flatnonzero(np.isin(body.hull_bones, surface))
    if not len(chosen):
        return
    owners, points = body.hull_bones[chosen], body.hull[chosen] - body.skeleton.heads[body.hull_bones[chosen]]
    for _ in range(4):
        D, p = builder.displacements()
        places = (D[:, owners] @ points[:, :, None])[..., 0] + p[:, owners]
        depth = clearance - places[..., 1]
        if depth.max() <= 0.0:
            return
        away = np.linalg.norm((places - p[:, None, bones[0]])[..., [0, 2]], axis=-1)
        angle = np.where(depth > 0, depth / np.maximum(away, 0.3 * away.max()), 0.0).max(1)
        builder.bend(bones[: min(3, len(bones))], axis, upper_envelope(angle, width, loop=loop))


def lift_low(body: MovingBody, builder: PoseBuilder, *, loop: bool) -> None:
    """Raise tails, heads, an elephant's trunk and wings that would be below the ground."""
    width = max(3, round(0.15 * len(builder)))
    clearance = 0.004 * body.size
    head = (*body.neck, *(() if body.head is None else (body.head,)))
    chains = [(tail, tail, -PITCH_AXIS) for tail in body.tails]
    chains += [(head, (*body.neck, *body.head_bones), PITCH_AXIS), (body.proboscis, body.proboscis, PITCH_AXIS)]
    for wing in body.wings:
        chains.append((wing.bones, wing.bones, ROLL_AXIS if wing.side == Side.LEFT else -ROLL_AXIS))
    for bones, surface, axis in chains:
        if bones:
            bend_above_ground(
                body, builder, bones, surface=surface, axis=axis, clearance=clearance, width=width, loop=loop
            )
