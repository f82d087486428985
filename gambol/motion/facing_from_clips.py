"""Which way a character goes in its own clips: the last word on which way it faces, where names mislead."""

from __future__ import annotations

import re

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from gambol.character.character import Character
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_motion import bone_displacements

GOING = re.compile(r"walk|run|gallop|trot|march|sneak", re.IGNORECASE)
NOT_AHEAD = re.compile(r"back|strafe|jump|turn|stop|left|right", re.IGNORECASE)
MOST_CLIPS, MOMENTS, MOST_POINTS = 6, 12, 400
STEP = 1.0 / 60.0
"""Seconds between the two looks that a speed is measured from."""


def heading_evidence(character: Character, clips: tuple[NodeClip, ...]) -> Float[ndarray, "2"]:
    """Mean velocity (x, z) over the ground that the clips whose names say walk, run, ... imply, in sizes per second.

    In a clip that travels the pelvis moves by itself; in one on the spot the feet on the ground move the other way:
    v = v_pelvis - v_feet. Zero where there is no such clip.
    """
    going = [c for c in clips if GOING.search(c.name) and not NOT_AHEAD.search(c.name) and c.duration > 2 * STEP]
    if not going or character.weights is None:
        return np.zeros(2)
    low = _lowest_vertices(character)
    return np.mean([_clip_velocity(character, clip, low) for clip in going[:MOST_CLIPS]], axis=0) / character.size


def _lowest_vertices(character: Character) -> Int[ndarray, "points"]:
    """The soles, and whatever else is near the ground at rest."""
    mesh, _, _ = character.require_skin()
    low = np.flatnonzero(mesh.vertices[:, 1] < 0.1 * character.size)
    return low[:: max(1, len(low) // MOST_POINTS)]


def _clip_velocity(character: Character, clip: NodeClip, low: Int[ndarray, "points"]) -> Float[ndarray, "2"]:
    mesh, skeleton, weights = character.require_skin()
    moments = np.linspace(clip.start, clip.end - STEP, MOMENTS)
    moved = bone_displacements(character, clip, np.stack([moments, moments + STEP], 1).ravel())
    blended = np.einsum("pk,fpkij->fpij", weights.weights[low], moved[:, weights.bones[low]][..., :3, :])
    points = np.einsum("fpij,pj->fpi", blended[..., :3], mesh.vertices[low]) + blended[..., 3]
    heights = points[::2, :, 1]
    standing = heights < np.percentile(heights.min(1), 20) + 0.02 * character.size
    speeds = ((points[1::2] - points[::2]) / STEP)[..., [0, 2]]
    feet = np.median(speeds[standing], axis=0) if standing.any() else np.zeros(2)
    pelvis = moved[:, 0, :3, :3] @ skeleton.heads[0] + moved[:, 0, :3, 3]
    return (pelvis[-1] - pelvis[0])[[0, 2]] / max(clip.duration, STEP) - feet
