"""Poses, handles and keys as text: `walk:6`, `hand.L=0.3,1.2,-0.4`, `12=sample:3`. Needs no torch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gambol.errors import ConfigError

POSE_NAMES = "rest, sample:SEED or CLIP:FRAME"
"""How a pose can be named, for messages."""


@dataclass(frozen=True)
class PoseReference:
    """A pose that is named by text."""

    kind: Literal["rest", "sample", "clip"]
    """The rest pose, a sample of the pose space, or a frame of one of the file's clips."""
    clip: str = ""
    """Name of the clip; empty for other kinds."""
    number: int | None = None
    """Seed of a sample, or frame of a clip at 30 frames per second; None if the text has none."""


def parse_pose(text: str) -> PoseReference:
    """Read `rest`, `sample`, `sample:SEED`, `CLIP` or `CLIP:FRAME`; the name of a clip may contain colons."""
    if not isinstance(text, str) or not text:
        raise ConfigError(f"A pose is named by text, not by {text!r}: write {POSE_NAMES}.")
    match = re.fullmatch(r"(.+):(-?\d+)", text, re.DOTALL)
    name, number = (match[1], int(match[2])) if match else (text, None)
    if name == "rest" and number is not None:
        raise ConfigError(f"The pose '{text}' has a number, but the rest pose is a single pose: write rest.")
    if name == "sample" or text.startswith("sample:"):
        if name != "sample" or (number or 0) < 0:
            raise ConfigError(f"The pose '{text}' needs a seed that is a whole number of 0 or more, such as sample:3.")
        return PoseReference("sample", number=number)
    return PoseReference("rest") if text == "rest" else PoseReference("clip", name, number)


def parse_handles(texts: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """Read `NAME=x,y,z ...` as targets in metres by handle name."""
    found: dict[str, tuple[float, float, float]] = {}
    for text in texts:
        name, equals, target = text.rpartition("=")
        try:
            x, y, z = (float(number) for number in target.split(","))
        except ValueError:
            equals = ""
        if not equals or not name:
            raise ConfigError(
                f"The handle '{text}' cannot be read; write NAME=x,y,z in metres, such as hand.L=0.3,1.2,-0.4."
            )
        if name in found:
            raise ConfigError(f"The handle '{name}' is given twice; give each handle one target.")
        found[name] = (x, y, z)
    return found


def parse_keys(texts: Sequence[str]) -> dict[int, str]:
    """Read `FRAME=POSE ...` as pose names by frame."""
    found: dict[int, str] = {}
    for text in texts:
        frame, equals, pose = text.partition("=")
        if not equals or not frame.isdigit() or not pose:
            raise ConfigError(f"The key '{text}' cannot be read; write FRAME=POSE, such as 0=rest 24=walk:6.")
        if int(frame) in found:
            raise ConfigError(f"Frame {int(frame)} has two keys; give each frame one pose.")
        parse_pose(pose)
        found[int(frame)] = pose
    return found
