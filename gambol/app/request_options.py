"""A request from the options of the command line, alone or in place of fields of a request file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

from gambol.app.animate_request import AnimateOutputs, AnimateRequest
from gambol.app.segment import parse_segment, parse_style
from gambol.errors import ConfigError


def request_from_options(
    sentence: str, *, then: tuple[str, ...] = (), file: Path | None = None, options: Mapping[str, Any]
) -> AnimateRequest:
    """The request that the options ask for; those that differ from their default replace the fields of a file's.

    A sentence, or sentences behind `then`, replace the file's prompt and segments.
    """
    given = dict(options)
    given["style"] = parse_style(tuple(given.get("style") or ()))
    if then:
        if not sentence:
            raise ConfigError("--then says what comes after a sentence; give that sentence first.")
        given["segments"] = tuple(parse_segment(text) for text in (sentence, *then))
    else:
        given["prompt"] = sentence
    if file is None:
        return AnimateRequest(**given)
    from gambol.app.request_json import read_request

    request = read_request(file)
    changed = {name: value for name, value in given.items() if value != _defaults()[name]}
    if "segments" in changed:
        changed["prompt"] = ""
    elif "prompt" in changed:
        changed["segments"] = ()
    if "style" in changed:
        changed["style"] = {**request.style, **changed["style"]}
    return replace(request, **changed)


def outputs_from_options(file: Path | None, options: Mapping[str, Any]) -> AnimateOutputs:
    """The outputs that the options ask for; those that differ from their default replace the ones of a file."""
    if file is None:
        return AnimateOutputs(**options)
    from gambol.app.request_json import read_outputs

    usual = AnimateOutputs()
    changed = {name: value for name, value in options.items() if value != getattr(usual, name)}
    return replace(read_outputs(file), **changed)


def _defaults() -> dict[str, Any]:
    made = {f.name: f.default_factory() for f in fields(AnimateRequest) if f.default_factory is not MISSING}
    return {f.name: f.default for f in fields(AnimateRequest) if f.default is not MISSING} | made
