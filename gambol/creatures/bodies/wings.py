"""Wings for bodies of any plan: a stretched arm of three bones with a membrane (dragons) or feathers (a pegasus)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.bird import plumes
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder

BONE_SHARES = (0.27, 0.33, 0.4)
"""Share of a wing's length in upper arm, forearm and hand."""
MEMBRANE_FINGERS = ((0.0, 0.45, 0.9), (0.25, 0.6, 0.95), (0.22, 0.5, 0.75))
"""Where panels of the membrane leave each bone, as shares of its length."""


@dataclass(frozen=True)
class WingMeasures:
    """Measures of one wing, metres."""

    length: float
    """Length of the stretched wing."""
    chord: float
    """Depth of the membrane, or length of the flight feathers."""
    rise: float
    """Slope of the spread wing above the horizon, radians."""
    feathered: bool = False
    """Whether it has feathers instead of a membrane."""


def build_wing(builder: PlanBuilder, measures: WingMeasures, joint: ndarray, parent: str, coat: Coat) -> None:
    """Add a spread wing at a shoulder joint; its membrane or feathers have the colour of the coat's hair."""
    up = np.tan(measures.rise)
    directions = (
        X_LEFT + (up + 0.15) * Y_UP - 0.2 * Z_FORWARD,
        X_LEFT + (up + 0.1) * Y_UP + 0.3 * Z_FORWARD,
        X_LEFT + (up - 0.15) * Y_UP - 0.22 * Z_FORWARD,
    )
    points = [joint]
    for direction, share in zip(directions, BONE_SHARES, strict=True):
        points.append(points[-1] + share * measures.length * direction / np.linalg.norm(direction))
    names = ["Wing1.L", "Wing2.L", "Wing3.L"]
    builder.chain(names, parent, points, BodyPart.WING)
    arm = 0.026 * measures.length
    group = builder.group("wing.L", 1.2 * arm)
    options: ConeOptions = {"group": group, "blend": 0.3 * arm}
    builder.tube(names, points, [2.0 * arm, 1.3 * arm, 1.1 * arm, 0.6 * arm], **options)
    if measures.feathered:
        _feathers(builder, measures, points, group, coat)
    else:
        _membrane(builder, measures, points, group, coat)
    builder.refine(points[2], 0.55 * measures.length, 0.25)
    builder.limb(BodyPart.WING, names)


def _feathers(builder: PlanBuilder, m: WingMeasures, points: list[ndarray], group: str, coat: Coat) -> None:
    plate = 0.014 * m.length
    for bone, root, tip, wide, cover in plumes(points, 1.0, m.chord, Z_FORWARD):
        along = (tip - root) / np.linalg.norm(tip - root)
        normal = Y_UP - (Y_UP @ along) * along
        normal /= np.linalg.norm(normal)
        lift = 0.4 * plate * normal if cover else np.zeros(3)
        options: ConeOptions = {"squash": min(0.6, plate / wide), "squash_axis": normal, "group": group}
        colour = None if cover else coat.hair
        end = tip - along * 0.55 * wide + lift
        builder.cone(bone, root + lift, end, wide, 0.62 * wide, blend=0.1 * wide, colour=colour, **options)


def _membrane(builder: PlanBuilder, m: WingMeasures, points: list[ndarray], group: str, coat: Coat) -> None:
    """Add overlapping thin panels that trail behind the arm, with a finger along each."""
    plate, finger = 0.014 * m.length, 0.011 * m.length
    outward = (points[3] - points[2]) / np.linalg.norm(points[3] - points[2])
    for i, places in enumerate(MEMBRANE_FINGERS):
        for place in places:
            root = points[i] + place * (points[i + 1] - points[i])
            turn = float(np.clip((i + place - 0.8) / 2.0, 0.0, 1.0))
            direction = (1.0 - turn) * -Z_FORWARD + 0.95 * turn * outward - 0.1 * Y_UP
            direction /= np.linalg.norm(direction)
            reach = m.chord * (1.0 - 0.35 * turn) * (0.85 if i == 0 else 1.0)
            wide = 0.085 * m.length + 0.1 * m.chord
            reach = max(reach, 1.2 * wide)
            normal = Y_UP - (Y_UP @ direction) * direction
            normal /= np.linalg.norm(normal)
            options: ConeOptions = {"group": group, "colour": coat.hair, "blend": 0.1 * wide}
            thin: ConeOptions = {"squash": min(0.6, plate / wide), "squash_axis": normal, **options}
            start, end = root + 0.3 * wide * direction, root + (reach - 0.8 * wide) * direction
            builder.cone(f"Wing{i + 1}.L", start, end, 0.9 * wide, 0.9 * wide, **thin)
            tip = root + 1.05 * reach * direction
            builder.cone(f"Wing{i + 1}.L", root, tip, 1.2 * finger, 0.8 * finger, group=group, blend=0.2 * finger)


def build_spines(builder: PlanBuilder, bones: list[str], height: float, coat: Coat) -> None:
    """Add a row of spines of `height` metres along the top of bones in the middle plane."""
    group = builder.group("spines", 0.1 * height)
    for bone in bones:
        piece = next((f for f in builder.flesh if f.bone == bone), None)
        if piece is None:
            continue
        start, end = np.array(piece.start), np.array(piece.end)
        along = end - start
        length = float(np.linalg.norm(along))
        up = np.array([0.0, abs(along[2]), -along[1] * np.sign(along[2] or 1.0)]) / max(length, 1e-9)
        for share in (0.25, 0.75):
            radius = piece.start_radius + share * (piece.end_radius - piece.start_radius)
            size = min(height, 1.6 * radius)
            root = start + share * along + 0.8 * radius * up
            top = root + (0.2 * radius + size) * up - 0.35 * size * Z_FORWARD
            options: ConeOptions = {"squash": 0.5, "colour": coat.horn, "hard_edge": True, "group": group}
            builder.cone(bone, root, top, 0.42 * size, 0.1 * size, **options)
