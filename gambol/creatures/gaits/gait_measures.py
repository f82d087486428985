"""Numbers that say whether a motion is sound: planted feet, nothing below the ground, order of the feet, loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, Side
from gambol.character.character import Character
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.rotations import rotation_angle
from gambol.motion.skinning import pose_vertices

TOUCH = 0.003
"""A foot whose lowest point is below this touches the ground, in heights of the hip at rest."""
FIRM = (0.98, 0.9, 0.5)
"""Vertices that follow the foot by more than this show its sliding (the first share that a few reach); others are skin
between it and the leg, and count only where none of these is on the ground."""
GRAVITY = 9.81


@dataclass(frozen=True)
class FootTrace:
    """One foot over a clip; lengths in metres."""

    pair: int
    left: bool
    low: Float[ndarray, "frames"]
    """Height of its lowest point."""
    centre: Float[ndarray, "frames 3"]
    slip: Float[ndarray, "steps"]
    """How far it slides from each frame to the next: the least way of the lowest points of both (a foot that turns
    about one of its points does not slide); 0 where it neither touches nor is meant to stand."""
    touching: Bool[ndarray, "frames"]
    standing: Bool[ndarray, "frames"]
    """Whether it is meant to stand; where nothing is known of that, whether it touches."""

    def landings(self) -> Int[ndarray, "landings"]:
        """Frames in which it touches and did not before."""
        return np.flatnonzero(self.touching[1:] & ~self.touching[:-1]) + 1

    def stances(self) -> list[tuple[int, int]]:
        """First and last frame of every stance that lies within the clip as a whole."""
        leaves = np.flatnonzero(self.touching[:-1] & ~self.touching[1:])
        pairs = [(int(a), leaves[leaves >= a]) for a in self.landings()]
        return [(a, int(later[0])) for a, later in pairs if len(later)]


@dataclass(frozen=True)
class MotionTrace:
    """A clip's surface, apart into feet and the rest."""

    feet: tuple[FootTrace, ...]
    rest_low: float
    """Lowest point of everything but the feet, metres."""
    loop_error: float
    """Largest distance of a vertex in the last frame from its place in the first, after way and turn, metres."""
    travel: Float[ndarray, "3"]
    heading: Float[ndarray, "frames"]
    size: float


def trace_motion(
    character: Character, anatomy: Anatomy, clip: Clip, standing: Bool[ndarray, "frames legs"] | None = None
) -> MotionTrace:
    """Pose every frame and follow the feet; `standing` says which are meant to stand (see `Posing`)."""
    _, skeleton, weights = character.require_skin()
    vertices = pose_vertices(character, clip).astype(np.float64)
    others = np.ones(len(weights), bool)
    feet = []
    standing_legs = [(limb, limb.contact) for limb in anatomy.legs if limb.contact is not None]
    for place, (limb, contact) in enumerate(standing_legs):
        share = (weights.weights * np.isin(weights.bones, bones_under(skeleton, contact))).sum(1)
        foot = share >= 0.5
        others &= ~foot
        if foot.any():
            touch = TOUCH * float(skeleton.heads[limb.bones[0], 1])
            firm = share[foot] > next(f for f in FIRM if (share > f).sum() > 3 or f == FIRM[-1])
            meant = None if standing is None else standing[:, place]
            feet.append(_trace_foot(limb.pair, limb.side == Side.LEFT, vertices[:, foot], firm, touch, meant))
    heading = clip.root[:, 3]
    return MotionTrace(
        tuple(feet),
        float(vertices[:, others, 1].min()),
        loop_error(vertices, clip.root[:, :3] + skeleton.heads[0], heading),
        clip.root[-1, :3] - clip.root[0, :3],
        heading,
        character.size,
    )


def _trace_foot(
    pair: int,
    left: bool,
    points: Float[ndarray, "frames points 3"],
    firm: Bool[ndarray, "points"],
    touch: float,
    meant: Bool[ndarray, "frames"] | None,
) -> FootTrace:
    low = points[..., 1].min(1)
    touching = low < touch
    standing = touching if meant is None else meant
    level = points[..., 1] < low[:, None] + touch
    hard = (points[..., 1] < low[:, None] + 3.0 * touch) & firm
    level = np.where(hard.any(1, keepdims=True), hard, level) & (touching | standing)[:, None]
    both = level[1:] & level[:-1]
    bearing = np.where(both.any(1, keepdims=True), both, level[1:] | level[:-1])
    ways = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1)
    down = level[1:].any(1) & level[:-1].any(1)
    slip = np.where(down, np.where(bearing, ways, np.inf).min(1), 0.0)
    return FootTrace(pair, left, low, points.mean(1), slip, touching, standing)


def loop_error(
    vertices: Float[ndarray, "frames vertices 3"], root: Float[ndarray, "frames 3"], heading: Float[ndarray, "frames"]
) -> float:
    """max |R (x_0 - p_0) + p_T - x_T| with p the root and R the turn from the first heading to the last."""
    angle = heading[-1] - heading[0]
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    back = (vertices[0] - root[0]) @ R.T + root[-1]
    return float(np.linalg.norm(back - vertices[-1], axis=1).max())


def worst_slip(trace: MotionTrace, cycles: float) -> float:
    """Metres that a foot slides in a cycle, the worst foot."""
    return max((float(foot.slip.sum()) / cycles for foot in trace.feet), default=0.0)


def worst_depth(trace: MotionTrace) -> float:
    """How deep a foot is below the ground, in sizes."""
    return max((-float(foot.low.min()) / trace.size for foot in trace.feet), default=0.0)


def least_gap(trace: MotionTrace) -> float:
    """How far right feet stay on the right of their left partners, at least, in metres; negative where they cross.

    Right is that of the way, which turns evenly from the first heading to the last (the trunk sways about it).
    """
    gaps = []
    way = np.linspace(0.0, trace.heading[-1] - trace.heading[0], len(trace.heading))
    aside = np.stack([np.sin(way), np.zeros_like(way), np.cos(way)], -1)
    for a in trace.feet:
        for b in trace.feet:
            if a.left and not b.left and a.pair == b.pair:
                gaps.append(float(((b.centre - a.centre) * aside).sum(-1).min()))
    return min(gaps, default=float("inf"))


def duty(foot: FootTrace) -> float:
    """Share of the frames in which a foot touches (the last frame of a loop is its first)."""
    return float(foot.touching[:-1].mean())


def landing_phase(foot: FootTrace, period_frames: float) -> float | None:
    """Phase of a foot's landings within the cycle, as the circular mean; None where it never lands."""
    frames = foot.landings()
    if not len(frames):
        return None
    return float(np.angle(np.exp(2j * np.pi * frames / period_frames).mean()) / (2 * np.pi)) % 1.0


def largest_jolt(clip: Clip) -> float:
    """Largest change of a joint's turn between frames, radians: |log(R_{t-1}^T R_t) - log(R_t^T R_{t+1})|."""
    R = joint_matrices(clip)
    steps = np.swapaxes(R[:-1], -1, -2) @ R[1:]
    return float(rotation_angle(np.swapaxes(steps[:-1], -1, -2) @ steps[1:]).max(initial=0.0))


def share_in_limits(clip: Clip, anatomy: Anatomy, slack: float = 0.05) -> float:
    """Share of all joint angles that keep to the anatomy's limits."""
    low, high = anatomy.limits[1:, :, 0] - slack, anatomy.limits[1:, :, 1] + slack
    angles = np.remainder(clip.angles + np.pi, 2 * np.pi) - np.pi
    return float(((angles >= low) & (angles <= high)).mean())


def fall_error(clip: Clip, airborne: Bool[ndarray, "frames"]) -> float:
    """Relative difference of the root's vertical acceleration from gravity, in the middle of flights."""
    y = clip.root[:, 1]
    acceleration = (y[2:] - 2 * y[1:-1] + y[:-2]) * clip.fps**2
    inside = airborne[2:] & airborne[1:-1] & airborne[:-2]
    return float(np.abs(acceleration[inside] / GRAVITY + 1.0).max(initial=0.0))


def worst_float(trace: MotionTrace) -> float:
    """How high the lowest point of a foot is while it is meant to stand, in sizes."""
    return max((float(foot.low[foot.standing].max(initial=0.0)) for foot in trace.feet), default=0.0) / trace.size


@dataclass(frozen=True)
class Stepping:
    """How a body goes on, by its prints alone."""

    stride: float
    """Mean distance from a foot's print to its next one, metres."""
    turn: float
    """Turn to the left from all prints to the next ones, radians."""
    frequency: float
    """Prints of a foot per second."""


def measure_steps(trace: MotionTrace, fps: float) -> Stepping | None:
    """From the middle of each stance to the middle of the foot's next one; None where no foot stands twice.

    The turn is that of the rigid motion that takes all prints to the next ones best: arg sum conj(p - p') (q - q').
    """
    before: list[complex] = []
    after: list[complex] = []
    frames: list[float] = []
    for foot in trace.feet:
        middles = [(a + b) // 2 for a, b in foot.stances()]
        prints = foot.centre[middles][:, 0] - 1j * foot.centre[middles][:, 2]
        before.extend(prints[:-1])
        after.extend(prints[1:])
        frames.extend(np.diff(middles))
    if not frames:
        return None
    p, q = np.array(before), np.array(after)
    turn = float(np.angle((np.conj(p - p.mean()) * (q - q.mean())).sum())) if len(p) > 1 else 0.0
    return Stepping(float(np.abs(q - p).mean()), turn, fps / float(np.mean(frames)))


def side_slip(joints: Float[ndarray, "frames joints 3"], heights: Float[ndarray, "joints"]) -> float:
    """How far a sliding chain leaves its own track: distance of its joints from the chain one frame before, metres.

    Between its joints the chain is taken as the smooth curve through them (a bone is a chord of the track). A joint
    lies while it is no higher than `heights`, its height at rest, by a thousandth of the chain; the foremost one that
    lies comes to new ground and does not count.
    """
    from scipy.interpolate import CubicSpline

    flat, worst = joints[..., [0, 2]], 0.0
    places = np.arange(joints.shape[1])
    fine = np.linspace(0, places[-1], 16 * places[-1] + 1)
    slack = 1e-3 * float(np.linalg.norm(np.diff(joints[0], axis=0), axis=-1).sum())
    lying = joints[..., 1] <= heights + slack
    for before, after, down in zip(flat[:-1], flat[1:], lying[1:] & lying[:-1], strict=True):
        curve = CubicSpline(places, before)(fine)
        chosen = np.flatnonzero(down)[:-1]
        gaps = np.linalg.norm(after[chosen, None] - curve, axis=-1).min(1)
        worst = max(worst, float(gaps.max(initial=0.0)))
    return worst


@dataclass(frozen=True)
class BodyWave:
    """The wave of a sliding body."""

    wavelength: float
    """Metres along the way."""
    frequency: float
    """Hertz."""


def measure_wave(joints: Float[ndarray, "frames joints 3"], fps: float) -> BodyWave | None:
    """From every second crossing of the way's middle line, along the body and over time; None without crossings.

    The way goes along x.
    """
    aside = joints[..., 2] - 0.5 * (joints[..., 2].min() + joints[..., 2].max())
    waves: list[float] = []
    for x, z in zip(joints[..., 0], aside, strict=True):
        at = _crossings(z)
        if len(at) >= 3:
            waves.extend(np.interp(at[2:], np.arange(len(x)), x) - np.interp(at[:-2], np.arange(len(x)), x))
    periods = [np.diff(at[::2]) for at in map(_crossings, aside.T) if len(at) >= 3]
    if not waves or not periods:
        return None
    return BodyWave(float(np.mean(np.abs(waves))), fps / float(np.mean(np.concatenate(periods))))


def _crossings(values: Float[ndarray, "samples"]) -> Float[ndarray, "crossings"]:
    """Places of the changes of sign, between the samples."""
    k = np.flatnonzero(values[:-1] * values[1:] < 0)
    return k + values[k] / (values[k] - values[k + 1])


def hind_float(character: Character, clip: Clip, hind: tuple[int, ...]) -> float:
    """How high the lowest points of a legless body's hind bones are above the ground, at most, metres."""
    _, _, weights = character.require_skin()
    vertices, owners = pose_vertices(character, clip), weights.dominant()
    lows = [vertices[:, owners == bone, 1].min(1).max() for bone in hind if (owners == bone).any()]
    return float(max(lows, default=0.0))
