"""The blind A/B page: films of two methods side by side, three questions, answers as a JSON file."""

from __future__ import annotations

from typing import Any

from gambol.view.page_parts import content_policy, fill_template, page_piece, script_json


def ab_page(study: dict[str, Any]) -> str:
    """Build the page as HTML text; `study` is what `evaluate.preference.make_study` gives."""
    script, style = page_piece("pages", "ab.js"), page_piece("pages", "pages.css")
    fields = {
        "policy": content_policy(script, style, films=True),
        "style": style,
        "study": script_json(study),
        "script": script,
    }
    return fill_template(page_piece("pages", "ab.html"), fields)
