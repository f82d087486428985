"""The head of a four-legged animal: skull, muzzle, ears, horns, trunk, eyes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import Coat, vector
from gambol.creatures.bodies.plan_builder import Looks, PlanBuilder
from gambol.creatures.bodies.quadruped_shape import Frame, Quadruped
from gambol.creatures.bodies.skin_colours import mixed

SIDE, UP, AHEAD = np.eye(3)


@dataclass(frozen=True)
class Head:
    """Where the head is, which way it looks, and how large it is, metres."""

    crown: Float[ndarray, "3"]
    """The joint with the neck."""
    brow: Float[ndarray, "3"]
    """The front end of the skull's axis."""
    nose: Float[ndarray, "3"]
    """The middle of the muzzle's round end."""
    ahead: Float[ndarray, "3"]
    up: Float[ndarray, "3"]
    length: float
    half: float
    """Half the width of the skull."""
    tip: float
    """Radius of the muzzle's end."""


def build_head(builder: PlanBuilder, shape: Quadruped, f: Frame, coat: Coat, crown: Float[ndarray, "3"]) -> None:
    """Bones and flesh of the head, from the end of the neck on."""
    head = _measure(shape, f, crown)
    neck = [j.name for j in builder.joints if j.part == BodyPart.NECK][-1]
    builder.chain(["Head"], neck, [crown, head.nose], BodyPart.HEAD)
    _skull(builder, shape, head, coat)
    if shape.trunk > 0.02:
        _trunk(builder, shape, f, head)
    _ears(builder, shape, f, head, coat)
    if shape.nose_horn > 0.02:
        _nose_horn(builder, shape, head, coat)
    if shape.horn > 0.02 and shape.trunk > 0.02:
        _tusks(builder, shape, head)
    elif shape.horn > 0.02:
        _horns(builder, shape, head, coat)
    e = shape.eye_front
    aside, high, forward = SIDE * (0.74 - 0.28 * e), head.up * (0.4 - 0.14 * e), head.ahead * (0.15 + 0.55 * e)
    gaze = SIDE * (0.95 - 0.7 * e) + head.ahead * (0.3 + 0.7 * e) + head.up * 0.12
    white = mixed(coat.eye, (0.01, 0.01, 0.01), 0.7)
    place, radius = head.brow + head.half * (aside + high + forward), shape.eye * head.length
    builder.eye("Head", place, radius, gaze, coat.eye, white, pupil=0.5, rim=1.0, sunk=0.5)
    builder.lens(crown + head.ahead * 0.5 * head.length, 0.8 * head.length, 0.55)


def _measure(shape: Quadruped, f: Frame, crown: Float[ndarray, "3"]) -> Head:
    length, half = shape.head * f.H, 0.5 * shape.head * f.H * shape.head_width
    ahead = np.array([0.0, -np.sin(shape.head_pitch), np.cos(shape.head_pitch)])
    up = np.array([0.0, np.cos(shape.head_pitch), np.sin(shape.head_pitch)])
    tip = shape.muzzle_width * half
    brow = crown + ahead * max(0.32 * half, (1 - shape.muzzle) * length - 0.75 * half)
    return Head(crown, brow, crown + ahead * (length - tip) - up * 0.32 * half, ahead, up, length, half, tip)


def _skull(builder: PlanBuilder, shape: Quadruped, head: Head, coat: Coat) -> None:
    """Braincase, muzzle, jowls or cheeks, nose, forelock."""
    ahead, up, half, tip, soft = head.ahead, head.up, head.half, head.tip, 0.3 * head.half
    builder.cone("Head", head.crown + ahead * 0.3 * half, head.brow, 0.96 * half, 0.8 * half, blend=soft)
    builder.cone("Head", head.brow - up * 0.2 * half, head.nose, max(0.62 * half, 0.9 * tip), tip, blend=soft)
    jowl = head.crown + 0.45 * (head.brow - head.crown)
    if shape.hoof > 0.5:
        builder.ball("Head", jowl + SIDE * 0.3 * half - up * 0.55 * half, 0.72 * half, both=True, thin=0.6, blend=soft)
        lip = head.nose - ahead * 0.7 * tip
        builder.cone("Head", lip, lip + ahead * 0.75 * tip, 0.98 * tip, 1.06 * tip, colour=coat.muzzle, blend=soft)
        nostril = head.nose + tip * (ahead * 0.72 + SIDE * 0.45 + up * 0.35)
        builder.ball("Head", nostril, 0.2 * tip, both=True, colour=coat.horn, firm=True, blend=0.1 * tip)
    else:
        looks: Looks = {"both": True, "colour": coat.muzzle or mixed(coat.back, coat.belly, 0.8 * coat.countershade)}
        chops = jowl + SIDE * 0.35 * half - up * 0.3 * half
        builder.cone("Head", chops, head.nose - up * 0.3 * tip, 0.55 * half, 0.72 * tip, blend=soft, **looks)
        if shape.muzzle < 0.42:  # the pads that a cat's whiskers grow from
            pad = head.nose + tip * (SIDE * 0.4 - up * 0.25 + ahead * 0.25)
            builder.ball("Head", pad, 0.62 * tip, blend=0.3 * tip, **looks)
        if shape.cheek > 0.05:
            fluff = jowl + SIDE * 0.5 * half - up * 0.35 * half
            point = fluff + half * (SIDE * 0.75 * shape.cheek - up * 0.25 - ahead * 0.25)
            builder.cone("Head", fluff, point, 0.5 * half, 0.12 * half, blend=soft, **looks)
        if shape.trunk <= 0.02:
            nose = head.nose + tip * (ahead * 0.78 + up * 0.4)
            builder.ball("Head", nose, max(0.36 * tip, 0.09 * half), colour=coat.horn, firm=True, blend=0.1 * tip)
    if shape.mane > 0.3:
        top, end = head.crown + up * 0.9 * half, head.crown + up * 0.9 * half + 0.7 * (head.brow - head.crown)
        builder.cone("Head", top, end, 0.22 * half, 0.12 * half, colour=coat.hair, firm=True, blend=0.1 * half)


def _ears(builder: PlanBuilder, shape: Quadruped, f: Frame, head: Head, coat: Coat) -> None:
    size, half = shape.ear * head.length, head.half
    width, fan = 0.5 * shape.ear_width * size, shape.ear > 0.8 and shape.ear_round > 0.7  # an elephant's
    swallowed = max(0.0, shape.neck_width * f.H - 0.9 * half)  # a neck thicker than the head hides its back
    base = head.crown + head.ahead * (0.25 * half + swallowed)
    base = base + half * (head.up * (0.3 if fan else 0.72) + SIDE * (0.75 if fan else 0.5))
    upright = 0.4 * head.up + 0.6 * UP if shape.head_pitch > 0 else head.up  # a lowered head still pricks its ears
    upright = upright / np.linalg.norm(upright)
    out = np.sin(shape.ear_angle) * SIDE + np.cos(shape.ear_angle) * upright
    droop = np.clip((shape.ear_angle - 1.5) / 0.7, 0.0, 1.0)
    inwards = np.sin(shape.ear_angle) * upright - np.cos(shape.ear_angle) * SIDE
    face = (1 - droop) * (head.ahead + 0.25 * SIDE) + droop * inwards
    face = face - (face @ out) * out
    face = face / np.linalg.norm(face)
    tip, middle = base + size * out, base + 0.5 * size * out
    builder.chain(["Ear.L"], "Head", [base, tip], BodyPart.HEAD)
    end, wide = width * (0.14 + 0.55 * shape.ear_round), width * (0.6 + 0.4 * shape.ear_round)
    thin = float(np.clip(0.16 * half / width, 0.2, 0.4)) if fan else 0.48
    looks: Looks = {"thin": thin, "across": vector(face), "group": builder.group("ear.L", 0.2 * half)}
    builder.cone("Ear.L", base, middle, width, wide, **looks)
    builder.cone("Ear.L", middle, tip - out * end, wide, end, blend=0.1 * width, **looks)
    inner = mixed(coat.belly, (0.35, 0.12, 0.09), 0.35)
    dent = base + face * width * thin * 0.6
    builder.cone(
        "Ear.L", dent + out * 0.12 * size, dent + out * 0.6 * size, 0.62 * width, 0.5 * wide, colour=inner, **looks
    )
    builder.lens(middle, 0.7 * size + 0.3 * width, 0.6)


def _horns(builder: PlanBuilder, shape: Quadruped, head: Head, coat: Coat) -> None:
    """A pair of horns, with the tines of antlers where they branch."""
    up, ahead, half, size = head.up, head.ahead, head.half, shape.horn * head.length
    base = head.crown + half * (ahead * 0.45 + up * 0.8 + SIDE * 0.35)
    bow = base + size * (0.45 * SIDE + 0.4 * up - 0.15 * ahead)
    tip = bow + size * (0.05 * SIDE + 0.5 * up + 0.2 * ahead)
    thick = 0.16 * half + 0.05 * size
    looks: Looks = {"both": True, "colour": mixed((0.55, 0.48, 0.36), coat.horn, 0.3), "firm": True}
    looks |= {"group": builder.group("horn.L", 0.1 * half), "blend": 0.3 * thick}
    builder.cone("Head", base, bow, thick, 0.75 * thick, **looks)
    builder.cone("Head", bow, tip, 0.75 * thick, 0.35 * thick, **looks)
    if shape.antler > 0.05:
        low, middle = base + 0.45 * (bow - base), base + 0.85 * (bow - base)
        tines = (
            (low, 0.3 * up + 0.4 * ahead),
            (middle, 0.3 * up + 0.25 * ahead),
            (bow, 0.35 * up - 0.3 * ahead + 0.15 * SIDE),
        )
        for root, way in tines:
            builder.cone("Head", root, root + shape.antler * size * way, 0.6 * thick, 0.35 * thick, **looks)
    builder.lens(bow, 0.6 * size, 0.4)


def _nose_horn(builder: PlanBuilder, shape: Quadruped, head: Head, coat: Coat) -> None:
    tip = head.tip
    root = head.nose + head.up * 0.6 * tip - head.ahead * 0.15 * head.length
    point = root + shape.nose_horn * head.length * (0.85 * UP + 0.2 * head.up)
    looks: Looks = {"colour": coat.horn, "firm": True, "group": builder.group("nose horn", 0.1 * tip)}
    builder.cone("Head", root, point, 0.42 * tip, 0.1 * tip, **looks)
    builder.lens(0.5 * (root + point), 0.4 * head.length, 0.4)


def _tusks(builder: PlanBuilder, shape: Quadruped, head: Head) -> None:
    half, size = head.half, shape.horn * head.length
    root = head.nose + head.tip * (SIDE * 0.95 - head.up * 0.3)
    bow = root + size * (0.4 * head.ahead - 0.3 * UP + 0.3 * SIDE)
    looks: Looks = {
        "colour": (0.72, 0.68, 0.55),
        "firm": True,
        "both": True,
        "group": builder.group("tusk.L", 0.05 * half),
    }
    builder.cone("Head", root, bow, 0.2 * half, 0.16 * half, **looks)
    builder.cone("Head", bow, bow + size * (0.5 * AHEAD + 0.05 * UP), 0.16 * half, 0.08 * half, **looks)
    builder.lens(bow, 0.6 * size, 0.5)


def _trunk(builder: PlanBuilder, shape: Quadruped, f: Frame, head: Head) -> None:
    step, points = 0.25 * shape.trunk * f.H, [head.nose]
    for angle in np.linspace(0.9, 1.75, 4):
        points.append(points[-1] + step * np.array([0.0, -np.sin(angle), np.cos(angle)]))
    names = [f"Trunk{i + 1}" for i in range(4)]
    builder.chain(names, "Head", points, BodyPart.HEAD)
    builder.tube(names, points, list(np.linspace(0.95, 0.4, 5) * head.tip), blend=0.3 * head.tip)
