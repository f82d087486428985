"""Proportions of four-legged animals with upright legs, from mouse to giraffe."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class QuadrupedShape:
    """Proportions of a four-legged animal with upright legs; lengths are shares of the shoulder height."""

    height: float = ranged(0.04, 5.0, 0.4)
    """Height of the withers, metres."""
    body: float = ranged(0.4, 3.4, 0.95)
    """Distance from the hip joint to the shoulder joint, in shoulder heights."""
    leg: float = ranged(0.18, 0.84, 0.55)
    """Height of the chest's underside, in shoulder heights."""
    rump: float = ranged(0.72, 1.2, 0.98)
    """Height of the rump, in shoulder heights."""
    chest_width: float = ranged(0.4, 1.2, 0.62)
    """Width of the chest per depth."""
    belly: float = ranged(0.5, 1.25, 0.72)
    """Depth of the belly per depth of the chest."""
    fat: float = ranged(0.7, 1.5, 1.0)
    """Factor of all girths of the trunk; 1 is normal."""
    limb: float = ranged(0.015, 0.12, 0.035)
    """Radius of the forearm at its middle, in shoulder heights."""
    bend: float = ranged(0.2, 1.5, 1.0)
    """How strongly the hind legs are angled; 1 is a fox, 0.3 an elephant."""
    wrist: float = ranged(0.12, 0.6, 0.25)
    """Height of the wrist per height of the elbow."""
    hock: float = ranged(0.14, 0.45, 0.3)
    """Height of the hock per height of the hip."""
    foot: float = ranged(0.04, 0.45, 0.13)
    """Length of a paw or hoof, in shoulder heights."""
    hoof: float = ranged(0.0, 1.0, 0.0)
    """Kind of foot: 0 is a soft paw, 1 a hoof."""
    neck: float = ranged(0.0, 3.0, 0.35)
    """Length of the neck, in shoulder heights; 0 has none, the head sits on the chest."""
    neck_angle: float = ranged(-0.3, 1.4, 0.8)
    """Slope of the neck above the horizon, radians."""
    neck_width: float = ranged(0.04, 0.3, 0.11)
    """Radius of the neck behind the head, in shoulder heights."""
    head: float = ranged(0.1, 1.5, 0.42)
    """Length of the head, in shoulder heights."""
    head_width: float = ranged(0.3, 1.1, 0.55)
    """Width of the skull per length of the head."""
    head_pitch: float = ranged(-0.4, 1.3, 0.15)
    """How far the nose points down, radians."""
    muzzle: float = ranged(0.1, 0.7, 0.45)
    """Length of the muzzle per length of the head."""
    muzzle_width: float = ranged(0.15, 1.0, 0.3)
    """Width of the muzzle's end per width of the skull."""
    cheek: float = ranged(0.0, 1.0, 0.5)
    """How far the fur of the cheeks stands out, 0 to 1."""
    ear: float = ranged(0.0, 1.6, 0.5)
    """Length of an ear per length of the head; 0 has none."""
    ear_width: float = ranged(0.2, 1.3, 0.6)
    """Width of an ear per its length."""
    ear_round: float = ranged(0.0, 1.0, 0.1)
    """Roundness of the ears: 0 is pointed, 1 round."""
    ear_angle: float = ranged(0.0, 2.9, 0.35)
    """How far ears lean outwards from upright, radians; beyond 1.6 they droop."""
    tail: float = ranged(0.0, 3.5, 0.95)
    """Length of the tail, in shoulder heights; 0 has none."""
    tail_width: float = ranged(0.015, 0.3, 0.05)
    """Radius of the tail at its base, in shoulder heights."""
    tail_bush: float = ranged(0.3, 4.0, 1.9)
    """Radius of the tail at its thickest per radius at its base."""
    tail_angle: float = ranged(-1.45, 1.4, -0.5)
    """Slope of the tail's base above the horizon, radians."""
    tail_curl: float = ranged(-2.5, 4.0, 0.35)
    """How far the tail turns upwards from base to tip, radians."""
    tuft: float = ranged(0.0, 1.0, 0.0)
    """Hair on the tail: 0 is none, 0.5 a tuft at the end, 1 all of it."""
    mane: float = ranged(0.0, 1.0, 0.0)
    """Height of the mane, 0 to 1."""
    ruff: float = ranged(0.0, 1.0, 0.0)
    """Thickness of the fur around the neck, in the colour of the hair (a lion), 0 to 1."""
    horn: float = ranged(0.0, 1.4, 0.0)
    """Length of the horns (of the tusks, below a trunk) per length of the head; 0 has none."""
    antler: float = ranged(0.0, 1.0, 0.0)
    """How far the horns branch, 0 to 1."""
    nose_horn: float = ranged(0.0, 1.0, 0.0)
    """Length of a horn on the nose per length of the head; 0 has none."""
    hump: float = ranged(0.0, 1.0, 0.0)
    """Height of a camel's hump, 0 to 1."""
    trunk: float = ranged(0.0, 0.8, 0.0)
    """Length of an elephant's trunk, in shoulder heights; 0 has none."""
    eye: float = ranged(0.02, 0.12, 0.055)
    """Radius of an eye per length of the head."""
    eye_front: float = ranged(0.0, 1.0, 0.4)
    """Position of the eyes: 0 at the sides of the head, 1 in front."""

    def __post_init__(self) -> None:
        check_ranges(self)


@dataclass(frozen=True)
class QuadrupedFrame:
    """Measures of the trunk that head, legs and tail are built from, metres."""

    height: float
    """Height of the withers."""
    depth: float
    """Depth of the chest."""
    half_width: float
    """Half the width of the chest."""
    shoulder_z: float
    """Position of the shoulders along z."""
    hip_z: float
    """Position of the hips along z."""
    rump_radius: float
    """Radius of the rump."""
    limb: float
    """Radius of the forearm."""
