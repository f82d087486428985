"""Picture sheets of poses: one tile for each, on the checkerboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gambol.character.character import Character
from gambol.character.transforms import rigid_inverse
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.render.contact_sheet import contact_sheet
from gambol.render.follow_camera import VIEWS
from gambol.render.ground.checkerboard import Ground
from gambol.render.mesh.video import RenderConfig
from gambol.render.video_file import write_png
from gambol.view.picture_panes import pane_maker
from gambol.view.posed_asset import Poses

POSE_WIDTH, POSE_HEIGHT = 320, 260
MAX_POSES = 24
"""Tiles of a sheet."""
SHEET_COLUMNS = 6


def draw_pose_sheet(
    character: Character,
    clip: Clip,
    target: Path,
    captions: Sequence[str] | None = None,
    *,
    view: str = "three-quarter",
) -> Path:
    """The clip's frames side by side, evenly chosen where there are many; each on the spot where it stands."""
    chosen = np.unique(np.linspace(0, len(clip) - 1, min(len(clip), MAX_POSES)).round().astype(int))
    skeleton = character.posable()
    T = pose_clip(skeleton, clip)[chosen] @ rigid_inverse(skeleton.T_world_rest)
    make = pane_maker(
        character, "mesh", RenderConfig(POSE_WIDTH, POSE_HEIGHT, ground=Ground()), splats=0, skeleton=False
    )
    looking = next(v for v in VIEWS if v.name == view)
    drawn = [
        make(Poses("pose", np.zeros(1), T[i : i + 1], None), looking).draw(np.array([0]))[0] for i in range(len(chosen))
    ]
    words = [str(i) for i in chosen] if captions is None else [captions[i] for i in chosen]
    write_png(target, contact_sheet(drawn, min(SHEET_COLUMNS, len(drawn)), words))
    return target
