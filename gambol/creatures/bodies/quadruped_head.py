"""Head of four-legged animals: skull, muzzle, ears, horns, trunk, eyes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat
from gambol.creatures.bodies.colours import mix_colours
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.bodies.quadruped_shape import QuadrupedFrame, QuadrupedShape


@dataclass(frozen=True)
class HeadFrame:
    """Position, orientation and size of the head; lengths in metres."""

    crown: Float[ndarray, "3"]
    """Position of the joint with the neck."""
    brow: Float[ndarray, "3"]
    """Front end of the skull's axis."""
    nose: Float[ndarray, "3"]
    """Middle of the muzzle's round end."""
    ahead: Float[ndarray, "3"]
    """Unit vector from the crown to the nose."""
    up: Float[ndarray, "3"]
    """Unit vector upwards, perpendicular to `ahead`."""
    length: float
    """Length of the head."""
    half_width: float
    """Half the width of the skull."""
    muzzle_radius: float
    """Radius of the muzzle's end."""


def build_head(
    builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, coat: Coat, crown: Float[ndarray, "3"]
) -> None:
    """Add the head at the end of the neck."""
    head = _measure_head(shape, f, crown)
    neck = [j.name for j in builder.joints if j.part == BodyPart.NECK or j.name == "Chest"][-1]
    builder.chain(["Head"], neck, [crown, head.nose], BodyPart.HEAD)
    _skull(builder, shape, head, coat)
    if shape.trunk > 0.02:
        _trunk(builder, shape, f, head)
    if shape.ear > 0.02:
        _ears(builder, shape, f, head, coat)
    if shape.nose_horn > 0.02:
        _nose_horn(builder, shape, head, coat)
    if shape.horn > 0.02 and shape.trunk > 0.02:
        _tusks(builder, shape, head)
    elif shape.horn > 0.02:
        _horns(builder, shape, head, coat)
    e = shape.eye_front
    aside, high, forward = X_LEFT * (0.74 - 0.28 * e), head.up * (0.4 - 0.14 * e), head.ahead * (0.15 + 0.55 * e)
    gaze = X_LEFT * (0.95 - 0.7 * e) + head.ahead * (0.3 + 0.7 * e) + head.up * 0.12
    white = mix_colours(coat.eye, (0.01, 0.01, 0.01), 0.7)
    place, radius = head.brow + head.half_width * (aside + high + forward), shape.eye * head.length
    builder.eye("Head", place, radius, gaze, coat.eye, white, pupil_angle=0.5, iris_angle=1.0, sink_depth=0.5)
    builder.refine(crown + head.ahead * 0.5 * head.length, 0.8 * head.length, 0.55)


def _measure_head(shape: QuadrupedShape, f: QuadrupedFrame, crown: Float[ndarray, "3"]) -> HeadFrame:
    length, half = shape.head * f.height, 0.5 * shape.head * f.height * shape.head_width
    ahead = np.array([0.0, -np.sin(shape.head_pitch), np.cos(shape.head_pitch)])
    up = np.array([0.0, np.cos(shape.head_pitch), np.sin(shape.head_pitch)])
    tip = shape.muzzle_width * half
    brow = crown + ahead * max(0.32 * half, (1 - shape.muzzle) * length - 0.75 * half)
    return HeadFrame(crown, brow, crown + ahead * (length - tip) - up * 0.32 * half, ahead, up, length, half, tip)


def _skull(builder: PlanBuilder, shape: QuadrupedShape, head: HeadFrame, coat: Coat) -> None:
    """Add braincase, muzzle, jowls or cheeks, nose and forelock."""
    ahead, up, half, tip, soft = head.ahead, head.up, head.half_width, head.muzzle_radius, 0.3 * head.half_width
    builder.cone("Head", head.crown + ahead * 0.3 * half, head.brow, 0.96 * half, 0.8 * half, blend=soft)
    builder.cone("Head", head.brow - up * 0.2 * half, head.nose, max(0.62 * half, 0.9 * tip), tip, blend=soft)
    jowl = head.crown + 0.45 * (head.brow - head.crown)
    if shape.hoof > 0.5:
        builder.ball(
            "Head", jowl + X_LEFT * 0.3 * half - up * 0.55 * half, 0.72 * half, both=True, squash=0.6, blend=soft
        )
        lip = head.nose - ahead * 0.7 * tip
        builder.cone("Head", lip, lip + ahead * 0.75 * tip, 0.98 * tip, 1.06 * tip, colour=coat.muzzle, blend=soft)
        nostril = head.nose + tip * (ahead * 0.72 + X_LEFT * 0.45 + up * 0.35)
        builder.ball("Head", nostril, 0.2 * tip, both=True, colour=coat.horn, hard_edge=True, blend=0.1 * tip)
    else:
        options: ConeOptions = {
            "both": True,
            "colour": coat.muzzle or mix_colours(coat.back, coat.belly, 0.8 * coat.countershade),
        }
        chops = jowl + X_LEFT * 0.35 * half - up * 0.3 * half
        builder.cone("Head", chops, head.nose - up * 0.3 * tip, 0.55 * half, 0.72 * tip, blend=soft, **options)
        if shape.muzzle < 0.42:  # the pads that a cat's whiskers grow from
            pad = head.nose + tip * (X_LEFT * 0.4 - up * 0.25 + ahead * 0.25)
            builder.ball("Head", pad, 0.62 * tip, blend=0.3 * tip, **options)
        if shape.cheek > 0.05:
            fluff = jowl + X_LEFT * 0.5 * half - up * 0.35 * half
            point = fluff + half * (X_LEFT * 0.75 * shape.cheek - up * 0.25 - ahead * 0.25)
            builder.cone("Head", fluff, point, 0.5 * half, 0.12 * half, blend=soft, **options)
        if shape.trunk <= 0.02:
            nose = head.nose + tip * (ahead * 0.78 + up * 0.4)
            builder.ball("Head", nose, max(0.36 * tip, 0.09 * half), colour=coat.horn, hard_edge=True, blend=0.1 * tip)
    if shape.mane > 0.3:
        top, end = head.crown + up * 0.9 * half, head.crown + up * 0.9 * half + 0.7 * (head.brow - head.crown)
        builder.cone("Head", top, end, 0.22 * half, 0.12 * half, colour=coat.hair, hard_edge=True, blend=0.1 * half)


def _ears(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, head: HeadFrame, coat: Coat) -> None:
    size, half = shape.ear * head.length, head.half_width
    width, fan = 0.5 * shape.ear_width * size, shape.ear > 0.8 and shape.ear_round > 0.7  # an elephant's
    swallowed = max(0.0, shape.neck_width * f.height - 0.9 * half)  # a neck thicker than the head hides its back
    base = head.crown + head.ahead * (0.25 * half + swallowed)
    base = base + half * (head.up * (0.3 if fan else 0.72) + X_LEFT * (0.75 if fan else 0.5))
    upright = 0.4 * head.up + 0.6 * Y_UP if shape.head_pitch > 0 else head.up  # a lowered head still pricks its ears
    upright = upright / np.linalg.norm(upright)
    out = np.sin(shape.ear_angle) * X_LEFT + np.cos(shape.ear_angle) * upright
    droop = np.clip((shape.ear_angle - 1.5) / 0.7, 0.0, 1.0)
    inwards = np.sin(shape.ear_angle) * upright - np.cos(shape.ear_angle) * X_LEFT
    face = (1 - droop) * (head.ahead + 0.25 * X_LEFT) + droop * inwards
    face = face - (face @ out) * out
    face = face / np.linalg.norm(face)
    tip, middle = base + size * out, base + 0.5 * size * out
    builder.chain(["Ear.L"], "Head", [base, tip], BodyPart.HEAD)
    end, wide = width * (0.14 + 0.55 * shape.ear_round), width * (0.6 + 0.4 * shape.ear_round)
    thin = float(np.clip(0.16 * half / width, 0.2, 0.4)) if fan else 0.48
    options: ConeOptions = {"squash": thin, "squash_axis": face, "group": builder.group("ear.L", 0.2 * half)}
    builder.cone("Ear.L", base, middle, width, wide, **options)
    builder.cone("Ear.L", middle, tip - out * end, wide, end, blend=0.1 * width, **options)
    inner = mix_colours(coat.belly, (0.35, 0.12, 0.09), 0.35)
    dent = base + face * width * thin * 0.6
    builder.cone(
        "Ear.L", dent + out * 0.12 * size, dent + out * 0.6 * size, 0.62 * width, 0.5 * wide, colour=inner, **options
    )
    builder.refine(middle, 0.7 * size + 0.3 * width, 0.6)


def _horns(builder: PlanBuilder, shape: QuadrupedShape, head: HeadFrame, coat: Coat) -> None:
    """Add a pair of horns, with the tines of antlers where they branch."""
    up, ahead, half, size = head.up, head.ahead, head.half_width, shape.horn * head.length
    base = head.crown + half * (ahead * 0.45 + up * 0.8 + X_LEFT * 0.35)
    bow = base + size * (0.45 * X_LEFT + 0.4 * up - 0.15 * ahead)
    tip = bow + size * (0.05 * X_LEFT + 0.5 * up + 0.2 * ahead)
    thick = 0.16 * half + 0.05 * size
    options: ConeOptions = {"both": True, "colour": mix_colours((0.55, 0.48, 0.36), coat.horn, 0.3), "hard_edge": True}
    options |= {"group": builder.group("horn.L", 0.1 * half), "blend": 0.3 * thick}
    builder.cone("Head", base, bow, thick, 0.75 * thick, **options)
    builder.cone("Head", bow, tip, 0.75 * thick, 0.35 * thick, **options)
    if shape.antler > 0.05:
        low, middle = base + 0.45 * (bow - base), base + 0.85 * (bow - base)
        tines = (
            (low, 0.3 * up + 0.4 * ahead),
            (middle, 0.3 * up + 0.25 * ahead),
            (bow, 0.35 * up - 0.3 * ahead + 0.15 * X_LEFT),
        )
        for root, direction in tines:
            builder.cone("Head", root, root + shape.antler * size * direction, 0.6 * thick, 0.35 * thick, **options)
    builder.refine(bow, 0.6 * size, 0.4)


def _nose_horn(builder: PlanBuilder, shape: QuadrupedShape, head: HeadFrame, coat: Coat) -> None:
    tip = head.muzzle_radius
    root = head.nose + head.up * 0.6 * tip - head.ahead * 0.15 * head.length
    point = root + shape.nose_horn * head.length * (0.85 * Y_UP + 0.2 * head.up)
    options: ConeOptions = {"colour": coat.horn, "hard_edge": True, "group": builder.group("nose horn", 0.1 * tip)}
    builder.cone("Head", root, point, 0.42 * tip, 0.1 * tip, **options)
    builder.refine(0.5 * (root + point), 0.4 * head.length, 0.4)


def _tusks(builder: PlanBuilder, shape: QuadrupedShape, head: HeadFrame) -> None:
    half, size = head.half_width, shape.horn * head.length
    root = head.nose + head.muzzle_radius * (X_LEFT * 0.95 - head.up * 0.3)
    bow = root + size * (0.4 * head.ahead - 0.3 * Y_UP + 0.3 * X_LEFT)
    options: ConeOptions = {
        "colour": (0.72, 0.68, 0.55),
        "hard_edge": True,
        "both": True,
        "group": builder.group("tusk.L", 0.05 * half),
    }
    builder.cone("Head", root, bow, 0.2 * half, 0.16 * half, **options)
    builder.cone("Head", bow, bow + size * (0.5 * Z_FORWARD + 0.05 * Y_UP), 0.16 * half, 0.08 * half, **options)
    builder.refine(bow, 0.6 * size, 0.5)


def _trunk(builder: PlanBuilder, shape: QuadrupedShape, f: QuadrupedFrame, head: HeadFrame) -> None:
    step, points = 0.25 * shape.trunk * f.height, [head.nose]
    for angle in np.linspace(0.9, 1.75, 4):
        points.append(points[-1] + step * np.array([0.0, -np.sin(angle), np.cos(angle)]))
    names = [f"Trunk{i + 1}" for i in range(4)]
    builder.chain(names, "Head", points, BodyPart.HEAD)
    builder.tube(names, points, list(np.linspace(0.95, 0.4, 5) * head.muzzle_radius), blend=0.3 * head.muzzle_radius)
