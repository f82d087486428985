"""Adam as a function from one state to the next, so that a stopped run resumes to the same bytes."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.distill.motion_parameters import Coefficients

BETAS = (0.9, 0.99)
"""Decay of the two moments."""
EPSILON = 1e-8
"""Added to the root of the second moment."""


@dataclass(frozen=True)
class AdamMoments:
    """Running moments of the gradients."""

    first: Coefficients
    """Running mean of the gradients."""
    second: Coefficients
    """Running mean of the squared gradients."""
    count: int = 0
    """Number of steps taken."""


def adam_step(
    coefficients: Coefficients, moments: AdamMoments, gradients: Coefficients, learning_rate: float
) -> tuple[Coefficients, AdamMoments]:
    """Coefficients and moments after the n-th step.

    m = b1 m + (1 - b1) g, v = b2 v + (1 - b2) g^2, x = x - rate (m / (1 - b1^n)) / (sqrt(v / (1 - b2^n)) + 1e-8).
    """
    (b1, b2), n = BETAS, moments.count + 1
    moved, means, squares = [], [], []
    for x, m, v, g in zip(coefficients, moments.first, moments.second, gradients, strict=True):
        mean, square = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        means.append(mean)
        squares.append(square)
        moved.append(x - learning_rate * (mean / (1 - b1**n)) / ((square / (1 - b2**n)).sqrt() + EPSILON))
    return tuple(moved), AdamMoments(tuple(means), tuple(squares), n)
