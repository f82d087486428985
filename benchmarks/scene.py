"""The scene around the splats must cost little: ground, shadow, camera and hiding for 24 frames of 64 x 64.

Run: python benchmarks/scene.py [--quick]
Process CPU time on one thread, least of several runs. The character is the built-in fox with 2,000 splats.
"""

import sys

import torch
from measure import Scoreboard, cpu_seconds

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.render.actor import make_actor, outline_points, splat_centres
from gambol.render.camera_batch import PinholeCameras
from gambol.render.follow_camera import DEFAULT_FOLLOW, View, eye_offset, follow_cameras
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.ground.draw_ground import draw_ground_frames
from gambol.render.ground.shadow import cast_splat_shadows
from gambol.render.splats_from_mesh import splats_from_mesh

FRAMES, SIDE = 24, 64


def main() -> None:
    """Measure each piece, then a few of them together."""
    torch.set_num_threads(1)
    repeats = 5 if "--quick" in sys.argv else 30
    board = Scoreboard()
    character = make_creature("fox", 1).character()
    clip = make_motion(character, find_anatomy(character), "walk")
    actor = make_actor(character, splats_from_mesh(character, 2000))
    T = actor.pose_clip(clip)[:FRAMES]
    view, ground = View("three-quarter", 0.5, 0.25), Checkerboard()
    offset = eye_offset(outline_points(actor, T), view, SIDE, SIDE, config=DEFAULT_FOLLOW)
    T.requires_grad_()

    def camera() -> PinholeCameras:
        return follow_cameras(outline_points(actor, T), view, SIDE, SIDE, offset=offset)

    def shadows() -> list:
        casters, radii = actor.shadow_casters
        return cast_splat_shadows(ground, splat_centres(casters, T).numpy(), radii, actor.size)

    def ground_and_back() -> None:
        draw_ground_frames(ground, camera(), actor.size, cast).square().sum().backward()

    cast, still = shadows(), camera()
    still = PinholeCameras(still.T_camera_world.detach(), still.focal, SIDE, SIDE)
    ground_and_back()
    for what, work, target in (
        ("camera", camera, 5.0),
        ("hidden splats", lambda: splat_centres(actor.splats, T, (1,)), 2.0),
        ("shadows", shadows, 8.0),
        ("ground", lambda: draw_ground_frames(ground, still, actor.size, cast), 6.0),
        ("camera and ground, there and back", ground_and_back, 16.0),
    ):
        work()
        board.at_most(f"{what}, 24 x 64 x 64", 1e3 * cpu_seconds(work, repeats), target, " ms")
    board.finish()


if __name__ == "__main__":
    main()
