"""Vertex colours of the skin: coat, belly, socks, stripes, spots and patches, in linear light."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.colour import Colour
from gambol.character.weights import SkinWeights
from gambol.creatures.bodies.body_plan import Coat, CreatureBodyPlan
from gambol.creatures.bodies.distance_field import FleshField, cone_distances
from gambol.creatures.bodies.isosurface import IsoSurface

BORDER_WIDTH = 0.12
"""Width of the border between two colours, as a share of the flesh's radius."""
HARD_BORDER_WIDTH = 0.012
"""Width of the border of flesh with a hard edge, as a share of its radius."""
PATTERN_SEED = 20
"""Seed of the noise that patterns are made of."""


def skin_colours(
    plan: CreatureBodyPlan, field: FleshField, skin: IsoSurface, weights: SkinWeights
) -> Float[ndarray, "vertices 3"]:
    """Compute the colour of every vertex: its flesh's own colour, or the coat with its pattern."""
    distances, radii, places = cone_distances(field, skin.vertices)
    own = np.take_along_axis(radii, distances.argmin(1)[:, None], 1)
    hard = np.array([f.hard_edge for f in plan.flesh])
    # a border sharper than the mesh would be a zigzag of triangles
    width = np.maximum(np.where(hard, HARD_BORDER_WIDTH, BORDER_WIDTH) * own, 0.12 * skin.edge_lengths[:, None])
    closeness = (distances - distances.min(1, keepdims=True)) / width
    share = np.exp(-np.minimum(closeness, 60.0))
    share /= share.sum(1, keepdims=True)
    painted = np.array([f.colour is not None for f in plan.flesh])
    paint = np.array([f.colour or (0.0, 0.0, 0.0) for f in plan.flesh])
    coat = coat_colours(plan, skin, weights, distance_along_skeleton(plan, distances, places))
    return share[:, painted] @ paint[painted] + share[:, ~painted].sum(1, keepdims=True) * coat


def distance_along_skeleton(plan: CreatureBodyPlan, distances: ndarray, places: ndarray) -> Float[ndarray, "vertices"]:
    """Return each vertex's distance from the root along the skeleton, metres; its level sets are rings around limbs."""
    reach = np.zeros(len(plan.joints))
    for bone, parent in enumerate(plan.parents):
        if parent >= 0:
            reach[bone] = reach[parent] + np.linalg.norm(plan.heads[bone] - plan.heads[parent])
    starts, lengths = np.zeros(len(plan.flesh)), np.zeros(len(plan.flesh))
    for i, piece in enumerate(plan.flesh):
        bone = plan.index[piece.bone]
        start, end, head = np.array(piece.start), np.array(piece.end), plan.heads[bone]
        lengths[i] = np.linalg.norm(end - start)
        starts[i] = reach[bone] + np.linalg.norm(start - head)
    share = np.exp(-np.minimum((distances - distances.min(1, keepdims=True)) / (0.03 * np.ptp(plan.heads)), 60.0))
    return (share * (starts + lengths * places)).sum(1) / share.sum(1)


def coat_colours(
    plan: CreatureBodyPlan, skin: IsoSurface, weights: SkinWeights, along: Float[ndarray, "vertices"]
) -> Float[ndarray, "vertices 3"]:
    """Compute the coat's colours: back and belly by the normal, socks by height, markings strongest on the back."""
    coat, height = plan.coat, float(skin.vertices[:, 1].max())
    size = float(np.ptp(skin.vertices, axis=0).max())
    below = coat.countershade * _smoothstep(-skin.normals[:, 1], -0.05, 0.6)
    limbs = np.array([j.part in (BodyPart.LEG, BodyPart.ARM) for j in plan.joints])
    on_limb = (weights.weights * limbs[weights.bones]).sum(1)
    colours = _paint(np.tile(coat.back, (len(below), 1)), coat.belly, below * (1.0 - 0.6 * on_limb))
    colours = _paint(
        colours, coat.markings, marking_strength(coat, skin.vertices / size, along / size) * (1.0 - 0.8 * below)
    )
    if coat.socks > 0:
        rise = skin.vertices[:, 1] / height
        colours = _paint(colours, coat.legs, on_limb * (1.0 - _smoothstep(rise, 0.85 * coat.socks, 1.15 * coat.socks)))
    return colours


def marking_strength(
    coat: Coat, places: Float[ndarray, "vertices 3"], along: Float[ndarray, "vertices"]
) -> Float[ndarray, "vertices"]:
    """Return the share of the markings' colour at each vertex; places are in creature sizes, both sides alike."""
    places = (
        np.abs(places) * [1.0, 0.0, 0.0] + places * [0.0, 1.0, 1.0] + coat.pattern_shift * np.array([0.0, 0.6, 0.8])
    )
    amount = np.zeros(len(places))
    if coat.stripes > 0:
        wave = np.sin(2 * np.pi * along / coat.pattern_scale + 1.3 * _noise(places / coat.pattern_scale * 0.6))
        amount = coat.stripes * _smoothstep(wave, 0.0, 0.7)
    if coat.patches > 0:
        amount = np.maximum(
            amount,
            _smoothstep(_noise(places / coat.pattern_scale), 0.95 - 1.9 * coat.patches, 1.1 - 1.9 * coat.patches),
        )
    if coat.spots > 0 or coat.net > 0:
        nearest, second = _cell_distances(
            places + 0.25 * coat.pattern_scale * _warp(places / coat.pattern_scale), coat.pattern_scale
        )
        amount = np.maximum(amount, coat.spots * (1.0 - _smoothstep(nearest, 0.28, 0.42)))
        amount = np.maximum(amount, coat.net * _smoothstep(second - nearest, 0.08, 0.2))
    return amount


def _paint(colours: ndarray, colour: Colour, amount: Float[ndarray, "vertices"]) -> Float[ndarray, "vertices 3"]:
    return colours + np.clip(amount, 0.0, 1.0)[:, None] * (np.array(colour) - colours)


def _smoothstep(x: ndarray, low: float, high: float) -> ndarray:
    t = np.clip((x - low) / (high - low), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _noise(points: Float[ndarray, "points 3"]) -> Float[ndarray, "points"]:
    """Evaluate a fixed smooth noise in about [-1, 1] with features of size 1."""
    generator = np.random.default_rng(PATTERN_SEED)
    waves, phases = generator.normal(0.0, 2.0, (6, 3)), generator.uniform(0.0, 2 * np.pi, 6)
    return np.sin(points @ waves.T + phases).sum(1) / 3.0


def _warp(points: Float[ndarray, "points 3"]) -> Float[ndarray, "points 3"]:
    return np.stack([_noise(points + shift) for shift in (0.0, 7.0, 19.0)], 1)


def _cell_distances(points: Float[ndarray, "points 3"], size: float) -> tuple[ndarray, ndarray]:
    """Return the distances, in sizes, to the two nearest of random points, about one per cube of `size`."""
    from scipy.spatial import cKDTree

    low, high = np.floor(points.min(0) / size) - 1, np.ceil(points.max(0) / size) + 1
    axes = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
    lattice = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    generator = np.random.default_rng(PATTERN_SEED)
    seeds = lattice + generator.uniform(0.0, 0.9, lattice.shape)
    distances, _ = cKDTree(seeds).query(points / size, k=2)
    return distances[:, 0], distances[:, 1]
