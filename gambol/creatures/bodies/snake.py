"""Body plan of snakes: one chain of bones, straight at rest, lying on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.colours import hex_colour, mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

SNAKE_BONE_COUNT = 20
"""Number of bones without the head."""
ROOT_POSITION = 0.4
"""Distance of the root from the tip of the tail, as a share of the length."""


@dataclass(frozen=True)
class SnakeShape:
    """Proportions of a snake."""

    length: float = ranged(0.3, 9.0, 1.5)
    """Length from nose to tail, metres."""
    girth: float = ranged(0.008, 0.045, 0.024)
    """Largest radius per length."""
    thickest: float = ranged(0.35, 0.75, 0.55)
    """Where it is thickest, as a share of the length from the tail."""
    neck: float = ranged(0.4, 0.95, 0.68)
    """Radius behind the head per largest radius."""
    head: float = ranged(1.5, 5.0, 3.0)
    """Length of the head per largest radius."""
    head_width: float = ranged(0.3, 0.85, 0.6)
    """Width of the head per its length."""
    rise: float = ranged(0.0, 1.0, 0.35)
    """How high the head is held; 1 is a cobra."""
    hood: float = ranged(0.0, 1.0, 0.0)
    """Width of a cobra's hood."""
    rattle: float = ranged(0.0, 1.0, 0.0)
    """Size of a rattle at the tail's end."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_snake(name: str, s: SnakeShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a snake: Tail bones behind the root, Spine bones before it, the head in front."""
    builder = PlanBuilder()
    R = s.girth * s.length
    head = s.head * R
    body = s.length - head
    t = np.linspace(0.0, 1.0, 41)
    radii = R * np.where(
        t < s.thickest,
        0.1 + 0.9 * np.sin(0.5 * np.pi * np.minimum(t / s.thickest, 1.0)) ** 0.8,
        1.0 - (1.0 - s.neck) * np.clip((t - s.thickest) / (1 - s.thickest), 0, 1) ** 2,
    )
    lift = s.rise * 0.16 * s.length * np.clip((t - 0.72) / 0.28, 0.0, 1.0) ** 1.6
    points = np.stack([np.zeros_like(t), 0.9 * radii + lift, (t - 0.5) * body], 1)
    backwards, forwards = (
        round(ROOT_POSITION * (SNAKE_BONE_COUNT - 1)),
        SNAKE_BONE_COUNT - 1 - round(ROOT_POSITION * (SNAKE_BONE_COUNT - 1)),
    )
    joints = np.linspace(0.0, 1.0, SNAKE_BONE_COUNT)
    at = [np.array([np.interp(x, t, points[:, k]) for k in range(3)]) for x in joints]
    size = np.interp(joints, t, radii)
    spine = ["Hips", *(f"Spine{i + 1}" for i in range(forwards - 1))]
    tail = [f"Tail{i + 1}" for i in range(backwards)]
    builder.chain(spine, None, at[backwards:], BodyPart.TORSO)
    nose = at[-1] + head * np.array([0.0, -0.18 * s.rise, 1.0])
    builder.chain(["Head"], spine[-1], [at[-1], nose], BodyPart.HEAD)
    builder.chain(tail, "Hips", at[backwards::-1], BodyPart.TAIL)
    soft = 0.1 * R
    builder.tube(spine, at[backwards:], list(size[backwards:]), blend=soft)
    builder.tube(tail, at[backwards::-1], list(size[backwards::-1]), blend=soft)
    if s.rattle > 0.05:
        for k in range(4):
            builder.ball(
                tail[-1],
                at[0] - Z_FORWARD * (0.35 + 0.5 * k) * R * s.rattle + Y_UP * 0.2 * R * s.rattle,
                0.34 * R * s.rattle,
                colour=coat.horn,
                blend=0.05 * R,
                hard_edge=True,
            )
    if s.hood > 0.05:
        widths = size[-1] * (1.0 + s.hood * np.array([0.2, 1.3, 1.9, 1.5, 0.4]))
        for i, name in enumerate(spine[-4:]):
            start, end = at[i - 5], at[i - 4]
            along = (end - start) / np.linalg.norm(end - start)
            flat: ConeOptions = {"squash": 0.42, "squash_axis": (0.0, float(along[2]), float(-along[1])), "blend": soft}
            builder.cone(name, start, end, widths[i], widths[i + 1], **flat)
    _head(builder, s, coat, at[-1], nose, head, float(size[-1]))
    builder.limb(BodyPart.TAIL, tail)
    return builder.build(name, coat, gap=0.0)


def _head(builder: PlanBuilder, s: SnakeShape, coat: Coat, start, nose, length: float, neck: float) -> None:
    half = 0.5 * s.head_width * length
    ahead = (nose - start) / np.linalg.norm(nose - start)
    jaw = start + 0.38 * length * ahead
    snout = nose - ahead * 0.3 * half
    builder.cone("Head", start, jaw, neck, 0.95 * half, squash=0.75, squash_axis=Y_UP, blend=0.3 * half)
    builder.cone("Head", jaw, snout, 0.95 * half, 0.45 * half, squash=0.72, squash_axis=Y_UP, blend=0.3 * half)
    lip = mix_colours(coat.back, coat.belly, 0.8)
    builder.cone(
        "Head",
        jaw - Y_UP * 0.28 * half,
        snout - Y_UP * 0.16 * half,
        0.8 * half,
        0.4 * half,
        squash=0.5,
        squash_axis=Y_UP,
        colour=lip,
        blend=0.1 * half,
    )
    builder.eye(
        "Head",
        start + 0.62 * length * ahead + X_LEFT * 0.62 * half + Y_UP * 0.35 * half,
        0.18 * half + 0.02 * length,
        X_LEFT + 0.4 * Z_FORWARD + 0.2 * Y_UP,
        coat.eye,
        coat.eye,
        pupil_angle=0.5,
        iris_angle=1.4,
    )
    fork = nose + ahead * 0.35 * length - Y_UP * 0.12 * half
    tongue: ConeOptions = {
        "colour": hex_colour("8c1420"),
        "hard_edge": True,
        "group": builder.group("tongue", 0.0),
        "blend": 0.02 * half,
    }
    thick = 0.11 * half
    builder.cone("Head", snout - Y_UP * 0.1 * half, fork, thick, thick, **tongue)
    builder.cone(
        "Head", fork, fork + ahead * 0.18 * length + X_LEFT * 0.07 * length, thick, 0.7 * thick, both=True, **tongue
    )
    builder.refine(start + 0.6 * length * ahead, 1.0 * length, 0.6)
    builder.refine(fork, 0.4 * length, 0.4)
