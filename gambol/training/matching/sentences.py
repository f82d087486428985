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

PHRASES_PER_MOTION = 120
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
    """A motion's name and phrases that ask for it; a motion without a wording has its name in plain sentences."""
    subjects = phrase_subjects()
    made = [motion] * NAME_COPIES
    for _ in range(count):
        subject = "" if rng.random() < NO_SUBJECT_PROBABILITY else str(rng.choice(subjects))
        made.append(phrase(motion, subject, rng) if motion in WORDINGS else f"{subject} {motion}".strip())
    return made


def sentence_table(clips: Sequence[MatchedClip], encoder: TextEncoder, *, seed: int) -> SentenceTable:
    """Encode the phrases of all motions and the clips' own texts."""
    rng = np.random.default_rng(seed)
    by_motion = {motion: motion_sentences(motion, PHRASES_PER_MOTION, rng) for motion in VOCABULARY_NAMES}
    texts = list(dict.fromkeys(t for some in (*by_motion.values(), *(c.texts for c in clips)) for t in some))
    row = {text: i for i, text in enumerate(texts)}
    return SentenceTable(
        encoder.encode(texts),
        {motion: torch.tensor([row[t] for t in some]) for motion, some in by_motion.items()},
        tuple(torch.tensor([row[t] for t in clip.texts], dtype=torch.long) for clip in clips),
    )
