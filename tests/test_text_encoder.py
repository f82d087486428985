"""The text encoder: unseen words are classified, odd input does no harm, nothing heavy is loaded."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from gambol.motion.motion_names import canonical_motion
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import (
    MAX_PIECES,
    MOTION_HEAD_WEIGHTS,
    TEXT_WEIGHTS,
    classify_sentence,
    embed,
    load_text_encoder,
    save_text_encoder,
)
from gambol.priors.embedded.text.word_pieces import EMPTY_PIECE, UNKNOWN_PIECE, Vocabulary, plain_words
from gambol.training.text.distillation import TextTraining, distil_encoder, distillation_loss, principal_directions
from gambol.training.text.phrases import draw_subject, phrase

UNSEEN = json.loads((Path(__file__).parent / "unseen_sentences.json").read_text())


@pytest.mark.xfail(strict=True, reason="63 of 100 so far: see docs/embedded-prior-text.md")
def test_unseen_sentences_are_classified():
    said = [canonical_motion(classify_sentence(entry["sentence"]).motion) for entry in UNSEEN]
    right = [motion == entry["motion"] for motion, entry in zip(said, UNSEEN, strict=True)]
    assert sum(right) >= 85


def test_phrases_of_the_templates_are_classified():
    rng = np.random.default_rng(2024)
    asked = [(m, phrase(m, draw_subject(m, rng), rng)) for m in VOCABULARY_NAMES for _ in range(10)]
    right = [classify_sentence(text).motion == m for m, text in asked]
    assert np.mean(right) > 0.97


@pytest.mark.parametrize(
    ("text", "motion"),
    [
        ("Run_Fast", "run"), ("WalkCycle", "walk"), ("Armature|Jump", "jump"), ("IDLE_01", "idle"),
        ("FoxGallop", "run"),
        ("TURN_LEFT", "turn left"), ("turnRight90", "turn right"), ("A FOX IS WALKING!!!", "walk"), ("…run…", "run"),
        ("flapWings", "flap"), ("a fóx is wâlking", "walk"),
    ],
)  # fmt: skip
def test_case_signs_and_clip_names_do_not_matter(text, motion):
    found = classify_sentence(text)
    assert found.motion == motion
    assert found.known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "!?",
        "123",
        "лиса бежит",
        "狐が走る",
        "🦊🏃",
        "xqzw vbnk",
        "the stock market is open on monday",
    ],
)
def test_what_is_no_request_is_not_known(text):
    found = classify_sentence(text)
    assert not found.known
    assert found.motion in VOCABULARY_NAMES


@pytest.mark.parametrize("motion", VOCABULARY_NAMES)
def test_every_motion_is_known_by_its_own_name(motion):
    found = classify_sentence(motion)
    assert found.motion == motion
    assert found.known
    assert found.probability > 0.5


@pytest.mark.parametrize(
    ("name", "motion"),
    [
        ("Attack_Bite", "bite"), ("Death", "fall down"), ("HitReact", "get hit"), ("Sitting_Idle", "sit down"),
        ("Sword_Slash", "swing sword"), ("Jump_Land", "jump"), ("Eating", "eat"), ("Walk_Backwards", "walk backwards"),
        ("Strafe_Left", "sidestep left"), ("1H_Melee_Attack_Chop", "swing sword"), ("Zombie_Walk", "zombie walk"),
        ("CharacterArmature|Punch_Right", "punch"), ("PickUp", "pick up"), ("Swimming_Fast", "swim"),
    ],
)  # fmt: skip
def test_clip_names_of_game_packs_are_classified(name, motion):
    assert classify_sentence(name).motion == motion


@pytest.mark.parametrize(
    ("sentence", "motion"),
    [
        ("a knight with a sword walks", "walk"), ("the boxer walks", "walk"), ("the golfer sits down", "sit down"),
        ("a dancer is running", "run"), ("a drummer with a ball waves", "wave"), ("the swimmer jumps", "jump"),
        ("a soldier dances", "dance"), ("a fox is walking", "walk"), ("the fish eats", "eat"),
    ],
)  # fmt: skip
def test_who_moves_and_what_they_have_do_not_decide_the_motion(sentence, motion):
    assert classify_sentence(sentence).motion == motion


def test_a_classification_has_all_its_parts():
    found = classify_sentence("a polar bear and a knight are walking")
    assert found.motion == "walk"
    assert set(found.subjects) == {"polar bear", "bear", "knight"}
    assert list(found.probabilities) == list(VOCABULARY_NAMES)
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    ranked = sorted(VOCABULARY_NAMES, key=lambda m: -found.probabilities[m])
    assert found.motion == ranked[0]


def test_vectors_are_unit_float32_and_independent_of_other_sentences():
    encoder = load_text_encoder()
    texts = ["a fox is walking", "run", "", "a very long sentence " * 500, *(e["sentence"] for e in UNSEEN)]
    together = encoder.encode(texts)
    assert together.dtype == torch.float32
    assert together.shape == (len(texts), encoder.dimensions)
    assert torch.allclose(together.norm(dim=1), torch.ones(len(texts)), atol=1e-5)
    assert torch.equal(together, encoder.encode(texts))
    apart = torch.cat([encoder.encode([text]) for text in texts])
    assert torch.allclose(together, apart, atol=1e-5)
    assert encoder.encode([]).shape == (0, encoder.dimensions)


def test_padding_changes_nothing():
    encoder = load_text_encoder()
    rows = encoder.rows("the wolf is galloping")
    bare = embed(encoder.weights, torch.tensor([rows]))
    padded = embed(encoder.weights, torch.tensor([rows + [-1] * 9]))
    assert torch.allclose(bare, padded, atol=1e-6)


def test_the_order_of_words_counts():
    one, other = load_text_encoder().encode(["the dog bites the man", "the man bites the dog"])
    assert float(one @ other) < 0.9999


def test_it_ships_small_and_loads_without_transformers():
    assert TEXT_WEIGHTS.stat().st_size + MOTION_HEAD_WEIGHTS.stat().st_size <= 8 * 2**20
    code = (
        "import sys; from gambol.priors.embedded.text.encoder import classify_sentence\n"
        "assert classify_sentence('a fox is walking').motion == 'walk'\n"
        "sys.exit(any(m in sys.modules for m in ('transformers', 'tokenizers')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_words_are_split_into_the_longest_pieces():
    vocabulary = Vocabulary((EMPTY_PIECE, UNKNOWN_PIECE, "run", "##ning", "##s", "r", "##u", "##n"))
    assert vocabulary.tokenize_word("running") == [2, 3]
    assert vocabulary.tokenize_word("runs") == [2, 4]
    assert vocabulary.tokenize_word("run") == [2]
    assert vocabulary.tokenize_word("runx") == [1]
    assert vocabulary.tokenize([], max_pieces=4) == [0]
    assert vocabulary.tokenize(["running"] * 9, max_pieces=5) == [2, 3, 2, 3, 2]


def test_the_shipped_tokeniser_agrees_with_the_words_it_holds():
    encoder = load_text_encoder()
    assert len(encoder.rows("the fox is walking")) == 4
    assert len(encoder.rows("word " * 1000)) == MAX_PIECES
    assert plain_words("Fox_RunFast02|HTTPWalk's") == ["http", "walks"]


def test_principal_directions_keep_the_most():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 6)) * np.array([5, 4, 3, 0.1, 0.1, 0.1])
    singular = np.linalg.svd(x, compute_uv=False)
    assert ((x @ principal_directions(x, 3)) ** 2).sum() == pytest.approx((singular[:3] ** 2).sum(), rel=1e-6)


def test_distillation_follows_a_teacher_and_repeats_itself(tmp_path):
    words = ["red", "blue", "cat", "dog", "sun", "sea"]
    texts = ["", *words, *(f"{a} {b}" for a in words for b in words if a != b)]
    rng = np.random.default_rng(0)
    meaning = {w: rng.normal(size=16) for w in words}
    vectors = np.array([sum((meaning[w] for w in t.split()), np.full(16, 0.1)) for t in texts])
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    config = TextTraining(width=8, dimensions=12, epochs=60, batch=8, learning_rate=3e-3)
    vocabulary = Vocabulary((EMPTY_PIECE, UNKNOWN_PIECE, *words))
    losses = []
    encoder = distil_encoder(vocabulary, texts, vectors, config, report=lambda step, steps, loss: losses.append(loss))
    assert np.mean(losses[-20:]) < 0.3 * np.mean(losses[:20])
    again = distil_encoder(vocabulary, texts, vectors, config)
    assert all(torch.equal(encoder.weights[n], again.weights[n]) for n in encoder.weights)
    target = torch.from_numpy((vectors @ principal_directions(vectors, 12)).astype(np.float32))
    target = torch.nn.functional.normalize(target, dim=-1)
    assert float(distillation_loss(target, target)) == pytest.approx(0.0, abs=1e-6)
    save_text_encoder(encoder, tmp_path / "small.safetensors", metadata={})
    loaded = load_text_encoder(tmp_path / "small.safetensors")
    assert torch.allclose(loaded.encode(texts), encoder.encode(texts), atol=0.05)
