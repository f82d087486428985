"""Body plan of two-legged animals with a mammal's head and small arms: kangaroos, and monsters with huge heads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.bodies.quadruped_head import build_head
from gambol.creatures.bodies.quadruped_shape import QuadrupedFrame, QuadrupedShape
from gambol.creatures.parameter_ranges import check_ranges, ranged

ABSENT_BIPED_PART = 0.15
"""Length in hip heights below which there are no arms, no neck, no tail."""
HEAD_PARAMETERS = (
    "head",
    "head_width",
    "head_pitch",
    "muzzle",
    "muzzle_width",
    "cheek",
    "ear",
    "ear_width",
    "ear_round",
    "ear_angle",
    "horn",
    "eye",
    "eye_front",
    "neck_width",
)
"""Parameters that have the same meaning as those of `QuadrupedShape`, with the hips' height for the shoulders'."""


@dataclass(frozen=True)
class BipedShape:
    """Proportions of a two-legged animal; lengths are shares of the height of the hips."""

    hip: float = ranged(0.08, 2.0, 0.55)
    """Height of the hip joints, metres."""
    trunk: float = ranged(0.3, 1.8, 1.15)
    """Distance from the hips to the base of the neck, in hip heights."""
    pitch: float = ranged(-0.1, 1.5, 0.85)
    """How steeply the trunk rises to the front, radians."""
    rump: float = ranged(0.12, 0.9, 0.36)
    """Radius of the trunk at the hips, in hip heights."""
    chest: float = ranged(0.1, 0.9, 0.23)
    """Radius of the trunk at the shoulders, in hip heights."""
    width: float = ranged(0.6, 1.3, 0.85)
    """Width of the trunk per its depth."""
    thigh: float = ranged(0.06, 0.4, 0.25)
    """Radius of the thigh, in hip heights."""
    limb: float = ranged(0.03, 0.16, 0.06)
    """Radius of the lower leg, in hip heights."""
    bend: float = ranged(0.05, 1.0, 0.85)
    """How far the legs are folded: 0 is a person's, 1 a kangaroo's."""
    stance: float = ranged(0.8, 2.0, 1.0)
    """Distance between the feet per the trunk's natural one."""
    foot: float = ranged(0.2, 0.9, 0.62)
    """Length of a foot, in hip heights."""
    arm: float = ranged(0.0, 1.4, 0.6)
    """Length of an arm, in hip heights; 0 has none."""
    arm_width: float = ranged(0.02, 0.1, 0.04)
    """Radius of the forearm, in hip heights."""
    neck: float = ranged(0.0, 1.0, 0.32)
    """Length of the neck, in hip heights; 0 has none, the head sits on the trunk."""
    neck_angle: float = ranged(-0.2, 1.5, 1.05)
    """Slope of the neck above the horizon, radians."""
    neck_width: float = ranged(0.04, 0.3, 0.1)
    """Radius of the neck behind the head, in hip heights."""
    head: float = ranged(0.2, 1.5, 0.44)
    """Length of the head, in hip heights."""
    head_width: float = ranged(0.3, 1.1, 0.5)
    """Width of the skull per length of the head."""
    head_pitch: float = ranged(-0.4, 1.3, 0.25)
    """How far the nose points down, radians."""
    muzzle: float = ranged(0.1, 0.7, 0.5)
    """Length of the muzzle per length of the head."""
    muzzle_width: float = ranged(0.15, 1.0, 0.42)
    """Width of the muzzle's end per width of the skull."""
    cheek: float = ranged(0.0, 1.0, 0.1)
    """How far the fur of the cheeks stands out, 0 to 1."""
    ear: float = ranged(0.0, 1.6, 0.62)
    """Length of an ear per length of the head; 0 has none."""
    ear_width: float = ranged(0.2, 1.3, 0.42)
    """Width of an ear per its length."""
    ear_round: float = ranged(0.0, 1.0, 0.3)
    """Roundness of the ears: 0 is pointed, 1 round."""
    ear_angle: float = ranged(0.0, 2.9, 0.35)
    """How far ears lean outwards from upright, radians."""
    horn: float = ranged(0.0, 1.4, 0.0)
    """Length of the horns per length of the head; 0 has none."""
    eye: float = ranged(0.02, 0.12, 0.06)
    """Radius of an eye per length of the head."""
    eye_front: float = ranged(0.0, 1.0, 0.15)
    """Position of the eyes: 0 at the sides of the head, 1 in front."""
    tail: float = ranged(0.0, 2.4, 1.7)
    """Length of the tail, in hip heights; 0 has none."""
    tail_width: float = ranged(0.04, 0.3, 0.17)
    """Radius of the tail at its base, in hip heights."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_biped(name: str, s: BipedShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a two-legged animal."""
    builder = PlanBuilder()
    H = s.hip
    axis = np.array([0.0, np.sin(s.pitch), np.cos(s.pitch)])
    rump, chest = s.rump * H, s.chest * H
    hips = np.array([0.0, H, 0.0])
    along = [hips + t * s.trunk * H * axis for t in (0.0, 0.38, 0.72, 1.0)]
    spine = [hips, along[1] - 0.1 * (along[1] - hips), along[2] - 0.1 * (along[2] - along[1]), along[3]]
    builder.chain(["Hips", "Spine1", "Chest"], None, spine, BodyPart.TORSO)
    swell = 0.5 * (rump + chest) + 0.12 * rump
    options: ConeOptions = {"squash": s.width, "blend": 0.2 * rump}
    builder.cone("Hips", along[0] - 0.25 * rump * axis, 0.55 * (along[1] - along[0]) + along[0], rump, swell, **options)
    builder.cone("Spine1", 0.5 * (along[0] + along[1]), along[1], swell, 0.6 * swell + 0.4 * chest, **options)
    builder.cone("Chest", along[1] + 0.4 * (along[2] - along[1]), along[2], 0.5 * (swell + chest), chest, **options)
    builder.cone("Chest", along[2], along[3] - 0.3 * chest * axis, chest, 0.8 * chest, **options)
    crown = _neck(builder, s, along[3] - 0.35 * chest * axis, axis)
    frame = QuadrupedFrame(H, 2.0 * chest, chest * s.width, float(along[3][2]), 0.0, rump, s.limb * H)
    build_head(builder, QuadrupedShape(**{k: getattr(s, k) for k in HEAD_PARAMETERS}), frame, coat, crown)
    if s.arm > ABSENT_BIPED_PART:
        _arm(builder, s, coat, along[2], axis, chest)
    _leg(builder, s, coat, rump)
    if s.tail > ABSENT_BIPED_PART:
        _tail(builder, s, hips, rump)
    return builder.build(name, coat, gap=0.02 * H)


def _neck(builder: PlanBuilder, s: BipedShape, base: ndarray, axis: ndarray) -> ndarray:
    if s.neck <= ABSENT_BIPED_PART:
        skull = 0.5 * s.head * s.head_width * s.hip
        return base + (0.45 * s.chest * s.hip + 0.35 * skull) * axis
    length = s.neck * s.hip + 0.3 * s.chest * s.hip
    rise = np.array([0.0, np.sin(s.neck_angle), np.cos(s.neck_angle)])
    crown = base + length * rise
    points = [base, 0.5 * (base + crown) - 0.08 * length * Y_UP * np.cos(s.neck_angle), crown]
    names = ["Neck1", "Neck2"]
    builder.chain(names, "Chest", points, BodyPart.NECK)
    thick = s.neck_width * s.hip
    builder.tube(names, points, [max(0.8 * s.chest * s.hip, thick), 1.15 * thick, thick], blend=0.2 * thick)
    builder.limb(BodyPart.NECK, names)
    return crown


def _arm(builder: PlanBuilder, s: BipedShape, coat: Coat, shoulder: ndarray, axis: ndarray, chest: float) -> None:
    length, r = s.arm * s.hip, s.arm_width * s.hip
    joint = shoulder + 0.85 * chest * s.width * X_LEFT - 0.15 * chest * axis
    aside = float(np.clip(0.8 * chest / length, 0.3, 0.9))  # short arms stand off from a round body
    elbow = joint + 0.42 * length * np.array([aside, -np.sqrt(0.94 - aside**2), -0.25])
    wrist = elbow + 0.38 * length * np.array([0.05, -0.75, 0.65])
    tip = wrist + 0.2 * length * np.array([-0.05, -0.75, 0.65])
    names = ["UpperArm.L", "Forearm.L", "Hand.L"]
    builder.chain(names, "Chest", [joint, elbow, wrist, tip], BodyPart.ARM)
    group = builder.group("arm.L", 0.15 * chest)
    options: ConeOptions = {"group": group, "blend": 0.5 * r}
    builder.tube(names[:2], [joint, elbow, wrist], [min(1.9 * r, 0.6 * chest), 1.2 * r, 0.85 * r], **options)
    palm = wrist + 0.45 * (tip - wrist)
    builder.cone("Hand.L", wrist, palm, 0.9 * r, r, **options)
    claw: ConeOptions = {"group": group, "colour": coat.horn, "hard_edge": True}
    for aside in (-0.55, 0.0, 0.55):
        end = tip + X_LEFT * aside * r
        builder.cone("Hand.L", palm + 0.5 * X_LEFT * aside * r, end, 0.55 * r, 0.4 * r, **options)
        builder.cone("Hand.L", end, end + 0.25 * (tip - wrist), 0.38 * r, 0.2 * r, **claw)
    builder.refine(wrist, 0.5 * length, 0.4)
    builder.limb(BodyPart.ARM, names)


def _leg(builder: PlanBuilder, s: BipedShape, coat: Coat, rump: float) -> None:
    H, r, b = s.hip, s.limb * s.hip, s.bend
    x = max(0.7 * rump * s.width, 1.8 * r) * s.stance
    foot = s.foot * H
    low = max(1.0 * r, 0.05 * H)
    hip = np.array([0.85 * x, 0.96 * H, 0.0])
    knee = np.array([1.12 * x, (0.52 + 0.1 * b) * H, 0.08 * H + 0.4 * b * H])
    ankle = np.array([1.05 * x, low + 0.09 * b * H, -0.02 * H - 0.14 * b * H])
    ball = np.array([1.08 * x, 0.75 * low, ankle[2] + 0.68 * foot])
    tip = np.array([1.1 * x, 0.3 * low, ankle[2] + foot])
    names = ["Thigh.L", "Shin.L", "Foot.L", "Toes.L"]
    builder.chain(names, "Hips", [hip, knee, ankle, ball, tip], BodyPart.LEG)
    group = builder.group("leg.L", 0.06 * H)
    options: ConeOptions = {"group": group, "blend": 0.6 * r}
    thigh = s.thigh * H
    shank = knee + 0.35 * (ankle - knee)
    builder.cone("Thigh.L", hip, knee, thigh, max(0.5 * thigh, 1.2 * r), squash=0.75, **options)
    builder.cone("Shin.L", knee, shank, max(0.5 * thigh, 1.2 * r), max(0.38 * thigh, 1.1 * r), **options)
    builder.cone("Shin.L", shank, ankle, max(0.38 * thigh, 1.1 * r), 0.9 * r, **options)
    heel = ankle * [1.0, 0.0, 1.0] + [0.0, 0.8 * low, -0.2 * low]
    builder.cone("Foot.L", ankle, heel, 0.9 * r, 0.85 * low, **options)
    builder.cone("Foot.L", ankle, ball, 0.9 * r, 0.8 * low, squash=1.2, **options)
    builder.cone("Foot.L", heel, ball, 0.8 * low, 0.8 * low, squash=1.2, **options)
    builder.cone(
        "Toes.L", ball, tip + np.array([0.0, 0.3 * low, -0.35 * low]), 0.8 * low, 0.5 * low, squash=1.3, **options
    )
    claw = tip + np.array([0.0, 0.1 * low, 0.15 * low])
    colours: ConeOptions = {"group": group, "colour": coat.horn, "hard_edge": True}
    builder.cone("Toes.L", tip + np.array([0.0, 0.2 * low, -0.3 * low]), claw, 0.4 * low, 0.25 * low, **colours)
    builder.refine(0.5 * (heel + tip), 0.6 * foot, 0.3)
    builder.limb(BodyPart.LEG, names, contact="Foot.L")


def _tail(builder: PlanBuilder, s: BipedShape, hips: ndarray, rump: float) -> None:
    """Add a tail that falls behind the body until it nearly lies on the ground."""
    count = 2 if s.tail < 0.5 else 4 if s.tail < 0.9 else 6
    length, thick = s.tail * s.hip, s.tail_width * s.hip
    t = np.linspace(0.0, 1.0, count + 1)
    radii = thick * (0.25 + 0.75 * (1.0 - t) ** 1.1)
    points = [hips - (0.8 * rump - 0.1 * thick) * Z_FORWARD - 0.1 * rump * Y_UP]
    for i in range(count):
        slope = -0.75 + 0.85 * (i + 0.5) / count
        step = length / count * np.array([0.0, np.sin(slope), -np.cos(slope)])
        point = points[-1] + step
        point[1] = max(point[1], 1.15 * radii[i + 1] + 0.02 * s.hip)
        points.append(point)
    names = [f"Tail{i + 1}" for i in range(count)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    builder.tube(names, points, list(radii), group=builder.group("tail", 0.7 * thick), blend=0.12 * thick)
    builder.limb(BodyPart.TAIL, names)
