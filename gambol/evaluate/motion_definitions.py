"""How clearly a clip shows a motion of the vocabulary: by its definition, or by the rule-based recogniser."""

from __future__ import annotations

from collections.abc import Callable

from gambol.errors import ConfigError
from gambol.evaluate.definitions.athletic_acts import ATHLETIC_DEFINITIONS
from gambol.evaluate.definitions.gait_variants import GAIT_VARIANT_DEFINITIONS
from gambol.evaluate.definitions.hand_acts import HAND_DEFINITIONS
from gambol.evaluate.definitions.head_and_trunk_acts import HEAD_AND_TRUNK_DEFINITIONS
from gambol.evaluate.definitions.postures import POSTURE_DEFINITIONS
from gambol.evaluate.definitions.wing_fin_trunk_acts import WING_FIN_TRUNK_DEFINITIONS
from gambol.evaluate.observation import Observation
from gambol.evaluate.recognise import recognise
from gambol.motion.motion_names import MOTIONS
from gambol.motion.vocabulary import find_entry, vocabulary_motion

SHOWN_SCORE = 0.5
"""Score from which a motion counts as shown."""
MOTION_DEFINITIONS: dict[str, Callable[[Observation], float]] = {
    **POSTURE_DEFINITIONS,
    **HEAD_AND_TRUNK_DEFINITIONS,
    **HAND_DEFINITIONS,
    **ATHLETIC_DEFINITIONS,
    **WING_FIN_TRUNK_DEFINITIONS,
    **GAIT_VARIANT_DEFINITIONS,
}
"""Score of a clip for every motion that has a definition of its own."""


def shows_motion(seen: Observation, motion: str) -> float:
    """Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown.

    A motion without a definition is shown where the recogniser names its class.
    """
    name = vocabulary_motion(motion)
    if name in MOTION_DEFINITIONS:
        return MOTION_DEFINITIONS[name](seen)
    wanted = find_entry(name).recognised_as or name
    if wanted not in MOTIONS:
        raise ConfigError(f"The motion {motion!r} has neither a definition nor a class of the recogniser.")
    return 1.0 if recognise(seen).motion == wanted else 0.0
