"""The Khronos glTF validator (npm package `gltf-validator`) as a function: what it says about a file.

It is installed into tests/validator/node_modules by `npm ci` there; start.py does so. Tests that use it carry the mark
`needs_validator`, which skips them with a reason where node or the package is missing.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

FOLDER = Path(__file__).with_name("validator")
SEVERITIES = ("error", "warning", "information", "hint")
needs_validator = pytest.mark.skipif(
    shutil.which("node") is None or not (FOLDER / "node_modules" / "gltf-validator").is_dir(),
    reason="needs node and the Khronos validator: run npm ci in tests/validator",
)


class Issue(NamedTuple):
    """One finding: "error", "warning", "information" or "hint", the validator's code, and where in the JSON."""

    severity: str
    code: str
    pointer: str


def validate(path: Path | str) -> list[Issue]:
    """All findings about one file, the worst first."""
    return validate_many([path])[0]


def validate_many(paths: list[Path] | list[Path | str]) -> list[list[Issue]]:
    """Findings about each file; one process for all of them, since node starts slowly."""
    command = ["node", FOLDER / "validate.js", *(Path(p).resolve() for p in paths)]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"The validator failed: {done.stderr.strip()[-500:]}")
    return [_issues(report) for report in json.loads(done.stdout)]


def errors(issues: list[Issue]) -> list[Issue]:
    """The findings that make a file invalid."""
    return [i for i in issues if i.severity == "error"]


def new_errors(before: Path | str, after: Path | str) -> list[Issue]:
    """Errors of `after` that `before` does not have at the same place, each as often as it is new."""
    old, new = validate_many([before, after])
    return sorted((Counter(errors(new)) - Counter(errors(old))).elements())


def _issues(report: dict) -> list[Issue]:
    if "refused" in report:
        return [Issue("error", "REFUSED: " + report["refused"], "")]
    found = [Issue(SEVERITIES[m["severity"]], m["code"], m.get("pointer", "")) for m in report["messages"]]
    return sorted(found, key=lambda i: (SEVERITIES.index(i.severity), i.code, i.pointer))
