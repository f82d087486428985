"""Definitions: actions of birds, fish and snakes: glide, take off, land, coil."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.anatomy.anatomy import BodyPart
from gambol.evaluate.curves import span
from gambol.evaluate.observation import Observation
from gambol.evaluate.recogniser_thresholds import SoftThreshold

IN_THE_AIR = SoftThreshold(0.03, 0.005)
"""Height of the lowest point in the air, sizes."""
WINGS_STILL = SoftThreshold(0.4, 0.04)
"""Vertical span of the wing tips against the body up to which wings glide, wing lengths."""
WINGS_BEAT = SoftThreshold(0.5, 0.05)
"""The same from which wings beat."""
WINGS_SPREAD = SoftThreshold(0.6, 0.04)
"""Distance of the wing tips aside of their shoulders from which wings are spread, wing lengths."""
RISEN = SoftThreshold(0.25, 0.03)
"""Height at the end of a take-off and at the start of a landing, sizes."""
GROUNDED = SoftThreshold(0.05, 0.01)
"""Height at its other end, sizes."""
WOUND = SoftThreshold(3.2, 0.25)
"""Angle by which the trunk of a coiled body turns from its head to the end of its tail, radians."""
ENDS = 0.12
"""Share of the clip at either end that counts as start and end."""


def glides(seen: Observation) -> float:
    """Off the ground with wings spread and still."""
    beat, spread = _wings(seen)
    air = IN_THE_AIR.above(float(np.quantile(seen.low, 0.1)) / seen.size)
    return air * WINGS_STILL.below(beat) * WINGS_SPREAD.above(spread)


def takes_off(seen: Observation) -> float:
    """The feet leave the ground under beating wings and stay off."""
    return _leaves(seen, *_ends(seen))


def lands(seen: Observation) -> float:
    """The body comes down under beating wings until the feet stand."""
    start, end = _ends(seen)
    return _leaves(seen, end, start)


def coils(seen: Observation) -> float:
    """The trunk winds into a coil and stays: its bones turn to one side from head to tail at the end of the clip."""
    wound = _winding(seen)
    count = max(2, round(ENDS * len(wound)))
    held = float(np.abs(wound[-count:]).min())
    still = SoftThreshold(0.6, 0.06).below(float(np.ptp(wound[-count:])))
    return WOUND.above(held) * still


def _ends(seen: Observation) -> tuple[float, float]:
    """Height of the lowest point at the start and at the end of the clip, sizes."""
    count = max(1, round(ENDS * len(seen)))
    return float(np.median(seen.low[:count])) / seen.size, float(np.median(seen.low[-count:])) / seen.size


def _leaves(seen: Observation, standing: float, flying: float) -> float:
    return GROUNDED.below(standing) * RISEN.above(flying) * WINGS_BEAT.above(_wings(seen)[0])


def _wings(seen: Observation) -> tuple[float, float]:
    """Vertical span of the wing tips and their median distance aside, wing lengths, mean over the wings."""
    spans, asides = [], []
    for wing in seen.anatomy.of(BodyPart.WING):
        bones = list(wing.bones)
        length = max(float(np.linalg.norm(seen.rest_tips[bones] - seen.rest_joints[bones], axis=1).sum()), 1e-6)
        away = seen.tips[:, bones[-1]] - seen.joints[:, bones[0]]
        up = (away * seen.displaced[:, 0, :3, 1]).sum(1)
        spans.append(span(up) / length)
        asides.append(float(np.median(np.abs((away * seen.aside).sum(1)))) / length)
    return (float(np.mean(spans)), float(np.mean(asides))) if spans else (0.0, 0.0)


def _winding(seen: Observation) -> Float[ndarray, "frames"]:
    """Sum of the turns about the vertical from each bone of the trunk and tail to its parent, radians."""
    parts = (BodyPart.TORSO, BodyPart.NECK, BodyPart.HEAD, BodyPart.TAIL)
    bones = [b for b, part in enumerate(seen.anatomy.parts) if part in parts and seen.parents[b] >= 0]
    ahead = seen.displaced[:, :, :3, 0]
    heading = np.arctan2(-ahead[..., 2], ahead[..., 0])
    turns = np.zeros(len(seen))
    for b in bones:
        step = heading[:, b] - heading[:, seen.parents[b]]
        step = np.arctan2(np.sin(step), np.cos(step))
        turns += -step if seen.anatomy.parts[b] == BodyPart.TAIL else step
    return turns


WING_FIN_TRUNK_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    "glide": glides,
    "take off": takes_off,
    "land": lands,
    "coil": coils,
}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
