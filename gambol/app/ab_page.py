"""A blind A/B page: films of two methods side by side, three questions, answers as a JSON file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from gambol.app.find_runs import Run, find_runs
from gambol.app.run_films import film_address
from gambol.errors import AssetError
from gambol.evaluate.preference import QUESTIONS, SCHEMA, left_is_a, seal
from gambol.files.atomic_write import replacing
from gambol.progress import Progress
from gambol.view.page_parts import content_policy, fill_template, page_path, page_piece, script_json


def write_ab_page(
    a: str | Path,
    b: str | Path,
    path: str | Path,
    *,
    seed: int = 0,
    clip: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the page for runs, films or folders of them; the seed decides which one stands on the left of each pair."""
    path = page_path(path)
    pairs = pair_runs(find_runs(a), find_runs(b))
    films = []
    for i, pair in enumerate(pairs):
        if progress is not None:
            progress(i, len(pairs), f"filming {pair[0].name}")
        films.append((film_address(pair[0], clip=clip), film_address(pair[1], clip=clip)))
    study = make_study(films, [prompt_of(pair) for pair in pairs], Path(a).name, Path(b).name, seed)
    with replacing(path) as temporary:
        temporary.write_text(ab_page(study), encoding="utf-8", newline="\n")
    return path


def pair_runs(a: tuple[Run, ...], b: tuple[Run, ...]) -> list[tuple[Run, Run]]:
    """Runs of the same name, or the only two there are."""
    if len(a) == len(b) == 1:
        return [(a[0], b[0])]
    by_name = {run.name: run for run in b}
    pairs = [(run, by_name[run.name]) for run in a if run.name in by_name]
    if not pairs:
        first, second = (", ".join(run.name for run in runs[:5]) for runs in (a, b))
        raise AssetError(f"No run of A has the name of a run of B. A has: {first}. B has: {second}.")
    return pairs


def prompt_of(pair: tuple[Run, Run]) -> str:
    """What both should show; the two must agree where both say it."""
    first, second = (run.settings.prompt for run in pair)
    if first and second and first != second:
        raise AssetError(f"The two runs {pair[0].name} were asked for different things: '{first}' and '{second}'.")
    return first or second


def make_study(films: list[tuple[str, str]], prompts: list[str], name_a: str, name_b: str, seed: int) -> dict[str, Any]:
    """What the page knows: films by side, never which method is on which."""
    sides = left_is_a(len(films), seed)
    pairs = []
    for (a, b), prompt, first in zip(films, prompts, sides, strict=True):
        left, right = (a, b) if first else (b, a)
        pairs.append({"prompt": prompt, "left": left, "right": right})
    key = seal(name_a, name_b, sides)
    questions = [{"key": name, "text": text} for name, _, text in QUESTIONS]
    known = "".join([key, *(film for pair in films for film in pair)])
    name = hashlib.sha256(known.encode()).hexdigest()[:16]
    return {"schema": SCHEMA, "id": name, "key": key, "questions": questions, "pairs": pairs}


def ab_page(study: dict[str, Any]) -> str:
    """The whole page as HTML text."""
    script, style = page_piece("pages", "ab.js"), page_piece("pages", "pages.css")
    fields = {
        "policy": content_policy(script, style, films=True),
        "style": style,
        "study": script_json(study),
        "script": script,
    }
    return fill_template(page_piece("pages", "ab.html"), fields)
