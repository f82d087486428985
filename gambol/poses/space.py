"""The pose space of one body: sample it, and keep poses sound."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.poses.network import PoseNetwork
from gambol.poses.pose_diffusion import STEPS, denoise
from gambol.poses.pose_parameters import Numbers, pose, skin
from gambol.poses.pose_rig import Rig, make_rig
from gambol.poses.skeleton_features import Told, tell
from gambol.poses.validators import find_faults
from gambol.poses.weights_file import load_network

TEMPERATURE = 1.4
"""Scale of the noise that samples are made of. Few steps and the validators draw poses together; with this they are as
hard to tell from real ones as they get (on the training split: `fitting_temperature` of benchmarks/poses.py)."""
GUIDED_BELOW = 0.3
"""Validators guide the clean estimates below this level: earlier they would draw all poses towards rest."""
STEP = 0.15
"""How far one step of the validators goes, in reaches of the joint that goes farthest."""
MENDING = 12
"""Steps that mend what is left at the end."""
NEARER = 16
"""Parts of the way to the rest pose that are tried where that was not enough."""


@dataclass(frozen=True)
class PoseSpace:
    """A body and the network that knows which of its poses are plausible."""

    rig: Rig
    network: PoseNetwork
    told: Told


def pose_space(character: Character, anatomy: Anatomy | None = None, *, weights: Path | None = None) -> PoseSpace:
    """The pose space of a character; `weights`: a file that `gambol pose train` wrote, else the shipped one."""
    rig = make_rig(character, anatomy)
    return PoseSpace(rig, load_network(weights), tell(rig))


def sample_poses(
    space: PoseSpace,
    count: int,
    generator: torch.Generator,
    *,
    steps: int = STEPS,
    temperature: float = TEMPERATURE,
    validators: bool = True,
) -> Numbers:
    """Poses drawn from the space; the validators guide them and mend what is left, unless switched off."""

    def noise() -> Numbers:
        return temperature * torch.randn(count, len(space.rig), 3, generator=generator)

    if not validators:
        return denoise(space.network, space.told, noise(), steps=steps, chance=noise)

    def guide(clean: Numbers, t: float) -> Numbers:
        return clean if t > GUIDED_BELOW else milder(space.rig, clean)

    made = denoise(space.network, space.told, noise(), steps=steps, guide=guide, chance=noise)
    return mend(space.rig, made)


def milder(rig: Rig, x: Numbers, *, step: float = STEP) -> Numbers:
    """One step down the validators' energy, x - step g / max |g|, where there is any; the best of three lengths."""
    energy, slope = energy_and_slope(rig, x)
    most = slope.abs().amax((1, 2), keepdim=True)
    wrong = energy > 1e-6
    if not bool(wrong.any()):
        return x
    direction = slope / most.clamp_min(1e-9)
    length = torch.minimum(0.5 * energy[:, None, None] / most.clamp_min(1e-9), torch.tensor(step))
    return torch.where(wrong[:, None, None], x - length * direction, x)


def energy_and_slope(rig: Rig, x: Numbers) -> tuple[Float[Tensor, "poses"], Numbers]:
    """The validators' energy of poses and its gradient."""
    with torch.enable_grad():
        free = x.detach().requires_grad_()
        energy = find_faults(rig, free).energy()
        (slope,) = torch.autograd.grad(energy.sum(), free)
    return energy.detach(), slope


def mend(rig: Rig, x: Numbers, *, steps: int = MENDING) -> Numbers:
    """Down the validators' energy until nothing is wrong or the steps are over; then out of the ground, then nearer."""
    for _ in range(steps):
        wrong = at_fault(rig, x)
        if not len(wrong):
            break
        x = x.index_put((wrong,), milder(rig, x[wrong]))
    return nearer_to_rest(rig, on_ground(rig, x))


def at_fault(rig: Rig, x: Numbers) -> Int[Tensor, "some"]:
    """Which poses have something wrong."""
    with torch.no_grad():
        return (find_faults(rig, x).count() > 0).nonzero().flatten()


def nearer_to_rest(rig: Rig, x: Numbers) -> Numbers:
    """Poses that still have something wrong, as little of the way to the rest pose as leaves nothing wrong.

    x (1 - u m^(1 - u)) for growing u, with m from 0 to 1 the share that each bone has in what is wrong (by the energy's
    slope): first the bones that it hangs on go back, at u = 1 all; and the rest pose has no fault.
    """
    wrong = at_fault(rig, x)
    if not len(wrong):
        return x
    whole = x[wrong]
    slope = energy_and_slope(rig, whole)[1].norm(dim=-1, keepdim=True)
    share = (slope / slope.amax(1, keepdim=True).clamp_min(1e-9)).clamp_min(1e-6)
    for k in range(1, NEARER + 1):
        u = k / NEARER
        nearer = on_ground(rig, (1.0 - u * share ** (1.0 - u)) * whole)
        x = x.index_put((wrong,), nearer)
        left = at_fault(rig, nearer)
        if not len(left):
            break
        wrong, whole, share = wrong[left], whole[left], share[left]
    return x


def on_ground(rig: Rig, x: Numbers) -> Numbers:
    """The same poses, lifted where they would be below the ground."""
    with torch.no_grad():
        low = skin(rig, pose(rig, x))[..., 1].amin(1)
    lifted = x.clone()
    lifted[:, 0, 0] -= low.clamp_max(0.0) / rig.reach[0, 0]
    return lifted
