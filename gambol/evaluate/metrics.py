"""All metrics of one clip: what motion it shows and how clean it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.bone_cuboids import BoneCuboids
from gambol.errors import AssetError
from gambol.evaluate import quality_metrics
from gambol.evaluate.gait_cycle import gait_cycle
from gambol.evaluate.observation import Observation
from gambol.evaluate.recognise import recognise
from gambol.motion.root_trajectory import SWAY_SECONDS, smooth_path


@dataclass(frozen=True)
class ClipMetrics:
    """Metrics of a clip. A size is the longest side of the character's rest bounding box."""

    clip: str
    """Name of the clip."""
    seconds: float
    """Length of the clip, seconds."""
    measured_fps: float
    """Frames per second that the clip was measured at, whatever its own are."""
    motion: str
    """The motion that the rule-based recogniser finds."""
    confidence: float
    """Confidence of the recogniser, 0 to 1: score of that motion minus the second best score."""
    motion_amount: float
    """Mean speed of the joints relative to the body's centre, sizes per second.

    A clip that hardly moves is good by most metrics below."""
    speed: float
    """Speed of the body over the ground, metres per second."""
    speed_sizes: float
    """Speed of the body over the ground, sizes per second."""
    travel: float
    """Distance over the ground from the first to the last frame, metres."""
    rise: float
    """Highest minus lowest height of the body's centre, metres."""
    heading_change: float
    """Change of heading from the first to the last frame, to the left, radians."""
    penetration_max: float
    """Largest depth below the ground, sizes."""
    penetration_mean: float
    """Mean over the frames of the largest depth below the ground, sizes."""
    float_mean: float
    """Mean over the frames of the height of the lowest point above the ground, sizes."""
    foot_skate: float | None
    """Horizontal speed of feet in contact, metres per second; None where nothing touches the ground."""
    foot_skate_sizes: float | None
    """Horizontal speed of feet in contact, sizes per second; None where nothing touches the ground."""
    jerk: float
    """Mean third derivative of the joint positions, sizes per second cubed."""
    bone_stretch: float
    """Largest relative change of a bone's length."""
    edge_stretch: float
    """95th percentile of |log(length / rest length)| of the surface's edges."""
    self_intersection: float | None
    """Mean over the frames of the deepest overlap of two bones beyond the rest pose, sizes; None without a surface."""
    joint_limit_violation: float
    """Mean angle beyond the estimated joint limits, radians."""
    loop_error: float
    """Mean distance of the joints between the last and the first pose, sizes."""
    stride_hz: float
    """Strides per second; 0 where no foot swings."""
    left_right_phase: tuple[float | None, ...]
    """Phase between left and right of each pair of legs, front to back: 0.5 alternates, 0 moves together.

    None where a leg does not swing."""
    fore_hind_phase: float | None
    """Phase between hind and fore leg of one side: 0.5 trots, 0 paces.

    None for one pair of legs, or where a leg does not swing."""
    duty_factor: float
    """Mean share of the time that a foot is on the ground."""
    airborne: float
    """Share of the frames in which no foot is on the ground."""
    mpjpe: float | None = None
    """Mean joint distance to a reference clip, metres."""
    mpjpe_root_relative: float | None = None
    """Mean joint distance to a reference clip with both roots moved to the origin, metres."""


def measure(
    seen: Observation,
    *,
    cuboids: BoneCuboids | None = None,
    reference: Observation | None = None,
) -> ClipMetrics:
    """Compute all metrics of an observed clip.

    Args:
        seen: The clip.
        cuboids: Shape of the bones, for self-intersection.
        reference: Another clip of the same character, for the distance to it.
    """
    cycle, said = gait_cycle(seen), recognise(seen)
    speed = ground_speed(seen)
    deepest, depth = quality_metrics.penetration(seen)
    skate = quality_metrics.foot_skate(seen)
    away = joint_distance(seen, reference) if reference is not None else (None, None)
    return ClipMetrics(
        clip=seen.name,
        seconds=seen.seconds,
        measured_fps=seen.fps,
        motion=said.motion,
        confidence=said.confidence,
        motion_amount=quality_metrics.motion_amount(seen),
        speed=speed,
        speed_sizes=speed / seen.size,
        travel=float(np.linalg.norm((seen.centre[-1] - seen.centre[0])[[0, 2]])),
        rise=float(np.ptp(seen.centre[:, 1])),
        heading_change=float(seen.heading[-1] - seen.heading[0]),
        penetration_max=deepest,
        penetration_mean=depth,
        float_mean=quality_metrics.float_mean(seen),
        foot_skate=skate,
        foot_skate_sizes=None if skate is None else skate / seen.size,
        jerk=quality_metrics.jerk(seen),
        bone_stretch=quality_metrics.bone_stretch(seen),
        edge_stretch=quality_metrics.edge_stretch(seen),
        self_intersection=None if cuboids is None else quality_metrics.self_intersection(seen, cuboids),
        joint_limit_violation=quality_metrics.joint_limit_violation(seen),
        loop_error=quality_metrics.loop_error(seen),
        stride_hz=cycle.stride_hz if cycle.clear.any() else 0.0,
        left_right_phase=cycle.clear_left_right,
        fore_hind_phase=cycle.clear_fore_hind,
        duty_factor=cycle.duty,
        airborne=cycle.airborne,
        mpjpe=away[0],
        mpjpe_root_relative=away[1],
    )


def ground_speed(seen: Observation) -> float:
    """Speed of the body's centre along its smoothed path over the ground, metres per second."""
    path = smooth_path(seen.centre[:, [0, 2]], SWAY_SECONDS * seen.fps)
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum()) / seen.seconds


def joint_distance(seen: Observation, reference: Observation) -> tuple[float, float]:
    """MPJPE: mean |p - q| over joints and common times, as they are and with both roots at the origin, metres.

    The reference is interpolated linearly at the clip's own times.
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
