"""Families of spiders and snakes."""

from __future__ import annotations

from dataclasses import replace

from gambol.creatures.bodies.coat import hex_coat
from gambol.creatures.bodies.snake import SnakeShape, plan_snake
from gambol.creatures.bodies.spider import SpiderShape, plan_spider
from gambol.creatures.family import CreatureFamily

SPIDER = CreatureFamily(
    "spider",
    SpiderShape(),
    (
        hex_coat(
            "3a2a20",
            "5a4434",
            "3a2a20",
            "3a2a20",
            stripes=0.8,
            markings="8a5a34",
            pattern_scale=0.13,
            eye="0c0a0a",
            countershade=0.3,
        ),
        hex_coat(
            "201c1c",
            "2a2524",
            "201c1c",
            "201c1c",
            stripes=0.9,
            markings="c8641e",
            pattern_scale=0.14,
            eye="0c0a0a",
            countershade=0.2,
        ),
        hex_coat(
            "6a5a44",
            "8a7a60",
            "6a5a44",
            "6a5a44",
            spots=0.8,
            markings="2e261c",
            pattern_scale=0.09,
            eye="0c0a0a",
            countershade=0.4,
        ),
        hex_coat("1a1717", "201c1c", "1a1717", "1a1717", eye="3a0a0a", countershade=0.1),
    ),
    plan_spider,
)
"""The spider family."""
TARANTULA = CreatureFamily(
    "tarantula",
    replace(
        SPIDER.shape,
        front=0.07,
        abdomen=1.25,
        abdomen_width=0.82,
        lift=0.5,
        reach=1.95,
        knee=1.1,
        limb=0.155,
        fangs=0.4,
        fan=0.92,
        knee_out=0.32,
        ankle_out=0.76,
        ankle=0.4,
    ),
    (
        hex_coat("3a2418", "4a3020", "3a2418", "3a2418", eye="0c0a0a", countershade=0.2),
        hex_coat(
            "1c1818",
            "2a2220",
            "1c1818",
            "1c1818",
            stripes=0.9,
            markings="b8521c",
            pattern_scale=0.1,
            eye="0c0a0a",
            countershade=0.1,
        ),
        hex_coat("6a5038", "8a7050", "6a5038", "6a5038", eye="0c0a0a", countershade=0.4),
        hex_coat("24344a", "30404a", "24344a", "24344a", eye="0c0a0a", countershade=0.2),
    ),
    plan_spider,
    0.2,
)
"""The tarantula family: thick legs, a heavy body close to the ground."""
LONGLEGS = CreatureFamily(
    "daddy longlegs",
    replace(
        SPIDER.shape,
        front=0.03,
        abdomen=1.0,
        abdomen_width=0.8,
        lift=1.5,
        reach=4.7,
        knee=3.1,
        limb=0.07,
        fangs=0.15,
        fan=0.85,
        knee_out=0.4,
        ankle_out=0.8,
        ankle=0.34,
    ),
    (
        hex_coat("8a6a44", "b89a70", "8a6a44", "8a6a44", eye="0c0a0a", countershade=0.4),
        hex_coat("4a4038", "6a6054", "4a4038", "4a4038", eye="0c0a0a", countershade=0.4),
        hex_coat("1e1a18", "2a2624", "1e1a18", "1e1a18", eye="0c0a0a", countershade=0.2),
    ),
    plan_spider,
    0.22,
)
"""The family of spiders and harvestmen with long thin legs."""
LURKER = CreatureFamily(
    "wolf spider",
    replace(
        SPIDER.shape,
        front=0.05,
        abdomen=1.15,
        lift=0.8,
        reach=2.0,
        knee=2.0,
        limb=0.12,
        fan=0.72,
        knee_out=0.22,
        ankle_out=0.9,
        ankle=0.42,
    ),
    SPIDER.coats,
    plan_spider,
    0.28,
)
"""The family of spiders with folded legs, knees close above the body, as game artists draw them; they differ widely."""
SNAKE = CreatureFamily(
    "snake",
    SnakeShape(),
    (
        hex_coat("8a7a4a", "d8cda0", "8a7a4a", "8a7a4a", net=0.9, markings="4a3418", pattern_scale=0.05, eye="c79a2c"),
        hex_coat("4f7d3a", "c9cf8a", "4f7d3a", "4f7d3a", eye="d9b52c"),
        hex_coat(
            "c0392b",
            "d86a50",
            "c0392b",
            "c0392b",
            stripes=1.0,
            markings="1b1715",
            pattern_scale=0.07,
            eye="1a1208",
            countershade=0.3,
        ),
        hex_coat("2a2826", "6a6a66", "2a2826", "2a2826", eye="b88a2c"),
        hex_coat(
            "c9a05a", "ecdcb4", "c9a05a", "c9a05a", spots=0.9, markings="6a3a1a", pattern_scale=0.035, eye="b8742c"
        ),
        hex_coat(
            "e0b83a", "f2e2a0", "e0b83a", "e0b83a", stripes=0.8, markings="2a2420", pattern_scale=0.06, eye="4a2a10"
        ),
    ),
    plan_snake,
)
"""The snake family."""
SPIDERS_AND_SNAKES = (SPIDER, TARANTULA, LONGLEGS, LURKER, SNAKE)
"""All families of this module."""
