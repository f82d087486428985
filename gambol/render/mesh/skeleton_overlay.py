"""Bones drawn as lines over a picture."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from gambol.character.colour import Colour
from gambol.render.cameras import Camera
from gambol.render.mesh.rasterise import MESH_NEAR_PLANE

BONE_COLOUR = (0.95, 0.35, 0.1)
"""Default sRGB colour of a bone."""


def draw_skeleton_overlay(
    image: UInt8[ndarray, "height width 3"],
    camera: Camera,
    heads: Float[ndarray, "bones 3"],
    tails: Float[ndarray, "bones 3"],
    *,
    colour: Colour | Float[ndarray, "bones 3"] = BONE_COLOUR,
    radius: float = 1.5,
) -> UInt8[ndarray, "height width 3"]:
    """Paint every bone over the picture as a smooth line with a dot at its head, the farthest bones first.

    A pixel whose centre is r from the bone's projected segment is painted by the part clip(radius + 1/2 - r, 0, 1).
    `radius` is in pixels; `colour` is one sRGB colour for all bones or one for each.
    """
    heads, tails = camera.to_camera(np.asarray(heads)), camera.to_camera(np.asarray(tails))
    colours = 255.0 * np.broadcast_to(colour, heads.shape)
    mixed = image.astype(np.float64)
    for bone in np.argsort(-(heads + tails)[:, 2], kind="stable"):
        head, tail = heads[bone], tails[bone]
        if max(head[2], tail[2]) <= MESH_NEAR_PLANE:
            continue
        paint = np.zeros(image.shape[:2])
        if head[2] > MESH_NEAR_PLANE:
            _paint_segment(paint, camera, head, head, 2.0 * radius)
        # the part in front of the near plane
        start, end = (
            a if a[2] > MESH_NEAR_PLANE else a + (b - a) * (MESH_NEAR_PLANE - a[2]) / (b[2] - a[2])
            for a, b in ((head, tail), (tail, head))
        )
        _paint_segment(paint, camera, start, end, radius)
        mixed += paint[..., None] * (colours[bone] - mixed)
    return np.round(mixed).astype(np.uint8)


def _paint_segment(paint: ndarray, camera: Camera, start: ndarray, end: ndarray, radius: float) -> None:
    a = np.array([camera.fx * start[0] / start[2] + camera.cx, camera.fy * start[1] / start[2] + camera.cy])
    b = np.array([camera.fx * end[0] / end[2] + camera.cx, camera.fy * end[1] / end[2] + camera.cy])
    limit = np.array(paint.shape[::-1])
    low = np.clip(np.floor(np.minimum(a, b) - radius - 1), 0, limit).astype(int)
    high = np.clip(np.ceil(np.maximum(a, b) + radius + 1), 0, limit).astype(int)
    if (low >= high).any():
        return
    x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
    along = b - a
    s = np.clip(((x - a[0]) * along[0] + (y - a[1]) * along[1]) / max(float(along @ along), 1e-12), 0.0, 1.0)
    distance = np.hypot(x - a[0] - s * along[0], y - a[1] - s * along[1])
    region = paint[low[1] : high[1], low[0] : high[0]]
    np.maximum(region, np.clip(radius + 0.5 - distance, 0.0, 1.0), out=region)
