"""What all pages share: templates filled in one pass, JSON inside HTML, and a policy that allows no network."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from gambol.errors import AssetError

PAGE_SUFFIXES = (".html", ".htm")
"""Suffixes of page files."""
MEDIA_TYPES = {".mp4": "video/mp4", ".gif": "image/gif", ".png": "image/png"}
"""Media types of pictures and films on pages, by suffix."""


@cache
def page_piece(folder: str, name: str) -> str:
    """The text of one of the files that pages are put together from."""
    return (files("gambol.view") / folder / name).read_text(encoding="utf-8")


def fill_template(template: str, fields: Mapping[str, str]) -> str:
    """Put the fields in for {{name}}, in one pass, so that a value such as '{{model}}' stays what it is."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match.group(1)], template)


def content_policy(script: str, style: str, *, films: bool = False) -> str:
    """Content-Security-Policy: this script, this style, pictures (and films) out of the page itself, and no address."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    inside = "img-src blob: data:" + ("; media-src data:" if films else "")
    allowed = f"script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; {inside}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def data_url(data: bytes, suffix: str) -> str:
    """A picture or film as a data: URL, by the suffix of its file."""
    return f"data:{MEDIA_TYPES[suffix.lower()]};base64,{base64.b64encode(data).decode('ascii')}"


def script_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in, whatever names it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # a lone surrogate, which JSON may hold but UTF-8 may not
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)


def page_path(path: str | Path) -> Path:
    """The path, if its suffix is a page's."""
    path = Path(path)
    if path.suffix.lower() not in PAGE_SUFFIXES:
        wanted = " or ".join(PAGE_SUFFIXES)
        raise AssetError(f"{path.name} has the suffix {path.suffix or '(none)'!r}; a page is {wanted}.")
    return path
