"""A client of `gambol serve` that needs nothing but Python: one file that may be copied into another program.

from gambol.client import Client

client = Client.start("my-project")               # or Client.find("my-project"), Client("http://...", "TOKEN")
fox = client.open("fox.glb")
job = client.animate(fox["id"], "a fox is running")
client.download(client.wait(job["id"]), "out")
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

Json = dict[str, Any]
"""A JSON object."""
DEFAULT_PROJECT = "gambol-project"
"""Project folder where none is named."""
POLL_SECONDS = 0.25
"""Time between two looks at a job."""
START_SECONDS = 60.0
"""How long a server may take to start."""
FILES_BESIDE = {".gltf": ("buffers", "images")}
"""Files that refer to others, and where."""


class ServiceError(Exception):
    """The server refused a call, cannot be reached, or a job failed; the message is a sentence for people."""

    def __init__(self, text: str, status: int = 0, field: str | None = None):
        super().__init__(text)
        self.status, self.field = status, field


class Client:
    """Calls of a server; every method is one call, or waits by asking again."""

    def __init__(self, base: str, token: str, *, timeout: float = 60.0):
        self.base, self.token, self.timeout = base.rstrip("/"), token, timeout
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def find(cls, project: str | Path = DEFAULT_PROJECT, *, timeout: float = 60.0) -> Client:
        """The client of the server that works on a project; raises `ServiceError` where there is none."""
        told = None
        with suppress(OSError, ValueError):
            told = json.loads((Path(project) / "server.json").read_text(encoding="utf-8"))
        if told is None:
            raise ServiceError(f"No server works on {project}. Start one: gambol serve --project {project}")
        client = cls(told["base"], told["token"], timeout=timeout)
        client.server()
        return client

    @classmethod
    def start(
        cls, project: str | Path = DEFAULT_PROJECT, *, python: str = sys.executable, timeout: float = 60.0
    ) -> Client:
        """The client of a project's server, which is started where none is running; it ends with `close`."""
        with suppress(ServiceError):
            return cls.find(project, timeout=timeout)
        command = [python, "-m", "gambol.cli.main", "serve", "--project", str(project), "--port", "0"]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and process.poll() is None:
            with suppress(ServiceError):
                client = cls.find(project, timeout=timeout)
                client._process = process
                return client
            time.sleep(0.1)
        process.kill()
        said = process.communicate()[1].decode("utf-8", "replace").strip()
        raise ServiceError(f"The server did not start. {said[-400:]}")

    def close(self) -> None:
        """End the server if this client started it; unfinished jobs go on when it is started again."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def server(self) -> Json:
        """What the server is and can do."""
        return self.call("GET", "/server")

    def open(
        self, file: str | Path, *, wait: bool = True, progress: Callable[[Json], object] | None = None, **settings: Any
    ) -> Json:
        """Upload a character file (with the files that a .gltf refers to); `settings`: scale, facing, character."""
        path = Path(file)
        beside = _files_beside(path)
        if beside:
            upload = self.call("POST", "/uploads")["id"]
            for name in (path.name, *beside):
                quoted = urllib.parse.quote(name)
                self.call("PUT", f"/uploads/{upload}/{quoted}", data=_read(path.parent / name))
            body = {"upload": upload, "name": path.name, "settings": settings}
            character = self.call("POST", "/characters/uploaded", body)
        else:
            query = urllib.parse.urlencode({"name": path.name, **settings})
            character = self.call("POST", f"/characters?{query}", data=_read(path))
        return self.wait_for_character(character["id"], progress=progress) if wait else character

    def make_creature(self, sentence: str, *, seed: int = 0) -> Json:
        """Make a built-in creature, such as 'a small fox', and wait until it can be used."""
        made = self.call("POST", "/characters/creature", {"sentence": sentence, "seed": seed})
        return self.wait_for_character(made["id"])

    def character(self, character: str) -> Json:
        """A character: state, what its file holds, anatomy, clips."""
        return self.call("GET", f"/characters/{character}")

    def characters(self) -> list[Json]:
        """All characters of the project, the newest first."""
        return self.call("GET", "/characters")["characters"]

    def change_character(self, character: str, **settings: Any) -> Json:
        """Change scale, facing or anatomy of a character, and wait until it is open again."""
        return self.wait_for_character(self.call("PATCH", f"/characters/{character}", settings)["id"])

    def rig(self, character: str, **options: Any) -> Json:
        """Make a new skeleton and weights: template, naming, symmetric, smooth, rigid_parts."""
        return self.wait_for_character(self.call("POST", f"/characters/{character}/rig", options)["id"])

    def wait_for_character(self, character: str, *, progress: Callable[[Json], object] | None = None) -> Json:
        """Wait until a character is open; raises `ServiceError` where it cannot be opened."""
        while True:
            found = self.character(character)
            if found["state"] == "failed":
                raise ServiceError(found["error"])
            if found["state"] == "ready":
                return found
            if progress is not None and found["progress"]:
                progress(found["progress"])
            time.sleep(POLL_SECONDS)

    def read_prompt(self, prompt: str) -> Json:
        """How a sentence is understood."""
        return self.call("POST", "/prompt", {"prompt": prompt})

    def animate(self, character: str, prompt: str = "", *, outputs: Json | None = None, **request: Any) -> Json:
        """Queue a motion; `request` holds fields of a request (docs/control.md), such as seconds, seed, segments."""
        asked = {**({"prompt": prompt} if prompt else {}), **request}
        body: Json = {"kind": "animate", "character": character, "request": asked}
        return self.create({**body, **({"outputs": outputs} if outputs else {})})[0]

    def edit(self, source: Json, constraints: list[Json], **options: Any) -> Json:
        """Queue a change of a finished clip; `source` is {"job": ID} or {"character": ID}."""
        return self.create({"kind": "edit", "source": source, "constraints": constraints, **options})[0]

    def track(self, source: Json, **options: Any) -> Json:
        """Queue a physics tracking of a clip."""
        return self.create({"kind": "track", "source": source, **options})[0]

    def export(self, source: Json, kind: str, **options: Any) -> Json:
        """Queue an export as glb, gltf, fbx, bvh, usda, usdc, usdz."""
        return self.create({"kind": "export", "source": source, "format": kind, **options})[0]

    def film(self, source: Json, **options: Any) -> Json:
        """Queue a film or picture of a clip: clip, views, width, height, style, format (mp4, gif, png)."""
        return self.create({"kind": "film", "source": source, **options})[0]

    def evaluate(self, source: Json, **options: Any) -> Json:
        """Queue measures of clips."""
        return self.create({"kind": "evaluate", "source": source, **options})[0]

    def solve_pose(self, character: str, handles: Json, *, start: Any = "rest") -> Json:
        """Pull joints to places in metres; the rest of the body follows plausibly."""
        body = {"handles": handles, "start": start}
        return self.call("POST", f"/characters/{character}/poses/solve", body)

    def sample_poses(self, character: str, count: int = 8, *, seed: int = 0) -> list[Json]:
        """Plausible poses of a character."""
        body = {"count": count, "seed": seed}
        return self.call("POST", f"/characters/{character}/poses/sample", body)["poses"]

    def keep_pose(self, character: str, pose: Any, *, name: str = "pose") -> Json:
        """Keep a pose; `reference` is what a pose constraint names."""
        return self.call("POST", f"/characters/{character}/poses", {"name": name, "pose": pose})

    def create(self, body: Json) -> list[Json]:
        """Queue jobs of any kind."""
        return self.call("POST", "/jobs", body)["jobs"]

    def job(self, job: str) -> Json:
        """A job: state, progress, command, result."""
        return self.call("GET", f"/jobs/{job}")

    def jobs(self, **query: str) -> list[Json]:
        """Jobs of the project, the newest first; `character` and `state` choose."""
        return self.call("GET", f"/jobs?{urllib.parse.urlencode(query)}")["jobs"]

    def pause(self, job: str) -> Json:
        """End a job at its next step, to go on later."""
        return self.call("POST", f"/jobs/{job}/pause")

    def resume(self, job: str, request: Json | None = None) -> Json:
        """Go on with a job; a paused motion may get a request with other constraints."""
        return self.call("POST", f"/jobs/{job}/resume", {"request": request})

    def cancel(self, job: str) -> Json:
        """End a job."""
        return self.call("POST", f"/jobs/{job}/cancel")

    def delete(self, job: str) -> None:
        """End a job and remove its files."""
        self.call("DELETE", f"/jobs/{job}")

    def follow(self, job: str) -> Iterator[Json]:
        """The job again and again until it is over or paused."""
        while True:
            found = self.job(job)
            yield found
            if found["state"] not in ("queued", "running"):
                return
            time.sleep(POLL_SECONDS)

    def wait(self, job: str, *, timeout: float | None = None, progress: Callable[[Json], object] | None = None) -> Json:
        """Wait until a job is done; raises `ServiceError` where it failed, was cancelled, or takes too long."""
        until = None if timeout is None else time.monotonic() + timeout
        for found in self.follow(job):
            if progress is not None and found["progress"]:
                progress(found["progress"])
            if found["state"] == "done":
                return found
            if found["state"] not in ("queued", "running"):
                raise ServiceError(found["error"] or f"The job is {found['state']}.")
            if until is not None and time.monotonic() > until:
                raise ServiceError(f"The job is not done after {timeout:g} s; it goes on, and can be waited for again.")
        raise AssertionError("a job is followed until it is over")

    def download(self, job: Json, folder: str | Path, *names: str) -> list[Path]:
        """Write files of a job's result (all, or those named) to a folder."""
        written, result = [], job["result"] or {"files": []}
        for file in result["files"]:
            if not names or file["name"] in names:
                target = Path(folder) / file["name"]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(self.read_file(file["url"]))
                written.append(target)
        return written

    def read_file(self, url: str) -> bytes:
        """The bytes of a file that the server names."""
        return self._send("GET", url, None, {})

    def call(self, method: str, path: str, body: Any = None, *, data: bytes | None = None) -> Any:
        """One call of the API; `path` begins behind /api/v1. Raises `ServiceError` with the server's sentence."""
        headers = {"Content-Type": "application/octet-stream"} if data is not None else {}
        if body is not None:
            data, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
        answer = self._send(method, f"/api/v1{path}", data, headers)
        return json.loads(answer) if answer else None

    def _send(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> bytes:
        headers = {**headers, "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.base + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            told: Json = {}
            with suppress(ValueError, OSError):
                told = json.loads(error.read())
            text = told.get("error") or f"The server answered {error.code}."
            raise ServiceError(text, error.code, told.get("field")) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            raise ServiceError(f"The server at {self.base} cannot be reached: {why}.") from None


def _files_beside(path: Path) -> list[str]:
    """Files that a .gltf refers to, in its own folder or below."""
    keys = FILES_BESIDE.get(path.suffix.lower())
    if keys is None:
        return []
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    uris = [entry.get("uri") for key in keys for entry in data.get(key, []) if isinstance(entry, dict)]
    names = [urllib.parse.unquote(uri) for uri in uris if isinstance(uri, str) and not uri.startswith("data:")]
    return [name for name in dict.fromkeys(names) if ".." not in name.split("/") and (path.parent / name).is_file()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ServiceError(f"{path} cannot be read: {error.strerror or error}.") from None
