"""Parts that bodies with many legs share: jointed legs, feelers, and arms with pincers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.creatures.bodies.body_plan import Y_UP, Coat
from gambol.creatures.bodies.plan_builder import ConeOptions, PlanBuilder

FLAT = np.array([1.0, 0.0, 1.0])
"""Projects a point on the ground."""


def out_direction(angle: float) -> ndarray:
    """Return the horizontal direction at an angle from straight ahead towards the left, radians."""
    return np.array([np.sin(angle), 0.0, np.cos(angle)])


def leg_points(
    root: ndarray,
    hinge: ndarray,
    out: ndarray,
    *,
    reach: float,
    knee: tuple[float, float],
    ankle: tuple[float, float],
) -> list[ndarray]:
    """Return the joints of a leg: root, hinge, knee, ankle and tip on the ground.

    `reach` is the horizontal distance from hinge to tip, metres; knee and ankle are given by their share of it and
    their height above the ground, metres.
    """
    ground = hinge * FLAT
    bends = [ground + share * reach * out + high * Y_UP for share, high in (knee, ankle)]
    return [root, hinge, *bends, ground + reach * out]


def jointed_leg(
    builder: PlanBuilder, parent: str, names: list[str], points: Sequence[ndarray], radius: float, *, pair: int
) -> None:
    """Add a leg that tapers towards its tip; the last bone stands on the ground."""
    builder.chain(names, parent, points, BodyPart.LEG)
    group = builder.group(f"leg{pair + 1}.L", 0.6 * radius)
    options: ConeOptions = {"group": group, "blend": 0.4 * radius}
    sizes = radius * np.interp(np.linspace(0.0, 1.0, len(points)), [0.0, 0.3, 0.6, 1.0], [0.95, 1.0, 0.82, 0.68])
    for i, name in enumerate(names):
        start, end = points[i], points[i + 1]
        if i == len(names) - 1:
            end = end + Y_UP * 0.1 * radius
        if i == len(names) - 3:  # the thigh is thickest in its middle
            middle = 0.55 * start + 0.45 * end
            builder.cone(name, start, middle, sizes[i], 1.18 * sizes[i], **options)
            builder.cone(name, middle, end, 1.18 * sizes[i], sizes[i + 1], **options)
        else:
            builder.cone(name, start, end, sizes[i], sizes[i + 1], **options)
    builder.limb(BodyPart.LEG, names, pair=pair, contact=names[-1])


def feeler(builder: PlanBuilder, names: list[str], parent: str, points: Sequence[ndarray], radius: float) -> None:
    """Add a feeler: bones on the side of the head."""
    builder.chain(names, parent, points, BodyPart.HEAD)
    group = builder.group(names[0], 0.5 * radius)
    radii = radius * np.linspace(1.0, 0.7, len(points))
    builder.tube(names, points, list(radii), group=group, blend=0.3 * radius)


def pincer_arm(
    builder: PlanBuilder,
    coat: Coat,
    parent: str,
    points: Sequence[ndarray],
    radius: float,
    *,
    girth: float,
    finger: float,
) -> None:
    """Add an arm with a pincer: shoulder, elbow, wrist and tip in `points`; bones of upper arm, forearm, hand, finger.

    `girth` is the radius of the palm, `finger` the share of the hand that the two fingers take; the outer one is part
    of the hand, the inner one a bone of its own.
    """
    names = ["UpperArm.L", "Forearm.L", "Hand.L"]
    shoulder, elbow, wrist, tip = points
    builder.chain(names, parent, points, BodyPart.ARM)
    group = builder.group("claw.L", 0.8 * radius)
    options: ConeOptions = {"group": group, "blend": 0.4 * radius}
    builder.cone(names[0], shoulder, elbow, 0.9 * radius, 1.05 * radius, **options)
    builder.cone(names[1], elbow, wrist, 1.05 * radius, 0.8 * radius, **options)
    along = tip - wrist
    aside = np.cross(Y_UP, along)  # outwards, to the left
    aside = aside / np.linalg.norm(aside)
    knuckle = wrist + (1.0 - finger) * along
    palm = wrist + 0.5 * (1.0 - finger) * along
    builder.cone(names[2], wrist + 0.1 * along, palm, 0.75 * radius, girth, squash=0.85, squash_axis=Y_UP, **options)
    builder.cone(names[2], palm, knuckle, girth, 0.8 * girth, squash=0.85, squash_axis=Y_UP, **options)
    thin = max(0.24 * girth, 0.3 * radius)
    outer, inner = (knuckle + sign * 0.5 * girth * aside for sign in (1.0, -1.0))
    bow = knuckle + 0.5 * finger * along
    paint: ConeOptions = {"colour": coat.hair}
    builder.cone(names[2], outer, bow + 0.6 * girth * aside, 0.42 * girth, 0.36 * girth, **options, **paint)
    builder.cone(
        names[2], bow + 0.6 * girth * aside, tip + 0.12 * girth * aside, 0.36 * girth, thin, **options, **paint
    )
    ends = [inner, tip - 0.3 * girth * aside - 0.06 * along]
    builder.chain(["Finger.L"], names[2], ends, BodyPart.ARM)
    inner_options: ConeOptions = {"group": builder.group("finger.L", 0.1 * girth), "blend": 0.1 * girth}
    middle = bow - 0.68 * girth * aside
    builder.cone("Finger.L", inner - 0.05 * along, middle, 0.4 * girth, 0.32 * girth, **inner_options, **paint)
    builder.cone("Finger.L", middle, ends[1], 0.32 * girth, thin, **inner_options, **paint)
    builder.refine(knuckle + 0.3 * finger * along, max(1.6 * girth, 0.6 * float(np.linalg.norm(along))), 0.45)
    builder.limb(BodyPart.ARM, names)
