"""The stage on which the embedded prior sees a body: two cameras that go along with it, part colours, plain ground.

A frame is two square pictures side by side: one from the side, one from the front of the other side, so that no limb is
hidden in both. Pictures have no scale, so neither has time: a frame is a fixed part of sqrt(leg / g) (dynamic
similarity: bodies of one build and different size move alike in this unit), 1/16 s for a person.
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
from gambol.render.ground.layer import draw_ground_frames
from gambol.render.looks import control_look, plain_ground
from gambol.render.raster.rasterise import rasterise_skinned
from gambol.render.splats_from_mesh import splats_from_mesh
from gambol.splats.skinned_splats import SkinnedSplats

FRAMES = 24
SIDE = 48
"""Pixels of one view, each way."""
WIDTH = 2 * SIDE
SPLATS = 600
MARGIN = 0.2
"""Part of the half picture that the rest pose leaves free: limbs need room."""
DRAWN_IN = 0.3
"""How much of what tail, wings and arms stand out counts when the cameras are placed."""
SECOND_VIEW = float(np.radians(125.0))
"""From the first view to the second, through the front of the body."""


@dataclass(frozen=True)
class StageView:
    """Where the first camera stands; the second follows from it. Angles in radians as in `cameras.orbit_camera`."""

    azimuth: float = float(np.radians(12.0))
    elevation: float = float(np.radians(12.0))
    distance: float = 1.0
    """Multiplies the distance at which the rest pose just has its margin."""
    ground: bool = True

    @property
    def azimuths(self) -> tuple[float, float]:
        """Of both cameras; the turn from one to the other passes the front."""
        return self.azimuth, self.azimuth + SECOND_VIEW * (1.0 if np.cos(self.azimuth) > 0 else -1.0)

    def mirrored(self) -> StageView:
        """The same from the other side of the body."""
        return StageView(float(np.pi - self.azimuth), self.elevation, self.distance, self.ground)

    def numbers(self) -> Float[Tensor, "5"]:
        """What a network is told of it."""
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
    colours: Float[Tensor, "splats 3"]
    view: StageView
    cameras: PinholeCameras
    """Two."""
    behind: Float[Tensor, "2 3 side side"]
    """Ground and sky."""

    def film(
        self, root: Float[Tensor, "frames 6"], angles: Float[Tensor, "frames joints 3"]
    ) -> Float[Tensor, "frames 3 side 2*side"]:
        """Both views side by side, sRGB in [0, 1]; differentiable in root and angles."""
        return self.film_poses(self.actor.pose(root, angles))

    def film_poses(self, T_world_rest: Float[Tensor, "frames bones 4 4"]) -> Float[Tensor, "frames 3 side 2*side"]:
        """The same from the bones' skinning transforms."""
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
        """The rest pose."""
        bones = self.actor.splats.bone_count
        with torch.no_grad():
            return self.film(torch.zeros(1, 6), torch.zeros(1, bones - 1, 3))[0]


def stage_splats(character: Character, anatomy: Anatomy, count: int) -> SkinnedSplats:
    """About so many splats of the body alone: what hangs on bones beyond a hand (a whole armoury) would hide it."""
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
    """Put the cameras around the rest pose, one distance for both."""
    assert actor.skeleton is not None
    look = control_look(actor.splats, actor.skeleton, anatomy, actor.size)
    assert look.colours is not None
    points = framed_points(actor, anatomy)
    middle = 0.5 * (points.min(0) + points.max(0))
    framed = [frame_camera(points, a, view.elevation, DEFAULT_FOV, SIDE, SIDE, MARGIN) for a in view.azimuths]
    distance = view.distance * max(float(np.linalg.norm(c.eye - middle)) for c in framed)
    T = np.stack([c.T_camera_world for c in framed])
    for matrix in T:  # t = -R eye with eye = middle - distance R[2]
        matrix[:3, 3] = -matrix[:3, :3] @ (middle - distance * matrix[2, :3])
    cameras = PinholeCameras(torch.as_tensor(T, dtype=torch.float32), torch.full((2,), float(framed[0].fy)), SIDE, SIDE)
    ground = plain_ground(actor.size, sky_only=not view.ground)
    return Stage(actor, look.colours, view, cameras, draw_ground_frames(ground, cameras, actor.size))


def framed_points(actor: Actor, anatomy: Anatomy) -> Float[ndarray, "splats 3"]:
    """The rest pose with tail, wings and arms drawn in towards the middle of the rest: legs must not get tiny."""
    points = actor.splats.centres.double().numpy()
    outer = (BodyPart.TAIL, BodyPart.WING, BodyPart.ARM)
    thin = np.array([part in outer for part in anatomy.parts])[actor.splats.skin.dominant()]
    if thin.all() or BodyPart.LEG not in anatomy.parts:
        return points
    low, high = points[~thin].min(0), points[~thin].max(0)
    inside = points.clip(low, high)
    return np.where(thin[:, None], inside + DRAWN_IN * (points - inside), points)
