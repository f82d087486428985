"""A moving character on the checkerboard, from motion to pixels: differentiable down to the root and the angles."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from jaxtyping import Float
from numpy import ndarray
from torch import Tensor

from gambol.motion.clip import Clip
from gambol.render.actor import Actor, outline_points, splat_centres
from gambol.render.camera_batch import PinholeCameras
from gambol.render.follow_camera import DEFAULT_FOLLOW, FollowConfig, View, follow_cameras
from gambol.render.ground.layer import draw_ground_frames
from gambol.render.ground.shadow import cast_splat_shadows
from gambol.render.looks import Look
from gambol.render.memory_budget import DEFAULT_MEMORY_BYTES, plan_frames
from gambol.render.raster.rasterise import rasterise_skinned
from gambol.splats.skinned_splats import splat_colours


@dataclass(frozen=True)
class Video:
    """Pictures of a scene."""

    rgb: Float[Tensor, "frames 3 height width"]
    """sRGB, 0 to 1."""
    alpha: Float[Tensor, "frames height width"]
    """The character's cover of each pixel."""
    depth: Float[Tensor, "frames height width"]
    """Depth of the character times its cover, metres."""


def render_motion(
    actor: Actor,
    root: Float[Tensor, "frames 6"],
    angles: Float[Tensor, "frames joints 3"],
    view: View,
    look: Look,
    width: int,
    height: int,
    *,
    camera: FollowConfig = DEFAULT_FOLLOW,
    offset: Float[ndarray, "3"] | None = None,
) -> Video:
    """Pose, camera, picture: everything from the numbers of a motion, differentiable in them.

    `offset` (`follow_camera.eye_offset`) fixes the camera's distance while the motion changes; found from the motion
    itself where not given.
    """
    T = actor.pose(root, angles)
    cameras = follow_cameras(outline_points(actor, T), view, width, height, config=camera, offset=offset)
    return render_poses(actor, T, cameras, look)


def render_poses(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], cameras: PinholeCameras, look: Look
) -> Video:
    """Splats over ground and sky: c = sum_i w_i c_i + (1 - alpha) c_behind.

    Splats whose centre is below the ground have opacity 0. Differentiable in the bones' skinning transforms and the
    cameras; the shadow and what is hidden count as constant.
    """
    splats, opacities = actor.splats, actor.splats.opacities
    if look.ground is not None:
        above = splat_centres(splats, T_world_rest, (1,))[..., 0] >= 0.0
        if not bool(above.all()):
            opacities = opacities * above
    colours = look.colours
    if colours is None:
        R, t = cameras.T_camera_world[:, :3, :3], cameras.T_camera_world[:, :3, 3:]
        colours = splat_colours(splats, -(R.transpose(1, 2) @ t).squeeze(-1), T_world_rest)
    picture = rasterise_skinned(
        splats.centres, splats.covariances, colours, opacities, splats.bones, splats.weights, T_world_rest, cameras
    )
    behind = _behind(actor, T_world_rest, cameras, look)
    return Video(picture.rgb + (1.0 - picture.alpha[:, None]) * behind, picture.alpha, picture.depth)


def render_clip(
    actor: Actor,
    clip: Clip,
    view: View,
    look: Look,
    width: int,
    height: int,
    *,
    camera: FollowConfig = DEFAULT_FOLLOW,
    memory: int = DEFAULT_MEMORY_BYTES,
) -> Video:
    """A whole clip, without gradients, in pieces of as many frames as the memory (bytes) allows."""
    with torch.no_grad():
        T = actor.pose_clip(clip)
        cameras = follow_cameras(outline_points(actor, T), view, width, height, config=camera)
        degree = actor.splats.degree if look.colours is None else 0
        plan = plan_frames(len(clip), width, height, len(actor.splats), memory, degree=degree)
        pieces = [render_poses(actor, T[part], cameras_of(cameras, part), look) for part in plan.parts()]
    return Video(*(torch.cat([getattr(piece, f.name) for piece in pieces]) for f in fields(Video)))


def cameras_of(cameras: PinholeCameras, chosen: slice | Tensor) -> PinholeCameras:
    """The cameras of some frames."""
    return PinholeCameras(cameras.T_camera_world[chosen], cameras.focal[chosen], cameras.width, cameras.height)


def _behind(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], cameras: PinholeCameras, look: Look
) -> Float[Tensor, "frames 3 height width"]:
    if look.ground is None:
        return cameras.T_camera_world.new_tensor(look.background)[None, :, None, None]
    shadows = None
    if look.ground.shadow_strength > 0:
        casters, radii = actor.shadow_casters
        shadows = cast_splat_shadows(look.ground, splat_centres(casters, T_world_rest).cpu().numpy(), radii, actor.size)
    return draw_ground_frames(look.ground, cameras, actor.size, shadows)
