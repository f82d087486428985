"""Guesses of how far each joint turns: from what the bone is, and from how its limb is bent at rest.

All angles are radians about the axes of the bone's rest frame, R = R_x R_y R_z (`Skeleton`): y runs along the bone, a
turn about x moves its end towards z. With x to the character's left that is the swing in the sagittal plane.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Limb
from gambol.character.anatomy.rest_shape import RestShape
from gambol.character.skeleton import FORWARD, LEFT

FREE = 4.0 * np.pi
"""The root turns as often as it likes."""
FULLY_BENT = 2.6
"""A knee or an elbow bends until its bones are this far from straight,"""
OVERSTRETCHED = 0.17
"""and is stretched this little beyond straight."""
LEAST_FLEX = 0.8
"""A joint that is bent at rest bends at least this much more."""
BENT_LEG = 0.14
"""A leg that is bent more than this at rest shows which way its joint bends;"""
BENT_ARM = 0.26
"""an arm wants more, since it is often modelled a little overstretched."""
BENT_ASIDE = 0.6
"""Less than this to the side is how the bones happen to lie, not a joint that bends sideways as a spider's."""
KNEE_HEIGHT = 0.8
"""Joints of a leg below this share of its height bend one way only, down to"""
ANKLE_HEIGHT = 0.25
"""this share; what is lower is the foot."""
SIDEWAYS = 0.7
"""A bone with this cosine to the left or right is a girdle: its own twist swings the limb."""

TORSO = ((-0.6, 0.6), (-0.6, 0.6), (-0.5, 0.5))
NECK = ((-0.9, 0.9), (-0.8, 0.8), (-0.6, 0.6))
HEAD = ((-0.9, 0.9), (-0.9, 0.9), (-0.6, 0.6))
EAR = ((-1.2, 0.8), (-0.8, 0.8), (-0.8, 0.8))
TAIL = ((-0.9, 0.9), (-0.4, 0.4), (-0.8, 0.8))
WING = ((-2.4, 2.4), (-1.1, 1.1), (-1.4, 1.4))
HIP = ((-1.8, 1.6), (-0.7, 0.7), (-0.8, 0.8))
LEG_GIRDLE = ((-0.4, 0.4), (-1.2, 1.2), (-0.6, 0.6))
FOOT = ((-0.9, 2.3), (-0.5, 0.5), (-0.5, 0.5))
TOE = ((-0.9, 1.0), (-0.4, 0.4), (-0.4, 0.4))
ARM_GIRDLE = ((-0.6, 0.6), (-0.6, 0.6), (-0.8, 0.8))
SHOULDER = ((-1.9, 1.9), (-1.6, 1.6), (-1.4, 2.8))
WRIST = ((-1.0, 1.0), (-1.2, 1.2), (-1.2, 1.2))
FINGER = ((-1.6, 1.6), (-0.6, 0.6), (-1.8, 1.8))
KNEE_SLACK = ((-0.4, 0.4), (-0.5, 0.5))
"""What a knee gives about the two axes that it does not bend about: along the bone, then the other,"""
ELBOW_SLACK = ((-1.6, 1.6), (-0.7, 0.7))
"""and an elbow, with the turn of the forearm."""

Ranges = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


def guess_limits(shape: RestShape, parts: tuple[BodyPart, ...], limbs: tuple[Limb, ...]) -> Float[ndarray, "bones 3 2"]:
    """Lowest and highest angle of each bone about x, y and z; the rest pose is always allowed with a margin."""
    plain = {
        BodyPart.TORSO: TORSO,
        BodyPart.NECK: NECK,
        BodyPart.HEAD: EAR,
        BodyPart.TAIL: TAIL,
        BodyPart.LEG: TOE,
        BodyPart.ARM: FINGER,
        BodyPart.WING: WING,
    }
    limits = np.array([plain[part] for part in parts])
    front_legs = max((limb.pair for limb in limbs if limb.part == BodyPart.LEG), default=0) > 0
    for limb in limbs:
        if limb.part == BodyPart.HEAD:
            limits[list(limb.bones)] = HEAD
        elif limb.part == BodyPart.LEG:
            _limit_leg(limits, shape, limb, is_front=front_legs and limb.pair == 0)
        elif limb.part == BodyPart.ARM:
            _limit_arm(limits, shape, limb)
    limits[0] = (-FREE, FREE)
    return limits


def _limit_leg(limits: Float[ndarray, "bones 3 2"], shape: RestShape, limb: Limb, *, is_front: bool) -> None:
    """Girdle, hip, joints that bend one way, foot, toes; by height, since their number differs from rig to rig.

    Where a leg is straight at rest, its first such joint bends backwards, the next ones to and fro (stifle, hock); a
    front leg of several pairs begins forwards, with its elbow.
    """
    chain = np.array(limb.bones)
    low = shape.lowest(limb.bones)
    heights = (shape.heads[chain, 1] - low) / max(float(shape.heads[chain, 1].max()) - low, 1e-9)
    straight, feet = FORWARD if is_front else -FORWARD, 0
    for i, bone in enumerate(limb.bones):
        if i > 0 and heights[i] < ANKLE_HEIGHT:
            limits[bone] = FOOT if feet == 0 else TOE
            feet += 1
        elif i > 0 and heights[i] < KNEE_HEIGHT:
            flex, angle = _flexion(shape, limb.bones[i - 1], bone, straight, BENT_LEG)
            limits[bone] = _hinge(shape, bone, flex, angle, KNEE_SLACK)
            straight = -FORWARD if flex @ FORWARD > 0 else FORWARD
        else:
            limits[bone] = LEG_GIRDLE if abs(_along(shape, bone) @ LEFT) > SIDEWAYS else HIP


def _limit_arm(limits: Float[ndarray, "bones 3 2"], shape: RestShape, limb: Limb) -> None:
    """Collarbone where the second bone is longer, shoulder, elbow, wrist; the rest are fingers."""
    chain = limb.bones
    lengths = np.linalg.norm(shape.tails[list(chain)] - shape.heads[list(chain)], axis=1)
    girdle = len(chain) > 2 and lengths[1] > lengths[0] and lengths[2] > 0.4 * lengths[1]
    kinds: list[Ranges] = [ARM_GIRDLE, SHOULDER] if girdle else [SHOULDER]
    for bone, kind in zip(chain, kinds, strict=False):
        limits[bone] = kind
    elbow = len(kinds)
    if elbow < len(chain):
        flex, angle = _flexion(shape, chain[elbow - 1], chain[elbow], FORWARD, BENT_ARM)
        limits[chain[elbow]] = _hinge(shape, chain[elbow], flex, angle, ELBOW_SLACK)
    if elbow + 1 < len(chain):
        limits[chain[elbow + 1]] = WRIST


def _flexion(
    shape: RestShape, upper: int, lower: int, straight: Float[ndarray, "3"], bent: float
) -> tuple[Float[ndarray, "3"], float]:
    """Which way the lower bone's end goes when the joint bends, and how far it is bent at rest.

    Bending turns the lower bone's direction d away from the upper one's, a: along f = (a . d) d - a. Where the joint is
    straight at rest, or bent a little and to the side, it is `straight` and 0.
    """
    above, along = _along(shape, upper), _along(shape, lower)
    square = (above @ along) * along - above
    angle = float(np.arctan2(np.linalg.norm(square), above @ along))
    aside = abs(square @ LEFT) > SIDEWAYS * np.linalg.norm(square) and angle < BENT_ASIDE
    return (square, angle) if angle > bent and not aside else (straight, 0.0)


def _hinge(
    shape: RestShape,
    bone: int,
    flex: Float[ndarray, "3"],
    angle: float,
    slack: tuple[tuple[float, float], tuple[float, float]],
) -> Float[ndarray, "3 2"]:
    """One-way range of a joint: from the angle at rest it bends to `FULLY_BENT` and stretches to straight.

    A turn about x moves the bone's end along z, one about z along -x; the axis that does more of `flex` is the hinge.
    """
    x, z = (shape.skeleton.T_world_rest[bone, :3, k] for k in (0, 2))
    about_x = abs(flex @ z) >= abs(flex @ x)
    low, high = -(angle + OVERSTRETCHED), max(FULLY_BENT - angle, LEAST_FLEX)
    hinge = (low, high) if (flex @ z if about_x else -flex @ x) >= 0 else (-high, -low)
    return np.array([hinge, slack[0], slack[1]] if about_x else [slack[1], slack[0], hinge])


def _along(shape: RestShape, bone: int) -> Float[ndarray, "3"]:
    """Unit direction of a bone at rest."""
    along = shape.tails[bone] - shape.heads[bone]
    return along / max(float(np.linalg.norm(along)), 1e-12)
