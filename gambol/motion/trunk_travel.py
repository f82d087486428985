"""Travel of bodies without feet: a snake on the ground or a fish in the water moves along itself, not sideways."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip
from gambol.motion.root_trajectory import rotate_on_ground

TRUNK_PARTS = (BodyPart.TORSO, BodyPart.NECK, BodyPart.HEAD, BodyPart.TAIL)
"""Parts that push a body without feet ahead."""
DRAG_SHARE = 0.003
"""Resistance against moving along the body, as a share of that against moving sideways: a straight body rests."""


def trunk_velocity(character: Character, clip: Clip, anatomy: Anatomy) -> Float[ndarray, "2"]:
    """Velocity (ahead, right) in the body's own heading, metres per frame, at which the trunk slips sideways least.

    A piece of the trunk at p with direction u that is carried along at v slips by (I - u u^T) (dp/dt + v); the least
    mean square over all pieces and frames, weighted by length, with `DRAG_SHARE` of v^2 added.
    """
    skeleton = character.require_skeleton()
    bones = [bone for bone, part in enumerate(anatomy.parts) if part in TRUNK_PARTS]
    T = pose_clip(skeleton, clip)[:, bones]
    rest = skeleton.T_world_rest[bones]
    lengths = np.linalg.norm(skeleton.tails[bones] - rest[:, :3, 3], axis=1)
    local = np.einsum("bji,bj->bi", rest[:, :3, :3], skeleton.tails[bones] - rest[:, :3, 3])
    along = np.einsum("fbij,bj->fbi", T[..., :3, :3], local)
    middles = T[..., :3, 3] + 0.5 * along
    u = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-12)
    heading = steady_heading(clip)
    c, s = np.cos(heading), np.sin(heading)
    zero = np.zeros_like(c)
    ahead, right = np.stack([c, zero, -s], -1), np.stack([s, zero, c], -1)
    steps = np.diff(middles, axis=0)
    directions = u[:-1]
    sideways = steps - directions * (steps * directions).sum(-1, keepdims=True)
    A, b = DRAG_SHARE * lengths.sum() * len(steps) * np.eye(2), np.zeros(2)
    for k, one in enumerate((ahead[:-1], right[:-1])):
        slip_one = one[:, None] - directions * (one[:, None] * directions).sum(-1, keepdims=True)
        b[k] = -(lengths[None, :, None] * slip_one * sideways).sum()
        for j, other in enumerate((ahead[:-1], right[:-1])):
            slip_other = other[:, None] - directions * (other[:, None] * directions).sum(-1, keepdims=True)
            A[k, j] += (lengths[None, :, None] * slip_one * slip_other).sum()
    return np.linalg.solve(A, b)


def steady_heading(clip: Clip) -> Float[ndarray, "frames"]:
    """The root's heading without the swing of the wave: the straight line through it, radians."""
    frames = np.arange(len(clip)) - 0.5 * (len(clip) - 1)
    heading = np.unwrap(clip.root[:, 3])
    return heading.mean() + frames * (frames @ heading) / max(float(frames @ frames), 1e-9)


def add_trunk_travel(character: Character, clip: Clip, anatomy: Anatomy) -> Clip:
    """An in-place clip of a body without feet with the travel at which its trunk slips sideways least."""
    if len(clip) < 3:
        return clip
    velocity = trunk_velocity(character, clip, anatomy)
    steps = rotate_on_ground(np.broadcast_to(velocity, (len(clip) - 1, 2)), steady_heading(clip)[:-1])
    root = clip.root.copy()
    root[1:, [0, 2]] += np.cumsum(steps, axis=0)
    return replace(clip, root=root)
