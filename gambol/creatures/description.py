"""Descriptions such as 'a small long-legged fox': the noun gives the family, adjectives change shape and colours."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.colours import hex_colour, mix_colours
from gambol.creatures.bodies.shape_sliders import add_part, move_slider
from gambol.creatures.families.arthropod_nouns import ARTHROPOD_NOUNS
from gambol.creatures.families.mammal_nouns import MAMMAL_NOUNS
from gambol.creatures.families.mythical_kangaroo_frog_wasp_nouns import MYTHICAL_KANGAROO_FROG_WASP_NOUNS
from gambol.creatures.families.people_bird_reptile_nouns import PEOPLE_BIRD_REPTILE_NOUNS
from gambol.creatures.families.swimmer_nouns import SWIMMER_NOUNS
from gambol.creatures.noun import YOUNG_SLIDERS, Noun
from gambol.errors import ConfigError

NOUNS = (
    *MAMMAL_NOUNS,
    *PEOPLE_BIRD_REPTILE_NOUNS,
    *ARTHROPOD_NOUNS,
    *SWIMMER_NOUNS,
    *MYTHICAL_KANGAROO_FROG_WASP_NOUNS,
)
"""Every animal that a description can name."""
BODY_ADJECTIVES: Mapping[str, Mapping[str, float]] = {
    "tiny": {"size": 0.45},
    "small": {"size": 0.68},
    "little": {"size": 0.72},
    "big": {"size": 1.35},
    "large": {"size": 1.35},
    "huge": {"size": 1.8},
    "enormous": {"size": 2.0},
    "gigantic": {"size": 2.2},
    "tall": {"size": 1.15, "leg": 1.15},
    "short": {"size": 0.85, "leg": 0.85},
    "long": {"length": 1.35},
    "lanky": {"leg": 1.3, "girth": 0.85},
    "leggy": {"leg": 1.35},
    "fat": {"girth": 1.32},
    "chubby": {"girth": 1.22},
    "plump": {"girth": 1.22},
    "stout": {"girth": 1.18, "leg": 0.88},
    "heavy": {"girth": 1.2},
    "round": {"girth": 1.25},
    "muscular": {"girth": 1.1, "leg width": 1.2, "shoulder": 1.2},
    "strong": {"girth": 1.08, "leg width": 1.15, "shoulder": 1.15},
    "thin": {"girth": 0.76},
    "slim": {"girth": 0.84},
    "skinny": {"girth": 0.72},
    "slender": {"girth": 0.8},
    "lean": {"girth": 0.86},
    "baby": YOUNG_SLIDERS,
    "young": {"size": 0.65, "head": 1.2, "eye": 1.15},
    "old": {"girth": 0.95},
    "fluffy": {"tail width": 1.3, "girth": 1.1},
}
"""Adjectives of the whole animal, with the sliders they move and by which factor."""
PART_ADJECTIVES: Mapping[str, tuple[str, float]] = {
    "long": ("", 1.5),
    "tall": ("", 1.3),
    "short": ("", 0.6),
    "big": ("", 1.4),
    "large": ("", 1.4),
    "huge": ("", 1.8),
    "enormous": ("", 2.0),
    "small": ("", 0.68),
    "little": ("", 0.72),
    "tiny": ("", 0.5),
    "thick": (" width", 1.45),
    "fat": (" width", 1.45),
    "bushy": (" width", 1.5),
    "fluffy": (" width", 1.4),
    "strong": (" width", 1.25),
    "broad": (" width", 1.35),
    "wide": (" width", 1.35),
    "thin": (" width", 0.65),
    "slender": (" width", 0.7),
}
"""Adjectives of one part, with the suffix of the slider they move and the factor."""
PART_WORDS: Mapping[str, str] = {
    **dict.fromkeys(("leg", "legs", "legged"), "leg"),
    **dict.fromkeys(("neck", "necked"), "neck"),
    **dict.fromkeys(("tail", "tailed"), "tail"),
    **dict.fromkeys(("ear", "ears", "eared"), "ear"),
    **dict.fromkeys(("head", "headed"), "head"),
    **dict.fromkeys(("body", "bodied", "back", "backed"), "length"),
    **dict.fromkeys(("nose", "nosed", "snout", "snouted", "muzzle", "muzzled"), "muzzle"),
    **dict.fromkeys(("beak", "beaked", "bill", "billed"), "beak"),
    **dict.fromkeys(("wing", "wings", "winged", "fin", "fins", "finned", "flippers"), "wing"),
    **dict.fromkeys(("eye", "eyes", "eyed"), "eye"),
    **dict.fromkeys(("foot", "feet", "footed", "paw", "paws", "hooves", "hoof"), "foot"),
    **dict.fromkeys(("horn", "horns", "horned", "antlers", "antlered", "tusks"), "horn"),
    **dict.fromkeys(("mane", "maned"), "mane"),
    **dict.fromkeys(("crest", "crested", "comb", "spines"), "crest"),
    **dict.fromkeys(("trunk", "trunked"), "trunk"),
    **dict.fromkeys(("arm", "arms", "armed"), "arm"),
    **dict.fromkeys(("shoulder", "shoulders", "shouldered"), "shoulder"),
    **dict.fromkeys(("hair", "haired"), "hair"),
    **dict.fromkeys(("belly", "bellied"), "girth"),
    **dict.fromkeys(("claw", "claws", "clawed", "pincer", "pincers"), "claw"),
    **dict.fromkeys(("feeler", "feelers", "antenna", "antennae"), "feeler"),
    **dict.fromkeys(("jaw", "jaws", "jawed", "mandibles", "fangs", "fanged"), "jaw"),
    **dict.fromkeys(("sock", "socks", "stockings"), "socks"),
    **dict.fromkeys(("shirt", "shirted", "jacket"), "shirt"),
    **dict.fromkeys(("trousers", "pants", "jeans"), "trousers"),
    **dict.fromkeys(("stripe", "stripes"), "stripes"),
    **dict.fromkeys(("spot", "spots", "dots"), "spots"),
    **dict.fromkeys(("patch", "patches"), "patches"),
}
"""Words for parts, with the slider or the part of the coat that they mean."""
COLOUR_WORDS: Mapping[str, Colour] = {
    "red": hex_colour("b4391f"),
    "orange": hex_colour("d8761e"),
    "ginger": hex_colour("c8742e"),
    "yellow": hex_colour("e2c22c"),
    "golden": hex_colour("cf9f4a"),
    "blond": hex_colour("d8b878"),
    "blonde": hex_colour("d8b878"),
    "brown": hex_colour("6b4226"),
    "chestnut": hex_colour("7f3f1e"),
    "tan": hex_colour("c49a6a"),
    "beige": hex_colour("d8c7a8"),
    "cream": hex_colour("efe4cc"),
    "white": hex_colour("f2efe9"),
    "grey": hex_colour("868482"),
    "gray": hex_colour("868482"),
    "silver": hex_colour("b4b6b8"),
    "black": hex_colour("1d1b1a"),
    "dark": hex_colour("33291f"),
    "blue": hex_colour("2f63ae"),
    "turquoise": hex_colour("2f9a98"),
    "green": hex_colour("4a8a34"),
    "purple": hex_colour("6a3f92"),
    "pink": hex_colour("e59aa6"),
}
"""Colour words, linear light."""
PATTERN_WORDS: Mapping[str, tuple[str, float]] = {
    "striped": ("stripes", 0.95),
    "stripes": ("stripes", 0.95),
    "spotted": ("spots", 0.95),
    "spots": ("spots", 0.95),
    "dotted": ("spots", 0.95),
    "patched": ("patches", 0.5),
    "patches": ("patches", 0.5),
    "piebald": ("patches", 0.5),
}
"""Pattern words, with the field of `Coat` that they set and its value."""
INTENSIFIERS, DOWNTONERS = {"very", "extremely", "really", "super"}, {"slightly", "somewhat"}
"""Words that strengthen or weaken the adjective after them."""


@dataclass(frozen=True)
class CreatureDescription:
    """What a sentence asks of a creature."""

    noun: Noun
    """The animal that it names."""
    name: str
    """The words that were understood, in their order."""
    sliders: tuple[tuple[str, float], ...] = ()
    """Sliders to move and by which factor."""
    parts: tuple[str, ...] = ()
    """Parts that the creature must have."""
    colours: tuple[tuple[str, Colour], ...] = ()
    """Parts ('' for the whole) and their colours."""
    patterns: tuple[tuple[str, float], ...] = ()
    """Pattern fields of `Coat` and their values."""

    def reshape(self, shape: Any) -> Any:
        """Apply the description to the shape of a member of the family."""
        for part in self.parts:
            shape = add_part(shape, part)
        for slider, factor in self.sliders:
            shape = move_slider(shape, slider, factor)
        return shape

    def recolour(self, coat: Coat) -> Coat:
        """Apply the description to the coat of a member of the family."""
        for part, colour in self.colours:
            coat = _paint(coat, part, colour)
        for pattern, amount in self.patterns:
            change: dict[str, Any] = {pattern: amount}
            coat = replace(coat, **change)
        return coat


def parse_description(sentence: str) -> CreatureDescription:
    """Parse a description such as 'a small long-legged fox' or 'a fat red cat with a long tail'."""
    words = re.findall(r"[a-z]+", sentence.lower())
    at, length, noun = _find_noun(words, sentence)
    pending: list[tuple[str, float]] = []
    description = CreatureDescription(noun, "")
    kept, strength = [], 1.0
    for i, word in enumerate(words):
        if at <= i < at + length:
            description = _apply(description, pending, "") if i == at else description
            pending = []
        elif word in INTENSIFIERS or word in DOWNTONERS:
            strength = 1.8 if word in INTENSIFIERS else 0.5
            kept.append(word)
            continue
        elif word in PART_WORDS:
            own = pending[-1:] if word.endswith("ed") else pending  # 'small long-legged' against 'with long thin legs'
            description = _apply(description, own, PART_WORDS[word])
            pending = pending[: len(pending) - len(own)]
        elif word in BODY_ADJECTIVES or word in PART_ADJECTIVES or word in COLOUR_WORDS or word in PATTERN_WORDS:
            pending.append((word, strength))
        else:
            strength = 1.0
            continue
        kept.append(word)
        strength = 1.0
    description = _apply(description, pending, "")
    return replace(description, name=" ".join(kept))


def known_nouns() -> tuple[str, ...]:
    """Return the proper name of every animal that a description can name."""
    return tuple(sorted(noun.words[0] for noun in NOUNS))


def _find_noun(words: list[str], sentence: str) -> tuple[int, int, Noun]:
    """Return position, number of words and meaning of the noun; the longest match wins, then the first."""
    lookup = {word: noun for noun in NOUNS for word in noun.words}
    found = []
    for size in (1, 2):
        for i in range(len(words) - size + 1):
            phrase = " ".join(words[i : i + size])
            if phrase in lookup or phrase.removesuffix("s") in lookup:
                # 'a horse with a long neck, like a giraffe': the first noun is meant; 'sausage dog' beats 'dog'
                found.append((-size, i, lookup.get(phrase) or lookup[phrase.removesuffix("s")]))
    if found:
        size, i, noun = min(found, key=lambda entry: entry[:2])
        return i, -size, noun
    near = [m for word in words for m in difflib.get_close_matches(word, lookup, n=1, cutoff=0.7)]
    hint = f" Did you mean '{near[-1]}'?" if near else ""
    raise ConfigError(f"'{sentence}' names no animal that Gambol knows.{hint}\nKnown are: {', '.join(known_nouns())}.")


def _apply(description: CreatureDescription, pending: list[tuple[str, float]], part: str) -> CreatureDescription:
    """Add the adjectives that stand before a part, or before the noun (part '')."""
    sliders, colours, patterns, parts = (
        list(description.sliders),
        list(description.colours),
        list(description.patterns),
        list(description.parts),
    )
    if part in ("stripes", "spots", "patches"):
        patterns.append(PATTERN_WORDS[part])
        colours += [("markings", COLOUR_WORDS[word]) for word, _ in pending if word in COLOUR_WORDS]
        return replace(description, colours=tuple(colours), patterns=tuple(patterns))
    parts += [part] if part else []
    for word, strength in pending:
        if word in COLOUR_WORDS:
            colours.append((part, COLOUR_WORDS[word]))
        elif word in PATTERN_WORDS:
            patterns.append(PATTERN_WORDS[word])
        elif part and word in PART_ADJECTIVES:
            slider, factor = PART_ADJECTIVES[word]
            sliders.append((part + slider, factor**strength))
        elif word in BODY_ADJECTIVES:
            sliders += [(slider, factor**strength) for slider, factor in BODY_ADJECTIVES[word].items()]
    return replace(
        description, sliders=tuple(sliders), colours=tuple(colours), patterns=tuple(patterns), parts=tuple(parts)
    )


def _paint(coat: Coat, part: str, colour: Colour) -> Coat:
    """Colour one part of a coat; a person's shirt is its back, the trousers its legs."""
    pale = (0.85, 0.82, 0.76)
    changes: dict[str, dict[str, Any]] = {
        "": {
            "back": colour,
            "belly": mix_colours(colour, pale, 0.45),
            "legs": mix_colours(colour, (0.0, 0.0, 0.0), 0.1),
            "hair": mix_colours(colour, (0.0, 0.0, 0.0), 0.25),
            "tail_tip": None,
        },
        "shirt": {"back": colour},
        "trousers": {"legs": colour},
        "girth": {"belly": colour, "countershade": 1.0},
        "leg": {"legs": colour, "socks": max(coat.socks, 0.4)},
        "foot": {"legs": colour, "socks": max(coat.socks, 0.1)},
        "socks": {"legs": colour, "socks": max(coat.socks, 0.15)},
        "tail": {"tail_tip": colour, "hair": colour},
        "mane": {"hair": colour},
        "hair": {"hair": colour},
        "crest": {"markings": colour},
        "wing": {"hair": colour},
        "beak": {"horn": colour},
        "muzzle": {"muzzle": colour},
        "head": {"head": colour},
        "eye": {"eye": colour},
        "markings": {"markings": colour},
    }
    return replace(coat, **changes.get(part, {}))
