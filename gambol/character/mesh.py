"""A triangle mesh with its looks, at rest, in Gambol's world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.scene import Material
from gambol.errors import AssetError


@dataclass(frozen=True)
class Mesh:
    """Vertices in metres (y up, facing +x, ground at y = 0), triangles, and one material per triangle."""

    vertices: Float[ndarray, "vertices 3"]
    """Positions at rest, metres."""
    triangles: Int[ndarray, "triangles 3"]
    """Vertex indices, counter-clockwise seen from outside."""
    triangle_materials: Int[ndarray, "triangles"]
    """Index into `materials` of each triangle."""
    materials: tuple[Material, ...] = (Material(),)
    """Materials of all parts."""
    uvs: Float[ndarray, "vertices 2"] | None = None
    """Texture coordinates, v from the picture's top."""
    colours: Float[ndarray, "vertices 4"] | None = None
    """Linear RGBA vertex colours, 1 where a part has none."""

    def __post_init__(self) -> None:
        if not np.isfinite(self.vertices).all():
            raise AssetError("The mesh has vertices that are not finite.")
        if len(self.triangles) and not 0 <= int(self.triangles.min()) <= int(self.triangles.max()) < len(self.vertices):
            named = int(self.triangles.max())
            raise AssetError(f"The mesh has a triangle that names vertex {named} of {len(self.vertices)}.")
        if len(self.triangle_materials) != len(self.triangles):
            raise AssetError("The mesh needs one material index for every triangle.")

    @property
    def bounds(self) -> tuple[Float[ndarray, "3"], Float[ndarray, "3"]]:
        """Lowest and highest corner of the bounding box, metres."""
        return self.vertices.min(0), self.vertices.max(0)

    @property
    def size(self) -> float:
        """Longest side of the bounding box, metres; thresholds are shares of it."""
        low, high = self.bounds
        return float((high - low).max())


def triangle_normals(
    vertices: Float[ndarray, "*frames vertices 3"], triangles: Int[ndarray, "triangles 3"]
) -> Float[ndarray, "*frames triangles 3"]:
    """(b - a) x (c - a) for every triangle: direction is the normal, length twice the area."""
    a, b, c = (vertices[..., triangles[:, k], :] for k in range(3))
    return np.cross(b - a, c - a)
