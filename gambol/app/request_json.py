"""Requests as JSON: written as plain data with a schema number, read with messages that name the field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from pathlib import Path
from typing import Any

from gambol.app.animate_request import AnimateOutputs, AnimateRequest
from gambol.app.check_schema import check_schema
from gambol.app.request_schema import REQUEST_SCHEMA, request_schema
from gambol.app.segment import Segment
from gambol.errors import AssetError, ConfigError
from gambol.files.atomic_write import write_text

_OUTPUTS = AnimateOutputs()


def write_request(request: AnimateRequest, path: str | Path, *, outputs: AnimateOutputs | None = None) -> Path:
    """Write a request as a JSON file, with the outputs of a run where they are given."""
    path, data = Path(path), request_data(request)
    chosen = {} if outputs is None else {k: v for k, v in asdict(outputs).items() if v != getattr(_OUTPUTS, k)}
    data |= {"outputs": chosen} if chosen else {}
    write_text(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    return path


def read_request(path: str | Path) -> AnimateRequest:
    """Read a request from a JSON file. Raises `ConfigError` that names the field which is wrong."""
    return request_from_data(_read_json(Path(path)))


def read_outputs(path: str | Path) -> AnimateOutputs:
    """The outputs that a request file asks for, those of a usual run where it says nothing."""
    data = _read_json(Path(path))
    request_from_data(data)
    return AnimateOutputs(**data.get("outputs", {}))


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except (OSError, ValueError) as error:
        raise AssetError(f"{path} cannot be read as JSON: {error}.") from error


def request_data(request: AnimateRequest) -> dict[str, Any]:
    """A request as plain data: the schema number, and every field that is not at its default.

    Raises `ConfigError` where the request holds objects of Python that JSON has no form for.
    """
    if request.losses is not None:
        raise ConfigError("losses holds loss objects, which cannot be written as JSON; leave losses out.")
    if request.method is not None and not isinstance(request.method, str):
        raise ConfigError("method holds objects, which cannot be written as JSON; give fit, sds or annealed by name.")
    data: dict[str, Any] = {"schema": REQUEST_SCHEMA}
    for field in fields(AnimateRequest):
        value = getattr(request, field.name)
        made = field.default_factory() if field.default_factory is not MISSING else field.default
        if value != made:
            data[field.name] = _plain(field.name, value)
    return data


def request_from_data(data: Any, where: str = "") -> AnimateRequest:
    """A request from plain data. Raises `ConfigError` that names the field which is wrong."""
    if isinstance(data, Mapping) and data.get("schema", REQUEST_SCHEMA) != REQUEST_SCHEMA:
        raise ConfigError(f"schema is {data['schema']!r}; this version reads requests of schema {REQUEST_SCHEMA}.")
    check_schema(data, request_schema(), where or "the request")
    given = {name: value for name, value in data.items() if name not in ("schema", "$schema", "outputs")}
    given["segments"] = tuple(Segment(**segment) for segment in given.get("segments", ()))
    for name in ("lock", "exports"):
        given[name] = tuple(given.get(name, ()))
    if "video" in given and given["video"] is not None:
        given["video"] = Path(given["video"])
    if isinstance(given.get("travel"), list):
        given["travel"] = tuple(tuple(point) for point in given["travel"])
    if given.get("constraints"):
        from gambol.distill.constraints.constraint_data import read_constraint

        listed = enumerate(given["constraints"])
        given["constraints"] = tuple(read_constraint(data, f"constraints[{i}]") for i, data in listed)
    else:
        given["constraints"] = ()
    return AnimateRequest(**given)


def _plain(name: str, value: Any) -> Any:
    if name == "segments":
        made = {f.name: f.default for f in fields(Segment)} | {"style": {}}
        return [
            {f.name: _plain(f.name, v) for f in fields(Segment) if (v := getattr(s, f.name)) != made[f.name]}
            for s in value
        ]
    if name == "constraints":
        from gambol.distill.constraints.constraint_data import constraint_data

        return [constraint_data(constraint) for constraint in value]
    if name == "travel" and not isinstance(value, str | int | float):
        return [list(map(float, point)) for point in value]
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")
