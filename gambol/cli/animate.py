"""The verb `animate`: a sentence becomes motion.

Most options are the arguments of `animate` in `gambol/__init__.py`; those of files and devices are declared here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro

from gambol.app.check_arguments import check_existing_file, check_generator_name, check_prior_name, check_prompt
from gambol.cli.arguments import ArgumentCheck, CharacterName, Facing, Scale, options_of
from gambol.cli.console import escape, print_phase, progress_bar, report_written, say
from gambol.cli.constraint_options import CONSTRAINT_OPTIONS, constraints_of
from gambol.errors import ConfigError, GambolError

if TYPE_CHECKING:
    from gambol.app.animate import RunReport


class Stopped(GambolError):
    """The user stopped the run; what was there was written."""


@options_of(
    "gambol.animate",
    without=("losses", "constraints", "segments", "style"),
    prior=Annotated[str | None, tyro.conf.arg(metavar="NAME|FOLDER|FILE"), ArgumentCheck(check_prior_name)],
    representation=Literal["joints", "field"],
    method=Literal["sds", "annealed", "fit"] | None,
    travel=Annotated[str | None, tyro.conf.arg(metavar="SPEED|PATH")],
    lock=Annotated[tuple[str, ...], tyro.conf.arg(metavar="JOINT ...")],
    video=Annotated[Path | None, tyro.conf.arg(metavar="FILM")],
    video_camera="AZIMUTH,ELEVATION",
    video_background="PICTURE|COLOUR",
    start_clip="NAME",
    prior_fps="FPS",
    skate="WEIGHT",
    pose_prior="WEIGHT",
)
@options_of("gambol.app.constraint_arguments.constraint_arguments", **CONSTRAINT_OPTIONS)
def animate(
    words: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[FILE] SENTENCE")],
    /,
    *,
    then: Annotated[tuple[str, ...], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="SENTENCE[:SECONDS]")] = (),
    request: Annotated[Path | None, tyro.conf.arg(metavar="JSON"), ArgumentCheck(check_existing_file)] = None,
    export: tuple[Literal["root-motion", "in-place", "loop"], ...] = (),
    root_bone: Literal["hips", "root"] = "hips",
    style: Annotated[tuple[str, ...], tyro.conf.arg(metavar="AXIS=NUMBER ...")] = (),
    output: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="RUN")],
    generator: Annotated[str | None, tyro.conf.arg(metavar="NAME"), ArgumentCheck(check_generator_name)] = None,
    frames: int | None = None,
    size: Annotated[str | None, tyro.conf.arg(metavar="HxW")] = None,
    device: str | None = None,
    offload: Literal["none", "models", "layers"] = "none",
    tile: Annotated[int | None, tyro.conf.arg(metavar="PIXELS")] = None,
    keys: Literal["all", "reduce"] = "all",
    fbx: bool = False,
    film: bool = True,
    film_size: Annotated[str | None, tyro.conf.arg(metavar="WxH")] = None,
    view: Literal["three-quarter", "side", "front", "top"] = "three-quarter",
    open: bool = False,
    overwrite: bool = False,
    watch: bool = False,
    scale: Scale = None,
    facing: Facing = None,
    character: CharacterName = None,
    **options: Any,
) -> None:
    """Give a character motion from a sentence.

    gambol animate fox.glb "a fox is running" -o RUN

    Writes RUN/: the file with one more clip (.glb), film.mp4, report.html, metrics.json, settings.json, log.jsonl,
    timings.json and checkpoints. The same command again resumes where it was stopped.

    Args:
        words: A character file and what it does; without a file a creature is made from the sentence.
        then: What the character does next; may be given several times. ':SECONDS' behind a sentence is its length, also
            behind the first one: "a fox walks:3" --then "jumps" --then "walks away:2".
        request: A file that holds the request (docs/control.md); options that are given beside it take the place of its
            fields.
        export: Variants that are written as clips of one file: root-motion, in-place, loop.
        root_bone: Node that carries travel over the ground and heading: the hips, or the root above them.
        style: Numbers of the style, as tempo=0.8 bounce=1.3 head=-0.2; docs/control.md lists the axes.
        output: Folder of the run.
        method: fit: fit the joints to what the prior proposes (the sketch's default); sds: score distillation (the
            default of the others, of loops and of clips that are refined); annealed: score distillation with noise
            levels and guidance from high to low.
        generator: Make the character from the sentence's subject by text-to-3D, as `gambol new --generator` does, and
            rig it; it is kept beside the run.
        variants: Number of seeds; the clip with the least loss is written, all are in the report.
        prior: embedded, a file that `gambol prior train` wrote, or a large model by name or folder.
        frames: Frames of a large model's video.
        size: Height and width of a large model's video.
        device: cpu or cuda, for large models.
        offload: models: only the network of a large model that is in use is on the device; layers: only the layers.
        tile: Side of the tiles in which a large model encodes pictures. Default: whole pictures.
        keys: reduce: few editable keys within a tolerance, in place of one per frame.
        fbx: Write an .fbx too.
        film: Write film and report.
        film_size: Width and height of the film in pixels. Default: 1280x720.
        view: The view that the film shows large.
        open: Show the report in the browser at the end.
        overwrite: Start anew in a folder that holds another run.
        watch: Keep RUN/watch.html up to date during the run: loss curves and what the prior is shown.
        scale: Metres per file unit. Default: found from the file.
        facing: The file's axis that the character faces along. Default: found from the file.
        character: Which of several characters in the file. Default: the largest.
    """
    file, sentence = _file_and_sentence(words, optional=request is not None)
    constraints = constraints_of(options)
    prior = options.pop("prior")
    from gambol.app.animate_request import FILM_SIZE, AnimateFileRequest, parse_film_size
    from gambol.app.request_options import outputs_from_options, request_from_options

    given = {**options, "exports": export, "style": style}
    if wanted := constraints():
        given["constraints"] = wanted
    asked = request_from_options(sentence, then=then, file=request, options=given)
    for prompt in asked.prompts:
        check_prompt(prompt, negative=asked.negative, prior=prior, preset=asked.preset)
    file_request = AnimateFileRequest(
        asked,
        file=file,
        generator=generator,
        character=character,
        prior=prior,
        frames=frames,
        size=None if size is None else _size(size),
        device=device,
        offload=offload,
        tile=tile,
        scale=scale,
        facing=facing,
        outputs=outputs_from_options(
            request,
            {
                "reduce_keys": keys == "reduce",
                "fbx": fbx,
                "film": film,
                "film_size": FILM_SIZE if film_size is None else parse_film_size(film_size),
                "view": view,
                "root_bone": root_bone,
            },
        ),
    )
    from gambol.app.animate import animate_file

    with progress_bar() as progress:
        report = animate_file(
            file_request, output, overwrite=overwrite, watch=watch, announce=print_phase, progress=progress
        )
    _print_report(report)
    if film:
        _show(report, open_page=open)
    if report.animated.stopped:
        raise Stopped(f"Stopped early; {report.folder} holds the result so far, and the same command resumes.")


def _file_and_sentence(words: tuple[str, ...], *, optional: bool) -> tuple[Path | None, str]:
    from gambol.app.check_arguments import READABLE, check_source

    if optional and not words:
        return None, ""
    if optional and len(words) == 1 and Path(words[0]).suffix.lower() in READABLE:
        return check_source(words[0]), ""

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
    metrics = report.metrics
    for note in report.notes:
        say(escape(note))
    say(
        f"{escape(metrics.clip)}: {metrics.seconds:.1f} s, {metrics.speed:.2f} m/s; the recogniser sees "
        f"'{metrics.motion}' ({metrics.confidence:.0%} sure), motion amount {metrics.motion_amount:.2f} sizes/s"
    )
    say(f"{report.animated.evaluations} evaluations of the prior's network; {_spent(report)}")
    report_written(*report.written)


def _spent(report: RunReport) -> str:
    """How long the run took: the motion, its pictures, and what only a first run spends."""
    seconds = {name: part["seconds"] for name, part in report.timings.items() if isinstance(part, dict)}
    kernels, pictures = seconds.pop("kernels", 0.0), sum(seconds.pop(name, 0.0) for name in ("film", "report"))
    told = f"{sum(seconds.values()):.0f} s for the motion"
    told += f", {pictures:.0f} s for film and page" if pictures else ""
    return told + (f"; {kernels:.0f} s of it compiled kernels, once" if kernels >= 1.0 else "")


def _show(report: RunReport, *, open_page: bool) -> None:
    """Say where film and page are, and open the page if asked for."""
    from gambol.app.run_folder import FILM, REPORT

    page = (report.folder / REPORT).resolve()
    say(f"[bold]Film[/]  {escape(str(report.folder / FILM))}")
    say(f"[bold]Page[/]  {escape(page.as_uri())}" + ("" if open_page else "   (--open shows it in the browser)"))
    if open_page:
        import webbrowser

        if not webbrowser.open(page.as_uri()):
            say("No browser was found; open the page by hand.", stderr=True)
