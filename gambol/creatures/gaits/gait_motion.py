"""Gaits put together: speed from the leg length, prints along the path, the trunk over them, the legs to them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import WingPose, pose_wings, swing_arms
from gambol.creatures.gaits.foot_paths import FootPath, Prints, foot_path, roll_pitch
from gambol.creatures.gaits.footfalls import flights, leg_phase
from gambol.creatures.gaits.gait_kinds import Gait
from gambol.creatures.gaits.leg_motion import all_in_reach, fit_height, plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS, Posing
from gambol.creatures.gaits.strides import (
    folding_room,
    gait_treads,
    landing_stretch,
    leg_roll,
    natural_speed,
    natural_stride,
    reachable_share,
    scaled_waves,
)
from gambol.creatures.gaits.trunk_motion import (
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
from gambol.motion.limb_ik import turn

TAMER = (1.0, 0.6, 0.3, 0.0)
"""Shares of the trunk's sideways movement that are tried until all standing feet are in reach."""


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


def pace(body: MovingBody, gait: Gait, style: MotionStyle, times: Times) -> Pace:
    """Frequency by Froude number and tempo, stride as far as the legs reach; speed = stride x frequency."""
    L = body.leg_length
    natural = natural_stride(gait.froude, L)
    frequency = times.whole_cycles(gait.tempo * style.tempo * natural_speed(gait.froude, L) / natural)
    gait = replace(gait, yaw=gait.yaw * min(1.0, style.stride))
    wanted = gait.stride * style.stride * natural
    share = reachable_share(body, gait, wanted, style)
    return Pace(frequency, share * wanted, gait.travel * share * wanted * frequency, share * gait.yaw * frequency)


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
    pace: Pace,
    phase: Float[ndarray, "frames"],
    duty: float,
    seconds: Float[ndarray, "frames"],
    tread: Float[ndarray, "3"],
) -> Prints:
    """The prints before and after every frame: where the leg's tread is when the body passes over mid-stance."""
    middle = seconds - (phase - 0.5 * duty) / pace.frequency
    place = tread - body.centre * [1.0, 0.0, 1.0]
    prints, headings = [], []
    for t in (middle, middle + 1.0 / pace.frequency):
        ground, heading = ground_path(pace, t)
        prints.append(ground + body.centre * [1.0, 0.0, 1.0] + turn(UP_AXIS, heading) @ place)
        headings.append(heading)
    return Prints(prints[0], prints[1], headings[0], headings[1])


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
    treads = gait_treads(body, gait, style, tempo.stride)
    for leg, rise, tread in zip(body.legs, rises, treads, strict=True):
        duty = gait.footfall.duty_of(leg.limb.pair, leg.left)
        own = leg_phase(plan.phase, gait.footfall.touchdown(leg.limb.pair, leg.left))
        prints = leg_prints(body, tempo, own, duty, seconds, tread)
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
    bounce = 0.0 if flying else style.bounce  # a body that flies rises and falls as its flights say
    for share in TAMER:
        waves = scaled_waves(body, gait, style, share)
        posing = Posing(body.skeleton, len(phase))
        carry_trunk(body, posing, gait_carriage(body, waves, signals, ground, heading, rise - low, bounce))
        move_spine(body, posing, waves, signals)
        _, joints = posing.displacements()
        rises = [joints[:, leg.bones[0], 1] - (leg.hip[1] - low) for leg in body.legs]
        paths = gait_feet(body, plan, style, times.seconds, rises)
        if all_in_reach(body, posing, paths):
            break
    slow = 0.3 if body.pairs > 1 else 0.16  # two legs carry the body over them, up and down
    width = 0 if flying else max(3, round(slow / tempo.frequency * (len(phase) - 1) / times.span))
    fit_height(body, posing, paths, width=width, loop=times.loop, stretch=landing_stretch(body, gait))
    plant_legs(body, posing, paths)
    move_rest(body, posing, gait, style, signals, heading, times)
    return posing


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
