"""A real server in a process of its own, for tests that talk to it as programs and pages do."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

from gambol.client import Client, ServiceError

REQUEST = {"prompt": "a fox is walking", "method": "sds", "steps": 24, "seconds": 1.5, "splats": 200, "seed": 5}
"""A motion that takes few seconds."""


class RunningServer:
    """A server on a free port, with its client."""

    def __init__(self, project: Path, *options: str):
        self.project, self._options = project, options
        self.process, self.client = self._start()

    def _start(self) -> tuple[subprocess.Popen, Client]:
        command = [sys.executable, "-m", "gambol.cli.main", "serve", "--project", str(self.project), "--port", "0"]
        process = subprocess.Popen([*command, *self._options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(600):
            assert process.poll() is None, process.stderr.read().decode()
            told = self.project / "server.json"
            if told.is_file() and f'"process": {process.pid}' in told.read_text():
                return process, Client.find(self.project)
            time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """End the server as a crash would: nothing is cleaned up."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def restart(self) -> None:
        """Start the server again on the same project."""
        self.process, self.client = self._start()

    def close(self) -> None:
        """End the server politely."""
        self.process.terminate()
        assert self.process.wait(20) in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
        self.process.stderr.close()

    @property
    def address(self) -> str:
        """Host and port."""
        return urlsplit(self.client.base).netloc

    def raw(self, method: str, path: str, body=None, **headers: str) -> tuple[int, dict]:
        """One call with exactly this path and these headers; status and JSON."""
        connection = http.client.HTTPConnection(self.address, timeout=30)
        named = {"Authorization": f"Bearer {self.client.token}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        try:
            connection.request(method, path, body, {k: v for k, v in named.items() if v})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null")
        finally:
            connection.close()

    def socket(self, token: str | None = None, **options) -> ClientConnection:
        """A WebSocket as a page opens it."""
        token = self.client.token if token is None else token
        options.setdefault("origin", f"http://{self.address}")
        return connect(f"ws://{self.address}/api/v1/live?token={token}", max_size=None, **options)

    def wait_for(self, job: str, *states: str) -> dict:
        """Wait until a job has one of the states."""
        for _ in range(1200):
            found = self.client.job(job)
            if found["state"] in states:
                return found
            time.sleep(0.05)
        raise AssertionError(f"the job is {found['state']}, not {states}")


def messages(socket: ClientConnection, until, timeout: float = 60.0) -> list:
    """Messages of a socket up to the first that `until` accepts; texts are parsed."""
    found = []
    while True:
        received = socket.recv(timeout=timeout)
        found.append(json.loads(received) if isinstance(received, str) else received)
        if until(found[-1]):
            return found


def of_type(kind: str, /, **values):
    """Accepts JSON messages of a type with these values."""
    return lambda m: isinstance(m, dict) and m["type"] == kind and all(m.get(k) == v for k, v in values.items())


def digest(job: dict, suffix: str = ".glb") -> str:
    """SHA-256 of a job's model file."""
    return next(file["sha256"] for file in job["result"]["files"] if file["name"].endswith(suffix))


__all__ = ["REQUEST", "RunningServer", "ServiceError", "digest", "messages", "of_type"]
