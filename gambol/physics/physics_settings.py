"""The world that bodies move in: gravity, ground, joint gains, upright torque; and its forces, one formula each.

The formulas here are the slow, readable twins of `kernels.py`; reports use them, tests compare both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.errors import AssetError
from gambol.physics.articulated_body import Body
from gambol.physics.generalised_coordinates import joint_angles, joint_axes, transforms_from_states

GRAVITY = 9.81
"""m/s^2."""
RAMP = 0.0015
"""Depth over which the ground's damping sets in, sizes."""
GRIP = 0.4
"""Friction's viscosity at a point is at most this share of (what the point weighs / step): more would turn its slip
around within a step, and the two sides of a foot would chatter."""


@dataclass(frozen=True)
class World:
    """Constants of the simulation.

    Gains are relative to the body (mass M, size L, gravity g), so that one set fits a cat and a horse; `gains` gives
    them in SI units.
    """

    step: float = 1.0 / 1920.0
    """Longest simulation step, seconds. Twice as long still looks stable, but gradients through impacts are wrong."""
    gravity: float = GRAVITY
    """Simulated m/s^2."""
    friction: float = 0.8
    """Coulomb's coefficient of the ground."""
    slip_speed: float = 0.1
    """Speed at which friction reaches 71 % of its limit, m/s: the smoothing that gradients need."""
    ground_stiffness: float = 100.0
    """Of each contact point, M g / L."""
    ground_damping: float = 0.005
    """Of each contact point while it sinks, seconds (times the stiffness)."""
    joint_stiffness: float = 0.9
    """k_e of eq. 12, M g L per radian, for all joints."""
    joint_damping: float = 0.025
    """k_d of eq. 12, seconds (times k_e)."""
    attach_stiffness: float = 500.0
    """What holds a joint together, M g / L: under the whole weight it gives way by a five-hundredth of the size."""
    attach_damping: float = 0.0025
    """The same, seconds (times the stiffness)."""
    upright_stiffness: float = 0.8
    """Of the virtual torque that keeps the root upright, M g L per radian."""
    upright_damping: float = 0.1
    """The same, seconds (times the stiffness)."""

    def __post_init__(self) -> None:
        if not 0 < self.step <= 0.01:
            raise AssetError(f"The simulation step is {self.step} s; allowed is up to 0.01 s.")
        if not self.gravity > 0:
            raise AssetError(f"Gravity is {self.gravity} m/s^2; it must pull downwards, as 9.81 does.")
        if self.friction < 0 or self.slip_speed <= 0:
            raise AssetError("Friction must not be negative, and its slip speed must be positive.")

    @property
    def haste(self) -> float:
        """How much faster than with 9.81 m/s^2 everything goes by itself: falling, swinging, slipping."""
        return (self.gravity / GRAVITY) ** 0.5


DEFAULT_WORLD = World()


def world_of_living(size: float, simulated: float, world: World = DEFAULT_WORLD) -> World:
    """The world as a body of `size` metres feels it, in lengths in which that body is `simulated` metres long.

    Dynamic similarity: with r = simulated / size, gravity is r g. Its natural times are sqrt(r) times shorter, and with
    them the step and all dampings; speeds are sqrt(r) times higher. So a spider may run at a spider's pace, and a body
    that is simulated too large does not float.
    """
    if not (np.isfinite(size) and 0.01 <= size <= 100.0):
        raise AssetError(f"A body of {size:g} m cannot be simulated; allowed is a size of 0.01 to 100 m.")
    haste = (simulated / size) ** 0.5
    return replace(
        world,
        gravity=world.gravity * haste**2,
        step=world.step / haste,
        slip_speed=world.slip_speed * haste,
        ground_damping=world.ground_damping / haste,
        joint_damping=world.joint_damping / haste,
        attach_damping=world.attach_damping / haste,
        upright_damping=world.upright_damping / haste,
    )


@dataclass(frozen=True)
class Gains:
    """The constants of one body in SI units."""

    gravity: float
    joint_ke: float
    joint_kd: float
    attach_ke: float
    attach_kd: float
    ground_ke: float
    ground_kd: float
    friction: float
    slip_speed: float
    ramp: float
    grips: Float[ndarray, "points"]
    """Highest viscosity of friction at each contact point, N s/m."""
    upright_ke: float
    upright_kd: float


def gains(body: Body, world: World) -> Gains:
    """`world` for this body."""
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
        ramp=RAMP * body.size,
        grips=GRIP * point_masses(body) / world.step,
        upright_ke=world.upright_stiffness * torsion,
        upright_kd=world.upright_stiffness * world.upright_damping * torsion,
    )


def point_masses(body: Body) -> Float[ndarray, "points"]:
    """What each contact point weighs where it is easiest to push, its body taken alone, kg.

    1 / m_p is the largest eigenvalue of 1 / m - [r]x I^-1 [r]x, with r from the centre of mass to the point. A body
    without mass is held: nothing pushes it.
    """
    of = body.point_bodies
    turning = np.cross(body.points - body.centres[of], np.eye(3)[:, None])
    easy = np.einsum("kpi,pij,lpj->pkl", turning, np.linalg.pinv(body.inertias)[of], turning)
    inverse = np.divide(1.0, body.masses, out=np.zeros(len(body)), where=body.masses > 0)
    return 1.0 / np.maximum(inverse[of] + np.linalg.eigvalsh(easy)[:, -1], 1e-12)


def ground_forces(
    body: Body, g: Gains, states: Float[ndarray, "*batch bodies 7"], twists: Float[ndarray, "*batch bodies 6"]
) -> Float[ndarray, "*batch points 3"]:
    """Force of the ground on every contact point, newtons.

    With depth d > 0 and velocity v: f_n = k d - c min(v_y, 0) min(d / ramp, 1); friction -mu f_n v_t / (sqrt(v_t^2 +
    s^2) + mu f_n / grip), never more than mu f_n (Coulomb) and never more viscous than the point's grip.
    """
    T = transforms_from_states(states)[..., body.point_bodies, :, :]
    arms = np.einsum("...pij,pj->...pi", T[..., :3, :3], body.points - body.centres[body.point_bodies])
    height = np.einsum("...pj,pj->...p", T[..., 1, :3], body.points) + T[..., 1, 3]
    twist = twists[..., body.point_bodies, :]
    v = twist[..., :3] + np.cross(twist[..., 3:], arms)
    depth = np.maximum(-height, 0.0)
    normal = g.ground_ke * depth - g.ground_kd * np.minimum(v[..., 1], 0.0) * np.minimum(depth / g.ramp, 1.0)
    limit = g.friction * normal
    drag = -limit / (np.sqrt(v[..., 0] ** 2 + v[..., 2] ** 2 + g.slip_speed**2) + limit / g.grips)
    return np.stack([drag * v[..., 0], normal, drag * v[..., 2]], -1)


def joint_torques(
    body: Body,
    g: Gains,
    states: Float[ndarray, "*batch bodies 7"],
    twists: Float[ndarray, "*batch bodies 6"],
    targets: Float[ndarray, "*batch joints 3"],
) -> tuple[Float[ndarray, "*batch joints 3"], Float[ndarray, "*batch joints 3"]]:
    """Eq. 12: tau_l = k_e (target_l - angle_l) - k_d rate_l about each axis l, newton metres; and the rates.

    rate_l = axis_l . (w_child - w_parent), radians per second.
    """
    R = transforms_from_states(states)[..., :3, :3]
    spin = twists[..., 1:, 3:] - twists[..., body.parents[1:], 3:]
    rates = np.einsum("...jil,...ji->...jl", joint_axes(body, R), spin)
    return g.joint_ke * (targets - joint_angles(body, R)) - g.joint_kd * rates, rates


def upright_torque(
    body: Body, g: Gains, states: Float[ndarray, "*batch bodies 7"], twists: Float[ndarray, "*batch bodies 6"]
) -> Float[ndarray, "*batch 3"]:
    """Virtual torque on the root, k up x y - c (w - y (w . y)): it turns `up` to the vertical y; heading stays free."""
    R = transforms_from_states(states)[..., 0, :3, :3]
    vertical, spin = np.array([0.0, 1.0, 0.0]), twists[..., 0, 3:]
    tilt = np.cross(R @ body.up, vertical)
    return g.upright_ke * tilt - g.upright_kd * spin * (1.0 - vertical)
