"""Dragging joints by hand: a few warm-started Gauss-Newton steps for every move of the pointer.

The pose is the one nearest to where the drag began, in the pose space's metric, that brings the handles to their
targets: min |x - x_0|^2 + |p(x) - target|^2 / s^2. Pose parameters have about unit variance, so joints that bend much
in real poses bend first. The full projection (`solve_handles`) follows when the joint is let go.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.poses.inverse_kinematics import (
    HANDLE_CONVERGED,
    Handles,
    HandleSolution,
    handle_errors,
    handle_jacobian,
    solve_handles,
)
from gambol.poses.pose_parameters import PoseParameters
from gambol.poses.pose_rig import PoseRig
from gambol.poses.pose_space import PoseSpace, energy_and_gradient

DRAG_PRECISION = 0.003
"""s: a distance of a handle from its target that weighs as much as one unit of a pose parameter, sizes."""
DRAG_ITERATIONS = 4
"""Most Gauss-Newton steps for one move."""
LARGEST_DRAG_STEP = 0.5
"""Largest change of a pose parameter in one step."""
VALIDATOR_STEP = 0.1
"""Largest change of a pose parameter by the validators in one move."""
VALIDATOR_PATIENCE = 1e-6
"""Violation energy that needs no step of the validators."""


@dataclass(frozen=True)
class Drag:
    """A pose while it is dragged."""

    start: PoseParameters
    """The pose that the drag began with; one row."""
    x: PoseParameters
    """The pose now; one row."""


def start_drag(start: PoseParameters) -> Drag:
    """A drag that has not moved yet."""
    return Drag(start, start)


def move_drag(rig: PoseRig, drag: Drag, handles: Handles, *, iterations: int = DRAG_ITERATIONS) -> Drag:
    """Follow the handles' targets from the pose now; the validators act in the directions that leave handles alone."""
    x = drag.x
    for _ in range(iterations):
        J, positions = handle_jacobian(rig, x, handles)
        step = drag_step(drag.start - x, J, handles.targets - positions)
        x = x + step / (step.abs().max() / LARGEST_DRAG_STEP).clamp_min(1.0)
        if float(step.abs().max()) < HANDLE_CONVERGED:
            break
    return replace(drag, x=_validated(rig, x, handles))


def release_drag(space: PoseSpace, drag: Drag, handles: Handles) -> HandleSolution:
    """The full projection: the plausible pose near the dragged one whose handles are at their targets."""
    return solve_handles(space, drag.x, handles)


def drag_step(
    back: PoseParameters, J: Float[Tensor, "rows parameters"], error: Float[Tensor, "handles 3"]
) -> PoseParameters:
    """Gauss-Newton step d of min |d - b|^2 + |J d - e|^2 / s^2: d = b + J^T (J J^T + s^2)^-1 (e - J b).

    b leads back to the start pose, e to the targets. The matrix has one row for each coordinate of a handle, so the
    solve takes no longer for many bones.
    """
    b = back.flatten()
    gram = J @ J.T + DRAG_PRECISION**2 * torch.eye(len(J))
    return (b + J.T @ torch.linalg.solve(gram, error.flatten() - J @ b)).reshape(back.shape)


def _validated(rig: PoseRig, x: PoseParameters, handles: Handles) -> PoseParameters:
    """One step down the violation energy, without the part that moves handles, where it lowers the energy."""
    energy, gradient = energy_and_gradient(rig, x)
    if float(energy) < VALIDATOR_PATIENCE:
        return x
    J, _ = handle_jacobian(rig, x, handles)
    flat = gradient.flatten()
    free = flat - J.T @ torch.linalg.solve(J @ J.T + HANDLE_CONVERGED**2 * torch.eye(len(J)), J @ flat)
    steepest = free.abs().max().clamp_min(1e-9)
    length = min(VALIDATOR_STEP, 0.5 * float(energy) / float(steepest)) / float(steepest)
    lower = x - (length * free).reshape(x.shape)
    errors = [float(handle_errors(rig, pose, handles).norm(dim=-1).max()) for pose in (x, lower)]
    better = float(energy_and_gradient(rig, lower)[0]) < float(energy)
    return lower if better and errors[1] <= errors[0] + HANDLE_CONVERGED else x
