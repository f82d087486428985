"""The embedded prior: a small motion prior on part-coloured videos of two views, behind the common interface."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.diffusion.parametrisation import Signal, clean_from_v, guide, signal_cosine
from gambol.diffusion.video_prior import (
    PromptReading,
    Reference,
    TargetLatent,
    VideoFormat,
    VideoPrior,
    evaluations_per_call,
)
from gambol.errors import PriorError
from gambol.files.atomic_write import replacing
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.latents import (
    LATENT_NUMBERS,
    MOTION_NUMBERS,
    VideoLatents,
    latent_tensors,
    latents_of_tensors,
)
from gambol.priors.embedded.network import Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.proposal import (
    clip_windows,
    continuing_style,
    latent_precision,
    mean_latent,
    restore_amplitude,
)
from gambol.priors.embedded.stage import FRAMES, SIDE, WIDTH, StageView
from gambol.priors.embedded.stage_observer import StageObserver
from gambol.priors.embedded.style import StyleConditioning, draw_start, unknown_style
from gambol.priors.embedded.text.sentence_check import check_sentence
from gambol.render.cameras import Camera
from gambol.render.observer import ObserverConfig, Subject

WEIGHTS = Path(__file__).parent / "weights" / "motion.safetensors"
"""The shipped weights."""
DEFAULT_MOTION = "walk"
"""What an empty sentence is taken for. It names no motion, and the mean of all motions stands still."""
PERSON_FPS = 16.0
"""Frames per second of a person's video; other bodies have `natural_frame_rate`."""


@dataclass(frozen=True)
class EmbeddedCondition:
    """What the network is conditioned on, for the prompt and for the negative prompt."""

    inputs: Conditioning
    """Two rows: the prompt, then what guidance leads away from."""
    rest: Float[Tensor, "numbers"]
    """The rest frame's latent: a still video is this in every frame."""
    style: StyleConditioning | None = None
    """Phase and style; None leaves them to the network."""


MotionProbabilities = Callable[[str], Mapping[str, float]]
"""From a sentence to the probability of each motion class."""


def encoder_probabilities(sentence: str) -> Mapping[str, float]:
    """Motion probabilities of a sentence's first action by the shipped text encoder."""
    from gambol.priors.embedded.text.reading import read_probabilities

    return read_probabilities(sentence)


class EmbeddedPrior(VideoPrior[EmbeddedCondition]):
    """A small motion prior on part-coloured videos of two views (`stage`)."""

    format = VideoFormat(FRAMES, SIDE, WIDTH, PERSON_FPS)
    preset = "sketch"
    proposal_calls = 10
    proposal_guidance = 1.0
    """Guidance above 1 leads away from the mean of all motions, which distorts bodies that should stand still."""
    proposes_windows = True
    target_precision: Float[Tensor, "frames numbers"]
    """How precisely each frequency of each number of a proposed latent is known (`proposal.latent_precision`)."""

    def __init__(
        self, network: MotionNetwork, latents: VideoLatents, probabilities: MotionProbabilities | None = None
    ) -> None:
        self.network, self.latents = network.eval(), latents
        self.probabilities = probabilities or encoder_probabilities
        self.weights_digest = ""
        self.target_precision = latent_precision(network)
        # Components alone: moments settle where limbs go, but at low noise they lift feet and widen steps.
        self.score_weights = (torch.arange(LATENT_NUMBERS) < MOTION_NUMBERS).float()

    @property
    def identity(self) -> str:
        """The name of the prior and a digest of its weights."""
        return f"embedded {self.weights_digest}" if self.weights_digest else type(self).__name__

    def observer(self, subject: Subject, config: ObserverConfig) -> StageObserver:
        """The stage: part colours on plain ground, two cameras that go along, seen from several pairs of views."""
        return StageObserver(subject, config)

    @classmethod
    def check_prompt(cls, prompt: str) -> None:
        """Raise `PriorError` for a sentence in another language than English or with a negation."""
        check_sentence(prompt)

    def read_prompt(self, prompt: str) -> PromptReading:
        """The motion class of the sentence, which of its words were used, and which were ignored."""
        if self.probabilities is not encoder_probabilities:
            return PromptReading()
        from gambol.priors.embedded.describe import read_prompt

        return read_prompt(prompt)

    def condition(
        self,
        prompt: str,
        negative: str = "",
        *,
        reference: Reference | None = None,
        style: StyleConditioning | None = None,
    ) -> EmbeddedCondition:
        """Sentence, rest frame, view and style; the reference's camera is the first of the two.

        Without a `style` the reference's seed decides it; without a seed the network is left to guess when in its cycle
        the motion starts. An empty prompt is a walk; an empty `negative` says nothing of the motion.
        """
        reference = reference or Reference()
        frame = reference.frame
        if frame is None or tuple(frame.shape) != (3, SIDE, WIDTH):
            given = "none" if frame is None else f"one of {tuple(frame.shape)}"
            raise PriorError(f"The embedded prior needs the start pose as a frame (3, {SIDE}, {WIDTH}), not {given}.")
        if style is None and reference.seed is not None:
            style = draw_start(np.random.default_rng(reference.seed))
        view = StageView() if reference.camera is None else view_of_camera(reference.camera)
        ground = bool((frame[:, -1, 0] - frame[:, 0, 0]).abs().max() > 0.1)
        seen = StageView(view.azimuth, view.elevation, view.distance, ground).numbers()
        numbers = torch.cat([seen, unknown_style() if style is None else style.numbers()])
        rest = self.latents.encode_rest(frame)
        default = torch.tensor([float(motion == DEFAULT_MOTION) for motion in self._motions])
        inputs = Conditioning(
            torch.stack([self._text(prompt) if prompt.strip() else default, self._text(negative)]),
            torch.tensor([1.0, float(bool(negative.strip()))]),
            rest.expand(2, -1),
            numbers.expand(2, -1),
        )
        return EmbeddedCondition(inputs, self.encode(frame[None])[0], style)

    def with_style(self, condition: EmbeddedCondition, style: StyleConditioning) -> EmbeddedCondition:
        """The condition with another phase and style."""
        inputs, numbers = condition.inputs, style.numbers()
        view = torch.cat([inputs.view[:, : -len(numbers)], numbers.expand(len(inputs.view), -1)], 1)
        return EmbeddedCondition(replace(inputs, view=view), condition.rest, style)

    def _text(self, sentence: str) -> Float[Tensor, "motions"]:
        found = self.probabilities(sentence) if sentence.strip() else {}
        own = torch.tensor([float(found.get(motion, 0.0)) for motion in self._motions])
        unknown = sum(found.get(motion, 0.0) for motion in MOTIONS[len(own) :])
        return own / max(1.0 - unknown, 1e-6)

    @property
    def _motions(self) -> tuple[str, ...]:
        """The motion classes that the network was trained with."""
        return MOTIONS[: self.network.shape.text]

    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
        """Principal components and part moments of every frame."""
        return self.latents.encode(video)

    def signal(self, t: float) -> Signal:
        """The cosine schedule."""
        return signal_cosine(t)

    @torch.no_grad()
    def predict_clean(
        self, noisy: Float[Tensor, "frames numbers"], t: float, condition: EmbeddedCondition, guidance: float
    ) -> Float[Tensor, "frames numbers"]:
        """x0 with guidance; inside, latents count from the rest frame, so the network sees z_t - a z_rest."""
        signal, inputs = self.signal(t), condition.inputs
        moved = noisy - signal.a * condition.rest
        if guidance == 1.0:
            inputs = Conditioning(*(x[:1] for x in (inputs.text, inputs.has_text, inputs.rest, inputs.view)))
        count = len(inputs.text)
        v = self.network(moved.expand(count, -1, -1), torch.full((count,), t), inputs)
        predicted = v[0] if guidance == 1.0 else guide(v[1], v[0], guidance)
        return clean_from_v(moved, predicted, signal) + condition.rest

    def propose(
        self,
        conditions: Sequence[EmbeddedCondition],
        stills: Sequence[Float[Tensor, "frames numbers"]],
        *,
        frames: int,
        calls: int,
        guidance: float,
        generator: torch.Generator,
    ) -> TargetLatent:
        """Mean videos of all windows and views with the amplitude of single ones (`proposal`).

        Each window of a longer clip continues in the phase in which the one before ends.
        """

        def mean(condition: EmbeddedCondition, still: Tensor) -> Tensor:
            return mean_latent(self, condition, still, generator, guidance=guidance, steps=calls)

        windows = clip_windows(frames, self.format.frames, len(conditions))
        style, begun = conditions[0].style, 0
        each = calls * evaluations_per_call(guidance)
        latents, evaluations = [], 0
        for first, view in windows:
            condition = conditions[view]
            if first and style is not None:
                if first != begun:
                    front = self.with_style(conditions[0], style)
                    before, overlap = mean(front, stills[0]), begun + self.format.frames - first
                    style, tried = continuing_style(self, front, style, before, overlap, guidance=guidance)
                    evaluations, begun = evaluations + each + tried, first
                condition = self.with_style(condition, style)
            latents.append(restore_amplitude(self.network, mean(condition, stills[view]), stills[view]))
            evaluations += each
        return TargetLatent(torch.stack(latents), windows, self.target_precision, evaluations)

    def decode(self, latent: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames 3 height width"]:
        """V (scale z): what the basis can show of the video; see `decode_on` for the rest frame's details."""
        return self.latents.decode(latent).unflatten(1, (3, SIDE, WIDTH)).clamp(0.0, 1.0)

    def decode_on(
        self, latent: Float[Tensor, "frames numbers"], start_frame: Float[Tensor, "3 height width"]
    ) -> Float[Tensor, "frames 3 height width"]:
        """The video that differs from the rest frame as the latent says."""
        moved = self.latents.decode(latent - self.encode(start_frame[None]))
        return (start_frame + moved.unflatten(1, start_frame.shape)).clamp(0.0, 1.0)


def view_of_camera(camera: Camera) -> StageView:
    """The view of a camera that looks at the body: azimuth and elevation; the distance counts as the standard one."""
    ahead = camera.T_camera_world[2, :3]
    return StageView(float(np.arctan2(-ahead[0], -ahead[2])), float(np.arcsin(np.clip(-ahead[1], -1.0, 1.0))))


def save_embedded(path: Path, network: MotionNetwork, latents: VideoLatents, facts: dict[str, str]) -> None:
    """Write weights in half precision, bases in eight bits, and facts about the training, to one file."""
    shape = network.shape
    numbers = {name: str(getattr(shape, name)) for name in NetworkShape.__dataclass_fields__}
    tensors = {f"network.{k}": v.half().contiguous() for k, v in network.state_dict().items()}
    tensors |= latent_tensors(latents)
    with replacing(path) as temporary:
        save_file(tensors, temporary, {**facts, **numbers})


def load_embedded(path: Path | None = None) -> EmbeddedPrior:
    """Load the shipped prior, or the weights in a file that `gambol prior train` wrote."""
    path = path or WEIGHTS
    if not path.is_file():
        raise PriorError(f"There are no weights at {path}; make some: gambol prior train -o FOLDER")
    facts = read_facts(path)
    missing = [name for name in NetworkShape.__dataclass_fields__ if not facts.get(name, "").isdigit()]
    if missing:
        raise PriorError(f"{path} does not hold an embedded prior: its header has no {', '.join(missing)}.")
    shape = NetworkShape(**{name: int(facts[name]) for name in NetworkShape.__dataclass_fields__})
    tensors = load_file(path)
    network = MotionNetwork(shape)
    try:
        own = {name.removeprefix("network."): x for name, x in tensors.items() if name.startswith("network.")}
        network.load_state_dict({name: x.float() for name, x in own.items()})
    except RuntimeError as error:
        raise PriorError(f"{path} was made by another version of Gambol; make it anew: gambol prior train") from error
    prior = EmbeddedPrior(network, latents_of_tensors(tensors))
    prior.weights_digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return prior


def read_facts(path: Path) -> dict[str, str]:
    """The metadata of a weights file."""
    try:
        with safe_open(path, "pt") as file:
            return dict(file.metadata() or {})
    except Exception as error:
        raise PriorError(f"{path} does not hold an embedded prior: {error}.") from error
