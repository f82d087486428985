"""How the reproduction's benchmarks keep results, compute intervals and write tables."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
import reproduction_tables as tables


def test_an_interval_is_that_of_the_mean():
    assert tables.interval([2.0] * 5) == (2.0, 2.0, 2.0)
    values = np.random.default_rng(0).normal(3.0, 2.0, 200)
    mean, low, high = tables.interval(values)
    half = 1.96 * values.std() / np.sqrt(200)
    assert mean == pytest.approx(values.mean())
    assert (low, high) == pytest.approx((mean - half, mean + half), abs=0.1 * half)
    assert np.isnan(tables.interval([None, None])[0])
    assert tables.told([None]) == "-"


def test_differences_are_of_pairs_where_both_have_a_value():
    rows, base = [{"x": 3.0}, {"x": None}, {"x": 1.0}], [{"x": 1.0}, {"x": 5.0}, {"y": 0.0}]
    assert tables.differences(rows, base, "x") == [2.0]


def test_results_are_computed_once_and_survive_the_process(tmp_path):
    calls = []

    def work():
        calls.append(1)
        return {"x": 1.5, "seen": (1, None)}

    path = tmp_path / "out/results.jsonl"
    first = tables.Store(path).get("a", work)
    again = tables.Store(path).get("a", work)
    assert first == again
    assert first["seen"] == [1, None]
    assert len(calls) == 1


def test_a_table_takes_its_own_place_on_the_page(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(
        "a\n<!-- table one -->\nold\n<!-- end of table -->\nb\n<!-- table two -->\n<!-- end of table -->\nc\n"
    )
    monkeypatch.setattr(tables, "PAGE", page)
    tables.write_table("two", tables.markdown(("x", "y"), [(1, 2)]))
    tables.write_table("one", "new")
    assert page.read_text() == (
        "a\n<!-- table one -->\nnew\n<!-- end of table -->\nb\n<!-- table two -->\n| x | y |\n|---|---|\n| 1 | 2 |\n"
        "<!-- end of table -->\nc\n"
    )
    with pytest.raises(SystemExit, match="no place for the table three"):
        tables.write_table("three", "")
