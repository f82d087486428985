"""Definitions: gaits in other directions and manners: backwards, sideways, crawling, charging, old, drunk, proud."""

from __future__ import annotations

from collections.abc import Callable

from gambol.evaluate.observation import Observation

DEFINITIONS: dict[str, Callable[[Observation], float]] = {}
"""Score of how clearly a clip shows a motion, 0 to 1; 0.5 and more counts as shown."""
