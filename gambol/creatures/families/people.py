"""Families of people: adults, children and toddlers, in clothes."""

from __future__ import annotations

from gambol.creatures.bodies.coat import Coat, hex_coat
from gambol.creatures.bodies.human import HumanShape, plan_human
from gambol.creatures.family import CreatureFamily

SKIN_COLOURS = ("f0c8a8", "d8a27c", "b97a52", "8a5636", "5c3a26")
"""Hex codes of skin colours."""
HAIR_COLOURS = ("1c1714", "3a2618", "6b4526", "b98a4a", "8a3a1a")
"""Hex codes of hair colours; the first two go with every skin."""
CLOTHES = (
    ("3b6ea5", "2b3a55"),
    ("b3402e", "3a3f46"),
    ("e2dccd", "5a4a3a"),
    ("4f7d4a", "22262b"),
    ("d9a83c", "394b6b"),
    ("7a4a8c", "2c2c30"),
)
"""Hex codes of shirt and trousers."""


def _person_coats() -> tuple[Coat, ...]:
    """Combine all clothes and skins, each with hair, shoes and eyes that go with them."""
    coats = []
    for i, (shirt, trousers) in enumerate(CLOTHES):
        for k, skin in enumerate(SKIN_COLOURS):
            hair = HAIR_COLOURS[(i + 2 * k) % len(HAIR_COLOURS)] if k < 2 else HAIR_COLOURS[(i + k) % 2]
            shoes = ("2a2420", "e8e4dc", "5a3a24")[(i + k) % 3]
            eye = ("3a2414", "3a6a8c", "4a6a3a")[(i + k) % 3 if k < 2 else 0]
            coats.append(hex_coat(shirt, skin, trousers, hair, horn=shoes, eye=eye, countershade=0.0))
    return tuple(coats)


PERSON_VARIATIONS = {
    "height": 0.13,
    "waist": 0.28,
    "belly": 0.3,
    "limb": 0.22,
    "chest": 0.14,
    "bust": 0.8,
    "hair": 0.9,
    "arm_angle": 0.15,
}
"""Variation of single parameters: people differ more in girth and hair than in bones."""

PERSON_COATS = _person_coats()
"""Coats of all people."""
HUMAN = CreatureFamily("human", HumanShape(), PERSON_COATS, plan_human, 0.1, PERSON_VARIATIONS)
"""The human family."""
WOMAN = CreatureFamily(
    "woman",
    HumanShape(
        height=1.66, shoulder=0.1, hip=0.056, waist=0.068, chest=0.088, bust=0.75, limb=0.023, hair=0.85, neck=0.038
    ),
    PERSON_COATS,
    plan_human,
    0.1,
    PERSON_VARIATIONS,
)
"""The woman family."""
CHILD = CreatureFamily(
    "child",
    HumanShape(
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
    PERSON_COATS,
    plan_human,
    0.1,
    PERSON_VARIATIONS,
)
"""The child family."""
TODDLER = CreatureFamily(
    "toddler",
    HumanShape(
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
    PERSON_COATS,
    plan_human,
    0.07,
    PERSON_VARIATIONS,
)
"""The toddler family."""
PEOPLE = (HUMAN, WOMAN, CHILD, TODDLER)
"""All families of this module."""
