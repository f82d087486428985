"""Body plan of lizards, crocodiles and turtles: low bodies on sprawling legs, long tails."""

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
class LizardShape:
    """Proportions of a lizard; lengths are shares of the trunk's length (hips to shoulders)."""

    trunk: float = ranged(0.03, 1.8, 0.16)
    """Distance from the hips to the shoulders, metres."""
    width: float = ranged(0.12, 0.75, 0.2)
    """Half the width of the belly, in trunk lengths."""
    depth: float = ranged(0.4, 1.0, 0.68)
    """Depth of the trunk per its width."""
    lift: float = ranged(0.05, 0.45, 0.2)
    """Height of the belly above the ground, in trunk lengths."""
    neck: float = ranged(0.08, 0.6, 0.2)
    """Length of the neck, in trunk lengths."""
    neck_width: float = ranged(0.05, 0.25, 0.125)
    """Radius of the neck, in trunk lengths."""
    head: float = ranged(0.25, 0.9, 0.42)
    """Length of the head, in trunk lengths."""
    head_width: float = ranged(0.3, 0.9, 0.62)
    """Width of the head per its length."""
    snout: float = ranged(0.2, 0.8, 0.45)
    """Width of the snout's end per width of the head."""
    head_pitch: float = ranged(-0.4, 0.6, 0.05)
    """How far the nose points down, radians."""
    leg: float = ranged(0.25, 0.9, 0.5)
    """Length of a leg without the foot, in trunk lengths."""
    limb: float = ranged(0.025, 0.16, 0.052)
    """Radius of the lower leg, in trunk lengths."""
    foot: float = ranged(0.12, 0.5, 0.24)
    """Length of the longest toe, in trunk lengths."""
    sprawl: float = ranged(0.3, 1.0, 0.85)
    """Sprawl of the legs: 1 has elbows and knees level with the shoulders, 0.3 nearly below them."""
    tail: float = ranged(0.15, 3.0, 1.7)
    """Length of the tail, in trunk lengths."""
    tail_width: float = ranged(0.03, 0.22, 0.115)
    """Radius of the tail at its base, in trunk lengths."""
    crest: float = ranged(0.0, 1.0, 0.0)
    """Height of the spines along the back, 0 to 1."""
    shell: float = ranged(0.0, 1.0, 0.0)
    """Height of a turtle's shell, 0 to 1."""
    eye: float = ranged(0.04, 0.16, 0.085)
    """Radius of an eye per length of the head."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_lizard(name: str, s: LizardShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a lizard."""
    builder = PlanBuilder()
    L, half = s.trunk, s.width * s.trunk
    deep = half * s.depth
    y = s.lift * L + deep
    z = np.linspace(-0.5, 0.5, 5) * L
    points = [np.array([0.0, y + rise * deep, at]) for at, rise in zip(z, (0.0, 0.05, 0.08, 0.08, 0.12), strict=True)]
    spine = [p + 0.25 * deep * Y_UP for p in points]
    builder.chain(
        ["Hips", "Spine1", "Spine2", "Chest"], None, [spine[0], spine[1], spine[2], spine[3], spine[4]], BodyPart.TORSO
    )
    radii = [0.68 * half, 0.92 * half, half, 0.9 * half, 0.66 * half]
    options: ConeOptions = {"squash": s.depth, "squash_axis": Y_UP, "blend": 0.12 * half}
    builder.tube(["Hips", "Spine1", "Spine2", "Chest"], points, radii, **options)
    if s.shell > 0.02:
        dome = 0.5 * (points[0] + points[4]) + 0.1 * deep * Y_UP
        builder.cone(
            "Spine1",
            dome - 0.22 * L * Z_FORWARD,
            dome + 0.22 * L * Z_FORWARD,
            1.12 * half,
            1.08 * half,
            squash=0.62 + 0.4 * s.shell,
            squash_axis=Y_UP,
            colour=None,
            blend=0.05 * half,
        )
        builder.cone(
            "Spine1",
            dome - 0.25 * L * Z_FORWARD - 0.2 * deep * Y_UP,
            dome + 0.25 * L * Z_FORWARD - 0.2 * deep * Y_UP,
            1.24 * half,
            1.2 * half,
            squash=0.24,
            squash_axis=Y_UP,
            colour=coat.hair,
            blend=0.05 * half,
        )
        breast = points[3] - 0.35 * deep * Y_UP
        builder.cone(
            "Spine2",
            breast - 0.2 * L * Z_FORWARD,
            breast,
            0.8 * half,
            0.75 * half,
            squash=0.5,
            squash_axis=Y_UP,
            colour=coat.belly,
            skin_grip=0.3 * half,
        )
    if s.crest > 0.02:
        _crest(builder, s, coat, ["Hips", "Spine1", "Spine2", "Chest"], points, [r * s.depth for r in radii], "crest")
    crown = _neck(builder, s, coat, points[4], deep)
    _head(builder, s, coat, crown)
    _legs(builder, s, coat, points, half)
    _tail(builder, s, coat, points[0], deep)
    return builder.build(name, coat, gap=0.04 * half)


def _crest(
    builder: PlanBuilder, s: LizardShape, coat: Coat, names: list[str], points: list, radii: list, group: str
) -> None:
    builder.group(group, 0.02 * s.trunk)
    for i, name in enumerate(names):
        for share in (0.15, 0.5, 0.85):
            place = points[i] + share * (points[i + 1] - points[i])
            r = radii[i] + share * (radii[i + 1] - radii[i])
            top = place + Y_UP * (
                r + s.crest * 0.16 * s.trunk * min(1.0, r / (0.5 * max(radii)) if max(radii) else 1.0)
            )
            builder.cone(
                name,
                place + Y_UP * 0.7 * r,
                top - Z_FORWARD * 0.04 * s.trunk,
                0.05 * s.trunk,
                0.02 * s.trunk,
                squash=0.45,
                colour=coat.hair,
                group=group,
                blend=0.02 * s.trunk,
            )


def _neck(builder: PlanBuilder, s: LizardShape, coat: Coat, shoulders: ndarray, deep: float) -> ndarray:
    length = s.neck * s.trunk
    base = shoulders + 0.1 * s.trunk * Z_FORWARD + 0.1 * deep * Y_UP
    direction = np.array([0.0, 0.32, 0.95])
    points = [base, base + 0.5 * length * direction, base + length * direction]
    names = ["Neck1", "Neck2"]
    builder.chain(names, "Chest", points, BodyPart.NECK)
    r = s.neck_width * s.trunk
    builder.tube(names, points, [1.15 * r, 1.02 * r, r], blend=0.5 * r)
    builder.limb(BodyPart.NECK, names)
    return points[-1]


def _head(builder: PlanBuilder, s: LizardShape, coat: Coat, crown: ndarray) -> None:
    length = s.head * s.trunk
    half = 0.5 * s.head_width * length
    ahead = np.array([0.0, -np.sin(s.head_pitch), np.cos(s.head_pitch)])
    up = np.array([0.0, np.cos(s.head_pitch), np.sin(s.head_pitch)])
    tip = s.snout * half
    nose = crown + (length - 0.8 * tip) * ahead - 0.12 * half * up
    builder.chain(["Head"], "Neck2", [crown, nose], BodyPart.HEAD)
    skull = crown + 0.32 * length * ahead
    options: ConeOptions = {"squash": 0.66, "squash_axis": up, "blend": 0.3 * half}
    builder.cone("Head", crown + 0.12 * length * ahead, skull, 0.9 * half, half, **options)
    builder.cone("Head", skull, nose, 0.98 * half, tip, **options)
    chin = mix_colours(coat.back, coat.belly, 0.85 * coat.countershade)
    builder.cone(
        "Head",
        skull - 0.42 * half * up,
        nose - 0.35 * tip * up,
        0.8 * half,
        0.85 * tip,
        squash=0.5,
        squash_axis=up,
        colour=chin,
        blend=0.1 * half,
    )
    brow = skull + 0.5 * half * X_LEFT + 0.42 * half * up + 0.04 * length * ahead
    builder.ball("Head", brow - 0.1 * half * X_LEFT, 0.3 * half, both=True, blend=0.2 * half)
    builder.eye(
        "Head",
        brow + 0.2 * half * X_LEFT,
        s.eye * length,
        X_LEFT + 0.35 * Z_FORWARD + 0.3 * Y_UP,
        coat.eye,
        coat.eye,
        pupil_angle=0.45,
        iris_angle=1.4,
    )
    builder.refine(crown + 0.5 * length * ahead, 0.85 * length, 0.5)


def _legs(builder: PlanBuilder, s: LizardShape, coat: Coat, points: list, half: float) -> None:
    L, r, length = s.trunk, s.limb * s.trunk, s.leg * s.trunk
    fore = points[4] - 0.06 * L * Z_FORWARD
    rear = points[0] + 0.02 * L * Z_FORWARD
    blade = fore + np.array([0.25 * half, 0.3 * half * s.depth, 0.0])
    joint = fore + np.array([0.62 * half, -0.1 * half, 0.0])
    elbow = joint + 0.5 * length * np.array([0.9 * s.sprawl + 0.1, -0.12 - 0.6 * (1 - s.sprawl), -0.32])
    wrist = np.array([elbow[0] + 0.1 * length * s.sprawl, 0.9 * r, elbow[2] + 0.3 * length])
    names = ["Shoulder.L", "UpperArm.L", "Forearm.L", "Paw.L"]
    ends = [blade, joint, elbow, wrist, wrist + np.array([0.3, 0.0, 0.95]) * s.foot * L * 0.8]
    ends[-1][1] = 0.0
    builder.chain(names, "Chest", ends, BodyPart.LEG)
    group = builder.group("fore.L", 1.2 * r)
    options: ConeOptions = {"group": group, "blend": 0.5 * r}
    builder.cone("Shoulder.L", blade, 0.4 * blade + 0.6 * joint, 1.3 * r, 1.6 * r, skin_grip=0.5 * r, **options)
    builder.tube(names[1:3], ends[1:4], [1.75 * r, 1.2 * r, 0.85 * r], **options)
    _toes(builder, s, coat, "Paw.L", wrist, group, 0.35, 0.8)
    builder.limb(BodyPart.LEG, names, pair=0, contact="Paw.L")
    hip = rear + np.array([0.55 * half, -0.05 * half, 0.0])
    knee = hip + 0.55 * length * np.array([0.85 * s.sprawl + 0.1, -0.02 - 0.6 * (1 - s.sprawl), 0.45])
    ankle = np.array([knee[0] + 0.12 * length * s.sprawl, 0.95 * r, knee[2] - 0.42 * length])
    names = ["Thigh.L", "Shin.L", "Foot.L"]
    ends = [hip, knee, ankle, ankle + np.array([0.4, 0.0, 0.9]) * s.foot * L]
    ends[-1][1] = 0.0
    builder.chain(names, "Hips", ends, BodyPart.LEG)
    group = builder.group("hind.L", 1.3 * r)
    options = {"group": group, "blend": 0.5 * r}
    builder.tube(names[:2], ends[:3], [2.1 * r, 1.4 * r, 0.9 * r], **options)
    _toes(builder, s, coat, "Foot.L", ankle, group, 0.5, 1.0)
    builder.limb(BodyPart.LEG, names, pair=1, contact="Foot.L")


def _toes(
    builder: PlanBuilder, s: LizardShape, coat: Coat, bone: str, start: ndarray, group: str, turn: float, size: float
) -> None:
    r, toe = s.limb * s.trunk, s.foot * s.trunk * size
    palm = start + 0.3 * toe * np.array([np.sin(turn), 0.0, np.cos(turn)]) - Y_UP * 0.35 * r
    builder.cone(bone, start, palm, 0.9 * r, 0.95 * r, group=group, blend=0.4 * r)
    for k, share in enumerate((0.7, 0.95, 1.0, 0.75)):
        angle = turn + (k - 1.4) * 0.42
        end = palm + 0.7 * toe * share * np.array([np.sin(angle), 0.0, np.cos(angle)]) - Y_UP * 0.2 * r
        builder.cone(bone, palm, end, 0.55 * r, 0.45 * r, group=group, blend=0.1 * r)
    builder.refine(palm, 0.9 * toe, 0.68)


def _tail(builder: PlanBuilder, s: LizardShape, coat: Coat, rear: ndarray, deep: float) -> None:
    count, length, r = 4 if s.tail < 0.5 else 8, s.tail * s.trunk, s.tail_width * s.trunk
    t = np.linspace(0.0, 1.0, count + 1)
    radii = list(r * (0.12 + 0.88 * (1 - t) ** 1.1))
    start = rear - 0.1 * s.trunk * Z_FORWARD
    heights = [max(0.9 * q, start[1] * (1 - min(1.0, 1.6 * x)) ** 2) for q, x in zip(radii, t, strict=True)]
    points = [np.array([0.0, h, start[2] - x * length]) for h, x in zip(heights, t, strict=True)]
    names = [f"Tail{i + 1}" for i in range(count)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    builder.tube(names, points, radii, group=builder.group("tail", 0.6 * r), blend=0.12 * r)
    if s.crest > 0.02:
        _crest(builder, s, coat, names[: count // 2], points, radii, "tail crest")
    builder.limb(BodyPart.TAIL, names)
