"""The HTTP server: the application with its pages, and how it is started."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

import gambol
from gambol import __version__
from gambol.errors import ConfigError, GambolError
from gambol.files.atomic_write import replacing
from gambol.service import job_routes, live_route, routes
from gambol.service.openapi_page import openapi_page
from gambol.service.project import Project, RequestRefused, locked_project
from gambol.service.request_guard import API, LOCAL_HOSTS, Guard, GuardedApp
from gambol.service.studio import Studio

DEFAULT_PORT = 8421
"""Port that is tried first; where it is taken, the system gives another."""
ASSET_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
"""Files of the page that are served, with their media types."""
STUDIO_PAGE = Path(gambol.__file__).parent / "view" / "studio"
"""Folder of the studio's page."""
MAX_MESSAGE_BYTES_OF_PAGES = 2 << 20
"""Longest WebSocket message of a page."""
CLOSING_SECONDS = 3
"""How long open connections may take to end when the server ends."""
NO_PAGE = "This server has no page; its calls are listed at {}/docs."
"""What a browser is told where the studio's page is missing."""


@dataclass(frozen=True)
class ServerSettings:
    """How a server is started."""

    project: Path = Path("gambol-project")
    """The project folder; made where it is missing."""
    host: str = "127.0.0.1"
    """Address to listen on; any but this machine's own needs a token."""
    port: int | None = None
    """Port to listen on; None: 8421, or a free one where that is taken. 0: a free one."""
    token: str | None = None
    """The secret that clients bring; None draws one."""
    workers: int = 1
    """Number of processes that make motion at the same time."""
    max_upload_mb: float = 256.0
    """Largest upload, megabytes."""
    warm: bool = True
    """Load the prior when the server starts, so that the first motion comes sooner."""

    def __post_init__(self) -> None:
        if self.host not in LOCAL_HOSTS and not self.token:
            raise ConfigError(
                f"--host {self.host} lets other machines in, so it needs a secret of your own: --token, 16"
                " letters or more."
            )
        if self.token is not None and (
            len(self.token) < 16 or not self.token.isascii() or not self.token.isprintable()
        ):
            raise ConfigError("--token takes 16 letters or more, plain ASCII. Leave it out to have one drawn.")
        if self.port is not None and not 0 <= self.port <= 65535:
            raise ConfigError(f"--port is {self.port}; it takes a number from 0 to 65535.")
        if not 1 <= self.workers <= 64:
            raise ConfigError(f"--workers is {self.workers}; it takes a number from 1 to 64.")
        if not 0 < self.max_upload_mb <= 16384:
            raise ConfigError(f"--max-upload-mb is {self.max_upload_mb:g}; it takes megabytes, at most 16384.")


@dataclass(frozen=True)
class ServerAddress:
    """Where a server answers."""

    url: str
    """The address of the page, with the token."""
    base: str
    """The address without path and token."""
    token: str
    """The token."""


def make_app(studio: Studio) -> FastAPI:
    """The application for a studio; it is opened and closed with the application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await studio.open()
        yield
        await studio.close()

    app = FastAPI(
        title="Gambol",
        version=f"{__version__}, API 1",
        description="Gives any rigged 3D character motion from a sentence. docs/service.md has examples and messages.",
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.studio = studio
    api = APIRouter(prefix=API)
    for part in (routes.router, job_routes.router, live_route.router):
        api.include_router(part)
    app.include_router(api)
    app.add_api_route(f"{API}/docs", lambda: HTMLResponse(openapi_page(app.openapi())), include_in_schema=False)
    app.add_api_route("/", page, include_in_schema=False)
    app.add_api_route("/assets/{name}", asset, include_in_schema=False)
    app.add_exception_handler(RequestRefused, routes.refusal)
    app.add_exception_handler(GambolError, failure)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, not_found)
    return app


async def page(request: Request) -> Any:
    """The studio's page."""
    path = STUDIO_PAGE / "page.html"
    return FileResponse(path) if path.is_file() else HTMLResponse(NO_PAGE.format(API), 404)


async def asset(request: Request, name: str) -> Any:
    """A file of the studio's page."""
    kind = ASSET_TYPES.get(Path(name).suffix)
    path = STUDIO_PAGE / name
    if kind is None or path.parent != STUDIO_PAGE or not path.is_file():
        raise RequestRefused("There is no such file.", 404)
    return FileResponse(path, media_type=kind)


async def failure(request: Request, error: Exception) -> JSONResponse:
    """An error of Gambol as JSON."""
    return JSONResponse({"error": str(error), "field": None}, 400)


async def invalid(request: Request, error: Exception) -> JSONResponse:
    """A request that lacks something or has a wrong type, as one sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    return JSONResponse({"error": f"{field or 'The body'}: {first['msg']}.", "field": field or None}, 400)


async def not_found(request: Request, error: Exception) -> JSONResponse:
    """Calls that there are not."""
    assert isinstance(error, HTTPException)
    text = {404: "There is no such call.", 405: "This call does not take that method."}.get(error.status_code)
    return JSONResponse({"error": text or str(error.detail), "field": None}, error.status_code)


def run_server(
    settings: ServerSettings,
    *,
    files: tuple[Path, ...] = (),
    started: Callable[[ServerAddress], None] | None = None,
) -> None:
    """Serve a project until the process is told to end; `files` are taken into the project first.

    `started` is called once the server answers. PROJECT/server.json holds address, token and process meanwhile,
    readable by its owner alone.
    """
    project = Project(settings.project.resolve()).open()
    with locked_project(project), listening_socket(settings.host, settings.port) as listener:
        port = listener.getsockname()[1]
        token = settings.token or secrets.token_urlsafe(24)
        guard = Guard(token, settings.host, port, int(settings.max_upload_mb * 1e6))
        studio = Studio(project, workers=settings.workers, max_upload_bytes=guard.max_upload_bytes, warm=settings.warm)
        shown = f"[{settings.host}]" if ":" in settings.host else settings.host
        base = f"http://{'127.0.0.1' if settings.host in ('0.0.0.0', '::') else shown}:{port}"
        address = ServerAddress(f"{base}/?token={token}", base, token)
        config = uvicorn.Config(
            GuardedApp(make_app(studio), guard),
            log_level="warning",
            access_log=False,
            ws_max_size=MAX_MESSAGE_BYTES_OF_PAGES,
            timeout_graceful_shutdown=CLOSING_SECONDS,
            server_header=False,
        )
        server = AnnouncingServer(config, lambda: announce(project, address, started))
        server.files, server.studio = files, studio
        try:
            asyncio.run(server.serve(sockets=[listener]))
        finally:
            (project.path / "server.json").unlink(missing_ok=True)


def announce(project: Project, address: ServerAddress, started: Callable[[ServerAddress], None] | None) -> None:
    """Write server.json, and tell whoever started the server."""
    told = {"url": address.url, "base": address.base, "token": address.token, "process": os.getpid()}
    with replacing(project.path / "server.json") as temporary:
        temporary.chmod(0o600)
        temporary.write_text(json.dumps(told), encoding="utf-8")
    if started is not None:
        started(address)


class AnnouncingServer(uvicorn.Server):
    """uvicorn's server that says when it answers."""

    files: tuple[Path, ...] = ()
    """Files that are taken into the project first."""
    studio: Studio | None = None
    """The studio that takes them."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]):
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, take the files in, then tell."""
        await super().startup(sockets)
        if self.started and not self.should_exit:
            for path in self.files if self.studio is not None else ():
                await self.studio.open_local_file(path)  # type: ignore[union-attr]
            self._started()


def listening_socket(host: str, port: int | None) -> socket.socket:
    """A socket that listens on the port; where the usual one is taken, on a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port,) if port is not None else (DEFAULT_PORT, 0):
        listener = socket.socket(family, socket.SOCK_STREAM)
        if os.name != "nt":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, wanted))
            listener.listen(128)
        except OSError as error:
            listener.close()
            if wanted == DEFAULT_PORT and port is None:
                continue
            text = f"The server cannot listen on {host}, port {wanted}: {error.strerror or error}."
            raise GambolError(f"{text} Give another --port.") from error
        return listener
    raise GambolError(f"No port of {host} is free.")
