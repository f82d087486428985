"""The jobs of a project: queued, run, paused, resumed, cancelled; records on disk survive the server."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from gambol.errors import GambolError
from gambol.files.atomic_write import write_text
from gambol.service.characters import Characters
from gambol.service.job_kinds import KINDS_OF_JOBS, LaneName, Sources, check_body, refuse_foreign_files
from gambol.service.live_sockets import LiveSockets, with_header
from gambol.service.project import Project, RequestRefused, new_id, now
from gambol.service.worker_process import Lane, TaskFailed, TaskStopped, Work

ACTIVE = ("queued", "running")
"""States of jobs that a worker has or will have."""
CHECK_SECONDS = 120.0
"""Longest time that the check of a request may take."""
MOST_JOBS = 2000
"""Most jobs of a project."""
FIELD = re.compile(r"^([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+(?:\[\d+\])?)*)(?= |:|\.)")
"""The field that a message of a request names first."""


class Jobs:
    """Jobs by id, the oldest first."""

    def __init__(
        self,
        project: Project,
        lanes: Mapping[LaneName, Lane],
        desk: Lane,
        characters: Characters,
        sockets: LiveSockets,
    ):
        self._project, self._lanes, self._desk, self._sockets = project, lanes, desk, sockets
        self._sources = Sources(project, characters, self.find)
        self._records: dict[str, dict[str, Any]] = {}
        self._work: dict[str, Work] = {}
        self._goals: dict[str, Literal["paused", "cancelled"]] = {}
        self._previews: dict[str, bytes] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    async def load(self) -> None:
        """Read the records; what was queued or running when the server ended goes on."""
        for record in self._project.records("jobs"):
            self._records[record["id"]] = record
            if record["state"] in ACTIVE:
                record["state"] = "queued"
                await self._queue(record)

    def chosen(self, character: str | None = None, state: str | None = None) -> list[dict[str, Any]]:
        """Jobs, the newest first."""
        chosen = [
            record
            for record in self._records.values()
            if character in (None, record["character"]) and state in (None, record["state"])
        ]
        return [self.present(record) for record in reversed(chosen)]

    def find(self, identity: str) -> dict[str, Any]:
        """The record of a job."""
        self._project.folder("jobs", identity)
        if identity not in self._records:
            raise RequestRefused(f"There is no job {identity}.", 404)
        return self._records[identity]

    def uses(self, character: str) -> bool:
        """Whether a job that is not over needs a character."""
        states = (*ACTIVE, "paused")
        return any(r["character"] == character and r["state"] in states for r in self._records.values())

    def present(self, record: dict[str, Any]) -> dict[str, Any]:
        """A job as clients see it."""
        work, result = self._work.get(record["id"]), record["result"]
        place = None if work is None else self._lanes[KINDS_OF_JOBS[record["kind"]].lane].place(work)
        if result is not None:
            base = f"/api/v1/jobs/{record['id']}/files/"
            files = [{**file, "url": base + file["name"]} for file in result["files"]]
            model = None if result.get("model") is None else base + result["model"]
            result = {**result, "files": files, "model": model}
        shown = {name: value for name, value in record.items() if name not in ("params", "body")}
        return {**shown, "place_in_queue": place, "result": result}

    def preview(self, identity: str) -> bytes | None:
        """The last motion of a job that a worker showed."""
        self.find(identity)
        return self._previews.get(identity)

    async def create(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Check a request and queue its jobs: one for each variant, with a seed of its own."""
        if len(self._records) >= MOST_JOBS:
            raise RequestRefused(f"The project has {MOST_JOBS} jobs; delete some first.", 409)
        name, kind = check_body(body)
        variants = body.get("variants", 1)
        group = new_id("group") if variants > 1 else None
        records = []
        for variant in range(variants):
            prepared = kind.prepare(body, self._sources)
            identity = new_id("job")
            folder = self._project.folder("jobs", identity)
            params = {**prepared.params, "output": f"jobs/{identity}/run"}
            title, seed, command = prepared.title, None, kind.command(params) if kind.command else None
            if name == "animate":
                title, seed, command = await self._check_animate(params, identity, variant)
            record = {
                "id": identity,
                "kind": name,
                "character": prepared.character,
                "title": title,
                "state": "queued",
                "created": now(),
                "started": None,
                "ended": None,
                "group": group,
                "variant": variant,
                "seed": seed,
                "progress": None,
                "error": None,
                "notes": [],
                "request": params.get("request", {k: v for k, v in body.items() if k != "kind"}),
                "command": command,
                "steered": False,
                "result": None,
                "params": params,
            }
            folder.mkdir(parents=True)
            if name == "animate":
                self._write_request(record)
            records.append(record)
        for record in records:
            self._records[record["id"]] = record
            await self._queue(record)
        return [self.present(record) for record in records]

    async def pause(self, identity: str) -> dict[str, Any]:
        """End a job at its next step, to go on later."""
        record = self.find(identity)
        if not KINDS_OF_JOBS[record["kind"]].pausable or record["state"] not in ACTIVE:
            raise RequestRefused(f"A job of kind {record['kind']} that is {record['state']} cannot be paused.", 409)
        await self._stop(record, "paused")
        return self.present(record)

    async def cancel(self, identity: str) -> dict[str, Any]:
        """End a job; what it saved stays."""
        record = self.find(identity)
        if record["state"] == "paused":
            self._change(record, state="cancelled", ended=now())
        elif record["state"] in ACTIVE:
            await self._stop(record, "cancelled")
        else:
            raise RequestRefused(f"The job is {record['state']} already.", 409)
        return self.present(record)

    async def resume(self, identity: str, request: dict[str, Any] | None = None) -> dict[str, Any]:
        """Go on with a job that was paused, cancelled or failed; a paused motion may get other constraints."""
        record = self.find(identity)
        if record["state"] not in ("paused", "cancelled", "failed"):
            raise RequestRefused(f"The job is {record['state']}; only paused, cancelled or failed ones go on.", 409)
        if request is not None:
            await self._steer(record, request)
        self._change(record, state="queued", error=None, ended=None)
        await self._queue(record)
        return self.present(record)

    async def delete(self, identity: str) -> None:
        """End a job and remove its folder."""
        record = self.find(identity)
        if record["state"] in ACTIVE:
            await self._stop(record, "cancelled")
        del self._records[identity]
        self._previews.pop(identity, None)
        self._project.remove("jobs", identity)
        self._sockets.tell({"type": "job-deleted", "id": identity})

    async def _check_animate(self, params: dict[str, Any], identity: str, variant: int) -> tuple[str, int, str]:
        """Check a request in a worker, and complete it in `params`; gives title, seed and command."""
        request = dict(params["request"])
        seed = request.get("seed", 0)
        if variant and isinstance(seed, int):
            request["seed"] = seed + variant
        params["request"] = request
        checking = {**params, "request_file": f"jobs/{identity}/request.json"}
        try:
            checked, _ = await self._desk.call("check", checking, seconds=CHECK_SECONDS)
        except TaskFailed as error:
            found = FIELD.match(str(error))
            raise RequestRefused(str(error), 400, found[1] if found else None) from error
        params["request"] = checked["request"]
        return checked["title"], checked["request"].get("seed", 0), checked["command"]

    async def _steer(self, record: dict[str, Any], request: dict[str, Any]) -> None:
        """Give a paused motion other constraints; everything else of its request stays."""
        if record["kind"] != "animate" or record["state"] != "paused":
            raise RequestRefused("Only a paused motion takes another request.", 409, "request")
        refuse_foreign_files(request, self._project)
        params = {**record["params"], "request": request}
        title, seed, _ = await self._check_animate(params, record["id"], 0)
        both = [{k: v for k, v in r.items() if k != "constraints"} for r in (record["request"], params["request"])]
        if both[0] != both[1]:
            raise RequestRefused("A paused motion takes other constraints, and nothing else.", 400, "request")
        params["steer"] = True
        record |= {"params": params, "request": params["request"], "title": title, "seed": seed, "steered": True}
        record["command"] = None  # no single request repeats it
        self._write_request(record)

    def _write_request(self, record: dict[str, Any]) -> None:
        path = self._project.folder("jobs", record["id"]) / "request.json"
        write_text(path, json.dumps(record["request"], indent=1, ensure_ascii=False) + "\n")

    async def _stop(self, record: dict[str, Any], goal: Literal["paused", "cancelled"]) -> None:
        work = self._work.get(record["id"])
        self._goals[record["id"]] = goal
        if work is not None:
            await self._lanes[KINDS_OF_JOBS[record["kind"]].lane].stop(work)
            await asyncio.wait([work.answer])
            while record["id"] in self._work and self._work[record["id"]] is work:
                await asyncio.sleep(0)

    async def _queue(self, record: dict[str, Any]) -> None:
        def event(told: dict[str, Any], payload: bytes) -> None:
            self._event(record, told, payload)

        def started() -> None:
            self._change(record, state="running", started=record["started"] or now())

        work = Work(record["kind"], record["params"], on_event=event, on_start=started)
        self._work[record["id"]] = work
        await self._lanes[KINDS_OF_JOBS[record["kind"]].lane].submit(work)
        self._change(record)
        watcher = asyncio.create_task(self._finish(record, work))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)

    def _event(self, record: dict[str, Any], told: dict[str, Any], payload: bytes) -> None:
        identity, event = record["id"], told["event"]
        if event == "progress":
            record["progress"] = {name: told[name] for name in ("done", "total", "text", "eta_seconds")}
            self._sockets.tell({"type": "progress", "job": identity, **record["progress"]})
        elif event == "losses":
            place = {name: told[name] for name in ("variant", "segment", "step", "losses")}
            self._sockets.tell({"type": "losses", "job": identity, **place}, job=identity)
        elif event == "motion":
            self._previews[identity] = motion = with_header(payload, source="job", job=identity)
            self._sockets.show(identity, motion)
        elif event == "picture":
            url = f"/api/v1/jobs/{identity}/picture.png?step={told['step']}"
            self._sockets.tell({"type": "picture", "job": identity, "url": url, "step": told["step"]}, job=identity)

    async def _finish(self, record: dict[str, Any], work: Work) -> None:
        changes: dict[str, Any]
        try:
            value, _ = await work.answer
            notes = value.pop("notes", [])
            changes = {"state": "done", "result": value, "notes": notes, "ended": now(), "progress": None}
        except asyncio.CancelledError:  # the server ends; the next one goes on with this job
            return
        except TaskStopped:
            goal = self._goals.get(record["id"], "cancelled")
            changes = {"state": goal, "ended": now() if goal == "cancelled" else None}
        except GambolError as error:
            goal_or_none = self._goals.get(record["id"])
            changes = {"state": goal_or_none or "failed", "error": None if goal_or_none else str(error), "ended": now()}
        self._goals.pop(record["id"], None)
        if self._work.get(record["id"]) is work:
            del self._work[record["id"]]
        if record["id"] in self._records:
            self._change(record, **changes)

    def _change(self, record: dict[str, Any], **changes: Any) -> None:
        record |= changes
        self._project.write_record("jobs", record)
        self._sockets.tell({"type": "job", "job": self.present(record)})
