"""Body plan of birds, from songbird to ostrich."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import X_LEFT, Y_UP, Z_FORWARD, Coat, CreatureBodyPlan
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder
from gambol.creatures.parameter_ranges import check_ranges, ranged


@dataclass(frozen=True)
class BirdShape:
    """Proportions of a bird; lengths are shares of the trunk's length."""

    trunk: float = ranged(0.03, 1.6, 0.085)
    """Length of the trunk, metres."""
    depth: float = ranged(0.35, 0.95, 0.66)
    """Depth of the trunk, in trunk lengths."""
    width: float = ranged(0.6, 1.2, 0.9)
    """Width of the trunk per its depth."""
    pitch: float = ranged(-0.1, 1.2, 0.45)
    """How steeply the trunk rises to the front, radians."""
    leg: float = ranged(0.3, 1.8, 0.7)
    """Height of the hips above the ground, in trunk lengths."""
    limb: float = ranged(0.012, 0.09, 0.03)
    """Radius of the bare leg, in trunk lengths."""
    drumstick: float = ranged(0.08, 0.3, 0.14)
    """Radius of the thigh, in trunk lengths."""
    toe: float = ranged(0.15, 0.7, 0.36)
    """Length of the middle toe, in trunk lengths."""
    toes: float = ranged(0.0, 1.0, 1.0)
    """Kind of foot: 1 has three toes in front and one behind, 0 only two thick ones (an ostrich)."""
    neck: float = ranged(0.1, 1.6, 0.22)
    """Length of the neck, in trunk lengths."""
    neck_angle: float = ranged(-0.2, 1.5, 0.9)
    """Slope of the neck above the horizon, radians."""
    neck_width: float = ranged(0.04, 0.35, 0.24)
    """Radius of the neck behind the head, in trunk lengths."""
    bare_neck: float = ranged(0.0, 1.0, 0.0)
    """Whether the neck is bare, in the colour of the legs: 0 or 1."""
    head: float = ranged(0.12, 0.6, 0.42)
    """Length of the skull, in trunk lengths."""
    beak: float = ranged(0.2, 2.2, 0.55)
    """Length of the beak per length of the skull."""
    beak_width: float = ranged(0.2, 0.9, 0.38)
    """Width of the beak at its base per width of the skull."""
    hook: float = ranged(0.0, 1.0, 0.1)
    """How far the beak bends down at its tip, 0 to 1."""
    flat_beak: float = ranged(0.0, 1.0, 0.0)
    """Flatness of the beak: 1 is a broad, flat bill (a duck)."""
    wing: float = ranged(0.4, 3.0, 1.35)
    """Length of one wing when it is open, in trunk lengths."""
    chord: float = ranged(0.2, 0.9, 0.55)
    """Length of the flight feathers, in trunk lengths."""
    spread: float = ranged(0.0, 1.0, 0.9)
    """Pose of the wings: 0 is folded, 1 open."""
    tail: float = ranged(0.15, 1.6, 0.62)
    """Length of the tail feathers, in trunk lengths."""
    tail_width: float = ranged(0.15, 1.2, 0.5)
    """Width of the tail at its end per its length."""
    tail_angle: float = ranged(-0.7, 1.3, 0.0)
    """Slope of the tail above the trunk's axis, radians."""
    crest: float = ranged(0.0, 1.0, 0.0)
    """Height of a crest or comb on the head, 0 to 1."""
    eye: float = ranged(0.06, 0.2, 0.13)
    """Radius of an eye per length of the skull."""

    def __post_init__(self) -> None:
        check_ranges(self)


def plan_bird(name: str, s: BirdShape, coat: Coat) -> CreatureBodyPlan:
    """Make the body plan of a bird; its coat's `horn` is the beak, `hair` the feathers, `markings` the crest."""
    builder = PlanBuilder()
    L = s.trunk
    axis = np.array([0.0, np.sin(s.pitch), np.cos(s.pitch)])
    up = np.array([0.0, np.cos(s.pitch), -np.sin(s.pitch)])
    R = 0.5 * s.depth * L
    hips = np.array([0.0, s.leg * L, 0.0])
    middle = hips + 0.12 * L * axis
    rear, breast = middle - 0.22 * L * axis, middle + 0.2 * L * axis
    chest = middle + 0.3 * L * axis + 0.35 * R * up
    spine = [
        middle - 0.14 * L * axis + 0.3 * R * up,
        middle + 0.02 * L * axis + 0.34 * R * up,
        middle + 0.17 * L * axis + 0.32 * R * up,
        chest,
    ]
    builder.chain(["Hips", "Spine1", "Chest"], None, spine, BodyPart.TORSO)
    options: ConeOptions = {"squash": s.width, "blend": 0.15 * R}
    builder.cone("Hips", rear - 0.12 * L * axis + 0.1 * R * up, rear + 0.12 * L * axis, 0.55 * R, 0.9 * R, **options)
    builder.cone("Spine1", rear + 0.12 * L * axis, middle + 0.08 * L * axis, 0.9 * R, R, **options)
    builder.cone("Chest", middle + 0.08 * L * axis, breast + 0.04 * L * axis + 0.08 * R * up, R, 0.82 * R, **options)
    if s.pitch > 1.0:  # an upright bird shows its belly to the front
        front = middle - 0.26 * R * up
        builder.cone(
            "Spine1",
            front - 0.2 * L * axis,
            front + 0.22 * L * axis,
            0.8 * R,
            0.68 * R,
            squash=s.width,
            colour=coat.belly,
            skin_grip=-0.5 * R,
        )
    crown = _neck(builder, s, coat, chest, R)
    _head(builder, s, coat, crown)
    _wing(builder, s, coat, breast, axis, up, R)
    _leg(builder, s, coat, middle - 0.02 * L * axis, R)
    _tail(builder, s, coat, rear - 0.3 * L * axis + 0.2 * R * up, R)
    return builder.build(name, coat, gap=0.02 * L)


def _neck(builder: PlanBuilder, s: BirdShape, coat: Coat, base: ndarray, R: float) -> ndarray:
    count = 1 if s.neck < 0.3 else 2 if s.neck < 0.6 else 4
    length = s.neck * s.trunk + 0.2 * R
    rise = np.array([0.0, np.sin(s.neck_angle), np.cos(s.neck_angle)])
    low = s.neck_angle - 0.6
    crown = base + length * rise
    bend = base + 0.4 * length * np.array([0.0, np.sin(low), np.cos(low)])
    t = np.linspace(0.0, 1.0, count + 1)[:, None]
    points = list((1 - t) ** 2 * base + 2 * t * (1 - t) * bend + t**2 * crown)
    names = [f"Neck{i + 1}" for i in range(count)]
    builder.chain(names, "Chest", points, BodyPart.NECK)
    thick = s.neck_width * s.trunk
    root = min(0.75 * R, max(1.5 * thick, 0.45 * R))
    radii = [thick + (root - thick) * (1 - x) ** (2.0 if count > 2 else 1.0) for x in np.linspace(0, 1, count + 1)]
    colours = [coat.legs if s.bare_neck > 0.5 else None] * count
    if coat.head is not None:
        colours[-1] = coat.head
    for i, name in enumerate(names):
        builder.cone(name, points[i], points[i + 1], radii[i], radii[i + 1], blend=0.15 * thick, colour=colours[i])
    builder.limb(BodyPart.NECK, names)
    return crown


def _head(builder: PlanBuilder, s: BirdShape, coat: Coat, crown: ndarray) -> None:
    length = s.head * s.trunk
    r = 0.5 * length
    centre = crown + 0.45 * r * Z_FORWARD + 0.25 * r * Y_UP
    bill = s.beak * length
    root = centre + 0.62 * r * Z_FORWARD - 0.12 * r * Y_UP
    tip = centre + (0.8 * r + bill) * Z_FORWARD - (0.2 + 0.5 * s.hook) * r * Y_UP
    last = [j.name for j in builder.joints if j.part == BodyPart.NECK][-1]
    builder.chain(["Head"], last, [crown, tip], BodyPart.HEAD)
    colour = coat.head or (coat.legs if s.bare_neck > 0.5 else None)
    builder.cone(
        "Head",
        centre - 0.15 * r * Z_FORWARD,
        centre + 0.2 * r * Z_FORWARD,
        r,
        0.86 * r,
        squash=0.9,
        blend=0.3 * r,
        colour=colour,
    )
    wide = s.beak_width * r
    flat = 1.0 - 0.55 * s.flat_beak
    end = wide * (0.16 + 0.7 * s.flat_beak)
    options: ConeOptions = {
        "squash": flat,
        "squash_axis": Y_UP,
        "colour": coat.horn,
        "hard_edge": True,
        "blend": 0.08 * r,
    }
    bow = 0.5 * (root + tip) + 0.28 * s.hook * r * Y_UP
    builder.cone("Head", root, bow, wide, 0.55 * (wide + end), **options)
    builder.cone("Head", bow, tip, 0.55 * (wide + end), end, **options)
    if s.crest > 0.03:
        for k in range(3):
            top = centre + (0.5 - 0.42 * k) * r * Z_FORWARD + 0.85 * r * Y_UP
            builder.cone(
                "Head",
                top - 0.3 * r * Y_UP,
                top + s.crest * r * (0.75 - 0.12 * k) * (Y_UP - 0.35 * Z_FORWARD),
                0.2 * r,
                0.12 * r,
                squash=0.6,
                colour=coat.markings,
                hard_edge=True,
                blend=0.05 * r,
            )
    builder.eye(
        "Head",
        centre + 0.7 * r * X_LEFT + 0.32 * r * Z_FORWARD + 0.2 * r * Y_UP,
        s.eye * length,
        X_LEFT + 0.5 * Z_FORWARD + 0.1 * Y_UP,
        coat.eye,
        (0.02, 0.018, 0.016),
        pupil_angle=0.6,
        iris_angle=1.2,
    )
    builder.refine(centre + 0.4 * bill * Z_FORWARD, 1.2 * length + 0.4 * bill, 0.5)


def _wing(
    builder: PlanBuilder, s: BirdShape, coat: Coat, breast: ndarray, axis: ndarray, up: ndarray, R: float
) -> None:
    """Add a wing of three bones with a row of feathers, between folded along the trunk and held out level."""
    length, w = s.wing * s.trunk, s.spread
    back = -Z_FORWARD
    folded = [-axis * 0.9 - 0.35 * up, -axis * 0.75 - 0.5 * up * 0.3, -axis]
    opened = [
        X_LEFT + 0.22 * back + 0.14 * Y_UP,
        X_LEFT + 0.3 * Z_FORWARD + 0.1 * Y_UP,
        X_LEFT + 0.25 * back + 0.02 * Y_UP,
    ]
    shares = (0.3, 0.34, 0.36)
    joint = breast + 0.82 * R * s.width * X_LEFT * (1 - 0.25 * w) + 0.42 * R * up
    shrink = 0.45 + 0.55 * w
    points = [joint]
    for a, b, share in zip(folded, opened, shares, strict=True):
        direction = (1 - w) * (np.array(a) + 0.06 * X_LEFT) + w * np.array(b)
        points.append(points[-1] + share * length * shrink * direction / np.linalg.norm(direction))
    names = ["Wing1.L", "Wing2.L", "Wing3.L"]
    builder.chain(names, "Chest", points, BodyPart.WING)
    group = builder.group("wing.L", 0.3 * R)
    arm = max(0.022 * length, 0.09 * R)
    plate = max(0.03 * s.trunk, 0.35 * arm)
    builder.tube(
        names,
        points,
        [2.0 * arm, 1.4 * arm, 1.1 * arm, 0.6 * arm],
        squash=0.75,
        squash_axis=Y_UP,
        group=group,
        blend=0.3 * arm,
    )
    for bone, root, tip, wide, cover in plumes(points, w, s.chord * s.trunk, axis):
        along = (tip - root) / np.linalg.norm(tip - root)
        normal = (1 - w) * X_LEFT + w * Y_UP
        normal = normal - (normal @ along) * along
        normal /= np.linalg.norm(normal)
        rise = 0.4 * plate * normal if cover else np.zeros(3)
        options: ConeOptions = {
            "squash": min(0.6, plate / wide),
            "squash_axis": normal,
            "group": group,
            "blend": 0.1 * wide,
        }
        builder.cone(
            bone,
            root + rise,
            tip - along * 0.55 * wide + rise,
            wide,
            0.62 * wide,
            colour=None if cover else coat.hair,
            **options,
        )
    builder.refine(points[2], 0.5 * length, 0.2)
    builder.limb(BodyPart.WING, names)


def plumes(points: list, w: float, feather: float, axis: ndarray) -> list[tuple[str, ndarray, ndarray, float, bool]]:
    """Return bone, root, tip and half width of each feather, and whether it is a covert above the flight feathers."""
    found = []
    back = (1 - w) * (-axis) + w * (-Z_FORWARD)
    out = (points[3] - points[2]) / np.linalg.norm(points[3] - points[2])
    for i, places in enumerate(((0.15, 0.5, 0.85), (0.1, 0.35, 0.6, 0.85), (0.1, 0.3, 0.5, 0.7, 0.95))):
        for place in places:
            root = points[i] + place * (points[i + 1] - points[i])
            turn = float(np.clip(((i + place) / 3.0 - 0.45) / 0.55, 0.0, 1.0))
            direction = back * (1.0 - 0.75 * turn * w) + out * turn * (0.35 + 0.65 * w) * 1.1
            reach = feather * (0.72 + 0.55 * turn) * direction / np.linalg.norm(direction)
            found.append((f"Wing{i + 1}.L", root, root + reach, 0.2 * feather, False))
            found.append((f"Wing{i + 1}.L", root, root + 0.58 * reach, 0.22 * feather, True))
    return found


def _leg(builder: PlanBuilder, s: BirdShape, coat: Coat, middle: ndarray, R: float) -> None:
    L, r = s.trunk, s.limb * s.trunk
    x = max(0.45 * R * s.width, 1.5 * r)
    height = middle[1]
    foot_z = middle[2] + 0.02 * L
    hip = np.array([0.85 * x, height - 0.05 * R, middle[2] - 0.08 * L])
    knee = np.array([1.1 * x, height - 0.30 * height - 0.1 * R, middle[2] + 0.12 * L])
    hock = np.array([x, 0.42 * height, middle[2] - 0.16 * min(L, height)])
    ankle = np.array([x, 1.2 * r, foot_z - 0.02 * L])
    toe = s.toe * L
    tip = ankle + np.array([0.0, -1.2 * r, toe])
    names = ["Thigh.L", "Shin.L", "Tarsus.L", "Foot.L"]
    builder.chain(names, "Hips", [hip, knee, hock, ankle, tip], BodyPart.LEG)
    group = builder.group("leg.L", 0.06 * L)
    thigh = s.drumstick * L
    feathers: ConeOptions = {"group": group, "blend": 0.4 * r, "colour": coat.legs if s.bare_neck > 0.5 else None}
    bare: ConeOptions = {"group": group, "blend": 0.4 * r, "colour": coat.legs}
    builder.cone("Thigh.L", hip, knee, 1.1 * thigh, 0.8 * thigh, **feathers)
    shank = knee + 0.6 * (hock - knee)
    builder.cone("Shin.L", knee, shank, 0.8 * thigh, max(1.3 * r, 0.4 * thigh), **feathers)
    builder.cone("Shin.L", shank, hock, max(1.2 * r, 0.35 * thigh), 1.15 * r, **bare)
    builder.cone("Tarsus.L", hock, ankle, 1.15 * r, r, **bare)
    if s.toes > 0.5:
        directions, thick = [(0.0, 1.0), (0.55, 0.8), (-0.5, 0.8)], 0.85 * r
        heel = ankle + np.array([0.0, -0.5 * r, -0.5 * toe])
        builder.cone("Foot.L", ankle - Y_UP * 0.5 * r, heel, thick, 0.7 * thick, **bare)
    else:
        directions, thick = [(-0.1, 1.0), (0.45, 0.7)], 1.35 * r
    for turn, share in directions:
        end = ankle + share * toe * np.array([np.sin(turn), 0.0, np.cos(turn)]) - Y_UP * 0.6 * r
        builder.cone("Foot.L", ankle - Y_UP * 0.4 * r, end, thick, 0.75 * thick, **bare)
        claw = end + 0.6 * thick * np.array([np.sin(turn), -0.3, np.cos(turn)])
        builder.cone("Foot.L", end, claw, 0.7 * thick, 0.45 * thick, group=group, colour=coat.horn, hard_edge=True)
    builder.refine(0.7 * ankle + 0.3 * hock + Z_FORWARD * 0.25 * toe, 0.7 * toe + 0.6 * hock[1], 0.55)
    builder.limb(BodyPart.LEG, names, contact="Foot.L")


def _tail(builder: PlanBuilder, s: BirdShape, coat: Coat, base: ndarray, R: float) -> None:
    angle = s.pitch - s.tail_angle
    length = s.tail * s.trunk
    direction = np.array([0.0, -np.sin(angle), -np.cos(angle)])
    lowest = base[1] + length * direction[1]
    if lowest < 0.12 * s.leg * s.trunk:  # keep it off the ground
        direction[1] = (0.12 * s.leg * s.trunk - base[1]) / length
        direction /= np.linalg.norm(direction)
    up = np.array([0.0, direction[2], -direction[1]])
    up = up if up[1] > 0 else -up
    names = ["Tail1", "Tail2", "Tail3"]
    points = [base + share * length * direction for share in (0.0, 0.22, 0.6, 1.0)]
    builder.chain(names, "Hips", points, BodyPart.TAIL)
    group = builder.group("tail", 0.5 * R)
    half = 0.5 * s.tail_width * length
    builder.cone(
        "Tail1",
        points[0],
        points[1],
        min(0.5 * R, 0.4 * length),
        min(max(0.24 * R, 0.4 * half), 0.24 * length),
        squash=0.7,
        squash_axis=up,
        group=group,
        blend=0.2 * R,
    )
    count = 5
    plume = max(0.36 * half, 0.05 * length, 0.12 * R)
    for k in range(count):
        aside = (2.0 * k / (count - 1) - 1.0) * half
        reach = 1.0 - 0.12 * abs(2.0 * k / (count - 1) - 1.0)
        root, end = points[1] + X_LEFT * 0.2 * aside, base + direction * (length * reach - plume) + X_LEFT * aside
        split = root + 0.5 * (end - root)
        thin = min(0.7, max(0.2, 0.03 * s.trunk / plume))
        options: ConeOptions = {
            "squash": thin,
            "squash_axis": up,
            "group": group,
            "colour": coat.hair,
            "blend": 0.1 * plume,
        }
        builder.cone("Tail2", root, split, 0.8 * plume, plume, **options)
        builder.cone("Tail3", split, end, plume, 0.8 * plume, **options)
    builder.refine(points[2], 0.5 * length, 0.25)
    builder.limb(BodyPart.TAIL, names)
