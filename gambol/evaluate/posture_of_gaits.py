"""Posture and direction of a body that goes: what tells a crawl, a sidestep or an old man's walk from a walk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Limb
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import PATH_SWAY_SECONDS
from gambol.motion.root_trajectory import smooth_path

STRAIGHT_SHARE = (0.05, 0.95)
"""Quantiles between which spans are measured."""


@dataclass(frozen=True)
class GaitPosture:
    """Direction and posture of a clip; lengths are leg lengths, angles radians, values medians over the frames."""

    ahead: float
    """Speed along the heading, per second; negative goes backwards."""
    leftwards: float
    """Speed to the left of the heading, per second."""
    turned: float
    """Largest change of heading since the first frame, to either side."""
    belly: float
    """Height of the trunk's lowest point, as a share of that at rest."""
    rest_belly: float
    """Height of the trunk's lowest point at rest."""
    lean: float
    """Tilt of the line from the pelvis to the chest's end ahead of that at rest."""
    head_low: float
    """By how much the line from the pelvis to the head points lower than at rest."""
    head_pitch: float
    """Pitch of the head against that at rest, nose up positive."""
    weave: float
    """Span of the head to the sides of the straight line along which the body goes."""
    roll: float
    """Span of the trunk's roll."""
    width: float
    """Distance between the feet of the hindmost pair across the body, as a share of that at rest."""
    sink: float
    """Vertical span of the pelvis."""
    hands_ahead: float
    """How far the hand that is less ahead is ahead of its shoulder, arm lengths; 0 without two arms."""
    hands_down: float
    """How far the lower hand is below its shoulder, arm lengths."""
    hands_apart: float
    """Span of the hands' movement along the body, arm lengths, mean of both."""
    hands_height: float
    """Height of the higher hand above the ground."""


def gait_posture(seen: Observation) -> GaitPosture:
    """Measure direction and posture of an observed clip."""
    root = seen.joints[:, 0]
    path = smooth_path(_hips(seen)[:, [0, 2]], PATH_SWAY_SECONDS * seen.fps)
    step = np.diff(path, axis=0) * seen.fps / seen.leg
    ahead, aside = (0.5 * (x[1:] + x[:-1])[:, [0, 2]] for x in (seen.ahead, seen.aside))
    torso = [bone for bone, part in enumerate(seen.anatomy.parts) if part == BodyPart.TORSO] or [0]
    chest, head = torso[-1], _head(seen)
    belly = _belly(seen, torso)
    low = float(np.median(seen.surface[:, belly, 1].min(1))) if len(belly) else float(np.median(root[:, 1]))
    rest = float(seen.rest_surface[belly, 1].min()) if len(belly) else float(seen.rest_joints[0, 1])
    hands = [_hand(seen, arm) for arm in seen.anatomy.of(BodyPart.ARM)]
    both = len(hands) >= 2
    chest_lean = _elevation(seen, 0, chest)
    return GaitPosture(
        ahead=float((step * ahead).sum(1).mean()),
        leftwards=-float((step * aside).sum(1).mean()),
        turned=float(np.abs(seen.heading - seen.heading[0]).max()),
        belly=low / max(rest, 1e-9),
        rest_belly=rest / seen.leg,
        lean=-chest_lean,
        head_low=-_elevation(seen, 0, head) if head is not None else 0.0,
        head_pitch=_pitch(seen, head) if head is not None else 0.0,
        weave=_weave(seen, seen.tips[:, head if head is not None else chest]),
        roll=_span(_roll(seen, chest)),
        width=_width(seen),
        sink=_span(root[:, 1]) / seen.leg,
        hands_ahead=min(float(np.median(h[:, 0])) for h in hands) if both else 0.0,
        hands_down=max(-float(np.median(h[:, 1])) for h in hands) if both else 0.0,
        hands_apart=float(np.mean([_span(h[:, 0]) for h in hands])) if both else 0.0,
        hands_height=max(float(np.median(seen.tips[:, a.bones[-1], 1])) for a in seen.anatomy.of(BodyPart.ARM))
        / seen.leg
        if both
        else 0.0,
    )


def _span(values: Float[ndarray, "frames"]) -> float:
    low, high = STRAIGHT_SHARE
    return float(np.quantile(values, high) - np.quantile(values, low))


def _hips(seen: Observation) -> Float[ndarray, "frames 3"]:
    """Mean position of the legs' first joints, which a swinging tail does not move; the root without legs."""
    bases = [foot.limb.bones[0] for foot in seen.feet]
    return seen.joints[:, bases].mean(1) if bases else seen.joints[:, 0]


def _head(seen: Observation) -> int | None:
    heads = seen.anatomy.of(BodyPart.HEAD)
    if heads:
        return heads[0].bones[0]
    named = [bone for bone, part in enumerate(seen.anatomy.parts) if part == BodyPart.HEAD]
    return named[0] if named else None


def _belly(seen: Observation, torso: list[int]) -> Int[ndarray, "chosen"]:
    """Indices of the surface points that are nearer to a bone of the trunk than to any other, at rest."""
    start, along = seen.rest_joints, seen.rest_tips - seen.rest_joints
    squares = np.maximum((along**2).sum(1), 1e-12)
    away = seen.rest_surface[:, None] - start
    share = np.clip((away * along).sum(-1) / squares, 0.0, 1.0)
    nearest = np.linalg.norm(away - share[..., None] * along, axis=-1).argmin(1)
    return np.flatnonzero(np.isin(nearest, torso))


def _along(seen: Observation, vectors: Float[ndarray, "frames 3"]) -> Float[ndarray, "frames 3"]:
    """Vectors in the body's axes: ahead, up, right."""
    return np.stack([(vectors * seen.ahead).sum(1), vectors[:, 1], (vectors * seen.aside).sum(1)], axis=1)


def _elevation(seen: Observation, base: int, bone: int) -> float:
    """Change against rest of the angle above the horizon of the line from one bone's head to another's tip."""
    now, rest = (
        _along(seen, seen.tips[:, bone] - seen.joints[:, base]),
        seen.rest_tips[bone] - seen.rest_joints[base],
    )
    angles = np.arctan2(now[:, 1], now[:, 0]) - np.arctan2(rest[1], rest[0])
    return float(np.median((angles + np.pi) % (2.0 * np.pi) - np.pi))


def _pitch(seen: Observation, bone: int) -> float:
    """Pitch of a bone's forward axis, less that at rest (0)."""
    return float(np.median(np.arcsin(np.clip(seen.displaced[:, bone, 1, 0], -1.0, 1.0))))


def _roll(seen: Observation, bone: int) -> Float[ndarray, "frames"]:
    return np.arcsin(np.clip(seen.displaced[:, bone, 1, 2], -1.0, 1.0))


def _weave(seen: Observation, points: Float[ndarray, "frames 3"]) -> float:
    """Span across the least-squares line of a point's way over the ground, leg lengths."""
    frames = np.arange(len(seen)) - 0.5 * (len(seen) - 1)
    places = points[:, [0, 2]] - points[:, [0, 2]].mean(0)
    velocity = frames @ places / max(float(frames @ frames), 1e-9)
    speed = float(np.linalg.norm(velocity))
    across = np.array([-velocity[1], velocity[0]]) / speed if speed > 1e-9 else np.array([0.0, 1.0])
    return _span(places @ across) / seen.leg


def _width(seen: Observation) -> float:
    """Median distance across the body between the hindmost left and right foot, over that at rest."""
    last = max((foot.limb.pair for foot in seen.feet), default=-1)
    feet = [foot for foot in seen.feet if foot.limb.pair == last]
    if len(feet) < 2:
        return 1.0
    apart = feet[0].points.mean(1) - feet[1].points.mean(1)
    ends = [seen.rest_tips[foot.limb.bones[-1], 2] for foot in feet[:2]]
    return float(np.median(np.abs((apart * seen.aside).sum(1)))) / max(abs(float(ends[0] - ends[1])), 1e-9)


def _hand(seen: Observation, arm: Limb) -> Float[ndarray, "frames 3"]:
    """Place of a hand against its shoulder in the body's axes, arm lengths."""
    bones = list(arm.bones)
    length = float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum())
    return _along(seen, seen.tips[:, bones[-1]] - seen.joints[:, bones[0]]) / max(length, 1e-9)
