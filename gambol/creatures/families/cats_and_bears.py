"""Families of cats, large and small, and bears."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.family import CreatureFamily

CAT = CreatureFamily(
    "cat",
    QuadrupedShape(
        height=0.25,
        body=1.15,
        leg=0.5,
        rump=1.02,
        chest_width=0.72,
        belly=0.85,
        limb=0.05,
        bend=0.95,
        wrist=0.22,
        hock=0.26,
        foot=0.15,
        neck=0.2,
        neck_angle=0.65,
        neck_width=0.16,
        head=0.4,
        head_width=0.94,
        head_pitch=0.05,
        muzzle=0.22,
        muzzle_width=0.36,
        cheek=0.25,
        ear=0.5,
        ear_width=0.9,
        ear_angle=0.4,
        eye_front=0.9,
        tail=1.15,
        tail_width=0.055,
        tail_bush=0.95,
        tail_angle=0.2,
        tail_curl=1.2,
        eye=0.095,
    ),
    (
        hex_coat(
            "8f7b66", "d8cbb8", "a08b74", "8f7b66", markings="3b2f25", stripes=0.9, pattern_scale=0.07, eye="9fb04a"
        ),
        hex_coat(
            "d18a45",
            "f0dcc0",
            "f0dcc0",
            "d18a45",
            markings="a85a20",
            stripes=0.8,
            pattern_scale=0.07,
            eye="b8a23c",
            socks=0.08,
        ),
        hex_coat("26231f", "2f2b27", "26231f", "26231f", eye="c9b52e"),
        hex_coat("8c9096", "a9adb2", "8c9096", "8c9096", eye="d08a2c"),
        hex_coat(
            "f0ece4", "f6f3ee", "f0ece4", "f0ece4", markings="2b2622", patches=0.4, pattern_scale=0.28, eye="7fa9c2"
        ),
        hex_coat("dccbb0", "eadfca", "4a382c", "4a382c", tail_tip="4a382c", socks=0.3, eye="5f9fd0"),
    ),
    plan_quadruped,
)
"""The cat family."""

LION = CreatureFamily(
    "lion",
    replace(
        CAT.shape,
        height=1.0,
        body=1.0,
        leg=0.5,
        rump=0.97,
        limb=0.055,
        bend=0.85,
        head=0.36,
        head_width=0.75,
        muzzle=0.4,
        muzzle_width=0.55,
        ear=0.34,
        ear_width=0.9,
        neck_width=0.15,
        tail=0.8,
        tail_width=0.03,
        tail_bush=0.85,
        tail_angle=-0.8,
        tail_curl=1.0,
        tuft=0.5,
        ruff=0.6,
        eye=0.045,
        belly=0.78,
        cheek=0.0,
        ear_round=0.9,
        eye_front=0.75,
    ),
    (
        hex_coat("c39a5e", "e4d2ac", "c39a5e", "6a4320", eye="a8761e"),
        hex_coat("b88c50", "dcc8a0", "b88c50", "3a2616", eye="a8761e"),
    ),
    plan_quadruped,
    0.1,
)
"""The lion family."""

TIGER = CreatureFamily(
    "tiger",
    replace(LION.shape, ruff=0.0, tuft=0.0, tail_bush=0.95, height=0.95, cheek=0.45),
    (
        hex_coat(
            "cf7a28", "f2e8d8", "cf7a28", "cf7a28", stripes=1.0, markings="1e1612", pattern_scale=0.075, eye="b8942c"
        ),
    ),
    plan_quadruped,
    0.1,
)
"""The tiger family."""

BEAR = CreatureFamily(
    "bear",
    QuadrupedShape(
        height=1.05,
        body=1.02,
        leg=0.42,
        rump=0.94,
        chest_width=0.74,
        belly=0.95,
        limb=0.085,
        bend=0.55,
        wrist=0.22,
        hock=0.21,
        foot=0.2,
        neck=0.22,
        neck_angle=0.35,
        neck_width=0.155,
        head=0.42,
        head_width=0.7,
        head_pitch=0.2,
        muzzle=0.42,
        muzzle_width=0.42,
        cheek=0.15,
        ear=0.24,
        ear_width=0.95,
        ear_round=1.0,
        ear_angle=0.6,
        tail=0.1,
        tail_width=0.04,
        tail_bush=1.0,
        tail_angle=-0.6,
        tail_curl=0.0,
        eye=0.035,
        eye_front=0.6,
    ),
    (
        hex_coat("5a3d26", "6a4a30", "3e2a1a", "5a3d26", countershade=0.3, muzzle="8a6a48"),
        hex_coat("26211f", "2e2826", "26211f", "26211f", countershade=0.3, muzzle="8a6a48"),
    ),
    plan_quadruped,
    0.1,
)
"""The bear family."""

CATS_AND_BEARS = (CAT, LION, TIGER, BEAR)
"""All families of this module."""
