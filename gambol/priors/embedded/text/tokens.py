"""The words of a sentence as they were typed, and how they group into phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.priors.embedded.text.sentence_check import AUXILIARIES
from gambol.priors.embedded.text.word_pieces import plain_words

PREPOSITIONS = frozenset((
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind", "below",
    "beneath", "beside", "between", "by", "down", "during", "for", "from", "in", "inside", "into", "like", "near", "of",
    "off", "on", "onto", "out", "outside", "over", "past", "through", "to", "toward", "towards", "under", "until", "up",
    "upon", "while", "with", "within",
))  # fmt: skip
"""Words that start a phrase of their own: 'through the forest'."""
UNREPORTED_WORDS = AUXILIARIES | PREPOSITIONS | frozenset((
    "a", "an", "the", "this", "that", "these", "those", "i", "you", "he", "she", "it", "we", "they", "me", "him",
    "them", "my", "your", "his", "her", "its", "our", "their", "who", "which", "and", "or", "but", "so", "someone",
    "somebody", "there", "let", "want", "show", "please", "keep", "keeps", "start", "starts", "make", "makes", "making",
    "do", "does", "doing", "go", "goes", "going", "move", "moves", "moving", "take", "takes", "taking", "give", "gives",
    "giving", "throw", "throws", "throwing", "animation", "video", "clip", "loop", "cycle", "motion",
))  # fmt: skip
"""Words that are not reported as ignored on their own, because they do not change what is asked for."""


@dataclass(frozen=True)
class Token:
    """A word of a sentence as it was typed."""

    text: str
    """Its letters and digits."""
    start: int
    """Index of its first character."""
    end: int
    """Index behind its last character."""
    words: tuple[str, ...]
    """The plain words in it: two in 'RunFast', none in '90'."""
    starts_phrase: bool
    """Whether it follows punctuation, or is a preposition or a number."""

    @property
    def unreported(self) -> bool:
        """Whether all its words are in `UNREPORTED_WORDS`."""
        return all(word in UNREPORTED_WORDS for word in self.words) and bool(self.words)


def split_tokens(sentence: str) -> list[Token]:
    """Split a sentence or a clip name into tokens; what stands before '|' in a clip name is left out."""
    begin = sentence.rfind("|") + 1
    tokens: list[Token] = []
    for match in re.finditer(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}-][^\W_]+)*", sentence[begin:]):
        start, end = begin + match.start(), begin + match.end()
        words = tuple(plain_words(match.group()))
        if not words and len(sentence.split()) == 1:
            continue  # the number of a clip: Walk_01
        apart = bool(tokens) and bool(re.search(r"[^\w\s]", sentence[tokens[-1].end : start]))
        is_preposition = set(words) <= PREPOSITIONS
        tokens.append(Token(match.group(), start, end, words, apart or is_preposition))
    return tokens


def phrases(
    sentence: str, tokens: Sequence[Token], indices: Sequence[int], *, keep_all: bool = False
) -> tuple[str, ...]:
    """Group tokens that follow each other into phrases, as they were typed.

    Unless `keep_all`, a phrase ends at punctuation and before a preposition, and loses words that are not reported on
    their own from both ends, except a preposition in front.
    """
    groups: list[list[int]] = []
    for i in indices:
        if groups and groups[-1][-1] == i - 1 and (keep_all or not tokens[i].starts_phrase):
            groups[-1].append(i)
        else:
            groups.append([i])
    found = []
    for group in groups:
        if not keep_all:
            while group and tokens[group[-1]].unreported:
                group.pop()
            while group and tokens[group[0]].unreported and not set(tokens[group[0]].words) <= PREPOSITIONS:
                group.pop(0)
        if group:
            found.append(sentence[tokens[group[0]].start : tokens[group[-1]].end])
    return tuple(found)
