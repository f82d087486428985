"""Families of finned bodies: fish of several builds, eels, sharks, dolphins and whales."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat, plain_coat
from gambol.creatures.bodies.finned import FinnedShape, plan_finned
from gambol.creatures.family import CreatureFamily

FISH = CreatureFamily(
    "fish",
    FinnedShape(),
    (
        hex_coat(
            "5f7a5a", "e2dfd0", "5f7a5a", "7d8a62", spots=0.7, markings="2c3526", pattern_scale=0.035, eye="c8a43c"
        ),
        hex_coat("4b6c8a", "e6ebee", "4b6c8a", "5f7f98", eye="d0c49a", countershade=1.0),
        hex_coat("d8621e", "f2b25a", "d8621e", "e8843a", eye="2a1a10"),
        hex_coat(
            "7a8a3a", "dcd69a", "7a8a3a", "b8562c", stripes=0.8, markings="2e3a20", pattern_scale=0.11, eye="d09a2c"
        ),
        hex_coat("8f979e", "f0f1f0", "8f979e", "9aa2a6", eye="c8b45a", countershade=1.0),
        hex_coat("a83a2c", "e4b4a0", "a83a2c", "8c2c24", eye="d8b44a"),
    ),
    plan_finned,
    variations={"depth": 0.3, "width": 0.2, "length": 0.5, "fork": 0.4, "dorsal": 0.3, "dorsal_chord": 0.3},
)
"""The family of slender fish: trout, herring, perch."""
ANGELFISH = CreatureFamily(
    "angelfish",
    replace(
        FISH.shape,
        length=0.16,
        depth=0.58,
        width=0.2,
        thickest=0.4,
        peduncle=0.17,
        snout=0.1,
        head=0.24,
        mouth=0.25,
        dorsal=0.19,
        dorsal_at=0.54,
        dorsal_chord=0.28,
        sweep=0.85,
        second=0.0,
        anal=0.22,
        pelvic=0.16,
        pectoral=0.15,
        upright=0.8,
        caudal=0.2,
        span=0.3,
        fork=0.35,
        eye=0.11,
    ),
    (
        hex_coat(
            "d8d4c4", "f0ede2", "d8d4c4", "c8c09a", stripes=0.95, markings="22201e", pattern_scale=0.17, eye="c8641e"
        ),
        hex_coat(
            "e8c82c", "f4e48a", "e8c82c", "e0a82a", stripes=0.7, markings="2a4a9a", pattern_scale=0.12, eye="1a1410"
        ),
        hex_coat("2a5ab0", "5a8ad0", "2a5ab0", "e8c030", eye="141414", countershade=0.4),
        hex_coat(
            "e06a22", "f09a4a", "e06a22", "e06a22", stripes=0.9, markings="f4f0e8", pattern_scale=0.22, eye="1a1410"
        ),
    ),
    plan_finned,
    variations={"depth": 0.2, "dorsal": 0.4, "anal": 0.4, "length": 0.5},
)
"""The family of deep-bodied fish."""
EEL = CreatureFamily(
    "eel",
    replace(
        FISH.shape,
        length=0.8,
        depth=0.065,
        width=0.8,
        thickest=0.3,
        peduncle=0.42,
        snout=0.3,
        head=0.11,
        mouth=0.45,
        dorsal=0.016,
        dorsal_at=0.62,
        dorsal_chord=0.64,
        second=0.0,
        anal=0.014,
        pelvic=0.0,
        pectoral=0.062,
        pectoral_chord=0.6,
        caudal=0.06,
        span=0.03,
        fork=0.0,
        eye=0.055,
    ),
    (
        hex_coat("4a4a30", "c8c090", "4a4a30", "45452e", eye="b89a3c"),
        hex_coat(
            "8a6a2c", "c8a85a", "8a6a2c", "7a5c26", spots=0.9, markings="2e2010", pattern_scale=0.03, eye="d8c8a0"
        ),
        hex_coat("3e5a3a", "a8b47a", "3e5a3a", "36502f", eye="d0b040"),
        hex_coat("2c2e34", "7a7c80", "2c2e34", "26282c", eye="a8a490"),
    ),
    plan_finned,
    variations={"depth": 0.3, "length": 0.4, "dorsal": 0.4},
)
"""The family of eels and morays."""
SHARK = CreatureFamily(
    "shark",
    replace(
        FISH.shape,
        length=3.4,
        depth=0.165,
        width=0.88,
        thickest=0.36,
        peduncle=0.2,
        snout=0.16,
        head=0.22,
        mouth=0.34,
        overhang=0.3,
        dorsal=0.1,
        dorsal_at=0.43,
        dorsal_chord=0.12,
        sweep=0.75,
        second=0.03,
        anal=0.03,
        pelvic=0.05,
        pectoral=0.19,
        pectoral_chord=0.48,
        upright=0.05,
        caudal=0.17,
        span=0.29,
        fork=0.85,
        upper=0.66,
        eye=0.035,
    ),
    (
        plain_coat("5c656c", "eef0ee", eye="0c0c0c", countershade=1.0),
        plain_coat("45607c", "f0f2f2", eye="0c0c0c", countershade=1.0),
        hex_coat(
            "6a6452",
            "dcd6c2",
            "6a6452",
            "6a6452",
            stripes=0.7,
            markings="35322a",
            pattern_scale=0.06,
            eye="0c0c0c",
            countershade=0.9,
        ),
        plain_coat("7a6c58", "e4dcca", eye="0c0c0c", countershade=0.9),
    ),
    plan_finned,
    variations={"length": 0.4},
)
"""The shark family."""
DOLPHIN = CreatureFamily(
    "dolphin",
    replace(
        FISH.shape,
        length=2.5,
        depth=0.19,
        width=0.92,
        thickest=0.38,
        peduncle=0.2,
        snout=0.5,
        head=0.22,
        beak=0.36,
        mouth=0.32,
        dorsal=0.09,
        dorsal_at=0.5,
        dorsal_chord=0.13,
        sweep=0.95,
        second=0.0,
        anal=0.0,
        pelvic=0.0,
        pectoral=0.15,
        pectoral_chord=0.42,
        upright=0.15,
        caudal=0.13,
        span=0.26,
        fork=0.7,
        fluke=1.0,
        eye=0.028,
    ),
    (
        plain_coat("6a7682", "e2e4e4", eye="0c0a0a", countershade=1.0),
        plain_coat("4a5764", "d2d6da", eye="0c0a0a", countershade=0.9),
        plain_coat("8a9298", "eeeeec", eye="0c0a0a", countershade=0.9),
        plain_coat("2c3238", "c8ccce", eye="0c0a0a", countershade=1.0),
    ),
    plan_finned,
)
"""The dolphin family."""
WHALE = CreatureFamily(
    "whale",
    replace(
        DOLPHIN.shape,
        length=12.0,
        depth=0.2,
        width=0.95,
        thickest=0.34,
        peduncle=0.17,
        snout=0.34,
        head=0.28,
        beak=0.0,
        mouth=0.78,
        dorsal=0.025,
        dorsal_at=0.62,
        dorsal_chord=0.07,
        pectoral=0.2,
        pectoral_chord=0.3,
        caudal=0.12,
        span=0.3,
        fork=0.65,
        eye=0.018,
    ),
    (
        plain_coat("3a4450", "b4babf", eye="0c0a0a", countershade=0.9),
        plain_coat("4f6478", "9fb0bc", eye="0c0a0a", countershade=0.7),
        plain_coat("22262a", "e8e8e6", eye="0c0a0a", countershade=1.0),
    ),
    plan_finned,
    variations={"length": 0.35, "pectoral": 0.3},
)
"""The whale family."""
SWIMMERS = (FISH, ANGELFISH, EEL, SHARK, DOLPHIN, WHALE)
"""All families of this module."""
