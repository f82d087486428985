"""What is wrong with a pose, measured on body and skin: 0 for the rest pose, and differentiable.

joint range       radians by which a joint is turned beyond its limits (and a slack: limits are guesses)
self-intersection depth of two bones' capsules in each other beyond the rest pose, sizes
stretch           |log(length / rest length)| of the skin's edges beyond log 1.5, wings apart
volume            |log(volume / rest volume)| of the skin beyond log 1.25
ground            depth of the lowest point below the ground, sizes
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.soundness import LIMIT_SLACK, separate_pairs
from gambol.poses.pose_parameters import Numbers, Posed, pose, skin
from gambol.poses.pose_rig import PARTS, Rig

MOST_CAPSULES = 40
"""Of bodies with more bones only the largest are tested against each other: fingers stay out."""
STRETCHED = math.log(1.5)
VOLUME = math.log(1.25)
DEEP = 0.01
"""Capsules and ground: what is less deep than this, sizes, is no violation."""
SHARE = 0.02
"""A pose is counted as stretched where more than this share of the edges is."""
TURNED = 0.05
"""A joint is counted as out of range where it is beyond limits and slack by more than this, radians."""


@dataclass(frozen=True)
class Faults:
    """What is wrong with some poses."""

    joints: Float[Tensor, "poses bones"]
    """Radians beyond limits and slack."""
    overlaps: Float[Tensor, "poses pairs"]
    """Sizes beyond the rest pose."""
    stretch: Float[Tensor, "poses edges"]
    volume: Float[Tensor, "poses"]
    ground: Float[Tensor, "poses"]

    def count(self) -> Float[Tensor, "poses"]:
        """Violations: joints out of range, pairs of bones in each other, and one each for skin, volume and ground."""
        skin = (self.stretch > 0).float().mean(1) > SHARE if self.stretch.shape[1] else torch.zeros(len(self.joints))
        whole = skin.float() + (self.volume > 0).float() + (self.ground > DEEP).float()
        return (self.joints > TURNED).float().sum(1) + (self.overlaps > DEEP).float().sum(1) + whole

    def energy(self) -> Float[Tensor, "poses"]:
        """One number for gradients: squares of what is wrong, depths in hundredths of a size."""
        parts = [
            self.joints.square().sum(1),
            (self.overlaps / DEEP).square().sum(1) * 0.02,
            self.stretch.square().mean(1) if self.stretch.shape[1] else torch.zeros_like(self.volume),
            self.volume.square(),
            (self.ground / DEEP).square() * 0.02,
        ]
        return torch.stack(parts).sum(0)


def find_faults(rig: Rig, x: Numbers) -> Faults:
    """All validators of some poses; differentiable in their numbers."""
    return faults_of(rig, pose(rig, x))


def faults_of(rig: Rig, posed: Posed) -> Faults:
    """The same of bodies that are posed already."""
    points = skin(rig, posed)
    return Faults(
        joint_excess(posed.joint, torch.as_tensor(rig.limits, dtype=posed.joint.dtype)),
        capsule_overlaps(rig, posed),
        edge_stretch(rig, points),
        volume_change(rig, points),
        (-points[..., 1].amin(1)).clamp_min(0.0),
    )


def joint_excess(
    joint: Float[Tensor, "poses bones 3 3"], limits: Float[Tensor, "bones 3 2"], *, slack: float = LIMIT_SLACK
) -> Float[Tensor, "poses bones"]:
    """Summed angles beyond limits and slack, of the milder of the two ways to write R = R_x R_y R_z; 0 for the root."""
    R = joint[:, 1:]
    low, high = limits[1:, :, 0] - slack, limits[1:, :, 1] + slack
    cosine = (R[..., 0, 0] ** 2 + R[..., 0, 1] ** 2 + 1e-12).sqrt()
    a, b = torch.atan2(-R[..., 1, 2], R[..., 2, 2]), torch.atan2(R[..., 0, 2], cosine)
    c = torch.atan2(-R[..., 0, 1], R[..., 0, 0])
    ways = []
    for angles in (torch.stack([a, b, c], -1), torch.stack([a + math.pi, math.pi - b, c + math.pi], -1)):
        wrapped = torch.remainder(angles + math.pi, 2 * math.pi) - math.pi
        ways.append(((wrapped - high).clamp_min(0.0) + (low - wrapped).clamp_min(0.0)).sum(-1))
    return torch.cat([torch.zeros_like(joint[:, :1, 0, 0]), torch.minimum(*ways)], 1)


def capsule_pairs(rig: Rig) -> Int[ndarray, "pairs 2"]:
    """Pairs of bones that are three joints or more apart, of the largest bones; wings are sheets and fold."""
    pairs = separate_pairs(rig.skeleton.parents)
    wings = rig.parts == PARTS.index(BodyPart.WING)
    pairs = pairs[~wings[pairs].any(1)]
    if len(rig) > MOST_CAPSULES:
        lengths = np.linalg.norm(rig.skeleton.tails - rig.skeleton.heads, axis=1)
        large = np.zeros(len(rig), bool)
        large[np.argsort(-(lengths + 2.0 * rig.radii))[:MOST_CAPSULES]] = True
        pairs = pairs[large[pairs].all(1)]
    return pairs.reshape(-1, 2)


def capsule_overlaps(rig: Rig, posed: Posed) -> Float[Tensor, "poses pairs"]:
    """max(depth - depth at rest, 0) with depth = max(r_a + r_b - distance of the segments, 0)."""
    pairs, dtype = capsule_pairs(rig), posed.joint.dtype
    a, b = torch.as_tensor(pairs[:, 0]), torch.as_tensor(pairs[:, 1])
    starts, ends = (torch.as_tensor(x, dtype=dtype) for x in (rig.skeleton.heads, rig.skeleton.tails))
    radii = torch.as_tensor(rig.radii[pairs].sum(1), dtype=dtype)
    rest = (radii - segment_gap(starts[a], ends[a], starts[b], ends[b])).clamp_min(0.0)
    T = posed.T_world_rest
    moved = torch.einsum("pbij,bj->pbi", T[..., :3, :3], ends) + T[..., :3, 3]
    heads = posed.heads
    depth = (radii - segment_gap(heads[:, a], moved[:, a], heads[:, b], moved[:, b])).clamp_min(0.0)
    return (depth - rest).clamp_min(0.0)


def segment_gap(p0: Tensor, p1: Tensor, q0: Tensor, q1: Tensor) -> Tensor:
    """Distance of segments p0 p1 and q0 q1, as `character.segments.segment_distance`, but differentiable.

    The two nearest points are held while the gradient is taken: their places on the segments do not change the distance
    to first order.
    """
    with torch.no_grad():
        d1, d2, r = p1 - p0, q1 - q0, p0 - q0
        a, e, f = (d1 * d1).sum(-1), (d2 * d2).sum(-1), (d2 * r).sum(-1)
        b, c = (d1 * d2).sum(-1), (d1 * r).sum(-1)
        denominator = a * e - b * b
        crossing = denominator > 1e-9 * a * e
        s = torch.where(crossing, ((b * f - c * e) / torch.where(crossing, denominator, 1.0)).clamp(0.0, 1.0), 0.0)
        t = ((b * s + f) / e.clamp_min(1e-20)).clamp(0.0, 1.0)
        s = ((b * t - c) / a.clamp_min(1e-20)).clamp(0.0, 1.0)
    between = p0 + s[..., None] * (p1 - p0) - q0 - t[..., None] * (q1 - q0)
    return ((between * between).sum(-1) + 1e-16).sqrt()


def edge_stretch(rig: Rig, points: Float[Tensor, "poses points 3"]) -> Float[Tensor, "poses edges"]:
    """max(|log(length / rest length)| - log 1.5, 0) of the coarse skin's edges; not of wings, whose feathers slide."""
    edges, rest = rig.surface.edges, rig.surface.points
    lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)
    on_wing = (rig.parts == PARTS.index(BodyPart.WING))[rig.surface.skin.dominant()]
    counted = (lengths > 1e-3) & ~on_wing[edges].any(1)
    edges, lengths = edges[counted], lengths[counted]
    moved = points[:, edges[:, 0]] - points[:, edges[:, 1]]
    ratio = ((moved * moved).sum(-1) + 1e-12).sqrt() / torch.as_tensor(lengths, dtype=points.dtype)
    return (ratio.log().abs() - STRETCHED).clamp_min(0.0)


def volume_change(rig: Rig, points: Float[Tensor, "poses points 3"]) -> Float[Tensor, "poses"]:
    """max(|log(V / V_rest)| - log 1.25, 0), V the sum of signed tetrahedra; 0 for skins that enclose nothing."""
    a, b, c = (torch.as_tensor(rig.surface.triangles[:, k]) for k in range(3))
    rest = torch.as_tensor(rig.surface.points, dtype=points.dtype)

    def volume(p: Tensor) -> Tensor:
        return (p[..., a, :] * torch.linalg.cross(p[..., b, :], p[..., c, :])).sum((-1, -2)) / 6.0

    still = volume(rest - rest.mean(0))
    if not bool(still > 1e-6):
        return torch.zeros(len(points), dtype=points.dtype)
    ratio = volume(points - points.mean(1, keepdim=True)) / still
    return (ratio.clamp_min(1e-2).log().abs() - VOLUME).clamp_min(0.0)


def sound(faults: Faults) -> Bool[Tensor, "poses"]:
    """Poses that are good enough to learn from: nothing is far out of range, deep in itself or below the ground."""
    apart = faults.overlaps.amax(1) < 4.0 * DEEP if faults.overlaps.shape[1] else faults.volume < 1e9
    worst = [faults.joints.amax(1) < 0.5, apart, faults.volume < 0.4, faults.ground < 0.1]
    return torch.stack(worst).all(0)
