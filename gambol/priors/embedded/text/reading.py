"""Read a sentence: which motion it asks for, how it is done, which words decided that, and which were ignored."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import (
    MAX_PIECES,
    SentenceClassification,
    classify_sentence,
    load_motion_head,
    load_text_encoder,
    subject_nouns,
)
from gambol.priors.embedded.text.sentence_check import AUXILIARIES, check_sentence
from gambol.priors.embedded.text.style_reading import StyleReading, read_style
from gambol.priors.embedded.text.style_words import MANNER_STYLES, describe_style
from gambol.priors.embedded.text.tokens import Token, phrases, split_tokens
from gambol.priors.embedded.text.word_pieces import load_vocabulary

PHRASE_SHARE = 0.75
"""Share of the sentence's probability that the deciding phrase reaches on its own."""
MAX_PHRASE_TOKENS = 5
"""Most words of the deciding phrase."""
INFLUENCE = 0.25
"""A word counts as used if the motion's probability falls by more than this when the word is left out."""
MAX_IGNORED_PHRASES = 6
"""Ignored phrases that are shown one by one; the words of further ones are only counted."""
MAX_PHRASE_LETTERS = 60
"""Letters of an ignored phrase that are shown."""


@dataclass(frozen=True)
class SentenceReading:
    """How the embedded prior reads a sentence."""

    sentence: str
    """The sentence as it was given."""
    read: str
    """The part of it that the text encoder is given: all of it, or what precedes 'then'."""
    classification: SentenceClassification | None
    """The motion that `read` asks for; None for an empty sentence, which stands for a walk."""
    used: tuple[str, ...] = ()
    """Phrases that decided the motion, as they were typed."""
    subjects: tuple[str, ...] = ()
    """Phrases that name who moves, as they were typed."""
    ignored: tuple[str, ...] = ()
    """Phrases that decided neither the motion nor its style, in the order of the sentence."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Deviations from the natural style along `WORD_AXES`, -1 to 1; empty where no word speaks of it."""
    style_words: tuple[str, ...] = ()
    """Phrases that decided the style, as they were typed."""

    @property
    def motion_style(self) -> Mapping[str, float]:
        """Style of a walk that stands for the motion on bodies that do not have it; empty for most motions."""
        return MANNER_STYLES.get(self.motion or "", {})

    @property
    def motion(self) -> str | None:
        """The motion class that is asked for; None for an empty sentence."""
        return None if self.classification is None else self.classification.motion

    @property
    def summary(self) -> str:
        """One line for people: the motion, the style, what they were taken from and what was ignored."""
        found = self.classification
        if found is None:
            return "The prompt is empty: the prior takes it for a walk."
        source = f" from {_quoted(self.used)}" if self.used else ""
        guess = f"{found.motion} ({100 * found.probability:.0f} %){source}"
        if found.is_confident:
            line = f"Understood as {guess}"
        elif found.known:
            line = f"Not well understood: the nearest motion, {guess}, is used"
        else:
            line = f"This is none of the motions that the prior knows: the nearest, {guess}, is used"
        if self.style:
            line += f", {describe_style(self.style)} from {_quoted(self.style_words)}"
        return line + (f"; ignored: {_shown(self.ignored)}." if self.ignored else ".")

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people: the summary, and what to write instead where the sentence is not understood."""
        found = self.classification
        if found is None or found.is_confident:
            return (self.summary,)
        return self.summary, f"Plain English with one of these motions works best: {', '.join(VOCABULARY_NAMES)}."


def read_sentence(sentence: str) -> SentenceReading:
    """Read a sentence; raises `PriorError` for one in another language or with a negation."""
    check_sentence(sentence)
    if not sentence.strip():
        return SentenceReading(sentence, sentence, None)
    tokens = split_tokens(sentence)
    count = first_action(tokens)
    read, later = tokens[:count], tokens[count:]
    text = _join(read) if later else sentence
    found = classify_sentence(text)
    used = find_used_tokens(read, found)
    used = {i for i in used if " ".join(read[i].words) not in subject_nouns()} or used
    subjects = find_subject_tokens(read, used)
    own = {i for i in used if _asks_for(read[i], found.motion)}
    style = read_style(read, subjects, own) if count else StyleReading()
    used = _without_style(read, used - style.indices)
    rest = [i for i in range(len(read)) if i not in used and i not in subjects and i not in style.indices]
    ignored = list(phrases(sentence, read, rest))
    if later:
        start = next((token for token in later if token.words != ("and",)), later[0])
        ignored.append(sentence[start.start : later[-1].end])
    return SentenceReading(
        sentence=sentence,
        read=text,
        classification=found,
        used=phrases(sentence, read, sorted(used), keep_all=True),
        subjects=phrases(sentence, read, sorted(subjects), keep_all=True),
        ignored=tuple(ignored),
        style=style.deviations,
        style_words=phrases(sentence, read, sorted(style.indices), keep_all=True),
    )


def _asks_for(token: Token, motion: str) -> bool:
    alone = classify_sentence(token.text)
    return alone.known and alone.motion == motion


def _without_style(tokens: Sequence[Token], used: set[int]) -> set[int]:
    """Used tokens without unreported ones at the end, which only led to a word of style: 'walks [in a hurry]'."""
    while used and tokens[max(used)].unreported and len(used) > 1:
        used = used - {max(used)}
    return used


def read_motion_text(sentence: str) -> str:
    """The part of a sentence that the text encoder is given: its first action, without what follows 'then'."""
    tokens = split_tokens(sentence)
    count = first_action(tokens)
    return sentence if count == len(tokens) else _join(tokens[:count])


def read_probabilities(sentence: str) -> Mapping[str, float]:
    """Probability of each motion that the first action of a sentence asks for."""
    return classify_sentence(read_motion_text(sentence)).probabilities


def first_action(tokens: Sequence[Token]) -> int:
    """Number of tokens before the first 'then', 'after that', ... that follows an action; all where there is none."""
    for i in range(1, len(tokens)):
        if not _starts_next_action(tokens, i):
            continue
        found = classify_sentence(_join(tokens[:i]))
        if found.is_confident:
            return i - 1 if i > 1 and tokens[i - 1].words in (("and",), ("but",)) else i
    return len(tokens)


def _starts_next_action(tokens: Sequence[Token], i: int) -> bool:
    words = " ".join(tokens[i].words)
    after = " ".join(tokens[i + 1].words) if i + 1 < len(tokens) else ""
    if words == "then":
        return not is_now_and_then(tokens, i)
    if words in ("afterwards", "afterward", "finally"):
        return True
    return f"{words} {after}" in ("after that", "followed by") or (words == "before" and after.endswith("ing"))


def is_now_and_then(tokens: Sequence[Token], i: int) -> bool:
    """Whether the 'then' at token i ends 'now and then'."""
    return " ".join(word for token in tokens[max(i - 2, 0) : i] for word in token.words) == "now and"


def find_used_tokens(tokens: Sequence[Token], found: SentenceClassification) -> set[int]:
    """Indices of the tokens that decided the motion.

    They are the shortest phrase that gives the sentence's motion on its own, with neighbours that name a motion
    themselves, and every other token whose absence changes the motion or lowers its probability by more than
    `INFLUENCE`.
    """
    indices = range(_tokens_within_limit(tokens))
    spans = [range(i, j) for i in indices for j in range(i + 1, min(i + MAX_PHRASE_TOKENS, len(indices)) + 1)]
    alone = dict(zip(spans, _classify([[tokens[i] for i in span] for span in spans]), strict=True))
    used = {i for i in _deciding_phrase(tokens, alone, found) if not tokens[i].unreported}
    for i in list(used):
        used |= {k for k in (i - 1, i + 1) if k in indices and _names_motion(tokens[k], alone[range(k, k + 1)])}
    others = [i for i in indices if i not in used and not tokens[i].unreported]
    without = _classify([[token for k, token in enumerate(tokens) if k != i] for i in others])
    for i, rest in zip(others, without, strict=True):
        falls = found.probability - rest.probabilities[found.motion] > INFLUENCE
        is_name = any(word.startswith(found.motion.split()[0]) for word in tokens[i].words)
        if falls or is_name or rest.motion != found.motion:
            used.add(i)
    return used | _connecting_tokens(tokens, used)


def _connecting_tokens(tokens: Sequence[Token], used: set[int]) -> set[int]:
    """Unreported tokens between used ones ('turns to the left'), and auxiliaries in front of them ('is walking')."""
    found: set[int] = set()
    for i in sorted(used):
        gap = i
        while gap > 0 and tokens[gap - 1].unreported:
            gap -= 1
        if gap - 1 in used:
            found |= set(range(gap, i))
        while i > 0 and set(tokens[i - 1].words) & AUXILIARIES:
            i -= 1
            found.add(i)
    return found


def _deciding_phrase(
    tokens: Sequence[Token], alone: Mapping[range, SentenceClassification], found: SentenceClassification
) -> range:
    """Shortest span of tokens that gives the same motion on its own; that of a subject only where there is no other."""

    def enough(span: range, one: SentenceClassification) -> bool:
        same = one.motion == found.motion and one.known >= found.known
        content = any(not tokens[i].unreported for i in span)
        return same and content and one.probability >= PHRASE_SHARE * found.probability

    def rank(span: range) -> tuple[bool, int, float]:
        is_subject = " ".join(word for i in span for word in tokens[i].words) in subject_nouns()
        return is_subject, len(span), -alone[span].probability

    return min((span for span, one in alone.items() if enough(span, one)), key=rank, default=range(0))


def _names_motion(token: Token, alone: SentenceClassification) -> bool:
    subject = " ".join(token.words) in subject_nouns()
    return not token.unreported and not subject and alone.is_confident


def find_subject_tokens(tokens: Sequence[Token], used: set[int]) -> set[int]:
    """Indices of the tokens that name who moves: known nouns before the verb, else the word right before it."""
    found: set[int] = set()
    for noun in subject_nouns():
        size = len(noun.split())
        for i in range(len(tokens)):
            if " ".join(word for token in tokens[i : i + size] for word in token.words) == noun:
                found |= set(range(i, min(i + size, len(tokens))))
    found -= used
    if not used or min(used) == 0:
        return found
    in_front = {i for i in found if i < min(used)}
    if in_front:
        return in_front
    verb, before = tokens[min(used)], tokens[min(used) - 1]
    is_finite = bool(set(verb.words) & AUXILIARIES) or verb.text.endswith("s")
    follows_article = any(set(token.words) & {"a", "an", "the"} for token in tokens[: min(used) - 1])
    is_noun = not before.unreported and not before.text.endswith("ly")
    if is_noun and (is_finite or (verb.text.endswith("ing") and follows_article)):
        return {min(used) - 1}
    return found


def _tokens_within_limit(tokens: Sequence[Token]) -> int:
    """Number of tokens that the encoder reads: it stops after `MAX_PIECES` word pieces."""
    vocabulary, pieces = load_vocabulary(), 0
    for count, token in enumerate(tokens):
        pieces += sum(len(vocabulary.tokenize_word(word)) for word in token.words)
        if pieces > MAX_PIECES:
            return count
    return len(tokens)


def _classify(texts: Sequence[Sequence[Token]]) -> list[SentenceClassification]:
    return load_motion_head().classify(load_text_encoder(), [_join(tokens) for tokens in texts])


def _join(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _quoted(found: Sequence[str]) -> str:
    return ", ".join(f'"{phrase}"' for phrase in found)


def _shown(ignored: Sequence[str]) -> str:
    """The first ignored phrases in quotes, and the number of words in the others."""
    shown, others = ignored[:MAX_IGNORED_PHRASES], ignored[MAX_IGNORED_PHRASES:]
    more = sum(len(phrase.split()) for phrase in others)
    short = [textwrap.shorten(phrase, MAX_PHRASE_LETTERS, placeholder=" ...") for phrase in shown]
    return _quoted(short) + (f" and {more} more words" if more else "")
