"""Shading of a posed surface: smooth normals with creases, a soft key light, light from sky and ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel
from gambol.character.mesh import triangle_normals
from gambol.errors import ConfigError

WELD_DISTANCE = 1e-5
"""Vertices closer than this share of the mesh's size are one point of the surface."""


class Smoothing(NamedTuple):
    """Which triangles each triangle corner takes its normal from, found once at rest so that no crease flickers."""

    starts: Int[ndarray, "corners_and_end"]
    """First entry of each corner, and the number of entries."""
    triangles: Int[ndarray, "entries"]
    """Corner c (3 times its triangle + 0, 1 or 2) uses the entries from starts[c] to starts[c + 1] - 1."""


class LightTable(NamedTuple):
    """A `Light` as the kernels read it."""

    direction: Float[ndarray, "3"]
    """Unit vector towards the key light."""
    key: Float[ndarray, "3"]
    """Colour of the key light."""
    sky: Float[ndarray, "3"]
    """Colour of the light from above."""
    ground: Float[ndarray, "3"]
    """Colour of the light from below."""
    wrap: float
    """How far the key light reaches around the edge, 0 to 1."""


@dataclass(frozen=True)
class Light:
    """A distant key light and ambient light from sky and ground, fixed in the world; colours are linear light."""

    direction: tuple[float, float, float] = (0.45, 0.8, 0.6)
    """Direction towards the key light, of any length; by default above, ahead and to the right of the character."""
    key_colour: tuple[float, float, float] = (0.64, 0.61, 0.57)
    """Light on a surface that faces the key light."""
    sky_colour: tuple[float, float, float] = (0.46, 0.48, 0.52)
    """Light on a surface that faces up."""
    ground_colour: tuple[float, float, float] = (0.29, 0.27, 0.26)
    """Light on a surface that faces down."""
    wrap: float = 0.5
    """How far the key light reaches around the edge: 0 is a point light's hard edge, 1 lights all but the far pole."""

    def __post_init__(self) -> None:
        numbers = [*self.direction, *self.key_colour, *self.sky_colour, *self.ground_colour, self.wrap]
        if not np.isfinite(numbers).all() or not np.linalg.norm(self.direction) > 0 or not 0 <= self.wrap <= 1:
            raise ConfigError("A light needs a direction that is not 0, finite colours and a wrap from 0 to 1.")

    def table(self) -> LightTable:
        """The numbers that the kernels read, with a unit direction."""
        direction = np.array(self.direction, np.float64)
        key, sky, ground = np.array([self.key_colour, self.sky_colour, self.ground_colour], np.float64)
        return LightTable(direction / np.linalg.norm(direction), key, sky, ground, float(self.wrap))


@kernel(forceinline=True)
def light_on(light, nx, ny, nz):
    """Light of each colour on a surface with unit normal n.

    E = key d^2 + ground + (sky - ground) (1 + n_y) / 2,  d = max(0, (n . l + w) / (1 + w)): a wrapped cosine, squared
    so that it ends without an edge.
    """
    d = (nx * light.direction[0] + ny * light.direction[1] + nz * light.direction[2] + light.wrap) / (1.0 + light.wrap)
    d = d * d if d > 0.0 else 0.0
    h = 0.5 + 0.5 * ny
    return (
        light.key[0] * d + light.ground[0] + h * (light.sky[0] - light.ground[0]),
        light.key[1] * d + light.ground[1] + h * (light.sky[1] - light.ground[1]),
        light.key[2] * d + light.ground[2] + h * (light.sky[2] - light.ground[2]),
    )


def weld_vertices(vertices: Float[ndarray, "vertices 3"]) -> Int[ndarray, "vertices"]:
    """Index of each vertex's point on the surface: vertices split at a seam of texture or material share one."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    if not len(vertices):
        return np.zeros(0, np.int64)
    reach = WELD_DISTANCE * max(float(np.ptp(vertices, axis=0).max()), 1e-30)
    # A grid takes care of the many equal vertices cheaply; the tree joins those that a cell border parted.
    _, first, cells = np.unique(
        np.round((vertices - vertices.min(0)) / reach).astype(np.int64), axis=0, return_index=True, return_inverse=True
    )
    pairs = cKDTree(vertices[first]).query_pairs(reach, output_type="ndarray")
    links = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(first), len(first)))
    return connected_components(links, directed=False)[1][cells.reshape(-1)].astype(np.int64)


def find_smoothing(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], crease_angle: float
) -> Smoothing:
    """Link each corner at rest to the triangles at its place that meet its own at less than the crease angle."""
    normals = triangle_normals(np.asarray(vertices, np.float64), triangles)
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    units = np.divide(normals, lengths, out=np.zeros_like(normals), where=lengths > 0)
    places = weld_vertices(vertices)[triangles].reshape(-1)
    order = np.argsort(places, kind="stable")
    counts = np.bincount(places, minlength=1)
    return Smoothing(*_link_corners(places, order, np.cumsum(counts) - counts, counts, units, np.cos(crease_angle)))


def corner_normals(
    vertices: Float[ndarray, "vertices 3"], triangles: Int[ndarray, "triangles 3"], smoothing: Smoothing
) -> Float[ndarray, "triangles 3 3"]:
    """Unit normals at each triangle's corners in a pose: n_c = sum of A_t n_t over its neighbours t.

    Weights are the posed triangles' areas A_t; a corner whose sum vanishes has (0, 1, 0).
    """
    return _sum_normals(triangle_normals(vertices, triangles), smoothing.starts, smoothing.triangles)


@kernel
def _link_corners(places, order, first, counts, units, least_cosine):
    corners = len(places)
    starts = np.zeros(corners + 1, np.int64)
    for fill in range(2):
        entries = np.zeros(starts[corners] if fill else 0, np.int32)
        at = 0
        for corner in range(corners):
            own = corner // 3
            starts[corner] = at
            begin = first[places[corner]]
            for k in range(begin, begin + counts[places[corner]]):
                other = order[k] // 3
                cosine = 0.0
                for axis in range(3):
                    cosine += units[own, axis] * units[other, axis]
                if other == own or cosine > least_cosine:
                    if fill:
                        entries[at] = other
                    at += 1
        starts[corners] = at
    return starts, entries


@kernel
def _sum_normals(normals, starts, entries):
    result = np.zeros((len(normals), 3, 3))
    for corner in range(3 * len(normals)):
        x = y = z = 0.0
        for k in range(starts[corner], starts[corner + 1]):
            x += normals[entries[k], 0]
            y += normals[entries[k], 1]
            z += normals[entries[k], 2]
        length = np.sqrt(x * x + y * y + z * z)
        target = result[corner // 3, corner % 3]
        if length > 0.0:
            target[0], target[1], target[2] = x / length, y / length, z / length
        else:
            target[1] = 1.0
    return result
