"""Picture sheets of poses: one tile per pose, on the checkerboard ground."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import view_named
from gambol.render.ground.checkerboard import Checkerboard
from gambol.render.mesh.video import RenderConfig
from gambol.render.video_file import write_png
from gambol.view.picture_panes import pane_maker
from gambol.view.posed_asset import PoseSequence

POSE_TILE_SIZE = (320, 260)
"""Width and height of a tile, pixels."""
MAX_POSE_TILES = 24
"""Most tiles of a sheet; longer clips are drawn at evenly spaced frames."""
POSE_SHEET_COLUMNS = 6
"""Most tiles in a row."""


def draw_pose_sheet(
    character: Character,
    clip: Clip,
    target: Path,
    captions: Sequence[str] | None = None,
    *,
    view: str = "three-quarter",
) -> Path:
    """Write the frames of a clip as tiles of one picture; captions are by frame and default to the frame numbers."""
    chosen = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), MAX_POSE_TILES)).round().astype(int))
    skeleton = character.require_skeleton()
    T = pose_clip(skeleton, clip)[chosen] @ rigid_inverse(skeleton.T_world_rest)
    config = RenderConfig(*POSE_TILE_SIZE, ground=Checkerboard())
    make = pane_maker(character, "mesh", config, splats=0, skeleton=False)
    camera_view = view_named(view)
    tiles = [make(PoseSequence("pose", np.zeros(1), one[None], None), camera_view).draw(np.array([0]))[0] for one in T]
    words = [str(i) for i in chosen] if captions is None else [captions[i] for i in chosen]
    write_png(target, contact_sheet(tiles, min(POSE_SHEET_COLUMNS, len(tiles)), words))
    return target
