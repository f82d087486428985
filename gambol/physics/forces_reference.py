"""Forces of the simulation, one formula each: ground, joints, upright torque.

These are the slow, readable twins of `warp_kernels.py`; reports use them, and tests compare both.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import joint_angles, joint_axes, transforms_from_states
from gambol.physics.world import Gains


def ground_forces(
    body: ArticulatedBody,
    g: Gains,
    states: Float[ndarray, "*batch bodies 7"],
    twists: Float[ndarray, "*batch bodies 6"],
) -> Float[ndarray, "*batch points 3"]:
    """Force of the ground on every contact point, newtons, world axes.

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
    body: ArticulatedBody,
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
    body: ArticulatedBody,
    g: Gains,
    states: Float[ndarray, "*batch bodies 7"],
    twists: Float[ndarray, "*batch bodies 6"],
) -> Float[ndarray, "*batch 3"]:
    """Virtual torque on the root, k up x y - c (w - y (w . y)), N m: turns `up` to the vertical y, not the heading."""
    R = transforms_from_states(states)[..., 0, :3, :3]
    vertical, spin = np.array([0.0, 1.0, 0.0]), twists[..., 0, 3:]
    tilt = np.cross(R @ body.up, vertical)
    return g.upright_ke * tilt - g.upright_kd * spin * (1.0 - vertical)
