"""A deformation field as the representation of a motion: every splat moves by a network of place and time.

This is the kind of motion that text-to-4D methods optimise (TC4D and others), along a trajectory that is given, with
the same methods, priors and losses as joints. With x a splat's centre in the start pose and tau(f) a smooth encoding of
the frame,

    y(f) = D(f) (x + d(x, tau(f))),   J(f) = D(f) exp(r(x, tau(f))),

d and r the two outputs of a small network and D the trajectory's rigid transform. The last layer starts at zero, so the
start is the start pose along the trajectory.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.distill.motion_parameters import Coefficients, RootAndAngles
from gambol.distill.motion_representation import MotionRepresentation, RepresentationName, Transforms
from gambol.distill.nearest_joints import nearest_joints
from gambol.distill.optimised_body import Body
from gambol.distill.trajectory import Trajectory
from gambol.render.actor import Actor
from gambol.render.free_splats import free_actor

OCTAVES = 4
"""Octaves of the sines that encode a place; the shortest is an eighth of the body's size."""
WIDTH = 64
"""Width of the two hidden layers."""
HIDDEN_SCALE = 0.1
"""What a coefficient of 1 adds to a weight of the hidden layers."""
DISPLACEMENT_SCALE = 0.1
"""Displacement by a coefficient of 1 where its unit of the last hidden layer is 1, in sizes times sqrt(width)."""
ROTATION_SCALE = 0.5
"""Rotation by a coefficient of 1 where its unit of the last hidden layer is 1, radians times sqrt(width)."""


@dataclass(frozen=True)
class DeformationField(MotionRepresentation):
    """A network of place and time that moves every splat, along a given trajectory."""

    time: Float[Tensor, "frames functions"]
    """The encoding of each frame: basis functions in time (`time_basis`), which of a loop close."""
    start_root: Float[Tensor, "frames 6"]
    """The trajectory, which stays as it is."""
    start_angles: Float[Tensor, "frames joints 3"]
    """The start pose, in every frame."""
    bound: Actor
    """The character's splats as its skeleton moves them."""
    T_start: Float[Tensor, "1 bones 4 4"]
    """Skinning transforms of the start pose, the root at the origin."""
    hidden: tuple[Tensor, ...]
    """Weights of the hidden layers at the start (`draw_hidden`)."""
    travelled: Float[Tensor, "frames 6"]
    """The trajectory of the finished motion, where the prior's cameras go along and see none; else the same."""
    name: RepresentationName = "field"
    """Name in requests and settings."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of each tensor of the hidden layers."""
        return tuple(x.numel() for x in self.hidden)

    def zeros(self) -> Coefficients:
        """Hidden layers as they were drawn, the last layer zero: no displacement, no rotation."""
        return torch.zeros(sum(self.sizes)), torch.zeros(WIDTH, 6)

    def motion(self, coefficients: Coefficients) -> RootAndAngles:
        """The trajectory and the start pose, which no coefficient changes."""
        return self.start_root, self.start_angles

    def moved(self, body: Body, coefficients: Coefficients) -> tuple[RootAndAngles, Transforms]:
        """The trajectory, and the transforms of the splats of `body.actor`, which are in the start pose."""
        return self.motion(coefficients), self.at(body.actor.splats.centres, coefficients)

    def at(self, points: Float[Tensor, "points 3"], coefficients: Coefficients) -> Float[Tensor, "frames points 4 4"]:
        """Transforms of any points of the start pose, in all frames; differentiable."""
        changes = coefficients[0].split(self.sizes)
        hidden = [x + HIDDEN_SCALE * c.view_as(x) for x, c in zip(self.hidden, changes, strict=True)]
        size = self.bound.size
        unit = torch.tensor([DISPLACEMENT_SCALE * size] * 3 + [ROTATION_SCALE] * 3) / WIDTH**0.5
        out = field_output(encode_places(points, size), self.time, hidden, coefficients[1] * unit.to(points))
        return along_trajectory(self.carriage.to(points), points, out)

    @property
    def carriage(self) -> Float[Tensor, "frames 4 4"]:
        """The trajectory as rigid transforms of the start pose."""
        first = torch.zeros(1, 6).to(self.start_root)
        moved = self.bound.pose(
            torch.cat([first, self.start_root]), torch.cat([self.start_angles[:1], self.start_angles])
        )
        return moved[1:, 0] @ torch.linalg.inv(moved[:1, 0])

    def start_points(
        self, points: Float[Tensor, "points 3"], bones: Tensor, weights: Float[Tensor, "points influences"]
    ) -> Float[Tensor, "points 3"]:
        """Points of the rest surface in the start pose (AKD eq. 5)."""
        T = (weights[..., None, None] * self.T_start[0, bones].to(weights)).sum(1)
        return (T[:, :3, :3] @ points[..., None])[..., 0] + T[:, :3, 3]

    def nearest_joints(self, body: Body, coefficients: Coefficients) -> RootAndAngles:
        """The finished motion of the skeleton that follows the splats of each bone as well as a rigid bone can."""
        with torch.no_grad():
            centres = body.actor.splats.centres
            T = self.finished.at(centres, coefficients)
            moved = (T[..., :3, :3] @ centres[:, :, None])[..., 0] + T[..., :3, 3]
        skeleton = body.character.require_skeleton()
        root, angles = nearest_joints(
            skeleton,
            self.T_start[0].double().numpy(),
            self.bound.splats.skin.dense(),
            centres.double().numpy(),
            moved.double().numpy(),
            self.finished.carriage.double().numpy(),
        )
        return torch.as_tensor(root).float(), torch.as_tensor(angles).float()

    def places(self, body: Body, T_world_rest: Transforms) -> Float[Tensor, "frames points 3"]:
        """Centres of all splats, with the trajectory undone."""
        centres, T = body.actor.splats.centres, T_world_rest.detach()
        places = torch.einsum("fbij,bj->fbi", T[..., :3, :3], centres) + T[..., :3, 3]
        back = torch.linalg.inv(self.carriage.to(places))
        return torch.einsum("fij,fbj->fbi", back[:, :3, :3], places) + back[:, None, :3, 3]

    def to_search(self, whitening: Tensor | None, coefficients: Coefficients) -> Tensor:
        """All coefficients in one row."""
        return torch.cat([c.flatten() for c in coefficients])

    def from_search(self, whitening: Tensor | None, point: Float[Tensor, "numbers"]) -> Coefficients:
        """The coefficients of a row."""
        hidden, last = point.split([sum(self.sizes), WIDTH * 6])
        return hidden, last.view(WIDTH, 6)

    @property
    def finished(self) -> DeformationField:
        """The same deformation along the trajectory of the finished motion."""
        return replace(self, start_root=self.travelled)


def make_field(
    bound: Actor,
    T_start: Float[Tensor, "1 bones 4 4"],
    time: Float[Tensor, "frames functions"],
    trajectory: Trajectory,
    angles: Float[Tensor, "frames joints 3"],
    *,
    seed: int,
) -> DeformationField:
    """The field of a character along a trajectory; the seed decides the hidden layers."""
    hidden = draw_hidden(time.shape[1], seed)
    return DeformationField(time, trajectory.seen, angles, bound, T_start, hidden, trajectory.travelled)


def start_pose_splats(field: DeformationField, bound: Actor) -> Actor:
    """The splats of another actor of the same skeleton in the start pose, each free to move."""
    return free_actor(bound, field.T_start)


def draw_hidden(functions: int, seed: int) -> tuple[Tensor, ...]:
    """Weights of the hidden layers: of places and times into the first, its bias, those into the second, its bias."""
    generator = torch.Generator().manual_seed(seed)
    shapes = ((6 * OCTAVES + 3, WIDTH), (functions, WIDTH), (WIDTH,), (WIDTH, WIDTH), (WIDTH,))
    drawn = [torch.randn(shape, generator=generator) for shape in shapes]
    return tuple(x / len(x) ** 0.5 if x.dim() == 2 else 0.5 * x for x in drawn)


def encode_places(points: Float[Tensor, "points 3"], size: float) -> Float[Tensor, "points numbers"]:
    """x / size, and sin and cos of 2^k 2 pi x / size for k = 0, 1, ..., scaled by 2^(-k / 2)."""
    phases = 2.0 * np.pi * points / size
    waves = [2 ** (-k / 2) * f(2**k * phases) for k in range(OCTAVES) for f in (torch.sin, torch.cos)]
    return torch.cat([points / size, *waves], 1)


def field_output(
    places: Float[Tensor, "points numbers"],
    times: Float[Tensor, "frames functions"],
    hidden: list[Tensor],
    last: Float[Tensor, "width 6"],
) -> Float[Tensor, "frames points 6"]:
    """The network V silu(W2 silu(Wx e(x) + Wt tau + b1) + b2): displacement and rotation vector."""
    from_place, from_time, first_bias, second, second_bias = hidden
    h = torch.nn.functional.silu((places @ from_place)[None] + (times.to(places) @ from_time + first_bias)[:, None])
    return torch.nn.functional.silu(h @ second + second_bias) @ last


def along_trajectory(
    carriage: Float[Tensor, "frames 4 4"], points: Float[Tensor, "points 3"], out: Float[Tensor, "frames points 6"]
) -> Float[Tensor, "frames points 4 4"]:
    """D [exp(r) | x + d - exp(r) x]: transforms that carry x to D (x + d) and turn a splat by D exp(r)."""
    displacement, R = out[..., :3], rotation_from_vector(out[..., 3:])
    shift = points + displacement - (R @ points[:, :, None])[..., 0]
    upper = torch.cat([R, shift[..., None]], -1)
    bottom = upper.new_tensor([0.0, 0.0, 0.0, 1.0]).expand(*upper.shape[:2], 1, 4)
    return carriage[:, None] @ torch.cat([upper, bottom], -2)


def rotation_from_vector(vector: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """exp of the cross product matrix K of r: 1 + sin(t)/t K + (1 - cos(t))/t^2 K^2, t = |r| (Rodrigues)."""
    angle = (vector.square().sum(-1) + 1e-12).sqrt()[..., None, None]
    x, y, z = vector.unbind(-1)
    zero = torch.zeros_like(x)
    K = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], -1).unflatten(-1, (3, 3))
    half = torch.sin(0.5 * angle) / angle
    return torch.eye(3).to(K) + torch.sin(angle) / angle * K + 2.0 * half.square() * (K @ K)
