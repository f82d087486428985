"""Definitions: actions of the whole body of people: cartwheel, roll, climb, squat, throw, swing, lift."""

from __future__ import annotations

from collections.abc import Callable

from gambol.evaluate.observation import Observation

DEFINITIONS: dict[str, Callable[[Observation], float]] = {}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
