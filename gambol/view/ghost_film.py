"""A film of a tracked clip beside its target, the target shown again as a ghost."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, UInt8
from numpy import ndarray

from gambol.character.bone_cuboids import BOX_CORNERS
from gambol.character.character import Character
from gambol.character.mesh import Mesh
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.physics.collision_boxes import bone_boxes
from gambol.progress import Progress
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import follow_camera_list, view_named
from gambol.render.ground.checkerboard import Checkerboard, draw_ground
from gambol.render.ground.shadow import cast_shadow
from gambol.render.mesh.rasterise import draw_mesh, prepare_mesh
from gambol.render.mesh.textures import linear_to_srgb_bytes
from gambol.view.posed_asset import pose_by_clip, posed_vertices

GHOST_OPACITY = 0.38
"""Opacity of the target's ghost."""
GHOST_TINT = np.array([0.25, 0.45, 0.9])
"""Colour that is mixed half and half into the ghost, linear RGB."""
_BOX_FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
BOX_TRIANGLES = np.concatenate([_BOX_FACES[:, :3], _BOX_FACES[:, [0, 2, 3]]])
"""Triangles of a box, as indices into its corners in the order of `BOX_CORNERS`."""


def film_beside_ghost(
    character: Character,
    target: Clip,
    tracked: Clip,
    *,
    asked: Clip | None = None,
    width: int = 480,
    height: int = 360,
    view: str = "three-quarter",
    progress: Progress | None = None,
) -> UInt8[ndarray, "frames height width 3"]:
    """Draw two panes: left the original clip (`asked`, else the target), right the tracked one over the target's ghost.

    Returns sRGB bytes.
    """
    mesh, (left, right, ghost) = _moving(character, asked or target, tracked, target)
    frames = min(len(left), len(right))
    surface, size, ground = prepare_mesh(mesh), character.size, Checkerboard()
    chosen = view_named(view)
    cameras = follow_camera_list(np.concatenate([left[:frames], right[:frames]], 1), chosen, width, height)
    pictures = []
    for i in range(frames):
        panes = []
        for solid, faint in ((left[i], None), (right[i], ghost[i])):
            layer = draw_mesh(surface, solid, cameras[i], supersample=2)
            behind = draw_ground(ground, cameras[i], size, cast_shadow(ground, solid, surface.triangles, size))
            if faint is not None:
                shade = draw_mesh(surface, faint, cameras[i], supersample=2)
                alpha = GHOST_OPACITY * shade.alpha[..., None]
                tinted = 0.5 * shade.rgb + 0.5 * shade.alpha[..., None] * GHOST_TINT
                behind = (1.0 - alpha) * behind + GHOST_OPACITY * tinted
            panes.append(linear_to_srgb_bytes(layer.rgb + (1.0 - layer.alpha[..., None]) * behind))
        pictures.append(contact_sheet(panes, 2, ["original", "tracked, target as a ghost"]))
        if progress is not None:
            progress(i + 1, frames, "drawing the film")
    return np.stack(pictures)


def _moving(character: Character, *clips: Clip) -> tuple[Mesh, list[Float[ndarray, "frames vertices 3"]]]:
    """Surface of the character (boxes of the bones where it has none) and its vertices in every frame of each clip."""
    skeleton = character.require_skeleton()
    if character.weights is not None and character.mesh is not None:
        return character.mesh, [posed_vertices(character, pose_by_clip(character, clip)) for clip in clips]
    T_rest = [pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest) for clip in clips]
    boxes = bone_boxes(character).cuboids
    corners = boxes.centres_bone[:, None] + BOX_CORNERS * boxes.half_sides[:, None]
    T = skeleton.T_world_rest
    rest_corners = np.einsum("bij,bkj->bki", T[:, :3, :3], corners) + T[:, None, :3, 3]
    triangles = (BOX_TRIANGLES + 8 * np.arange(len(skeleton))[:, None, None]).reshape(-1, 3)
    mesh = Mesh(rest_corners.reshape(-1, 3), triangles, np.zeros(len(triangles), int))
    moved = [np.einsum("fbij,bkj->fbki", M[..., :3, :3], rest_corners) + M[:, :, None, :3, 3] for M in T_rest]
    return mesh, [places.reshape(len(places), -1, 3) for places in moved]
