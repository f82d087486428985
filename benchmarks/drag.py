"""How long one move of a dragged joint takes, with feet pinned: the step of the solver and the message for the page.

python benchmarks/drag.py FILE ...      prints bones, median and 95th percentile in CPU milliseconds, largest miss
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch

from gambol.app.pose_files import open_poser
from gambol.poses.drag import move_drag, start_drag
from gambol.poses.inverse_kinematics import find_handles, handle_errors, handle_positions
from gambol.poses.pose_parameters import clip_from_parameters
from gambol.service.motion_message import motion_message

MOVES = 60
"""Moves of the pointer: a circle of 15 % of the size."""


def measure(path: Path) -> str:
    """One line of the table for a character."""
    poser = open_poser(path)
    rig = poser.space.rig
    x = torch.zeros(1, len(rig), 3)
    feet = [rig.skeleton.names[bone] for bone in np.flatnonzero(rig.contacts)]
    places = {n: (rig.size * handle_positions(rig, x, find_handles(rig, {n: (0, 0, 0)}))[0, 0]).numpy() for n in feet}
    moved, drag, taken, misses = feet[0], start_drag(x), [], []
    for k in range(MOVES):
        away = 0.15 * rig.size * np.array([np.sin(k / 8), 0.5 - 0.5 * np.cos(k / 8), 0.0])
        began = time.process_time()
        handles = find_handles(rig, {**places, moved: places[moved] + away})
        drag = move_drag(rig, drag, handles)
        motion_message(poser.character, clip_from_parameters(rig, drag.x, "pose", 30.0), source="pose")
        taken.append(1e3 * (time.process_time() - began))
        misses.append(float(handle_errors(rig, drag.x, handles).norm(dim=-1).max()))
    median, high = np.percentile(taken, [50, 95])
    return f"{path.name:24} {len(rig):4} bones  {median:6.1f} ms  {high:6.1f} ms  {max(misses):.2%} of the size"


if __name__ == "__main__":
    torch.set_num_threads(1)
    for name in sys.argv[1:]:
        print(measure(Path(name)))
