"""Signed distance field of a plan's flesh: smooth unions of round cones within a limb, and of limbs with the body.

    d_limb+body = smin(d_body, d_limb, k_limb),   d = max(min over limbs of d_limb+body, -y)

so limbs grow smoothly out of the body, never into each other, and feet are cut flat by the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numba import njit
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.creatures.bodies.body_plan import BODY_GROUP, CreatureBodyPlan, FleshCone, RefinedRegion, side_of
from gambol.creatures.bodies.warped_grid import cell_scale

FAR_DISTANCE = 1e9
"""Distance to an empty group, metres."""
SIDE_SIGNS = {Side.LEFT: 1.0, Side.RIGHT: -1.0, Side.MIDDLE: 0.0}
"""Sign of x on each side."""
NUMBA_OPTIONS: dict[str, Any] = {"cache": True, "fastmath": True, "error_model": "numpy"}
"""How Numba compiles the kernels."""


@dataclass(frozen=True)
class FleshField:
    """Flesh cones as arrays for the kernels, sorted by group, the body first."""

    cones: Float[ndarray, "flesh 18"]
    """Per cone: start 3, axis 3 (unit, stretched), start radius, length, slope of the radius, stretch, squash axis 3,
    blend; then a bounding ball: middle 3, radius."""
    starts: Int[ndarray, "starts"]
    """Index of each group's first cone, and the number of cones."""
    groups: Float[ndarray, "groups 6"]
    """Per group: blend radius with the body, side that it stays on (+1 left, -1 right, 0 both), bounding ball 4."""
    gap: float
    """Distance that sided groups keep from the middle plane, metres."""
    order: Int[ndarray, "flesh"]
    """Index of each cone in the plan's flesh."""

    @property
    def bounds(self) -> tuple[Float[ndarray, "3"], Float[ndarray, "3"]]:
        """Corners of a box around all flesh, without blends, metres."""
        middles, radii = self.cones[:, 14:17], self.cones[:, 17:]
        return (middles - radii).min(0), (middles + radii).max(0)


def make_flesh_field(plan: CreatureBodyPlan, thinnest: float = 0.0) -> FleshField:
    """Make the arrays of a plan's flesh; radii are at least `thinnest` metres, less in refined regions."""
    names = [BODY_GROUP, *(g for g in plan.group_blends if g != BODY_GROUP)]
    number = {name: i for i, name in enumerate(names)}
    group_of = np.array([number[f.group] for f in plan.flesh])
    order = np.argsort(group_of, kind="stable")
    cones, groups = np.zeros((len(order), 18)), np.zeros((len(names), 6))
    for row, i in zip(cones, order, strict=True):
        piece = _thick_enough(plan.flesh[i], plan.refined_regions, thinnest)
        across, stretch = np.array(piece.squash_axis), 1.0 / piece.squash
        start, end = np.array(piece.start), np.array(piece.end)
        middle, radii = 0.5 * (start + end), np.array([piece.start_radius, piece.end_radius])
        bound = 0.5 * np.linalg.norm(end - start) + radii.max() * max(1.0, piece.squash)
        end = end + (stretch - 1.0) * ((end - start) @ across) * across
        length = float(np.linalg.norm(end - start))
        if length <= abs(radii[1] - radii[0]) + 1e-9:  # one ball holds the other
            start = start if radii[0] >= radii[1] else np.array(piece.end)
            length, radii, axis = 0.0, np.full(2, radii.max()), np.zeros(3)
        else:
            axis = (end - start) / length
        slope = (radii[1] - radii[0]) / length if length else 0.0
        row[:] = [*start, *axis, radii[0], length, slope, stretch, *across, piece.blend, *middle, bound]
    starts = np.searchsorted(group_of[order], np.arange(len(names) + 1))
    for name, row, a, b in zip(names, groups, starts[:-1], starts[1:], strict=True):
        middle = cones[a:b, 14:17].mean(0) if b > a else np.zeros(3)
        reach = (np.linalg.norm(cones[a:b, 14:17] - middle, axis=1) + cones[a:b, 17]).max(initial=0.0)
        row[:] = [plan.group_blends.get(name, 0.0), SIDE_SIGNS[side_of(name)], *middle, reach]
    return FleshField(cones, starts, groups, plan.gap, order)


def _thick_enough(piece: FleshCone, refined_regions: tuple[RefinedRegion, ...], thinnest: float) -> FleshCone:
    least = thinnest * cell_scale(refined_regions, np.array([piece.start, piece.end]))
    radii = np.maximum([piece.start_radius, piece.end_radius], least)
    thin = max(piece.squash, min(1.0, float(least.max() / radii.max())))
    return replace(piece, start_radius=float(radii[0]), end_radius=float(radii[1]), squash=thin)


def evaluate_field(
    field: FleshField, points: Float[ndarray, "points 3"]
) -> tuple[Float[ndarray, "points"], Float[ndarray, "points 3"]]:
    """Return the signed distance (first order near squashed flesh) and its unit gradient at some points."""
    distances, gradients = np.empty(len(points)), np.empty((len(points), 3))
    _evaluate_kernel(
        np.ascontiguousarray(points), field.cones, field.starts, field.groups, field.gap, distances, gradients
    )
    return distances, gradients


def cone_distances(
    field: FleshField, points: Float[ndarray, "points 3"]
) -> tuple[Float[ndarray, "points flesh"], Float[ndarray, "points flesh"], Float[ndarray, "points flesh"]]:
    """Return the distance to every cone in the plan's order, the radius there, and the position along it (0 to 1)."""
    rows = np.empty((3, len(points), len(field.cones)))
    _cones(np.ascontiguousarray(points), field.cones, field.order, rows)
    return rows[0], rows[1], rows[2]


@njit(**NUMBA_OPTIONS)
def _cone(p, cone, g):
    """Return distance to a round cone, radius and position u there; the gradient is written into `g`.

    In the stretched space p' = p + (s - 1) ((p - a) . n) n the cone is round: the nearest ball of the hull lies at
    u = x + m y / sqrt(1 - m^2) along the axis (x along, y away from it, m the slope of the radius);
    d = (|p' - c(u)| - r(u)) / |grad|, the first-order distance back in space.
    """
    qx, qy, qz = p[0] - cone[0], p[1] - cone[1], p[2] - cone[2]
    push = (cone[9] - 1.0) * (qx * cone[10] + qy * cone[11] + qz * cone[12])
    qx, qy, qz = qx + push * cone[10], qy + push * cone[11], qz + push * cone[12]
    length, slope = cone[7], cone[8]
    u, place = 0.0, 0.0
    if length > 0.0:
        along = qx * cone[3] + qy * cone[4] + qz * cone[5]
        away = np.sqrt(max(qx * qx + qy * qy + qz * qz - along * along, 0.0))
        u = min(max(along + slope * away / np.sqrt(1.0 - slope * slope), 0.0), length)
        qx, qy, qz = qx - u * cone[3], qy - u * cone[4], qz - u * cone[5]
        place = u / length
    radius = cone[6] + u * slope
    reach = np.sqrt(qx * qx + qy * qy + qz * qz)
    if reach < 1e-12:
        g[0], g[1], g[2] = 0.0, 1.0, 0.0
        return -radius / cone[9], radius, place
    gx, gy, gz = qx / reach, qy / reach, qz / reach
    tilt = (cone[9] - 1.0) * (gx * cone[10] + gy * cone[11] + gz * cone[12])
    gx, gy, gz = gx + tilt * cone[10], gy + tilt * cone[11], gz + tilt * cone[12]
    size = np.sqrt(gx * gx + gy * gy + gz * gz)
    g[0], g[1], g[2] = gx / size, gy / size, gz / size
    return (reach - radius) / size, radius, place


@njit(**NUMBA_OPTIONS)
def _blend(a, ga, b, gb, k):
    """smin(a, b) = b + h (a - b) - k h (1 - h), h = clip(1/2 + (b - a) / 2k); the gradient is written into `ga`."""
    if k <= 0.0 or abs(a - b) >= k:
        if b < a:
            ga[0], ga[1], ga[2] = gb[0], gb[1], gb[2]
            return b
        return a
    h = 0.5 + 0.5 * (b - a) / k
    for i in range(3):
        ga[i] = gb[i] + h * (ga[i] - gb[i])
    return b + h * (a - b) - k * h * (1.0 - h)


@njit(**NUMBA_OPTIONS)
def _ball(p, row, at):
    """Return the distance to the ball stored in a row from index `at` on."""
    x, y, z = p[0] - row[at], p[1] - row[at + 1], p[2] - row[at + 2]
    return np.sqrt(x * x + y * y + z * z) - row[at + 3]


@njit(**NUMBA_OPTIONS)
def _group(p, cones, first, last, limb, g):
    """Return the smooth union of one group's cones; those whose bounding ball is too far are skipped."""
    d_limb = FAR_DISTANCE
    for c in range(first, last):
        if _ball(p, cones[c], 14) < d_limb + cones[c, 13]:
            d, _, _ = _cone(p, cones[c], g)
            d_limb = _blend(d_limb, limb, d, g, cones[c, 13])
    return d_limb


@njit(**NUMBA_OPTIONS)
def _evaluate_kernel(points, cones, starts, groups, gap, distances, gradients):
    g, limb, body, joined, best = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(len(points)):
        p = points[i]
        d_body = _group(p, cones, starts[0], starts[1], body, g)
        d_best = d_body
        best[:] = body
        for group in range(1, len(groups)):
            k, side, near = groups[group, 0], groups[group, 1], _ball(p, groups[group], 2)
            if near >= d_body + k or min(d_body, near) - 0.25 * k >= d_best:
                continue
            d_limb = _group(p, cones, starts[group], starts[group + 1], limb, g)
            if side != 0.0 and gap - side * p[0] > d_limb:
                d_limb = gap - side * p[0]
                limb[0], limb[1], limb[2] = -side, 0.0, 0.0
            joined[:] = body
            d_joined = _blend(d_body, joined, d_limb, limb, k)
            if d_joined < d_best:
                d_best = d_joined
                best[:] = joined
        if -p[1] > d_best:
            d_best = -p[1]
            best[0], best[1], best[2] = 0.0, -1.0, 0.0
        distances[i] = d_best
        size = max(np.sqrt(best[0] ** 2 + best[1] ** 2 + best[2] ** 2), 1e-9)
        for k3 in range(3):
            gradients[i, k3] = best[k3] / size


@njit(**NUMBA_OPTIONS)
def _cones(points, cones, order, rows):
    g = np.zeros(3)
    for i in range(len(points)):
        for c in range(len(cones)):
            rows[0, i, order[c]], rows[1, i, order[c]], rows[2, i, order[c]] = _cone(points[i], cones[c], g)
