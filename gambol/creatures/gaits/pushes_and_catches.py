"""Actions of the hands on things that are not there: push, pull, catch, dribble."""

from __future__ import annotations

import numpy as np

from gambol.creatures.gaits.arm_motion import ArmPose, pose_arm
from gambol.creatures.gaits.arm_reach import chest_depth, guide_hand, hanging_hand, reach_length
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.hand_stance import GestureStance, hand_curve, pose_stance
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.standing import action_phase, keyframe_curve

ELBOW_DOWN_OUT = (-0.35, -1.0, 0.6)
"""Side that the elbows of two hands in front of the body are on: ahead, up and outwards of the chest."""


def push(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Push something heavy: hands before the chest, then out slowly, palms ahead, the leaning weight behind them."""
    s, _ = action_phase(body, style, times, 3.0)
    e, size = style.exaggeration, style.stride
    out = keyframe_curve(s, [(0, 0), (0.14, -0.06), (0.3, 0.2), (0.66, 0.95), (0.76, 1), (0.92, 0.06), (1, 0)])
    lean = keyframe_curve(s, [(0, 0.25), (0.14, 0.05), (0.3, 0.6), (0.66, 1.0), (0.76, 1), (0.92, 0.3), (1, 0.25)])
    effort = keyframe_curve(s, [(0, 0), (0.25, 0), (0.4, 1), (0.65, 1), (0.78, 0), (1, 0)])
    strain = 0.012 * e * effort * np.sin(2 * np.pi * 14.0 * s)
    stance = GestureStance(
        ahead=0.24 * size * (lean - 0.4),
        low=0.06 + 0.05 * effort * style.bounce,
        pitch=-0.3 * (0.5 + 0.5 * e) * lean,
        bend=-0.1 * e * lean + strain,
        stagger=0.2 * size,
        head_pitch=-0.12 * lean,
        steady=0.7,
    )
    builder = pose_stance(body, style, times, stance, leading_left=not style.mirrored)
    for arm in body.arms:
        near = _near_chest(body, arm, 0.16)
        far = max(0.93, near + 0.3)
        path = np.stack([near + (far - near) * out, -0.16 + 0.22 * out + strain, -0.02 + 0.0 * s], -1)
        palms = np.clip(0.6 + 0.4 * out, 0.0, 1.0)
        guide_hand(body, builder, arm, path, ELBOW_DOWN_OUT, fingers=(0.35, 1.0, -0.05), pronation=1.3 * palms)
    return builder


def pull(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Pull something heavy: reach out and grip, then bring both hands to the belly while the weight goes back."""
    s, _ = action_phase(body, style, times, 2.8)
    e, size = style.exaggeration, style.stride
    near = keyframe_curve(s, [(0, 0), (0.12, -0.03), (0.24, 0.12), (0.58, 0.95), (0.66, 1), (0.92, 0.0), (1, 0)])
    back = keyframe_curve(s, [(0, 0), (0.1, 0.05), (0.22, 0.55), (0.55, 1.0), (0.66, 0.95), (0.9, 0), (1, 0)])
    effort = keyframe_curve(s, [(0, 0), (0.14, 0), (0.28, 1), (0.55, 1), (0.68, 0), (1, 0)])
    strain = 0.012 * e * effort * np.sin(2 * np.pi * 13.0 * s)
    stance = GestureStance(
        ahead=size * (0.14 - 0.36 * back),
        low=0.07 + 0.07 * back * style.bounce,
        pitch=(0.5 + 0.5 * e) * (-0.14 + 0.42 * back),
        bend=e * (-0.08 + 0.12 * back) + strain,
        stagger=0.2 * size,
        head_pitch=0.06 * back,
        steady=0.75,
    )
    builder = pose_stance(body, style, times, stance, leading_left=not style.mirrored)
    for arm in body.arms:
        close = _near_chest(body, arm, 0.1)
        far = max(0.95, close + 0.35)
        first = 0.08 if arm.left == style.mirrored else -0.02
        path = np.stack(
            [far - (far - close) * near - first * (1.0 - near), -0.12 - 0.26 * near + strain, -0.16 + 0.1 * near], -1
        )
        guide_hand(body, builder, arm, path, (-0.6, -0.8, 0.6), pronation=0.5 * (1.0 - near))
    return builder


def catch(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Catch with both hands: they go out together, close on it and bring it in to the chest, the knees giving way."""
    s, _ = action_phase(body, style, times, 2.2)
    e, size = style.exaggeration, style.stride
    out = keyframe_curve(s, [(0, 0), (0.12, 0.05), (0.32, 1), (0.4, 1), (0.52, 0.2), (0.6, 0.1), (0.78, 0.1), (1, 0)])
    give = keyframe_curve(s, [(0, 0.1), (0.3, -0.1), (0.42, 0.1), (0.56, 1.0), (0.75, 0.35), (1, 0.1)])
    stance = GestureStance(
        ahead=0.09 * size * out - 0.1 * give,
        low=0.05 + 0.07 * give * style.bounce,
        pitch=e * (-0.08 * out + 0.04 * give),
        bend=e * (-0.06 * out - 0.07 * give),
        head_pitch=0.1 * e * out - 0.12 * give,
        steady=0.85,
    )
    builder = pose_stance(body, style, times, stance)
    for arm in body.arms:
        hang = _ready_hand(body, arm)
        close = _near_chest(body, arm, 0.12)
        far = float(np.clip(0.86 + 0.2 * (size - 1.0), max(close + 0.3, 0.78), 0.95))
        high = (0.5 if body.has_claws else 0.04) + 0.2 * (style.lift - 1.0)
        path = hand_curve(
            s,
            [
                (0, hang),
                (0.1, hang + np.array([-0.03, 0.0, 0.04])),
                (0.3, (far, high, 0.06)),
                (0.36, (far, high, -0.06)),
                (0.42, (far - 0.04, high - 0.02, -0.13)),
                (0.56, (close, -0.3, -0.13)),
                (0.76, (close + 0.02, -0.27, -0.13)),
                (0.94, hang),
                (1, hang),
            ],
        )
        guide_hand(body, builder, arm, path, ELBOW_DOWN_OUT, pronation=0.5 * out)
    return builder


def dribble(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Dribble a ball beside the body: one hand pats down and rises with it, knees bent, the other arm held out."""
    s, _ = action_phase(body, style, times, 0.68)
    e, lead, hand = style.exaggeration, style.mirrored, 1.0 if style.mirrored else -1.0
    down = keyframe_curve(s, [(0, 0), (0.1, 0.06), (0.32, 1.0), (0.42, 0.92), (0.6, 0.5), (0.9, 0.02), (1, 0)])
    late = keyframe_curve(s, [(0, 0.1), (0.14, -0.1), (0.38, 1.0), (0.55, 0.7), (0.85, 0.15), (1, 0.1)])
    stance = GestureStance(
        low=0.1 + 0.025 * style.bounce * down,
        pitch=-0.16 - 0.02 * e * down,
        bend=-0.08 - 0.03 * e * down,
        roll=-0.03 * hand,
        twist=0.12 * hand,
        side_bend=-0.05 * hand * e * down,
        stagger=-0.1,
        head_pitch=-0.12,
        steady=0.7,
    )
    builder = pose_stance(body, style, times, stance, leading_left=lead)
    size = (0.6 + 0.4 * e) * (0.5 + 0.5 * style.stride)
    for arm in body.arms:
        if arm.left != lead:
            pose_arm(body, builder, arm, ArmPose(0.35 - 0.08 * down, 0.35, 1.0 + 0.1 * down, -0.2))
            continue
        top = np.array([0.5, -0.48 + 0.06 * (style.lift - 1.0), 0.16])
        path = top + down[:, None] * np.array([0.0, -0.3 * size, 0.02])
        wrist = np.stack([np.ones(len(s)), 0.35 - 0.95 * size * late, np.zeros(len(s))], -1)
        guide_hand(body, builder, arm, path, (-1.0, -0.2, 0.6), fingers=wrist, pronation=1.5)
    return builder


def _near_chest(body: MovingBody, arm: Arm, gap: float) -> float:
    """Return how far ahead of its shoulder a hand is in front of the chest, in arm lengths: at least 0.34."""
    return max(0.34, chest_depth(body, arm) / reach_length(body, arm) + gap)


def _ready_hand(body: MovingBody, arm: Arm) -> np.ndarray:
    """Return the place of a hand that waits beside the belly, in arm lengths from the shoulder."""
    if body.has_claws:
        return hanging_hand(body, arm)
    return np.array([_near_chest(body, arm, 0.1), -0.66, 0.12])
