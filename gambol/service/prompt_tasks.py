"""Tasks that answer questions while somebody types or draws: sentences, paths, what this server can do."""

from __future__ import annotations

from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gambol.service.worker import Context


def read_prompt(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """How sentences are understood."""
    from gambol.app.explain_prompt import read_prompts

    return read_prompts(params["prompts"])


def measure_path(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Speed and heading along a path."""
    from gambol.app.path_speeds import measure_path

    options = {name: params.get(name) for name in ("times", "headings", "size")}
    return asdict(measure_path(params["points"], seconds=params["seconds"], **options))


def server_facts(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """What this installation reads, writes and knows."""
    from gambol.app.explain_prompt import style_axes
    from gambol.app.request_schema import request_schema
    from gambol.distill.presets import PRESETS
    from gambol.files.formats import READABLE
    from gambol.motion.vocabulary import VOCABULARY_NAMES

    return {
        "read": list(READABLE),
        "blender": find_spec("bpy") is not None,
        "physics": find_spec("newton") is not None or find_spec("mujoco") is not None,
        "usd": find_spec("pxr") is not None,
        "presets": list(PRESETS),
        "prior_motions": list(VOCABULARY_NAMES),
        "style_axes": style_axes(),
        "request_schema": request_schema(),
    }
