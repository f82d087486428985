"""Building blocks of actions on planted feet: keyframe curves, trunk motion, foot paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose, WingPose, pose_arm, pose_wings
from gambol.creatures.gaits.foot_paths import FootPath, foot_rotation, roll_displacement
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.head_tail_motion import lift_low, steady_tails
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import MAX_STANCE_STRETCH, fit_height, plant_legs
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.trunk_motion import TrunkMotion

FrameCurve = Float[ndarray, "frames"]
"""One value per frame."""


def keyframe_curve(share: FrameCurve, points: Sequence[tuple[float, float]]) -> FrameCurve:
    """Evaluate a smooth curve through (time, value) keyframes that never overshoots (PCHIP)."""
    from scipy.interpolate import PchipInterpolator

    x, y = np.array(points, float).T
    return PchipInterpolator(x, y)(np.clip(share, x[0], x[-1]))


def action_phase(body: MovingBody, style: MotionStyle, times: FrameTimes, duration: float) -> tuple[FrameCurve, float]:
    """Return the phase of a repeated action at every frame, in [0, 1), and how long one repetition takes, seconds.

    `duration` is for legs of 0.9 m; other sizes take sqrt(L / 0.9) times as long (equal Froude numbers).
    """
    natural = duration * float(np.sqrt(body.leg_length / 0.9)) / style.tempo
    frequency = times.whole_cycles(1.0 / natural)
    phase = style.phase + frequency * times.seconds
    return np.remainder(phase, 1.0), 1.0 / frequency


def once_phase(body: MovingBody, style: MotionStyle, times: FrameTimes, duration: float) -> tuple[FrameCurve, float]:
    """Return the phase of an action that happens once and then holds, in [0, 1], and how long it takes, seconds.

    It starts at the style's phase. `duration` scales with the body as in `action_phase`; a loop holds it once.
    """
    natural = duration * float(np.sqrt(body.leg_length / 0.9)) / style.tempo
    frequency = times.whole_cycles(1.0 / natural)
    return np.clip(style.phase + frequency * times.seconds, 0.0, 1.0), 1.0 / frequency


def make_trunk_motion(frames: int, **curves: FrameCurve | Float[ndarray, "frames 3"]) -> TrunkMotion:
    """Make a trunk motion from the given curves; all others are zero."""
    rest = {name: np.zeros(frames) for name in ("heading", "height", "sway", "yaw", "roll", "pitch")}
    return TrunkMotion(**{"ground": np.zeros((frames, 3)), **rest, **curves})  # type: ignore[arg-type]


def standing_foot(leg: Leg, frames: int, offset: Float[ndarray, "3"] | None = None) -> FootPath:
    """Return the path of a foot that stands on its rest position, or `offset` metres from it."""
    place = leg.tread if offset is None else leg.tread + offset
    flat = np.tile(np.eye(3), (frames, 1, 1))
    return FootPath(np.tile(place, (frames, 1)), flat, np.zeros(frames), np.ones(frames, bool), np.zeros(frames))


def lifted_foot(
    leg: Leg, ahead: FrameCurve, up: FrameCurve, tilt: FrameCurve, on_ground: ndarray, aside: FrameCurve | None = None
) -> FootPath:
    """Return the path of a foot that leaves its rest position: ahead, up by its lowest point, pitched about it."""
    frames = len(up)
    _, rise = roll_displacement(leg, tilt, np.zeros(frames))
    away = np.stack([ahead, up + rise, np.zeros(frames) if aside is None else aside], -1)
    return FootPath(leg.tread + away, foot_rotation(leg, np.zeros(frames), tilt), np.zeros(frames), on_ground, up)


def trunk_tilt(body: MovingBody, low: float, wanted: float) -> float:
    """Return a trunk's tilt, limited so that its ends stay off the ground when it is lowered by `low` metres."""
    if body.pairs < 2:
        return wanted
    room = 0.6 * max(body.clearance - low, 0.0)
    return float(min(wanted, room / max(0.5 * body.trunk_length + 0.3 * body.leg_length, 1e-9)))


def plant_feet(
    body: MovingBody,
    builder: PoseBuilder,
    times: FrameTimes,
    feet: Mapping[int, FootPath] | None = None,
    *,
    stretch: float = MAX_STANCE_STRETCH,
) -> None:
    """Solve the legs of a body whose trunk is posed: feet stand at rest, except those with a path in `feet`."""
    paths = [standing_foot(leg, len(builder)) for leg in body.legs]
    for place, path in (feet or {}).items():
        paths[place] = path
    fit_height(body, builder, paths, width=max(3, len(builder) // 6), loop=times.loop, stretch=stretch)
    plant_legs(body, builder, paths)


def relax_limbs(
    body: MovingBody,
    builder: PoseBuilder,
    trunk: TrunkMotion,
    times: FrameTimes,
    *,
    arms: ArmPose | None = None,
    wings: WingPose | None = None,
) -> None:
    """Pose arms and wings if given, point tails back and keep everything above the ground."""
    if arms is not None:
        for arm in body.arms:
            pose_arm(body, builder, arm, arms)
    if body.wings and wings is not None:
        pose_wings(body, builder, wings)
    steady_tails(body, builder, trunk.heading, 0.6)
    lift_low(body, builder, loop=times.loop)
