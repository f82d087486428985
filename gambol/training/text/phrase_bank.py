"""Varied phrases of every motion with their embeddings, for training on random wordings.

It needs neither WordNet nor the teacher.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import load_text_encoder
from gambol.training.text.circumstances import MANNERS, THINGS
from gambol.training.text.corpus import ACTS_ON_THINGS, SentenceMaker
from gambol.training.text.phrases import draw, draw_subject, phrase, phrase_subjects

MOTION_VERBS = Path(__file__).with_name("motion_verbs.txt")
"""Verbs that WordNet's rules give to each motion, written by `gambol.training.text.train`."""
BANK_PHRASES = 64
"""Phrases of each motion."""
VERB_SHARE = 0.2
"""Share of phrases around a verb of `MOTION_VERBS`, where the motion has at least `MIN_VERBS`."""
MIN_VERBS = 3
"""Least number of verbs from which sentences are made."""


def phrase_embeddings(seed: int, *, count: int = BANK_PHRASES) -> Float[Tensor, "motions phrases dimensions"]:
    """Unit vectors of random phrases of each motion, in the order of the vocabulary; the first is the motion's name."""
    encoder = load_text_encoder()
    texts = [text for motion in bank_phrases(seed, count=count).values() for text in motion]
    return encoder.encode(texts).view(len(VOCABULARY_NAMES), count, encoder.dimensions)


def bank_phrases(seed: int, *, count: int = BANK_PHRASES) -> dict[str, tuple[str, ...]]:
    """Random phrases of each motion, the motion's name first."""
    rng = np.random.default_rng(seed)
    return {name: (name, *(_draw_phrase(name, rng) for _ in range(count - 1))) for name in VOCABULARY_NAMES}


def _draw_phrase(motion: str, rng: np.random.Generator) -> str:
    verbs = motion_verb_list().get(motion, ())
    if len(verbs) >= MIN_VERBS and rng.random() < VERB_SHARE:
        return _maker().sentence(draw(verbs, rng), rng, has_object=motion in ACTS_ON_THINGS)
    return phrase(motion, draw_subject(motion, rng), rng)


@cache
def motion_verb_list() -> dict[str, tuple[str, ...]]:
    """Read `MOTION_VERBS`: one line for each motion, its name and its verbs."""
    lines = [line.partition(":") for line in MOTION_VERBS.read_text(encoding="utf-8").splitlines()]
    return {motion: tuple(verbs.split()) for motion, _, verbs in lines}


@cache
def _maker() -> SentenceMaker:
    adverbs = tuple(manner for manner in MANNERS if " " not in manner)
    return SentenceMaker(phrase_subjects(), tuple(thing for thing in THINGS if " " not in thing), adverbs)
