"""Bodies on planted feet: the ground for everything that is done on the spot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm, pose_wings
from gambol.creatures.gaits.foot_paths import FootPath, foot_turn, rolled
from gambol.creatures.gaits.gait_motion import Times
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import STRETCH, fit_height, plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import Posing
from gambol.creatures.gaits.trunk_motion import Carriage, carry_trunk, lift_low, steady_tails

Curve = Float[ndarray, "frames"]


def keys(share: Curve, points: Sequence[tuple[float, float]]) -> Curve:
    """A smooth curve through (time, value) keys that stays still at its ends and never overshoots (PCHIP)."""
    from scipy.interpolate import PchipInterpolator

    x, y = np.array(points, float).T
    return PchipInterpolator(x, y)(np.clip(share, x[0], x[-1]))


def repeats(body: MovingBody, style: MotionStyle, times: Times, duration: float) -> tuple[Curve, float]:
    """How much of one execution is done at every frame, in [0, 1), and how long one takes in seconds.

    `duration` is for legs of 0.9 m; other sizes take sqrt(L / 0.9) times as long (equal Froude numbers).
    """
    natural = duration * float(np.sqrt(body.leg_length / 0.9)) / style.tempo
    frequency = times.whole_cycles(1.0 / natural)
    phase = style.phase + frequency * times.seconds
    return np.remainder(phase, 1.0), 1.0 / frequency


def still(frames: int) -> Curve:
    """Nothing, for every frame."""
    return np.zeros(frames)


def carriage(frames: int, **curves: Curve | Float[ndarray, "frames 3"]) -> Carriage:
    """A carriage that stands still but for the given curves."""
    rest = {name: still(frames) for name in ("heading", "height", "sway", "yaw", "roll", "pitch")}
    return Carriage(**{"ground": np.zeros((frames, 3)), **rest, **curves})  # type: ignore[arg-type]


def standing_foot(leg: Leg, frames: int, offset: Float[ndarray, "3"] | None = None) -> FootPath:
    """A foot on its rest place, or beside it."""
    place = leg.tread if offset is None else leg.tread + offset
    flat = np.tile(np.eye(3), (frames, 1, 1))
    return FootPath(np.tile(place, (frames, 1)), flat, still(frames), np.ones(frames, bool), still(frames))


def moving_foot(
    leg: Leg, ahead: Curve, up: Curve, tilt: Curve, on_ground: ndarray, aside: Curve | None = None
) -> FootPath:
    """A foot that leaves its rest place: its middle goes ahead, its lowest point goes up, it tilts about that point."""
    frames = len(up)
    _, rise = rolled(leg, tilt, still(frames))
    away = np.stack([ahead, up + rise, still(frames) if aside is None else aside], -1)
    return FootPath(leg.tread + away, foot_turn(leg, still(frames), tilt), still(frames), on_ground, up)


def trunk_tilt(body: MovingBody, low: float, wanted: float) -> float:
    """The part of a trunk's tilt that keeps its ends off the ground, when it is `low` metres lower than at rest."""
    if body.pairs < 2:
        return wanted
    room = 0.6 * max(body.clearance - low, 0.0)
    return float(min(wanted, room / max(0.5 * body.trunk_length + 0.3 * body.leg_length, 1e-9)))


def stand(
    body: MovingBody, posing: Posing, way: Carriage, times: Times, feet: Mapping[int, FootPath] | None = None
) -> None:
    """Carry the trunk and plant the feet; `feet` replaces the path of some legs (by their place in `body.legs`)."""
    carry_trunk(body, posing, way)
    settle(body, posing, times, feet)


def settle(
    body: MovingBody,
    posing: Posing,
    times: Times,
    feet: Mapping[int, FootPath] | None = None,
    *,
    stretch: float = STRETCH,
) -> None:
    """Bring the legs of a body whose trunk is posed to their feet."""
    paths = [standing_foot(leg, len(posing)) for leg in body.legs]
    for place, path in (feet or {}).items():
        paths[place] = path
    fit_height(body, posing, paths, width=max(3, len(posing) // 6), loop=times.loop, stretch=stretch)
    plant_legs(body, posing, paths)


def relax(
    body: MovingBody,
    posing: Posing,
    way: Carriage,
    times: Times,
    *,
    arms: ArmPose | None = None,
    wings: WingPose | None = None,
) -> None:
    """Arms hang, wings lie folded, tails point back and stay above the ground."""
    if arms is not None:
        for arm in body.arms:
            pose_arm(body, posing, arm, arms)
    if body.wings and wings is not None:
        pose_wings(body, posing, wings)
    steady_tails(body, posing, way.heading, 0.6)
    lift_low(body, posing, loop=times.loop)
