"""The report of a run: one offline page with film, numbers, curves, strips and settings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from jaxtyping import UInt8
from numpy import ndarray

from gambol.evaluate.metric_texts import DETAIL_ROWS
from gambol.files.atomic_write import write_text
from gambol.files.images import encode_png
from gambol.view.page_parts import content_policy, data_url, fill_template, page_piece
from gambol.view.player_page import player_parts

CURVE_WIDTH, CURVE_HEIGHT, CURVE_MARGIN = 340, 140, 14
"""Size and margin of a curve's figure, pixels."""
MAX_CURVE_POINTS = 400
"""Most points of a curve; longer logs are thinned."""
CURVE_TITLES = {
    "prior": "the prior's gradient (mean square)",
    "motion": "motion amount, sizes per second",
    "gradient": "gradient norm",
    "level": "noise level",
}
"""Titles of the numbers of a log that are no losses."""
LOG_KEYS = ("variant", "step")
"""Numbers of a log line that say where it belongs."""
METRIC_UNITS = {"seconds": "s"} | {name: unit for name, _, unit in DETAIL_ROWS}
"""Units of the metrics."""


VARIANT_COLUMNS = {
    "loss": "loss",
    "motion": "the recogniser sees",
    "motion_amount": "motion amount, sizes/s",
    "speed": "speed, m/s",
    "foot_skate": "foot skate, m/s",
    "penetration_max": "penetration, sizes",
    "jerk": "jerk, sizes/s³",
}
"""Columns of the table of variants: names of metrics (or loss), and their titles."""


@dataclass(frozen=True)
class VariantRow:
    """One of several variants."""

    name: str
    """Its name, which is that of its clip in the player."""
    metrics: Mapping[str, Any]
    """Its loss and measures by name."""
    strip: UInt8[ndarray, "_height _width 3"]
    """What the prior was shown of it, sRGB bytes."""


@dataclass(frozen=True)
class RunPage:
    """The contents of a run's report."""

    title: str
    """Heading of the page."""
    notes: tuple[str, ...]
    """Sentences shown at the top."""
    player: str
    """The player page (`player_page`) of the result, which is embedded in the page: its clips are the variants."""
    film: Path
    """The film of the result (.mp4), which is embedded in the page."""
    moments: UInt8[ndarray, "_sheet_height _sheet_width 3"]
    """Sheet of moments of the result, which is also what is printed, sRGB bytes."""
    metrics: Mapping[str, Any]
    """Measures of the result by name."""
    log: Sequence[Mapping[str, float]]
    """Numbers of each optimiser step by name."""
    strips: UInt8[ndarray, "height width 3"]
    """Sheet of what the prior was shown during the optimisation, sRGB bytes."""
    variants: Sequence[VariantRow]
    """The variants, the best first; shown where there are at least two."""
    settings: Mapping[str, Any]
    """Settings of the run by name."""
    versions: Mapping[str, str]
    """Versions of the software that made the run."""


def write_run_page(page: RunPage, path: Path) -> None:
    """Write the report as one self-contained HTML file."""
    write_text(path, run_page(page))


def run_page(page: RunPage) -> str:
    """The report as HTML text."""
    style = page_piece("pages", "pages.css") + page_piece("pages", "run.css")
    film = data_url(page.film.read_bytes(), ".mp4")
    fields = {
        "policy": content_policy("", style, films=True, inner=[player_parts()]),
        "style": style,
        "title": escape(page.title),
        "notes": "".join(f"<p>{escape(note)}</p>" for note in page.notes),
        "player": f'<iframe title="The clip in 3D" srcdoc="{escape(page.player)}"></iframe>',
        "moments": image_figure(encode_png(page.moments), "moments"),
        "film": f'<video src="{film}" loop muted playsinline controls preload="metadata"></video>',
        "metrics": _table(page.metrics, METRIC_UNITS),
        "curves": log_curves(page.log),
        "strips": image_figure(encode_png(page.strips)),
        "variants": _variants(page.variants),
        "settings": _table(page.settings),
        "versions": _table(page.versions),
    }
    return fill_template(page_piece("pages", "run.html"), fields)


def _variants(variants: Sequence[VariantRow]) -> str:
    """The table of the variants with their strips; empty for a single one."""
    if len(variants) < 2:
        return ""
    columns = {key: title for key, title in VARIANT_COLUMNS.items() if any(key in row.metrics for row in variants)}
    heads = "".join(f"<th>{escape(title)}</th>" for title in ("variant", *columns.values()))
    rows = ""
    for row in variants:
        cells = "".join(f"<td>{escape(_formatted(row.metrics.get(key)))}</td>" for key in columns)
        rows += f"<tr><td>{escape(row.name)}</td>{cells}</tr>"
    table = f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    strips = "".join(f"<p>{escape(row.name)}</p>{image_figure(encode_png(row.strip))}" for row in variants)
    text = "<p>The first has the least loss and is the clip of the file. The player above shows all of them.</p>"
    return f"<h2>Variants</h2>{text}{table}{strips}"


def log_curves(log: Sequence[Mapping[str, float]]) -> str:
    """Curves of all numbers of a log over the steps; what has no title is a loss."""
    names = dict.fromkeys(key for line in log for key in line if key not in LOG_KEYS)
    ordered = [*(name for name in CURVE_TITLES if name in names), *(name for name in names if name not in CURVE_TITLES)]
    return "".join(_curve(name, CURVE_TITLES.get(name, f"loss: {name.replace('_', ' ')}"), log) for name in ordered)


def image_figure(png: bytes, kind: str = "strip") -> str:
    """An HTML figure with a PNG picture embedded in it; strips show their pixels."""
    return f'<figure class="{kind}"><img src="{data_url(png, ".png")}" alt=""></figure>'


def _table(values: Mapping[str, Any], units: Mapping[str, str] = MappingProxyType({})) -> str:
    rows = "".join(
        f"<tr><td>{escape(k.replace('_', ' '))}</td><td>{escape(_formatted(v))} {units.get(k, '')}</td></tr>"
        for k, v in values.items()
        if v is not None
    )
    return f'<div class="scroll"><table><tbody>{rows}</tbody></table></div>'


def _formatted(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return ", ".join("-" if inside is None else _formatted(inside) for inside in value) or "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _curve(name: str, text: str, log: Sequence[Mapping[str, float]]) -> str:
    """An SVG figure of one number over the steps, with a line per variant; empty where all values are 0."""
    lines: dict[int, list[tuple[float, float]]] = {}
    for entry in log:
        lines.setdefault(int(entry.get("variant", 0)), []).append((entry["step"], entry.get(name, 0.0)))
    values = [v for line in lines.values() for _, v in line if np.isfinite(v)]
    if not values or not any(values):
        return ""
    top = float(np.quantile(values, 0.99)) or max(values)
    last = max(max(step for step, _ in line) for line in lines.values()) or 1.0
    drawn = _axes(last, top) + "".join(_polyline(line, last, top) for line in lines.values())
    picture = f'<svg viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}" role="img">{drawn}</svg>'
    return f"<figure>{picture}<figcaption>{escape(text)} <span>up to {max(values):.3g}</span></figcaption></figure>"


def _axes(last: float, top: float) -> str:
    """SVG lines at 0 and `top` with their values, and the first and last step."""
    left, right, low = CURVE_MARGIN, CURVE_WIDTH - CURVE_MARGIN, CURVE_HEIGHT - CURVE_MARGIN
    lines = "".join(f'<line x1="{left}" y1="{y}" x2="{right}" y2="{y}"/>' for y in (CURVE_MARGIN, low))
    numbers = (
        f'<text x="{left}" y="{CURVE_MARGIN - 3}">{top:.3g}</text><text x="{left}" y="{CURVE_HEIGHT - 3}">step 1</text>'
    )
    return f'{lines}{numbers}<text x="{right}" y="{CURVE_HEIGHT - 3}" text-anchor="end">step {last + 1:.0f}</text>'


def _polyline(line: list[tuple[float, float]], last: float, top: float) -> str:
    step = max(len(line) // MAX_CURVE_POINTS, 1)
    wide, high = CURVE_WIDTH - 2 * CURVE_MARGIN, CURVE_HEIGHT - 2 * CURVE_MARGIN
    points = " ".join(
        f"{CURVE_MARGIN + wide * x / last:.1f},{CURVE_HEIGHT - CURVE_MARGIN - high * min(max(y / top, 0.0), 1.05):.1f}"
        for x, y in line[::step]
    )
    return f'<polyline points="{points}"/>'
