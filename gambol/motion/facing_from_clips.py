"""Which way a character travels in its own clips: evidence for which way it faces."""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.character import Character
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import bone_displacements

GAIT_NAMES = re.compile(r"walk|run|gallop|trot|march|sneak", re.IGNORECASE)
"""Matches the names of clips that are gaits."""
NOT_FORWARD_NAMES = re.compile(r"back|strafe|jump|turn|stop|left|right", re.IGNORECASE)
"""Matches the names of gaits that do not go straight ahead."""
MAX_HEADING_CLIPS = 6
"""At most so many clips are measured."""
HEADING_SAMPLES = 12
"""Moments at which the velocity of a clip is measured."""
MAX_LOW_POINTS = 400
"""At most so many vertices near the ground are followed."""
VELOCITY_SECONDS = 1.0 / 60.0
"""Time step from which a velocity is measured, seconds."""


def heading_evidence(character: Character, clips: tuple[NodeClip, ...]) -> Float[ndarray, "2"]:
    """Mean velocity (x, z) over the ground of the clips whose names say walk, run, ..., in sizes per second.

    v = v_pelvis - v_feet: in a clip that travels the pelvis moves, in an in-place clip the feet on the ground move the
    other way. Zero where there is no such clip.
    """
    gaits = [c for c in clips if GAIT_NAMES.search(c.name) and not NOT_FORWARD_NAMES.search(c.name)]
    gaits = [c for c in gaits if c.duration > 2 * VELOCITY_SECONDS][:MAX_HEADING_CLIPS]
    if not gaits or character.weights is None:
        return np.zeros(2)
    low = _lowest_vertices(character)
    return np.mean([_clip_velocity(character, clip, low) for clip in gaits], axis=0) / character.size


def _lowest_vertices(character: Character) -> Int[ndarray, "points"]:
    """Indices of vertices near the ground at rest: the soles, and whatever else is there."""
    mesh, _, _ = character.require_skin()
    low = np.flatnonzero(mesh.vertices[:, 1] < 0.1 * character.size)
    return low[:: max(1, len(low) // MAX_LOW_POINTS)]


def _clip_velocity(character: Character, clip: NodeClip, low: Int[ndarray, "points"]) -> Float[ndarray, "2"]:
    mesh, skeleton, weights = character.require_skin()
    moments = np.linspace(clip.start, clip.end - VELOCITY_SECONDS, HEADING_SAMPLES)
    moved = bone_displacements(character, clip, np.stack([moments, moments + VELOCITY_SECONDS], 1).ravel())
    blended = np.einsum("pk,fpkij->fpij", weights.weights[low], moved[:, weights.bones[low]][..., :3, :])
    points = np.einsum("fpij,pj->fpi", blended[..., :3], mesh.vertices[low]) + blended[..., 3]
    heights = points[::2, :, 1]
    standing = heights < np.percentile(heights.min(1), 20) + 0.02 * character.size
    speeds = ((points[1::2] - points[::2]) / VELOCITY_SECONDS)[..., [0, 2]]
    feet = np.median(speeds[standing], axis=0) if standing.any() else np.zeros(2)
    pelvis = moved[:, 0, :3, :3] @ skeleton.heads[0] + moved[:, 0, :3, 3]
    return (pelvis[-1] - pelvis[0])[[0, 2]] / max(clip.duration, VELOCITY_SECONDS) - feet
