"""From text to word pieces: plain lower-case words, each split into the longest pieces that the vocabulary holds."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from gambol.files.tensors import read_tensors

TEXT_WEIGHTS = Path(__file__).parents[1] / "weights" / "text.safetensors"
"""The shipped vocabulary and weights of the text encoder."""
EMPTY_PIECE = "[empty]"
"""The first entry of a vocabulary: stands for a text without words."""
UNKNOWN_PIECE = "[foreign]"
"""The second entry of a vocabulary: stands for a word with a letter that the vocabulary lacks."""


def plain_words(text: str) -> list[str]:
    """Split a sentence or a clip name into lower-case words without accents.

    Clip names are split at underscores and capitals ('Run_Fast01' and 'RunFast' give 'run fast'); the part before '|'
    (the armature in Blender's names), digits and punctuation are removed; words of other scripts stay as they are.
    """
    text = text.rsplit("|", 1)[-1]
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text.replace("'", ""))
    return re.findall(r"[^\W\d_]+", text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """The word pieces that a text encoder knows."""

    pieces: tuple[str, ...]
    """Pieces in the order of their vectors; a piece inside a word starts with ##."""

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Row of each piece."""
        return {piece: row for row, piece in enumerate(self.pieces)}

    @cached_property
    def longest(self) -> int:
        """Number of letters of the longest piece."""
        return max(map(len, self.pieces))

    def tokenize_word(self, word: str) -> list[int]:
        """Rows of a word's pieces, longest first from the left (WordPiece); `UNKNOWN_PIECE` if a letter is unknown."""
        rows, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(min(len(word), start + self.longest), start, -1)
            end = next((e for e in ends if mark + word[start:e] in self.rows), None)
            if end is None:
                return [self.rows[UNKNOWN_PIECE]]
            rows.append(self.rows[mark + word[start:end]])
            start = end
        return rows

    def tokenize(self, words: Sequence[str], *, max_pieces: int) -> list[int]:
        """Rows of a text's first `max_pieces` pieces; `EMPTY_PIECE` if it has none."""
        rows: list[int] = []
        for word in words:
            rows += self.tokenize_word(word)
            if len(rows) >= max_pieces:
                break
        return rows[:max_pieces] or [self.rows[EMPTY_PIECE]]


@cache
def load_vocabulary(path: Path = TEXT_WEIGHTS) -> Vocabulary:
    """Load the vocabulary of a text encoder; this does not import torch."""
    arrays, _ = read_tensors(path)
    return Vocabulary(tuple(zlib.decompress(arrays["vocabulary"].tobytes()).decode().split("\n")))
