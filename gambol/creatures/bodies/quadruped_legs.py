"""Legs of four-legged animals: shoulder blade to paw, hip to foot, on paws or hooves."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import Y_UP, Coat
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.bodies.quadruped_shape import QuadrupedFrame, QuadrupedShape


def build_fore_leg(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> None:
    """Add a foreleg: shoulder blade, upper arm, forearm, and paw with metacarpus (a horse's cannon and hoof)."""
    r = f.limb
    x = max(0.72 * f.half_width, 1.35 * r)
    elbow_y = shape.leg * f.height + 0.08 * f.depth
    wrist_y = shape.wrist * elbow_y
    top = np.array([0.6 * f.half_width, f.height - 0.18 * f.depth, f.shoulder_z - 0.05 * f.depth])
    point = np.array([0.85 * x, elbow_y + 0.42 * (f.height - elbow_y) * 0.75, f.shoulder_z + 0.2 * f.depth])
    elbow = np.array([x, elbow_y, f.shoulder_z - 0.1 * f.depth])
    wrist = np.array([x, wrist_y, f.shoulder_z - 0.1 * f.depth + 0.08 * elbow_y * min(shape.bend, 1.0)])
    names = ["Shoulder.L", "UpperArm.L", "Forearm.L", "Paw.L"]
    group = builder.group("fore.L", 1.1 * r)
    options: ConeOptions = {"group": group, "blend": 0.5 * r}
    foot = shape.foot * f.height
    ankle, tip = _foot_points(shape, f, wrist, foot)
    builder.chain(names, "Chest", [top, point, elbow, wrist, tip], BodyPart.LEG)
    muscle = min(0.3 * f.depth, max(2.4 * r, 0.2 * f.depth))
    blade = 0.35 * top + 0.65 * point
    builder.cone(
        "Shoulder.L", top, blade, 0.75 * muscle, 0.85 * muscle, squash=0.55, skin_grip=0.07 * f.depth, **options
    )
    builder.cone("UpperArm.L", point, elbow, 0.95 * muscle, max(1.5 * r, 0.5 * muscle), squash=0.75, **options)
    builder.cone("Forearm.L", elbow, wrist, 1.5 * r, 0.85 * r, **options)
    _foot(builder, "Paw.L", shape, f, wrist, ankle, tip, 0.85 * r, options, coat)
    builder.limb(BodyPart.LEG, names, pair=0, contact="Paw.L")


def build_hind_leg(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat) -> None:
    """Add a hind leg: thigh, shin, metatarsus (hock), and the foot on its toes."""
    r = f.limb
    hip_y = shape.rump * f.height - 0.8 * f.rump_radius
    x = max(0.62 * f.half_width, 1.4 * r)
    belly_y = shape.leg * f.height
    swing = shape.bend * 0.17 * hip_y
    hock_y = shape.hock * hip_y
    knee_y = max(0.5 * (hip_y + hock_y), min(belly_y * 1.05, 0.8 * hip_y))
    hip = np.array([0.85 * x, hip_y, f.hip_z])
    knee = np.array([1.08 * x, knee_y, f.hip_z + 0.75 * swing + 0.02 * f.height])
    hock = np.array([x, hock_y, f.hip_z - 0.95 * swing])
    foot = shape.foot * f.height
    ankle = np.array(
        [x, (0.75 + 0.45 * shape.hoof) * r + 0.12 * shape.hoof * foot, hock[2] + 0.25 * hock_y * min(shape.bend, 1.0)]
    )
    tip = np.array([x, 0.0, ankle[2] + 0.8 * foot])
    names = ["Thigh.L", "Shin.L", "Hock.L", "Foot.L"]
    builder.chain(names, "Hips", [hip, knee, hock, ankle, tip], BodyPart.LEG)
    group = builder.group("hind.L", 1.2 * r)
    options: ConeOptions = {"group": group, "blend": 0.5 * r}
    ham = min(0.85 * f.rump_radius, max(2.6 * r, 0.62 * f.rump_radius))
    builder.cone("Thigh.L", hip, knee, ham, max(1.6 * r, 0.5 * ham), squash=0.72, **options)
    builder.cone("Shin.L", knee, hock, max(1.5 * r, 0.48 * ham), 0.85 * r, **options)
    builder.cone("Hock.L", hock, ankle, 0.85 * r, 0.75 * r, **options)
    _foot(builder, "Foot.L", shape, f, ankle, ankle, tip, 0.75 * r, options, coat)
    builder.limb(BodyPart.LEG, names, pair=1, contact="Foot.L")


def _foot_points(shape: QuadrupedShape, f: QuadrupedFrame, above: ndarray, foot: float) -> tuple[ndarray, ndarray]:
    """Return where the toes (or the hoof) begin, and their tip on the ground."""
    low = (0.75 + 0.45 * shape.hoof) * f.limb + 0.12 * shape.hoof * foot
    ankle = np.array([above[0], min(low, 0.8 * above[1]), above[2] + 0.2 * foot])
    return ankle, np.array([above[0], 0.0, ankle[2] + 0.8 * foot])


def _foot(
    builder,
    bone: str,
    shape: QuadrupedShape,
    f: QuadrupedFrame,
    above,
    ankle,
    tip,
    thick: float,
    options: ConeOptions,
    coat: Coat,
) -> None:
    """Add the lowest part of a leg: a paw with toes, or a hoof."""
    r, foot = f.limb, shape.foot * f.height
    if shape.hoof > 0.5:
        builder.cone(bone, above, ankle + 0.5 * r * Y_UP, thick, 0.75 * r, **options)
        builder.ball(bone, ankle + 0.7 * r * Y_UP, 0.95 * r, **options)
        sole = np.array([ankle[0], 0.0, ankle[2] + 0.42 * foot])
        builder.cone(
            bone,
            ankle,
            sole,
            0.95 * r,
            1.3 * r,
            colour=coat.horn,
            hard_edge=True,
            group=options["group"],
            blend=0.3 * r,
        )
    else:
        builder.cone(bone, above, ankle, thick, 0.95 * r, **options)
        heel = np.array([ankle[0], 0.65 * r, ankle[2] + 0.1 * foot])
        toes = np.array([tip[0], 0.55 * r, tip[2] - 0.8 * r])
        builder.cone(bone, heel, toes, 1.05 * r, 1.0 * r, squash=1.3, **options)
    builder.refine((ankle + tip) / 2, 0.9 * foot + 1.5 * r, 0.4)
