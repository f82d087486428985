"""The physical world: gravity, ground, joint gains and upright torque, relative to a body and in SI units."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import ConfigError
from gambol.motion.gravity import EARTH_GRAVITY
from gambol.physics.articulated_body import ArticulatedBody

GROUND_DAMPING_DEPTH = 0.0015
"""Depth below the ground at which its damping is fully on, sizes."""
FRICTION_VISCOSITY_SHARE = 0.4
"""Highest viscosity of friction at a contact point, as a share of (mass at the point / step).

A higher one would reverse the point's slip within a step, and the two sides of a foot would chatter."""


@dataclass(frozen=True)
class PhysicsWorld:
    """Constants of the simulation.

    Gains are relative to the body (mass M, size L, gravity g), so that one set fits a cat and a horse; `gains` gives
    them in SI units.
    """

    step: float = 1.0 / 1920.0
    """Longest simulation step, seconds. Twice as long still looks stable, but gradients through impacts are wrong."""
    gravity: float = EARTH_GRAVITY
    """Acceleration of gravity, simulated m/s^2."""
    friction: float = 0.8
    """Coulomb coefficient of the ground."""
    slip_speed: float = 0.1
    """Speed at which friction reaches 71 % of its limit, m/s: the smoothing that gradients need."""
    ground_stiffness: float = 100.0
    """Stiffness of the ground at each contact point, M g / L."""
    ground_damping: float = 0.005
    """Damping of the ground at a contact point that sinks, seconds (multiplied by the stiffness)."""
    joint_stiffness: float = 0.9
    """Stiffness k_e of all joints (eq. 12), M g L per radian."""
    joint_damping: float = 0.025
    """Damping k_d of all joints (eq. 12), seconds (multiplied by k_e)."""
    attach_stiffness: float = 500.0
    """Stiffness that holds a joint together, M g / L: the whole weight pulls it apart by 1/500 of the size."""
    attach_damping: float = 0.0025
    """Damping of what holds a joint together, seconds (multiplied by its stiffness)."""
    upright_stiffness: float = 0.8
    """Stiffness of the virtual torque that keeps the root upright, M g L per radian."""
    upright_damping: float = 0.1
    """Damping of the virtual torque that keeps the root upright, seconds (multiplied by its stiffness)."""

    def __post_init__(self) -> None:
        if not 0 < self.step <= 0.01:
            raise ConfigError(f"The simulation step is {self.step} s; allowed is up to 0.01 s.")
        if not self.gravity > 0:
            raise ConfigError(f"Gravity is {self.gravity} m/s^2; it must pull downwards, as 9.81 does.")
        if self.friction < 0 or self.slip_speed <= 0:
            raise ConfigError("Friction must not be negative, and its slip speed must be positive.")

    @property
    def pace(self) -> float:
        """Natural speed relative to 9.81 m/s^2, sqrt(g / 9.81): how much faster bodies fall, swing and slip."""
        return (self.gravity / EARTH_GRAVITY) ** 0.5


DEFAULT_WORLD = PhysicsWorld()
"""Earth's gravity and the default gains."""


def world_for_living_size(size: float, simulated: float, world: PhysicsWorld = DEFAULT_WORLD) -> PhysicsWorld:
    """Scale a world to what a body of `size` metres feels, where that body is simulated `simulated` metres long.

    Dynamic similarity: with r = simulated / size, gravity is r g. Natural times are sqrt(r) times shorter, and with
    them the step and all dampings; speeds are sqrt(r) times higher. So a spider may run at a spider's pace, and a body
    that is simulated larger than it is does not seem to float.
    """
    if not (np.isfinite(size) and 0.01 <= size <= 100.0):
        raise ConfigError(f"A body of {size:g} m cannot be simulated; allowed is a size of 0.01 to 100 m.")
    pace = (simulated / size) ** 0.5
    return replace(
        world,
        gravity=world.gravity * pace**2,
        step=world.step / pace,
        slip_speed=world.slip_speed * pace,
        ground_damping=world.ground_damping / pace,
        joint_damping=world.joint_damping / pace,
        attach_damping=world.attach_damping / pace,
        upright_damping=world.upright_damping / pace,
    )


@dataclass(frozen=True)
class Gains:
    """Constants of a `PhysicsWorld` for one body, in SI units."""

    gravity: float
    """Acceleration of gravity, m/s^2."""
    joint_ke: float
    """Stiffness of the joints, N m/rad."""
    joint_kd: float
    """Damping of the joints, N m s/rad."""
    attach_ke: float
    """Stiffness that holds joints together, N/m."""
    attach_kd: float
    """Damping of what holds joints together, N s/m."""
    ground_ke: float
    """Stiffness of the ground at a contact point, N/m."""
    ground_kd: float
    """Damping of the ground at a contact point, N s/m."""
    friction: float
    """Coulomb coefficient of the ground."""
    slip_speed: float
    """Speed at which friction reaches 71 % of its limit, m/s."""
    ramp: float
    """Depth at which the ground's damping is fully on, metres."""
    grips: Float[ndarray, "points"]
    """Highest viscosity of friction at each contact point, N s/m."""
    upright_ke: float
    """Stiffness of the upright torque, N m/rad."""
    upright_kd: float
    """Damping of the upright torque, N m s/rad."""


def gains(body: ArticulatedBody, world: PhysicsWorld) -> Gains:
    """Gains of a body in this world, in SI units."""
    weight = body.mass * world.gravity
    spring, torsion = weight / body.size, weight * body.size
    return Gains(
        gravity=world.gravity,
        joint_ke=world.joint_stiffness * torsion,
        joint_kd=world.joint_stiffness * world.joint_damping * torsion,
        attach_ke=world.attach_stiffness * spring,
        attach_kd=world.attach_stiffness * world.attach_damping * spring,
        ground_ke=world.ground_stiffness * spring,
        ground_kd=world.ground_stiffness * world.ground_damping * spring,
        friction=world.friction,
        slip_speed=world.slip_speed,
        ramp=GROUND_DAMPING_DEPTH * body.size,
        grips=FRICTION_VISCOSITY_SHARE * point_masses(body) / world.step,
        upright_ke=world.upright_stiffness * torsion,
        upright_kd=world.upright_stiffness * world.upright_damping * torsion,
    )


def point_masses(body: ArticulatedBody) -> Float[ndarray, "points"]:
    """Effective mass at each contact point in the direction in which it moves most easily, its body taken alone, kg.

    1 / m_p is the largest eigenvalue of 1 / m - [r]x I^-1 [r]x, with r from the centre of mass to the point. A body
    without mass is fixed.
    """
    of = body.point_bodies
    turning = np.cross(body.points - body.centres[of], np.eye(3)[:, None])
    easy = np.einsum("kpi,pij,lpj->pkl", turning, np.linalg.pinv(body.inertias)[of], turning)
    inverse = np.divide(1.0, body.masses, out=np.zeros(len(body)), where=body.masses > 0)
    return 1.0 / np.maximum(inverse[of] + np.linalg.eigvalsh(easy)[:, -1], 1e-12)
