"""Join clips that are done one after the other: a matching pose, a blend of rotations, one path over the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.motion.blend_poses import blend_angles, same_branch
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.feet.contacts import Stances
from gambol.motion.root_trajectory import rotate_on_ground
from gambol.motion.rotations import rotation_angle

SEARCH_SECONDS = 0.25
"""How far from its nominal frame a cut between two clips may be, seconds."""
SHORTEST_BLEND, LONGEST_BLEND = 0.2, 0.6
"""Length of a blend, seconds: short where the poses match, long where they are far apart."""
LONG_BLEND_ANGLE = 0.5
"""Joint angle between two poses, radians (root mean square), at which a blend is longest."""
JOINING_MARGIN = SEARCH_SECONDS + 0.5 * LONGEST_BLEND
"""Seconds that a clip needs before its first and behind its last nominal frame, to be searched and blended."""
USUAL_SPEED_QUANTILE = 0.9
"""Quantile of the fastest joint's speed over the frames of two clips that a blend between them may add."""
VELOCITY_REACH = 0.1
"""A difference of velocities counts like the difference of poses that it makes in this time, seconds."""
SHIFT_COST = 0.01
"""Cost of a cut at the end of its search, beside the mean squared difference of rotation matrices."""


@dataclass(frozen=True)
class Piece:
    """A clip that is to be joined with others."""

    clip: Clip
    """The clip with its travel over the ground, longer than its nominal span."""
    stances: Stances | None
    """When its feet stand; None for a body without feet."""
    first: int
    """First frame of the nominal span."""
    last: int
    """Last frame of the nominal span."""


@dataclass(frozen=True)
class Joined:
    """Several clips as one."""

    clip: Clip
    """The clip."""
    stances: Stances | None
    """When feet stand."""
    cuts: tuple[int, ...]
    """Frame in the middle of each blend."""


def join_pieces(pieces: Sequence[Piece], name: str) -> Joined:
    """Join pieces of one frame rate: each goes on where the last one is, with its heading."""
    whole = pieces[0].clip
    standing = None if pieces[0].stances is None else pieces[0].stances.standing
    clip, end, start = whole, pieces[0].last, pieces[0].first
    cuts: list[int] = []
    for piece in pieces[1:]:
        a, b, half = find_cut(clip, end, piece, earliest=(cuts[-1] if cuts else start))
        clip, shift = blend_clips(clip, piece.clip, a, b, half)
        if standing is not None and piece.stances is not None:
            standing = np.concatenate([standing[:, :a], piece.stances.standing[:, b:]], axis=1)
        cuts.append(a)
        end = piece.last + shift
    keep = slice(start, end + 1)
    clip = replace(clip, name=name, root=clip.root[keep], angles=clip.angles[keep])
    stances = None
    if standing is not None and pieces[0].stances is not None:
        stances = Stances(standing[:, start:end], pieces[0].stances.levels)
    return Joined(clip, stances, tuple(cut - start for cut in cuts))


def find_cut(clip: Clip, end: int, piece: Piece, *, earliest: int) -> tuple[int, int, int]:
    """Frames of both clips at which they match best near their nominal ends, and half the length of the blend.

    Poses are compared by the joints' rotation matrices and their velocities; the root counts without its heading.
    """
    fps, search = clip.fps, round(SEARCH_SECONDS * clip.fps)
    least = max(round(0.5 * SHORTEST_BLEND * fps), 1)
    ours = np.arange(max(end - search, earliest + least), min(end + search, len(clip) - 1 - least) + 1)
    theirs = np.arange(
        max(piece.first - search, least), min(piece.first + search, piece.last, len(piece.clip) - 1 - least) + 1
    )
    ours = ours if len(ours) else np.array([min(end, len(clip) - 1)])
    theirs = theirs if len(theirs) else np.array([piece.first])
    first, second = pose_features(clip), pose_features(piece.clip)
    gaps = ((first[ours][:, None] - second[theirs][None]) ** 2).mean(-1)
    away = ((ours - end)[:, None] ** 2 + (theirs - piece.first)[None] ** 2) / max(search, 1) ** 2
    i, j = np.unravel_index((gaps + SHIFT_COST * away).argmin(), gaps.shape)
    # |R - S|_F^2 = 8 sin^2(angle / 2): about twice the squared angle over nine numbers
    angle = float(np.sqrt(4.5 * gaps[i, j]))
    a, b = int(ours[i]), int(theirs[j])
    seconds = SHORTEST_BLEND + (LONGEST_BLEND - SHORTEST_BLEND) * min(angle / LONG_BLEND_ANGLE, 1.0)
    seconds = min(max(seconds, _unhurried_blend(clip, piece.clip, a, b)), LONGEST_BLEND)
    room = min(a - earliest, len(clip) - 1 - a, b, len(piece.clip) - 1 - b)
    return a, b, max(min(round(0.5 * seconds * fps), room), 0)


def _unhurried_blend(first: Clip, second: Clip, a: int, b: int) -> float:
    """Seconds in which no joint turns faster by the blend alone than joints do in the clips.

    A blend by u^3 (10 - 15 u + 6 u^2) over an angle d is fastest in its middle, 15/8 d over its length.
    """
    R, S = joint_matrices(first)[:, 1:], joint_matrices(second)[:, 1:]
    if not R.shape[1]:
        return 0.0
    apart = float(rotation_angle(np.swapaxes(R[a], -1, -2) @ S[b]).max())
    steps = [rotation_angle(np.swapaxes(Q[:-1], -1, -2) @ Q[1:]).max(1) for Q in (R, S)]
    usual = float(np.quantile(np.concatenate(steps), USUAL_SPEED_QUANTILE)) * first.fps
    return 1.875 * apart / usual if usual > 1e-6 else LONGEST_BLEND


def pose_features(clip: Clip) -> Float[ndarray, "frames numbers"]:
    """Rotation matrices of all joints, the root without its heading, and their change in `VELOCITY_REACH`."""
    root = clip.root.copy()
    root[:, 3] = 0.0
    R = joint_matrices(replace(clip, root=root)).reshape(len(clip), -1)
    velocity = np.gradient(R, axis=0) * clip.fps * VELOCITY_REACH if len(clip) > 1 else np.zeros_like(R)
    return np.concatenate([R, velocity], axis=1)


def blend_clips(first: Clip, second: Clip, a: int, b: int, half: int) -> tuple[Clip, int]:
    """The first clip up to frame a, the second from frame b on, blended over `half` frames on both sides.

    The second clip is turned and shifted so that both agree on the mean over the blend. Also returns the shift from
    frames of the second clip to those of the result.
    """
    here, there = slice(a - half, a + half + 1), slice(b - half, b + half + 1)
    root = second.root.copy()
    root[:, 3:] = same_branch(root[:, 3:], first.root[a, 3:] - root[b, 3:])
    turn = float((first.root[here, 3] - root[there, 3]).mean())
    root[:, [0, 2]] = rotate_on_ground(root[:, [0, 2]], np.full(len(root), turn))
    root[:, 3] += turn
    root[:, [0, 2]] += (first.root[here][:, [0, 2]] - root[there][:, [0, 2]]).mean(0)
    angles = same_branch(second.angles, first.angles[a] - second.angles[b])
    u = np.linspace(0.0, 1.0, 2 * half + 3)[1:-1]
    w = u**3 * (u * (6.0 * u - 15.0) + 10.0)
    middle = np.concatenate(
        [
            first.root[here, :3] + w[:, None] * (root[there, :3] - first.root[here, :3]),
            blend_angles(first.root[here, None, 3:], root[there, None, 3:], w)[:, 0],
        ],
        axis=1,
    )
    bent = blend_angles(first.angles[here], angles[there], w)
    joined = replace(
        first,
        root=np.concatenate([first.root[: a - half], middle, root[b + half + 1 :]]),
        angles=np.concatenate([first.angles[: a - half], bent, angles[b + half + 1 :]]),
    )
    return joined, a - b


def hold_ends(
    clip: Clip, stances: Stances | None, *, before: int, after: int, ease_seconds: float = 0.12
) -> tuple[Clip, Stances | None]:
    """The clip with its first and last pose held for some frames; its velocity ebbs away, v exp(-t / ease)."""
    values = np.concatenate([clip.root, clip.angles.reshape(len(clip), -1)], axis=1)
    parts = [values]
    for count, end, inside, side in (
        (before, 0, min(1, len(clip) - 1), 0),
        (after, -1, -2 if len(clip) > 1 else -1, 1),
    ):
        speed = (values[end] - values[inside]) * clip.fps
        times = np.arange(1, count + 1)[:, None] / clip.fps
        held = values[end] + speed * ease_seconds * (1.0 - np.exp(-times / ease_seconds))
        parts = [*parts, held] if side else [held[::-1], *parts]
    values = np.concatenate(parts)
    held_clip = replace(clip, root=values[:, :6].copy(), angles=values[:, 6:].reshape(len(values), -1, 3).copy())
    if stances is None:
        return held_clip, None
    return held_clip, replace(stances, standing=hold_standing(stances.standing, before, after))


def hold_standing(
    standing: Bool[ndarray, "feet intervals"], before: int, after: int
) -> Bool[ndarray, "feet more_intervals"]:
    """Contacts of a clip whose ends are held: those of its first and last interval go on."""
    return np.pad(standing, ((0, 0), (before, after)), mode="edge" if standing.shape[1] else "constant")
