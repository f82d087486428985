"""The verbs `studio` and `serve`: the studio in the browser, and the server behind it for other programs."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import tyro

from gambol.app.check_arguments import check_source
from gambol.cli.arguments import Output
from gambol.cli.console import escape, say

CharacterArgument = Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[FILE]")]
"""A character file that the studio opens with."""


def serve(
    *,
    project: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("gambol-project"),
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    workers: int = 1,
    max_upload_mb: float = 256.0,
) -> None:
    """Serve characters, motions, poses and physics over HTTP to other programs; docs/service.md lists the calls.

    Jobs go on where they were when the server is started again on the same project.

    Args:
        project: Folder of the project; made where it is missing.
        host: Address to listen on. Any but this machine's own needs --token.
        port: Port to listen on. Default: 8421, or a free one where that is taken.
        token: The secret that clients bring. Default: one is drawn.
        workers: Number of processes that make motion at the same time.
        max_upload_mb: Largest upload, megabytes.
    """
    _run(None, project, host, port, token, workers, max_upload_mb, browser=False)


def studio(
    file: CharacterArgument = None,
    /,
    *,
    project: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("gambol-project"),
    host: str = "127.0.0.1",
    port: int | None = None,
    token: str | None = None,
    workers: int = 1,
    max_upload_mb: float = 256.0,
    browser: bool = True,
) -> None:
    """Open the studio in the browser: see a character move while its motion is made, and steer it by hand.

    Args:
        file: A character file to begin with.
        project: Folder of the project; made where it is missing.
        host: Address to listen on. Any but this machine's own needs --token.
        port: Port to listen on. Default: 8421, or a free one where that is taken.
        token: The secret in the page's address. Default: one is drawn.
        workers: Number of processes that make motion at the same time.
        max_upload_mb: Largest upload, megabytes.
        browser: Open the page in the browser.
    """
    source = None if file is None else check_source(str(file))
    _run(source, project, host, port, token, workers, max_upload_mb, browser=browser)


def mcp(*, project: Annotated[Path, tyro.conf.arg(metavar="FOLDER")] = Path("gambol-project")) -> None:
    """Serve Gambol's tools to an agent over standard input and output (Model Context Protocol).

    Args:
        project: Folder of the project. A server that already works on it is used; else one is started.
    """
    from gambol.service.start_server import run_mcp

    run_mcp(project)


def _run(
    file: Output | None,
    project: Path,
    host: str,
    port: int | None,
    token: str | None,
    workers: int,
    max_upload_mb: float,
    *,
    browser: bool,
) -> None:
    from gambol.service.start_server import start_server

    def started(url: str) -> None:
        say(f"Gambol answers at {escape(url)}")
        say(f"Project: {escape(str(project.resolve()))}. Ctrl-C ends the server; jobs go on at the next start.")
        if browser:
            webbrowser.open(url)

    start_server(
        project=project,
        host=host,
        port=port,
        token=token,
        workers=workers,
        max_upload_mb=max_upload_mb,
        files=() if file is None else (file,),
        started=started,
    )
