"""The WebSocket of a page: what happens in the project, and dragging of poses."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from starlette.websockets import WebSocket, WebSocketDisconnect

from gambol.errors import GambolError
from gambol.service.live_sockets import TOO_MANY, LiveSocket, with_header
from gambol.service.studio import POSE_SECONDS, Studio

router = APIRouter()
MAX_TEXT = 1 << 20
"""Longest message of a page, letters."""
MOST_DRAGS_OF_A_PAGE = 16
"""Most drags of one page at a time."""


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """One page's connection."""
    studio: Studio = socket.app.state.studio
    await socket.accept()
    page = LiveSocket(socket)
    if not studio.sockets.add(page):
        await page.close(TOO_MANY)
        return
    sender = asyncio.create_task(page.send_all())
    drags = Drags(studio, page)
    try:
        page.tell(
            {
                "type": "hello",
                "jobs": studio.jobs.chosen(),
                "characters": studio.characters.all(),
                "revision": studio.read_document()["revision"],
                "page": page.number,
            }
        )
        while True:
            await receive(await socket.receive(), page, drags)
    except WebSocketDisconnect:
        pass
    finally:
        studio.sockets.remove(page)
        sender.cancel()
        await drags.close()


async def receive(frame: Any, page: LiveSocket, drags: Drags) -> None:
    """Take one message of a page."""
    if frame["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    text = frame.get("text")
    try:
        message = json.loads(text) if text is not None and len(text) <= MAX_TEXT else {}
    except ValueError:
        message = {}
    message = message if isinstance(message, dict) else {}
    kind = message.get("type")
    if kind == "ping":
        page.tell({"type": "pong"})
    elif kind == "watch":
        jobs = message.get("jobs", "all")
        page.watched = frozenset(map(str, jobs)) if isinstance(jobs, list) else None
    elif isinstance(kind, str) and kind.startswith("pose-"):
        await drags.take(kind, message)
    else:
        page.tell({"type": "error", "error": "This is no message that the server knows; docs/service.md lists them."})


class Drags:
    """The drags of one page: each takes one step at a time, and of several moves only the newest."""

    def __init__(self, studio: Studio, page: LiveSocket):
        self._studio, self._page = studio, page
        self._orders: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        self._loops: dict[str, asyncio.Task[None]] = {}

    async def take(self, kind: str, message: dict[str, Any]) -> None:
        """Put an order of the page in its drag's queue."""
        name = str(message.get("session", ""))[:80]
        orders = self._orders.setdefault(name, [])
        if kind == "pose-move" and orders and orders[-1][0] == "pose-move":
            orders[-1] = (kind, message)
        else:
            orders.append((kind, message))
        if name not in self._loops:
            if len(self._loops) >= MOST_DRAGS_OF_A_PAGE:
                self._orders.pop(name)
                self._refuse(name, f"A page drags at most {MOST_DRAGS_OF_A_PAGE} poses at a time.")
                return
            self._loops[name] = asyncio.create_task(self._work(name))

    async def close(self) -> None:
        """End all drags of a page that is gone."""
        for name, loop in list(self._loops.items()):
            loop.cancel()
            with suppress(GambolError):
                await self._studio.ask("drag-end", {"session": self._key(name)})

    async def _work(self, name: str) -> None:
        try:
            while self._orders.get(name):
                kind, message = self._orders[name].pop(0)
                try:
                    await self._do(kind, name, message)
                except GambolError as error:
                    self._refuse(name, str(error))
        finally:
            self._loops.pop(name, None)

    async def _do(self, kind: str, name: str, message: dict[str, Any]) -> None:
        ask, key, sequence = self._studio.ask_with_bytes, self._key(name), message.get("sequence", 0)
        if kind == "pose-start":
            params = self._studio.pose_params(str(message.get("character")), start=message.get("start"))
            params |= {"session": key, "pins": message.get("pins")}
            told, motion = await ask("drag-start", params, seconds=POSE_SECONDS)
            self._answer(name, sequence, "start", told)
            self._show(name, sequence, "start", motion)
        elif kind == "pose-pins":
            told, _ = await ask("drag-pins", {"session": key, "pins": message.get("pins")})
            self._answer(name, sequence, "pins", told)
        elif kind == "pose-move":
            params = {"session": key, "handle": message.get("handle"), "target": message.get("target")}
            told, motion = await ask("drag-move", params)
            self._show(name, sequence, "drag", motion, **told)
        elif kind == "pose-release":
            told, motion = await ask("drag-release", {"session": key}, seconds=POSE_SECONDS)
            self._show(name, sequence, "released", motion)
            self._answer(name, sequence, "released", told)
        elif kind == "pose-end":
            await ask("drag-end", {"session": key})
        else:
            self._refuse(name, f"There is no message {kind[:40]}.")

    def _key(self, name: str) -> str:
        return f"{self._page.number}/{name}"

    def _answer(self, name: str, sequence: Any, kind: str, told: dict[str, Any]) -> None:
        self._page.tell({"type": "pose", "session": name, "sequence": sequence, "kind": kind, **told})

    def _show(self, name: str, sequence: Any, kind: str, motion: bytes, **told: Any) -> None:
        self._page.show_always(with_header(motion, session=name, sequence=sequence, kind=kind, **told))

    def _refuse(self, name: str, text: str) -> None:
        self._page.tell({"type": "pose-error", "session": name, "error": text})
