"""Damaged glTF files from seeds, and a worker process that loads them under limits of time and memory."""

from __future__ import annotations

import base64
import json
import multiprocessing
import re
import struct
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from gltf_builder import GltfBuilder, pack_glb, skinned_tower, translation
from real_data import characters

needs_limits = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="memory is watched through Linux's /proc"
)
LONGEST = 20.0
"""Seconds of computing that one file may take; what hangs is given up after ten times that by the clock."""
MOST_BYTES = 1 << 30
"""Memory that one file may make the reader hold, over what the process held before."""
EMBEDDED = b"@buffer@"
SPECIAL_VALUES = [
    0,
    -1,
    1,
    3,
    2**31,
    2**40,
    2**63,
    10**400,
    0.5,
    2.0,
    1e39,
    -1e308,
    1e-320,
    True,
    None,
    "",
    "x",
    [],
    {},
]
SPECIAL_FLOATS = [np.nan, np.inf, -np.inf, 3.4e38, -1e30, 1e-40, 0.0, -0.0, 1e9, -1.0]


@dataclass(frozen=True)
class Outcome:
    """What became of one damaged file: "loaded", "refused" (an AssetError) or "failed" (anything else)."""

    job: int | Path
    kind: str
    detail: str
    seconds: float = 0.0
    grown_bytes: int = 0


def base_files() -> list[dict[str, bytes]]:
    """Sound files to damage, each as {name: bytes} with the main file first; real ones too where they are there."""
    tower, morphs = skinned_tower(3), morphing_character()
    with tempfile.TemporaryDirectory() as folder:
        external = tower.write_gltf(Path(folder, "tower.gltf"))
        embedded = morphs.write_gltf(Path(folder, "morphs.gltf"), embed=True)
        bases = [
            {"tower.glb": tower.glb_bytes()},
            {"morphs.glb": morphs.glb_bytes()},
            {"tower.gltf": external.read_bytes(), "tower_0.bin": external.with_name("tower_0.bin").read_bytes()},
            {"morphs.gltf": embedded.read_bytes()},
        ]
    for name in ("khronos/RiggedFigure.glb", "quaternius-more/Animals_Pack__bird.glb", "mesh2motion/fox-rig.glb"):
        bases += [{p.name: p.read_bytes()} for p in characters(name)]
    for path in characters("khronos/SimpleSkin.gltf"):
        bases.append({path.name: path.read_bytes(), **{p.name: p.read_bytes() for p in characters("khronos/*.bin")}})
    return bases


def morphing_character() -> GltfBuilder:
    """A character with most features of the format: sparse data, strides, morphs, a texture, matrices, two skins."""
    from gambol.files.images import encode_png

    builder = skinned_tower(4)
    builder.json["extensionsUsed"] = ["KHR_texture_transform"]
    picture = encode_png(np.random.default_rng(0).integers(0, 256, (4, 4, 3), dtype=np.uint8))
    info = {
        "index": builder.picture(picture),
        "extensions": {"KHR_texture_transform": {"rotation": 0.5, "scale": [2, 2]}},
    }
    material = builder.add("materials", {"pbrMetallicRoughness": {"baseColorTexture": info}, "alphaMode": "MASK"})
    points = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0.1, 0.1, 0.1]])
    position, colour = builder.interleaved((points, "float32"), (np.eye(4), "float32"))
    primitive = {
        "attributes": {"POSITION": position, "COLOR_0": colour},
        "material": material,
        "mode": 5,
        "targets": [{"POSITION": builder.sparse_accessor(None, [1, 2], points[1:3], count=4)}] * 2,
    }
    primitive["attributes"] |= builder.attribute_accessors(
        TEXCOORD_0=((points[:, :2] * 2550).astype(int), "uint8", True)
    )
    face = builder.node("face", mesh=builder.mesh(primitive, weights=[0.5, 0.0]), matrix=translation(0.0, 0.2, 0.1))
    builder.json["nodes"][3]["children"] = [face]
    second = builder.primitive(points, [0, 1, 2], JOINTS_0=(np.zeros((4, 4)), "uint16"), WEIGHTS_0=np.eye(4)[[0] * 4])
    skin = builder.skin([1])
    builder.node("badge", mesh=builder.mesh(second), skin=skin, scale=(1.0, 2.0, 1.0))
    turns = np.random.default_rng(1).normal(size=(3, 3, 4))
    turns[:, 1] /= np.linalg.norm(turns[:, 1], axis=-1, keepdims=True)
    builder.animation(
        "nod",
        (face, "weights", [0.0, 1.0], [[0.0, 1.0], [1.0, 0.0]], "LINEAR"),
        (2, "rotation", [0.0, 0.5, 2.0], turns, "CUBICSPLINE"),
        (1, "scale", [0.0, 1.0], [[1.0, 1.0, 1.0], [1.0, 2.0, 1.0]], None),
    )
    return builder


def damage(seed: int, bases: list[dict[str, bytes]]) -> dict[str, bytes]:
    """One of the base files, damaged in ways that the seed chooses.

    One third is damaged once and crudely, so that mostly the container or the JSON breaks; the others are damaged one
    to three times with care, so that they get past the parser.
    """
    rng = np.random.default_rng(seed)
    files = dict(bases[rng.integers(len(bases))])
    names = list(files)
    if rng.random() < 0.33:
        name = names[0] if rng.random() < 0.8 else names[rng.integers(len(names))]
        ways = [flip_bits, flip_header, truncate, cut_out, swap_digits]
        files[name] = ways[rng.integers(len(ways))](files[name], rng)
        return files
    for _ in range(rng.integers(1, 4)):
        in_arrays = rng.random() < 0.4
        if in_arrays and len(names) > 1:
            name = names[rng.integers(1, len(names))]
            files[name] = damage_array(files[name], rng)
            continue
        text, arrays = _take_apart(files[names[0]])
        if in_arrays and arrays:
            arrays = damage_array(arrays, rng)
        else:
            ways = [swap_digits, change_number, change_value, change_value, change_value]
            text = ways[rng.integers(len(ways))](text, rng)
        files[names[0]] = _put_together(text, arrays, names[0])
    return files


def flip_bits(data: bytes, rng: np.random.Generator) -> bytes:
    """Up to 8 flipped bits anywhere."""
    result = bytearray(data)
    for _ in range(rng.integers(1, 9)):
        if result:
            result[rng.integers(len(result))] ^= 1 << int(rng.integers(8))
    return bytes(result)


def flip_header(data: bytes, rng: np.random.Generator) -> bytes:
    """A flipped bit in the header of the .glb or of its first chunk."""
    return flip_bits(data[:20], rng) + data[20:]


def truncate(data: bytes, rng: np.random.Generator) -> bytes:
    """The file ends early."""
    return data[: int(rng.integers(len(data) + 1))]


def cut_out(data: bytes, rng: np.random.Generator) -> bytes:
    """A few bytes are missing, or occur twice."""
    start = int(rng.integers(len(data) + 1))
    end = start + int(rng.integers(1, 64))
    return data[:start] + data[end:] if rng.random() < 0.5 else data[:end] + data[start:]


def damage_array(data: bytes, rng: np.random.Generator) -> bytes:
    """Flipped bits, or floats that become special ones or multiples of themselves; the length stays."""
    if rng.random() < 0.3:
        return flip_bits(data, rng)
    floats = np.frombuffer(data[: len(data) // 4 * 4], "<f4").copy()
    for _ in range(rng.integers(1, 6)):
        if len(floats):
            place = rng.integers(len(floats))
            old = float(np.nan_to_num(floats[place]))
            with np.errstate(over="ignore"):
                choices = [*SPECIAL_FLOATS, -old, 10 * old, 1e4 * old, 1e-4 * old, old + 1]
                floats[place] = np.float32(choices[rng.integers(len(choices))])
    return floats.tobytes() + data[len(floats) * 4 :]


def swap_digits(data: bytes, rng: np.random.Generator) -> bytes:
    """Digits become other digits; every length stays."""
    result = bytearray(data)
    places = [m.start() for m in re.finditer(rb"\d", data)]
    for _ in range(rng.integers(1, 5)):
        if places:
            result[places[rng.integers(len(places))]] = ord("0") + int(rng.integers(10))
    return bytes(result)


def change_number(text: bytes, rng: np.random.Generator) -> bytes:
    """One number of the JSON text becomes a special one."""
    numbers = list(re.finditer(rb"(?<=[\[:, ])-?\d+\.?\d*(?:[eE][-+]?\d+)?", text))
    if not numbers:
        return text
    spot = numbers[rng.integers(len(numbers))]
    value = [b"-1", b"0", b"99999", b"1099511627776", b"1e400", b"NaN", b"-0.0", b"1e30", b"1e-30", b"9" * 400, b"1.0"]
    return text[: spot.start()] + value[rng.integers(len(value))] + text[spot.end() :]


def change_value(text: bytes, rng: np.random.Generator) -> bytes:
    """One value anywhere in the JSON's tree is replaced, removed, or copied from elsewhere in the tree."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    places = list(_walk(document))
    if not places:
        return text
    holder, key = places[rng.integers(len(places))]
    way = rng.random()
    if way < 0.15 and isinstance(holder, dict):
        del holder[key]
    elif way < 0.35:
        other, other_key = places[rng.integers(len(places))]
        holder[key] = json.loads(json.dumps(other[other_key]))
    elif way < 0.7 and isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
        holder[key] = [holder[key] + 1, holder[key] - 1, holder[key] * 2, -holder[key]][rng.integers(4)]
    else:
        holder[key] = SPECIAL_VALUES[rng.integers(len(SPECIAL_VALUES))]
    return json.dumps(document).encode()


def load_fully(path: Path) -> str:
    """All that Gambol does with a file before it animates it: read, motion skeleton, cuboids, the first clip."""
    from gambol.character.character import make_character
    from gambol.files.gltf.container import read_document
    from gambol.files.gltf.read import read_scene
    from gambol.motion.node_clip import pose_scene

    scene, clips, notes = read_scene(read_document(path))
    character = make_character(path.name, scene)
    if character.weights is not None:
        assert np.isfinite(character.cuboids.corners_bone()).all(), "cuboids are not finite"
    if character.skeleton is not None:
        assert np.isfinite(character.skeleton.T_world_rest).all(), "rest frames are not finite"
    for clip in clips[:1]:
        times = np.linspace(clip.start, clip.end, 5)
        assert np.isfinite(clip.sample(scene.nodes, times)).all(), "a sampled clip is not finite"
        assert all(np.isfinite(p).all() for p in pose_scene(scene, clip, times[2])), "a posed part is not finite"
    return f"{len(scene.parts)} parts, {len(clips)} clips, {len(notes)} notes"


def load_each(jobs: Iterable[int | Path]) -> Iterator[Outcome]:
    """Outcomes of damaged files by seed, or of files by path.

    They are loaded one after the other in a worker under limits; it is replaced when it hangs or dies.
    """
    context = multiprocessing.get_context("spawn")
    worker = pipe = None
    try:
        for job in jobs:
            if worker is None:
                pipe, far_end = context.Pipe()
                worker = context.Process(target=_work, args=(far_end,), daemon=True)
                worker.start()
                far_end.close()
                pipe.recv()
            outcome = _ask(pipe, job)
            if outcome.kind == "failed" and outcome.detail.startswith("the worker"):
                worker.kill()
                worker.join()
                worker = None
            yield outcome
    finally:
        if worker is not None:
            worker.kill()
            worker.join()


def _ask(pipe: multiprocessing.connection.Connection, job: int | Path) -> Outcome:
    pipe.send(job)
    try:
        if pipe.poll(10 * LONGEST):
            return pipe.recv()
        return Outcome(job, "failed", f"the worker did not come back within {10 * LONGEST:g} s")
    except EOFError:
        return Outcome(job, "failed", "the worker died")


def _work(pipe: multiprocessing.connection.Connection) -> None:
    """The worker: jobs in, outcomes out, under a limit on address space."""
    import resource

    from gambol.errors import AssetError

    bases = base_files()
    with tempfile.TemporaryDirectory() as folder:
        load_fully(_write(bases[0], folder))
        resource.setrlimit(resource.RLIMIT_AS, (_memory("VmSize") + 3 * MOST_BYTES, resource.RLIM_INFINITY))
        pipe.send("ready")
        while True:
            job = pipe.recv()
            path = job if isinstance(job, Path) else _write(damage(job, bases), folder)
            before, start = _memory("VmRSS"), time.process_time()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error", RuntimeWarning)
                    kind, detail = "loaded", load_fully(path)
            except AssetError as error:
                kind, detail = "refused", str(error)
            except BaseException:
                kind, detail = "failed", traceback.format_exc(limit=-6)
            pipe.send(Outcome(job, kind, detail, time.process_time() - start, max(_memory("VmHWM") - before, 0)))


def _write(files: dict[str, bytes], folder: str) -> Path:
    """Write the files and return the main one."""
    for name, data in files.items():
        Path(folder, name).write_bytes(data)
    return Path(folder, next(iter(files)))


def _memory(key: str) -> int:
    """A line of this process's /proc status in bytes."""
    line = next(x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith(key))
    return int(line.split()[1]) * 1024


def _take_apart(data: bytes) -> tuple[bytes, bytes]:
    """JSON text and BIN chunk; a .gltf with its buffer inside gives the text without it, and the buffer."""
    if data[:4] == b"glTF":
        end = 20 + struct.unpack_from("<I", data, 12)[0]
        return data[20:end], data[end + 8 :]
    inside = re.search(rb"(?<=base64,)[^\"]*", data)
    if inside is None:
        return data, b""
    return data.replace(inside[0], EMBEDDED), base64.b64decode(inside[0])


def _put_together(text: bytes, arrays: bytes, name: str) -> bytes:
    if name.endswith(".glb"):
        return pack_glb(text, arrays)
    return text.replace(EMBEDDED, base64.b64encode(arrays))


def _walk(value: object) -> Iterator[tuple]:
    """(holder, key) of every value in a JSON tree."""
    pending = [value]
    while pending:
        holder = pending.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else []
        for key in keys:
            yield holder, key
            pending.append(holder[key])
