"""Motions of finned bodies without legs: a wave that travels from head to tail, sideways or up and down.

    h(s, t) = L A(s) sin(2 pi (f t - s / l)),   A(s) = a (b + (1 - b) s^g)

h is the displacement of the middle line, L the length of the body, s the place along it from the nose (0) to the end of
the tail (1), l the wavelength, a the amplitude at the tail and b a the one at the nose (Videler 1993).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, ROLL_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, keyframe_curve
from gambol.motion.folding_limb_ik import turn
from gambol.motion.gravity import EARTH_GRAVITY

TAIL_BEATS = 0.6
"""Tail beats per second of a cruising body, in sqrt(g / length)."""
STROUHAL = 0.3
"""Strouhal number f d / U of cruising, with d the sideways span of the tail: 0.2 to 0.4 in fish and dolphins alike."""
TURN_CURVATURE = 1.6
"""Curvature of the path of a turn, radians per length of the body."""
BREACH_HEIGHT = 0.35
"""Height of a breach, in body lengths."""
BREACH_FLIGHT = (0.22, 0.84)
"""Share of a breach's cycle at which the flight begins and ends."""
BITE_SECONDS = 3.2
"""Duration of a bite, in sqrt(length / g)."""
FLUKE_RATIO = 1.4
"""A tail fin that is wider than high by this factor beats up and down."""
EEL_DEPTHS = (0.1, 0.16)
"""Depths per length at and below which a body swims as an eel, and from which on it does as other fish."""
GROUND_GAP = 0.004
"""Height that the lowest point keeps above the ground, in sizes."""


@dataclass(frozen=True)
class SwimWave:
    """Shape of the wave of one body; lengths are body lengths."""

    wavelength: float
    """Length of the wave, l."""
    tail: float
    """Amplitude at the end of the tail, a."""
    nose: float
    """Amplitude at the nose per amplitude at the tail, b."""
    growth: float
    """Power g with which the amplitude grows from nose to tail."""
    vertical: bool
    """Whether the body waves up and down (dolphins, whales) and not sideways."""

    def __call__(self, s: Float[ndarray, "*points"], phase: Float[ndarray, "*points"]) -> Float[ndarray, "*points"]:
        """Return the displacement at place s in cycle `phase`, body lengths."""
        size = self.tail * (self.nose + (1.0 - self.nose) * np.clip(s, 0.0, 1.0) ** self.growth)
        return size * np.sin(2 * np.pi * (phase - s / self.wavelength))


class Swimmer:
    """A finned body at rest: its middle line from nose to tail, and how it waves."""

    def __init__(self, body: MovingBody) -> None:
        self.body, skeleton = body, body.skeleton
        fins = {b for wing in body.wings for b in bones_under(skeleton, wing.bones[0])}
        aside = 0.02 * body.size
        run = skeleton.tails - skeleton.heads
        level = np.abs(run[:, 0]) >= np.abs(run[:, 1])
        near = np.maximum(np.abs(skeleton.heads[:, 2]), np.abs(skeleton.tails[:, 2])) < aside
        chosen = [b for b in range(len(skeleton)) if b not in fins and b != body.jaw and near[b] and level[b]]
        self.line = tuple(chosen or [0])
        """Bones along the middle line; jaw, dorsal and pectoral fins are carried along."""
        ends = np.concatenate([skeleton.heads[chosen, 0], skeleton.tails[chosen, 0], body.hull[:, 0]])
        self.nose, self.length = float(ends.max()), max(float(np.ptp(ends)), 1e-9)

    def place(self, x: Float[ndarray, "*points"]) -> Float[ndarray, "*points"]:
        """Return s of rest positions: 0 at the nose, 1 at the end of the tail."""
        return (self.nose - x) / self.length

    @cached_property
    def wave(self) -> SwimWave:
        """The wave of this body at its natural size: eels wave all over, dolphins mostly behind."""
        body = self.body
        trunk = [body.hull[body.hull_bones == bone] for bone in (0, *body.spine)]
        depth = max((float(np.ptp(points[:, 1])) for points in trunk if len(points)), default=0.0) / self.length
        low, high = EEL_DEPTHS
        eel = float(np.clip((high - depth) / (high - low), 0.0, 1.0))
        last = min(self.line, key=lambda bone: body.skeleton.tails[bone, 0])
        fin = body.hull[body.hull_bones == last]
        fluke = len(fin) > 0 and bool(np.ptp(fin[:, 2]) > FLUKE_RATIO * np.ptp(fin[:, 1]))
        return SwimWave(
            wavelength=1.0 + (0.25 if fluke else 0.0) - 0.38 * eel,
            tail=0.085 if fluke else 0.1 - 0.01 * eel,
            nose=0.16 + 0.14 * eel,
            growth=2.0 - 0.9 * eel,
            vertical=fluke,
        )

    @property
    def beat(self) -> float:
        """Natural tail beats per second."""
        return TAIL_BEATS * float(np.sqrt(EARTH_GRAVITY / self.length))

    def pose(
        self,
        phase: FrameCurve,
        *,
        size: FrameCurve | float = 1.0,
        yaw: Float[ndarray, "frames bones"] | None = None,
        pitch: Float[ndarray, "frames bones"] | None = None,
        roll: FrameCurve | float = 0.0,
        path: Float[ndarray, "frames 3"] | None = None,
        heading: FrameCurve | None = None,
    ) -> PoseBuilder:
        """Pose the middle line: the wave times `size`, with more yaw and pitch of each bone of the line, along a path.

        D = R_y(heading + yaw) R_z(pitch) R_x(roll) for each bone of the line; all others follow their parents.
        """
        skeleton, frames = self.body.skeleton, len(phase)
        builder = PoseBuilder(skeleton, frames)
        ahead = np.zeros(frames) if heading is None else heading
        line = list(self.line)
        ends = np.stack([skeleton.heads[line, 0], skeleton.tails[line, 0]], 1)
        rear, front = ends.min(1), ends.max(1)
        front = np.maximum(front, rear + 1e-6 * self.length)
        tall = np.broadcast_to(np.asarray(size, float), frames)[:, None] * self.length
        there, here = (tall * self.wave(self.place(x)[None], phase[:, None]) for x in (front, rear))
        tilt = np.arctan2(there - here, front - rear)
        yaws, pitches = (np.zeros_like(tilt) if extra is None else extra for extra in (yaw, pitch))
        yaws, pitches = (yaws, pitches + tilt) if self.wave.vertical else (yaws + tilt, pitches)
        leaned = turn(ROLL_AXIS, np.broadcast_to(np.asarray(roll, float), frames))
        D = np.tile(np.eye(3), (frames, len(skeleton), 1, 1))
        for bone in range(len(skeleton)):
            above = D[:, skeleton.parents[bone]] if bone else np.eye(3)
            if bone in line:
                k = line.index(bone)
                D[:, bone] = turn(UP_AXIS, ahead + yaws[:, k]) @ turn(PITCH_AXIS, pitches[:, k]) @ leaned
                builder.rotations[:, bone] = np.swapaxes(above, -1, -2) @ D[:, bone]
            elif bone:
                D[:, bone] = above
        root = tall[:, 0] * self.wave(self.place(skeleton.heads[0, 0]), phase)
        offset = np.zeros((frames, 3))
        offset[:, 1 if self.wave.vertical else 2] = root if self.wave.vertical else -root
        builder.root_shift += (turn(UP_AXIS, ahead) @ offset[..., None])[..., 0]
        if path is not None:
            builder.root_shift += path
        return builder

    def from_root(self) -> Float[ndarray, "bones"]:
        """Return how far the middle of each bone of the line is ahead of the root, body lengths."""
        skeleton, line = self.body.skeleton, list(self.line)
        middles = 0.5 * (skeleton.heads[line, 0] + skeleton.tails[line, 0])
        return (middles - skeleton.heads[0, 0]) / self.length


@dataclass(frozen=True)
class FinPose:
    """Pose of one pectoral fin; angles in radians."""

    beat: FrameCurve
    """How far it is raised."""
    tip: FrameCurve
    """How far its outer part is raised further."""
    fold: FrameCurve
    """How far it is laid back."""


def pose_fins(body: MovingBody, builder: PoseBuilder, left: FinPose, right: FinPose, style: MotionStyle) -> None:
    """Turn all pectoral fins of each side; a narrow style lays them back further."""
    for wing in body.wings:
        pose, side = (left, -1.0) if wing.side == Side.LEFT else (right, 1.0)
        back = pose.fold + 0.6 * (1.0 - style.width)
        first, outer = wing.bones[0], wing.bones[1:]
        builder.rotations[:, first] = turn(ROLL_AXIS, -side * pose.beat) @ turn(UP_AXIS, -side * back)
        for bone in outer:
            builder.rotations[:, bone] = turn(ROLL_AXIS, -side * pose.tip / len(outer))


def raise_above_ground(body: MovingBody, builder: PoseBuilder, *, each_frame: bool = False) -> None:
    """Raise the whole motion until nothing is below the ground, by one distance or by one for each frame."""
    D, p = builder.displacements()
    offsets = body.hull - body.skeleton.heads[body.hull_bones]
    heights = np.einsum("fpi,pi->fp", D[:, body.hull_bones, 1], offsets) + p[:, body.hull_bones, 1]
    lowest = heights.min(1)
    raised = np.maximum(GROUND_GAP * body.size - (lowest if each_frame else lowest.min()), 0.0)
    builder.root_shift[:, 1] += raised


def swim(body: MovingBody, style: MotionStyle, times: FrameTimes, *, turning: float = 0.0) -> PoseBuilder:
    """Swim ahead, or in a circle with a bent body (`turning` 1 to the left, -1 to the right)."""
    swimmer, t = Swimmer(body), times.seconds
    L = swimmer.length
    frequency = times.whole_cycles(style.tempo * swimmer.beat)
    phase = _start(style) + frequency * t
    size = float(style.stride * (0.5 + 0.5 * style.exaggeration)) * (0.8 if turning else 1.0)
    size = min(size, 1.15 if swimmer.wave.vertical else 1.6)
    speed = frequency * 2.0 * swimmer.wave.tail * style.stride * L / STROUHAL * (0.8 if turning else 1.0)
    curvature = turning * TURN_CURVATURE / L
    heading = curvature * speed * t
    if turning:
        path = np.stack([np.sin(heading), np.zeros(len(t)), np.cos(heading) - 1.0], -1) / curvature
    else:
        path = np.stack([speed * t, np.zeros(len(t)), np.zeros(len(t))], -1)
    path[:, 1] += 0.006 * L * style.bounce * np.sin(4 * np.pi * phase)
    along = swimmer.from_root()
    aside, nod = head_wander(style, times)
    front = np.clip(along, 0.0, 1.0) ** 2 / max(float(np.clip(along, 0.0, 1.0).max()) ** 2, 1e-9)
    yaw = turning * TURN_CURVATURE * along[None] + 0.5 * aside[:, None] * front
    pitch = (0.6 * style.head + 0.5 * nod)[:, None] * front
    builder = swimmer.pose(
        phase, size=size, yaw=yaw, pitch=pitch, roll=-0.3 * turning * style.exaggeration, path=path, heading=heading
    )
    stroke = min(0.16 * style.lift * style.exaggeration, 0.22)
    laid = 0.25 + 0.05 * np.sin(2 * np.pi * phase)
    fins = []
    for side in (1.0, -1.0):  # flippers go together with the body, fins of fish in turn
        sense, steer = (1.0 if swimmer.wave.vertical else side) * stroke, 0.25 * side * turning
        beat, tip = (sense * np.sin(2 * np.pi * (phase - lag)) for lag in (0.3, 0.45))
        fins.append(FinPose(beat + steer, 0.7 * tip, laid - steer))
    pose_fins(body, builder, fins[0], fins[1], style)
    raise_above_ground(body, builder)
    return builder


def hover(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Stay in place: the tail sways a little, the body rises and falls, the fins scull twice as often."""
    swimmer, t = Swimmer(body), times.seconds
    slow = _start(style) + times.whole_cycles(0.4 * style.tempo * swimmer.beat) * t
    scull = 2.0 * slow
    e, along = style.exaggeration, swimmer.from_root()
    aside, nod = head_wander(style, times, cycle=slow)
    front = np.clip(along, 0.0, 1.0)
    path = np.zeros((len(t), 3))
    path[:, 1] = 0.012 * swimmer.length * style.bounce * (1.0 + np.sin(2 * np.pi * slow))
    builder = swimmer.pose(
        slow,
        size=0.22 * style.stride * (0.5 + 0.5 * e),
        yaw=0.8 * aside[:, None] * front,
        pitch=(0.5 * style.head + 0.5 * nod)[:, None] * front + (0.03 * e * np.cos(2 * np.pi * slow))[:, None],
        path=path,
    )
    fins, wide = [], 0.4 + 0.6 * e
    for start in (0.0, 0.5):
        angle = 2 * np.pi * (scull + start)
        beat, tip = (0.32 * style.lift * wide * np.sin(angle - lag) for lag in (0.0, 0.9))
        fins.append(FinPose(beat, 0.7 * tip, 0.3 * wide * np.cos(angle)))
    pose_fins(body, builder, fins[0], fins[1], style)
    raise_above_ground(body, builder)
    return builder


def breach(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Leap out of the water in an arc: nose up, level at the top, nose down; the lowest point falls freely."""
    swimmer, t = Swimmer(body), times.seconds
    L, (start, end) = swimmer.length, BREACH_FLIGHT
    height = BREACH_HEIGHT * L * style.stride * float(np.sqrt(style.bounce))
    flight = 2.0 * float(np.sqrt(2.0 * height / EARTH_GRAVITY))
    frequency = times.whole_cycles(style.tempo * (end - start) / flight)
    cycle = style.phase + frequency * t
    s = np.remainder(cycle, 1.0)
    q = np.clip((s - start) / (end - start), 0.0, 1.0)
    speed = 1.3 * swimmer.beat * style.tempo * 2.0 * swimmer.wave.tail * L / STROUHAL * style.stride
    beats = max(1, round(style.tempo * swimmer.beat / frequency))
    path = np.stack([speed * t, 4.0 * height * q * (1.0 - q), np.zeros(len(t))], -1)
    along = swimmer.from_root()
    delayed = s[:, None] + 0.1 * along[None]  # the nose goes first
    keys = [(0.0, 0.0), (0.1, 0.25), (0.25, 1.0), (0.53, 0.0), (0.8, -1.0), (0.95, -0.25), (1.0, 0.0)]
    tilt = keyframe_curve(np.remainder(delayed, 1.0).ravel(), keys).reshape(delayed.shape)
    strong = 1.3 - 0.9 * 4.0 * q * (1.0 - q)
    builder = swimmer.pose(
        _start(style) + beats * cycle,
        size=strong * (0.5 + 0.5 * style.exaggeration),
        pitch=0.75 * (0.6 + 0.4 * style.exaggeration) * tilt + 0.3 * style.head * np.clip(along, 0.0, 1.0),
        path=path,
    )
    spread = 4.0 * q * (1.0 - q)
    fin = FinPose(0.3 * style.lift * spread, 0.15 * spread, 0.3 * (1.0 - 1.5 * spread))
    pose_fins(body, builder, fin, fin, style)
    _keep_low_point(body, builder, path[:, 1])
    return builder


def bite(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Bite: bend and draw back, dart ahead with an open mouth, snap, shake the head and drift back."""
    swimmer, t = Swimmer(body), times.seconds
    L, e = swimmer.length, style.exaggeration
    frequency = times.whole_cycles(style.tempo / (BITE_SECONDS * float(np.sqrt(L / EARTH_GRAVITY))))
    s = np.remainder(style.phase + frequency * t, 1.0)
    hand = -1.0 if style.mirrored else 1.0
    lunge = keyframe_curve(s, [(0, 0), (0.26, -0.3), (0.42, 1.0), (0.62, 0.95), (0.95, 0.0), (1, 0.0)])
    drawn = keyframe_curve(s, [(0, 0), (0.26, 1.0), (0.38, -0.35), (0.5, 0.0), (1, 0.0)])
    shaking = keyframe_curve(s, [(0, 0), (0.4, 0), (0.48, 1.0), (0.68, 0.8), (0.82, 0.0), (1, 0.0)])
    shake = shaking * np.sin(2 * np.pi * 3.0 * (s - 0.42) / 0.4)
    along = swimmer.from_root()
    front, rear = np.clip(along, 0.0, 1.0), np.clip(-along, 0.0, 1.0)
    yaw = hand * e * (0.8 * drawn[:, None] * (front - 1.6 * rear) + 0.75 * shake[:, None] * (front - 0.4 * rear))
    gape = keyframe_curve(s, [(0, 0), (0.26, 0.6), (0.4, 1.0), (0.47, 0.0), (1, 0.0)])
    path = np.zeros((len(t), 3))
    path[:, 0] = 0.28 * L * style.stride * lunge
    pitch = (0.1 * e * gape + 0.3 * style.head)[:, None] * front
    builder = swimmer.pose(_start(style) + 2.0 * frequency * t, size=0.2, yaw=yaw, pitch=pitch, path=path)
    if body.jaw is not None:
        builder.turn(body.jaw, PITCH_AXIS, -0.55 * gape)
    fin = FinPose(0.3 * np.maximum(drawn, 0.0) * style.lift, np.zeros(len(t)), 0.35 * lunge)
    pose_fins(body, builder, fin, fin, style)
    raise_above_ground(body, builder)
    return builder


def _keep_low_point(body: MovingBody, builder: PoseBuilder, height: FrameCurve) -> None:
    """Raise each frame until its lowest point is `height` above the ground."""
    builder.root_shift[:, 1] -= height
    raise_above_ground(body, builder, each_frame=True)
    builder.root_shift[:, 1] += height


def _start(style: MotionStyle) -> float:
    """Return the phase at the first frame; a mirrored wave is half a cycle later."""
    return style.phase + (0.5 if style.mirrored else 0.0)
