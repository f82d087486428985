"""Segments of a motion: what is done one after the other, each with its own sentence, length, style and seed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gambol.app.check_fields import MAX_PROMPT_LENGTH, check_number, check_text
from gambol.errors import ConfigError

MAX_SECONDS = 60.0
"""Longest clip that is accepted, seconds."""
SHORTEST_SECONDS = 0.01
"""Shortest clip that is accepted, seconds."""
MAX_SEGMENTS = 20
"""Most segments of a request."""
SEGMENT_SECONDS = re.compile(
    r"^(?P<prompt>.*?)\s*:\s*(?P<seconds>[-+]?(?:\d+\.?\d*|\.\d+|nan|inf))\s*s?$", re.IGNORECASE
)
"""A sentence with its length behind a colon: 'jumps:2' or 'walks away: 3.5 s'."""


@dataclass(frozen=True)
class Segment:
    """One action of a sequence."""

    prompt: str
    """What the character does, in plain English; who does it may be left out after the first segment."""
    seconds: float | None = None
    """Length; None takes the motion's own: 4 s of what repeats, an action once from its start to its end."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the style by axis, in place of the request's."""
    seed: int | None = None
    """Seed of this segment; None takes the request's."""

    def check(self, where: str) -> None:
        """Raise `ConfigError` where a value is not allowed; `where` is the segment's place in the request."""
        check_text(f"{where}.prompt", self.prompt, MAX_PROMPT_LENGTH)
        if not self.prompt.strip():
            raise ConfigError(f"{where}.prompt is empty; it takes what the character does, such as 'a fox jumps'.")
        check_number(f"{where}.seconds", self.seconds, float, SHORTEST_SECONDS, MAX_SECONDS)
        check_number(f"{where}.seed", self.seed, int, 0, 2**31 - 1)
        check_style_numbers(f"{where}.style", self.style)


def check_segments(segments: Any) -> None:
    """Raise `ConfigError` for what is no sequence of valid segments."""
    if not isinstance(segments, tuple) or not all(isinstance(segment, Segment) for segment in segments):
        raise ConfigError(f"segments is {segments!r}; it takes a tuple of gambol.Segment(prompt, seconds=...).")
    if len(segments) > MAX_SEGMENTS:
        raise ConfigError(f"segments has {len(segments)} entries; at most {MAX_SEGMENTS} are made in one clip.")
    for i, segment in enumerate(segments):
        segment.check(f"segments[{i}]")
    total = sum(segment.seconds or 0.0 for segment in segments)
    if total > MAX_SECONDS:
        raise ConfigError(f"The segments last {total:g} s together; a clip lasts at most {MAX_SECONDS:g} s.")


def check_style_numbers(where: str, style: Any) -> None:
    """Raise `ConfigError` for a style that is no mapping from names to finite numbers."""
    if not isinstance(style, Mapping) or not all(isinstance(name, str) for name in style):
        raise ConfigError(f"{where} is {style!r}; it takes numbers by name, such as tempo=0.8.")
    for name, value in style.items():
        check_number(f"{where}.{name}", value, float, -1000.0, 1000.0)


def parse_segment(text: str) -> Segment:
    """Read a sentence with or without its length: 'jumps', 'jumps:2', 'walks away: 3.5 s'."""
    found = SEGMENT_SECONDS.match(text)
    return Segment(text.strip()) if found is None else Segment(found["prompt"].strip(), float(found["seconds"]))


def parse_style(words: tuple[str, ...]) -> dict[str, float]:
    """Read numbers of the style: ('tempo=0.8', 'bounce=1.3'). Raises `ConfigError`."""
    style: dict[str, float] = {}
    for word in words:
        name, equals, number = word.partition("=")
        try:
            value = float(number)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ConfigError(f"The style has {word!r}; it takes NAME=NUMBER, such as tempo=0.8.")
        if name in style:
            raise ConfigError(f"The style gives {name} twice; give it once.")
        style[name] = value
    return style
