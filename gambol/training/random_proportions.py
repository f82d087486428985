"""Random proportions as data augmentation: each body part of a character longer or shorter, joints and skin alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character

MAX_LOG_SCALE = 0.35
"""Largest natural logarithm of a part's random scale."""
LARGE_HEAD_PROBABILITY, SHORT_LEG_PROBABILITY = 0.3, 0.3
"""Probabilities of a head as large, and of legs as short, as in cartoons."""


def draw_proportions(generator: np.random.Generator) -> dict[BodyPart, float]:
    """Draw a scale for every part, large heads and short legs as in cartoons among them."""
    factors = {part: float(np.exp(generator.uniform(-MAX_LOG_SCALE, MAX_LOG_SCALE))) for part in BodyPart}
    if generator.random() < LARGE_HEAD_PROBABILITY:
        factors[BodyPart.HEAD] = float(generator.uniform(1.4, 2.2))
    if generator.random() < SHORT_LEG_PROBABILITY:
        factors[BodyPart.LEG] = float(generator.uniform(0.5, 0.75))
    return factors


def with_proportions(character: Character, anatomy: Anatomy, factors: Mapping[BodyPart, float]) -> Character:
    """Scale every bone b by its part's factor f about its own joint, and put the character on the ground.

    h'_b = h'_p + f_p (h_b - h_p) from the root outwards; v' = sum_b w_b (h'_b + f_b (v - h_b)).
    """
    mesh, skeleton, weights = character.require_skin()
    f = np.array([factors.get(part, 1.0) for part in anatomy.parts])
    old, heads = skeleton.heads, skeleton.heads.copy()
    for bone in range(1, len(skeleton)):
        parent = int(skeleton.parents[bone])
        heads[bone] = heads[parent] + f[parent] * (old[bone] - old[parent])
    bones = weights.bones
    moved = heads[bones] + f[bones, None] * (mesh.vertices[:, None] - old[bones])
    vertices = (weights.weights[..., None] * moved).sum(1)
    tails = heads + f[:, None] * (skeleton.tails - old)
    down = np.array([0.0, vertices[:, 1].min(), 0.0])
    T = skeleton.T_world_rest.copy()
    T[:, :3, 3] = heads - down
    return replace(
        character,
        mesh=replace(mesh, vertices=vertices - down),
        skeleton=replace(skeleton, T_world_rest=T, tails=tails - down),
    )
