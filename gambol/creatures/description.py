"""From a sentence to a creature: the noun chooses family and preset, adjectives pull levers and change colours."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gambol.character.colour import Colour
from gambol.creatures.bodies.body_plan import Coat
from gambol.creatures.bodies.shape_sliders import give, pull
from gambol.creatures.bodies.skin_colours import mixed, srgb
from gambol.creatures.families.mammal_nouns import MAMMALS
from gambol.creatures.families.other_nouns import OTHERS
from gambol.creatures.noun import YOUNG, Noun
from gambol.errors import AssetError

NOUNS = (*MAMMALS, *OTHERS)
"""Every animal that a sentence can name."""
WHOLE: Mapping[str, Mapping[str, float]] = {
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
    "baby": YOUNG,
    "young": {"size": 0.65, "head": 1.2, "eye": 1.15},
    "old": {"girth": 0.95},
    "fluffy": {"tail width": 1.3, "girth": 1.1},
}
"""Adjectives of the whole animal: levers and factors."""
PART_FACTORS: Mapping[str, tuple[str, float]] = {
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
"""Adjectives of one part: which of its levers, and the factor."""
PARTS: Mapping[str, str] = {
    **dict.fromkeys(("leg", "legs", "legged"), "leg"),
    **dict.fromkeys(("neck", "necked"), "neck"),
    **dict.fromkeys(("tail", "tailed"), "tail"),
    **dict.fromkeys(("ear", "ears", "eared"), "ear"),
    **dict.fromkeys(("head", "headed"), "head"),
    **dict.fromkeys(("body", "bodied", "back", "backed"), "length"),
    **dict.fromkeys(("nose", "nosed", "snout", "snouted", "muzzle", "muzzled"), "muzzle"),
    **dict.fromkeys(("beak", "beaked", "bill", "billed"), "beak"),
    **dict.fromkeys(("wing", "wings", "winged"), "wing"),
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
    **dict.fromkeys(("sock", "socks", "stockings"), "socks"),
    **dict.fromkeys(("shirt", "shirted", "jacket"), "shirt"),
    **dict.fromkeys(("trousers", "pants", "jeans"), "trousers"),
    **dict.fromkeys(("stripe", "stripes"), "stripes"),
    **dict.fromkeys(("spot", "spots", "dots"), "spots"),
    **dict.fromkeys(("patch", "patches"), "patches"),
}
"""Words of parts: the lever or the piece of the coat that they mean."""
COLOURS: Mapping[str, Colour] = {
    "red": srgb("b4391f"),
    "orange": srgb("d8761e"),
    "ginger": srgb("c8742e"),
    "yellow": srgb("e2c22c"),
    "golden": srgb("cf9f4a"),
    "blond": srgb("d8b878"),
    "blonde": srgb("d8b878"),
    "brown": srgb("6b4226"),
    "chestnut": srgb("7f3f1e"),
    "tan": srgb("c49a6a"),
    "beige": srgb("d8c7a8"),
    "cream": srgb("efe4cc"),
    "white": srgb("f2efe9"),
    "grey": srgb("868482"),
    "gray": srgb("868482"),
    "silver": srgb("b4b6b8"),
    "black": srgb("1d1b1a"),
    "dark": srgb("33291f"),
    "blue": srgb("2f63ae"),
    "turquoise": srgb("2f9a98"),
    "green": srgb("4a8a34"),
    "purple": srgb("6a3f92"),
    "pink": srgb("e59aa6"),
}
PATTERNS: Mapping[str, tuple[str, float]] = {
    "striped": ("stripes", 0.95),
    "stripes": ("stripes", 0.95),
    "spotted": ("spots", 0.95),
    "spots": ("spots", 0.95),
    "dotted": ("spots", 0.95),
    "patched": ("patches", 0.5),
    "patches": ("patches", 0.5),
    "piebald": ("patches", 0.5),
}
STRONGER, WEAKER = {"very", "extremely", "really", "super"}, {"slightly", "somewhat"}


@dataclass(frozen=True)
class Wish:
    """What a sentence asks for."""

    noun: Noun
    name: str
    """The words that count, in their order."""
    levers: tuple[tuple[str, float], ...] = ()
    parts: tuple[str, ...] = ()
    """Parts that it must have."""
    colours: tuple[tuple[str, Colour], ...] = ()
    """Part (or '' for the whole) and its colour."""
    patterns: tuple[tuple[str, float], ...] = ()

    def reshape(self, shape: Any) -> Any:
        """A drawn member of the family, as the sentence wants it."""
        for part in self.parts:
            shape = give(shape, part)
        for lever, factor in self.levers:
            shape = pull(shape, lever, factor)
        return shape

    def recolour(self, coat: Coat) -> Coat:
        """The same for its coat."""
        for part, colour in self.colours:
            coat = _paint(coat, part, colour)
        for pattern, amount in self.patterns:
            change: dict[str, Any] = {pattern: amount}
            coat = replace(coat, **change)
        return coat


def understand(sentence: str) -> Wish:
    """The wish in a sentence such as 'a small long-legged fox' or 'a fat red cat with a long tail'."""
    words = re.findall(r"[a-z]+", sentence.lower())
    at, length, noun = _find_noun(words, sentence)
    pending: list[tuple[str, float]] = []
    wish = Wish(noun, "")
    kept, strength = [], 1.0
    for i, word in enumerate(words):
        if at <= i < at + length:
            wish = _apply(wish, pending, "") if i == at else wish
            pending = []
        elif word in STRONGER or word in WEAKER:
            strength = 1.8 if word in STRONGER else 0.5
            kept.append(word)
            continue
        elif word in PARTS:
            own = pending[-1:] if word.endswith("ed") else pending  # 'small long-legged' against 'with long thin legs'
            wish = _apply(wish, own, PARTS[word])
            pending = pending[: len(pending) - len(own)]
        elif word in WHOLE or word in PART_FACTORS or word in COLOURS or word in PATTERNS:
            pending.append((word, strength))
        else:
            strength = 1.0
            continue
        kept.append(word)
        strength = 1.0
    wish = _apply(wish, pending, "")
    return replace(wish, name=" ".join(kept))


def known_nouns() -> tuple[str, ...]:
    """The proper name of every animal that a sentence can name."""
    return tuple(sorted(noun.words[0] for noun in NOUNS))


def _find_noun(words: list[str], sentence: str) -> tuple[int, int, Noun]:
    """Where the noun stands, how many words it has, and what it means; the longest match wins, then the last."""
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
    raise AssetError(f"'{sentence}' names no animal that Gambol knows.{hint}\nKnown are: {', '.join(known_nouns())}.")


def _apply(wish: Wish, pending: list[tuple[str, float]], part: str) -> Wish:
    """The wish with the adjectives that stood before a part, or before the noun (part '')."""
    levers, colours, patterns, parts = list(wish.levers), list(wish.colours), list(wish.patterns), list(wish.parts)
    if part in ("stripes", "spots", "patches"):
        patterns.append(PATTERNS[part])
        colours += [("mark", COLOURS[word]) for word, _ in pending if word in COLOURS]
        return replace(wish, colours=tuple(colours), patterns=tuple(patterns))
    parts += [part] if part else []
    for word, strength in pending:
        if word in COLOURS:
            colours.append((part, COLOURS[word]))
        elif word in PATTERNS:
            patterns.append(PATTERNS[word])
        elif part and word in PART_FACTORS:
            lever, factor = PART_FACTORS[word]
            levers.append((part + lever, factor**strength))
        elif word in WHOLE:
            levers += [(lever, factor**strength) for lever, factor in WHOLE[word].items()]
    return replace(wish, levers=tuple(levers), colours=tuple(colours), patterns=tuple(patterns), parts=tuple(parts))


def _paint(coat: Coat, part: str, colour: Colour) -> Coat:
    """The coat with one part in a colour; a person's shirt is its back, the trousers its ends."""
    pale = (0.85, 0.82, 0.76)
    changes: dict[str, dict[str, Any]] = {
        "": {
            "back": colour,
            "belly": mixed(colour, pale, 0.45),
            "ends": mixed(colour, (0.0, 0.0, 0.0), 0.1),
            "hair": mixed(colour, (0.0, 0.0, 0.0), 0.25),
            "tip": None,
        },
        "shirt": {"back": colour},
        "trousers": {"ends": colour},
        "girth": {"belly": colour, "countershade": 1.0},
        "leg": {"ends": colour, "socks": max(coat.socks, 0.4)},
        "foot": {"ends": colour, "socks": max(coat.socks, 0.1)},
        "socks": {"ends": colour, "socks": max(coat.socks, 0.15)},
        "tail": {"tip": colour, "hair": colour},
        "mane": {"hair": colour},
        "hair": {"hair": colour},
        "crest": {"mark": colour},
        "wing": {"hair": colour},
        "beak": {"horn": colour},
        "muzzle": {"muzzle": colour},
        "head": {"head": colour},
        "eye": {"eye": colour},
        "mark": {"mark": colour},
    }
    return replace(coat, **changes.get(part, {}))
