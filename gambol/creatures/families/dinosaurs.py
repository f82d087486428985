"""Families of dinosaurs: tyrannosaurs, raptors and long-necked sauropods."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.quadruped import plan_quadruped
from gambol.creatures.bodies.quadruped_shape import QuadrupedShape
from gambol.creatures.bodies.theropod import TheropodShape, plan_theropod
from gambol.creatures.family import CreatureFamily

TREX = CreatureFamily(
    "trex",
    TheropodShape(),
    (
        hex_coat(
            "6b5a3a",
            "c2b48a",
            "6b5a3a",
            "6b5a3a",
            horn="2a2622",
            stripes=0.6,
            markings="3a2f1e",
            pattern_scale=0.08,
            eye="d8a02c",
        ),
        hex_coat(
            "55682f",
            "b9b98a",
            "55682f",
            "55682f",
            horn="2a2622",
            stripes=0.5,
            markings="2e3a1c",
            pattern_scale=0.07,
            eye="d8a02c",
        ),
        hex_coat(
            "7a4632",
            "c9a48a",
            "7a4632",
            "7a4632",
            horn="2a2622",
            spots=0.5,
            markings="3a2018",
            pattern_scale=0.06,
            eye="c8b02c",
        ),
        hex_coat("5a5f66", "a9aeb2", "5a5f66", "5a5f66", horn="1e1c1a", eye="d8702c"),
    ),
    plan_theropod,
    0.1,
)
"""The tyrannosaur family."""
RAPTOR = CreatureFamily(
    "raptor",
    replace(
        TREX.shape,
        hip=0.85,
        depth=0.42,
        neck=0.55,
        neck_angle=0.95,
        neck_width=0.095,
        head=0.42,
        head_depth=0.36,
        arm=0.55,
        thigh=0.16,
        limb=0.045,
        toe=0.3,
        tail=1.75,
        tail_width=0.12,
        eye=0.05,
        gape=0.2,
    ),
    TREX.coats,
    plan_theropod,
    0.1,
)
"""The raptor family."""
SAUROPOD = CreatureFamily(
    "sauropod",
    QuadrupedShape(
        height=3.4,
        body=1.0,
        leg=0.48,
        rump=0.98,
        chest_width=0.82,
        belly=0.98,
        limb=0.075,
        bend=0.3,
        wrist=0.2,
        hock=0.18,
        foot=0.15,
        neck=1.75,
        neck_angle=0.8,
        neck_width=0.085,
        head=0.3,
        head_width=0.5,
        head_pitch=0.25,
        muzzle=0.45,
        muzzle_width=0.5,
        cheek=0.0,
        ear=0.0,
        tail=2.3,
        tail_width=0.17,
        tail_bush=0.55,
        tail_angle=-0.3,
        tail_curl=0.45,
        eye=0.05,
        eye_front=0.15,
    ),
    (
        hex_coat("6f7a5e", "b9b79a", "6f7a5e", "6f7a5e", horn="4a4a40", eye="c8902c"),
        hex_coat("7c6a54", "c4b294", "7c6a54", "7c6a54", horn="3e342a", eye="c8902c", stripes=0.4, markings="4a3c2c"),
        hex_coat("5f6f7c", "aab4b8", "5f6f7c", "5f6f7c", horn="3a3f44", eye="d8b02c", spots=0.4, markings="3c4a54"),
    ),
    plan_quadruped,
    0.12,
    {"neck": 0.3, "tail": 0.3, "neck_angle": 0.3, "height": 0.3},
)
"""The family of long-necked dinosaurs on four legs."""
DINOSAURS = (TREX, RAPTOR, SAUROPOD)
"""All families of this module."""
