"""Numbers that say whether a motion is sound: planted feet, nothing below the ground, order of the feet, loops."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy import Anatomy, Side
from gambol.character.character import Character
from gambol.creatures.leg_shape import bones_under
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.rotations import rotation_angle
from gambol.motion.skinning import pose_vertices

TOUCH = 0.003
"""A foot whose lowest point is below this touches the ground, in heights of the hip at rest."""
FIRM = (0.98, 0.9, 0.5)
"""Vertices that follow the foot by more than this show its sliding (the first share that a few reach); others are skin
between it and the leg."""
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
    """How far it slides from each frame to the next: the least way of the points that touch in both (a foot that turns
    about one of its points does not slide); 0 where it does not touch."""
    touching: Bool[ndarray, "frames"]

    def landings(self) -> Int[ndarray, "landings"]:
        """Frames in which it touches and did not before."""
        return np.flatnonzero(self.touching[1:] & ~self.touching[:-1]) + 1


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


def trace_motion(character: Character, anatomy: Anatomy, clip: Clip) -> MotionTrace:
    """Pose every frame and follow the feet."""
    _, skeleton, weights = character.skinned()
    vertices = pose_vertices(character, clip).astype(np.float64)
    others = np.ones(len(weights), bool)
    feet = []
    for limb in anatomy.legs:
        if limb.contact is None:
            continue
        share = (weights.weights * np.isin(weights.bones, bones_under(skeleton, limb.contact))).sum(1)
        foot = share >= 0.5
        others &= ~foot
        if foot.any():
            touch = TOUCH * float(skeleton.heads[limb.bones[0], 1])
            firm = share[foot] > next(f for f in FIRM if (share > f).sum() > 3 or f == FIRM[-1])
            feet.append(_trace_foot(limb.pair, limb.side == Side.LEFT, vertices[:, foot], firm, touch))
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
    pair: int, left: bool, points: Float[ndarray, "frames points 3"], firm: Bool[ndarray, "points"], touch: float
) -> FootTrace:
    low = points[..., 1].min(1)
    level = (points[..., 1] < np.minimum(low, 0.0)[:, None] + touch) & firm
    both = level[1:] & level[:-1]
    ways = np.linalg.norm(np.diff(points[..., [0, 2]], axis=0), axis=-1)
    slip = np.where(both.any(1), np.where(both, ways, np.inf).min(1), 0.0)
    return FootTrace(pair, left, low, points.mean(1), slip, low < touch)


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
    """How far right feet stay on the right of their left partners, at least, in metres; negative where they cross."""
    gaps = []
    aside = np.stack([np.sin(trace.heading), np.zeros_like(trace.heading), np.cos(trace.heading)], -1)
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


def stride_between_prints(foot: FootTrace) -> float | None:
    """Mean distance between the places where a foot stands, metres."""
    landings = foot.landings()
    if len(landings) < 2:
        return None
    inside = [min(frame + 2, len(foot.centre) - 1) for frame in landings]
    steps = np.linalg.norm(np.diff(foot.centre[inside][:, [0, 2]], axis=0), axis=1)
    return float(steps.mean())


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


def worst_float(trace: MotionTrace, stances: dict[tuple[int, bool], Bool[ndarray, "frames"]]) -> float:
    """How high the lowest point of a foot is while it is meant to stand, in sizes; by (pair, left)."""
    heights = [foot.low[stances[foot.pair, foot.left]] for foot in trace.feet]
    return max((float(low.max(initial=0.0)) for low in heights), default=0.0) / trace.size


def side_slip(joints: Float[ndarray, "frames joints 3"], size: float) -> float:
    """How far a sliding chain leaves its own track: distance of its joints from the chain one frame before, in sizes.

    The foremost joint comes to new ground and does not count.
    """
    flat = joints[..., [0, 2]]
    worst = 0.0
    for before, after in pairwise(flat):
        a, b = before[:-1], before[1:]
        along = b - a
        share = ((after[:, None] - a) * along).sum(-1) / np.maximum((along**2).sum(-1), 1e-12)
        nearest = a + np.clip(share, 0.0, 1.0)[..., None] * along
        gaps = np.linalg.norm(after[:, None] - nearest, axis=-1).min(1)
        worst = max(worst, float(gaps[:-1].max()))
    return worst / size
