"""People: grown-ups, children, toddlers, in clothes."""

from __future__ import annotations

from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.human import Human, plan_human
from gambol.creatures.bodies.skin_colours import srgb
from gambol.creatures.family import Family

SKINS = tuple(srgb(code) for code in ("f0c8a8", "d8a27c", "b97a52", "8a5636", "5c3a26"))
HAIRS = tuple(srgb(code) for code in ("1c1714", "3a2618", "6b4526", "b98a4a", "8a3a1a"))
CLOTHES = (
    ("3b6ea5", "2b3a55"),
    ("b3402e", "3a3f46"),
    ("e2dccd", "5a4a3a"),
    ("4f7d4a", "22262b"),
    ("d9a83c", "394b6b"),
    ("7a4a8c", "2c2c30"),
)


def _people() -> tuple[Coat, ...]:
    coats = []
    for i, (shirt, trousers) in enumerate(CLOTHES):
        for k, skin in enumerate(SKINS):
            hair = HAIRS[(i + 2 * k) % len(HAIRS)] if k < 2 else HAIRS[(i + k) % 2]
            shoes = srgb(("2a2420", "e8e4dc", "5a3a24")[(i + k) % 3])
            eye = srgb(("3a2414", "3a6a8c", "4a6a3a")[(i + k) % 3 if k < 2 else 0])
            coats.append(Coat(srgb(shirt), skin, srgb(trousers), hair, horn=shoes, eye=eye, countershade=0.0))
    return tuple(coats)


BUILDS = {
    "height": 0.13,
    "waist": 0.28,
    "belly": 0.3,
    "limb": 0.22,
    "chest": 0.14,
    "bust": 0.8,
    "hair": 0.9,
    "arm_angle": 0.15,
}
"""People differ more in girth and hair than in bones."""
WARDROBE = _people()
HUMAN = Family("human", Human(), WARDROBE, plan_human, 0.1, BUILDS)
WOMAN = Family(
    "woman",
    Human(height=1.66, shoulder=0.1, hip=0.056, waist=0.068, chest=0.088, bust=0.75, limb=0.023, hair=0.85, neck=0.038),
    WARDROBE,
    plan_human,
    0.1,
    BUILDS,
)
CHILD = Family(
    "child",
    Human(
        height=1.2,
        head=0.175,
        leg=0.44,
        shoulder=0.1,
        hip=0.05,
        waist=0.076,
        chest=0.086,
        bust=0.0,
        arm=0.31,
        limb=0.024,
        neck=0.028,
        hair=0.4,
    ),
    WARDROBE,
    plan_human,
    0.1,
    BUILDS,
)
TODDLER = Family(
    "toddler",
    Human(
        height=0.82,
        head=0.235,
        leg=0.355,
        shoulder=0.105,
        hip=0.052,
        waist=0.1,
        belly=1.05,
        chest=0.1,
        bust=0.0,
        arm=0.275,
        limb=0.034,
        neck=0.018,
        hair=0.25,
        face=1.05,
    ),
    WARDROBE,
    plan_human,
    0.07,
    BUILDS,
)
PEOPLE = (HUMAN, WOMAN, CHILD, TODDLER)
