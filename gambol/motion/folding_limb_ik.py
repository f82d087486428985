"""Inverse kinematics of a limb by folding: one number bends all inner joints, then the whole limb is aimed.

A limb of any number of bones is a family of shapes: its inner joints bend together, each about its own hinge and never
past straight. The distance from its first joint to its end falls from stretched to folded, so it is tabled once and
looked up for every frame. Rotations here are in the axes of the world at rest: R_world_bone = D_bone R_world_rest with
D_bone = D_parent Q_bone, so that Q = 1 is the rest pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

TABLED_FOLDS = np.linspace(-3.0, 3.0, 1201)
"""Amounts of folding for which the reach is tabled, radians; 0 is the rest shape."""
STRAIGHTENING_SOFTNESS = 0.15
"""Width of the soft limit at which a joint straightens, radians."""
MAX_FOLD_BEND = 2.65
"""Largest bend of a joint, radians."""
EXACT_REACH = 0.97
"""Distances up to this share of the longest reach are met exactly."""
EXACT_SHORT_REACH = 1.05
"""Distances down to this multiple of the shortest reach are met exactly."""
MIN_FOLD_SLOPE = 0.35
"""The table ends where folding shortens the limb by less than this share of what it does at best."""
CLEAR_HINGE_BEND = 0.2
"""Below this bend at rest, radians, a joint's hinge is mixed with the expected one."""


@dataclass(frozen=True)
class FoldingLimb:
    """A chain of k bones that folds: its rest shape and the table of its reach."""

    joints: Float[ndarray, "ends 3"]
    """Rest positions: the k joints, then the end that is to reach something."""
    hinges: Float[ndarray, "inner 3"]
    """Unit axes of the k - 1 inner joints, world axes at rest; a positive turn folds."""
    bends: Float[ndarray, "inner"]
    """How far each inner joint is bent at rest, radians."""
    folds: Float[ndarray, "entries"]
    """Amounts of folding in order of growing reach."""
    reaches: Float[ndarray, "entries"]
    """Distance from the first joint to the end for each of them, metres."""

    @property
    def shortest(self) -> float:
        """Distance between the ends when folded, metres."""
        return float(self.reaches[0])

    @property
    def longest(self) -> float:
        """Distance between the ends when stretched, metres."""
        return float(self.reaches[-1])

    @property
    def rest(self) -> float:
        """Distance between the ends at rest, metres."""
        return float(np.linalg.norm(self.joints[-1] - self.joints[0]))


def folding_limb(joints: Float[ndarray, "ends 3"], expected: Float[ndarray, "3"]) -> FoldingLimb:
    """Measure a chain; `expected` is the hinge that its first inner joint has where the chain is straight at rest.

    The hinge of a bent joint is the normal of its two bones. Where the joint is nearly straight, it is drawn to the
    expected one, which changes sign from joint to joint (a leg is a zigzag).
    """
    segments = np.diff(joints, axis=0)
    lengths = np.linalg.norm(segments, axis=1)
    hinges, bends, sign = [], [], 1.0
    for a, b, la, lb in zip(segments[:-1], segments[1:], lengths[:-1], lengths[1:], strict=True):
        normal = np.cross(a, b)
        area = float(np.linalg.norm(normal))
        bend = float(np.arctan2(area, a @ b))
        guess = sign * expected
        if area < 1e-9 * la * lb:
            hinge = guess
        else:
            trust = np.clip(bend / CLEAR_HINGE_BEND, 0.0, 1.0)
            hinge = trust * normal / area + (1.0 - trust) * guess
        hinge = hinge / max(float(np.linalg.norm(hinge)), 1e-9)
        bends.append(bend if hinge @ normal >= 0 else 0.0)
        hinges.append(hinge)
        sign = -1.0 if hinge @ expected > 0 else 1.0
    limb = FoldingLimb(joints, np.reshape(hinges, (-1, 3)), np.array(bends), np.zeros(1), np.zeros(1))
    reaches = np.linalg.norm(limb_end(limb, fold_turns(limb, TABLED_FOLDS)), axis=-1)
    start = int(np.argmin(np.abs(TABLED_FOLDS)))
    slopes = -np.diff(reaches)
    falling = slopes > 0
    # near its shortest a limb has to fold much for little: the table ends before
    best = start + int(np.argmax(slopes[start:]))
    worth = slopes > MIN_FOLD_SLOPE * slopes[best]
    last = best + int(np.argmin(np.append(worth[best:], False)))
    first = start - int(np.argmin(np.append(falling[:start][::-1], False)))
    kept = slice(first, last + 1)
    return FoldingLimb(joints, limb.hinges, limb.bends, TABLED_FOLDS[kept][::-1], reaches[kept][::-1])


def fold_bend(bend: Float[ndarray, "*inner"], fold: Float[ndarray, "*frames"]) -> Float[ndarray, "*frames inner"]:
    """b(u) = w log(1 + exp((a + u) / w)), a = w log(exp(b_0 / w) - 1): b(0) = b_0, slope near 1, never below 0."""
    w = STRAIGHTENING_SOFTNESS
    start = w * np.log(np.expm1(np.maximum(bend, 1e-3) / w))
    soft = w * np.logaddexp(0.0, (start + fold[..., None]) / w)
    return np.minimum(soft, MAX_FOLD_BEND)


def fold_turns(limb: FoldingLimb, fold: Float[ndarray, "*frames"]) -> Float[ndarray, "*frames inner 3 3"]:
    """Rotation of every inner joint for an amount of folding."""
    return turn(limb.hinges, fold_bend(limb.bends, fold) - limb.bends)


def limb_end(limb: FoldingLimb, turns: Float[ndarray, "*frames inner 3 3"]) -> Float[ndarray, "*frames 3"]:
    """The end seen from the first joint: s_0 + Q_1 (s_1 + Q_2 (s_2 + ...))."""
    segments = np.diff(limb.joints, axis=0)
    end = np.broadcast_to(segments[-1], (*turns.shape[:-3], 3))
    for k in range(len(segments) - 2, -1, -1):
        end = segments[k] + (turns[..., k, :, :] @ end[..., None])[..., 0]
    return end


def solve_limb(
    limb: FoldingLimb, reach: Float[ndarray, "frames 3"], exact: Float[ndarray, "frames"] | float = EXACT_REACH
) -> Float[ndarray, "frames bones 3 3"]:
    """Q of every bone so that the end comes to `reach`, a vector from the first joint in the axes of the limb's parent.

    Folding sets the distance; the first joint then turns by the shortest arc from the rest direction to the wanted one,
    after undoing how folding turned the end. What lies out of reach is met in direction only (see `soft_reach`).
    """
    distance = soft_reach(limb, np.linalg.norm(reach, axis=-1), exact)
    fold = np.interp(distance, limb.reaches, limb.folds)
    turns = fold_turns(limb, fold)
    rest = limb.joints[-1] - limb.joints[0]
    aim = arc(rest, reach) @ arc(limb_end(limb, turns), rest)
    return np.concatenate([aim[:, None], turns], axis=1)


def soft_reach(
    limb: FoldingLimb, distance: Float[ndarray, "frames"], exact: Float[ndarray, "frames"] | float = EXACT_REACH
) -> Float[ndarray, "frames"]:
    """The distance itself up to e = `exact` of the longest; beyond, e + r (1 - exp(-(d - e) / r)), r what is left.

    So a knee nears straight gently instead of snapping. The short end is treated likewise.
    """
    near, far = EXACT_SHORT_REACH * limb.shortest, exact * limb.longest
    room = limb.longest - far
    long = far + room * (1.0 - np.exp(-np.maximum(distance - far, 0.0) / room))
    room = max(near - limb.shortest, 1e-9)
    short = near - room * (1.0 - np.exp(-np.maximum(near - distance, 0.0) / room))
    return np.where(distance > far, long, np.where(distance < near, short, distance))


def turn(axis: Float[ndarray, "*#batch 3"], angle: Float[ndarray, "*#batch"]) -> Float[ndarray, "*#batch 3 3"]:
    """Rotation about a unit axis: 1 + sin(a) K + (1 - cos(a)) K^2 (Rodrigues)."""
    x, y, z = np.moveaxis(np.asarray(axis, float), -1, 0)
    s, c = np.sin(angle), np.cos(angle)
    v = 1.0 - c
    rows = [
        [c + x * x * v, x * y * v - z * s, x * z * v + y * s],
        [y * x * v + z * s, c + y * y * v, y * z * v - x * s],
        [z * x * v - y * s, z * y * v + x * s, c + z * z * v],
    ]
    return np.stack([np.stack(np.broadcast_arrays(*row), -1) for row in rows], -2)


def arc(start: Float[ndarray, "*#batch 3"], end: Float[ndarray, "*#batch 3"]) -> Float[ndarray, "*#batch 3 3"]:
    """The smallest rotation from one direction to another: 1 + K + K^2 / (1 + c), K = [a x b], c = a . b."""
    a = start / np.maximum(np.linalg.norm(start, axis=-1, keepdims=True), 1e-12)
    b = end / np.maximum(np.linalg.norm(end, axis=-1, keepdims=True), 1e-12)
    a, b = np.broadcast_arrays(a, b)
    v = np.cross(a, b)
    c = np.maximum((a * b).sum(-1), -1.0 + 1e-6)[..., None, None]
    K = np.zeros((*v.shape, 3))
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    K = K - np.swapaxes(K, -1, -2)
    return np.eye(3) + K + K @ K / (1.0 + c)


def rotation_vector(R: Float[ndarray, "*#batch 3 3"]) -> Float[ndarray, "*#batch 3"]:
    """Axis times angle of a rotation of less than half a turn."""
    skew = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1)
    sine = 0.5 * np.linalg.norm(skew, axis=-1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0))
    return skew * (0.5 * np.where(sine > 1e-9, angle / np.maximum(sine, 1e-9), 1.0))[..., None]


def share_rotation(R: Float[ndarray, "*#batch 3 3"], share: float) -> Float[ndarray, "*#batch 3 3"]:
    """R to the power `share`: the same axis, that share of the angle."""
    vector = rotation_vector(R)
    angle = np.linalg.norm(vector, axis=-1)
    axis = vector / np.maximum(angle, 1e-12)[..., None]
    return turn(axis, share * angle)
