"""Parts that all pages share: templates, JSON inside HTML, data URLs, and a content policy without network access."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from gambol.errors import ConfigError

PAGE_SUFFIXES = (".html", ".htm")
"""Suffixes of page files."""
MEDIA_TYPES = {".mp4": "video/mp4", ".gif": "image/gif", ".png": "image/png", ".webp": "image/webp"}
"""Media types of pictures and films on pages, by suffix."""


@cache
def page_piece(folder: str, name: str) -> str:
    """The text of a template, style or script file in a folder of `gambol.view`."""
    return (files("gambol.view") / folder / name).read_text(encoding="utf-8")


def fill_template(template: str, fields: Mapping[str, str]) -> str:
    """Replace each {{name}} by its field, in one pass: a value that contains '{{other}}' is not expanded."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: fields[match.group(1)], template)


def content_policy(
    script: str, style: str, *, films: bool | Literal["beside"] = False, inner: Sequence[tuple[str, str]] = ()
) -> str:
    """Content-Security-Policy that allows this script, this style and embedded pictures (and films), and no network.

    With "beside" films are files beside the page. `inner` are scripts and styles of pages inside the page, which are
    bound by the policies of both.
    """
    scripts, styles = (" ".join(map(_hash, texts)) for texts in zip((script, style), *inner, strict=True))
    media = {False: "", True: "; media-src data:", "beside": "; media-src 'self' file:"}[films]
    allowed = f"script-src {scripts}; style-src {styles}; img-src blob: data:{media}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def data_url(data: bytes, suffix: str) -> str:
    """A picture or film as a data: URL, by the suffix of its file."""
    return f"data:{MEDIA_TYPES[suffix.lower()]};base64,{base64.b64encode(data).decode('ascii')}"


def script_json(value: Any) -> str:
    """JSON text that is safe inside a script element, whatever strings it holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    # a lone surrogate, which JSON may hold but UTF-8 may not
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)


def page_path(path: str | Path) -> Path:
    """Check that a path has the suffix of a page, and return it."""
    path = Path(path)
    if path.suffix.lower() not in PAGE_SUFFIXES:
        wanted = " or ".join(PAGE_SUFFIXES)
        raise ConfigError(f"{path.name} has the suffix {path.suffix or '(none)'!r}; a page is {wanted}.")
    return path
