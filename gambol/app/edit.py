"""`gambol edit`: change a finished clip where constraints demand it, and nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gambol import __version__
from gambol.app.animate import SCHEMA, Timings, observe_last
from gambol.app.check_arguments import READABLE
from gambol.app.evaluate import last_clip
from gambol.app.find_runs import find_run
from gambol.app.found_constraints import (
    change_keys,
    constraint_reports,
    find_constraints,
    read_constraints,
    report_data,
)
from gambol.app.plain_data import plain_data
from gambol.app.run_folder import FILM, METRICS, OUTPUTS, SETTINGS, TIMINGS, open_run
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.distill.constraints import ConstraintReport, MotionConstraint, constraint_data, meet_constraints
from gambol.errors import AssetError, ConfigError
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.files.asset import Asset, export_clip, load
from gambol.motion.clip import Clip, joint_matrices
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.rotations import rotation_angle
from gambol.progress import Progress, peak_memory
from gambol.view.picture_settings import PictureSettings

EDIT_FPS = 30.0
"""Frames per second at which a clip is edited where its run does not say."""
EDIT_FILM = PictureSettings(views=("three-quarter", "side"), width=320, height=240)
"""How the film of an edited clip is drawn."""
LARGEST_EDIT_FPS = 240.0
"""Highest frame rate that a clip is edited at."""


@dataclass(frozen=True)
class EditReport:
    """What an edit came to."""

    folder: Path | None
    """The run folder; None where nothing was written."""
    model: Path | None
    """The character file with the edited clip; None where nothing was written."""
    clip: Clip
    """The edited clip."""
    constraints: tuple[ConstraintReport, ...]
    """How closely each constraint is met."""
    changes: dict[str, float]
    """By how much each joint was turned, mean over the clip, degrees; joints that kept their angles are left out."""
    metrics: ClipMetrics | None
    """Measures of the edited clip; None where nothing was written."""
    notes: tuple[str, ...]
    """Sentences for people: constraints that could not be met."""
    written: tuple[Path, ...] = ()
    """All files that were written."""


def edit(
    source: str | Path | Asset,
    constraints: Sequence[MotionConstraint | Mapping[str, Any]],
    *,
    clip: str | None = None,
    name: str | None = None,
    output: str | Path | None = None,
    keys: str = "all",
    film: bool = False,
    overwrite: bool = False,
    scale: float | None = None,
    facing: str | None = None,
    character: str | None = None,
    progress: Progress | None = None,
) -> EditReport:
    """Change a clip of a run or a file where constraints demand it; the rest of it stays as it is.

    Args:
        source: The folder of a finished run, a character file with clips, or what `gambol.load` returns.
        constraints: `Pin`, `PoseKey`, `GroundPath`, `Speed`, `LookAt`, `Hold`, `Freeze`, or their plain data.
        clip: Name of the clip that is edited; the last one where not given.
        name: Name of the edited clip; the name of the clip with a number where not given.
        output: Folder of the new run; without it nothing is written.
        keys: all, or reduce: few editable keys within a tolerance.
        film: Draw a film too.
        overwrite: Start anew in a folder that holds another run.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along; found from the file where not given.
        character: Which of several characters in the file.
        progress: Called while the film is drawn.
    """
    if keys not in ("all", "reduce"):
        raise ConfigError(f"keys is {keys!r}; it takes all or reduce.")
    wanted = read_any(constraints)
    timings = Timings()
    with timings.part("load"):
        asset, settings = _open(source, scale, facing, character)
        node_clip = last_clip(asset, clip)
        before, _ = clip_from_nodes(asset.character, node_clip, fps=_frame_rate(source, node_clip.name, clip))
        found = find_constraints(asset, wanted, seconds=before.duration)
    if output is not None and Path(output).suffix.lower() in READABLE and not Path(output).is_dir():
        raise AssetError(f"{output} looks like a file; the output of an edit is the folder of a run.")
    with timings.part("edit"):
        anatomy = find_anatomy(asset.character)
        own = tuple(one for one in found if isinstance(one, MotionConstraint))
        after = replace(meet_constraints(asset.character, anatomy, before, own), name=name or node_clip.name)
    reports = constraint_reports(asset, after, found, anatomy=anatomy)
    notes = tuple(one.note for one in reports if one.note)
    done = EditReport(None, None, after, reports, joint_changes(asset, before, after), None, notes)
    if output is None:
        return done
    settings = _chained(settings, asset, node_clip.name, after.name, wanted, keys)
    return _write(done, asset, found, Path(output), settings, timings, keys, film, overwrite, character, progress)


def read_any(constraints: Sequence[MotionConstraint | Mapping[str, Any]]) -> tuple[MotionConstraint, ...]:
    """Constraints given as objects or as plain data; at least one."""
    if isinstance(constraints, MotionConstraint | Mapping):
        constraints = (constraints,)
    if not isinstance(constraints, Sequence) or not constraints:
        raise ConfigError("No constraint is given, so there is nothing to change. Give one, such as a pin.")
    return tuple(
        one if isinstance(one, MotionConstraint) else read_constraints([one])[0]  # type: ignore[list-item]
        for one in constraints
    )


def joint_changes(asset: Asset, before: Clip, after: Clip) -> dict[str, float]:
    """By how much each joint is turned between two clips, mean over their frames, degrees; joints that did not are out.

    The root's place does not count.
    """
    turned = np.degrees(rotation_angle(joint_matrices(before).swapaxes(-1, -2) @ joint_matrices(after))).mean(0)
    names = asset.character.require_skeleton().names
    return {name: round(float(angle), 3) for name, angle in zip(names, turned, strict=True) if angle > 1e-3}


def _open(
    source: str | Path | Asset, scale: float | None, facing: str | None, character: str | None
) -> tuple[Asset, dict[str, Any]]:
    """The character, and the settings of the run that it is from."""
    if isinstance(source, Asset):
        return source, {}
    run = find_run(source)
    if run.model is None:
        raise AssetError(f"{source} holds a film but no character file with a clip, so there is nothing to edit.")
    settings: dict[str, Any] = {}
    path = Path(source) / SETTINGS
    if path.is_file():
        with suppress(ValueError, OSError):
            settings = json.loads(path.read_text(encoding="utf-8"))
    facing = facing or settings.get("facing")
    character = character or settings.get("named_character")
    asset = load(run.model, scale=scale or settings.get("scale"), facing=facing, character=character)
    if not asset.clips:
        raise AssetError(f"{run.model.name} has no clips, so there is nothing to edit.")
    return asset, settings


def _frame_rate(source: str | Path | Asset, name: str, clip: str | None) -> float:
    """The frame rate that a run says its clip has."""
    path = Path(source) / METRICS if not isinstance(source, Asset) else None
    if path is not None and path.is_file() and clip is None:
        with suppress(ValueError, OSError, TypeError):
            fps = float(json.loads(path.read_text(encoding="utf-8")).get("fps", EDIT_FPS))
            return fps if 1.0 <= fps <= LARGEST_EDIT_FPS else EDIT_FPS
    return EDIT_FPS


def _chained(
    settings: dict[str, Any],
    asset: Asset,
    source: str,
    name: str,
    constraints: Sequence[MotionConstraint],
    keys: str,
) -> dict[str, Any]:
    """The settings of the run with one more edit."""
    step = {
        "clip": source,
        "name": name,
        "file": hashlib.sha256(asset.path.read_bytes()).hexdigest(),
        "constraints": [constraint_data(one) for one in constraints],
        "keys": keys,
    }
    base = {"schema": SCHEMA, "prompt": source, "method": "edit", "seed": 0, "prior": ""} | settings
    edits = settings.get("edits") or []
    placed = {"character": asset.path.name, "facing": asset.character.placement.facing, "version": __version__}
    return base | placed | {"edits": [*edits, step], OUTPUTS: plain_data({"film": True})}


def _write(
    done: EditReport,
    asset: Asset,
    constraints: Sequence[Any],
    output: Path,
    settings: dict[str, Any],
    timings: Timings,
    keys: str,
    film: bool,
    overwrite: bool,
    character: str | None,
    progress: Progress | None,
) -> EditReport:
    """Write the run folder of an edit."""
    if output.is_dir() and asset.path.resolve().parent == output.resolve():
        raise AssetError(f"{asset.path} lies in {output} itself; give another folder to the edited run.")
    with open_run(output, settings, overwrite=overwrite) as folder:
        with timings.part("export"):
            target = folder.path / f"{asset.path.stem}.glb"
            change = partial(change_keys, asset, constraints, reduce=keys == "reduce")
            written = [export_clip(asset, done.clip, target, change=change)]
            placement = asset.character.placement
            result = load(target, scale=placement.scale, facing=placement.facing, character=character)
        with timings.part("measure"):
            metrics = measure(observe_last(result), cuboids=result.character.cuboids)
            numbers = {
                **asdict(metrics),
                "fps": done.clip.fps,
                "constraints": report_data(done.constraints),
                "joint_changes": done.changes,
            }
            written.append(folder.write_json(METRICS, plain_data({"schema": SCHEMA, **numbers})))
        if film:
            from gambol.view.pictures import render_asset

            with timings.part("film"):
                render_asset(result, [result.clips[-1].name], folder.path / FILM, EDIT_FILM, progress=progress)
            written.append(folder.path / FILM)
        parts = {"schema": SCHEMA, "peak_memory": peak_memory(), **timings.parts}
        written.append(folder.write_json(TIMINGS, parts))
    return replace(done, folder=output, model=target, metrics=metrics, written=tuple(written))
