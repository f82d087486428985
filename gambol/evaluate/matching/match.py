"""What a matching model reads in clips: the best names of the vocabulary, and how well a prompt fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.evaluate.matching.load import MatchingModel

BEST_NAMES = 3
"""Names that are reported of each clip."""


@dataclass(frozen=True)
class NameMatch:
    """A name of the vocabulary and how well it fits a clip."""

    name: str
    """The motion's name."""
    cosine: float
    """Cosine of the name and the clip in the joint space, -1 to 1."""
    score: float
    """Probability that they belong together, where half of all pairs do, 0 to 1."""


@dataclass(frozen=True)
class PromptMatch:
    """How well a prompt fits a clip."""

    prompt: str
    """The sentence."""
    cosine: float
    """Cosine of the sentence and the clip in the joint space, -1 to 1."""
    score: float
    """Probability that they belong together, where half of all pairs do, 0 to 1."""
    rank: int
    """Place of the prompt among the names of the vocabulary, its own motion's name left out; 1 fits best."""


@dataclass(frozen=True)
class ClipMatch:
    """What a matching model reads in one clip."""

    clip: str
    """Name of the clip."""
    best: tuple[NameMatch, ...]
    """The names that fit best, best first."""
    prompt: PromptMatch | None
    """How well the prompt fits; None where there is none."""


@dataclass(frozen=True)
class KnownSentences:
    """Vectors of the joint space of the sentences that clips are compared with."""

    names: tuple[str, ...]
    """Names of the vocabulary."""
    vectors: Float[ndarray, "names joint"]
    """Their unit vectors."""
    prompt: str
    """The prompt; empty where there is none."""
    prompt_vector: Float[ndarray, " joint"] | None
    """Its unit vector."""
    own_name: str
    """The motion that the prompt asks for, whose name does not compete with it; empty where it is not known."""


def match_clips(
    model: MatchingModel, clips: Sequence[str], motions: Float[ndarray, "clips joint"], known: KnownSentences
) -> tuple[ClipMatch, ...]:
    """Compare the vectors of clips with those of the names and of the prompt."""
    return tuple(
        _match(model, name, vector, known) for name, vector in zip(clips, motions.astype(np.float64), strict=True)
    )


def _match(model: MatchingModel, clip: str, motion: Float[ndarray, " joint"], known: KnownSentences) -> ClipMatch:
    cosines = known.vectors @ motion
    order = np.argsort(-cosines, kind="stable")[:BEST_NAMES]
    best = tuple(NameMatch(known.names[i], float(cosines[i]), model.score(float(cosines[i]))) for i in order)
    if known.prompt_vector is None:
        return ClipMatch(clip, best, None)
    cosine = float(known.prompt_vector @ motion)
    rivals = [c for name, c in zip(known.names, cosines, strict=True) if name != known.own_name]
    rank = 1 + sum(bool(c > cosine) for c in rivals)
    return ClipMatch(clip, best, PromptMatch(known.prompt, cosine, model.score(cosine), rank))
