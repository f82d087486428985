"""Makes a gait: speed from the leg length, footprints along the path, the trunk over them, the legs to them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import WingPose, hold_arms, pose_wings, swing_arms
from gambol.creatures.gaits.foot_paths import FootPath, FootprintPairs, foot_path, roll_pitch
from gambol.creatures.gaits.footfalls import flights, leg_phase
from gambol.creatures.gaits.gait import Gait, Pivot
from gambol.creatures.gaits.head_tail_motion import (
    bob_head,
    flick_ears,
    hold_and_thrust,
    lift_low,
    lower_neck,
    steady_head,
    steady_tails,
    wave_tails,
)
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import all_in_reach, fit_height, plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.strides import (
    SPARED_LIFT,
    folding_room,
    gait_treads,
    landing_stretch,
    leg_roll,
    lowering,
    natural_speed,
    natural_stride,
    reachable_share,
    scaled_waves,
    spared_share,
)
from gambol.creatures.gaits.trunk_motion import (
    GaitSignals,
    along_course,
    ballistic_height,
    gait_signals,
    gait_trunk_motion,
    move_spine,
    pose_trunk,
    scaled_signals,
    staggering,
)
from gambol.motion.folding_limb_ik import turn

SIDEWAYS_SHARES = (1.0, 0.6, 0.3, 0.0)
"""Shares of the trunk's sideways movement that are tried in turn until all standing feet are in reach."""

WEAVE_FACING = 0.6
"""Share of a weaving path's direction that the body turns to."""
STAYING_STEP = 0.1
"""A foot that is put down again nearer than this share of a leg, or turned by less than this angle, is lifted less."""

LEAST_STEADY = 0.5
"""The style's pitch of the head is reached in full where the neck takes at least this share of the way."""
CHEST_SHARE = 0.4
"""Angle by which an upright body raises its chest, as a share of the style's pitch of the head."""


@dataclass(frozen=True)
class FrameTimes:
    """Times of a clip's frames."""

    seconds: Float[ndarray, "frames"]
    """Time of each frame; the first is 0."""
    loop: bool
    """Whether the last frame repeats the first."""

    @property
    def span(self) -> float:
        """Seconds from the first frame to the last."""
        return float(self.seconds[-1]) if len(self.seconds) > 1 else 1.0

    def whole_cycles(self, frequency: float) -> float:
        """Return the nearest frequency with a whole number of cycles in a loop; the same one without a loop."""
        if not self.loop:
            return frequency
        return max(1, round(frequency * self.span)) / self.span


@dataclass(frozen=True)
class GaitPace:
    """Frequency, stride and speed of a gait."""

    frequency: float
    """Cycles per second."""
    stride: float
    """Stride of the legs, metres per cycle."""
    speed: float
    """Speed over the ground, metres per second."""
    turning: float
    """Turning rate to the left, radians per second."""
    course: float = 0.0
    """Direction of travel against the heading, radians, left positive."""
    weave: float = 0.0
    """Amplitude of the path's weaving to either side, metres."""
    slow: tuple[float, float] = (0.0, 0.0)
    """Frequency (hertz) and phase (cycles) of what happens once in two cycles."""
    pivot: Pivot | None = None
    """A turn on the spot that ends."""

    def slow_phase(self, seconds: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
        """Return the phase of what happens once in two cycles, radians."""
        return 2.0 * np.pi * (self.slow[0] * seconds + self.slow[1])


def gait_pace(body: MovingBody, gait: Gait, style: MotionStyle, times: FrameTimes) -> GaitPace:
    """Compute a gait's pace: frequency by Froude number and tempo, stride within reach, speed = stride x frequency."""
    L = body.leg_length
    natural = natural_stride(gait.froude, L)
    wanted_hz = gait.tempo * style.tempo * natural_speed(gait.froude, L) / natural
    frequency = gait.strides * times.whole_cycles(wanted_hz / gait.strides)
    gait = replace(gait, yaw=gait.yaw * min(1.0, style.stride))
    wanted = gait.stride * style.stride * natural
    share = reachable_share(body, gait, wanted, style)
    return GaitPace(
        frequency,
        share * wanted,
        gait.travel * share * wanted * frequency,
        share * gait.yaw * frequency,
        gait.course,
        gait.weave * style.exaggeration * L * (-1.0 if style.mirrored else 1.0),
        (0.5 * frequency, 0.5 * gait.strides * style.phase),
        gait.pivot,
    )


def gait_path(
    pace: GaitPace, seconds: Float[ndarray, "frames"]
) -> tuple[Float[ndarray, "frames 3"], Float[ndarray, "frames"]]:
    """Return displacement and heading at some times: a straight line, or a circle of radius v / w, left being -z.

    x = v / w sin(w t), z = -v / w (1 - cos(w t)), turned to the course; a weave is added to z, and the body faces
    partly along it. A pivot only turns.
    """
    if pace.pivot is not None:
        return np.zeros((len(seconds), 3)), pace.pivot.heading(seconds)
    heading = pace.turning * seconds
    ahead = np.sinc(heading / np.pi)  # sin(h) / h
    aside = np.sin(0.5 * heading) * np.sinc(0.5 * heading / np.pi)  # (1 - cos(h)) / h
    distance = pace.speed * seconds
    ground = np.stack([distance * ahead, np.zeros_like(distance), -distance * aside], -1)
    if pace.course:
        ground = ground @ turn(UP_AXIS, np.array(pace.course)).T
    if pace.weave:
        slow = pace.slow_phase(seconds)
        ground[:, 2] += pace.weave * (np.sin(slow) - np.sin(2.0 * np.pi * pace.slow[1]))
        slope = pace.weave * 2.0 * np.pi * pace.slow[0] / max(pace.speed, 1e-9)
        heading = heading - WEAVE_FACING * np.arctan(slope * np.cos(slow))
    return ground, heading


def leg_footprints(
    body: MovingBody,
    pace: GaitPace,
    phase: Float[ndarray, "frames"],
    duty: float,
    seconds: Float[ndarray, "frames"],
    tread: Float[ndarray, "3"],
) -> FootprintPairs:
    """Return a leg's footprints around every frame: its foothold when the body passes over it at mid-stance."""
    middle = seconds - (phase - 0.5 * duty) / pace.frequency
    place = tread - body.centre * [1.0, 0.0, 1.0]
    prints, headings = [], []
    for t in (middle, middle + 1.0 / pace.frequency):
        ground, heading = gait_path(pace, t)
        prints.append(ground + body.centre * [1.0, 0.0, 1.0] + turn(UP_AXIS, heading) @ place)
        headings.append(heading)
    return FootprintPairs(prints[0], prints[1], headings[0], headings[1])


@dataclass(frozen=True)
class GaitPlan:
    """A gait with its style applied: footfall, pace and phase in every frame."""

    gait: Gait
    """Parameters with the style's footfall."""
    pace: GaitPace
    """Frequency, stride and speed."""
    phase: Float[ndarray, "frames"]
    """Phase of the gait, cycles."""

    def stance(self, pair: int, left: bool) -> Bool[ndarray, "frames"]:
        """Return in which frames a leg is planned to be on the ground."""
        footfall = self.gait.footfall
        return leg_phase(self.phase, footfall.touchdown(pair, left)) < footfall.duty_of(pair, left)


def plan_gait(body: MovingBody, gait: Gait, style: MotionStyle, times: FrameTimes) -> GaitPlan:
    """Plan a gait: spare a side and mirror the footfall as the style asks, lengthen flights, compute the pace."""
    uneven = min(gait.uneven + style.asymmetry, 1.0)
    footfall = gait.footfall.uneven(uneven) if uneven else gait.footfall
    footfall = footfall.mirrored() if style.mirrored else footfall
    if flights(footfall):
        footfall = footfall.with_duty(-0.05 * (style.bounce - 1.0))
    gait = replace(gait, footfall=footfall, uneven=-uneven if style.mirrored else uneven)
    tempo = gait_pace(body, gait, style, times)
    return GaitPlan(gait, tempo, gait.strides * style.phase + tempo.frequency * times.seconds)


def gait_feet(
    body: MovingBody,
    plan: GaitPlan,
    style: MotionStyle,
    seconds: Float[ndarray, "frames"],
    rises: list[Float[ndarray, "frames"]],
) -> list[FootPath]:
    """Return the path of every foot; a swinging foot rises with its hip, by `rises` metres."""
    gait, tempo, paths = plan.gait, plan.pace, []
    treads = gait_treads(body, gait, style, tempo.stride)
    for leg, rise, tread in zip(body.legs, rises, treads, strict=True):
        duty = gait.footfall.duty_of(leg.limb.pair, leg.left)
        own = leg_phase(plan.phase, gait.footfall.touchdown(leg.limb.pair, leg.left))
        prints = leg_footprints(body, tempo, own, duty, seconds, tread)
        room = folding_room(body, leg, gait.crouch + style.crouch)
        along = tempo.stride * gait.travel * duty * float(np.cos(gait.course))
        pitch = roll_pitch(own, duty, leg_roll(leg, gait.roll, along, room))
        lift = min(gait.lift * style.lift * body.leg_length, 0.6 * room) + np.maximum(rise, 0.0)
        lift = lift * spared_share(gait, leg, SPARED_LIFT)
        if gait.pivot is not None:  # feet that stay are not lifted
            lift, pitch = lift * _moving_share(leg, prints), pitch * _moving_share(leg, prints)
        paths.append(foot_path(leg, own, duty, prints, pitch, lift))
    return paths


def _moving_share(leg: Leg, prints: FootprintPairs) -> Float[ndarray, "frames"]:
    """Return how far a foot moves from one print to the next against `STAYING_STEP`, at most 1."""
    away = np.linalg.norm(prints.after - prints.before, axis=-1) / max(leg.length, 1e-9)
    turned = np.abs(prints.heading_after - prints.heading_before)
    return np.clip(np.maximum(away, turned) / STAYING_STEP, 0.0, 1.0)


def pose_gait(body: MovingBody, gait: Gait, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Make the motion of a gait."""
    plan = plan_gait(body, gait, style, times)
    gait, tempo, phase, footfall = plan.gait, plan.pace, plan.phase, plan.gait.footfall
    flying = bool(flights(footfall))
    signals = along_course(gait_signals(footfall, phase), gait.course)
    if gait.pivot is not None:
        signals = scaled_signals(signals, gait.pivot.activity(times.seconds))
    ground, heading = gait_path(tempo, times.seconds)
    low = lowering(body, gait, style)
    rise = ballistic_height(footfall, phase, 1.0 / tempo.frequency) if flying else np.zeros_like(phase)
    slow_phase = tempo.slow_phase(times.seconds) + (np.pi if style.mirrored else 0.0)
    bounce = 0.0 if flying else style.bounce  # a body that flies rises and falls as its flights say
    for share in SIDEWAYS_SHARES:
        waves = scaled_waves(body, gait, style, share)
        builder = PoseBuilder(body.skeleton, len(phase))
        trunk = gait_trunk_motion(body, waves, signals, ground, heading, rise - low, bounce)
        pose_trunk(body, builder, staggering(body, trunk, share * gait.stagger * style.exaggeration, slow_phase))
        move_spine(body, builder, waves, signals)
        _, joints = builder.displacements()
        rises = [joints[:, leg.bones[0], 1] - (leg.hip[1] - low) for leg in body.legs]
        paths = gait_feet(body, plan, style, times.seconds, rises)
        if all_in_reach(body, builder, paths):
            break
    slow = 0.3 if body.pairs > 1 else 0.16  # two legs carry the body over them, up and down
    width = 0 if flying else max(3, round(slow / tempo.frequency * (len(phase) - 1) / times.span))
    fit_height(body, builder, paths, width=width, loop=times.loop, stretch=landing_stretch(body, gait))
    plant_legs(body, builder, paths)
    pose_free_parts(body, builder, gait, style, signals, heading, times)
    return builder


def pose_free_parts(
    body: MovingBody,
    builder: PoseBuilder,
    gait: Gait,
    style: MotionStyle,
    signals: GaitSignals,
    heading: Float[ndarray, "frames"],
    times: FrameTimes,
) -> None:
    """Pose everything that does not carry the body: neck, head, ears, tail, arms, wings."""
    waves = scaled_waves(body, gait, style)
    last = len(signals.side) - 1
    aside, nod = head_wander(style, times)
    look = gait.head_scan * np.sin(2 * np.pi * times.whole_cycles(0.4) * times.seconds) + aside
    once = -waves.nod_once if style.mirrored else waves.nod_once
    tilt = (
        gait.head_tilt
        + style.head / max(waves.steady, LEAST_STEADY)
        + nod
        + waves.nod * signals.vault[0]
        - once * signals.side[0]
    )
    if body.pairs == 1:
        chest = CHEST_SHARE * style.head if body.upright else 0.0
        builder.bend(body.spine, PITCH_AXIS, chest - gait.hunch * style.exaggeration)
    lower_neck(body, builder, waves.neck_low)
    if waves.bob:
        bob_head(
            body,
            builder,
            waves.bob * body.leg_length * hold_and_thrust(signals.phase - gait.footfall.touchdown(0, True)),
        )
    steady_head(body, builder, heading, tilt, look, waves.steady)
    flick_ears(body, builder, 0.12 * style.exaggeration * signals.vault[last])
    lead = gait.footfall.touchdown(last, True)
    steady_tails(body, builder, heading, 0.75)
    wave_tails(body, builder, waves.tail_sway, waves.tail_wag, signals.phase - lead, waves.tail_raise)
    swing = -gait.arms * style.exaggeration * signals.step[0]
    if gait.held_arms is None:
        swing_arms(body, builder, swing, gait.elbow, back=gait.arms_back)
    else:
        hold_arms(body, builder, gait.held_arms, swing)
    if body.wings:
        pose_wings(body, builder, WingPose(1.0))
    lift_low(body, builder, loop=times.loop)


def head_wander(
    style: MotionStyle, times: FrameTimes, *, cycle: Float[ndarray, "frames"] | None = None
) -> tuple[Float[ndarray, "frames"], Float[ndarray, "frames"]]:
    """Return slow irregular yaw and pitch of the head, radians: three harmonics, from the seed.

    They repeat with `cycle`, the phase of a slow motion in cycles; without one they are below 1 Hz and repeat with the
    clip.
    """
    generator = np.random.default_rng(style.seed)
    result = []
    for size in (0.22, 0.09):
        top = max(1, int(0.9 * times.span))
        counts = np.arange(1, 4) if cycle is not None else generator.integers(1, top + 1, 3)
        sizes, phases = generator.uniform(0.3, 1.0, 3), generator.uniform(0.0, 2 * np.pi, 3)
        turns = times.seconds / times.span if cycle is None else cycle
        angle = 2 * np.pi * counts[:, None] * turns + phases[:, None]
        result.append(size * style.wander / 3.0 * (sizes[:, None] * np.sin(angle)).sum(0))
    return result[0], result[1]
