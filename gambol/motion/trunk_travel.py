"""Travel of bodies without feet: a snake on the ground or a fish in the water moves along itself, not sideways."""

from __future__ import annotations

from dataclasses import dataclass, replace

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


@dataclass(frozen=True)
class TrunkPieces:
    """The bones of a trunk in every frame."""

    middles: Float[ndarray, "frames pieces 3"]
    """Middles of the bones, metres."""
    directions: Float[ndarray, "frames pieces 3"]
    """Unit vectors along the bones, towards the head."""
    lengths: Float[ndarray, "pieces"]
    """Lengths of the bones, metres."""
    headings: Float[ndarray, "frames"]
    """Heading of the whole trunk, from its tail to its head, radians; without the swing of the wave."""


def trunk_pieces(character: Character, clip: Clip, anatomy: Anatomy) -> TrunkPieces:
    """Where the bones of the trunk are; those of the tail are turned to look ahead."""
    skeleton = character.require_skeleton()
    bones = [bone for bone, part in enumerate(anatomy.parts) if part in TRUNK_PARTS]
    T, rest = pose_clip(skeleton, clip)[:, bones], skeleton.T_world_rest[bones]
    local = np.einsum("bji,bj->bi", rest[:, :3, :3], skeleton.tails[bones] - rest[:, :3, 3])
    along = np.einsum("fbij,bj->fbi", T[..., :3, :3], local)
    middles = T[..., :3, 3] + 0.5 * along
    along[:, [anatomy.parts[bone] == BodyPart.TAIL for bone in bones]] *= -1.0
    lengths = np.linalg.norm(local, axis=1)
    x, _, z = along.sum(1).T
    frames = np.arange(len(clip)) - 0.5 * (len(clip) - 1)
    heading = np.unwrap(np.arctan2(-z, x))
    steady = heading.mean() + frames * (frames @ heading) / max(float(frames @ frames), 1e-9)
    return TrunkPieces(middles, along / np.maximum(lengths, 1e-12)[:, None], lengths, steady)


def trunk_velocity(pieces: TrunkPieces) -> Float[ndarray, "2"]:
    """Velocity (ahead, right) in the trunk's own heading, metres per frame, at which it slips sideways least.

    A piece at p with direction u that is carried along at v slips by (I - u u^T) (dp/dt + v); the least mean square
    over all pieces and frames, weighted by length, with `DRAG_SHARE` of v^2 added.
    """
    u = pieces.directions[:-1] + pieces.directions[1:]
    u /= np.maximum(np.linalg.norm(u, axis=-1, keepdims=True), 1e-12)
    heading = 0.5 * (pieces.headings[:-1] + pieces.headings[1:])
    c, s, zero = np.cos(heading), np.sin(heading), np.zeros_like(heading)
    axes = np.stack([np.stack([c, zero, -s], -1), np.stack([s, zero, c], -1)])

    def slip(motion: ndarray) -> ndarray:
        return motion - u * (motion * u).sum(-1, keepdims=True)

    carried, moved = slip(axes[:, :, None]), slip(np.diff(pieces.middles, axis=0))
    weighted = pieces.lengths[:, None] * carried
    A = np.einsum("ifpk,jfpk->ij", weighted, carried)
    A += DRAG_SHARE * pieces.lengths.sum() * len(u) * np.eye(2)
    return np.linalg.solve(A, -np.einsum("ifpk,fpk->i", weighted, moved))


def add_trunk_travel(character: Character, clip: Clip, anatomy: Anatomy) -> Clip:
    """An in-place clip of a body without feet with the travel at which its trunk slips sideways least."""
    if len(clip) < 3:
        return clip
    pieces = trunk_pieces(character, clip, anatomy)
    velocity = np.broadcast_to(trunk_velocity(pieces), (len(clip) - 1, 2))
    root = clip.root.copy()
    root[1:, [0, 2]] += np.cumsum(rotate_on_ground(velocity, pieces.headings[:-1]), axis=0)
    return replace(clip, root=root)
