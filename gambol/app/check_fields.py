"""Checks of single fields of a request; each message names the field."""

from __future__ import annotations

import math
from typing import Any

from gambol.errors import ConfigError

MAX_PROMPT_LENGTH = 2000
"""Longest sentence that is accepted, characters."""


def check_number(name: str, value: Any, kind: type, least: float, most: float) -> None:
    """Raise `ConfigError` unless the value is None or a number of the kind within the range."""
    if value is None:
        return
    allowed = (int, float) if kind is float else int
    whole = "whole " if kind is int else ""
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise ConfigError(f"{name} is {value!r}; it takes a {whole}number.")
    if not least <= value <= most:
        bound = f"from {least:g} to {most:g}" if most != math.inf else f"of {least:g} or more"
        raise ConfigError(f"{name} is {value:g}; it takes a {whole}number {bound}.")


def check_text(name: str, value: Any, longest: int) -> None:
    """Raise `ConfigError` unless the value is a text of at most `longest` letters."""
    if not isinstance(value, str):
        raise ConfigError(f"{name} is {value!r}; it takes a text.")
    if len(value) > longest:
        raise ConfigError(f"{name} has {len(value)} letters; at most {longest} are read.")
