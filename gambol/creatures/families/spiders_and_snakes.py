"""Spiders and snakes."""

from __future__ import annotations

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.skin_colours import srgb
from gambol.creatures.bodies.snake import Snake, plan_snake
from gambol.creatures.bodies.spider import Spider, plan_spider
from gambol.creatures.family import Family

SPIDER = Family(
    "spider",
    Spider(),
    (
        Coat(
            srgb("3a2a20"),
            srgb("5a4434"),
            srgb("3a2a20"),
            srgb("3a2a20"),
            stripes=0.8,
            mark=srgb("8a5a34"),
            scale=0.13,
            eye=srgb("0c0a0a"),
            countershade=0.3,
        ),
        Coat(
            srgb("201c1c"),
            srgb("2a2524"),
            srgb("201c1c"),
            srgb("201c1c"),
            stripes=0.9,
            mark=srgb("c8641e"),
            scale=0.14,
            eye=srgb("0c0a0a"),
            countershade=0.2,
        ),
        Coat(
            srgb("6a5a44"),
            srgb("8a7a60"),
            srgb("6a5a44"),
            srgb("6a5a44"),
            spots=0.8,
            mark=srgb("2e261c"),
            scale=0.09,
            eye=srgb("0c0a0a"),
            countershade=0.4,
        ),
        Coat(srgb("1a1717"), srgb("201c1c"), srgb("1a1717"), srgb("1a1717"), eye=srgb("3a0a0a"), countershade=0.1),
    ),
    plan_spider,
)
SNAKE = Family(
    "snake",
    Snake(),
    (
        Coat(
            srgb("8a7a4a"),
            srgb("d8cda0"),
            srgb("8a7a4a"),
            srgb("8a7a4a"),
            net=0.9,
            mark=srgb("4a3418"),
            scale=0.05,
            eye=srgb("c79a2c"),
        ),
        Coat(srgb("4f7d3a"), srgb("c9cf8a"), srgb("4f7d3a"), srgb("4f7d3a"), eye=srgb("d9b52c")),
        Coat(
            srgb("c0392b"),
            srgb("d86a50"),
            srgb("c0392b"),
            srgb("c0392b"),
            stripes=1.0,
            mark=srgb("1b1715"),
            scale=0.07,
            eye=srgb("1a1208"),
            countershade=0.3,
        ),
        Coat(srgb("2a2826"), srgb("6a6a66"), srgb("2a2826"), srgb("2a2826"), eye=srgb("b88a2c")),
        Coat(
            srgb("c9a05a"),
            srgb("ecdcb4"),
            srgb("c9a05a"),
            srgb("c9a05a"),
            spots=0.9,
            mark=srgb("6a3a1a"),
            scale=0.035,
            eye=srgb("b8742c"),
        ),
        Coat(
            srgb("e0b83a"),
            srgb("f2e2a0"),
            srgb("e0b83a"),
            srgb("e0b83a"),
            stripes=0.8,
            mark=srgb("2a2420"),
            scale=0.06,
            eye=srgb("4a2a10"),
        ),
    ),
    plan_snake,
)
CRAWLERS = (SPIDER, SNAKE)
