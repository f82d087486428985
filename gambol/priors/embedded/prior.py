"""The embedded prior: a small motion prior on films of body parts, behind the common interface."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import load_file
from torch import Tensor

from gambol.character.anatomy.anatomy import BodyPart
from gambol.diffusion.dct import cosine_transform
from gambol.diffusion.parametrisation import Signal, clean_from_v, guide, signal_cosine
from gambol.diffusion.video_prior import (
    ActionText,
    MotionLength,
    PromptReading,
    Reference,
    TargetLatent,
    VideoFormat,
    VideoPrior,
    evaluations_per_call,
)
from gambol.errors import PriorError
from gambol.files.atomic_write import replacing
from gambol.files.tensors import METADATA_KEY, write_tensors
from gambol.motion.vocabulary import PERSON, VOCABULARY_NAMES, find_entry
from gambol.priors.check_prior_name import EMBEDDED_WEIGHTS
from gambol.priors.embedded.knowledge import KNOWLEDGE_TENSORS, FilmKnowledge, ProposalConstants
from gambol.priors.embedded.network import Conditioning, MotionNetwork, NetworkShape
from gambol.priors.embedded.part_film import FRAMES, PART_NUMBERS
from gambol.priors.embedded.part_labels import PART_LABELS
from gambol.priors.embedded.part_observer import FILM_ROWS, PartObserver
from gambol.priors.embedded.part_pictures import draw_parts
from gambol.priors.embedded.proposal import mean_latent, style_from_frame, whole_cycles, window_starts
from gambol.priors.embedded.style import (
    StyleConditioning,
    add_deviations,
    check_style_axes,
    draw_take,
    style_deviations,
    unknown_style,
)
from gambol.priors.embedded.text.sentence_check import check_sentence
from gambol.render.observer import Observer, ObserverConfig, Subject

WEIGHTS = EMBEDDED_WEIGHTS
"""The shipped weights."""
DEFAULT_MOTION = "walk"
"""What an empty sentence is taken for. It names no motion, and the mean of all motions stands still."""
MANNERED_MOTION = "walk"
"""The motion whose style stands for people's manners of walking on other bodies."""
REPEATING_SECONDS = 4.0
"""Length of a motion that repeats, where none is asked for, seconds."""
PERSON_FPS = 16.0
"""Frames per second of a person's film; other bodies have `natural_frame_rate`."""


@dataclass(frozen=True)
class EmbeddedCondition:
    """What the network is conditioned on, for the prompt and for the negative prompt."""

    inputs: Conditioning
    """Two rows: the prompt, then what guidance leads away from."""
    start: Float[Tensor, "numbers"]
    """The start pose's latent: a still film is this in every frame."""
    style: StyleConditioning | None = None
    """Phase and style; None leaves them to the network."""
    motion: str = DEFAULT_MOTION
    """The likeliest motion of the sentence, which decides how long it lasts."""
    motions: Float[Tensor, "motions"] | None = None
    """Probability of each motion of the vocabulary, which decides how large it is; None: as motions usually are."""


@dataclass(frozen=True)
class PromptText:
    """A sentence as the prior is told it."""

    vector: Float[Tensor, "text"]
    """Unit vector of its first action, which the network is conditioned on."""
    motions: Mapping[str, float]
    """Probability of each motion of the vocabulary, which decides the natural rate."""
    style: Mapping[str, float] = field(default_factory=dict)
    """Deviation from natural of the tempo and along axes of the style, in half ranges."""
    manner: Mapping[str, float] = field(default_factory=dict)
    """Style of a walk that stands for the motion on bodies that are no people; empty where all bodies have it."""


ReadText = Callable[[str], PromptText]
"""From a sentence to what the prior is told of it."""


def encode_text(sentence: str) -> PromptText:
    """Read a sentence with the shipped text encoder."""
    from gambol.priors.embedded.text.encoder import load_text_encoder
    from gambol.priors.embedded.text.reading import read_sentence

    reading = read_sentence(sentence)
    vector = load_text_encoder().encode([reading.read])[0]
    motions = {} if reading.classification is None else reading.classification.probabilities
    own = reading.motion is not None and find_entry(reading.motion).bodies == (PERSON,)
    return PromptText(vector, motions, reading.style, reading.motion_style if own else {})


class EmbeddedPrior(VideoPrior[EmbeddedCondition]):
    """A small motion prior on films of body parts (`part_film`)."""

    format = VideoFormat(FRAMES, FILM_ROWS, 1, PERSON_FPS)
    preset = "sketch"
    sees_pictures = False
    basis_functions = 32
    proposal_calls = 8
    proposal_guidance = 1.0
    """Guidance above 1 leads away from the mean of all motions, which distorts bodies that should stand still."""
    proposes_windows = True
    target_precision: Float[Tensor, "frames numbers"]
    """How precisely each frequency of each number of a proposed film is known (`FilmKnowledge.precision`)."""

    def __init__(self, network: MotionNetwork, knowledge: FilmKnowledge, read_text: ReadText | None = None) -> None:
        self.network, self.knowledge = network.eval(), knowledge
        self.read_text = read_text or encode_text
        self.weights_digest = ""
        self.target_precision = knowledge.precision()

    @property
    def identity(self) -> str:
        """The name of the prior and a digest of its weights."""
        return f"embedded {self.weights_digest}" if self.weights_digest else type(self).__name__

    def observer(self, subject: Subject, config: ObserverConfig) -> PartObserver:
        """The film of the body's parts."""
        return PartObserver(subject, config)

    @classmethod
    def check_prompt(cls, prompt: str) -> None:
        """Raise `PriorError` for a sentence in another language than English or with a negation."""
        check_sentence(prompt)

    @classmethod
    def check_style(cls, style: Mapping[str, float]) -> None:
        """Raise `ConfigError` for an axis that there is not, and for a number out of its range."""
        check_style_axes(style)

    def read_sequence(self, prompts: Sequence[str]) -> tuple[ActionText, ...]:
        """The actions of one sentence ('walks, then jumps') or of several, with what has to come in between."""
        if self.read_text is not encode_text:
            return super().read_sequence(prompts)
        from gambol.priors.embedded.text.sequence import read_sequence

        return read_sequence(prompts)

    def motion_length(self, condition: EmbeddedCondition, fps: float) -> MotionLength:
        """4 s of what repeats; an action from where its cycle starts to its end."""
        entry, style = find_entry(condition.motion), condition.style
        cycle = None if style is None else 1.0 / (style.rate * fps)
        if entry.repeats or style is None or cycle is None:
            return MotionLength(REPEATING_SECONDS, cycle)
        return MotionLength((1.0 - style.phase) * cycle, cycle, repeats=False, ends_elsewhere=entry.ends_elsewhere)

    def window_condition(
        self, condition: EmbeddedCondition, first: int, frames: int, *, loop: bool
    ) -> EmbeddedCondition:
        """The condition with the phase to which the cycle has gone on; a loop has a whole number of cycles."""
        if condition.style is None:
            return condition
        style = whole_cycles(condition.style, frames) if loop else condition.style
        return self.with_style(condition, style_from_frame(style, first))

    def read_prompt(self, prompt: str) -> PromptReading:
        """The motion class of the sentence, which of its words were used, and which were ignored."""
        if self.read_text is not encode_text:
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
        """Sentence, start pose and style.

        Without a `style` the reference's seed decides it; without a seed the network is left to guess when in its cycle
        the motion starts. An empty prompt is a walk; an empty `negative` says nothing of the motion.
        """
        reference = reference or Reference()
        frame = reference.frame
        if frame is None or tuple(frame.shape) != (len(PART_LABELS), FILM_ROWS, 1):
            given = "none" if frame is None else f"one of {tuple(frame.shape)}"
            raise PriorError(
                f"The embedded prior needs the start pose as a frame {(len(PART_LABELS), FILM_ROWS, 1)}, not {given}."
            )
        start, mass = frame[:, :PART_NUMBERS, 0], frame[:, PART_NUMBERS, 0]
        text = self.read_text(prompt if prompt.strip() else DEFAULT_MOTION)
        if text.manner and not is_person(mass):
            text = replace(self.read_text(MANNERED_MOTION), style=dict(text.manner) | dict(text.style))
        motions = motion_vector(text.motions)
        other = self.read_text(negative).vector if negative.strip() else torch.zeros_like(text.vector)
        if style is None and reference.seed is not None:
            rate = self.knowledge.natural_rate(motions, start)
            asked = add_deviations(text.style, style_deviations(reference.style))
            style = draw_take(np.random.default_rng(reference.seed), rate, asked)
        inputs = Conditioning(
            torch.stack([text.vector, other]),
            torch.tensor([1.0, float(bool(negative.strip()))]),
            start.expand(2, -1, -1),
            mass.expand(2, -1),
            (unknown_style() if style is None else style.numbers()).expand(2, -1),
        )
        motion = max(text.motions, key=lambda name: text.motions[name], default=DEFAULT_MOTION)
        return EmbeddedCondition(inputs, start.flatten(), style, motion, motions)

    def with_style(self, condition: EmbeddedCondition, style: StyleConditioning) -> EmbeddedCondition:
        """The condition with another phase and style."""
        inputs = replace(condition.inputs, style=style.numbers().expand(2, -1))
        return replace(condition, inputs=inputs, style=style)

    def read_root(
        self, observer: Observer, latent: Float[Tensor, "frames numbers"]
    ) -> Float[Tensor, "frames 6"] | None:
        """The root's motion, read off the places of the parts; None for another prior's observer."""
        return observer.read_root(latent) if isinstance(observer, PartObserver) else None

    def encode(self, video: Float[Tensor, "frames labels rows 1"]) -> Float[Tensor, "frames numbers"]:
        """The numbers of all parts."""
        return video[..., :PART_NUMBERS, 0].flatten(1)

    def signal(self, t: float) -> Signal:
        """The cosine schedule."""
        return signal_cosine(t)

    @torch.no_grad()
    def predict_clean(
        self, noisy: Float[Tensor, "frames numbers"], t: float, condition: EmbeddedCondition, guidance: float
    ) -> Float[Tensor, "frames numbers"]:
        """x0 with guidance; inside, latents count from the start pose, so the network sees z_t - a z_start."""
        signal, inputs = self.signal(t), condition.inputs
        moved = noisy - signal.a * condition.start
        if guidance == 1.0:
            inputs = inputs.row(slice(0, 1))
        count = len(inputs.text)
        v = self.network(moved.expand(count, -1, -1), torch.full((count,), t), inputs)
        predicted = v[0] if guidance == 1.0 else guide(v[1], v[0], guidance)
        return clean_from_v(moved, predicted, signal) + condition.start

    def propose(
        self,
        conditions: Sequence[EmbeddedCondition],
        stills: Sequence[Float[Tensor, "frames numbers"]],
        *,
        frames: int,
        calls: int,
        guidance: float,
        generator: torch.Generator,
        loop: bool = False,
    ) -> TargetLatent:
        """Mean films of all windows with the amplitude of single ones (`proposal`).

        Each window of a longer clip continues the cycle where the clip's rate has brought it; a loop has the nearest
        whole number of cycles.
        """
        still = stills[0]
        starts = window_starts(frames, self.format.frames, loop=loop)
        C, amplitude = cosine_transform(self.format.frames), self.knowledge.amplitude(conditions[0].motions)
        films = []
        for first in starts:
            condition = self.window_condition(conditions[0], first, frames, loop=loop)
            mean = mean_latent(self, condition, still, generator, guidance=guidance, steps=calls)
            films.append(still + C.T @ (amplitude * (C @ (mean - still))))
        evaluations = len(starts) * calls * evaluations_per_call(guidance)
        windows = tuple((first, 0) for first in starts)
        return TargetLatent(torch.stack(films), windows, self.target_precision, evaluations)

    def decode(self, latent: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames 3 height width"]:
        """The parts as ellipses from the side and from the front."""
        return draw_parts(latent.unflatten(1, (len(PART_LABELS), PART_NUMBERS)))


def is_person(mass: Float[Tensor, "labels"]) -> bool:
    """Whether a body with these shares of its surface has two legs, two arms, and neither tail nor wings."""
    found = {(label.part, label.pair) for label, share in zip(PART_LABELS, mass.tolist(), strict=True) if share > 0}
    parts = {part for part, _ in found}
    one_pair = (BodyPart.LEG, 0) in found and (BodyPart.LEG, 1) not in found
    return one_pair and BodyPart.ARM in parts and not parts & {BodyPart.TAIL, BodyPart.WING}


def motion_vector(motions: Mapping[str, float]) -> Float[Tensor, "motions"]:
    """Probabilities in the order of the vocabulary."""
    return torch.tensor([float(motions.get(name, 0.0)) for name in VOCABULARY_NAMES])


def save_embedded(path: Path, network: MotionNetwork, knowledge: FilmKnowledge, facts: dict[str, str]) -> None:
    """Write weights in half precision, what is known of the films, and facts about the training.

    The same contents give the same bytes, by which runs know the prior (`EmbeddedPrior.identity`).
    """
    shape = network.shape
    numbers = {name: str(getattr(shape, name)) for name in NetworkShape.__dataclass_fields__}
    tensors = {f"network.{k}": v.half().numpy() for k, v in network.state_dict().items()}
    tensors |= {f"knowledge.{k}": getattr(knowledge, k).numpy() for k in KNOWLEDGE_TENSORS}
    constants = {"proposal": json.dumps(asdict(knowledge.constants))}
    with replacing(path) as temporary:
        write_tensors(temporary, tensors, {**facts, **numbers, **constants})


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
        measured = {name: tensors[f"knowledge.{name}"] for name in KNOWLEDGE_TENSORS}
        knowledge = FilmKnowledge(**measured, constants=ProposalConstants(**json.loads(facts["proposal"])))
    except (RuntimeError, KeyError, TypeError) as error:
        raise PriorError(f"{path} was made by another version of Gambol; make it anew: gambol prior train") from error
    prior = EmbeddedPrior(network, knowledge)
    prior.weights_digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return prior


def read_facts(path: Path) -> dict[str, str]:
    """The metadata of a weights file."""
    try:
        with safe_open(path, "pt") as file:
            metadata = dict(file.metadata() or {})
        return json.loads(metadata[METADATA_KEY]) if set(metadata) == {METADATA_KEY} else metadata
    except Exception as error:
        raise PriorError(f"{path} does not hold an embedded prior: {error}.") from error
