"""Tasks that open and make character files, in a worker process: the server itself parses no upload."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.files.atomic_write import replacing, write_text

if TYPE_CHECKING:
    from gambol.service.worker import Context


def open_file(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Open the character file of a folder, and write facts.json and model.glb for the page beside it."""
    from gambol.app.open_character import open_character

    folder, settings = Path(params["folder"]), params["settings"]
    context.progress(0, 1, "reading the file")
    opened = open_character(
        Path(params["file"]),
        prepared=folder / f"{Path(params['file']).stem}.glb",
        scale=settings.get("scale"),
        facing=settings.get("facing"),
        character=settings.get("character"),
        template=settings.get("template") or "auto",
        rig=params.get("rig"),
        parts=settings.get("anatomy") or None,
        progress=context.progress,
    )
    write_text(folder / "facts.json", json.dumps(opened.facts, ensure_ascii=False, allow_nan=False))
    with replacing(folder / "model.glb") as temporary:
        temporary.write_bytes(opened.model)
    clips = [{key: clip[key] for key in ("name", "start", "end", "fps")} for clip in opened.facts["clips"]]
    return {
        "file": opened.file.as_posix(),
        "rigged": opened.rigged,
        "summary": opened.summary,
        "anatomy": opened.anatomy,
        "clips": clips,
        "notes": list(opened.notes),
    }


def create_creature(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Make a built-in creature from a sentence as the source of a character, then open it."""
    from gambol.app.new import write_creature

    context.progress(0, 1, "making the creature")
    write_creature(params["sentence"], Path(params["file"]), seed=params.get("seed", 0))
    return open_file(params, context)
