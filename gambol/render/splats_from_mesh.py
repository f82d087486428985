"""Splats from a textured mesh without optimisation: flat Gaussians on its surface, in the mesh's colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.colour import linear_to_srgb
from gambol.character.compile_kernel import kernel
from gambol.character.mesh import Mesh
from gambol.errors import AssetError, ConfigError, MissingPart
from gambol.render.cameras import frame_camera
from gambol.render.mesh.rasterise import MeshBuffers, prepare_mesh, visible_triangles
from gambol.render.mesh.shading import Light, corner_normals, light_on
from gambol.render.mesh.textures import sample_texture
from gambol.splats.binding import single_bone_weights, weights_at
from gambol.splats.flat_splats import flat_splats
from gambol.splats.skinned_splats import SkinnedSplats
from gambol.splats.surface_points import (
    SurfacePoints,
    point_spacing,
    sample_points,
    surface_area,
    thin_points,
    vertex_points,
)

DEFAULT_SPLAT_COUNT = 20_000
"""Default number of splats: about one per pixel of a 256 x 256 picture of a character."""
MAX_SPLAT_COUNT = 2_000_000
"""Most splats that can be asked for."""
CANDIDATES_PER_SPLAT = 5
"""Random points drawn per splat, of which the most evenly spaced ones are kept."""
UNLIT_LIGHT = Light(key_colour=(0.0, 0.0, 0.0), sky_colour=(1.0, 1.0, 1.0), ground_colour=(1.0, 1.0, 1.0))
"""Light that shows the bare surface colour."""
OUTSIDE_VIEWS = [
    (azimuth, elevation) for elevation in (-0.6, 0.0, 0.6) for azimuth in np.linspace(0, 2 * np.pi, 7)[:-1]
]
"""Views (azimuth, elevation; radians) from which the outer side of each triangle is determined."""


def splats_from_mesh(
    character: Character,
    count: int = DEFAULT_SPLAT_COUNT,
    *,
    light: Light | None = None,
    picture: int = 256,
    generator: np.random.Generator | None = None,
) -> SkinnedSplats:
    """Flat Gaussians spread evenly over the character's surface at rest, bound to its bones.

    Colour is base colour x vertex colour x texture x light, exactly as `draw_mesh` shows the rest pose; the light (the
    standard one, or `UNLIT_LIGHT`) is painted on and moves along. What a material's alpha cuts out gets no splats. A
    character without a skeleton gets one bone that moves everything. `picture` is the width of the pictures to be
    rendered, pixels (see `flat_splats`).
    """
    mesh = require_mesh(character)
    if not 1 <= count <= MAX_SPLAT_COUNT:
        raise ConfigError(f"{count} splats were asked for; allowed is 1 to {MAX_SPLAT_COUNT}.")
    surface = prepare_mesh(mesh)
    candidates = sample_points(mesh, CANDIDATES_PER_SPLAT * count, generator or np.random.default_rng(0))
    cutoffs = surface.materials.cutoffs[surface.triangle_materials[candidates.triangles]]
    drawn = surface_colours(mesh, surface, candidates, 0.0)[:, 3] >= cutoffs
    if not drawn.any():
        raise AssetError(f"{character.name} is wholly transparent, so no splats can show it.")
    area = surface_area(mesh) * float(drawn.mean())
    points = thin_points(candidates.subset(drawn), count, area)
    return _paint(character, surface, points, point_spacing(points, area), light or Light(), picture, even=True)


def splats_at_vertices(character: Character, *, light: Light | None = None, picture: int = 256) -> SkinnedSplats:
    """One flat Gaussian at every vertex, as wide as its share of the surface: the start of the paper's fit."""
    mesh = require_mesh(character)
    points, spacing = vertex_points(mesh)
    if not len(points):
        raise AssetError(f"{character.name}'s mesh has no area, so no splats can lie on it.")
    return _paint(character, prepare_mesh(mesh), points, spacing, light or Light(), picture, even=False)


def _paint(
    character: Character,
    surface: MeshBuffers,
    points: SurfacePoints,
    spacing: Float[ndarray, "points"],
    light: Light,
    picture: int,
    *,
    even: bool,
) -> SkinnedSplats:
    """Make splats at the points, with the mesh's colours and weights there."""
    mesh = require_mesh(character)
    sides = outward_signs(surface, mesh.vertices)
    points = orient_outwards(points, sides)
    colours = painted_colours(mesh, surface, points, sides, spacing, light)
    if character.weights is None:
        weights = single_bone_weights(len(points))
    else:
        weights = weights_at(character.weights, mesh.triangles[points.triangles], points.barycentrics)
    return flat_splats(points, spacing, colours, weights, pixel=mesh.size / picture, even=even)


def painted_colours(
    mesh: Mesh,
    surface: MeshBuffers,
    points: SurfacePoints,
    sides: Float[ndarray, "triangles"],
    spacing: Float[ndarray, "points"],
    light: Light,
) -> Float[ndarray, "points 3"]:
    """sRGB colours of surface points as seen from outside, each the mean over a patch as wide as its spacing."""
    corners = corner_normals(mesh.vertices, surface.triangles, surface.smoothing)
    normals = np.einsum("pk,pki->pi", points.barycentrics, corners[points.triangles]) * sides[points.triangles, None]
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    lit = surface_colours(mesh, surface, points, spacing**2)[:, :3] * _light_rows(light.table(), normals)
    return linear_to_srgb(lit)


def surface_colours(
    mesh: Mesh, surface: MeshBuffers, points: SurfacePoints, patch: Float[ndarray, "points"] | float
) -> Float[ndarray, "points 4"]:
    """Linear base colour x vertex colour x texture, and alpha, of surface points averaged over `patch` square metres.

    A patch of A square metres covers A |u x v| / |a x b| of the texture, from the triangle's edges there and in space.
    """
    corners = surface.triangles[points.triangles]
    materials = surface.triangle_materials[points.triangles]
    rgba = surface.materials.base_colours[materials]
    if len(surface.colours):
        rgba = rgba * np.einsum("pk,pkc->pc", points.barycentrics, surface.colours[corners])
    textures = surface.materials.textures[materials]
    if (textures >= 0).any():
        edges, flat = mesh.vertices[corners], surface.uvs[corners]
        normal = np.cross(edges[:, 1] - edges[:, 0], edges[:, 2] - edges[:, 0])
        (au, av), (bu, bv) = (flat[:, 1] - flat[:, 0]).T, (flat[:, 2] - flat[:, 0]).T
        footprint = patch * np.abs(au * bv - av * bu) / np.maximum(np.linalg.norm(normal, axis=1), 1e-30)
        uvs = np.einsum("pk,pki->pi", points.barycentrics, flat)
        rgba = rgba * _texture_rows(surface.textures, textures, uvs, footprint)
    return rgba


def outward_signs(surface: MeshBuffers, vertices: Float[ndarray, "vertices 3"]) -> Float[ndarray, "triangles"]:
    """1 where a triangle shows its front (the side of its normal) to more of 18 views than its back, else -1.

    The mesh is lit on the side that is seen, whichever way its triangles are wound, and its splats with it.
    """
    votes = np.zeros(len(surface.triangles))
    for azimuth, elevation in OUTSIDE_VIEWS:
        camera = frame_camera(vertices, azimuth, elevation, width=192, height=192)
        seen = visible_triangles(surface, camera.to_camera(vertices), camera)
        shown = seen.triangles[seen.triangles >= 0]
        np.add.at(votes, shown, -np.sign(seen.scales[shown]))
    return np.where(votes < 0, -1.0, 1.0)


def orient_outwards(points: SurfacePoints, sides: Float[ndarray, "triangles"]) -> SurfacePoints:
    """The points with normals that point outwards."""
    return replace(points, normals=points.normals * sides[points.triangles, None])


def require_mesh(character: Character) -> Mesh:
    """The character's mesh; raises `MissingPart` where it has none."""
    if character.mesh is None or not len(character.mesh.triangles):
        raise MissingPart(f"{character.name} has no mesh, so there is no surface to put splats on.")
    return character.mesh


@kernel
def _texture_rows(pack, textures, uvs, footprints):
    result = np.ones((len(textures), 4))
    for i in range(len(textures)):
        if textures[i] >= 0:
            r, g, b, a = sample_texture(pack, textures[i], uvs[i, 0], uvs[i, 1], footprints[i])
            result[i, 0], result[i, 1], result[i, 2], result[i, 3] = r, g, b, a
    return result


@kernel
def _light_rows(light, normals):
    result = np.zeros((len(normals), 3))
    for i in range(len(normals)):
        result[i, 0], result[i, 1], result[i, 2] = light_on(light, normals[i, 0], normals[i, 1], normals[i, 2])
    return result
