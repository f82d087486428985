"""Where a foot goes when its body sits or lies: the foothold at which the folded leg lies lowest without sinking in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.creatures.gaits.ground_contact import surface_heights
from gambol.creatures.gaits.leg_geometry import Leg
from gambol.creatures.gaits.leg_motion import ankle_target, place_leg
from gambol.creatures.gaits.moving_body import MovingBody
from gambol.creatures.gaits.pose_builder import PoseBuilder
from gambol.creatures.gaits.standing import lifted_foot

FOOTHOLDS = 33
"""Number of places along the body that are tried."""
FOOT_PITCHES = np.linspace(0.0, 1.4, 8)
"""Pitches of a long foot (a cannon bone) that are tried, radians; it lies down backwards."""
SINKING_COST = 40.0
"""Cost of a surface below the ground, per metre, against 1 for the height of the leg."""
MISSING_COST = 20.0
"""Cost of a foot that does not reach its foothold, per metre."""


@dataclass(frozen=True)
class Foothold:
    """Place and pitch of a foot."""

    place: Float[ndarray, "3"]
    """Displacement over the ground from where it stands at rest, metres."""
    pitch: float
    """Pitch of the foot from rest, radians, toes up positive."""


def find_foothold(
    body: MovingBody, pose: PoseBuilder, leg: Leg, reach: tuple[float, float], *, aside: float = 0.0
) -> Foothold:
    """Return the foothold at which a folded leg lies lowest on the ground, for a trunk that is posed in one frame.

    `reach` is the range ahead of the hip that is tried, leg lengths; `aside` moves the foot outwards, leg lengths.
    Cost: height of the leg's inner joints + sinking of its surface + distance by which the foot misses its place +
    a little for going far.
    """
    D, p = pose.displacements()
    hip = p[0, leg.bones[0]]
    pitches = FOOT_PITCHES if leg.long_foot > 0.3 else np.zeros(1)
    ahead, tilt = (x.ravel() for x in np.meshgrid(np.linspace(*reach, FOOTHOLDS), pitches, indexing="ij"))
    ahead = hip[0] + ahead * leg.length - leg.tread[0]
    outwards = np.full(len(ahead), np.sign(leg.sole[2]) * aside * leg.length)
    path = lifted_foot(leg, ahead, np.zeros(len(ahead)), tilt, np.ones(len(ahead), bool), outwards)
    trial = PoseBuilder(body.skeleton, len(ahead))
    trial.rotations[:], trial.root_shift[:] = pose.rotations[0], pose.root_shift[0]
    parent = int(body.skeleton.parents[leg.bones[0]])
    place_leg(trial, leg, path, np.tile(D[0, parent], (len(ahead), 1, 1)), np.tile(hip, (len(ahead), 1)))
    _, joints = trial.displacements()
    end = trial.point(leg.bones[-1], leg.chain.joints[-1])
    missed = np.linalg.norm(end - ankle_target(leg, path), axis=-1)
    heights = surface_heights(body, trial, leg.bones)
    sunk = np.maximum(-heights.min(1), 0.0) if heights.size else np.zeros(len(ahead))
    inner = joints[:, list(leg.bones[1:]), 1].mean(1) if len(leg.bones) > 1 else np.zeros(len(ahead))
    far = 0.08 * np.abs(ahead) + 0.02 * leg.length * np.abs(tilt)
    best = int(np.argmin(inner + SINKING_COST * sunk + MISSING_COST * missed + far))
    return Foothold(np.array([ahead[best], 0.0, outwards[best]]), float(tilt[best]))


def find_footholds(
    body: MovingBody, pose: PoseBuilder, places: Iterable[int], reach: tuple[float, float], *, aside: float = 0.0
) -> dict[int, Foothold]:
    """Return footholds of the legs at some places of `body.legs`; both legs of a pair get the one of its first leg."""
    found: dict[int, Foothold] = {}
    by_pair: dict[int, Foothold] = {}
    for place in places:
        leg = body.legs[place]
        if leg.limb.pair not in by_pair:
            by_pair[leg.limb.pair] = find_foothold(body, pose, leg, reach, aside=aside)
        hold = by_pair[leg.limb.pair]
        outwards = np.sign(leg.sole[2]) * abs(float(hold.place[2]))
        found[place] = Foothold(np.array([hold.place[0], 0.0, outwards]), hold.pitch)
    return found
