"""The interface of motion representations: how coefficients become a motion of what the prior is shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal

from jaxtyping import Float, Int
from torch import Tensor

from gambol.distill.motion_parameters import Coefficients, RootAndAngles
from gambol.distill.optimised_body import Body

RepresentationName = Literal["joints", "field"]
"""What moves: the joints of the skeleton (AKD 4.4), or every splat by a deformation field."""
Transforms = Float[Tensor, "_frames movers 4 4"]
"""Transforms of what moves the observer's splats: of all bones, or of every splat."""


class MotionRepresentation(ABC):
    """How coefficients become a motion. Implementations are frozen; methods and losses work with any of them."""

    name: RepresentationName
    """Name in requests and settings."""
    start_root: Float[Tensor, "frames 6"]
    """Root of the motion that the optimisation starts from."""
    start_angles: Float[Tensor, "frames joints 3"]
    """Joint angles of the motion that the optimisation starts from."""

    @property
    def frames(self) -> int:
        """Number of frames of the clip."""
        return len(self.start_root)

    @abstractmethod
    def zeros(self) -> Coefficients:
        """The coefficients of the start."""

    @abstractmethod
    def motion(self, coefficients: Coefficients) -> RootAndAngles:
        """Root and joint angles of all frames; differentiable. Of a field: its trajectory and the start pose."""

    @abstractmethod
    def moved(self, body: Body, coefficients: Coefficients) -> tuple[RootAndAngles, Transforms]:
        """The motion, and the transforms of what moves the splats of `body.actor`; differentiable."""

    @abstractmethod
    def nearest_joints(self, body: Body, coefficients: Coefficients) -> RootAndAngles:
        """The motion of the skeleton: itself where joints move, the nearest one to a field; without gradient."""

    @abstractmethod
    def places(self, body: Body, T_world_rest: Transforms) -> Float[Tensor, "frames points 3"]:
        """Places relative to the root by which the amount of motion is measured, metres; without gradient."""

    def later_window(
        self, body: Body, motion: RootAndAngles, T_world_rest: Transforms, window: Int[Tensor, "window"]
    ) -> Transforms:
        """The transforms of a later window as cameras that go along see it, its first heading subtracted."""
        return T_world_rest[window]

    @abstractmethod
    def to_search(self, whitening: Float[Tensor, "own own"] | None, coefficients: Coefficients) -> Tensor:
        """The coefficients as one row, in the coordinates in which `VideoFit` searches."""

    @abstractmethod
    def from_search(self, whitening: Float[Tensor, "own own"] | None, point: Float[Tensor, "numbers"]) -> Coefficients:
        """The coefficients of a point of the search; differentiable."""

    def whitening(self, body: Body) -> Float[Tensor, "own own"] | None:
        """From coordinates that all move the surface alike to parameters of a pose; None: they are the coefficients."""
        return None
