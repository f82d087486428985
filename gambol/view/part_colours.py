"""Pictures that show what Gambol takes each bone for: one colour per body part, side and pair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.character.colour import srgb_to_linear
from gambol.character.mesh import Mesh
from gambol.character.scene import Material
from gambol.render.mesh.video import RenderConfig, views_sheet
from gambol.render.part_palette import bone_colours
from gambol.render.video_file import write_png


def paint_bones(character: Character, colours: Float[ndarray, "bones 3"]) -> Mesh:
    """The character's mesh in plain vertex colours: each vertex in the sRGB colour of its strongest bone."""
    mesh, _, weights = character.require_skin()
    linear = srgb_to_linear(colours)[weights.dominant()]
    painted = np.concatenate([linear, np.ones((len(linear), 1))], axis=1)
    plain = np.zeros(len(mesh.triangles), int)
    return replace(
        mesh, triangle_materials=plain, materials=(Material("parts", (1.0, 1.0, 1.0, 1.0)),), uvs=None, colours=painted
    )


def draw_parts(
    character: Character, target: Path | str, *, anatomy: Anatomy | None = None, config: RenderConfig | None = None
) -> None:
    """Save a sheet of the rest pose from four sides, painted by body part (.png)."""
    colours = bone_colours(anatomy or find_anatomy(character), character.require_skeleton())
    painted = paint_bones(character, colours)
    write_png(target, views_sheet(painted, painted.vertices, config=config or RenderConfig(width=400, height=320)))
