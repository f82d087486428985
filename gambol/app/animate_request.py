"""The request for a motion: plain data that the command line, Python and request files fill alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gambol.app.check_fields import MAX_PROMPT_LENGTH, check_number, check_text
from gambol.app.segment import MAX_SECONDS, SHORTEST_SECONDS, Segment, check_segments, check_style_numbers
from gambol.errors import ConfigError
from gambol.motion.root_bone import RootBone
from gambol.priors.film.camera_text import parse_camera
from gambol.view.picture_settings import FILM_SIZE as FILM_SIZE
from gambol.view.picture_settings import ViewName, check_film_size
from gambol.view.picture_settings import parse_film_size as parse_film_size

if TYPE_CHECKING:  # requests are checked before anything heavy is imported
    from gambol.distill.losses import Loss
    from gambol.distill.method import Method

Term = Literal["ours", "paper", "off"]
"""Which variant of a loss: ours, the paper's, or none."""
ClipVariant = Literal["root-motion", "in-place", "loop"]
"""Variants of a clip that are written side by side: as it travels, on the spot, and as a seamless cycle."""
EXPORTS: tuple[ClipVariant, ...] = ("root-motion", "in-place", "loop")
"""All variants, in the order in which they are written."""
NUMBER_RANGES: dict[str, tuple[type, float, float]] = {
    "seed": (int, 0, 2**31 - 1),
    "variants": (int, 1, 100),
    "steps": (int, 1, 10_000_000),
    "views": (int, 1, 8),
    "splats": (int, 1, 10_000_000),
    "guidance": (float, 0, 1000),
    "seconds": (float, SHORTEST_SECONDS, MAX_SECONDS),
    "prior_fps": (float, 1, 240),
    "fps": (float, 1, 240),
    "skate": (float, 0, float("inf")),
    "pose_prior": (float, 0, float("inf")),
}
"""Type and range of the numbers of a request."""
CHOICES = {
    "preset": ("sketch", "draft", "paper"),
    "representation": ("joints", "field"),
    "basis": ("cosine", "spline", "free"),
    "smoothness": ("ours", "paper", "off"),
    "ground": ("ours", "paper", "off"),
}
"""Allowed values of the fields that take a word."""


@dataclass(frozen=True)
class AnimateRequest:
    """A motion that is asked for; None leaves a choice to the preset or the prior."""

    prompt: str = ""
    """What the character does, in plain English; a prior may read several actions one after the other in it."""
    segments: tuple[Segment, ...] = ()
    """Actions one after the other, in place of the prompt."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the style by axis (`VideoPrior.check_style`), added to what adverbs say."""
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
    """Length of the whole clip, at most 60 s; None takes the motion's own: 4 s of what repeats, an action once from its
    start to its end. Large models take the length of their video."""
    loop: bool = False
    """Make a seamless cycle of a whole number of strides."""
    exports: tuple[ClipVariant, ...] = ()
    """Variants that are written as clips of one file; none writes the clip as it is."""
    start_clip: str | None = None
    """Clip of the file that is refined, in place of a motion from the start pose."""
    video: Path | None = None
    """Film of this very character that the joints are fitted to; with a large model, a video as that model sees it."""
    video_camera: str | None = None
    """Direction of the film's camera, azimuth and elevation in degrees, and its field of view where it is known:
    '35,10' or '35,10,40'; None finds it out."""
    video_background: str | None = None
    """What is behind the body in the film: a picture file, or a colour as '#ffffff'; None finds it out."""
    prior_fps: float | None = None
    """Frames per second that the prior's video counts as."""
    lock: tuple[str, ...] = ()
    """Names of joints that keep their start pose."""
    representation: Literal["joints", "field"] = "joints"
    """What moves: the joints of the skeleton, or every splat by a deformation field along a given trajectory."""
    basis: Literal["cosine", "spline", "free"] | None = None
    """Basis functions of the motion in time."""
    smoothness: Term | None = None
    """Which smoothness loss: ours (squared accelerations), the paper's (AKD eq. 9), or none."""
    ground: Term | None = None
    """Which ground loss: ours (the lowest point), the paper's (AKD eq. 10), or none."""
    limits: bool = True
    """Whether joint limits count."""
    ground_render: bool = True
    """Whether a prior that sees pictures sees the checkerboard (AKD 4.2), or a plain background."""
    skate: float = 0.0
    """Weight of the loss against sliding feet, for priors that see the root's travel."""
    pose_prior: float = 0.0
    """Weight of the pose space, which keeps every frame a plausible pose; 1 is a good start."""
    losses: tuple[Loss, ...] | None = None
    """Losses in place of the preset's; from Python only."""
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
            check_number(name, getattr(self, name), kind, least, most)
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in (None, *allowed):
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it takes {', '.join(allowed)}.")
        for name in ("prompt", "negative"):
            check_text(name, getattr(self, name), MAX_PROMPT_LENGTH)
        if self.name is not None:
            check_text("name", self.name, MAX_PROMPT_LENGTH)
        if isinstance(self.lock, str) or not all(isinstance(joint, str) for joint in self.lock):
            raise ConfigError(f"lock is {self.lock!r}; it takes a list of joint names.")
        for name in ("loop", "limits", "ground_render", "in_place", "foot_lock"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it takes True or False.")
        check_segments(self.segments)
        check_style_numbers("style", self.style)
        self._check_exports()
        self._check_given_motion()
        self._check_field()

    @property
    def title(self) -> str:
        """The sentence, or those of all segments."""
        return self.prompt if not self.segments else ", then ".join(segment.prompt for segment in self.segments)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The sentences that were given."""
        return tuple(segment.prompt for segment in self.segments) or (self.prompt,)

    @property
    def first_prompt(self) -> str:
        """The sentence of the first action, which says who moves."""
        return self.prompts[0]

    def _check_exports(self) -> None:
        unknown = [name for name in self.exports if name not in EXPORTS]
        if unknown or isinstance(self.exports, str):
            raise ConfigError(
                f"exports has {(unknown[0] if unknown else self.exports)!r}; it takes {', '.join(EXPORTS)}."
            )
        if self.exports and self.in_place:
            raise ConfigError("exports already says which variants are written; leave out in_place.")

    def _check_field(self) -> None:
        """Refuse what only joints have, where a deformation field is asked for."""
        given = {
            "lock": self.lock,
            "start_clip": self.start_clip,
            "constraints": self.constraints,
            "exports": self.exports,
            "segments": len(self.segments) > 1,
            "pose_prior": self.pose_prior,
            "basis": self.basis,
        }
        names = [name for name, value in given.items() if value]
        if self.representation == "field" and names:
            raise ConfigError(
                f"A deformation field moves splats, not joints, so it cannot have {', '.join(names)}. Leave that out,"
                " or take the representation joints."
            )

    def _check_given_motion(self) -> None:
        """Refuse what cannot be asked for together."""
        if self.segments and self.prompt:
            raise ConfigError("prompt and segments exclude each other: the first segment holds the first sentence.")
        several = len(self.segments) > 1
        if several and (self.loop or "loop" in self.exports):
            raise ConfigError("A sequence of segments ends elsewhere than it begins, so it cannot loop.")
        if self.video is None and (self.video_camera is not None or self.video_background is not None):
            raise ConfigError("A camera and a background are those of a film; give the film with video.")
        if self.video_camera is not None:
            parse_camera(self.video_camera)
        if self.segments and (self.video is not None or self.start_clip is not None):
            raise ConfigError("A video and a clip to refine are one motion: leave out segments.")
        if self.loop and "loop" in self.exports:
            raise ConfigError("The whole clip is a loop already: leave out loop among the exports, or the option loop.")
        if self.video is not None and (
            self.seconds is not None or self.loop or self.start_clip is not None or self.method in ("sds", "annealed")
        ):
            raise ConfigError("A video is fitted as it is: leave out seconds, loop, start clip and method.")
        if self.start_clip is not None and self.method == "fit":
            raise ConfigError(
                "A clip is refined by the prior's scores; with a start clip the method is sds or annealed."
            )


@dataclass(frozen=True)
class AnimateOutputs:
    """Which files a run writes; they do not change the motion."""

    reduce_keys: bool = False
    """Write few editable keys within a tolerance, in place of one per frame."""
    fbx: bool = False
    """Write an .fbx too."""
    film: bool = True
    """Write film and report."""
    film_size: tuple[int, int] = FILM_SIZE
    """Width and height of the film, pixels."""
    view: ViewName = "three-quarter"
    """The view that the film shows large."""
    root_bone: RootBone = "hips"
    """Node that carries travel over the ground and heading: the hips themselves, or the root above them."""

    def __post_init__(self) -> None:
        width, height = self.film_size  # a list, where it comes from JSON
        object.__setattr__(self, "film_size", check_film_size((width, height)))


@dataclass(frozen=True)
class AnimateFileRequest:
    """A motion for a character file, as the command line asks for it."""

    request: AnimateRequest = field(default_factory=AnimateRequest)
    """The motion."""
    file: Path | None = None
    """The character; None makes a creature from the sentence."""
    generator: str | None = None
    """Generator (`gambol new --generator`) that makes the character from the sentence, where no file is given."""
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
