"""Training of the matching network: symmetric InfoNCE over batches of clips and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional

from gambol.evaluate.matching.body_points import BODY_POINTS
from gambol.evaluate.matching.features import FRAME_NUMBERS, MOST_MATCHED_FRAMES
from gambol.evaluate.matching.measures import r_precision
from gambol.evaluate.matching.network import POINT_NUMBERS, MatchingNetwork, MatchingShape, batch_motions
from gambol.motion.vocabulary import VOCABULARY_NAMES, find_entry
from gambol.progress import Progress
from gambol.training.loop import TrainingSchedule, train_network
from gambol.training.matching.clips import MatchedClip
from gambol.training.matching.sentences import SentenceTable

LEAST_SPREAD = 0.02
"""Least standard deviation that features are divided by."""
LARGEST_LOG_SCALE = 3.4
"""Logarithm of the largest scale of the cosines, 30."""
TREADMILL_PROBABILITY = 0.15
"""Probability that a clip loses its travel over the ground, as clips in place have."""
LOST_POINT_PROBABILITY = 0.06
"""Probability of each point of a body to be hidden."""
BODY_POINT_NOISE, SENTENCE_NOISE = 0.05, 0.012
"""Standard deviations of the noise on standardised features and on the numbers of a sentence's vector."""
SHORTEST_CROP = 0.55
"""Least share of a motion that repeats that a training piece keeps; other motions keep `SHORTEST_EVENT_CROP`."""
SHORTEST_EVENT_CROP = 0.85
"""Least share of a motion with a start and an end that a training piece keeps."""
OWN_TEXT_PROBABILITY = 0.5
"""Probability that a clip of a known motion is matched with its own text rather than with a phrase."""
SAME_SENTENCE_COSINE = 0.8
"""Sentences at least this alike in the text encoder's space are no negatives of each other (TMR)."""


@dataclass(frozen=True)
class MatchingTraining(TrainingSchedule):
    """Training of the matching network."""

    steps: int = 450
    """Number of optimiser steps."""
    learning_rate: float = 2e-3
    """Peak learning rate of AdamW."""
    warmup_steps: int = 30
    """Steps of linear warm-up."""
    ema_decay: float = 0.98
    """Decay of the averaged weights per step."""
    checkpoint_every: int = 50
    """Steps between checkpoints, and between lines of the log."""
    batch: int = 112
    """Clips of a step."""
    real_share: float = 0.35
    """Share of the clips of a step that are real, where there are any."""


@dataclass(frozen=True)
class MatchingData:
    """Clips with their sentences."""

    clips: tuple[MatchedClip, ...]
    """All clips, procedural ones and real ones, which have texts of their own."""
    sentences: SentenceTable
    """Their sentences."""

    @cached_property
    def draws(self) -> tuple[tuple[Int[Tensor, "clips"], Float[Tensor, "clips"]], ...]:
        """Procedural and real clips, with the weight of each: a motion's clips weigh the root of their number."""
        found = []
        for real in (False, True):
            chosen = [i for i, clip in enumerate(self.clips) if bool(clip.texts) == real]
            names = [self.clips[i].motion or self.clips[i].texts[0] for i in chosen]
            count = {name: names.count(name) for name in set(names)}
            found.append((torch.tensor(chosen), torch.tensor([count[name] ** -0.5 for name in names])))
        return tuple(found)


def new_matching_network(data: MatchingData, shape: MatchingShape, seed: int) -> MatchingNetwork:
    """A network with random weights that knows the statistics of the data."""
    torch.manual_seed(seed)
    network = MatchingNetwork(shape)
    frames = np.concatenate([clip.frames[::4] for clip in data.clips]).astype(np.float64)
    weight = np.ones_like(frames)
    points = len(BODY_POINTS)
    weight[:, :POINT_NUMBERS] = np.tile(np.repeat(frames[:, POINT_NUMBERS : POINT_NUMBERS + points], 3, 1), 2)
    total = np.maximum(weight.sum(0), 1.0)
    mean = (weight * frames).sum(0) / total
    spread = np.sqrt((weight * (frames - mean) ** 2).sum(0) / total)
    mean[POINT_NUMBERS : POINT_NUMBERS + points], spread[POINT_NUMBERS : POINT_NUMBERS + points] = 0.0, 1.0
    network.mean.copy_(torch.from_numpy(mean))
    network.spread.copy_(torch.from_numpy(np.maximum(spread, LEAST_SPREAD)))
    network.sentence_mean.copy_(data.sentences.vectors.mean(0))
    return network


def info_nce(
    cosines: Float[Tensor, "clips clips"], scale: Tensor, masked: Bool[Tensor, "clips clips"]
) -> Float[Tensor, ""]:
    """-(1 / 2n) sum_i log softmax_j(scale c_ij) + log softmax_j(scale c_ji) at j = i; masked pairs do not compete."""
    logits = (scale * cosines).masked_fill(masked, -torch.inf)
    right = torch.arange(len(logits))
    return 0.5 * (functional.cross_entropy(logits, right) + functional.cross_entropy(logits.T, right))


def false_negatives(
    motions: Sequence[str], sentences: Float[Tensor, "clips dimensions"]
) -> Bool[Tensor, "clips clips"]:
    """Pairs of different clips that show the same motion or have nearly the same sentence."""
    index = torch.tensor([VOCABULARY_NAMES.index(m) if m else -1 for m in motions])
    same = (index[:, None] == index[None]) & (index[:, None] >= 0)
    same |= sentences @ sentences.T > SAME_SENTENCE_COSINE
    return same & ~torch.eye(len(index), dtype=torch.bool)


def matching_loss(
    network: MatchingNetwork, data: MatchingData, settings: MatchingTraining, generator: torch.Generator
) -> Tensor:
    """InfoNCE of a random batch with random crops, hidden points and noise."""
    chosen = _draw_clips(data, settings, generator)
    clips = [data.clips[i] for i in chosen]
    batch = batch_motions([_varied(clip, network, generator) for clip in clips])
    rows = [_draw_sentence(data, i, generator) for i in chosen]
    sentences = data.sentences.vectors[torch.tensor(rows)]
    masked = false_negatives([clip.motion for clip in clips], sentences)
    noisy = sentences + SENTENCE_NOISE * torch.randn(sentences.shape, generator=generator)
    cosines = network.motion_vectors(batch) @ network.text_vectors(noisy).T
    return info_nce(cosines, network.log_scale.clamp(max=LARGEST_LOG_SCALE).exp(), masked)


@torch.no_grad()
def motion_table(
    network: MatchingNetwork, data: MatchingData, generator: torch.Generator, *, copies: int = 4
) -> Float[Tensor, "copies clips joint"]:
    """Vectors of several varied pieces of each clip."""
    pieces = [_varied(clip, network, generator) for _ in range(copies) for clip in data.clips]
    vectors = [network.motion_vectors(batch_motions(pieces[at : at + 128])) for at in range(0, len(pieces), 128)]
    return torch.cat(vectors).view(copies, len(data.clips), -1)


def text_side_loss(
    network: MatchingNetwork,
    table: Float[Tensor, "copies clips joint"],
    data: MatchingData,
    settings: MatchingTraining,
    generator: torch.Generator,
) -> Tensor:
    """`matching_loss` for a motion side that stays as it is, whose vectors are in a table."""
    chosen = _draw_clips(data, settings, generator)
    copies = torch.randint(len(table), (len(chosen),), generator=generator)
    sentences = data.sentences.vectors[torch.tensor([_draw_sentence(data, i, generator) for i in chosen])]
    masked = false_negatives([data.clips[i].motion for i in chosen], sentences)
    noisy = sentences + SENTENCE_NOISE * torch.randn(sentences.shape, generator=generator)
    cosines = table[copies, torch.tensor(chosen)] @ network.text_vectors(noisy).T
    return info_nce(cosines, network.log_scale.clamp(max=LARGEST_LOG_SCALE).exp(), masked)


def _draw_clips(data: MatchingData, settings: MatchingTraining, generator: torch.Generator) -> list[int]:
    made, real = data.draws
    count = round(settings.real_share * settings.batch) if len(real[0]) else 0
    found: list[int] = []
    for (places, weight), number in ((made, settings.batch - count), (real, count)):
        if number:
            found += places[torch.multinomial(weight, number, replacement=True, generator=generator)].tolist()
    return found


def _draw_sentence(data: MatchingData, clip: int, generator: torch.Generator) -> int:
    """Row of a sentence that fits a clip."""
    own, motion = data.sentences.of_clip[clip], data.clips[clip].motion
    takes_own = len(own) and (not motion or _uniform(generator) < OWN_TEXT_PROBABILITY)
    rows = own if takes_own else data.sentences.of_motion[motion]
    return int(rows[int(_uniform(generator) * len(rows))])


def _varied(clip: MatchedClip, network: MatchingNetwork, generator: torch.Generator) -> np.ndarray:
    """A random piece of a clip, some of its points hidden, with noise, some without travel."""
    repeats = not clip.motion or find_entry(clip.motion).repeats
    least = SHORTEST_CROP if repeats else SHORTEST_EVENT_CROP
    count = len(clip.frames)
    length = max(round(min(count, MOST_MATCHED_FRAMES) * (least + (1.0 - least) * _uniform(generator))), 3)
    start = int(_uniform(generator) * (count - min(length, count) + 1))
    frames = torch.from_numpy(clip.frames[start : start + length].astype(np.float32))
    points = len(BODY_POINTS)
    kept = (torch.rand(points, generator=generator) >= LOST_POINT_PROBABILITY).float()
    noise = BODY_POINT_NOISE * network.spread * torch.randn(frames.shape, generator=generator)
    noise[:, POINT_NUMBERS : POINT_NUMBERS + points] = 0.0
    frames = frames + noise
    frames[:, :POINT_NUMBERS] *= kept.repeat_interleave(3).repeat(2)
    frames[:, POINT_NUMBERS : POINT_NUMBERS + points] *= kept
    if _uniform(generator) < TREADMILL_PROBABILITY:
        frames[:, _TRAVEL] = 0.0
    return frames.numpy()


_TRAVEL = [FRAME_NUMBERS - 13, FRAME_NUMBERS - 11]
"""Places of the root's velocity ahead and aside among the features."""


def _uniform(generator: torch.Generator) -> float:
    return float(torch.rand((), generator=generator))


@dataclass(frozen=True)
class MatchedPairs:
    """Vectors of clips and of sentences that fit them, row by row."""

    motions: Float[Tensor, "pairs joint"]
    """Unit vectors of clips."""
    texts: Float[Tensor, "pairs joint"]
    """Unit vectors of their sentences."""
    names: tuple[str, ...]
    """What each shows: its motion, or its own text."""


@torch.no_grad()
def matched_pairs(network: MatchingNetwork, data: MatchingData, seed: int = 7) -> MatchedPairs:
    """Vectors of all clips, each with one random sentence that fits it."""
    generator = torch.Generator().manual_seed(seed)
    motions = [
        network.motion_vectors(batch_motions([c.frames[:MOST_MATCHED_FRAMES] for c in data.clips[at : at + 128]]))
        for at in range(0, len(data.clips), 128)
    ]
    rows = torch.tensor([_draw_sentence(data, i, generator) for i in range(len(data.clips))])
    names = tuple(clip.motion or clip.texts[0] for clip in data.clips)
    return MatchedPairs(torch.cat(motions), network.text_vectors(data.sentences.vectors[rows]), names)


def unseen_precision(network: MatchingNetwork, data: MatchingData) -> dict[str, float]:
    """R-precision of unseen clips, for the log."""
    pairs = matched_pairs(network, data)
    found = r_precision(pairs.motions.numpy(), pairs.texts.numpy(), pairs.names, rng=np.random.default_rng(7))
    return {f"top{k + 1}": float(share) for k, share in enumerate(found)}


def fit_score(pairs: MatchedPairs, *, steps: int = 30) -> tuple[float, float]:
    """Slope a and offset b of the score 1 / (1 + exp(-(a c + b))) of a cosine c, by maximum likelihood (Newton).

    Matching pairs are the rows, others are pairs of rows that show different things; both kinds weigh the same.
    """
    cosines = (pairs.motions @ pairs.texts.T).numpy().astype(np.float64)
    names = np.array(pairs.names)
    other = cosines[names[:, None] != names[None]]
    c = np.concatenate([cosines.diagonal(), other])
    y = np.concatenate([np.ones(len(cosines)), np.zeros(len(other))])
    weight = np.where(y > 0, 0.5 / len(cosines), 0.5 / max(len(other), 1))
    X, theta = np.stack([c, np.ones_like(c)], 1), np.zeros(2)
    for _ in range(steps):
        p = 1.0 / (1.0 + np.exp(-X @ theta))
        slope = X.T @ (weight * (y - p)) - 1e-4 * theta
        curvature = (X * (weight * p * (1.0 - p))[:, None]).T @ X + 1e-4 * np.eye(2)
        theta = theta + np.linalg.solve(curvature, slope)
    return float(theta[0]), float(theta[1])


def train_matching(
    network: MatchingNetwork,
    data: MatchingData,
    unseen: MatchingData,
    settings: MatchingTraining,
    folder: Path,
    *,
    text_side_only: bool = False,
    progress: Progress | None = None,
) -> MatchingNetwork:
    """Train to the last step, resuming from the folder's checkpoint; returns the averaged network.

    `text_side_only` leaves the motion side as it is, for another text encoder.
    """
    if text_side_only:
        table = motion_table(network, data, torch.Generator().manual_seed(settings.seed))

    def loss_of(network: MatchingNetwork, generator: torch.Generator) -> Tensor:
        if text_side_only:
            return text_side_loss(network, table, data, settings, generator)
        return matching_loss(network, data, settings, generator)

    return train_network(
        network,
        loss_of,
        settings,
        folder,
        measure=lambda network: unseen_precision(network, unseen),
        progress=progress,
    )
