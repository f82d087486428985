"""Motions of bodies without legs: slither along their own track, rest in curves, strike, coil up.

Everything follows from the body's proportions and the style, so that one style gives one motion; a mirrored style
gives its mirror image.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import keyframe_curve
from gambol.motion.folding_limb_ik import turn

WAVES_PER_BODY = 2.0
"""Number of waves along the body."""
TRACK_POINTS_PER_BODY = 1600
"""Points per body length of the tabulated track."""
SLITHER_CYCLES, REST_CYCLES, STRIKE_CYCLES = 0.95, 0.45, 0.8
"""Cycles per second of a body of 1.5 m that slithers, sways at rest, strikes."""
MOST_COIL_TURNS = 1.7
"""Most turns of a coil."""
COIL_GAP = 1.1
"""Distance between two loops of a coil, in widths of the body."""


def serpenoid_angle(
    s: Float[ndarray, "points"], wavelength: float, winding: float, curvature: float, start: float = 0.0
) -> Float[ndarray, "points"]:
    """Return the track's heading at s metres, a sin(2pi s / l) + k (s - s0): Hirose's serpenoid, circling for k != 0.

    s0 is where a body starts: it begins the circle in the same direction at any phase of its wave.
    """
    return winding * np.sin(2 * np.pi * s / wavelength) + curvature * (s - start)


class SerpenoidTrack:
    """The curve that a body slithers along, tabulated by arc length."""

    def __init__(self, s: Float[ndarray, "frames"], length: float, wavelength: float, winding: float, curvature: float):
        """Tabulate the track of a body of this length whose root passes the places s."""
        low, high = float(s.min()) - 1.3 * length, float(s.max()) + 1.3 * length
        count = int(np.ceil((high - low) / length * TRACK_POINTS_PER_BODY)) + 2
        self.s = np.linspace(low, high, count)
        middles = 0.5 * (self.s[1:] + self.s[:-1])
        angle = serpenoid_angle(middles, wavelength, winding, curvature, float(s[0]))
        step = np.diff(self.s)
        self.x = np.concatenate([[0.0], np.cumsum(step * np.cos(angle))])
        self.z = -np.concatenate([[0.0], np.cumsum(step * np.sin(angle))])

    def __call__(self, s: Float[ndarray, "frames"]) -> Float[ndarray, "frames 2"]:
        """Return points (x, z) after s metres."""
        return np.stack([np.interp(s, self.s, self.x), np.interp(s, self.s, self.z)], -1)


def chord_ahead(track: SerpenoidTrack, s: Float[ndarray, "frames"], length: float) -> Float[ndarray, "frames"]:
    """Return where on the track a rigid bone from s ends: |C(s') - C(s)| = |length|; backwards if negative."""
    start, end = track(s), s + length
    sign = np.sign(length)
    for _ in range(6):
        reach = np.linalg.norm(track(end) - start, axis=-1)
        end = end + sign * (abs(length) - reach)
    return end


def body_length(body: MovingBody) -> float:
    """Return the length of the whole chain, metres."""
    chains = [_front(body), *body.tails]
    return float(sum(sum(_spans(body, chain)) for chain in chains)) or body.size


def slither(body: MovingBody, style: MotionStyle, times: FrameTimes, *, turning: float = 0.0) -> PoseBuilder:
    """Slither: every point of the body follows the one before it along the track, so nothing slides sideways."""
    length = body_length(body)
    wavelength = length / WAVES_PER_BODY * float(np.clip(style.stride, 0.8, 1.2))
    frequency = times.whole_cycles(SLITHER_CYCLES * style.tempo * natural_pace(body))
    winding = leading_side(style) * float(np.clip(0.75 * style.exaggeration, 0.35, 1.15))
    s = wavelength * (style.phase + frequency * times.seconds)
    builder = PoseBuilder(body.skeleton, len(s))
    lay_on_track(body, builder, s, wavelength, winding, turning / length)
    return builder


def rest_coiled(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lie in curves with the head raised, swaying and breathing; a wandering one looks about twice as often."""
    t, e, side = times.seconds, style.exaggeration, leading_side(style)
    builder = PoseBuilder(body.skeleton, len(t))
    frequency = times.whole_cycles(REST_CYCLES * style.tempo * natural_pace(body))
    _lie(body, builder, style, len(t))
    slow = 2 * np.pi * (frequency * t + style.phase)
    raised = 0.55 + 0.5 * style.head + 0.05 * e * np.sin(2.0 * slow)
    count = len(_raised(body, 0.4))
    turned = side * (0.45 * e * np.sin(slow) + 0.3 * style.wander * np.sin(2.0 * slow + 1.0))
    _raise_front(body, builder, 0.4, raised, np.tile(turned / count, (count, 1)))
    return builder


def strike(body: MovingBody, style: MotionStyle, times: FrameTimes, *, higher: float = 0.0) -> PoseBuilder:
    """Strike: draw the front back into an S, shoot straight ahead with an open mouth, and return.

    `higher` raises the front further while it is drawn back, radians.
    """
    t, side = times.seconds, leading_side(style)
    frequency = times.whole_cycles(STRIKE_CYCLES * style.tempo * natural_pace(body))
    s = np.remainder(frequency * t + style.phase, 1.0)
    draw = keyframe_curve(s, [(0, 0.45), (0.34, 1.0), (0.46, -0.25), (0.58, -0.2), (0.9, 0.45), (1, 0.45)])
    ready, high = 0.5 + 0.7 * higher, 0.75 + higher
    raised = keyframe_curve(s, [(0, ready), (0.34, high), (0.46, 0.28), (0.58, 0.28), (0.9, ready), (1, ready)])
    builder = PoseBuilder(body.skeleton, len(t))
    _lie(body, builder, style, len(t))
    count = len(_raised(body, 0.45))
    place = (np.arange(count) + 0.5) / count
    bend = side * 1.15 * style.exaggeration * 2.4 * np.pi / count * np.cos(2 * np.pi * place)
    _raise_front(body, builder, 0.45, raised + 0.5 * style.head, bend[:, None] * draw)
    if body.jaw is not None:
        builder.turn(
            body.jaw, PITCH_AXIS, -0.6 * keyframe_curve(s, [(0, 0), (0.34, 0.4), (0.44, 1.0), (0.5, 0.0), (1, 0)])
        )
    return builder


def coil(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Wind up from lying in curves to a flat spiral about the head, which rises and looks ahead; then stay."""
    t, side = times.seconds, leading_side(style)
    frequency = times.whole_cycles(SLITHER_CYCLES * style.tempo * natural_pace(body))
    s = np.clip(style.phase + frequency * t, 0.0, 1.0)
    builder = PoseBuilder(body.skeleton, len(t))
    _lie(body, builder, style, len(t))
    length = body_length(body)
    gap = COIL_GAP * 2.0 * max(body.torso_half_width, 0.008 * length)
    turns = coil_turns(length, gap) * float(np.clip(0.6 + 0.4 * style.stride, 0.75, 1.0))
    front = _front(body)
    ahead = float(sum(_spans(body, front)))
    winding = keyframe_curve(s, [(0, 0), (0.08, 0), (0.72, 1), (1, 1)])
    before = builder.displacements()
    centre = before[1].mean(1)
    headings = np.zeros((len(t), len(body.skeleton)))
    for chain, nose, sign in ((front, ahead, -1.0), *((tail, ahead, 1.0) for tail in body.tails)):
        spans = np.array(_spans(body, chain))
        behind = nose + sign * (np.cumsum(spans) - 0.5 * spans)
        turned = side * spiral_angle(behind, length, turns, gap) - np.array(_turned_at_rest(body, chain, sign))
        for bone, end in zip(chain, turned, strict=True):
            lying = np.arctan2(-before[0][:, bone, 2, 0], before[0][:, bone, 0, 0])
            headings[:, bone] = (1.0 - winding) * lying + winding * end
            parent = body.skeleton.parents[bone]
            above = headings[:, parent] if parent >= 0 else 0.0
            builder.rotations[:, bone] = turn(UP_AXIS, headings[:, bone] - above)
    builder.root_shift += (centre - builder.displacements()[1].mean(1)) * [1.0, 0.0, 1.0]
    count = len(_raised(body, 0.25))
    high = (0.45 * style.exaggeration + 0.5 * style.head) * keyframe_curve(s, [(0, 0), (0.45, 0), (0.8, 1), (1, 1)])
    _raise_front(body, builder, 0.25, high, np.zeros((count, len(t))))
    return builder


def coil_turns(length: float, gap: float) -> float:
    """Return the turns T of a spiral that a body can lie in, with an inner radius of one gap g between its loops.

    Its mean radius is g (1 + T / 2), so that length = 2 pi T g (1 + T / 2); at most `MOST_COIL_TURNS`.
    """
    return float(min(MOST_COIL_TURNS, np.sqrt(1.0 + length / (np.pi * gap)) - 1.0))


def spiral_angle(u: Float[ndarray, "points"], length: float, turns: float, gap: float) -> Float[ndarray, "points"]:
    """Return the angle turned from the head to the places u metres behind it, in a spiral of some turns, radians.

    The radius r = a + g q / 2pi at angle q gives u = a q + g q^2 / 4pi, so q = 2pi (sqrt(a^2 + g u / pi) - a) / g; the
    inner radius a = length / (2 pi T) - T g / 2 makes the whole length T turns.
    """
    inner = length / (2.0 * np.pi * turns) - 0.5 * turns * gap
    return 2.0 * np.pi * (np.sqrt(inner**2 + gap * u / np.pi) - inner) / gap


def natural_pace(body: MovingBody) -> float:
    """Return the factor sqrt(1.5 / length) by which the motions of a shorter body are quicker, length in metres."""
    return float(np.sqrt(1.5 / max(body_length(body), 0.2)))


def leading_side(style: MotionStyle) -> float:
    """Return 1, or -1 for a mirrored style, whose curves go to the other side."""
    return -1.0 if style.mirrored else 1.0


def lay_on_track(
    body: MovingBody,
    builder: PoseBuilder,
    s: Float[ndarray, "frames"],
    wavelength: float,
    winding: float,
    curvature: float,
) -> None:
    """Place the root on the track at s, and every joint after it, headwards and tailwards."""
    length = body_length(body)
    track = SerpenoidTrack(s, length, wavelength, winding, curvature)
    root = track(s)
    front = _front(body)
    headings = _headings(body, builder, track, s, front, 1.0)
    builder.rotations[:, 0] = turn(UP_AXIS, headings[0])
    for before, here, bone in zip(headings[:-1], headings[1:], front[1:], strict=True):
        builder.rotations[:, bone] = turn(UP_AXIS, here - before)
    for tail in body.tails:
        last = headings[0]
        for bone, here in zip(tail, _headings(body, builder, track, s, tail, -1.0), strict=True):
            builder.rotations[:, bone] = turn(UP_AXIS, here - last)
            last = here
    builder.root_shift[:, [0, 2]] = root - root[0]
    builder.root_shift[:, 2] += 0.0 if curvature else root[0, 1] - 0.5 * (track.z.min() + track.z.max())


def _headings(
    body: MovingBody,
    builder: PoseBuilder,
    track: SerpenoidTrack,
    s: Float[ndarray, "frames"],
    chain: tuple[int, ...],
    sign: float,
) -> list[Float[ndarray, "frames"]]:
    """Return the heading of every bone of a chain: its chord on the track against its chord at rest."""
    result = []
    for span, rest in zip(_spans(body, chain), _rest_headings(body, chain), strict=True):
        end = chord_ahead(track, s, sign * span)
        x, z = np.ascontiguousarray((track(end) - track(s)).T)
        heading = np.arctan2(-z, x) - rest
        heading = np.unwrap(heading)
        result.append(heading - 2 * np.pi * np.round(heading[0] / (2 * np.pi)))
        s = end
    return result


def _lie(body: MovingBody, builder: PoseBuilder, style: MotionStyle, frames: int) -> None:
    length = body_length(body)
    winding = leading_side(style) * float(np.clip(1.0 * style.exaggeration, 0.6, 1.25))
    s = np.full(frames, length * style.phase / WAVES_PER_BODY)
    lay_on_track(body, builder, s, length / WAVES_PER_BODY, winding, 0.0)


def _raise_front(
    body: MovingBody,
    builder: PoseBuilder,
    share: float,
    angle: Float[ndarray, "frames"],
    bends: Float[ndarray, "raised frames"],
) -> None:
    """Raise the last `share` of a lying body's front by an angle and bend it sideways, bone by bone.

    The rise grows over the lower half and is taken back over the upper one, so that the head looks ahead; no bone
    falls, so none comes below the ground: D = heading (lying and bent), then pitch.
    """
    raised = _raised(body, share)
    half = max(len(raised) // 2, 1)
    D, _ = builder.displacements()
    before = D[:, body.skeleton.parents[raised[0]]]
    for k, (bone, aside) in enumerate(zip(raised, np.cumsum(bends, axis=0), strict=True)):
        part = (k + 1) / half if k < half else 1.0 - 0.95 * (k + 1 - half) / (len(raised) - half)
        here = turn(UP_AXIS, aside) @ D[:, bone] @ turn(PITCH_AXIS, part * angle)
        builder.rotations[:, bone] = np.swapaxes(before, -1, -2) @ here
        before = here


def _raised(body: MovingBody, share: float) -> tuple[int, ...]:
    """Return the last share of the front."""
    front = _front(body)
    return front[round((1.0 - share) * len(front)) :]


def _front(body: MovingBody) -> tuple[int, ...]:
    """Return root, spine, neck and head."""
    return (0, *body.spine, *body.neck, *(() if body.head is None else (body.head,)))


def _ends(body: MovingBody, chain: tuple[int, ...]) -> Float[ndarray, "ends 3"]:
    heads = body.skeleton.heads[list(chain)]
    return np.concatenate([heads, body.skeleton.tails[[chain[-1]]]])


def _spans(body: MovingBody, chain: tuple[int, ...]) -> list[float]:
    """Return the horizontal length of every bone of a chain."""
    steps = np.diff(_ends(body, chain), axis=0)[:, [0, 2]]
    return [float(x) for x in np.linalg.norm(steps, axis=1)]


def _rest_headings(body: MovingBody, chain: tuple[int, ...]) -> list[float]:
    steps = np.diff(_ends(body, chain), axis=0)
    return [float(np.arctan2(-step[2], step[0])) for step in steps]


def _turned_at_rest(body: MovingBody, chain: tuple[int, ...], sign: float) -> list[float]:
    """Return how far every bone of a chain is turned at rest; those of a tail point back."""
    return [
        heading if sign < 0 else float(np.remainder(heading, 2 * np.pi)) - np.pi
        for heading in _rest_headings(body, chain)
    ]
