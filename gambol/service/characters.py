"""The characters of a project: records, settings, and the tasks that open their files."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gambol.character.anatomy.anatomy import BodyPart
from gambol.character.facing import FACING_AXES
from gambol.errors import GambolError
from gambol.service.project import Project, RequestRefused, new_id, now
from gambol.service.worker_process import Lane, Work

OPENING_SECONDS = 900.0
"""Longest time that opening a file may take; a rig for a large mesh takes minutes."""
CHARACTER_SETTINGS = ("scale", "facing", "character", "anatomy", "template")
"""What a client may say about how a character is read."""
PART_NAMES = tuple(part.value for part in BodyPart)
"""Body parts that a bone may be corrected to."""


class Characters:
    """Characters by id; records are kept in memory and written at every change."""

    def __init__(self, project: Project, lane: Lane, tell: Callable[[dict[str, Any]], None]):
        self._project, self._lane, self._tell = project, lane, tell
        self._records: dict[str, dict[str, Any]] = {}
        self._work: dict[str, Work] = {}
        self._watchers: set[asyncio.Task[None]] = set()

    async def load(self) -> None:
        """Read the records; characters that were being opened when the server ended are opened again."""
        for record in self._project.records("characters"):
            self._records[record["id"]] = record
            if record["state"] == "opening":
                await self._open(record)

    def all(self) -> list[dict[str, Any]]:
        """All characters, the newest first."""
        return [self.present(record) for record in reversed(self._records.values())]

    def find(self, identity: str) -> dict[str, Any]:
        """The record of a character."""
        self._project.folder("characters", identity)
        if identity not in self._records:
            raise RequestRefused(f"There is no character {identity}.", 404)
        return self._records[identity]

    def ready(self, identity: str) -> dict[str, Any]:
        """The record of a character that can be used."""
        record = self.find(identity)
        if record["state"] != "ready":
            why = record["error"] or "it is being opened"
            raise RequestRefused(f"{record['name']} is not ready: {why}", 409, "character")
        return record

    def reading(self, record: dict[str, Any]) -> dict[str, Any]:
        """The file that jobs use and how it is read."""
        settings = record["settings"]
        given = {name: settings.get(name) for name in ("scale", "facing", "character")}
        if record["file"] != record["source"]:  # a file that was written here holds one character
            given |= {"character": None, "facing": record["summary"]["facing"]}
            given["scale"] = record["summary"]["metres_per_unit"] if settings.get("scale") is not None else None
        return {"file": record["file"], **given}

    def present(self, record: dict[str, Any]) -> dict[str, Any]:
        """A character as clients see it."""
        base = f"/api/v1/characters/{record['id']}"
        revision = f"?revision={record['revision']}"
        hidden = ("source", "file", "task", "rig")
        shown = {name: value for name, value in record.items() if name not in hidden}
        return {**shown, "model": f"{base}/model.glb{revision}", "facts": f"{base}/facts.json{revision}"}

    def new_folder(self, name: str) -> tuple[str, Path]:
        """An id for a new character, and the path that its source is to be written to."""
        identity = new_id("character")
        return identity, self._project.inside(self._project.folder("characters", identity) / "source", name)

    async def add(
        self, identity: str, name: str, source: Path, settings: dict[str, Any], **task: Any
    ) -> dict[str, Any]:
        """Take a character in whose files are in place (or are made by a `task`), and open it."""
        record: dict[str, Any] = {
            "id": identity,
            "name": name,
            "state": "opening",
            "error": None,
            "progress": None,
            "created": now(),
            "revision": 1,
            "rigged": False,
            "settings": checked_settings(settings),
            "notes": [],
            "summary": None,
            "anatomy": None,
            "clips": [],
            "source": self._project.relative(source),
            "file": self._project.relative(source),
            "task": task or None,
            "rig": None,
        }
        self._records[identity] = record
        await self._open(record)
        return self.present(record)

    async def change(
        self, identity: str, settings: dict[str, Any], rig: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Open a character again with other settings; corrections of the anatomy are added to those before."""
        record = self.find(identity)
        if record["state"] == "opening":
            raise RequestRefused(f"{record['name']} is still being opened; wait for it.", 409)
        parts = {**(record["settings"].get("anatomy") or {}), **(settings.get("anatomy") or {})}
        merged = {**record["settings"], **settings, "anatomy": {k: v for k, v in parts.items() if v is not None}}
        known = {bone["name"] for bone in (record["summary"] or {}).get("bones", [])}
        for bone in settings.get("anatomy") or {}:
            if record["summary"] is not None and bone not in known:
                raise RequestRefused(f"There is no bone '{bone[:60]}'.", 400, "anatomy")
        record["settings"] = checked_settings(merged)
        record |= {"revision": record["revision"] + 1, "state": "opening", "error": None}
        record["rig"] = rig if rig is not None else record["rig"]
        await self._open(record)
        return self.present(record)

    async def remove(self, identity: str) -> None:
        """Remove a character and its files."""
        self.find(identity)
        work = self._work.pop(identity, None)
        if work is not None:
            await self._lane.stop(work)
        self._records.pop(identity, None)
        self._project.remove("characters", identity)
        self._tell({"type": "character-deleted", "id": identity})

    async def wait(self, identity: str) -> dict[str, Any]:
        """Wait until a character is open or has failed."""
        while self.find(identity)["state"] == "opening" and identity in self._work:
            with_answer = self._work[identity].answer
            await asyncio.wait([with_answer])
            await asyncio.sleep(0)
        return self.find(identity)

    async def _open(self, record: dict[str, Any]) -> None:
        folder = self._project.relative(self._project.folder("characters", record["id"]))
        params = {
            "folder": folder,
            "file": record["source"],
            "settings": record["settings"],
            "rig": record["rig"],
            **(record["task"] or {}),
        }
        task = "create" if record["task"] else "open"
        work = Work(task, params, seconds=OPENING_SECONDS, on_event=lambda told, _: self._event(record, told))
        self._work[record["id"]] = work
        self._save(record)
        await self._lane.submit(work)
        watcher = asyncio.create_task(self._finish(record, work))
        self._watchers.add(watcher)
        watcher.add_done_callback(self._watchers.discard)

    def _event(self, record: dict[str, Any], told: dict[str, Any]) -> None:
        if told["event"] == "progress":
            record["progress"] = {name: told[name] for name in ("done", "total", "text", "eta_seconds")}
            self._tell({"type": "character", "character": self.present(record)})

    async def _finish(self, record: dict[str, Any], work: Work) -> None:
        try:
            value, _ = await work.answer
            record |= {**value, "state": "ready", "error": None, "progress": None, "task": None}
        except asyncio.CancelledError:  # the server ends; the next one opens the file again
            return
        except GambolError as error:
            record |= {"state": "failed", "error": str(error), "progress": None}
        if self._work.get(record["id"]) is work and record["id"] in self._records:
            self._save(record)
            del self._work[record["id"]]

    def _save(self, record: dict[str, Any]) -> None:
        self._project.write_record("characters", record)
        self._tell({"type": "character", "character": self.present(record)})


def checked_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of a character, each checked; those that are not given are None."""
    unknown = [name for name in settings if name not in CHARACTER_SETTINGS]
    if unknown:
        raise RequestRefused(
            f"{unknown[0]} is no setting of a character; there are {', '.join(CHARACTER_SETTINGS)}.", 400
        )
    scale, facing, anatomy = (settings.get(name) for name in ("scale", "facing", "anatomy"))
    if scale is not None and not (isinstance(scale, int | float) and 1e-9 < scale < 1e9):
        raise RequestRefused(f"scale is {scale!r}; it takes metres per file unit, a number above 0.", 400, "scale")
    if facing is not None and facing not in FACING_AXES:
        raise RequestRefused(f"facing is {facing!r}; it takes {', '.join(FACING_AXES)}.", 400, "facing")
    for name in ("character", "template"):
        if settings.get(name) is not None and not isinstance(settings[name], str):
            raise RequestRefused(f"{name} is {settings[name]!r}; it takes a text.", 400, name)
    if anatomy is not None and not isinstance(anatomy, dict):
        raise RequestRefused("anatomy takes an object of bones with their body parts.", 400, "anatomy")
    for bone, part in (anatomy or {}).items():
        if part is not None and part not in PART_NAMES:
            raise RequestRefused(f"'{bone[:60]}' cannot be {part!r}; it takes {', '.join(PART_NAMES)}.", 400, "anatomy")
    return {name: settings.get(name) for name in CHARACTER_SETTINGS} | {"anatomy": dict(anatomy or {})}
