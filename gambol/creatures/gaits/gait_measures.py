"""Measures of procedural motions on the skinned surface: foot slip, ground penetration, footfall order, loops."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, Side
from gambol.character.character import Character
from gambol.creatures.gaits.leg_geometry import bones_under
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.gravity import EARTH_GRAVITY
from gambol.motion.rotations import rotation_angle
from gambol.motion.skinning import pose_vertices

TOUCH_HEIGHT = 0.003
"""Height of a foot's lowest point below which it touches the ground, in rest heights of the hip."""
FIRM_WEIGHT_SHARES = (0.98, 0.9, 0.5)
"""Skin weights of the foot above which a vertex shows the foot's slip; the first that a few vertices reach is used.
Other vertices are skin between foot and leg, and count only where none of these is on the ground."""


@dataclass(frozen=True)
class FootTrace:
    """One foot over a clip; lengths in metres."""

    pair: int
    """Number of its pair of legs, from front to back."""
    left: bool
    """Whether it is a left foot."""
    low: Float[ndarray, "frames"]
    """Height of its lowest point."""
    centre: Float[ndarray, "frames 3"]
    """Mean position of its vertices."""
    slip: Float[ndarray, "steps"]
    """Slip from each frame to the next: the least displacement of the points that are lowest in both (a foot that turns
    about one of its points does not slip); 0 where it neither touches nor is planned to stand."""
    touching: Bool[ndarray, "frames"]
    """Whether it touches the ground."""
    standing: Bool[ndarray, "frames"]
    """Whether it is planned to stand; without a plan, whether it touches."""

    def landings(self) -> Int[ndarray, "landings"]:
        """Return the frames in which it touches and did not in the frame before."""
        return np.flatnonzero(self.touching[1:] & ~self.touching[:-1]) + 1

    def stances(self) -> list[tuple[int, int]]:
        """Return first and last frame of every stance that lies completely within the clip."""
        leaves = np.flatnonzero(self.touching[:-1] & ~self.touching[1:])
        pairs = [(int(a), leaves[leaves >= a]) for a in self.landings()]
        return [(a, int(later[0])) for a, later in pairs if len(later)]


@dataclass(frozen=True)
class MotionTrace:
    """A posed surface over a clip, split into feet and the rest."""

    feet: tuple[FootTrace, ...]
    """All feet, in the order of the anatomy's legs."""
    rest_low: float
    """Height of the lowest point of everything but the feet, metres."""
    loop_error: float
    """Largest distance of a vertex in the last frame from its place in the first, without root motion, metres."""
    travel: Float[ndarray, "3"]
    """Displacement of the root from the first frame to the last, metres."""
    heading: Float[ndarray, "frames"]
    """Heading of the root, radians."""
    size: float
    """Size of the character, metres."""


def trace_motion(
    character: Character, anatomy: Anatomy, clip: Clip, standing: Bool[ndarray, "frames legs"] | None = None
) -> MotionTrace:
    """Pose every frame and trace the feet; `standing` says which are planned to stand (see `PoseBuilder`)."""
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
            touch = TOUCH_HEIGHT * float(skeleton.heads[limb.bones[0], 1])
            firm = share[foot] > next(
                f for f in FIRM_WEIGHT_SHARES if (share > f).sum() > 3 or f == FIRM_WEIGHT_SHARES[-1]
            )
            planned = None if standing is None else standing[:, place]
            feet.append(_trace_foot(limb.pair, limb.side == Side.LEFT, vertices[:, foot], firm, touch, planned))
    heading = clip.root[:, 3]
    return MotionTrace(
        tuple(feet),
        float(vertices[:, others, 1].min()),
        vertex_loop_error(vertices, clip.root[:, :3] + skeleton.heads[0], heading),
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
    planned: Bool[ndarray, "frames"] | None,
) -> FootTrace:
    low = points[..., 1].min(1)
    touching = low < touch
    standing = touching if planned is None else planned
    level = points[..., 1] < low[:, None] + touch
    hard = (points[..., 1] < low[:, None] + 3.0 * touch) & firm
    level = np.where(hard.any(1, keepdims=True), hard, level) & (touching | standing)[:, None]
    both = level[1:] & level[:-1]
    bearing = np.where(both.any(1, keepdims=True), both, level[1:] | level[:-1])
    slides = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1)
    down = level[1:].any(1) & level[:-1].any(1)
    slip = np.where(down, np.where(bearing, slides, np.inf).min(1), 0.0)
    return FootTrace(pair, left, low, points.mean(1), slip, touching, standing)


def vertex_loop_error(
    vertices: Float[ndarray, "frames vertices 3"], root: Float[ndarray, "frames 3"], heading: Float[ndarray, "frames"]
) -> float:
    """Return max |R (x_0 - p_0) + p_T - x_T|, p being the root and R the turn from the first heading to the last."""
    angle = heading[-1] - heading[0]
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    back = (vertices[0] - root[0]) @ R.T + root[-1]
    return float(np.linalg.norm(back - vertices[-1], axis=1).max())


def worst_slip(trace: MotionTrace, cycles: float) -> float:
    """Return the slip of the worst foot per cycle, metres."""
    return max((float(foot.slip.sum()) / cycles for foot in trace.feet), default=0.0)


def worst_depth(trace: MotionTrace) -> float:
    """Return the depth of the deepest foot below the ground, in sizes."""
    return max((-float(foot.low.min()) / trace.size for foot in trace.feet), default=0.0)


def least_gap(trace: MotionTrace) -> float:
    """Return the least distance of right feet to the right of their left partners, metres; negative where they cross.

    Right is perpendicular to the mean heading, which turns evenly from the first heading to the last.
    """
    gaps = []
    mean_heading = np.linspace(0.0, trace.heading[-1] - trace.heading[0], len(trace.heading))
    aside = np.stack([np.sin(mean_heading), np.zeros_like(mean_heading), np.cos(mean_heading)], -1)
    for a in trace.feet:
        for b in trace.feet:
            if a.left and not b.left and a.pair == b.pair:
                gaps.append(float(((b.centre - a.centre) * aside).sum(-1).min()))
    return min(gaps, default=float("inf"))


def duty(foot: FootTrace) -> float:
    """Return the share of frames in which a foot touches (the last frame of a loop is its first)."""
    return float(foot.touching[:-1].mean())


def landing_phase(foot: FootTrace, period_frames: float) -> float | None:
    """Return the circular mean of a foot's landing phases within the cycle; None if it never lands."""
    frames = foot.landings()
    if not len(frames):
        return None
    return float(np.angle(np.exp(2j * np.pi * frames / period_frames).mean()) / (2 * np.pi)) % 1.0


def largest_jolt(clip: Clip) -> float:
    """Return the largest change of a joint's rotation per frame, radians: |log(R_{t-1}^T R_t) - log(R_t^T R_{t+1})|."""
    R = joint_matrices(clip)
    steps = np.swapaxes(R[:-1], -1, -2) @ R[1:]
    return float(rotation_angle(np.swapaxes(steps[:-1], -1, -2) @ steps[1:]).max(initial=0.0))


def share_in_limits(clip: Clip, anatomy: Anatomy, slack: float = 0.05) -> float:
    """Return the share of joint angles within the anatomy's limits, widened by `slack` radians."""
    low, high = anatomy.limits[1:, :, 0] - slack, anatomy.limits[1:, :, 1] + slack
    angles = np.remainder(clip.angles + np.pi, 2 * np.pi) - np.pi
    return float(((angles >= low) & (angles <= high)).mean())


def fall_error(clip: Clip, airborne: Bool[ndarray, "frames"]) -> float:
    """Return the largest relative difference of the root's vertical acceleration from gravity, within flights."""
    y = clip.root[:, 1]
    acceleration = (y[2:] - 2 * y[1:-1] + y[:-2]) * clip.fps**2
    inside = airborne[2:] & airborne[1:-1] & airborne[:-2]
    return float(np.abs(acceleration[inside] / EARTH_GRAVITY + 1.0).max(initial=0.0))


def worst_float(trace: MotionTrace) -> float:
    """Return the largest height of a foot's lowest point while it is planned to stand, in sizes."""
    return max((float(foot.low[foot.standing].max(initial=0.0)) for foot in trace.feet), default=0.0) / trace.size


@dataclass(frozen=True)
class StepMeasures:
    """Stride, turn and frequency of a gait, measured from its footprints alone."""

    stride: float
    """Mean distance from a footprint to the foot's next one, metres."""
    turn: float
    """Turn to the left per cycle, radians."""
    frequency: float
    """Footprints of one foot per second."""


def measure_steps(trace: MotionTrace, fps: float) -> StepMeasures | None:
    """Measure steps from the middle of each stance to the middle of the foot's next one; None if no foot stands twice.

    The turn is that of the rigid motion that best takes all footprints to the next ones: arg sum conj(p - p') (q - q').
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
    return StepMeasures(float(np.abs(q - p).mean()), turn, fps / float(np.mean(frames)))


def side_slip(joints: Float[ndarray, "frames joints 3"], heights: Float[ndarray, "joints"]) -> float:
    """Return how far a slithering chain leaves its own track: distance of its joints from the chain one frame before.

    In metres. Between its joints the chain is the smooth curve through them (a bone is a chord of the track). A joint
    lies on the ground while it is no higher than `heights`, its height at rest, plus a thousandth of the chain; the
    foremost lying one enters new ground and does not count.
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
class WaveMeasures:
    """Wavelength and frequency of a slithering body's wave."""

    wavelength: float
    """Wavelength along the direction of travel, metres."""
    frequency: float
    """Frequency, hertz."""


def measure_wave(joints: Float[ndarray, "frames joints 3"], fps: float) -> WaveMeasures | None:
    """Measure a wave that travels along x from every second crossing of its middle line; None without crossings."""
    aside = joints[..., 2] - 0.5 * (joints[..., 2].min() + joints[..., 2].max())
    waves: list[float] = []
    for x, z in zip(joints[..., 0], aside, strict=True):
        at = _crossings(z)
        if len(at) >= 3:
            waves.extend(np.interp(at[2:], np.arange(len(x)), x) - np.interp(at[:-2], np.arange(len(x)), x))
    periods = [np.diff(at[::2]) for at in map(_crossings, aside.T) if len(at) >= 3]
    if not waves or not periods:
        return None
    return WaveMeasures(float(np.mean(np.abs(waves))), fps / float(np.mean(np.concatenate(periods))))


def _crossings(values: Float[ndarray, "samples"]) -> Float[ndarray, "crossings"]:
    """Return the fractional indices at which the sign changes."""
    k = np.flatnonzero(values[:-1] * values[1:] < 0)
    return k + values[k] / (values[k] - values[k + 1])


def hind_float(character: Character, clip: Clip, hind: tuple[int, ...]) -> float:
    """Return the largest height of the lowest point of a legless body's hind bones above the ground, metres."""
    _, _, weights = character.require_skin()
    vertices, owners = pose_vertices(character, clip), weights.dominant()
    lows = [vertices[:, owners == bone, 1].min(1).max() for bone in hind if (owners == bone).any()]
    return float(max(lows, default=0.0))
