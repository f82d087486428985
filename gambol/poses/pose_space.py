"""The pose space of one character: draw plausible poses, and repair poses that violate the validators."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.poses.network import PoseNetwork
from gambol.poses.pose_diffusion import POSE_SAMPLING_STEPS, denoise_poses
from gambol.poses.pose_parameters import PoseParameters, coarse_skin_points, pose_bones
from gambol.poses.pose_rig import PoseRig, make_pose_rig
from gambol.poses.pose_violations import find_violations
from gambol.poses.skeleton_features import SkeletonFeatures, describe_skeleton
from gambol.poses.weights_file import load_pose_network

POSE_TEMPERATURE = 1.4
"""Scale of the noise that samples start from. Few steps and the validators draw poses together; at this temperature
samples are hardest to tell from real poses (1-NN, training split: `fitting_temperature` in benchmarks/poses.py)."""
VALIDATOR_GUIDANCE_LEVEL = 0.3
"""Validators guide the clean estimates below this noise level; above it they would draw all poses towards rest."""
REPAIR_STEP_LENGTH = 0.15
"""Largest change of a pose parameter in one repair step."""
REPAIR_STEPS = 12
"""Repair steps before poses that still violate a validator are blended towards the rest pose."""
REST_BLEND_STEPS = 16
"""Number of blends between a pose and the rest pose that are tried."""


@dataclass(frozen=True)
class PoseSpace:
    """The plausible poses of one rig, as a network conditioned on that rig."""

    rig: PoseRig
    """The character's measures."""
    network: PoseNetwork
    """Denoiser of poses, shared by all rigs."""
    features: SkeletonFeatures
    """What the network is conditioned on."""


def make_pose_space(character: Character, anatomy: Anatomy | None = None, *, weights: Path | None = None) -> PoseSpace:
    """The pose space of a character; `weights` is a file that `gambol pose train` wrote, by default the shipped one."""
    rig = make_pose_rig(character, anatomy)
    return PoseSpace(rig, load_pose_network(weights), describe_skeleton(rig))


def sample_pose_space(
    space: PoseSpace,
    count: int,
    generator: torch.Generator,
    *,
    steps: int = POSE_SAMPLING_STEPS,
    temperature: float = POSE_TEMPERATURE,
    validators: bool = True,
) -> PoseParameters:
    """Draw plausible poses; with `validators` they are guided during sampling and repaired afterwards."""

    def noise() -> PoseParameters:
        return temperature * torch.randn(count, len(space.rig), 3, generator=generator)

    if not validators:
        return denoise_poses(space.network, space.features, noise(), steps=steps, fresh_noise=noise)

    def guide(clean: PoseParameters, t: float) -> PoseParameters:
        return clean if t > VALIDATOR_GUIDANCE_LEVEL else reduce_violations(space.rig, clean)

    made = denoise_poses(space.network, space.features, noise(), steps=steps, guide=guide, fresh_noise=noise)
    return repair_poses(space.rig, made)


def reduce_violations(rig: PoseRig, x: PoseParameters) -> PoseParameters:
    """One gradient step down the violation energy E, x - l g / max |g|, for poses that violate a validator.

    The length is l = min(E / (2 max |g|), `REPAIR_STEP_LENGTH`).
    """
    energy, gradient = energy_and_gradient(rig, x)
    steepest = gradient.abs().amax((1, 2), keepdim=True)
    violating = energy > 1e-6
    if not bool(violating.any()):
        return x
    direction = gradient / steepest.clamp_min(1e-9)
    length = torch.minimum(0.5 * energy[:, None, None] / steepest.clamp_min(1e-9), torch.tensor(REPAIR_STEP_LENGTH))
    return torch.where(violating[:, None, None], x - length * direction, x)


def energy_and_gradient(rig: PoseRig, x: PoseParameters) -> tuple[Float[Tensor, "poses"], PoseParameters]:
    """Violation energy of each pose and its gradient with respect to the pose parameters."""
    with torch.enable_grad():
        free = x.detach().requires_grad_()
        energy = find_violations(rig, free).energy()
        (gradient,) = torch.autograd.grad(energy.sum(), free)
    return energy.detach(), gradient


def repair_poses(rig: PoseRig, x: PoseParameters) -> PoseParameters:
    """Poses without violations: reduce their energy, lift them out of the ground, blend what is left towards rest."""
    for _ in range(REPAIR_STEPS):
        violating = violating_poses(rig, x)
        if not len(violating):
            break
        x = x.index_put((violating,), reduce_violations(rig, x[violating]))
    return blend_towards_rest(rig, lift_above_ground(rig, x))


def violating_poses(rig: PoseRig, x: PoseParameters) -> Int[Tensor, "some"]:
    """Indices of the poses that violate a validator."""
    with torch.no_grad():
        return (find_violations(rig, x).count() > 0).nonzero().flatten()


def blend_towards_rest(rig: PoseRig, x: PoseParameters) -> PoseParameters:
    """Blend each violating pose towards the rest pose, only as far as it takes to remove all violations.

    x (1 - u m^(1 - u)) for growing u, with m from 0 to 1 each bone's share in the violations (by the energy's
    gradient): the bones that cause them go back first, at u = 1 all do; and the rest pose has no violation.
    """
    violating = violating_poses(rig, x)
    if not len(violating):
        return x
    whole = x[violating]
    gradient = energy_and_gradient(rig, whole)[1].norm(dim=-1, keepdim=True)
    share = (gradient / gradient.amax(1, keepdim=True).clamp_min(1e-9)).clamp_min(1e-6)
    for k in range(1, REST_BLEND_STEPS + 1):
        u = k / REST_BLEND_STEPS
        nearer = lift_above_ground(rig, (1.0 - u * share ** (1.0 - u)) * whole)
        x = x.index_put((violating,), nearer)
        left = violating_poses(rig, nearer)
        if not len(left):
            break
        violating, whole, share = violating[left], whole[left], share[left]
    return x


def lift_above_ground(rig: PoseRig, x: PoseParameters) -> PoseParameters:
    """Raise the root of each pose whose skin is below the ground, until its lowest point touches it."""
    with torch.no_grad():
        low = coarse_skin_points(rig, pose_bones(rig, x))[..., 1].amin(1)
    lifted = x.clone()
    lifted[:, 0, 0] -= low.clamp_max(0.0) / rig.parameter_scale[0, 0]
    return lifted
