"""Skin weights from flesh: every vertex follows the bone whose flesh it lies on, blended across joints."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import Side
from gambol.character.weights import SkinWeights, weights_from_dense
from gambol.creatures.bodies.body_plan import CreatureBodyPlan
from gambol.creatures.bodies.distance_field import FleshField, cone_distances
from gambol.creatures.bodies.isosurface import IsoSurface, neighbour_mean

JOINT_BLEND_WIDTH = 0.45
"""Width of the transition from one bone to the next, as a share of the limb's radius."""
DIFFUSION_LENGTH = 0.45
"""Distance that weights diffuse along the surface afterwards, as a share of the limb's radius."""
JACOBI_ITERATIONS = 16
"""Iterations of the diffusion's Jacobi solver; each spreads weights by at most one edge."""
NEIGHBOUR_HOPS = 2
"""Largest number of joints between a vertex's own bone and others that may move it."""


def weights_from_flesh(plan: CreatureBodyPlan, field: FleshField, skin: IsoSurface) -> SkinWeights:
    """Compute skin weights with at most four bones per vertex.

    w_b ~ exp(-e_b / (s r)^2) with e_b = (d_b + r_b)^2 - r_b^2: on a limb of radius r, at x past the joint, the energy
    of the bone before it is x^2, whatever the radius. The result is spread along the surface, (1 + t L) w = w_0, with
    t = (c r / edge)^2, so that wide bodies have wide transitions and nothing jumps from one limb to another.
    """
    distances, radii, _ = cone_distances(field, skin.vertices)
    bone_of = np.array([plan.index[f.bone] for f in plan.flesh])
    distances = np.maximum(distances, 0.0) - np.array([f.skin_grip for f in plan.flesh])
    nearest = distances.argmin(1)
    own = np.take_along_axis(radii, nearest[:, None], 1)
    energies = distances * (np.abs(distances) + 2.0 * radii)
    bone_energies = np.full((len(own), len(plan.joints)), np.inf)
    for flesh, bone in enumerate(bone_of):
        bone_energies[:, bone] = np.minimum(bone_energies[:, bone], energies[:, flesh])
    neighbours = bone_neighbourhoods(plan)
    allowed = neighbours[bone_of[nearest]]
    energy = np.where(allowed, bone_energies, np.inf) / (JOINT_BLEND_WIDTH * own) ** 2
    weights = np.exp(-(energy - energy.min(1, keepdims=True)))
    weights /= weights.sum(1, keepdims=True)
    weights = _spread(weights, skin, DIFFUSION_LENGTH * own[:, 0]) * allowed
    weights *= neighbours[weights.argmax(1)]
    weights[weights < 0.01] = 0.0
    return weights_from_dense(weights / weights.sum(1, keepdims=True))


def bone_neighbourhoods(plan: CreatureBodyPlan) -> Bool[ndarray, "bones bones"]:
    """Return which bones may move a vertex of each bone: near along the skeleton, none of the other side or limb."""
    count = len(plan.joints)
    links = np.eye(count, dtype=bool)
    child = np.arange(1, count)
    links[child, plan.parents[1:]] = links[plan.parents[1:], child] = True
    near = np.linalg.matrix_power(links.astype(int), NEIGHBOUR_HOPS) > 0
    sides = np.array([{Side.LEFT: 1, Side.RIGHT: -1, Side.MIDDLE: 0}[j.side] for j in plan.joints])
    limb = limb_of_bones(plan)
    strangers = (limb[:, None] != limb[None]) & (limb[:, None] >= 0) & (limb[None] >= 0)
    return near & (sides[:, None] * sides[None] >= 0) & ~strangers


def limb_of_bones(plan: CreatureBodyPlan) -> Int[ndarray, "bones"]:
    """Return the number of the sided limb that each bone belongs to or hangs from, -1 for the others."""
    limb = np.full(len(plan.joints), -1)
    for number, chain in enumerate(plan.limbs):
        if chain.side != Side.MIDDLE:
            limb[[plan.index[b] for b in chain.bones]] = number
    for bone, parent in enumerate(plan.parents):
        if parent >= 0 and limb[bone] < 0:
            limb[bone] = limb[parent]
    return limb


def _spread(
    weights: ndarray, skin: IsoSurface, lengths: Float[ndarray, "vertices"]
) -> Float[ndarray, "vertices bones"]:
    count = len(weights)
    time = ((lengths / np.maximum(skin.edge_lengths, 1e-30)) ** 2)[:, None]
    neighbours, result = neighbour_mean(skin.triangles, count), weights
    for _ in range(JACOBI_ITERATIONS):
        result = (weights + time * (neighbours @ result)) / (1.0 + time)
    return result
