"""Families of rabbits, mice and weasels."""

from __future__ import annotations

from dataclasses import replace

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

WEASEL = CreatureFamily(
    "weasel",
    replace(
        MOUSE.shape,
        height=0.11,
        body=2.3,
        leg=0.34,
        rump=1.0,
        chest_width=0.8,
        belly=0.95,
        limb=0.05,
        bend=1.0,
        hock=0.24,
        foot=0.2,
        neck=0.55,
        neck_angle=0.45,
        neck_width=0.2,
        head=0.55,
        muzzle=0.35,
        ear=0.25,
        tail=1.1,
        tail_width=0.07,
        tail_bush=1.3,
        tail_angle=-0.2,
        eye_front=0.4,
    ),
    (
        hex_coat("8a5a32", "f0e8d8", "8a5a32", "8a5a32", tail_tip="1e1814", eye="0c0a0a", countershade=1.0),
        hex_coat("4a3628", "6a5442", "2e221a", "2e221a", eye="0c0a0a", muzzle="e8dcc8"),
        hex_coat("e8e0cc", "f2ece0", "c8b898", "c8b898", eye="8a2430"),
    ),
    plan_quadruped,
    0.12,
    {"body": 0.3},
)
"""The family of weasels: long bodies on short legs."""

RABBITS_AND_MICE = (RABBIT, MOUSE, WEASEL)
"""All families of this module."""
