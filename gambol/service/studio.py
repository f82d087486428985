"""The studio behind the HTTP server: project, worker processes, characters, jobs, connected pages."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from gambol import __version__
from gambol.errors import GambolError
from gambol.files.atomic_write import write_text
from gambol.files.formats import READABLE
from gambol.service.characters import Characters
from gambol.service.jobs import Jobs
from gambol.service.live_sockets import LiveSockets
from gambol.service.output_tasks import EXPORT_SUFFIXES, FILM_FORMATS
from gambol.service.project import Project, RequestRefused, new_id
from gambol.service.worker_process import Lane, TaskFailed, WorkerDied

POSE_SECONDS = 120.0
"""Longest time that a pose may take; the first one of a large character loads its file."""
QUESTION_SECONDS = 60.0
"""Longest time that an answer while somebody types may take."""


class Studio:
    """Everything that a server has; opened and closed with it."""

    def __init__(self, project: Project, *, workers: int, max_upload_bytes: int, warm: bool = True):
        self.project, self.workers, self.max_upload_bytes, self._warm = project, workers, max_upload_bytes, warm
        self.sockets = LiveSockets()
        self.desk = Lane(project.path)
        self.files = Lane(project.path)
        self.motions = Lane(project.path, workers, "preload" if warm else None)
        self.characters = Characters(project, self.files, self.sockets.tell)
        lanes: Any = {"motions": self.motions, "files": self.files}
        self.jobs = Jobs(project, lanes, self.desk, self.characters, self.sockets)
        self._facts: dict[str, Any] | None = None

    async def open(self) -> None:
        """Start the workers and go on with what the last server left."""
        self.desk.open()
        self.files.open()
        self.motions.open(warm=self._warm)
        await self.characters.load()
        await self.jobs.load()

    async def close(self) -> None:
        """End the workers; jobs go on when the next server opens the project."""
        for lane in (self.motions, self.files, self.desk):
            await lane.close()

    async def facts(self) -> dict[str, Any]:
        """What this server is and can do."""
        if self._facts is None:
            self._facts = await self.ask("facts", {})
        known = dict(self._facts)
        return {
            "version": __version__,
            "api": 1,
            "project": self.project.path.name,
            "workers": self.workers,
            "max_upload_bytes": self.max_upload_bytes,
            "formats": {"read": known.pop("read"), "export": [*EXPORT_SUFFIXES, "mjcf", *FILM_FORMATS]},
            **known,
        }

    async def ask(self, task: str, params: dict[str, Any], *, seconds: float = QUESTION_SECONDS) -> dict[str, Any]:
        """Run a task that somebody waits for."""
        return (await self.ask_with_bytes(task, params, seconds=seconds))[0]

    async def ask_with_bytes(
        self, task: str, params: dict[str, Any], *, seconds: float = QUESTION_SECONDS
    ) -> tuple[dict[str, Any], bytes]:
        """Run a task that somebody waits for; also gives its bytes."""
        try:
            return await self.desk.call(task, params, seconds=seconds)
        except TaskFailed as error:
            raise RequestRefused(str(error)) from error
        except WorkerDied as error:
            raise RequestRefused(f"{error} Try again.", 503) from error

    def pose_params(self, character: str, **params: Any) -> dict[str, Any]:
        """Parameters of a task about a character's poses; a moment of a job becomes one of its file."""
        record = self.characters.ready(character)
        for name in ("start", "pose"):
            given = params.get(name)
            if isinstance(given, dict) and "job" in given:
                job = self.jobs.find(str(given["job"]))
                if job["state"] != "done" or not (job["result"] or {}).get("model"):
                    raise RequestRefused(f"The job '{job['title']}' has no motion yet.", 409, name)
                path = f"jobs/{job['id']}/run/{job['result']['model']}"
                params[name] = {"file": path, "time": given.get("time", 0.0)}
            elif isinstance(given, dict) and "parameters" not in given:
                raise RequestRefused(f"{name} takes parameters, or a job with a time.", 400, name)
            elif isinstance(given, dict):
                params[name] = {"parameters": given["parameters"]}
        return {**self.characters.reading(record), **params}

    def read_document(self) -> dict[str, Any]:
        """The page's document and its revision."""
        with suppress(OSError, ValueError):
            return json.loads((self.project.path / "document.json").read_text(encoding="utf-8"))
        return {"document": None, "revision": 0}

    def write_document(self, document: Any, revision: int | None, *, but: int | None = None) -> int:
        """Store the page's document; refused where another tab stored one in between."""
        stored = self.read_document()["revision"]
        if revision is not None and revision != stored:
            raise RequestRefused(f"Another tab saved revision {stored} in between; load it first.", 409, "revision")
        text = json.dumps({"document": document, "revision": stored + 1}, ensure_ascii=False)
        write_text(self.project.path / "document.json", text)
        self.sockets.tell({"type": "document", "revision": stored + 1}, but=but)
        return stored + 1

    async def keep_result(self, job: dict[str, Any]) -> dict[str, Any]:
        """Make a character of a job's result."""
        result = job["result"] or {}
        if job["state"] != "done" or not result.get("model"):
            raise RequestRefused(f"The job '{job['title']}' has no motion to keep.", 409)
        path = self.project.path / "jobs" / job["id"] / "run" / result["model"]
        identity, target = self.characters.new_folder(result["model"])
        target.parent.mkdir(parents=True)
        shutil.copyfile(path, target)
        settings: dict[str, Any] = {}
        if job["character"]:
            with suppress(GambolError):
                settings["facing"] = self.characters.ready(job["character"])["summary"]["facing"]
        return await self.characters.add(identity, result["model"], target, settings)

    async def open_local_file(self, path: Path) -> dict[str, Any]:
        """Take a file of this machine's user into the project, with the files that a .gltf or .obj refers to."""
        if not path.is_file():
            raise RequestRefused(f"There is no file {path}.", 404)
        if path.suffix.lower() not in READABLE:
            raise RequestRefused(
                f"{path.name} has a suffix that Gambol does not read; there are {', '.join(READABLE)}."
            )
        identity, target = self.characters.new_folder(re.sub(r"[:\\/\x00-\x1f]|^\.+", "_", path.name))
        target.parent.mkdir(parents=True)
        shutil.copyfile(path, target)
        for name in referred_files(path):
            beside = target.parent / name
            beside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path.parent / name, beside)
        return await self.characters.add(identity, target.name, target, {})

    async def make_creature(self, sentence: str, seed: int = 0) -> dict[str, Any]:
        """Make a built-in creature from a sentence."""
        identity, target = self.characters.new_folder("creature.glb")
        target.parent.mkdir(parents=True)
        return await self.characters.add(identity, sentence, target, {}, sentence=sentence, seed=seed)

    def new_upload(self) -> str:
        """A folder for a character of several files."""
        identity = new_id("upload")
        self.project.folder("uploads", identity).mkdir(parents=True)
        return identity

    async def open_upload(self, upload: str, name: str | None, settings: dict[str, Any]) -> dict[str, Any]:
        """Make a character of the files of an upload; `name` is the file that is read."""
        folder = self.project.folder("uploads", upload)
        if not folder.is_dir():
            raise RequestRefused(f"There is no upload {upload}.", 404)
        files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
        chosen = name or next((f for f in files if Path(f).suffix.lower() in READABLE), None)
        if chosen is None or chosen not in files:
            raise RequestRefused(
                "The upload has no character file; there are " + ", ".join(READABLE) + ".", 400, "name"
            )
        identity, target = self.characters.new_folder(chosen)
        source = self.project.folder("characters", identity) / "source"
        source.parent.mkdir(parents=True)
        folder.rename(source)
        return await self.characters.add(identity, Path(chosen).name, target, settings)


def referred_files(path: Path) -> list[str]:
    """Files beside a .gltf or .obj that it refers to, as far as they lie in its own folder."""
    found: list[str] = []
    with suppress(OSError, ValueError):
        if path.suffix.lower() == ".gltf":
            data = json.loads(path.read_text(encoding="utf-8"))
            entries = [entry for key in ("buffers", "images") for entry in data.get(key, [])]
            found = [entry["uri"] for entry in entries if isinstance(entry.get("uri"), str)]
        elif path.suffix.lower() == ".obj":
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            found = [line.split(None, 1)[1].strip() for line in lines if line.startswith("mtllib ")]
    from urllib.parse import unquote

    names = [unquote(name) for name in found if not name.startswith("data:")]
    root = path.parent.resolve()
    return [n for n in names if (root / n).is_file() and (root / n).resolve().is_relative_to(root)]
