"""Foxes, dogs and wolves."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import Quadruped
from gambol.creatures.bodies.skin_colours import srgb
from gambol.creatures.family import Family

FOX = Family(
    "fox",
    Quadruped(cheek=0.8, ear=0.52, ear_width=0.72, neck_width=0.12, muzzle_width=0.26, head_width=0.6),
    (
        Coat(
            srgb("c8641e"),
            srgb("f4ece0"),
            srgb("2a1c14"),
            srgb("c8641e"),
            tip=srgb("f7f2ea"),
            socks=0.3,
            eye=srgb("a8671a"),
        ),
        Coat(
            srgb("b04f18"),
            srgb("e8dccb"),
            srgb("231611"),
            srgb("b04f18"),
            tip=srgb("f7f2ea"),
            socks=0.35,
            eye=srgb("a8671a"),
        ),
        Coat(
            srgb("d2782e"),
            srgb("f6eedf"),
            srgb("33231a"),
            srgb("d2782e"),
            tip=srgb("f7f2ea"),
            socks=0.25,
            eye=srgb("a8671a"),
        ),
        Coat(
            srgb("be5a1c"),
            srgb("efe2d0"),
            srgb("1e1410"),
            srgb("be5a1c"),
            tip=srgb("f3ece2"),
            socks=0.32,
            eye=srgb("b8781e"),
        ),
        Coat(srgb("e9e7e2"), srgb("f6f5f2"), srgb("d8d5cf"), srgb("e9e7e2"), socks=0.1, eye=srgb("8a5a1e")),
        Coat(
            srgb("4a4745"),
            srgb("8d8984"),
            srgb("1b1918"),
            srgb("4a4745"),
            tip=srgb("f7f2ea"),
            socks=0.3,
            eye=srgb("b8801f"),
        ),
    ),
    plan_quadruped,
)

DOG = Family(
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
        Coat(srgb("c99a5b"), srgb("ead7b2"), srgb("d8b27c"), srgb("c99a5b"), eye=srgb("4a2c14")),
        Coat(srgb("5b3a22"), srgb("7a5636"), srgb("5b3a22"), srgb("5b3a22"), eye=srgb("5a3818")),
        Coat(srgb("2a2623"), srgb("c98a4a"), srgb("b87838"), srgb("2a2623"), socks=0.22, eye=srgb("4a2c14")),
        Coat(
            srgb("efebe4"),
            srgb("f4f1ec"),
            srgb("efebe4"),
            srgb("efebe4"),
            spots=0.95,
            mark=srgb("26211e"),
            scale=0.055,
            eye=srgb("4a2c14"),
        ),
        Coat(
            srgb("f0ece4"),
            srgb("f4f1ec"),
            srgb("f0ece4"),
            srgb("f0ece4"),
            patches=0.45,
            mark=srgb("6b4226"),
            scale=0.26,
            eye=srgb("4a2c14"),
        ),
    ),
    plan_quadruped,
    0.2,
    {"height": 0.45, "ear_angle": 0.4, "ear": 0.35, "tail": 0.4, "leg": 0.15, "fat": 0.1, "tail_bush": 0.5},
)

DACHSHUND = Family(
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
    (DOG.coats[1], DOG.coats[2], replace(DOG.coats[0], back=srgb("8a4a20"), belly=srgb("a8693a"), ends=srgb("8a4a20"))),
    plan_quadruped,
)

WOLF = Family(
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
        Coat(srgb("7d7a74"), srgb("d8d2c6"), srgb("b8b0a2"), srgb("6a6762"), eye=srgb("c79a2c")),
        Coat(srgb("2e2c2b"), srgb("4a4745"), srgb("2e2c2b"), srgb("2e2c2b"), eye=srgb("c79a2c")),
        Coat(srgb("e8e4dc"), srgb("f2efe9"), srgb("e8e4dc"), srgb("e8e4dc"), eye=srgb("b08a3c")),
    ),
    plan_quadruped,
)

CANINES = (FOX, DOG, DACHSHUND, WOLF)
