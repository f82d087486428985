"""Structural similarity of pictures (Wang et al. 2004), differentiable and quick on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.compile_kernel import kernel

SSIM_SIGMA, SSIM_RADIUS = 1.5, 5
"""Standard deviation and radius of the Gaussian window, pixels."""
SSIM_C1, SSIM_C2 = 0.01**2, 0.03**2
"""Constants that keep the quotient finite, for values from 0 to 1."""
SSIM_WINDOW = np.exp(-0.5 * (np.arange(-SSIM_RADIUS, SSIM_RADIUS + 1) / SSIM_SIGMA) ** 2).astype(np.float32)
SSIM_WINDOW /= SSIM_WINDOW.sum()
"""The window's weights along one axis, which sum to 1."""


def ssim(a: Float[Tensor, "*pictures height width"], b: Float[Tensor, "*pictures height width"]) -> Float[Tensor, ""]:
    """Structural similarity of two pictures, 1 where they are equal; differentiable.

    Mean of (2 m_a m_b + C1) (2 s_ab + C2) / ((m_a^2 + m_b^2 + C1) (s_a^2 + s_b^2 + C2)) of local means m and
    variances s.
    """
    m_a, m_b, aa, bb, ab = blur(torch.stack([a, b, a * a, b * b, a * b])).unbind(0)
    same = (2.0 * m_a * m_b + SSIM_C1) * (2.0 * (ab - m_a * m_b) + SSIM_C2)
    return (same / ((m_a**2 + m_b**2 + SSIM_C1) * (aa - m_a**2 + bb - m_b**2 + SSIM_C2))).mean()


def blur(pictures: Float[Tensor, "*pictures height width"]) -> Float[Tensor, "*pictures height width"]:
    """Local means under the Gaussian window; pictures are 0 beyond their edges."""
    quick = pictures.device.type == "cpu" and pictures.dtype == torch.float32
    return _Blur.apply(pictures) if quick else blur_by_bands(pictures)


def blur_by_bands(pictures: Float[Tensor, "*pictures height width"]) -> Float[Tensor, "*pictures height width"]:
    """`blur` as products with banded matrices, W x W^T, on any device and in any precision; the kernel's twin."""
    return _band(pictures.shape[-2], pictures) @ pictures @ _band(pictures.shape[-1], pictures)


class _Blur(torch.autograd.Function):
    """The window is symmetric, so the gradient is blurred just as the picture was."""

    @staticmethod
    def forward(ctx: Any, pictures: Tensor) -> Tensor:
        flat = pictures.detach().reshape(-1, *pictures.shape[-2:]).contiguous()
        return torch.from_numpy(_blur_rows(flat.numpy(), SSIM_WINDOW)).reshape(pictures.shape)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return _Blur.apply(gradients[0])


@kernel(fastmath=True)
def _blur_rows(pictures, window):
    # rows with room at both ends: indices that cannot be negative let the compiler use vector instructions
    count, height, width = pictures.shape
    reach, taps = len(window) // 2, len(window)
    result = np.zeros_like(pictures)
    padded = np.zeros(width + taps - 1, np.float32)
    across = np.zeros((height + taps - 1, width), np.float32)
    for n in range(count):
        for y in range(height):
            padded[reach : reach + width] = pictures[n, y]
            target = across[y + reach]
            target[:] = 0.0
            for k in range(taps):
                weight = window[k]
                for x in range(width):
                    target[x] += weight * padded[x + k]
        for y in range(height):
            target = result[n, y]
            for k in range(taps):
                weight, source = window[k], across[y + k]
                for x in range(width):
                    target[x] += weight * source[x]
    return result


def _band(size: int, like: Tensor) -> Float[Tensor, "size size"]:
    window = torch.as_tensor(SSIM_WINDOW, dtype=like.dtype, device=like.device)
    places = torch.arange(size, device=like.device)
    apart = places[:, None] - places[None, :]
    return torch.where(apart.abs() <= SSIM_RADIUS, window[(apart + SSIM_RADIUS).clamp(0, 2 * SSIM_RADIUS)], 0.0)
