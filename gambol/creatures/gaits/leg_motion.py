"""Legs follow their feet: the body sinks as far as the legs need, then every leg is folded and aimed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.foot_paths import FootPath, pitch_axis
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import UP_AXIS, Posing
from gambol.motion.limb_ik import EXACT, EXACT_SHORT, solve_limb, turn

STRETCH = EXACT
"""Standing legs are planned to at most this share of their full length: that far they reach exactly."""
SPRINGY = 0.95
"""The same in gaits that fly: a leg that is straight when it lands would have to bend in a jerk."""
SWING_SLACK = 0.14
"""Feet in the air may lag behind their paths from this much earlier on, so that legs swing through without a jerk."""
WIDEST = 0.96
"""A standing foot is nowhere further from its hip, seen from above, than this share of the stretched leg."""
ROUNDS = 4
"""Times that a foot without its own direction is put back onto the ground."""


def ankle_target(leg: Leg, path: FootPath) -> Float[ndarray, "frames 3"]:
    """Where the end of the leg's chain has to be: the ankle above a planted sole, or the sole itself."""
    if leg.foot is None:
        return path.sole + (leg.chain.joints[-1] - leg.sole)
    return path.sole + path.turned @ (leg.chain.joints[-1] - leg.sole)


def sinking(
    leg: Leg, hips: Float[ndarray, "*frames 3"], ankles: Float[ndarray, "*frames 3"], stretch: float = STRETCH
) -> Float[ndarray, "*frames"]:
    """How far the hip is too high: y_hip - y_ankle - sqrt((s L)^2 - d^2), d the horizontal distance; at least 0."""
    away = ankles - hips
    longest = stretch * leg.chain.longest
    flat = away[..., 0] ** 2 + away[..., 2] ** 2
    allowed = np.sqrt(np.maximum(longest**2 - flat, (0.05 * longest) ** 2))
    return np.maximum(-away[..., 1] - allowed, 0.0)


def rising(
    leg: Leg, hips: Float[ndarray, "*frames 3"], ankles: Float[ndarray, "*frames 3"]
) -> Float[ndarray, "*frames"]:
    """How far the hip is too low for the most folded leg: sqrt(l^2 - d^2) - (y_hip - y_ankle); at least 0."""
    away = ankles - hips
    shortest = EXACT_SHORT * leg.chain.shortest
    flat = away[..., 0] ** 2 + away[..., 2] ** 2
    needed = np.sqrt(np.maximum(shortest**2 - flat, 0.0))
    return np.where(flat < shortest**2, np.maximum(needed + away[..., 1], 0.0), 0.0)


def all_in_reach(body: MovingBody, posing: Posing, paths: Sequence[FootPath]) -> bool:
    """Whether every standing foot is near enough to its hip, seen from above: what no sinking of the body can mend."""
    _, p = posing.displacements()
    for leg, path in zip(body.legs, paths, strict=True):
        away = ankle_target(leg, path) - p[:, leg.bones[0]]
        if (np.hypot(away[:, 0], away[:, 2])[path.stance] > WIDEST * leg.chain.longest).any():
            return False
    return True


def envelope(values: Float[ndarray, "frames"], width: int, *, loop: bool) -> Float[ndarray, "frames"]:
    """A smooth curve that is nowhere below `values`: their running maximum over `width` frames, then two means."""
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
    posing: Posing,
    paths: Sequence[FootPath],
    *,
    width: int,
    loop: bool,
    stretch: float = STRETCH,
) -> None:
    """Lower the root until every standing leg reaches its print, or raise it where legs would have to fold too far.

    The belly stays above the ground, whatever the legs ask for.
    A swinging foot that cannot be drawn up far enough only raises the body if it would meet the ground. `width` frames
    of smoothing; 0 lowers all frames alike.
    """
    down, up = np.zeros(len(posing)), np.zeros(len(posing))
    D, p = posing.displacements()
    for leg, path in zip(body.legs, paths, strict=True):
        lack = sinking(leg, p[:, leg.bones[0]], ankle_target(leg, path), stretch)
        down = np.maximum(down, np.where(path.stance, lack, 0.0))
    lower = envelope(down, width, loop=loop) if width else np.full(len(posing), float(down.max()))
    p[..., 1] -= lower[:, None]
    for leg, path in zip(body.legs, paths, strict=True):
        lack = rising(leg, p[:, leg.bones[0]], ankle_target(leg, path))
        up = np.maximum(up, lack - np.where(path.stance, 0.0, 0.8 * path.clearance))
    owners = body.hull_bones[body.belly]
    if len(owners):
        offsets = body.hull[body.belly] - body.skeleton.heads[owners]
        gap = min(0.5 * body.clearance, 0.01 * body.size)
        up = np.maximum(up, gap - (p[:, owners, 1] + (D[:, owners, 1] * offsets).sum(-1)).min(1))
    posing.shift[:, 1] += envelope(up, max(width, len(posing) // 12, 3), loop=loop) - lower


def plant_legs(body: MovingBody, posing: Posing, paths: Sequence[FootPath]) -> None:
    """Set the turns of all legs so that their feet follow the paths."""
    D, p = posing.displacements()
    posing.standing = np.stack([path.stance for path in paths], axis=1)
    for leg, path in zip(body.legs, paths, strict=True):
        place_leg(posing, leg, path, D[:, _parent(posing, leg)], p[:, leg.bones[0]])


def place_leg(
    posing: Posing, leg: Leg, path: FootPath, above: Float[ndarray, "frames 3 3"], hip: Float[ndarray, "frames 3"]
) -> None:
    """One leg: its chain to the ankle, the foot to its direction, the toes flat."""
    to_parent = np.swapaxes(above, -1, -2)
    target = ankle_target(leg, path)
    exact = EXACT - SWING_SLACK * np.clip(path.clearance / (0.08 * leg.length), 0.0, 1.0)
    turns = solve_limb(leg.chain, (to_parent @ (target - hip)[..., None])[..., 0], exact)
    if leg.foot is None and leg.heel > 0.02 * leg.length:
        for _ in range(ROUNDS):
            moved = target + _standing_rise(leg, above @ _product(turns))
            turns = solve_limb(leg.chain, (to_parent @ (moved - hip)[..., None])[..., 0], exact)
    posing.turns[:, list(leg.bones)] = turns
    if leg.foot is not None:
        posing.turns[:, leg.foot] = np.swapaxes(above @ _product(turns), -1, -2) @ path.turned
    if leg.toes is not None:
        posing.turns[:, leg.toes] = turn(pitch_axis(leg), path.toe_turn)


def _standing_rise(leg: Leg, turned: Float[ndarray, "frames 3 3"]) -> Float[ndarray, "frames 3"]:
    """How far the middle of a tilted sole is above the lower of its two ends."""
    slope = (turned @ leg.ahead)[:, 1]
    return np.maximum(leg.heel * slope, -leg.ball * slope)[:, None] * UP_AXIS


def _product(turns: Float[ndarray, "frames bones 3 3"]) -> Float[ndarray, "frames 3 3"]:
    result = turns[:, 0]
    for k in range(1, turns.shape[1]):
        result = result @ turns[:, k]
    return result


def _parent(posing: Posing, leg: Leg) -> int:
    return int(posing.skeleton.parents[leg.bones[0]])
