"""The options of the command line that say what a motion must keep to: pins, poses, paths and more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import tyro

from gambol.app.constraint_arguments import constraint_arguments


def _words(form: str) -> Any:
    return Annotated[tuple[str, ...], tyro.conf.arg(metavar=form)]


CONSTRAINT_OPTIONS = {
    "pin": _words("JOINT@TIME=x,y,z"),
    "pose": _words("TIME=POSE"),
    "path": _words("x,z[^HEADING][@TIME]"),
    "speed": _words("TIME=SPEED"),
    "look_at": _words("x,y,z[@FIRST-LAST]"),
    "hold": _words("LIMBS@FIRST-LAST"),
    "freeze": _words("CLIP=LIMBS"),
}
"""Each option and how its values are written."""


def constraints_of(options: dict[str, Any]) -> Callable[[], tuple[Any, ...]]:
    """Take the constraints out of a verb's options; their texts are read at once, the objects are made when called."""
    data = constraint_arguments(**{name: options.pop(name) for name in CONSTRAINT_OPTIONS})

    def make() -> tuple[Any, ...]:
        if not data:
            return ()  # without the libraries that constraints need
        from gambol.app.found_constraints import read_constraints

        return read_constraints(data)

    return make


def keep_negative_places(arguments: list[str]) -> list[str]:
    """Arguments such as `-1,2` as values: a parser takes what begins with a dash for an option."""
    places = [a.startswith("-") and "," in a and a[1:2] in set("0123456789.") for a in arguments]
    return [f"{a} " if place else a for a, place in zip(arguments, places, strict=True)]
