"""The verb `rig`: a skeleton and weights for any mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from gambol.app.check_arguments import check_character_file, check_existing_file
from gambol.cli.arguments import ArgumentCheck, CharacterOutput, Facing, Scale
from gambol.cli.console import console, escape, progress_bar

MeshFile = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="MESH"), ArgumentCheck(check_character_file)]
"""A file with a mesh."""
RigFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_existing_file)]
"""A file that a skeleton or weights are taken from."""


def rig(
    mesh: MeshFile,
    /,
    *,
    output: CharacterOutput,
    template: Literal["auto", "biped", "quadruped", "bird", "theropod", "spider", "snake"] = "auto",
    naming: Literal["gambol", "mixamo", "unreal", "unity", "vrm"] = "gambol",
    skeleton: RigFile = None,
    fit: bool = False,
    weights_from: RigFile = None,
    symmetric: bool = False,
    smooth: float = 0.0,
    rigid_parts: bool = False,
    influences: int = 4,
    per_bone: bool = False,
    sheet: Annotated[Path | None, tyro.conf.arg(metavar="PNG")] = None,
    page: Annotated[Path | None, tyro.conf.arg(metavar="HTML")] = None,
    scale: Scale = None,
    facing: Facing = None,
) -> None:
    """Give a mesh a skeleton and skin weights, so that it can be animated; a rig that it has is replaced.

    Args:
        mesh: A file with a mesh: .glb, .gltf, .obj, .ply, .stl, .fbx or .blend.
        output: Where to write: .glb, .gltf, .fbx or .blend.
        template: The kind of skeleton; auto finds out the kind, the plane of symmetry and the way that the body looks.
        naming: What the bones are called.
        skeleton: Use the joints of this file (.glb, .bvh, .fbx, rig .txt) in place of a template.
        fit: Scale and move that skeleton into the mesh; without it both must lie in the same coordinates.
        weights_from: Take skeleton and weights from this character, by the closest points of its surface; or from the
            .txt that another rigger wrote for this mesh.
        symmetric: Make left and right weights mirror images.
        smooth: Spread the weights over about this share of the size, as 0.02.
        rigid_parts: Put each loose part on one bone: robots, armour.
        influences: Bones per vertex, at most.
        per_bone: Heat sources for every bone by itself, as the paper's supplement writes; slow, softer.
        sheet: Draw the weights of each bone and test poses as a picture.
        page: Write a page that shows the weights and plays test poses.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the body looks along, for a given skeleton.
    """
    from gambol.app.rig import RigSettings, rig_mesh
    from gambol.character.rigging.heat_weights import HeatConfig
    from gambol.files.asset import export_asset, load
    from gambol.files.formats import check_target

    check_target(output)
    heat = HeatConfig(influences=influences, per_bone=per_bone)
    settings = RigSettings(template, naming, skeleton, fit, weights_from, symmetric, smooth, rigid_parts, heat)
    with progress_bar() as progress:
        rigged = rig_mesh(load(mesh, scale=scale, facing=facing), settings, progress=progress)
        export_asset(rigged.asset, output)
        if sheet is not None or page is not None:
            from gambol.view.rig_pictures import draw_rig

            draw_rig(rigged.asset, sheet=sheet, page=page, progress=progress)
    report, character = console(), rigged.asset.character
    for note in rigged.notes:
        report.print(f"  · {escape(note)}", highlight=False)
    vertices = len(character.mesh.vertices) if character.mesh is not None else 0
    report.print(f"{len(rigged.rig)} bones, {vertices} vertices, {rigged.seconds:.1f} s", highlight=False)
    for path in (output, sheet, page):
        if path is not None:
            report.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
