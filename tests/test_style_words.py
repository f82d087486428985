"""Style words: adverbs and adjectives become deviations along style axes; who moves, things and places do not."""

import numpy as np
import pytest
import torch

from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.describe import explain
from gambol.priors.embedded.text.reading import read_motion_text, read_probabilities, read_sentence
from gambol.priors.embedded.text.style_reading import prepositional_spans, read_degree
from gambol.priors.embedded.text.style_words import (
    AXIS_WORDS,
    MANNER_STYLES,
    STYLE_HEAD_WEIGHTS,
    WORD_AXES,
    StyleHead,
    add_styles,
    describe_style,
    load_style_head,
    save_style_head,
    word_styles,
)
from gambol.priors.embedded.text.tokens import split_tokens
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS
from gambol.training.text.style_examples import NO_STYLE, style_examples
from gambol.training.text.style_training import kernel_ridge

NEUTRAL = (
    "a fox is walking", "the knight with a sword walks", "a dog runs through the forest",
    "a man is walking in the rain",
    "a woman sits down on a chair", "Armature|Walk_01", "the pirate with the wooden leg waves", "a boy throws a ball",
    "two wolves run over the bridge at night", "a red dragon flies over the castle", "an elephant turns left",
)  # fmt: skip
"""Sentences that say nothing about the manner."""


@pytest.mark.parametrize("sentence", NEUTRAL)
def test_neutral_sentences_have_no_style(sentence):
    reading = read_sentence(sentence)
    assert reading.style == {}
    assert reading.style_words == ()


@pytest.mark.parametrize(
    ("sentence", "axis", "sign"),
    [
        ("a fox walks slowly", "tempo", -1), ("a fox runs quickly", "tempo", 1), ("the sad fox walks", "head", -1),
        ("a man walks with joy", "bounce", 1), ("a tired dog walks home", "tempo", -1), ("Walk_Sad", "head", -1),
        ("the knight walks nervously", "wander", 1), ("a robot walks stiffly", "exaggeration", -1),
        ("a bear walks clumsily through the woods", "width", 1), ("in anger, the king walks around", "exaggeration", 1),
        ("a cat jumps elegantly", "width", -1), ("the dog walks with slow steps", "tempo", -1),
    ],
)  # fmt: skip
def test_style_words_move_their_axes(sentence, axis, sign):
    assert sign * read_sentence(sentence).style[axis] > 0.2


def test_style_words_are_reported_and_not_ignored():
    reading = read_sentence("a fox is walking sadly in the rain")
    assert reading.motion == "walk"
    assert reading.style_words == ("sadly",)
    assert reading.ignored == ("in the rain",)
    assert reading.summary.endswith(' from "sadly"; ignored: "in the rain".')
    assert ", slow and low-headed from " in reading.summary or ", low-headed and " in reading.summary


def test_words_of_degree_grade_the_style():
    plain, little, much = (
        read_sentence(f"a fox walks {how}").style["tempo"] for how in ("slowly", "a bit slowly", "very slowly")
    )
    assert little == pytest.approx(0.5 * plain, abs=2e-3)
    assert much == pytest.approx(max(1.4 * plain, -1.0), abs=2e-3)
    assert read_sentence("a fox walks a bit slowly").style_words == ("a bit slowly",)
    assert read_degree(split_tokens("a really very slow walk"), 3) == (pytest.approx(1.3 * 1.4), {1, 2, 0})


def test_things_and_places_do_not_say_how():
    def spans(text: str) -> list[str]:
        tokens = split_tokens(text)
        return [" ".join(tokens[i].text for i in span) for span in prepositional_spans(tokens)]

    assert spans("walks through the gloomy forest with a heavy sword") == [
        "through the gloomy forest",
        "with a heavy sword",
    ]
    assert read_sentence("a fox walks through a gloomy forest").style == {}
    assert read_sentence("the knight with the heavy sword walks").style == {}
    assert read_sentence("a fox walks through a forest sadly").style == read_sentence("a fox walks sadly").style


def test_a_motion_that_is_a_manner_gives_both_the_motion_and_a_style():
    reading = read_sentence("a sailor walks drunkenly")
    assert reading.motion == "drunk walk"
    assert reading.motion_style == MANNER_STYLES["drunk walk"]
    assert "drunkenly" in " ".join(reading.used)
    assert read_sentence("a fox walks").motion_style == {}


def test_axes_and_manners_are_those_of_the_procedural_motions():
    assert {axis for axis in WORD_AXES if axis != "asymmetry"} <= set(MotionStyle.__dataclass_fields__)
    assert set(AXIS_WORDS) == set(WORD_AXES)
    for motion, style in MANNER_STYLES.items():
        assert motion in VOCABULARY_NAMES
        assert set(style) <= set(WORD_AXES)
        assert all(0.0 < abs(value) <= 1.0 for value in style.values())


def test_words_that_were_not_told_follow_their_neighbours():
    told = style_examples()
    for word, axis, sign in (
        ("ecstatically", "bounce", 1), ("tearfully", "head", -1), ("daringly", "exaggeration", 1),
        ("zestfully", "tempo", 1), ("trudgingly", "tempo", -1), ("tremblingly", "stride", -1),
    ):  # fmt: skip
        assert word not in told
        assert sign * word_styles([word])[0].get(axis, 0.0) > 0.1, word


def test_what_was_told_is_known():
    told = style_examples()
    given, said = np.array(list(told.values())), word_styles(list(told))
    found = np.array([[style.get(axis, 0.0) for axis in WORD_AXES] for style in said])
    assert np.mean([bool(style) for style in said]) > 0.95
    assert np.corrcoef(given.ravel(), found.ravel())[0, 1] > 0.85
    assert np.mean([not style for style in word_styles(NO_STYLE)]) > 0.97


def test_styles_add_up_within_their_range():
    assert add_styles([({"tempo": -0.8}, 1.0), ({"tempo": -0.8, "head": 0.5}, 0.5)])["tempo"] == -1.0
    assert add_styles([({}, 1.0)]) == {}
    assert describe_style({"tempo": -0.8, "head": -0.5, "lift": 0.1}) == "slow and low-headed"
    assert describe_style({"tempo": 0.2, "lift": 0.1}) == "quick"


def test_the_part_that_is_encoded_ends_before_then():
    assert read_motion_text("a fox walks slowly and then jumps") == "a fox walks slowly"
    assert read_motion_text("a fox walks") == "a fox walks"
    assert read_probabilities("a fox walks, then jumps") == read_probabilities("a fox walks")
    assert read_sentence("a fox walks, then sadly jumps").style == {}


def test_the_prior_says_the_style():
    said = explain("a fox is walking very slowly")
    assert 'slow from "very slowly"' in said or "slow and" in said
    assert "Style: tempo -" in said
    assert "walk in its style" in explain("an old man walks")


def test_a_style_head_is_kept_by_its_file(tmp_path):
    head = load_style_head()
    save_style_head(head, tmp_path / "head.safetensors", metadata={})
    again = load_style_head(tmp_path / "head.safetensors")
    x = torch.nn.functional.normalize(torch.randn(50, head.known.shape[1], generator=torch.Generator().manual_seed(0)))
    assert torch.allclose(head.deviations(x), again.deviations(x), atol=1e-2)
    sizes = [path.stat().st_size for path in (TEXT_WEIGHTS, STYLE_HEAD_WEIGHTS)]
    assert sum(sizes) <= 8 * 2**20 - 65536


def test_kernel_regression_goes_through_its_points_without_a_ridge(monkeypatch):
    monkeypatch.setattr("gambol.training.text.style_training.RIDGE", 1e-9)
    x = torch.nn.functional.normalize(torch.randn(6, 4, generator=torch.Generator().manual_seed(1)), dim=-1)
    from gambol.priors.embedded.text.style_words import kernel

    k, y = kernel(x, x).double().numpy(), np.arange(12.0).reshape(6, 2)
    weight, bias = kernel_ridge(k, k, y, np.ones(6))
    assert np.allclose(k @ weight + bias, y, atol=0.05)
    head = StyleHead(x, torch.from_numpy(weight).float(), torch.from_numpy(bias).float())
    assert head.deviations(x).shape == (6, 1)
