"""The page that compares runs: the table, and the films of each character and prompt side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gambol.evaluate.comparison import (
    TABLE_COLUMNS,
    TEXT_COLUMNS,
    Comparison,
    ComparisonRow,
    EvaluatedRun,
    row_cells,
)
from gambol.view.page_parts import content_policy, fill_template, page_piece

FILMS_PER_ROW = 3
"""Largest number of films shown of runs that differ by their seeds only."""


def shown_runs(comparison: Comparison) -> tuple[EvaluatedRun, ...]:
    """Runs whose films the page shows, in the order in which `comparison_page` takes them."""
    return tuple(run for row in comparison.rows for run in row.runs[:FILMS_PER_ROW])


def comparison_page(comparison: Comparison, films: Sequence[str]) -> str:
    """Build the page as HTML text; `films` are data URLs, one for each of `shown_runs`."""
    style = page_piece("pages", "pages.css")
    film_of = {id(run): film for run, film in zip(shown_runs(comparison), films, strict=True)}
    heads = "".join(f"<th>{name}</th>" for name in TEXT_COLUMNS)
    heads += "".join(f'<th class="number">{title}<small>{unit}</small></th>' for _, title, unit in TABLE_COLUMNS)
    fields = {
        "policy": content_policy("", style, films=True),
        "style": style,
        "heads": heads,
        "rows": "\n".join(_row(row) for row in comparison.rows),
        "scenes": "\n".join(_scene(key, rows, film_of) for key, rows in comparison.scenes.items()),
    }
    return fill_template(page_piece("pages", "comparison.html"), fields)


def _row(row: ComparisonRow) -> str:
    texts, count = row_cells(row), len(TEXT_COLUMNS)
    words = "".join(f"<td>{escape(text)}</td>" for text in texts[:count])
    return f"<tr>{words}" + "".join(f'<td class="number">{escape(text)}</td>' for text in texts[count:]) + "</tr>"


def _scene(key: tuple[str, str], rows: tuple[ComparisonRow, ...], film_of: dict[int, str]) -> str:
    character, prompt = key
    title = escape(character) + (f": “{escape(prompt)}”" if prompt else "")
    columns = ["".join(_figure(row, run, film_of[id(run)]) for run in row.runs[:FILMS_PER_ROW]) for row in rows]
    shown = "".join(f"<div>{column}</div>" for column in columns)
    return f'<section><h2>{title}</h2><div class="films">{shown}</div></section>'


def _figure(row: ComparisonRow, run: EvaluatedRun, film: str) -> str:
    picture = (
        f'<img src="{film}" alt="">'
        if film.startswith("data:image")
        else f'<video src="{film}" autoplay loop muted playsinline></video>'
    )
    m = run.metrics
    name = escape(row.method or run.name)
    facts = f"seed {run.seed} · {escape(m.motion)} · amount {m.motion_amount:.2f}"
    return f'<figure>{picture}<figcaption><b>{name}</b> <span class="soft">{facts}</span></figcaption></figure>'
