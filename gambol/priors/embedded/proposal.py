"""The targets that the embedded prior proposes: mean videos from several views, over overlapping windows of a clip.

A mean of videos moves less than they do and is blurred where the prior does not know; its amplitude is restored, and
each number counts as precisely as it is known.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.score_gradient import draw_noise
from gambol.diffusion.video_prior import VideoPrior, evaluations_per_call
from gambol.priors.embedded.latents import KINDS
from gambol.priors.embedded.network import MotionNetwork
from gambol.priors.embedded.style import StyleConditioning

if TYPE_CHECKING:
    from gambol.priors.embedded.prior import EmbeddedCondition, EmbeddedPrior

MEAN_LEVELS = (0.985, 0.95)
"""Noise levels at which the mean video is sought, first and last. At lower ones jumps get smaller."""
MEAN_STEP = 0.1
"""Least step of the running mean."""
AMPLITUDE_EXPONENT = 1.2
"""Power of 1 / R by which the motion of a mean video is made larger (see `restore_amplitude`)."""
LEAST_EXPLAINED = 0.2
"""Least share R^2 that is assumed when an amplitude is restored."""
MEAN_POSE_PRECISION = 0.3
"""Precision of a video's mean over time, as a share of what R^2 says. Of bodies unlike most that it was trained on the
prior knows the motion better than the mean pose (of a spider 0.42 and 0.30 of the moments' energy, of a crocodile 0.42
and 0.10; of a fox 0.81 and 0.87)."""
PHASE_CANDIDATES = 16
"""Phases that are tried for a later window."""


@torch.no_grad()
def mean_latent(
    prior: VideoPrior[Any],
    condition: Any,
    start: Float[Tensor, "*latent"],
    generator: torch.Generator,
    *,
    guidance: float,
    steps: int,
) -> Float[Tensor, "*latent"]:
    """The latent at which score distillation would end if every video could be shown.

    x <- x + r (x0(z_t) - x) with fresh noise in every step, t falling, and r = 1 / k, at least 0.1: first the mean of
    the estimates, then one that forgets the first ones.
    """
    x, (first, last) = start, MEAN_LEVELS
    for k in range(steps):
        t = first + (last - first) * k / steps
        clean = prior.predict_clean(prior.add_noise(x, draw_noise(x, generator), t), t, condition, guidance)
        x = x + max(MEAN_STEP, 1.0 / (k + 1)) * (clean - x)
    return x


def restore_amplitude(
    network: MotionNetwork, latent: Float[Tensor, "frames numbers"], still: Float[Tensor, "frames numbers"]
) -> Float[Tensor, "frames numbers"]:
    """still + C^T R^-1.2 C (latent - still), but for the mean over time: the amplitude that true videos have.

    A mean video has the share R^2 of their energy, so R^-1 would do; limbs fitted to what is blurred lose a little
    more.
    """
    shares = network.explained.clamp(LEAST_EXPLAINED, 1.0) ** (-0.5 * AMPLITUDE_EXPONENT)
    shares = torch.cat([torch.ones_like(shares[:1]), shares[1:]])
    counts = torch.tensor([kind.stop - kind.start for kind in KINDS])
    dct = network.dct
    return still + dct.T @ (shares.repeat_interleave(counts, 1) * (dct @ (latent - still)))


def latent_precision(network: MotionNetwork) -> Float[Tensor, "frequencies numbers"]:
    """w = R^2 / ((1 - R^2) E) for every frequency of components and of moments; the components' mean is 1 at 1 to 6.

    E is the energy of true videos. A mean video that explains a share R^2 of a true one z is R^2 z and noise of
    variance R^2 (1 - R^2) E; so z is known with this precision. The mean over time counts `MEAN_POSE_PRECISION` of it.
    """
    known = network.explained.clamp(0.0, 0.95)
    energies = network.mean.square() + network.deviation.square()
    energy = torch.stack([energies[:, kind].sum(1) for kind in KINDS], 1)
    weights = known / ((1.0 - known) * energy)
    weights = weights / weights[1:7, 0].mean()
    weights[0] *= MEAN_POSE_PRECISION
    counts = torch.tensor([kind.stop - kind.start for kind in KINDS])
    return weights.repeat_interleave(counts, 1)


def clip_windows(frames: int, window: int, views: int) -> tuple[tuple[int, int], ...]:
    """First frame and view of each target of a clip."""
    starts = window_starts(frames, window)
    if len(starts) == 1:
        return tuple((0, view) for view in range(views))
    return tuple((start, view) for i, start in enumerate(starts) for view in window_views(i, views))


def window_starts(frames: int, window: int) -> tuple[int, ...]:
    """First frames of evenly spread windows that overlap by half or more; one window covers a clip of its length."""
    spare = frames - window
    count = -(-spare // (window // 2)) + 1
    return tuple(round(spare * i / max(count - 1, 1)) for i in range(count))


def window_views(number: int, views: int) -> tuple[int, ...]:
    """Views of window `number`: all of up to four, or every other pair of mirrored views in turn."""
    return tuple(view for view in range(views) if views <= 4 or (view // 2) % 2 == number % 2)


def continuing_style(
    prior: EmbeddedPrior,
    condition: EmbeddedCondition,
    style: StyleConditioning,
    before: Float[Tensor, "frames numbers"],
    overlap: int,
    *,
    guidance: float,
) -> tuple[StyleConditioning, int]:
    """The style whose video begins as the video `before` ends, and the evaluations that finding it took.

    One call for each of `PHASE_CANDIDATES` phases, all with the same noise; the phase with the least squared distance
    in the frames that both videos show, every number weighted by its precision.
    """
    precision = prior.target_precision[1:7].mean(0)
    still = condition.rest.expand(len(before), -1)
    candidates = [replace(style, phase=(style.phase + k / PHASE_CANDIDATES) % 1.0) for k in range(PHASE_CANDIDATES)]
    distances = []
    for candidate in candidates:
        styled, generator = prior.with_style(condition, candidate), torch.Generator().manual_seed(0)
        latent = mean_latent(prior, styled, still, generator, guidance=guidance, steps=1)
        distances.append(float((precision * (latent[:overlap] - before[-overlap:]).square()).sum()))
    best = min(range(PHASE_CANDIDATES), key=distances.__getitem__)
    return candidates[best], PHASE_CANDIDATES * evaluations_per_call(guidance)
