"""The tasks that worker processes know. Their modules import what is heavy when a task is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gambol.service import character_tasks, motion_tasks, output_tasks, pose_tasks, prompt_tasks

if TYPE_CHECKING:
    from gambol.service.worker import Context

Task = Callable[[dict[str, Any], "Context"], Any]
"""Takes plain data, gives plain data, or plain data and bytes; paths are relative to the project folder."""

TASKS: dict[str, Task] = {
    "open": character_tasks.open_file,
    "create": character_tasks.create_creature,
    "preload": motion_tasks.preload,
    "check": motion_tasks.check_animate,
    "animate": motion_tasks.animate,
    "edit": motion_tasks.edit,
    "track": motion_tasks.track,
    "export": output_tasks.export,
    "film": output_tasks.film,
    "compare": output_tasks.compare,
    "evaluate": output_tasks.evaluate,
    "prompt": prompt_tasks.read_prompt,
    "path": prompt_tasks.measure_path,
    "facts": prompt_tasks.server_facts,
    "pose-sample": pose_tasks.sample,
    "pose-solve": pose_tasks.solve,
    "pose-keep": pose_tasks.keep,
    "drag-start": pose_tasks.start_drag,
    "drag-pins": pose_tasks.change_pins,
    "drag-move": pose_tasks.move,
    "drag-release": pose_tasks.release,
    "drag-end": pose_tasks.end_drag,
}
"""All tasks by name."""
