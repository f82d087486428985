"""The WebSockets of the pages that are open: what is told to all of them, and what only some of them want."""

from __future__ import annotations

import asyncio
import itertools
import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

MOST_WAITING_MESSAGES = 400
"""Messages that wait for a slow page; a page that does not read them is disconnected."""
MOST_WAITING_MOTIONS = 4
"""Motions that wait for a slow page; further ones are left out, since newer ones follow."""
MOST_SOCKETS = 256
"""Pages that may be connected at the same time."""
TOO_MANY, TOO_SLOW = 1013, 1008
"""Close codes of WebSockets."""
_NUMBERS = itertools.count(1)


@dataclass(eq=False)
class LiveSocket:
    """One connected page."""

    socket: WebSocket
    """Its connection."""
    number: int = field(default_factory=lambda: next(_NUMBERS))
    """Its number; names of drags are its own."""
    watched: frozenset[str] | None = None
    """Jobs whose motions and pictures it wants; None wants all."""
    outbox: asyncio.Queue[str | bytes] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING_MESSAGES))
    """What waits to be sent."""
    closing: asyncio.Future[None] | None = None
    """The end of a connection that is too slow."""

    def wants(self, job: str) -> bool:
        """Whether the page wants to see this job move."""
        return self.watched is None or job in self.watched

    def tell(self, message: dict[str, Any]) -> None:
        """Send an object; a page that has not read hundreds of messages is disconnected."""
        try:
            self.outbox.put_nowait(json.dumps(message, ensure_ascii=False))
        except asyncio.QueueFull:
            self.closing = asyncio.ensure_future(self.close(TOO_SLOW))

    def show(self, motion: bytes) -> None:
        """Send a motion, unless the page is still busy with earlier ones."""
        if self.outbox.qsize() < MOST_WAITING_MOTIONS:
            self.outbox.put_nowait(motion)

    def show_always(self, motion: bytes) -> None:
        """Send a motion that nothing replaces."""
        with suppress(asyncio.QueueFull):
            self.outbox.put_nowait(motion)

    async def send_all(self) -> None:
        """Send what waits, for ever."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self.outbox.get()
                if isinstance(message, bytes):
                    await self.socket.send_bytes(message)
                else:
                    await self.socket.send_text(message)

    async def close(self, code: int) -> None:
        """Disconnect the page."""
        with suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.close(code)


class LiveSockets:
    """All connected pages."""

    def __init__(self) -> None:
        self._sockets: set[LiveSocket] = set()

    def __len__(self) -> int:
        return len(self._sockets)

    def add(self, socket: LiveSocket) -> bool:
        """Take a page in; False where there are too many."""
        if len(self._sockets) >= MOST_SOCKETS:
            return False
        self._sockets.add(socket)
        return True

    def remove(self, socket: LiveSocket) -> None:
        """Forget a page."""
        self._sockets.discard(socket)

    def tell(self, message: dict[str, Any], *, job: str | None = None, but: int | None = None) -> None:
        """Tell all pages, those that watch a job, or all but one."""
        for socket in tuple(self._sockets):
            if (job is None or socket.wants(job)) and socket.number != but:
                socket.tell(message)

    def show(self, job: str, motion: bytes) -> None:
        """Show a motion to the pages that watch the job."""
        for socket in tuple(self._sockets):
            if socket.wants(job):
                socket.show(motion)


def with_header(motion: bytes, **values: Any) -> bytes:
    """A motion message of a worker with more in its header."""
    length = int.from_bytes(motion[:4], "little")
    header = {**json.loads(motion[4 : 4 + length]), **values}
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(len(text) + 4) % 4)
    return len(text).to_bytes(4, "little") + text + motion[4 + length :]
