"""A z-buffer rasteriser for triangle meshes in homogeneous coordinates, compiled by Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.compile_kernel import kernel
from gambol.character.mesh import Mesh
from gambol.errors import AssetError
from gambol.render.cameras import Camera
from gambol.render.mesh.shading import Light, Smoothing, corner_normals, find_smoothing, light_on
from gambol.render.mesh.textures import MaterialPack, TexturePack, pack_materials, sample_texture

MESH_NEAR_PLANE = 1e-3
"""Nothing nearer to the camera than this is drawn, metres."""


class MeshBuffers(NamedTuple):
    """The parts of a mesh that do not change with its pose (a named tuple, because Numba kernels read those)."""

    triangles: Int[ndarray, "triangles 3"]
    """Vertex indices of each triangle."""
    triangle_materials: Int[ndarray, "triangles"]
    """Material index of each triangle."""
    uvs: Float[ndarray, "vertices 2"]
    """Texture coordinates; zeros where the mesh has none."""
    colours: Float[ndarray, "vertices 4"]
    """Linear vertex colours; no rows where the mesh has none."""
    materials: MaterialPack
    """Materials as arrays."""
    textures: TexturePack
    """Textures with their mip pyramids."""
    smoothing: Smoothing
    """Triangles from which each corner takes its normal."""


@dataclass(frozen=True)
class Layer:
    """A picture of the mesh alone; over a background b it is rgb + (1 - alpha) b, in linear light."""

    rgb: Float[ndarray, "height width 3"]
    """Linear light times alpha."""
    alpha: Float[ndarray, "height width"]
    """Share of each pixel that the mesh covers, 0 to 1."""
    depth: Float[ndarray, "height width"]
    """Depth z of the nearest sample, metres; infinite where there is none."""


class Visibility(NamedTuple):
    """Which triangle each sample sees; planes and scales give its barycentrics back (see `visible_triangles`)."""

    triangles: Int[ndarray, "rows columns"]
    """Index of the visible triangle, -1 where there is none."""
    inverse_depth: Float[ndarray, "rows columns"]
    """1 / z of the visible point, 1 / metres; 0 where there is none."""
    planes: Float[ndarray, "triangles 3 3"]
    """Rows of M^-1 |det M|: the edge functions of each triangle."""
    scales: Float[ndarray, "triangles"]
    """1 / det M; negative where the camera sees the triangle's front."""


def prepare_mesh(mesh: Mesh, *, crease_angle: float = float(np.radians(60.0))) -> MeshBuffers:
    """Pack a mesh for drawing: materials, textures, and smooth corners up to `crease_angle` radians."""
    # Copies, because Numba would compile every kernel once more for arrays that cannot be written to.
    triangles = np.array(mesh.triangles, np.int32, order="C").reshape(-1, 3)
    of_triangle = np.array(mesh.triangle_materials, np.int32)
    if len(of_triangle) and not 0 <= of_triangle.min() <= of_triangle.max() < len(mesh.materials):
        raise AssetError(f"The mesh has a triangle with material {of_triangle.max()} of {len(mesh.materials)}.")
    count = len(mesh.vertices)
    uvs = np.zeros((count, 2)) if mesh.uvs is None else np.nan_to_num(mesh.uvs.astype(np.float64))
    colours = np.zeros((0, 4)) if mesh.colours is None else np.array(mesh.colours, np.float64, order="C")
    if len(uvs) != count or len(colours) not in (0, count):
        raise AssetError(f"The mesh has {len(uvs)} uvs and {len(colours)} colours for {count} vertices.")
    smoothing = find_smoothing(mesh.vertices, triangles, crease_angle)
    return MeshBuffers(triangles, of_triangle, uvs, colours, *pack_materials(mesh.materials), smoothing)


def draw_mesh(
    surface: MeshBuffers,
    vertices: Float[ndarray, "vertices 3"],
    camera: Camera,
    *,
    light: Light | None = None,
    supersample: int = 1,
) -> Layer:
    """Draw the lit mesh as `camera` sees it; each pixel is the mean of supersample^2 samples.

    A sample's colour is base colour * vertex colour * texture * light (`shading.light_on`), all in linear light. Both
    sides of a triangle are drawn; the side away from its normal is lit with the normal turned over.
    """
    vertices = np.array(vertices, np.float64, order="C")
    normals = corner_normals(vertices, surface.triangles, surface.smoothing)
    seen = visible_triangles(surface, camera.to_camera(vertices), camera, supersample)
    return Layer(*_shade(seen, surface, normals, (light or Light()).table(), supersample))


def visible_triangles(
    surface: MeshBuffers, points_camera: Float[ndarray, "vertices 3"], camera: Camera, supersample: int = 1
) -> Visibility:
    """The nearest triangle at the centre of every cell of a grid `supersample` times finer than the pixels.

    With the columns of M the triangle's three points in homogeneous pixels, (fx x + cx z, fy y + cy z, z), a sample
    p = (u, v, 1) and e = M^-1 p: the sample's ray meets the triangle's plane at depth 1 / (e_0 + e_1 + e_2) and
    perspective-correct barycentrics b_i = e_i / (e_0 + e_1 + e_2); it is inside where all e_i >= 0 (Olano and Greer,
    Triangle Scan Conversion using 2D Homogeneous Coordinates, 1997). That holds for triangles that reach behind the
    camera as well; the near plane cuts them by depth, per sample. The rows of M^-1 det M are cross products of two
    points, equal but for the sign in the two triangles of an edge, so a sample on an edge is drawn exactly once.
    """
    intrinsics = np.array([camera.fx, camera.fy, camera.cx, camera.cy]) * supersample
    columns, rows = camera.width * supersample, camera.height * supersample
    planes, scales, boxes = _set_up(np.ascontiguousarray(points_camera), surface.triangles, intrinsics, columns, rows)
    triangles, inverse_depth = _fill(surface, planes, scales, boxes, columns, rows)
    return Visibility(triangles, inverse_depth, planes, scales)


@kernel
def _set_up(points, triangles, intrinsics, columns, rows):
    """Per triangle: the rows of M^-1 |det M|, 1 / det M, and the samples to test (x0, x1, y0, y1), empty if unseen."""
    fx, fy, cx, cy = intrinsics[0], intrinsics[1], intrinsics[2], intrinsics[3]
    count = len(triangles)
    planes, scales = np.zeros((count, 3, 3)), np.zeros(count)
    boxes = np.zeros((count, 4), np.int64)
    M = np.zeros((3, 3))
    for t in range(count):
        deepest = -np.inf
        for k in range(3):
            i = triangles[t, k]
            z = points[i, 2]
            M[k, 0], M[k, 1], M[k, 2] = fx * points[i, 0] + cx * z, fy * points[i, 1] + cy * z, z
            deepest = max(deepest, z)
        if not deepest >= MESH_NEAR_PLANE:
            continue
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            planes[t, k, 0] = M[a, 1] * M[b, 2] - M[a, 2] * M[b, 1]
            planes[t, k, 1] = M[a, 2] * M[b, 0] - M[a, 0] * M[b, 2]
            planes[t, k, 2] = M[a, 0] * M[b, 1] - M[a, 1] * M[b, 0]
        det = M[0, 0] * planes[t, 0, 0] + M[0, 1] * planes[t, 0, 1] + M[0, 2] * planes[t, 0, 2]
        # det M = 2 (area in samples) z_0 z_1 z_2: below this the triangle is edge-on or a line, and covers nothing
        if not abs(det) > 1e-12 * deepest * deepest * deepest:
            continue
        scales[t] = 1.0 / det
        if det < 0.0:
            for k in range(3):
                planes[t, k, 0], planes[t, k, 1], planes[t, k, 2] = -planes[t, k, 0], -planes[t, k, 1], -planes[t, k, 2]
        boxes[t, 0], boxes[t, 1], boxes[t, 2], boxes[t, 3] = _bound(M, columns, rows)
    return planes, scales, boxes


@kernel
def _bound(M, columns, rows):
    """Bound the part of a triangle beyond the near plane, its corners and its cut edges, by a box in samples."""
    low_x = low_y = np.inf
    high_x = high_y = -np.inf
    for k in range(3):
        b = (k + 1) % 3
        if M[k, 2] >= MESH_NEAR_PLANE:
            x, y = M[k, 0] / M[k, 2], M[k, 1] / M[k, 2]
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
        if (M[k, 2] >= MESH_NEAR_PLANE) != (M[b, 2] >= MESH_NEAR_PLANE):
            s = (MESH_NEAR_PLANE - M[k, 2]) / (M[b, 2] - M[k, 2])
            x, y = (
                (M[k, 0] + s * (M[b, 0] - M[k, 0])) / MESH_NEAR_PLANE,
                (M[k, 1] + s * (M[b, 1] - M[k, 1])) / MESH_NEAR_PLANE,
            )
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
    # a little wider than exact, so that rounding never loses a sample on the border; the planes decide
    return (
        int(min(max(np.ceil(low_x - 0.5 - 1e-6), 0.0), columns)),
        int(min(max(np.floor(high_x + 0.5 + 1e-6), 0.0), columns)),
        int(min(max(np.ceil(low_y - 0.5 - 1e-6), 0.0), rows)),
        int(min(max(np.floor(high_y + 0.5 + 1e-6), 0.0), rows)),
    )


@kernel
def _fill(surface, planes, scales, boxes, columns, rows):
    """Fill the z-buffer: the largest 1 / z wins, the first triangle among equals."""
    ids = np.full((rows, columns), -1, np.int32)
    inverse_depth = np.zeros((rows, columns))
    for t in range(len(planes)):
        x0, x1, y0, y1 = boxes[t, 0], boxes[t, 1], boxes[t, 2], boxes[t, 3]
        if x0 >= x1 or y0 >= y1:
            continue
        P = planes[t]
        scale = abs(scales[t])
        # a sample exactly on an edge belongs to the triangle that lies to the right of it (below, if it is level)
        keep0 = P[0, 0] > 0.0 or (P[0, 0] == 0.0 and P[0, 1] > 0.0)
        keep1 = P[1, 0] > 0.0 or (P[1, 0] == 0.0 and P[1, 1] > 0.0)
        keep2 = P[2, 0] > 0.0 or (P[2, 0] == 0.0 and P[2, 1] > 0.0)
        tested = surface.materials.cutoffs[surface.triangle_materials[t]] > 0.0
        for y in range(y0, y1):
            v = y + 0.5
            r0, r1, r2 = P[0, 1] * v + P[0, 2], P[1, 1] * v + P[1, 2], P[2, 1] * v + P[2, 2]
            for x in range(x0, x1):
                u = x + 0.5
                e0, e1, e2 = P[0, 0] * u + r0, P[1, 0] * u + r1, P[2, 0] * u + r2
                if e0 < 0.0 or e1 < 0.0 or e2 < 0.0:
                    continue
                if (e0 == 0.0 and not keep0) or (e1 == 0.0 and not keep1) or (e2 == 0.0 and not keep2):
                    continue
                nearness = (e0 + e1 + e2) * scale
                if nearness <= inverse_depth[y, x] or nearness * MESH_NEAR_PLANE > 1.0:
                    continue
                if tested and _surface_colour(surface, planes, t, e0, e1, e2)[3] < 0.0:
                    continue
                inverse_depth[y, x] = nearness
                ids[y, x] = t
    return ids, inverse_depth


@kernel(forceinline=True)
def _surface_colour(surface, planes, t, e0, e1, e2):
    """Linear r, g, b of a surface point, and its alpha less the material's cut-off.

    With u = (e . u_k) / (e . 1), the pixel's footprint in texture space is |u_x v_y - u_y v_x|, from the derivatives
    u_x = (e_x . u_k - u (e_x . 1)) / (e . 1); e_x and e_y are the first columns of the planes.
    """
    total = e0 + e1 + e2
    b0, b1, b2 = e0 / total, e1 / total, e2 / total
    i, j, k = surface.triangles[t, 0], surface.triangles[t, 1], surface.triangles[t, 2]
    material = surface.triangle_materials[t]
    base, colours, uvs = surface.materials.base_colours, surface.colours, surface.uvs
    r, g, b, a = base[material, 0], base[material, 1], base[material, 2], base[material, 3]
    if len(colours):
        r *= b0 * colours[i, 0] + b1 * colours[j, 0] + b2 * colours[k, 0]
        g *= b0 * colours[i, 1] + b1 * colours[j, 1] + b2 * colours[k, 1]
        b *= b0 * colours[i, 2] + b1 * colours[j, 2] + b2 * colours[k, 2]
        a *= b0 * colours[i, 3] + b1 * colours[j, 3] + b2 * colours[k, 3]
    texture = surface.materials.textures[material]
    if texture >= 0:
        u0, u1, u2, v0, v1, v2 = uvs[i, 0], uvs[j, 0], uvs[k, 0], uvs[i, 1], uvs[j, 1], uvs[k, 1]
        u, v = b0 * u0 + b1 * u1 + b2 * u2, b0 * v0 + b1 * v1 + b2 * v2
        ux = planes[t, 0, 0] * (u0 - u) + planes[t, 1, 0] * (u1 - u) + planes[t, 2, 0] * (u2 - u)
        uy = planes[t, 0, 1] * (u0 - u) + planes[t, 1, 1] * (u1 - u) + planes[t, 2, 1] * (u2 - u)
        vx = planes[t, 0, 0] * (v0 - v) + planes[t, 1, 0] * (v1 - v) + planes[t, 2, 0] * (v2 - v)
        vy = planes[t, 0, 1] * (v0 - v) + planes[t, 1, 1] * (v1 - v) + planes[t, 2, 1] * (v2 - v)
        tr, tg, tb, ta = sample_texture(surface.textures, texture, u, v, abs(ux * vy - uy * vx) / (total * total))
        r, g, b, a = r * tr, g * tg, b * tb, a * ta
    return r, g, b, a - surface.materials.cutoffs[material]


@kernel
def _shade(seen, surface, normals, light, supersample):
    """Colour, coverage and depth of each pixel from its samples."""
    ids, inverse_depth, planes, scales = seen
    height, width = ids.shape[0] // supersample, ids.shape[1] // supersample
    rgb, alpha, depth = np.zeros((height, width, 3)), np.zeros((height, width)), np.full((height, width), np.inf)
    for row in range(height):
        for column in range(width):
            red = green = blue = nearest = 0.0
            covered = 0
            for y in range(row * supersample, (row + 1) * supersample):
                for x in range(column * supersample, (column + 1) * supersample):
                    t = np.int64(ids[y, x])
                    if t < 0:
                        continue
                    u, v = x + 0.5, y + 0.5
                    e0 = planes[t, 0, 0] * u + (planes[t, 0, 1] * v + planes[t, 0, 2])
                    e1 = planes[t, 1, 0] * u + (planes[t, 1, 1] * v + planes[t, 1, 2])
                    e2 = planes[t, 2, 0] * u + (planes[t, 2, 1] * v + planes[t, 2, 2])
                    nx = e0 * normals[t, 0, 0] + e1 * normals[t, 1, 0] + e2 * normals[t, 2, 0]
                    ny = e0 * normals[t, 0, 1] + e1 * normals[t, 1, 1] + e2 * normals[t, 2, 1]
                    nz = e0 * normals[t, 0, 2] + e1 * normals[t, 1, 2] + e2 * normals[t, 2, 2]
                    length = np.sqrt(nx * nx + ny * ny + nz * nz)
                    turn = (-1.0 if scales[t] > 0.0 else 1.0) / length if length > 0.0 else 0.0
                    lr, lg, lb = light_on(light, nx * turn, ny * turn, nz * turn)
                    r, g, b, _ = _surface_colour(surface, planes, t, e0, e1, e2)
                    red, green, blue = red + r * lr, green + g * lg, blue + b * lb
                    nearest = max(nearest, inverse_depth[y, x])
                    covered += 1
            if covered:
                share = 1.0 / (supersample * supersample)
                rgb[row, column, 0], rgb[row, column, 1], rgb[row, column, 2] = share * red, share * green, share * blue
                alpha[row, column] = share * covered
                depth[row, column] = 1.0 / nearest
    return rgb, alpha, depth
