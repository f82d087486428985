"""A rig to look at: the weights of every bone as colours, and poses that show where they are wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.mesh import Mesh
from gambol.character.scene import Material
from gambol.character.transforms import rigid_inverse
from gambol.errors import AssetError
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_motion import nodes_from_clip
from gambol.progress import Progress
from gambol.render.cameras import frame_camera
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import view_named
from gambol.render.mesh.skeleton_overlay import draw_skeleton_overlay
from gambol.render.mesh.video import RenderConfig, render_frames
from gambol.render.video_file import write_png
from gambol.view.player_page import write_player
from gambol.view.posed_asset import PoseSequence, posed_vertices

BEND = 0.4
"""How far the test poses turn every joint, radians."""
NAMES = ("at rest", "bent forwards", "bent backwards", "turned left", "turned right", "twisted")
COLD, WARM, HOT = (0.05, 0.07, 0.25), (0.1, 0.6, 0.35), (0.95, 0.25, 0.03)
"""Linear colours of the weights 0, 1/2 and 1."""
OFF_THE_MIDDLE = 0.005
"""A bone whose vertices lie farther to the left than this share of the size is shown from the left."""
FPS = 24.0


def draw_rig(
    asset: Asset, *, sheet: Path | None = None, page: Path | None = None, progress: Progress | None = None
) -> None:
    """Write the sheet (.png) and the page (.html) of a rigged character."""
    if sheet is not None:
        if sheet.suffix.lower() != ".png":
            raise AssetError(f"{sheet.name} has the suffix {sheet.suffix!r}; a sheet of weights is a .png.")
        write_png(sheet, rig_sheet(asset.character, progress=progress))
    if page is not None:
        clip = nodes_from_clip(asset.character, trial_clip(asset.character))
        write_player(replace(asset, clips=(*asset.clips, clip)), page, clip=clip.name)


def trial_angles(character: Character) -> Float[ndarray, "poses joints 3"]:
    """Angles of the poses in `NAMES`: every joint but the root turned about one axis of its own frame."""
    joints = len(character.require_skeleton()) - 1
    turns = np.zeros((len(NAMES), 3))
    turns[1:, :] = [[BEND, 0, 0], [-BEND, 0, 0], [0, 0, BEND], [0, 0, -BEND], [0, BEND, 0]]
    share = 1.0 / np.maximum(_siblings_in_chain(character), 1.0)
    return turns[:, None, :] * np.minimum(2.0 * share[1:], 1.0)[None, :, None] * np.ones((1, joints, 1))


def trial_clip(character: Character) -> Clip:
    """A clip that goes through the test poses and back to rest after each."""
    still = np.zeros((1, len(character.require_skeleton()) - 1, 3))
    keys = np.concatenate([[pose, still[0]] for pose in trial_angles(character)[1:]])
    keys = np.concatenate([still, keys])
    frames = np.linspace(0, len(keys) - 1, 12 * (len(keys) - 1) + 1)
    low = np.minimum(frames.astype(int), len(keys) - 2)
    share = (frames - low)[:, None, None]
    share = share * share * (3.0 - 2.0 * share)
    angles = (1.0 - share) * keys[low] + share * keys[low + 1]
    return Clip("test poses", FPS, np.zeros((len(frames), 6)), angles)


def rig_sheet(character: Character, *, progress: Progress | None = None) -> ndarray:
    """Test poses, the first with the skeleton, then the weights of every bone that moves something, from its side."""
    mesh, skeleton, weights = character.require_skin()
    config = RenderConfig(260, 220)
    sides = np.ptp(mesh.vertices, axis=0)
    wanted = "side" if sides[0] > sides[2] else "three-quarter"
    view = view_named(wanted)
    angles = trial_angles(character)
    clip = Clip("test", FPS, np.zeros((len(angles), 6)), angles)
    T = pose_clip(skeleton, clip) @ rigid_inverse(skeleton.T_world_rest)
    posed = posed_vertices(character, PoseSequence("test", clip.times, T, None))
    shape = (config.camera.fov, config.width, config.height, config.camera.margin)
    cameras = [frame_camera(vertices, view.azimuth, view.elevation, *shape) for vertices in posed]
    pictures = list(render_frames(mesh, posed, cameras, config=config))
    segments = skeleton.segments
    pictures[0] = draw_skeleton_overlay(pictures[0], cameras[0], segments.heads, segments.tails)
    captions, full = list(NAMES), weights.dense()
    other = frame_camera(mesh.vertices, np.pi - view.azimuth, view.elevation, *shape)
    for done, bone in enumerate(np.flatnonzero(weights.mass() > 0)):
        painted = weight_colours(mesh, full[:, bone])
        hidden = np.average(mesh.vertices[:, 2], weights=full[:, bone]) < -OFF_THE_MIDDLE * mesh.size
        camera = other if hidden else cameras[0]
        pictures.append(render_frames(painted, mesh.vertices[None], [camera], config=config)[0])
        captions.append(skeleton.names[bone])
        if progress is not None:
            progress(done + 1, len(skeleton), "drawing weights")
    return contact_sheet(np.array(pictures), len(NAMES), captions)


def weight_colours(mesh: Mesh, weights: Float[ndarray, "vertices"]) -> Mesh:
    """The mesh without its looks, coloured from cold (0) to hot (1)."""
    ramp = np.array([COLD, WARM, HOT])
    colours = np.stack([np.interp(weights, [0.0, 0.5, 1.0], ramp[:, d]) for d in range(3)] + [np.ones(len(weights))], 1)
    plain = Material("weights", (1.0, 1.0, 1.0, 1.0))
    none = np.zeros(len(mesh.triangles), int)
    return Mesh(mesh.vertices, mesh.triangles, none, (plain,), None, colours.astype(np.float32))


def _siblings_in_chain(character: Character) -> Float[ndarray, "bones"]:
    """How many bones follow each other without a fork around each bone: long chains bend less at every joint."""
    skeleton = character.require_skeleton()
    length = np.ones(len(skeleton))
    for bone in range(len(skeleton)):
        if len(skeleton.children[bone]) == 1:
            continue
        chain = [bone]
        while skeleton.parents[chain[-1]] >= 0 and len(skeleton.children[skeleton.parents[chain[-1]]]) == 1:
            chain.append(int(skeleton.parents[chain[-1]]))
        length[chain] = len(chain)
    return length
