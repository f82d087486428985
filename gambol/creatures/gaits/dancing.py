"""Dance on the spot: steps from side to side with swinging hips, arms and head."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, pose_arm
from gambol.creatures.gaits.gait_kinds import dance_steps
from gambol.creatures.gaits.gait_motion import FrameTimes, plan_gait, pose_gait
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.trunk_motion import gait_signals


def dance(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Dance the steps of `dance_steps`, arms going up and down in opposition."""
    gait = dance_steps(body)
    builder = pose_gait(body, gait, style, times)
    plan = plan_gait(body, gait, style, times)
    side = gait_signals(plan.gait.footfall, plan.phase).side[0]
    beat = np.cos(4 * np.pi * plan.phase)
    e = style.exaggeration
    for arm in body.arms:
        mine = side if arm.left else -side
        high = 0.5 + 0.5 * mine
        pose = ArmPose(0.7 + 0.9 * e * high, 0.25 + 0.35 * high, 1.5 - 0.5 * high + 0.15 * beat, 0.3)
        pose_arm(body, builder, arm, pose)
    return builder
