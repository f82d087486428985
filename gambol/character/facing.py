"""Which way a character looks in its file: from the names of its sides, its head, its toes, else from its shape."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.facing_from_shape import facing_evidence
from gambol.character.skeleton import UP
from gambol.errors import ConfigError

FACING_AXES = {"+x": (1.0, 0.0, 0.0), "-x": (-1.0, 0.0, 0.0), "+z": (0.0, 0.0, 1.0), "-z": (0.0, 0.0, -1.0)}
"""Directions that a character may look along in its file, by name."""
FULL_CONFIDENCE_EVIDENCE = 2.0
"""Strength of evidence from which on the confidence is not lowered; names of sides alone bring it."""
MIN_EVIDENCE = 0.01
"""Strength of evidence below which the facing is not known at all."""
MAX_SHAPE_EVIDENCE = 0.5
"""Largest strength of the evidence of the shape alone: a guess that is never sure."""
LEFT_NAME_PATTERN = re.compile(r"(?:^|[^a-zA-Z])[lL](?:$|[^a-zA-Z])|(?i:left)|左")
"""Matches the name of a left joint or bone."""
RIGHT_NAME_PATTERN = re.compile(r"(?:^|[^a-zA-Z])[rR](?:$|[^a-zA-Z])|(?i:right)|右")
"""Matches the name of a right joint or bone."""
FRONT_NAME_PATTERN = re.compile(r"head|neck|nose|chin|jaw|snout|beak|toe|頭|首", re.IGNORECASE)
"""Matches the name of a body part at the front."""
BACK_NAME_PATTERN = re.compile(r"tail|heel|abdomen\d|sting|尾", re.IGNORECASE)
"""Matches the name of a body part at the back."""


@dataclass(frozen=True)
class BodyPoints:
    """What the guess looks at, in file space: joints with names and the vertices that each joint dominates."""

    names: tuple[str, ...]
    """Name of each joint."""
    heads: Float[ndarray, "bones 3"]
    """Joint positions, file units."""
    vertices: Float[ndarray, "vertices 3"]
    """Surface at bind, file units."""
    dominant: Int[ndarray, "_vertices"]
    """The bone with the largest weight at each vertex; empty without joints."""


def guess_facing(body: BodyPoints) -> tuple[str, float]:
    """Guess the horizontal axis that the character looks along, and how sure that is (0 to 1).

    Evidence, each a horizontal vector: left x up from the joints whose names tell sides; from the middle to the joints
    with names of the front, away from those of the back; from each low joint (an ankle) to its lowest vertices (toes).
    Toes alone mislead (a bird's point backwards), so the sureness grows with the strength of the evidence too. Where no
    name tells anything, the shape decides: `facing_evidence`.
    """
    points = body.vertices if len(body.vertices) else body.heads
    size = max(float(np.ptp(points, axis=0).max()), 1e-9)
    named = 2.0 * _from_sides(body, size) + 1.5 * _from_names(body, points, size)
    if named.any():
        evidence = named + _from_toes(body, size)
    elif not len(body.vertices) or not len(body.heads):
        evidence = np.zeros(3)
    else:
        shape = facing_evidence(body.heads, body.vertices, body.dominant)
        evidence = np.clip(shape, -MAX_SHAPE_EVIDENCE, MAX_SHAPE_EVIDENCE)
    scores = {name: float(evidence @ np.array(axis)) for name, axis in FACING_AXES.items()}
    ranked = sorted(scores, key=lambda name: -scores[name])
    if scores[ranked[0]] < MIN_EVIDENCE:
        return "+z", 0.0
    lead = 1.0 - max(scores[ranked[1]], 0.0) / scores[ranked[0]]
    return ranked[0], float(np.clip(lead * min(scores[ranked[0]] / FULL_CONFIDENCE_EVIDENCE, 1.0), 0.0, 1.0))


def facing_vector(facing: str) -> Float[ndarray, "3"]:
    """Return the unit vector of a facing such as "+x"; another name raises `ConfigError`."""
    if facing not in FACING_AXES:
        raise ConfigError(f"The facing is {facing!r}; allowed is {', '.join(FACING_AXES)}.")
    return np.array(FACING_AXES[facing])


def _horizontal(vector: ndarray) -> ndarray:
    return vector * np.array([1.0, 0.0, 1.0])


def _from_sides(body: BodyPoints, size: float) -> ndarray:
    left, right = (
        [h for n, h in zip(body.names, body.heads, strict=True) if side.search(n) and not other.search(n)]
        for side, other in ((LEFT_NAME_PATTERN, RIGHT_NAME_PATTERN), (RIGHT_NAME_PATTERN, LEFT_NAME_PATTERN))
    )
    if not left or not right:
        return np.zeros(3)
    side = _horizontal(np.mean(left, axis=0) - np.mean(right, axis=0))
    length = np.linalg.norm(side)
    return np.cross(side / length, UP) if length > 0.01 * size else np.zeros(3)


def _from_names(body: BodyPoints, points: ndarray, size: float) -> ndarray:
    middle = 0.5 * (points.min(0) + points.max(0))
    front = [h - middle for n, h in zip(body.names, body.heads, strict=True) if FRONT_NAME_PATTERN.search(n)]
    back = [middle - h for n, h in zip(body.names, body.heads, strict=True) if BACK_NAME_PATTERN.search(n)]
    return _horizontal(np.mean(front + back, axis=0)) * (2.0 / size) if front or back else np.zeros(3)


def _from_toes(body: BodyPoints, size: float) -> ndarray:
    if not len(body.vertices) or not body.names:
        return np.zeros(3)
    ground = body.vertices[:, 1].min()
    low = body.vertices[:, 1] < ground + 0.04 * size
    steps = []
    for bone in np.unique(body.dominant[low]):
        if body.heads[bone, 1] < ground + 0.3 * size:
            toes = body.vertices[low & (body.dominant == bone)]
            steps.append(_horizontal(0.5 * (toes.min(0) + toes.max(0)) - body.heads[bone]))
    return np.clip(np.mean(steps, axis=0) * (10.0 / size), -1.0, 1.0) if steps else np.zeros(3)
