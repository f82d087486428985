"""Which executor an address stands for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gambol.errors import ConfigError, MissingExtra
from gambol.scale.executor import Executor

LOCAL, AUTO, HERE = "local", "auto", "here"
"""Addresses: processes of this machine; the Ray cluster that it belongs to, or else those; this very process."""


def check_address(address: str) -> None:
    """Raise `ConfigError` for a text that is no address."""
    host, _, port = address.rpartition(":")
    if address in (LOCAL, AUTO, HERE) or address.startswith("ray://") or (host and port.isdigit()):
        return
    raise ConfigError(
        f"The address is {address!r}; it takes local (processes of this machine), auto (the Ray cluster that this "
        "machine belongs to), HOST:PORT or ray://HOST:PORT."
    )


@contextmanager
def open_executor(address: str = LOCAL, *, cpus: float | None = None) -> Iterator[Executor]:
    """The executor at an address; its workers end with the block.

    `cpus` is the number of cores of this machine that local processes may use; None: all of them.
    """
    check_address(address)
    executor: Executor
    if address == LOCAL:
        from gambol.scale.local_processes import LocalProcesses

        executor = LocalProcesses(cpus)
    elif address == HERE:
        from gambol.scale.this_process import ThisProcess

        executor = ThisProcess()
    else:
        executor = _ray_or_local(address, cpus)
    try:
        yield executor
    finally:
        executor.close()


def _ray_or_local(address: str, cpus: float | None) -> Executor:
    """A Ray cluster; `auto` means local processes where this machine belongs to none."""
    from gambol.scale.local_processes import LocalProcesses
    from gambol.scale.ray_cluster import RayCluster

    if address != AUTO:
        return RayCluster(address)
    try:
        return RayCluster(address)
    except (MissingExtra, ConfigError):
        return LocalProcesses(cpus)
