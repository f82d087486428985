"""Pictures of a rig: test poses, and the weights of every bone as colours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.character.mesh import Mesh
from gambol.character.scene import Material
from gambol.files.asset import Asset
from gambol.motion.clip import Clip
from gambol.motion.node_clip_conversion import nodes_from_clip
from gambol.progress import Progress
from gambol.render.cameras import frame_camera
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import view_named
from gambol.render.mesh.skeleton_overlay import draw_skeleton_overlay
from gambol.render.mesh.video import RenderConfig, render_frames
from gambol.render.video_file import write_png
from gambol.view.player_page import write_player
from gambol.view.posed_asset import pose_by_clip, posed_vertices

TEST_BEND_RADIANS = 0.4
"""Angle by which the test poses turn every joint."""
TEST_POSE_NAMES = ("at rest", "bent forwards", "bent backwards", "turned left", "turned right", "twisted")
"""Captions of the test poses."""
ZERO_COLOUR, HALF_COLOUR, FULL_COLOUR = (0.05, 0.07, 0.25), (0.1, 0.6, 0.35), (0.95, 0.25, 0.03)
"""Linear colours of the weights 0, 1/2 and 1."""
LEFT_SIDE_OFFSET = 0.005
"""A bone whose vertices lie farther to the left than this share of the size is shown from the left."""
TEST_CLIP_FPS = 24.0
"""Frames per second of the clip of test poses."""
FRAMES_BETWEEN_POSES = 12
"""Frames from rest to a test pose and back."""


def draw_rig(
    asset: Asset, *, sheet: Path | None = None, page: Path | None = None, progress: Progress | None = None
) -> None:
    """Write the sheet (.png) and the page (.html) of a rigged character."""
    if sheet is not None:
        write_png(sheet, rig_sheet(asset.character, progress=progress))
    if page is not None:
        clip = nodes_from_clip(asset.character, deformation_clip(asset.character))
        write_player(replace(asset, clips=(*asset.clips, clip)), page, clip=clip.name)


def deformation_angles(character: Character) -> Float[ndarray, "poses joints 3"]:
    """Joint angles of the test poses: every joint but the root turned about one axis of its own frame.

    Joints of long chains turn less, so that a tail does not curl up.
    """
    joints = len(character.require_skeleton()) - 1
    bend, turns = TEST_BEND_RADIANS, np.zeros((len(TEST_POSE_NAMES), 3))
    turns[1:, :] = [[bend, 0, 0], [-bend, 0, 0], [0, 0, bend], [0, 0, -bend], [0, bend, 0]]
    share = 1.0 / np.maximum(_chain_lengths(character), 1.0)
    return turns[:, None, :] * np.minimum(2.0 * share[1:], 1.0)[None, :, None] * np.ones((1, joints, 1))


def deformation_clip(character: Character) -> Clip:
    """A clip that shows the test poses in turn, with the rest pose between them."""
    still = np.zeros((1, len(character.require_skeleton()) - 1, 3))
    keys = np.concatenate([[pose, still[0]] for pose in deformation_angles(character)[1:]])
    keys = np.concatenate([still, keys])
    frames = np.linspace(0, len(keys) - 1, FRAMES_BETWEEN_POSES * (len(keys) - 1) + 1)
    low = np.minimum(frames.astype(int), len(keys) - 2)
    share = (frames - low)[:, None, None]
    share = share * share * (3.0 - 2.0 * share)
    angles = (1.0 - share) * keys[low] + share * keys[low + 1]
    return Clip("test poses", TEST_CLIP_FPS, np.zeros((len(frames), 6)), angles)


def rig_sheet(character: Character, *, progress: Progress | None = None) -> ndarray:
    """Draw the test poses, the first with its skeleton, and the weights of every bone that moves a vertex.

    Each bone is drawn from the side of the body that it is on.
    """
    mesh, skeleton, weights = character.require_skin()
    config = RenderConfig(260, 220)
    sides = np.ptp(mesh.vertices, axis=0)
    wanted = "side" if sides[0] > sides[2] else "three-quarter"
    view = view_named(wanted)
    angles = deformation_angles(character)
    clip = Clip("test", TEST_CLIP_FPS, np.zeros((len(angles), 6)), angles)
    posed = posed_vertices(character, pose_by_clip(character, clip))
    shape = (config.camera.fov, config.width, config.height, config.camera.margin)
    cameras = [frame_camera(vertices, view.azimuth, view.elevation, *shape) for vertices in posed]
    pictures = list(render_frames(mesh, posed, cameras, config=config))
    segments = skeleton.segments
    pictures[0] = draw_skeleton_overlay(pictures[0], cameras[0], segments.heads, segments.tails)
    captions, full = list(TEST_POSE_NAMES), weights.dense()
    other = frame_camera(mesh.vertices, np.pi - view.azimuth, view.elevation, *shape)
    for done, bone in enumerate(np.flatnonzero(weights.mass() > 0)):
        painted = weight_colours(mesh, full[:, bone])
        hidden = np.average(mesh.vertices[:, 2], weights=full[:, bone]) < -LEFT_SIDE_OFFSET * mesh.size
        camera = other if hidden else cameras[0]
        pictures.append(render_frames(painted, mesh.vertices[None], [camera], config=config)[0])
        captions.append(skeleton.names[bone])
        if progress is not None:
            progress(done + 1, len(skeleton), "drawing weights")
    return contact_sheet(np.array(pictures), len(TEST_POSE_NAMES), captions)


def weight_colours(mesh: Mesh, weights: Float[ndarray, "vertices"]) -> Mesh:
    """The mesh without its materials, coloured by weight from dark blue (0) over green to orange (1)."""
    ramp = np.array([ZERO_COLOUR, HALF_COLOUR, FULL_COLOUR])
    colours = np.stack([np.interp(weights, [0.0, 0.5, 1.0], ramp[:, d]) for d in range(3)] + [np.ones(len(weights))], 1)
    plain = Material("weights", (1.0, 1.0, 1.0, 1.0))
    none = np.zeros(len(mesh.triangles), int)
    return Mesh(mesh.vertices, mesh.triangles, none, (plain,), None, colours.astype(np.float32))


def _chain_lengths(character: Character) -> Float[ndarray, "bones"]:
    """Number of bones in the unforked chain that each bone belongs to."""
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
