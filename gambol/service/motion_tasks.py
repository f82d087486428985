"""Tasks that make and change motion, in a worker process, by the functions that the command line calls."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.errors import ConfigError

if TYPE_CHECKING:
    from gambol.app.animate_request import AnimateFileRequest
    from gambol.app.segment_runs import StepReport
    from gambol.physics.run_tracking import TrackedClip
    from gambol.service.worker import Context

PREVIEW_INTERVAL_SECONDS = 0.25
"""Least time between two moving previews of a run."""
PICTURE_INTERVAL_SECONDS = 4.0
"""Least time between two pictures of what the prior sees."""
LOCK_PATIENCE_SECONDS = 10.0
"""How long a run waits for the lock of its folder, which a worker of a server that was killed may still hold."""
LEAST_CONTACT = 1e-3
"""Force of the ground from which a contact is shown, body weights."""
PICTURE = "picture.png"
"""The picture of what the prior sees, beside the run folder."""


def preload(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Import and load what every motion needs, so that the first preview comes sooner."""
    from gambol.app.animate import find_prior

    prior = find_prior("embedded").load()
    prior.read_prompt("a fox walks")
    return {}


def animate(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """A sentence becomes motion: `gambol animate`, with moving previews."""
    from gambol.app.animate import animate_file
    from gambol.evaluate.badges import clip_badges

    request, output = file_request(params), Path(params["output"])
    watch = RunWatch(context, output.parent / PICTURE)
    steer = bool(params.get("steer"))
    report = _when_unlocked(
        lambda: animate_file(request, output, after_step=watch.after_step, steer=steer, progress=watch.progress),
        context,
    )
    badges = clip_badges(report.metrics, match=report.match, loop=request.request.loop)
    numbers = json.loads((output / "metrics.json").read_text(encoding="utf-8"))
    return {
        "notes": list(report.notes),
        "model": report.model.name,
        "clip": report.metrics.clip,
        "clips": numbers.get("clips", []),
        "seconds": report.metrics.seconds,
        "fps": numbers.get("fps"),
        "badges": [asdict(badge) for badge in badges],
        "metrics": numbers,
        "files": file_list(report.written),
    }


def check_animate(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Check a request as far as that is possible without the character; gives it complete, and its command."""
    from gambol.app.check_request import check_texts
    from gambol.app.request_command import animate_command
    from gambol.app.request_json import request_data
    from gambol.priors.load import find_prior

    request = file_request(params)
    kind = find_prior(request.prior or "embedded").kind
    check_texts(request.request, kind)
    command = animate_command(request, Path(params["output"]), Path(params["request_file"]))
    return {"request": request_data(request.request), "command": command, "title": request.request.title}


def edit(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Change a finished clip where constraints demand it: `gambol edit`."""
    from gambol.app.edit import edit as edit_clip
    from gambol.evaluate.badges import clip_badges

    context.progress(0, 1, "meeting the constraints")
    output = Path(params["output"])
    report = edit_clip(
        params["source"],
        params["constraints"],
        clip=params.get("clip"),
        output=output,
        overwrite=True,
        scale=params.get("scale"),
        facing=params.get("facing"),
        character=params.get("character"),
        progress=context.progress,
    )
    assert report.metrics is not None
    assert report.model is not None
    return {
        "notes": list(report.notes),
        "model": report.model.name,
        "clip": report.metrics.clip,
        "clips": [{"name": report.metrics.clip, "variant": "root-motion", "speed": report.metrics.speed}],
        "seconds": report.metrics.seconds,
        "fps": report.clip.fps,
        "badges": [asdict(badge) for badge in clip_badges(report.metrics)],
        "metrics": json.loads((output / "metrics.json").read_text(encoding="utf-8")),
        "changes": report.changes,
        "files": file_list(report.written),
    }


def track(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """The nearest motion that physics allows: `gambol track`."""
    from gambol.app.track_request import track as track_clip
    from gambol.evaluate.badges import clip_badges

    options = {name: params[name] for name in ("clip", "iterations", "engine", "seed") if params.get(name) is not None}
    for name in ("restore_travel", "film"):
        options[name] = bool(params.get(name))
    if params.get("torque_limit") is not None:
        options["torque_limit"] = params["torque_limit"]
    output = Path(params["output"]) / f"{Path(params['name']).stem}.glb"
    output.parent.mkdir(parents=True, exist_ok=True)
    report = track_clip(params["source"], output, **options, progress=context.progress)
    return {
        "notes": list(report.notes),
        "model": output.name,
        "clip": report.clip,
        "clips": [{"name": report.clip, "variant": "root-motion", "speed": report.after.speed}],
        "seconds": report.after.seconds,
        "fps": report.after.measured_fps,
        "badges": [asdict(badge) for badge in clip_badges(report.after)],
        "metrics": json.loads(output.with_suffix(".json").read_text(encoding="utf-8")),
        "contacts": contact_forces(report.tracked),
        "files": file_list(report.written),
    }


def contact_forces(tracked: TrackedClip) -> list[list[list[float]]]:
    """Forces of the ground, one list for each frame with a row for each point that is pressed.

    A row is the point's place (x, y, z, metres of the character) and the force on it (x, y, z, body weights).
    """
    import numpy as np

    from gambol.physics.generalised_coordinates import transforms_from_states

    body, forces = tracked.body, tracked.efforts.contacts
    T = transforms_from_states(tracked.motion.frame_states)[: len(forces), body.point_bodies]
    places = (np.einsum("fpij,pj->fpi", T[..., :3, :3], body.points) + T[..., :3, 3]) / body.scale
    weights = forces / (body.mass * tracked.world.gravity)
    pressed = np.linalg.norm(weights, axis=-1) > LEAST_CONTACT
    rows = np.round(np.concatenate([places[: len(weights)], weights], -1), 4)
    return [frame[on].tolist() for frame, on in zip(rows, pressed, strict=True)]


def file_request(params: dict[str, Any]) -> AnimateFileRequest:
    """The request of a job; raises `ConfigError` that names the field which is wrong."""
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs
    from gambol.app.request_json import request_from_data

    outputs = params.get("outputs") or {}
    unknown = [name for name in outputs if name not in ("film", "fbx", "reduce_keys", "root_bone")]
    if unknown:
        raise ConfigError(f"outputs.{unknown[0]} is not known; outputs takes film, fbx, reduce_keys, root_bone.")
    return AnimateFileRequest(
        request_from_data(params["request"]),
        file=Path(params["file"]),
        character=params.get("character"),
        prior=params.get("prior"),
        scale=params.get("scale"),
        facing=params.get("facing"),
        outputs=AnimateOutputs(**{"film": False, **outputs}),
    )


def file_list(paths: Any) -> list[dict[str, Any]]:
    """Name, size and digest of written files."""
    found = []
    for path in paths:
        data = Path(path).read_bytes()
        found.append({"name": Path(path).name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    return found


class RunWatch:
    """Sends what happens in an optimisation: numbers of every step, moving previews, pictures."""

    def __init__(self, context: Context, picture: Path):
        self._context, self._picture = context, picture
        self._last_preview, self._last_picture = 0.0, time.monotonic()

    def after_step(self, report: StepReport) -> None:
        """Take a step; raises `StopWork` where the run is to end here."""
        self._context.check_stop()
        place: dict[str, Any] = {"variant": report.variant, "segment": report.segment, "step": report.state.step}
        now = time.monotonic()
        if now - self._last_preview >= PREVIEW_INTERVAL_SECONDS or report.state.step == 1:
            self._last_preview = now
            losses = {name: value for name, value in report.log.items() if isinstance(value, float)}
            self._context.emit("losses", losses=losses, **place)
            self._context.emit("motion", self.preview(report, place))
        if report.saved and now - self._last_picture >= PICTURE_INTERVAL_SECONDS:
            from gambol.app.watch_page import seen_by_prior
            from gambol.render.video_file import write_png

            self._last_picture = now
            write_png(self._picture, seen_by_prior(report))
            self._context.emit("picture", step=report.state.step)

    def progress(self, done: int, total: int, text: str) -> None:
        """Take a progress report; behind the last step the clip is finished."""
        self._context.progress(done, total, text if done < total else "finishing the clip: contacts, files, measures")

    def preview(self, report: StepReport, place: dict[str, Any]) -> bytes:
        """The motion as it is now."""
        from gambol.distill.problem import clip_of
        from gambol.service.motion_message import motion_message

        problem = report.problem
        clip = clip_of(problem, report.state.coefficients, "preview")
        return motion_message(problem.body.character, clip, kind="preview", loop=problem.config.loop, **place)


def _when_unlocked(run: Any, context: Context) -> Any:
    """Run as soon as the run folder is free."""
    from gambol.app.run_folder import RunInUse

    until = time.monotonic() + LOCK_PATIENCE_SECONDS
    while True:
        try:
            return run()
        except RunInUse:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
            context.check_stop()
