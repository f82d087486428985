"""Families of cows, sheep, goats and pigs."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.family import CreatureFamily

BLACK, WHITE = "1c1917", "f3efe6"
"""Hex codes of the colours of cows."""

COW = CreatureFamily(
    "cow",
    QuadrupedShape(
        height=1.4,
        body=0.98,
        leg=0.46,
        rump=0.99,
        chest_width=0.66,
        belly=1.02,
        limb=0.042,
        bend=0.6,
        wrist=0.42,
        hock=0.36,
        foot=0.1,
        hoof=1.0,
        neck=0.34,
        neck_angle=0.35,
        neck_width=0.13,
        head=0.42,
        head_width=0.46,
        head_pitch=0.75,
        muzzle=0.5,
        muzzle_width=0.75,
        ear=0.4,
        ear_width=0.5,
        ear_angle=1.55,
        tail=0.72,
        tail_width=0.025,
        tail_bush=0.8,
        tail_angle=-1.15,
        tail_curl=-0.3,
        tuft=0.5,
        horn=0.32,
        eye=0.045,
        cheek=0.0,
        ear_round=0.4,
        eye_front=0.0,
    ),
    (
        hex_coat(
            WHITE,
            "ece4da",
            WHITE,
            BLACK,
            horn="7a5a50",
            patches=0.55,
            markings=BLACK,
            pattern_scale=0.3,
            countershade=0.3,
            muzzle="d8a898",
        ),
        hex_coat("8a5530", "a87a50", "8a5530", "4a2c18", horn="4a3830", countershade=0.3),
        hex_coat("d8c2a0", "e8dcc4", "d8c2a0", "c0a47c", horn="8a6a5c", countershade=0.4),
        hex_coat(
            WHITE,
            "ece4da",
            WHITE,
            "7a3c1c",
            horn="b08a78",
            patches=0.5,
            markings="7a3c1c",
            pattern_scale=0.3,
            countershade=0.3,
        ),
    ),
    plan_quadruped,
)
"""The cow family."""

SHEEP = CreatureFamily(
    "sheep",
    QuadrupedShape(
        height=0.75,
        body=0.95,
        leg=0.4,
        rump=1.0,
        chest_width=0.8,
        belly=1.02,
        fat=1.12,
        limb=0.04,
        bend=0.5,
        wrist=0.42,
        hock=0.36,
        foot=0.09,
        hoof=1.0,
        neck=0.24,
        neck_angle=0.7,
        neck_width=0.15,
        head=0.36,
        head_width=0.5,
        head_pitch=0.55,
        muzzle=0.5,
        muzzle_width=0.55,
        cheek=0.0,
        ear=0.4,
        ear_width=0.5,
        ear_angle=1.7,
        tail=0.25,
        tail_width=0.05,
        tail_bush=1.1,
        tail_angle=-1.1,
        tail_curl=0.0,
        eye=0.05,
        eye_front=0.0,
    ),
    (
        hex_coat("e6dfd0", "ece6da", "3a342f", "e6dfd0", socks=0.34, muzzle="3a342f", countershade=0.3),
        hex_coat("ded4c0", "e6dfd0", "d8cdb8", "ded4c0", muzzle="e6d8c4", countershade=0.3),
        hex_coat("4a3a2e", "5a483a", "2e241d", "4a3a2e", socks=0.3, countershade=0.3),
    ),
    plan_quadruped,
    0.1,
)
"""The sheep family."""

GOAT = CreatureFamily(
    "goat",
    replace(
        SHEEP.shape,
        fat=0.95,
        chest_width=0.62,
        leg=0.48,
        neck=0.34,
        neck_width=0.1,
        horn=0.75,
        ear_angle=1.4,
        tail_angle=0.5,
        tail=0.15,
    ),
    (
        hex_coat("e2dccf", "ece6da", "e2dccf", "e2dccf", countershade=0.3),
        hex_coat("7a5636", "a88a66", "2e241d", "7a5636", socks=0.25, countershade=0.4),
    ),
    plan_quadruped,
    0.1,
)
"""The goat family."""

PIG = CreatureFamily(
    "pig",
    QuadrupedShape(
        height=0.7,
        body=1.15,
        leg=0.32,
        rump=1.0,
        chest_width=0.78,
        belly=1.02,
        limb=0.055,
        bend=0.6,
        wrist=0.35,
        hock=0.3,
        foot=0.1,
        hoof=1.0,
        neck=0.16,
        neck_angle=0.05,
        neck_width=0.22,
        head=0.5,
        head_width=0.62,
        head_pitch=0.35,
        muzzle=0.42,
        muzzle_width=0.55,
        ear=0.42,
        ear_width=0.85,
        ear_angle=1.1,
        tail=0.3,
        tail_width=0.02,
        tail_bush=0.8,
        tail_angle=0.2,
        tail_curl=3.2,
        eye=0.04,
        cheek=0.0,
        eye_front=0.2,
    ),
    (
        hex_coat("e4ab9c", "edc0b2", "e4ab9c", "e4ab9c", horn="8a5a50", countershade=0.5),
        hex_coat(
            "e4ab9c",
            "edc0b2",
            "e4ab9c",
            "e4ab9c",
            horn="6a4a44",
            patches=0.4,
            markings="3a302c",
            pattern_scale=0.25,
            countershade=0.4,
        ),
    ),
    plan_quadruped,
)
"""The pig family."""

LIVESTOCK = (COW, SHEEP, GOAT, PIG)
"""All families of this module."""
