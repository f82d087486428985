"""Which template fits a bare body: by its pairs of feet and its proportions."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from gambol.character.rigging.landmarks import UPRIGHT, Landmarks
from gambol.errors import AssetError

BodyType = Literal["biped", "quadruped", "bird", "theropod", "spider", "snake"]
TYPES: tuple[str, ...] = get_args(BodyType)
FEET = {"biped": 1, "bird": 1, "theropod": 1, "quadruped": 2, "snake": 0}
"""Pairs of feet that a template needs; a spider needs three or more."""
LOW = 1.4
"""A theropod is this many times as long as high, and narrow: no wings."""
NARROW = 0.35
LONG = 5.0
"""A snake is this many times as long as wide."""


def find_type(landmarks: Landmarks) -> BodyType:
    """The template for a body, or a sentence that says why none fits."""
    length, height, width = np.ptp(landmarks.solid.centres, axis=0)
    feet = len(landmarks.feet)
    if feet >= 3:
        return "spider"
    if feet == 2:
        return "quadruped"
    if feet == 1:
        if length < UPRIGHT * height:
            return "biped"
        return "theropod" if length > LOW * height and width < NARROW * length else "bird"
    if length > LONG * max(width, height):
        return "snake"
    raise AssetError(
        "The mesh shows no feet that come in pairs and is no snake, so no template fits. Name one with --template "
        f"({', '.join(TYPES)}), give your own skeleton with --skeleton RIG.glb, or check that y is up."
    )


def check_type(landmarks: Landmarks, wanted: str) -> BodyType:
    """The template that was asked for, if the body has the feet that it needs."""
    if wanted not in TYPES:
        raise AssetError(f"There is no template '{wanted}'; there are auto, {', '.join(TYPES)}.")
    feet = len(landmarks.feet)
    if feet < FEET.get(wanted, 3):
        needs = {0: "no feet", 1: "a pair of feet", 2: "two pairs of feet"}.get(
            FEET.get(wanted, 3), "three pairs of feet"
        )
        raise AssetError(f"The template {wanted} needs {needs}; the mesh shows {feet} pairs that reach the ground.")
    return wanted  # type: ignore[return-value]
