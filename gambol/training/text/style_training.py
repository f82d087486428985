"""Fit the style head: deviations of words given by hand and their synonyms, and which words speak of manner at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float

from gambol.priors.embedded.text.encoder import TextEncoder
from gambol.priors.embedded.text.style_words import WORD_AXES, StyleHead, kernel
from gambol.training.text.circumstances import LOOKS, PLACES, SURROUNDINGS, THINGS
from gambol.training.text.phrases import phrase_subjects
from gambol.training.text.style_examples import NO_STYLE, style_examples
from gambol.training.text.wordnet import WordNet

RIDGE = 0.1
"""Weight of the kernel's norm in both regressions."""
SYNONYM_SHARE = 0.5
"""Weight of a synonym against a word that was given by hand."""
SIMILAR_STRENGTH = 0.8
"""Deviations of an adjective similar to one that was given by hand, as a share of the latter's."""
RELATIONAL_ADJECTIVES = 1
"""Number of WordNet's file of adjectives that say what something belongs to: 'digital', 'royal'."""
NEUTRAL_NOUNS = (5, 6, 13, 15, 17, 20)
"""Numbers of WordNet's files of nouns of animals, artefacts, food, places, natural objects and plants."""
MIN_USE, MIN_SYNONYM_USE = 3.3, 1.5
"""Least Zipf frequency of a neutral word, and of a synonym."""
FOLDS = 12
"""Parts into which the words are split to measure what the head makes of words that it was not told."""


@dataclass(frozen=True)
class StyleWords:
    """What the style head is fitted on."""

    words: tuple[str, ...]
    """Words of manner."""
    numbers: Float[np.ndarray, "words axes"]
    """Their deviations."""
    share: Float[np.ndarray, " words"]
    """Their weights in the fit."""
    neutral: tuple[str, ...]
    """Words that say nothing about manner."""


def style_words(
    wordnet: WordNet, zipf: Callable[[str], float], *, leave_out: frozenset[str] = frozenset()
) -> StyleWords:
    """Words given by hand but for those with a stem in `leave_out`, their synonyms in WordNet, and neutral words."""
    given = {word: numbers for word, numbers in style_examples().items() if stem(word) not in leave_out}
    sources = {
        word: [strength * np.array(given[source]) for source, strength in found]
        for word, found in synonyms(wordnet, zipf, tuple(given)).items()
        if stem(word) not in leave_out
    }
    numbers = [*map(np.array, given.values()), *(np.mean(each, axis=0) for each in sources.values())]
    share = [1.0] * len(given) + [SYNONYM_SHARE] * len(sources)
    neutral = tuple(word for word in neutral_words(wordnet, zipf) if word not in sources)
    return StyleWords((*given, *sources), np.stack(numbers), np.array(share), neutral)


def stem(word: str) -> str:
    """The first letters of a word, by which 'sad' and 'sadly' are told to be one."""
    return word[:4].strip()


def synonyms(
    wordnet: WordNet, zipf: Callable[[str], float], words: Sequence[str]
) -> dict[str, list[tuple[str, float]]]:
    """Adjectives and adverbs that share a word's first meaning, or one similar to it, with their sources."""
    found: dict[str, list[tuple[str, float]]] = {}
    for part in (wordnet.adjectives, wordnet.part("adv")):
        for word in words:
            for offset in part.senses.get(word, [])[:1]:
                near = [(offset, 1.0), *((o, SIMILAR_STRENGTH) for o in part.synsets[offset].similar)]
                for other, strength in near:
                    for same in part.synsets[other].words:
                        in_use = re.fullmatch("[a-z]+", same) and zipf(same) > MIN_SYNONYM_USE
                        if in_use and same not in words and other in part.senses.get(same, [])[:2]:
                            found.setdefault(same, []).append((word, strength))
    return {word: sources for word, sources in found.items() if word not in NO_STYLE}


def neutral_words(wordnet: WordNet, zipf: Callable[[str], float]) -> tuple[str, ...]:
    """Words that say nothing about manner: things, places, animals, what belongs to what, and a list by hand."""
    found = {*NO_STYLE, *phrase_subjects(), *LOOKS, *THINGS, *(p.split()[-1] for p in (*PLACES, *SURROUNDINGS))}
    for part, files in (("noun", NEUTRAL_NOUNS), ("adj", (RELATIONAL_ADJECTIVES,))):
        read = wordnet.part(part)
        for word, senses in read.senses.items():
            if re.fullmatch("[a-z]+", word) and zipf(word) > MIN_USE and read.synsets[senses[0]].file in files:
                found.add(word)
    return tuple(sorted(found - set(style_examples())))


def kernel_ridge(
    k: Float[np.ndarray, "words known"],
    inside: Float[np.ndarray, "known known"],
    y: Float[np.ndarray, "words numbers"],
    share: Float[np.ndarray, " words"],
) -> tuple[Float[np.ndarray, "known numbers"], Float[np.ndarray, " numbers"]]:
    """Minimise sum_i share_i |k_i A + b - y_i|^2 + ridge tr(A' inside A), with b the weighted mean of y; A and b."""
    mean = np.average(y, axis=0, weights=share)
    weighted = k * share[:, None]
    jitter = 1e-6 * np.eye(len(inside))
    return np.linalg.solve(weighted.T @ k + RIDGE * inside + jitter, weighted.T @ (y - mean)), mean


def fit_style_head(encoder: TextEncoder, found: StyleWords) -> StyleHead:
    """Fit the deviations on words of manner, and the gate on words of manner (1) against neutral ones (-1)."""
    manner, neutral = encoder.encode(found.words), encoder.encode(found.neutral)
    known = torch.cat([manner, encoder.encode(NO_STYLE)])
    inside = kernel(known, known).double().numpy()
    k = kernel(manner, known).double().numpy()
    weight, bias = kernel_ridge(k, inside, found.numbers, found.share)
    both = np.concatenate([k, kernel(neutral, known).double().numpy()])
    is_manner = np.concatenate([np.ones((len(manner), 1)), -np.ones((len(neutral), 1))])
    by_hand = np.isin(found.neutral, NO_STYLE)
    share = np.concatenate([found.share, np.where(by_hand, 1.0, found.share.sum() / len(neutral))])
    gate, gate_bias = kernel_ridge(both, inside, is_manner, share)
    weight, bias = np.hstack([weight, gate]), np.hstack([bias, gate_bias])
    return StyleHead(known, torch.from_numpy(weight).float(), torch.from_numpy(bias).float())


def left_out_correlation(encoder: TextEncoder, wordnet: WordNet, zipf: Callable[[str], float]) -> dict[str, float]:
    """Correlation, along each axis, of numbers given by hand with what a head says that was not told their stems."""
    given = style_examples()
    stems = np.random.default_rng(0).permutation(sorted({stem(word) for word in given}))
    said, true = [], []
    for part in np.array_split(stems, FOLDS):
        left = [word for word in given if stem(word) in set(part)]
        head = fit_style_head(encoder, style_words(wordnet, zipf, leave_out=frozenset(part.tolist())))
        x = kernel(encoder.encode(left), head.known)
        said.append((x @ head.weight + head.bias)[:, :-1].numpy())
        true.append(np.array([given[word] for word in left]))
    pairs = zip(np.concatenate(said).T, np.concatenate(true).T, strict=True)
    return {axis: float(np.corrcoef(a, b)[0, 1]) for axis, (a, b) in zip(WORD_AXES, pairs, strict=True)}
