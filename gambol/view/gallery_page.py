"""The page of a batch: the films of all jobs with their numbers, failures with their sentence, and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import quote

from gambol.view.page_parts import content_policy, fill_template, page_piece, script_json


@dataclass(frozen=True)
class GalleryJob:
    """What the page shows of a job."""

    run: str
    """Name of the run folder."""
    status: str
    """queued, running, done or failed."""
    character: str
    """Name of the character's file."""
    prompt: str
    """The sentence."""
    seed: int
    """Random seed."""
    prior: str
    """Name of the prior."""
    motion: str
    """What the recogniser sees."""
    film: str
    """Path of the film relative to the page; empty where there is none."""
    report: str
    """Path of the report relative to the page; empty where there is none."""
    error: str
    """Why the job failed."""
    notes: tuple[str, ...]
    """Sentences for people."""
    numbers: Mapping[str, float]
    """Metrics by name: sure, amount, speed, skate, sinks, floats, seconds."""


def gallery_page(jobs: Sequence[GalleryJob], *, live: bool) -> str:
    """The page as HTML text; a live one loads itself again every few seconds."""
    style = page_piece("pages", "pages.css") + page_piece("pages", "gallery.css")
    script = page_piece("pages", "gallery.js")
    shown = [asdict(job) | {"film": quote(job.film), "report": quote(job.report)} for job in jobs]
    fields = {
        "policy": content_policy(script, style, films="beside"),
        "style": style,
        "script": script,
        "live": "true" if live else "false",
        "jobs": script_json(
            [{name: value for name, value in job.items() if value not in ("", (), {})} for job in shown]
        ),
    }
    return fill_template(page_piece("pages", "gallery.html"), fields)
