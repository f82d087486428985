"""Body plan of frogs and toads: a flat, tailless body with folded hind legs and eyes on top of a broad head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.colours import mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class FrogShape:
    """Proportions of a frog; lengths are shares of the trunk's length (hips to shoulders)."""

    trunk: float = ranged(0.015, 0.5, 0.05)
    """Distance from the hips to the shoulders, metres."""
    width: float = ranged(0.25, 0.75, 0.46)
    """Half the width of the trunk, in trunk lengths."""
    depth: float = ranged(0.5, 1.0, 0.72)
    """Depth of the trunk per its width."""
    lift: float = ranged(0.08, 0.7, 0.28)
    """Height of the belly above the ground at the hips, in trunk lengths."""
    pitch: float = ranged(0.05, 0.8, 0.4)
    """How steeply the trunk rises to the front, radians."""
    head: float = ranged(0.4, 1.4, 0.7)
    """Length of the head, in trunk lengths."""
    head_width: float = ranged(0.7, 1.5, 1.1)
    """Width of the head per its length."""
    leg: float = ranged(0.5, 1.6, 0.85)
    """Length of a hind leg's thigh, in trunk lengths."""
    fore: float = ranged(0.5, 1.5, 0.85)
    """Length of a foreleg, in trunk lengths."""
    limb: float = ranged(0.04, 0.16, 0.075)
    """Radius of the lower legs, in trunk lengths."""
    thigh: float = ranged(1.2, 3.5, 2.2)
    """Radius of the thigh per that of the lower leg."""
    foot: float = ranged(0.4, 1.4, 0.85)
    """Length of a hind foot, in trunk lengths."""
    sprawl: float = ranged(0.3, 1.2, 0.95)
    """How far the knees point aside: 1.2 is nearly straight aside, 0.3 mostly ahead."""
    eye: float = ranged(0.1, 0.3, 0.19)
    """Radius of an eye per length of the head."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_frog(name: str, s: FrogShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a sitting frog: hind legs folded beside the trunk, forelegs propping up the chest."""
    builder = PlanBuilder()
    L, half = s.trunk, s.width * s.trunk
    deep = half * s.depth
    axis = np.array([0.0, np.sin(s.pitch), np.cos(s.pitch)])
    up = np.array([0.0, np.cos(s.pitch), -np.sin(s.pitch)])
    rear = np.array([0.0, s.lift * L + 0.75 * deep, -0.5 * L])
    points = [rear + t * L * axis for t in (0.0, 0.4, 0.75, 1.0)]
    spine = [p + 0.25 * deep * up for p in points]
    builder.chain(["Hips", "Spine1", "Chest"], None, spine, BodyPart.TORSO)
    options: ConeOptions = {"squash": s.depth, "squash_axis": up, "blend": 0.15 * half}
    builder.tube(["Hips", "Spine1", "Chest"], points, [0.72 * half, half, 0.96 * half, 0.8 * half], **options)
    _head(builder, s, coat, points[3], axis, up, deep)
    _foreleg(builder, s, points[2] + 0.4 * (points[3] - points[2]), half, coat)
    _hind_leg(builder, s, points[0], half, coat)
    return builder.build(name, coat, gap=0.03 * half)


def _head(builder: PlanBuilder, s: FrogShape, coat: Coat, base: np.ndarray, axis, up, deep: float) -> None:
    length = s.head * s.trunk
    half = 0.5 * s.head_width * length
    level = 0.35 * s.pitch
    ahead = np.array([0.0, np.sin(level), np.cos(level)])
    above = np.array([0.0, np.cos(level), -np.sin(level)])
    crown = base + 0.1 * deep * up
    nose = crown + length * ahead
    builder.chain(["Head"], "Chest", [crown, nose], BodyPart.HEAD)
    options: ConeOptions = {"squash": 0.58, "squash_axis": above, "blend": 0.25 * half}
    skull = crown + 0.35 * length * ahead
    builder.cone("Head", crown, skull, 0.85 * half, 0.92 * half, **options)
    builder.cone("Head", skull, nose - 0.45 * half * ahead, 0.92 * half, 0.48 * half, **options)
    chin = mix_colours(coat.back, coat.belly, 0.9 * coat.countershade)
    jaw: ConeOptions = {"squash": 0.42, "squash_axis": above, "colour": chin, "blend": 0.1 * half}
    under = 0.3 * half * above
    builder.cone("Head", skull - under, nose - 0.5 * half * ahead - under, 0.86 * half, 0.46 * half, **jaw)
    radius = s.eye * length
    place = skull + 0.05 * length * ahead + 0.52 * half * X_LEFT + 0.42 * half * above
    builder.ball("Head", place, 1.05 * radius, both=True, blend=0.3 * radius)
    gaze = X_LEFT + 0.5 * Z_FORWARD + 0.25 * Y_UP
    outside = place + 0.6 * radius * gaze
    builder.eye("Head", outside, 0.9 * radius, gaze, coat.eye, coat.eye, pupil_angle=0.5, iris_angle=1.3)
    builder.refine(crown + 0.5 * length * ahead, 0.8 * length, 0.45)


def _foreleg(builder: PlanBuilder, s: FrogShape, shoulder: np.ndarray, half: float, coat: Coat) -> None:
    L, r = s.trunk, s.limb * s.trunk
    joint = shoulder + np.array([0.72 * half, -0.25 * half * s.depth, 0.0])
    height = joint[1] - r
    # a foreleg longer than its shoulder is high stands with the elbow turned out and back
    slack = max(s.fore * L - height, 0.3 * L)
    elbow = np.array([joint[0] + 0.25 * slack, r + 0.52 * height, joint[2] - 0.2 * slack])
    wrist = np.array([joint[0] + 0.2 * slack, 0.9 * r, joint[2] + 0.1 * slack])
    tip = wrist + 0.35 * L * np.array([-0.2, 0.0, 0.9])
    tip[1] = 0.0
    names = ["UpperArm.L", "Forearm.L", "Paw.L"]
    builder.chain(names, "Chest", [joint, elbow, wrist, tip], BodyPart.LEG)
    group = builder.group("fore.L", 0.8 * r)
    builder.tube(names[:2], [joint, elbow, wrist], [1.5 * r, 1.1 * r, 0.8 * r], group=group, blend=0.5 * r)
    _toes(builder, "Paw.L", wrist, 0.38 * L, r, -0.2, group)
    builder.limb(BodyPart.LEG, names, pair=0, contact="Paw.L")


def _hind_leg(builder: PlanBuilder, s: FrogShape, rear: np.ndarray, half: float, coat: Coat) -> None:
    """Add a folded hind leg: the thigh forwards and out, the shin back beside it, the long foot forwards again."""
    L, r = s.trunk, s.limb * s.trunk
    hip = rear + np.array([0.5 * half, -0.05 * half, 0.05 * L])
    out = np.array([0.45 + 0.5 * s.sprawl, 0.0, 1.0 - 0.45 * s.sprawl])
    knee = hip + s.leg * L * out / np.linalg.norm(out)
    knee[1] = max(hip[1] + 0.12 * L, 0.42 * s.leg * L)
    ankle = np.array([hip[0] + 0.6 * (knee[0] - hip[0]) + 1.2 * r, 1.25 * r, hip[2] - 0.18 * L])
    ball = ankle + 0.5 * s.foot * L * np.array([0.45, 0.0, 0.85])
    ball[1] = 0.8 * r
    tip = ball + 0.5 * s.foot * L * np.array([0.4, 0.0, 0.9])
    tip[1] = 0.0
    names = ["Thigh.L", "Shin.L", "Foot.L", "Toes.L"]
    builder.chain(names, "Hips", [hip, knee, ankle, ball, tip], BodyPart.LEG)
    group = builder.group("hind.L", 0.9 * r)
    options: ConeOptions = {"group": group, "blend": 0.4 * r}
    wide = s.thigh * r
    middle = 0.5 * (hip + knee)
    builder.cone("Thigh.L", hip, middle, 0.85 * wide, wide, **options)
    builder.cone("Thigh.L", middle, knee, wide, 1.1 * r, **options)
    calf = knee + 0.4 * (ankle - knee)
    builder.cone("Shin.L", knee, calf, 1.1 * r, 1.25 * r, **options)
    builder.cone("Shin.L", calf, ankle, 1.25 * r, 0.85 * r, **options)
    builder.cone("Foot.L", ankle, ball, 0.95 * r, 0.8 * r, **options)
    _toes(builder, "Toes.L", ball, 0.55 * s.foot * L, r, 0.42, group)
    builder.limb(BodyPart.LEG, names, pair=1, contact="Foot.L")


def _toes(builder: PlanBuilder, bone: str, start: np.ndarray, length: float, r: float, turn: float, group: str) -> None:
    """Add four spread toes."""
    for k, share in enumerate((0.75, 1.0, 0.95, 0.7)):
        angle = turn + (k - 1.5) * 0.42
        end = start + share * length * np.array([np.sin(angle), 0.0, np.cos(angle)])
        end[1] = 0.45 * r
        builder.cone(bone, start - Y_UP * 0.2 * r, end, 0.62 * r, 0.5 * r, group=group, blend=0.15 * r)
    builder.refine(start, 0.9 * length, 0.5)
