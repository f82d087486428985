"""The slow twin of `gambol.render.mesh.rasterise`: for every pixel, a ray against every triangle, in plain NumPy."""

from functools import cache

import numpy as np

from gambol.render.mesh.textures import mip_pyramid


def ray_hits(origin_points, directions, triangles):
    """Moeller and Trumbore: t, b1, b2 with t d = (1 - b1 - b2) p0 + b1 p1 + b2 p2, for every triangle and one ray."""
    p0, p1, p2 = (origin_points[triangles[:, k]] for k in range(3))
    e1, e2 = p1 - p0, p2 - p0
    h = np.cross(directions, e2)
    det = (e1 * h).sum(-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        b1 = (-p0 * h).sum(-1) / det
        q = np.cross(-p0, e1)
        return (e2 * q).sum(-1) / det, b1, (q @ directions) / det


def ray(camera, u, v):
    """The direction through a pixel position, with z = 1, so that t is the depth."""
    return np.array([(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy, 1.0])


def decode(byte):
    value = np.asarray(byte) / 255.0
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def wrapped(i, count, mode):
    if mode == "clamp":
        return min(max(i, 0), count - 1)
    if mode == "mirror":
        tiles = [*range(count), *reversed(range(count))]
        return tiles[i % (2 * count)]
    return i % count


def bilinear(pixels, wrap, u, v):
    height, width = pixels.shape[:2]
    x, y = u * width - 0.5, v * height - 0.5
    j, i = int(np.floor(x)), int(np.floor(y))
    total = np.zeros(4)
    for di, wy in ((0, 1 - (y - i)), (1, y - i)):
        for dj, wx in ((0, 1 - (x - j)), (1, x - j)):
            texel = pixels[wrapped(i + di, height, wrap[1]), wrapped(j + dj, width, wrap[0])]
            total += wy * wx * np.array([*decode(texel[:3]), texel[3] / 255.0])
    return total


@cache
def levels_of(data, shape):
    return mip_pyramid(np.frombuffer(data, np.uint8).reshape(shape))


def sample(texture, u, v, footprint):
    levels = levels_of(texture.pixels.tobytes(), texture.pixels.shape)
    covered = footprint * texture.pixels.shape[0] * texture.pixels.shape[1]
    level = min(max(0.5 * np.log2(max(covered, 1e-300)), 0.0), len(levels) - 1.0)
    low = int(level)
    high = min(low + 1, len(levels) - 1)
    fine, coarse = bilinear(levels[low], texture.wrap, u, v), bilinear(levels[high], texture.wrap, u, v)
    return fine + (level - low) * (coarse - fine)


def surface_colour(mesh, points, camera, t, u, v):
    """Linear RGBA at a pixel position on triangle t; texture derivatives by differences of its plane's hits."""
    corners = mesh.triangles[t]

    def at(du, dv, values):
        _, b1, b2 = ray_hits(points, ray(camera, u + du, v + dv), mesh.triangles[t : t + 1])
        return np.array([1 - b1[0] - b2[0], b1[0], b2[0]]) @ values[corners]

    material = mesh.materials[mesh.triangle_materials[t]]
    colour = np.array(material.base_colour)
    if mesh.colours is not None:
        colour = colour * at(0, 0, mesh.colours)
    if material.texture is not None:
        h = 1e-4
        u_step = (at(h, 0, mesh.uvs) - at(-h, 0, mesh.uvs)) / (2 * h)
        v_step = (at(0, h, mesh.uvs) - at(0, -h, mesh.uvs)) / (2 * h)
        colour = colour * sample(
            material.texture, *at(0, 0, mesh.uvs), abs(u_step[0] * v_step[1] - u_step[1] * v_step[0])
        )
    return colour, material


def corner_normals_reference(rest, posed, triangles, crease_angle):
    """Area-weighted posed normals of all triangles at a corner's place that meet its own below the crease at rest."""

    def normals(vertices):
        return np.array([np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a]) for a, b, c in triangles])

    at_rest, now = normals(rest), normals(posed)
    units = at_rest / np.linalg.norm(at_rest, axis=1, keepdims=True)
    reach = 1e-5 * np.ptp(rest, axis=0).max()
    result = np.zeros((len(triangles), 3, 3))
    for t, corners in enumerate(triangles):
        for k, corner in enumerate(corners):
            near = np.linalg.norm(rest[triangles] - rest[corner], axis=-1) <= reach
            smooth = near.any(1) & (units @ units[t] > np.cos(crease_angle))
            smooth[t] = True
            total = now[smooth].sum(0)
            result[t, k] = total / np.linalg.norm(total)
    return result


def light_reference(light, normal):
    direction = np.array(light.direction) / np.linalg.norm(light.direction)
    wrapped_cosine = max(0.0, (normal @ direction + light.wrap) / (1 + light.wrap))
    sky, ground = np.array(light.sky_colour), np.array(light.ground_colour)
    return np.array(light.key_colour) * wrapped_cosine**2 + ground + (sky - ground) * (1 + normal[1]) / 2


def draw_reference(mesh, vertices, camera, light, normals, near):
    """rgb (linear), triangle ids, depth, and per pixel how near to a triangle's edge the ray passes (barycentric)."""
    points = camera.to_camera(vertices)
    rgb = np.zeros((camera.height, camera.width, 3))
    ids = np.full((camera.height, camera.width), -1)
    depth = np.full((camera.height, camera.width), np.inf)
    edge = np.full((camera.height, camera.width), np.inf)
    for row in range(camera.height):
        for column in range(camera.width):
            u, v = column + 0.5, row + 0.5
            t, b1, b2 = ray_hits(points, ray(camera, u, v), mesh.triangles)
            least = np.minimum(np.minimum(b1, b2), 1 - b1 - b2)
            edge[row, column] = np.nanmin(np.abs(least), initial=np.inf)
            for k in np.argsort(np.where((least >= 0) & (t >= near), t, np.inf), kind="stable"):
                if not (least[k] >= 0 and t[k] >= near):
                    break
                colour, material = surface_colour(mesh, points, camera, k, u, v)
                cutoff = {"MASK": material.alpha_cutoff, "BLEND": 0.3}.get(material.alpha_mode, -1.0)
                if colour[3] < cutoff:
                    continue
                a, b, c = vertices[mesh.triangles[k]]
                normal = np.array([1 - b1[k] - b2[k], b1[k], b2[k]]) @ normals[k]
                if np.cross(b - a, c - a) @ (a - camera.eye) > 0:
                    normal = -normal
                rgb[row, column] = colour[:3] * light_reference(light, normal / np.linalg.norm(normal))
                ids[row, column], depth[row, column] = k, t[k]
                break
    return rgb, ids, depth, edge
