"""Body plan of two-legged dinosaurs: a level body between a heavy head and a long tail, small arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.colours import hex_colour, mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class TheropodShape:
    """Proportions of a two-legged dinosaur; lengths are shares of the height of the hips."""

    hip: float = ranged(0.2, 4.5, 2.6)
    """Height of the hip joints, metres."""
    trunk: float = ranged(0.6, 1.2, 0.85)
    """Distance from the hips to the base of the neck, in hip heights."""
    depth: float = ranged(0.3, 0.75, 0.56)
    """Depth of the chest, in hip heights."""
    width: float = ranged(0.5, 1.0, 0.72)
    """Width of the trunk per its depth."""
    pitch: float = ranged(-0.1, 0.7, 0.2)
    """How steeply the trunk rises to the front, radians."""
    neck: float = ranged(0.1, 1.6, 0.42)
    """Length of the neck, in hip heights."""
    neck_angle: float = ranged(0.1, 1.4, 0.75)
    """Slope of the neck above the horizon, radians."""
    neck_width: float = ranged(0.06, 0.24, 0.17)
    """Radius of the neck behind the head, in hip heights."""
    head: float = ranged(0.2, 1.0, 0.6)
    """Length of the head, in hip heights."""
    head_depth: float = ranged(0.25, 0.65, 0.5)
    """Depth of the head per its length."""
    gape: float = ranged(0.05, 0.6, 0.3)
    """How far the jaw is open, radians."""
    arm: float = ranged(0.12, 0.9, 0.27)
    """Length of an arm, in hip heights."""
    thigh: float = ranged(0.1, 0.3, 0.215)
    """Radius of the thigh, in hip heights."""
    limb: float = ranged(0.03, 0.1, 0.065)
    """Radius of the lower leg, in hip heights."""
    toe: float = ranged(0.2, 0.6, 0.3)
    """Length of the middle toe, in hip heights."""
    tail: float = ranged(0.3, 2.6, 1.55)
    """Length of the tail, in hip heights."""
    tail_width: float = ranged(0.08, 0.26, 0.2)
    """Radius of the tail at its base, in hip heights."""
    eye: float = ranged(0.02, 0.08, 0.035)
    """Radius of an eye per length of the head."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_theropod(name: str, s: TheropodShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a two-legged dinosaur."""
    return build_theropod(s, coat)[0].build(name, coat, gap=0.03 * s.hip)


def build_theropod(s: TheropodShape, coat: Coat, *, arms: bool = True) -> tuple[PlanBuilder, ndarray]:
    """Build the left half of a two-legged dinosaur; returns it and the place of the shoulders in the middle plane."""
    builder = PlanBuilder()
    H = s.hip
    axis = np.array([0.0, np.sin(s.pitch), np.cos(s.pitch)])
    up = np.array([0.0, np.cos(s.pitch), -np.sin(s.pitch)])
    R = 0.5 * s.depth * H
    hips = np.array([0.0, H, 0.0])
    along = [hips + t * s.trunk * H * axis for t in (0.0, 0.3, 0.62, 1.0)]
    spine = [p + 0.2 * R * up for p in along]
    builder.chain(
        ["Hips", "Spine1", "Spine2", "Chest"],
        None,
        [spine[0], spine[1], 0.5 * (spine[1] + spine[2]), spine[2], spine[3]],
        BodyPart.TORSO,
    )
    options: ConeOptions = {"squash": s.width, "blend": 0.15 * R}
    builder.cone("Hips", along[0] - 0.1 * H * axis, 0.5 * (along[0] + along[1]), 0.86 * R, 0.9 * R, **options)
    builder.cone("Spine1", 0.5 * (along[0] + along[1]), along[1], 0.9 * R, 0.96 * R, **options)
    builder.cone("Spine2", along[1], 0.5 * (along[1] + along[2]) - 0.04 * R * up, 0.96 * R, R, **options)
    builder.cone(
        "Chest", 0.5 * (along[1] + along[2]) - 0.04 * R * up, 0.7 * along[3] + 0.3 * along[2], R, 0.72 * R, **options
    )
    crown = _neck(builder, s, spine[3] - 0.1 * H * axis, R)
    _head(builder, s, coat, crown)
    shoulder = along[2] + 0.35 * (along[3] - along[2])
    if arms:
        _arm(builder, s, coat, shoulder - 0.35 * R * up, R)
    _leg(builder, s, coat, R)
    _tail(builder, s, along[0], spine[0], R)
    return builder, shoulder


def _neck(builder: PlanBuilder, s: TheropodShape, base: ndarray, R: float) -> ndarray:
    length = s.neck * s.hip + 0.1 * s.hip
    rise, low = s.neck_angle, s.neck_angle + 0.25
    crown = base + length * np.array([0.0, np.sin(rise), np.cos(rise)])
    bend = base + 0.5 * length * np.array([0.0, np.sin(low - 0.5), np.cos(low - 0.5)])
    t = np.linspace(0.0, 1.0, 4)[:, None]
    points = list((1 - t) ** 2 * base + 2 * t * (1 - t) * bend + t**2 * crown)
    names = ["Neck1", "Neck2", "Neck3"]
    builder.chain(names, "Chest", points, BodyPart.NECK)
    thick = s.neck_width * s.hip
    radii = [max(0.68 * R, thick), 0.5 * (0.62 * R + thick), 1.04 * thick, thick]
    builder.tube(names, points, radii, squash=0.8, blend=0.15 * thick)
    builder.limb(BodyPart.NECK, names)
    return crown


def _head(builder: PlanBuilder, s: TheropodShape, coat: Coat, crown: ndarray) -> None:
    length = s.head * s.hip
    deep = 0.5 * s.head_depth * length
    ahead = np.array([0.0, -0.12, 0.993])
    up = np.array([0.0, 0.993, 0.12])
    nose = crown + length * ahead + 0.02 * length * up
    hinge = crown + 0.1 * length * ahead - 0.42 * deep * up
    direction = np.array([0.0, -np.sin(s.gape + 0.12), np.cos(s.gape + 0.12)])
    chin = hinge + 0.82 * length * direction
    builder.chain(["Head"], "Neck3", [crown, nose], BodyPart.HEAD)
    builder.chain(["Jaw"], "Head", [hinge, chin], BodyPart.HEAD)
    wide = 0.62
    brow = crown + 0.36 * length * ahead + 0.12 * deep * up
    builder.cone("Head", crown + 0.08 * length * ahead, brow, 0.86 * deep, 0.8 * deep, squash=0.85, blend=0.3 * deep)
    builder.cone(
        "Head",
        brow,
        nose - 0.5 * deep * ahead - 0.02 * deep * up,
        0.74 * deep,
        0.56 * deep,
        squash=wide,
        blend=0.15 * deep,
    )
    ridge = brow + 0.62 * deep * up + 0.4 * deep * X_LEFT
    builder.cone(
        "Head",
        ridge - 0.12 * length * ahead,
        ridge + 0.1 * length * ahead,
        0.16 * deep,
        0.13 * deep,
        both=True,
        blend=0.12 * deep,
    )
    jaw = builder.group("jaw", 0.06 * deep)
    inside = hex_colour("7a2420")
    lower = mix_colours(coat.back, coat.belly, 0.6 * coat.countershade)
    builder.cone(
        "Jaw",
        hinge,
        hinge + 0.45 * length * direction,
        0.36 * deep,
        0.34 * deep,
        squash=1.25,
        group=jaw,
        colour=lower,
        blend=0.15 * deep,
    )
    builder.cone(
        "Jaw",
        hinge + 0.45 * length * direction,
        chin - 0.24 * deep * direction,
        0.34 * deep,
        0.24 * deep,
        squash=1.1,
        group=jaw,
        colour=lower,
        blend=0.15 * deep,
    )
    builder.cone(
        "Jaw",
        hinge + 0.15 * length * direction + 0.26 * deep * Y_UP,
        chin - 0.25 * length * direction + 0.18 * deep * Y_UP,
        0.2 * deep,
        0.14 * deep,
        squash=1.3,
        group=jaw,
        colour=inside,
        hard_edge=True,
        blend=0.1 * deep,
    )
    tooth: ConeOptions = {"colour": hex_colour("efe6cf"), "hard_edge": True}
    for k in range(4):
        share = 0.46 + 0.125 * k
        root = crown + share * length * ahead - (0.5 - 0.015 * k) * deep * up + X_LEFT * deep * (0.34 - 0.04 * k)
        builder.cone("Head", root, root - 0.28 * deep * up, 0.11 * deep, 0.04 * deep, both=True, **tooth)
    builder.eye(
        "Head",
        brow + 0.55 * deep * X_LEFT + 0.32 * deep * up - 0.02 * length * ahead,
        s.eye * length,
        X_LEFT + 0.5 * Z_FORWARD + 0.1 * Y_UP,
        coat.eye,
        coat.eye,
        pupil_angle=0.45,
        iris_angle=1.3,
    )
    builder.refine(crown + 0.55 * length * ahead, 0.8 * length, 0.55)


def _arm(builder: PlanBuilder, s: TheropodShape, coat: Coat, shoulder: ndarray, R: float) -> None:
    length = s.arm * s.hip
    joint = shoulder + 0.78 * R * s.width * X_LEFT
    elbow = joint + 0.42 * length * np.array([0.25, -0.85, -0.35])
    wrist = elbow + 0.36 * length * np.array([-0.05, -0.5, 0.85])
    tip = wrist + 0.26 * length * np.array([-0.1, -0.6, 0.75])
    names = ["UpperArm.L", "Forearm.L", "Hand.L"]
    builder.chain(names, "Chest", [joint, elbow, wrist, tip], BodyPart.ARM)
    r = 0.075 * length + 0.012 * s.hip
    group = builder.group("arm.L", 0.12 * R)
    options: ConeOptions = {"group": group, "blend": 0.5 * r}
    builder.tube(
        names, [joint, elbow, wrist, wrist + 0.4 * (tip - wrist)], [1.9 * r, 1.15 * r, 0.85 * r, 0.75 * r], **options
    )
    for aside in (-0.5, 0.5):
        end = tip + X_LEFT * aside * 0.14 * length
        builder.cone("Hand.L", wrist + 0.3 * (tip - wrist), 0.4 * wrist + 0.6 * end, 0.6 * r, 0.5 * r, **options)
        builder.cone(
            "Hand.L",
            0.4 * wrist + 0.6 * end,
            end - Y_UP * 0.03 * length,
            0.5 * r,
            0.25 * r,
            group=group,
            colour=coat.horn,
            hard_edge=True,
        )
    builder.refine(wrist, 0.6 * length, 0.45)
    builder.limb(BodyPart.ARM, names)


def _leg(builder: PlanBuilder, s: TheropodShape, coat: Coat, R: float) -> None:
    H, r = s.hip, s.limb * s.hip
    x = max(0.62 * R * s.width, 1.8 * r)
    hip = np.array([0.9 * x, 0.97 * H, 0.02 * H])
    knee = np.array([1.25 * x, 0.6 * H, 0.24 * H])
    hock = np.array([1.1 * x, 0.3 * H, -0.1 * H])
    ankle = np.array([1.1 * x, 1.15 * r, 0.02 * H])
    toe = s.toe * H
    tip = np.array([1.1 * x, 0.0, ankle[2] + toe])
    names = ["Thigh.L", "Shin.L", "Tarsus.L", "Foot.L"]
    builder.chain(names, "Hips", [hip, knee, hock, ankle, tip], BodyPart.LEG)
    group = builder.group("leg.L", 0.1 * H)
    options: ConeOptions = {"group": group, "blend": 0.6 * r}
    thigh = s.thigh * H
    builder.cone("Thigh.L", hip, knee, thigh, 0.62 * thigh, squash=0.8, **options)
    calf = knee + 0.35 * (hock - knee) - Z_FORWARD * 0.2 * r
    builder.cone("Shin.L", knee, hock, 0.58 * thigh, 1.0 * r, **options)
    builder.ball("Shin.L", calf, 0.48 * thigh, **options)
    builder.cone("Tarsus.L", hock, ankle, 1.0 * r, 0.95 * r, **options)
    for turn, share in ((0.0, 1.0), (0.5, 0.85), (-0.5, 0.85)):
        direction = np.array([np.sin(turn), 0.0, np.cos(turn)])
        knuckle = ankle + share * 0.75 * toe * direction - Y_UP * 0.45 * r
        builder.cone("Foot.L", ankle - Y_UP * 0.2 * r, knuckle, 1.0 * r, 0.72 * r, **options)
        builder.cone(
            "Foot.L",
            knuckle,
            ankle + share * toe * direction - Y_UP * 0.8 * r,
            0.62 * r,
            0.28 * r,
            group=group,
            colour=coat.horn,
            hard_edge=True,
        )
    builder.cone("Foot.L", ankle, ankle + np.array([0.0, -0.5 * r, -0.25 * toe]), 0.9 * r, 0.5 * r, **options)
    builder.refine(ankle + Z_FORWARD * 0.4 * toe, 0.9 * toe, 0.35)
    builder.limb(BodyPart.LEG, names, contact="Foot.L")


def _tail(builder: PlanBuilder, s: TheropodShape, axis_start: ndarray, spine: ndarray, R: float) -> None:
    count, length = 7, s.tail * s.hip
    points = [spine - Z_FORWARD * 0.22 * s.hip - Y_UP * 0.02 * s.hip]
    for i in range(count):
        angle = -0.22 * s.pitch - 0.1 + 0.05 * i
        points.append(points[-1] + length / count * np.array([0.0, np.sin(angle), -np.cos(angle)]))
    names = [f"Tail{i + 1}" for i in range(count)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    base = s.tail_width * s.hip
    t = np.linspace(0.0, 1.0, count + 1)
    radii = list(base * ((1 - t) ** 1.15 * 0.9 + 0.1))
    drop = [p - Y_UP * 0.25 * r for p, r in zip(points, radii, strict=True)]
    builder.tube(names, drop, radii, squash=0.85, group=builder.group("tail", 0.5 * base), blend=0.1 * base)
    builder.limb(BodyPart.TAIL, names)
