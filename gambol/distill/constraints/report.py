"""How closely a finished clip meets its constraints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy
from gambol.character.character import Character
from gambol.character.polyline import arc_lengths
from gambol.character.transforms import matrix_from_quaternion
from gambol.distill.constraints.constraint import MotionConstraint
from gambol.distill.constraints.frames_between import span_frames
from gambol.distill.constraints.freeze import Freeze
from gambol.distill.constraints.hold import Hold
from gambol.distill.constraints.lay_on_path import body_path, ground_course, travelled_distances, way_of_going
from gambol.distill.constraints.limb_names import chosen_joints, head_chain
from gambol.distill.constraints.look_at import LookAt
from gambol.distill.constraints.meet import first_time
from gambol.distill.constraints.path_over_ground import GroundPath
from gambol.distill.constraints.pin import Pin
from gambol.distill.constraints.pose_key import PoseKey
from gambol.distill.constraints.retime import sample_clip
from gambol.distill.constraints.speed import Speed
from gambol.distill.losses.loss import Loss
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import SWAY_SECONDS, smooth_path, swayless_path
from gambol.motion.rotations import rotation_angle
from gambol.poses.inverse_kinematics import find_handle_point

PLACE_MET = 0.01
"""A place is met up to this distance, sizes."""
PATH_MET = 0.03
"""A path is met up to this mean distance, sizes."""
SPEED_MET = 0.1
"""A speed is met up to this share of it."""
TURN_MET = float(np.radians(5.0))
"""A direction or an orientation is met up to this angle, radians."""
HEADING_MET = float(np.radians(10.0))
"""The headings of a path are met up to this mean angle without the sway of steps, radians."""


@dataclass(frozen=True)
class ConstraintReport:
    """How closely one constraint is met."""

    name: str
    """The constraint."""
    met: bool
    """Whether it is met within what counts as met."""
    distance: float | None = None
    """Largest distance of a pin or a key pose, mean distance of a path, sizes; None where no place is demanded."""
    angle: float | None = None
    """Largest angle that is missing, for paths the mean one, radians; None where no direction is demanded."""
    note: str = ""
    """A sentence for people where it is not met."""


def report_constraints(
    character: Character, anatomy: Anatomy, clip: Clip, constraints: Iterable[Loss]
) -> tuple[ConstraintReport, ...]:
    """How closely a clip meets each constraint of Gambol's own in a list of losses."""
    own = [one for one in constraints if isinstance(one, MotionConstraint)]
    T = pose_clip(character.require_skeleton(), clip) if own else np.zeros((0, 0, 4, 4))
    return tuple(_report(character, anatomy, clip, T, one) for one in own)


def _report(character: Character, anatomy: Anatomy, clip: Clip, T: ndarray, one: MotionConstraint) -> ConstraintReport:
    if first_time(one) > clip.duration + 0.5 / clip.fps:
        note = f"'{one.name}' is outside the clip, which lasts {clip.duration:.2f} s, so it was left out."
        return ConstraintReport(one.name, False, note=note)
    if isinstance(one, Pin):
        return _pin_report(character, clip, T, one)
    if isinstance(one, PoseKey):
        return _pose_report(character, clip, T, one)
    if isinstance(one, GroundPath):
        return _path_report(character, clip, one)
    if isinstance(one, Speed):
        return _speed_report(clip, one)
    if isinstance(one, LookAt):
        return _look_report(character, anatomy, clip, T, one)
    assert isinstance(one, Hold | Freeze)
    return _joints_report(character, anatomy, clip, one)


def _pin_report(character: Character, clip: Clip, T: ndarray, pin: Pin) -> ConstraintReport:
    skeleton = character.require_skeleton()
    bone, at_end = find_handle_point(skeleton, pin.joint)
    T_rest = skeleton.T_world_rest[bone]
    point = T_rest[:3, :3].T @ ((skeleton.tails[bone] if at_end else skeleton.heads[bone]) - T_rest[:3, 3])
    T = T[span_frames(pin.span, len(clip), clip.fps), bone]
    off = np.linalg.norm(T[:, :3, :3] @ point + T[:, :3, 3] - pin.position, axis=1)
    distance, angle = float(off.max()) / character.size, None
    if pin.orientation is not None:
        wanted = matrix_from_quaternion(np.array(pin.orientation)) @ T_rest[:3, :3]
        angle = float(rotation_angle(T[:, :3, :3].swapaxes(1, 2) @ wanted).max())
    met = distance <= PLACE_MET and (angle or 0.0) <= TURN_MET
    turned = "" if angle is None else f", {np.degrees(angle):.0f} degrees off its orientation"
    note = "" if met else f"'{pin.name}' cannot be reached: the closest is {float(off.max()):.2f} m away{turned}."
    return ConstraintReport(pin.name, met, distance, angle, note)


def _pose_report(character: Character, clip: Clip, T: ndarray, key: PoseKey) -> ConstraintReport:
    frame = int(span_frames((key.time, key.time), len(clip), clip.fps)[0])
    turned = key.found.root.copy()
    turned[:, [0, 2, 3]] = clip.root[frame, [0, 2, 3]]
    wanted = pose_clip(character.require_skeleton(), replace(key.found, root=turned))[0, :, :3, 3]
    distance = float(np.linalg.norm(T[frame, :, :3, 3] - wanted, axis=1).max()) / character.size
    met = distance <= PLACE_MET
    note = "" if met else f"'{key.name}' is missed by up to {distance * character.size:.2f} m: other constraints pull."
    return ConstraintReport(key.name, met, distance, note=note)


def _path_report(character: Character, clip: Clip, path: GroundPath) -> ConstraintReport:
    course = ground_course(path, character.size)
    raw = body_path(clip, character.require_skeleton().heads[0, [0, 2]])
    places = smooth_path(raw, SWAY_SECONDS * clip.fps)
    gaps = path_gaps(raw, course.places, SWAY_SECONDS * clip.fps)
    distance = float(gaps.mean()) / character.size
    along = np.minimum(arc_lengths(places), course.distances[-1])
    if path.times is not None:
        along = np.minimum(travelled_distances(path, clip, course), course.distances[-1])
    aside = 0.0 if path.headings is not None else way_of_going(clip, character.size)
    off = np.remainder(clip.root[:, 3] - aside - course.at(along)[1] + np.pi, 2 * np.pi) - np.pi
    angle, notes = float(np.abs(smooth_path(np.unwrap(off), SWAY_SECONDS * clip.fps)).mean()), []
    if distance > PATH_MET or angle > HEADING_MET:
        notes.append(
            f"it is missed by {distance * character.size:.2f} m and {np.degrees(angle):.0f} degrees on average"
        )
    gone, whole = float(arc_lengths(places)[-1]), float(course.knots[-1])
    if path.times is None and gone < 0.95 * whole:
        notes.append(f"the clip covers {gone:.2f} of its {whole:.2f} m; a longer clip gets farther")
    elif path.times is not None:
        late = np.linalg.norm(raw - course.at(along)[0], axis=1)[
            span_frames((0.0, path.times[-1]), len(clip), clip.fps)
        ]
        if late.max() > 0.25 * character.size:
            able = float(np.linalg.norm(np.diff(places, axis=0), axis=1).max()) * clip.fps
            notes.append(f"it asks for {path.fastest[0]:.2g} m/s; this motion can do {able:.2g} m/s, and falls behind")
    note = f"'{path.name}': {'; '.join(notes)}." if notes else ""
    return ConstraintReport(path.name, not notes, distance, angle, note)


def path_gaps(
    places: Float[ndarray, "frames 2"], line: Float[ndarray, "samples 2"], sigma: float
) -> Float[ndarray, "frames"]:
    """Distance of places from a dense line that goes straight on beyond its end, metres.

    The body sways from side to side of its way: distances to the left are negative, and smoothed by a Gaussian of
    `sigma` frames.
    """
    far = float(np.linalg.norm(places - line[-1], axis=1).max())
    ahead = (line[-1] - line[-2]) / max(float(np.linalg.norm(line[-1] - line[-2])), 1e-12)
    line = np.concatenate([line, line[-1] + np.linspace(0.0, far, 200)[1:, None] * ahead])
    nearest = np.linalg.norm(places[:, None] - line, axis=2).argmin(1)
    tangents = np.gradient(line, axis=0)[nearest]
    tangents /= np.maximum(np.linalg.norm(tangents, axis=1, keepdims=True), 1e-12)
    off = places - line[nearest]
    aside = tangents[:, 0] * off[:, 1] - tangents[:, 1] * off[:, 0]
    # before the start of the line there is no side to be on
    behind = np.where(nearest == 0, np.abs((off * tangents).sum(1)), 0.0)
    return np.hypot(smooth_path(aside, sigma), behind)


def _speed_report(clip: Clip, speed: Speed) -> ConstraintReport:
    found = np.linalg.norm(np.diff(swayless_path(clip), axis=0), axis=1) * clip.fps
    wanted = np.interp(clip.times[:-1] + 0.5 / clip.fps, speed.times, speed.speeds)
    off = float(np.abs(found - wanted).mean()) / max(float(wanted.mean()), 1e-9)
    able = float(found.max(initial=0.0))
    asked = f"'{speed.name}' asks for {wanted.mean():.2g} m/s on average and up to {wanted.max():.2g} m/s"
    note = "" if off <= SPEED_MET else f"{asked}; the clip does {found.mean():.2g} and up to {able:.2g} m/s."
    return ConstraintReport(speed.name, off <= SPEED_MET, note=note)


def _look_report(character: Character, anatomy: Anatomy, clip: Clip, T: ndarray, look: LookAt) -> ConstraintReport:
    skeleton = character.require_skeleton()
    head = head_chain(skeleton, anatomy)[-1]
    T = T[span_frames(look.interval or (0.0, clip.duration), len(clip), clip.fps), head]
    wanted = np.array(look.target) - T[:, :3, 3]
    wanted /= np.maximum(np.linalg.norm(wanted, axis=1, keepdims=True), 1e-9)
    face = T[:, :3, :3] @ skeleton.T_world_rest[head, 0, :3]
    angle = float(np.arccos(np.clip((face * wanted).sum(1), -1.0, 1.0)).max())
    said = f"'{look.name}' is missed by up to {np.degrees(angle):.0f} degrees: head and neck turn no farther."
    return ConstraintReport(look.name, angle <= TURN_MET, angle=angle, note="" if angle <= TURN_MET else said)


def _joints_report(character: Character, anatomy: Anatomy, clip: Clip, one: Hold | Freeze) -> ConstraintReport:
    chosen = chosen_joints(character.require_skeleton(), anatomy, one.limbs)
    R, angle = joint_matrices(clip)[:, chosen], 0.0
    spans = (one.interval,) if isinstance(one, Hold) else one.frozen_spans(clip.duration)
    for span in spans:
        frames = span_frames(span, len(clip), clip.fps)
        wanted = R[frames[:1]]
        if isinstance(one, Freeze):
            source = one.found.clip
            at = np.minimum(frames / clip.fps * source.fps, len(source) - 1.0)
            wanted = joint_matrices(sample_clip(source, at))[:, chosen]
        angle = max(angle, float(rotation_angle(R[frames].swapaxes(-1, -2) @ wanted).max(initial=0.0)))
    note = "" if angle <= TURN_MET else f"'{one.name}' is missed by up to {np.degrees(angle):.0f} degrees."
    return ConstraintReport(one.name, angle <= TURN_MET, angle=angle, note=note)
