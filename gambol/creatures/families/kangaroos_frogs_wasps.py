"""Families of kangaroos, frogs and wasps."""

from __future__ import annotations

from gambol.creatures.bodies.biped import BipedShape, plan_biped
from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.frog import FrogShape, plan_frog
from gambol.creatures.bodies.wasp import WaspShape, plan_wasp
from gambol.creatures.family import CreatureFamily

KANGAROO = CreatureFamily(
    "kangaroo",
    BipedShape(),
    (
        hex_coat("a8744a", "e4d2b4", "8a5a38", "a8744a", horn="2a2018", eye="1e140c"),
        hex_coat("8a8078", "d8d0c4", "6a6058", "8a8078", horn="1e1a18", eye="1e140c"),
        hex_coat("7a5a40", "c8b094", "4a3424", "7a5a40", horn="1e1814", eye="1e140c"),
    ),
    plan_biped,
    0.12,
    {"hip": 0.3},
)
"""The family of kangaroos."""
FROG = CreatureFamily(
    "frog",
    FrogShape(),
    (
        hex_coat(
            "5a9a34", "e4e4b4", "5a9a34", "3a6a24", eye="d8a02c", spots=0.6, markings="34581e", pattern_scale=0.12
        ),
        hex_coat("7a6a3c", "d8cca0", "7a6a3c", "5a4a28", eye="c8902c", spots=0.7, markings="4a3c20", pattern_scale=0.1),
        hex_coat("3fae4a", "f0f0c8", "e07a34", "2e7a34", eye="c82c1c", socks=0.25),
        hex_coat(
            "2a6ac8", "3a7ad8", "1c2a4a", "1c2a4a", eye="120e0c", spots=0.7, markings="101418", pattern_scale=0.09
        ),
    ),
    plan_frog,
    0.14,
    {"trunk": 0.4, "leg": 0.2, "pitch": 0.25},
)
"""The family of frogs."""
WASP = CreatureFamily(
    "wasp",
    WaspShape(),
    (
        hex_coat("e8c020", "e8c020", "2a2018", "c8d4d8", horn="1c1612", eye="1c1410", stripes=1.0, markings="161210"),
        hex_coat("c87a2c", "8a4a1c", "5a3418", "d8c8a8", horn="2a1c12", eye="3a1c10", stripes=0.8, markings="2a1a10"),
        hex_coat("2a3a34", "3a4a44", "1c1c1c", "b8c8cc", horn="141414", eye="8a2a1c"),
        hex_coat("2c5a7a", "4a7a9a", "1c2a34", "c8d8dc", horn="141c20", eye="2a1c18", stripes=0.6, markings="142a3a"),
    ),
    plan_wasp,
    0.16,
    {"thorax": 0.5, "waist": 0.5, "droop": 0.3, "sting": 0.6},
)
"""The family of wasps, bees and flies."""

HOPPERS_AND_WASPS = (KANGAROO, FROG, WASP)
"""All families of this module."""
