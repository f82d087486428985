"""Families of rabbits and mice."""

from __future__ import annotations

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.family import CreatureFamily

RABBIT = CreatureFamily(
    "rabbit",
    QuadrupedShape(
        height=0.17,
        body=1.05,
        leg=0.36,
        rump=1.12,
        chest_width=0.78,
        belly=1.05,
        limb=0.055,
        bend=1.3,
        wrist=0.3,
        hock=0.14,
        foot=0.26,
        neck=0.16,
        neck_angle=0.75,
        neck_width=0.17,
        head=0.55,
        head_width=0.62,
        head_pitch=0.2,
        muzzle=0.3,
        muzzle_width=0.42,
        cheek=0.2,
        ear=1.1,
        ear_width=0.32,
        ear_round=0.45,
        ear_angle=0.12,
        tail=0.34,
        tail_width=0.1,
        tail_bush=1.3,
        tail_angle=0.5,
        tail_curl=0.4,
        eye=0.085,
        eye_front=0.15,
    ),
    (
        hex_coat("8a7358", "e4dac8", "8a7358", "8a7358", tail_tip="f2eee6", eye="2a1a0e"),
        hex_coat("ece7de", "f4f1ec", "ece7de", "ece7de", eye="7a2430"),
        hex_coat("6f6a66", "c8c2ba", "6f6a66", "6f6a66", tail_tip="f2eee6", eye="2a1a0e"),
    ),
    plan_quadruped,
    0.1,
)
"""The rabbit family."""

MOUSE = CreatureFamily(
    "mouse",
    QuadrupedShape(
        height=0.05,
        body=1.25,
        leg=0.3,
        rump=1.08,
        chest_width=0.85,
        belly=1.08,
        limb=0.05,
        bend=1.1,
        wrist=0.25,
        hock=0.16,
        foot=0.26,
        neck=0.14,
        neck_angle=0.35,
        neck_width=0.22,
        head=0.72,
        head_width=0.62,
        head_pitch=0.15,
        muzzle=0.45,
        muzzle_width=0.22,
        cheek=0.1,
        ear=0.48,
        ear_width=1.0,
        ear_round=1.0,
        ear_angle=0.6,
        tail=1.9,
        tail_width=0.06,
        tail_bush=0.7,
        tail_angle=-0.3,
        tail_curl=0.5,
        eye=0.07,
        eye_front=0.15,
    ),
    (
        hex_coat("8a8178", "d8d0c4", "d8a89a", "8a8178", socks=0.12, eye="0c0a0a", horn="c88a80"),
        hex_coat("7a5a3c", "e0d2ba", "d8a89a", "7a5a3c", socks=0.12, eye="0c0a0a", horn="c88a80"),
        hex_coat("efece6", "f4f2ee", "e4b8ac", "efece6", eye="8a2430", horn="d89a90"),
    ),
    plan_quadruped,
    0.1,
)
"""The mouse family."""

RABBITS_AND_MICE = (RABBIT, MOUSE)
"""All families of this module."""
