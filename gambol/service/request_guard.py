"""What every request must bring: a known Host, no foreign Origin, the token, and no more bytes than allowed."""

from __future__ import annotations

import hmac
import ipaddress
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlsplit

Scope: TypeAlias = MutableMapping[str, Any]
"""An ASGI connection."""
Receive: TypeAlias = Callable[[], Awaitable[Any]]
"""What comes in on an ASGI connection."""
Send: TypeAlias = Callable[[Any], Awaitable[None]]
"""What goes out on it."""
API = "/api/v1"
"""Where the API begins."""
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
"""Names of this machine for itself."""
MAX_BODY_BYTES = 10 << 20
"""Largest body of a request that is no upload."""
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self' blob: data: ws: wss:; worker-src 'self' blob:; "
    "media-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""Content security policy of everything that is served."""
HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every response; a response may have its own cache-control."""


class _TooLarge(Exception):
    pass


@dataclass(frozen=True)
class Guard:
    """Who may talk to the server."""

    token: str
    """The secret that every call of the API brings."""
    host: str
    """Address that the server is bound to."""
    port: int
    """Its port."""
    max_upload_bytes: int
    """Largest upload."""

    def accepts_host(self, host: str) -> bool:
        """Whether a Host header may name this server.

        A page of another site can make a browser call this machine under that site's name (DNS rebinding); so names are
        refused. Where the server is bound to other than this machine, addresses in digits are accepted.
        """
        name, port = _split_host(host)
        if port not in (self.port, None):
            return False
        return name in LOCAL_HOSTS or (self.host not in LOCAL_HOSTS and (name == self.host or _is_address(name)))

    def accepts_origin(self, origin: str) -> bool:
        """Whether a page of this origin may call."""
        parts = urlsplit(origin)
        return parts.scheme in ("http", "https") and self.accepts_host(parts.netloc)

    def accepts_token(self, given: str | None) -> bool:
        """Whether this is the token; the comparison takes equally long whatever is wrong with it."""
        return given is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence where a connection is refused."""
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        if not self.accepts_host(headers.get("host", "")):
            return 403, f"The server does not answer to the name '{headers.get('host', '')[:80]}'; use 127.0.0.1."
        origin = headers.get("origin")
        if origin is not None and not self.accepts_origin(origin):
            return 403, f"Pages of {origin[:80]} may not use this server."
        path = scope["path"]
        if path != "/" and not path.startswith(API):
            return None
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = bearer if scheme.lower() == "bearer" else query.get("token", [None])[0]
        if not self.accepts_token(given):
            return 401, "The token is missing or wrong; open the address that the server printed."
        return None

    def body_limit(self, scope: Scope) -> int:
        """Most bytes that a request may send."""
        uploads = (f"{API}/characters", f"{API}/uploads/")
        is_upload = scope["path"].rstrip("/") == uploads[0] or scope["path"].startswith(uploads[1])
        return self.max_upload_bytes if is_upload else min(MAX_BODY_BYTES, self.max_upload_bytes)


class GuardedApp:
    """An ASGI application behind a guard."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], guard: Guard):
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the connection, or pass it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._guard.refusal(scope)
        if refusal is not None and scope["type"] == "websocket":
            await receive()
            await _refuse_socket(scope, send, *refusal)
        elif refusal is not None:
            await _answer(send, *refusal)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._limited(scope, receive, send)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        limit, seen, begun = self._guard.body_limit(scope), 0, False
        told = f"The body is larger than {limit / 1e6:.4g} MB, the most that is accepted here."
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > limit:
            await _answer(send, 413, told)
            return

        async def counted() -> Any:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > limit:
                raise _TooLarge
            return message

        async def with_headers(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                own = {key.lower() for key, _ in message["headers"]}
                extra = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in own]
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        try:
            await self._app(scope, counted, with_headers)
        except _TooLarge:
            if not begun:
                await _answer(send, 413, told)


async def _answer(send: Send, status: int, text: str) -> None:
    body = json.dumps({"error": text, "field": None}, ensure_ascii=False).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **HEADERS, "connection": "close"}
    listed = [(key.encode(), value.encode()) for key, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})


async def _refuse_socket(scope: Scope, send: Send, status: int, text: str) -> None:
    """Refuse a WebSocket before it is open: with a status where the server can, else by closing it."""
    if "websocket.http.response" in scope.get("extensions", {}):
        body = json.dumps({"error": text, "field": None}, ensure_ascii=False).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": text[:120]})


def _split_host(host: str) -> tuple[str, int | None]:
    try:
        parts = urlsplit(f"//{host}")
        return (parts.hostname or "").lower(), parts.port
    except ValueError:
        return "", None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
