"""Families of mythical creatures: dragon, wyvern, pegasus, centaur, and two-legged monsters with huge heads."""

from __future__ import annotations

from dataclasses import fields

from gambol.creatures.bodies.biped import BipedShape, plan_biped
from gambol.creatures.bodies.centaur import CentaurShape, plan_centaur
from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.bodies.winged_quadruped import WingedQuadrupedShape, plan_winged_quadruped
from gambol.creatures.bodies.wyvern import WyvernShape, plan_wyvern
from gambol.creatures.families.ungulates import HORSE
from gambol.creatures.family import CreatureFamily


def quadruped_values(shape: QuadrupedShape) -> dict[str, float]:
    """Return the parameters that every four-legged shape has."""
    return {f.name: getattr(shape, f.name) for f in fields(QuadrupedShape)}


DRAGON = CreatureFamily(
    "dragon",
    WingedQuadrupedShape(
        height=1.8,
        body=1.15,
        leg=0.46,
        rump=0.9,
        chest_width=0.8,
        belly=0.74,
        limb=0.07,
        bend=1.0,
        wrist=0.25,
        hock=0.28,
        foot=0.22,
        neck=1.05,
        neck_angle=1.0,
        neck_width=0.085,
        head=0.48,
        head_width=0.46,
        head_pitch=0.3,
        muzzle=0.5,
        muzzle_width=0.42,
        cheek=0.0,
        ear=0.28,
        ear_width=0.4,
        ear_round=0.0,
        ear_angle=1.2,
        horn=0.55,
        tail=1.9,
        tail_width=0.14,
        tail_bush=0.6,
        tail_angle=-0.35,
        tail_curl=0.7,
        eye=0.05,
        eye_front=0.35,
        wing=1.9,
        chord=1.0,
        wing_rise=0.35,
        crest=0.6,
    ),
    (
        hex_coat("8a2a22", "d8b070", "8a2a22", "c8582c", horn="2e2620", eye="e8c02c"),
        hex_coat("2f6a3c", "c8c48a", "2f6a3c", "6a9a3c", horn="3a3424", eye="d8902c"),
        hex_coat("34486a", "b4b8c4", "34486a", "7a5a8a", horn="d8d0c0", eye="e8d02c"),
        hex_coat("2a2628", "5a4a4a", "2a2628", "6a2422", horn="8a7a6a", eye="d83a1c"),
    ),
    plan_winged_quadruped,
    0.14,
    {"neck": 0.35, "tail": 0.3, "height": 0.5, "wing": 0.2},
)
"""The family of dragons: four legs, two wings, long neck and tail."""
PEGASUS = CreatureFamily(
    "pegasus",
    WingedQuadrupedShape(**quadruped_values(HORSE.shape), wing=1.35, chord=0.55, wing_rise=0.3, feathers=1.0),
    (
        hex_coat("f0ece4", "f6f3ee", "f0ece4", "e4dccc", horn="6a5a4a", muzzle="d8b8b0", eye="3a2a1e"),
        hex_coat("2e2a2c", "3a3436", "2e2a2c", "1a1618", horn="1c1816", eye="3a2a1e"),
        hex_coat("a8703c", "c89a6a", "5a3418", "f0e8d8", horn="2a2018", eye="3a2a1e"),
    ),
    plan_winged_quadruped,
    0.1,
    {"feathers": 0.0},
)
"""The family of winged horses."""
WYVERN = CreatureFamily(
    "wyvern",
    WyvernShape(
        hip=1.5,
        trunk=0.8,
        depth=0.46,
        pitch=0.35,
        neck=0.85,
        neck_angle=0.95,
        neck_width=0.11,
        head=0.5,
        head_depth=0.4,
        gape=0.2,
        thigh=0.18,
        limb=0.06,
        tail=1.9,
        tail_width=0.15,
        wing=1.9,
        chord=0.85,
    ),
    (
        hex_coat("3f5a3a", "b0a878", "3f5a3a", "8a7a3c", horn="2a2622", eye="e8b02c"),
        hex_coat("5a4638", "b89a78", "5a4638", "8a5a3c", horn="2a2622", eye="d8702c"),
        hex_coat("4a4f5c", "9aa0a8", "4a4f5c", "6a3a4a", horn="d8d0c0", eye="d83a1c"),
    ),
    plan_wyvern,
    0.14,
    {"neck": 0.3, "hip": 0.5},
)
"""The family of wyverns: two legs, two wings and no arms."""
CENTAUR = CreatureFamily(
    "centaur",
    CentaurShape(**quadruped_values(HORSE.shape) | {"leg": 0.6, "limb": 0.04}),
    (
        hex_coat("6b4226", "8a5a38", "2e1c10", "2a1a10", horn="1c1612", head="d8a888", eye="4a2e18"),
        hex_coat("8a8682", "b4b0aa", "4a4642", "3a3634", horn="1c1816", head="a8704a", muzzle="3a5a7a", eye="2e1c10"),
        hex_coat("c49a6a", "e0c8a0", "e0c8a0", "d8b878", horn="3a2c20", head="e8c0a0", muzzle="7a2e2a", eye="3a5a7a"),
        hex_coat("2a2422", "3a302c", "2a2422", "1a1412", horn="120e0c", head="6a4028", eye="2e1c10"),
    ),
    plan_centaur,
    0.1,
)
"""The family of centaurs: a horse with a person's trunk, arms and head."""
MONSTER = CreatureFamily(
    "monster",
    BipedShape(
        hip=0.4,
        trunk=0.62,
        pitch=1.25,
        rump=0.44,
        chest=0.46,
        width=1.0,
        thigh=0.2,
        limb=0.11,
        bend=0.25,
        stance=1.1,
        foot=0.5,
        arm=0.95,
        arm_width=0.085,
        neck=0.0,
        head=1.15,
        head_width=0.95,
        head_pitch=0.0,
        muzzle=0.2,
        muzzle_width=0.6,
        ear=0.3,
        ear_width=0.7,
        ear_angle=0.9,
        horn=0.25,
        eye=0.1,
        eye_front=0.85,
        tail=0.35,
        tail_width=0.12,
    ),
    (
        hex_coat("6a4a9a", "c8b4e0", "6a4a9a", "3a2a5a", horn="e8e0d0", eye="e8d02c"),
        hex_coat("4a8a5a", "c8e0b4", "4a8a5a", "2a5a3a", horn="e8dcc0", eye="d8502c", spots=0.6, markings="2a5a3a"),
        hex_coat("c85a3a", "f0c8a0", "c85a3a", "8a2e1c", horn="3a2a20", eye="2c6ad8"),
        hex_coat("3a7aa8", "b4d8e8", "3a7aa8", "1e4a6a", horn="e8e0d0", eye="e8902c", stripes=0.6, markings="1e4a6a"),
    ),
    plan_biped,
    0.3,
    {
        "head": 0.25,
        "arm": 0.25,
        "pitch": 0.12,
        "head_pitch": 0.1,
        "eye_front": 0.15,
        "hip": 0.6,
        "tail": 1.0,
        "horn": 1.0,
    },
)
"""The family of two-legged monsters: a huge head without a neck on a round body."""

MYTHICAL = (DRAGON, PEGASUS, WYVERN, CENTAUR, MONSTER)
"""All families of this module."""
