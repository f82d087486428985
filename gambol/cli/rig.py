"""The verb `rig`: a skeleton and weights for any mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import tyro

from gambol.app.check_arguments import check_character_file, check_existing_file
from gambol.cli.arguments import READ_AS_IT_IS, ArgumentCheck, CharacterOutput, Loading
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
    template: Literal["auto", "biped", "quadruped", "bird", "theropod", "spider", "snake", "fish", "dragon"] = "auto",
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
    loading: Loading = READ_AS_IT_IS,
) -> None:
    """Give a mesh a skeleton and skin weights, so that it can be animated; a rig that it has is replaced.

    Args:
        mesh: A file with a mesh: .glb, .gltf, .obj, .ply, .stl, .fbx or .blend.
        output: File to write: .glb, .gltf, .fbx or .blend.
        template: Kind of skeleton; auto finds out the kind and refuses a mesh that none fits.
        naming: Naming convention of the bones.
        skeleton: Use the joints of this file (.glb, .bvh, .fbx, RigNet .txt) instead of a template.
        fit: Scale and move that skeleton into the mesh; without it both must lie in the same coordinates.
        weights_from: Take skeleton and weights from this character, by the closest points of its surface; or from the
            .txt that another rigger wrote for this mesh.
        symmetric: Make left and right weights mirror images.
        smooth: Distance over which weights are smoothed, as a share of the size, such as 0.02.
        rigid_parts: Bind each loose part to one bone, for robots and armour.
        influences: Bones per vertex, at most.
        per_bone: Heat sources for every bone by itself, as AKD's supplement writes; slower and softer.
        sheet: Write a picture of the weights of each bone and of test poses.
        page: Write a page that shows the weights and plays test poses.
        loading: How the file is read.
    """
    from gambol.app.rig import rig_file

    with progress_bar() as progress:
        result = rig_file(
            mesh,
            output,
            template=template,
            naming=naming,
            skeleton=skeleton,
            fit=fit,
            weights_from=weights_from,
            symmetric=symmetric,
            smooth=smooth,
            rigid_parts=rigid_parts,
            influences=influences,
            per_bone=per_bone,
            sheet=sheet,
            page=page,
            **loading.keywords(),
            progress=progress,
        )
    report, rigged = console(), result.asset.character
    for note in result.notes:
        report.print(f"  · {escape(note)}", highlight=False, soft_wrap=True)
    vertices = len(rigged.mesh.vertices) if rigged.mesh is not None else 0
    report.print(f"{len(result.rig)} bones, {vertices} vertices, {result.seconds:.1f} s", highlight=False)
    for path in result.written:
        report.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
