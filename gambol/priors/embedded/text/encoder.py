"""A small text encoder: word pieces and two attention layers give a sentence's unit vector; a head names its motion.

It is distilled from all-MiniLM-L6-v2 (`gambol.training.text`) and needs torch only. `docs/embedded-prior-text.md` is
its model card.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gambol.files.tensors import read_tensors, write_tensors
from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS, Vocabulary, load_vocabulary, plain_words

MOTION_HEAD_WEIGHTS = TEXT_WEIGHTS.with_name("motion_head.safetensors")
"""The shipped weights of the motion head."""
MAX_PIECES = 32
"""Number of word pieces that are read; the rest of a longer text is ignored."""
ATTENTION_HEADS = 4
"""Number of heads of each attention layer."""
ATTENTION_BLOCKS = 2
"""Number of attention layers."""
CONFIDENT_PROBABILITY = 0.6
"""Least probability of a motion that counts as understood."""
OTHER_CLASS = "other"
"""The motion head's last class: none of the motions."""


def embed(weights: Mapping[str, Tensor], rows: Int[Tensor, "texts pieces"]) -> Float[Tensor, "texts dimensions"]:
    """Compute the unit vectors of texts from rows of the table of pieces; rows below 0 are padding.

    x = table[rows] + place (learned positions);  twice: x += attention(norm(x)), x += gelu(norm(x) A) B;
    p = softmax(norm(x) q) over the pieces;  vector = (sum_i p_i x_i) W, divided by its length.
    """
    seen = rows >= 0
    x = weights["table"][rows.clamp(min=0)] + weights["place"][: rows.shape[1]]
    for block in range(ATTENTION_BLOCKS):
        part = {name: weights[f"{name}.{block}"] for name in ("query_key_value", "out", "up", "down")}
        x = x + _attention(_norm(x), seen, part["query_key_value"]) @ part["out"]
        x = x + torch.nn.functional.gelu(_norm(x) @ part["up"]) @ part["down"]
    share = (_norm(x) @ weights["pool"]).masked_fill(~seen, -torch.inf).softmax(-1)
    pooled = (share[:, None] @ x)[:, 0]
    return torch.nn.functional.normalize(pooled @ weights["project"], dim=-1)


def _norm(x: Float[Tensor, "... width"]) -> Float[Tensor, "... width"]:
    return torch.nn.functional.layer_norm(x, x.shape[-1:])


def _attention(
    x: Float[Tensor, "texts pieces width"],
    seen: Bool[Tensor, "texts pieces"],
    weight: Float[Tensor, "width three_width"],
) -> Float[Tensor, "texts pieces width"]:
    """softmax(q k' / sqrt(width of a head)) v in each head, over the pieces that are not padding."""
    texts, pieces, width = x.shape
    heads = (x @ weight).view(texts, pieces, 3, ATTENTION_HEADS, width // ATTENTION_HEADS)
    query, key, value = heads.permute(2, 0, 3, 1, 4)
    mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=seen[:, None, None])
    return mixed.transpose(1, 2).reshape(texts, pieces, width)


@dataclass(frozen=True)
class TextEncoder:
    """A text encoder: vocabulary and weights, made by `load_text_encoder` or by training."""

    vocabulary: Vocabulary
    """The word pieces that it knows."""
    weights: Mapping[str, Tensor]
    """The weights that `embed` takes, by name."""

    @property
    def dimensions(self) -> int:
        """Number of dimensions of a sentence's vector."""
        return self.weights["project"].shape[1]

    def rows(self, sentence: str) -> list[int]:
        """Rows of the word pieces that are read of a sentence."""
        return self.vocabulary.tokenize(plain_words(sentence), max_pieces=MAX_PIECES)

    def encode(self, sentences: Sequence[str]) -> Float[Tensor, "sentences dimensions"]:
        """Compute the unit vectors of sentences, float32; a vector does not depend on the other sentences."""
        found = torch.empty(len(sentences), self.dimensions)
        lengths: dict[int, list[int]] = {}
        rows = [self.rows(sentence) for sentence in sentences]
        for i, row in enumerate(rows):
            lengths.setdefault(len(row), []).append(i)
        with torch.no_grad():
            for places in lengths.values():
                for at in range(0, len(places), 512):
                    some = places[at : at + 512]
                    found[some] = embed(self.weights, torch.tensor([rows[i] for i in some]))
        return found


@cache
def load_text_encoder(path: Path = TEXT_WEIGHTS) -> TextEncoder:
    """Load a text encoder; default: the one that comes with Gambol."""
    arrays, _ = read_tensors(path)
    del arrays["vocabulary"]
    table = arrays.pop("table").astype(np.float32) * arrays.pop("table_scale").astype(np.float32)[:, None]
    weights = {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    return TextEncoder(load_vocabulary(path), {**weights, "table": torch.from_numpy(table)})


def save_text_encoder(encoder: TextEncoder, path: Path, *, metadata: Mapping[str, str]) -> None:
    """Write a text encoder: the table of pieces with 8 bits and a scale per row, all else with 16 bits."""
    table = encoder.weights["table"].numpy()
    scale = (np.abs(table).max(1) / 127.0).clip(1e-8).astype(np.float16)
    arrays = {
        "vocabulary": np.frombuffer(zlib.compress("\n".join(encoder.vocabulary.pieces).encode(), 9), np.uint8),
        "table": np.round(table / scale.astype(np.float32)[:, None]).clip(-127, 127).astype(np.int8),
        "table_scale": scale,
    }
    for name, weight in encoder.weights.items():
        if name != "table":
            arrays[name] = weight.numpy().astype(np.float16)
    write_tensors(path, arrays, metadata)


@dataclass(frozen=True)
class SentenceClassification:
    """Which motion a sentence asks for, as the motion head classifies it."""

    motion: str
    """The likeliest of `gambol.motion.vocabulary.VOCABULARY_NAMES`."""
    probabilities: Mapping[str, float]
    """Probability of each motion, given that it is one of them; they add up to 1."""
    known: bool
    """Whether the sentence asks for one of the motions; if it does not, `motion` is only the nearest."""
    subjects: tuple[str, ...]
    """Words of the sentence that name who moves."""

    @property
    def probability(self) -> float:
        """Probability of the likeliest motion."""
        return self.probabilities[self.motion]

    @property
    def is_confident(self) -> bool:
        """Whether the sentence counts as understood: a known motion, at least as likely as `CONFIDENT_PROBABILITY`."""
        return self.known and self.probability >= CONFIDENT_PROBABILITY


@dataclass(frozen=True)
class MotionHead:
    """A linear classifier of sentence vectors: softmax of `vector @ weight + bias` over motions and `OTHER_CLASS`."""

    weight: Float[Tensor, "dimensions classes"]
    """One column for each class."""
    bias: Float[Tensor, " classes"]
    """One number for each class."""

    def classify(self, encoder: TextEncoder, sentences: Sequence[str]) -> list[SentenceClassification]:
        """Classify the motions that sentences ask for."""
        return [
            self._classification(sentence, logits)
            for sentence, logits in zip(sentences, encoder.encode(sentences) @ self.weight + self.bias, strict=True)
        ]

    def _classification(self, sentence: str, logits: Float[Tensor, " classes"]) -> SentenceClassification:
        probabilities = dict(zip(VOCABULARY_NAMES, logits[:-1].softmax(0).tolist(), strict=True))
        words = f" {' '.join(plain_words(sentence))} "
        return SentenceClassification(
            motion=max(VOCABULARY_NAMES, key=probabilities.__getitem__),
            probabilities=probabilities,
            known=float(logits.softmax(0)[-1]) < 0.5,
            subjects=tuple(dict.fromkeys(noun for noun in subject_nouns() if f" {noun} " in words)),
        )


@cache
def subject_nouns() -> tuple[str, ...]:
    """Nouns that name who moves: those of the built-in creatures and general ones, from `subjects.txt`."""
    return tuple(Path(__file__).with_name("subjects.txt").read_text(encoding="utf-8").splitlines())


def classify_sentence(sentence: str) -> SentenceClassification:
    """Classify the motion that a sentence asks for, with the encoder and the head that come with Gambol."""
    return load_motion_head().classify(load_text_encoder(), [sentence])[0]


@cache
def load_motion_head(path: Path = MOTION_HEAD_WEIGHTS) -> MotionHead:
    """Load a motion head; default: the one that comes with Gambol."""
    arrays, _ = read_tensors(path)
    return MotionHead(*(torch.from_numpy(arrays[name].copy()) for name in ("weight", "bias")))


def save_motion_head(head: MotionHead, path: Path, *, metadata: Mapping[str, str]) -> None:
    """Write a motion head with 32 bits."""
    arrays = {"weight": head.weight.numpy().astype(np.float32), "bias": head.bias.numpy().astype(np.float32)}
    write_tensors(path, arrays, metadata)
