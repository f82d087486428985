"""The comparison of runs as a page: the table, and the films of each character and prompt side by side."""

from __future__ import annotations

from html import escape
from pathlib import Path

from gambol.app.compare import COLUMNS, Comparison, EvaluatedRun, Row, cells, markdown
from gambol.app.run_films import film_address
from gambol.errors import AssetError
from gambol.files.atomic_write import replacing
from gambol.progress import Progress
from gambol.view.page_parts import PAGE_SUFFIXES, content_policy, fill_template, page_piece

MOST_SEEDS = 3
"""Films shown of runs that differ by their seeds only."""
TEXTS = ("character", "prompt", "method", "runs", "motion")


def write_comparison(
    comparison: Comparison, path: str | Path, *, clip: str | None = None, progress: Progress | None = None
) -> Path:
    """Write the table by the suffix: Markdown (.md) or a page with films (.html)."""
    path = table_path(path)
    plain = path.suffix.lower() == ".md"
    text = markdown(comparison) if plain else comparison_page(comparison, clip=clip, progress=progress)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
    return path


def table_path(path: str | Path) -> Path:
    """The path, if its suffix is one that tables are written with."""
    path = Path(path)
    if path.suffix.lower() not in (".md", *PAGE_SUFFIXES):
        wanted = f".md, {', '.join(PAGE_SUFFIXES)}"
        raise AssetError(f"{path.name} has the suffix {path.suffix or '(none)'!r}; a table is written as {wanted}.")
    return path


def comparison_page(comparison: Comparison, *, clip: str | None = None, progress: Progress | None = None) -> str:
    """The whole page as HTML text."""
    style = page_piece("pages", "pages.css")
    shown = [run for row in comparison.rows for run in row.runs[:MOST_SEEDS]]
    films = {}
    for i, run in enumerate(shown):
        if progress is not None:
            progress(i, len(shown), f"filming {run.run.name}")
        films[id(run)] = film_address(run.run, clip=clip)
    heads = "".join(f"<th>{name}</th>" for name in TEXTS)
    heads += "".join(f'<th class="number">{title}<small>{unit}</small></th>' for _, title, unit in COLUMNS)
    fields = {
        "policy": content_policy("", style, films=True),
        "style": style,
        "heads": heads,
        "rows": "\n".join(_row(row) for row in comparison.rows),
        "scenes": "\n".join(_scene(key, rows, films) for key, rows in comparison.scenes.items()),
    }
    return fill_template(page_piece("pages", "comparison.html"), fields)


def _row(row: Row) -> str:
    texts = cells(row)
    told = "".join(f"<td>{escape(text)}</td>" for text in texts[: len(TEXTS)])
    return f"<tr>{told}" + "".join(f'<td class="number">{escape(text)}</td>' for text in texts[len(TEXTS) :]) + "</tr>"


def _scene(key: tuple[str, str], rows: tuple[Row, ...], films: dict[int, str]) -> str:
    character, prompt = key
    title = escape(character) + (f": “{escape(prompt)}”" if prompt else "")
    columns = ["".join(_figure(row, run, films[id(run)]) for run in row.runs[:MOST_SEEDS]) for row in rows]
    shown = "".join(f"<div>{column}</div>" for column in columns)
    return f'<section><h2>{title}</h2><div class="films">{shown}</div></section>'


def _figure(row: Row, run: EvaluatedRun, address: str) -> str:
    picture = (
        f'<img src="{address}" alt="">'
        if address.startswith("data:image")
        else f'<video src="{address}" autoplay loop muted playsinline></video>'
    )
    m = run.metrics
    name = escape(row.method or run.run.name)
    told = f"seed {run.run.settings.seed} · {escape(m.motion)} · amount {m.motion_amount:.2f}"
    return f'<figure>{picture}<figcaption><b>{name}</b> <span class="soft">{told}</span></figcaption></figure>'
