"""Parameters of a gait: footfall, speed, direction, posture, and how trunk, arms and head go with it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose
from gambol.creatures.gaits.foot_paths import FootRoll, swing_progress
from gambol.creatures.gaits.footfalls import Footfall
from gambol.creatures.gaits.trunk_motion import BodyWaves

PIVOT_RAMP = 0.2
"""Share of a turn on the spot in which it gathers speed, and in which it slows down."""


@dataclass(frozen=True)
class Pivot:
    """A turn on the spot with a start and an end."""

    angle: float
    """Turn to the left, radians."""
    start: float
    """Time at which it starts, seconds."""
    seconds: float
    """How long it takes, seconds."""

    def heading(self, seconds: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
        """Heading at some times, radians: steady but for a ramp of the turning rate at both ends.

        With s the share of the time and r the ramp's, the progress is s^2 / (2 r (1 - r)) in the first ramp and
        (s - r / 2) / (1 - r) after it; the last ramp mirrors the first one.
        """
        share = np.clip((seconds - self.start) / self.seconds, 0.0, 1.0)
        early, r = np.minimum(share, 1.0 - share), PIVOT_RAMP
        progress = np.where(early < r, early**2 / (2.0 * r * (1.0 - r)), (early - 0.5 * r) / (1.0 - r))
        return self.angle * np.where(share > 0.5, 1.0 - progress, progress)

    def activity(self, seconds: Float[ndarray, "frames"]) -> Float[ndarray, "frames"]:
        """How much the body moves at some times: 1 while it turns, falling to 0 in the ramps at both ends."""
        share = np.clip((seconds - self.start) / self.seconds, 0.0, 1.0)
        return swing_progress(np.clip(np.minimum(share, 1.0 - share) / PIVOT_RAMP, 0.0, 1.0))


@dataclass(frozen=True)
class Gait:
    """Parameters of a gait before its style is applied; lengths in leg lengths, angles in radians."""

    footfall: Footfall
    """When each leg touches down and how long it stays."""
    froude: float = 0.2
    """Froude number, speed^2 / (g leg length); it also sets the tempo."""
    stride: float = 1.0
    """Factor of the natural stride length (Alexander 1976)."""
    tempo: float = 1.0
    """Factor of the natural stride frequency."""
    travel: float = 1.0
    """Share of the stride that is travelled; 0 steps on the spot."""
    lift: float = 0.1
    """Clearance of a swinging foot."""
    roll: FootRoll = field(default_factory=FootRoll)
    """Pitch of the feet over their cycle."""
    crouch: float = 0.0
    """Constant lowering of the body."""
    max_sinking: float = 0.08
    """How far the body may sink for long strides before they are shortened."""
    yaw: float = 0.0
    """Turn to the left per cycle."""
    narrow: float = 1.0
    """Distance between left and right footprints, in distances at rest."""
    waves: BodyWaves = field(default_factory=BodyWaves)
    """Amplitudes of the trunk's, head's and tail's movements."""
    arms: float = 0.0
    """Amplitude of the arms' swing."""
    elbow: float = 0.25
    """Bend of the elbows."""
    arms_back: float = 0.0
    """Constant backward angle of the upper arms."""
    head_scan: float = 0.0
    """Amplitude of slowly looking around, to either side."""
    held_arms: ArmPose | None = None
    """Pose in which both arms are held instead of hanging; they still swing by `arms`."""
    course: float = 0.0
    """Direction of travel against where the body faces, left positive: pi goes backwards."""
    weave: float = 0.0
    """Amplitude of a path that weaves to either side once in two cycles."""
    stagger: float = 0.0
    """Amplitude of slow uneven swaying of the trunk, radians; the head and a spread pair of arms follow."""
    hunch: float = 0.0
    """Constant bend of the spine forwards; negative puts the chest out."""
    head_tilt: float = 0.0
    """Constant pitch of the head, nose up positive."""
    uneven: float = 0.0
    """How much shorter the strides of the right (fore)leg are, 0 to 1; the style's asymmetry is added."""
    belly_room: float = 0.5
    """Largest share of the belly's clearance by which the body may be lowered."""
    pivot: Pivot | None = None
    """A turn on the spot that ends, instead of a steady one."""

    @property
    def strides(self) -> int:
        """Strides after which the motion repeats: two of a gait that weaves or staggers."""
        return 2 if self.weave or self.stagger else 1
