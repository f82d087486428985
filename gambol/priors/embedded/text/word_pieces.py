"""From text to word pieces: plain lower-case words, each cut into the longest pieces that the vocabulary holds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

EMPTY, FOREIGN = "[empty]", "[foreign]"
"""The first two entries of a vocabulary: a text without words, and a word of another script."""


def plain_words(text: str) -> list[str]:
    """Lower-case words of a sentence or a clip name.

    Accents go, clip names are cut ('Run_Fast01' and 'RunFast' are 'run fast'), what stands before '|' goes (the
    armature in Blender's names), digits and signs go, a word of another script stays as it is.
    """
    text = text.rsplit("|", 1)[-1]
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", text.replace("'", ""))
    return re.findall(r"[^\W\d_]+", text.lower())


@dataclass(frozen=True)
class Vocabulary:
    """Pieces in the order of their vectors; a piece inside a word starts with ##."""

    pieces: tuple[str, ...]

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Piece to row."""
        return {piece: row for row, piece in enumerate(self.pieces)}

    @cached_property
    def longest(self) -> int:
        """Letters of the longest piece."""
        return max(map(len, self.pieces))

    def cut(self, word: str) -> list[int]:
        """Rows of a word's pieces, longest first from the left (WordPiece); one `FOREIGN` if a letter is unknown."""
        rows, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(min(len(word), start + self.longest), start, -1)
            end = next((e for e in ends if mark + word[start:e] in self.rows), None)
            if end is None:
                return [self.rows[FOREIGN]]
            rows.append(self.rows[mark + word[start:end]])
            start = end
        return rows

    def rows_of(self, words: Sequence[str], *, most: int) -> list[int]:
        """Rows of a text's first `most` pieces; `EMPTY` if it has none."""
        rows: list[int] = []
        for word in words:
            rows += self.cut(word)
            if len(rows) >= most:
                break
        return rows[:most] or [self.rows[EMPTY]]
