"""Sentences of the matching model's training: phrases that ask for each motion, as vectors of the text encoder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import TextEncoder
from gambol.training.matching.clips import MatchedClip
from gambol.training.text.phrases import WORDINGS, phrase, phrase_subjects

SENTENCES_PER_MOTION = 120
"""Phrases drawn for each motion, besides its name."""
NO_SUBJECT_PROBABILITY = 0.3
"""Probability that a phrase has no subject; other subjects are drawn without regard to the body."""
NAME_COPIES = 6
"""Copies of a motion's plain name among its phrases."""


@dataclass(frozen=True)
class SentenceTable:
    """Vectors of all sentences of the training, and which of them fit which clip."""

    vectors: Float[Tensor, "sentences dimensions"]
    """Unit vectors of the text encoder."""
    of_motion: dict[str, Int[Tensor, "phrases"]]
    """Rows of the phrases of each motion."""
    of_clip: tuple[Int[Tensor, "texts"], ...]
    """Rows of each clip's own texts."""


def motion_sentences(motion: str, count: int, rng: np.random.Generator) -> list[str]:
    """A motion's name and phrases that ask for it."""
    subjects = ("", *phrase_subjects())
    share = np.full(len(subjects), (1.0 - NO_SUBJECT_PROBABILITY) / (len(subjects) - 1))
    share[0] = NO_SUBJECT_PROBABILITY
    drawn = rng.choice(subjects, count, p=share).tolist()
    return [*[motion] * NAME_COPIES, *(motion_sentence(motion, subject, rng) for subject in drawn)]


def motion_sentence(motion: str, subject: str, rng: np.random.Generator) -> str:
    """A phrase that asks for a motion; a motion without a wording is called by its name."""
    return phrase(motion, subject, rng) if motion in WORDINGS else f"{subject} {motion}".strip()


def sentence_table(clips: Sequence[MatchedClip], encoder: TextEncoder, *, seed: int) -> SentenceTable:
    """Encode the phrases of all motions and the clips' own texts."""
    rng = np.random.default_rng(seed)
    by_motion = {motion: motion_sentences(motion, SENTENCES_PER_MOTION, rng) for motion in VOCABULARY_NAMES}
    texts = list(dict.fromkeys(t for some in (*by_motion.values(), *(c.texts for c in clips)) for t in some))
    row = {text: i for i, text in enumerate(texts)}
    return SentenceTable(
        encoder.encode(texts),
        {motion: torch.tensor([row[t] for t in some]) for motion, some in by_motion.items()},
        tuple(torch.tensor([row[t] for t in clip.texts], dtype=torch.long) for clip in clips),
    )
