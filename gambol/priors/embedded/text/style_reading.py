"""Which words of a sentence say how the motion is done, and what they say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gambol.priors.embedded.text.style_words import DEGREES, add_styles, word_styles
from gambol.priors.embedded.text.tokens import PREPOSITIONS, Token

MANNER_PREPOSITIONS = frozenset(("with", "in", "at", "like", "from", "out", "of"))
"""Prepositions of phrases that may say how: 'with joy', 'in anger'."""
MANNER_NOUNS = frozenset((
    "step", "steps", "stride", "strides", "movement", "movements", "motion", "motions", "mood", "manner", "way", "pace",
    "speed", "tempo", "gait", "gestures", "energy", "posture", "style", "fashion", "spirits", "moves", "rhythm",
))  # fmt: skip
"""Nouns whose adjective says how: 'with slow steps', 'in a bad mood'."""
ARTICLES = frozenset(("a", "an", "the", "its", "his", "her", "their", "my", "your", "some", "much", "full"))
"""Words in front of a noun or its adjectives."""
NEGATING = frozenset(("not", "no", "without", "never", "hardly"))
"""Words after which a word of manner means the contrary, which is not read."""


@dataclass(frozen=True)
class StyleReading:
    """The style that a sentence asks for."""

    deviations: Mapping[str, float] = field(default_factory=dict)
    """Deviations along `WORD_AXES`; empty where nothing deviates."""
    indices: frozenset[int] = frozenset()
    """Tokens that decided it, words of degree among them."""


def read_style(tokens: Sequence[Token], subjects: set[int], own: set[int]) -> StyleReading:
    """Read the style from the words of manner among tokens, but for the motion's `own` words and those of who moves.

    Things and places do not say how: a phrase with a preposition counts only if its noun speaks of manner ('with joy',
    'with slow steps', not 'with a heavy sword'); an adverb in -ly counts wherever it stands.
    """
    places = [i for i in candidate_tokens(tokens) if i not in subjects and i not in own]
    words = [(i, word) for i in places for word in tokens[i].words if word not in DEGREES]
    found = [(i, style) for (i, _), style in zip(words, word_styles([w for _, w in words]), strict=True) if style]
    heads = {span[-1] for span in prepositional_spans(tokens) if _speaks_of_manner(span, found, tokens)}
    barred = {
        i for span in prepositional_spans(tokens) if span[-1] not in heads for i in span if not _is_adverb(tokens[i])
    }
    styles, indices = [], set()
    for i, style in found:
        if i in barred or (i > 0 and set(tokens[i - 1].words) & NEGATING):
            continue
        degree, used = read_degree(tokens, i)
        styles.append((style, degree))
        indices |= {i, *used}
        indices |= next((set(span) for span in prepositional_spans(tokens) if i in span and span[-1] in heads), set())
    return StyleReading(add_styles(styles), frozenset(indices)) if add_styles(styles) else StyleReading()


def candidate_tokens(tokens: Sequence[Token]) -> list[int]:
    """Indices of the tokens that are more than function words."""
    return [i for i, token in enumerate(tokens) if token.words and not token.unreported]


def prepositional_spans(tokens: Sequence[Token]) -> list[range]:
    """Phrases that a preposition starts, up to the noun: to an adverb, punctuation or the next function word."""
    spans = []
    for i, token in enumerate(tokens):
        if not set(token.words) & PREPOSITIONS or not token.words:
            continue
        end = i + 1
        while end < len(tokens) and set(tokens[end].words) <= ARTICLES | set(DEGREES):
            end += 1
        while end < len(tokens) and not (tokens[end].starts_phrase or tokens[end].unreported or _is_verb(tokens[end])):
            end += 1
        if end > i + 1:
            spans.append(range(i, end))
    return spans


def read_degree(tokens: Sequence[Token], i: int) -> tuple[float, set[int]]:
    """Product of the factors of the words of degree in front of a token, and their indices: 'a bit', 'very very'."""
    degree, used = 1.0, set()
    while i > 0:
        i -= 1
        words = tokens[i].words
        if len(words) == 1 and words[0] in DEGREES:
            degree *= DEGREES[words[0]]
            used.add(i)
        elif not (words == ("a",) and used):
            break
        else:
            used.add(i)
    return degree, used


def _speaks_of_manner(span: range, found: Sequence[tuple[int, Mapping[str, float]]], tokens: Sequence[Token]) -> bool:
    """Whether a phrase's noun speaks of manner; with 'the' it is a place or time ('in the dark')."""
    noun = span[-1]
    if set(tokens[noun].words) & MANNER_NOUNS:
        return True
    return any(noun == k for k, _ in found) and all(tokens[i].words != ("the",) for i in span)


def _is_adverb(token: Token) -> bool:
    return token.words[-1].endswith("ly") if token.words else False


def _is_verb(token: Token) -> bool:
    return token.words[-1].endswith("ing") if token.words else False
