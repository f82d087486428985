"""Nouns for mythical creatures and hybrids, kangaroos, frogs, wasps, and the dinosaurs with long necks."""

from __future__ import annotations

from gambol.creatures.bodies.coat import hex_coat, plain_coat
from gambol.creatures.noun import noun

MYTHICAL_KANGAROO_FROG_WASP_NOUNS = (
    noun("dragon, drake, dragons", "dragon"),
    noun("baby dragon", "dragon", {"size": 0.35, "head": 1.3, "eye": 1.4, "neck": 0.7, "tail": 0.8, "wing": 0.75}),
    noun("wyvern, winged dinosaur", "wyvern"),
    noun("pegasus, winged horse, hippogriff", "pegasus"),
    noun(
        "griffin, gryphon",
        "pegasus",
        {"size": 0.8},
        hex_coat("b88a4a", "d8b888", "b88a4a", "6a4a28", horn="e0b040", eye="d8902c", head="f0ece0"),
        hoof=0.0,
        mane=0.0,
        tuft=0.5,
        neck=0.35,
        head=0.4,
        muzzle=0.4,
        bend=1.0,
        limb=0.05,
        foot=0.2,
        leg=0.5,
    ),
    noun("centaur, centaurs", "centaur"),
    noun("monster, goblin, troll, gremlin, imp", "monster"),
    noun("sauropod, brontosaurus, apatosaurus, longneck", "sauropod"),
    noun("diplodocus", "sauropod", {"neck": 1.15, "tail": 1.4, "girth": 0.85}, neck_angle=0.3),
    noun("brachiosaurus", "sauropod", {"size": 1.3, "neck": 1.1, "tail": 0.6}, neck_angle=1.15, rump=0.88),
    noun("kangaroo, roo", "kangaroo"),
    noun("wallaby", "kangaroo", {"size": 0.55, "head": 1.1}),
    noun("joey", "kangaroo", {"size": 0.4, "head": 1.35, "eye": 1.3, "tail": 0.75}),
    noun("frog, treefrog, bullfrog, frogs", "frog"),
    noun("toad", "frog", {"girth": 1.25, "leg": 0.7}, plain_coat("7a6248", "c4b494", eye="c8902c")),
    noun("wasp, hornet, yellowjacket", "wasp"),
    noun(
        "bee, bumblebee, honeybee",
        "wasp",
        {"girth": 1.35, "leg": 0.85},
        hex_coat("d8a02c", "c8902c", "2a2018", "d8dcd8", horn="1c1612", eye="120e0c", stripes=1.0, markings="1c1612"),
        waist=0.08,
        droop=0.15,
    ),
    noun(
        "housefly, bluebottle, horsefly",
        "wasp",
        {"girth": 1.1, "tail": 0.7},
        plain_coat("2e3236", hair="c0c8cc", eye="8a2a1c"),
        waist=0.06,
        sting=0.0,
        droop=0.1,
        feeler=0.15,
    ),
    noun("hybrid, chimera, mutant, beast", "hybrid"),
)
"""All nouns of this module."""
