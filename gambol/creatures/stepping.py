"""Gaits put together: speed from the leg length, prints along the path, the trunk over them, the legs to them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.arm_motion import WingPose, pose_wings, swing_arms
from gambol.creatures.body_motion import (
    GRAVITY,
    BodyWaves,
    Signals,
    ballistic_height,
    bob_head,
    carry_trunk,
    flick_ears,
    gait_carriage,
    gait_signals,
    hold_and_thrust,
    lift_low,
    lower_neck,
    move_spine,
    steady_head,
    steady_tails,
    wave_tails,
)
from gambol.creatures.foot_paths import FootPath, Prints, Roll, foot_path, foot_turn, roll_pitch, rolled, toe_bend
from gambol.creatures.gait_kinds import Gait
from gambol.creatures.gait_patterns import flights, leg_phase
from gambol.creatures.leg_motion import fit_height, plant_legs, sinking
from gambol.creatures.leg_shape import ROLL_ANGLES, Leg
from gambol.creatures.moving_body import MovingBody
from gambol.creatures.posing import UP_AXIS, Posing
from gambol.creatures.style import MotionStyle
from gambol.motion.limb_ik import EXACT_SHORT, turn


@dataclass(frozen=True)
class Times:
    """The frames of a clip."""

    seconds: Float[ndarray, "frames"]
    loop: bool
    """Whether the last frame repeats the first."""

    @property
    def span(self) -> float:
        """From the first frame to the last."""
        return float(self.seconds[-1]) if len(self.seconds) > 1 else 1.0

    def whole_cycles(self, frequency: float) -> float:
        """The frequency nearest to this one that fits a whole number of cycles into a loop."""
        if not self.loop:
            return frequency
        return max(1, round(frequency * self.span)) / self.span


@dataclass(frozen=True)
class Pace:
    """How fast and how far a gait goes."""

    frequency: float
    """Cycles per second."""
    stride: float
    """Metres per cycle that the legs swing."""
    speed: float
    """Metres per second over the ground."""
    turning: float
    """Radians per second to the left."""


def natural_stride(froude: float, leg_length: float) -> float:
    """Alexander 1976: stride / leg = 2.3 Fr^0.3, for mammals and birds from mouse to elephant."""
    return 2.3 * froude**0.3 * leg_length


def natural_speed(froude: float, leg_length: float) -> float:
    """v = sqrt(Fr g L): equal Froude numbers are dynamically similar motions."""
    return float(np.sqrt(froude * GRAVITY * leg_length))


def pace(body: MovingBody, gait: Gait, style: MotionStyle, times: Times) -> Pace:
    """Frequency by Froude number and tempo, stride as far as the legs reach; speed = stride x frequency."""
    L = body.leg_length
    natural = natural_stride(gait.froude, L)
    frequency = times.whole_cycles(gait.tempo * style.tempo * natural_speed(gait.froude, L) / natural)
    stride = reachable_stride(body, gait, gait.stride * style.stride * natural, style.crouch)
    return Pace(frequency, stride, gait.travel * stride * frequency, gait.yaw * frequency * min(1.0, style.stride))


def reachable_stride(body: MovingBody, gait: Gait, wanted: float, crouch: float) -> float:
    """The longest stride up to `wanted` for which no hip has to sink further than `gait.sinking` leg lengths."""
    strides = wanted * np.linspace(1.0, 0.25, 26)
    worst = np.zeros(len(strides))
    for leg in body.legs:
        duty = gait.footfall.duty_of(leg.limb.pair, leg.left)
        phase = np.linspace(0.0, duty, 12)
        room = folding_room(body, leg, gait.crouch + crouch)
        for k, stride in enumerate(strides):
            pitch = roll_pitch(phase, duty, leg_roll(leg, gait.roll, stride * duty, room))
            shift, rise = rolled(leg, pitch, toe_bend(leg, pitch, 0.0))
            sole = (
                leg.sole + ((0.5 * duty - phase) * stride + shift)[:, None] * [1.0, 0.0, 0.0] + rise[:, None] * UP_AXIS
            )
            offset = leg.chain.joints[-1] - leg.sole
            ankle = sole + foot_turn(leg, np.zeros(12), pitch) @ offset if leg.foot is not None else sole
            hip = leg.hip - (gait.crouch + crouch) * body.leg_length * UP_AXIS
            worst[k] = max(worst[k], float(sinking(leg, hip, ankle).max()))
            if worst[k] <= gait.sinking * body.leg_length:
                break
    fits = worst <= gait.sinking * body.leg_length
    return float(strides[int(np.argmax(fits))]) if fits.any() else float(strides[-1])


def leg_roll(leg: Leg, roll: Roll, stance_travel: float, room: float) -> Roll:
    """A foot's own roll: a long stiff one (cannon and hoof) rocks with its leg; `room` bounds the ankle's rise."""
    half_angle = float(np.arctan2(0.5 * stance_travel, max(leg.height, 1e-9)))
    stiff = leg.long_foot
    push = roll.push * (1.0 - 0.6 * stiff)
    rock = stiff * 0.8 * half_angle
    return Roll(
        roll.strike * (1.0 - 0.7 * stiff),
        heel_limit(leg, push, 0.5 * room),
        heel_limit(leg, roll.droop, 0.45 * room),
        rock,
    )


def heel_limit(leg: Leg, pitch: float, room: float) -> float:
    """The tilt nearest to a negative `pitch` that raises the sole's middle by no more than `room` metres."""
    fits = (leg.roll.rise <= max(room, 0.0)) & (ROLL_ANGLES <= 0) & (pitch <= ROLL_ANGLES)
    return float(ROLL_ANGLES[fits].min(initial=0.0))


def folding_room(body: MovingBody, leg: Leg, crouch: float) -> float:
    """How far a foot can be drawn up under the hip, metres, for a crouch in leg lengths."""
    return max(leg.chain.rest - crouch * body.leg_length - EXACT_SHORT * leg.chain.shortest, 0.06 * leg.length)


def ground_path(
    pace: Pace, seconds: Float[ndarray, "frames"]
) -> tuple[Float[ndarray, "frames 3"], Float[ndarray, "frames"]]:
    """Displacement and heading at some times: straight on, or a circle of radius v / w, left being -z.

    x = v / w sin(w t), z = -v / w (1 - cos(w t)).
    """
    heading = pace.turning * seconds
    ahead = np.sinc(heading / np.pi)  # sin(h) / h
    aside = np.sin(0.5 * heading) * np.sinc(0.5 * heading / np.pi)  # (1 - cos(h)) / h
    way = pace.speed * seconds
    return np.stack([way * ahead, np.zeros_like(way), -way * aside], -1), heading


def leg_prints(
    body: MovingBody,
    leg: Leg,
    pace: Pace,
    phase: Float[ndarray, "frames"],
    duty: float,
    seconds: Float[ndarray, "frames"],
    narrow: float,
) -> Prints:
    """The prints before and after every frame: where the leg's rest place is when the body passes over mid-stance."""
    middle = seconds - (phase - 0.5 * duty) / pace.frequency
    place = leg.sole - body.centre * [1.0, 0.0, 1.0]
    place = place * [1.0, 1.0, narrow]
    prints, headings = [], []
    for t in (middle, middle + 1.0 / pace.frequency):
        ground, heading = ground_path(pace, t)
        prints.append(ground + body.centre * [1.0, 0.0, 1.0] + turn(UP_AXIS, heading) @ place)
        headings.append(heading)
    return Prints(prints[0], prints[1], headings[0], headings[1])


def tread_width(leg: Leg, narrow: float) -> float:
    """How far a foot may come in: its own width stays on its side of the middle."""
    aside = max(abs(float(leg.sole[2])), 1e-9)
    return max(narrow, min(1.15 * leg.half_width / aside, 1.0))


@dataclass(frozen=True)
class GaitPlan:
    """A gait as it will be stepped: with the style's footfall and pace, and its phase in every frame."""

    gait: Gait
    pace: Pace
    phase: Float[ndarray, "frames"]
    """Cycles."""

    def stance(self, pair: int, left: bool) -> Bool[ndarray, "frames"]:
        """Whether a leg is meant to be on the ground."""
        footfall = self.gait.footfall
        return leg_phase(self.phase, footfall.touchdown(pair, left)) < footfall.duty_of(pair, left)


def plan_gait(body: MovingBody, gait: Gait, style: MotionStyle, times: Times) -> GaitPlan:
    """Mirror the footfall as the style asks, lengthen the flights by its bounce, set the pace."""
    footfall = gait.footfall.mirrored() if style.mirrored else gait.footfall
    if flights(footfall):
        footfall = footfall.with_duty(-0.05 * (style.bounce - 1.0))
    gait = replace(gait, footfall=footfall)
    tempo = pace(body, gait, style, times)
    return GaitPlan(gait, tempo, style.phase + tempo.frequency * times.seconds)


def gait_feet(
    body: MovingBody,
    plan: GaitPlan,
    style: MotionStyle,
    seconds: Float[ndarray, "frames"],
    rises: list[Float[ndarray, "frames"]],
) -> list[FootPath]:
    """The path of every foot; a swinging foot rises with its hip (`rises`)."""
    gait, tempo, paths = plan.gait, plan.pace, []
    for leg, rise in zip(body.legs, rises, strict=True):
        duty = gait.footfall.duty_of(leg.limb.pair, leg.left)
        own = leg_phase(plan.phase, gait.footfall.touchdown(leg.limb.pair, leg.left))
        prints = leg_prints(body, leg, tempo, own, duty, seconds, tread_width(leg, gait.narrow * style.width))
        room = folding_room(body, leg, gait.crouch + style.crouch)
        pitch = roll_pitch(own, duty, leg_roll(leg, gait.roll, tempo.stride * gait.travel * duty, room))
        lift = min(gait.lift * style.lift * body.leg_length, 0.6 * room) + np.maximum(rise, 0.0)
        paths.append(foot_path(leg, own, duty, prints, pitch, lift))
    return paths


def step(body: MovingBody, gait: Gait, style: MotionStyle, times: Times) -> Posing:
    """A gait as a posing."""
    plan = plan_gait(body, gait, style, times)
    gait, tempo, phase, footfall = plan.gait, plan.pace, plan.phase, plan.gait.footfall
    flying = bool(flights(footfall))
    signals = gait_signals(footfall, phase)
    ground, heading = ground_path(tempo, times.seconds)
    low = min((gait.crouch + style.crouch) * body.leg_length, 0.5 * body.clearance)
    rise = ballistic_height(footfall, phase, 1.0 / tempo.frequency) if flying else np.zeros_like(phase)
    waves = scaled_waves(body, gait, style)
    posing = Posing(body.skeleton, len(phase))
    bounce = 0.0 if flying else style.bounce  # a body that flies rises and falls as its flights say
    carry_trunk(body, posing, gait_carriage(body, waves, signals, ground, heading, rise - low, bounce))
    move_spine(body, posing, waves, signals)
    _, joints = posing.displacements()
    rises = [joints[:, leg.bones[0], 1] - (leg.hip[1] - low) for leg in body.legs]
    paths = gait_feet(body, plan, style, times.seconds, rises)
    width = 0 if flying else max(3, round(0.3 / tempo.frequency * (len(phase) - 1) / times.span))
    fit_height(body, posing, paths, width=width, loop=times.loop)
    plant_legs(body, posing, paths)
    move_rest(body, posing, gait, style, signals, heading, times)
    return posing


def scaled_waves(body: MovingBody, gait: Gait, style: MotionStyle) -> BodyWaves:
    """The gait's body waves, exaggerated as the style asks; long and big bodies tilt and arch less."""
    e, w = style.exaggeration, gait.waves
    names = ("sway", "roll", "yaw", "counter", "nod", "nod_once", "tail_sway", "tail_wag")
    tilt = e * float(np.clip(1.2 * body.leg_length / max(body.trunk_length, 1e-9), 0.3, 1.0))
    stiff = float(np.clip(1.3 - 0.3 * body.size, 0.35, 1.0))
    return replace(w, rock=tilt * w.rock, flex=tilt * stiff * w.flex, **{name: e * getattr(w, name) for name in names})


def move_rest(
    body: MovingBody,
    posing: Posing,
    gait: Gait,
    style: MotionStyle,
    signals: Signals,
    heading: Float[ndarray, "frames"],
    times: Times,
) -> None:
    """Everything that does not carry: neck, head, ears, tail, arms, wings."""
    waves = scaled_waves(body, gait, style)
    last = len(signals.side) - 1
    aside, nod = wander(style, times)
    look = gait.head_scan * np.sin(2 * np.pi * times.whole_cycles(0.4) * times.seconds) + aside
    tilt = style.head + nod + waves.nod * signals.vault[0] - waves.nod_once * signals.side[0]
    lower_neck(body, posing, waves.neck_low)
    if waves.bob:
        bob_head(
            body,
            posing,
            waves.bob * body.leg_length * hold_and_thrust(signals.phase - gait.footfall.touchdown(0, True)),
        )
    steady_head(body, posing, heading, tilt, look, waves.steady)
    flick_ears(body, posing, 0.12 * style.exaggeration * signals.vault[last])
    lead = gait.footfall.touchdown(last, True)
    steady_tails(body, posing, heading, 0.75)
    wave_tails(body, posing, waves.tail_sway, waves.tail_wag, signals.phase - lead, waves.tail_raise)
    swing_arms(body, posing, -gait.arms * style.exaggeration * signals.step[0], gait.elbow, back=gait.arms_back)
    if body.wings:
        pose_wings(body, posing, WingPose(1.0))
    lift_low(body, posing, loop=times.loop)


def wander(style: MotionStyle, times: Times) -> tuple[Float[ndarray, "frames"], Float[ndarray, "frames"]]:
    """Slow irregular yaw and pitch: three harmonics of the clip's length, below 1 Hz, from the style's seed."""
    generator = np.random.default_rng(style.seed)
    result = []
    for size in (0.22, 0.09):
        top = max(1, int(0.9 * times.span))
        counts = generator.integers(1, top + 1, 3)
        sizes, phases = generator.uniform(0.3, 1.0, 3), generator.uniform(0.0, 2 * np.pi, 3)
        angle = 2 * np.pi * counts[:, None] * times.seconds / times.span + phases[:, None]
        result.append(size * style.wander / 3.0 * (sizes[:, None] * np.sin(angle)).sum(0))
    return result[0], result[1]
