"""A library of known clips as a video prior: renders in RGB on the checkerboard, the sentence picks the clips.

It has no network and knows nothing beyond its clips, but its score is exact. So the whole path of the paper (splats,
checkerboard, follow camera, score distillation, eq. 8-10) can be checked on any computer: from the start pose and a
drift, the known motion must come back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.video_prior import PromptReading, VideoFormat
from gambol.errors import ConfigError, PriorError
from gambol.motion.clip import Clip
from gambol.motion.motion_names import canonical_motion
from gambol.priors.library.mixture_prior import Mixture, MixturePrior, block_means
from gambol.render.observer import FollowCameraObserver, ObserverConfig, Subject

LIBRARY_DEVIATION = 0.1
"""Standard deviation of each component, in latent units (colours in [-1, 1])."""


class ClipLibraryPrior(MixturePrior):
    """The mixture over a library of clips; clips whose name occurs in the sentence are its components."""

    preset = "paper"

    def _weights(self, prompt: str) -> Float[Tensor, "components"]:
        """The weights of the clips that the sentence names; of all clips for an empty sentence."""
        named = self.named_clips(prompt)
        chosen = torch.tensor([name in named for name in self.mixture.names])
        return self.mixture.weights * chosen.to(self.mixture.weights)

    def named_clips(self, prompt: str) -> tuple[str, ...]:
        """Names of the clips that a sentence asks for: a word of it begins with the name, or with its other name."""
        words = re.findall(r"[a-z]+", prompt.lower())
        if not words:
            return self.mixture.names
        stems = [word[:n] for word in words for n in range(2, len(word) + 1)]
        asked = {canonical_motion(stem) for stem in stems} | set(stems)
        found = tuple(name for name in self.mixture.names if name.lower() in asked)
        if not found:
            raise PriorError(f"This library knows {', '.join(self.mixture.names)}; '{prompt}' names none of them.")
        return found

    def read_prompt(self, prompt: str) -> PromptReading:
        """The clips that the sentence names."""
        return PromptReading(None, (f"The library's clips {', '.join(self.named_clips(prompt))} are used.",))


def clip_library_prior(
    subject: Subject,
    clips: Mapping[str, Clip],
    video_format: VideoFormat,
    *,
    observer: ObserverConfig | None = None,
    factor: int = 1,
    deviation: float = LIBRARY_DEVIATION,
) -> ClipLibraryPrior:
    """Render the clips of a character, the first frames of each, and make a prior of them.

    `factor` is the side of the squares of pixels that are averaged in the latent.
    """
    if not clips:
        raise ConfigError("A library needs one clip or more.")
    config = observer or ObserverConfig()
    video = video_format
    seen = FollowCameraObserver(subject, config, height=video.height, width=video.width, fps=video.fps)
    means = []
    for name, clip in clips.items():
        if abs(clip.fps - video.fps) > 1e-6 or len(clip) < video.frames:
            raise ConfigError(
                f"The clip '{name}' has {len(clip)} frames at {clip.fps:g} per second; the library needs"
                f" {video.frames} or more at {video.fps:g}."
            )
        with torch.no_grad():
            T = seen.actor.pose_clip(clip)[: video.frames]
            means.append(block_means(seen.render(T, 0), factor))
    count = len(means)
    mixture = Mixture(
        torch.stack(means), torch.full((count,), deviation), torch.full((count,), 1 / count), tuple(clips)
    )
    return ClipLibraryPrior(mixture, video_format, factor=factor)
