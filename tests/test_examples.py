"""Every example runs."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example_runs_and_writes_what_it_says(path, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [str(path), str(tmp_path), "320x180"])  # films cost time
    runpy.run_path(str(path), run_name="__main__")
    told = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert told
    assert all(Path(name).stat().st_size > 1000 for name in told)
