"""Body plan of wasps, bees and flies: a round thorax with wings and six hanging legs, a head, and an abdomen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged

WASP_LEG_PLACES = (0.28, 0.02, -0.22)
"""Where each pair of legs leaves the thorax, ahead of its middle, in thorax lengths."""
LEG_TURNS = (0.75, 0.1, -0.85)
"""How far each pair of legs points ahead, as a share of how far it points aside."""


@dataclass(frozen=True)
class WaspShape:
    """Proportions of a wasp; lengths are shares of the thorax's length."""

    thorax: float = ranged(0.004, 0.6, 0.06)
    """Length of the thorax, metres."""
    girth: float = ranged(0.5, 1.1, 0.78)
    """Width of the thorax per its length."""
    head: float = ranged(0.3, 1.1, 0.55)
    """Width of the head, in thorax lengths."""
    eye: float = ranged(0.2, 0.6, 0.36)
    """Radius of an eye per width of the head."""
    feeler: float = ranged(0.1, 1.4, 0.6)
    """Length of an antenna, in thorax lengths."""
    waist: float = ranged(0.05, 0.8, 0.22)
    """Length of the waist, in thorax lengths."""
    abdomen: float = ranged(0.6, 2.6, 1.4)
    """Length of the abdomen, in thorax lengths."""
    abdomen_width: float = ranged(0.3, 0.9, 0.5)
    """Width of the abdomen per its length."""
    droop: float = ranged(-0.2, 1.3, 0.35)
    """How far the abdomen hangs down, radians."""
    sting: float = ranged(0.0, 0.6, 0.22)
    """Length of the sting, in thorax lengths; 0 has none."""
    leg: float = ranged(0.7, 2.6, 1.3)
    """Height of the thorax above the ground, in thorax lengths."""
    reach: float = ranged(0.5, 1.6, 1.05)
    """How far the feet stand aside of the thorax, per its height."""
    limb: float = ranged(0.04, 0.14, 0.065)
    """Radius of a leg, in thorax lengths."""
    wing: float = ranged(1.0, 4.0, 2.2)
    """Length of a wing, in thorax lengths."""
    chord: float = ranged(0.3, 0.9, 0.5)
    """Width of a wing per half its length."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_wasp(name: str, s: WaspShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a wasp; the root is the thorax, the abdomen counts as its tail."""
    builder = PlanBuilder()
    L = s.thorax
    half = 0.5 * s.girth * L
    centre = np.array([0.0, s.leg * L + 0.5 * half, 0.0])
    builder.chain(["Thorax"], None, [centre - 0.1 * L * Z_FORWARD, centre + 0.45 * L * Z_FORWARD], BodyPart.TORSO)
    builder.cone(
        "Thorax", centre - 0.14 * L * Z_FORWARD, centre + 0.16 * L * Z_FORWARD, 0.94 * half, 0.9 * half, blend=0.1 * L
    )
    _head(builder, s, coat, centre)
    _abdomen(builder, s, coat, centre - 0.42 * L * Z_FORWARD + 0.05 * L * Y_UP)
    for pair, (place, turn) in enumerate(zip(WASP_LEG_PLACES, LEG_TURNS, strict=True)):
        _leg(builder, s, centre, pair, place, turn)
    _wing(builder, s, coat, centre)
    return builder.build(name, coat, gap=0.0)


def _head(builder: PlanBuilder, s: WaspShape, coat: Coat, centre: np.ndarray) -> None:
    L, half = s.thorax, 0.5 * s.head * s.thorax
    nape = centre + 0.44 * L * Z_FORWARD + 0.04 * L * Y_UP
    face = nape + 0.85 * half * Z_FORWARD - 0.1 * L * Y_UP
    chin = face + half * np.array([0.0, -0.75, 0.35])
    builder.chain(["Head"], "Thorax", [nape, chin], BodyPart.HEAD)
    builder.cone("Head", nape - 0.1 * L * Z_FORWARD, face, 0.3 * half, 0.3 * half, blend=0.1 * half)
    builder.ball("Head", face, half, squash=0.72, squash_axis=Z_FORWARD, blend=0.3 * half)
    builder.cone("Head", face, chin, 0.62 * half, 0.36 * half, blend=0.2 * half)
    fang = chin + 0.22 * half * X_LEFT
    jaw: ConeOptions = {"both": True, "colour": coat.horn, "hard_edge": True}
    builder.cone("Head", fang, fang - half * np.array([0.12, 0.34, 0.0]), 0.2 * half, 0.09 * half, **jaw)
    gaze = X_LEFT + 0.75 * Z_FORWARD + 0.15 * Y_UP
    eye = face + 0.62 * half * X_LEFT + 0.2 * half * Y_UP + 0.3 * half * Z_FORWARD
    radius = 2.0 * s.eye * half
    builder.eye("Head", eye, radius, gaze, coat.eye, coat.eye, pupil_angle=0.0, iris_angle=4.0, sink_depth=0.55)
    root = face + half * np.array([0.22, 0.5, 0.55])
    bend = root + 0.3 * s.feeler * L * np.array([0.45, 0.6, 0.7])
    tip = bend + 0.7 * s.feeler * L * np.array([0.35, -0.1, 0.9])
    thick = 0.035 * L
    feeler: ConeOptions = {"both": True, "group": builder.group("feeler.L", 0.02 * L), "colour": coat.horn}
    builder.cone("Head", root, bend, 1.1 * thick, thick, **feeler)
    builder.cone("Head", bend, tip, thick, 0.9 * thick, **feeler)
    builder.refine(face, 1.6 * half, 0.5)
    builder.refine(0.5 * (bend + tip), 0.4 * s.feeler * L, 0.35)


def _abdomen(builder: PlanBuilder, s: WaspShape, coat: Coat, waist: np.ndarray) -> None:
    """Add the waist and an abdomen of three bones that hangs down towards its tip."""
    L, length = s.thorax, s.abdomen * s.thorax
    half = 0.5 * s.abdomen_width * length
    points = [waist]
    for share, turn in ((s.waist * L + 0.15 * length, 0.3), (0.45 * length, 0.8), (0.4 * length, 1.25)):
        slope = -s.droop * turn
        points.append(points[-1] + share * np.array([0.0, np.sin(slope), -np.cos(slope)]))
    lowest = min(p[1] for p in points) - half
    if lowest < 0.1 * L:  # an abdomen that would lie on the ground is held up
        lack = 0.1 * L - lowest
        points = [p + Y_UP * lack * k / 3.0 for k, p in enumerate(points)]
    names = ["Abdomen1", "Abdomen2", "Abdomen3"]
    builder.chain(names, "Thorax", points, BodyPart.TAIL)
    thin = 0.12 * L
    belt = points[0] + s.waist * L / (s.waist * L + 0.15 * length) * (points[1] - points[0])
    builder.cone("Abdomen1", waist + 0.12 * L * Z_FORWARD, belt, 1.1 * thin, thin, blend=0.05 * L)
    builder.cone("Abdomen1", belt, points[1], thin, 0.8 * half, blend=0.05 * L)
    builder.cone("Abdomen2", points[1], points[2], 0.82 * half, 0.95 * half, blend=0.1 * L)
    end = points[3] - 0.3 * (points[3] - points[2])
    builder.cone("Abdomen3", points[2], end, 0.95 * half, 0.42 * half, blend=0.1 * L)
    along = (points[3] - points[2]) / np.linalg.norm(points[3] - points[2])
    tip = end + (0.5 * half + s.sting * L) * along
    builder.cone("Abdomen3", end, tip, 0.4 * half, 0.06 * L, colour=coat.horn, hard_edge=True, blend=0.02 * L)
    builder.limb(BodyPart.TAIL, names)


def _leg(builder: PlanBuilder, s: WaspShape, centre: np.ndarray, pair: int, place: float, turn: float) -> None:
    """Add a leg of three bones that hangs from the underside of the thorax to the ground."""
    L, r, half = s.thorax, s.limb * s.thorax, 0.5 * s.girth * s.thorax
    root = centre + np.array([0.4 * half, -0.6 * half, place * L])
    out = np.array([1.0, 0.0, turn]) / np.hypot(1.0, turn)
    reach = s.reach * s.leg * L * (1.25 if pair == 2 else 1.0)
    knee = root + 0.55 * reach * out + 0.12 * s.leg * L * Y_UP
    ankle = root * [1.0, 0.0, 1.0] + 0.85 * reach * out + 0.3 * s.leg * L * Y_UP
    tip = root * [1.0, 0.0, 1.0] + reach * out
    names = [f"{bone}{pair + 1}.L" for bone in ("Femur", "Tibia", "Tarsus")]
    builder.chain(names, "Thorax", [root, knee, ankle, tip], BodyPart.LEG)
    group = builder.group(f"leg{pair + 1}.L", 0.05 * L)
    options: ConeOptions = {"group": group, "blend": 0.4 * r}
    builder.cone(names[0], root, knee, 1.15 * r, 0.95 * r, **options)
    builder.cone(names[1], knee, ankle, 0.95 * r, 0.8 * r, **options)
    builder.cone(names[2], ankle, tip + 0.25 * r * Y_UP, 0.8 * r, 0.8 * r, **options)
    builder.refine(tip + 0.1 * s.leg * L * Y_UP, 0.3 * s.leg * L, 0.4)
    builder.limb(BodyPart.LEG, names, pair=pair, contact=names[2])


def _wing(builder: PlanBuilder, s: WaspShape, coat: Coat, centre: np.ndarray) -> None:
    """Add a thin wing of two bones, held out to the side and a little back and up."""
    L, length, half = s.thorax, s.wing * s.thorax, 0.5 * s.girth * s.thorax
    joint = centre + np.array([0.4 * half, 0.78 * half, 0.05 * L])
    out = np.array([1.0, 0.3, -0.35])
    out /= np.linalg.norm(out)
    points = [joint, joint + 0.5 * length * out, joint + length * out]
    names = ["Wing1.L", "Wing2.L"]
    builder.chain(names, "Thorax", points, BodyPart.WING)
    group = builder.group("wing.L", 0.04 * L)
    wide, plate, vein = 0.5 * s.chord * length, 0.03 * length, 0.035 * length
    normal = Y_UP - (Y_UP @ out) * out
    normal /= np.linalg.norm(normal)
    back = np.cross(out, normal)
    back = back if back[2] < 0 else -back
    thin: ConeOptions = {"squash_axis": normal, "group": group, "colour": coat.hair, "blend": 0.1 * wide}
    inner, outer = points[0] + 0.25 * length * out, points[1] + 0.05 * length * out
    builder.cone(names[0], joint, inner, 1.3 * vein, vein, group=group)
    builder.cone(names[0], inner, outer, 0.4 * wide, 0.8 * wide, squash=plate / wide, **thin)
    start, end = outer + 0.1 * wide * back, points[2] - 0.75 * wide * out + 0.15 * wide * back
    builder.cone(names[1], start, end, 0.85 * wide, 0.75 * wide, squash=plate / wide, **thin)
    builder.cone(names[1], points[1], points[2], vein, 0.7 * vein, group=group, blend=0.2 * vein)
    builder.refine(points[1], 0.5 * length, 0.25)
    builder.limb(BodyPart.WING, names)
