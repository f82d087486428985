"""How closely the hands, feet, heads, tails and wing tips of one clip follow those of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.character import Character
from gambol.motion.clip import Clip
from gambol.motion.kinematics import pose_clip

HAND_BONE = 3
"""Place of the hand in an arm's chain: shoulder, upper arm, forearm, hand."""


@dataclass(frozen=True)
class Agreement:
    """How closely one clip's end effectors follow another's."""

    explained: float
    """R^2 of all paths about the root, each less its mean place: 1 is the same, 0 as far off as standing still."""
    amplitude: float
    """Size of the found paths as a multiple of the true ones."""
    worst: str
    """The end effector that is followed worst, of those that move much."""
    worst_explained: float
    """R^2 of its path."""


def end_effectors(anatomy: Anatomy) -> dict[str, int]:
    """The last bone that counts of each limb, head and tail, by name; all trunk bones where there are none."""
    found: dict[str, int] = {}
    for limb in anatomy.limbs:
        name = f"{limb.part.value} {limb.side.value} {limb.pair}"
        if limb.part in (BodyPart.LEG, BodyPart.WING):
            found[name] = limb.bones[-1] if limb.contact is None else limb.contact
        elif limb.part == BodyPart.ARM:
            found[name] = limb.bones[min(HAND_BONE, len(limb.bones) - 1)]
        elif limb.part in (BodyPart.HEAD, BodyPart.TAIL):
            found[name] = limb.bones[-1]
    return found


def end_effector_paths(character: Character, anatomy: Anatomy, clip: Clip) -> dict[str, Float[ndarray, "frames 3"]]:
    """Ends of the end effectors' bones relative to the root joint, metres."""
    skeleton = character.require_skeleton()
    T = pose_clip(skeleton, clip)
    offsets = np.einsum(
        "bji,bj->bi", skeleton.T_world_rest[:, :3, :3], skeleton.tails - skeleton.T_world_rest[:, :3, 3]
    )
    ends = np.einsum("fbij,bj->fbi", T[..., :3, :3], offsets) + T[..., :3, 3]
    return {name: ends[:, bone] - T[:, 0, :3, 3] for name, bone in end_effectors(anatomy).items()}


def end_effector_agreement(character: Character, anatomy: Anatomy, true: Clip, found: Clip) -> Agreement:
    """Compare two clips of equal length: 1 - sum |true - found|^2 / sum |true|^2 over paths less their means."""
    paths, others = (end_effector_paths(character, anatomy, clip) for clip in (true, found))
    centred = {name: path - path.mean(0) for name, path in paths.items()}
    made = {name: path - path.mean(0) for name, path in others.items()}
    energy = {name: float(np.square(path).sum()) for name, path in centred.items()}
    missed = {name: float(np.square(path - made[name]).sum()) for name, path in centred.items()}
    whole = max(sum(energy.values()), 1e-12)
    moving = [name for name in energy if energy[name] > 0.05 * whole]
    worst = min(moving, key=lambda name: 1.0 - missed[name] / energy[name])
    size = sum(float(np.square(path).sum()) for path in made.values())
    return Agreement(
        1.0 - sum(missed.values()) / whole, float(np.sqrt(size / whole)), worst, 1.0 - missed[worst] / energy[worst]
    )
