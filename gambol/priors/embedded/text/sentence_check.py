"""Refuse sentences that the text encoder would misread: other languages and negations. Does not import torch."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from gambol.errors import PriorError
from gambol.priors.embedded.text.word_pieces import load_vocabulary, plain_words

SCRIPT_NAMES = {"CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean"}
"""Names of scripts for people, by the first word of their letters' Unicode names; others are called by that word."""
NEGATIONS = frozenset((
    "no", "not", "never", "without", "neither", "nor", "cannot", "avoid", "avoids", "avoiding", "refuse", "refuses",
    "refusing", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "wont", "wouldnt", "cant", "couldnt",
    "shouldnt", "mustnt", "aint", "hasnt", "havent",
))  # fmt: skip
"""Plain words that negate what follows."""
STOP_WORDS = frozenset(["stop", "stops", "stopped", "stopping", "quit", "quits", "cease", "ceases"])
"""Plain words that negate a following verb in -ing."""
POSITIVE_NEGATIONS = re.compile(
    r"\b(without (a )?(stop|stopping|pausing|pause|end|rest|break)|non ?stop"
    r"|(never|not|cannot|cant|dont|doesnt|wont) (stops?|stopping|ceases?|ends?)"
    r"|(never|not|cannot|cant|dont|doesnt|wont|without) (budges?|budging|stirs?|stirring)"
    r"|without (making |a |any )*(sound|noise|hurry|haste)|without (flapping|beating|moving)"
    r"|without being (seen|heard|noticed)|(say|says|saying|said) no)\b"
)
"""Negations that ask for a motion: 'runs without stopping', 'never stops dancing', 'does not budge'."""
AUXILIARIES = frozenset((
    "am", "is", "are", "was", "were", "be", "do", "does", "did", "can", "could", "will", "would", "should", "shall",
    "may", "must", "has", "have",
))  # fmt: skip
"""Verbs that a negation follows: 'does not run'."""
ENGLISH_ENDINGS = ("##s", "##es", "##ing", "##ed", "##d", "##ly", "##er", "##y", "##like")
"""Last pieces of a word that is English if its first piece is: 'perambulate' + '##s'."""
MIN_STEM_LETTERS = 4
"""Letters that the first piece of a two-piece English word has at least."""

MAX_QUOTED_LETTERS = 80
"""Letters of a sentence that an error message quotes."""


def check_sentence(sentence: str) -> None:
    """Raise `PriorError` for a sentence in another language or with a negation; the message says what to do."""
    _check_script(sentence)
    _check_language(sentence)
    _check_negation(sentence)


def _check_script(sentence: str) -> None:
    """Refuse a sentence with at least half of its letters in another script than Latin."""
    letters = [c for c in unicodedata.normalize("NFKC", sentence) if c.isalpha()]
    scripts = [unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in letters]
    others = [script for script in scripts if script not in ("LATIN", "FEMININE", "MASCULINE", "MODIFIER")]
    if others and 2 * len(others) >= len(letters):
        script = max(dict.fromkeys(others), key=others.count)
        raise _language_error(sentence, f"it has {SCRIPT_NAMES.get(script, script.capitalize())} letters")


def _check_language(sentence: str) -> None:
    """Refuse a sentence with more evidence for another language than for English, or with no English word at all."""
    words = [word for word in plain_words(sentence) if len(word) > 1]
    scores = {language: score_language(words, language) for language in foreign_words().by_language}
    best = max(scores.values())
    if best > 0.0:
        likeliest = [language for language, score in scores.items() if score == best][:2]
        raise _language_error(sentence, f"rather like {' or '.join(likeliest)}")
    accented = {word for token in sentence.split() if _has_accent(token) for word in plain_words(token)}
    several = len(words) > 1 and len(sentence.split()) > 1
    if several and not any(is_english(word) for word in words if word not in accented):
        raise _language_error(sentence, "none of its words is known")


def score_language(words: Sequence[str], language: str) -> float:
    """Evidence that plain words are of a language, minus the evidence that they are English.

    A word of the language's list counts 1 for the language; if the English vocabulary holds it too (a name or a
    loanword) 1/2; if it is an ordinary English word, 1/2 for the language and 1/2 for English. Any other word counts 1
    for English if `is_english`, else 1/2 for the language. Evidence below 1 could be a name and counts as none.
    """
    listed, homographs = foreign_words().by_language[language], foreign_words().homographs
    foreign = english = 0.0
    for word in words:
        if word in listed:
            foreign += 0.5 if is_english(word) else 1.0
            english += 0.5 if word in homographs else 0.0
        elif is_english(word):
            english += 1.0
        else:
            foreign += 0.5
    return foreign - english if foreign >= 1.0 and not listed.isdisjoint(words) else 0.0


def _has_accent(token: str) -> bool:
    return any(c.isalpha() and not c.isascii() for c in token)


def is_english(word: str) -> bool:
    """Whether a plain word is English by the encoder's vocabulary: a whole piece, or a piece and an English ending."""
    vocabulary = load_vocabulary()
    first, *rest = (vocabulary.pieces[row] for row in vocabulary.tokenize_word(word))
    if not rest:
        return first == word
    return len(rest) == 1 and len(first) >= MIN_STEM_LETTERS and rest[0] in ENGLISH_ENDINGS


def _language_error(sentence: str, why: str) -> PriorError:
    return PriorError(
        f'"{_shortened(sentence)}" does not look like English ({why}). The embedded prior reads English '
        'only: write the sentence in English, such as "a fox is running".'
    )


def _shortened(sentence: str) -> str:
    return textwrap.shorten(sentence, MAX_QUOTED_LETTERS, placeholder=" ...")


def _check_negation(sentence: str) -> None:
    """Refuse a sentence that says what should not happen: the encoder would read 'does not run' as a run."""
    words = plain_words(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    is_clip_name = len(sentence.split()) == 1
    kept = POSITIVE_NEGATIONS.sub(lambda match: re.sub(r"\w+", "-", match.group()), " ".join(words)).split()
    for before, i, word, after in zip(["", *kept], range(len(kept)), kept, [*kept[1:], ""], strict=False):
        negates = word in NEGATIONS and not (is_clip_name and word in ("no", "without"))
        stops = word in STOP_WORDS and after.endswith("ing") and before not in ("a", "the", "full")
        if negates or stops:
            phrase = " ".join(words[i - (before in AUXILIARIES) : i + 2])
            raise PriorError(
                f'"{_shortened(sentence)}" says what should not happen ("{phrase}"), which the embedded '
                'prior cannot follow. Say what the character does instead, such as "a fox is standing", or name what '
                "to avoid with --negative."
            )


@dataclass(frozen=True)
class ForeignWords:
    """Common words of other languages, without accents: function words, motions, animals and people."""

    by_language: Mapping[str, frozenset[str]]
    """The words of each language."""
    homographs: frozenset[str]
    """Those that are ordinary English words too."""


@cache
def foreign_words() -> ForeignWords:
    """Read `foreign_words.txt`: one line for each language; words that are English too end with an asterisk."""
    lines = Path(__file__).with_name("foreign_words.txt").read_text(encoding="utf-8").splitlines()
    parts = [line.partition(":") for line in lines]
    return ForeignWords(
        {language: frozenset(plain_words(words)) for language, _, words in parts},
        frozenset(
            word for _, _, words in parts for token in words.split() if "*" in token for word in plain_words(token)
        ),
    )
