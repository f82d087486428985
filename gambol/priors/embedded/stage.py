"""The stage on which the embedded prior sees a body: two cameras that go along with it, part colours, plain ground.

A frame is two square pictures side by side: a view near the side, and one 125 degrees further round through the front,
so that no limb is hidden in both. Pictures have no scale, so neither has time: a frame is a fixed part of
sqrt(leg / g), in which bodies of one build and different size move alike, 1/16 s for a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from torch import Tensor

from gambol.character.anatomy.anatomy import FIRST_FINGER_BONE, Anatomy, BodyPart
from gambol.character.character import Character
from gambol.render.actor import Actor
from gambol.render.camera_batch import PinholeCameras
from gambol.render.cameras import DEFAULT_FOV, Camera, frame_camera
from gambol.render.ground.draw_ground import draw_ground_frames
from gambol.render.looks import control_look, plain_ground
from gambol.render.raster.rasterise import rasterise_skinned
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.splats.skinned_splats import SkinnedSplats

FRAMES = 24
"""Frames of a video."""
SIDE = 48
"""Height and width of one picture, pixels."""
WIDTH = 2 * SIDE
"""Width of a frame, which is two pictures side by side, pixels."""
SPLATS = 600
"""Splats of a body."""
STAGE_MARGIN = 0.2
"""Share of the half picture that the rest pose leaves free, so that limbs have room."""
THIN_PART_SHARE = 0.3
"""Factor by which tail, wings and arms outside the box of the other parts are drawn in before framing."""
SECOND_CAMERA_ANGLE = float(np.radians(125.0))
"""Angle from the first camera to the second, through the front of the body, radians."""


@dataclass(frozen=True)
class StageView:
    """Where the first camera stands; the second follows from it. Angles in radians as in `cameras.orbit_camera`."""

    azimuth: float = float(np.radians(12.0))
    """Direction of the first camera about the vertical axis, radians."""
    elevation: float = float(np.radians(12.0))
    """Height of both cameras above the horizon, radians."""
    distance: float = 1.0
    """Factor of the distance at which the rest pose just has its margin."""
    ground: bool = True
    """Whether there is ground below the horizon; otherwise sky all around."""

    @property
    def azimuths(self) -> tuple[float, float]:
        """Azimuths of both cameras, radians."""
        return self.azimuth, self.azimuth + SECOND_CAMERA_ANGLE * (1.0 if np.cos(self.azimuth) > 0 else -1.0)

    def mirrored(self) -> StageView:
        """The mirror image: the view from the other side of the body."""
        return StageView(float(np.pi - self.azimuth), self.elevation, self.distance, self.ground)

    def numbers(self) -> Float[Tensor, "5"]:
        """The network's input for the view."""
        a = self.azimuth
        return torch.tensor(
            [np.sin(a), np.cos(a), 4.0 * self.elevation, 8.0 * (self.distance - 1.0), float(self.ground)],
            dtype=torch.float32,
        )


def draw_view(generator: np.random.Generator) -> StageView:
    """A random view from either side; 15 % are without ground."""
    side = np.pi * float(generator.random() < 0.5)
    return StageView(
        float(side + generator.uniform(-0.25, 0.25)),
        float(generator.uniform(0.12, 0.3)),
        float(generator.uniform(0.96, 1.06)),
        bool(generator.random() >= 0.15),
    )


@dataclass(frozen=True)
class Stage:
    """An actor in front of the two cameras."""

    actor: Actor
    """Splats on the skeleton."""
    colours: Float[Tensor, "splats 3"]
    """Part colour of each splat, sRGB."""
    view: StageView
    """Where the cameras stand."""
    cameras: PinholeCameras
    """Both cameras."""
    behind: Float[Tensor, "2 3 side side"]
    """Ground and sky as each camera sees them."""

    def render(
        self, root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]
    ) -> Float[Tensor, "frames 3 side 2*side"]:
        """Both views side by side, sRGB in [0, 1]; differentiable in root and angles."""
        return self.render_poses(self.actor.pose(root, angles))

    def render_poses(self, T_world_rest: Float[Tensor, "frames bones 4 4"]) -> Float[Tensor, "frames 3 side 2*side"]:
        """Both views side by side from the bones' skinning transforms, sRGB in [0, 1]; differentiable."""
        frames, splats = len(T_world_rest), self.actor.splats
        T, focal = (x.repeat_interleave(frames, 0) for x in (self.cameras.T_camera_world, self.cameras.focal))
        picture = rasterise_skinned(
            splats.centres,
            splats.covariances,
            self.colours,
            splats.opacities,
            splats.bones,
            splats.weights,
            T_world_rest.repeat(2, 1, 1, 1),
            PinholeCameras(T, focal, SIDE, SIDE),
        )
        behind = self.behind.repeat_interleave(frames, 0)
        views = picture.rgb + (1.0 - picture.alpha[:, None]) * behind
        return torch.cat([views[:frames], views[frames:]], -1)

    @property
    def first_camera(self) -> Camera:
        """The camera of the left half."""
        focal, middle = float(self.cameras.focal[0]), 0.5 * SIDE
        T = self.cameras.T_camera_world[0].double().numpy()
        T[:3, :3] = np.linalg.qr(T[:3, :3])[0] * np.sign(np.diag(np.linalg.qr(T[:3, :3])[1]))  # to float64's precision
        return Camera(T, focal, focal, middle, middle, SIDE, SIDE)

    @cached_property
    def rest_frame(self) -> Float[Tensor, "3 side 2*side"]:
        """The character's rest pose on the stage."""
        bones = self.actor.splats.bone_count
        with torch.no_grad():
            return self.render(torch.zeros(1, 6), torch.zeros(1, bones - 1, 3))[0]


def stage_splats(character: Character, anatomy: Anatomy, count: int) -> SkinnedSplats:
    """About `count` splats of the body without what its hands hold, which would hide it."""
    order = torch.as_tensor(np.array(anatomy.orders))
    held = torch.tensor([part == BodyPart.ARM for part in anatomy.parts]) & (order >= FIRST_FINGER_BONE)

    def bare(splats: SkinnedSplats) -> Bool[Tensor, "splats"]:
        return (splats.weights * held[splats.bones]).sum(1) < 0.5

    splats = splats_from_mesh(character, count, picture=SIDE)
    share = float(bare(splats).float().mean())
    if share in (0.0, 1.0):
        return splats
    splats = splats_from_mesh(character, round(count / max(share, 0.1)), picture=SIDE)
    return splats.subset(bare(splats))


def make_stage(actor: Actor, anatomy: Anatomy, view: StageView) -> Stage:
    """Place both cameras around the rest pose, at one distance."""
    assert actor.skeleton is not None
    look = control_look(actor.splats, actor.skeleton, anatomy, actor.size)
    assert look.colours is not None
    points = framed_points(actor, anatomy)
    middle = 0.5 * (points.min(0) + points.max(0))
    framed = [frame_camera(points, a, view.elevation, DEFAULT_FOV, SIDE, SIDE, STAGE_MARGIN) for a in view.azimuths]
    distance = view.distance * max(float(np.linalg.norm(c.eye - middle)) for c in framed)
    T = np.stack([c.T_camera_world for c in framed])
    for matrix in T:  # t = -R eye with eye = middle - distance R[2]
        matrix[:3, 3] = -matrix[:3, :3] @ (middle - distance * matrix[2, :3])
    cameras = PinholeCameras(torch.as_tensor(T, dtype=torch.float32), torch.full((2,), float(framed[0].fy)), SIDE, SIDE)
    ground = plain_ground(actor.size, sky_only=not view.ground)
    return Stage(actor, look.colours, view, cameras, draw_ground_frames(ground, cameras, actor.size))


def framed_points(actor: Actor, anatomy: Anatomy) -> Float[ndarray, "splats 3"]:
    """Points that the cameras frame: tail, wings and arms are drawn in, so that legs do not get tiny."""
    points = actor.splats.centres.double().numpy()
    outer = (BodyPart.TAIL, BodyPart.WING, BodyPart.ARM)
    thin = np.array([part in outer for part in anatomy.parts])[actor.splats.skin.dominant()]
    if thin.all() or BodyPart.LEG not in anatomy.parts:
        return points
    low, high = points[~thin].min(0), points[~thin].max(0)
    inside = points.clip(low, high)
    return np.where(thin[:, None], inside + THIN_PART_SHARE * (points - inside), points)
