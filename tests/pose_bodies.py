"""Bodies and a small network for the tests of poses."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from creature_body import creature_body

from gambol.creatures.gaits.make_motion import move_body
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import measure_body
from gambol.poses.network import PoseNetwork, PoseNetworkShape
from gambol.poses.pose_rig import make_pose_rig
from gambol.poses.pose_space import PoseSpace
from gambol.poses.skeleton_features import describe_skeleton


@cache
def creature(noun: str = "fox"):
    return creature_body(noun, 3, vertices=600)


@cache
def rig_of(noun: str = "fox"):
    return make_pose_rig(*creature(noun))


@cache
def clip_of_creature(noun: str = "fox", motion: str = "walk"):
    return move_body(measure_body(*creature(noun)), motion, MotionStyle(), seconds=1.0, fps=12.0, loop=False)


@cache
def small_network() -> PoseNetwork:
    """Random weights, but not those of a start: its output depends on everything."""
    torch.manual_seed(0)
    network = PoseNetwork(PoseNetworkShape(width=32, depth=2, heads=2)).eval().requires_grad_(False)
    for parameter in network.parameters():
        parameter.data = parameter.data + 0.05 * torch.randn(parameter.shape)
    return network


def space_of(noun: str = "fox") -> PoseSpace:
    rig = rig_of(noun)
    return PoseSpace(rig, small_network(), describe_skeleton(rig))


def random_poses(bones: int, count: int = 3, seed: int = 0, size: float = 1.0) -> torch.Tensor:
    return torch.as_tensor(np.random.default_rng(seed).normal(0.0, size, (count, bones, 3))).float()
