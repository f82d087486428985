"""Videos of a moving character made of splats on the ground, differentiable with respect to its motion."""

from __future__ import annotations

from dataclasses import replace

from jaxtyping import Float
from torch import Tensor

from gambol.render.actor import Actor, splat_centres
from gambol.render.camera_batch import PinholeCameras
from gambol.render.ground.draw_ground import draw_ground_frames
from gambol.render.ground.shadow import cast_splat_shadows
from gambol.render.looks import Look
from gambol.render.raster.picture import Picture
from gambol.render.raster.rasterise import rasterise_skinned
from gambol.splats.skinned_splats import splat_colours


def render_poses(
    actor: Actor, T_world_rest: Float[Tensor, "frames bones 4 4"], cameras: PinholeCameras, look: Look
) -> Picture:
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
    return replace(picture, rgb=picture.rgb + (1.0 - picture.alpha[:, None]) * behind)


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
