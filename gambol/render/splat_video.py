"""Videos of a moving character made of splats on the ground, differentiable with respect to its motion."""

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
    """A rendered video."""

    rgb: Float[Tensor, "frames 3 height width"]
    """sRGB colours, 0 to 1."""
    alpha: Float[Tensor, "frames height width"]
    """Share of each pixel that the character covers, 0 to 1."""
    depth: Float[Tensor, "frames height width"]
    """Depth of the character times alpha, metres."""


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
    """Render a motion with a camera that follows it; differentiable with respect to root and angles.

    `offset` (`follow_camera.eye_offset`) keeps the camera's distance while the motion changes; by default it is found
    from the motion itself.
    """
    T = actor.pose(root, angles)
    cameras = follow_cameras(outline_points(actor, T), view, width, height, config=camera, offset=offset)
    return render_poses(actor, T, cameras, look)


def render_poses(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], cameras: PinholeCameras, look: Look
) -> Video:
    """Render skinned splats over ground and sky: c = sum_i w_i c_i + (1 - alpha) c_behind.

    Splats whose centre is below the ground have opacity 0. Differentiable with respect to the bones' skinning
    transforms and the cameras; the shadow and the choice of hidden splats count as constant.
    """
    splats, opacities = actor.splats, actor.splats.opacities
    if look.ground is not None:
        above = splat_centres(splats, T_world_rest, (1,))[..., 0] >= 0.0
        if not bool(above.all()):
            opacities = opacities * above
    colours = look.colours
    if colours is None:
        colours = splat_colours(splats, cameras.eyes, T_world_rest)
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
    """Render a whole clip without gradients, in chunks of as many frames as `memory` bytes allow."""
    with torch.no_grad():
        T = actor.pose_clip(clip)
        cameras = follow_cameras(outline_points(actor, T), view, width, height, config=camera)
        degree = actor.splats.degree if look.colours is None else 0
        plan = plan_frames(len(clip), width, height, len(actor.splats), memory, degree=degree)
        pieces = [render_poses(actor, T[part], cameras.subset(part), look) for part in plan.chunks()]
    return Video(*(torch.cat([getattr(piece, f.name) for piece in pieces]) for f in fields(Video)))


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
