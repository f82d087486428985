"""The verb `rig`: a skeleton and weights for any mesh."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import tyro

from gambol.app.check_arguments import check_character_file, check_existing_file
from gambol.cli.arguments import ArgumentCheck, CharacterOutput, options_of
from gambol.cli.console import escape, progress_bar, report_written, say

MeshFile = Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="MESH"), ArgumentCheck(check_character_file)]
"""A file with a mesh."""
RigFile = Annotated[Path | None, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_existing_file)]
"""A file that a skeleton or weights are taken from."""


@options_of("gambol.app.rig.rig_file", skeleton=RigFile, weights_from=RigFile, sheet="PNG", page="HTML")
def rig(mesh: MeshFile, /, *, output: CharacterOutput, **options: Any) -> None:
    """Give a mesh a skeleton and skin weights, so that it can be animated; a rig that it has is replaced.

    Args:
        mesh: A file with a mesh: .glb, .gltf, .obj, .ply, .stl, .fbx or .blend.
        output: File to write: .glb, .gltf, .fbx or .blend.
    """
    from gambol.app.rig import rig_file

    with progress_bar() as progress:
        result = rig_file(mesh, output, **options, progress=progress)
    rigged = result.asset.character
    for note in result.notes:
        say(f"  · {escape(note)}")
    vertices = len(rigged.mesh.vertices) if rigged.mesh is not None else 0
    say(f"{len(result.rig)} bones, {vertices} vertices, {result.seconds:.1f} s")
    report_written(*result.written)
