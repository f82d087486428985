"""Where a template's joints lie in a body: affine combinations of its landmarks, fitted on built-in creatures.

A joint is p = a_0 + sum_i c_i (a_i - a_0), with one set of coefficients c for each axis, where a_i are anchors: points
of the limbs' centre lines, of the trunk's, and the ends of head and tail. Joints follow when a body moves or scales.
`benchmarks/rig_templates.py` fits the coefficients; they are kept in `template_placement.json`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.rigging.choose_template import BodyType
from gambol.character.rigging.landmarks import Landmarks, LimbPair
from gambol.character.rigging.voxel_solid import VoxelSolid

LIMB_ANCHORS = (0.0, 0.33, 0.67, 1.0)
"""Shares of a limb's centre line, from the body to the tip, that are anchors."""
LOWEST_NECK = 0.7
"""The neck of a person is above this share of the height."""


def limb_anchors(solid: VoxelSolid, pair: LimbPair) -> Float[ndarray, "anchors 3"]:
    """Anchors of a limb: points of its centre line, and the middle of the trunk where it starts."""
    return np.concatenate([pair.at(np.array(LIMB_ANCHORS)), [solid.trunk_at(pair.base[0])]])


def body_anchors(landmarks: Landmarks, kind: BodyType) -> Float[ndarray, "anchors 3"]:
    """Anchors of the middle plane: front, back and top of the body, and trunk, base and tip of its legs.

    For a person: the crown, trunk, base and tip of the legs, and the neck.
    """
    solid, feet = landmarks.solid, landmarks.feet
    if kind == "biped":
        crown, legs = landmarks.front, feet[-1]
        neck = np.array([crown[0], neck_height(solid), 0.0])
        points = [crown, solid.trunk_at(legs.base[0]), legs.base, legs.tip, neck]
    else:
        plane = solid.middle_centres
        points = [landmarks.front, landmarks.rear, plane[int(plane[:, 1].argmax())]]
        for pair in (feet[0], feet[-1]) if kind == "quadruped" else (feet[-1],):
            points += [solid.trunk_at(pair.base[0]), pair.base, pair.tip]
    return np.array(points) * [1.0, 1.0, 0.0]


def neck_height(solid: VoxelSolid) -> float:
    """Height of the narrowest place between wider ones in the upper part of an upright body, seen from the front."""
    filled = solid.filled.any(0)
    middle = round(-float(solid.origin[2]) / solid.voxel)
    widths = np.logical_and.accumulate(filled[:, middle::-1], axis=1).sum(1)
    widths = widths[int(LOWEST_NECK * len(widths)) :]
    above, below = np.maximum.accumulate(widths[::-1])[::-1], np.maximum.accumulate(widths)
    narrowing = np.minimum(above, below) - widths
    rows = len(filled) - len(widths) + np.flatnonzero(narrowing == narrowing.max())
    return float(solid.origin[1] + solid.voxel * rows.mean())


def combine_anchors(
    anchors: Float[ndarray, "anchors 3"], coefficients: Float[ndarray, "3 others"]
) -> Float[ndarray, "3"]:
    """a_0 + sum_i c_i (a_i - a_0), axis by axis."""
    return anchors[0] + np.einsum("di,id->d", coefficients, anchors[1:] - anchors[0])


@cache
def placement_coefficients() -> dict[str, dict[str, Float[ndarray, "3 others"]]]:
    """The fitted coefficients of each template's joints, by template and joint name."""
    text = files("gambol.character.rigging").joinpath("template_placement.json").read_text(encoding="utf-8")
    return {kind: {name: np.array(rows) for name, rows in joints.items()} for kind, joints in json.loads(text).items()}
