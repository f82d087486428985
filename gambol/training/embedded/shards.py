"""Training data on disk: latents of the clips of one individual per shard, made by any number of processes.

Shard i depends on the recipe and i alone. A shard that exists is not made again, so a stopped run resumes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.files.atomic_write import replacing
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.latents import VideoLatents
from gambol.training.embedded.creature_clips import RenderedClip, draw_individual, render_creature_clips

CLIPS_PER_SHARD = 16
"""Clips of one individual in a shard."""


@dataclass(frozen=True)
class LatentSamples:
    """Clips as latents with their conditioning, as the network learns from them."""

    z: Float[Tensor, "clips frames numbers"]
    """Latents of the frames, relative to the rest frame."""
    rest: Float[Tensor, "clips rest_numbers"]
    """Latents of the rest frames."""
    view: Float[Tensor, "clips view_numbers"]
    """Conditioning numbers of the view, then of the style."""
    motion: Int[Tensor, "clips"]
    """Index in `MOTIONS`."""

    def __len__(self) -> int:
        return len(self.z)


def render_creature_shard(seed: int, index: int) -> list[RenderedClip]:
    """Render the clips of shard `index`, of one procedural creature."""
    generator = np.random.default_rng([seed, index])
    return render_creature_clips(draw_individual(generator), CLIPS_PER_SHARD, generator)


def encode_clips(clips: Iterable[RenderedClip], latents: VideoLatents) -> LatentSamples:
    """Encode rendered clips to latents."""
    clips = list(clips)
    return LatentSamples(
        torch.stack([latents.encode(clip.frames) - latents.encode(clip.rest[None]) for clip in clips]),
        torch.stack([latents.encode_rest(clip.rest) for clip in clips]),
        torch.stack([clip.view for clip in clips]),
        torch.tensor([MOTIONS.index(clip.motion) for clip in clips]),
    )


def write_shard(path: Path, render: Callable[[], list[RenderedClip]], latents: VideoLatents) -> None:
    """Make and write a shard unless it exists; nothing is written if there are no clips."""
    if path.exists():
        return
    made = render()
    if not made:
        return
    samples = encode_clips(made, latents)
    with replacing(path) as temporary:
        save_file(
            {"z": samples.z.half(), "rest": samples.rest.half(), "view": samples.view, "motion": samples.motion},
            temporary,
        )


def read_shards(paths: Iterable[Path]) -> LatentSamples:
    """Read and concatenate shards."""
    parts = [load_file(path) for path in paths]
    z, rest, view, motion = (torch.cat([part[key] for part in parts]) for key in ("z", "rest", "view", "motion"))
    return LatentSamples(z, rest.float(), view, motion)
