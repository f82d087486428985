"""Reader of Princeton WordNet 3.0: meanings, their words, and narrower and wider meanings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Synset:
    """One meaning; related meanings are given by their offsets in the file."""

    words: tuple[str, ...]
    """Its words, the commonest first."""
    gloss: str
    """Definition, remarks and examples."""
    file: int
    """Number of the lexicographer file (topic)."""
    narrower: tuple[str, ...]
    """Offsets of its hyponyms."""
    wider: tuple[str, ...]
    """Offsets of its hypernyms."""
    similar: tuple[str, ...]
    """Offsets of similar adjectives."""


@dataclass(frozen=True)
class PartOfSpeech:
    """A part of speech in WordNet."""

    synsets: dict[str, Synset]
    """Meanings by offset."""
    senses: dict[str, list[str]]
    """Offsets of a word's meanings, the commonest first."""

    def offset(self, sense: str) -> str:
        """Return the offset of a sense such as 'walk.1'."""
        word, number = sense.split(".")
        return self.senses[word][int(number) - 1]

    def below(self, offset: str) -> set[str]:
        """Return the offsets of a meaning, of similar ones, and of everything narrower."""
        found: set[str] = set()
        waiting = [offset, *self.synsets[offset].similar]
        while waiting:
            at = waiting.pop()
            if at not in found:
                found.add(at)
                waiting += self.synsets[at].narrower
        return found

    def words(self, offsets: set[str]) -> set[str]:
        """Return single words that have one of these meanings among their three commonest."""
        words = {w for offset in offsets for w in self.synsets[offset].words if re.fullmatch("[a-z]+", w)}
        return {w for w in words if set(self.senses.get(w, [])[:3]) & offsets}

    def words_below(self, seeds: tuple[str, ...]) -> set[str]:
        """Return the words of all meanings below any of these senses."""
        return self.words(set().union(*(self.below(self.offset(sense)) for sense in seeds)))


@dataclass(frozen=True)
class WordNet:
    """Princeton WordNet 3.0 from its data files (Debian: package wordnet-base, /usr/share/wordnet)."""

    folder: Path
    """Folder of the data files."""

    @cached_property
    def verbs(self) -> PartOfSpeech:
        """The verbs."""
        return self.part("verb")

    @cached_property
    def nouns(self) -> PartOfSpeech:
        """The nouns."""
        return self.part("noun")

    @cached_property
    def adjectives(self) -> PartOfSpeech:
        """The adjectives."""
        return self.part("adj")

    @cached_property
    def counts(self) -> dict[tuple[str, str], int]:
        """Number of uses of each (word, part of speech) in WordNet's tagged texts."""
        found: dict[tuple[str, str], int] = {}
        for line in (self.folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
            sense, _, count = line.split()
            word, _, rest = sense.partition("%")
            kind = {"1": "noun", "2": "verb"}.get(rest[0], "")
            found[word, kind] = found.get((word, kind), 0) + int(count)
        return found

    def uses(self, word: str, part: str) -> int:
        """Return how often a word was used as a 'verb' or 'noun' in WordNet's tagged texts."""
        return self.counts.get((word, part), 0)

    def part(self, part: str) -> PartOfSpeech:
        """Read a part of speech: 'verb', 'noun', 'adj' or 'adv'."""
        synsets, senses = {}, {}
        for line in (self.folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            count = int(fields[3], 16)
            at = 4 + 2 * count
            pointers = [fields[at + 1 + 4 * i : at + 4 + 4 * i] for i in range(int(fields[at]))]
            to = {sign: tuple(p[1] for p in pointers if p[0] == sign) for sign in "~@&"}
            words = tuple(re.sub(r"\(.*\)", "", fields[4 + 2 * i]) for i in range(count))
            synsets[fields[0]] = Synset(words, gloss.strip(), int(fields[1]), to["~"], to["@"], to["&"])
        for line in (self.folder / f"index.{part}").read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                fields = line.split()
                senses[fields[0]] = fields[-int(fields[2]) :]
        return PartOfSpeech(synsets, senses)
