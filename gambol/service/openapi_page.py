"""The API's calls as one page of HTML, made from its OpenAPI document; it works offline and runs no script."""

from __future__ import annotations

import html
import json
from typing import Any

STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #8886; } h3 { margin: 1.4rem 0 .2rem; }
h3 b { display: inline-block; min-width: 4.2rem; font-size: .8rem; letter-spacing: .05em; opacity: .75; }
code { font: 13px ui-monospace, monospace; } pre { background: #8882; padding: .7rem; overflow: auto; }
table { border-collapse: collapse; } td { padding: .15rem 1rem .15rem 0; vertical-align: top; }
"""
"""Style of the page."""


def openapi_page(document: dict[str, Any]) -> str:
    """The page for an OpenAPI document: calls by topic, with parameters and the fields of bodies."""
    topics: dict[str, list[str]] = {}
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            topic = (call.get("tags") or ["other"])[0]
            topics.setdefault(topic, []).append(_call(path, method, call, document))
    parts = [f"<h2>{html.escape(topic)}</h2>{''.join(calls)}" for topic, calls in topics.items()]
    info = document["info"]
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(info['title'])}</title>"
        f"<style>{STYLE}</style><h1>{html.escape(info['title'])} {html.escape(info['version'])}</h1>"
        f"<p>{html.escape(info.get('description', ''))}</p>{''.join(parts)}</html>"
    )


def _call(path: str, method: str, call: dict[str, Any], document: dict[str, Any]) -> str:
    text = html.escape(call.get("description") or call.get("summary") or "")
    rows = [(p["name"], p["in"], p.get("schema", {})) for p in call.get("parameters", [])]
    content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
    for name, schema in _fields(content.get("schema", {}), document).items():
        rows.append((name, "body", schema))
    cells = "".join(
        f"<tr><td><code>{html.escape(name)}</code><td>{where}<td>{html.escape(_type(schema))}"
        f"<td>{html.escape(schema.get('description', ''))}"
        for name, where, schema in rows
    )
    table = f"<table>{cells}</table>" if cells else ""
    return f"<h3><b>{method.upper()}</b><code>{html.escape(path)}</code></h3><p>{text}</p>{table}"


def _fields(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    for option in schema.get("anyOf", []):
        if "$ref" in option:
            schema = option
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema.get("properties", {})


def _type(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_type(option) for option in schema["anyOf"])
    kind = str(schema.get("type", "any"))
    default = schema.get("default")
    return kind if default is None else f"{kind} = {json.dumps(default)}"
