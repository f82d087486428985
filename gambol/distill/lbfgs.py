"""Fitting to a film that stays as it is: limited-memory BFGS, one look at the loss in each step.

The loss has thousands of coefficients that pull at each other (hip, knee and foot all move the foot) and no noise, so
what the last gradients tell of its curvature is worth more than single signs of them. `Search` is all that a next step
needs: a stopped fit goes on from it to the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

PAIRS = 12
"""Steps that curvature is learnt from."""
ENOUGH = 1e-4
"""A trial is taken if the loss falls by this share of what the slope promises (Armijo)."""
SHORTER = 0.35
"""A trial that is not taken is followed by one this much shorter."""
SHORTEST = 0.02
"""Below that the curvature is forgotten, and the search goes straight down again."""
Vector = Float[Tensor, "numbers"]


@dataclass(frozen=True)
class Search:
    """The best point so far and where the loss is looked at next: point + length * direction."""

    point: Vector
    loss: float
    gradient: Vector
    direction: Vector
    length: float
    steps: Float[Tensor, "pairs numbers"]
    """s: the last steps that were taken,"""
    changes: Float[Tensor, "pairs numbers"]
    """y: and by what the gradient changed in each."""

    @property
    def trial(self) -> Vector:
        """Where the loss is to be looked at."""
        return self.point + self.length * self.direction


def first_search(point: Vector) -> Search:
    """A search that first looks at its start."""
    nothing, none = torch.zeros_like(point), point.new_zeros(0, len(point))
    return Search(point, float("inf"), nothing, nothing, 0.0, none, none)


def look(search: Search, loss: float, gradient: Vector, *, first_step: float) -> Search:
    """The search after it has seen loss and gradient at its trial; the first step is `first_step` long."""
    slope = float(search.gradient @ search.direction)
    if not loss <= search.loss + ENOUGH * search.length * slope:  # NaN is never taken
        if search.length * SHORTER >= SHORTEST or not len(search.steps):
            return replace(search, length=search.length * SHORTER)
        none = search.steps[:0]
        return downhill(replace(search, steps=none, changes=none), first_step)
    point, steps, changes = search.trial, search.steps, search.changes
    s, y = point - search.point, gradient - search.gradient
    if float(s @ y) > 1e-10 * float(y @ y):
        steps, changes = (torch.cat([old, new[None]])[-PAIRS:] for old, new in ((steps, s), (changes, y)))
    return downhill(Search(point, loss, gradient, gradient, 1.0, steps, changes), first_step)


def downhill(search: Search, first_step: float) -> Search:
    """The same with the next trial: along -H g, or straight down by `first_step` while nothing is known of H."""
    if not len(search.steps):
        length = first_step / max(float(search.gradient.norm()), 1e-30)
        return replace(search, direction=-search.gradient, length=length)
    return replace(search, direction=-inverse_hessian(search, search.gradient), length=1.0)


def inverse_hessian(search: Search, gradient: Vector) -> Vector:
    """H g of L-BFGS: two loops over the pairs (s, y) around H0 = s.y / y.y of the last one (Nocedal, 1980)."""
    s, y = search.steps, search.changes
    rho = 1.0 / (s * y).sum(1)
    q, alphas = gradient, []
    for k in range(len(s) - 1, -1, -1):
        alphas.append(rho[k] * (s[k] @ q))
        q = q - alphas[-1] * y[k]
    q = q * (s[-1] @ y[-1]) / (y[-1] @ y[-1])
    for k in range(len(s)):
        q = q + (alphas.pop() - rho[k] * (y[k] @ q)) * s[k]
    return q
