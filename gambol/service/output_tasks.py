"""Tasks that write a finished motion in other formats, draw it, and compare it with another clip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.app.request_command import join_command, option_words
from gambol.errors import ConfigError
from gambol.files.formats import WRITABLE
from gambol.service.motion_tasks import file_list

if TYPE_CHECKING:
    from gambol.service.worker import Context

EXPORT_SUFFIXES = {suffix[1:]: suffix for suffix in WRITABLE}
"""Formats that `gambol convert` writes."""
FILM_FORMATS = ("mp4", "gif", "png")
"""Formats of films and contact sheets."""
READING = ("scale", "facing", "character")
"""Options that say how the character file is read."""


def export(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Write a motion in another format: `gambol convert`."""
    from gambol.app.convert import convert_file

    source, output, options = Path(params["source"]), export_target(params), export_options(params)
    context.progress(0, 1, f"writing {output.name}")
    output.parent.mkdir(parents=True, exist_ok=True)
    if params["format"] == "glb" and not options and source.suffix.lower() == ".glb":
        output.write_bytes(source.read_bytes())
        return {"model": output.name, "notes": [], "files": file_list([output])}
    report = convert_file(source, output, **options, **_reading(params))
    notes = list(report.warnings)
    if report.rotation_error is not None:
        notes.append(f"As pure rotations the clip's joints are off by up to {report.rotation_error:.1%} of the size.")
    written = sorted(path for path in output.parent.iterdir() if path.is_file() and not path.name.startswith("."))
    return {"model": output.name, "notes": notes, "files": file_list(written)}


def export_target(params: dict[str, Any]) -> Path:
    """The file that is written."""
    chosen = params.get("format")
    if chosen not in EXPORT_SUFFIXES:
        raise ConfigError(f"format is {chosen!r}; it takes {', '.join(EXPORT_SUFFIXES)}.")
    return Path(params["output"]) / f"{Path(params['name']).stem}{EXPORT_SUFFIXES[chosen]}"


def export_options(params: dict[str, Any]) -> dict[str, Any]:
    """Options of `gambol convert`."""
    travel = params.get("travel") or "as-is"
    if travel not in ("as-is", "in-place", "restore"):
        raise ConfigError(f"travel is {travel!r}; it takes as-is, in-place or restore.")
    options: dict[str, Any] = {"clip": params["clip"]} if params.get("clip") else {}
    options |= {"in_place": True} if travel == "in-place" else {"restore_travel": True} if travel == "restore" else {}
    return options | ({"fps": float(params["fps"])} if params.get("fps") and options else {})


def export_command(params: dict[str, Any]) -> str:
    """The command that writes the same bytes."""
    target = export_target(params)
    options = export_options(params)
    if params["format"] == "glb" and not options and Path(params["source"]).suffix.lower() == ".glb":
        return join_command(["cp", params["source"], target.as_posix()])
    words = ["gambol", "convert", params["source"], "--output", target.as_posix()]
    return join_command([*words, *option_words({**options, **_reading(params)})])


def film(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Draw a film or a contact sheet: `gambol render`."""
    from gambol.app.render import render_file

    target, options = film_target(params), film_options(params)
    target.parent.mkdir(parents=True, exist_ok=True)
    clips = (params["clip"],) if params.get("clip") else ()
    render_file(params["source"], target, clips=clips, **options, **_reading(params), progress=context.progress)
    return {"model": None, "notes": [], "files": file_list([target])}


def film_target(params: dict[str, Any]) -> Path:
    """The film that is written."""
    chosen = params.get("format") or "mp4"
    if chosen not in FILM_FORMATS:
        raise ConfigError(f"format is {chosen!r}; it takes {', '.join(FILM_FORMATS)}.")
    return Path(params["output"]) / f"{Path(params['name']).stem}.{chosen}"


def film_options(params: dict[str, Any]) -> dict[str, Any]:
    """Options of `gambol render`."""
    names = ("views", "width", "height", "fps", "style", "columns", "skeleton")
    options = {name: params[name] for name in names if params.get(name) is not None}
    return options | ({"views": tuple(options["views"])} if isinstance(options.get("views"), list) else {})


def film_command(params: dict[str, Any]) -> str:
    """The command that draws the same."""
    words = ["gambol", "render", params["source"], "--output", film_target(params).as_posix()]
    words += option_words({"clip": params.get("clip")})
    return join_command([*words, *option_words({**film_options(params), **_reading(params)})])


def compare(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Bring two clips of one character in phase."""
    from gambol.app.match_phase import match_phase

    context.progress(0, 1, "comparing the clips")
    return match_phase(
        Path(params["source"]), params.get("clip"), Path(params["other"]), params.get("other_clip"), **_reading(params)
    )


def evaluate(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Measure clips: `gambol evaluate`."""
    from gambol.app.evaluate import evaluate_path
    from gambol.app.open_character import plain_json

    report = evaluate_path(
        params["source"],
        clip=params.get("clip"),
        prompt=params.get("prompt"),
        scale=params.get("scale"),
        facing=params.get("facing"),
        progress=context.progress,
    )
    data = plain_json(report.as_json())
    return {"notes": list(report.notes), "evaluation": data, "files": []}


def _reading(params: dict[str, Any]) -> dict[str, Any]:
    return {name: params[name] for name in READING if params.get(name) is not None}
