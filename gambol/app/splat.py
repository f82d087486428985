"""Splats of a character as a .ply file: made from its mesh, fitted to its mesh, or bound from a capture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.files.asset import load
from gambol.files.formats import refuse_input
from gambol.progress import Progress

if TYPE_CHECKING:
    from gambol.character.character import Character
    from gambol.splats.skinned_splats import SkinnedSplats

PSNR_VIEWS, PSNR_VIEW_SIZE = 12, 256
"""Number and size (pixels) of the views in which written splats are compared with the mesh."""


@dataclass(frozen=True)
class SplatReport:
    """The splats that were written, and how close they come to the mesh."""

    splats: SkinnedSplats
    """The splats at rest."""
    psnr: float | None
    """PSNR against the mesh in views that were not fitted to, dB; None for a capture, which has its own appearance."""


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

    Args:
        file: A character file.
        target: The .ply file to write.
        count: Largest number of splats; the method's default where not given.
        fit: Fit the splats to 200 renders of the mesh, which is sharper and takes a few minutes.
        capture: A 3DGS .ply file of this character, in its file's coordinates, whose splats are bound to its bones.
        lit: Bake the light of the rest pose into the colours; else they are the bare surface colours.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which of several characters in the file; the largest where not given.
        progress: Called with the steps of a fit.
    """
    # after the file was read, because these import torch
    refuse_input(Path(target), Path(file), capture)
    source = load(file, scale=scale, facing=facing, character=character).character
    import numpy as np

    from gambol.render.mesh.shading import Light
    from gambol.render.splat_fitting.fit import SplatFitConfig, fit_splats
    from gambol.render.splat_fitting.views import measure_splats, random_cameras, view_mesh
    from gambol.render.splats_from_mesh import UNLIT_LIGHT, require_mesh, splats_from_mesh
    from gambol.splats.splat_file import write_splats

    if capture is not None:
        splats = bind_capture(source, capture)
        write_splats(splats, Path(target))
        return SplatReport(splats, None)
    light = Light() if lit else UNLIT_LIGHT
    if fit:
        config = SplatFitConfig() if count is None else SplatFitConfig(count=count)
        splats = fit_splats(source, config, light=light, progress=progress)
    elif count is None:
        splats = splats_from_mesh(source, light=light)
    else:
        splats = splats_from_mesh(source, count, light=light)
    write_splats(splats, Path(target))
    mesh = require_mesh(source)
    cameras = random_cameras(mesh.vertices, PSNR_VIEWS, PSNR_VIEW_SIZE, np.random.default_rng(1))
    return SplatReport(splats, measure_splats(splats, view_mesh(mesh, cameras, light)))


def bind_capture(character: Character, path: str | Path) -> SkinnedSplats:
    """Read captured splats in the coordinates of the character's file, place them as the character and bind them.

    Splats take the skin weights of the closest point of the mesh, or of the closest bones where there is no mesh.
    """
    import torch

    from gambol.splats.binding import bind_splats, bone_weights, closest_weights
    from gambol.splats.skinned_splats import transform_splats
    from gambol.splats.splat_file import read_splats

    splats = transform_splats(read_splats(path), torch.from_numpy(character.placement.T_world_file))
    points = splats.centres.double().numpy()
    if character.mesh is None:
        return bind_splats(splats, bone_weights(points, character.require_skeleton()))
    mesh, _, weights = character.require_skin()
    return bind_splats(splats, closest_weights(points, mesh, weights))
