"""Which noise level t, and how much guidance, at which step of a run: schedules as types."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from gambol.errors import PriorError


@dataclass(frozen=True)
class Ramp:
    """A number that goes linearly from `start` to `end` over the first `steps` steps, then stays."""

    start: float
    """Value at step 0."""
    end: float
    """Value from step `steps` on."""
    steps: int
    """Number of steps from `start` to `end`."""

    def at(self, step: int) -> float:
        """start + (end - start) min(step / steps, 1)."""
        return self.start + (self.end - self.start) * min(step / max(self.steps, 1), 1.0)


@dataclass(frozen=True)
class Constant:
    """A number that does not change."""

    value: float
    """The number."""

    def at(self, step: int) -> float:
        """The value, whatever the step."""
        return self.value


Schedule = Ramp | Constant
"""A number as a function of the optimiser step."""


@dataclass(frozen=True)
class FallingBound:
    """t uniform in [low, upper bound], the bound falling: AKD's schedule (the defaults are the paper's)."""

    low: float = 0.02
    """Lowest noise level."""
    high: Schedule = Ramp(0.98, 0.5, 5000)
    """Upper bound of the noise level at each step."""

    def __post_init__(self) -> None:
        _check_levels(self.low, self.high.at(0), "FallingBound")
        _check_levels(self.low, self.high.at(2**62), "FallingBound")

    def draw(self, step: int, generator: torch.Generator) -> float:
        """t = low + u (high(step) - low)."""
        return self.low + _uniform(generator) * (self.high.at(step) - self.low)


@dataclass(frozen=True)
class AnnealedDraw:
    """t from the levels that a rectified flow was trained on, the noisy ones first (after CHORD).

    Training draws t = shift u / (1 + (shift - 1) u) with u uniform in [0, 1]. Here u is uniform in a window that slides
    from the noisy end of the training distribution to the clean one, so every level gets its turn.
    """

    steps: int
    """Steps until the window has reached the clean end."""
    shift: float = 5.0
    """The shift of the model's training: Wan 3 (480 p) or 5 (720 p); 1 is uniform."""
    window: float = 0.4
    """Part of the training distribution that is drawn from at a time."""
    low: float = 0.02
    """Lowest noise level."""
    high: float = 0.98
    """Highest noise level."""

    def __post_init__(self) -> None:
        _check_levels(self.low, self.high, "AnnealedDraw")
        if not (0 < self.window <= 1 and self.shift > 0 and self.steps > 0):
            raise PriorError(
                f"AnnealedDraw was given window {self.window}, shift {self.shift}, steps {self.steps}: the window lies "
                "in (0, 1], shift and steps are positive."
            )

    def draw(self, step: int, generator: torch.Generator) -> float:
        """u in [top - window, top], top falling from 1 to window; then t = shift u / (1 + (shift - 1) u)."""
        top = Ramp(1.0, self.window, self.steps).at(step)
        u = top - self.window * _uniform(generator)
        return min(max(self.shift * u / (1 + (self.shift - 1) * u), self.low), self.high)


Levels = FallingBound | AnnealedDraw
"""How noise levels are drawn at each optimiser step."""


def _uniform(generator: torch.Generator) -> float:
    return float(torch.rand((), generator=generator, dtype=torch.float64))


def _check_levels(low: float, high: float, name: str) -> None:
    if not 0 < low <= high <= 1:
        raise PriorError(f"{name} was given levels from {low} to {high}; they must fulfil 0 < low <= high <= 1.")
