"""Motion features of any body, as a text-motion matching model reads them: the same for bodies of any size.

A frame has for each of `BODY_POINTS` its position and velocity relative to the root in the frame of the heading, and
whether the body has it; and for the root its height, velocity, turning rate and attitude. Lengths are leg lengths,
times are frames at the body's natural frame rate, so that a mouse's walk has the numbers of an elephant's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.evaluate.matching.body_points import BODY_POINTS, find_points
from gambol.evaluate.observation import Observation, observe_clip
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import natural_frame_rate
from gambol.motion.feet.soles import LEGLESS_LEG_LENGTH

MOST_MATCHED_FRAMES = 96
"""Most frames that are matched at once: 6 seconds of a person. Longer clips are matched in windows."""
ROOT_NUMBERS = 14
"""Numbers of the root in a frame: height; velocity ahead, up and to the right; turning rate; its up and forward axes
and the head's forward axis, each with its components ahead, up and to the right."""
FRAME_NUMBERS = 7 * len(BODY_POINTS) + ROOT_NUMBERS
"""Numbers of a frame: positions, velocities and presence of the points, then those of the root."""


@dataclass(frozen=True)
class MotionFeatures:
    """A clip as a matching model reads it."""

    frames: Float[ndarray, "frames numbers"]
    """The numbers of each frame, float32; 0 for points that the body does not have."""
    fps: float
    """Natural frame rate of the body, at which the frames follow each other, frames per second."""

    def __len__(self) -> int:
        return len(self.frames)


def clip_features(character: Character, anatomy: Anatomy, clip: Clip) -> MotionFeatures:
    """Features of a clip of joint angles."""
    return motion_features(observe_clip(character, anatomy, clip))


def motion_features(seen: Observation, *, tempo: float = 1.0) -> MotionFeatures:
    """Features of an observed clip; a `tempo` above 1 reads it as if it were played faster by that factor."""
    fps = natural_frame_rate(seen.leg if seen.feet else LEGLESS_LEG_LENGTH * seen.size)
    count = max(round(seen.seconds * fps / tempo), 2) + 1
    times = np.linspace(0.0, seen.seconds, count)
    heading = _at_times(seen.heading, seen, times)
    root = _at_times(seen.joints[:, 0], seen, times) / seen.leg
    velocity = _in_heading_frame(np.gradient(root, axis=0), heading)
    places = find_points(seen.anatomy, seen.rest_joints, seen.rest_tips)
    positions, speeds = (np.zeros((count, len(BODY_POINTS), 3)) for _ in range(2))
    present = np.zeros((count, len(BODY_POINTS)))
    for index, place in places.items():
        world = (1.0 - place.share) * seen.joints[:, place.bone] + place.share * seen.tips[:, place.bone]
        positions[:, index] = _in_heading_frame(_at_times(world, seen, times) / seen.leg - root, heading)
        present[:, index] = 1.0
    if places:
        speeds = np.gradient(positions, axis=0)
    attitude = [_in_heading_frame(_at_times(axis, seen, times), heading) for axis in _axes(seen)]
    numbers = [
        positions.reshape(count, -1),
        speeds.reshape(count, -1),
        present,
        root[:, 1:2],
        velocity,
        np.gradient(heading)[:, None],
        *attitude,
    ]
    return MotionFeatures(np.concatenate(numbers, axis=1).astype(np.float32), fps)


def windows(features: MotionFeatures) -> tuple[Float[ndarray, "frames numbers"], ...]:
    """Pieces of at most `MOST_MATCHED_FRAMES` frames that overlap by half or more; a shorter clip is one piece."""
    excess = len(features) - MOST_MATCHED_FRAMES
    if excess <= 0:
        return (features.frames,)
    starts = np.linspace(0, excess, int(np.ceil(2 * excess / MOST_MATCHED_FRAMES)) + 1).round().astype(int)
    return tuple(features.frames[start : start + MOST_MATCHED_FRAMES] for start in starts)


def _at_times(values: Float[ndarray, "frames *width"], seen: Observation, times: Float[ndarray, "times"]) -> ndarray:
    """Values at other times than those of the frames, linear between frames."""
    place = np.clip(times * seen.fps, 0, len(seen) - 1)
    before = np.minimum(place.astype(int), len(seen) - 2)
    share = (place - before).reshape(-1, *[1] * (values.ndim - 1))
    return (1.0 - share) * values[before] + share * values[before + 1]


def _in_heading_frame(vectors: Float[ndarray, "frames 3"], heading: Float[ndarray, "frames"]) -> ndarray:
    """Components ahead, up and to the right: R_y(heading)^-1 v."""
    c, s = np.cos(heading), np.sin(heading)
    x, z = vectors[:, 0], vectors[:, 2]
    return np.stack([c * x - s * z, vectors[:, 1], s * x + c * z], axis=1)


def _axes(seen: Observation) -> tuple[ndarray, ndarray, ndarray]:
    """The root's up and forward axes at rest and the head's forward axis, in the world; zero without a head."""
    R = seen.displaced[..., :3, :3]
    heads = seen.anatomy.of(BodyPart.HEAD)
    facing = R[:, heads[0].bones[-1], :, 0] if heads else np.zeros((len(seen), 3))
    return R[:, 0, :, 1], R[:, 0, :, 0], facing
