"""Where a template's joints go in a body: affine combinations of its landmarks, fitted on built-in creatures.

A joint is p = a_0 + sum_i c_i (a_i - a_0), one set of numbers c for each axis, where a_i are anchors: points of the
limbs' centre lines, of the trunk's, and the ends of head and tail. What moves or scales a body moves its joints too.
`benchmarks/rig_templates.py` fits the numbers; they are kept in `placement.json`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.choose_template import BodyType
from gambol.character.rigging.landmarks import Landmarks, Pair
from gambol.character.rigging.voxel_solid import Solid

LINE = (0.0, 0.33, 0.67, 1.0)
"""Places along a limb's centre line, from the body to the tip, that are anchors."""
UPPER = 0.7
"""Necks of people lie above this share of their height."""


def limb_anchors(solid: Solid, pair: Pair) -> Float[ndarray, "anchors 3"]:
    """Points of a limb, and the middle of the trunk where it starts."""
    steps = np.linalg.norm(np.diff(pair.line, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    places = np.array(LINE) * along[-1]
    points = np.stack([np.interp(places, along, pair.line[:, d]) for d in range(3)], 1)
    return np.concatenate([points, [solid.trunk_at(pair.base[0])]])


def body_anchors(landmarks: Landmarks, kind: BodyType) -> Float[ndarray, "anchors 3"]:
    """Points of the middle plane: front, back and top of the body, and trunk, base and tip of its legs.

    Of people: the crown, the neck, and trunk, base and tip of the legs.
    """
    solid, feet = landmarks.solid, landmarks.feet
    if kind == "biped":
        crown, legs = landmarks.front, feet[-1]
        neck = np.array([crown[0], neck_height(solid), 0.0])
        points = [crown, solid.trunk_at(legs.base[0]), legs.base, legs.tip, neck]
    else:
        plane = solid.centres[np.abs(solid.centres[:, 2]) < 0.03]
        back = landmarks.back if landmarks.back is not None else plane[int(plane[:, 0].argmin())]
        points = [landmarks.front, back, plane[int(plane[:, 1].argmax())]]
        for pair in (feet[0], feet[-1]) if kind == "quadruped" else (feet[-1],):
            points += [solid.trunk_at(pair.base[0]), pair.base, pair.tip]
    return np.array(points) * [1.0, 1.0, 0.0]


def neck_height(solid: Solid) -> float:
    """The height in the upper part of an upright body at which it is narrowest between wider places, from the front."""
    filled = solid.full.any(0)
    middle = round(-float(solid.low[2]) / solid.step)
    widths = np.logical_and.accumulate(filled[:, middle::-1], axis=1).sum(1)
    widths = widths[int(UPPER * len(widths)) :]
    above, below = np.maximum.accumulate(widths[::-1])[::-1], np.maximum.accumulate(widths)
    waist = np.minimum(above, below) - widths
    rows = len(filled) - len(widths) + np.flatnonzero(waist == waist.max())
    return float(solid.low[1] + solid.step * rows.mean())


def combine(anchors: Float[ndarray, "anchors 3"], numbers: Float[ndarray, "3 others"]) -> Float[ndarray, "3"]:
    """a_0 + sum_i c_i (a_i - a_0), axis by axis."""
    return anchors[0] + np.einsum("di,id->d", numbers, anchors[1:] - anchors[0])


@cache
def fitted() -> dict[str, dict[str, Float[ndarray, "3 others"]]]:
    """The fitted numbers: of each template, of each joint."""
    text = files("gambol.character.rigging").joinpath("placement.json").read_text(encoding="utf-8")
    return {
        kind: {name: np.array(numbers) for name, numbers in joints.items()} for kind, joints in json.loads(text).items()
    }
