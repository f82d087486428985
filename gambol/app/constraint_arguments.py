"""Constraints as text: `hand.L@1.0=0.4,1.3,-0.5`, `2.0=walk:6`, `0,0 2,0@1.5 3,1@3.0`. Needs no torch.

Everything is read into the plain data that request files hold (`read_constraint`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from gambol.errors import ConfigError

PIN_FORM = "JOINT@TIME=x,y,z or JOINT@FIRST-LAST=x,y,z, such as hand.L@1.0=0.4,1.3,-0.5"
"""How a pin is written."""
POSE_FORM = "TIME=POSE, such as 0=rest or 1.5=walk:6"
"""How a key pose is written."""
PATH_FORM = "x,z points with HEADING in degrees after ^ and TIME after @, such as 0,0 2,0@1.5 3,1^90@3"
"""How a path is written."""
SPEED_FORM = "TIME=SPEED in m/s, such as 0=0.8 2=1.6"
"""How speeds are written."""
LOOK_FORM = "x,y,z or x,y,z@FIRST-LAST, such as 3,1.5,-1@0.5-2"
"""How a look is written."""
HOLD_FORM = "LIMBS@FIRST-LAST, such as arms@1.0-2.5 or 'left arm,head@1-2'"
"""How a hold is written."""
FREEZE_FORM = "CLIP=LIMBS or CLIP@FIRST-LAST=LIMBS, such as 'Attack=upper body'"
"""How frozen limbs are written."""


def constraint_arguments(
    *,
    pin: Sequence[str] = (),
    pose: Sequence[str] = (),
    path: Sequence[str] = (),
    speed: Sequence[str] = (),
    look_at: Sequence[str] = (),
    hold: Sequence[str] = (),
    freeze: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """All constraints that options of the command line ask for, as plain data.

    Args:
        pin: Joint (or NAME:end) at a time: JOINT@TIME=x,y,z, or over an interval: JOINT@FIRST-LAST=x,y,z; an
            orientation may follow as /w,x,y,z.
        pose: Key poses: TIME=POSE, POSE being rest, CLIP:FRAME, sample:SEED, or FILE:FRAME.
        path: Points x,z of one path, each with ^HEADING in degrees and @TIME where wanted.
        speed: Speeds over time: TIME=SPEED in m/s.
        look_at: Where the head looks: x,y,z, with @FIRST-LAST where it is not all the time.
        hold: Limbs that keep their pose over an interval: LIMBS@FIRST-LAST.
        freeze: Limbs of a clip of the file that stay as they are: CLIP=LIMBS or CLIP@FIRST-LAST=LIMBS.
    """
    found = [_each("--pin", text, PIN_FORM, read_pin) for text in pin]
    found += [_each("--pose", text, POSE_FORM, read_pose) for text in pose]
    if path:
        found.append(_each("--path", " ".join(path), PATH_FORM, read_path))
    if speed:
        found.append(_each("--speed", " ".join(speed), SPEED_FORM, read_speed))
    found += [_each("--look-at", text, LOOK_FORM, read_look) for text in look_at]
    found += [_each("--hold", text, HOLD_FORM, read_hold) for text in hold]
    return found + [_each("--freeze", text, FREEZE_FORM, read_freeze) for text in freeze]


def _each(option: str, text: str, form: str, read: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    try:
        return read(text)
    except ValueError:
        raise ConfigError(f"{option} '{text}' cannot be read; write {form}.") from None


def read_pin(text: str) -> dict[str, Any]:
    """`JOINT@TIME=x,y,z` or `JOINT@FIRST-LAST=x,y,z`, with `/w,x,y,z` for an orientation."""
    left, values = _split(text, "=")
    joint, when = _split(left, "@")
    place, _, turn = values.partition("/")
    return {
        "kind": "pin",
        "joint": joint,
        **_when(when),
        "position": _numbers(place, 3),
        **({"orientation": _numbers(turn, 4)} if turn else {}),
    }


def read_pose(text: str) -> dict[str, Any]:
    """`TIME=POSE`."""
    time, _, pose = text.partition("=")
    if not pose:
        raise ValueError(text)
    return {"kind": "pose", "time": _number(time), "pose": pose}


def read_path(text: str) -> dict[str, Any]:
    """`x,z x,z ...`, each point with `^HEADING` in degrees and `@TIME`; all points or none have them."""
    points, headings, times = [], [], []
    for word in text.split():
        match = re.fullmatch(r"([^@^]+)(?:\^([^@^]+))?(?:@([^@^]+))?", word)
        if match is None:
            raise ValueError(text)
        points.append(_numbers(match[1], 2))
        headings.append(None if match[2] is None else math.radians(_number(match[2])))
        times.append(None if match[3] is None else _number(match[3]))
    if times and times[0] is None and any(time is not None for time in times):
        times[0] = 0.0  # the clip starts where the path does
    found: dict[str, Any] = {"kind": "path", "points": points}
    for name, values in (("headings", headings), ("times", times)):
        given = [value for value in values if value is not None]
        if given and len(given) != len(points):
            raise ConfigError(f"--path '{text}': {len(given)} of {len(points)} points have {name}; give all or none.")
        found |= {name: given} if given else {}
    return found


def read_speed(text: str) -> dict[str, Any]:
    """`TIME=SPEED TIME=SPEED ...`; a single speed counts all the time."""
    if "=" not in text:
        return {"kind": "speed", "speeds": [_number(text)], "times": [0.0]}
    pairs = [_split(word, "=") for word in text.split()]
    return {"kind": "speed", "speeds": [_number(v) for _, v in pairs], "times": [_number(t) for t, _ in pairs]}


def read_look(text: str) -> dict[str, Any]:
    """`x,y,z` or `x,y,z@FIRST-LAST`."""
    place, _, when = text.partition("@")
    return {"kind": "look_at", "target": _numbers(place, 3), **({"interval": _interval(when)} if when else {})}


def read_hold(text: str) -> dict[str, Any]:
    """`LIMBS@FIRST-LAST`, limbs separated by commas."""
    limbs, when = _split(text, "@")
    return {"kind": "hold", "limbs": _words(limbs), "interval": _interval(when)}


def read_freeze(text: str) -> dict[str, Any]:
    """`CLIP=LIMBS` or `CLIP@FIRST-LAST[,FIRST-LAST ...]=LIMBS`, limbs separated by commas."""
    left, limbs = _split(text, "=")
    match = re.fullmatch(r"(.+)@([\d.,-]+)", left)
    if match is None:
        return {"kind": "freeze", "clip": left, "limbs": _words(limbs)}
    spans = [_interval(span) for span in match[2].split(",")]
    return {"kind": "freeze", "clip": match[1], "limbs": _words(limbs), "spans": spans}


def _split(text: str, mark: str) -> tuple[str, str]:
    """Both sides of the last mark, neither empty."""
    left, found, right = text.rpartition(mark)
    if not found or not left.strip() or not right.strip():
        raise ValueError(text)
    return left.strip(), right.strip()


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _numbers(text: str, count: int) -> list[float]:
    values = [_number(word) for word in text.split(",")]
    if len(values) != count:
        raise ValueError(text)
    return values


def _interval(text: str) -> list[float]:
    first, _, last = text.partition("-")
    return [_number(first), _number(last)]


def _when(text: str) -> dict[str, Any]:
    return {"interval": _interval(text)} if "-" in text else {"time": _number(text)}
