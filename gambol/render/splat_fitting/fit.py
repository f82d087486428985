"""Splats fitted to pictures of the mesh (AKD 5): L1 + SSIM over random views, by Adam."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from gambol.character.character import Character
from gambol.errors import ConfigError, GambolError
from gambol.progress import Progress
from gambol.render.camera_batch import PinholeCameras
from gambol.render.mesh.shading import Light
from gambol.render.raster.picture import Picture
from gambol.render.raster.rasterise import rasterise
from gambol.render.splat_fitting.densify import densify
from gambol.render.splat_fitting.ssim import ssim
from gambol.render.splat_fitting.views import MeshViews, random_cameras, view_mesh
from gambol.render.splats_from_mesh import require_mesh, splats_at_vertices, splats_from_mesh
from gambol.splats.binding import bind_splats, closest_weights, single_bone_weights
from gambol.splats.covariance import axes_from_covariance, covariance_from_axes, rotation_from_wxyz
from gambol.splats.harmonics import colours_from_harmonics
from gambol.splats.skinned_splats import SkinnedSplats

LOSS_MARGIN_PIXELS = 8
"""Pixels around the silhouette that the loss includes."""
FINAL_RATE_FACTORS = {
    "centres": 0.01,
    "log_scales": 0.1,
    "wxyz": 0.1,
    "opacity_logits": 0.1,
    "colours": 0.1,
    "higher_harmonics": 0.1,
}
"""Factor of each learning rate at the last step; rates decay exponentially."""


@dataclass(frozen=True)
class SplatFitConfig:
    """How splats are fitted to pictures of a mesh."""

    count: int = 15_000
    """Most splats."""
    start: Literal["surface", "vertices"] = "surface"
    """Start with `count` splats spread over the surface, or with one at each vertex (paper), split during the fit."""
    views: int = 200
    """Number of random views that the splats are fitted to (paper: 200)."""
    size: int = 256
    """Width and height of their pictures, pixels."""
    steps: int = 2000
    """Optimiser steps, with one view each."""
    densify_every: int = 100
    """Steps between two rounds of splitting and pruning in the first half of the fit; 0 turns them off."""
    degree: int = 0
    """Degree of the colours' harmonics, 0 to 3; the mesh's shading does not depend on the view, so 0 is enough."""
    ssim_share: float = 0.2
    """Share s of 1 - SSIM in the loss; the rest is L1 (3DGS)."""
    rate_centres: float = 0.18
    """Initial learning rate of the centres, in widths (the median standard deviation of the initial splats)."""
    rate_scales: float = 0.02
    """Learning rate of the logarithms of the scales."""
    rate_rotations: float = 0.005
    """Learning rate of the quaternions."""
    rate_opacities: float = 0.05
    """Learning rate of the opacities' logits."""
    rate_colours: float = 0.02
    """Learning rate of the harmonics of degree 0; higher degrees have a rate 20 times smaller."""
    thickness: float = 0.2
    """Least initial standard deviation, in widths: one that is almost 0 could not grow."""
    largest: float = 0.03
    """Largest standard deviation of a splat, in sizes: a longer one would stick out of a bending joint."""
    seed: int = 0
    """Seed of the random views and their order."""

    def __post_init__(self) -> None:
        if self.views < 1 or self.steps < 0 or not 16 <= self.size <= 4096:
            raise ConfigError(
                f"A fit with {self.views} views of {self.size} pixels in {self.steps} steps cannot be made; allowed is "
                "at least one view of 16 to 4096 pixels."
            )
        if self.degree not in (0, 1, 2, 3):
            raise ConfigError(f"Harmonics of degree {self.degree} were asked for; allowed is 0 to 3.")


def fit_splats(
    character: Character,
    config: SplatFitConfig | None = None,
    *,
    light: Light | None = None,
    progress: Progress | None = None,
) -> SkinnedSplats:
    """Fit splats to pictures of the mesh at rest, and bind them to its bones at the closest surface points."""
    config, light = config or SplatFitConfig(), light or Light()
    mesh = require_mesh(character)
    generator = np.random.default_rng(config.seed)
    if config.start == "vertices":
        start = splats_at_vertices(character, light=light, picture=config.size)
    else:
        start = splats_from_mesh(character, config.count, light=light, picture=config.size, generator=generator)
    cameras = random_cameras(mesh.vertices, config.views, config.size, generator)
    views = view_mesh(mesh, cameras, light, progress=progress)
    fitted = optimise_splats(start, views, config, generator=generator, progress=progress)
    if character.weights is None:
        return bind_splats(fitted, single_bone_weights(len(fitted)))
    return bind_splats(fitted, closest_weights(fitted.centres.double().numpy(), mesh, character.weights))


def optimise_splats(
    start: SkinnedSplats,
    views: MeshViews,
    config: SplatFitConfig,
    *,
    generator: np.random.Generator,
    progress: Progress | None = None,
) -> SkinnedSplats:
    """Fit splats to views by Adam: minimises (1 - s) L1 + s (1 - SSIM) of one view per step.

    The parameters are those of 3DGS (`splat_parameters`). The background has a random colour at each step, so that
    holes and borders that stick out cost something whatever the character's colour is. A split splat keeps its weights.
    """
    width = float(start.covariances.diagonal(dim1=1, dim2=2).amax(1).median().sqrt())
    longest = config.largest * float((start.centres.amax(0) - start.centres.amin(0)).max())
    parameters = splat_parameters(start, config.degree, thickness=config.thickness * width)
    rates = _rates(config, width)
    optimiser = torch.optim.Adam([{"params": [parameters[name]], "lr": rates[name]} for name in parameters], eps=1e-15)
    order = np.concatenate([generator.permutation(len(views)) for _ in range(config.steps // len(views) + 1)])
    origin, gradients = torch.arange(len(start)), torch.zeros(len(start))
    for step in range(config.steps):
        for group, name in zip(optimiser.param_groups, parameters, strict=True):
            group["lr"] = rates[name] * FINAL_RATE_FACTORS[name] ** (step / config.steps)
        wanted = views.one(int(order[step]))
        background = torch.from_numpy(generator.random((1, 3, 1, 1), dtype=np.float32))
        pictures = _cropped(_view(parameters, wanted.cameras), wanted, background)
        loss = photometric_loss(pictures[0], pictures[1], config.ssim_share)
        if not bool(torch.isfinite(loss)):
            raise GambolError(f"The splat fit failed at step {step} of {config.steps}: its loss is {loss.item()}.")
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            parameters["log_scales"].clamp_(max=float(np.log(longest)))
            if parameters["centres"].grad is not None:
                gradients += parameters["centres"].grad.norm(dim=1)
        if config.densify_every and 0 < step <= config.steps // 2 and step % config.densify_every == 0:
            rows = densify(parameters, optimiser, gradients, config.count)
            origin, gradients = origin[rows], torch.zeros(len(rows))
        if progress is not None and (step % 20 == 0 or step + 1 == config.steps):
            progress(step + 1, config.steps, f"fitting {len(origin)} splats, loss {loss.item():.4f}")
    with torch.no_grad():
        centres, covariances, opacities = _gaussians(parameters)
        return replace(
            start.subset(origin),
            centres=centres.detach(),
            covariances=covariances,
            opacities=opacities,
            harmonics=torch.cat([parameters["colours"], parameters["higher_harmonics"]], 1),
        )


def splat_parameters(start: SkinnedSplats, degree: int, *, thickness: float = 0.0) -> dict[str, Tensor]:
    """The tensors that are optimised, as in 3DGS: centres, log scales, quaternions, opacity logits, harmonics.

    No standard deviation starts below `thickness`, metres.
    """
    wxyz, scales = axes_from_covariance(start.covariances)
    coefficients = (degree + 1) ** 2
    harmonics = start.harmonics[:, :coefficients]
    missing = harmonics.new_zeros(len(harmonics), coefficients - harmonics.shape[1], 3)
    parameters = {
        "centres": start.centres,
        "log_scales": torch.log(scales.clamp_min(thickness)),
        "wxyz": wxyz,
        "opacity_logits": torch.logit(start.opacities, eps=1e-4),
        "colours": harmonics[:, :1],
        "higher_harmonics": torch.cat([harmonics[:, 1:], missing], 1),
    }
    return {name: tensor.detach().clone().requires_grad_() for name, tensor in parameters.items()}


def _gaussians(parameters: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """Centres, covariances and opacities."""
    covariances = covariance_from_axes(rotation_from_wxyz(parameters["wxyz"]), parameters["log_scales"].exp())
    return parameters["centres"], covariances, parameters["opacity_logits"].sigmoid()


def _view(parameters: dict[str, Tensor], cameras: PinholeCameras) -> Picture:
    centres, covariances, opacities = _gaussians(parameters)
    away = torch.nn.functional.normalize(centres - cameras.eyes[:, None], dim=-1)
    colours = colours_from_harmonics(torch.cat([parameters["colours"], parameters["higher_harmonics"]], 1), away)
    colours = colours if colours.dim() == 3 else colours[None]
    return rasterise(centres[None], covariances[None], colours, opacities[None], cameras)


def _cropped(seen: Picture, wanted: MeshViews, background: Float[Tensor, "1 3 1 1"]) -> list[Tensor]:
    """Both pictures over the background, cropped to the mesh's silhouette and a margin."""
    rows, columns = (torch.nonzero(wanted.alpha[0].amax(axis))[:, 0] for axis in (1, 0))
    if not len(rows):
        rows = columns = torch.zeros(1, dtype=torch.int64)
    box = tuple(
        slice(max(int(place[0]) - LOSS_MARGIN_PIXELS, 0), int(place[-1]) + LOSS_MARGIN_PIXELS + 1)
        for place in (rows, columns)
    )
    return [(p.rgb + (1.0 - p.alpha[:, None]) * background)[..., box[0], box[1]] for p in (seen, wanted)]


def _rates(config: SplatFitConfig, width: float) -> dict[str, float]:
    return {
        "centres": config.rate_centres * width,
        "log_scales": config.rate_scales,
        "wxyz": config.rate_rotations,
        "opacity_logits": config.rate_opacities,
        "colours": config.rate_colours,
        "higher_harmonics": config.rate_colours / 20.0,
    }


def photometric_loss(
    seen: Float[Tensor, "views 3 height width"], wanted: Float[Tensor, "views 3 height width"], ssim_share: float
) -> Float[Tensor, ""]:
    """Photometric loss (1 - s) mean |a - b| + s (1 - SSIM(a, b)) (3DGS eq. 7)."""
    return (1.0 - ssim_share) * (seen - wanted).abs().mean() + ssim_share * (1.0 - ssim(seen, wanted))
