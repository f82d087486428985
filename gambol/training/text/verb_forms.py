"""Forms of English verbs: third person, present participle and past, by spelling rules and lists of exceptions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_PAST_FORMS = (
    "be was, beat beat, become became, begin began, bend bent, bite bit, blow blew, bow bowed, break broke, "
    "bring brought, catch caught, come came, creep crept, cut cut, do did, draw drew, drink drank, drive "
    "drove, eat ate, fall fell, feed fed, feel felt, fight fought, flee fled, fling flung, fly flew, get got, "
    "give gave, go went, hang hung, have had, hit hit, hold held, hurt hurt, keep kept, kneel knelt, lay "
    "laid, lead led, leave left, let let, lie lay, lose lost, make made, put put, rise rose, run ran, say "
    "said, set set, shake shook, shoot shot, sing sang, sink sank, sit sat, sleep slept, slide slid, spin "
    "spun, spread spread, spring sprang, stand stood, stick stuck, strike struck, sweep swept, swell swelled, "
    "swim swam, swing swung, take took, tear tore, throw threw, wake woke, wind wound, wear wore"
)
IRREGULAR_PAST: Mapping[str, str] = dict(entry.split() for entry in _PAST_FORMS.split(", "))  # type: ignore[misc]
"""Past forms that the rule does not give."""
DOUBLING = frozenset((
    "bag", "bat", "begin", "bob", "bop", "chat", "chop", "clap", "cut", "dig", "dip", "drag", "drop", "flap",
    "flip", "get", "grab", "hit", "hop", "hug", "hum", "jab", "jog", "lap", "let", "lug", "nip", "nod", "pat",
    "plod", "pop", "prod", "put", "quit", "ram", "rap", "rub", "run", "scan", "set", "shrug", "shut", "sip",
    "sit", "skid", "skip", "slam", "slap", "slip", "snap", "spar", "spin", "squat", "stab", "step", "stop",
    "strut", "stun", "swim", "tap", "tip", "trip", "trot", "tug", "wag", "win",
))  # fmt: skip
"""Verbs that double their last letter before an ending."""


@dataclass(frozen=True)
class Verb:
    """Forms of a verb."""

    base: str
    """Base form: 'walk'."""
    third: str
    """Third person: 'walks'."""
    ing: str
    """Present participle: 'walking'."""
    past: str
    """Past: 'walked'."""
    rest: str = ""
    """Words that follow the verb: 'to the left' after 'turn'."""


def make_verb(words: str) -> Verb:
    """All forms of a verb from its base form and the words that follow it: 'turn to the left'."""
    base, _, rest = words.strip().partition(" ")
    return Verb(base, third_person(base), ing_form(base), past_form(base), rest)


def third_person(verb: str) -> str:
    """Return the third person of a verb: walks, marches, flies."""
    if verb in ("be", "have"):
        return {"be": "is", "have": "has"}[verb]
    if re.search(r"(s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def ing_form(verb: str) -> str:
    """Return the present participle of a verb: walking, dancing, running."""
    if verb == "be":
        return "being"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if re.search(r"[^eoy]e$", verb):
        return verb[:-1] + "ing"
    return verb + verb[-1] + "ing" if _doubles(verb) else verb + "ing"


def past_form(verb: str) -> str:
    """Return the past of a verb: walked, danced, ran."""
    if verb in IRREGULAR_PAST:
        return IRREGULAR_PAST[verb]
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return verb + verb[-1] + "ed" if _doubles(verb) else verb + "ed"


def _doubles(verb: str) -> bool:
    return verb in DOUBLING or bool(re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", verb))
