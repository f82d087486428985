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


class MotionConstraint(Constraint):
    """A constraint of Gambol's own; all of them are met together, so that one does not undo another."""

    def project(self, clip: Clip, body: Body) -> Clip:
        """The nearest clip that meets this constraint alone."""
        from gambol.distill.constraints.meet import meet_constraints

        return meet_constraints(body.character, body.anatomy, clip, (self,))


def project_clip(clip: Clip, body: Body, constraints: Iterable[Loss], *, loop: bool | None = None) -> Clip:
    """Meet all constraints in a list of losses: Gambol's own together, then the others one after the other."""
    from gambol.distill.constraints.meet import meet_constraints

    constraints = tuple(constraints)
    own = tuple(constraint for constraint in constraints if isinstance(constraint, MotionConstraint))
    if own:
        clip = meet_constraints(body.character, body.anatomy, clip, own, loop=loop)
    for constraint in constraints:
        if isinstance(constraint, Constraint) and not isinstance(constraint, MotionConstraint):
            clip = constraint.project(clip, body)
    return clip
