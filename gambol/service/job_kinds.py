"""The kinds of jobs: what each takes from a client, where it runs, and the command that gives the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gambol.app.request_command import join_command, option_words
from gambol.errors import GambolError
from gambol.files.formats import READABLE
from gambol.service.characters import Characters
from gambol.service.output_tasks import export_command, film_command
from gambol.service.project import Project, RequestRefused

MOST_VARIANTS = 8
"""Most variants of a motion that are made at once."""
MOST_CONSTRAINTS = 1000
"""Most constraints of a request."""
LaneName = Literal["motions", "files"]
"""The two queues of jobs: long optimisations, and what a user waits for."""


@dataclass(frozen=True)
class Prepared:
    """A job that is ready to be queued."""

    title: str
    """What people read."""
    params: dict[str, Any]
    """What its task is given, besides `output`."""
    character: str | None
    """The character that it is about."""


@dataclass(frozen=True)
class JobKind:
    """One kind of job."""

    lane: LaneName
    """The queue that it waits in."""
    fields: tuple[str, ...]
    """What a client may say."""
    prepare: Callable[[dict[str, Any], Sources], Prepared]
    """Checks what a client said and makes the task's parameters of it."""
    command: Callable[[dict[str, Any]], str] | None
    """The command line for parameters with `output`; None where the check task gives it, or there is none."""
    pausable: bool = False
    """Whether it ends at a step from which it goes on later."""


@dataclass(frozen=True)
class Sources:
    """Where jobs take their files from."""

    project: Project
    """The project."""
    characters: Characters
    """Its characters."""
    find_job: Callable[[str], dict[str, Any]]
    """Gives the record of a job."""

    def model(self, body: dict[str, Any], field: str = "source") -> tuple[dict[str, Any], str | None, str]:
        """The file that `{"job": ID}` or `{"character": ID}` stands for, how it is read, its character, its clip."""
        given = body.get(field)
        if not isinstance(given, dict) or not isinstance(given.get("job", given.get("character")), str):
            text = f"{field} is {given!r}; it takes {{'job': ID}} or {{'character': ID}}."
            raise RequestRefused(text, 400, field)
        if "job" in given:
            job = self.find_job(given["job"])
            result = job["result"] or {}
            if job["state"] != "done" or not result.get("model"):
                raise RequestRefused(f"The job '{job['title']}' has no motion yet.", 409, field)
            path = f"jobs/{job['id']}/run/{result['model']}"
            reading = {"scale": None, "character": None, "facing": self._facing(job["character"])}
            return {"file": path, "run": f"jobs/{job['id']}/run", **reading}, job["character"], result.get("clip") or ""
        record = self.characters.ready(given["character"])
        reading = self.characters.reading(record)
        return {**reading, "run": reading["file"]}, record["id"], ""

    def _facing(self, character: str | None) -> str | None:
        try:
            return self.characters.ready(character or "")["summary"]["facing"]
        except GambolError:
            return None


def prepare_animate(body: dict[str, Any], sources: Sources) -> Prepared:
    """A motion from a sentence."""
    record = sources.characters.ready(_text(body, "character"))
    request = body.get("request")
    if not isinstance(request, dict):
        raise RequestRefused("request is missing; it takes a request of gambol animate.", 400, "request")
    refuse_foreign_files(request, sources.project)
    prior = body.get("prior")
    if prior is not None and (not isinstance(prior, str) or "/" in prior or "\\" in prior or prior.startswith(".")):
        raise RequestRefused(f"prior is {prior!r}; it takes the name of a prior, such as embedded.", 400, "prior")
    params = {
        **sources.characters.reading(record),
        "request": request,
        "outputs": body.get("outputs") or {},
        "prior": prior,
    }
    return Prepared(str(request.get("prompt") or "motion"), params, record["id"])


def refuse_foreign_files(request: dict[str, Any], project: Project) -> None:
    """Refuse a request that names files outside the project: videos, and poses of files."""
    if request.get("video") is not None:
        project.refuse_outside(str(request["video"]), "video")
    constraints = request.get("constraints") or []
    if not isinstance(constraints, list) or len(constraints) > MOST_CONSTRAINTS:
        raise RequestRefused(f"constraints takes a list of at most {MOST_CONSTRAINTS}.", 400, "constraints")
    for number, constraint in enumerate(constraints):
        pose = constraint.get("pose") if isinstance(constraint, dict) else None
        if isinstance(pose, str):
            stem, colon, frame = pose.rpartition(":")
            name = stem if colon and frame.isdigit() else pose
            if Path(name).suffix.lower() in READABLE:
                project.refuse_outside(name, f"constraints[{number}].pose")


def prepare_edit(body: dict[str, Any], sources: Sources) -> Prepared:
    """A change of a finished clip."""
    reading, character, clip = sources.model(body)
    refuse_foreign_files({"constraints": body.get("constraints")}, sources.project)
    params = {"source": reading["run"], "clip": body.get("clip"), "constraints": body.get("constraints") or []}
    params |= {name: reading[name] for name in ("scale", "facing", "character")}
    return Prepared(f"edit of {body.get('clip') or clip or 'a clip'}", params, character)


def prepare_track(body: dict[str, Any], sources: Sources) -> Prepared:
    """A physics tracking."""
    reading, character, clip = sources.model(body)
    names = ("clip", "iterations", "engine", "seed", "restore_travel", "torque_limit", "film")
    params = {name: body[name] for name in names if body.get(name) is not None}
    params |= {"source": reading["run"], "name": Path(reading["file"]).name}
    return Prepared(f"physics for {body.get('clip') or clip or 'a clip'}", params, character)


def track_command(params: dict[str, Any]) -> str:
    """`gambol track` with the same options."""
    target = f"{params['output']}/{Path(params['name']).stem}.glb"
    names = ("clip", "iterations", "engine", "seed", "torque_limit")
    options: dict[str, Any] = {name: params.get(name) for name in names}
    options |= {"restore_travel": True} if params.get("restore_travel") else {}
    options |= {} if params.get("film") else {"film": False}
    return join_command(["gambol", "track", params["source"], "-o", target, *option_words(options)])


def prepare_export(body: dict[str, Any], sources: Sources) -> Prepared:
    """A motion in another format."""
    reading, character, clip = sources.model(body)
    chosen = body.get("format")
    if chosen == "mjcf":
        raise RequestRefused("MJCF is written by physics: make a job of kind track; its files have the .xml.", 400)
    options = {name: body.get(name) for name in ("clip", "travel", "fps")}
    if chosen == "bvh" and not options["clip"]:
        options["clip"] = clip or None
    chosen_clip = bool(options["clip"]) or options["travel"] not in (None, "as-is")
    facing = {name: reading[name] for name in ("scale", "facing", "character")} if chosen_clip else {}
    params = {"source": reading["file"], "name": Path(reading["file"]).name, "format": chosen, **options, **facing}
    return Prepared(f"{chosen} of {Path(reading['file']).name}", params, character)


def prepare_film(body: dict[str, Any], sources: Sources) -> Prepared:
    """A film or a sheet."""
    reading, character, clip = sources.model(body)
    names = ("views", "width", "height", "fps", "style", "columns", "skeleton", "format")
    params = {name: body[name] for name in names if body.get(name) is not None}
    params |= {"source": reading["file"], "name": Path(reading["file"]).name, "clip": body.get("clip") or clip or None}
    params |= {name: reading[name] for name in ("scale", "facing", "character")}
    return Prepared(f"film of {params['clip'] or Path(reading['file']).name}", params, character)


def prepare_compare(body: dict[str, Any], sources: Sources) -> Prepared:
    """Two clips in phase."""
    reading, character, clip = sources.model(body)
    other = body.get("other") if isinstance(body.get("other"), dict) else {}
    second, _, other_clip = sources.model({"other": other}, "other")
    params = {"source": reading["file"], "clip": body.get("clip") or clip or None, "other": second["file"]}
    params |= {"other_clip": (other or {}).get("clip") or other_clip or None, "facing": reading["facing"]}
    return Prepared(f"comparison with {params['other_clip'] or 'a clip'}", params, character)


def prepare_evaluate(body: dict[str, Any], sources: Sources) -> Prepared:
    """Numbers of clips."""
    reading, character, clip = sources.model(body)
    params = {"source": reading["run"], "clip": body.get("clip"), "prompt": body.get("prompt")}
    if "job" not in body["source"]:
        params |= {name: reading[name] for name in ("scale", "facing")}
    return Prepared(f"measures of {body.get('clip') or clip or 'all clips'}", params, character)


def evaluate_command(params: dict[str, Any]) -> str:
    """`gambol evaluate` with the same options."""
    options = {name: params.get(name) for name in ("clip", "prompt", "scale", "facing")}
    return join_command(["gambol", "evaluate", params["source"], *option_words(options), "--json"])


KINDS_OF_JOBS: dict[str, JobKind] = {
    "animate": JobKind(
        "motions", ("character", "request", "outputs", "prior", "variants"), prepare_animate, None, pausable=True
    ),
    "edit": JobKind("files", ("source", "clip", "constraints"), prepare_edit, None),
    "track": JobKind(
        "motions",
        ("source", "clip", "iterations", "engine", "seed", "restore_travel", "torque_limit", "film"),
        prepare_track,
        track_command,
        pausable=True,
    ),
    "export": JobKind("files", ("source", "format", "clip", "travel", "fps"), prepare_export, export_command),
    "film": JobKind(
        "files",
        ("source", "clip", "views", "width", "height", "fps", "style", "columns", "skeleton", "format"),
        prepare_film,
        film_command,
    ),
    "compare": JobKind("files", ("source", "clip", "other"), prepare_compare, None),
    "evaluate": JobKind("files", ("source", "clip", "prompt"), prepare_evaluate, evaluate_command),
}
"""All kinds of jobs by name; their tasks have the same names."""


def check_body(body: dict[str, Any]) -> tuple[str, JobKind]:
    """The kind that a client asks for; unknown kinds and fields are refused."""
    name = body.get("kind")
    if not isinstance(name, str) or name not in KINDS_OF_JOBS:
        raise RequestRefused(f"kind is {name!r}; it takes {', '.join(KINDS_OF_JOBS)}.", 400, "kind")
    kind = KINDS_OF_JOBS[name]
    unknown = [key for key in body if key not in ("kind", *kind.fields)]
    if unknown:
        raise RequestRefused(f"{unknown[0][:60]} is no field of {name}; it takes {', '.join(kind.fields)}.", 400)
    variants = body.get("variants", 1)
    if isinstance(variants, bool) or not isinstance(variants, int) or not 1 <= variants <= MOST_VARIANTS:
        text = f"variants is {variants!r}; it takes a whole number from 1 to {MOST_VARIANTS}."
        raise RequestRefused(text, 400, "variants")
    return name, kind


def _text(body: dict[str, Any], field: str) -> str:
    value = body.get(field)
    if not isinstance(value, str):
        raise RequestRefused(f"{field} is {value!r}; it takes an id.", 400, field)
    return value
