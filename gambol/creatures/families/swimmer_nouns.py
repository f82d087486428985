"""Nouns for fish, eels, sharks, dolphins and whales."""

from __future__ import annotations

from gambol.creatures.bodies.coat import hex_coat, plain_coat
from gambol.creatures.noun import noun

BLACK_EYE = "0c0a0a"
"""Hex code of a black iris."""
SWIMMER_NOUNS = (
    noun("fish, trout, perch, cod, herring", "fish"),
    noun(
        "salmon",
        "fish",
        {"size": 1.8},
        hex_coat("8a95a0", "eef0f0", "8a95a0", "7f8a94", eye="c8b45a", countershade=1.0),
    ),
    noun(
        "goldfish, koi, carp",
        "fish",
        {"size": 0.8, "girth": 1.25, "tail": 1.25},
        hex_coat("e0701e", "f4b85a", "e0701e", "f0924a", eye="2a1a10"),
        hex_coat(
            "f0ece4", "f6f4f0", "f0ece4", "f0e6dc", patches=0.45, markings="d8501e", pattern_scale=0.2, eye="2a1a10"
        ),
    ),
    noun(
        "pike, barracuda",
        "fish",
        {"size": 1.8, "length": 1.8, "muzzle": 1.0},
        hex_coat(
            "5a6a38", "dcd8b0", "5a6a38", "8a6a38", spots=0.8, markings="b8b878", pattern_scale=0.03, eye="d0a83c"
        ),
        head=0.27,
        snout=0.16,
        mouth=0.5,
        dorsal_at=0.72,
        eye=0.05,
        dorsal_chord=0.12,
    ),
    noun(
        "tuna, mackerel, bonito",
        "fish",
        {"size": 3.5, "girth": 1.1},
        hex_coat("243a5a", "e4e8ec", "243a5a", "3a4a5c", eye="141414", countershade=1.0),
        peduncle=0.12,
        span=0.33,
        fork=0.95,
        sweep=1.0,
    ),
    noun(
        "piranha",
        "fish",
        {"size": 0.55},
        hex_coat("5a6a74", "c8502c", "5a6a74", "3e464c", eye="c8502c", countershade=1.0),
        depth=0.38,
        snout=0.42,
        mouth=0.5,
    ),
    noun("angelfish, discus, butterflyfish, butterfly fish", "angelfish"),
    noun(
        "clownfish, clown fish",
        "angelfish",
        {"size": 0.6},
        hex_coat(
            "e0621a", "ec8a3a", "e0621a", "e0621a", stripes=0.95, markings="f6f2ea", pattern_scale=0.26, eye="1a1410"
        ),
        depth=0.36,
        width=0.42,
        dorsal=0.09,
        anal=0.08,
        pelvic=0.08,
        fork=0.05,
        span=0.22,
    ),
    noun("eel", "eel"),
    noun("moray, moray eel", "eel", {"size": 1.6, "girth": 1.3}, depth=0.085),
    noun("shark, great white, reef shark, blue shark", "shark"),
    noun(
        "tiger shark",
        "shark",
        {"size": 1.2},
        hex_coat(
            "6a6c66",
            "e4e2d8",
            "6a6c66",
            "6a6c66",
            stripes=0.85,
            markings="34352f",
            pattern_scale=0.06,
            eye=BLACK_EYE,
            countershade=0.95,
        ),
    ),
    noun("dolphin, porpoise, bottlenose", "dolphin"),
    noun(
        "orca, killer whale",
        "dolphin",
        {"size": 2.4, "girth": 1.2, "crest": 1.7, "wing": 1.15},
        plain_coat("121418", "f2f2f0", eye=BLACK_EYE, countershade=1.0),
        beak=0.04,
        snout=0.42,
        sweep=0.6,
        pectoral_chord=0.6,
    ),
    noun("whale, blue whale, fin whale", "whale"),
    noun("humpback, humpback whale", "whale", {"girth": 1.15, "wing": 1.5}),
    noun(
        "beluga, white whale",
        "whale",
        {"size": 0.35, "girth": 1.15, "wing": 0.7},
        plain_coat("dfe3e4", "f2f3f2", eye=BLACK_EYE),
        head=0.18,
        snout=0.5,
        mouth=0.4,
    ),
)
"""All nouns of this module."""
