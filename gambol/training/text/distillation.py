"""Training steps of the text encoder: distil the teacher's vectors, fine-tune on motions, fit a linear head."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.motion.vocabulary import VOCABULARY_NAMES
from gambol.priors.embedded.text.encoder import (
    ATTENTION_BLOCKS,
    MAX_PIECES,
    OTHER_CLASS,
    MotionHead,
    TextEncoder,
    embed,
)
from gambol.priors.embedded.text.word_pieces import Vocabulary

CLASSES = (*VOCABULARY_NAMES, OTHER_CLASS)
"""Classes of the motion head."""


@dataclass(frozen=True)
class TextTraining:
    """Settings of the text encoder's training."""

    seed: int = 7
    """Seed of every random draw."""
    width: int = 128
    """Dimensions of a word piece's vector."""
    dimensions: int = 192
    """Dimensions of a sentence's vector: the teacher's first principal directions."""
    epochs: int = 4
    """Epochs of the distillation."""
    batch: int = 256
    """Texts per step."""
    learning_rate: float = 1e-3
    """Initial learning rate of Adam, falling to zero as a half cosine; the table of pieces has half of it."""
    motion_steps: int = 1300
    """Steps of the fine-tuning on motions."""
    motion_batch: int = 256
    """Texts with a motion per step of the fine-tuning."""
    general_batch: int = 128
    """General texts per step of the fine-tuning."""
    motion_share: float = 0.5
    """Weight of the motions' cross entropy against the distillation loss."""
    sharpness: float = 14.0
    """Factor of the cosines between sentences and motions in that cross entropy."""
    head_steps: int = 300
    """Optimiser steps of the linear head."""
    head_batch: int = 8192
    """Texts per step of the linear head."""
    head_decay: float = 3e-6
    """Weight of the head's squared weights in its loss."""
    other_weight: float = 4.0
    """Weight of the class of everything else in the head's loss against a motion."""


def principal_directions(vectors: Float[np.ndarray, "texts teacher"], count: int) -> Float[np.ndarray, "teacher count"]:
    """Return the directions that keep most of the vectors' squares: the first eigenvectors of X'X (not centred)."""
    x = vectors.astype(np.float64)
    _, directions = np.linalg.eigh(x.T @ x)
    return directions[:, ::-1][:, :count].astype(np.float32)


def initial_weights(
    table: Float[np.ndarray, "pieces width"], config: TextTraining, generator: torch.Generator
) -> dict[str, Tensor]:
    """Return initial weights that average the teacher's vectors of words: blocks add nothing, pooling is even."""
    width = config.width
    weights = {
        "table": torch.from_numpy(table),
        "place": torch.zeros(MAX_PIECES, width),
        "pool": torch.zeros(width),
        "project": torch.eye(width, config.dimensions),
    }
    for block in range(ATTENTION_BLOCKS):
        weights[f"query_key_value.{block}"] = torch.randn(width, 3 * width, generator=generator) * width**-0.5
        weights[f"out.{block}"] = torch.zeros(width, width)
        weights[f"up.{block}"] = torch.randn(width, 2 * width, generator=generator) * width**-0.5
        weights[f"down.{block}"] = torch.zeros(2 * width, width)
    return weights


def distillation_loss(own: Float[Tensor, "texts dimensions"], target: Float[Tensor, "texts dimensions"]) -> Tensor:
    """Return the mean of 1 - cos(own, target), plus the mean squared difference of all pairwise similarities."""
    apart = 1.0 - (own * target).sum(-1).mean()
    return apart + 4.0 * (own @ own.T - target @ target.T).square().mean()


def distil_encoder(
    vocabulary: Vocabulary,
    texts: Sequence[str],
    vectors: Float[np.ndarray, "texts teacher"],
    config: TextTraining,
    *,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> TextEncoder:
    """Distil an encoder without a head; `texts` are plain words, every piece of the vocabulary alone among them."""
    generator = torch.Generator().manual_seed(config.seed)
    goal = vectors.astype(np.float32) @ principal_directions(vectors, config.dimensions)
    goal /= np.linalg.norm(goal, axis=1, keepdims=True)
    alone = {text: row for row, text in enumerate(texts)}
    rows = [alone.get(piece.removeprefix("##"), alone[""]) for piece in vocabulary.pieces]
    weights = initial_weights(goal[rows, : config.width].copy(), config, generator)
    pieces = [vocabulary.tokenize(text.split(), max_pieces=MAX_PIECES) for text in texts]
    for weight in weights.values():
        weight.requires_grad_(True)
    others = [weight for name, weight in weights.items() if name != "table"]
    optimiser = torch.optim.Adam(
        [{"params": [weights["table"]], "lr": config.learning_rate / 2}, {"params": others, "lr": config.learning_rate}]
    )
    steps = config.epochs * -(-len(texts) // config.batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: 0.5 + 0.5 * np.cos(np.pi * min(s / steps, 1.0)))
    target = torch.from_numpy(goal)
    step = 0
    for _ in range(config.epochs):
        for some in _batches([len(p) for p in pieces], config.batch, generator):
            loss = distillation_loss(embed(weights, _padded([pieces[i] for i in some])), target[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            step += 1
            report(step, steps, float(loss.detach()))
    return TextEncoder(vocabulary, {name: weight.detach() for name, weight in weights.items()})


def finetune_on_motions(
    encoder: TextEncoder,
    texts: Sequence[str],
    vectors: Float[np.ndarray, "texts teacher"],
    labelled: Sequence[tuple[str, str]],
    config: TextTraining,
    *,
    report: Callable[[int, int, float], None] = lambda step, steps, loss: None,
) -> TextEncoder:
    """Fine-tune an encoder so that sentences of one motion come together while others follow the teacher.

    Loss: distillation loss of the general texts + `motion_share` x cross entropy of `motion_logits`, motions drawn
    evenly.
    """
    generator = torch.Generator().manual_seed(config.seed + 1)
    goal = torch.from_numpy(vectors.astype(np.float32) @ principal_directions(vectors, config.dimensions))
    goal = torch.nn.functional.normalize(goal, dim=-1)
    pieces = [encoder.vocabulary.tokenize(text.split(), max_pieces=MAX_PIECES) for text in texts]
    labelled_pieces = [encoder.vocabulary.tokenize(text.split(), max_pieces=MAX_PIECES) for text, _ in labelled]
    y = torch.tensor([CLASSES.index(motion) for _, motion in labelled])
    even = 1.0 / torch.bincount(y, minlength=len(CLASSES)).clamp(min=1).float()[y]
    weights = {name: weight.clone().requires_grad_(True) for name, weight in encoder.weights.items()}
    centres = torch.nn.init.normal_(torch.empty(config.dimensions, len(CLASSES)), generator=generator)
    centres.requires_grad_(True)
    bias = torch.zeros(len(CLASSES), requires_grad=True)
    optimiser = torch.optim.Adam(
        [{"params": list(weights.values()), "lr": config.learning_rate / 2}, {"params": [centres, bias], "lr": 0.02}]
    )
    steps, step = config.motion_steps, 0
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: 0.5 + 0.5 * np.cos(np.pi * min(s / steps, 1.0)))
    while step < steps:
        for some in _batches([len(p) for p in pieces], config.general_batch, generator)[: steps - step]:
            loss = distillation_loss(embed(weights, _padded([pieces[i] for i in some])), goal[some])
            asked = torch.multinomial(even, config.motion_batch, generator=generator).tolist()
            own = embed(weights, _padded([labelled_pieces[i] for i in asked]))
            logits = motion_logits(own, centres, bias, sharpness=config.sharpness)
            loss = loss + config.motion_share * torch.nn.functional.cross_entropy(logits, y[asked])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            step += 1
            report(step, steps, float(loss.detach()))
    return TextEncoder(encoder.vocabulary, {name: weight.detach() for name, weight in weights.items()})


def motion_logits(
    vectors: Float[Tensor, "texts dimensions"],
    centres: Float[Tensor, "dimensions classes"],
    bias: Float[Tensor, " classes"],
    *,
    sharpness: float,
) -> Float[Tensor, "texts classes"]:
    """Return sharpness x cos(vector, centre) + bias: large only for sentences that lie close to a motion's centre."""
    return sharpness * vectors @ torch.nn.functional.normalize(centres, dim=0) + bias


def _batches(lengths: list[int], size: int, generator: torch.Generator) -> list[list[int]]:
    """Return batches of texts of similar length, in random order."""
    order = torch.randperm(len(lengths), generator=generator).tolist()
    order.sort(key=lambda i: lengths[i])
    cut = [order[at : at + size] for at in range(0, len(order), size)]
    return [cut[i] for i in torch.randperm(len(cut), generator=generator).tolist()]


def _padded(rows: list[list[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [-1] * (longest - len(row)) for row in rows])


def fit_motion_head(encoder: TextEncoder, labelled: Sequence[tuple[str, str]], config: TextTraining) -> MotionHead:
    """Fit a multinomial logistic regression on texts with their classes (or `OTHER_CLASS`), motions alike."""
    generator = torch.Generator().manual_seed(config.seed + 2)
    x = encoder.encode([text for text, _ in labelled])
    y = torch.tensor([CLASSES.index(motion) for _, motion in labelled])
    share = 1.0 / torch.bincount(y, minlength=len(CLASSES)).clamp(min=1)
    share[-1] *= config.other_weight
    head = torch.zeros(x.shape[1], len(CLASSES), requires_grad=True)
    bias = torch.zeros(len(CLASSES), requires_grad=True)
    optimiser = torch.optim.Adam([head, bias], lr=0.3)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: 1.0 - step / config.head_steps)
    for _ in range(config.head_steps):
        some = torch.randint(len(x), (config.head_batch,), generator=generator)
        loss = torch.nn.functional.cross_entropy(x[some] @ head + bias, y[some], weight=share)
        optimiser.zero_grad()
        (loss + config.head_decay * head.square().sum()).backward()
        optimiser.step()
        schedule.step()
    return MotionHead(head.detach(), bias.detach())
