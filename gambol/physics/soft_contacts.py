"""The simulated ground as MuJoCo contact parameters: a spring, a damper and viscous friction at each contact point.

MuJoCo's contact is a = -b v - k r of its reference, held with the softness R = (1 - d) / d W, where W is the body's
inverse weight and d the impedance. Read as forces, that is a spring k / R, a damper b / R and an added mass 1 / R.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.forces_reference import ground_forces
from gambol.physics.generalised_coordinates import velocity_map
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.world import Gains

CONTACT_IMPEDANCE = 0.1
"""Impedance d of MuJoCo's contacts: so low that the added mass is a ninth of the body's own."""
DAMPING_SHARE = 0.5
"""Share of the damping that MuJoCo gets: it damps points that sink or rise, the simulation only those that sink."""
VISCOSITY_AT_SLIP_SPEED = 0.5**0.5
"""Viscosity of mu f_n v / sqrt(v^2 + s^2) at the slip speed s, as a share of mu f_n / s."""
ASSUMED_BEARING_POINTS = 4
"""Number of contact points that share the weight where the forces are not known."""


def inverse_weights(body: ArticulatedBody) -> Float[ndarray, "bodies"]:
    """MuJoCo's inverse weight W of each body: acceleration of its centre of mass by a unit force, 1/kg.

    W = tr(J M^-1 J^T) / 3 at zero angles.
    """
    T = body.T_parent_joint.copy()
    for i in range(1, len(body)):
        T[i] = T[body.parents[i]] @ T[i]
    J = velocity_map(body, T)
    R = T[:, :3, :3]
    M = np.einsum("bir,b,bis->rs", J[:, :3], body.masses, J[:, :3])
    M += np.einsum("bir,bij,bjs->rs", J[:, 3:], R @ body.inertias @ np.swapaxes(R, -1, -2), J[:, 3:])
    return np.einsum("bir,bri->b", J[:, :3], np.linalg.solve(M, np.swapaxes(J[:, :3], -1, -2))) / 3.0


def contact_solref(body: ArticulatedBody, g: Gains) -> list[str]:
    """MuJoCo's solref for the contact points of each body: -k and -b of the ground's stiffness and damping."""
    softness = (1.0 - CONTACT_IMPEDANCE) * inverse_weights(body)  # R d, for MuJoCo divides both by d
    return [f"{-g.ground_ke * r:.9g} {-DAMPING_SHARE * g.ground_kd * r:.9g}" for r in softness]


def friction_hardness(body: ArticulatedBody, g: Gains, motion: SimulatedMotion) -> float:
    """MuJoCo's impratio: viscosity of friction at the slip speed over the normal damping.

    Its inverse is s / (mu f_n) there, and 1 / grip. f_n is what a point bears in the motion, averaged over the newtons;
    MuJoCo's viscosity does not know of it.
    """
    forces = np.full((1, len(body.points)), body.mass * g.gravity / ASSUMED_BEARING_POINTS)
    if motion.engine == "newton":
        borne = ground_forces(body, g, motion.frame_states, motion.twists[:: motion.per_frame])[..., 1]
        forces = borne if borne.sum() > 0 else forces
    creep = g.slip_speed / np.maximum(VISCOSITY_AT_SLIP_SPEED * g.friction * forces, 1e-9) + 1.0 / g.grips
    return float((forces / creep).sum() / forces.sum()) / (DAMPING_SHARE * g.ground_kd)
