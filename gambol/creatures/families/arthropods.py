"""Families of ants, beetles, scorpions, crabs and centipedes."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.centipede import CentipedeShape, plan_centipede
from gambol.creatures.bodies.coat import hex_coat, plain_coat
from gambol.creatures.bodies.crab import CrabShape, plan_crab
from gambol.creatures.bodies.insect import InsectShape, plan_insect
from gambol.creatures.bodies.scorpion import ScorpionShape, plan_scorpion
from gambol.creatures.family import CreatureFamily

EYE = "0c0a0a"
"""Hex code of a black compound eye."""
ANT = CreatureFamily(
    "ant",
    InsectShape(),
    (
        hex_coat("2a1c18", "3a2822", "2a1c18", "2a1c18", horn="1a100c", eye=EYE, countershade=0.2),
        hex_coat("8a3a1c", "a05a30", "7a3218", "8a3a1c", horn="3a1a0c", eye=EYE, countershade=0.3),
        hex_coat("b8862c", "d0a850", "a87a28", "b8862c", horn="5a3a14", eye=EYE, countershade=0.3),
        hex_coat("1a1818", "242020", "1a1818", "1a1818", horn="0c0a0a", eye=EYE, countershade=0.1),
    ),
    plan_insect,
    0.2,
    {"jaw": 0.5, "antenna": 0.3},
)
"""The ant family."""
BEETLE = CreatureFamily(
    "beetle",
    replace(
        ANT.shape,
        thorax=0.05,
        thorax_width=1.0,
        head=0.5,
        head_width=1.15,
        waist=0.08,
        waist_width=0.8,
        abdomen=1.7,
        abdomen_width=0.72,
        shell=0.7,
        antenna=0.8,
        jaw=0.2,
        lift=0.4,
        reach=1.2,
        knee=0.85,
        limb=0.085,
    ),
    (
        hex_coat("1c1a1c", "2a2628", "1c1a1c", "3a2c34", horn="141014", eye=EYE, countershade=0.3),
        hex_coat("1f4a34", "24382a", "1a2a20", "2f7a4a", horn="101a14", eye=EYE, countershade=0.5),
        hex_coat("5a3018", "3a2010", "4a2812", "8a4a20", horn="2a160a", eye=EYE, countershade=0.5),
        hex_coat("1a1c2c", "20202a", "16161e", "26407a", horn="0e0e14", eye=EYE, countershade=0.4),
    ),
    plan_insect,
    0.2,
    {"jaw": 0.6, "abdomen": 0.25},
)
"""The beetle family."""
SCORPION = CreatureFamily(
    "scorpion",
    ScorpionShape(),
    (
        hex_coat("b8862c", "d8b060", "c89a40", "8a5a1c", horn="3a2010", eye=EYE, countershade=0.4),
        hex_coat("1c1a1e", "2a282c", "242226", "141216", horn="0c0a0c", eye=EYE, countershade=0.2),
        hex_coat("6a2a18", "8a4a2c", "7a3a20", "4a1c10", horn="1a0c08", eye=EYE, countershade=0.3),
        hex_coat("7a6a48", "a89870", "8a7a54", "5a4a30", horn="2a2014", eye=EYE, countershade=0.4),
    ),
    plan_scorpion,
    0.2,
    {"claw": 0.35, "claw_width": 0.35},
)
"""The scorpion family."""
CRAB = CreatureFamily(
    "crab",
    CrabShape(),
    (
        hex_coat("b8421f", "e8c090", "c04a24", "d86a3a", horn="3a1a10", eye=EYE, countershade=1.0),
        hex_coat("3a5a6a", "c8d0c0", "4a6a78", "5a7a9a", horn="1a2428", eye=EYE, countershade=1.0),
        hex_coat(
            "7a6a44",
            "d8cca0",
            "8a7850",
            "9a7a44",
            horn="3a3020",
            spots=0.6,
            markings="4a3a20",
            pattern_scale=0.04,
            eye=EYE,
        ),
        hex_coat("5a3a5a", "c8a8b8", "6a4664", "8a5a7a", horn="2a1a2a", eye=EYE, countershade=1.0),
    ),
    plan_crab,
    0.2,
    {"claw": 0.4, "reach": 0.3, "tail": 0.0},
)
"""The crab family."""
LOBSTER = CreatureFamily(
    "lobster",
    replace(
        CRAB.shape,
        shell=0.09,
        length=1.9,
        depth=0.62,
        lift=0.3,
        arm=1.15,
        claw=0.95,
        claw_width=0.27,
        reach=0.85,
        knee=0.72,
        limb=0.06,
        tail=2.0,
    ),
    (
        hex_coat("a82c1c", "d88a60", "b03a24", "c04a2c", horn="3a1410", eye=EYE, countershade=0.6),
        hex_coat("24344a", "8a8a7a", "2c4058", "34507a", horn="101820", eye=EYE, countershade=0.6),
        hex_coat("5a4a30", "b0a078", "64543a", "7a6440", horn="241c10", eye=EYE, countershade=0.6),
    ),
    plan_crab,
    0.18,
    {"claw": 0.35},
)
"""The lobster family."""
CENTIPEDE = CreatureFamily(
    "centipede",
    CentipedeShape(),
    (
        hex_coat(
            "7a2a14",
            "b86a34",
            "d89a3a",
            "7a2a14",
            horn="2a1008",
            head="a83a1c",
            stripes=0.5,
            markings="3a140a",
            pattern_scale=0.08,
            socks=0.9,
            eye=EYE,
        ),
        hex_coat("1f2a2c", "4a5a54", "c8862c", "1f2a2c", horn="100c0a", head="b8521c", socks=0.9, eye=EYE),
        hex_coat("8a6a34", "c8a868", "b88a44", "8a6a34", horn="3a2410", socks=0.9, eye=EYE),
        hex_coat("2c1c20", "4a343a", "8a2a34", "2c1c20", horn="140c0e", head="6a1a20", socks=0.9, eye=EYE),
    ),
    plan_centipede,
    0.2,
    {"pairs": 0.3, "reach": 0.35, "knee": 0.3, "fan": 0.6},
)
"""The centipede family."""
MILLIPEDE = CreatureFamily(
    "millipede",
    replace(
        CENTIPEDE.shape,
        length=0.9,
        pairs=12.0,
        width=0.1,
        depth=0.95,
        lift=0.028,
        head=0.07,
        antenna=0.1,
        fan=0.15,
        reach=0.075,
        knee=0.062,
        limb=0.0155,
        prongs=0.0,
    ),
    (
        hex_coat(
            "2a1c1a",
            "4a3430",
            "8a3a24",
            "2a1c1a",
            horn="1a100c",
            stripes=0.7,
            markings="6a3420",
            pattern_scale=0.06,
            eye=EYE,
        ),
        plain_coat("4a3a34", "6a5a50", horn="241a14", eye=EYE),
        hex_coat("6a4a2c", "8a6a44", "a86a34", "6a4a2c", horn="2a1c10", eye=EYE),
    ),
    plan_centipede,
    0.16,
    {"prongs": 0.0},
)
"""The millipede family: a round body on short legs."""
ARTHROPODS = (ANT, BEETLE, SCORPION, CRAB, LOBSTER, CENTIPEDE, MILLIPEDE)
"""All families of this module."""
