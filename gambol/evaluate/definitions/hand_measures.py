"""What definitions of gestures look at: paths of the hands, pitch of chest and head, rhythm, moments that are held.

Hands are measured in arm lengths and time in the body's own seconds, t / sqrt(L / 0.9 m): a child of half the size
moves faster by sqrt(2) and is measured alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart, Limb, Side
from gambol.evaluate.definitions.body_measures import own_rate
from gambol.evaluate.observation import Observation

COLLAR_RATIO = 0.35
"""A first bone of an arm that starts nearer to the middle than this share of where it ends is a collar bone."""
TRIED_FREQUENCIES = np.linspace(0.5, 6.0, 111)
"""Frequencies among which a rhythm is looked for, per own second."""


@dataclass(frozen=True)
class Hand:
    """One hand in every frame, as seen from its shoulder: ahead, up and outwards, in arm lengths."""

    place: Float[ndarray, "frames 3"]
    """Place of the hand's end."""
    in_chest: Float[ndarray, "frames 3"]
    """The same in the axes of the bone that carries the arm, instead of those of the heading."""
    elbow: Float[ndarray, "frames 3"]
    """Place of the elbow."""
    speed: Float[ndarray, "frames"]
    """Speed of the hand against its shoulder, arm lengths per own second."""
    end: Float[ndarray, "frames 3"]
    """Place of the hand's end in the world, metres."""
    length: float
    """Length of the arm, metres."""
    left: bool
    """Whether it is the left hand."""

    @property
    def reach(self) -> Float[ndarray, "frames"]:
        """Distance of the hand from its shoulder."""
        return np.linalg.norm(self.place, axis=1)


def all_hands(seen: Observation) -> tuple[Hand, ...]:
    """Return the hands of all arms that a body has."""
    return tuple(_hand(seen, arm) for arm in seen.anatomy.of(BodyPart.ARM))


def find_hands(seen: Observation) -> tuple[Hand, ...]:
    """Return both hands, left first; none where a body has not two arms."""
    arms = sorted(seen.anatomy.of(BodyPart.ARM), key=lambda limb: limb.side != Side.LEFT)
    return tuple(_hand(seen, arm) for arm in arms[:2]) if len(arms) >= 2 else ()


def _hand(seen: Observation, arm: Limb) -> Hand:
    bones = list(arm.bones)
    carrier = max(int(seen.parents[bones[0]]), 0)
    aside = np.abs(seen.rest_joints[bones, 2])
    if len(bones) > 2 and aside[0] < COLLAR_RATIO * aside[1]:
        bones = bones[1:]
    length = float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum())
    side = -1.0 if arm.side == Side.LEFT else 1.0
    outwards = seen.aside * side
    shoulder = seen.joints[:, bones[0]]
    D = seen.displaced[:, carrier, :3, :3]

    def from_shoulder(points: Float[ndarray, "frames 3"]) -> Float[ndarray, "frames 3"]:
        away = points - shoulder
        parts = [(away * seen.ahead).sum(1), away[:, 1], (away * outwards).sum(1)]
        return np.stack(parts, 1) / max(length, 1e-9)

    end = seen.tips[:, bones[-1]]
    place = from_shoulder(end)
    in_chest = (np.swapaxes(D, -1, -2) @ (end - shoulder)[..., None])[..., 0] / max(length, 1e-9) * [1.0, 1.0, side]
    speed = np.linalg.norm(np.gradient(place, axis=0), axis=1) * own_rate(seen)
    elbow = from_shoulder(seen.tips[:, bones[0]])
    return Hand(place, in_chest, elbow, speed, end, length, arm.side == Side.LEFT)


def hand_gap(hands: tuple[Hand, ...]) -> Float[ndarray, "frames"]:
    """Return the distance between both hands' ends, arm lengths."""
    return np.linalg.norm(hands[0].end - hands[1].end, axis=1) / max(hands[0].length, 1e-9)


def chest_turn(seen: Observation) -> Float[ndarray, "frames 3 3"]:
    """Return the rotation of the bone that carries the arms from rest, in the world."""
    arms = seen.anatomy.of(BodyPart.ARM)
    bone = int(seen.parents[arms[0].bones[0]]) if arms else 0
    return seen.displaced[:, max(bone, 0), :3, :3]


def forward_pitch(seen: Observation, R: Float[ndarray, "frames 3 3"]) -> Float[ndarray, "frames"]:
    """Return how far a bone leans ahead, radians: the angle of its upright axis from the vertical along the heading."""
    up = R[:, :, 1]
    return np.arctan2((up * seen.ahead).sum(1), up[:, 1])


def side_pitch(seen: Observation, R: Float[ndarray, "frames 3 3"]) -> Float[ndarray, "frames"]:
    """Return how far a bone leans to its right, radians."""
    up = R[:, :, 1]
    return np.arctan2((up * seen.aside).sum(1), up[:, 1])


def head_against_chest(seen: Observation) -> tuple[Float[ndarray, "frames"], Float[ndarray, "frames"]]:
    """Return pitch (down positive) and yaw (left positive) of the head against the chest, radians."""
    heads = seen.anatomy.of(BodyPart.HEAD)
    if not heads:
        return np.zeros(len(seen)), np.zeros(len(seen))
    nose = (np.swapaxes(chest_turn(seen), 1, 2) @ seen.displaced[:, heads[0].bones[0], :3, :3])[:, :, 0]
    return -np.arcsin(np.clip(nose[:, 1], -1.0, 1.0)), np.arctan2(-nose[:, 2], nose[:, 0])


def going_ahead(seen: Observation) -> Float[ndarray, "frames"]:
    """Return the place of the root along the first heading, leg lengths, from its mean."""
    along = (seen.joints[:, 0] * seen.ahead[0]).sum(1) / seen.leg
    return along - along.mean()


def longest_held(held: Bool[ndarray, "frames"], rate: float) -> float:
    """Return the longest time without a break in which something holds, own seconds."""
    ends = np.flatnonzero(np.diff(np.concatenate([[0], held.astype(int), [0]])))
    return float((ends[1::2] - ends[::2]).max(initial=0)) / rate


def rhythm(values: Float[ndarray, "frames"], rate: float) -> tuple[float, float]:
    """Return the strongest frequency of a curve, per own second, and the share of its variance that it explains.

    The share is that of the least-squares fit of a + b t + c cos 2pi f t + d sin 2pi f t over the straight line.
    """
    t = np.arange(len(values)) / rate
    line = np.stack([np.ones(len(t)), t], 1)
    rest = values - line @ np.linalg.lstsq(line, values, rcond=None)[0]
    total = float(rest @ rest)
    if total < 1e-12:
        return 0.0, 0.0
    tried = TRIED_FREQUENCIES[(0.45 * rate > TRIED_FREQUENCIES) & (TRIED_FREQUENCIES * t[-1] > 1.5)]
    best, frequency = 0.0, 0.0
    for f in tried:
        waves = np.stack([np.cos(2 * np.pi * f * t), np.sin(2 * np.pi * f * t)], 1)
        left = rest - waves @ np.linalg.lstsq(waves, rest, rcond=None)[0]
        share = 1.0 - float(left @ left) / total
        if share > best:
            best, frequency = share, float(f)
    return frequency, best
