"""Style of a sentence: what its adverbs and adjectives say about how the motion is done, as deviations along axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.files.tensors import read_tensors, write_tensors
from gambol.priors.embedded.text.encoder import load_text_encoder
from gambol.priors.embedded.text.word_pieces import TEXT_WEIGHTS

STYLE_HEAD_WEIGHTS = TEXT_WEIGHTS.with_name("style_head.safetensors")
"""The shipped weights of the style head."""
WORD_AXES = (
    "tempo", "stride", "bounce", "exaggeration", "lift", "crouch", "width", "head", "wander", "asymmetry",
)  # fmt: skip
"""Axes of the style, named as the fields of a `MotionStyle`."""
AXIS_WORDS = {
    "tempo": ("slow", "quick"),
    "stride": ("short", "long"),
    "bounce": ("level", "bouncy"),
    "exaggeration": ("restrained", "expressive"),
    "lift": ("low-stepping", "high-stepping"),
    "crouch": ("upright", "crouched"),
    "width": ("narrow", "wide"),
    "head": ("low-headed", "high-headed"),
    "wander": ("steady", "restless"),
    "asymmetry": ("even", "uneven"),
}
"""Words for people for a negative and a positive deviation along each axis."""
NAMED_DEVIATION = 0.35
"""Least deviation along an axis that is put into words, unless it is the largest."""
MAX_NAMED_AXES = 2
"""Most axes that are put into words."""
DEGREES: Mapping[str, float] = {
    "very": 1.4, "really": 1.3, "extremely": 1.8, "incredibly": 1.7, "super": 1.5, "so": 1.2, "too": 1.2, "quite": 0.9,
    "extra": 1.3, "most": 1.3, "terribly": 1.5, "absolutely": 1.6, "highly": 1.4, "totally": 1.5, "completely": 1.5,
    "more": 1.2, "rather": 0.8, "fairly": 0.75, "pretty": 0.9, "somewhat": 0.6, "slightly": 0.5, "little": 0.5,
    "bit": 0.5, "mildly": 0.5, "barely": 0.3, "hardly": 0.3, "moderately": 0.6, "deeply": 1.3, "utterly": 1.6,
    "unusually": 1.2, "especially": 1.3, "almost": 0.7, "great": 1.2, "deep": 1.2, "overly": 1.4,
}  # fmt: skip
"""Factors of the deviations of the word that follows: 'very slowly', 'a bit sad', 'with great joy'."""
MANNER_STYLES: Mapping[str, Mapping[str, float]] = {
    "sneak": {"tempo": -0.5, "stride": -0.3, "bounce": -0.6, "crouch": 0.9, "lift": 0.2, "head": -0.2},
    "march": {"lift": 0.9, "exaggeration": 0.4, "wander": -0.7, "head": 0.3},
    "limp": {"asymmetry": 1.0, "tempo": -0.3, "stride": -0.4},
    "zombie walk": {"tempo": -0.6, "stride": -0.5, "lift": -0.6, "asymmetry": 0.5, "wander": 0.4, "head": -0.3},
    "old walk": {"tempo": -0.7, "stride": -0.7, "bounce": -0.5, "lift": -0.7, "crouch": 0.7, "head": -0.5},
    "drunk walk": {"tempo": -0.3, "exaggeration": 0.5, "width": 0.7, "wander": 0.8, "asymmetry": 0.7, "head": -0.3},
    "proud walk": {"tempo": -0.2, "stride": 0.2, "exaggeration": 0.4, "lift": 0.2, "crouch": -0.3, "head": 0.8},
    "heavy walk": {"tempo": -0.4, "bounce": -0.8, "exaggeration": 0.4, "lift": 0.4, "width": 0.6, "head": -0.2},
}
"""Style that stands for a motion on bodies that do not have it: their walk in this style."""


KERNEL_SHARPNESS = 4.0
"""How fast a known word's say falls with the distance between vectors."""


@dataclass(frozen=True)
class StyleHead:
    """Style of single words and short phrases by their nearness to known words.

    [deviations, manner] = sum_j k(x, p_j) a_j + b, with k(x, p) = exp(s (x . p - 1)), where x is the text encoder's
    vector and p_j those of known words; a word speaks of manner if `manner` is positive.
    """

    known: Float[Tensor, "known dimensions"]
    """p: vectors of known words."""
    weight: Float[Tensor, "known axes_and_gate"]
    """a: one column for each of `WORD_AXES`, and one for whether a word speaks of manner."""
    bias: Float[Tensor, " axes_and_gate"]
    """b."""

    def deviations(self, vectors: Float[Tensor, "words dimensions"]) -> Float[Tensor, "words axes"]:
        """Deviations along the axes within -1 and 1, zero for words that do not speak of manner."""
        found = kernel(vectors, self.known) @ self.weight + self.bias
        return found[:, :-1].clamp(-1.0, 1.0) * (found[:, -1:] > 0.0)


def kernel(
    x: Float[Tensor, "words dimensions"], known: Float[Tensor, "known dimensions"]
) -> Float[Tensor, "words known"]:
    """k(x, p) = exp(s (x . p - 1)) of unit vectors: 1 for the same word, near 0 for words that are far apart."""
    return (KERNEL_SHARPNESS * (x @ known.T - 1.0)).exp()


@cache
def load_style_head(path: Path = STYLE_HEAD_WEIGHTS) -> StyleHead:
    """Load a style head; default: the one that comes with Gambol."""
    arrays, _ = read_tensors(path)
    known = torch.from_numpy(arrays["known"].astype(np.float32))
    weight, bias = (torch.from_numpy(arrays[name].astype(np.float32)) for name in ("weight", "bias"))
    return StyleHead(torch.nn.functional.normalize(known, dim=-1), weight, bias)


def save_style_head(head: StyleHead, path: Path, *, metadata: Mapping[str, str]) -> None:
    """Write a style head: vectors of known words with 8 bits, all else with 32."""
    scale = 127.0 / head.known.abs().amax(1, keepdim=True)
    arrays: dict[str, np.ndarray] = {
        "known": (head.known * scale).round().numpy().astype(np.int8),
        "weight": head.weight.numpy().astype(np.float32),
        "bias": head.bias.numpy().astype(np.float32),
    }
    write_tensors(path, arrays, metadata)


def word_styles(words: Sequence[str]) -> list[Mapping[str, float]]:
    """Deviations of words from the natural style along `WORD_AXES`; empty for words that say nothing about it."""
    if not words:
        return []
    rows = load_style_head().deviations(load_text_encoder().encode(words)).tolist()
    return [dict(zip(WORD_AXES, row, strict=True)) if any(row) else {} for row in rows]


def add_styles(styles: Sequence[tuple[Mapping[str, float], float]]) -> dict[str, float]:
    """Sum of deviations times their degrees, within -1 and 1; empty where nothing deviates."""
    if not any(style for style, _ in styles):
        return {}
    total = {axis: sum(degree * style.get(axis, 0.0) for style, degree in styles) for axis in WORD_AXES}
    return {axis: round(min(max(value, -1.0), 1.0), 3) for axis, value in total.items()}


def describe_style(style: Mapping[str, float]) -> str:
    """The largest deviations in words: 'slow and low-headed'."""
    ranked = sorted(style, key=lambda axis: -abs(style[axis]))[:MAX_NAMED_AXES]
    named = [axis for k, axis in enumerate(ranked) if k == 0 or abs(style[axis]) >= NAMED_DEVIATION]
    return " and ".join(AXIS_WORDS[axis][style[axis] > 0.0] for axis in named)
