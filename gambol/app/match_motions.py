"""Text-motion matching of observed clips, with the text encoder and the matching weights that come with Gambol."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import torch

from gambol.evaluate.matching.features import motion_features
from gambol.evaluate.matching.load import MatchingModel, file_fingerprint, load_matching
from gambol.evaluate.matching.match import ClipMatch, KnownSentences, match_clips
from gambol.evaluate.matching.network import embed_motions
from gambol.evaluate.observation import Observation
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import classify_sentence, load_text_encoder
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS


@cache
def matching_model() -> MatchingModel:
    """The shipped matching model; raises `MissingPart` where it is absent or belongs to another text encoder."""
    return load_matching(file_fingerprint(TEXT_WEIGHTS))


def match_observed(clips: Sequence[Observation], prompt: str = "") -> tuple[ClipMatch, ...]:
    """The best names of each clip, and how well a prompt fits it."""
    model = matching_model()
    motions = embed_motions(model.network, [motion_features(seen) for seen in clips])
    return match_clips(model, [seen.name for seen in clips], motions.numpy(), known_sentences(model, prompt))


def known_sentences(model: MatchingModel, prompt: str = "") -> KnownSentences:
    """Vectors of the vocabulary's names and of a prompt."""
    asked = classify_sentence(prompt) if prompt else None
    with torch.no_grad():
        vectors = model.network.text_vectors(load_text_encoder().encode([*VOCABULARY_NAMES, prompt])).double().numpy()
    return KnownSentences(
        names=VOCABULARY_NAMES,
        vectors=vectors[:-1],
        prompt=prompt,
        prompt_vector=vectors[-1] if prompt else None,
        own_name=asked.motion if asked is not None and asked.known else "",
    )
