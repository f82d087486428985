"""A prior whose score is exact: a Gaussian mixture over latents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import avg_pool2d, interpolate

from gambol.diffusion.parametrisation import V_PREDICTION, Parametrisation, Signal, guide, signal_cosine
from gambol.diffusion.video_prior import Reference, VideoFormat, VideoPrior
from gambol.errors import PriorError


@dataclass(frozen=True)
class Mixture:
    """p(z) = sum_k weight_k N(z; mean_k, deviation_k^2): one named component per motion."""

    means: Float[Tensor, "components *latent"]
    """Mean latent of each component."""
    deviations: Float[Tensor, "components"]
    """Standard deviation of each component, the same for all numbers of its latent."""
    weights: Float[Tensor, "components"]
    """Weight of each component."""
    names: tuple[str, ...]
    """Name of each component."""

    def __post_init__(self) -> None:
        sizes = {len(self.means), len(self.deviations), len(self.weights), len(self.names)}
        if len(sizes) != 1 or not (self.deviations > 0).all() or not (self.weights > 0).all():
            raise PriorError(
                "A mixture needs one mean, one positive deviation, one positive weight and one name for each component."
            )


def posterior_mean(
    mixture: Mixture,
    noisy: Float[Tensor, "*latent"],
    signal: Signal,
    weights: Float[Tensor, "components"],
) -> Float[Tensor, "*latent"]:
    """E[z | z_t] = sum_k r_k (m_k + a d_k^2 / v_k (z_t - a m_k)), v_k = a^2 d_k^2 + s^2.

    r_k is proportional to weight_k N(z_t; a m_k, v_k). By Tweedie's formula this is the exact clean estimate.
    """
    a, s = signal.a, signal.s
    each = (-1,) + (1,) * noisy.dim()
    variance = a**2 * mixture.deviations**2 + s**2
    offset = noisy - a * mixture.means
    logits = weights.log() - 0.5 * offset.flatten(1).square().sum(1) / variance
    share = torch.softmax(logits - 0.5 * noisy.numel() * variance.log(), 0)
    gain = a * mixture.deviations**2 / variance
    return (share.view(each) * (mixture.means + gain.view(each) * offset)).sum(0)


def block_means(
    video: Float[Tensor, "frames 3 height width"], factor: int
) -> Float[Tensor, "frames 3 small_height small_width"]:
    """The latent of a video: z = 2 mean over squares of `factor` pixels - 1."""
    return 2 * avg_pool2d(video, factor) - 1


class MixturePrior(VideoPrior[tuple[Tensor, Tensor]]):
    """The mixture behind the interface; a prompt is a component's name, the empty prompt is all of them.

    The latent is the video, averaged over squares of `factor` pixels and scaled to [-1, 1].
    """

    def __init__(
        self,
        mixture: Mixture,
        video_format: VideoFormat,
        *,
        parametrisation: Parametrisation = V_PREDICTION,
        signal: Callable[[float], Signal] = signal_cosine,
        factor: int = 1,
    ):
        self.mixture, self.format, self.factor = mixture, video_format, factor
        self.parametrisation, self.weighting, self._signal = parametrisation, parametrisation.weighting, signal

    def condition(
        self, prompt: str, negative: str = "", *, reference: Reference | None = None
    ) -> tuple[Tensor, Tensor]:
        """Component weights for the prompt and for the negative prompt."""
        return self._weights(prompt), self._weights(negative)

    def _weights(self, prompt: str) -> Float[Tensor, "components"]:
        if prompt and prompt not in self.mixture.names:
            raise PriorError(f"This prior knows {', '.join(self.mixture.names)}, not '{prompt}'.")
        chosen = torch.tensor([not prompt or name == prompt for name in self.mixture.names])
        return self.mixture.weights * chosen.to(self.mixture.weights)

    def encode(
        self, video: Float[Tensor, "frames 3 height width"]
    ) -> Float[Tensor, "frames 3 small_height small_width"]:
        """`block_means` of the video."""
        return block_means(video, self.factor)

    def signal(self, t: float) -> Signal:
        """The noise schedule that the prior was made with."""
        return self._signal(t)

    def predict_clean(
        self, noisy: Float[Tensor, "*latent"], t: float, condition: tuple[Tensor, Tensor], guidance: float
    ) -> Float[Tensor, "*latent"]:
        """The exact clean estimate, by way of what a network of this parametrisation would predict."""
        signal = self.signal(t)
        text, null = (
            self.parametrisation.output(noisy, posterior_mean(self.mixture, noisy, signal, weights), signal)
            for weights in condition
        )
        output = text if guidance == 1.0 else guide(null, text, guidance)
        return self.parametrisation.clean(noisy, output, signal)

    def decode(
        self, latent: Float[Tensor, "frames 3 small_height small_width"]
    ) -> Float[Tensor, "frames 3 height width"]:
        """Every number of the latent as a square of one colour."""
        return interpolate((latent + 1) / 2, scale_factor=self.factor).clamp(0, 1)
