"""Body plan of people, from toddler to basketball player."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.colours import mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class HumanShape:
    """Proportions of a person; lengths are shares of the height.

    In a person's `Coat`, `back` is the shirt, `belly` the skin, `legs` the trousers and `horn` the shoes.
    """

    height: float = ranged(0.6, 2.4, 1.75)
    """Height from the soles to the top of the head, metres."""
    head: float = ranged(0.1, 0.25, 0.135)
    """Height from the chin to the top of the head, in body heights."""
    leg: float = ranged(0.34, 0.54, 0.475)
    """Height of the crotch, in body heights."""
    shoulder: float = ranged(0.07, 0.15, 0.112)
    """Distance from the middle plane to the shoulder joint, in body heights."""
    hip: float = ranged(0.035, 0.075, 0.052)
    """Distance from the middle plane to the hip joint, in body heights."""
    waist: float = ranged(0.05, 0.13, 0.072)
    """Radius of the waist, seen from the front, in body heights."""
    belly: float = ranged(0.6, 1.6, 0.8)
    """Depth of the waist per its width."""
    chest: float = ranged(0.07, 0.14, 0.095)
    """Radius of the chest, seen from the front, in body heights."""
    bust: float = ranged(0.0, 1.0, 0.15)
    """Size of the breast, 0 to 1."""
    arm: float = ranged(0.26, 0.42, 0.335)
    """Distance from the shoulder joint to the wrist, in body heights."""
    limb: float = ranged(0.016, 0.045, 0.026)
    """Radius of the forearm at its middle, in body heights."""
    neck: float = ranged(0.015, 0.06, 0.035)
    """Length of the neck, in body heights."""
    arm_angle: float = ranged(0.2, 1.5, 0.5)
    """How far the arms stand off from hanging down, radians."""
    hair: float = ranged(0.0, 1.0, 0.35)
    """Length of the hair; 0 is bald, 1 reaches the shoulder blades."""
    face: float = ranged(0.8, 1.25, 1.0)
    """Factor of the head's width; 1 is normal."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_human(name: str, shape: HumanShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a person, arms a little off the body, knees and elbows slightly bent."""
    return build_person(shape, coat).build(name, coat, gap=0.006 * shape.height)


def build_person(shape: HumanShape, coat: Coat, *, legs: bool = True) -> PlanBuilder:
    """Build the left half of a person, with or without legs."""
    builder = PlanBuilder()
    H = shape.height
    neck_top = H * (1.0 - shape.head * 0.93)
    collar = neck_top - shape.neck * H
    _trunk(builder, shape, coat, collar)
    _head(builder, shape, coat, collar, neck_top)
    if legs:
        _leg(builder, shape, coat)
    _arm(builder, shape, coat, collar)
    return builder


def _trunk(builder: PlanBuilder, s: HumanShape, coat: Coat, collar: float) -> None:
    H, shirt, cloth = s.height, coat.back, coat.legs
    hip_y = (s.leg + 0.045) * H
    span = collar - hip_y
    spine = [
        np.array([0.0, hip_y + t * span, z * H])
        for t, z in ((0.02, -0.004), (0.25, -0.002), (0.48, -0.008), (0.68, -0.014), (0.98, -0.01))
    ]
    builder.chain(["Hips", "Spine1", "Spine2", "Chest"], None, spine, BodyPart.TORSO)
    soft = 0.03 * H
    hips = 0.55 * s.hip * H + 0.58 * s.waist * H
    pelvis = np.array([0.0, hip_y - 0.012 * H, -0.004 * H])
    builder.cone(
        "Hips",
        pelvis - X_LEFT * 0.35 * s.hip * H,
        pelvis + X_LEFT * 0.35 * s.hip * H,
        hips,
        hips,
        squash=0.85,
        squash_axis=Z_FORWARD,
        blend=soft,
        colour=cloth,
        hard_edge=True,
        skin_grip=0.012 * H,
    )
    waist, depth = s.waist * H, min(1.3, 0.5 * (s.belly + 0.8))
    navel = np.array([0.0, hip_y + 0.3 * span, 0.10 * (s.belly - 0.8) * waist])
    builder.cone(
        "Spine1",
        pelvis + Y_UP * 0.1 * span,
        navel,
        0.95 * waist,
        waist,
        squash=depth,
        squash_axis=Z_FORWARD,
        blend=soft,
        colour=shirt,
        hard_edge=True,
    )
    builder.ball(
        "Spine1",
        navel + Z_FORWARD * max(0.0, s.belly - 0.85) * 0.75 * waist,
        0.92 * waist,
        squash=depth,
        squash_axis=Z_FORWARD,
        blend=soft,
        colour=shirt,
        hard_edge=True,
    )
    chest = s.chest * H
    ribs = np.array([0.0, hip_y + 0.68 * span, -0.004 * H])
    builder.cone(
        "Spine2",
        navel,
        ribs,
        waist,
        0.92 * chest,
        squash=0.72,
        squash_axis=Z_FORWARD,
        blend=soft,
        colour=shirt,
        hard_edge=True,
    )
    builder.ball("Chest", ribs, chest, squash=0.74, squash_axis=Z_FORWARD, blend=soft, colour=shirt, hard_edge=True)
    nape, yoke = (
        np.array([0.0, collar - 0.012 * H, -0.014 * H]),
        np.array([0.72 * s.shoulder * H, collar - 0.05 * H, -0.012 * H]),
    )
    slope: ConeOptions = {"squash": 0.85, "squash_axis": Z_FORWARD, "colour": shirt, "hard_edge": True, "both": True}
    builder.cone("Chest", nape, yoke, 0.024 * H, 0.032 * H, blend=0.5 * soft, **slope)
    builder.cone(
        "Chest", ribs + Y_UP * 0.1 * span, yoke - Y_UP * 0.02 * H, 0.75 * chest, 0.4 * chest, blend=soft, **slope
    )
    if s.bust > 0.02:
        breast = ribs + X_LEFT * 0.42 * chest + Z_FORWARD * (0.42 + 0.22 * s.bust) * chest + Y_UP * 0.02 * H
        builder.ball(
            "Chest", breast, (0.3 + 0.18 * s.bust) * chest, both=True, blend=soft, colour=shirt, hard_edge=True
        )


def _head(builder: PlanBuilder, s: HumanShape, coat: Coat, collar: float, top: float) -> None:
    H, hh, skin = s.height, s.head * s.height, coat.belly
    root, chin = np.array([0.0, collar - 0.01 * H, -0.012 * H]), np.array([0.0, top, -0.002 * H])
    crown = np.array([0.0, H - 0.02 * hh, 0.0])
    builder.chain(["Neck1"], "Chest", [root, chin], BodyPart.NECK)
    builder.chain(["Head"], "Neck1", [chin, crown], BodyPart.HEAD)
    builder.limb(BodyPart.NECK, ["Neck1"])
    thick = 0.2 * hh + 0.35 * s.limb * H
    builder.cone("Neck1", root, chin + Y_UP * 0.1 * hh, 1.2 * thick, thick, blend=0.02 * H, colour=skin, hard_edge=True)
    width = 0.36 * hh * s.face
    skull = np.array([0.0, H - 0.43 * hh, 0.03 * hh])
    builder.ball("Head", skull, 0.43 * hh, squash=width / (0.43 * hh), blend=0.1 * hh, colour=skin, hard_edge=True)
    jaw = np.array([0.0, H - 0.82 * hh, 0.16 * hh])
    builder.cone(
        "Head",
        skull + Z_FORWARD * 0.05 * hh - Y_UP * 0.05 * hh,
        jaw,
        0.8 * width,
        0.17 * hh * (0.5 + 0.5 * s.face),
        blend=0.1 * hh,
        colour=skin,
        hard_edge=True,
    )
    nose = np.array([0.0, H - 0.63 * hh, 0.44 * hh])
    builder.cone(
        "Head",
        nose + Y_UP * 0.12 * hh - Z_FORWARD * 0.08 * hh,
        nose,
        0.04 * hh,
        0.068 * hh,
        blend=0.06 * hh,
        colour=mix_colours(skin, (0.6, 0.2, 0.15), 0.12),
        hard_edge=True,
    )
    lips = np.array([0.055 * hh, H - 0.79 * hh, 0.355 * hh])
    builder.cone(
        "Head",
        lips,
        lips * [-1, 1, 1],
        0.03 * hh,
        0.03 * hh,
        blend=0.01 * hh,
        colour=mix_colours(skin, (0.45, 0.08, 0.06), 0.55),
        hard_edge=True,
    )
    ear = np.array([0.97 * width, H - 0.55 * hh, 0.0])
    builder.ball(
        "Head",
        ear,
        0.11 * hh,
        both=True,
        squash=0.4,
        squash_axis=(0.9, 0.0, 0.44),
        blend=0.03 * hh,
        colour=skin,
        hard_edge=True,
    )
    builder.eye(
        "Head",
        np.array([0.155 * hh, H - 0.53 * hh, 0.36 * hh]),
        0.085 * hh,
        Z_FORWARD + 0.1 * X_LEFT,
        coat.eye,
        (0.8, 0.78, 0.75),
        pupil_angle=0.24,
        iris_angle=0.46,
        sink_depth=0.72,
    )
    brow = np.array([0.16 * hh, H - 0.42 * hh, 0.385 * hh])
    builder.cone(
        "Head",
        brow - X_LEFT * 0.07 * hh,
        brow + X_LEFT * 0.09 * hh - Y_UP * 0.01 * hh - Z_FORWARD * 0.04 * hh,
        0.034 * hh,
        0.03 * hh,
        both=True,
        colour=coat.hair,
        hard_edge=True,
        blend=0.01 * hh,
    )
    _hair(builder, s, coat, skull, width, hh)
    builder.refine(skull + Z_FORWARD * 0.2 * hh, hh, 0.68)


def _hair(builder: PlanBuilder, s: HumanShape, coat: Coat, skull: ndarray, width: float, hh: float) -> None:
    if s.hair < 0.04:
        return
    cap = skull + Y_UP * 0.06 * hh - Z_FORWARD * 0.07 * hh
    options: ConeOptions = {"colour": coat.hair, "hard_edge": True, "blend": 0.03 * hh}
    builder.ball("Head", cap, 0.45 * hh, squash=1.1 * width / (0.45 * hh), **options)
    fringe = skull + Y_UP * 0.3 * hh
    builder.cone(
        "Head", fringe, fringe + Z_FORWARD * 0.24 * hh - Y_UP * 0.03 * hh, 0.2 * hh, 0.13 * hh, squash=1.5, **options
    )
    if s.hair > 0.4:
        fall = (s.hair - 0.3) * 1.1 * hh
        side = np.array([0.75 * width, skull[1], -0.16 * hh])
        builder.cone("Head", side, side - Y_UP * fall - X_LEFT * 0.1 * hh, 0.2 * hh, 0.13 * hh, both=True, **options)
        back = np.array([0.0, skull[1], -0.3 * hh])
        builder.cone("Head", back, back - Y_UP * fall * 1.15 + Z_FORWARD * 0.03 * hh, 0.22 * hh, 0.16 * hh, **options)


def _leg(builder: PlanBuilder, s: HumanShape, coat: Coat) -> None:
    H, r, cloth = s.height, s.limb * s.height, coat.legs
    x = max(s.hip * H, 1.6 * r)
    hip = np.array([x, (s.leg + 0.03) * H, -0.004 * H])
    ankle_y = 0.042 * H
    knee = np.array([0.98 * x, ankle_y + 0.5 * (hip[1] - ankle_y), 0.014 * H])
    ankle = np.array([0.95 * x, ankle_y, -0.012 * H])
    ball = np.array([1.02 * x, 0.018 * H, 0.062 * H])
    tip = np.array([1.05 * x, 0.008 * H, 0.115 * H])
    names = ["Thigh.L", "Shin.L", "Foot.L", "Toes.L"]
    builder.chain(names, "Hips", [hip, knee, ankle, ball, tip], BodyPart.LEG)
    group = builder.group("leg.L", 0.03 * H)
    options: ConeOptions = {"group": group, "blend": 0.6 * r, "colour": cloth, "hard_edge": True}
    thigh = min(2.15 * r + 0.12 * s.waist * H, 1.35 * x)
    builder.cone("Thigh.L", hip, knee, thigh, 1.45 * r, **options)
    calf = knee + 0.3 * (ankle - knee) - Z_FORWARD * 0.35 * r
    builder.cone("Shin.L", knee, ankle, 1.35 * r, 1.15 * r, **options)
    builder.cone("Shin.L", calf, calf + 0.3 * (ankle - knee), 1.4 * r, 1.1 * r, **options)
    shoe: ConeOptions = {"group": group, "blend": 0.4 * r, "colour": coat.horn, "hard_edge": True}
    low = 0.022 * H
    heel = np.array([ankle[0], 0.9 * low, ankle[2] - 0.018 * H])
    builder.cone("Foot.L", ankle - Y_UP * 0.2 * ankle_y, heel, 1.1 * r, 1.05 * low, **shoe)
    builder.cone("Foot.L", heel, ball, 1.05 * low, 1.15 * low, **shoe)
    builder.cone("Foot.L", ankle - Y_UP * 0.25 * ankle_y, ball, 1.1 * r, 0.9 * low, **shoe)
    builder.cone("Toes.L", ball, tip - Z_FORWARD * 0.9 * low, 1.15 * low, 0.95 * low, **shoe)
    builder.refine(0.5 * (heel + tip), 0.08 * H, 0.3)
    builder.limb(BodyPart.LEG, names, contact="Foot.L")


def _arm(builder: PlanBuilder, s: HumanShape, coat: Coat, collar: float) -> None:
    H, r, skin = s.height, s.limb * s.height, coat.belly
    joint = np.array([s.shoulder * H, collar - 0.048 * H, -0.012 * H])
    down = np.array([np.sin(s.arm_angle), -np.cos(s.arm_angle), 0.0])
    length = s.arm * H
    elbow = joint + 0.53 * length * down - Z_FORWARD * 0.012 * H
    wrist = joint + length * (down + Z_FORWARD * 0.06)
    hand = 0.1 * H * (0.75 + 0.25 * s.head / 0.135)
    tip = wrist + hand * (down + Z_FORWARD * 0.1)
    inner = np.array([0.02 * H, collar - 0.032 * H, 0.0])
    names = ["Clavicle.L", "UpperArm.L", "Forearm.L", "Hand.L"]
    builder.chain(names, "Chest", [inner, joint, elbow, wrist, tip], BodyPart.ARM)
    group = builder.group("arm.L", 0.028 * H)
    sleeve: ConeOptions = {"group": group, "blend": 0.5 * r, "colour": coat.back, "hard_edge": True}
    bare: ConeOptions = {**sleeve, "colour": skin}
    builder.cone("Clavicle.L", inner, 0.25 * inner + 0.75 * joint, 0.7 * r, 1.1 * r, skin_grip=0.012 * H, **sleeve)
    builder.ball("UpperArm.L", joint, 1.45 * r, **sleeve)
    middle = joint + 0.55 * (elbow - joint)
    builder.cone("UpperArm.L", joint, middle, 1.45 * r, 1.32 * r, **sleeve)
    builder.cone("UpperArm.L", middle, elbow, 1.25 * r, 1.08 * r, **bare)
    builder.cone("Forearm.L", elbow, wrist, 1.1 * r, 0.72 * r, **bare)
    builder.ball("Forearm.L", elbow + 0.25 * (wrist - elbow), 1.12 * r, **bare)
    flat = np.cross(down, Z_FORWARD)
    palm = wrist + 0.42 * hand * down
    options: ConeOptions = {**bare, "squash": 0.5, "squash_axis": tuple(flat / np.linalg.norm(flat)), "blend": 0.25 * r}
    builder.cone("Hand.L", wrist + 0.12 * hand * down, palm, 0.2 * hand, 0.25 * hand, **options)
    for k, (spread, reach) in enumerate(((0.17, 0.52), (0.06, 0.58), (-0.06, 0.54), (-0.17, 0.44))):
        root = palm + Z_FORWARD * spread * hand
        curl = 0.12 * hand * flat / np.linalg.norm(flat) * (1 if flat[0] < 0 else -1)
        builder.cone(
            "Hand.L",
            root,
            root + reach * hand * down + Z_FORWARD * 0.25 * spread * hand + curl * (0.8 + 0.1 * k),
            0.075 * hand,
            0.06 * hand,
            group=group,
            colour=skin,
            hard_edge=True,
            blend=0.02 * hand,
        )
    thumb = wrist + 0.2 * hand * down + Z_FORWARD * 0.16 * hand
    builder.cone(
        "Hand.L",
        thumb,
        thumb + 0.34 * hand * down + Z_FORWARD * 0.24 * hand,
        0.1 * hand,
        0.07 * hand,
        group=group,
        colour=skin,
        hard_edge=True,
        blend=0.06 * hand,
    )
    builder.refine(palm + 0.2 * hand * down, 0.9 * hand, 0.62)
    builder.limb(BodyPart.ARM, names)
