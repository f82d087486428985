"""The interface of constraints."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from gambol.distill.losses.loss import Loss
from gambol.distill.optimised_body import Body
from gambol.motion.clip import Clip


class Constraint(Loss):
    """A loss that pulls the motion towards what it demands while optimising, and enforces it at the end."""

    @abstractmethod
    def project(self, clip: Clip, body: Body) -> Clip:
        """The nearest clip that meets the constraint exactly; applied after post-processing."""


def project_clip(clip: Clip, body: Body, constraints: Iterable[Loss]) -> Clip:
    """Apply the projections of all constraints in a list of losses, in order."""
    for constraint in constraints:
        if isinstance(constraint, Constraint):
            clip = constraint.project(clip, body)
    return clip
