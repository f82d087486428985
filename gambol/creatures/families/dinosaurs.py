"""Families of two-legged dinosaurs: tyrannosaurs and raptors."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
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
DINOSAURS = (TREX, RAPTOR)
"""All families of this module."""
