"""A small text encoder: word pieces and two attention layers give a sentence's unit vector; a head names its motion.

It learnt from all-MiniLM-L6-v2 (`text_training.py`) and needs torch only. `docs/embedded-prior-text.md` is its card.
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
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.text.word_pieces import Vocabulary, plain_words

WEIGHTS = Path(__file__).parents[1] / "weights" / "text.safetensors"
HEAD = WEIGHTS.with_name("motion_head.safetensors")
LONGEST = 32
"""Pieces of a text that are read; the rest is left out."""
HEADS = 4
BLOCKS = 2
OTHER = "other"
"""The motion head's last class: none of the motions."""


def embed(weights: Mapping[str, Tensor], rows: Int[Tensor, "texts pieces"]) -> Float[Tensor, "texts dimensions"]:
    """Unit vectors of texts; rows below 0 are padding.

    x = table[rows] + place;  twice: x += attention(norm(x)), x += gelu(norm(x) A) B;
    p = softmax(norm(x) q) over the pieces;  vector = (sum_i p_i x_i) W, divided by its length.
    """
    seen = rows >= 0
    x = weights["table"][rows.clamp(min=0)] + weights["place"][: rows.shape[1]]
    for block in range(BLOCKS):
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
    """softmax(q k' / sqrt(width of a head)) v in each head, over the pieces that are there."""
    texts, pieces, width = x.shape
    query, key, value = (x @ weight).view(texts, pieces, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
    mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=seen[:, None, None])
    return mixed.transpose(1, 2).reshape(texts, pieces, width)


@dataclass(frozen=True)
class TextEncoder:
    """Vocabulary and weights; made by `load_text_encoder` or by training."""

    vocabulary: Vocabulary
    weights: Mapping[str, Tensor]
    """Of `embed`."""

    @property
    def dimensions(self) -> int:
        """Length of a sentence's vector."""
        return self.weights["project"].shape[1]

    def rows(self, sentence: str) -> list[int]:
        """The pieces that are read."""
        return self.vocabulary.rows_of(plain_words(sentence), most=LONGEST)

    def encode(self, sentences: Sequence[str]) -> Float[Tensor, "sentences dimensions"]:
        """Unit vectors, float32; each sentence's is the same whichever others are given with it."""
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
def load_text_encoder(path: Path = WEIGHTS) -> TextEncoder:
    """The encoder that comes with Gambol."""
    arrays, _ = read_tensors(path)
    text = zlib.decompress(arrays.pop("vocabulary").tobytes()).decode()
    table = arrays.pop("table").astype(np.float32) * arrays.pop("table_scale").astype(np.float32)[:, None]
    weights = {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    return TextEncoder(Vocabulary(tuple(text.split("\n"))), {**weights, "table": torch.from_numpy(table)})


def save_text_encoder(encoder: TextEncoder, path: Path, *, metadata: Mapping[str, str]) -> None:
    """The table with 8 bits and a scale per row, all else with 16 bits."""
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
class Understanding:
    """What a sentence was understood to ask for."""

    motion: str
    """One of `gambol.evaluate.recognise.MOTIONS`: the likeliest."""
    probabilities: Mapping[str, float]
    """Of each motion, given that it is one of them; they add up to 1."""
    known: bool
    """False if the sentence rather asks for something else; `motion` is then only the nearest."""
    second: str
    """The second likeliest motion."""
    subjects: tuple[str, ...]
    """Words in the sentence that name who moves."""


@dataclass(frozen=True)
class MotionHead:
    """Softmax of `vector @ weight + bias` over `MOTIONS` and `OTHER`."""

    weight: Float[Tensor, "dimensions classes"]
    bias: Float[Tensor, " classes"]

    def understand(self, encoder: TextEncoder, sentence: str) -> Understanding:
        """The motion that a sentence asks for."""
        logits = (encoder.encode([sentence]) @ self.weight + self.bias)[0]
        other = float(logits.softmax(0)[-1])
        chances = logits[:-1].softmax(0).tolist()
        ranked = sorted(range(len(MOTIONS)), key=lambda i: -chances[i])
        words = f" {' '.join(plain_words(sentence))} "
        return Understanding(
            motion=MOTIONS[ranked[0]],
            probabilities=dict(zip(MOTIONS, chances, strict=True)),
            known=other < 0.5,
            second=MOTIONS[ranked[1]],
            subjects=tuple(dict.fromkeys(who for who in subjects() if f" {who} " in words)),
        )


@cache
def subjects() -> tuple[str, ...]:
    """Nouns that name who moves: those of the built-in creatures and general ones, from `subjects.txt`."""
    return tuple(Path(__file__).with_name("subjects.txt").read_text(encoding="utf-8").splitlines())


def understand(sentence: str) -> Understanding:
    """The motion that a sentence asks for, by the encoder and the head that come with Gambol."""
    return load_motion_head().understand(load_text_encoder(), sentence)


@cache
def load_motion_head(path: Path = HEAD) -> MotionHead:
    """The head that comes with Gambol."""
    arrays, _ = read_tensors(path)
    return MotionHead(*(torch.from_numpy(arrays[name].copy()) for name in ("weight", "bias")))


def save_motion_head(head: MotionHead, path: Path, *, metadata: Mapping[str, str]) -> None:
    """Written with 32 bits."""
    arrays = {"weight": head.weight.numpy().astype(np.float32), "bias": head.bias.numpy().astype(np.float32)}
    write_tensors(path, arrays, metadata)
