"""Joint targets for rigid hinges (MuJoCo) that reproduce the motion of the simulated compound joints (Newton)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.forces_reference import joint_torques
from gambol.physics.generalised_coordinates import joint_axes, transforms_from_states
from gambol.physics.simulated_motion import SimulatedMotion
from gambol.physics.world import PhysicsWorld, gains


def knot_targets(motion: SimulatedMotion) -> Float[ndarray, "frames joints 3"]:
    """Joint targets of a motion at its frames, radians; `targets` begins one step after frame 0."""
    given = motion.targets
    if len(given) == 1:
        return given[[0, 0]]
    first = 2.0 * given[0] - given[1] if motion.per_frame > 1 else given[0]
    return np.concatenate([first[None], given[motion.per_frame - 1 :: motion.per_frame]])


def hinge_rates(
    body: ArticulatedBody, states: Float[ndarray, "*batch bodies 7"], twists: Float[ndarray, "*batch bodies 6"]
) -> Float[ndarray, "*batch joints 3"]:
    """Rates r of three hinges in series, rad/s: A r = w_child - w_parent with the axes as the columns of A."""
    A = joint_axes(body, transforms_from_states(states)[..., :3, :3])
    spin = twists[..., 1:, 3:] - twists[..., body.parents[1:], 3:]
    return np.linalg.solve(A, spin[..., None])[..., 0]


def hinge_targets(
    body: ArticulatedBody, world: PhysicsWorld, motion: SimulatedMotion, angles: Float[ndarray, "frames joints 3"]
) -> Float[ndarray, "frames joints 3"]:
    """Joint targets at the frames for rigid hinges, radians.

    Newton adds the torques of a joint's axes as vectors, A tau, and joints give way under load. On hinges the same
    torque is A^T A tau, and the same feet need the bent legs of the written clip, its `angles`:
    target = angle + (A^T A tau + k_d r) / k_e, with tau of eq. 12 and the hinges' own rates r.
    """
    g, states, twists = gains(body, world), motion.frame_states, motion.twists[:: motion.per_frame]
    A = joint_axes(body, transforms_from_states(states)[..., :3, :3])
    tau, _ = joint_torques(body, g, states, twists, knot_targets(motion))
    on_hinges = np.swapaxes(A, -1, -2) @ (A @ tau[..., None])
    return angles + (on_hinges[..., 0] + g.joint_kd * hinge_rates(body, states, twists)) / g.joint_ke
