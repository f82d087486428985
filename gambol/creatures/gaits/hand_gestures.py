"""Gestures on planted feet: point, clap, raise hands, bow, nod, talk, laugh, salute."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.arm_motion import ArmPose, pose_arm
from gambol.creatures.gaits.arm_reach import chest_depth, guide_hand, hand_place, hanging_hand, reach_hand, reach_length
from gambol.creatures.gaits.gait_motion import FrameTimes
from gambol.creatures.gaits.hand_stance import GestureStance, hand_curve, pose_stance
from gambol.creatures.gaits.motion_style import MotionStyle
from gambol.creatures.gaits.moving_body import Arm, MovingBody
from gambol.creatures.gaits.pose_builder import PITCH_AXIS, PoseBuilder
from gambol.creatures.gaits.standing import FrameCurve, action_phase, keyframe_curve, once_phase

ELBOW_BACK = (-1.0, -0.3, 0.45)
"""Side that the elbow of a hanging arm is on: ahead, up and outwards of the chest."""
ELBOW_DOWN = (-0.25, -1.0, 0.35)
"""Side that the elbow of an arm held ahead is on."""
ELBOW_OUT = (0.1, -0.35, 1.0)
"""Side that the elbow of a saluting arm is on."""
TALK_HARMONICS = 3
"""Number of harmonics that the strokes of a talking hand are made of."""


def point(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Point ahead with one arm: draw the hand up, stretch it out, hold it, let it fall."""
    s, _ = action_phase(body, style, times, 3.0)
    e, lead, hand = style.exaggeration, style.mirrored, 1.0 if style.mirrored else -1.0
    out = keyframe_curve(s, [(0, 0), (0.08, -0.12), (0.26, 1.06), (0.36, 1), (0.74, 1), (0.94, 0), (1, 0)])
    beat = np.maximum(out, 0.0) * keyframe_curve(s, [(0, 0), (0.4, 0), (0.47, 1), (0.54, 0), (1, 0)])
    stance = GestureStance(
        ahead=0.04 * style.stride * out,
        yaw=-0.1 * hand * e * out,
        twist=-0.16 * hand * e * out,
        bend=-0.03 * e * out,
        roll=0.02 * hand * out,
    )
    builder = pose_stance(body, style, times, stance, leading_left=lead)
    size = float(np.clip(1.02 + 0.2 * (style.stride - 1.0), 0.96, 1.05))
    high = (0.25 if body.has_claws else 0.05) + 0.12 * (style.lift - 1.0)
    for arm in body.arms:
        hang = hanging_hand(body, arm)
        if arm.left != lead:
            if body.has_claws:
                drawn = np.clip(out, 0.0, 1.0)[:, None] * (np.array([0.42, hang[1], 0.0]) - hang)
                guide_hand(body, builder, arm, hang + drawn, ELBOW_DOWN)
            else:
                _hang_arm(body, builder, arm, 0.06 * e * out)
            continue
        path = hand_curve(
            s,
            [
                (0, hang),
                (0.08, hang + np.array([-0.05, 0.01, 0.03])),
                (0.17, (0.52, -0.32, 0.02)),
                (0.26, (1.03 * size, high + 0.05, -0.06)),
                (0.36, (size, high, -0.06)),
                (0.74, (size, high - 0.02, -0.06)),
                (0.84, (0.62, -0.5, 0.06)),
                (0.94, hang),
                (1, hang),
            ],
        )
        path[:, 0] -= 0.05 * e * beat
        path[:, 1] += 0.05 * e * beat
        guide_hand(body, builder, arm, path, ELBOW_DOWN, pronation=1.2 * np.clip(out, 0.0, 1.0))
    return builder


def clap(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Clap both hands in front of the chest, the body bouncing along."""
    s, _ = action_phase(body, style, times, 0.62)
    e = style.exaggeration
    opened = keyframe_curve(s, [(0, 0), (0.14, 0.03), (0.55, 1.0), (0.72, 0.9), (0.96, 0), (1, 0)])
    stance = GestureStance(
        low=0.02 + 0.02 * style.bounce * (1.0 - opened), bend=0.04 * e * (opened - 0.5), ahead=0.01 * opened
    )
    builder = pose_stance(body, style, times, stance)
    size = (0.5 + 0.5 * e) * (0.6 + 0.4 * style.stride)
    palm = float(np.mean([_palm_thickness(body, arm) for arm in body.arms]))
    for arm in body.arms:
        unit = reach_length(body, arm)
        ahead = max(0.5, chest_depth(body, arm) / unit + 0.28)
        offset = np.stack(
            [
                ahead - 0.06 * size * opened,
                -0.22 + 0.2 * (style.lift - 1.0) + 0.05 * size * opened,
                palm / unit + 0.3 * size * opened,
            ],
            -1,
        )
        guide_hand(body, builder, arm, offset, (-0.2, -1.0, 0.75), from_middle=True, fingers=(0.75, 0.75, -0.1))
    return builder


def _palm_thickness(body: MovingBody, arm: Arm) -> float:
    """Return half the thickness of a hand at rest, metres: the least spread of its surface along an axis of it."""
    bone = arm.hand if arm.hand is not None else arm.fore
    points = body.hull[body.hull_bones == bone]
    if len(points) < 4:
        return 0.04 * reach_length(body, arm)
    _, _, axes = np.linalg.svd(points - points.mean(0), full_matrices=False)
    return min(0.5 * float(np.ptp(points @ axes[-1])), 0.15 * reach_length(body, arm))


def raise_hands(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Raise both hands above the head and keep them there, swaying a little."""
    s, _ = once_phase(body, style, times, 2.7)
    e = style.exaggeration
    up = keyframe_curve(s, [(0, 0), (0.14, -0.15), (0.48, 1.06), (0.62, 1), (1, 1)])
    held = keyframe_curve(s, [(0, 0), (0.5, 0), (0.65, 1), (1, 1)])
    sway = (1.0 if style.mirrored else -1.0) * held * np.sin(2 * np.pi * s * 2.5)
    stance = GestureStance(
        low=0.05 * keyframe_curve(s, [(0, 0), (0.14, 1), (0.45, -0.15), (0.6, 0.1), (1, 0.1)]),
        bend=0.1 * e * up,
        sway=0.012 * e * sway,
        side_bend=-0.03 * e * sway,
        head_pitch=0.12 * e * up,
    )
    builder = pose_stance(body, style, times, stance)
    for arm in body.arms:
        side = -1.0 if arm.left else 1.0
        hang = hanging_hand(body, arm)
        wide = 0.12 + 0.12 * style.width
        high = (0.04, 0.96, wide) if not body.has_claws else (0.5, 0.78, wide)
        path = hand_curve(
            s,
            [
                (0, hang),
                (0.14, hang + np.array([0.06, 0.02, 0.0])),
                (0.26, (0.66, -0.32, 0.2)),
                (0.36, (0.62, 0.42, 0.3)),
                (0.48, np.array(high) + np.array([0.0, 0.03, -0.05])),
                (0.62, high),
                (1, high),
            ],
        )
        path[:, 2] += 0.06 * e * side * sway
        path[:, 1] -= 0.04 * e * held * np.abs(sway)
        elbow = hand_curve(s, [(0, ELBOW_BACK), (0.26, (-0.3, -1, 0.5)), (0.45, (0.1, -0.5, 1)), (1, (0.15, -0.1, 1))])
        guide_hand(body, builder, arm, path, elbow, pronation=0.8 * np.clip(up, 0.0, 1.0))
    return builder


def bow(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Bow from the hips with straight legs, hold it low, rise again; the hips go back and the hands to the thighs."""
    s, _ = action_phase(body, style, times, 2.9)
    low = keyframe_curve(s, [(0, 0), (0.06, -0.05), (0.4, 1.03), (0.5, 1), (0.6, 1), (0.92, -0.02), (1, 0)])
    deep = float(np.clip((0.62 + 0.38 * style.exaggeration) * (0.5 + 0.5 * style.stride), 0.7, 1.3)) * low
    builder = pose_stance(
        body,
        style,
        times,
        GestureStance(ahead=-0.12 * deep, pitch=-0.55 * deep, bend=-0.35 * deep, low=0.01 * deep, steady=0.1),
    )
    builder.bend(tuple(b for b in (*body.neck, body.head) if b is not None), PITCH_AXIS, -0.2 * deep)
    for arm in body.arms:
        pose_arm(body, builder, arm, ArmPose(0.05 + 0.6 * np.clip(deep, 0.0, None), 0.0, 0.2 + 0.1 * deep, -0.2))
    return builder


def nod(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Nod: the head goes down quickly and up again, the neck leading, over a still trunk."""
    s, _ = action_phase(body, style, times, 0.85)
    size = (0.6 + 0.4 * style.exaggeration) * (0.5 + 0.5 * style.stride)
    down = keyframe_curve(s, [(0, 0), (0.12, -0.12), (0.42, 1.0), (0.52, 0.95), (0.88, 0), (1, 0)])
    builder = pose_stance(body, style, times, GestureStance(bend=-0.012 * size * down, steady=0.8))
    late = keyframe_curve(s, [(0, 0), (0.18, -0.1), (0.46, 1.0), (0.56, 0.95), (0.92, 0), (1, 0)])
    builder.bend(body.neck, PITCH_AXIS, -0.2 * size * down)
    if body.head is not None:
        builder.turn(body.head, PITCH_AXIS, -(0.3 if body.neck else 0.5) * size * late)
    for arm in body.arms:
        _hang_arm(body, builder, arm, 0.01 * down)
    return builder


def talk(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Talk with the hands: forearms held up make strokes of changing size, head and trunk go along."""
    s, _ = action_phase(body, style, times, 3.2)
    e = style.exaggeration
    size = (0.35 + 0.65 * e) * (0.5 + 0.5 * style.stride)
    generator = np.random.default_rng([style.seed, 7])
    left, right, gaze, lean = (_strokes(generator, s, 3) for _ in range(4))
    strength = 0.6 + 0.4 * np.sin(2 * np.pi * (s + generator.uniform()))
    stance = GestureStance(
        sway=0.02 * e * lean[:, 0],
        side_bend=-0.03 * e * lean[:, 0],
        bend=-0.03 - 0.03 * e * lean[:, 1],
        twist=0.1 * e * lean[:, 2],
        head_yaw=0.14 * e * gaze[:, 0],
        head_pitch=-0.03 + 0.09 * e * gaze[:, 1],
        steady=0.75,
    )
    builder = pose_stance(body, style, times, stance)
    for arm in body.arms:
        mine = left if arm.left else right
        share = (strength if arm.left == style.mirrored else 1.3 - strength)[:, None]
        ahead = max(0.5, chest_depth(body, arm) / reach_length(body, arm) + 0.3)
        rest = np.array([ahead, -0.33 + 0.1 * (style.lift - 1.0), 0.04])
        path = rest + share * size * mine * [0.14, 0.26, 0.22]
        opened = 0.7 + 0.5 * size * share[:, 0] * mine[:, 2]
        guide_hand(body, builder, arm, path, (-0.5, -1.0, 0.4), pronation=0.9 - opened)
    return builder


def _strokes(generator: np.random.Generator, s: FrameCurve, ways: int) -> Float[ndarray, "frames ways"]:
    """Return irregular strokes that repeat with s, in about [-1, 1]: sum_k a_k sin 2pi(k s + p_k), k = 1, 2, 3, 5."""
    counts = np.array([*range(1, TALK_HARMONICS + 1), 5])
    sizes = generator.uniform(0.5, 1.0, (ways, len(counts))) * np.array([0.35, 0.45, 0.5, 0.3])
    phases = generator.uniform(0.0, 1.0, (ways, len(counts)))
    return (sizes * np.sin(2 * np.pi * (s[:, None, None] * counts + phases))).sum(-1)


def laugh(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Laugh: lean back, then bend over the belly, shoulders and trunk shaking in quick small bends."""
    s, span = action_phase(body, style, times, 3.0)
    e = style.exaggeration
    natural = float(np.sqrt(body.leg_length / 0.9))
    shakes = max(4, round(3.4 * span / natural * style.tempo**0.3))
    envelope = 0.65 + 0.35 * np.sin(2 * np.pi * (s - 0.1)) ** 2
    shake = envelope * np.sin(2 * np.pi * shakes * s)
    over = keyframe_curve(s, [(0, -0.5), (0.22, -0.55), (0.5, 1), (0.72, 0.9), (0.95, -0.45), (1, -0.5)])
    size = 0.5 + 0.5 * e
    stance = GestureStance(
        low=0.03 + 0.018 * style.bounce * shake + 0.03 * np.maximum(over, 0.0),
        ahead=-0.03 * over,
        pitch=-0.08 * size * over,
        bend=size * (-0.16 * over - 0.11 * shake),
        head_pitch=size * (-0.18 * over + 0.1 * shake),
        steady=0.45,
    )
    builder = pose_stance(body, style, times, stance)
    grip = np.clip(0.5 + over, 0.0, 1.0)
    for arm in body.arms:
        ahead = chest_depth(body, arm) / reach_length(body, arm) + 0.16
        upper_hand = arm.left == style.mirrored
        path = np.tile([ahead, -0.5, -0.16] if upper_hand else [ahead + 0.04, -0.64, -0.14], (len(s), 1))
        path[:, 0] += 0.012 * size * shake + 0.05 * (1.0 - grip)
        path[:, 1] -= 0.02 * size * shake
        guide_hand(body, builder, arm, path, (-0.7, -0.5, 0.9), pronation=0.3)
    return builder


def salute(body: MovingBody, style: MotionStyle, times: FrameTimes) -> PoseBuilder:
    """Salute: one hand snaps to the forehead with the elbow out, is held there and comes down smartly."""
    s, _ = action_phase(body, style, times, 2.8)
    e, lead = style.exaggeration, style.mirrored
    up = keyframe_curve(s, [(0, 0), (0.05, 0), (0.24, 1.04), (0.3, 1), (0.76, 1), (0.92, 0), (1, 0)])
    stance = GestureStance(
        low=-0.012 * up,
        bend=0.05 * e * np.clip(up, 0, 1),
        side_bend=0.02 * (1.0 if lead else -1.0) * up,
        head_pitch=0.03 * e * up,
        steady=0.9,
    )
    builder = pose_stance(body, style, times, stance)
    rise = keyframe_curve(s, [(0, 0), (0.05, 0), (0.24, 1), (0.76, 1), (0.92, 0), (1, 0)])[:, None]
    for arm in body.arms:
        if arm.left != lead:
            pose_arm(body, builder, arm, ArmPose(0.0, -0.05, 0.08))
            continue
        low = hand_place(body, builder, arm, hanging_hand(body, arm))
        half_way = hand_place(body, builder, arm, np.array([0.45, -0.1, 0.5]))
        high = _temple(body, builder, arm)
        path = (1.0 - rise) ** 2 * low + 2.0 * rise * (1.0 - rise) * half_way + rise**2 * high
        side = np.array([1.0, 1.0, -1.0 if arm.left else 1.0])
        elbow = (1.0 - rise) * np.array(ELBOW_BACK) + rise * np.array(ELBOW_OUT)
        reach_hand(body, builder, arm, path, elbow * side, pronation=1.2 * np.clip(up, 0.0, 1.0))
    return builder


def _temple(body: MovingBody, builder: PoseBuilder, arm: Arm) -> Float[ndarray, "frames 3"]:
    """Return where the middle of a saluting hand is: beside the forehead, its fingertips at the temple."""
    side = -1.0 if arm.left else 1.0
    chosen = np.isin(body.hull_bones, body.head_bones)
    points = body.hull[chosen]
    hand = 0.0
    if arm.hand is not None:
        hand = 0.5 * float(np.linalg.norm(body.skeleton.tails[arm.hand] - body.skeleton.heads[arm.hand]))
    if body.head is None or not len(points):
        return hand_place(body, builder, arm, np.array([0.2, 0.45, -0.05]))
    low, high = points.min(0), points.max(0)
    middle = 0.5 * (low + high)
    ahead = middle[0] + 0.3 * (high[0] - middle[0])
    place = np.array([ahead, low[1] + 0.72 * (high[1] - low[1]), side * (0.45 * (high[2] - low[2]) + 0.8 * hand)])
    return builder.point(body.head, place)


def _hang_arm(body: MovingBody, builder: PoseBuilder, arm: Arm, swing: FrameCurve) -> None:
    """Let an arm hang, swung ahead by an angle; claws and short arms keep their rest pose."""
    pose_arm(body, builder, arm, ArmPose(swing, 0.0, 0.22))
