"""`gambol animate`: from a file and a sentence to a run folder with one new clip, its film and its report."""

from __future__ import annotations

import hashlib
import platform
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gambol import __version__
from gambol.app.animate_character import Animated, animate_character, check_names
from gambol.app.animate_plan import AnimatePlan, resolve
from gambol.app.animate_request import AnimateFileRequest
from gambol.app.check_request import check_texts, default_prior
from gambol.app.field_outputs import field_observation, is_field, moved_splats, write_field_film, write_field_splats
from gambol.app.found_constraints import change_keys, constraint_reports, find_constraints, report_data
from gambol.app.generate import with_generated_character
from gambol.app.given_motion import film_prior
from gambol.app.plain_data import plain_data
from gambol.app.planned_segments import PlannedSegment, plan_segments
from gambol.app.run_folder import FILM, METRICS, OUTPUTS, REPORT, TIMINGS, RunFolder, open_run
from gambol.app.run_timings import Announce, Timings
from gambol.app.segment_runs import AfterStep
from gambol.app.steer_run import steer_run
from gambol.app.variant_story import variant_story
from gambol.app.watch_page import watching, write_preview
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.compile_kernel import CompiledKernels
from gambol.diffusion.video_prior import VideoPrior
from gambol.distill.run_methods import total_steps
from gambol.errors import AssetError, ConfigError
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.motion_definitions import SHOWN_SCORE, shows_motion
from gambol.evaluate.observation import Observation, observe_node_clip
from gambol.files.asset import Asset, export_clips, export_scene, load
from gambol.files.formats import READABLE
from gambol.motion.chosen_travel import travel_note
from gambol.priors.film.film_prior import FilmPrior
from gambol.priors.load import PriorSource, VideoOptions, find_prior
from gambol.progress import Progress, peak_memory
from gambol.view.run_film import film_moments, iteration_strips, write_run_film
from gambol.view.run_page import RunPage, write_run_page

SCHEMA = 3
"""Version of the files of a run."""


@dataclass(frozen=True)
class RunReport:
    """What a run came to."""

    folder: Path
    """The run folder."""
    model: Path
    """The character file with the new clip."""
    animated: Animated
    """All variants."""
    metrics: ClipMetrics
    """Measures of the new clip, as `gambol evaluate` finds them."""
    match: float | None
    """How clearly the clip shows the motion that was asked for, 0 to 1; None where it is not known or a sequence."""
    notes: tuple[str, ...]
    """Sentences for people."""
    written: tuple[Path, ...]
    """All files that were written."""
    timings: Mapping[str, Any]
    """What is in timings.json: seconds of each part of the run, and of compiling kernels, which are part of them."""


def animate_file(
    request: AnimateFileRequest,
    output: Path,
    *,
    overwrite: bool = False,
    watch: bool = False,
    prior: VideoPrior[Any] | None = None,
    announce: Announce | None = None,
    load_prior: Callable[[PriorSource, VideoOptions], VideoPrior[Any]] = PriorSource.load,
    after_step: AfterStep | None = None,
    steer: bool = False,
    progress: Progress | None = None,
) -> RunReport:
    """Animate a character file and write the run folder; the same call again resumes where it was stopped.

    `prior` takes the place of the one that the request names; `load_prior` may give one that is loaded already.
    `announce` is told what begins, `after_step` is called after every optimiser step.
    With `steer` a run that is under way takes the constraints of this request and goes on from the motion so far.
    """
    timings = Timings(announce, CompiledKernels(announce, progress))
    check_output(request, output)
    if request.generator is not None:
        with timings.part("generate"):
            request = with_generated_character(request, output)
    asked = request.request
    if prior is None and asked.video is not None and request.prior is None and asked.preset is None:
        prior = film_prior(asked)
    elif asked.video_camera is not None or asked.video_background is not None:
        raise ConfigError(
            "A large model sees the body with its own camera; leave out the film's camera and background."
        )
    source = None if prior is not None else find_prior(request.prior or default_prior(request.request.preset))
    options = VideoOptions(
        request.frames, request.size, request.request.prior_fps, request.device, request.offload, request.tile
    )
    if source is not None:
        source.check(options)
    kind = type(prior) if prior is not None else source.kind  # type: ignore[union-attr]
    check_texts(request.request, kind)
    plan = resolve(request.request, prior or kind)
    with timings.part("load"):
        asset, notes = load_character(request)
    check_names(request.request, asset)
    settings = run_settings(request, plan, asset, source, prior)
    if steer:
        settings = steer_run(output, settings)
    with open_run(output, settings, overwrite=overwrite) as folder:
        with timings.part("prior"):
            loaded = prior or load_prior(source, options)  # type: ignore[arg-type]
        segments = plan_segments(request.request, loaded)
        readings = [loaded.read_prompt(segment.prompt) for segment in segments]
        steps, done = total_steps(plan.methods), folder.steps_done()
        if watch:
            after_step = partial(write_preview, folder.path)
        with timings.part("optimise"), watching(folder.path) if watch else nullcontext():
            animated = animate_character(
                asset, loaded, request.request, folder=folder, after_step=after_step, progress=progress
            )
        notes += prior.notes if isinstance(prior, FilmPrior) else ()
        notes = (*notes, *sequence_notes(segments), *(note for reading in readings for note in reading.notes))
        motion = readings[0].motion if len(readings) == 1 else None
        report = write_results(request, asset, animated, folder, timings, notes, motion, progress=progress)
        steps *= request.request.variants * animated.tasks
        return replace(report, notes=(*resume_notes(done, steps), *report.notes))


def sequence_notes(segments: tuple[PlannedSegment, ...]) -> tuple[str, ...]:
    """What the user is told of the actions of a sequence; of one action nothing."""
    if len(segments) < 2:
        return ()
    told = [f"{i + 1}. {s.prompt}{' (added)' if s.added else ''}" for i, s in enumerate(segments)]
    return (f"Made one after the other: {'; '.join(told)}.",)


def resume_notes(done: int, steps: int) -> tuple[str, ...]:
    """What the user is told of a run that was there before, after `done` of its steps in all variants."""
    if done >= steps:
        return ("This run was already complete; its files were written again from the last checkpoint.",)
    return (f"Resumed after step {done} of {steps}.",) if done else ()


def load_character(request: AnimateFileRequest) -> tuple[Asset, tuple[str, ...]]:
    """The file's character, rigged where it is a bare mesh, or one made from the sentence; and notes on it."""
    if request.file is not None:
        asset = load(request.file, scale=request.scale, facing=request.facing, character=request.character)
        notes: tuple[str, ...] = ()
        if asset.character.mesh is not None and asset.character.weights is None:
            from gambol.app.rig import rig_mesh

            rigged = rig_mesh(asset)
            asset = rigged.asset
            advice = "If that is wrong, rig it first: gambol rig FILE --template ... -o rigged.glb"
            notes = ("The file has no skeleton, so it gets one.", *rigged.notes, advice)
        asset.character.require_skin()
        return asset, notes
    from gambol.creatures.catalogue import make_creature

    creature = make_creature(request.request.first_prompt)
    with tempfile.TemporaryDirectory(prefix="gambol-") as folder:
        name = "-".join(creature.name.split()) or "creature"
        return load(export_scene(creature.scene, (), Path(folder) / f"{name}.glb")), ()


def run_settings(
    request: AnimateFileRequest,
    plan: AnimatePlan,
    asset: Asset,
    source: PriorSource | None,
    prior: VideoPrior[Any] | None,
) -> dict[str, Any]:
    """Everything that decides the result, as plain data: two runs with the same settings give the same bytes."""
    asked = request.request
    digest = None if request.file is None else _digest(request.file)
    return {
        "schema": SCHEMA,
        "prompt": asked.title,
        "character": asset.path.name,
        "method": f"{plan.preset} {plan.method_names}",
        "seed": asked.seed,
        "file": digest,
        "named_character": request.character,
        "prior": prior.identity if prior is not None else source.identity,  # type: ignore[union-attr]
        "facing": asset.character.placement.facing,
        "scale": request.scale,
        "frames": request.frames,
        "size": plain_data(request.size),
        "device": request.device,
        "request": plain_data(asked) | {"video": None if asked.video is None else _digest(asked.video)},
        "plan": plain_data(plan),
        OUTPUTS: plain_data(request.outputs),
        "version": __version__,
    }


def write_results(
    request: AnimateFileRequest,
    asset: Asset,
    animated: Animated,
    folder: RunFolder,
    timings: Timings,
    notes: tuple[str, ...] = (),
    expected_motion: str | None = None,
    *,
    progress: Progress | None = None,
) -> RunReport:
    """Write the model file, film, metrics and report; each gets its name only when it is complete."""
    outputs = request.outputs
    with timings.part("export"):
        target = folder.path / f"{asset.path.stem}.glb"
        constraints = find_constraints(asset, request.request.constraints)
        change = partial(change_keys, asset, constraints, reduce=outputs.reduce_keys)
        told = [made.extras(asset.character.placement.scale) for made in animated.clips]
        clips = tuple(made.clip for made in animated.clips)
        writing = partial(export_clips, asset, clips, change=change, extras=told, root_bone=outputs.root_bone)
        written = [writing(target)]
        best = animated.variants[0].runs[0]
        splats = moved_splats(best, request.request.splats) if is_field(best) else None
        if splats is not None:
            written += write_field_splats(splats, folder.path)
        if outputs.fbx:
            written.append(writing(target.with_suffix(".fbx")))
        # placed as the asset was: a clip that goes backwards must not turn the character round
        placement = asset.character.placement
        result = load(target, scale=placement.scale, facing=placement.facing, character=request.character)
    with timings.part("measure"):
        seen = observe_last(result) if splats is None else field_observation(best, result.clips[-1].name)
        metrics = measure(seen, cuboids=result.character.cuboids)
        match = None if expected_motion is None else shows_motion(seen, expected_motion)
        missing = expected_motion if match is not None and match < SHOWN_SCORE else None
        notes += result_notes(request, asset, animated, metrics, missing)
        reports = constraint_reports(asset, animated.clip, constraints)
        notes += tuple(one.note for one in reports if one.note)
        numbers = {**asdict(metrics), **run_numbers(animated)}
        kept = {"constraints": report_data(reports)} if reports else {}
        written.append(folder.write_json(METRICS, plain_data({"schema": SCHEMA, **numbers, **kept})))
    if outputs.film:
        film, page = folder.path / FILM, folder.path / REPORT
        with timings.part("film"):
            drawn: dict[str, Any] = {"title": request.request.title, "view": outputs.view, "size": outputs.film_size}
            if splats is not None:
                write_field_film(splats, best, film, progress=progress, **drawn)
            else:
                observer = animated.problem.observer
                write_run_film(result, result.clips[-1].name, observer, film, progress=progress, **drawn)
        with timings.part("report"):
            write_run_page(run_story(request, asset, result, animated, folder, numbers, notes), page)
        written += [film, page]
    spent = {"schema": SCHEMA, "peak_memory": peak_memory(), **timings.parts, **timings.compiled()}
    written.append(folder.write_json(TIMINGS, spent))
    return RunReport(folder.path, target, animated, metrics, match, notes, tuple(written), spent)


def observe_last(asset: Asset) -> Observation:
    """A file's last clip as `gambol evaluate` sees it."""
    return observe_node_clip(asset.character, find_anatomy(asset.character), asset.clips[-1])


def run_numbers(animated: Animated) -> dict[str, Any]:
    """What the run itself knows: the clip's frame rate, evaluations, steps, losses of the variants."""
    losses = {str(v.seed): round(v.loss, 6) for v in animated.variants}
    numbers: dict[str, Any] = {
        "fps": animated.clip.fps,
        "prior_evaluations": animated.evaluations,
        "steps": sum(run.state.step for run in animated.variants[0].runs),
    }
    if len(animated.variants) > 1:
        numbers |= {"seed": animated.variants[0].seed, "losses": losses}
    numbers["clips"] = [{"name": made.clip.name, **made.extras(1.0)} for made in animated.clips]
    return numbers | ({"stopped_of": animated.tasks * total_steps(animated.plan.methods)} if animated.stopped else {})


def result_notes(
    request: AnimateFileRequest, asset: Asset, animated: Animated, metrics: ClipMetrics, missing: str | None
) -> tuple[str, ...]:
    """Sentences for people: what the result does not show of what was asked for, and whether the run was stopped."""
    notes = []
    if missing is not None and not animated.stopped:
        advice = "Another --seed gives another motion, and --variants 4 picks the best of four."
        notes.append(f"The recogniser sees {metrics.motion}, not {missing}. {advice}")
    travel = travel_note(animated.clip, animated.plan.post.travel, asset.character.size)
    notes += [travel] if travel is not None else []
    seconds = request.request.seconds
    if isinstance(animated.plan.post.travel, float) and seconds and abs(animated.clip.duration - seconds) > 0.1:
        notes.append(
            f"The clip lasts {animated.clip.duration:.1f} s, not {seconds:g}: it is played at the speed asked for."
        )
    if len(animated.variants) > 1:
        notes.append(f"Of {len(animated.variants)} variants, seed {animated.variants[0].seed} has the least loss.")
    if animated.stopped:
        steps = animated.tasks * total_steps(animated.plan.methods)
        done = sum(run.state.step for run in animated.variants[0].runs)
        notes.append(f"Stopped after step {done} of {steps}: this is the motion so far. The same command resumes.")
    return tuple(notes)


def run_story(
    request: AnimateFileRequest,
    asset: Asset,
    result: Asset,
    animated: Animated,
    folder: RunFolder,
    metrics: dict[str, Any],
    notes: tuple[str, ...],
) -> RunPage:
    """The contents of the report."""
    problem, best = animated.problem, animated.variants[0]
    moments = [("start", problem.parameters.zeros()), *((f"step {s}", c) for s, c in best.state.snapshots)]
    if not best.state.snapshots or best.state.snapshots[-1][0] != best.state.step:
        moments.append((f"step {best.state.step}", best.state.coefficients))
    variants, player = variant_story(asset, result, animated, character=request.character)
    return RunPage(
        request.request.title or "(no sentence)",
        notes,
        player,
        folder.path / FILM,
        film_moments(folder.path / FILM),
        metrics,
        folder.log(),
        iteration_strips(problem, moments),
        variants,
        settings_table(request, asset, animated.plan, animated.problem.prior.identity),
        {"gambol": __version__, "python": platform.python_version(), **{n: version(n) for n in ("torch", "numpy")}},
    )


def settings_table(request: AnimateFileRequest, asset: Asset, plan: AnimatePlan, prior: str) -> dict[str, Any]:
    """The settings as the report shows them."""
    asked = request.request
    methods = {f"{i + 1}. {type(m).__name__}": _one_line(m) for i, m in enumerate(plan.methods)}
    losses = {f"loss {loss.name}": loss.weight for loss in plan.losses}
    table = {
        "character": asset.path.name,
        "preset": plan.preset,
        "prior": prior,
        "seed": asked.seed,
        "negative": asked.negative or None,
        "start clip": asked.start_clip,
        "video": None if asked.video is None else asked.video.name,
        **methods,
        **losses,
        "motion": _one_line(plan.motion),
        "observer": _one_line(plan.observer),
        "post-processing": _one_line(plan.post),
        "keys": "reduced" if request.outputs.reduce_keys else "all",
    }
    return {name: value for name, value in table.items() if value is not None}


def _one_line(config: Any) -> str:
    values = {k: v for k, v in plain_data(config).items() if k != "type" and v not in (None, [])}
    return ", ".join(f"{k} {v:.4g}" if isinstance(v, float) else f"{k} {v}" for k, v in values.items())


def check_output(request: AnimateFileRequest, output: Path) -> None:
    """Refuse an output that is a file, or a folder that holds an input."""
    if output.suffix.lower() in READABLE and not output.is_dir():
        raise AssetError(
            f"{output} looks like a file; -o takes the folder of the run, such as {output.with_suffix('')}."
        )
    for given in (request.file, request.request.video):
        if given is not None and output.is_dir() and given.resolve().parent == output.resolve():
            raise AssetError(
                f"{given} lies in {output} itself; a run holds its own files only. Give another folder to -o."
            )


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise AssetError(f"{path} cannot be read: {error.strerror or error}.") from error
