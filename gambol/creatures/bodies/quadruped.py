"""Body plan of four-legged animals: trunk, neck and tail; head and legs have their own modules."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import PlanBuilder
from gambol.creatures.bodies.quadruped_head import build_head
from gambol.creatures.bodies.quadruped_legs import build_fore_leg, build_hind_leg
from gambol.creatures.bodies.quadruped_shape import QuadrupedFrame, QuadrupedShape

ABSENT_QUADRUPED_PART = 0.02
"""Length in shoulder heights below which a quadruped has no neck, no tail, no ears."""


def plan_quadruped(name: str, shape: QuadrupedShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a four-legged animal."""
    builder = PlanBuilder()
    frame = build_trunk(builder, shape)
    build_neck_and_head(builder, shape, frame, coat)
    build_legs_and_tail(builder, shape, frame, coat)
    return builder.build(name, coat, gap=leg_gap(frame))


def build_trunk(builder: PlanBuilder, shape: QuadrupedShape) -> QuadrupedFrame:
    """Add the trunk of a four-legged animal; returns its measures."""
    depth = shape.height * (1.0 - shape.leg)
    half_width = 0.5 * depth * shape.chest_width * shape.fat
    reach = 0.5 * shape.body * shape.height
    rump_radius = 0.5 * depth * min(0.82, 0.25 + 0.75 * shape.belly)
    frame = QuadrupedFrame(shape.height, depth, half_width, reach, -reach, rump_radius, shape.limb * shape.height)
    _trunk(builder, shape, frame)
    return frame


def build_neck_and_head(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> None:
    """Add the neck, if there is one, and the head."""
    if shape.neck > ABSENT_QUADRUPED_PART:
        crown = _neck(builder, shape, f, coat)
    else:  # the head sits on the chest; a large one higher, off the legs
        half = 0.5 * shape.head * f.height * shape.head_width
        rise = 0.8 * max(half - 0.45 * f.depth, 0.0)
        crown = np.array([0.0, f.height - 0.32 * f.depth + rise, f.shoulder_z + 0.1 * f.depth + 0.5 * half])
    build_head(builder, shape, f, coat, crown)


def build_legs_and_tail(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> None:
    """Add both pairs of legs, and the tail if there is one."""
    build_fore_leg(builder, shape, f, coat)
    build_hind_leg(builder, shape, f, coat)
    if shape.tail > ABSENT_QUADRUPED_PART:
        _tail(builder, shape, f, coat)


def leg_gap(f: QuadrupedFrame) -> float:
    """Return the distance that legs keep from the middle plane, metres."""
    return 0.12 * min(f.half_width, 3 * f.limb)


def _trunk(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame) -> None:
    back = np.array(
        [shape.rump * f.height, f.height * (0.35 + 0.65 * shape.rump), f.height * (0.8 + 0.2 * shape.rump), f.height]
    )
    z = np.array([f.hip_z, f.hip_z + 0.36 * (f.shoulder_z - f.hip_z), 0.32 * f.shoulder_z, f.shoulder_z])
    chest = 0.5 * f.depth
    radii = np.array([f.rump_radius, chest * shape.belly, chest * (0.35 + 0.65 * max(shape.belly, 0.85)), chest])
    centres = [np.array([0.0, y - r, s]) for y, r, s in zip(back, radii, z, strict=True)]
    girth = radii * (0.35 + 0.65 * shape.fat)
    # joints run along the upper third of the trunk, where the spine is
    spine = [c + np.array([0.0, 0.35 * r, 0.0]) for c, r in zip(centres, radii, strict=True)]
    front = np.array([0.0, f.height - 0.3 * f.depth, f.shoulder_z + 0.25 * f.depth])
    chest_joint = spine[2] + 0.35 * (spine[3] - spine[2])
    first = spine[0] + 0.45 * (spine[1] - spine[0])
    names = ["Hips", "Spine1", "Spine2", "Chest"]
    builder.chain(
        names, None, [spine[0], first, spine[1] + 0.3 * (spine[2] - spine[1]), chest_joint, front], BodyPart.TORSO
    )
    thin = shape.chest_width
    soft = 0.12 * chest
    rump_thin = min(1.0, 0.55 + 0.45 * thin)
    builder.cone(
        "Hips",
        centres[0],
        0.5 * (centres[0] + centres[1]),
        girth[0],
        0.5 * (girth[0] + girth[1]),
        squash=rump_thin,
        blend=soft,
    )
    builder.cone(
        "Spine1",
        0.5 * (centres[0] + centres[1]),
        centres[1],
        0.5 * (girth[0] + girth[1]),
        girth[1],
        squash=0.5 * (thin + rump_thin),
        blend=soft,
    )
    builder.cone("Spine2", centres[1], centres[2], girth[1], girth[2], squash=thin, blend=soft)
    builder.cone(
        "Chest", centres[2], centres[3] - [0.0, 0.04 * f.depth, 0.0], girth[2], girth[3] * 0.94, squash=thin, blend=soft
    )
    if shape.hump > 0.02:
        top = 0.5 * (centres[1] + centres[2])
        peak = np.array([0.0, top[1] + chest * (0.5 + 0.7 * shape.hump), top[2] - 0.05 * f.depth])
        builder.cone("Spine2", top, peak, 1.0 * chest, 0.36 * chest, squash=0.7, blend=0.3 * chest)
    prow = np.array(
        [0.0, f.height - (0.58 - 0.06 * shape.hoof) * f.depth, f.shoulder_z + (0.16 - 0.02 * shape.hoof) * f.depth]
    )
    builder.cone(
        "Chest",
        centres[3],
        prow,
        0.8 * chest,
        (0.6 - 0.08 * shape.hoof) * chest,
        squash=min(1.0, 1.1 * thin),
        blend=0.4 * chest,
    )


def _neck(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> ndarray:
    """Add the neck and return where the head begins."""
    count = 2 if shape.neck < 0.6 else 3 if shape.neck < 0.9 else 4 if shape.neck < 1.6 else 6
    base = np.array([0.0, f.height - 0.3 * f.depth, f.shoulder_z + 0.12 * f.depth])
    length = shape.neck * f.height + 0.12 * f.depth
    rise = np.array([0.0, np.sin(shape.neck_angle), np.cos(shape.neck_angle)])
    low = shape.neck_angle - 0.35
    start = np.array([0.0, np.sin(low), np.cos(low)])
    crown = base + length * rise
    bend = base + 0.5 * length * start
    t = np.linspace(0.0, 1.0, count + 1)[:, None]
    points = list((1 - t) ** 2 * base + 2 * t * (1 - t) * bend + t**2 * crown)
    names = [f"Neck{i + 1}" for i in range(count)]
    builder.chain(names, "Chest", points, BodyPart.NECK)
    thick = shape.neck_width * f.height
    root = min(0.42 * f.depth, max(1.7 * thick, 0.3 * f.depth))
    radii = [root * (1 - s) ** 1.4 + thick * (1 - (1 - s) ** 1.4) for s in np.linspace(0, 1, count + 1)]
    builder.tube(names, points, radii, squash=0.8 if shape.hoof > 0.5 else 0.95, blend=0.15 * thick)
    builder.limb(BodyPart.NECK, names)
    if shape.mane > 0.02:
        _mane(builder, shape, names, points, radii, coat)
    if shape.ruff > 0.02:
        grow = 1.0 + 0.5 * shape.ruff
        for i, name in enumerate(names):
            builder.cone(
                name,
                points[i],
                points[i + 1],
                radii[i] * 0.95 * grow,
                radii[i + 1] * grow,
                colour=coat.hair,
                blend=0.3 * thick,
            )
        collar = shape.head * f.height * shape.head_width * 0.5 * (1 + 0.75 * shape.ruff)
        builder.ball(
            "Head",
            crown - [0.0, 0.38 * collar, 0.3 * collar],
            collar,
            colour=coat.hair,
            blend=0.3 * thick,
            squash=0.62,
            squash_axis=Z_FORWARD,
        )
    return crown


def _mane(builder: PlanBuilder, shape: QuadrupedShape, names: list[str], points: list, radii: list, coat: Coat) -> None:
    group = builder.group("mane", 0.3 * radii[-1])
    for i, name in enumerate(names):
        along = (points[i + 1] - points[i]) / np.linalg.norm(points[i + 1] - points[i])
        up = np.array([0.0, along[2], -along[1]])
        crest = [points[i + k] + up * radii[i + k] * (0.85 + 0.25 * shape.mane) for k in (0, 1)]
        size = [radii[i + k] * (0.22 + 0.3 * shape.mane) for k in (0, 1)]
        if i == 0:
            size[0] *= 0.6
        builder.cone(name, crest[0], crest[1], *size, squash=0.55, colour=coat.hair, group=group, blend=0.3 * radii[-1])


def _tail(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> None:
    length = shape.tail * f.height
    count = int(np.clip(round(2.0 + 4.0 * shape.tail), 3, 6 if shape.tail < 2.0 else 8))
    base = np.array([0.0, shape.rump * f.height - 0.4 * f.rump_radius, f.hip_z - 0.85 * f.rump_radius])
    points = [base]
    for i in range(count):
        angle = shape.tail_angle + shape.tail_curl * (i + 0.5) / count
        points.append(points[-1] + length / count * np.array([0.0, np.sin(angle), -np.cos(angle)]))
    lowest = min(p[1] for p in points) - 1.3 * shape.tail_width * f.height
    if lowest < 0:  # a tail longer than its height is drawn up to lie just above the ground
        drop = base[1] - min(p[1] for p in points)
        keep = max(drop + lowest, 0.0) / drop
        points = [base + (p - base) * [1.0, keep if p[1] < base[1] else 1.0, 1.0] for p in points]
    names = [f"Tail{i + 1}" for i in range(count)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    t = np.linspace(0.0, 1.0, count + 1)
    r = shape.tail_width * f.height
    profile = np.where(
        t < 0.6,
        1 + (shape.tail_bush - 1) * np.sin(0.5 * np.pi * t / 0.6),
        shape.tail_bush * np.cos(0.5 * np.pi * (t - 0.6) / 0.5),
    )
    radii = r * np.maximum(profile, 0.35 * min(shape.tail_bush, 1.0))
    group = builder.group("tail", 0.8 * r)
    for i, name in enumerate(names):
        colour = coat.hair if shape.tuft > 0.75 else None
        if coat.tail_tip is not None and i == count - 1:
            colour = coat.tail_tip
        builder.cone(name, points[i], points[i + 1], radii[i], radii[i + 1], colour=colour, group=group, blend=0.12 * r)
    if 0.25 < shape.tuft <= 0.75:
        builder.cone(
            names[-1],
            points[-2] * 0.4 + points[-1] * 0.6,
            points[-1],
            1.3 * r,
            0.6 * r,
            colour=coat.hair,
            group=group,
            blend=0.4 * r,
        )
    builder.limb(BodyPart.TAIL, names)
