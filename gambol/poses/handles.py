"""Inverse kinematics on the pose space: joints are pulled to places, the rest of the body follows plausibly.

The current pose is inverted to a noisy one; on the way back every clean estimate takes a step towards the handles
(ViPS); at last Gauss-Newton steps bring the handles exactly there, while the validators act where the handles leave
freedom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from gambol.errors import AssetError
from gambol.poses.pose_diffusion import denoise, invert
from gambol.poses.pose_parameters import Numbers, Posed, pose
from gambol.poses.pose_rig import Rig
from gambol.poses.space import PoseSpace, energy_and_slope

EDITED_FROM = 0.6
"""The pose is inverted up to this level: enough to change it, not to forget it."""
PULL = 0.5
"""Part of the way to the handles that a clean estimate goes at each level."""
FINISH, PLAIN = 36, 60
"""Steps of the finish, and of plain least squares."""
PATIENCE = 12
"""Steps without a gain after which the finish stops, once the handles are reached."""
REACHED = 0.01
"""A handle that is this close, sizes, is reached."""
EXACT = 1e-3
"""The finish stops where all handles are closer than this, sizes, and nothing is wrong."""
DAMPING = 1e-4


@dataclass(frozen=True)
class Handles:
    """Joints and where they are to be, in sizes."""

    bones: Int[Tensor, "handles"]
    tips: Float[Tensor, "handles 3"]
    """The point of the bone that is pulled, in the rest pose."""
    targets: Float[Tensor, "handles 3"]


@dataclass(frozen=True)
class Projected:
    """A pose that follows its handles."""

    x: Numbers
    misses: Float[Tensor, "handles"]
    """How far each handle is from its target, sizes."""

    @property
    def reached(self) -> bool:
        """All handles are there."""
        return bool((self.misses <= REACHED).all())


def find_handles(rig: Rig, wanted: Mapping[str, Sequence[float]]) -> Handles:
    """Handles by name and place in metres; NAME is a joint, NAME:end the far end of its bone."""
    if not wanted:
        raise AssetError("No handle is given; name a joint and its place in metres: --handle hand.L=0.3,1.2,-0.4")
    bones, tips, targets = [], [], []
    for name, place in wanted.items():
        joint, _, end = name.partition(":")
        if end not in ("", "end"):
            raise AssetError(
                f"The handle '{name}' names a point '{end}'; there is only {joint}:end, the bone's far end."
            )
        bone = find_joint(rig, joint)
        point = np.asarray(place, dtype=np.float64)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise AssetError(f"The handle '{name}' needs a place x,y,z in metres, not {place}.")
        bones.append(bone)
        tips.append(rig.skeleton.tails[bone] if end else rig.skeleton.heads[bone])
        targets.append(point / rig.size)
    return Handles(torch.tensor(bones), torch.tensor(np.array(tips)).float(), torch.tensor(np.array(targets)).float())


def find_joint(rig: Rig, name: str) -> int:
    """The number of a joint by its name, without regard to case; the nearest name is offered where there is none."""
    names = [bone.lower() for bone in rig.skeleton.names]
    if name.lower() in names:
        return names.index(name.lower())
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.4)
    meant = f" Did you mean '{rig.skeleton.names[names.index(near[0])]}'?" if near else ""
    known = ", ".join(rig.skeleton.names[:24]) + (" ..." if len(names) > 24 else "")
    raise AssetError(f"There is no joint '{name}'.{meant} The joints are: {known}.")


def project_pose(space: PoseSpace, start: Numbers, handles: Handles) -> Projected:
    """The plausible pose near `start` (one) whose handles are at their targets, or as close as they get."""
    rig = space.rig
    noisy = invert(space.network, space.told, start, top=EDITED_FROM)

    def guide(clean: Numbers, t: float) -> Numbers:
        return clean + PULL * pull_step(rig, clean, handles)[0]

    found = finish(rig, denoise(space.network, space.told, noisy, top=EDITED_FROM, guide=guide), handles)
    if not found.reached:  # the way over the space ends in a corner: less plausible ways may lead on
        others = (finish(rig, start, handles), least_squares_pose(rig, start, handles))
        found = min((found, *others), key=lambda projected: float(projected.misses.max()))
    return found


def finish(rig: Rig, x: Numbers, handles: Handles, *, steps: int = FINISH) -> Projected:
    """Gauss-Newton on the handles; in the directions that leave them alone, down the validators' energy.

    d = J^T (J J^T + c)^-1 e - (1 - J^+ J) g, in numbers that count reaches: joints that move easily move first.
    """
    best, best_cost, waited = x, float("inf"), 0
    for _ in range(steps):
        energy, slope = energy_and_slope(rig, x)
        step, J, miss = pull_step(rig, x, handles)
        farthest = float(miss.norm(dim=-1).max())
        cost = farthest + 0.002 * float(energy) * (farthest < REACHED)
        gains = cost < 0.99 * best_cost
        waited = 0 if gains else waited + 1
        if cost < best_cost:
            best, best_cost = x, cost
        if farthest < EXACT and (float(energy) < 1e-6 or waited >= PATIENCE):
            break
        # the validators' step, without what would move the handles
        steepest = slope.abs().amax().clamp_min(1e-9)
        down = slope / steepest * min(0.1, 0.5 * float(energy / steepest))
        flat = down.flatten()
        gram = J @ J.T + 1e-6 * torch.eye(len(J))
        free = flat - J.T @ torch.linalg.solve(gram, J @ flat)
        x = x + step - free.reshape(x.shape)
    return Projected(best, place_misses(rig, best, handles).norm(dim=-1))


def pull_step(
    rig: Rig, x: Numbers, handles: Handles, *, weights: Float[Tensor, "bones 3"] | None = None
) -> tuple[Numbers, Float[Tensor, "rows numbers"], Float[Tensor, "handles 3"]]:
    """Damped Gauss-Newton step towards the handles, the Jacobian, and what is missing.

    d = W J^T (J W J^T + c)^-1 e; no number changes by more than 1.
    """
    J, places = place_slopes(rig, x, handles)
    miss = handles.targets - places
    W = torch.ones(J.shape[1]) if weights is None else weights.flatten()
    step = W * (J.T @ torch.linalg.solve((J * W) @ J.T + DAMPING * torch.eye(len(J)), miss.flatten()))
    step = step / step.abs().max().clamp_min(1.0)
    return step.reshape(x.shape), J, miss


@torch.no_grad()
def place_slopes(
    rig: Rig, x: Numbers, handles: Handles
) -> tuple[Float[Tensor, "rows numbers"], Float[Tensor, "handles 3"]]:
    """How the handles' places change with one pose's numbers, and the places.

    dp = (R_b J_r(w) e_k) x (p - head_b) for every bone b that carries the handle, with
    J_r = 1 - (1 - cos h)/h^2 [w] + (h - sin h)/h^3 [w]^2; the root's three are its height and the axes of roll and
    pitch.
    """
    posed, scaled = pose(rig, x), x[0] * rig.reach
    R, heads = posed.T_world_bone[0, :, :3, :3], posed.heads[0]
    axes = R @ right_jacobian(scaled)
    c, s = scaled[0, 2].cos(), scaled[0, 2].sin()
    axes[0] = R[0] @ torch.stack([torch.zeros(3), torch.stack([s, c, 0.0 * c]), torch.tensor([0.0, 0.0, 1.0])], 1)
    places = carry(posed, handles)[0]
    arms = places[:, None] - heads
    J = torch.linalg.cross(axes[None].transpose(-1, -2), arms[:, :, None])
    J = J * carries(rig)[handles.bones][:, :, None, None]
    J[:, 0, 0] = torch.tensor([0.0, 1.0, 0.0])
    return (J * rig.reach[..., None]).permute(0, 3, 1, 2).flatten(2).flatten(0, 1), places


def right_jacobian(w: Float[Tensor, "bones 3"]) -> Float[Tensor, "bones 3 3"]:
    """J_r of rotation vectors: exp(w + dw) = exp(w) exp(J_r dw) to first order; smooth at 0."""
    square = (w * w).sum(-1)
    small = square < 1e-4
    h = torch.where(small, torch.ones_like(square), square).sqrt()
    A = torch.where(small, 0.5 - square / 24.0, (1.0 - h.cos()) / (h * h))[:, None, None]
    B = torch.where(small, 1.0 / 6.0 - square / 120.0, (h - h.sin()) / h**3)[:, None, None]
    K = torch.linalg.cross(w[:, None].expand(-1, 3, 3), torch.eye(3).expand(len(w), 3, 3)).transpose(-1, -2)
    return torch.eye(3) - A * K + B * (K @ K)


def carries(rig: Rig) -> Bool[Tensor, "bones bones"]:
    """[a, b]: bone a hangs on bone b, or is b."""
    hangs = np.eye(len(rig), dtype=bool)
    for bone, parent in enumerate(rig.skeleton.parents):
        if parent >= 0:
            hangs[bone] |= hangs[parent]
    return torch.from_numpy(hangs)


def handle_places(rig: Rig, x: Numbers, handles: Handles) -> Float[Tensor, "poses handles 3"]:
    """Where the handles' points are."""
    return carry(pose(rig, x), handles)


def carry(posed: Posed, handles: Handles) -> Float[Tensor, "poses handles 3"]:
    """Where posed bodies carry the handles' points."""
    T = posed.T_world_rest[:, handles.bones]
    return torch.einsum("phij,hj->phi", T[..., :3, :3], handles.tips) + T[..., :3, 3]


def place_misses(rig: Rig, x: Numbers, handles: Handles) -> Float[Tensor, "handles 3"]:
    """From the handles' places to their targets."""
    with torch.no_grad():
        return handles.targets - handle_places(rig, x, handles)[0]


def least_squares_pose(rig: Rig, start: Numbers, handles: Handles, *, steps: int = PLAIN) -> Projected:
    """Plain damped least squares on the angles, without a pose space: what the projection is compared with."""
    x, weights = start, rig.reach.reciprocal().square()
    weights = weights / weights[1:].mean() if len(weights) > 1 else weights
    for _ in range(steps):
        step, _, miss = pull_step(rig, x, handles, weights=weights)
        if float(miss.norm(dim=-1).max()) < EXACT:
            break
        x = x + step
    return Projected(x, place_misses(rig, x, handles).norm(dim=-1))
