"""The verb `animate`: a sentence becomes motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from gambol.app.check_arguments import check_prior_name, check_prompt
from gambol.cli.arguments import READ_AS_IT_IS, ArgumentCheck, Loading
from gambol.cli.console import console, escape, progress_bar
from gambol.errors import ConfigError, GambolError

if TYPE_CHECKING:
    from gambol.app.animate import RunReport


class Stopped(GambolError):
    """The user stopped the run; what was there was written."""


def animate(
    words: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[FILE] SENTENCE")],
    /,
    *,
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="RUN")],
    preset: Literal["sketch", "draft", "paper"] | None = None,
    method: Literal["sds", "annealed", "fit"] | None = None,
    prior: Annotated[str | None, tyro.conf.arg(metavar="NAME|FOLDER|FILE"), ArgumentCheck(check_prior_name)] = None,
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
    name: str | None = None,
    keys: Literal["all", "reduce"] = "all",
    video: Annotated[Path | None, tyro.conf.arg(metavar="FILM")] = None,
    negative: str = "",
    frames: int | None = None,
    size: Annotated[str | None, tyro.conf.arg(metavar="HxW")] = None,
    fps: float = 30.0,
    prior_fps: Annotated[float | None, tyro.conf.arg(metavar="FPS")] = None,
    device: str | None = None,
    offload: Literal["none", "models", "layers"] = "none",
    tile: Annotated[int | None, tyro.conf.arg(metavar="PIXELS")] = None,
    views: int | None = None,
    splats: int | None = None,
    basis: Literal["cosine", "spline", "free"] | None = None,
    smoothness: Literal["ours", "paper", "off"] | None = None,
    ground: Literal["ours", "paper", "off"] | None = None,
    limits: bool = True,
    skate: Annotated[float, tyro.conf.arg(metavar="WEIGHT")] = 0.0,
    pose_prior: Annotated[float, tyro.conf.arg(metavar="WEIGHT")] = 0.0,
    fbx: bool = False,
    film: bool = True,
    overwrite: bool = False,
    watch: bool = False,
    loading: Loading = READ_AS_IT_IS,
) -> None:
    """Give a character motion from a sentence.

    gambol animate fox.glb "a fox is running" -o RUN

    Writes RUN/: the file with one more clip (.glb), film.mp4, report.html, metrics.json, settings.json, log.jsonl,
    timings.json and checkpoints. The same command again resumes where it was stopped.

    Args:
        words: A character file and what it does; without a file a creature is made from the sentence.
        output: Folder of the run.
        preset: sketch: the embedded prior, any computer; draft and paper: a large video model on a GPU. Default: the
            one that suits the prior.
        method: fit: fit the joints to what the prior proposes (the sketch's default); sds: score distillation (the
            default of the others, of loops and of clips that are refined); annealed: score distillation with noise
            levels and guidance from high to low.
        prior: embedded, a file that `gambol prior train` wrote, or a large model by name or folder.
        seed: Seed of all random numbers; another seed gives another motion.
        variants: Number of seeds; the clip with the least loss is written, all are in the report.
        steps: Optimiser steps. Default: the preset's.
        guidance: How strongly the sentence counts. Default: the preset's.
        seconds: Length of the clip. Default: the length of the prior's video.
        loop: Make a seamless cycle.
        in_place: Keep the character on the spot.
        travel: Speed in m/s, or a path in metres: '0,0 2,0 3,1' (x ahead, z to the right).
        start_clip: Refine this clip of the file.
        lock: Joints that keep their start pose.
        foot_lock: Lock standing feet to the ground.
        name: Name of the new clip. Default: the sentence.
        keys: reduce: few editable keys within a tolerance, in place of one per frame.
        video: Fit the joints to this video, which must look like the prior's own (`gambol prior sample` makes one).
        negative: What the motion should not be.
        frames: Frames of a large model's video.
        size: Height and width of a large model's video.
        fps: Frames per second of the clip.
        prior_fps: Frames per second of the prior's video. Default: the prior's own.
        device: cpu or cuda, for large models.
        offload: models: only the network of a large model that is in use is on the device; layers: only the layers.
        tile: Side of the tiles in which a large model encodes pictures. Default: whole pictures.
        views: Number of views that the prior is shown, where it takes several. Default: the prior's own.
        splats: Number of splats that the prior is shown. Default: the prior's own.
        basis: Basis functions of the motion in time: cosines, a B-spline, or free numbers per frame (the paper's).
        smoothness: Which smoothness loss: ours, the paper's (eq. 9), none. Default: the preset's.
        ground: Which ground loss: ours, the paper's on bone cuboids (eq. 10), none. Default: the preset's.
        limits: Joint limits from the anatomy.
        skate: Weight of the loss against sliding feet, for large models, which see the root's travel.
        pose_prior: Weight of the pose space (`gambol pose`): every frame stays a plausible pose; 1 is a good start.
        fbx: Write an .fbx too.
        film: Write film and report.
        overwrite: Start anew in a folder that holds another run.
        watch: Keep RUN/watch.html up to date during the run: loss curves and what the prior is shown.
        loading: How the file is read.
    """
    file, sentence = _file_and_sentence(words)
    check_prompt(sentence, prior=prior, preset=preset)
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest

    request = AnimateFileRequest(
        AnimateRequest(
            prompt=sentence,
            negative=negative,
            name=name,
            preset=preset,
            method=method,
            steps=steps,
            guidance=guidance,
            seed=seed,
            variants=variants,
            seconds=seconds,
            loop=loop,
            start_clip=start_clip,
            video=video,
            prior_fps=prior_fps,
            fps=fps,
            views=views,
            splats=splats,
            lock=lock,
            basis=basis,
            smoothness=smoothness,
            ground=ground,
            limits=limits,
            skate=skate,
            pose_prior=pose_prior,
            in_place=in_place,
            travel=travel,
            foot_lock=foot_lock,
        ),
        file=file,
        prior=prior,
        frames=frames,
        size=None if size is None else _size(size),
        device=device,
        offload=offload,
        tile=tile,
        **loading.keywords(),
        outputs=AnimateOutputs(reduce_keys=keys == "reduce", fbx=fbx, film=film),
    )
    from gambol.app.animate import animate_file

    with progress_bar() as progress:
        report = animate_file(request, output, overwrite=overwrite, watch=watch, progress=progress)
    _print_report(report)


def _file_and_sentence(words: tuple[str, ...]) -> tuple[Path | None, str]:
    from gambol.app.check_arguments import READABLE, check_source

    if len(words) == 2:
        return check_source(words[0]), words[1]
    if len(words) == 1 and Path(words[0]).suffix.lower() not in READABLE:
        return None, words[0]
    given = "nothing" if not words else " ".join(repr(word) for word in words)
    raise ConfigError(f'{given} was given; animate takes [FILE] and a sentence in quotes: fox.glb "a fox is running".')


def _size(text: str) -> tuple[int, int]:
    try:
        height, width = (int(x) for x in text.lower().split("x"))
    except ValueError:
        raise ConfigError(f"--size is {text!r}; it takes height x width in pixels, as 480x720.") from None
    return height, width


def _print_report(report: RunReport) -> None:
    out, metrics = console(), report.metrics
    for note in report.notes:
        out.print(escape(note), highlight=False, soft_wrap=True)
    out.print(
        f"{escape(metrics.clip)}: {metrics.seconds:.1f} s, {metrics.speed:.2f} m/s; the recogniser sees "
        f"'{metrics.motion}' ({metrics.confidence:.0%} sure), motion amount {metrics.motion_amount:.2f} sizes/s",
        highlight=False,
        soft_wrap=True,
    )
    out.print(f"{report.animated.evaluations} evaluations of the prior's network", highlight=False)
    for path in report.written:
        out.print(f"[green]wrote[/] {escape(str(path))}", highlight=False)
    if report.animated.stopped:
        raise Stopped(f"Stopped early; {report.folder} holds the result so far, and the same command resumes.")
