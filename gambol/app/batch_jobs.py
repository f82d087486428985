"""The jobs of a batch: rows of a CSV or JSONL file, or every character with every prompt and seed."""

from __future__ import annotations

import csv
import glob
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, get_args

from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs
from gambol.app.check_arguments import check_prior_name, check_prompt, check_source
from gambol.app.check_schema import check_schema
from gambol.app.request_json import request_data, request_from_data
from gambol.app.request_schema import request_schema
from gambol.app.segment import parse_style
from gambol.errors import AssetError, ConfigError, GambolError
from gambol.files.formats import READABLE
from gambol.motion.root_bone import RootBone

JOB_SUFFIXES = (".csv", ".jsonl")
"""Suffixes of files of jobs."""
MAX_NAME_LETTERS = 80
"""Longest name of a run folder that is made from a prompt."""
MOST_ERRORS = 10
"""Most wrong rows that one message lists."""
FILE_FIELDS: dict[str, dict[str, Any]] = {
    "run": {"type": ["string", "null"]},
    "file": {"type": ["string", "null"]},
    "character": {"type": ["string", "null"]},
    "prior": {"type": ["string", "null"]},
    "frames": {"type": ["integer", "null"], "minimum": 1},
    "size": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2},
    "device": {"type": ["string", "null"]},
    "offload": {"type": "string", "enum": ["none", "models", "layers"]},
    "tile": {"type": ["integer", "null"], "minimum": 1},
    "scale": {"type": ["number", "null"], "minimum": 1e-9},
    "facing": {"type": ["string", "null"], "enum": ["+x", "-x", "+z", "-z", None]},
    "reduce_keys": {"type": "boolean"},
    "fbx": {"type": "boolean"},
    "film": {"type": "boolean"},
    "root_bone": {"type": "string", "enum": list(get_args(RootBone))},
}
"""Fields of a job beside those of its request."""
OUTPUT_FIELDS = ("reduce_keys", "fbx", "film", "root_bone")
"""Fields of `AnimateOutputs`."""
PATH_FIELDS = ("file", "video")
"""Fields that name a file."""
TAKEN_NAMES = ("jobs", "inputs", "lock", "lock.pid", "summary.csv", "gallery.html", "con", "nul")
"""Names that no run folder has: a batch's own files, and names that Windows keeps for itself."""
YES, NO = ("true", "yes", "1"), ("false", "no", "0")
"""Words of a CSV cell for true and false."""


@dataclass(frozen=True)
class BatchJob:
    """One run of a batch."""

    run: str
    """Name of its run folder."""
    request: AnimateFileRequest
    """What is asked for."""


def read_jobs(path: Path, given: Mapping[str, Any] | None = None) -> list[BatchJob]:
    """The jobs of a file, one per row; `given` holds values of fields that rows leave out.

    Paths in the file are relative to its folder. Raises `ConfigError` that lists the rows which are wrong.
    """
    if path.suffix.lower() not in JOB_SUFFIXES:
        raise ConfigError(
            f"{path.name} has the suffix {path.suffix or '(none)'!r}; jobs are {' or '.join(JOB_SUFFIXES)}."
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(f"{path} cannot be read: {error}.") from error
    rows = _csv_rows(text, path.name) if path.suffix.lower() == ".csv" else _json_rows(text, path.name)
    return make_jobs(rows, given, folder=path.parent)


def product_rows(
    characters: Sequence[str | Path], prompts: Path | Sequence[str], seeds: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every character with every prompt and seed, as rows with their names."""
    files = [file for pattern in characters for file in find_files(pattern)]
    sentences = read_prompts(prompts) if isinstance(prompts, Path) else list(prompts)
    if not sentences:
        raise ConfigError("There are no prompts; a file of prompts has one sentence per line.")
    if seeds < 1:
        raise ConfigError(f"seeds is {seeds}; it takes a number of 1 or more.")
    for file in dict.fromkeys(files):
        for prompt in sentences:
            for seed in range(seeds):
                yield f"{file.name}, {prompt!r}, seed {seed}", {"file": str(file), "prompt": prompt, "seed": seed}


def find_files(pattern: str | Path) -> list[Path]:
    """The character files that a path, a folder or a pattern with * stands for, sorted."""
    path = Path(pattern)
    if path.is_dir():
        found = [inside for inside in path.iterdir() if inside.suffix.lower() in READABLE]
    elif path.is_file():
        found = [path]
    else:
        inside = map(Path, glob.glob(str(pattern), recursive=True))
        found = [match for match in inside if match.is_file() and match.suffix.lower() in READABLE]
    if not found:
        raise AssetError(f"{pattern} names no character file; Gambol reads {', '.join(READABLE)}.")
    return sorted(found)


def read_prompts(path: Path) -> list[str]:
    """The sentences of a file, one per line; empty lines and lines that begin with # are left out."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise AssetError(f"{path} cannot be read: {error}.") from error
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def make_jobs(
    rows: Iterable[tuple[str, Mapping[str, Any] | AnimateFileRequest]],
    given: Mapping[str, Any] | None = None,
    *,
    folder: Path = Path(),
) -> list[BatchJob]:
    """Jobs of requests, or of rows of plain data, checked as far as can be without reading a character.

    Each comes with what messages call it. `given` holds values of fields that rows leave out.
    """
    given = {name: _absolute(name, value) for name, value in (given or {}).items()}
    made: list[tuple[str, str | None, AnimateFileRequest]] = []
    errors: list[str] = []
    for where, row in rows:
        try:
            if isinstance(row, AnimateFileRequest):
                request_data(row.request)  # refuses what cannot be compared with an earlier run
                name, request = None, row
            else:
                name, request = job_from_data({**given, **row}, folder=folder)
        except GambolError as error:
            errors.append(f"{where}: {error}")
        else:
            made.append((where, name, with_whole_paths(request)))
    if errors:
        more = f" And {len(errors) - MOST_ERRORS} more." if len(errors) > MOST_ERRORS else ""
        listed = "\n".join(errors[:MOST_ERRORS])
        raise ConfigError(f"{len(errors)} of {len(errors) + len(made)} jobs cannot be run.\n{listed}{more}")
    if not made:
        raise ConfigError("There are no jobs; a file of jobs has one per row.")
    return _with_names(made)


def job_from_data(data: Mapping[str, Any], *, folder: Path = Path()) -> tuple[str | None, AnimateFileRequest]:
    """The name of the run folder, where one is given, and the request of a row of plain data."""
    schema = request_schema()
    check_schema(data, {**schema, "properties": {**schema["properties"], **FILE_FIELDS}}, "the request")
    own = {name: data[name] for name in FILE_FIELDS if data.get(name) is not None}
    asked = {name: value for name, value in data.items() if name not in FILE_FIELDS}
    if asked.get("video"):
        asked["video"] = str(folder / asked["video"])
        if not Path(asked["video"]).is_file():
            raise AssetError(f"There is no file {asked['video']}.")
    request = request_from_data(asked)
    file = None if own.get("file") is None else _checked_file(folder / own["file"])
    if file is None and not request.first_prompt.strip():
        raise ConfigError("It has neither a file nor a prompt.")
    prior = own.get("prior")
    if prior is not None:
        if prior.endswith(".safetensors"):
            prior = str(folder / prior)
        _check_prior(prior)
    for prompt in request.prompts:
        _check_prompt(prompt, request.negative, prior, request.preset)
    run = own.get("run")
    if run is not None and (run != _slug(run, len(run)) or not run):
        raise ConfigError(f"run is {run!r}; it takes a name of letters, digits, '.', '_' and '-'.")
    outputs = AnimateOutputs(**{name: own[name] for name in OUTPUT_FIELDS if name in own})
    rest = {k: v for k, v in own.items() if k not in (*OUTPUT_FIELDS, "run", "file", "prior", "size")}
    size = tuple(own["size"]) if "size" in own else None
    return run, AnimateFileRequest(request, file, prior=prior, size=size, outputs=outputs, **rest)


def with_whole_paths(request: AnimateFileRequest) -> AnimateFileRequest:
    """The request with paths that mean the same in every process, whatever folder it works in."""
    asked, prior = request.request, request.prior
    if asked.video is not None:
        asked = replace(asked, video=asked.video.absolute())
    if prior is not None and Path(prior).exists():
        prior = str(Path(prior).absolute())
    return replace(request, request=asked, file=None if request.file is None else request.file.absolute(), prior=prior)


def parse_cell(name: str, text: str) -> Any:
    """The value of a field that is written as text, in a CSV file or behind --set; wrong text stays text."""
    shape = {**request_schema()["properties"], **FILE_FIELDS}.get(name, {})
    kinds = [shape["type"]] if isinstance(shape.get("type"), str) else list(shape.get("type", ()))
    if name == "size" and (found := re.fullmatch(r"(\d+)x(\d+)", text.strip().lower())):
        return [int(found[1]), int(found[2])]
    if "boolean" in kinds:
        return {**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)}.get(text.strip().lower(), text)
    if text.lstrip()[:1] in ("[", "{") and "string" not in kinds:
        return _json_or_text(text)
    if name == "style":
        return parse_style(tuple(text.split()))
    if "array" in kinds:
        return text.split()
    if {"number", "integer"} & set(kinds) or ("anyOf" in shape and re.fullmatch(r"[-+.\deE]+", text.strip())):
        value = _json_or_text(text)
        return value if isinstance(value, int | float) else text
    return text


def parse_settings(words: Sequence[str]) -> dict[str, Any]:
    """Values of fields from NAME=VALUE words."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name.strip():
            raise ConfigError(f"{word!r} is no setting; it takes NAME=VALUE, such as seconds=4 or prior=wan2.1-1.3b.")
        found[name.strip()] = parse_cell(name.strip(), text)
    return found


def _csv_rows(text: str, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    if not reader.fieldnames:
        raise ConfigError(f"{name} is empty; its first line names the columns, such as file,prompt,seed.")
    for row in reader:
        where = f"{name}, line {reader.line_num}"
        if None in row:
            yield where, {"more cells than columns": row[None]}  # type: ignore[index]
            continue
        cells = {key.strip(): value for key, value in row.items() if value is not None and value.strip()}
        if cells:
            yield where, {key: parse_cell(key, value.strip()) for key, value in cells.items()}


def _json_rows(text: str, name: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"{name}, line {number}", _json_object(line)
            except ValueError as error:
                raise ConfigError(f"{name}, line {number} is no JSON object: {error}.") from error


def _json_object(text: str) -> dict[str, Any]:
    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is no number of JSON")

    value = json.loads(text, parse_constant=refuse)
    if not isinstance(value, dict):
        raise ValueError("it takes {...}")
    return value


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _with_names(made: list[tuple[str, str | None, AnimateFileRequest]]) -> list[BatchJob]:
    """Jobs whose names are unique: those that a row gives, or character, prompt and seed, told apart by the rest."""
    plain = [name or _plain_name(request) for _, name, request in made]
    often = {name.lower() for name, count in Counter(name.lower() for name in plain).items() if count > 1}
    jobs: dict[str, tuple[str, BatchJob]] = {}
    for (where, given, request), name in zip(made, plain, strict=True):
        if name.lower() in often and given is None:
            name = f"{name}-{_request_digest(request)[:8]}"
        if name.lower() in jobs:
            first = jobs[name.lower()][0]
            what = f"are both called {name}" if given else "ask for the same thing"
            raise ConfigError(f"{first} and {where} {what}; leave one of them out, or give them names (run).")
        jobs[name.lower()] = where, BatchJob(name, request)
    return [job for _, job in jobs.values()]


def _plain_name(request: AnimateFileRequest) -> str:
    asked = request.request
    stem = "creature" if request.file is None else request.file.stem
    return _slug(f"{stem}-{asked.title or 'video'}", MAX_NAME_LETTERS) + f"-{asked.seed}"


def _slug(text: str, most: int) -> str:
    """The text as a name of a folder on any system; the names of a batch's own files are not taken."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", text)[:most].strip("-.")
    return f"{slug}-run" if slug.lower() in TAKEN_NAMES else slug


def _request_digest(request: AnimateFileRequest) -> str:
    """Digest of what is asked for, the place of the file included."""
    data = request_data(request.request)
    rest = repr(replace(request, request=type(request.request)()))
    return hashlib.sha256(json.dumps([data, rest], sort_keys=True).encode()).hexdigest()


def _absolute(name: str, value: Any) -> Any:
    """Paths that were given beside a file of jobs do not depend on where that file is."""
    path = name in PATH_FIELDS or (name == "prior" and str(value).endswith(".safetensors"))
    return str(Path(value).absolute()) if path and isinstance(value, str | Path) else value


@cache
def _checked_file(path: Path) -> Path:
    return check_source(path)


@cache
def _check_prior(name: str) -> None:
    check_prior_name(name)


@cache
def _check_prompt(prompt: str, negative: str, prior: str | None, preset: str | None) -> None:
    check_prompt(prompt, negative=negative, prior=prior, preset=preset)
