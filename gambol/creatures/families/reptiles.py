"""Lizards, crocodiles and turtles."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.lizard import Lizard, plan_lizard
from gambol.creatures.bodies.skin_colours import srgb
from gambol.creatures.family import Family

LIZARD = Family(
    "lizard",
    Lizard(),
    (
        Coat(
            srgb("4f8a2f"),
            srgb("d9dca0"),
            srgb("4f8a2f"),
            srgb("3a6a24"),
            spots=0.6,
            mark=srgb("24481a"),
            scale=0.035,
            eye=srgb("d8902c"),
        ),
        Coat(
            srgb("8a6f44"),
            srgb("e0d2b0"),
            srgb("8a6f44"),
            srgb("6a5432"),
            stripes=0.7,
            mark=srgb("4a3820"),
            scale=0.05,
            eye=srgb("b8782c"),
        ),
        Coat(
            srgb("2f7a7a"),
            srgb("c9dfc4"),
            srgb("2f7a7a"),
            srgb("e07a2c"),
            net=0.5,
            mark=srgb("1c4a52"),
            scale=0.04,
            eye=srgb("d8a02c"),
        ),
        Coat(
            srgb("7a7468"),
            srgb("c4beb0"),
            srgb("7a7468"),
            srgb("5a554c"),
            spots=0.7,
            mark=srgb("3a362e"),
            scale=0.03,
            eye=srgb("c8902c"),
        ),
    ),
    plan_lizard,
    0.13,
)
CROCODILE = Family(
    "crocodile",
    replace(
        LIZARD.shape,
        trunk=1.1,
        width=0.23,
        depth=0.62,
        lift=0.09,
        neck=0.16,
        neck_width=0.155,
        head=0.68,
        head_width=0.42,
        snout=0.55,
        leg=0.36,
        limb=0.06,
        foot=0.2,
        tail=1.75,
        tail_width=0.14,
        crest=0.28,
        eye=0.045,
        sprawl=0.75,
    ),
    (
        Coat(
            srgb("4a5034"),
            srgb("c2bd94"),
            srgb("4a5034"),
            srgb("3a3f28"),
            net=0.45,
            mark=srgb("2e331f"),
            scale=0.03,
            eye=srgb("c8a02c"),
        ),
        Coat(
            srgb("5c5238"),
            srgb("cfc29a"),
            srgb("5c5238"),
            srgb("443c28"),
            stripes=0.4,
            mark=srgb("332c1c"),
            scale=0.06,
            eye=srgb("c8a02c"),
        ),
    ),
    plan_lizard,
    0.1,
)
TURTLE = Family(
    "turtle",
    replace(
        LIZARD.shape,
        trunk=0.3,
        width=0.4,
        depth=0.55,
        lift=0.16,
        neck=0.3,
        neck_width=0.1,
        head=0.3,
        head_width=0.72,
        snout=0.5,
        leg=0.5,
        limb=0.085,
        foot=0.2,
        tail=0.25,
        tail_width=0.055,
        shell=0.75,
        sprawl=0.75,
        eye=0.09,
    ),
    (
        Coat(
            srgb("5a6a34"),
            srgb("b8b078"),
            srgb("6a7a3c"),
            srgb("a8944a"),
            net=0.9,
            mark=srgb("38441f"),
            scale=0.2,
            eye=srgb("1c140a"),
        ),
        Coat(
            srgb("7a5c34"),
            srgb("c4ac74"),
            srgb("8a6c40"),
            srgb("a88a4a"),
            net=0.9,
            mark=srgb("4a3418"),
            scale=0.2,
            eye=srgb("1c140a"),
        ),
    ),
    plan_lizard,
    0.1,
)
REPTILES = (LIZARD, CROCODILE, TURTLE)
