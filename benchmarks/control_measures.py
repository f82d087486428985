"""What `control.py` measures: one function for each kind of measurement, plain arguments to plain rows."""

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
from distillation_suite import body_of, data_folder, digest_of, subject, window_seconds
from vocabulary import asset_of, sentence_of

ROOT = Path(__file__).parents[1]
HELD_OUT_BODIES = (
    "khronos/Fox",
    "kaykit/Knight",
    "quaternius/Trex",
    "mesh2motion/horse-animated",
    "quaternius-more/Farm_Animals_Animated___Pig",
)
"""Characters of the held-out split."""
BODIES = (
    *HELD_OUT_BODIES,
    "quaternius/Wolf",
    "mesh2motion/human-animated",
    "spider 930001",
    "mesh2motion/bird-animated",
    "quaternius/Alpaca",
)
"""Ten characters, half of them held out."""
SEQUENCES = (
    ("khronos/Fox", ("walk", "jump", "turn left")),
    ("mesh2motion/human-animated", ("walk", "wave", "run")),
    ("quaternius/Wolf", ("run", "walk", "bite")),
    ("kaykit/Knight", ("idle", "walk", "punch")),
    ("mesh2motion/horse-animated", ("walk", "trot", "run")),
    ("quaternius/Trex", ("walk", "bite", "walk")),
    ("spider 930001", ("walk", "idle", "run")),
    ("mesh2motion/bird-animated", ("walk", "fly", "walk")),
    ("quaternius/Alpaca", ("run", "jump", "idle")),
    ("mesh2motion/human-animated", ("sit down", "stand up", "walk")),
)
"""Ten sequences of three actions."""
LOOPS = (
    ("khronos/Fox", "walk"),
    ("mesh2motion/horse-animated", "trot"),
    ("snake 930002", "slither"),
    ("mesh2motion/human-animated", "run"),
    ("mesh2motion/bird-animated", "fly"),
    ("quaternius/Wolf", "run"),
    ("kaykit/Knight", "idle"),
    ("quaternius/Trex", "walk"),
    ("quaternius-more/Animal_Pack_Vol.2__Eagle", "fly"),
    ("spider 930001", "walk"),
)
"""Loops of all kinds of motion."""
FROZEN = (
    ("kaykit/Knight", "1H_Melee_Attack_Chop", "upper body"),
    ("mesh2motion/human-animated", "Sword_Attack", "upper body"),
    ("quaternius/Wolf", "AnimalArmature|Eating", "head"),
    ("khronos/Fox", "Survey", "tail"),
)
"""Limbs of clips that stay as they are while the rest walks."""
TRANSITION_SECONDS = 0.3
"""Time around a cut that counts as the transition."""
FAR_FROM_REST = 0.5
"""How far each angle of a limb is turned at random to find a place that it can reach, radians."""


@cache
def code_digest() -> str:
    """Names the weights and the code that make and change clips."""
    from gambol.distill.presets import SKETCH
    from gambol.priors.embedded.prior import WEIGHTS

    made = hashlib.sha256()
    package = ROOT / "gambol"
    for folder in ("distill", "motion"):
        for path in sorted((package / folder).rglob("*.py")):
            made.update(path.read_bytes())
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return digest_of(WEIGHTS, SKETCH, made.hexdigest(), own)


@cache
def clip_of(name: str, motion: str, seconds: float | None = 4.0, seed: int = 0):
    """A clip that the embedded prior makes."""
    import gambol

    return gambol.animate(asset_of(name), sentence_of(name, motion), seconds=seconds, seed=seed)


def part_of(clip, first: int, last: int):
    """The frames from first to last of a clip."""
    return replace(clip, root=clip.root[first : last + 1], angles=clip.angles[first : last + 1])


def shown(name: str, motion: str, clip) -> bool:
    """Whether the judge sees a motion in a clip."""
    from gambol.evaluate.motion_definitions import SHOWN_SCORE, shows_motion
    from gambol.evaluate.observation import observe_clip

    body = body_of(name)
    return bool(shows_motion(observe_clip(body.character, body.anatomy, clip), motion) >= SHOWN_SCORE)


def joints_of(name: str, clip) -> np.ndarray:
    """World places of all joints in every frame."""
    from gambol.motion.kinematics import pose_clip

    return pose_clip(body_of(name).character.require_skeleton(), clip)[..., :3, 3]


def skate_of(name: str, clip) -> float | None:
    """Foot skate, metres per second."""
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.quality_metrics import foot_skate

    body = body_of(name)
    return foot_skate(observe_clip(body.character, body.anatomy, clip))


def window_row(name: str, motion: str, seconds: float | None) -> dict:
    """Which windows of 2 s, one each second, show the motion; None: a clip of one window of the prior, whole."""
    if seconds is None:
        clips = [clip_of(name, motion, window_seconds(name), seed) for seed in range(2)]
        return {"shown": [shown(name, motion, clip) for clip in clips]}
    clip = clip_of(name, motion, seconds)
    fps, length = round(clip.fps), round(2.0 * clip.fps)
    starts = range(0, len(clip) - length, fps)
    return {"shown": [shown(name, motion, part_of(clip, k, k + length)) for k in starts]}


def sequence_row(number: int) -> dict:
    """Each action judged in its own window; joint speeds around the cuts against the clip's 95 % quantile.

    Slides are compared with the worst stretch of the same length away from the cuts.
    """
    import gambol
    from gambol.app.animate_character import animate_character
    from gambol.app.animate_request import AnimateRequest
    from gambol.motion.clip import joint_matrices
    from gambol.motion.rotations import rotation_angle
    from gambol.priors.load import find_prior

    name, motions = SEQUENCES[number]
    segments = tuple(gambol.Segment(sentence_of(name, motion)) for motion in motions)
    prior = find_prior("embedded").load()
    made = animate_character(asset_of(name), prior, AnimateRequest(segments=segments)).clips[-1]
    clip, spans = made.clip, [span for span in made.spans if span.name in {s.prompt for s in segments}]
    cuts = [round(span.start * clip.fps) for span in made.spans[1:]]
    starts = [round(span.start * clip.fps) for span in made.spans]
    ends = [*starts[1:], len(clip) - 1]
    windows = {span.start: end for span, end in zip(made.spans, ends, strict=True)}
    seen = [
        shown(name, motion, part_of(clip, round(span.start * clip.fps), windows[span.start]))
        for span, motion in zip(spans, motions, strict=True)
    ]
    joints, R = joints_of(name, clip), joint_matrices(clip)
    speeds = np.linalg.norm(np.diff(joints, axis=0), axis=-1).max(1)
    turns = rotation_angle(np.swapaxes(R[:-1], -1, -2) @ R[1:])[:, 1:].max(1)
    reach = round(TRANSITION_SECONDS * clip.fps)
    around = [slice(max(cut - reach, 0), cut + reach) for cut in cuts]
    parts = [skate_of(name, part_of(clip, span.start, min(span.stop, len(clip) - 1))) for span in around]
    away = [k for k in range(0, len(clip) - 2 * reach, reach) if min(abs(k + reach - cut) for cut in cuts) >= 2 * reach]
    usual = max((skate_of(name, part_of(clip, k, k + 2 * reach)) or 0.0 for k in away), default=0.0)
    return {
        "shown": seen,
        "speeds": [float(speeds[span].max() / np.quantile(speeds, 0.95)) for span in around],
        "turns": [float(turns[span].max() / np.quantile(turns, 0.95)) for span in around],
        "slides": [None if part is None or not usual else part / usual for part in parts],
        "actions": [span.name for span in made.spans],
    }


def loop_row(name: str, motion: str) -> dict:
    """Seam of a loop as the file has it, with its travel and on the spot; and on the spot in Blender."""
    from gambol.app.animate import animate_file
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
    from gambol.files.asset import load
    from gambol.motion.node_clip_conversion import clip_from_nodes

    asset = asset_of(name)
    asked = AnimateRequest(sentence_of(name, motion), loop=True, exports=("root-motion", "in-place"))
    with tempfile.TemporaryDirectory() as folder:
        report = animate_file(
            AnimateFileRequest(asked, asset.path, outputs=AnimateOutputs(film=False)), Path(folder) / "run"
        )
        written = load(report.model)
        clips = written.clips[-2:]
        seams = [seam(name, clip_from_nodes(written.character, clip, fps=30.0)[0]) for clip in clips]
        blender = importlib.util.find_spec("bpy") is not None
        played = blender_seam(report.model, clips[0].name) if blender else None
    worst = {key: max(one[key] for one in seams) for key in seams[0]}
    return {**worst, "blender": played, "frames": round(clips[0].duration * 30.0) + 1}


def seam(name: str, clip) -> dict[str, float]:
    """Position and velocity errors of a loop's seam, shares of the mean pose change per frame.

    Velocities before and behind a frame are taken from three frames on that side. Where a motion is bent they differ a
    little; what counts is by how much more they differ at the seam than at any other frame.
    """
    root, period = clip.root.copy(), len(clip) - 1
    travel = root[-1, [0, 2]] - root[0, [0, 2]]
    root[:, [0, 2]] -= np.arange(period + 1)[:, None] / period * travel
    joints = joints_of(name, replace(clip, root=root)).reshape(period + 1, -1)

    def size(moves: np.ndarray) -> np.ndarray:
        return np.linalg.norm(moves.reshape(*moves.shape[:-1], -1, 3), axis=-1).mean(-1)

    change = size(np.diff(joints, axis=0)).mean()
    rounds = np.concatenate([joints[:-1]] * 3)
    k = np.arange(period, 2 * period)
    before = 1.5 * rounds[k] - 2.0 * rounds[k - 1] + 0.5 * rounds[k - 2]
    behind = -1.5 * rounds[k] + 2.0 * rounds[k + 1] - 0.5 * rounds[k + 2]
    differ = size(behind - before)
    return {
        "position": float(size(joints[-1] - joints[0]) / change),
        "velocity": float(max(differ[0] - differ[1:].max(), 0.0) / change),
        "rougher_frames": float((differ[1:] >= differ[0]).mean()),
    }


def blender_seam(path: Path, clip: str) -> float:
    """Of three cycles in Blender: the worst change of velocity of a vertex at a seam, against the worst of a cycle."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "places.npy"
        job = Path(__file__).with_name("control_in_blender.py")
        done = subprocess.run(
            [sys.executable, str(job), str(path), clip, str(answer)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=900,
        )
        if not answer.exists():
            raise RuntimeError(done.stderr[-2000:])
        places = np.load(answer)
    cycle = (len(places) - 1) // 3
    bends = np.linalg.norm(np.diff(places, 2, axis=0), axis=-1).max(1)
    return float(max(bends[cycle - 1], bends[2 * cycle - 1]) / bends[: cycle - 1].max())


def ends_of(name: str) -> list[int]:
    """The bones whose ends are pinned: the last of every limb, without fingers."""
    body = body_of(name)
    found = []
    for limb in body.anatomy.limbs:
        length = [bone for bone in limb.bones if bone > 0]
        if length:
            found.append(length[-1])
    return sorted(set(found))


def reachable_pin(name: str, clip, rng: np.random.Generator):
    """A joint, a time, and a place where the joint is when its limb is turned at random within its limits."""
    import gambol

    body = body_of(name)
    skeleton, limits = body.character.require_skeleton(), body.anatomy.limits
    bone, frame = int(rng.choice(ends_of(name))), int(rng.integers(3, len(clip) - 3))
    chain, parent = [], bone
    limb = next(limb for limb in body.anatomy.limbs if bone in limb.bones)
    while parent > 0 and (parent in limb.bones or parent == bone):
        chain.append(parent)
        parent = int(skeleton.parents[parent])
    one = part_of(clip, frame, frame)
    angles = one.angles.copy()
    for joint in chain:
        turned = angles[0, joint - 1] + rng.uniform(-FAR_FROM_REST, FAR_FROM_REST, 3)
        low = np.minimum(limits[joint, :, 0], angles[0, joint - 1])
        angles[0, joint - 1] = np.clip(turned, low, np.maximum(limits[joint, :, 1], angles[0, joint - 1]))
    place = joints_of(name, replace(one, angles=angles))[0, bone]
    place[1] = max(place[1], joints_of(name, clip)[:, bone, 1].min())  # not below the ground
    return gambol.Pin(skeleton.names[bone], tuple(float(x) for x in place), time=frame / clip.fps)


def pin_row(name: str, motion: str, count: int) -> dict:
    """Random reachable pins, each in an edit of its own."""
    import gambol

    clip, asset = clip_of(name, motion), asset_of(name)
    with tempfile.TemporaryDirectory() as folder:
        file = gambol.load(gambol.save(asset, clip, Path(folder) / "made.glb"))
        pins, rng = [], np.random.default_rng([len(name), len(motion), 29])
        for _ in range(count):
            pin = reachable_pin(name, clip, rng)
            (report,) = gambol.edit(file, [pin]).constraints
            pins.append({"joint": pin.joint, "time": round(pin.time, 3), "distance": report.distance})
    return {"pins": pins}


def pose_row(name: str, motion: str, count: int) -> dict:
    """Key poses from other motions of the body, each in an edit of its own: the worst joint's distance, sizes."""
    import gambol

    clip = clip_of(name, motion)
    others = [clip_of(name, other, None) for other in ("run" if motion == "walk" else "walk", "idle", "turn left")]
    rng, distances = np.random.default_rng([len(name), len(motion), 30]), []
    with tempfile.TemporaryDirectory() as folder:
        file = gambol.load(gambol.save(asset_of(name), clip, Path(folder) / "made.glb"))
        for k in range(count):
            other = others[k % len(others)]
            frame = int(rng.integers(0, len(other)))
            key = gambol.PoseKey(float(rng.uniform(0.2, clip.duration - 0.2)), part_of(other, frame, frame))
            (report,) = gambol.edit(file, [key]).constraints
            distances.append(report.distance)
    return {"distances": distances}


def path_row(name: str, motion: str) -> dict:
    """A curve of the length that the motion covers: mean distance, heading, and skate against the free motion."""
    import gambol
    from gambol.app.animate_character import animate_character
    from gambol.app.animate_request import AnimateRequest
    from gambol.app.found_constraints import constraint_reports
    from gambol.motion.chosen_travel import path_length
    from gambol.priors.load import find_prior

    free = clip_of(name, motion)
    length = path_length(free)
    x = np.linspace(0.0, 1.0, 5)
    points = np.stack([0.92 * length * x, 0.12 * length * np.sin(2 * np.pi * x)], axis=1)
    path = gambol.GroundPath(tuple(map(tuple, points.tolist())))
    prior = find_prior("embedded").load()
    asked = AnimateRequest(sentence_of(name, motion), seconds=4.0, constraints=(path,))
    found = animate_character(asset_of(name), prior, asked)
    (report,) = constraint_reports(asset_of(name), found.clip, (path,))
    skates = skate_of(name, free), skate_of(name, found.clip)
    ratio = None if None in skates or skates[0] < 1e-6 else skates[1] / skates[0]
    row = {"distance": report.distance, "heading": float(np.degrees(report.angle)), "skate": ratio, "skates": skates}
    return row | {"shown": shown(name, motion, found.clip)}


def freeze_row(number: int) -> dict:
    """Frozen limbs over new legs: the channels of the file, byte for byte."""
    from gambol.app.animate import animate_file
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.distill.constraints import Freeze
    from gambol.distill.constraints.frozen_keys import frozen_nodes

    name, clip, limb = FROZEN[number]
    asset, freeze = asset_of(name), Freeze(clip, (limb,))
    seconds = min(asset.clip(clip).duration, 4.0)
    asked = AnimateRequest(f"{subject(name)} walks", seconds=round(max(seconds, 1.0), 2), constraints=(freeze,))
    with tempfile.TemporaryDirectory() as folder:
        report = animate_file(
            AnimateFileRequest(asked, asset.path, outputs=AnimateOutputs(film=False)), Path(folder) / "run"
        )
        nodes = frozen_nodes(asset.character, find_anatomy(asset.character), freeze)
        source, made = plain_channels(asset.path, clip, nodes), plain_channels(report.model, None, nodes)
    end = asked.seconds
    differ = 0
    for key, (times, values) in source.items():
        inside = np.frombuffer(times, "<f4") <= end + 1e-5
        keys = int(inside.sum())
        width = len(values) // max(len(inside), 1)
        ours = made.get(key, (b"", b""))
        differ += ours[0][: 4 * keys] != times[: 4 * keys] or ours[1][: keys * width] != values[: keys * width]
    return {"channels": len(source), "differ": differ}


def plain_channels(path: Path, clip: str | None, nodes: set[int]) -> dict[tuple[int, str], tuple[bytes, bytes]]:
    """Bytes of times and values of an animation's channels, read from the file with nothing of Gambol."""
    import struct

    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    document, binary = json.loads(data[20 : 20 + length]), data[20 + length + 8 :]
    animations = document["animations"]
    animation = animations[-1] if clip is None else next(a for a in animations if a.get("name") == clip)

    def accessor(index: int) -> bytes:
        found = document["accessors"][index]
        view = document["bufferViews"][found["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[found["type"]] * {5126: 4, 5123: 2, 5122: 2}[found["componentType"]]
        start = view.get("byteOffset", 0) + found.get("byteOffset", 0)
        return binary[start : start + found["count"] * width]

    return {
        (channel["target"]["node"], channel["target"]["path"]): (
            accessor(animation["samplers"][channel["sampler"]]["input"]),
            accessor(animation["samplers"][channel["sampler"]]["output"]),
        )
        for channel in animation["channels"]
        if channel["target"].get("node") in nodes
    }


def edit_row(name: str) -> dict:
    """A reachable pin in a written walk: how much the joints that the pin does not concern were turned, degrees."""
    import gambol

    clip = clip_of(name, "walk")
    body = body_of(name)
    skeleton = body.character.require_skeleton()
    with tempfile.TemporaryDirectory() as folder:
        model = gambol.save(asset_of(name), clip, Path(folder) / "made.glb")
        pin = reachable_pin(name, clip, np.random.default_rng([len(name), 31]))
        start = time.process_time()
        done = gambol.edit(model, [pin], output=Path(folder) / "edited")
        taken = time.process_time() - start
    bone = skeleton.names.index(pin.joint)
    limb = next(limb for limb in body.anatomy.limbs if bone in limb.bones)
    others = [n for k, n in enumerate(skeleton.names) if k not in limb.bones]
    turned = [done.changes.get(n, 0.0) for n in others]
    return {
        "joint": pin.joint,
        "untouched": float(np.mean(turned)),
        "most": float(np.max(turned)),
        "distance": done.constraints[0].distance,
        "cpu_seconds": round(taken, 2),
    }


def cost_row(name: str) -> dict:
    """CPU time of a walk of 4 s from the file to the run folder, with film and report."""
    from gambol.app.animate import animate_file
    from gambol.app.animate_request import AnimateFileRequest, AnimateRequest

    path = data_folder() / "characters" / f"{name}.glb" if "/" in name else asset_of(name).path
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        asked = AnimateRequest(sentence_of(name, "walk"), seconds=4.0)
        animate_file(AnimateFileRequest(asked, path), Path(folder) / "run")
        return {"cpu_seconds": round(time.process_time() - start, 1)}
