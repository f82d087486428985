"""The phrase bank: many phrases of every motion with their vectors, which lie close together."""

import numpy as np
import torch

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import load_text_encoder
from gambol.training.text.phrase_bank import bank_phrases, motion_verb_list, phrase_embeddings


def test_phrases_of_all_motions_are_encoded_in_the_vocabulary_s_order():
    phrases, vectors = bank_phrases(3, count=8), phrase_embeddings(3, count=8)
    assert vectors.shape == (len(VOCABULARY_NAMES), 8, load_text_encoder().dimensions)
    assert tuple(phrases) == VOCABULARY_NAMES
    assert all(texts[0] == name for name, texts in phrases.items())
    again = load_text_encoder().encode(phrases["wave"])
    assert torch.allclose(vectors[VOCABULARY_NAMES.index("wave")], again, atol=1e-5)


def test_the_seed_decides_and_phrases_vary():
    assert bank_phrases(1) == bank_phrases(1) != bank_phrases(2)
    for texts in bank_phrases(1).values():
        assert len(texts) == 64
        assert len(set(texts)) > 40


def test_verbs_of_the_bank_belong_to_one_motion():
    verbs = motion_verb_list()
    assert set(verbs) <= set(VOCABULARY_NAMES)
    every = [verb for words in verbs.values() for verb in words]
    assert len(every) == len(set(every))
    assert {"stroll", "pace"} <= set(verbs["walk"])


def test_phrases_of_one_motion_come_together():
    vectors = phrase_embeddings(11, count=16)
    alike = torch.einsum("aid,bjd->abij", vectors, vectors).mean((2, 3)).numpy()
    within, between = np.diag(alike), alike[~np.eye(len(alike), dtype=bool)]
    assert within.mean() > between.mean() + 0.4
    assert (alike.argmax(1) == np.arange(len(alike))).mean() > 0.97
