"""Actions of the head: eat, peck, bite."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose
from gambol.creatures.gaits.foot_paths import FootPath
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import flick_ears, lift_low, wave_tails
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.leg_motion import MAX_STANCE_STRETCH
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import (
    FrameCurve,
    action_phase,
    keyframe_curve,
    lifted_foot,
    make_trunk_motion,
    plant_feet,
    relax_limbs,
    trunk_tilt,
)
from gambol.creatures.gaits.strides import folding_room, lunge_share
from gambol.creatures.gaits.trunk_motion import pose_trunk
from gambol.motion.folding_limb_ik import turn


def reach_down(body: MovingBody, builder: PoseBuilder, amount: FrameCurve, low: float) -> None:
    """Lower the head by an amount in [0, 1], first with the neck, then with the trunk, which is `low` metres lower."""
    frames = len(builder)
    biped = body.pairs == 1
    bow = (0.9 if biped else _deepest_bow(body, low)) * (amount if biped else np.clip((amount - 0.45) / 0.55, 0.0, 1.0))
    L = body.leg_length
    trunk = make_trunk_motion(
        frames, pitch=-bow, height=-low - 0.12 * L * amount * (0.0 if biped else 1.0) * np.clip(2 * amount - 1, 0, 1)
    )
    pose_trunk(body, builder, trunk)
    if body.neck:
        builder.bend(body.neck, PITCH_AXIS, -(2.3 if biped else 2.1) * amount)
    if body.head is not None:
        builder.orient_chain((body.head,), turn(PITCH_AXIS, -1.05 * amount))


def _deepest_bow(body: MovingBody, low: float) -> float:
    """Return how far a trunk on several pairs of legs can bow as its legs fold and stretch, at most 0.5 radians."""
    fold = min(folding_room(body, leg, low / body.leg_length) for leg in body.legs if leg.limb.pair == 0)
    last = [leg.chain for leg in body.legs if leg.limb.pair == body.pairs - 1]
    rise = min(MAX_STANCE_STRETCH * chain.longest - chain.rest for chain in last) + low
    return float(np.arcsin(np.clip((0.8 * fold + rise) / max(body.trunk_length, 1e-9), 0.0, np.sin(0.5))))


def eat(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lower the head to the ground, nibble or peck, and raise it again."""
    s, span = action_phase(body, style, times, 2.4 if body.pairs > 1 else 1.3)
    frames = len(times.seconds)
    low = min(style.crouch * body.leg_length, 0.4 * body.clearance)
    most = amount_to_ground(body, low)
    down = keyframe_curve(s, [(0, 0), (0.08, 0), (0.34, 1), (0.74, 1), (0.95, 0), (1, 0)])
    bites = max(2, round((2.0 if body.pairs > 1 else 4.5) * span * 0.4))
    nibble = np.sin(np.pi * bites * np.clip((s - 0.34) / 0.4, 0.0, 1.0)) ** 2
    depth = 0.06 if body.pairs > 1 else 0.3
    amount = most * down * (1.0 - depth * style.exaggeration * nibble)
    builder = PoseBuilder(body.skeleton, frames)
    reach_down(body, builder, amount, low)
    plant_feet(body, builder, times)
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.3 * nibble * down)
    flick_ears(body, builder, 0.15 * nibble * down)
    trunk = make_trunk_motion(frames)
    relax_limbs(body, builder, trunk, times, arms=ArmPose(), wings=WingPose(1.0))
    wave_tails(body, builder, 0.4 * style.exaggeration, 0.0, times.whole_cycles(0.5) * times.seconds)
    lift_low(body, builder, loop=times.loop)
    return builder


def amount_to_ground(body: MovingBody, low: float) -> float:
    """Return the largest amount of `reach_down` that keeps the head above the ground; without one, all but the legs."""
    tries = np.linspace(0.0, 1.0, 41)
    builder = PoseBuilder(body.skeleton, len(tries))
    reach_down(body, builder, tries, low)
    legs = {b for leg in body.legs for b in bones_under(body.skeleton, leg.bones[0])}
    bones = [b for b in (body.head, body.jaw, *body.neck) if b is not None]
    if body.pairs > 2:  # feelers, jaws and claws are below the head
        bones += [*body.head_bones, *(b for arm in body.arms for b in bones_under(body.skeleton, arm.upper))]
    bones = bones or [b for b in range(len(body.skeleton)) if b not in legs]
    lowest = np.full(len(tries), np.inf)
    for bone in bones:
        points = body.hull[body.hull_bones == bone]
        if len(points):
            lowest = np.minimum(lowest, builder.point(bone, points)[..., 1].min(1))
    above = lowest > 0.012 * body.size
    first_below = int(np.argmin(above)) if not above.all() else len(tries)
    return float(tries[max(first_below - 1, 0)])


def bite(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Bite: draw back, lunge ahead with the head, snap, return; a body without a neck strikes with its forelegs."""
    s, _ = action_phase(body, style, times, 1.2)
    L, e, frames = body.leg_length, style.exaggeration, len(times.seconds)
    lunge = keyframe_curve(s, [(0, 0), (0.3, -0.6), (0.46, 1.0), (0.56, 0.9), (0.85, 0.0), (1, 0.0)])
    draw, thrust = np.clip(-lunge, 0.0, 1.0), np.clip(lunge, 0.0, 1.0)
    shake = thrust * np.sin(2 * np.pi * 3.0 * np.clip((s - 0.46) / 0.3, 0.0, 1.0))
    low = min((0.06 + style.crouch) * L, 0.5 * body.clearance)
    far = 0.3 * L * style.stride
    ground = np.stack([far * lunge_share(body, 0.6 * far, far) * lunge, np.zeros(frames), np.zeros(frames)], -1)
    neckless = not body.neck
    trunk = make_trunk_motion(
        frames,
        ground=ground,
        height=-low * (0.4 + draw + 0.5 * thrust),
        pitch=trunk_tilt(body, 1.4 * low, (0.5 if neckless and body.pairs > 2 else 0.12) * e)
        * (draw - thrust * (0.2 if neckless else 1.0)),
    )
    builder = PoseBuilder(body.skeleton, frames)
    pose_trunk(body, builder, trunk)
    if body.neck:
        builder.bend(body.neck, PITCH_AXIS, (0.6 * draw - 0.7 * thrust) * e)
        if body.head is not None:
            builder.turn(body.head, PITCH_AXIS, (0.1 * draw + 0.6 * thrust) * e)
            builder.bend((*body.neck, body.head), UP_AXIS, 0.3 * shake * e)
    if body.jaw is not None:
        gape = keyframe_curve(s, [(0, 0), (0.3, 0.7), (0.44, 1.0), (0.5, 0.0), (1, 0)])
        builder.turn(body.jaw, PITCH_AXIS, -0.6 * gape)
    feet = _raised_forelegs(body, style, draw, thrust) if neckless and body.pairs > 2 else {}
    plant_feet(body, builder, times, feet)
    relax_limbs(body, builder, trunk, times, arms=ArmPose(0.3 * lunge, 0.1, 0.4), wings=WingPose(1.0))
    wave_tails(body, builder, 0.2 * e, 0.0, s)
    lift_low(body, builder, loop=times.loop)
    return builder


def _raised_forelegs(body: MovingBody, style: MotionStyle, draw: FrameCurve, thrust: FrameCurve) -> dict[int, FootPath]:
    """Return paths of the first pair of feet that go up and then strike ahead."""
    L, frames = body.leg_length, len(draw)
    feet = {}
    for place, leg in enumerate(body.legs):
        if leg.limb.pair == 0:
            high = np.clip(1.6 * draw, 0.0, 1.0)
            up = L * (0.75 * high + 0.12 * thrust)
            aside = -0.2 * high * leg.sole[2]
            feet[place] = lifted_foot(
                leg, L * (-0.15 * draw + 0.3 * thrust), up, np.zeros(frames), up < 1e-3 * L, aside
            )
    return feet
