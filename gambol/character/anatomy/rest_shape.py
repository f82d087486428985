"""Measurements of each bone at rest, from which the anatomy is found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.mesh import triangle_normals
from gambol.character.skeleton import Skeleton

MAX_MIRROR_DISTANCE = 0.03
"""A joint whose mirror image is farther than this share of the size from every joint counts as unmatched."""


@dataclass(frozen=True)
class RestShape:
    """Joints and surface of each bone at rest, with z measured from the plane that the character is symmetric about."""

    skeleton: Skeleton
    """The motion skeleton."""
    heads: Float[ndarray, "bones 3"]
    """Joint positions, metres."""
    tails: Float[ndarray, "bones 3"]
    """Bone ends, metres."""
    size: float
    """The character's size, metres."""
    points: tuple[Float[ndarray, "_vertices 3"], ...]
    """The vertices that each bone dominates; none where it dominates none or the character is a bare rig."""
    spreads: Float[ndarray, "bones 3 3"]
    """Sum of area n n^T over each bone's triangles with normals n: flat surfaces have one large eigenvalue."""
    footprints: Float[ndarray, "bones"]
    """Area of each bone's surface that lies on the ground; of a bare rig, the length of what lies low and level."""

    def __len__(self) -> int:
        return len(self.heads)

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """Every bone with all bones that hang on it."""
        groups: list[list[int]] = [[bone] for bone in range(len(self))]
        for bone in range(len(self) - 1, 0, -1):
            groups[self.skeleton.parents[bone]] += groups[bone]
        return tuple(tuple(sorted(group)) for group in groups)

    @cached_property
    def lows(self) -> Float[ndarray, "bones"]:
        """Height of the lowest vertex of each bone, of its lower end where it has no surface."""
        ends = np.minimum(self.heads[:, 1], self.tails[:, 1])
        return np.array([own[:, 1].min() if len(own) else end for own, end in zip(self.points, ends, strict=True)])

    @cached_property
    def reaches(self) -> Float[ndarray, "bones"]:
        """Length of the longest chain from each joint outwards."""
        result = np.linalg.norm(self.tails - self.heads, axis=1)
        result[[bool(c) for c in self.skeleton.children]] = 0.0
        for bone in range(len(self) - 1, 0, -1):
            parent = self.skeleton.parents[bone]
            step = float(np.linalg.norm(self.heads[bone] - self.heads[parent]))
            result[parent] = max(result[parent], step + result[bone])
        return result

    def main_chain(self, bone: int) -> tuple[int, ...]:
        """The longest chain from a bone outwards."""
        chain = [bone]
        while self.skeleton.children[chain[-1]]:
            here = self.heads[chain[-1]]
            chain.append(max(self.skeleton.children[chain[-1]], key=lambda c: self._rank(c, here)))
        return tuple(chain)

    def tip(self, bone: int) -> Float[ndarray, "3"]:
        """The far end of the longest chain from a bone outwards."""
        return self.tails[self.main_chain(bone)[-1]]

    def lowest(self, bones: Iterable[int]) -> float:
        """Height of the lowest point of some bones."""
        return min(float(self.lows[b]) for b in bones)

    def _rank(self, child: int, here: Float[ndarray, "3"]) -> tuple[float, ...]:
        """Longer chains first; equal ones by where they start, so that the order of the bones does not matter."""
        length = float(np.linalg.norm(self.heads[child] - here) + self.reaches[child])
        x, y, z = self.heads[child]
        return (round(length / self.size, 5), float(x), float(y), -abs(float(z)))


def measure_rest(character: Character) -> RestShape:
    """Measure a character with or without a mesh."""
    skeleton, size = character.require_skeleton(), max(character.size, 1e-9)
    offset = np.array([0.0, 0.0, symmetry_plane(skeleton.heads, size)])
    heads, tails = skeleton.heads - offset, skeleton.tails - offset
    if character.mesh is None or character.weights is None:
        nothing = tuple(np.zeros((0, 3)) for _ in heads)
        return RestShape(
            skeleton, heads, tails, size, nothing, np.zeros((len(heads), 3, 3)), _bare_footprints(heads, tails, size)
        )
    vertices, dominant = character.mesh.vertices - offset, character.weights.dominant()
    order = np.argsort(dominant, kind="stable")
    cuts = np.searchsorted(dominant[order], np.arange(1, len(heads)))
    points = tuple(np.split(vertices[order], cuts))
    triangles = character.mesh.triangles
    normals = triangle_normals(vertices, triangles)
    areas = np.linalg.norm(normals, axis=1)
    owners = dominant[triangles[:, 0]]
    spreads = np.zeros((len(heads), 3, 3))
    np.add.at(spreads, owners, normals[:, :, None] * normals[:, None, :] / np.maximum(areas, 1e-30)[:, None, None])
    grounded = vertices[triangles][..., 1].max(1) < 0.02 * size
    footprints = np.bincount(owners, areas * grounded, len(heads))
    return RestShape(skeleton, heads, tails, size, points, spreads, footprints)


def _bare_footprints(
    heads: Float[ndarray, "bones 3"], tails: Float[ndarray, "bones 3"], size: float
) -> Float[ndarray, "bones"]:
    """Level length of each bone, less the higher it lies: l / (1 + y / 2 % of the size)."""
    run = (tails - heads)[:, [0, 2]]
    return np.linalg.norm(run, axis=1) / (1.0 + np.maximum(heads[:, 1] + tails[:, 1], 0.0) / (0.02 * size))


def symmetry_plane(heads: Float[ndarray, "bones 3"], size: float) -> float:
    """Find the z of the plane that mirrors the joints best.

    Unlike the middle of the bounding box, it is hardly moved by a sword on one side.
    Each of a few guesses z0 is scored by the mean distance from (x, y, 2 z0 - z) to the nearest joint, cut at
    `MAX_MIRROR_DISTANCE`.
    """
    guesses = (
        0.0,
        float(heads[0, 2]),
        float(np.median(heads[:, 2])),
        0.5 * float(heads[:, 2].min() + heads[:, 2].max()),
    )
    misses = []
    for guess in guesses:
        mirrored = heads * [1.0, 1.0, -1.0] + [0.0, 0.0, 2.0 * guess]
        gaps = np.linalg.norm(mirrored[:, None] - heads[None], axis=2).min(1)
        misses.append(round(float(np.minimum(gaps, MAX_MIRROR_DISTANCE * size).mean()) / size, 4))
    return guesses[int(np.argmin(misses))]
