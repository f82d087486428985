"""The text-motion matching model: motions and sentences as unit vectors of one space, near where they agree.

The motion side is a convolution that halves the frame rate twice and a transformer over what is left; the text side a
small perceptron on the vector of a frozen text encoder, which the caller brings. Motion m and sentence s agree by the
cosine of their vectors (Petrovich, Black and Varol 2023, TMR).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor, nn
from torch.nn import functional

from gambol.evaluate.matching.body_points import BODY_POINTS
from gambol.evaluate.matching.features import FRAME_NUMBERS, MOST_MATCHED_FRAMES, MotionFeatures, windows

FRAMES_PER_TOKEN = 4
"""Frames that become one token."""
POINT_NUMBERS = 6 * len(BODY_POINTS)
"""Numbers of a frame that are positions and velocities of points; the presence of the points follows them."""

LARGEST_NUMBER = 8.0
"""Standard deviations beyond which a feature is cut off: damaged clips have numbers of any size."""


@dataclass(frozen=True)
class MatchingShape:
    """Size of a matching network."""

    width: int = 128
    """Channels of a token."""
    depth: int = 3
    """Number of transformer blocks."""
    heads: int = 4
    """Attention heads of a block."""
    widening: int = 2
    """Width of a block's hidden layer as a multiple of `width`."""
    sentence: int = 192
    """Numbers of a sentence's vector that the text encoder gives."""
    hidden: int = 256
    """Width of the text side's hidden layer."""
    joint: int = 64
    """Numbers of a vector of the joint space."""


@dataclass(frozen=True)
class MotionBatch:
    """Pieces of clips, padded to the same number of frames."""

    frames: Float[Tensor, "clips frames numbers"]
    """Features, 0 where padded."""
    seen: Bool[Tensor, "clips frames"]
    """False where padded."""


def batch_motions(pieces: Sequence[Float[ndarray, "frames numbers"]]) -> MotionBatch:
    """Stack pieces of clips of at most `MOST_MATCHED_FRAMES` frames, padded to a whole number of tokens."""
    most = max(len(piece) for piece in pieces)
    most += -most % FRAMES_PER_TOKEN
    frames = np.zeros((len(pieces), most, FRAME_NUMBERS), np.float32)
    seen = np.zeros((len(pieces), most), bool)
    for i, piece in enumerate(pieces):
        frames[i, : len(piece)], seen[i, : len(piece)] = piece, True
    return MotionBatch(torch.from_numpy(frames), torch.from_numpy(seen))


class MatchingNetwork(nn.Module):
    """Unit vectors of motions and of sentences in one space."""

    mean: Tensor
    """Mean of each feature over the frames of bodies that have it."""
    spread: Tensor
    """Its standard deviation."""
    sentence_mean: Tensor
    """Mean of the sentences' vectors, which share most of it."""

    def __init__(self, shape: MatchingShape) -> None:
        super().__init__()
        self.shape, width = shape, shape.width
        self.register_buffer("mean", torch.zeros(FRAME_NUMBERS))
        self.register_buffer("spread", torch.ones(FRAME_NUMBERS))
        self.register_buffer("sentence_mean", torch.zeros(shape.sentence))
        self.first = nn.Conv1d(FRAME_NUMBERS, width, 5, stride=2, padding=2)
        self.second = nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.place = nn.Parameter(0.02 * torch.randn(MOST_MATCHED_FRAMES // FRAMES_PER_TOKEN, width))
        layer = nn.TransformerEncoderLayer(
            width, shape.heads, shape.widening * width, 0.0, "gelu", batch_first=True, norm_first=True
        )
        self.blocks = nn.TransformerEncoder(layer, shape.depth, enable_nested_tensor=False)
        self.share = nn.Linear(width, 1)
        self.motion_out = nn.Linear(2 * width, shape.joint)
        self.text = nn.Sequential(
            nn.Linear(shape.sentence, shape.hidden),
            nn.GELU(),
            nn.Linear(shape.hidden, shape.hidden),
            nn.GELU(),
            nn.Linear(shape.hidden, shape.joint),
        )
        self.log_scale = nn.Parameter(torch.tensor(2.3))

    def motion_vectors(self, batch: MotionBatch) -> Float[Tensor, "clips joint"]:
        """Unit vectors of motions: the attended mean and the largest value over the tokens, projected."""
        x = self._standardised(batch).transpose(1, 2)
        x = functional.gelu(self.second(functional.gelu(self.first(x)))).transpose(1, 2)
        seen = batch.seen[:, ::FRAMES_PER_TOKEN]
        x = self.blocks(x + self.place[: x.shape[1]], src_key_padding_mask=~seen)
        share = self.share(x)[..., 0].masked_fill(~seen, -torch.inf).softmax(1)
        mean = (share[..., None] * x).sum(1)
        largest = x.masked_fill(~seen[..., None], -torch.inf).amax(1)
        return functional.normalize(self.motion_out(torch.cat([mean, largest], 1)), dim=-1)

    def text_vectors(self, sentences: Float[Tensor, "texts sentence"]) -> Float[Tensor, "texts joint"]:
        """Unit vectors of sentences from the vectors of the text encoder."""
        return functional.normalize(self.text((sentences - self.sentence_mean) * self.shape.sentence**0.5), dim=-1)

    def _standardised(self, batch: MotionBatch) -> Float[Tensor, "clips frames numbers"]:
        """(x - mean) / spread; 0 for points that a body does not have and where padded."""
        points = len(BODY_POINTS)
        present = batch.frames[..., POINT_NUMBERS : POINT_NUMBERS + points]
        mask = torch.ones_like(batch.frames)
        mask[..., :POINT_NUMBERS] = present.repeat_interleave(3, -1).repeat(1, 1, 2)
        standard = ((batch.frames - self.mean) / self.spread).clamp(-LARGEST_NUMBER, LARGEST_NUMBER)
        return standard * mask * batch.seen[..., None]


@torch.no_grad()
def embed_motions(network: MatchingNetwork, motions: Sequence[MotionFeatures]) -> Float[Tensor, "motions joint"]:
    """Unit vectors of clips of any length: the mean of the vectors of their windows, normalised."""
    found = torch.zeros(len(motions), network.shape.joint)
    pieces = [(i, piece) for i, motion in enumerate(motions) for piece in windows(motion)]
    pieces.sort(key=lambda item: len(item[1]))  # little padding
    for start in range(0, len(pieces), 64):
        some = pieces[start : start + 64]
        vectors = network.motion_vectors(batch_motions([piece for _, piece in some]))
        found.index_add_(0, torch.tensor([i for i, _ in some]), vectors)
    return functional.normalize(found, dim=-1)
