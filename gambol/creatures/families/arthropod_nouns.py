"""Nouns for spiders with other legs, insects, scorpions, crabs and centipedes."""

from __future__ import annotations

from gambol.creatures.bodies.coat import hex_coat, plain_coat
from gambol.creatures.families.arthropods import EYE
from gambol.creatures.noun import noun

ARTHROPOD_NOUNS = (
    noun("tarantula, bird spider", "tarantula"),
    noun("daddy longlegs, harvestman, cellar spider", "daddy longlegs"),
    noun("wolf spider, hunting spider, cave spider", "wolf spider"),
    noun("jumping spider", "wolf spider", {"size": 0.4, "leg": 0.6, "leg width": 1.2}, fan=0.85, knee_out=0.3),
    noun(
        "black widow",
        "spider",
        {"size": 0.6, "girth": 1.15, "leg width": 0.75},
        plain_coat("121010", eye=EYE),
        abdomen_width=0.95,
    ),
    noun("ant, worker ant", "ant"),
    noun("soldier ant, bullet ant", "ant", {"size": 1.5, "head": 1.35}, jaw=0.55),
    noun("queen ant", "ant", {"size": 1.8, "tail": 1.6}),
    noun("termite", "ant", {"size": 0.8, "leg": 0.7}, plain_coat("d8c08a", horn="7a5a30", eye=EYE), waist_width=0.8),
    noun(
        "stick insect", "ant", {"size": 0.8, "leg": 1.6}, plain_coat("6a7a34", eye=EYE), abdomen=2.6, abdomen_width=0.4
    ),
    noun("beetle, bug, insect, ground beetle", "beetle"),
    noun(
        "ladybug, ladybird",
        "beetle",
        {"size": 0.5, "leg": 0.75},
        hex_coat("1a1616", "2a2424", "1a1616", "b8241c", spots=1.0, markings="141010", pattern_scale=0.14, eye=EYE),
        shell=1.0,
        abdomen_width=1.1,
    ),
    noun("stag beetle", "beetle", {"size": 1.4}, plain_coat("3a1c14", hair="4a2418", horn="5a2414", eye=EYE), jaw=0.85),
    noun(
        "rhinoceros beetle, hercules beetle",
        "beetle",
        {"size": 1.7},
        plain_coat("241a14", hair="3a2a1c", horn="1a120c", eye=EYE),
        horn=0.85,
        shell=1.0,
    ),
    noun("dung beetle, scarab", "beetle", {"leg width": 1.2}, shell=0.9, abdomen=1.15, abdomen_width=1.05),
    noun(
        "cockroach, roach", "beetle", {"size": 1.2, "feeler": 2.4}, plain_coat("6a3a1c", eye=EYE), shell=0.15, lift=0.25
    ),
    noun("scorpion", "scorpion"),
    noun("emperor scorpion", "scorpion", {"size": 1.7, "claw": 1.3}, plain_coat("1c1c22", eye=EYE), claw_width=0.42),
    noun("bark scorpion", "scorpion", {"size": 0.7, "tail": 1.25, "claw": 0.8, "girth": 0.85}, claw_width=0.2),
    noun("crab, shore crab", "crab"),
    noun("spider crab, king crab", "crab", {"size": 1.4, "leg": 2.0, "leg width": 0.8}, length=0.95),
    noun("fiddler crab, ghost crab", "crab", {"size": 0.5, "claw": 1.5, "eye": 2.0}),
    noun("coconut crab", "crab", {"size": 2.0, "leg": 1.3, "leg width": 1.3}, length=0.95, depth=0.55),
    noun("lobster", "lobster"),
    noun("crayfish, crawfish", "lobster", {"size": 0.6, "claw": 0.75}, plain_coat("6a4a30", "a08a60", eye=EYE)),
    noun("centipede", "centipede"),
    noun("house centipede", "centipede", {"size": 0.5, "leg": 2.0, "leg width": 0.75, "feeler": 1.6}),
    noun("millipede", "millipede"),
    noun(
        "woodlouse, pill bug",
        "millipede",
        {"size": 0.3},
        plain_coat("5a5c60", eye=EYE),
        pairs=7.0,
        width=0.16,
        depth=0.6,
    ),
)
"""All nouns of this module."""
