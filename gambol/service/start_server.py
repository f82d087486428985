"""Starting the server and the MCP server, with a sentence where an extra is missing. Imports nothing heavy itself."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gambol.errors import MissingExtra


def start_server(
    *, files: tuple[Path, ...] = (), started: Callable[[str], None] | None = None, **settings: Any
) -> None:
    """Serve until the process is told to end; `settings` are those of `ServerSettings`."""
    _require_server()
    from gambol.service.server import ServerSettings, run_server

    def tell(address: Any) -> None:
        if started is not None:
            started(address.url)

    run_server(ServerSettings(**settings), files=files, started=tell)


def run_mcp(project: Path) -> None:
    """Serve tools to an agent on standard input and output until it goes."""
    _require_server()
    if find_spec("mcp") is None:
        raise MissingExtra("The MCP server", "mcp")
    from gambol.service.mcp_server import serve_tools

    serve_tools(project)


def _require_server() -> None:
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "websockets")):
        raise MissingExtra("The server", "studio")
