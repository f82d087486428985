"""Motions of bodies without legs: slither along their own track, rest in curves, strike."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.gait_motion import FrameTimes, head_wander
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, UP_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import keyframe_curve
from gambol.motion.folding_limb_ik import turn

WAVES_PER_BODY = 2.0
"""Number of waves along the body."""
TRACK_POINTS_PER_BODY = 1600
"""Points per body length of the tabulated track."""


def serpenoid_angle(
    s: Float[ndarray, "points"], wavelength: float, winding: float, curvature: float
) -> Float[ndarray, "points"]:
    """Return the track's heading after s metres, a sin(2pi s / l) + k s: Hirose's serpenoid, circling for k != 0."""
    return winding * np.sin(2 * np.pi * s / wavelength) + curvature * s


class SerpenoidTrack:
    """The curve that a body slithers along, tabulated by arc length."""

    def __init__(self, low: float, high: float, length: float, wavelength: float, winding: float, curvature: float):
        count = int(np.ceil((high - low) / length * TRACK_POINTS_PER_BODY)) + 2
        self.s = np.linspace(low, high, count)
        angle = serpenoid_angle(0.5 * (self.s[1:] + self.s[:-1]), wavelength, winding, curvature)
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
    frequency = times.whole_cycles(0.95 * style.tempo * float(np.sqrt(1.5 / max(length, 0.2))))
    winding = float(np.clip(0.75 * style.exaggeration, 0.35, 1.15))
    s = wavelength * (style.phase + frequency * times.seconds)
    builder = PoseBuilder(body.skeleton, len(s))
    lay_on_track(body, builder, s, wavelength, winding, turning / length)
    return builder


def rest_coiled(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Lie in curves with the head raised, swaying and breathing."""
    t = times.seconds
    builder = PoseBuilder(body.skeleton, len(t))
    _lie(body, builder, style, len(t))
    slow = times.whole_cycles(0.3 * style.tempo) * t + style.phase
    aside, nod = head_wander(style, times)
    raised = 0.55 + 0.05 * style.exaggeration * np.sin(2 * np.pi * times.whole_cycles(0.5) * t)
    count = len(_raised(body, 0.4))
    turned = 0.45 * style.exaggeration * np.sin(2 * np.pi * slow) + 2.0 * aside
    _raise_front(body, builder, 0.4, raised + nod, np.tile(turned / count, (count, 1)))
    return builder


def strike(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Strike: draw the front back into an S, shoot straight ahead with an open mouth, and return."""
    t = times.seconds
    frequency = times.whole_cycles(style.tempo / 1.4)
    s = np.remainder(frequency * t + style.phase, 1.0)
    draw = keyframe_curve(s, [(0, 0.45), (0.34, 1.0), (0.46, -0.25), (0.58, -0.2), (0.9, 0.45), (1, 0.45)])
    raised = keyframe_curve(s, [(0, 0.5), (0.34, 0.75), (0.46, 0.28), (0.58, 0.28), (0.9, 0.5), (1, 0.5)])
    builder = PoseBuilder(body.skeleton, len(t))
    _lie(body, builder, style, len(t))
    count = len(_raised(body, 0.45))
    place = (np.arange(count) + 0.5) / count
    bend = 1.15 * style.exaggeration * 2.4 * np.pi / count * np.cos(2 * np.pi * place)
    _raise_front(body, builder, 0.45, raised, bend[:, None] * draw)
    if body.jaw is not None:
        builder.turn(
            body.jaw, PITCH_AXIS, -0.6 * keyframe_curve(s, [(0, 0), (0.34, 0.4), (0.44, 1.0), (0.5, 0.0), (1, 0)])
        )
    return builder


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
    track = SerpenoidTrack(
        float(s.min()) - 1.3 * length, float(s.max()) + 1.3 * length, length, wavelength, winding, curvature
    )
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
    winding = float(np.clip(1.0 * style.exaggeration, 0.6, 1.25))
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
