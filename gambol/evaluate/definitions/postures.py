"""Definitions: postures and what leads to them: sit, lie, get up, fall, be hit, stretch.

Heights are leg lengths. They are compared at the start and at the end of a clip, each averaged over a share of it, with
the heights at rest. `room` is the height of the trunk's lowest surface at rest: a crocodile can sink less than a horse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.definitions.body_measures import trunk_bones
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold
from gambol.motion.gravity import EARTH_GRAVITY

UPRIGHT_RISE = 0.75
"""Share of its length by which a trunk rises from which it is upright."""
POSTURE_SHARE = 0.12
"""Share of a clip that counts as its start, and as its end."""
SIT_DROP = SoftThreshold(1.0, 0.08)
"""Sinking of the pelvis from which a body sits, multiples of `least_drop`."""
STANDS = SoftThreshold(0.45, 0.06)
"""Sinking of the pelvis below which a body stands, as a share of how far it sinks in the clip."""
HEAD_STAYS_UP = SoftThreshold(-0.22, 0.03)
"""Change of the head's height above the pelvis from which the head is up."""
FRONT_STAYS_UP = SoftThreshold(0.12, 0.02)
"""Share of the pelvis's sinking by which the front of a body with several pairs of legs sinks less when it sits."""
PITCHED_UP = SoftThreshold(0.11, 0.015)
"""Pitch of such a body's trunk from which its front is up, radians."""
ON_GROUND = SoftThreshold(0.5, 0.04)
"""Height of the trunk's lowest surface below which it lies on the ground, shares of `room`."""
ROLLED_OVER = SoftThreshold(1.15, 0.05)
"""Angle of the trunk from its upright posture from which it has tipped over, radians."""
FALL_SPEED = SoftThreshold(0.34, 0.03)
"""Largest downward speed of head or trunk from which it falls, multiples of sqrt(g leg)."""
FALL_SPEED_UPRIGHT = SoftThreshold(1.25, 0.05)
"""The same for upright bodies, which also tip over when they lie down on their backs."""
STILL_SPEED = SoftThreshold(0.12, 0.02)
"""Mean speed of the joints at the end below which a body lies still, multiples of sqrt(g leg)."""
JERK_SPEED = SoftThreshold(0.42, 0.04)
"""Largest backward speed of the trunk's front from which it is jerked back, multiples of sqrt(g leg)."""
JERK_RATIO = SoftThreshold(1.9, 0.12)
"""Ratio of the largest backward to the largest forward speed from which the recovery is slow."""
JERK_WAY = SoftThreshold(0.14, 0.015)
"""Way of the trunk's front to and fro from which it is jerked."""
JERK_TRAVEL = SoftThreshold(0.5, 0.05)
"""Way of the body from its first place to its last below which it is hit where it stands."""
STRETCH_SPEED = SoftThreshold(0.62, 0.05)
"""Largest speed of the body's front below which it stretches and does not jerk or leap, multiples of sqrt(g leg)."""
ARMS_STRAIGHT = SoftThreshold(0.93, 0.012)
"""Distance of the hands from their shoulders from which arms are stretched, shares of their length."""
ARMS_UP = SoftThreshold(0.75, 0.04)
"""Height of the hands above their shoulders from which arms are stretched up, shares of their length."""
BOW_DROP = SoftThreshold(0.07, 0.012)
"""Sinking of the front below the rear from which a quadruped bows to stretch."""
BOW_REACH = SoftThreshold(0.2, 0.03)
"""Way of the forefeet ahead of the front hips from which they reach ahead."""
REAR_STAYS_UP = SoftThreshold(0.22, 0.03)
"""Sinking of the pelvis below which the rear stays up in that bow."""
STRETCH_RISE = SoftThreshold(0.08, 0.01)
"""Rise of the trunk's front on stretched legs from which it stretches up."""
LEG_BACK = SoftThreshold(0.3, 0.04)
"""Way of one foot back from its place from which a biped stretches a leg."""
LEG_STAYS_BACK = SoftThreshold(0.6, 0.04)
"""Share of that way which the foot has for 30 % of the clip."""
IN_PLACE = SoftThreshold(0.35, 0.04)
"""Way of the body from its first place to its last below which it stays."""


@dataclass(frozen=True)
class Posture:
    """How high and how tilted a body is at one time."""

    drop: float
    """Distance of the pelvis below its height at rest."""
    front_drop: float
    """Distance of the trunk's front below its height at rest."""
    head_up: float
    """Change of the head's height above the pelvis (of the front's, without a head), positive up."""
    belly: float
    """Height of the trunk's lowest surface."""
    tilt: float
    """Angle between the trunk's up axis and the vertical, radians."""
    pitch: float
    """Pitch of the trunk from rest, radians, front up positive."""

    @property
    def mean_drop(self) -> float:
        """Mean of the sinking of pelvis and front, at least half of the pelvis's own."""
        return max(0.5 * (self.drop + self.front_drop), 0.5 * self.drop)


@dataclass(frozen=True)
class PostureChange:
    """Postures at the two ends of a clip, and how fast the body moved between them."""

    start: Posture
    """At the start."""
    end: Posture
    """At the end."""
    room: float
    """Height of the trunk's lowest surface at rest."""
    several_pairs: bool
    """Whether the body has more than one pair of legs."""
    upright: bool
    """Whether the trunk stands upright on two legs at rest."""
    fall_speed: float
    """Largest downward speed of head, front or pelvis, multiples of sqrt(g leg)."""
    rise_speed: float
    """Largest upward speed of head, front or pelvis, multiples of sqrt(g leg)."""
    end_speed: float
    """Mean speed of the joints at the end, multiples of sqrt(g leg)."""
    walked: float
    """Distance of the pelvis over the ground from first to last frame."""

    @property
    def least_drop(self) -> float:
        """Least sinking of the pelvis that counts: 0.3, less where there is no room for it."""
        return min(0.3, 0.33 * self.room)


def posture_change(seen: Observation) -> PostureChange:
    """Measure the postures at both ends of a clip."""
    head, front, trunk = _head(seen), _front(seen), _trunk_points(seen)
    ends = max(2, round(POSTURE_SHARE * len(seen)))
    heads = seen.tips[:, head, 1] if head is not None else front[:, 1]
    rest_front = _rest_front(seen)
    rest_head = float(seen.rest_tips[head, 1]) if head is not None else rest_front
    rest_pelvis = float(seen.rest_joints[0, 1])
    belly = seen.surface[:, trunk, 1].min(1)
    up = seen.displaced[:, trunk_bones(seen)][..., :3, 1].mean(1)
    tilt = np.arccos(np.clip(up[:, 1] / np.maximum(np.linalg.norm(up, axis=1), 1e-9), -1.0, 1.0))
    pitch = np.arcsin(np.clip(seen.displaced[:, trunk_bones(seen)][..., 1, 0].mean(1), -1.0, 1.0))
    drop, front_drop = rest_pelvis - seen.joints[:, 0, 1], rest_front - front[:, 1]
    head_up = heads - seen.joints[:, 0, 1] - (rest_head - rest_pelvis)

    def posture(frames: slice) -> Posture:
        return Posture(
            drop=float(drop[frames].mean()) / seen.leg,
            front_drop=float(front_drop[frames].mean()) / seen.leg,
            head_up=float(head_up[frames].mean()) / seen.leg,
            belly=float(belly[frames].mean()) / seen.leg,
            tilt=float(tilt[frames].mean()),
            pitch=float(pitch[frames].mean()),
        )

    pace = seen.fps / np.sqrt(EARTH_GRAVITY * seen.leg)
    speeds = np.stack([np.diff(_smoothed(x)) for x in (heads, front[:, 1], seen.joints[:, 0, 1])]) * pace
    moving = np.linalg.norm(np.diff(seen.joints[-ends:], axis=0), axis=-1).mean() * pace
    way = (seen.joints[-1, 0] - seen.joints[0, 0])[[0, 2]]
    return PostureChange(
        start=posture(slice(0, ends)),
        end=posture(slice(-ends, None)),
        room=float(seen.rest_surface[trunk, 1].min()) / seen.leg,
        several_pairs=bool(_front_hips(seen)),
        upright=_is_upright(seen),
        fall_speed=float(-speeds.min()),
        rise_speed=float(speeds.max()),
        end_speed=float(moving),
        walked=float(np.linalg.norm(way)) / seen.leg,
    )


def _smoothed(values: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
    return np.convolve(np.pad(values, 1, mode="edge"), np.full(3, 1.0 / 3.0), mode="valid")


def _is_upright(seen: Observation) -> bool:
    along = seen.rest_tips[_chest(seen)] - seen.rest_joints[0]
    return not _front_hips(seen) and float(along[1]) > UPRIGHT_RISE * float(np.linalg.norm(along))


def _head(seen: Observation) -> int | None:
    heads = seen.anatomy.of(BodyPart.HEAD)
    return heads[0].bones[0] if heads else None


def _front_hips(seen: Observation) -> list[int]:
    """First joints of the front legs of a body with several pairs; the upper end of the trunk of a biped."""
    pairs = {foot.limb.pair for foot in seen.feet}
    if len(pairs) > 1:
        return [foot.limb.bones[0] for foot in seen.feet if foot.limb.pair == min(pairs)]
    return []


def _front(seen: Observation) -> Float[ndarray, "frames 3"]:
    hips = _front_hips(seen)
    return seen.joints[:, hips].mean(1) if hips else seen.tips[:, _chest(seen)]


def _rest_front(seen: Observation) -> float:
    hips = _front_hips(seen)
    return float(seen.rest_joints[hips, 1].mean() if hips else seen.rest_tips[_chest(seen), 1])


def _chest(seen: Observation) -> int:
    return max(trunk_bones(seen), key=lambda b: seen.rest_tips[b, 0] + seen.rest_tips[b, 1])


def _trunk_points(seen: Observation) -> ndarray:
    """Indices of the observed surface points that are nearest to a bone of the trunk, or to a hip, at rest."""
    a, b = seen.rest_joints, seen.rest_tips
    along = b - a
    away = seen.rest_surface[:, None] - a
    share = np.clip((away * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-12), 0.0, 1.0)
    nearest = np.linalg.norm(away - share[..., None] * along, axis=-1).argmin(1)
    on_trunk = np.isin(nearest, trunk_bones(seen))
    hips = [limb.bones[0] for limb in seen.anatomy.legs]
    at_hip = np.isin(nearest, hips) & (share[np.arange(len(nearest)), nearest] < 0.5)
    found = np.flatnonzero(on_trunk | at_hip)
    return found if len(found) else np.arange(len(nearest))


def _low(c: PostureChange, posture: Posture) -> float:
    return SIT_DROP.above(posture.drop / max(c.least_drop, 1e-3))


def _head_is_up(c: PostureChange, posture: Posture) -> float:
    if c.several_pairs:
        share = (posture.drop - posture.front_drop) / max(posture.drop, 0.5 * c.least_drop)
        return max(FRONT_STAYS_UP.above(share), PITCHED_UP.above(posture.pitch))
    return HEAD_STAYS_UP.above(posture.head_up)


def _sits(c: PostureChange, posture: Posture) -> float:
    return _low(c, posture) * _head_is_up(c, posture) * (1.0 - ROLLED_OVER.above(posture.tilt))


def _lies(c: PostureChange, posture: Posture) -> float:
    ground = ON_GROUND.below((posture.belly - 0.02) / max(c.room, 0.1))
    low = SIT_DROP.above(posture.mean_drop / max(c.least_drop, 1e-3))
    return low * ground * (1.0 - _head_is_up(c, posture))


def _stands(posture: Posture, other: Posture) -> float:
    return STANDS.below(posture.mean_drop / max(other.mean_drop, 1e-3))


def _tips_over(c: PostureChange) -> float:
    over = ROLLED_OVER.above(c.end.tilt) * ROLLED_OVER.below(c.start.tilt)
    return over * (FALL_SPEED_UPRIGHT if c.upright else FALL_SPEED).above(c.fall_speed)


def sit_down(seen: Observation) -> float:
    """The pelvis sinks and stays low while head and trunk stay up."""
    c = posture_change(seen)
    return _stands(c.start, c.end) * _sits(c, c.end) * IN_PLACE.below(c.walked - 0.6)


def stand_up(seen: Observation) -> float:
    """The pelvis rises from a seat to its standing height."""
    c = posture_change(seen)
    return _sits(c, c.start) * _stands(c.end, c.start) * IN_PLACE.below(c.walked - 0.6)


def lie_down(seen: Observation) -> float:
    """Trunk and head sink to the ground, without a fall, and stay there."""
    c = posture_change(seen)
    return _stands(c.start, c.end) * _lies(c, c.end) * (1.0 - _tips_over(c))


def get_up(seen: Observation) -> float:
    """The trunk rises from the ground to its standing height."""
    c = posture_change(seen)
    return _stands(c.end, c.start) * _lies(c, c.start)


def fall_down(seen: Observation) -> float:
    """The body tips over fast, ends on the ground and stays still."""
    c = posture_change(seen)
    return _tips_over(c) * STILL_SPEED.below(c.end_speed)


def get_hit(seen: Observation) -> float:
    """The front of the trunk jerks back at once and recovers slowly, while the body stays in its place."""
    ahead = (_front(seen) * seen.ahead[0]).sum(1) / seen.leg
    speed = np.diff(ahead) * seen.fps * np.sqrt(seen.leg / EARTH_GRAVITY)
    back, forth = float(-speed.min()), max(float(speed.max()), 0.1)
    jerk = JERK_SPEED.above(back) * JERK_RATIO.above(back / forth) * JERK_WAY.above(float(np.ptp(ahead)))
    c = posture_change(seen)
    return jerk * JERK_TRAVEL.below(c.walked) * (1.0 - ROLLED_OVER.above(c.end.tilt))


def stretch(seen: Observation) -> float:
    """Limbs or trunk extend slowly to their limits and come back."""
    c = posture_change(seen)
    front = _front(seen)
    speed = np.linalg.norm(np.diff(front, axis=0), axis=1).max() * seen.fps / np.sqrt(EARTH_GRAVITY * seen.leg)
    calm = STRETCH_SPEED.below(float(speed)) * IN_PLACE.below(c.walked)
    return calm * max(_arms_stretch(seen), _bows(seen), _rises(seen), _leg_stretches(seen))


def _arms_stretch(seen: Observation) -> float:
    """Score of both arms being straight above the shoulders at one time, and not at another."""
    scores = []
    for arm in seen.anatomy.of(BodyPart.ARM):
        bones = list(arm.bones[1:] if len(arm.bones) > 3 else arm.bones)
        length = float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum())
        away = seen.tips[:, bones[-1]] - seen.joints[:, bones[0]]
        straight = np.linalg.norm(away, axis=1) / max(length, 1e-9)
        up = away[:, 1] / max(length, 1e-9)
        scores.append([ARMS_STRAIGHT.above(a) * ARMS_UP.above(b) for a, b in zip(straight, up, strict=True)])
    if len(scores) < 2:
        return 0.0
    both = np.min(scores, axis=0)
    return float(both.max() * (1.0 - both.min()) * (1.0 - both[-2:].mean()))


def _bows(seen: Observation) -> float:
    """Score of a quadruped's front that sinks below its rear while the forefeet reach ahead."""
    hips = _front_hips(seen)
    if len(seen.feet) != 4 or not hips:
        return 0.0
    front, rear = seen.joints[:, hips].mean(1), seen.joints[:, 0]
    below = (rear - front)[:, 1] / seen.leg
    feet = np.mean([foot.points.mean(1) for foot in seen.feet if foot.limb.bones[0] in hips], axis=0)
    reach = ((feet - front) * seen.ahead).sum(1) / seen.leg
    high = REAR_STAYS_UP.below(float(seen.rest_joints[0, 1] - rear[:, 1].min()) / seen.leg)
    return high * BOW_DROP.above(float(np.ptp(below))) * BOW_REACH.above(float(np.ptp(reach)))


def _rises(seen: Observation) -> float:
    """Score of a body of many or sprawled legs that rises on them."""
    if len({foot.limb.pair for foot in seen.feet}) < 2:
        return 0.0
    front = _front(seen)[:, 1] - _rest_front(seen)
    high = np.minimum(front, seen.joints[:, 0, 1] - seen.rest_joints[0, 1])
    return STRETCH_RISE.above(float(np.quantile(high, 0.95)) / seen.leg)


def _leg_stretches(seen: Observation) -> float:
    """Score of a body that puts one foot far back and keeps it there while its partner stands."""
    best = 0.0
    for pair in {foot.limb.pair for foot in seen.feet}:
        feet = [foot for foot in seen.feet if foot.limb.pair == pair]
        if len(feet) != 2:
            continue
        ways = [(foot.points.mean(1) * seen.ahead[0]).sum(1) / seen.leg for foot in feet]
        at_rest = [float(seen.rest_tips[foot.limb.bones[-1], 0]) / seen.leg for foot in feet]
        stagger = (ways[0] - ways[1]) - (at_rest[0] - at_rest[1])
        sign = 1.0 if -stagger.min() > stagger.max() else -1.0
        back, moved = -sign * stagger, ways[0 if sign > 0 else 1]
        stays = float(np.quantile(back, 0.7)) / max(float(back.max()), 1e-6)
        one_way = LEG_BACK.below(2.0 * max(float(-back.min()), 0.0)) * LEG_BACK.above(float(np.ptp(moved)))
        best = max(best, LEG_BACK.above(float(back.max())) * one_way * LEG_STAYS_BACK.above(stays))
    return best if len(seen.feet) in (2, 4) else 0.0


POSTURE_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "sit down": sit_down,
    "stand up": stand_up,
    "lie down": lie_down,
    "get up": get_up,
    "stretch": stretch,
    "get hit": get_hit,
    "fall down": fall_down,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
