"""Cartwheel of people: a lunge aside, hands one after the other, legs apart over them, a landing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import hang_spread
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.free_limbs import (
    FULL_REACH,
    arm_length,
    chest_point,
    free_foot,
    lowest_point,
    mix_foot_paths,
    outward,
    reach_wrist,
    shoulder_frame,
)
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import ankle_target, place_leg, required_lowering, upper_envelope
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, action_phase, keyframe_curve, make_trunk_motion
from gambol.creatures.gaits.trunk_motion import pose_trunk

WRIST_HEIGHT = 0.3
"""Height of a wrist above the ground while its palm carries, hand lengths."""
CARTWHEEL_SECONDS = 2.7
"""Natural length of a cartwheel of legs of 0.9 m, seconds."""
FREE_CLEARANCE = 0.1
"""Clearance that free feet are given, leg lengths."""


@dataclass(frozen=True)
class Cartwheel:
    """Where a cartwheel touches the ground, metres along its way from the middle of the first stance, and how high."""

    side: float
    """Sign of z of the way: 1 to the right."""
    stand: float
    """Distance of a standing foot from the middle."""
    lunge: float
    """Place of the leading foot after its lunge."""
    hands: tuple[float, float]
    """Places of the first and the second hand."""
    trunk: float
    """Distance from the hips to the shoulders."""
    arm: float
    """Length of the arms to the wrists."""
    wrist: float
    """Height of a carrying wrist."""
    shoulder: float
    """Height of the shoulders over both hands."""

    @property
    def middle(self) -> float:
        """Middle between the hands."""
        return 0.5 * (self.hands[0] + self.hands[1])


def measure_cartwheel(body: MovingBody, style: MotionStyle) -> Cartwheel:
    """Lay out a cartwheel for a body: a lunge, the hands half a trunk beyond it, and the same mirrored."""
    arm = body.arms[0]
    heads = body.skeleton.heads
    trunk = float(heads[arm.upper][1] - body.centre[1])
    half = abs(float(heads[arm.upper][2]))
    reach = min(arm_length(body, other) for other in body.arms)
    stand = float(np.mean([abs(leg.sole[2]) for leg in body.legs])) * style.width
    lunge = stand + 0.6 * body.leg_length * style.stride
    first = lunge + 0.05 * body.leg_length + 0.95 * trunk + 0.3 * reach
    apart = 2.2 * half
    wrist = carrying_wrist(body, arm)
    high = float(np.sqrt(max((0.97 * reach) ** 2 - (0.5 * apart - half) ** 2, 0.0)))
    side = -1.0 if style.mirrored else 1.0
    return Cartwheel(side, stand, lunge, (first, first + apart), trunk, reach, wrist, wrist + high)


def carrying_wrist(body: MovingBody, arm: Arm) -> float:
    """Return the height of a wrist above the ground while its palm carries, metres."""
    if arm.hand is None:
        return 0.0
    return WRIST_HEIGHT * float(np.linalg.norm(body.skeleton.tails[arm.hand] - body.skeleton.heads[arm.hand]))


def palm_share(body: MovingBody, arm: Arm, wrist: Float[ndarray, "frames 3"]) -> FrameCurve:
    """Return how far a hand is turned flat to the ground, 0 to 1: not a hand's length above it, wholly on it."""
    low = carrying_wrist(body, arm)
    share = np.clip(1.15 - (wrist[:, 1] - low) / max(low / WRIST_HEIGHT, 1e-9), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def there_and_back(points: list[tuple[float, float]], end: float, sign: float = 1.0) -> list[tuple[float, float]]:
    """Continue keyframes of the first half of a motion, times up to 0.5, reversed: v(1 - t) = end + sign v(t)."""
    return points + [(1.0 - t, end + sign * v) for t, v in reversed(points) if t < 0.5]


def cartwheel(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lunge aside, place one hand after the other, pass over them with the legs apart, land one foot after the other.

    The second half is the first one in reverse, with left and right exchanged; the body looks ahead all the time.
    """
    s, _ = action_phase(body, style, times, CARTWHEEL_SECONDS)
    plan = measure_cartwheel(body, style)
    frames, loop = len(s), times.loop
    cycles = trips(s)
    builder = PoseBuilder(body.skeleton, frames)
    roll, way, height = _cartwheel_path(body, plan, s)
    travel = plan.side * (way + 2.0 * plan.middle * cycles)
    bend = keyframe_curve(
        s, [(0, 0), (0.1, -0.1), (0.22, 0.25), (0.36, 0.3), (0.5, 0), (0.64, -0.3), (0.78, -0.25), (0.9, 0.1), (1, 0)]
    )
    start = plan.side * 2.0 * plan.middle * cycles
    ground = np.stack([np.zeros(frames), np.zeros(frames), travel], -1)
    builder.bend(body.spine, ROLL_AXIS, plan.side * bend * style.exaggeration)
    builder.bend((*body.neck, *(() if body.head is None else (body.head,))), PITCH_AXIS, style.head)
    upright = 0.5 + 0.5 * np.cos(roll)
    height = height - body.leg_length * style.crouch * upright
    pose_trunk(body, builder, make_trunk_motion(frames, ground=ground, height=height, roll=plan.side * roll))
    lack = _lack(body, builder, *_cartwheel_limbs(body, builder, style, plan, s, start))
    height = height - upper_envelope(lack, max(3, frames // 10), loop=loop)
    pose_trunk(body, builder, make_trunk_motion(frames, ground=ground, height=height, roll=plan.side * roll))
    sunk = np.maximum(0.01 * body.size - _trunk_low(body, builder), 0.0)
    builder.root_shift[:, 1] += upper_envelope(sunk, max(3, frames // 10), loop=loop)
    _solve_limbs(body, builder, *_cartwheel_limbs(body, builder, style, plan, s, start))
    return builder


def _cartwheel_limbs(
    body: MovingBody, builder: PoseBuilder, style: MotionStyle, plan: Cartwheel, s: FrameCurve, start: FrameCurve
) -> tuple[list[FootPath], list[tuple[Float[ndarray, "frames 3"], FrameCurve]]]:
    """Return the paths of feet and wrists for a posed trunk."""
    feet = [_cartwheel_foot(body, builder, style, plan, leg, s, start) for leg in body.legs]
    return feet, [_cartwheel_wrist(body, builder, plan, arm, s, start) for arm in body.arms]


def trips(s: FrameCurve) -> FrameCurve:
    """Return how often a phase in [0, 1) has begun anew since the first frame."""
    return np.concatenate([[0.0], np.cumsum(np.diff(s) < -0.5)]).astype(float)


def _cartwheel_path(body: MovingBody, plan: Cartwheel, s: FrameCurve) -> tuple[FrameCurve, FrameCurve, FrameCurve]:
    """Return the roll of the trunk, and its way and height (above rest) over the cycle."""
    hips, L = float(body.centre[1]), body.leg_length
    roll = [(0, 0), (0.06, 0.0), (0.13, -0.08), (0.22, 0.35), (0.3, 1.05), (0.37, 1.8), (0.44, 2.5), (0.5, np.pi)]
    over = 2.45  # roll at which both hands carry
    shoulder = 0.96 * plan.shoulder
    reached = (plan.middle - 0.16 * plan.arm - plan.trunk * np.sin(over), shoulder - plan.trunk * np.cos(over))
    way = [
        (0, 0), (0.06, -0.01 * L), (0.13, -0.05 * L), (0.22, 0.42 * plan.lunge), (0.3, 0.85 * plan.lunge),
        (0.37, plan.lunge + 0.08 * L), (0.44, reached[0]), (0.5, plan.middle),
    ]  # fmt: skip
    high = [
        (0, 0), (0.06, -0.01 * hips), (0.13, 0.0), (0.22, -0.09 * hips), (0.3, -0.14 * hips), (0.37, -0.16 * hips),
        (0.44, reached[1] - hips), (0.5, plan.shoulder + plan.trunk - hips),
    ]  # fmt: skip
    return (
        keyframe_curve(s, there_and_back(roll, 2.0 * np.pi, -1.0)),
        keyframe_curve(s, there_and_back(way, 2.0 * plan.middle, -1.0)),
        keyframe_curve(s, there_and_back(high, 0.0)),
    )


def _cartwheel_foot(
    body: MovingBody,
    builder: PoseBuilder,
    style: MotionStyle,
    plan: Cartwheel,
    leg: Leg,
    s: FrameCurve,
    start: FrameCurve,
) -> FootPath:
    """Return the path of a foot: it stands, lunges if it leads, goes over free and stands again."""
    L, frames = body.leg_length, len(s)
    D, p = builder.displacements()
    leads = leg.left == (plan.side < 0)
    t = s if leads else 1.0 - s  # the other foot does the same in reverse, from the other end
    # the leading foot steps from its stand to the lunge, carries until the hands do, and stands again at the end
    step = keyframe_curve(t, [(0, 0), (0.1, 0), (0.22, 1), (1, 1)])
    hop = np.sin(np.pi * np.clip((t - 0.1) / 0.12, 0.0, 1.0)) ** 2
    begin, end = plan.stand, 2.0 * plan.middle + plan.stand
    near = np.where(t < 0.6, begin + step * (plan.lunge - begin), end)
    place = near if leads else 2.0 * plan.middle - near
    # seen from its own end of the way the other foot's far end is where it stood first
    tread = np.stack([np.full(frames, leg.sole[0]), 0.1 * L * style.lift * hop, plan.side * place + start], -1)
    flat = np.tile(np.eye(3), (frames, 1, 1))
    on_ground = FootPath(tread, flat, np.zeros(frames), np.ones(frames, bool), 0.1 * L * hop)
    wide = keyframe_curve(t, [(0, 0.1), (0.42, 0.3), (0.52, 0.85), (0.62, 0.75), (0.75, 0.2), (1, 0.1)])
    wide = np.minimum(wide * (0.5 + 0.5 * style.exaggeration), 1.0)
    out = -1.0 if leg.left else 1.0
    direction = np.stack([np.zeros(frames), -np.cos(wide), out * np.sin(wide)], -1)
    free = free_foot(leg, D[:, 0], p[:, leg.bones[0]], 0.96 * leg.chain.longest * direction,
                     np.full(frames, 0.8 * leg.rolls), FREE_CLEARANCE * L)  # fmt: skip
    loose = keyframe_curve(t, [(0, 0), (0.435, 0), (0.51, 1), (0.64, 1), (0.745, 0), (1, 0)])
    return mix_foot_paths(on_ground, free, loose)


def _cartwheel_wrist(
    body: MovingBody, builder: PoseBuilder, plan: Cartwheel, arm: Arm, s: FrameCurve, start: FrameCurve
) -> tuple[Float[ndarray, "frames 3"], FrameCurve]:
    """Return where a wrist goes and by what share its hand carries."""
    leads = arm.left == (plan.side < 0)
    t = s if leads else 1.0 - s
    carry = keyframe_curve(t, [(0, 0), (0.27, 0), (0.365, 1), (0.565, 1), (0.66, 0), (1, 0)])
    up = keyframe_curve(s, [(0, 0), (0.15, 1), (0.85, 1), (1, 0)])
    hang = hang_spread(body, arm)
    angle = hang + (np.pi - 0.35 - hang) * up
    free = chest_point(
        body, builder, arm, 0.95 * np.stack([0.12 * np.sin(np.pi * up), -np.cos(angle), np.sin(angle)], -1)
    )
    place = plan.side * (plan.hands[0] if leads else plan.hands[1]) + start
    ahead = np.full(len(s), float(body.centre[0]))
    planted = np.stack([ahead, np.full(len(s), plan.wrist), place], -1)
    return free + carry[:, None] * (planted - free), carry


def _lack(
    body: MovingBody,
    builder: PoseBuilder,
    feet: list[FootPath],
    wrists: list[tuple[Float[ndarray, "frames 3"], FrameCurve]],
) -> FrameCurve:
    """Return how far the body is too high for the feet and hands that carry it."""
    _, p = builder.displacements()
    down = np.zeros(len(builder))
    for leg, path in zip(body.legs, feet, strict=True):
        lack = required_lowering(leg, p[:, leg.bones[0]], ankle_target(leg, path))
        down = np.maximum(down, np.where(path.stance, lack, 0.0))
    for arm, (wrist, carry) in zip(body.arms, wrists, strict=True):
        _, shoulder = shoulder_frame(body, builder, arm)
        longest = FULL_REACH * arm_length(body, arm)
        flat = np.linalg.norm((wrist - shoulder)[:, [0, 2]], axis=-1)
        allowed = np.sqrt(np.maximum(longest**2 - flat**2, (0.3 * longest) ** 2))
        lack = shoulder[:, 1] - wrist[:, 1] - allowed
        down = np.maximum(down, np.where(carry > 0.99, lack, 0.0))
    return down


def _trunk_low(body: MovingBody, builder: PoseBuilder) -> FrameCurve:
    """Return the height of the lowest point of trunk, neck and head."""
    trunk = (0, *body.spine, *body.neck, *body.head_bones)
    return lowest_point(body, builder, ~np.isin(body.hull_bones, trunk))[0]


def _solve_limbs(
    body: MovingBody,
    builder: PoseBuilder,
    feet: list[FootPath],
    wrists: list[tuple[Float[ndarray, "frames 3"], FrameCurve]],
) -> None:
    """Solve legs and arms of a body whose trunk is posed; carrying hands lie on the ground, fingers inwards."""
    D, p = builder.displacements()
    builder.standing = np.stack([path.stance for path in feet], axis=1)
    for leg, path in zip(body.legs, feet, strict=True):
        place_leg(builder, leg, path, D[:, body.skeleton.parents[leg.bones[0]]], p[:, leg.bones[0]])
    for arm, (wrist, _) in zip(body.arms, wrists, strict=True):
        above, _ = shoulder_frame(body, builder, arm)
        fingers = (above @ np.array([-0.5, 0.0, -0.6 * outward(arm)])) * [1.0, 0.0, 1.0]
        flat = palm_share(body, arm, wrist)
        reach_wrist(body, builder, arm, wrist, pole=(-1.0, 0.0, 0.0), hand=(np.add(fingers, [0.0, 0.02, 0.0]), flat))
