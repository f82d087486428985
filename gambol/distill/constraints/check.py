"""Constraints that cannot be met by any motion, or that contradict one another, are refused before a run starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.hold import Hold
from gambol.distill.constraints.limb_names import chosen_joints, head_chain
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.meet import first_time
from gambol.distill.constraints.path_over_ground import GroundPath
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.pose_key import PoseKey
from gambol.distill.constraints.speed import Speed
from gambol.distill.losses.loss import Loss
from gambol.errors import ConfigError
from gambol.motion.feet.soles import typical_leg_length
from gambol.motion.gravity import EARTH_GRAVITY
from gambol.poses.inverse_kinematics import find_handle_point

FASTEST_FROUDE = 70.0
"""Highest v^2 / (g leg) that a body can do: a fox's sprint."""
ALWAYS = (0.0, float("inf"))
"""The span of what counts all the time, seconds."""
SAME_PLACE = 0.002
"""Two pins of a joint at one time agree up to this distance, sizes."""


def check_constraints(
    character: Character, anatomy: Anatomy, constraints: Iterable[Loss], *, seconds: float | None = None
) -> None:
    """Refuse unknown joints and limbs, times outside the clip, contradictions and speeds that no body has.

    `seconds` is the length of the clip, None where it is not known yet.
    """
    own = [one for one in constraints if isinstance(one, MotionConstraint)]
    for one in own:
        _check_names(character, anatomy, one)
        if seconds is not None and first_time(one) > seconds + 1e-6:
            raise ConfigError(f"'{one.name}' is outside the clip, which lasts from 0 to {seconds:g} s.")
        if isinstance(one, GroundPath | Speed):
            _check_speed(character, anatomy, one)
    for first, second in combinations(own, 2):
        _check_pair(character, anatomy, first, second)


def _check_names(character: Character, anatomy: Anatomy, one: MotionConstraint) -> None:
    skeleton = character.require_skeleton()
    if isinstance(one, Pin):
        find_handle_point(skeleton, one.joint)
    elif isinstance(one, Hold | Freeze):
        chosen_joints(skeleton, anatomy, one.limbs)
    elif isinstance(one, LookAt):
        head_chain(skeleton, anatomy)
    elif isinstance(one, PoseKey):
        one.found.check_fits(skeleton)


def _check_speed(character: Character, anatomy: Anatomy, one: GroundPath | Speed) -> None:
    most = float(np.sqrt(FASTEST_FROUDE * EARTH_GRAVITY * typical_leg_length(character, anatomy)))
    if isinstance(one, GroundPath):
        speed, first, last = one.fastest
        when = f"between {first:g} and {last:g} s"
    else:
        speed, when = max(one.speeds), f"at {one.times[int(np.argmax(one.speeds))]:g} s"
    if speed > most:
        raise ConfigError(
            f"The {one.name} asks for {speed:.3g} m/s {when}; a body of this size can do {most:.3g} m/s. Give it more"
            " time, or a shorter way."
        )


def _check_pair(character: Character, anatomy: Anatomy, first: MotionConstraint, second: MotionConstraint) -> None:
    both = f"'{first.name}' and '{second.name}'"
    skeleton = character.require_skeleton()
    if isinstance(first, Pin) and isinstance(second, Pin) and _overlap([first.span], [second.span]):
        same = find_handle_point(skeleton, first.joint) == find_handle_point(skeleton, second.joint)
        apart = float(np.linalg.norm(np.subtract(first.position, second.position)))
        if same and apart > SAME_PLACE * character.size:
            raise ConfigError(
                f"{both} contradict each other: they are {apart:.3g} m apart at the same time. Leave one of them out."
            )
        if same:
            raise ConfigError(f"{both} are the same pin twice. Leave one of them out.")
    if isinstance(first, PoseKey) and isinstance(second, PoseKey) and first.time == second.time:
        raise ConfigError(f"{both} are at the same time; give each time one pose.")
    courses = [one for one in (first, second) if isinstance(one, GroundPath | Speed)]
    if len(courses) == 2:
        _check_courses(both, *courses)
    looks = [one for one in (first, second) if isinstance(one, LookAt)]
    if len(looks) == 2 and looks[0].target != looks[1].target:
        when = [[look.interval or ALWAYS] for look in looks]
        if _overlap(*when):
            raise ConfigError(f"{both} contradict each other: they overlap in time. Give them intervals that do not.")
    for one, other in ((first, second), (second, first)):
        if isinstance(one, Freeze | Hold) and isinstance(other, Pin | LookAt | PoseKey):
            _check_still(character, anatomy, one, other)


def _check_courses(both: str, first: GroundPath | Speed, second: GroundPath | Speed) -> None:
    if type(first) is type(second):
        raise ConfigError(f"{both}: a clip has one {first.name}. Put all of it into one.")
    path = first if isinstance(first, GroundPath) else second
    if path.times is not None:
        raise ConfigError(f"{both} contradict each other: the path's times say how fast it is gone. Leave one out.")


def _check_still(character: Character, anatomy: Anatomy, still: Freeze | Hold, other: Pin | LookAt | PoseKey) -> None:
    """Limbs that keep their pose can do nothing else at that time; a hold takes the pose that its first moment has."""
    skeleton = character.require_skeleton()
    kept = chosen_joints(skeleton, anatomy, still.limbs)
    if isinstance(other, PoseKey):
        if isinstance(still, Freeze):
            return  # the key poses the other joints
        concerned, what, spans = kept.any(), ", ".join(still.limbs), [(other.time, other.time)]
    elif isinstance(other, LookAt):
        concerned, what = kept[list(head_chain(skeleton, anatomy))].all(), "the head"
        spans = [other.interval or ALWAYS]
    else:
        concerned, what, spans = kept[find_handle_point(skeleton, other.joint)[0]], other.joint, [other.span]
    if isinstance(still, Hold):
        times: Sequence[tuple[float, float]] = [(np.nextafter(still.interval[0], np.inf), still.interval[1])]
    else:
        times = still.spans or (ALWAYS if still.source is None else (0.0, still.source.clip.duration),)
    if concerned and _overlap(spans, times):
        done = "frozen" if isinstance(still, Freeze) else "held"
        raise ConfigError(
            f"'{still.name}' and '{other.name}' contradict each other: {what} is {done} at that time. Leave one of them"
            f" out, or let other joints be {done}."
        )


def _overlap(first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]]) -> bool:
    return any(a[0] <= b[1] and b[0] <= a[1] for a in first for b in second)
