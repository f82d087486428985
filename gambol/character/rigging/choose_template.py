"""Which template fits a bare body, and how clearly: by its pairs of feet, fins, wings and proportions."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from gambol.character.rigging.fins import find_tail_fin
from gambol.character.rigging.landmarks import UPRIGHT_LENGTH, Landmarks, has_clearance, is_upright, turned_solid
from gambol.errors import AssetError, ConfigError

BodyType = Literal["biped", "quadruped", "bird", "theropod", "spider", "snake", "fish", "dragon"]
"""Names of the templates."""
BODY_TYPES: tuple[str, ...] = get_args(BodyType)
"""Names of the templates, as a tuple."""
LEAST_FOOT_PAIRS = {
    "biped": 1,
    "bird": 1,
    "theropod": 1,
    "quadruped": 2,
    "dragon": 2,
    "spider": 3,
    "snake": 0,
    "fish": 0,
}
"""Pairs of feet that a template needs."""
THEROPOD_LENGTH, THEROPOD_WIDTH = 1.4, 0.35
"""A theropod is longer than this many heights and narrower than this share of its length: it has no wings."""
DRAGON_LENGTH = 0.7
"""A dragon is longer than this many heights; what stands more upright on four feet has no wings but arms."""
SNAKE_LENGTH = 5.0
"""A snake is longer than this many times its width and height."""
MARGIN_SPREAD = 0.25
"""Log ratio of a proportion to its limit at which a decision is about 73 % certain."""


def choose_template(landmarks: Landmarks) -> tuple[BodyType, float]:
    """The template for a body and how clear the choice is, from 0 to 1; an error says why none fits."""
    length, height, width = landmarks.solid.extent
    feet = len(landmarks.feet)
    fin = landmarks.tail_fin or find_tail_fin(turned_solid(landmarks.solid))  # at the head if the given facing is wrong
    if fin is not None and not has_clearance(landmarks.solid, landmarks.feet) and (fin.upright or width < length):
        return "fish", _clearness(fin.strength)
    if landmarks.wings is not None and feet == 2 and length > DRAGON_LENGTH * height:
        return "dragon", 1.0
    if feet >= 3:
        return "spider", 1.0
    if feet == 2:
        return "quadruped", 1.0
    if feet == 1:
        upright = _clearness(UPRIGHT_LENGTH * height / length)
        if is_upright(landmarks.solid):
            return "biped", max(upright, 0.5)
        low = _clearness(length / (THEROPOD_LENGTH * height)) * _clearness(THEROPOD_WIDTH * length / width)
        if length > THEROPOD_LENGTH * height and width < THEROPOD_WIDTH * length:
            return "theropod", max(low, 0.5)
        return "bird", min(1.0 - upright, 1.0 - low)
    if length > SNAKE_LENGTH * max(width, height):
        return "snake", _clearness(length / (SNAKE_LENGTH * max(width, height)))
    raise AssetError(
        "The mesh shows no feet that come in pairs and is no snake or fish, so no template fits. Name one with "
        f"--template ({', '.join(BODY_TYPES)}), give your own skeleton with --skeleton RIG.glb, or check that y is up."
    )


def check_template(landmarks: Landmarks, wanted: str) -> BodyType:
    """The template that was asked for, if the body has the feet and wings that it needs."""
    if wanted not in BODY_TYPES:
        raise ConfigError(f"There is no template '{wanted}'; there are auto, {', '.join(BODY_TYPES)}.")
    feet, needed = len(landmarks.feet), LEAST_FOOT_PAIRS[wanted]
    if feet < needed:
        needs = {1: "a pair of feet", 2: "two pairs of feet", 3: "three pairs of feet"}[needed]
        raise AssetError(f"The template {wanted} needs {needs}; the mesh shows {feet} pairs that reach the ground.")
    if wanted == "dragon" and landmarks.wings is None:
        raise AssetError("The template dragon needs a pair of wings; the mesh shows none. Use --template quadruped.")
    return wanted  # type: ignore[return-value]


def _clearness(ratio: float) -> float:
    """Logistic function of log(ratio): 1/2 at a limit, 1 far above it, 0 far below it."""
    return float(1.0 / (1.0 + np.exp(-np.log(max(ratio, 1e-9)) / MARGIN_SPREAD)))
