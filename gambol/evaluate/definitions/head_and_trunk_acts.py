"""Definitions: actions of head and trunk: look around, shake, rear up, roar, sniff, drink, stomp.

Angles are radians, lengths leg lengths (chains for the head), times the body's own seconds, sqrt(leg / 0.9 m).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from scipy.ndimage import uniform_filter1d

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.definitions.body_measures import own_rate, trunk_bones
from gambol.evaluate.definitions.standing_feet import most_feet_stay
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold

GAZE = SoftThreshold(0.34, 0.04)
"""How far the head turns to either side of its mean; half of it for a trunk without a head."""
GAZE_TURNS = SoftThreshold(5.5, 0.7)
"""Most changes of side of a gaze in the clip."""
DWELLS = SoftThreshold(0.36, 0.02)
"""Share of the clip in which the head is turned nearly as far as it goes to either side."""
SHAKE_RATE = SoftThreshold(1.7, 0.2)
"""Root mean square of the angular speed about the body's length, radians per own second."""
SHAKES = SoftThreshold(7.5, 0.5)
"""Times that a shake changes its direction in the clip."""
REARED_PITCH = SoftThreshold(0.42, 0.03)
"""Pitch of the trunk of a body that rears up."""
REARED_FEET = SoftThreshold(0.22, 0.03)
"""Height of the forefeet of a body that rears up."""
STANDING_HIPS = SoftThreshold(0.3, 0.03)
"""Drop of the hips up to which a body still stands."""
HEAD_THROWN = SoftThreshold(0.3, 0.03)
"""Rise of the head's pitch in a roar; that of the trunk without a head counts double."""
ROAR_HELD = SoftThreshold(0.29, 0.02)
"""Share of the clip in which it stays there."""
TREMBLING = SoftThreshold(0.012, 0.0015)
"""Root mean square of the head's quick changes of pitch and yaw in a roar."""
SNIFF_DROP = SoftThreshold(0.055, 0.008)
"""How far a sniffing head is below its rest height, in heights of the head."""
SNIFF_LOW = SoftThreshold(0.94, 0.015)
"""Share of the clip in which it is as low."""
SNIFF_NOD_RATE = SoftThreshold(0.1, 0.012)
"""Root mean square of the quick changes of the head's pitch, radians per own second."""
FRONT = 0.35
"""Distance of a headless trunk's front from its middle, sizes."""
DRINK_DIP = SoftThreshold(0.07, 0.01)
"""How far the head goes down to drink, in heights of the head."""
DRINK_HELD = SoftThreshold(0.47, 0.012)
"""Share of the clip in which a drinking head is down."""
HAND_AT_MOUTH = SoftThreshold(0.27, 0.03)
"""Distance between a hand and the head up to which it drinks, less a part of the head's height, arm lengths."""
HAND_HELD = SoftThreshold(0.25, 0.03)
"""Share of the clip in which the hand is there."""
HEAD_TIPPED = SoftThreshold(0.17, 0.025)
"""How far the head of a drinking person tips back."""
STOMP_LIFT = SoftThreshold(0.13, 0.015)
"""Height to which the foot is lifted that stomps."""
OTHER_FEET = SoftThreshold(0.5, 0.05)
"""Lift of the other feet as a share of that, up to which they stand."""
STOMP_AWAY = SoftThreshold(0.7, 0.06)
"""How far the foot may go over the ground; kicks go further."""
STOMP_SPEED = SoftThreshold(0.75, 0.08)
"""Fastest fall of the foot, leg lengths per own second."""


def head_bone(seen: Observation) -> int | None:
    """Return the first bone of the head, or of the last of the neck; None without both."""
    for part in (BodyPart.HEAD, BodyPart.NECK):
        limbs = seen.anatomy.of(part)
        if limbs:
            return limbs[0].bones[0] if part == BodyPart.HEAD else limbs[0].bones[-1]
    bones = [b for b, part in enumerate(seen.anatomy.parts) if part == BodyPart.HEAD]
    return bones[0] if bones else None


def bone_angles(seen: Observation, bone: int) -> Float[ndarray, "frames 3"]:
    """Return roll, yaw and pitch of a bone against its rest, R = R_y(yaw) R_z(pitch) R_x(roll), unwrapped."""
    R = seen.displaced[:, bone, :3, :3]
    ahead, up = R[:, :, 0], R[:, :, 1]
    yaw = np.unwrap(np.arctan2(-ahead[:, 2], ahead[:, 0]))
    pitch = np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0))
    level = np.stack([np.sin(yaw), np.zeros(len(yaw)), np.cos(yaw)], -1)
    roll = np.arctan2((up * level).sum(1), (np.cross(level, ahead) * up).sum(1))
    return np.stack([np.unwrap(roll), yaw, pitch], -1)


def quick_part(values: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    """Return a curve less its mean over five frames: what changes quickly."""
    return values - uniform_filter1d(values, 5, mode="nearest")


def reversals(values: Float[ndarray, "frames"], least: float) -> int:
    """Return how often a curve changes its sign, counting only values beyond `least`."""
    signs = np.sign(values)[np.abs(values) > least]
    return int(np.count_nonzero(np.diff(signs)))


def foot_lifts(seen: Observation) -> Float[ndarray, "feet"]:
    """Return how high each foot is lifted, leg lengths."""
    return np.array([float(np.quantile(f.low, 0.97) - f.low.min()) for f in seen.feet]) / seen.leg


def trunk_rise(seen: Observation) -> float:
    """Return how far the torso pitches up from its rest, radians: its mean, or its front on more than four legs."""
    pitches = np.stack([bone_angles(seen, b)[:, 2] for b in trunk_bones(seen)])
    return float(np.quantile(pitches.mean(0) if len(seen.feet) <= 4 else pitches.max(0), 0.95))


def looks_around(seen: Observation) -> float:
    """The head turns far to one side, then to the other; feet stay."""
    bone = head_bone(seen)
    yaw = bone_angles(seen, 0 if bone is None else bone)[:, 1]
    middle = 0.5 * (float(yaw.max()) + float(yaw.min()))
    far = 0.5 * float(np.ptp(yaw)) * (1.15 if bone is None else 1.0)
    sides = np.sign(yaw - middle) * (np.abs(yaw - middle) > 0.3 * far)
    changes = np.count_nonzero(np.diff(sides[sides != 0]))
    dwells = float((np.abs(yaw - middle) > 0.42 * np.ptp(yaw)).mean())
    trunk = float(np.ptp(seen.heading))
    return (
        GAZE.above(far)
        * GAZE_TURNS.below(changes)
        * most_feet_stay(seen)
        * SoftThreshold(1.2, 0.1).below(trunk)
        * (1.0 - max(shakes(seen), sniffs(seen)))
        * DWELLS.above(dwells)
    )


def shakes(seen: Observation) -> float:
    """The trunk or the head turns quickly to and fro about its length; an upright or headless trunk turns as a whole.

    The length lies along the roll axis; that of an upright trunk along the yaw axis. Feet stay.
    """
    bone, upright = head_bone(seen), stands_upright(seen)
    bones = {*trunk_bones(seen), *(() if bone is None or upright else (bone,))}
    axes = (1,) if upright else (0,) if bone is not None else (0, 1)
    best = 0.0
    for b in bones:
        for speed in np.diff(bone_angles(seen, b), axis=0).T[list(axes)] * own_rate(seen):
            rate = float(np.sqrt((speed**2).mean()))
            best = max(best, SHAKE_RATE.above(rate) * SHAKES.above(reversals(speed, 0.5 * rate)))
    return best * most_feet_stay(seen)


def stands_upright(seen: Observation) -> bool:
    """Return whether the trunk of a biped rises steeply at rest from the root to the last bone of the torso."""
    along = seen.rest_tips[trunk_bones(seen)[-1]] - seen.rest_joints[0]
    return len(seen.feet) == 2 and float(along[1]) > 0.75 * float(np.linalg.norm(along))


def rears_up(seen: Observation) -> float:
    """The trunk pitches up on the hind legs; forefeet leave the ground, hips stay up."""
    hips = seen.joints[:, 0, 1]
    drop = (float(np.quantile(hips, 0.9)) - float(hips.min())) / seen.leg
    up = REARED_PITCH.above(trunk_rise(seen)) * STANDING_HIPS.below(drop if len(seen.feet) == 2 else 0.0)
    stands = SoftThreshold(0.05, 0.01).below(float(seen.low.max()) / seen.size)
    if len(seen.feet) <= 2:
        return up * stands * most_feet_stay(seen)
    ahead = np.array([foot.points[0].mean(0) @ seen.ahead[0] for foot in seen.feet])
    fore = np.argsort(-ahead)[:2]
    return up * stands * REARED_FEET.above(float(foot_lifts(seen)[fore].min()))


def roars(seen: Observation) -> float:
    """The head goes up and stays there trembling; the trunk without one."""
    bone = head_bone(seen)
    angles = bone_angles(seen, 0 if bone is None else bone)
    pitch = angles[:, 2] * (2.0 if bone is None else 1.0)
    base = max(float(np.quantile(pitch, 0.15)), 0.0)
    rise = float(np.quantile(pitch, 0.95)) - base
    held = float((pitch > base + 0.75 * rise).mean())
    trembles = np.sqrt((quick_part(angles[:, 2]) ** 2 + quick_part(angles[:, 1]) ** 2).mean())
    reared = 1.0 - max(rears_up(seen), drinks(seen), shakes(seen))
    return (
        HEAD_THROWN.above(rise)
        * ROAR_HELD.above(held)
        * TREMBLING.above(float(trembles))
        * most_feet_stay(seen)
        * reared
    )


def _head_heights(seen: Observation) -> tuple[Float[ndarray, "frames"], float]:
    """Return the height of the head's tip over the clip and at rest; of the front of a trunk that only pitches."""
    bone = head_bone(seen)
    if bone is not None:
        return seen.tips[:, bone, 1], float(seen.rest_tips[bone, 1])
    return seen.leg + FRONT * seen.size * np.sin(bone_angles(seen, 0)[:, 2]), seen.leg


def sniffs(seen: Observation) -> float:
    """The head is low all the time and moves in small quick nods."""
    heights, rest = _head_heights(seen)
    low = float((heights < rest * (1.0 - SNIFF_DROP.at)).mean())
    bone = head_bone(seen)
    pitch = quick_part(bone_angles(seen, 0 if bone is None else bone)[:, 2])
    rate = float(np.sqrt((np.diff(pitch) ** 2).mean())) * own_rate(seen)
    drop = (rest - float(np.median(heights))) / max(rest, 1e-6)
    return (
        SNIFF_DROP.above(drop)
        * SNIFF_LOW.above(low)
        * SNIFF_NOD_RATE.above(rate)
        * most_feet_stay(seen)
        * (1.0 - shakes(seen))
    )


def drinks(seen: Observation) -> float:
    """The head goes down and stays there with small sips; people lead a hand to the mouth and tip the head back."""
    arms = seen.anatomy.of(BodyPart.ARM)
    if len(arms) >= 2 and len(seen.feet) <= 4 and (len(seen.feet) == 4 or not seen.anatomy.of(BodyPart.TAIL)):
        return _drinks_by_hand(seen)
    heights, rest = _head_heights(seen)
    way = max(rest - float(np.quantile(heights, 0.05)), 0.0)
    down = float((heights <= rest - 0.78 * way).mean())
    goes = min(way, float(np.ptp(heights)))
    return (
        DRINK_DIP.above(goes / max(rest, 1e-6))
        * DRINK_HELD.above(down)
        * most_feet_stay(seen)
        * (1.0 - max(shakes(seen), sniffs(seen)))
    )


def _drinks_by_hand(seen: Observation) -> float:
    bone = head_bone(seen)
    if bone is None:
        return 0.0
    along = seen.tips[:, bone] - seen.joints[:, bone]
    mouth, head = seen.joints[:, bone] + 0.3 * along, float(np.linalg.norm(along[0]))
    best = 0.0
    for arm in seen.anatomy.of(BodyPart.ARM):
        bones = list(arm.bones)
        length = float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum())
        away = (np.linalg.norm(seen.tips[:, bones[-1]] - mouth, axis=1) - 0.3 * head) / max(length, 1e-6)
        near = np.array([HAND_AT_MOUTH.below(float(x)) for x in away])
        best = max(best, HAND_HELD.above(float(near.mean())))
    pitch = bone_angles(seen, bone)[:, 2]
    tipped = float(np.quantile(pitch, 0.95) - np.quantile(pitch, 0.2))
    return best * HEAD_TIPPED.above(tipped) * most_feet_stay(seen)


def stomps(seen: Observation) -> float:
    """One foot is lifted high and driven down near where it stood; the others stand."""
    if len(seen.feet) < 2:
        return 0.0
    lifts = foot_lifts(seen)
    k = int(np.argmax(lifts))
    others = float(np.sort(lifts)[-2]) / max(float(lifts[k]), 1e-6)
    foot = seen.feet[k]
    away = float(np.ptp(foot.points.mean(1)[:, [0, 2]], axis=0).max()) / seen.leg
    fall = -float(np.diff(foot.low).min()) * own_rate(seen) / seen.leg
    return STOMP_LIFT.above(lifts[k]) * OTHER_FEET.below(others) * STOMP_AWAY.below(away) * STOMP_SPEED.above(fall)


HEAD_AND_TRUNK_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "look around": looks_around,
    "shake": shakes,
    "rear up": rears_up,
    "roar": roars,
    "sniff": sniffs,
    "drink": drinks,
    "stomp": stomps,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
