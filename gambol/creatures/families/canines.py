"""Families of foxes, dogs and wolves."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.colours import hex_colour
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.family import CreatureFamily

FOX = CreatureFamily(
    "fox",
    QuadrupedShape(cheek=0.8, ear=0.52, ear_width=0.72, neck_width=0.12, muzzle_width=0.26, head_width=0.6),
    (
        hex_coat("c8641e", "f4ece0", "2a1c14", "c8641e", tail_tip="f7f2ea", socks=0.3, eye="a8671a"),
        hex_coat("b04f18", "e8dccb", "231611", "b04f18", tail_tip="f7f2ea", socks=0.35, eye="a8671a"),
        hex_coat("d2782e", "f6eedf", "33231a", "d2782e", tail_tip="f7f2ea", socks=0.25, eye="a8671a"),
        hex_coat("be5a1c", "efe2d0", "1e1410", "be5a1c", tail_tip="f3ece2", socks=0.32, eye="b8781e"),
        hex_coat("e9e7e2", "f6f5f2", "d8d5cf", "e9e7e2", socks=0.1, eye="8a5a1e"),
        hex_coat("4a4745", "8d8984", "1b1918", "4a4745", tail_tip="f7f2ea", socks=0.3, eye="b8801f"),
    ),
    plan_quadruped,
)
"""The fox family."""

DOG = CreatureFamily(
    "dog",
    replace(
        FOX.shape,
        height=0.58,
        body=0.95,
        leg=0.52,
        chest_width=0.6,
        belly=0.68,
        limb=0.045,
        bend=0.95,
        foot=0.14,
        neck=0.3,
        neck_angle=0.75,
        neck_width=0.13,
        head=0.42,
        head_width=0.55,
        head_pitch=0.15,
        muzzle=0.42,
        muzzle_width=0.48,
        ear=0.42,
        ear_width=0.6,
        ear_angle=2.35,
        tail=0.6,
        tail_width=0.045,
        tail_bush=1.0,
        tail_angle=0.35,
        tail_curl=0.9,
        eye=0.055,
        cheek=0.0,
        ear_round=0.6,
        eye_front=0.5,
    ),
    (
        hex_coat("c99a5b", "ead7b2", "d8b27c", "c99a5b", eye="4a2c14"),
        hex_coat("5b3a22", "7a5636", "5b3a22", "5b3a22", eye="5a3818"),
        hex_coat("2a2623", "c98a4a", "b87838", "2a2623", socks=0.22, eye="4a2c14"),
        hex_coat(
            "efebe4", "f4f1ec", "efebe4", "efebe4", spots=0.95, markings="26211e", pattern_scale=0.055, eye="4a2c14"
        ),
        hex_coat(
            "f0ece4", "f4f1ec", "f0ece4", "f0ece4", patches=0.45, markings="6b4226", pattern_scale=0.26, eye="4a2c14"
        ),
    ),
    plan_quadruped,
    0.2,
    {"height": 0.45, "ear_angle": 0.4, "ear": 0.35, "tail": 0.4, "leg": 0.15, "fat": 0.1, "tail_bush": 0.5},
)
"""The dog family."""

DACHSHUND = CreatureFamily(
    "dachshund",
    replace(
        DOG.shape,
        height=0.23,
        body=1.75,
        leg=0.33,
        chest_width=0.68,
        belly=0.85,
        limb=0.07,
        bend=0.7,
        foot=0.22,
        neck=0.4,
        neck_width=0.19,
        head=0.72,
        head_width=0.46,
        muzzle=0.5,
        muzzle_width=0.42,
        ear=0.5,
        ear_width=0.6,
        ear_angle=2.75,
        tail=0.95,
        tail_width=0.06,
        tail_angle=0.25,
        tail_curl=0.4,
    ),
    (
        DOG.coats[1],
        DOG.coats[2],
        replace(DOG.coats[0], back=hex_colour("8a4a20"), belly=hex_colour("a8693a"), legs=hex_colour("8a4a20")),
    ),
    plan_quadruped,
)
"""The dachshund family."""

WOLF = CreatureFamily(
    "wolf",
    replace(
        FOX.shape,
        height=0.78,
        leg=0.54,
        limb=0.042,
        head=0.4,
        head_width=0.56,
        muzzle=0.45,
        muzzle_width=0.4,
        ear=0.32,
        ear_width=0.65,
        neck_width=0.14,
        tail=0.6,
        tail_width=0.045,
        tail_bush=1.7,
        tail_angle=-0.95,
        tail_curl=-0.1,
        cheek=0.6,
    ),
    (
        hex_coat("7d7a74", "d8d2c6", "b8b0a2", "6a6762", eye="c79a2c"),
        hex_coat("2e2c2b", "4a4745", "2e2c2b", "2e2c2b", eye="c79a2c"),
        hex_coat("e8e4dc", "f2efe9", "e8e4dc", "e8e4dc", eye="b08a3c"),
    ),
    plan_quadruped,
)
"""The wolf family."""

CANINES = (FOX, DOG, DACHSHUND, WOLF)
"""All families of this module."""
