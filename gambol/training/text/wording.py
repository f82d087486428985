"""The words of a motion, from which templates make phrases."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.training.text.verb_forms import Verb, make_verb


@dataclass(frozen=True)
class Wording:
    """The words of one motion."""

    verbs: tuple[Verb, ...]
    """Verbs that name the motion."""
    paraphrases: tuple[Verb, ...]
    """Other ways to say it."""
    names: tuple[str, ...]
    """Clip names, spoken with an article in sentences: 'a walk', 'a left turn'."""
    sentences: tuple[str, ...] = ()
    """Whole sentences, with {a} and {the} for who moves: 'a ball is thrown by {the}'."""


def wording(verbs: str, paraphrases: str, names: str, sentences: str = "") -> Wording:
    """A wording from lists with semicolons; each verb is in its base form, with the words that follow it."""
    return Wording(
        tuple(make_verb(words) for words in _items(verbs)),
        tuple(make_verb(words) for words in _items(paraphrases)),
        _items(names),
        _items(sentences),
    )


def _items(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(";") if item.strip())
