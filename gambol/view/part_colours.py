"""Pictures that show what Gambol takes each bone for: one colour per body part, darker on the right side."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy import Anatomy, BodyPart, Side
from gambol.character.anatomy_tags import find_anatomy
from gambol.character.character import Character
from gambol.character.mesh import Mesh
from gambol.character.scene import Material
from gambol.render.film import write_png
from gambol.render.mesh_film import RenderConfig, views_sheet
from gambol.render.textures import srgb_to_linear

PART_COLOURS = {
    BodyPart.TORSO: (0.72, 0.72, 0.72),
    BodyPart.NECK: (0.95, 0.85, 0.20),
    BodyPart.HEAD: (0.90, 0.25, 0.20),
    BodyPart.TAIL: (0.60, 0.30, 0.75),
    BodyPart.LEG: (0.25, 0.55, 0.95),
    BodyPart.ARM: (0.30, 0.80, 0.35),
    BodyPart.WING: (0.20, 0.80, 0.80),
}
"""sRGB, 0 to 1."""
RIGHT_SHADE = 0.6
"""The right side is this much darker."""
PAIR_SHADE = 0.6
"""The main chains of every second pair are this much nearer to white, so that front and hind legs differ."""


def bone_colours(anatomy: Anatomy) -> Float[ndarray, "bones 3"]:
    """The sRGB colour of each bone: of its part, paler in every second pair, darker on the right."""
    colours = np.array([PART_COLOURS[part] for part in anatomy.parts])
    second = [bone for limb in anatomy.limbs if limb.pair % 2 for bone in limb.bones]
    colours[second] = 1.0 - PAIR_SHADE * (1.0 - colours[second])
    colours[[side == Side.RIGHT for side in anatomy.sides]] *= RIGHT_SHADE
    return colours


def paint_bones(character: Character, colours: Float[ndarray, "bones 3"]) -> Mesh:
    """The character's mesh in plain vertex colours: each vertex in the sRGB colour of its strongest bone."""
    mesh, _, weights = character.skinned()
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
    painted = paint_bones(character, bone_colours(anatomy or find_anatomy(character)))
    write_png(target, views_sheet(painted, painted.vertices, config=config or RenderConfig(width=400, height=320)))
