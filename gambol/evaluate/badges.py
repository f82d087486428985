"""Badges: the few numbers of a clip that tell at a glance whether it is good, each with a grade and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gambol.evaluate.metrics import ClipMetrics
from gambol.evaluate.motion_definitions import SHOWN_SCORE

Grade = Literal["good", "fair", "poor"]
"""How good a number is."""
FAIR_MATCH = 0.5 * SHOWN_SCORE
"""Score of the motion asked for from which a clip counts as half shown."""
BADGE_BOUNDS = {
    "skate": (0.05, 0.2),
    "penetration": (0.005, 0.02),
    "seam": (0.005, 0.02),
    "self-intersection": (0.01, 0.03),
}
"""Largest value that is good, and largest that is fair, in sizes (per second for skate).

One percent of the size is about as thick as a finger of a person: less is hard to see from where the whole body is in
view, and two to four times as much catches the eye. Walks of artists skate by 0.1 to 0.4 sizes a second."""


@dataclass(frozen=True)
class Badge:
    """One number of a clip, judged."""

    name: Literal["match", "skate", "penetration", "seam", "self-intersection"]
    """What is judged."""
    value: float
    """The number: a score from 0 to 1 for match, else sizes (per second for skate)."""
    grade: Grade
    """How good it is."""
    text: str
    """The number as a sentence."""


def clip_badges(metrics: ClipMetrics, *, match: float | None = None, loop: bool = False) -> tuple[Badge, ...]:
    """The badges of a clip; `match` is the score of the motion that was asked for, where it is known."""
    found = []
    if match is not None:
        grade: Grade = "good" if match >= SHOWN_SCORE else "fair" if match >= FAIR_MATCH else "poor"
        shown = {"good": "shows", "fair": "half shows", "poor": "does not show"}[grade]
        text = f"The clip {shown} what was asked for (score {match:.2f}; {SHOWN_SCORE:g} and more counts as shown)."
        found.append(Badge("match", match, grade, text))
    if metrics.foot_skate_sizes is not None:
        found.append(_badge("skate", metrics.foot_skate_sizes, "Standing feet slide by {:.1%} of the size a second."))
    found.append(_badge("penetration", metrics.penetration_max, "At most {:.1%} of the size is below the ground."))
    if loop:
        found.append(_badge("seam", metrics.loop_error, "Last and first pose differ by {:.1%} of the size."))
    if metrics.self_intersection is not None:
        text = "Parts of the body overlap by {:.1%} of the size more than at rest."
        found.append(_badge("self-intersection", metrics.self_intersection, text))
    return tuple(found)


def _badge(name: Literal["skate", "penetration", "seam", "self-intersection"], value: float, text: str) -> Badge:
    good, fair = BADGE_BOUNDS[name]
    return Badge(name, value, "good" if value <= good else "fair" if value <= fair else "poor", text.format(value))
