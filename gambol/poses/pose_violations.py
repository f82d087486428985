"""Validators: differentiable measures of what is wrong with a pose, all 0 for the rest pose.

joint range       radians by which a joint is rotated beyond its limits plus a slack (limits are estimates)
self-intersection overlap depth of two bones' capsules beyond that of the rest pose, sizes
stretch           |log(length / rest length)| of the skin's edges beyond log 1.5, except on wings
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
from gambol.evaluate.quality_metrics import LIMIT_SLACK, separate_pairs
from gambol.poses.pose_parameters import PosedBones, PoseParameters, coarse_skin_points, pose_bones
from gambol.poses.pose_rig import BODY_PARTS, PoseRig

MAX_CAPSULES = 40
"""In rigs with more bones only this many of the largest are tested for self-intersection, which leaves out fingers."""
LOG_STRETCH_TOLERANCE = math.log(1.5)
"""An edge of the skin may be stretched or shortened by this factor (natural logarithm)."""
LOG_VOLUME_TOLERANCE = math.log(1.25)
"""The volume of the skin may grow or shrink by this factor (natural logarithm)."""
DEPTH_TOLERANCE = 0.01
"""Overlaps of capsules and depths below the ground count as violations above this, sizes."""
STRETCHED_SHARE_TOLERANCE = 0.02
"""The skin counts as stretched if more than this share of its edges is beyond `LOG_STRETCH_TOLERANCE`."""
ANGLE_TOLERANCE = 0.05
"""A joint counts as out of range if it is beyond limits and slack by more than this, radians."""


@dataclass(frozen=True)
class PoseViolations:
    """What the validators measure of several poses; 0 where nothing is wrong."""

    joints: Float[Tensor, "poses bones"]
    """Rotation of each joint beyond limits and slack, radians."""
    overlaps: Float[Tensor, "poses pairs"]
    """Overlap depth of each pair of capsules (`capsule_pairs`) beyond that of the rest pose, sizes."""
    stretch: Float[Tensor, "poses edges"]
    """|log(length / rest length)| of each skin edge beyond `LOG_STRETCH_TOLERANCE`."""
    volume: Float[Tensor, "poses"]
    """|log(volume / rest volume)| beyond `LOG_VOLUME_TOLERANCE`."""
    ground: Float[Tensor, "poses"]
    """Depth of the lowest point below the ground, sizes."""

    def count(self) -> Float[Tensor, "poses"]:
        """Number of violations: joints out of range, overlapping pairs, and one each for stretch, volume, ground."""
        stretched = (self.stretch > 0).float().mean(1) > STRETCHED_SHARE_TOLERANCE
        skin = stretched if self.stretch.shape[1] else torch.zeros(len(self.joints))
        whole = skin.float() + (self.volume > 0).float() + (self.ground > DEPTH_TOLERANCE).float()
        out_of_range, overlapping = self.joints > ANGLE_TOLERANCE, self.overlaps > DEPTH_TOLERANCE
        return out_of_range.float().sum(1) + overlapping.float().sum(1) + whole

    def energy(self) -> Float[Tensor, "poses"]:
        """Weighted sum of squared violations of each pose, for gradients; depths count in hundredths of a size."""
        parts = [
            self.joints.square().sum(1),
            (self.overlaps / DEPTH_TOLERANCE).square().sum(1) * 0.02,
            self.stretch.square().mean(1) if self.stretch.shape[1] else torch.zeros_like(self.volume),
            self.volume.square(),
            (self.ground / DEPTH_TOLERANCE).square() * 0.02,
        ]
        return torch.stack(parts).sum(0)


def find_violations(rig: PoseRig, x: PoseParameters) -> PoseViolations:
    """Apply all validators to poses; differentiable in the pose parameters."""
    return posed_violations(rig, pose_bones(rig, x))


def posed_violations(rig: PoseRig, posed: PosedBones) -> PoseViolations:
    """Apply all validators to bones that are posed already; differentiable."""
    points = coarse_skin_points(rig, posed)
    return PoseViolations(
        joint_range_excess(posed.joint, torch.as_tensor(rig.limits, dtype=posed.joint.dtype)),
        capsule_overlaps(rig, posed),
        skin_stretch(rig, points),
        volume_change(rig, points),
        (-points[..., 1].amin(1)).clamp_min(0.0),
    )


def joint_range_excess(
    joint: Float[Tensor, "poses bones 3 3"], limits: Float[Tensor, "bones 3 2"], *, slack: float = LIMIT_SLACK
) -> Float[Tensor, "poses bones"]:
    """Sum of each joint's angles beyond limits and slack, radians; 0 for the root.

    R = R_x R_y R_z has two sets of angles; the one with the smaller excess counts.
    """
    R = joint[:, 1:]
    low, high = limits[1:, :, 0] - slack, limits[1:, :, 1] + slack
    cosine = (R[..., 0, 0] ** 2 + R[..., 0, 1] ** 2 + 1e-12).sqrt()
    a, b = torch.atan2(-R[..., 1, 2], R[..., 2, 2]), torch.atan2(R[..., 0, 2], cosine)
    c = torch.atan2(-R[..., 0, 1], R[..., 0, 0])
    excess = []
    for angles in (torch.stack([a, b, c], -1), torch.stack([a + math.pi, math.pi - b, c + math.pi], -1)):
        wrapped = torch.remainder(angles + math.pi, 2 * math.pi) - math.pi
        excess.append(((wrapped - high).clamp_min(0.0) + (low - wrapped).clamp_min(0.0)).sum(-1))
    return torch.cat([torch.zeros_like(joint[:, :1, 0, 0]), torch.minimum(*excess)], 1)


def capsule_pairs(rig: PoseRig) -> Int[ndarray, "pairs 2"]:
    """Pairs of bones tested for overlap: three or more joints apart, of the largest bones; wings are left out."""
    pairs = separate_pairs(rig.skeleton.parents)
    wings = rig.parts == BODY_PARTS.index(BodyPart.WING)
    pairs = pairs[~wings[pairs].any(1)]
    if len(rig) > MAX_CAPSULES:
        lengths = np.linalg.norm(rig.skeleton.tails - rig.skeleton.heads, axis=1)
        large = np.zeros(len(rig), bool)
        large[np.argsort(-(lengths + 2.0 * rig.radii))[:MAX_CAPSULES]] = True
        pairs = pairs[large[pairs].all(1)]
    return pairs.reshape(-1, 2)


def capsule_overlaps(rig: PoseRig, posed: PosedBones) -> Float[Tensor, "poses pairs"]:
    """max(depth - depth at rest, 0) of each pair, with depth = max(r_a + r_b - distance of the segments, 0); sizes."""
    pairs, dtype = capsule_pairs(rig), posed.joint.dtype
    a, b = torch.as_tensor(pairs[:, 0]), torch.as_tensor(pairs[:, 1])
    starts, ends = (torch.as_tensor(x, dtype=dtype) for x in (rig.skeleton.heads, rig.skeleton.tails))
    radii = torch.as_tensor(rig.radii[pairs].sum(1), dtype=dtype)
    rest = (radii - torch_segment_distance(starts[a], ends[a], starts[b], ends[b])).clamp_min(0.0)
    heads, moved = posed.heads, posed.carry(ends)
    depth = (radii - torch_segment_distance(heads[:, a], moved[:, a], heads[:, b], moved[:, b])).clamp_min(0.0)
    return (depth - rest).clamp_min(0.0)


def torch_segment_distance(p0: Tensor, p1: Tensor, q0: Tensor, q1: Tensor) -> Tensor:
    """Distance between the segments p0 p1 and q0 q1, as `character.segments.segment_distance`; differentiable.

    The two nearest points are constant in the gradient: moving them along the segments does not change the distance to
    first order.
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


def skin_stretch(rig: PoseRig, points: Float[Tensor, "poses points 3"]) -> Float[Tensor, "poses edges"]:
    """max(|log(length / rest length)| - log 1.5, 0) of the skin's edges, except on wings, whose feathers slide."""
    edges, rest = rig.coarse_skin.edges, rig.coarse_skin.points
    lengths = np.linalg.norm(rest[edges[:, 0]] - rest[edges[:, 1]], axis=1)
    on_wing = (rig.parts == BODY_PARTS.index(BodyPart.WING))[rig.coarse_skin.weights.dominant()]
    counted = (lengths > 1e-3) & ~on_wing[edges].any(1)
    edges, lengths = edges[counted], lengths[counted]
    moved = points[:, edges[:, 0]] - points[:, edges[:, 1]]
    ratio = ((moved * moved).sum(-1) + 1e-12).sqrt() / torch.as_tensor(lengths, dtype=points.dtype)
    return (ratio.log().abs() - LOG_STRETCH_TOLERANCE).clamp_min(0.0)


def volume_change(rig: PoseRig, points: Float[Tensor, "poses points 3"]) -> Float[Tensor, "poses"]:
    """max(|log(V / V_rest)| - log 1.25, 0), V the sum of signed tetrahedra; 0 for skins that enclose no volume."""
    a, b, c = (torch.as_tensor(rig.coarse_skin.triangles[:, k]) for k in range(3))
    rest = torch.as_tensor(rig.coarse_skin.points, dtype=points.dtype)

    def volume(p: Tensor) -> Tensor:
        return (p[..., a, :] * torch.linalg.cross(p[..., b, :], p[..., c, :])).sum((-1, -2)) / 6.0

    rest_volume = volume(rest - rest.mean(0))
    if not bool(rest_volume > 1e-6):
        return torch.zeros(len(points), dtype=points.dtype)
    ratio = volume(points - points.mean(1, keepdim=True)) / rest_volume
    return (ratio.clamp_min(1e-2).log().abs() - LOG_VOLUME_TOLERANCE).clamp_min(0.0)


def sound_poses(violations: PoseViolations) -> Bool[Tensor, "poses"]:
    """Whether each pose is good enough to train on: joints near their range, no deep overlap, not far below ground."""
    overlaps = violations.overlaps
    apart = overlaps.amax(1) < 4.0 * DEPTH_TOLERANCE if overlaps.shape[1] else violations.volume < 1e9
    accepted = [violations.joints.amax(1) < 0.5, apart, violations.volume < 0.4, violations.ground < 0.1]
    return torch.stack(accepted).all(0)
