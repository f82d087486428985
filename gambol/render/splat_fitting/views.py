"""Pictures of the mesh from many views, which splats are fitted to, and how close pictures of splats come (PSNR)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from gambol.character.colour import linear_to_srgb
from gambol.character.mesh import Mesh
from gambol.progress import Progress
from gambol.render.camera_batch import PinholeCameras, pinhole_cameras
from gambol.render.cameras import DEFAULT_FOV, Camera, orbit_camera
from gambol.render.mesh.rasterise import draw_mesh, prepare_mesh
from gambol.render.mesh.shading import Light
from gambol.render.raster.picture import Picture
from gambol.render.raster.rasterise import rasterise
from gambol.splats.skinned_splats import SkinnedSplats, splat_colours

MESH_VIEW_SUPERSAMPLE = 4
"""Samples per pixel along each axis of the mesh's pictures."""
RANDOM_CAMERA_MARGIN = 0.05
"""Share of the half picture that random cameras leave free around the mesh."""
SILHOUETTE_DILATION = 2
"""Pixels around the silhouette that the PSNR includes, so that splats that stick out count."""


@dataclass(frozen=True)
class MeshViews:
    """Pictures of a mesh at rest without ground; over a background b a picture is rgb + (1 - alpha) b."""

    cameras: PinholeCameras
    """One camera per view."""
    rgb: Float[Tensor, "views 3 height width"]
    """sRGB times alpha, because splats are blended in sRGB."""
    alpha: Float[Tensor, "views height width"]
    """Share of each pixel that the mesh covers, 0 to 1."""

    def __len__(self) -> int:
        return len(self.alpha)

    def one(self, view: int) -> MeshViews:
        """A single view, as a batch of one."""
        chosen = slice(view, view + 1)
        return MeshViews(self.cameras.subset(chosen), self.rgb[chosen], self.alpha[chosen])


def random_cameras(
    points: Float[ndarray, "points 3"], count: int, size: int, generator: np.random.Generator
) -> list[Camera]:
    """Cameras in random directions, uniform over the sphere, all at the distance that has the points in view.

    At one distance a pixel is about equally wide in all views, so splats are fitted at one scale. Pictures have `size`
    pixels on each side.
    """
    azimuths = generator.uniform(0.0, 2.0 * np.pi, count)
    elevations = np.arcsin(generator.uniform(-1.0, 1.0, count))
    middle = 0.5 * (points.min(0) + points.max(0))
    radius = max(float(np.linalg.norm(points - middle, axis=1).max()), 1e-6)
    distance = radius / ((1.0 - RANDOM_CAMERA_MARGIN) * np.sin(0.5 * DEFAULT_FOV))
    return [
        orbit_camera(middle, distance, a, e, width=size, height=size) for a, e in zip(azimuths, elevations, strict=True)
    ]


def view_mesh(mesh: Mesh, cameras: list[Camera], light: Light, *, progress: Progress | None = None) -> MeshViews:
    """Draw the mesh at rest as the cameras see it."""
    surface = prepare_mesh(mesh)
    rgb, alpha = [], []
    for i, camera in enumerate(cameras):
        layer = draw_mesh(surface, mesh.vertices, camera, light=light, supersample=MESH_VIEW_SUPERSAMPLE)
        cover = layer.alpha[..., None]
        straight = linear_to_srgb(layer.rgb / np.where(cover > 0, cover, 1.0))
        rgb.append((straight * cover).transpose(2, 0, 1).astype(np.float32))
        alpha.append(layer.alpha.astype(np.float32))
        if progress is not None:
            progress(i + 1, len(cameras), "drawing the mesh")
    return MeshViews(pinhole_cameras(cameras), torch.from_numpy(np.stack(rgb)), torch.from_numpy(np.stack(alpha)))


def view_splats(splats: SkinnedSplats, cameras: PinholeCameras) -> Picture:
    """Draw the splats at rest as the cameras see them."""
    colours = splat_colours(splats, cameras.eyes)
    return rasterise(
        splats.centres.expand(len(cameras), -1, -1),
        splats.covariances.expand(len(cameras), -1, -1, -1),
        colours if colours.dim() == 3 else colours[None],
        splats.opacities[None],
        cameras,
    )


def psnr(
    seen: Float[Tensor, "views 3 height width"],
    wanted: Float[Tensor, "views 3 height width"],
    inside: Bool[Tensor, "views height width"],
) -> float:
    """Peak signal-to-noise ratio: mean over the views of -10 log10(mean squared error of the pixels inside), dB."""
    errors = ((seen - wanted) ** 2).mean(1)
    means = (errors * inside).sum((1, 2)) / inside.sum((1, 2)).clamp_min(1)
    return float((-10.0 * torch.log10(means.clamp_min(1e-12))).mean())


def silhouette(
    alpha: Float[Tensor, "views height width"], dilation: int = SILHOUETTE_DILATION
) -> Bool[Tensor, "views height width"]:
    """Pixels that the mesh covers at all, and their neighbours up to `dilation` pixels away."""
    window = 2 * dilation + 1
    return torch.nn.functional.max_pool2d(alpha[:, None], window, 1, dilation)[:, 0] > 0


def measure_splats(splats: SkinnedSplats, wanted: MeshViews, *, background: float = 1.0) -> float:
    """PSNR of splats against pictures of the mesh within its dilated silhouette, over a grey `background`; dB."""
    with torch.no_grad():
        seen = view_splats(splats, wanted.cameras)
    over = [p.rgb + background * (1.0 - p.alpha[:, None]) for p in (seen, wanted)]
    return psnr(over[0], over[1], silhouette(wanted.alpha))
