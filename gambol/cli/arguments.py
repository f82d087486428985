"""Argument types that several verbs share; values of those with an `ArgumentCheck` are checked before the verb runs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import tyro

from gambol.app import check_arguments


@dataclass(frozen=True)
class ArgumentCheck:
    """Metadata of an argument's type: a function that raises a GambolError for values that are not allowed.

    Checks run before the verb, and so before it imports torch: a mistyped path is reported at once.
    """

    function: Callable[[Any], None]
    """The check; of a tuple it is given every element."""


CharacterFile = Annotated[
    Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE"), ArgumentCheck(check_arguments.check_character_file)
]
"""A file that Gambol reads."""
CharacterOutput = Annotated[
    Path, tyro.conf.arg(aliases=["-o"], metavar="PATH"), ArgumentCheck(check_arguments.check_output_file)
]
"""A file that Gambol writes: .glb, .gltf, .fbx, ..."""
Output = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="PATH")]
"""Any other file or folder that is written."""
ClipName = Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")]
"""The name or number of a clip."""
CharacterName = Annotated[str | None, tyro.conf.arg(metavar="NAME", help_behavior_hint="")]
"""The name of one of several characters in a file."""
Scale = Annotated[
    float | None,
    tyro.conf.arg(metavar="METRES_PER_UNIT", help_behavior_hint=""),
    ArgumentCheck(check_arguments.check_scale),
]
"""Metres per file unit."""
Facing = Annotated[
    str | None, tyro.conf.arg(metavar="+x|-x|+z|-z", help_behavior_hint=""), ArgumentCheck(check_arguments.check_facing)
]
"""The file's axis that the character faces along."""


@dataclass(frozen=True)
class LoadOptions:
    """How a character file is read; options of all verbs that read one."""

    scale: Scale = None
    """Metres per file unit. Default: found from the file."""
    facing: Facing = None
    """The file's axis that the character faces along. Default: found from the file."""
    character: CharacterName = None
    """Which of several characters in the file. Default: the largest."""

    def keywords(self) -> dict[str, Any]:
        """Return the options as keyword arguments of `gambol.load`."""
        return {"scale": self.scale, "facing": self.facing, "character": self.character}


Loading = Annotated[LoadOptions, tyro.conf.arg(name="")]
"""The options of `LoadOptions` as options of a verb, without a prefix."""
READ_AS_IT_IS = LoadOptions()
"""No option: everything is found from the file."""


def join_negative_axes(arguments: list[str]) -> list[str]:
    """Arguments with `--facing -x` as `--facing=-x`: a parser takes -x for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--facing" and argument in ("-x", "-z"):
            joined[-1] = f"--facing={argument}"
        else:
            joined.append(argument)
    return joined


def checked(verb: Callable[..., None]) -> Callable[..., None]:
    """Return the verb with the checks of its argument types in front."""

    @functools.wraps(verb)
    def check_and_run(*arguments: Any, **options: Any) -> None:
        _check_values(verb, inspect.signature(verb).bind(*arguments, **options).arguments)
        verb(*arguments, **options)

    return check_and_run


def _check_values(typed: Any, values: Mapping[str, Any]) -> None:
    """Run the checks of a function's parameters or a dataclass's fields, those of nested dataclasses included."""
    types = get_type_hints(typed, include_extras=True)
    for name, value in values.items():
        if is_dataclass(value):
            _check_values(type(value), vars(value))
        checks = [mark for mark in getattr(types[name], "__metadata__", ()) if isinstance(mark, ArgumentCheck)]
        for given in value if isinstance(value, tuple) else (value,):
            for check in checks if given is not None else ():
                check.function(given)
