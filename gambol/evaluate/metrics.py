"""All numbers of one clip, side by side: what it does and how sound it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.cuboids import BoneCuboids
from gambol.errors import AssetError
from gambol.evaluate import soundness
from gambol.evaluate.gait_cycle import gait_cycle
from gambol.evaluate.observation import Observation
from gambol.evaluate.recognise import recognise
from gambol.motion.root_trajectory import SWAY_SECONDS, smooth_path


@dataclass(frozen=True)
class ClipMetrics:
    """Numbers of a clip. Sizes are the longest side of the character's rest bounding box."""

    clip: str
    seconds: float
    fps: float
    motion: str
    """The motion that the judge recognises."""
    confidence: float
    """How sure it is, 0 to 1: its score less the best other motion's, as far as they go apart."""
    motion_amount: float
    """Mean joint speed about the body's centre, sizes per second. Read every number below beside this one."""
    speed: float
    """Way of the body over the ground per second, metres per second."""
    speed_sizes: float
    """The same, sizes per second."""
    travel: float
    """Distance from the first to the last place over the ground, metres."""
    rise: float
    """Highest less lowest height of the body's centre, metres."""
    heading_change: float
    """Turn from the first to the last frame, to the left, radians."""
    penetration_max: float
    """Deepest point below the ground, sizes."""
    penetration_mean: float
    """Mean over frames of the same, sizes."""
    float_mean: float
    """Mean over frames of the height of the lowest point above the ground, sizes."""
    foot_skate: float | None
    """Horizontal speed of feet in contact, metres per second; None where nothing touches the ground."""
    foot_skate_sizes: float | None
    """The same, sizes per second."""
    jerk: float
    """Mean third derivative of the joints, sizes per second cubed."""
    bone_stretch: float
    """Largest relative change of a bone's length."""
    edge_stretch: float
    """95th percentile of |log| of the surface edges' relative lengths."""
    self_intersection: float | None
    """Mean depth of the worst overlap of two bones beyond the rest pose, sizes; None without a surface."""
    joint_limit_violation: float
    """Mean angle beyond the guessed joint limits, radians."""
    loop_error: float
    """Mean distance of the joints in the last pose from the first, sizes."""
    stride_hz: float
    """Strides per second; 0 where no foot swings."""
    left_right_phase: tuple[float | None, ...]
    """For each pair of legs from front to back: 0.5 alternates, 0 moves together; None where a leg does not swing."""
    fore_hind_phase: float | None
    """Between hind and fore leg of one side; 0.5 trots, 0 paces; None for one pair of legs or a leg without swing."""
    duty_factor: float
    """Mean share of the time that a foot is on the ground."""
    airborne: float
    """Share of the frames in which no foot is on the ground."""
    mpjpe: float | None = None
    """Mean joint distance to a reference clip, metres."""
    mpjpe_root_relative: float | None = None
    """The same with the roots' places taken out."""


def measure(
    seen: Observation,
    *,
    cuboids: BoneCuboids | None = None,
    reference: Observation | None = None,
) -> ClipMetrics:
    """Every number of a clip; `cuboids` bring self-intersection, `reference` the distance to another clip."""
    cycle, said = gait_cycle(seen), recognise(seen)
    speed = ground_speed(seen)
    deepest, depth = soundness.penetration(seen)
    skate = soundness.foot_skate(seen)
    away = joint_distance(seen, reference) if reference is not None else (None, None)
    return ClipMetrics(
        clip=seen.name,
        seconds=seen.seconds,
        fps=seen.fps,
        motion=said.motion,
        confidence=said.confidence,
        motion_amount=soundness.motion_amount(seen),
        speed=speed,
        speed_sizes=speed / seen.size,
        travel=float(np.linalg.norm((seen.centre[-1] - seen.centre[0])[[0, 2]])),
        rise=float(np.ptp(seen.centre[:, 1])),
        heading_change=float(seen.heading[-1] - seen.heading[0]),
        penetration_max=deepest,
        penetration_mean=depth,
        float_mean=soundness.float_mean(seen),
        foot_skate=skate,
        foot_skate_sizes=None if skate is None else skate / seen.size,
        jerk=soundness.jerk(seen),
        bone_stretch=soundness.bone_stretch(seen),
        edge_stretch=soundness.edge_stretch(seen),
        self_intersection=None if cuboids is None else soundness.self_intersection(seen, cuboids),
        joint_limit_violation=soundness.joint_limit_violation(seen),
        loop_error=soundness.loop_error(seen),
        stride_hz=cycle.stride_hz if cycle.clear.any() else 0.0,
        left_right_phase=cycle.clear_left_right,
        fore_hind_phase=cycle.clear_fore_hind,
        duty_factor=cycle.duty,
        airborne=cycle.airborne,
        mpjpe=away[0],
        mpjpe_root_relative=away[1],
    )


def ground_speed(seen: Observation) -> float:
    """Length of the centre's path over the ground, without its sway, per second; metres per second."""
    path = smooth_path(seen.centre[:, [0, 2]], SWAY_SECONDS * seen.fps)
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()) / seen.seconds


def joint_distance(seen: Observation, reference: Observation) -> tuple[float, float]:
    """MPJPE: mean |p - q| over joints and common times, with and without the roots' places; metres.

    The reference is sampled at the clip's own times, linearly.
    """
    if seen.joints.shape[1] != reference.joints.shape[1]:
        raise AssetError(
            f"The reference clip '{reference.name}' moves {reference.joints.shape[1]} bones, "
            f"'{seen.name}' moves {seen.joints.shape[1]}: they must belong to the same character."
        )
    times = np.arange(len(seen)) / seen.fps
    known = np.arange(len(reference)) / reference.fps
    times = times[times <= known[-1] + 1e-9]
    flat = reference.joints.reshape(len(reference), -1)
    other = np.stack([np.interp(times, known, column) for column in flat.T], axis=1).reshape(len(times), -1, 3)
    mine = seen.joints[: len(times)]
    whole = np.linalg.norm(mine - other, axis=-1).mean()
    relative = np.linalg.norm((mine - mine[:, :1]) - (other - other[:, :1]), axis=-1).mean()
    return float(whole), float(relative)
