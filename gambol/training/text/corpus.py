"""Training texts of the text encoder: motion phrases, and general English made from WordNet by mechanical rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gambol.training.text.circumstances import THINGS
from gambol.training.text.phrases import WORDINGS, draw, draw_subject, phrase, phrase_subjects
from gambol.training.text.synonyms import (
    ADJECTIVE_SEEDS,
    BODILY_VERB_FILES,
    NOUN_SEEDS,
    OTHER_SENSES,
    definition,
    meanings_below,
    motion_verbs,
    motion_words,
)
from gambol.training.text.verb_forms import ing_form, third_person
from gambol.training.text.wordnet import WordNet

PLACE_FILES = (15, 6, 17)
"""Numbers of WordNet's files of nouns of places, artefacts and natural objects."""
THING_FILES = (6, 10, 13, 19, 21, 27, 28)
"""Numbers of WordNet's files of nouns of artefacts, communication, food, phenomena, possession, substance and time."""
ACTS_ON_THINGS = frozenset(
    ("throw", "catch", "push", "pull", "pick up", "carry", "eat", "drink", "kick", "swing sword")
)
"""Motions whose verbs take an object."""
PLACE_FRAMES = ("in the {}", "across the {}", "through the {}", "near the {}", "over the {}", "by a {}", "to the {}")
"""Templates of adverbials of place."""
SENTENCE_FRAMES = (
    "a {who} {third}", "the {who} {third} {place}", "the {who} is {ing} {place}", "a {who} {ing} {place}",
    "the {who} {third}", "{ing} {place}", "the {who} {third} {how}", "a {ing} {who}", "{ing}", "a {who} {how} {ing}",
)  # fmt: skip
"""Templates of sentences around a verb."""


@dataclass(frozen=True)
class SentenceMaker:
    """Makes random sentences around a verb, a noun or an adjective."""

    who: tuple[str, ...]
    """Subjects."""
    places: tuple[str, ...]
    """Nouns of places and things."""
    adverbs: tuple[str, ...]
    """Adverbs."""

    def sentence(self, verb: str, rng: np.random.Generator, *, side: str = "", has_object: bool = False) -> str:
        """Draw a sentence around a verb; `side` is 'left' or 'right' for turns, half of objects are named."""
        frame = draw(SENTENCE_FRAMES, rng)
        place = draw(PLACE_FRAMES, rng).format(draw(self.places, rng))
        if has_object and rng.random() < 0.5:
            frame = frame if "{place}" in frame else "the {who} {third} {place}"
            place = f"a {draw((*THINGS, *self.places), rng)}"
        if side:
            place = draw((side, f"to the {side}", f"to its {side}", f"towards the {side}", f"off to the {side}"), rng)
            frame = frame if "{place}" in frame else frame + " {place}"
        return frame.format(
            who=draw(self.who, rng),
            third=third_person(verb),
            ing=ing_form(verb),
            place=place,
            how=draw(self.adverbs, rng),
        )

    def doing(self, noun: str, rng: np.random.Generator, *, side: str = "") -> str:
        """Draw a sentence around the noun of a motion: 'the fox does a leap'."""
        frame = draw(("a {}", "the {who} does a {}", "a {who} doing a {}", "{}", "the {who} on a {}"), rng)
        return frame.format(noun, who=draw(self.who, rng)) + (f" to the {side}" if side else "")

    def being(self, adjective: str, rng: np.random.Generator) -> str:
        """Draw a sentence around an adjective: 'the fox is motionless'."""
        frame = draw(("a {} {who}", "the {who} is {}", "{}", "the {} {who}", "a {who} that is {}"), rng)
        return frame.format(adjective, who=draw(self.who, rng))


def sentence_maker(wordnet: WordNet, zipf: Callable[[str], float]) -> SentenceMaker:
    """Make a sentence maker from common nouns and adverbs of WordNet and the subjects of the phrases."""
    nouns = wordnet.nouns.synsets.values()
    places = {s.words[0] for s in nouns if s.file in PLACE_FILES and re.fullmatch("[a-z]+", s.words[0])}
    people = {s.words[0] for s in nouns if s.file in (5, 18) and re.fullmatch("[a-z]+", s.words[0])}
    adverbs = {s.words[0] for s in wordnet.part("adv").synsets.values() if re.fullmatch("[a-z]+ly", s.words[0])}
    return SentenceMaker(
        (*phrase_subjects(), *phrase_subjects(), *sorted(w for w in people if zipf(w) > 3.2)),
        tuple(sorted(w for w in places if zipf(w) > 3.7)),
        tuple(sorted(w for w in adverbs if zipf(w) > 3.0)),
    )


def general_sentences(
    wordnet: WordNet, maker: SentenceMaker, zipf: Callable[[str], float], rng: np.random.Generator
) -> Iterator[str]:
    """Yield glosses and examples of WordNet, and random sentences for all of its verbs that are in use."""
    for part, share in (("verb", 1.0), ("adv", 0.7), ("adj", 0.15), ("noun", 0.08)):
        for synset in wordnet.part(part).synsets.values():
            meaning, *examples = synset.gloss.split('; "')
            if rng.random() < share:
                yield meaning
            yield from (example for example in examples if rng.random() < share)
    bodily = {w for s in wordnet.verbs.synsets.values() if s.file in BODILY_VERB_FILES for w in s.words}
    for verb in sorted(w for w in wordnet.verbs.senses if re.fullmatch("[a-z]+", w)):
        if zipf(verb) > 1.3:
            for _ in range(7 if verb in bodily else 2):
                yield maker.sentence(verb, rng)


def motion_phrases(count: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Draw `count` phrases of each motion, with their motions."""
    return [(phrase(m, draw_subject(m, rng), rng), m) for m in WORDINGS for _ in range(count)]


def synonym_sentences(
    wordnet: WordNet,
    meanings: dict[str, str],
    maker: SentenceMaker,
    zipf: Callable[[str], float],
    rng: np.random.Generator,
    *,
    each: int,
) -> list[tuple[str, str]]:
    """Make sentences with every verb, noun and adjective of a motion; WordNet's definitions and examples are added."""
    made = []

    def add(words: dict[str, str], sentence: Callable[[str, str], str], count: int) -> None:
        for word, motion in sorted(words.items()):
            for i in range(count):
                side = ("left", "right")[i % 2] if motion == "turn" else ""
                made.append((sentence(word, side), f"turn {side}" if side else motion))

    nouns, adjectives = wordnet.nouns, wordnet.adjectives
    verbs = motion_verbs(wordnet, meanings, zipf)
    transitive = {verb: motion for verb, motion in verbs.items() if motion in ACTS_ON_THINGS}
    add(transitive, lambda verb, side: maker.sentence(verb, rng, has_object=True), each)
    others = {verb: motion for verb, motion in verbs.items() if motion not in ACTS_ON_THINGS}
    add(others, lambda verb, side: maker.sentence(verb, rng, side=side), each)
    named = motion_words(nouns, meanings_below(nouns, NOUN_SEEDS), zipf)
    add(named, lambda noun, side: maker.doing(noun, rng, side=side), each // 3)
    called = motion_words(adjectives, meanings_below(adjectives, ADJECTIVE_SEEDS), zipf)
    add(called, lambda adjective, side: maker.being(adjective, rng), each)
    for offset, motion in meanings.items():
        if motion != "turn":
            synset = wordnet.verbs.synsets[offset]
            made += [(text, motion) for text in (definition(synset), *synset.gloss.split('; "')[1:])]
    return made


def other_sentences(
    wordnet: WordNet,
    meanings: dict[str, str],
    maker: SentenceMaker,
    zipf: Callable[[str], float],
    rng: np.random.Generator,
    *,
    each: int,
) -> list[str]:
    """Make texts about something else: verbs below `OTHER_SENSES`, of thought and speech; things; nonsense; empty."""
    taken = set(motion_words(wordnet.verbs, meanings, zipf))
    other = wordnet.verbs.words_below(OTHER_SENSES)
    other |= {w for s in wordnet.verbs.synsets.values() if s.file in (31, 37, 40, 41, 43) for w in s.words[:1]}
    verbs = sorted(w for w in other - taken if re.fullmatch("[a-z]+", w) and zipf(w) > 2.5)
    made = [maker.sentence(verb, rng) for verb in verbs for _ in range(each)]
    things = [definition(s) for s in wordnet.nouns.synsets.values() if s.file in THING_FILES]
    count = len(made) // 6
    made += [str(text) for text in rng.choice(things, count)]
    made += [
        f"a {draw(maker.places, rng)} {draw(('of', 'and', 'for', 'in'), rng)} {draw(maker.places, rng)}"
        for _ in range(count)
    ]
    made += [_nonsense(rng) for _ in range(count)]
    return made + ["" for _ in range(count // 4)]


def _nonsense(rng: np.random.Generator) -> str:
    """Draw one to four words of random letters, of the Latin or the Cyrillic script."""
    first = int(rng.choice((ord("a"), ord("\u0430"))))
    return " ".join(
        "".join(chr(first + int(n)) for n in rng.integers(26, size=rng.integers(3, 8)))
        for _ in range(rng.integers(1, 5))
    )
