"""VideoPhy's adapter with a stand-in model of the same interface: frames, tokens, position and probability."""

import json

import numpy as np
import pytest
import torch

from gambol.app.new import write_creature
from gambol.app.score_videophy import score_run
from gambol.errors import AssetError, ConfigError, GambolError
from gambol.evaluate.videophy import (
    CLIP_MEAN,
    CLIP_STD,
    CONVERSATION_OPENING,
    QUESTION_TOKENS,
    VIDEO_TOKEN,
    VideoPhy,
    film_tensor,
    load_videophy,
    question_tokens,
    sampled_frames,
    score_film,
)

YES, NO, PAD, BOS = 3, 4, 0, 1


class Words:
    """A tokeniser with one token for each word; Yes and No have their own."""

    bos_token_id = BOS
    pad_token_id = PAD

    def encode(self, text, *, add_special_tokens):
        assert not add_special_tokens
        return {"Yes": [YES, 99], "No": [NO, 98]}.get(text, [10 + sum(map(ord, word)) % 80 for word in text.split()])


class StandIn:
    """Says Yes more surely the brighter the film is; looks only at what the real model would be given."""

    def __init__(self):
        self.calls = []

    def __call__(self, **given):
        self.calls.append({k: v.clone() if torch.is_tensor(v) else v for k, v in given.items()})
        given["input_ids"][given["input_ids"] < 0] = 1  # as the real one does
        logits = torch.zeros(1, QUESTION_TOKENS, 100)
        last = int(given["non_padding_mask"].sum())
        logits[0, last, YES] = given["video_pixel_values"].float().mean()
        logits[0, last, NO] = 0.5
        logits[0, last + 1 :] = 50.0  # nothing behind the question may count
        return {"logits": logits}


def words_of(text):
    return Words().encode(text, add_special_tokens=False)


def test_both_questions_are_asked_with_videophys_own_tokens():
    model = StandIn()
    frames = np.full((40, 12, 20, 3), 200, np.uint8)
    scores = score_film(VideoPhy(model, Words()), frames, "a fox")
    said = [call["input_ids"][0].tolist() for call in model.calls]
    for tokens, question in zip(
        said,
        ('Does this video entail the description: "a fox"?', "Does this video follow the physical laws?"),
        strict=True,
    ):
        pieces = [CONVERSATION_OPENING, "\nHuman: ", None, "\nHuman: ", f"{question}\n", "AI: "]
        wanted = [BOS]
        for piece in pieces:
            wanted += [VIDEO_TOKEN] * 65 if piece is None else words_of(piece)
        assert tokens[: len(wanted)] == wanted
        assert set(tokens[len(wanted) :]) == {PAD}
        assert len(tokens) == QUESTION_TOKENS + 1
    call = model.calls[0]
    assert call["video_pixel_values"].shape == (1, 3, 32, 224, 224)
    assert call["pixel_values"] is None
    assert call["num_videos"].tolist() == [1]
    assert call["num_images"].tolist() == [0]
    assert int((call["non_media_mask"] == 0).sum()) == 65
    value = np.mean([(200 / 255 - m) / s for m, s in zip(CLIP_MEAN, CLIP_STD, strict=True)])
    expected = 1.0 / (1.0 + np.exp(0.5 - value))
    assert scores.semantic_adherence == pytest.approx(expected, abs=1e-5)
    assert scores.physical_commonsense == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("count", [5, 32, 33, 49, 200])
def test_frames_are_spread_over_the_film(count):
    chosen = sampled_frames(count)
    part = (count - 1) / 32
    assert chosen.tolist() == [int(part / 2) + round(part * k) for k in range(32)]
    assert chosen.min() >= 0
    assert chosen.max() < count


def test_frames_keep_their_order_and_place():
    frames = np.zeros((64, 30, 40, 3), np.uint8)
    frames[:, :, 20:] = np.arange(64)[:, None, None, None]  # the right half grows brighter
    film = film_tensor(frames, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))[0]
    assert film[:, :, :, :100].abs().max() < 0.01
    np.testing.assert_allclose(film[0, :, 112, 200] * 255, sampled_frames(64), atol=0.6)


def test_a_run_is_filmed_without_ground_on_white(tmp_path):
    model = StandIn()
    file = write_creature("fox", tmp_path / "fox.glb", motions=("walk",), seconds=0.3)
    score_run(file, VideoPhy(model, Words(), (0.0,) * 3, (1.0,) * 3), prompt="a fox is walking")
    film = model.calls[0]["video_pixel_values"][0]
    corners = film[:, :, [0, 0, -1, -1], [0, -1, 0, -1]]
    assert corners.min() > 0.97  # no checkerboard, no sky
    assert film.min() < 0.5  # but a fox
    with pytest.raises(ConfigError, match="needs the prompt"):
        score_run(file, VideoPhy(model, Words()))


def test_bad_films_prompts_and_answers_are_refused():
    frames = np.zeros((4, 8, 8, 3), np.uint8)
    with pytest.raises(ConfigError, match="tokens too many"):
        question_tokens(Words(), "word " * 200)
    with pytest.raises(ConfigError, match="uint8 frames"):
        film_tensor(frames.astype(float), CLIP_MEAN, CLIP_STD)
    with pytest.raises(GambolError, match="not finite"):
        score_film(
            VideoPhy(lambda **_: {"logits": torch.full((1, QUESTION_TOKENS, 100), torch.nan)}, Words()), frames, "x"
        )


def test_a_folder_that_is_no_model_gets_a_sentence(tmp_path):
    pytest.importorskip("transformers")
    with pytest.raises(AssetError, match=r"no config\.json"):
        load_videophy(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(AssetError, match="copy the folder mplug_owl_video"):
        load_videophy(tmp_path)


def test_a_folder_loads_its_own_code_without_the_network(tmp_path, monkeypatch):
    transformers = pytest.importorskip("transformers")
    package = tmp_path / "mplug_owl_video"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "modeling_mplug_owl.py").write_text(
        "class MplugOwlForConditionalGeneration:\n"
        "    @classmethod\n"
        "    def from_pretrained(cls, folder, torch_dtype, local_files_only):\n"
        "        assert local_files_only\n"
        "        return cls()\n"
        "    def to(self, device): return self\n"
        "    def eval(self): return self\n"
    )
    (tmp_path / "config.json").write_text("{}")
    told = {"image_mean": [0.1, 0.2, 0.3], "image_std": [1, 1, 2]}
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(told))

    class Tokeniser:
        @classmethod
        def from_pretrained(cls, folder, local_files_only):
            assert local_files_only
            return Words()

    monkeypatch.setattr(transformers, "LlamaTokenizer", Tokeniser)
    monkeypatch.delitem(__import__("sys").modules, "mplug_owl_video", raising=False)
    loaded = load_videophy(tmp_path, device="cpu")
    assert loaded.mean == (0.1, 0.2, 0.3)
    assert loaded.std == (1.0, 1.0, 2.0)
    assert type(loaded.model).__name__ == "MplugOwlForConditionalGeneration"
    (tmp_path / "preprocessor_config.json").write_text('{"image_mean": [1]}')
    with pytest.raises(AssetError, match="image_mean and image_std"):
        load_videophy(tmp_path, device="cpu")
