"""Panes: the moving pictures of one clip from one view in one style, of which films and sheets are composed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from jaxtyping import Int, UInt8
from numpy import ndarray

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.render.actor import Actor, make_actor, outline_points
from gambol.render.cameras import Camera
from gambol.render.follow_camera import View, follow_camera_list, follow_cameras
from gambol.render.ground.checkerboard import draw_ground
from gambol.render.looks import Look, control_ground, control_look
from gambol.render.mesh.skeleton_overlay import draw_skeleton_overlay
from gambol.render.mesh.textures import linear_to_srgb_bytes
from gambol.render.mesh.video import RenderConfig, render_frames
from gambol.render.part_palette import bone_colours
from gambol.render.splat_video import render_poses
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.view.picture_settings import PictureStyle
from gambol.view.posed_asset import PoseSequence, posed_segments, posed_vertices

Drawing = Callable[[Int[ndarray, "chosen"]], UInt8[ndarray, "chosen height width 3"]]
"""Draws the frames with the given indices as sRGB bytes."""


@dataclass(frozen=True)
class Pane:
    """A clip from one view, whose frames are drawn on demand."""

    poses: PoseSequence
    """The poses of the frames."""
    view: View
    """The direction from which they are seen."""
    draw: Drawing
    """Draws the frames with the given indices."""


def mesh_pane(character: Character, poses: PoseSequence, view: View, config: RenderConfig, *, skeleton: bool) -> Pane:
    """A pane of the shaded mesh, with the bones over it if `skeleton`."""
    vertices = posed_vertices(character, poses)
    mesh = character.mesh
    assert mesh is not None
    cameras = follow_camera_list(vertices, view, config.width, config.height, config=config.camera)
    segments = posed_segments(character, poses) if skeleton else None

    def draw(chosen: Int[ndarray, "chosen"]) -> UInt8[ndarray, "chosen height width 3"]:
        picked = [cameras[i] for i in chosen]
        pictures = render_frames(mesh, vertices[chosen], picked, config=config)
        return pictures if segments is None else _with_bones(pictures, picked, segments[chosen])

    return Pane(poses, view, draw)


def skeleton_pane(character: Character, poses: PoseSequence, view: View, config: RenderConfig) -> Pane:
    """A pane of the bones alone, in the colours of their body parts."""
    skeleton, segments = character.require_skeleton(), posed_segments(character, poses)
    points = segments.reshape(len(segments), -1, 3)
    cameras = follow_camera_list(points, view, config.width, config.height, config=config.camera)
    colours = bone_colours(find_anatomy(character), skeleton)[skeleton.segments.bones]
    radius = max(1.5, 0.006 * min(config.width, config.height))

    def draw(chosen: Int[ndarray, "chosen"]) -> UInt8[ndarray, "chosen height width 3"]:
        picked = [cameras[i] for i in chosen]
        behind = np.stack([_empty_scene(config, camera, character.size) for camera in picked])
        return _with_bones(behind, picked, segments[chosen], colour=colours, radius=radius)

    return Pane(poses, view, draw)


def splat_pane(actor: Actor, look: Look, poses: PoseSequence, view: View, config: RenderConfig) -> Pane:
    """A pane of splats on the ground, as video priors see them."""
    T = np.eye(4)[None, None] if poses.T_world_rest is None else poses.T_world_rest
    transforms = torch.as_tensor(T).to(actor.splats.centres)
    points = outline_points(actor, transforms)
    cameras = follow_cameras(points, view, config.width, config.height, config=config.camera)

    def draw(chosen: Int[ndarray, "chosen"]) -> UInt8[ndarray, "chosen height width 3"]:
        picked = torch.from_numpy(chosen)
        with torch.no_grad():
            return video_to_bytes(render_poses(actor, transforms[picked], cameras.subset(picked), look).rgb)

    return Pane(poses, view, draw)


def pane_maker(
    character: Character, style: PictureStyle, config: RenderConfig, *, splats: int, skeleton: bool
) -> Callable[..., Pane]:
    """A function (poses, view, *, config) that makes panes of one character in one style; they share what they can.

    `config` there is optional, for a pane of another size.
    """
    if style == "skeleton":
        return partial(skeleton_pane, character, config=config)
    if style == "mesh":
        return partial(mesh_pane, character, config=config, skeleton=skeleton)
    actor = make_actor(
        character, splats_from_mesh(character, splats, light=None if style == "control" else config.light)
    )
    if style == "splats":
        look = Look(config.ground)
    else:
        look = control_look(actor.splats, character.require_skeleton(), find_anatomy(character), actor.size)
        look = look if config.ground is not None else replace(look, ground=None)
    return partial(splat_pane, actor, look, config=config)


def video_to_bytes(rgb: torch.Tensor) -> UInt8[ndarray, "frames height width 3"]:
    """A video [frames, 3, height, width] with values in [0, 1] (clipped) as sRGB bytes."""
    return (rgb.clamp(0.0, 1.0) * 255.0 + 0.5).to(torch.uint8).permute(0, 2, 3, 1).cpu().numpy()


def _with_bones(
    pictures: UInt8[ndarray, "frames height width 3"], cameras: list[Camera], segments: ndarray, **drawn: object
) -> UInt8[ndarray, "frames height width 3"]:
    frames = zip(pictures, cameras, segments, strict=True)
    return np.stack([draw_skeleton_overlay(p, c, s[:, 0], s[:, 1], **drawn) for p, c, s in frames])  # type: ignore[arg-type]


def _empty_scene(config: RenderConfig, camera: Camera, size: float) -> UInt8[ndarray, "height width 3"]:
    if config.ground is None:
        plain = np.round(255.0 * np.array(config.background)).astype(np.uint8)
        return np.broadcast_to(plain, (camera.height, camera.width, 3)).copy()
    return linear_to_srgb_bytes(draw_ground(control_ground(size), camera, size))
