"""The verb `doctor`: what this machine can run, and what a video model needs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import tyro

from gambol.cli.console import escape, print_json, say

STATUS_MARKS = {"ok": "[green]ok[/]      ", "missing": "[yellow]missing[/] ", "unusable": "[dim]unusable[/]"}
"""How each status of a check is printed."""


def doctor(
    *,
    json: bool = False,
    prior: Annotated[str | None, tyro.conf.arg(metavar="NAME|FOLDER")] = None,
    frames: int | None = None,
    size: Annotated[str | None, tyro.conf.arg(metavar="HxW")] = None,
    memory: Annotated[str | None, tyro.conf.arg(metavar="BYTES")] = None,
) -> None:
    """Say what this machine can run, what is missing, and the one command that installs it.

    Args:
        json: Print the report as JSON.
        prior: Estimate memory and time of a step with this video model instead, without its weights.
        frames: With --prior: frames of the video; default: the model's own number.
        size: With --prior: height and width of the video in pixels; default: the model's own.
        memory: With --prior: memory of the GPU that it has to fit into, such as 24GB; default: this machine's GPU.
    """
    if prior is not None:
        return _estimate(prior, frames, size, memory, json)
    from gambol.app.doctor import diagnose

    diagnosis = diagnose()
    if json:
        print_json(asdict(diagnosis))
        return None
    for check in diagnosis.checks:
        line = f"{STATUS_MARKS[check.status]} {escape(check.name.ljust(14))} {escape(check.detail)}"
        say(line)
    last = "Everything that this machine can use is installed."
    if diagnosis.command:
        last = f"One command installs what is missing:\n  {escape(diagnosis.command)}"
    say(f"\n{last}")
    return None


def _estimate(prior: str, frames: int | None, size: str | None, memory: str | None, json: bool) -> None:
    from gambol.app.doctor import check_prior

    answer = check_prior(prior, frames=frames, size=size, memory=memory)
    if json:
        print_json(asdict(answer) | {"peak": answer.estimate.peak})
    for line in () if json else answer.lines():
        say(escape(line))
