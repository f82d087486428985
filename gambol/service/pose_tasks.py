"""Tasks that pose a character: samples, solutions, dragging. The worker keeps the characters that are being posed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.errors import ConfigError

if TYPE_CHECKING:
    from gambol.app.pose import Poser
    from gambol.poses.drag import Drag
    from gambol.service.worker import Context

KEPT_POSERS = 4
"""Number of characters that stay loaded for posing."""
MOST_DRAGS = 64
"""Number of drags that are kept at the same time; the oldest are forgotten."""
MOST_SAMPLES = 64
"""Most poses that are sampled for a gallery at once."""


@dataclass
class DragSession:
    """One tab's drag: the pose, where joints are pinned, where the handle is pulled to."""

    poser: Poser
    """The character."""
    drag: Drag
    """The pose."""
    pins: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """Places of pinned joints, metres."""
    target: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    """The joint that is dragged and its target, metres."""

    @property
    def handles(self) -> dict[str, tuple[float, float, float]]:
        """All targets; a joint that is dragged is not pinned meanwhile."""
        return {**self.pins, **self.target}


_POSERS: OrderedDict[tuple[Any, ...], Poser] = OrderedDict()
_SESSIONS: OrderedDict[str, DragSession] = OrderedDict()


def sample(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Plausible poses for a gallery."""
    import torch

    from gambol.poses.pose_space import sample_pose_space

    count, seed = params.get("count", 8), params.get("seed", 0)
    if not isinstance(count, int) or not 1 <= count <= MOST_SAMPLES:
        raise ConfigError(f"count is {count!r}; it takes a whole number from 1 to {MOST_SAMPLES}.")
    poser = find_poser(params)
    x = sample_pose_space(poser.space, count, torch.Generator().manual_seed(int(seed)))
    return {"poses": [pose_data(poser, one[None]) for one in x]}


def solve(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """The full projection for given handles."""
    from gambol.poses.inverse_kinematics import find_handles, solve_handles

    poser = find_poser(params)
    handles = find_handles(poser.space.rig, params["handles"])
    found = solve_handles(poser.space, start_pose(poser, params.get("start")), handles)
    return {"pose": pose_data(poser, found.x), **_reach(poser, params["handles"], found)}


def keep(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Write a pose as a file that a pose key can name."""
    import json

    from gambol.app.pose_files import write_pose_file
    from gambol.files.atomic_write import write_text
    from gambol.poses.pose_parameters import clip_from_parameters

    poser = find_poser(params)
    x = start_pose(poser, params.get("pose"))
    clip = clip_from_parameters(poser.space.rig, x, params["name"], 30.0)
    path, data = write_pose_file(poser, clip, Path(params["target"])), pose_data(poser, x)
    write_text(path.with_suffix(".json"), json.dumps({"name": params["name"], "pose": data}))
    return {"name": params["name"], "reference": path.as_posix(), "pose": data}


def start_drag(params: dict[str, Any], context: Context) -> tuple[dict[str, Any], bytes]:
    """Begin a drag from a pose, with pins."""
    from gambol.poses.drag import start_drag as begin

    poser = find_poser(params)
    session = DragSession(poser, begin(start_pose(poser, params.get("start"))))
    _SESSIONS[params["session"]] = session
    while len(_SESSIONS) > MOST_DRAGS:
        _SESSIONS.popitem(last=False)
    _set_pins(session, params.get("pins") or {})
    return {"pins": session.pins}, _motion(session)


def change_pins(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Add, move and remove pins."""
    session = _find_session(params)
    _set_pins(session, params.get("pins") or {})
    return {"pins": session.pins}


def move(params: dict[str, Any], context: Context) -> tuple[dict[str, Any], bytes]:
    """Follow the pointer: warm-started Gauss-Newton steps."""
    from gambol.poses.drag import move_drag
    from gambol.poses.inverse_kinematics import find_handles, handle_errors

    session = _find_session(params)
    rig = session.poser.space.rig
    session.target = {params["handle"]: params["target"]}
    handles = find_handles(rig, session.handles)
    session.drag = move_drag(rig, session.drag, handles)
    away = (rig.size * handle_errors(rig, session.drag.x, handles).norm(dim=-1)).tolist()
    return {"distances": dict(zip(session.handles, away, strict=True))}, _motion(session)


def release(params: dict[str, Any], context: Context) -> tuple[dict[str, Any], bytes]:
    """The full projection of the dragged pose; the next drag begins from it."""
    from gambol.poses.drag import release_drag
    from gambol.poses.drag import start_drag as begin
    from gambol.poses.inverse_kinematics import find_handles
    from gambol.poses.plausibility import score_parameters

    session = _find_session(params)
    poser = session.poser
    if not session.handles:
        found_x, told = session.drag.x, {"distances": {}, "reached": True}
    else:
        solution = release_drag(poser.space, session.drag, find_handles(poser.space.rig, session.handles))
        found_x, told = solution.x, _reach(poser, session.handles, solution)
    session.drag, session.target = begin(found_x), {}
    score = score_parameters(poser.space, found_x)[0]
    told |= {"pose": pose_data(poser, found_x), "plausibility": round(float(score.plausibility), 4)}
    return told, _motion(session)


def end_drag(params: dict[str, Any], context: Context) -> dict[str, Any]:
    """Forget a drag."""
    _SESSIONS.pop(params["session"], None)
    return {}


def find_poser(params: dict[str, Any]) -> Poser:
    """The character of a file, ready to be posed; loaded once."""
    from gambol.app.pose_files import open_poser

    path = Path(params["file"])
    stamp = path.stat().st_mtime_ns if path.exists() else 0
    key = (str(path), stamp, params.get("scale"), params.get("facing"), params.get("character"))
    if key not in _POSERS:
        options = {name: params.get(name) for name in ("scale", "facing", "character")}
        _POSERS[key] = open_poser(path, **options)
    _POSERS.move_to_end(key)
    while len(_POSERS) > KEPT_POSERS:
        _POSERS.popitem(last=False)
    return _POSERS[key]


def start_pose(poser: Poser, start: Any) -> Any:
    """A pose from what a client says: a name, parameters, or a moment of a clip of another file."""
    import torch

    from gambol.app.pose import find_pose

    if start is None:
        start = "rest"
    if isinstance(start, str):
        return find_pose(poser, start)
    if isinstance(start, dict) and "parameters" in start:
        try:
            x = torch.tensor(start["parameters"], dtype=torch.float32)
        except (TypeError, ValueError):
            x = torch.zeros(0)
        if x.shape != (len(poser.space.rig), 3) or not bool(x.isfinite().all()):
            raise ConfigError(f"parameters must be {len(poser.space.rig)} rows of 3 numbers, one for each bone.")
        return x[None]
    if isinstance(start, dict) and "file" in start:
        from gambol.app.found_constraints import named_pose

        frame = round(float(start.get("time", 0.0)) * 30.0)
        return find_pose(poser, replace(named_pose(_asset(poser), f"{start['file']}:{frame}"), name="start"))
    raise ConfigError(f"A pose is {start!r}; it takes rest, sample:SEED, CLIP:FRAME, parameters, or a job with a time.")


def pose_data(poser: Poser, x: Any) -> dict[str, Any]:
    """A pose as clients hold it: parameters, and local transforms of the file's nodes (xyzw, as in glTF)."""
    import numpy as np

    from gambol.motion.node_clip_conversion import nodes_from_clip
    from gambol.poses.pose_parameters import clip_from_parameters

    keys = nodes_from_clip(poser.character, clip_from_parameters(poser.space.rig, x, "pose", 30.0))
    nodes = poser.character.scene.nodes
    found: dict[int, dict[str, Any]] = {}
    for channel in keys.channels:
        found.setdefault(int(channel.node), {})[channel.path] = channel.values[0]
    rows = []
    for node, moved in found.items():
        wxyz = np.asarray(moved.get("rotation", nodes.rotations_wxyz[node]))
        place = moved.get("translation", nodes.translations[node])
        scale = moved.get("scale", nodes.scales[node])
        numbers = np.concatenate([place, wxyz[[1, 2, 3, 0]], scale])
        rows.append([node, *np.round(numbers, 6).tolist()])
    parameters = [[round(float(v), 6) for v in row] for row in x[0]]
    return {"parameters": parameters, "nodes": rows}


def _asset(poser: Poser) -> Any:
    assert poser.asset is not None
    return poser.asset


def _find_session(params: dict[str, Any]) -> DragSession:
    session = _SESSIONS.get(params["session"])
    if session is None:
        raise ConfigError("This drag has ended; begin a new one with pose-start.")
    _SESSIONS.move_to_end(params["session"])
    return session


def _set_pins(session: DragSession, pins: dict[str, Any]) -> None:
    """Pins at places, `true` where the joint is now, null removes one."""
    from gambol.poses.inverse_kinematics import find_handles, handle_positions

    rig = session.poser.space.rig
    changed = dict(session.pins)
    for name, place in pins.items():
        if place is None:
            changed.pop(name, None)
        elif place is True:
            at = handle_positions(rig, session.drag.x, find_handles(rig, {name: (0.0, 0.0, 0.0)}))[0, 0]
            x, y, z = (rig.size * at).tolist()
            changed[name] = (x, y, z)
        else:
            find_handles(rig, {name: place})
            changed[name] = tuple(map(float, place))  # type: ignore[assignment]
    session.pins = changed


def _motion(session: DragSession) -> bytes:
    from gambol.poses.pose_parameters import clip_from_parameters
    from gambol.service.motion_message import motion_message

    poser = session.poser
    clip = clip_from_parameters(poser.space.rig, session.drag.x, "pose", 30.0)
    return motion_message(poser.character, clip, source="pose", loop=False)


def _reach(poser: Poser, handles: dict[str, Any], solution: Any) -> dict[str, Any]:
    away = (poser.space.rig.size * solution.distances).tolist()
    return {"distances": dict(zip(handles, away, strict=True)), "reached": solution.reached}
