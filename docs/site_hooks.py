"""What the site does with a page before it is turned into HTML (`hooks` of mkdocs.yml)."""

from __future__ import annotations

import re
from typing import Any


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Take the marks for the tests, such as no-run, off the code blocks: Markdown for the site knows languages only."""
    return re.sub(r"^```(\w+) [^\n`]*$", r"```\1", markdown, flags=re.MULTILINE)
