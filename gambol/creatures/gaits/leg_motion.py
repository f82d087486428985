"""Legs follow their foot paths: the body is lowered as far as the legs need, then every leg is solved by IK."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.foot_paths import FootPath, pitch_axis
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS, PoseBuilder
from gambol.motion.folding_limb_ik import EXACT_REACH, EXACT_SHORT_REACH, solve_limb, turn

MAX_STANCE_STRETCH = EXACT_REACH
"""Largest stretch that is planned for standing legs, as a share of their full length; up to it IK is exact."""
MAX_LANDING_STRETCH = 0.95
"""Largest stretch in gaits with flights, where a leg that lands straight would have to bend in a jerk."""
SWING_SLACK = 0.14
"""Share of full length by which legs in the air lag behind their paths earlier, so that they swing smoothly."""
MAX_STANCE_REACH = 0.96
"""Largest horizontal distance of a standing foot from its hip, as a share of the stretched leg."""
SOLE_CORRECTION_ROUNDS = 4
"""Iterations that put a foot without a bone of its own back onto the ground."""


def ankle_target(leg: Leg, path: FootPath) -> Float[ndarray, "frames 3"]:
    """Return where the end of the leg's chain has to be: the ankle above a planted sole, or the sole itself."""
    if leg.foot is None:
        return path.sole + (leg.chain.joints[-1] - leg.sole)
    return path.sole + path.rotation @ (leg.chain.joints[-1] - leg.sole)


def required_lowering(
    leg: Leg,
    hips: Float[ndarray, "*frames 3"],
    ankles: Float[ndarray, "*frames 3"],
    stretch: float = MAX_STANCE_STRETCH,
) -> Float[ndarray, "*frames"]:
    """Return how far the hip is too high: max(0, y_hip - y_ankle - sqrt((s L)^2 - d^2)), d the horizontal distance."""
    away = ankles - hips
    longest = stretch * leg.chain.longest
    flat = away[..., 0] ** 2 + away[..., 2] ** 2
    allowed = np.sqrt(np.maximum(longest**2 - flat, (0.05 * longest) ** 2))
    return np.maximum(-away[..., 1] - allowed, 0.0)


def required_raising(
    leg: Leg, hips: Float[ndarray, "*frames 3"], ankles: Float[ndarray, "*frames 3"]
) -> Float[ndarray, "*frames"]:
    """Return how far the hip is too low for the most folded leg: max(0, sqrt(l^2 - d^2) - (y_hip - y_ankle))."""
    away = ankles - hips
    shortest = EXACT_SHORT_REACH * leg.chain.shortest
    flat = away[..., 0] ** 2 + away[..., 2] ** 2
    needed = np.sqrt(np.maximum(shortest**2 - flat, 0.0))
    return np.where(flat < shortest**2, np.maximum(needed + away[..., 1], 0.0), 0.0)


def all_in_reach(body: MovingBody, builder: PoseBuilder, paths: Sequence[FootPath]) -> bool:
    """Return whether every standing foot is horizontally near enough to its hip, which no lowering can change."""
    _, p = builder.displacements()
    for leg, path in zip(body.legs, paths, strict=True):
        away = ankle_target(leg, path) - p[:, leg.bones[0]]
        if (np.hypot(away[:, 0], away[:, 2])[path.stance] > MAX_STANCE_REACH * leg.chain.longest).any():
            return False
    return True


def upper_envelope(values: Float[ndarray, "frames"], width: int, *, loop: bool) -> Float[ndarray, "frames"]:
    """Return a smooth curve that is nowhere below `values`: the running maximum of `width` frames, averaged twice."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    if len(values) < 3 or width < 2 or values.max() <= 0.0:
        return np.maximum(values, 0.0)
    inner = values[:-1] if loop else values
    mode = "wrap" if loop else "nearest"
    width = min(width, len(inner))
    half = max(width // 2, 1)
    raised = maximum_filter1d(inner, 2 * half + 1, mode=mode)
    smooth = uniform_filter1d(uniform_filter1d(raised, half, mode=mode), half, mode=mode)
    return np.append(smooth, smooth[0]) if loop else smooth


def fit_height(
    body: MovingBody,
    builder: PoseBuilder,
    paths: Sequence[FootPath],
    *,
    width: int,
    loop: bool,
    stretch: float = MAX_STANCE_STRETCH,
) -> None:
    """Lower the root until every standing leg reaches its footprint, or raise it where legs would fold too far.

    The belly stays above the ground, whatever the legs need.
    A swinging foot that cannot be drawn up far enough only raises the body if it would meet the ground. `width` frames
    of smoothing; 0 lowers all frames alike.
    """
    down, up = np.zeros(len(builder)), np.zeros(len(builder))
    D, p = builder.displacements()
    for leg, path in zip(body.legs, paths, strict=True):
        lack = required_lowering(leg, p[:, leg.bones[0]], ankle_target(leg, path), stretch)
        down = np.maximum(down, np.where(path.stance, lack, 0.0))
    lower = upper_envelope(down, width, loop=loop) if width else np.full(len(builder), float(down.max()))
    p[..., 1] -= lower[:, None]
    for leg, path in zip(body.legs, paths, strict=True):
        lack = required_raising(leg, p[:, leg.bones[0]], ankle_target(leg, path))
        up = np.maximum(up, lack - np.where(path.stance, 0.0, 0.8 * path.clearance))
    owners = body.hull_bones[body.belly]
    if len(owners):
        offsets = body.hull[body.belly] - body.skeleton.heads[owners]
        gap = min(0.5 * body.clearance, 0.01 * body.size)
        up = np.maximum(up, gap - (p[:, owners, 1] + (D[:, owners, 1] * offsets).sum(-1)).min(1))
    builder.root_shift[:, 1] += upper_envelope(up, max(width, len(builder) // 12, 3), loop=loop) - lower


def plant_legs(body: MovingBody, builder: PoseBuilder, paths: Sequence[FootPath]) -> None:
    """Solve all legs so that their feet follow the paths."""
    D, p = builder.displacements()
    builder.standing = np.stack([path.stance for path in paths], axis=1)
    for leg, path in zip(body.legs, paths, strict=True):
        place_leg(builder, leg, path, D[:, _parent(builder, leg)], p[:, leg.bones[0]])


def place_leg(
    builder: PoseBuilder, leg: Leg, path: FootPath, above: Float[ndarray, "frames 3 3"], hip: Float[ndarray, "frames 3"]
) -> None:
    """Solve one leg: its chain reaches the ankle, the foot has its orientation, the toes lie flat."""
    to_parent = np.swapaxes(above, -1, -2)
    target = ankle_target(leg, path)
    exact = EXACT_REACH - SWING_SLACK * np.clip(path.clearance / (0.08 * leg.length), 0.0, 1.0)
    turns = solve_limb(leg.chain, (to_parent @ (target - hip)[..., None])[..., 0], exact)
    if leg.foot is None and leg.heel > 0.02 * leg.length:
        for _ in range(SOLE_CORRECTION_ROUNDS):
            moved = target + _standing_rise(leg, above @ _product(turns))
            turns = solve_limb(leg.chain, (to_parent @ (moved - hip)[..., None])[..., 0], exact)
    builder.rotations[:, list(leg.bones)] = turns
    if leg.foot is not None:
        builder.rotations[:, leg.foot] = np.swapaxes(above @ _product(turns), -1, -2) @ path.rotation
    if leg.toes is not None:
        builder.rotations[:, leg.toes] = turn(pitch_axis(leg), path.toe_angle)


def _standing_rise(leg: Leg, turned: Float[ndarray, "frames 3 3"]) -> Float[ndarray, "frames 3"]:
    """Return how far the middle of a pitched sole is above the lower of its two ends."""
    slope = (turned @ leg.ahead)[:, 1]
    return np.maximum(leg.heel * slope, -leg.ball * slope)[:, None] * UP_AXIS


def _product(turns: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames 3 3"]:
    result = turns[:, 0]
    for k in range(1, turns.shape[1]):
        result = result @ turns[:, k]
    return result


def _parent(builder: PoseBuilder, leg: Leg) -> int:
    return int(builder.skeleton.parents[leg.bones[0]])
