"""Template phrases that ask for a motion: sentences, commands and clip names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np

from gambol.creatures.description import NOUNS
from gambol.motion.vocabulary import VOCABULARY_NAMES, vocabulary_motion
from gambol.training.text.circumstances import (
    CLIP_ENDINGS,
    CLIP_STARTS,
    LOOKS,
    MANNERS,
    MOODS,
    PLACES,
    STYLES,
    SURROUNDINGS,
    THINGS,
    WALK_MANNERS,
)
from gambol.training.text.wording import Wording
from gambol.training.text.wordings_animals import ANIMAL_WORDINGS
from gambol.training.text.wordings_legged import LEGGED_WORDINGS
from gambol.training.text.wordings_people import PEOPLE_WORDINGS

Option = TypeVar("Option")

GENERIC_SUBJECTS = (
    "animal",
    "creature",
    "character",
    "figure",
    "monster",
    "robot",
    "beast",
    "alien",
    "zombie",
    "knight",
    "hero",
)
"""Subjects of any body, besides the nouns of built-in creatures."""
ROLES = (
    "soldier", "king", "queen", "wizard", "thief", "pirate", "clown", "boxer", "golfer", "guard", "farmer",
    "teacher", "skeleton", "ninja", "samurai", "waiter", "officer", "doctor", "astronaut", "sailor",
    "warrior", "ballerina", "swimmer", "mummy", "princess", "climber", "old lady", "hunter", "policeman",
    "student", "worker", "drummer", "viking",
)  # fmt: skip
"""Subjects who are known for a motion: they must not decide what is asked for."""
TELLING_ROLES = frozenset(("zombie", "mummy", "old lady", "skeleton"))
"""Subjects whose walk is a motion of its own."""

WORDINGS: dict[str, Wording] = {
    name: {**LEGGED_WORDINGS, **PEOPLE_WORDINGS, **ANIMAL_WORDINGS}[name] for name in VOCABULARY_NAMES
}
"""The words of every motion of the vocabulary."""

SUBJECT_TEMPLATES = (
    "{a} is {ing}{how}", "{the} is {ing}{how}", "{a} {third}{how}", "{the} {third}{how}", "{a} {ing}{how}",
    "{a} that {third}{how}", "{a} that is {ing}{how}", "{bare} {ing}{how}", "{bare} {name}", "make {the} {base}{how}",
    "let {the} {base}{how}", "{the} keeps {ing}{how}", "{the} starts {ing}{how}", "{style}{name} of {a}",
    "{a} doing {an_name}", "{a}, {ing}{how}", "an animation of {a} {ing}{how}", "a video of {a} {ing}{how}",
    "i want {the} to {base}{how}", "{third}{how}: {a}", "{the} {past}{how}", "{a} {past}{how}", "{the} was {ing}{how}",
    "{the} with the {thing} {third}{how}", "{a} with a {thing} is {ing}{how}", "{a} with a {thing} {third}{how}",
    "{the} {manner} {third}", "{a} {manner} {third}{how}", "{the} will {base}{how}", "{the} begins to {base}{how}",
    "two {bare}s {base}{how}", "the {bare}s are {ing}{how}", "{the} has to {base}{how}", "{the} can {base}{how}",
    "{a} and its friend {base}{how}", "{the} wants to {base}{how}", "{the}, who is {ing}{how}",
    "have {the} {base}{how}",
    "show me {a} {ing}{how}", "{place}, {a} {third}{how}", "{place}, {the} is {ing}", "{the} in a {thing} {third}{how}",
    "{a} {third}{how}", "{the} {third}{how}", "{the} is {ing}{how}", "{a} is {ing}{how}",
)  # fmt: skip
"""Templates of sentences with a subject."""
BARE_TEMPLATES = (
    "{base}{how}", "{base}", "{ing}{how}", "it {third}{how}", "it is {ing}{how}", "{style}{name}", "{style}{name}",
    "{name}", "{name} animation", "{an_name}", "it should {base}{how}", "someone {third}{how}", "{ing}",
    "{manner} {ing}",
    "he {third}{how}", "she is {ing}{how}", "they {base}{how}", "please {base}{how}", "now {base}{how}", "{ing}{how}",
    "to {base}{how}", "somebody {past}{how}", "{base} {manner}", "you {base}{how}", "{third}{how}", "he {past}{how}",
)  # fmt: skip
"""Templates without a subject."""
CLIP_NAME_TEMPLATES = (
    "{bare}_{name}",
    "{name}",
    "{name}",
    "{name}_{style}",
    "{style}_{name}",
    "{name}_{ending}",
    "{start}|{name}",
    "{start}|{bare}_{name}",
)
"""Templates of clip names."""
PARAPHRASE_SHARE = 0.5
"""Share of phrases that use another way to say the motion than its own verbs."""
SENTENCE_SHARE = 0.06
"""Share of phrases that are a whole sentence of the wording, where it has some."""
ADVERBIAL_SHARE = 0.5
"""Share of phrases that say how, where or when."""
ADJECTIVE_SHARE = 0.2
"""Share of subjects that have an adjective."""

_PLURAL = re.compile(r"[^u]s$|^(mice|cattle|people)$")


def phrase_subjects() -> tuple[str, ...]:
    """Return all subjects of phrases: the singular nouns of built-in creatures, then `GENERIC_SUBJECTS`.

    The text encoder ships them as `subjects.txt`, so that it does not import the creatures.
    """
    return (*(word for noun in NOUNS for word in noun.words if not _PLURAL.search(word)), *GENERIC_SUBJECTS)


def draw_subject(motion: str, rng: np.random.Generator) -> str:
    """Draw who moves: one in five is known for a motion, which need not be the one that is asked for."""
    subject = draw(ROLES, rng) if rng.random() < 0.2 else draw(phrase_subjects(), rng)
    telling = subject in TELLING_ROLES and motion == "walk"
    snake = motion in ("bite", "jump", "crawl") and subject in ("snake", "serpent", "viper", "cobra", "python", "fish")
    return "man" if telling or snake else subject


def phrase(motion: str, subject: str, rng: np.random.Generator) -> str:
    """Draw a phrase that asks for a motion of the vocabulary.

    `subject` is a noun ('fox', 'polar bear'), or empty. One phrase in three leaves it out, one in seven is a
    clip name.
    """
    motion = vocabulary_motion(motion)
    wording = WORDINGS[motion]
    kind = rng.random()
    if kind < 1 / 7:
        return _clip_name(wording, subject, rng)
    bare = f"{draw((*LOOKS, *MOODS), rng)} {subject}" if subject and rng.random() < ADJECTIVE_SHARE else subject
    if subject and wording.sentences and rng.random() < SENTENCE_SHARE:
        text = draw(wording.sentences, rng).format(a=f"{_article(bare)} {bare}", the=f"the {bare}")
        return _finished(text, rng)
    templates = BARE_TEMPLATES if not subject or kind < 10 / 21 else SUBJECT_TEMPLATES
    verb = draw(wording.paraphrases if rng.random() < PARAPHRASE_SHARE else wording.verbs, rng)
    name = draw(wording.names, rng)
    manners = MANNERS if motion == "walk" else (*MANNERS, *WALK_MANNERS)
    how = draw(draw((manners, PLACES, SURROUNDINGS), rng), rng)
    text = draw(templates, rng).format(
        a=f"{_article(bare)} {bare}",
        the=f"the {bare}",
        bare=bare,
        base=_joined(verb.base, verb.rest),
        third=_joined(verb.third, verb.rest),
        ing=_joined(verb.ing, verb.rest),
        past=_joined(verb.past, verb.rest),
        how=" " + how if rng.random() < ADVERBIAL_SHARE else "",
        manner=draw(manners, rng),
        place=draw(PLACES, rng),
        thing=draw(THINGS, rng),
        name=name,
        an_name=f"{_article(name)} {name}",
        style=draw(STYLES, rng) + " " if rng.random() < 0.5 else "",
    )
    return _finished(text, rng)


def words_of_templates() -> frozenset[str]:
    """Return every word that a phrase can contain besides its subject, in lower case."""
    texts = [*_shared_texts(), *(text for name in WORDINGS for text in wording_texts(name))]
    return frozenset(word for text in texts for word in re.findall(r"[a-z]+", re.sub(r"{\w+}", " ", text.lower())))


def wording_texts(motion: str) -> Iterator[str]:
    """Yield all that the templates say for a motion and for no other reason."""
    wording = WORDINGS[motion]
    yield from (*wording.names, *(re.sub(r"{\w+}", " ", text) for text in wording.sentences))
    for verb in (*wording.verbs, *wording.paraphrases):
        yield f"{verb.base} {verb.third} {verb.ing} {verb.past} {verb.rest}"


def _shared_texts() -> Iterator[str]:
    yield from (*SUBJECT_TEMPLATES, *BARE_TEMPLATES, *CLIP_NAME_TEMPLATES, *CLIP_ENDINGS, *CLIP_STARTS)
    yield from (*MANNERS, *WALK_MANNERS, *PLACES, *SURROUNDINGS, *THINGS, *LOOKS, *MOODS, *STYLES)


def _clip_name(wording: Wording, subject: str, rng: np.random.Generator) -> str:
    """Draw a name as in animation files: Run_Fast, walkCycle, FOX_IDLE."""
    start, _, text = draw(CLIP_NAME_TEMPLATES, rng).rpartition("|")
    text = text.format(
        name=draw(wording.names, rng), style=draw(STYLES, rng), bare=subject, ending=draw(CLIP_ENDINGS, rng)
    ).strip("_")
    case = rng.integers(4)
    if case == 0:
        text = "".join(word[:1].upper() + word[1:] for word in re.split(r"[ _]", text))
    elif case == 1:
        text = text.replace(" ", "_").upper()
    else:
        text = text.title().replace(" ", "_") if case == 2 else text.replace(" ", "_")
    return f"{draw(CLIP_STARTS, rng)}|{text}" if start else text


def draw(options: Sequence[Option], rng: np.random.Generator) -> Option:
    """Draw one of several options, all alike."""
    return options[int(rng.integers(len(options)))]


def _joined(verb: str, rest: str) -> str:
    return f"{verb} {rest}" if rest else verb


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeiou" and noun else "a"


def _finished(text: str, rng: np.random.Generator) -> str:
    """Give some phrases a capital letter and a full stop."""
    kind = rng.random()
    text = text[:1].upper() + text[1:] if kind < 0.3 else text
    return text + "." if kind < 0.15 else text
