"""The three things that video diffusion models predict, and the clean video that follows from each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True)
class Signal:
    """How much of the clean latent and of the noise is in z_t = a z + s e."""

    a: float
    """Factor of the clean latent."""
    s: float
    """Factor of the noise."""


def signal_cosine(t: float) -> Signal:
    """a = cos(pi t / 2), s = sin(pi t / 2)."""
    return Signal(math.cos(math.pi * t / 2), math.sin(math.pi * t / 2))


def signal_flow(t: float) -> Signal:
    """a = 1 - t, s = t (rectified flow)."""
    return Signal(1.0 - t, t)


def signal_of_alphas(alphas_cumprod: Float[Tensor, "timesteps"], t: float) -> Signal:
    """a^2 = alphas_cumprod[i], s^2 = 1 - a^2 with the model's integer timestep i = `timestep_of(t)`."""
    alpha = float(alphas_cumprod[timestep_of(t, len(alphas_cumprod))])
    return Signal(math.sqrt(alpha), math.sqrt(1.0 - alpha))


def timestep_of(t: float, timesteps: int) -> int:
    """i = round(t (timesteps - 1)): t = 0 is the cleanest level that the model knows, t = 1 the noisiest."""
    return round(t * (timesteps - 1))


def guide(null: Float[Tensor, "*latent"], text: Float[Tensor, "*latent"], guidance: float) -> Float[Tensor, "*latent"]:
    """null + g (text - null), in float32 at least: at g = 100 half precision would lose the difference."""
    null, text = precise(null), precise(text)
    return null + guidance * (text - null)


def precise(numbers: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
    """The numbers in float32, or in float64 if they are."""
    return numbers.to(torch.promote_types(numbers.dtype, torch.float32))


def clean_from_v(
    noisy: Float[Tensor, "*latent"], v: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """x0 = a z_t - s v. AKD's text prints a z_t - v; the factor s belongs there, as in the models' own samplers."""
    return signal.a * noisy - signal.s * v


def clean_from_noise(
    noisy: Float[Tensor, "*latent"], noise: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """x0 = (z_t - s e) / a."""
    return (noisy - signal.s * noise) / signal.a


def clean_from_flow(
    noisy: Float[Tensor, "*latent"], v: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """x0 = z_t - t v, with t = s."""
    return noisy - signal.s * v


def v_from_clean(
    noisy: Float[Tensor, "*latent"], clean: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """v = (a z_t - x0) / s, the inverse of `clean_from_v`."""
    return (signal.a * noisy - clean) / signal.s


def noise_from_clean(
    noisy: Float[Tensor, "*latent"], clean: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """e = (z_t - a x0) / s, the inverse of `clean_from_noise`."""
    return (noisy - signal.a * clean) / signal.s


def flow_from_clean(
    noisy: Float[Tensor, "*latent"], clean: Float[Tensor, "*latent"], signal: Signal
) -> Float[Tensor, "*latent"]:
    """v = (z_t - x0) / t, the inverse of `clean_from_flow`."""
    return (noisy - clean) / signal.s


def weight_one(signal: Signal) -> float:
    """w = 1: the gradient of AKD's equation 7 as it stands."""
    return 1.0


def weight_noise(signal: Signal) -> float:
    """w = a / s: makes w (z - x0) the noise residual e_hat - e of AKD's equation 4, which stays finite as a -> 0."""
    return signal.a / signal.s


def weight_variance(signal: Signal) -> float:
    """w = a s: DreamFusion's s^2 (e_hat - e), small at both ends."""
    return signal.a * signal.s


Weighting = Callable[[Signal], float]
"""The weight w(t) of a score as a function of the signal at t."""


@dataclass(frozen=True)
class Parametrisation:
    """What a network predicts, and the weighting that keeps its score gradient finite at every level."""

    clean: Callable[[Tensor, Tensor, Signal], Tensor]
    """The clean estimate from the noisy latent and the network's output."""
    output: Callable[[Tensor, Tensor, Signal], Tensor]
    """The output that a perfect network gives, from the noisy latent and the clean estimate."""
    weighting: Weighting
    """The weight w(t) that goes with this output."""


V_PREDICTION = Parametrisation(clean_from_v, v_from_clean, weight_one)
"""The network predicts v = a e - s z (CogVideoX, the embedded prior)."""
NOISE_PREDICTION = Parametrisation(clean_from_noise, noise_from_clean, weight_noise)
"""The network predicts the noise e (3D U-Nets)."""
RECTIFIED_FLOW = Parametrisation(clean_from_flow, flow_from_clean, weight_one)
"""The network predicts the flow e - z (Wan, LTX)."""
