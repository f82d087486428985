"""The same simulated motion in another unit of length, with times and masses unchanged."""

from __future__ import annotations

from dataclasses import replace

from jaxtyping import Float
from numpy import ndarray

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.world import PhysicsWorld


def scale_lengths(
    body: ArticulatedBody, world: PhysicsWorld, motion: SimulatedMotion, factor: float
) -> tuple[ArticulatedBody, PhysicsWorld, SimulatedMotion]:
    """Multiply all lengths by `factor`, so that the same motion obeys the same physics in the new unit.

    With seconds and kilograms kept: lengths, speeds, gravity and forces scale by the factor, inertias and torques by
    its square. The gains follow from gravity, size and mass.
    """
    states, twists = motion.states.copy(), motion.twists.copy()
    states[..., :3] *= factor
    twists[..., :3] *= factor
    rates = motion.rates.copy()
    rates[:3] *= factor
    scaled = replace(
        body,
        T_parent_joint=_scale_places(body.T_parent_joint, factor),
        centres=body.centres * factor,
        inertias=body.inertias * factor**2,
        points=body.points * factor,
        T_body_box=_scale_places(body.T_body_box, factor),
        box_half_sides=body.box_half_sides * factor,
        size=body.size * factor,
        scale=body.scale * factor,
    )
    return (
        scaled,
        replace(world, gravity=world.gravity * factor, slip_speed=world.slip_speed * factor),
        replace(
            motion,
            states=states,
            twists=twists,
            rates=rates,
            contacts=None if motion.contacts is None else motion.contacts * factor,
        ),
    )


def _scale_places(T: Float[ndarray, "n 4 4"], factor: float) -> Float[ndarray, "n 4 4"]:
    T = T.copy()
    T[:, :3, 3] *= factor
    return T
