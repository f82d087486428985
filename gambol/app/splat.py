"""From a character file to a splat file: made from its mesh, fitted to it, or taken from a capture and bound to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from gambol.character.character import Character
from gambol.files.asset import load
from gambol.progress import Progress
from gambol.render.mesh.shading import Light
from gambol.render.splat_fitting.fit import SplatFitConfig, fit_splats
from gambol.render.splat_fitting.views import measure_splats, random_cameras, view_mesh
from gambol.render.splats_from_mesh import UNLIT_LIGHT, require_mesh, splats_from_mesh
from gambol.splats.binding import bind_splats, bone_weights, closest_weights
from gambol.splats.skinned_splats import SkinnedSplats, transform_splats
from gambol.splats.splat_file import read_splats, write_splats

PSNR_VIEWS, PSNR_VIEW_SIZE = 12, 256


@dataclass(frozen=True)
class SplatReport:
    """What was written."""

    splats: SkinnedSplats
    decibels: float | None
    """PSNR against the mesh in views that the fit did not see; none for a capture, which has looks of its own."""


def splat_file(
    file: str | Path,
    target: str | Path,
    *,
    count: int | None = None,
    fit: bool = False,
    capture: Path | None = None,
    lit: bool = True,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    progress: Progress | None = None,
) -> SplatReport:
    """Write the splats of a character file at rest, bound to its bones, as a .ply file.

    `count` is the number of splats, `fit` fits them to pictures of the mesh, `capture` is a splat file to bind instead,
    and `lit` paints the light of the rest pose on; `scale`, `facing` and `character` are those of `load`.
    """
    source = load(file, scale=scale, facing=facing, character=character).character
    return write_character_splats(
        source, Path(target), count=count, fit=fit, capture=capture, lit=lit, progress=progress
    )


def write_character_splats(
    character: Character,
    target: Path,
    *,
    count: int | None = None,
    fit: bool = False,
    capture: Path | None = None,
    lit: bool = True,
    progress: Progress | None = None,
) -> SplatReport:
    """Write a loaded character's splats at rest, bound to its bones, as a .ply file."""
    if capture is not None:
        splats = bind_capture(character, capture)
        write_splats(splats, target)
        return SplatReport(splats, None)
    light = Light() if lit else UNLIT_LIGHT
    if fit:
        config = SplatFitConfig() if count is None else SplatFitConfig(count=count)
        splats = fit_splats(character, config, light=light, progress=progress)
    elif count is None:
        splats = splats_from_mesh(character, light=light)
    else:
        splats = splats_from_mesh(character, count, light=light)
    write_splats(splats, target)
    mesh = require_mesh(character)
    cameras = random_cameras(mesh.vertices, PSNR_VIEWS, PSNR_VIEW_SIZE, np.random.default_rng(1))
    return SplatReport(splats, measure_splats(splats, view_mesh(mesh, cameras, light)))


def bind_capture(character: Character, path: str | Path) -> SkinnedSplats:
    """Splats of another source, in the coordinates of the character's file, placed and bound as the character is.

    They take the weights of the closest point of its mesh; of the closest bones, where it has no mesh.
    """
    splats = transform_splats(read_splats(path), torch.from_numpy(character.placement.T_world_file))
    points = splats.centres.double().numpy()
    if character.mesh is None:
        return bind_splats(splats, bone_weights(points, character.require_skeleton()))
    mesh, _, weights = character.require_skin()
    return bind_splats(splats, closest_weights(points, mesh, weights))
