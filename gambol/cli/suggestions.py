"""Mistyped verbs and options: the nearest one that exists."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_type_hints

import tyro

from gambol.app.check_arguments import READABLE
from gambol.cli.arguments import Verb
from gambol.errors import ConfigError

EVERYWHERE = ("--help", "--debug", "--version", "--tyro-print-completion", "--tyro-write-completion")
"""Options that every verb takes."""


def check_verb(arguments: Sequence[str], verbs: Mapping[str, Verb], group: str | None) -> None:
    """Refuse a first argument that is no verb, and name the one that was probably meant."""
    if not arguments or arguments[0].startswith("-") or arguments[0] in verbs:
        return
    given, prog = arguments[0], f"gambol {group}" if group else "gambol"
    near = get_close_matches(given, verbs, n=1, cutoff=0.5)
    if Path(given).suffix.lower() in READABLE and group is None:
        advice = f'To see what is in the file: gambol inspect {given}. To move it: gambol animate {given} "..." -o RUN.'
    elif " " in given and group is None:
        advice = f'To make a motion of a sentence: gambol animate "{given}" -o RUN.'
    elif near:
        advice = f"Did you mean {prog} {near[0]}?"
    else:
        advice = f"There are {', '.join(verbs)}."
    raise ConfigError(f"{given!r} is no verb of {prog}. {advice}")


def check_options(arguments: Sequence[str], known: Iterable[str], prog: str) -> None:
    """Refuse an option that a verb does not have, and name the nearest one that it has."""
    names = {*known, *EVERYWHERE}
    for word in arguments:
        name = word.partition("=")[0].replace("_", "-")
        if name == "--":
            return
        if not name.startswith("--") or name in names:
            continue
        near = get_close_matches(name, names, n=1, cutoff=0.6)
        advice = f"Did you mean {near[0]}? " if near else ""
        raise ConfigError(f"{prog} has no option {name}. {advice}All options: {prog} --help.")


def option_names(verb: Verb) -> list[str]:
    """All options of a verb that `complete` returned, with their aliases, as they are typed."""
    kinds: dict[str, Any] = get_type_hints(verb, include_extras=True)
    found = []
    for parameter in inspect.signature(verb).parameters.values():
        marks = getattr(kinds[parameter.name], "__metadata__", ())
        if tyro.conf.Positional in marks:
            continue
        settings = [mark for mark in marks if hasattr(mark, "aliases")]
        name = next((mark.name for mark in settings if mark.name), None) or parameter.name
        shown = f"--{name.replace('_', '-')}"
        found += [shown, *(alias for mark in settings for alias in mark.aliases or ())]
        if _plain(kinds[parameter.name]) is bool:
            found.append(f"--no-{shown[2:]}")
    return found


def _plain(kind: Any) -> Any:
    return kind.__origin__ if hasattr(kind, "__metadata__") else kind
