"""The interface that every video model implements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import Signal, Weighting, weight_one
from gambol.errors import ConfigError
from gambol.render.observer import FollowCameraObserver, Observer, ObserverConfig, Subject


@dataclass(frozen=True)
class VideoFormat:
    """The video that a prior sees at a time."""

    frames: int
    """Number of frames."""
    height: int
    """Pixels."""
    width: int
    """Pixels."""
    fps: float
    """Frames per second."""


@dataclass(frozen=True)
class Reference:
    """What a prior may be conditioned on beside the words; a prior ignores what it has no use for."""

    frame: Float[Tensor, "channels height width"] | None = None
    """The character in its start pose, as the observer shows it."""
    seed: int | None = None
    """Decides what the sentence leaves open, such as the phase at which a gait starts. None leaves it open, for windows
    of a clip that may start anywhere."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Numbers of the style by axis, as `VideoPrior.check_style` allows them."""


@dataclass(frozen=True)
class MotionLength:
    """How long a motion lasts of itself, and whether it goes on."""

    seconds: float | None = None
    """Length that suits the motion; None takes the length of the prior's video."""
    cycle: float | None = None
    """Seconds of one cycle; None where the prior does not know it."""
    repeats: bool = True
    """Whether it goes on in cycles, as a gait does; other motions have a start and an end."""
    ends_elsewhere: bool = False
    """Whether it ends in another posture than it began, and stays there."""


@dataclass(frozen=True)
class ActionText:
    """The sentence of one action of a sequence."""

    prompt: str
    """The sentence, with who moves."""
    source: int | None = 0
    """Index of the given sentence that it was read from; None for an action that was added in between."""


@dataclass(frozen=True)
class TargetLatent:
    """Latents that a motion is fitted to, and how precisely each number of them is known."""

    latents: Float[Tensor, "targets *latent"]
    """One latent for each target."""
    windows: tuple[tuple[int, int], ...]
    """First frame in the clip and index of the view, of each target."""
    precision: Float[Tensor, "frames numbers"] | None = None
    """Precision of each number of the latents' cosine transform over frames; None weights all numbers alike."""
    evaluations: int = 0
    """Evaluations of the prior's network that the target took; with and without the sentence count separately."""


@dataclass(frozen=True)
class PromptReading:
    """How a prior understands a sentence."""

    motion: str | None = None
    """The motion class that is expected to be seen; None where the prior does not classify."""
    notes: tuple[str, ...] = ()
    """Sentences for people: what was used, what was ignored."""
    airborne: bool = False
    """Whether the motion takes place in the air, so that no feet are to be drawn to the ground."""


ConditionT = TypeVar("ConditionT")


class VideoPrior(ABC, Generic[ConditionT]):
    """A diffusion model over latent videos; the noise level t runs from 0 (clean) to 1 (noise).

    A latent has whatever shape `encode` gives it. Only `encode` is differentiable; `predict_clean` and `decode` run
    without gradients. A prior knows one video at a time: there is no batch axis.
    """

    format: VideoFormat
    """The video that the prior sees at a time."""
    weighting: Weighting = staticmethod(weight_one)
    """The weight w(t) that goes with what the model predicts, used where no other is chosen."""
    preset: str = "draft"
    """Name of the preset whose settings suit this prior (`gambol.distill.presets`)."""
    sees_pictures: bool = True
    """Whether its videos are pictures, so that a video from a file can be fitted to."""
    tracks_frames: bool = False
    """Whether a latent has a row for each picture by itself, so that a fit may start by following the body from frame
    to frame."""
    basis_functions: int = 16
    """Number of basis functions in time that a motion of one window is made of."""
    proposal_calls: int = 30
    """Calls of the model for one proposed target, where the method does not say."""
    proposal_guidance: float = 3.0
    """Guidance of proposed targets, where the method does not say."""
    proposes_windows: bool = False
    """Whether `propose` covers loops, and clips that are longer than the format's frames."""
    target_precision: Float[Tensor, "frames numbers"] | None = None
    """Precision of targets in this prior's latents, also for a video that is given (see `TargetLatent.precision`)."""

    @property
    def identity(self) -> str:
        """What tells this prior from others, as runs record it: a run with another identity is not resumed."""
        return type(self).__name__

    def observer(self, subject: Subject, config: ObserverConfig) -> Observer:
        """What this prior is shown of a character: by default its own colours on the checkerboard, one view."""
        video = self.format
        return FollowCameraObserver(subject, config, height=video.height, width=video.width, fps=video.fps)

    @classmethod
    def check_prompt(cls, prompt: str) -> None:
        """Raise `PriorError` for a sentence that this prior cannot follow; called before the prior is loaded."""

    @classmethod
    def check_style(cls, style: Mapping[str, float]) -> None:
        """Raise `ConfigError` for numbers of the style that this prior does not know; by default it knows none."""
        if style:
            raise ConfigError(
                f"This prior has no axes of style, and {', '.join(style)} was given. Say in the sentence how the motion"
                " is done, or use the embedded prior."
            )

    def read_sequence(self, prompts: Sequence[str]) -> tuple[ActionText, ...]:
        """The actions of one sentence, or of several: which are done one after the other, each with who moves.

        By default every sentence is one action, as it is.
        """
        return tuple(ActionText(prompt, i) for i, prompt in enumerate(prompts))

    def motion_length(self, condition: ConditionT, fps: float) -> MotionLength:
        """How long the motion of a condition lasts at `fps` frames per second; by default the prior does not know."""
        return MotionLength()

    def window_condition(self, condition: ConditionT, first: int, frames: int, *, loop: bool) -> ConditionT:
        """The condition of the window that starts at frame `first` of a clip of `frames` frames; by default the same.

        A prior that is told the phase of a cycle continues it.
        """
        return condition

    def read_prompt(self, prompt: str) -> PromptReading:
        """How the sentence is understood; raises `PriorError` for one that cannot be used."""
        self.check_prompt(prompt)
        return PromptReading()

    @abstractmethod
    def condition(self, prompt: str, negative: str = "", *, reference: Reference | None = None) -> ConditionT:
        """Everything the model is conditioned on, made once per run and view."""

    @abstractmethod
    def encode(self, video: Float[Tensor, "frames channels height width"]) -> Float[Tensor, "*latent"]:
        """The latent z of a video with values in [0, 1]; differentiable."""

    @abstractmethod
    def signal(self, t: float) -> Signal:
        """Amplitudes a of the clean latent and s of the noise at level t: z_t = a z + s e."""

    @abstractmethod
    def predict_clean(
        self, noisy: Float[Tensor, "*latent"], t: float, condition: ConditionT, guidance: float
    ) -> Float[Tensor, "*latent"]:
        """The clean estimate x0 of z_t, with classifier-free guidance; guidance 1 is the model as it is."""

    @abstractmethod
    def decode(self, latent: Float[Tensor, "*latent"]) -> Float[Tensor, "frames channels height width"]:
        """The video of a latent, values in [0, 1]: for people to look at."""

    def propose(
        self,
        conditions: Sequence[ConditionT],
        stills: Sequence[Float[Tensor, "*latent"]],
        *,
        frames: int,
        calls: int,
        guidance: float,
        generator: torch.Generator,
        loop: bool = False,
    ) -> TargetLatent:
        """Targets for a fit of a clip with `frames` frames: by default one sample of the first view.

        Of a `loop` the first frame follows the last, and windows may go over its end. `conditions` and `stills`
        (latents of the start pose standing still) are given for each view; `calls` is the number of calls of the model
        for each target.
        """
        from gambol.diffusion.samplers import propose_sample

        if frames != self.format.frames or loop:
            raise ConfigError(
                f"A fit to a sample has the length of the prior's video, {self.format.frames} frames, not {frames}."
            )
        return propose_sample(self, conditions[0], stills[0], calls=calls, guidance=guidance, generator=generator)

    def read_root(self, observer: Observer, latent: Float[Tensor, "*latent"]) -> Float[Tensor, "frames 6"] | None:
        """The root's displacement (m) and angles (rad) that a latent shows: where a fit starts. None: at the start."""
        return None

    def add_noise(
        self, latent: Float[Tensor, "*latent"], noise: Float[Tensor, "*latent"], t: float
    ) -> Float[Tensor, "*latent"]:
        """z_t = a z + s e."""
        signal = self.signal(t)
        return signal.a * latent + signal.s * noise


def evaluations_per_call(guidance: float) -> int:
    """Evaluations of the network in one call of `predict_clean`: guidance other than 1 needs a second one."""
    return 1 if guidance == 1.0 else 2
