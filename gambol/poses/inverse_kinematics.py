"""Inverse kinematics on the pose space: joints are pulled to targets, the rest of the body follows plausibly.

The start pose is inverted to a noisy one; while it is denoised again every clean estimate takes a step towards the
handles (ViPS); Gauss-Newton steps then bring the handles exactly to their targets, while the validators act in the
directions that leave the handles where they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gambol.character.skeleton import Skeleton, find_joint
from gambol.errors import ConfigError
from gambol.poses.pose_diffusion import denoise_poses, invert_poses
from gambol.poses.pose_parameters import PoseParameters, pose_bones
from gambol.poses.pose_rig import PoseRig
from gambol.poses.pose_space import PoseSpace, energy_and_gradient

BONE_END = ":end"
"""Suffix of a handle's name that stands for the far end of the bone instead of its joint."""
HANDLE_EDIT_LEVEL = 0.6
"""Noise level that the start pose is inverted to: high enough to change the pose, too low to forget it."""
HANDLE_GUIDE_SHARE = 0.5
"""Share of a Gauss-Newton step towards the handles that each clean estimate takes."""
REFINEMENT_STEPS = 36
"""Most Gauss-Newton steps that follow the denoising."""
LEAST_SQUARES_STEPS = 60
"""Most steps of plain damped least squares."""
REFINEMENT_PATIENCE = 12
"""The refinement stops after this many steps without improvement, once all handles have converged."""
HANDLE_REACHED = 0.01
"""A handle this close to its target counts as reached, sizes."""
HANDLE_CONVERGED = 1e-3
"""A handle this close to its target needs no further steps, sizes."""
HANDLE_DAMPING = 1e-4
"""Damping c of the Gauss-Newton steps."""


@dataclass(frozen=True)
class Handles:
    """Points on bones and the positions they are pulled to, in sizes."""

    bones: Int[Tensor, "handles"]
    """Bone that carries each point."""
    points: Float[Tensor, "handles 3"]
    """Position of each point in the rest pose."""
    targets: Float[Tensor, "handles 3"]
    """Position that each point is pulled to."""


@dataclass(frozen=True)
class HandleSolution:
    """A pose that follows its handles."""

    x: PoseParameters
    """The pose; one row."""
    distances: Float[Tensor, "handles"]
    """Distance of each handle from its target, sizes."""

    @property
    def reached(self) -> bool:
        """Whether all handles are at their targets, to `HANDLE_REACHED`."""
        return bool((self.distances <= HANDLE_REACHED).all())


def find_handles(rig: PoseRig, targets: Mapping[str, Sequence[float]]) -> Handles:
    """Handles from joint names and target positions in metres; `NAME:end` is the far end of a bone.

    Names are matched by `find_joint`: case and a prefix that all bones share do not matter.
    """
    if not targets:
        raise ConfigError("No handle is given. Name a joint and its target in metres, such as hand.L=0.3,1.2,-0.4.")
    bones, points, positions = [], [], []
    for name, target in targets.items():
        bone, at_end = find_handle_point(rig.skeleton, name)
        try:
            position = np.asarray(target, dtype=np.float64)
        except (TypeError, ValueError):
            position = np.zeros(0)
        if position.shape != (3,) or not np.isfinite(position).all():
            raise ConfigError(f"The handle '{name}' needs a target x, y, z in metres, not {target!r}.")
        bones.append(bone)
        points.append(rig.skeleton.tails[bone] if at_end else rig.skeleton.heads[bone])
        positions.append(position / rig.size)
    at_rest, wanted = (torch.tensor(np.array(x)).float() for x in (points, positions))
    return Handles(torch.tensor(bones), at_rest, wanted)


def find_handle_point(skeleton: Skeleton, name: str) -> tuple[int, bool]:
    """The bone that a handle's name stands for, and whether it means the bone's far end."""
    if not isinstance(name, str):
        raise ConfigError(f"A handle is named by its joint, a string, not by {name!r}.")
    if name not in skeleton.names and name.lower().endswith(BONE_END):
        return find_joint(skeleton, name[: -len(BONE_END)]), True
    return find_joint(skeleton, name), False


def solve_handles(space: PoseSpace, start: PoseParameters, handles: Handles) -> HandleSolution:
    """The plausible pose near `start` (one pose) whose handles are at their targets, or as close as they get."""
    rig = space.rig
    noisy = invert_poses(space.network, space.features, start, start_level=HANDLE_EDIT_LEVEL)

    def guide(clean: PoseParameters, t: float) -> PoseParameters:
        return clean + HANDLE_GUIDE_SHARE * handle_step(rig, clean, handles)[0]

    edited = denoise_poses(space.network, space.features, noisy, start_level=HANDLE_EDIT_LEVEL, guide=guide)
    found = refine_handles(rig, edited, handles)
    if not found.reached:  # a local minimum of the space: solutions that ignore it may come closer
        others = (refine_handles(rig, start, handles), least_squares_pose(rig, start, handles))
        found = min((found, *others), key=lambda solution: float(solution.distances.max()))
    return found


def refine_handles(
    rig: PoseRig, x: PoseParameters, handles: Handles, *, steps: int = REFINEMENT_STEPS
) -> HandleSolution:
    """Gauss-Newton on the handles; in the directions that do not move them, descent on the violation energy.

    d = J^T (J J^T + c)^-1 e - (1 - J^+ J) g, in pose parameters: joints with a large range move first.
    """
    best, best_cost, waited = x, float("inf"), 0
    for _ in range(steps):
        energy, gradient = energy_and_gradient(rig, x)
        step, J, error = handle_step(rig, x, handles)
        farthest = float(error.norm(dim=-1).max())
        cost = farthest + 0.002 * float(energy) * (farthest < HANDLE_REACHED)
        improves = cost < 0.99 * best_cost
        waited = 0 if improves else waited + 1
        if cost < best_cost:
            best, best_cost = x, cost
        if farthest < HANDLE_CONVERGED and (float(energy) < 1e-6 or waited >= REFINEMENT_PATIENCE):
            break
        # the validators' step, without the part that would move the handles
        steepest = gradient.abs().amax().clamp_min(1e-9)
        down = gradient / steepest * min(0.1, 0.5 * float(energy / steepest))
        flat = down.flatten()
        gram = J @ J.T + 1e-6 * torch.eye(len(J))
        free = flat - J.T @ torch.linalg.solve(gram, J @ flat)
        x = x + step - free.reshape(x.shape)
    return HandleSolution(best, handle_errors(rig, best, handles).norm(dim=-1))


def handle_step(
    rig: PoseRig, x: PoseParameters, handles: Handles, *, weights: Float[Tensor, "bones 3"] | None = None
) -> tuple[PoseParameters, Float[Tensor, "rows parameters"], Float[Tensor, "handles 3"]]:
    """Damped Gauss-Newton step of one pose towards the handles, the Jacobian J, and the remaining errors e.

    d = W J^T (J W J^T + c)^-1 e; no parameter changes by more than 1.
    """
    J, positions = handle_jacobian(rig, x, handles)
    error = handles.targets - positions
    W = torch.ones(J.shape[1]) if weights is None else weights.flatten()
    step = W * (J.T @ torch.linalg.solve((J * W) @ J.T + HANDLE_DAMPING * torch.eye(len(J)), error.flatten()))
    step = step / step.abs().max().clamp_min(1.0)
    return step.reshape(x.shape), J, error


@torch.no_grad()
def handle_jacobian(
    rig: PoseRig, x: PoseParameters, handles: Handles
) -> tuple[Float[Tensor, "rows parameters"], Float[Tensor, "handles 3"]]:
    """Derivative of the handles' positions with respect to one pose's parameters, and the positions.

    dp = (R_b J_r(w) e_k) x (p - head_b) for every bone b that carries the handle, with
    J_r = 1 - (1 - cos h)/h^2 [w] + (h - sin h)/h^3 [w]^2; the root's three are its height and the axes of roll and
    pitch.
    """
    posed, scaled = pose_bones(rig, x), x[0] * rig.parameter_scale
    R, heads = posed.T_world_bone[0, :, :3, :3], posed.heads[0]
    axes = R @ right_jacobian(scaled)
    c, s = scaled[0, 2].cos(), scaled[0, 2].sin()
    axes[0] = R[0] @ torch.stack([torch.zeros(3), torch.stack([s, c, 0.0 * c]), torch.tensor([0.0, 0.0, 1.0])], 1)
    positions = posed.carry(handles.points, handles.bones)[0]
    levers = positions[:, None] - heads
    J = torch.linalg.cross(axes[None].transpose(-1, -2), levers[:, :, None])
    J = J * ancestor_mask(rig.skeleton)[handles.bones][:, :, None, None]
    J[:, 0, 0] = torch.tensor([0.0, 1.0, 0.0])
    return (J * rig.parameter_scale[..., None]).permute(0, 3, 1, 2).flatten(2).flatten(0, 1), positions


def right_jacobian(w: Float[Tensor, "bones 3"]) -> Float[Tensor, "bones 3 3"]:
    """J_r of rotation vectors: exp(w + dw) = exp(w) exp(J_r dw) to first order; smooth at 0."""
    square = (w * w).sum(-1)
    small = square < 1e-4
    h = torch.where(small, torch.ones_like(square), square).sqrt()
    A = torch.where(small, 0.5 - square / 24.0, (1.0 - h.cos()) / (h * h))[:, None, None]
    B = torch.where(small, 1.0 / 6.0 - square / 120.0, (h - h.sin()) / h**3)[:, None, None]
    K = torch.linalg.cross(w[:, None].expand(-1, 3, 3), torch.eye(3).expand(len(w), 3, 3)).transpose(-1, -2)
    return torch.eye(3) - A * K + B * (K @ K)


def ancestor_mask(skeleton: Skeleton) -> Bool[Tensor, "bones bones"]:
    """[a, b] is True if bone b is bone a or one of its ancestors."""
    mask = np.eye(len(skeleton), dtype=bool)
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0:
            mask[bone] |= mask[parent]
    return torch.from_numpy(mask)


def handle_positions(rig: PoseRig, x: PoseParameters, handles: Handles) -> Float[Tensor, "poses handles 3"]:
    """Positions of the handles' points in each pose, sizes; differentiable."""
    return pose_bones(rig, x).carry(handles.points, handles.bones)


def handle_errors(rig: PoseRig, x: PoseParameters, handles: Handles) -> Float[Tensor, "handles 3"]:
    """Vectors from the handles' positions in one pose to their targets, sizes."""
    with torch.no_grad():
        return handles.targets - handle_positions(rig, x, handles)[0]


def least_squares_pose(
    rig: PoseRig, start: PoseParameters, handles: Handles, *, steps: int = LEAST_SQUARES_STEPS
) -> HandleSolution:
    """Plain damped least squares on the joint angles, without the pose space: the baseline of `solve_handles`."""
    x, weights = start, rig.parameter_scale.reciprocal().square()
    weights = weights / weights[1:].mean() if len(weights) > 1 else weights
    for _ in range(steps):
        step, _, error = handle_step(rig, x, handles, weights=weights)
        if float(error.norm(dim=-1).max()) < HANDLE_CONVERGED:
            break
        x = x + step
    return HandleSolution(x, handle_errors(rig, x, handles).norm(dim=-1))
