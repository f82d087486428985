"""Guess how far each joint turns, from the kind of bone and from how its limb is bent at rest.

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

ROOT_ROTATION_RANGE = 4.0 * np.pi
"""Range of the root's angles to either side: two full turns."""
FULL_FLEXION = 2.6
"""Angle from straight at which a knee or an elbow is fully bent."""
HYPEREXTENSION = 0.17
"""Angle by which a knee or an elbow stretches beyond straight."""
MIN_FLEXION = 0.8
"""Smallest angle by which a joint bends further than at rest."""
LEG_BEND_AT_REST = 0.14
"""A leg joint that is bent by more than this at rest shows which way it bends."""
ARM_BEND_AT_REST = 0.26
"""An arm joint that is bent by more than this at rest shows which way it bends; arms are often overstretched."""
MIN_SIDEWAYS_BEND = 0.6
"""A sideways bend at rest counts as a joint that bends sideways, as a spider's, from this angle on."""
KNEE_HEIGHT_SHARE = 0.8
"""Joints of a leg below this share of its height, and above `ANKLE_HEIGHT_SHARE`, bend one way only."""
ANKLE_HEIGHT_SHARE = 0.25
"""Joints of a leg below this share of its height belong to the foot."""
SIDEWAYS_BONE_COSINE = 0.7
"""A bone whose direction has at least this cosine to the left or right is a girdle: its twist swings the limb."""

TORSO_LIMITS = ((-0.6, 0.6), (-0.6, 0.6), (-0.5, 0.5))
"""Lowest and highest angle of a spine bone about x, y and z of its rest frame, radians."""
NECK_LIMITS = ((-0.9, 0.9), (-0.8, 0.8), (-0.6, 0.6))
"""Lowest and highest angle of a neck bone about x, y and z of its rest frame, radians."""
HEAD_LIMITS = ((-0.9, 0.9), (-0.9, 0.9), (-0.6, 0.6))
"""Lowest and highest angle of the skull about x, y and z of its rest frame, radians."""
EAR_LIMITS = ((-1.2, 0.8), (-0.8, 0.8), (-0.8, 0.8))
"""Lowest and highest angle of an ear, jaw or other bone on the head about x, y and z of its rest frame, radians."""
TAIL_LIMITS = ((-0.9, 0.9), (-0.4, 0.4), (-0.8, 0.8))
"""Lowest and highest angle of a tail bone about x, y and z of its rest frame, radians."""
WING_LIMITS = ((-2.4, 2.4), (-1.1, 1.1), (-1.4, 1.4))
"""Lowest and highest angle of a wing bone about x, y and z of its rest frame, radians."""
HIP_LIMITS = ((-1.8, 1.6), (-0.7, 0.7), (-0.8, 0.8))
"""Lowest and highest angle of a hip joint about x, y and z of its rest frame, radians."""
LEG_GIRDLE_LIMITS = ((-0.4, 0.4), (-1.2, 1.2), (-0.6, 0.6))
"""Lowest and highest angle of a bone from pelvis to leg about x, y and z of its rest frame, radians."""
FOOT_LIMITS = ((-0.9, 2.3), (-0.5, 0.5), (-0.5, 0.5))
"""Lowest and highest angle of an ankle about x, y and z of its rest frame, radians."""
TOE_LIMITS = ((-0.9, 1.0), (-0.4, 0.4), (-0.4, 0.4))
"""Lowest and highest angle of a toe joint about x, y and z of its rest frame, radians."""
ARM_GIRDLE_LIMITS = ((-0.6, 0.6), (-0.6, 0.6), (-0.8, 0.8))
"""Lowest and highest angle of a collarbone about x, y and z of its rest frame, radians."""
SHOULDER_LIMITS = ((-1.9, 1.9), (-1.6, 1.6), (-1.4, 2.8))
"""Lowest and highest angle of a shoulder joint about x, y and z of its rest frame, radians."""
WRIST_LIMITS = ((-1.0, 1.0), (-1.2, 1.2), (-1.2, 1.2))
"""Lowest and highest angle of a wrist about x, y and z of its rest frame, radians."""
FINGER_LIMITS = ((-1.6, 1.6), (-0.6, 0.6), (-1.8, 1.8))
"""Lowest and highest angle of a finger joint about x, y and z of its rest frame, radians."""
KNEE_OFF_AXIS_LIMITS = ((-0.4, 0.4), (-0.5, 0.5))
"""Limits of a knee about the two axes that it does not bend about: along the bone, then the other one."""
ELBOW_OFF_AXIS_LIMITS = ((-1.6, 1.6), (-0.7, 0.7))
"""Limits of an elbow about the two axes that it does not bend about: along the bone (forearm twist), the other one."""

AxisRanges = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
"""Lowest and highest angle about x, y and z."""


def guess_limits(shape: RestShape, parts: tuple[BodyPart, ...], limbs: tuple[Limb, ...]) -> Float[ndarray, "bones 3 2"]:
    """Guess the lowest and highest angle of each bone about x, y and z, radians; the rest pose is always allowed."""
    plain = {
        BodyPart.TORSO: TORSO_LIMITS,
        BodyPart.NECK: NECK_LIMITS,
        BodyPart.HEAD: EAR_LIMITS,
        BodyPart.TAIL: TAIL_LIMITS,
        BodyPart.LEG: TOE_LIMITS,
        BodyPart.ARM: FINGER_LIMITS,
        BodyPart.WING: WING_LIMITS,
    }
    limits = np.array([plain[part] for part in parts])
    front_legs = max((limb.pair for limb in limbs if limb.part == BodyPart.LEG), default=0) > 0
    for limb in limbs:
        if limb.part == BodyPart.HEAD:
            limits[list(limb.bones)] = HEAD_LIMITS
        elif limb.part == BodyPart.LEG:
            _limit_leg(limits, shape, limb, is_front=front_legs and limb.pair == 0)
        elif limb.part == BodyPart.ARM:
            _limit_arm(limits, shape, limb)
    limits[0] = (-ROOT_ROTATION_RANGE, ROOT_ROTATION_RANGE)
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
        if i > 0 and heights[i] < ANKLE_HEIGHT_SHARE:
            limits[bone] = FOOT_LIMITS if feet == 0 else TOE_LIMITS
            feet += 1
        elif i > 0 and heights[i] < KNEE_HEIGHT_SHARE:
            flex, angle = _flexion(shape, limb.bones[i - 1], bone, straight, LEG_BEND_AT_REST)
            limits[bone] = _hinge(shape, bone, flex, angle, KNEE_OFF_AXIS_LIMITS)
            straight = -FORWARD if flex @ FORWARD > 0 else FORWARD
        else:
            limits[bone] = LEG_GIRDLE_LIMITS if abs(_along(shape, bone) @ LEFT) > SIDEWAYS_BONE_COSINE else HIP_LIMITS


def _limit_arm(limits: Float[ndarray, "bones 3 2"], shape: RestShape, limb: Limb) -> None:
    """Collarbone where the second bone is longer, shoulder, elbow, wrist; the rest are fingers."""
    chain = limb.bones
    lengths = np.linalg.norm(shape.tails[list(chain)] - shape.heads[list(chain)], axis=1)
    girdle = len(chain) > 2 and lengths[1] > lengths[0] and lengths[2] > 0.4 * lengths[1]
    kinds: list[AxisRanges] = [ARM_GIRDLE_LIMITS, SHOULDER_LIMITS] if girdle else [SHOULDER_LIMITS]
    for bone, kind in zip(chain, kinds, strict=False):
        limits[bone] = kind
    elbow = len(kinds)
    if elbow < len(chain):
        flex, angle = _flexion(shape, chain[elbow - 1], chain[elbow], FORWARD, ARM_BEND_AT_REST)
        limits[chain[elbow]] = _hinge(shape, chain[elbow], flex, angle, ELBOW_OFF_AXIS_LIMITS)
    if elbow + 1 < len(chain):
        limits[chain[elbow + 1]] = WRIST_LIMITS


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
    aside = abs(square @ LEFT) > SIDEWAYS_BONE_COSINE * np.linalg.norm(square) and angle < MIN_SIDEWAYS_BEND
    return (square, angle) if angle > bent and not aside else (straight, 0.0)


def _hinge(
    shape: RestShape,
    bone: int,
    flex: Float[ndarray, "3"],
    angle: float,
    slack: tuple[tuple[float, float], tuple[float, float]],
) -> Float[ndarray, "3 2"]:
    """One-way range of a joint: from the angle at rest it bends to `FULL_FLEXION` and stretches to straight.

    A turn about x moves the bone's end along z, one about z along -x; the axis that does more of `flex` is the hinge.
    """
    x, z = (shape.skeleton.T_world_rest[bone, :3, k] for k in (0, 2))
    about_x = abs(flex @ z) >= abs(flex @ x)
    low, high = -(angle + HYPEREXTENSION), max(FULL_FLEXION - angle, MIN_FLEXION)
    hinge = (low, high) if (flex @ z if about_x else -flex @ x) >= 0 else (-high, -low)
    return np.array([hinge, slack[0], slack[1]] if about_x else [slack[1], slack[0], hinge])


def _along(shape: RestShape, bone: int) -> Float[ndarray, "3"]:
    """Unit direction of a bone at rest."""
    along = shape.tails[bone] - shape.heads[bone]
    return along / max(float(np.linalg.norm(along)), 1e-12)
