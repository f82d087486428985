"""A body as a Newton model: links with given inertias, a free root, D6 joints with PD targets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from numpy import ndarray

from gambol.character.transforms import quaternion_from_matrix
from gambol.errors import ConfigError, MissingExtra
from gambol.physics.articulated_body import ArticulatedBody
from gambol.physics.generalised_coordinates import XYZW
from gambol.physics.world import Gains, PhysicsWorld

FREE_ROOT_SLOTS = 7
"""Number of joint targets that a free root takes in Newton; they are not used."""


@cache
def load_warp() -> Any:
    """Import Warp without its banner; raises MissingExtra where it is not installed."""
    try:
        import warp as wp

        wp.config.log_level = wp.LOG_ERROR
        with _silent_stderr():  # Warp's library tells every machine without a GPU that it has none
            wp.init()
        import newton  # noqa: F401
    except ImportError as error:
        raise MissingExtra("Differentiable simulation", "physics") from error
    return wp


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard what C libraries write to the process's stderr."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def load_newton() -> Any:
    """Import Newton; raises MissingExtra where it or Warp is not installed."""
    load_warp()
    import newton

    return newton


def check_device(device: str) -> None:
    """Raise ConfigError where Warp has no such device."""
    try:
        load_warp().get_device(device)
    except (ValueError, RuntimeError) as error:
        raise ConfigError(f"There is no device '{device}' to simulate on here; --device cpu always is.") from error


def build_model(
    body: ArticulatedBody, g: Gains, world: PhysicsWorld, copies: int, device: str, requires_grad: bool
) -> Any:
    """Build a Newton model with `copies` of the body: given inertias, a free root, D6 joints with PD targets."""
    wp, newton = load_warp(), load_newton()

    def transform(T: ndarray) -> Any:
        return wp.transform(wp.vec3(*T[:3, 3]), wp.quat(*quaternion_from_matrix(T[:3, :3])[XYZW]))

    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -world.gravity, 0.0))
    dof = newton.ModelBuilder.JointDofConfig
    for copy in range(copies):
        joints, first = [], copy * len(body)
        for i, name in enumerate(body.names):
            builder.add_link(
                mass=float(body.masses[i]),
                com=wp.vec3(*body.centres[i]),
                inertia=wp.mat33(*body.inertias[i].ravel()),
                label=f"{copy}/{name}",
                lock_inertia=True,
            )
            if body.parents[i] < 0:
                joints.append(builder.add_joint_free(first + i))
                continue
            # limits so wide that they never switch the target off
            axes = [
                dof(
                    axis=axis,
                    target_ke=g.joint_ke,
                    target_kd=g.joint_kd,
                    armature=0.0,
                    limit_lower=-1e6,
                    limit_upper=1e6,
                    limit_ke=0.0,
                    limit_kd=0.0,
                )
                for axis in (newton.Axis.X, newton.Axis.Y, newton.Axis.Z)
            ]
            joints.append(
                builder.add_joint_d6(
                    first + int(body.parents[i]),
                    first + i,
                    angular_axes=axes,
                    parent_xform=transform(body.T_parent_joint[i]),
                    child_xform=wp.transform_identity(),
                )
            )
        builder.add_articulation(joints)
    return builder.finalize(device=device, requires_grad=requires_grad)
