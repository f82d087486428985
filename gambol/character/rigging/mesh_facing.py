"""The direction that a bare body faces, by its shape: toes, head, bulk, and the tail fin of a fish."""

from __future__ import annotations

import numpy as np

from gambol.character.rigging.fins import find_tail_fin
from gambol.character.rigging.landmarks import (
    Landmarks,
    LimbPair,
    find_limbs,
    has_clearance,
    is_upright,
    make_landmarks,
    turned_branch,
    turned_pair,
    turned_solid,
)
from gambol.character.rigging.voxel_solid import VoxelSolid

FACING_WEIGHTS = {"toes": 3.5, "height": 1.8, "volume": 1.4, "tip": 2.3}
"""Weight of each hint in the log odds that a body faces +x (fitted on built-in creatures)."""
UPRIGHT_TOES_WEIGHT, MANY_LEGS_WEIGHT, TAIL_FIN_WEIGHT = 4.0, 2.0, 3.0
"""Weights of the only hint that counts for upright bodies, for more than two pairs of legs, and for fishes."""
END_SHARE = 0.12
"""Share of the body's length that counts as its front or rear end."""
TIP_REACH = 0.04
"""Share of the size at both ends whose thickness tells a blunt head from a thin tail."""
TOE_HEIGHT = 0.03
"""The ankle is the last point of a leg that is higher than its tip by this share of the size."""


def facing_probability(log_odds: float) -> float:
    """Probability of the more likely of both directions, from 0.5 to 1."""
    return float(1.0 / (1.0 + np.exp(-abs(log_odds))))


def find_landmarks(solid: VoxelSolid, *, forward: bool | None = None) -> tuple[Landmarks, bool, float]:
    """Landmarks of a solid of size 1 with the middle plane z = 0, turned so that it faces +x.

    `forward` says whether it faces +x as it is; None finds out. Also returns whether the solid was turned, and the
    evidence as in `facing_log_odds`.
    """
    pairs, ends = find_limbs(solid)
    log_odds = facing_log_odds(solid, pairs)
    turned = log_odds < 0 if forward is None else not forward
    if turned:
        solid, pairs, ends = turned_solid(solid), [turned_pair(p) for p in pairs], [turned_branch(b) for b in ends]
    return make_landmarks(solid, pairs, ends), turned, log_odds


def facing_log_odds(solid: VoxelSolid, pairs: list[LimbPair]) -> float:
    """Log of the odds that a body faces +x rather than -x.

    An upright body is judged by its toes, one with more than two pairs of legs by its thick end, which is behind, and
    one with a tail fin by the end where the fin is; other bodies by the weighted sum of `facing_hints`.
    """
    hints = facing_hints(solid, pairs)
    standing = sum(p.stands for p in pairs)
    if is_upright(solid):
        return UPRIGHT_TOES_WEIGHT * hints["toes"]
    if standing > 2:
        return -MANY_LEGS_WEIGHT * hints["blunt"]
    log_odds = sum(weight * hints[name] for name, weight in FACING_WEIGHTS.items())
    rear, front = find_tail_fin(solid), find_tail_fin(turned_solid(solid))
    strength = (rear.strength if rear else 0.0) - (front.strength if front else 0.0)
    if strength and not has_clearance(solid, pairs):
        return TAIL_FIN_WEIGHT * strength
    return log_odds


def facing_hints(solid: VoxelSolid, pairs: list[LimbPair]) -> dict[str, float]:
    """Evidence that the body faces +x rather than -x, each from about -1 to 1.

    toes: feet point forwards; height: the front end is higher; blunt and tip: the front end is thicker; volume: more of
    the body lies ahead of the feet.
    """
    centres, depths = solid.centres, solid.depths
    low, high = centres[:, 0].min(), centres[:, 0].max()
    reach = END_SHARE * (high - low)
    fore, aft = centres[:, 0] > high - reach, centres[:, 0] < low + reach
    middle = np.abs(centres[:, 2]) < 0.1
    blunt = np.log(depths[fore & middle].max(initial=1e-3) / depths[aft & middle].max(initial=1e-3))
    tips = [middle & (sign * centres[:, 0] > sign * end - TIP_REACH) for sign, end in ((1.0, high), (-1.0, low))]
    tip = np.log(depths[tips[0]].max(initial=1e-3) / depths[tips[1]].max(initial=1e-3))
    height = float(
        np.average(centres[fore, 1], weights=depths[fore]) - np.average(centres[aft, 1], weights=depths[aft])
    )
    toes = [_toe_length(p) for p in pairs if p.stands]
    feet = [float(p.tip[0]) for p in pairs if p.stands]
    beyond = np.log(
        (depths[centres[:, 0] > max(feet, default=0.0)].sum() + 1e-3)
        / (depths[centres[:, 0] < min(feet, default=0.0)].sum() + 1e-3)
    )
    return {
        "toes": float(np.clip(np.mean(toes) / 0.05, -1, 1)) if toes else 0.0,
        "height": float(np.clip(height / 0.2, -1, 1)),
        "blunt": float(np.clip(blunt, -1, 1)),
        "volume": float(np.clip(0.5 * beyond, -1, 1)),
        "tip": float(np.clip(tip, -1, 1)),
    }


def _toe_length(pair: LimbPair) -> float:
    """How far the tip of a leg lies ahead of its ankle."""
    above = np.flatnonzero(pair.line[:, 1] > pair.tip[1] + TOE_HEIGHT)
    return float(pair.tip[0] - pair.line[int(above[-1]) if len(above) else 0, 0])
