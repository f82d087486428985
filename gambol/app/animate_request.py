"""The request for a motion, and how it is resolved into a plan: presets, methods and losses are chosen only here."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gambol.app.check_arguments import check_negative
from gambol.errors import ConfigError

if TYPE_CHECKING:  # requests are checked before anything heavy is imported
    from gambol.diffusion.video_prior import VideoPrior
    from gambol.distill.losses import Loss
    from gambol.distill.method import Method
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.problem import MotionConfig
    from gambol.render.observer import ObserverConfig

Term = Literal["ours", "paper", "off"]
"""Which variant of a loss: ours, the paper's, or none."""
MAX_PROMPT_LENGTH = 2000
"""Longest sentence that is accepted, characters."""
TURNING_MOTIONS = ("turn left", "turn right")
"""Motion classes that cannot loop."""
SHORTEST_SECONDS = 0.01
"""Shortest clip that is accepted, seconds."""
NUMBER_RANGES: dict[str, tuple[type, float, float]] = {
    "seed": (int, 0, 2**31 - 1),
    "variants": (int, 1, 100),
    "steps": (int, 1, 10_000_000),
    "views": (int, 1, 8),
    "splats": (int, 1, 10_000_000),
    "guidance": (float, 0, 1000),
    "seconds": (float, SHORTEST_SECONDS, 600),
    "prior_fps": (float, 1, 240),
    "fps": (float, 1, 240),
    "skate": (float, 0, float("inf")),
    "pose_prior": (float, 0, float("inf")),
}
"""Type and range of the numbers of a request."""
CHOICES = {
    "preset": ("sketch", "draft", "paper"),
    "basis": ("cosine", "spline", "free"),
    "smoothness": ("ours", "paper", "off"),
    "ground": ("ours", "paper", "off"),
}
"""Allowed values of the fields that take a word."""


@dataclass(frozen=True)
class AnimateRequest:
    """A motion that is asked for; None leaves a choice to the preset or the prior."""

    prompt: str = ""
    """What the character does, in plain English."""
    negative: str = ""
    """What the motion should not be."""
    name: str | None = None
    """Name of the new clip; None takes the sentence."""
    preset: str | None = None
    """`sketch`, `draft` or `paper`; None takes the one that suits the prior."""
    method: str | Method | tuple[Method, ...] | None = None
    """`fit`, `sds` or `annealed`, or methods that run one after the other; None takes the preset's."""
    steps: int | None = None
    """Optimiser steps in all."""
    guidance: float | None = None
    """How strongly the sentence counts."""
    seed: int = 0
    """Seed of all random numbers; another seed gives another motion."""
    variants: int = 1
    """Number of seeds; the variant with the least loss comes first."""
    seconds: float | None = None
    """Length of the clip; None takes the length of the prior's video."""
    loop: bool = False
    """Make a seamless cycle."""
    start_clip: str | None = None
    """Clip of the file that is refined, in place of a motion from the start pose."""
    video: Path | None = None
    """Video file that the joints are fitted to, rendered as the prior sees things."""
    prior_fps: float | None = None
    """Frames per second that the prior's video counts as."""
    lock: tuple[str, ...] = ()
    """Names of joints that keep their start pose."""
    basis: Literal["cosine", "spline", "free"] | None = None
    """Basis functions of the motion in time."""
    smoothness: Term | None = None
    """Which smoothness loss: ours (squared accelerations), the paper's (AKD eq. 9), or none."""
    ground: Term | None = None
    """Which ground loss: ours (the lowest point), the paper's (AKD eq. 10), or none."""
    limits: bool = True
    """Whether joint limits count."""
    skate: float = 0.0
    """Weight of the loss against sliding feet, for priors that see the root's travel."""
    pose_prior: float = 0.0
    """Weight of the pose space, which keeps every frame a plausible pose; 1 is a good start."""
    losses: tuple[Loss, ...] | None = None
    """Losses in place of the preset's."""
    constraints: tuple[Loss, ...] = ()
    """Further losses and constraints, added to the preset's losses."""
    views: int | None = None
    """Number of views that the prior is shown, where it takes several."""
    splats: int | None = None
    """Number of splats that the prior is shown."""
    fps: float = 30.0
    """Frames per second of the clip."""
    in_place: bool = False
    """Remove the root's travel."""
    travel: Any = None
    """Speed in m/s, or a path of points (x ahead, z right) in metres."""
    foot_lock: bool = True
    """Lock standing feet to the ground."""

    def __post_init__(self) -> None:
        for name, (kind, least, most) in NUMBER_RANGES.items():
            _check_number(name, getattr(self, name), kind, least, most)
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in (None, *allowed):
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it takes {', '.join(allowed)}.")
        for name in ("prompt", "negative"):
            if not isinstance(getattr(self, name), str):
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it takes a text.")
            if len(getattr(self, name)) > MAX_PROMPT_LENGTH:
                length = len(getattr(self, name))
                raise ConfigError(f"{name} has {length} letters; at most {MAX_PROMPT_LENGTH} are read.")
        if self.name is not None and not isinstance(self.name, str):
            raise ConfigError(f"name is {self.name!r}; it takes a text.")
        if isinstance(self.lock, str) or not all(isinstance(joint, str) for joint in self.lock):
            raise ConfigError(f"lock is {self.lock!r}; it takes a list of joint names.")
        for name in ("loop", "limits", "in_place", "foot_lock"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it takes True or False.")
        if self.video is not None and (
            self.seconds is not None or self.loop or self.start_clip is not None or self.method in ("sds", "annealed")
        ):
            raise ConfigError("A video is fitted as it is: leave out seconds, loop, start clip and method.")
        if self.start_clip is not None and self.method == "fit":
            raise ConfigError(
                "A clip is refined by the prior's scores; with a start clip the method is sds or annealed."
            )


@dataclass(frozen=True)
class AnimatePlan:
    """A request resolved: everything that decides the motion."""

    preset: str
    """Name of the preset."""
    methods: tuple[Method, ...]
    """Methods that run one after the other."""
    losses: tuple[Loss, ...]
    """Losses and constraints beside the prior's loss."""
    motion: MotionConfig
    """Length, loop, basis functions."""
    observer: ObserverConfig
    """How the character is shown."""
    post: PostProcessing
    """How the optimised motion becomes a clip."""
    open_phase: bool
    """The prior is not told at which phase of a cycle the clip starts."""
    ranking_guidance: float
    """Guidance at which variants are compared."""
    per_frame: bool
    """Whether variants are compared by scores divided by the number of frames."""

    @property
    def method_names(self) -> str:
        """The methods' names, joined."""
        return " then ".join(type(method).__name__ for method in self.methods)


def resolve(request: AnimateRequest, prior: VideoPrior[Any] | type[VideoPrior[Any]]) -> AnimatePlan:
    """All settings of a run. What the request leaves open is chosen by the prior's preset."""
    from gambol.distill.losses import JointLimits
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.presets import find_preset
    from gambol.distill.problem import MotionConfig
    from gambol.distill.sds import SDS
    from gambol.distill.video_fit import VideoFit
    from gambol.motion.chosen_travel import parse_travel
    from gambol.render.observer import ObserverConfig

    if request.loop and request.travel is not None and not isinstance(parse_travel(request.travel), float):
        raise ConfigError("A loop repeats in place or straight ahead; give it a speed, or leave out the path.")
    preset = find_preset(request.preset or prior.preset)
    methods = _methods(request, preset, prior)
    losses = (*_losses(request, preset), *request.constraints)
    fits = any(isinstance(method, VideoFit) for method in methods)
    scores = [method for method in methods if isinstance(method, SDS)]
    limited = any(isinstance(loss, JointLimits) for loss in losses) and request.start_clip is None
    longer = request.seconds is not None or request.start_clip is not None
    return AnimatePlan(
        preset=preset.name,
        methods=methods,
        losses=losses,
        motion=MotionConfig(
            basis=request.basis or preset.basis,
            start_speed=preset.start_speed,
            seconds=request.seconds,
            loop=request.loop,
            locked=tuple(request.lock),
        ),
        observer=ObserverConfig(splats=request.splats, views=request.views, fps=request.prior_fps),
        post=PostProcessing(
            fps=request.fps,
            root_travel=preset.root_travel,
            foot_lock=request.foot_lock,
            limit_leg_joints=limited,
            in_place=request.in_place,
            travel=request.travel,
        ),
        open_phase=(request.loop or longer) and not fits,
        ranking_guidance=scores[-1].guidance_schedule.at(scores[-1].steps) if scores else preset.ranking_guidance,
        per_frame=all(getattr(method, "per_frame", True) for method in methods),
    )


def default_prior(preset: str | None) -> str:
    """The prior that is used where none is named: the preset's, or the embedded one."""
    from gambol.distill.presets import find_preset

    return find_preset(preset or "sketch").prior


def check_texts(request: AnimateRequest, prior: VideoPrior[Any] | type[VideoPrior[Any]]) -> None:
    """Refuse a sentence or a negative text that the prior cannot follow."""
    prior.check_prompt(request.prompt)
    if request.negative:
        check_negative(request.negative, prior.check_prompt)


def check_loop(request: AnimateRequest, motion: str | None) -> None:
    """Refuse a loop of a motion that ends with another heading than it starts with."""
    if request.loop and motion in TURNING_MOTIONS:
        raise ConfigError(
            f"'{request.prompt}' asks for a turn, which ends with another heading than it starts with, so it cannot"
            " loop. Leave out the loop, or ask for a motion that goes straight ahead."
        )


def _methods(request: AnimateRequest, preset: Any, prior: Any) -> tuple[Method, ...]:
    from gambol.distill.presets import named_methods, refining_scores
    from gambol.distill.run_methods import scale_steps
    from gambol.distill.sds import SDS
    from gambol.distill.video_fit import VideoFit

    given = own_methods(request)
    if request.video is not None:
        methods = given or (VideoFit(steps=preset.video_steps, per_frame=preset.per_frame),)
        if not all(isinstance(method, VideoFit) for method in methods):
            raise ConfigError("A video is fitted as it is: the method is VideoFit(...), or none is given.")
    elif given:
        methods = given
        if request.start_clip is not None and any(isinstance(method, VideoFit) for method in methods):
            raise ConfigError("A clip is refined by the prior's scores; with a start clip the method is SDS(...).")
    elif request.method is None:
        targets = prior.proposes_windows or (request.seconds is None and not request.loop)
        targets = targets and request.start_clip is None
        methods = named_methods(preset, preset.method if targets else "sds", loop=request.loop)
    else:
        methods = named_methods(preset, str(request.method), loop=request.loop)
    if request.start_clip is not None and not given:
        methods = (refining_scores(preset, methods),)
    if request.steps is not None:
        methods = scale_steps(methods, request.steps)
    if request.guidance is not None:
        kinds = SDS if any(isinstance(method, SDS) for method in methods) else VideoFit
        guidance = float(request.guidance)
        methods = tuple(replace(m, guidance=guidance) if isinstance(m, kinds) else m for m in methods)
    return methods


def own_methods(request: AnimateRequest) -> tuple[Method, ...]:
    """The methods that a request gives as objects; none where it gives a name or nothing."""
    from gambol.distill.method import Method

    if request.method is None or isinstance(request.method, str):
        return ()
    given = request.method if isinstance(request.method, tuple | list) else (request.method,)
    if not given or not all(isinstance(method, Method) for method in given):
        raise ConfigError(f"method is {request.method!r}; it takes fit, sds, annealed, VideoFit(...) or SDS(...).")
    return tuple(given)


def _losses(request: AnimateRequest, preset: Any) -> tuple[Loss, ...]:
    from gambol.distill.losses import (
        Ground,
        JointLimits,
        Loss,
        PosePrior,
        Skate,
        Smoothness,
        Stance,
        StartHeading,
    )
    from gambol.distill.presets import akd_losses

    losses = preset.losses if request.losses is None else tuple(request.losses)
    unknown = [loss for loss in (*losses, *request.constraints) if not isinstance(loss, Loss)]
    if unknown:
        raise ConfigError(f"{unknown[0]!r} is not a loss; losses are objects of subclasses of gambol.Loss.")
    # scores that are divided by the number of frames go with weights that are divided by the paper's latent
    smoothness, ground = akd_losses(1) if preset.per_frame else akd_losses()
    choices = ((request.smoothness, Smoothness(), smoothness), (request.ground, Ground(), ground))
    for choice, ours, paper in choices:
        if choice is not None:
            others = tuple(loss for loss in losses if not isinstance(loss, type(ours) | type(paper)))
            losses = (*others, *{"ours": (ours,), "paper": (paper,), "off": ()}[choice])
    if request.ground in ("paper", "off"):
        losses = tuple(loss for loss in losses if not isinstance(loss, Stance))
    if not request.limits:
        losses = tuple(loss for loss in losses if not isinstance(loss, JointLimits))
    if request.loop:
        losses = tuple(loss for loss in losses if not isinstance(loss, StartHeading))
    losses += (Skate(float(request.skate)),) if request.skate else ()
    return losses + ((PosePrior(float(request.pose_prior)),) if request.pose_prior else ())


def _check_number(name: str, value: Any, kind: type, least: float, most: float) -> None:
    if value is None:
        return
    allowed = (int, float) if kind is float else int
    if isinstance(value, bool) or not isinstance(value, allowed):
        raise ConfigError(f"{name} is {value!r}; it takes a {'whole ' if kind is int else ''}number.")
    if not least <= value <= most:
        bound = f"from {least:g} to {most:g}" if most != float("inf") else f"of {least:g} or more"
        raise ConfigError(f"{name} is {value:g}; it takes a {'whole ' if kind is int else ''}number {bound}.")


def plain_data(value: Any) -> Any:
    """Settings as JSON can hold them: dataclasses with their type, tuples as lists, paths as text, no tensors."""
    if is_dataclass(value) and not isinstance(value, type):
        inside = {f.name: getattr(value, f.name) for f in fields(value)}
        return {"type": type(value).__name__, **{k: plain_data(v) for k, v in inside.items() if _is_plain(v)}}
    if isinstance(value, dict):
        return {str(key): plain_data(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(inside) for inside in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    return {"type": type(value).__name__, **{k: plain_data(v) for k, v in vars(value).items() if _is_plain(v)}}


def _is_plain(value: Any) -> bool:
    return type(value).__module__.split(".")[0] not in ("torch", "numpy") and not callable(value)


@dataclass(frozen=True)
class AnimateOutputs:
    """Which files a run writes; they do not change the motion."""

    reduce_keys: bool = False
    """Write few editable keys within a tolerance, in place of one per frame."""
    fbx: bool = False
    """Write an .fbx too."""
    film: bool = True
    """Write film and report."""


@dataclass(frozen=True)
class AnimateFileRequest:
    """A motion for a character file, as the command line asks for it."""

    request: AnimateRequest = field(default_factory=AnimateRequest)
    """The motion."""
    file: Path | None = None
    """The character; None makes a creature from the sentence."""
    character: str | None = None
    """Which character of a file that holds several; None takes the largest."""
    prior: str | None = None
    """Name of the prior; None takes the preset's."""
    frames: int | None = None
    """Frames of a large model's video."""
    size: tuple[int, int] | None = None
    """Height and width of a large model's video, pixels."""
    device: str | None = None
    """Device of a large model, such as cuda."""
    offload: Literal["none", "models", "layers"] = "none"
    """Which parts of a large model leave the device while they are not in use."""
    tile: int | None = None
    """Side of the tiles in which a large model encodes pictures, pixels; None encodes whole pictures."""
    scale: float | None = None
    """Metres per file unit; None finds it out."""
    facing: str | None = None
    """Axis of the file that the character looks along (+x, -x, +z, -z); None finds it out."""
    outputs: AnimateOutputs = field(default_factory=AnimateOutputs)
    """Files that are written."""
