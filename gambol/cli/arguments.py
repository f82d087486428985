"""Argument types that several verbs share, and verbs that take the options of the Python function they call.

Values of types with an `ArgumentCheck` are checked before the verb runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import tyro
from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

from gambol.app import check_arguments

Verb = Callable[..., None]
"""A function that tyro makes a command of."""


@dataclass(frozen=True)
class ArgumentCheck:
    """Metadata of an argument's type: a function that raises a GambolError for values that are not allowed.

    Checks run before the verb, and so before it imports torch: a mistyped path is reported at once.
    """

    function: Callable[[Any], None]
    """The check; of a tuple it is given every element."""


@dataclass(frozen=True)
class PythonOptions:
    """The Python function whose keyword-only options a verb takes as its `**options`."""

    function: str
    """The function with its module, such as gambol.app.rig.rig_file; imported when the verb is run."""
    without: tuple[str, ...]
    """Options that the verb does not have."""
    types: dict[str, Any]
    """Types for the command line by option; a text is a metavar for the function's own type."""


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
Folder = Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FOLDER")]
"""A folder that is written to."""
ClipName = Annotated[str | None, tyro.conf.arg(metavar="NAME")]
"""The name or number of a clip."""
CharacterName = Annotated[str | None, tyro.conf.arg(metavar="NAME")]
"""The name of one of several characters in a file."""
Scale = Annotated[float | None, tyro.conf.arg(metavar="METRES_PER_UNIT"), ArgumentCheck(check_arguments.check_scale)]
"""Metres per file unit."""
Facing = Annotated[str | None, tyro.conf.arg(metavar="+x|-x|+z|-z"), ArgumentCheck(check_arguments.check_facing)]
"""An axis of the file, with its sign."""
SHARED_TYPES = {"clip": ClipName, "character": CharacterName, "scale": Scale, "facing": Facing}
"""Types of options that mean the same in every Python function."""
_PYTHON_OPTIONS: dict[Verb, tuple[PythonOptions, ...]] = {}


def options_of(function: str, *, without: tuple[str, ...] = (), **types: Any) -> Callable[[Verb], Verb]:
    """Give a verb, as its `**options`, the options of a Python function with their defaults and documentation.

    Options that the verb declares itself, and those in `without`, are not taken over. A verb may take the options of
    several functions.
    """

    def remember(verb: Verb) -> Verb:
        _PYTHON_OPTIONS[verb] = (*_PYTHON_OPTIONS.get(verb, ()), PythonOptions(function, without, types))
        return verb

    return remember


def complete(verb: Verb) -> Verb:
    """Return the verb with the signature that tyro reads: all options, and the checks of their types in front."""
    hints = get_type_hints(verb, include_extras=True)
    text = inspect.getdoc(verb) or ""
    own = {p.name: p for p in inspect.signature(verb).parameters.values() if p.kind is not p.VAR_KEYWORD}
    parameters = dict(own)
    for options in _PYTHON_OPTIONS.get(verb, ()):
        from docstring_parser import parse

        path, _, name = options.function.rpartition(".")
        function = getattr(import_module(path), name)
        documented = {d.arg_name: d.description for d in parse(text).params}
        texts = {d.arg_name: " ".join((d.description or "").split()) for d in parse(function.__doc__).params}
        text += "" if "\nArgs:\n" in text else "\n\nArgs:"
        for p in inspect.signature(function).parameters.values():
            if p.kind is not p.KEYWORD_ONLY or p.name in (*parameters, *options.without, "progress"):
                continue
            parameters[p.name] = p
            hints[p.name] = _command_line_type(p, options.types.get(p.name), vars(import_module(function.__module__)))
            text += "" if p.name in documented else f"\n    {p.name}: {texts[p.name]}"

    def check_and_run(*arguments: Any, **values: Any) -> None:
        for name, value in check_and_run.__signature__.bind(*arguments, **values).arguments.items():  # type: ignore[attr-defined]
            checks = [mark for mark in getattr(hints[name], "__metadata__", ()) if isinstance(mark, ArgumentCheck)]
            for given in value if isinstance(value, tuple) else (value,):
                for check in checks if given is not None else ():
                    check.function(given)
        verb(*arguments, **values)

    for name, p in parameters.items():
        words = p.default is p.empty and get_origin(getattr(hints[name], "__origin__", None)) is tuple
        if words or p.default is None or p.default in ((), ""):  # the help shows no default that is none
            hints[name] = Annotated[hints[name], tyro.conf.arg(help_behavior_hint="")]
    check_and_run.__name__, check_and_run.__doc__, check_and_run.__annotations__ = verb.__name__, text, hints
    # what must be given, the options of the function, what the verb adds to them, how the file is read
    last = ("scale", "facing", "character")
    order = sorted(
        parameters.values(), key=lambda p: (p.kind, p.name in last, p.default is not p.empty and p.name in own)
    )
    check_and_run.__signature__ = inspect.Signature(order)  # type: ignore[attr-defined]
    return check_and_run


PARSING = ConstructorRegistry()
"""How the parser reads types that it would else read in Python's way."""


@PARSING.primitive_rule
def optional_value(info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Any] | None:
    """Read `T | None` as T: None is the absence of the option, not a word that a user types or sees in the help."""
    kinds = get_args(info.type)
    if len(kinds) != 2 or kinds[1] is not NoneType:
        return None
    spec = ConstructorRegistry.get_primitive_spec(PrimitiveTypeInfo.make(kinds[0], info.markers))
    if not isinstance(spec, PrimitiveConstructorSpec):
        return None
    return replace(
        spec,
        is_instance=lambda value: value is None or spec.is_instance(value),
        str_from_instance=lambda value: [] if value is None else spec.str_from_instance(value),
    )


def _command_line_type(parameter: inspect.Parameter, given: Any, names: dict[str, Any]) -> Any:
    """The type of a function's option on the command line; paths given as text or Path become Path."""
    if given is None:
        given = SHARED_TYPES.get(parameter.name)
    if given is not None and not isinstance(given, str):
        return given
    kind = eval(parameter.annotation, dict(names))
    if {str, Path} <= set(get_args(kind)):
        kind = Path | None if type(None) in get_args(kind) else Path
    return kind if given is None else Annotated[kind, tyro.conf.arg(metavar=given)]


def join_negative_axes(arguments: list[str]) -> list[str]:
    """Arguments with `--facing -x` as `--facing=-x`: a parser takes -x for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and joined[-1] == "--facing" and argument in ("-x", "-z"):
            joined[-1] = f"--facing={argument}"
        else:
            joined.append(argument)
    return joined
