"""Arms reach for a place: two-bone inverse kinematics from a target of the hand and the side that the elbow is on.

Gestures lead the middle of the hand, and the elbow bends as a hinge, so that palms turn by a pronation that is asked
for. Actions that swing an arm far or turn the body over lead the wrist instead: see `free_limbs.reach_wrist`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import Angle, hang_spread, is_short
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.motion.folding_limb_ik import turn

LONGEST_REACH = 0.999
"""Largest distance of a hand from its shoulder, as a share of the stretched arm."""
EXACT_ARM_REACH = 0.97
"""Distances up to this share of the stretched arm are met exactly; farther targets stretch it gently."""
MAX_ELBOW_BEND = 2.65
"""Largest bend of an elbow, radians."""
CLEAR_ELBOW_BEND = 0.5
"""From this bend at rest, radians, an elbow's hinge is measured; a straighter one is expected to bend ahead."""

CLAW_ELBOW = np.array([-0.2, 0.15, 1.0])
"""Side that the elbows of claws are on: behind, a little up and outwards."""


def arm_segments(body: MovingBody, arm: Arm) -> tuple[Float[ndarray, "3"], Float[ndarray, "3"]]:
    """Return upper arm and forearm at rest: from shoulder to elbow and from elbow to the middle of the hand, metres.

    An arm of a single bone has its elbow in the middle of the bone.
    """
    heads, tails = body.skeleton.heads, body.skeleton.tails
    if arm.fore is None:
        half = 0.5 * (tails[arm.upper] - heads[arm.upper])
        return half, half
    hand = tails[arm.fore] if arm.hand is None else 0.5 * (heads[arm.hand] + tails[arm.hand])
    return heads[arm.fore] - heads[arm.upper], hand - heads[arm.fore]


def reach_length(body: MovingBody, arm: Arm) -> float:
    """Return the distance from shoulder to hand of the stretched arm, metres."""
    return float(sum(np.linalg.norm(segment) for segment in arm_segments(body, arm)))


def chest_depth(body: MovingBody, arm: Arm) -> float:
    """Return how far the trunk's surface is ahead of a shoulder at rest, above half an arm below it, metres."""
    shoulder = body.skeleton.heads[arm.upper]
    points = body.hull[body.belly]
    near = points[points[:, 1] > shoulder[1] - 0.5 * reach_length(body, arm)]
    return max(float(near[:, 0].max() - shoulder[0]), 0.0) if len(near) else 0.0


def hanging_hand(body: MovingBody, arm: Arm, elbow: float = 0.2) -> Float[ndarray, "3"]:
    """Return where the hand of a hanging arm is, in arm lengths from the shoulder: ahead, up and outwards.

    Claws and short arms do not hang; they stay at rest.
    """
    segments = arm_segments(body, arm)
    upper, fore = (float(np.linalg.norm(segment)) for segment in segments)
    if body.has_claws or is_short(body, arm):
        return sum(segments) * np.array([1.0, 1.0, -1.0 if arm.left else 1.0]) / max(upper + fore, 1e-9)
    out = hang_spread(body, arm)
    down = upper + fore * np.cos(elbow)
    return np.array([fore * np.sin(elbow), -down * np.cos(out), down * np.sin(out)]) / max(upper + fore, 1e-9)


def hand_place(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    offset: Float[ndarray, "*frames 3"],
    *,
    from_middle: bool = False,
) -> Float[ndarray, "frames 3"]:
    """Return a place in the world: offset (ahead, up, outwards) in arm lengths and the chest's axes, from the shoulder.

    With `from_middle` the offset starts midway between the shoulders. Outwards is to the arm's own side.
    """
    D, p = builder.displacements()
    side = -1.0 if arm.left else 1.0
    start = p[:, arm.upper]
    if from_middle:
        start = np.mean([p[:, other.upper] for other in body.arms], axis=0)
    away = reach_length(body, arm) * np.broadcast_to(offset, (len(builder), 3)) * np.array([1.0, 1.0, side])
    return start + (D[:, body.skeleton.parents[arm.upper]] @ away[..., None])[..., 0]


def guide_hand(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    offset: Float[ndarray, "*frames 3"],
    elbow: Float[ndarray, "*frames 3"] | Sequence[float],
    *,
    from_middle: bool = False,
    fingers: Float[ndarray, "*frames 3"] | Sequence[float] | None = None,
    pronation: Angle = 0.0,
) -> None:
    """Bring a hand to a `hand_place`; `elbow` and `fingers` are directions ahead, up and outwards of the chest.

    The elbows of claws always stand out to the side, their pincers go on straight and stay as high as at rest. See
    `reach_hand`.
    """
    D = builder.displacements()[0][:, body.skeleton.parents[arm.upper]]
    mirror = np.array([1.0, 1.0, -1.0 if arm.left else 1.0])
    bend = CLAW_ELBOW if body.has_claws else np.asarray(elbow, float)
    elbow_way = (D @ (bend * mirror)[..., None])[..., 0]
    claws = body.has_claws
    finger_way = None if fingers is None or claws else (D @ (np.asarray(fingers, float) * mirror)[..., None])[..., 0]
    if claws:
        offset = np.maximum(offset, [-np.inf, hanging_hand(body, arm)[1], -np.inf])
    target = hand_place(body, builder, arm, offset, from_middle=from_middle)
    reach_hand(body, builder, arm, target, elbow_way, fingers=finger_way, pronation=0.0 if claws else pronation)


def reach_hand(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    target: Float[ndarray, "frames 3"],
    elbow: Float[ndarray, "*frames 3"] | Sequence[float],
    *,
    fingers: Float[ndarray, "*frames 3"] | None = None,
    pronation: Angle = 0.0,
) -> None:
    """Bring the middle of a hand to a target in the world, with the elbow on the given side; the trunk is posed before.

    The upper arm goes along `upper_arm_way`, with `elbow` a direction in the world, and is turned about its length so
    that the elbow bends as a hinge. Targets out of reach are met in direction only.
    `fingers` is a direction in the world that the hand points in instead of continuing the forearm; `pronation` turns
    the forearm about its length, radians: at 0 the palm of an arm held ahead faces inwards, at pi / 2 down.
    """
    frames, side = len(builder), -1.0 if arm.left else 1.0
    D, p = builder.displacements()
    above = D[:, body.skeleton.parents[arm.upper]]
    first, second = arm_segments(body, arm)
    heads, tails = body.skeleton.heads, body.skeleton.tails
    if fingers is not None and arm.hand is not None:
        pointing = tails[arm.hand] - heads[arm.hand]
        way, _ = _unit(np.broadcast_to(np.asarray(fingers, float), (frames, 3)))
        target, second = target - 0.5 * float(np.linalg.norm(pointing)) * way, heads[arm.hand] - heads[arm.fore]
    a, b = float(np.linalg.norm(first)), float(np.linalg.norm(second))
    along, distance = _unit(target - p[:, arm.upper])
    d = _reachable(distance, a, b)
    upper, aside = upper_arm_way(along, d, np.broadcast_to(np.asarray(elbow, float), (frames, 3)), a, b)
    if arm.fore is None:
        builder.aim(arm.upper, first, along, above)
        return
    fore = (d[:, None] * along - a * upper) / max(b, 1e-9)
    front = _across(-aside, upper)
    posed = _frame(upper, front)
    rest = _frame(first[None], _rest_front(first, second)[None])
    turned = posed @ np.swapaxes(rest, -1, -2)
    builder.rotations[:, arm.upper] = np.swapaxes(above, -1, -2) @ turned
    bent = builder.aim(arm.fore, second, fore, turned)
    bent = turn(fore, -side * np.broadcast_to(np.asarray(pronation, float), frames)) @ bent
    builder.rotations[:, arm.fore] = np.swapaxes(turned, -1, -2) @ bent
    if fingers is not None and arm.hand is not None:
        builder.aim(arm.hand, pointing, way, bent)


def upper_arm_way(
    along: Float[ndarray, "frames 3"],
    distance: Float[ndarray, "frames"],
    elbow: Float[ndarray, "frames 3"],
    a: float,
    b: float,
) -> tuple[Float[ndarray, "frames 3"], Float[ndarray, "frames 3"]]:
    """Return the directions of the upper arm and, perpendicular to the line to the target, of the elbow from it.

    With segments a and b and the target at distance d along the unit vector n, the angle between upper arm and n is
    acos((a^2 + d^2 - b^2) / (2 a d)); the elbow lies from the line towards `elbow`.
    """
    aside, _ = _unit(_across(elbow, along))
    cosine = np.clip((a**2 + distance**2 - b**2) / np.maximum(2.0 * a * distance, 1e-12), -1.0, 1.0)[:, None]
    return cosine * along + np.sqrt(1.0 - cosine**2) * aside, aside


def _reachable(distance: Float[ndarray, "frames"], a: float, b: float) -> Float[ndarray, "frames"]:
    """Limit a distance softly to what an arm reaches: e + r (1 - exp(-(d - e) / r)) beyond e; and its fold below."""
    exact, longest = EXACT_ARM_REACH * (a + b), LONGEST_REACH * (a + b)
    room = max(longest - exact, 1e-9)
    far = exact + room * (1.0 - np.exp(-np.maximum(distance - exact, 0.0) / room))
    folded = float(np.sqrt(max(a * a + b * b + 2.0 * a * b * np.cos(MAX_ELBOW_BEND), 0.0)))
    return np.maximum(np.where(distance > exact, far, distance), max(folded, 1e-6))


def _rest_front(first: Float[ndarray, "3"], second: Float[ndarray, "3"]) -> Float[ndarray, "3"]:
    """Return the side that a forearm bends to at rest: where it is bent already, else ahead (or up)."""
    u, v = first / max(float(np.linalg.norm(first)), 1e-9), second / max(float(np.linalg.norm(second)), 1e-9)
    ahead = ROLL_AXIS if abs(float(u[0])) < 0.8 else UP_AXIS
    expected, _ = _unit(_across(ahead, u))
    bend = v - (v @ u) * u
    size = float(np.linalg.norm(bend))
    trust = float(np.clip(np.arctan2(size, float(u @ v)) / CLEAR_ELBOW_BEND - 0.5, 0.0, 1.0))
    mixed = trust * bend / max(size, 1e-9) + (1.0 - trust) * expected
    return mixed if float(np.linalg.norm(mixed)) > 0.3 else expected


def _frame(along: Float[ndarray, "frames 3"], front: Float[ndarray, "frames 3"]) -> Float[ndarray, "frames 3 3"]:
    """Return the rotation with columns along, front made perpendicular to it, and their cross product."""
    x, _ = _unit(along)
    y, _ = _unit(_across(front, x))
    return np.stack([x, y, np.cross(x, y)], -1)


def _across(vector: Float[ndarray, "*#frames 3"], axis: Float[ndarray, "*#frames 3"]) -> Float[ndarray, "*frames 3"]:
    """Return the part of a vector that is perpendicular to a unit axis."""
    return vector - (vector * axis).sum(-1, keepdims=True) * axis


def _unit(vector: Float[ndarray, "*frames 3"]) -> tuple[Float[ndarray, "*frames 3"], Float[ndarray, "*frames"]]:
    """Return the direction of a vector and its length."""
    length = np.linalg.norm(vector, axis=-1)
    return vector / np.maximum(length, 1e-9)[..., None], length
