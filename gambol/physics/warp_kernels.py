"""Warp kernels of forces that Newton's solver lacks: Coulomb ground on a fixed list of contact points, upright torque.

Imported only where Warp is installed. `forces_reference.py` has the same formulas in numpy.
"""

# mypy: ignore-errors
# Warp reads these annotations itself; to a type checker they are no types.

import warp as wp


@wp.kernel
def ground_kernel(
    body_q: wp.array(dtype=wp.transform),
    body_qd: wp.array(dtype=wp.spatial_vector),
    body_com: wp.array(dtype=wp.vec3),
    points: wp.array(dtype=wp.vec3),
    point_bodies: wp.array(dtype=int),
    stiffness: float,
    damping: float,
    friction: float,
    slip_speed: float,
    ramp: float,
    grips: wp.array(dtype=float),
    body_f: wp.array(dtype=wp.spatial_vector),
):
    """`forces_reference.ground_forces` of one contact point, added to its body's wrench about the centre of mass."""
    i = wp.tid()
    body = point_bodies[i]
    X = body_q[body]
    place = wp.transform_point(X, points[i])
    depth = -place[1]
    if depth <= 0.0:
        return
    arm = place - wp.transform_point(X, body_com[body])
    twist = body_qd[body]
    v = wp.spatial_top(twist) + wp.cross(wp.spatial_bottom(twist), arm)
    normal = stiffness * depth - damping * wp.min(v[1], 0.0) * wp.min(depth / ramp, 1.0)
    limit = friction * normal
    slip = wp.sqrt(v[0] * v[0] + v[2] * v[2] + slip_speed * slip_speed)
    drag = -limit / (slip + limit / grips[i])
    force = wp.vec3(drag * v[0], normal, drag * v[2])
    wp.atomic_add(body_f, body, wp.spatial_vector(force, wp.cross(arm, force)))


@wp.kernel
def upright_kernel(
    body_q: wp.array(dtype=wp.transform),
    body_qd: wp.array(dtype=wp.spatial_vector),
    roots: wp.array(dtype=int),
    ups: wp.array(dtype=wp.vec3),
    gains: wp.array(dtype=float),
    body_f: wp.array(dtype=wp.spatial_vector),
):
    """`forces_reference.upright_torque` of one root; `gains`: stiffness, damping, in memory so that they may change."""
    i = wp.tid()
    root = roots[i]
    vertical = wp.vec3(0.0, 1.0, 0.0)
    up = wp.quat_rotate(wp.transform_get_rotation(body_q[root]), ups[i])
    spin = wp.spatial_bottom(body_qd[root])
    torque = gains[0] * wp.cross(up, vertical) - gains[1] * (spin - vertical * wp.dot(spin, vertical))
    wp.atomic_add(body_f, root, wp.spatial_vector(wp.vec3(0.0, 0.0, 0.0), torque))
