"""Crawling on hands and knees: a level trunk over planted knees and hands, shins trailing on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.gaits.foot_paths import swing_lift, swing_progress
from gambol.creatures.gaits.footfalls import SPRAWLED_WALK, leg_phase
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_head
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import make_trunk_motion
from gambol.creatures.gaits.strides import natural_speed, natural_stride
from gambol.creatures.gaits.trunk_motion import gait_signals, pose_trunk

CRAWL_FROUDE = 0.06
"""Froude number of a crawl, over the length of the legs."""
CRAWL_STRIDE = 1.1
"""Stride of a crawl, thigh lengths."""
LONGEST_CRAWL_STRIDE = 1.4
"""Longest stride of a crawl, thigh lengths."""
CRAWL_DUTY = 0.6
"""Share of the cycle that each knee and hand stands."""
HAND_REACH = 0.93
"""Largest distance of a standing hand from its shoulder, as a share of the stretched arm."""
STEEPEST_TRUNK, LEVEL_TRUNK = -0.9, -1.75
"""Pitches between which the trunk is tilted until the hands reach the ground, radians."""


@dataclass(frozen=True)
class CrawlStride:
    """Strides of a crawl; lengths in metres."""

    frequency: float
    """Cycles per second."""
    length: float
    """Distance per cycle."""
    phase: Float[ndarray, "frames"]
    """Phase of the cycle."""
    travelled: Float[ndarray, "frames"]
    """Way of the body."""

    def offset(self, touchdown: float) -> tuple[Float[ndarray, "frames"], Float[ndarray, "frames"]]:
        """Return how far a limb is ahead of its middle place, and its lift from 0 to 1."""
        own = leg_phase(self.phase, touchdown)
        share = np.clip((own - CRAWL_DUTY) / (1.0 - CRAWL_DUTY), 0.0, 1.0)
        return self.length * (0.5 * CRAWL_DUTY - own + swing_progress(share)), swing_lift(share, 0.1)


def crawl_on_hands_and_knees(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Crawl on hands and knees, each hand nearly together with the opposite knee."""
    L, e = body.leg_length, style.exaggeration
    thighs = [_thigh(body, leg) for leg in body.legs]
    thigh = float(np.mean(thighs))
    frequency = times.whole_cycles(style.tempo * natural_speed(CRAWL_FROUDE, L) / natural_stride(CRAWL_FROUDE, L))
    length = min(CRAWL_STRIDE * style.stride, LONGEST_CRAWL_STRIDE) * thigh
    phase = style.phase + frequency * times.seconds + (0.5 if style.mirrored else 0.0)
    stride = CrawlStride(frequency, length, phase, length * frequency * times.seconds)
    signals = gait_signals(SPRAWLED_WALK, phase)
    flesh = _knee_depth(body, thigh)
    moves = [stride.offset(SPRAWLED_WALK.touchdown(1, leg.left)) for leg in body.legs]
    hip = float(np.mean([leg.hip[1] for leg in body.legs]))
    low = flesh + 0.97 * thigh - hip
    sway = 0.05 * thigh * e * signals.side[1]
    ground = np.zeros((len(phase), 3))
    ground[:, 0] = stride.travelled
    pitch = _trunk_pitch(body, low, length)
    builder = PoseBuilder(body.skeleton, len(phase))
    trunk = make_trunk_motion(
        len(phase),
        ground=ground,
        height=np.full(len(phase), low),
        sway=sway,
        roll=0.05 * e * signals.side[1],
        yaw=-0.06 * e * signals.step[1],
        pitch=np.full(len(phase), pitch) + 0.02 * style.bounce * signals.vault[1],
    )
    pose_trunk(body, builder, trunk)
    along = body.skeleton.heads[body.spine[-1]] - body.skeleton.heads[0] if body.spine else UP_AXIS
    builder.bend(body.spine, along / max(float(np.linalg.norm(along)), 1e-9), 0.1 * e * signals.step[0])
    knees = []
    for leg, (x, up) in zip(body.legs, moves, strict=True):
        aside = np.full(len(phase), float(leg.hip[2]) * (1.0 + 0.12 * style.width))
        knees.append(np.stack([stride.travelled + leg.hip[0] + x, flesh + 0.13 * style.lift * thigh * up, aside], -1))
    _rest_on_knees(body, builder, knees, thighs, [up > 1e-6 for _, up in moves])
    for leg, knee, length_of in zip(body.legs, knees, thighs, strict=True):
        _kneel(builder, leg, knee, length_of)
    for arm in body.arms:
        x, up = stride.offset(SPRAWLED_WALK.touchdown(0, arm.left))
        _plant_hand(body, builder, arm, x, 0.14 * style.lift * thigh * up, stride.travelled)
    aside, nod = head_wander(style, times)
    steady_head(body, builder, trunk.heading, style.head + nod - 0.35, aside, 0.85)
    lift_low(body, builder, loop=times.loop)
    return builder


def _thigh(body: MovingBody, leg: Leg) -> float:
    return float(np.linalg.norm(leg.chain.joints[1] - leg.chain.joints[0]))


def _knee_depth(body: MovingBody, thigh: float) -> float:
    """Return the radius of the knees, metres: the flesh between a kneeling body's joint and the ground."""
    depths = []
    for leg in body.legs:
        knee, shin = leg.chain.joints[1], leg.bones[1]
        near = body.hull[body.hull_bones == shin]
        near = near[np.abs(near[:, 1] - knee[1]) < 0.25 * thigh]
        depths.append(float((near[:, 0] - knee[0]).max(initial=0.0)))
    return float(np.clip(np.mean(depths), 0.05 * thigh, 0.3 * thigh)) + 0.006 * body.size


def _shoulder(body: MovingBody) -> Float[ndarray, "3"]:
    return np.mean([body.skeleton.heads[arm.upper] for arm in body.arms], axis=0)


def _arm_lengths(body: MovingBody, arm: Arm) -> tuple[float, float]:
    """Return the lengths of the upper arm and of the forearm to the wrist, metres."""
    heads, tails = body.skeleton.heads, body.skeleton.tails
    elbow = heads[arm.fore] if arm.fore is not None else tails[arm.upper]
    wrist = heads[arm.hand] if arm.hand is not None else tails[arm.fore] if arm.fore is not None else elbow
    return float(np.linalg.norm(elbow - heads[arm.upper])), float(np.linalg.norm(wrist - elbow))


def _hand_height(body: MovingBody, arm: Arm) -> float:
    """Return the height of the wrist over a flat hand on the ground, metres."""
    if arm.hand is None:
        return 0.02 * body.size
    wrist = body.skeleton.heads[arm.hand]
    mine = body.hull[body.hull_bones == arm.hand] - wrist
    along = body.skeleton.tails[arm.hand] - wrist
    along = along / max(float(np.linalg.norm(along)), 1e-9)
    across = mine - (mine @ along)[:, None] * along
    return float(np.clip(np.quantile(np.linalg.norm(across, axis=1), 0.6), 0.03 * body.size, 0.04 * body.size))


def _trunk_pitch(body: MovingBody, drop: float, stride: float) -> float:
    """Return the pitch at which the shoulders are as high as the arms are long, with room for their stride."""
    shoulder = _shoulder(body)
    upper, fore = np.mean([_arm_lengths(body, arm) for arm in body.arms], axis=0)
    reach = HAND_REACH * float(upper + fore)
    wanted = np.sqrt(max(reach**2 - (0.5 * CRAWL_DUTY * stride) ** 2, (0.3 * reach) ** 2))
    wanted += _hand_height(body, body.arms[0])
    pitches = np.linspace(STEEPEST_TRUNK, LEVEL_TRUNK, 60)
    away = shoulder - body.centre
    heights = body.centre[1] + drop + away[0] * np.sin(pitches) + away[1] * np.cos(pitches)
    return float(pitches[np.argmin(np.abs(heights - wanted))])


def _rest_on_knees(
    body: MovingBody,
    builder: PoseBuilder,
    knees: list[Float[ndarray, "frames 3"]],
    thighs: list[float],
    lifted: list[Bool[ndarray, "frames"]],
) -> None:
    """Shift the root up or down so that a standing knee is on its place, and none is below it."""
    _, p = builder.displacements()
    wanted = []
    for leg, knee, thigh, up in zip(body.legs, knees, thighs, lifted, strict=True):
        away = (knee - p[:, leg.bones[0]])[:, [0, 2]]
        drop = np.sqrt(np.maximum(thigh**2 - (away**2).sum(-1), (0.3 * thigh) ** 2))
        wanted.append(np.where(up, -np.inf, knee[:, 1] + drop - p[:, leg.bones[0], 1]))
    builder.root_shift[:, 1] += np.max(wanted, axis=0)


def _kneel(builder: PoseBuilder, leg: Leg, knee: Float[ndarray, "frames 3"], thigh: float) -> None:
    """Pose a leg whose knee is at a place, or as near ahead or behind as the thigh allows, the shin lying behind it."""
    D, p = builder.displacements()
    parent = int(builder.skeleton.parents[leg.bones[0]])
    away = knee - p[:, leg.bones[0]]
    ahead, aside = away[:, 0], np.clip(away[:, 2], -0.5 * thigh, 0.5 * thigh)
    down = np.sqrt(np.maximum(thigh**2 - ahead**2 - aside**2, (0.2 * thigh) ** 2))
    down = np.minimum(down, np.maximum(-away[:, 1], 0.3 * thigh))
    flat = np.sqrt(np.maximum(thigh**2 - down**2 - aside**2, 0.0))
    forward = np.where(np.abs(ahead) > flat, ahead, np.where(ahead < 0, -flat, flat))
    direction = np.stack([forward, -down, aside], -1)
    joints = leg.chain.joints
    above = builder.aim(leg.bones[0], joints[1] - joints[0], _unit(direction), D[:, parent])
    lift = np.clip((knee[:, 1] - knee[:, 1].min()) / max(thigh, 1e-9), 0.0, 0.3)
    back = np.stack([-np.ones(len(builder)), -0.02 - 0.5 * lift, 0.1 * np.sign(aside)], -1)
    for k, bone in enumerate(leg.bones[1:], start=1):
        above = builder.aim(bone, joints[k + 1] - joints[k], _unit(back), above)
    if leg.foot is not None:
        builder.aim(leg.foot, leg.ahead, np.tile(_unit(np.array([-1.0, -0.35, 0.0])), (len(builder), 1)), above)


def _plant_hand(
    body: MovingBody,
    builder: PoseBuilder,
    arm: Arm,
    ahead: Float[ndarray, "frames"],
    lift: Float[ndarray, "frames"],
    travelled: Float[ndarray, "frames"],
) -> None:
    """Pose an arm whose hand stands `ahead` of the mean place of its shoulder, elbow to the back, fingers ahead."""
    D, p = builder.displacements()
    parent = int(builder.skeleton.parents[arm.upper])
    shoulder, side = p[:, arm.upper], -1.0 if arm.left else 1.0
    upper, fore = _arm_lengths(body, arm)
    middle = float((shoulder[:, 0] - travelled).mean())
    wrist = np.stack(
        [
            travelled + middle + ahead,
            _hand_height(body, arm) + lift,
            np.full(len(builder), float(shoulder[:, 2].mean()) + side * 0.02 * body.size),
        ],
        -1,
    )
    away = wrist - shoulder
    distance = np.linalg.norm(away, axis=-1)
    reach = np.clip(distance, abs(upper - fore) + 1e-3 * upper, 0.995 * (upper + fore))
    to_wrist = away / np.maximum(distance, 1e-9)[:, None]
    pole = np.array([-1.0, 0.0, 0.6 * side])
    bend = _unit(pole - (to_wrist @ pole)[:, None] * to_wrist)
    cosine = np.clip((upper**2 + reach**2 - fore**2) / (2.0 * upper * reach), -1.0, 1.0)
    first = cosine[:, None] * to_wrist + np.sqrt(1.0 - cosine**2)[:, None] * bend
    second = _unit(to_wrist * reach[:, None] - upper * first)
    heads, tails = body.skeleton.heads, body.skeleton.tails
    elbow = heads[arm.fore] if arm.fore is not None else tails[arm.upper]
    above = builder.aim(arm.upper, elbow - heads[arm.upper], first, D[:, parent])
    if arm.fore is None:
        return
    end = heads[arm.hand] if arm.hand is not None else tails[arm.fore]
    above = builder.aim(arm.fore, end - heads[arm.fore], second, above)
    if arm.hand is not None:
        fingers = _unit(np.stack([np.ones(len(builder)), -2.0 * lift / body.leg_length, np.zeros(len(builder))], -1))
        builder.aim(arm.hand, tails[arm.hand] - heads[arm.hand], fingers, above)


def _unit(vectors: Float[ndarray, "*frames 3"]) -> Float[ndarray, "*frames 3"]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)
