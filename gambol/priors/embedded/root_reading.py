"""Reads the root's motion off a film of parts in closed form, so that a fit need not find large turns itself.

In every frame the root is the rigid motion that takes torso and limb roots from where they rest to where the film has
them, by least squares (Kabsch). Everything finer is left to the fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.skeleton import Skeleton
from gambol.motion.rotations import continuous_angles
from gambol.priors.embedded.part_film import NUMBERS_PER_UNIT, PartFrame
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.part_moments import part_moments

LIMB_ROOT_WEIGHT = 0.3
"""Weight of the upper pieces of limbs beside the torso's: they tell left from right."""


@dataclass(frozen=True)
class RootReader:
    """What is needed of a body to read its root."""

    R_world_root: Float[ndarray, "3 3"]
    """Rest rotation of the root."""
    root: Float[ndarray, "3"]
    """Place of the root at rest, metres."""
    middles: Float[ndarray, "parts 3"]
    """Places of the parts at rest, metres."""
    weights: Float[ndarray, "parts"]
    """Weight of each part."""
    frame: PartFrame
    """Unit and origin of the film's numbers."""


def make_root_reader(skeleton: Skeleton, frame: PartFrame) -> RootReader:
    """Measure a body at rest."""
    rest = torch.eye(4).expand(1, len(skeleton), 4, 4)
    middles = part_moments(frame.tables, rest)[0][0].double().numpy()
    labels = [PART_LABELS[index] for index in frame.tables.labels.tolist()]
    limbs = (BodyPart.LEG, BodyPart.ARM, BodyPart.WING)
    shares = [
        1.0 if p.part == BodyPart.TORSO else LIMB_ROOT_WEIGHT * (p.part in limbs and p.piece == 0) for p in labels
    ]
    weights = np.array(shares) * frame.tables.mass.double().numpy()
    return RootReader(skeleton.T_world_rest[0, :3, :3], skeleton.heads[0], middles, weights, frame)


def read_root(reader: RootReader, numbers: Float[ndarray, "frames parts 9"]) -> Float[ndarray, "frames 6"]:
    """Displacement (m) and angles (rad) of the root in a film's frames."""
    frame = reader.frame
    targets = numbers[..., :3] / NUMBERS_PER_UNIT * frame.unit + frame.origin.double().numpy()
    D, shift = rigid_motions(reader.middles, targets, reader.weights)
    moved = np.einsum("fij,j->fi", D, reader.root) + shift - reader.root
    angles = continuous_angles(reader.R_world_root.T @ D @ reader.R_world_root)
    return np.concatenate([moved, angles], axis=1)


def rigid_motions(
    rest: Float[ndarray, "parts 3"], targets: Float[ndarray, "frames parts 3"], weights: Float[ndarray, "parts"]
) -> tuple[Float[ndarray, "frames 3 3"], Float[ndarray, "frames 3"]]:
    """R and t of each frame with least sum_i w_i |R rest_i + t - target_i|^2 (Kabsch).

    All parts count alike where fewer than three have a weight; R = 1 where the parts lie on a line.
    """
    used: Bool[ndarray, "parts"] = weights > 0
    w = weights if used.sum() > 2 else np.ones(len(rest))
    w = w / w.sum()
    middle, moved = w @ rest, np.einsum("p,fpi->fi", w, targets)
    H = np.einsum("p,fpi,pj->fij", w, targets - moved[:, None], rest - middle)
    U, S, V = np.linalg.svd(H)
    flip = np.ones((len(H), 3))
    flip[:, 2] = np.sign(np.linalg.det(U @ V))
    R = (U * flip[:, None]) @ V
    R[S[:, 1] < 1e-6 * np.maximum(S[:, 0], 1e-12)] = np.eye(3)
    return R, moved - np.einsum("fij,j->fi", R, middle)
