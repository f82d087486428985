"""Families of lizards, crocodiles and turtles."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.lizard import LizardShape, plan_lizard
from gambol.creatures.family import CreatureFamily

LIZARD = CreatureFamily(
    "lizard",
    LizardShape(),
    (
        hex_coat(
            "4f8a2f", "d9dca0", "4f8a2f", "3a6a24", spots=0.6, markings="24481a", pattern_scale=0.035, eye="d8902c"
        ),
        hex_coat(
            "8a6f44", "e0d2b0", "8a6f44", "6a5432", stripes=0.7, markings="4a3820", pattern_scale=0.05, eye="b8782c"
        ),
        hex_coat("2f7a7a", "c9dfc4", "2f7a7a", "e07a2c", net=0.5, markings="1c4a52", pattern_scale=0.04, eye="d8a02c"),
        hex_coat(
            "7a7468", "c4beb0", "7a7468", "5a554c", spots=0.7, markings="3a362e", pattern_scale=0.03, eye="c8902c"
        ),
    ),
    plan_lizard,
    0.13,
)
"""The lizard family."""
CROCODILE = CreatureFamily(
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
        hex_coat("4a5034", "c2bd94", "4a5034", "3a3f28", net=0.45, markings="2e331f", pattern_scale=0.03, eye="c8a02c"),
        hex_coat(
            "5c5238", "cfc29a", "5c5238", "443c28", stripes=0.4, markings="332c1c", pattern_scale=0.06, eye="c8a02c"
        ),
    ),
    plan_lizard,
    0.1,
)
"""The crocodile family."""
TURTLE = CreatureFamily(
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
        hex_coat("5a6a34", "b8b078", "6a7a3c", "a8944a", net=0.9, markings="38441f", pattern_scale=0.2, eye="1c140a"),
        hex_coat("7a5c34", "c4ac74", "8a6c40", "a88a4a", net=0.9, markings="4a3418", pattern_scale=0.2, eye="1c140a"),
    ),
    plan_lizard,
    0.1,
)
"""The turtle family."""
REPTILES = (LIZARD, CROCODILE, TURTLE)
"""All families of this module."""
