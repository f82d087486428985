"""The verb `animate`: a sentence becomes motion."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gambol.cli.console import console, escape, progress_bar
from gambol.errors import AssetError, GambolError

if TYPE_CHECKING:
    from gambol.app.animate import RunReport
    from gambol.distill.settings import DistilSettings


class Stopped(GambolError):
    """Ctrl-C came, and what was there was written."""


def animate(
    words: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[FILE] SENTENCE")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="RUN")],
    preset: Literal["sketch", "draft", "paper"] = "sketch",
    method: Literal["sds", "annealed", "fit"] | None = None,
    prior: Annotated[str | None, tyro.conf.arg(metavar="NAME|FOLDER|FILE")] = None,
    seed: int = 0,
    variants: int = 1,
    steps: int | None = None,
    guidance: float | None = None,
    seconds: float | None = None,
    loop: bool = False,
    in_place: bool = False,
    travel: Annotated[str | None, tyro.conf.arg(metavar="SPEED|PATH")] = None,
    start_clip: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None,
    lock: Annotated[tuple[str, ...], tyro.conf.arg(metavar="JOINT ...")] = (),
    foot_lock: bool = True,
    keys: Literal["all", "reduce"] = "all",
    video: Annotated[Path | None, tyro.conf.arg(metavar="FILM")] = None,
    negative: str = "",
    frames: int | None = None,
    size: Annotated[str | None, tyro.conf.arg(metavar="HxW")] = None,
    fps: Annotated[float | None, tyro.conf.arg(metavar="FPS")] = None,
    device: str | None = None,
    curves: Literal["cosine", "spline", "free"] | None = None,
    smoothness: Literal["ours", "paper", "off"] | None = None,
    ground: Literal["ours", "paper", "off"] | None = None,
    limits: bool = True,
    no_skate: Annotated[float, tyro.conf.arg(metavar="WEIGHT")] = 0.0,
    pose_prior: Annotated[float, tyro.conf.arg(metavar="WEIGHT")] = 0.0,
    fbx: bool = False,
    film: bool = True,
    overwrite: bool = False,
    watch: bool = False,
    scale: Annotated[float | None, tyro.conf.arg(metavar="METRES_PER_UNIT")] = None,
    facing: Annotated[str | None, tyro.conf.arg(metavar="+x|-x|+z|-z")] = None,
) -> None:
    """Give a character motion from a sentence.

    gambol animate fox.glb "a fox is running" -o RUN

    Writes RUN/: the file with one more clip (.glb), film.mp4, report.html, metrics.json, settings.json, log.jsonl,
    timings.json and checkpoints. The same command again goes on where it was stopped.

    Args:
        words: A character file and what it does; without a file a creature is made from the sentence.
        output: Folder of the run.
        preset: sketch: the embedded prior, any computer; draft and paper: a large video model on a GPU.
        method: fit: ask the prior for films and fit the joints to them (the sketch, where nothing else is said); sds:
            score distillation (the others, loops and clips that are refined); annealed: the same with noise levels
            and guidance from high to low.
        prior: embedded, a file that `gambol prior train` wrote, or a large model by name or folder.
        seed: Another seed, another motion.
        variants: So many seeds; the best by the losses of prior and penalties is written, all are in the report.
        steps: Steps of the optimisation; the preset's where not given.
        guidance: How strongly the sentence counts; the preset's where not given.
        seconds: Length of the clip; the prior's window where not given.
        loop: Make a seamless cycle.
        in_place: Keep the character on the spot.
        travel: Speed in m/s, or a path in metres: '0,0 2,0 3,1' (x ahead, z to the right).
        start_clip: Refine this clip of the file.
        lock: Joints that keep their rest pose.
        foot_lock: Lock standing feet to the ground.
        keys: reduce: few editable keys within a tolerance, in place of one per frame.
        video: Fit the joints to this film, made as the prior sees things.
        negative: What the motion should not be.
        frames: Frames of a large model's video.
        size: Height and width of a large model's video.
        fps: Frames per second that the prior's film counts as; the prior's own where not given. Clips are written
            at 30.
        device: cpu or cuda, for large models.
        curves: What motion is made of: cosines, a B-spline, or free numbers per frame (paper).
        smoothness: Which smoothness term: ours, the paper's (eq. 9), none; the preset's where not given.
        ground: Which ground term: ours, the paper's on bone boxes (eq. 10), none; the preset's where not given.
        limits: Joint limits from the anatomy.
        no_skate: Weight of the term against sliding feet, where the way is part of the motion (large models).
        pose_prior: Weight of the pose space (`gambol pose`): every frame stays a plausible pose; 1 is a good start.
        fbx: Write an .fbx too.
        film: Write film and report.
        overwrite: Start anew in a folder that holds another run.
        watch: Keep RUN/watch.html up to date while it goes on: loss curves and what the prior is shown.
        scale: Metres per file unit; found out where not given.
        facing: The file's axis that the character looks along; found out where not given.
    """
    from gambol.app.animate import PRESETS, RunRequest, animate_file
    from gambol.app.animate_variants import Wish
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.settings import VIDEO_STEPS, guided, with_method, with_steps

    file, sentence = _file_and_sentence(words)
    settings, own_prior = PRESETS[preset]
    chosen = prior or own_prior
    own = chosen == "embedded" or chosen.endswith(".safetensors")
    settings = replace(settings, seconds=seconds, loop=loop, film=settings.film if own else "sample")
    if method is None:
        has_films = not loop and start_clip is None and (own or seconds is None)
        method = "fit" if preset == "sketch" and has_films else "sds"
    if video is not None and (seconds is not None or loop or start_clip is not None or method in ("sds", "annealed")):
        raise AssetError("A --video is fitted to as it is: leave out --seconds, --loop, --start-clip and --method.")
    if start_clip is not None and method == "fit":
        raise AssetError("A clip is refined by the prior's scores; with --start-clip the method is sds or annealed.")
    if no_skate and own:
        raise AssetError("--no-skate is for large models: on the embedded prior's stage the feet tell the way.")
    method = "fit" if video is not None else method
    settings = with_method(settings, method)
    if video is not None and own:
        settings = with_steps(settings, VIDEO_STEPS)
    if steps is not None:
        if steps < 1:
            raise AssetError(f"--steps is {steps}; it must be 1 or more.")
        settings = with_steps(settings, steps)
    if start_clip is not None:
        settings = _refining(settings)
    settings = replace(
        settings,
        seed=seed,
        locked=lock,
        curves=curves or settings.curves,
        pose_prior=pose_prior,
    )
    settings = _with_terms(guided(settings, guidance), smoothness, ground, limits, no_skate)
    finish = PostProcessing(foot_lock=foot_lock, in_place=in_place, travel=travel)
    request = RunRequest(
        Wish(sentence, settings, finish, negative, variants, start_clip, video, fps),
        file,
        preset,
        method,
        chosen,
        frames,
        None if size is None else _size(size),
        device,
        keys == "reduce",
        fbx,
        film,
        scale,
        facing,
    )
    with progress_bar() as progress:
        report = animate_file(request, output, overwrite=overwrite, watch=watch, progress=progress)
    _print_report(report)


def _file_and_sentence(words: tuple[str, ...]) -> tuple[Path | None, str]:
    from gambol.files.formats import READABLE

    if len(words) == 2:
        return Path(words[0]), words[1]
    if len(words) == 1 and Path(words[0]).suffix.lower() not in READABLE:
        return None, words[0]
    given = "nothing" if not words else " ".join(repr(word) for word in words)
    raise AssetError(f'{given} was given; animate takes [FILE] and a sentence in quotes: fox.glb "a fox is running".')


def _refining(settings: DistilSettings) -> DistilSettings:
    """A clip that is there already is changed, not made anew: levels at which the prior still sees it."""
    from gambol.diffusion.noise_schedules import FallingBound, Ramp

    return replace(settings, settling=0, levels=FallingBound(0.3, Ramp(0.9, 0.6, settings.steps)))


def _with_terms(
    settings: DistilSettings, smoothness: str | None, ground: str | None, limits: bool, skate: float
) -> DistilSettings:
    from gambol.distill.penalties import PAPER_PENALTIES, PenaltyWeights

    weights, ours, paper = settings.penalties, PenaltyWeights(), PAPER_PENALTIES
    # with a gradient that is divided by the frames, the paper's weights are so too
    share = 1.0 if not settings.per_frame else 1e-6
    if smoothness is not None:
        own, theirs = ours.smooth * (smoothness == "ours"), share * paper.paper_smooth * (smoothness == "paper")
        weights = replace(weights, smooth=own, paper_smooth=theirs)
    if ground is not None:
        own, theirs = ours.ground * (ground == "ours"), share * paper.paper_ground * (ground == "paper")
        weights = replace(weights, ground=own, paper_ground=theirs)
    return replace(settings, penalties=replace(weights, limits=weights.limits if limits else 0.0, skate=skate))


def _size(text: str) -> tuple[int, int]:
    try:
        height, width = (int(x) for x in text.lower().split("x"))
    except ValueError:
        raise AssetError(f"--size is {text!r}; it takes height x width in pixels, as 480x720.") from None
    return height, width


def _print_report(report: RunReport) -> None:
    out, metrics = console(), report.metrics
    for note in report.notes:
        out.print(escape(note), highlight=False, soft_wrap=True)
    out.print(
        f"{escape(metrics.clip)}: {metrics.seconds:.1f} s, {metrics.speed:.2f} m/s; the judge sees "
        f"'{metrics.motion}' ({metrics.confidence:.0%} sure), motion amount {metrics.motion_amount:.2f} sizes/s",
        highlight=False,
        soft_wrap=True,
    )
    out.print(f"{report.animated.evaluations} evaluations of the prior's network", highlight=False)
    for path in report.written:
        out.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
    if report.animated.stopped:
        raise Stopped(f"Stopped early; {report.folder} holds the result so far, and the same command goes on.")
