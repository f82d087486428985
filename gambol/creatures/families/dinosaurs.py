"""Tyrannosaurs and raptors."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.skin_colours import srgb
from gambol.creatures.bodies.theropod import Theropod, plan_theropod
from gambol.creatures.family import Family

TREX = Family(
    "trex",
    Theropod(),
    (
        Coat(
            srgb("6b5a3a"),
            srgb("c2b48a"),
            srgb("6b5a3a"),
            srgb("6b5a3a"),
            horn=srgb("2a2622"),
            stripes=0.6,
            mark=srgb("3a2f1e"),
            scale=0.08,
            eye=srgb("d8a02c"),
        ),
        Coat(
            srgb("55682f"),
            srgb("b9b98a"),
            srgb("55682f"),
            srgb("55682f"),
            horn=srgb("2a2622"),
            stripes=0.5,
            mark=srgb("2e3a1c"),
            scale=0.07,
            eye=srgb("d8a02c"),
        ),
        Coat(
            srgb("7a4632"),
            srgb("c9a48a"),
            srgb("7a4632"),
            srgb("7a4632"),
            horn=srgb("2a2622"),
            spots=0.5,
            mark=srgb("3a2018"),
            scale=0.06,
            eye=srgb("c8b02c"),
        ),
        Coat(srgb("5a5f66"), srgb("a9aeb2"), srgb("5a5f66"), srgb("5a5f66"), horn=srgb("1e1c1a"), eye=srgb("d8702c")),
    ),
    plan_theropod,
    0.1,
)
RAPTOR = Family(
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
DINOSAURS = (TREX, RAPTOR)
