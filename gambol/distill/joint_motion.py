"""Joints as the representation of a motion (AKD 4.4): basis functions in time for the root and every joint angle."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from gambol.distill.motion_parameters import Coefficients, ParameterScale, RootAndAngles
from gambol.distill.motion_representation import MotionRepresentation, RepresentationName, Transforms
from gambol.distill.optimised_body import Body
from gambol.distill.surface_metric import surface_metric, to_pair, to_vector, whitening


@dataclass(frozen=True)
class JointMotion(MotionRepresentation):
    """How coefficients become the motion of a skeleton: x = start + scale * (basis c)."""

    basis: Float[Tensor, "frames functions"]
    """Values of the basis functions in every frame."""
    scale: ParameterScale
    """Scale of each parameter."""
    start_root: Float[Tensor, "frames 6"]
    """Root of the motion that the optimisation starts from."""
    start_angles: Float[Tensor, "frames joints 3"]
    """Joint angles of the motion that the optimisation starts from."""
    name: RepresentationName = "joints"
    """Name in requests and settings."""

    def motion(self, coefficients: Coefficients) -> RootAndAngles:
        """Root and angles of all frames; differentiable in the coefficients."""
        root, angles = coefficients
        moved = torch.einsum("fk,kjc->fjc", self.basis, angles)
        return self.start_root + self.scale.root * (self.basis @ root), self.start_angles + self.scale.angles * moved

    def coefficients(self, motion: RootAndAngles) -> Coefficients:
        """The coefficients whose motion is nearest to a given one (least squares); those of locked joints are zero."""
        inverse = torch.linalg.pinv(self.basis)
        root, angles = (
            torch.where(scale > 0, (x - start) / scale.clamp_min(1e-9), torch.zeros(()))
            for x, start, scale in zip(
                motion, (self.start_root, self.start_angles), (self.scale.root, self.scale.angles), strict=True
            )
        )
        return inverse @ root, torch.einsum("kf,fjc->kjc", inverse, angles)

    def zeros(self) -> Coefficients:
        """The coefficients of the start."""
        count = self.basis.shape[1]
        return torch.zeros(count, 6), torch.zeros(count, *self.start_angles.shape[1:])

    def moved(self, body: Body, coefficients: Coefficients) -> tuple[RootAndAngles, Transforms]:
        """The motion, and the skinning transforms of all bones; differentiable."""
        motion = self.motion(coefficients)
        return motion, body.actor.pose(*motion)

    def nearest_joints(self, body: Body, coefficients: Coefficients) -> RootAndAngles:
        """The motion itself."""
        return self.motion(coefficients)

    def places(self, body: Body, T_world_rest: Transforms) -> Float[Tensor, "frames points 3"]:
        """Heads of all joints, counted from the root's."""
        heads = torch.as_tensor(body.character.require_skeleton().heads).float()
        T = T_world_rest.detach()
        places = torch.einsum("fbij,bj->fbi", T[..., :3, :3], heads) + T[..., :3, 3]
        return places - places[:, :1]

    def later_window(
        self, body: Body, motion: RootAndAngles, T_world_rest: Transforms, window: Int[Tensor, "window"]
    ) -> Transforms:
        """The poses with the window's first heading subtracted, since all targets begin looking ahead.

        Positions are not turned: the prior's cameras go along with the body, which stays where it is.
        """
        root, angles = motion
        turn = torch.zeros_like(root[0])
        turn[3] = 1.0
        return body.actor.pose(root[window] - turn * root[window[0], 3], angles[window])

    def to_search(self, whitening: Float[Tensor, "own own"] | None, coefficients: Coefficients) -> Tensor:
        """The coefficients in coordinates in which every direction moves the surface alike, as one row."""
        assert whitening is not None
        values = to_vector(coefficients)
        if not values.any():
            return values.flatten()
        return torch.linalg.solve(whitening.double(), values.double().T).T.float().flatten()

    def from_search(self, whitening: Float[Tensor, "own own"] | None, point: Float[Tensor, "numbers"]) -> Coefficients:
        """The coefficients of a point in these coordinates."""
        assert whitening is not None
        return to_pair(point.unflatten(0, (self.basis.shape[1], -1)) @ whitening.T)

    def whitening(self, body: Body) -> Float[Tensor, "own own"]:
        """The `whitening` of the body's surface metric."""
        return whitening(surface_metric(body, self.scale))
