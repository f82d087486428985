"""`gambol animate`: from a file and a sentence to a folder with one new clip, and all that is told of it."""

from __future__ import annotations

import hashlib
import platform
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gambol import __version__
from gambol.app.animate_variants import Animated, Wish, animate_asset
from gambol.app.live_page import watching, write_preview
from gambol.app.run_folder import FILM, METRICS, OUTPUTS, REPORT, TIMINGS, RunFolder, open_run
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.settings import DRAFT, PAPER, SKETCH, DistilSettings, only_fits
from gambol.errors import AssetError
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.observation import observe_node_clip
from gambol.files.asset import Asset, export_clip, export_scene, load
from gambol.files.formats import READABLE
from gambol.motion.node_clip import NodeClip
from gambol.motion.reduce_keys import reduce_keys
from gambol.motion.set_travel import travel_note
from gambol.progress import Progress, peak_memory
from gambol.view.run_film import iteration_strips, write_run_film
from gambol.view.run_page import RunPage, write_run_page

SCHEMA = 1
PRESETS: dict[str, tuple[DistilSettings, str]] = {
    "sketch": (SKETCH, "embedded"),
    "draft": (DRAFT, "wan2.1-1.3b"),
    "paper": (PAPER, "cogvideox-5b"),
}
"""Settings and prior of each preset."""
SCORES = ("guidance", "rate", "refining", "levels", "draws", "per_frame")
"""Settings that count where the prior gives scores,"""
FILMS = ("film", "film_calls", "film_guidance", "views")
"""and where it gives films."""


@dataclass(frozen=True)
class RunRequest:
    """Everything that a run is asked for."""

    wish: Wish
    file: Path | None = None
    """The character; None: a creature is made from the sentence."""
    preset: str = "sketch"
    method: str = "fit"
    prior: str = "embedded"
    """`embedded`, a file that `gambol prior train` wrote, or a large model's name or folder."""
    frames: int | None = None
    """Of a large model's video."""
    size: tuple[int, int] | None = None
    """Height and width of a large model's video, pixels."""
    device: str | None = None
    reduce_keys: bool = False
    fbx: bool = False
    film: bool = True
    """Write film and report; without them a run is quicker."""
    scale: float | None = None
    facing: str | None = None


@dataclass(frozen=True)
class RunReport:
    """What a run came to."""

    folder: Path
    model: Path
    animated: Animated
    metrics: ClipMetrics
    notes: tuple[str, ...]
    written: tuple[Path, ...]


@dataclass
class Timings:
    """How long each part took, in this session."""

    parts: dict[str, dict[str, float]] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Measure a block."""
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            taken = {"seconds": time.perf_counter() - wall, "cpu_seconds": time.process_time() - cpu}
            self.parts[name] = {key: round(value, 3) for key, value in taken.items()}


def animate_file(
    request: RunRequest,
    output: Path,
    *,
    overwrite: bool = False,
    watch: bool = False,
    prior: VideoPrior[Any] | None = None,
    progress: Progress | None = None,
) -> RunReport:
    """Run it all; the same call again goes on where it was stopped. `prior` takes the place of the one named."""
    timings = Timings()
    with timings.part("load"):
        _check_output(request, output)
        asset, told = character_of(request)
    with open_run(output, run_settings(request, asset, prior), overwrite=overwrite) as folder:
        with timings.part("prior"):
            chosen = prior or prior_of(request)
        show = partial(write_preview, folder.path) if watch else None
        with timings.part("optimise"), watching(folder.path) if watch else nullcontext():
            animated = animate_asset(asset, chosen, request.wish, folder=folder, saved=show, progress=progress)
        return write_results(request, asset, animated, folder, timings, told, progress=progress)


def character_of(request: RunRequest) -> tuple[Asset, tuple[str, ...]]:
    """The file's character, rigged where it is a bare mesh, or one made from the sentence; and what to tell of it."""
    if request.file is not None:
        asset = load(request.file, scale=request.scale, facing=request.facing)
        notes: tuple[str, ...] = ()
        if asset.character.mesh is not None and asset.character.weights is None:
            from gambol.app.rig import rig_mesh

            rigged = rig_mesh(asset)
            asset = rigged.asset
            advice = "If that is wrong, rig it first: gambol rig FILE --template ... -o rigged.glb"
            notes = ("The file has no skeleton, so it gets one.", *rigged.notes, advice)
        asset.character.require_skin()
        return asset, notes
    creature = make_creature(request.wish.prompt)
    with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
        name = "-".join(creature.name.split()) or "creature"
        return load(export_scene(creature.scene, (), Path(folder) / f"{name}.glb")), ()


def prior_of(request: RunRequest) -> VideoPrior[Any]:
    """The prior by its name."""
    if request.prior == "embedded" or request.prior.endswith(".safetensors"):
        from gambol.priors.embedded.prior import load_embedded

        if request.frames is not None or request.size is not None:
            raise AssetError(
                "The embedded prior has its own frames and size; --frames and --size are for large models."
            )
        if request.device not in (None, "cpu"):
            raise AssetError(f"The embedded prior runs on the CPU, not on {request.device}; leave out --device.")
        return load_embedded(None if request.prior == "embedded" else Path(request.prior))
    import torch

    from gambol.priors.diffusers.load import load_prior
    from gambol.priors.diffusers.settings import PriorSettings

    height, width = request.size or (None, None)
    device = request.device or ("cuda" if torch.cuda.is_available() else "cpu")
    precision: Any = "bfloat16" if device != "cpu" else "float32"
    settings = PriorSettings(request.frames, height, width, request.wish.fps, device=device, precision=precision)
    return load_prior(request.prior, settings)


def run_settings(request: RunRequest, asset: Asset, prior: VideoPrior[Any] | None) -> dict[str, Any]:
    """All that decides the result, as plain data: two runs with the same settings give the same bytes."""
    wish = asdict(request.wish)
    finish, settings = wish.pop("finish"), wish.pop("settings")
    told = asdict(replace(request, wish=Wish("")))
    outputs = {name: told.pop(name) for name in ("reduce_keys", "fbx", "film")}
    return _plain(
        {
            "schema": SCHEMA,
            "prompt": wish.pop("prompt"),
            "character": asset.path.name,
            "method": f"{request.preset} {request.method}",
            "seed": settings["seed"],
            "file": None if request.file is None else _digest(request.file),
            "prior": _prior_identity(request, prior),
            **{key: value for key, value in told.items() if key not in ("wish", "file", "method", "prior")},
            **wish,
            "facing": asset.character.placement.facing,
            "video": None if request.wish.video is None else _digest(request.wish.video),
            "finish": finish,
            "settings": settings,
            OUTPUTS: outputs,
            "version": __version__,
        }
    )


def write_results(
    request: RunRequest,
    asset: Asset,
    animated: Animated,
    folder: RunFolder,
    timings: Timings,
    told_before: tuple[str, ...] = (),
    *,
    progress: Progress | None = None,
) -> RunReport:
    """File, film, numbers, report; each under its own name only when complete."""
    with timings.part("export"):
        target = folder.path / f"{asset.path.stem}.glb"
        change = _key_reducer(asset) if request.reduce_keys else None
        written = [export_clip(asset, animated.clip, target, change=change)]
        if request.fbx:
            written.append(export_clip(asset, animated.clip, target.with_suffix(".fbx"), change=change))
        # placed as the asset was: a clip that goes backwards must not turn the character round
        result = load(target, scale=asset.character.placement.scale, facing=asset.character.placement.facing)
    with timings.part("measure"):
        metrics = measure_last(result)
        notes = told_before + notes_of(request, asset, animated, metrics)
        told = {**asdict(metrics), **numbers_of(animated)}
        written.append(folder.write_json(METRICS, _plain({"schema": SCHEMA, **told})))
    if request.film:
        film, page = folder.path / FILM, folder.path / REPORT
        with timings.part("film"):
            write_run_film(result, result.clips[-1].name, animated.problem, film, progress=progress)
        with timings.part("report"):
            write_run_page(story_of(request, asset, animated, folder, told, notes), page)
        written += [film, page]
    written.append(folder.write_json(TIMINGS, {"schema": SCHEMA, "peak_memory": peak_memory(), **timings.parts}))
    return RunReport(folder.path, target, animated, metrics, notes, tuple(written))


def measure_last(asset: Asset) -> ClipMetrics:
    """All numbers of a file's last clip, as `gambol evaluate` finds them."""
    character = asset.character
    seen = observe_node_clip(character, find_anatomy(character), asset.clips[-1])
    return measure(seen, cuboids=character.cuboids)


def numbers_of(animated: Animated) -> dict[str, Any]:
    """What the run itself counted."""
    losses = {str(v.seed): round(v.loss, 6) for v in animated.variants}
    steps = animated.problem.settings.steps
    numbers: dict[str, Any] = {"prior_evaluations": animated.evaluations, "steps": animated.variants[0].state.step}
    if len(animated.variants) > 1:
        numbers |= {"seed": animated.variants[0].seed, "losses": losses}
    return numbers | ({"stopped_of": steps} if animated.stopped else {})


def notes_of(request: RunRequest, asset: Asset, animated: Animated, metrics: ClipMetrics) -> tuple[str, ...]:
    """Sentences for people: how the prompt was understood, what came of it, and whether the run was stopped."""
    notes = []
    if request.prior == "embedded":
        from gambol.priors.embedded.card import explain
        from gambol.priors.embedded.text.encoder import understand

        notes.append(explain(request.wish.prompt).splitlines()[0])
        wanted = understand(request.wish.prompt).motion if request.wish.prompt.strip() else metrics.motion
        if wanted != metrics.motion and not animated.stopped:
            advice = "Look at the film; another --seed is another motion, and --variants 4 picks the best of four."
            notes.append(f"The judge sees {metrics.motion}, not {wanted}. {advice}")
    travel = travel_note(animated.clip, request.wish.finish.travel, asset.character.size)
    notes += [travel] if travel is not None else []
    if animated.stopped:
        done, steps = animated.variants[0].state.step, animated.problem.settings.steps
        notes.append(f"Stopped after step {done} of {steps}: this is the motion so far. The same command goes on.")
    return tuple(notes)


def story_of(
    request: RunRequest,
    asset: Asset,
    animated: Animated,
    folder: RunFolder,
    metrics: dict[str, Any],
    notes: tuple[str, ...],
) -> RunPage:
    """The report's contents."""
    problem, best = animated.problem, animated.variants[0]
    moments = [("start", problem.curves.zeros()), *((f"step {s}", c) for s, c in best.state.kept)]
    if not best.state.kept or best.state.kept[-1][0] != best.state.step:
        moments.append((f"step {best.state.step}", best.state.coefficients))
    variants = []
    for variant in animated.variants if len(animated.variants) > 1 else ():
        told = f"Seed {variant.seed}: loss {variant.loss:.4g}"
        variants.append((told, iteration_strips(problem, [(f"seed {variant.seed}", variant.state.coefficients)])))
    return RunPage(
        request.wish.prompt or "(no sentence)",
        notes,
        folder.path / FILM,
        metrics,
        folder.log(),
        iteration_strips(problem, moments),
        variants,
        run_settings_table(request, asset, problem.settings),
        {"gambol": __version__, "python": platform.python_version(), **{n: version(n) for n in ("torch", "numpy")}},
    )


def run_settings_table(request: RunRequest, asset: Asset, settings: DistilSettings) -> dict[str, Any]:
    """The settings as the report shows them, without those that do not count for this method."""
    wish = request.wish
    unused = SCORES if only_fits(settings) else () if settings.settling else FILMS
    told = {
        "character": asset.path.name,
        "preset": request.preset,
        "method": request.method,
        "prior": request.prior,
        "negative": wish.negative or None,
        "start_clip": wish.start_clip,
        "video": None if wish.video is None else wish.video.name,
        **asdict(wish.finish),
        "fps": wish.fps,
        **{name: value for name, value in asdict(settings).items() if name not in unused},
        "keys": "reduce" if request.reduce_keys else "all",
    }
    return {name: value for name, value in _plain(told).items() if value is not None}


def _key_reducer(asset: Asset) -> Any:
    size = asset.character.size / asset.character.placement.scale

    def reduce(clip: NodeClip) -> NodeClip:
        return reduce_keys(clip, size)

    return reduce


def _check_output(request: RunRequest, output: Path) -> None:
    if output.suffix.lower() in READABLE and not output.is_dir():
        raise AssetError(
            f"{output} looks like a file; -o takes the folder of the run, such as {output.with_suffix('')}."
        )
    for given in (request.file, request.wish.video):
        if given is not None and output.is_dir() and given.resolve().parent == output.resolve():
            raise AssetError(
                f"{given} lies in {output} itself; a run holds its own files only. Give another folder to -o."
            )


def _prior_identity(request: RunRequest, prior: VideoPrior[Any] | None) -> str:
    if prior is not None:
        return type(prior).__name__
    if request.prior == "embedded":
        from gambol.priors.embedded.prior import WEIGHTS

        return f"embedded {_digest(WEIGHTS)[:16]}" if WEIGHTS.is_file() else "embedded"
    if request.prior.endswith(".safetensors"):
        return f"{Path(request.prior).name} {_digest(Path(request.prior))[:16]}"
    return request.prior


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise AssetError(f"{path} cannot be read: {error.strerror or error}.") from error


def _plain(value: Any) -> Any:
    """Tuples as lists, paths as text, so that what is written equals what is read."""
    if isinstance(value, dict):
        return {str(key): _plain(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inside) for inside in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
