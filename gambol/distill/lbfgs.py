"""Limited-memory BFGS with one evaluation of the loss per step, as a function from one state to the next.

A fit to a fixed target has thousands of coupled coefficients (hip, knee and foot all move the foot) and no noise, so
curvature from the last gradients is worth more than their signs. `LBFGS` is all that a next step needs: a stopped fit
resumes from it to the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

HISTORY = 12
"""Number of past steps that curvature is estimated from."""
ARMIJO = 1e-4
"""A trial is accepted if the loss falls by this share of what the slope promises (Armijo condition)."""
BACKTRACKING = 0.35
"""Factor of the step length after a trial that is not accepted (line search)."""
LEAST_STEP_LENGTH = 0.02
"""Below this step length the history is discarded, and the next step follows the negative gradient."""
Vector = Float[Tensor, "numbers"]
"""All coefficients in one row."""


@dataclass(frozen=True)
class LBFGS:
    """State of the optimiser: the best point so far, and the next trial, point + step_length * direction."""

    point: Vector
    """Best point so far."""
    loss: float
    """Loss at the point; infinite before the first evaluation."""
    gradient: Vector
    """Gradient at the point."""
    direction: Vector
    """Direction of the line search."""
    step_length: float
    """Length of the next trial step, in directions."""
    history_steps: Float[Tensor, "pairs numbers"]
    """s: the last accepted steps."""
    history_changes: Float[Tensor, "pairs numbers"]
    """y: change of the gradient in each of them."""

    @property
    def trial(self) -> Vector:
        """The point at which the loss is to be evaluated next."""
        return self.point + self.step_length * self.direction


def init_lbfgs(point: Vector) -> LBFGS:
    """The state whose first trial is its start."""
    nothing, none = torch.zeros_like(point), point.new_zeros(0, len(point))
    return LBFGS(point, float("inf"), nothing, nothing, 0.0, none, none)


def lbfgs_step(state: LBFGS, loss: float, gradient: Vector, *, first_step: float) -> LBFGS:
    """The state after loss and gradient have been evaluated at its trial; the first step is `first_step` long."""
    slope = float(state.gradient @ state.direction)
    if not loss <= state.loss + ARMIJO * state.step_length * slope:  # NaN is never accepted
        if state.step_length * BACKTRACKING >= LEAST_STEP_LENGTH or not len(state.history_steps):
            return replace(state, step_length=state.step_length * BACKTRACKING)
        none = state.history_steps[:0]
        return with_direction(replace(state, history_steps=none, history_changes=none), first_step)
    point, steps, changes = state.trial, state.history_steps, state.history_changes
    s, y = point - state.point, gradient - state.gradient
    if float(s @ y) > 1e-10 * float(y @ y):
        steps, changes = (torch.cat([old, new[None]])[-HISTORY:] for old, new in ((steps, s), (changes, y)))
    return with_direction(LBFGS(point, loss, gradient, gradient, 1.0, steps, changes), first_step)


def with_direction(state: LBFGS, first_step: float) -> LBFGS:
    """The state with its next trial: along -H g, or along -g by `first_step` while there is no history."""
    if not len(state.history_steps):
        length = first_step / max(float(state.gradient.norm()), 1e-30)
        return replace(state, direction=-state.gradient, step_length=length)
    return replace(state, direction=-inverse_hessian(state, state.gradient), step_length=1.0)


def inverse_hessian(state: LBFGS, gradient: Vector) -> Vector:
    """H g of L-BFGS: two loops over the pairs (s, y) around H0 = s.y / y.y of the last pair (Nocedal, 1980)."""
    s, y = state.history_steps, state.history_changes
    rho = 1.0 / (s * y).sum(1)
    q, alphas = gradient, []
    for k in range(len(s) - 1, -1, -1):
        alphas.append(rho[k] * (s[k] @ q))
        q = q - alphas[-1] * y[k]
    q = q * (s[-1] @ y[-1]) / (y[-1] @ y[-1])
    for k in range(len(s)):
        q = q + (alphas.pop() - rho[k] * (y[k] @ q)) * s[k]
    return q
