"""The embedded prior behind the one interface of all priors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from gambol.diffusion.parametrisation import Signal, Weighting, clean_from_v, guide, signal_cosine, weight_one
from gambol.diffusion.video_prior import PriorError, VideoFormat, VideoPrior
from gambol.files.atomic_write import replacing
from gambol.motion.motion_names import MOTIONS
from gambol.priors.embedded.conditioning import Manner, unknown_manner
from gambol.priors.embedded.latents import KINDS, MOTION_NUMBERS, FilmLatents, latent_tensors, latents_of_tensors
from gambol.priors.embedded.network import MotionNetwork, NetworkShape, Told
from gambol.priors.embedded.stage import FRAMES, SIDE, WIDTH, StageView
from gambol.render.cameras import Camera

WEIGHTS = Path(__file__).parent / "weights" / "motion.safetensors"
DEFAULT_MOTION = "walk"
"""What an empty sentence is taken for. It names no motion, and the mean of all motions stands still."""
LIVELINESS = 1.2
"""By which power of 1 / R the motion of a mean film is made larger,"""
LEAST_SHARE = 0.2
"""for frequencies of which it knows this share R^2, at least."""
MEAN_POSE = 0.3
"""What a film's mean over time counts, as a share of what R^2 says. Of bodies unlike most that it was trained on the
prior knows the motion better than the mean pose (of a spider 0.42 and 0.30 of the moments' energy, of a crocodile 0.42
and 0.10; of a fox 0.81 and 0.87)."""
FPS = 16.0
"""Of a person; other bodies by `stage.frame_rate`."""


@dataclass(frozen=True)
class EmbeddedCondition:
    """What the network is told, for the prompt and for the negative one."""

    told: Told
    """Two rows: the prompt, then what guidance leads away from."""
    rest: Float[Tensor, "numbers"]
    """The rest frame in the film's own latent: a still film is this in every frame."""


Chances = Callable[[str], Mapping[str, float]]
"""From a sentence to the probability of each motion."""


def understood(sentence: str) -> Mapping[str, float]:
    """As the shipped text encoder understands a sentence."""
    from gambol.priors.embedded.text.encoder import understand

    return understand(sentence).probabilities


class EmbeddedPrior(VideoPrior[EmbeddedCondition]):
    """A small motion prior on part-coloured films of two views (`stage`)."""

    format = VideoFormat(FRAMES, SIDE, WIDTH, FPS, "control")
    weighting: Weighting = staticmethod(weight_one)

    def __init__(self, network: MotionNetwork, latents: FilmLatents, chances: Chances | None = None) -> None:
        self.network, self.latents, self.chances = network.eval(), latents, chances or understood
        self.certainty = film_certainty(network)

    def condition(
        self,
        prompt: str,
        negative: str = "",
        *,
        reference_frame: Float[Tensor, "3 height width"] | None = None,
        camera: Camera | None = None,
        manner: Manner | None = None,
    ) -> EmbeddedCondition:
        """Sentence, rest frame, view and manner; `camera` is the first of the two, the standard one where not given.

        Without a `manner` the network is left to guess when in its cycle the motion starts. An empty prompt is a walk;
        an empty `negative` says nothing of the motion.
        """
        if reference_frame is None or tuple(reference_frame.shape) != (3, SIDE, WIDTH):
            given = "none" if reference_frame is None else f"one of {tuple(reference_frame.shape)}"
            raise PriorError(f"The embedded prior needs the rest pose as a frame of (3, {SIDE}, {WIDTH}), not {given}.")
        view = StageView() if camera is None else view_of_camera(camera)
        ground = bool((reference_frame[:, -1, 0] - reference_frame[:, 0, 0]).abs().max() > 0.1)
        seen = StageView(view.azimuth, view.elevation, view.distance, ground).numbers()
        numbers = torch.cat([seen, unknown_manner() if manner is None else manner.numbers()])
        rest = self.latents.encode_rest(reference_frame)
        default = torch.tensor([float(motion == DEFAULT_MOTION) for motion in MOTIONS])
        told = Told(
            torch.stack([self._text(prompt) if prompt.strip() else default, self._text(negative)]),
            torch.tensor([1.0, float(bool(negative.strip()))]),
            rest.expand(2, -1),
            numbers.expand(2, -1),
        )
        return EmbeddedCondition(told, self.encode(reference_frame[None])[0])

    def in_manner(self, condition: EmbeddedCondition, manner: Manner) -> EmbeddedCondition:
        """The same in another manner."""
        told = condition.told
        numbers = manner.numbers()
        view = torch.cat([told.view[:, : -len(numbers)], numbers.expand(len(told.view), -1)], 1)
        return EmbeddedCondition(Told(told.text, told.has_text, told.rest, view), condition.rest)

    def _text(self, sentence: str) -> Float[Tensor, "motions"]:
        chances = self.chances(sentence) if sentence.strip() else {}
        return torch.tensor([float(chances.get(motion, 0.0)) for motion in MOTIONS])

    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "frames numbers"]:
        """Components and moments of every frame."""
        return self.latents.encode(video)

    def signal(self, t: float) -> Signal:
        """The cosine schedule."""
        return signal_cosine(t)

    @torch.no_grad()
    def predict_clean(
        self, noisy: Float[Tensor, "frames numbers"], t: float, condition: EmbeddedCondition, guidance: float
    ) -> Float[Tensor, "frames numbers"]:
        """x0 with guidance; latents count from the rest frame inside, so z_t - a z_rest goes in."""
        signal, told = self.signal(t), condition.told
        moved = noisy - signal.a * condition.rest
        if guidance == 1.0:
            told = Told(*(x[:1] for x in (told.text, told.has_text, told.rest, told.view)))
        count = len(told.text)
        v = self.network(moved.expand(count, -1, -1), torch.full((count,), t), told)
        predicted = v[0] if guidance == 1.0 else guide(v[1], v[0], guidance)
        return clean_from_v(moved, predicted, signal) + condition.rest

    def typical(
        self, film: Float[Tensor, "frames numbers"], still: Float[Tensor, "frames numbers"]
    ) -> Float[Tensor, "frames numbers"]:
        """still + C^T R^-1.2 C (film - still), but for the mean over time: a mean of films moves less than they do.

        It has the share R^2 of their energy, so R^-1 would do; limbs fitted to what is blurred lose a little more.
        """
        shares = self.network.explained.clamp(LEAST_SHARE, 1.0) ** (-0.5 * LIVELINESS)
        shares = torch.cat([torch.ones_like(shares[:1]), shares[1:]])
        counts = torch.tensor([kind.stop - kind.start for kind in KINDS])
        dct = self.network.dct
        return still + dct.T @ (shares.repeat_interleave(counts, 1) * (dct @ (film - still)))

    def weigh(self, error: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames numbers"]:
        """C^T w C error: frequency by frequency. What a mean film blurs away, the body may well have."""
        dct = self.network.dct
        return dct.T @ (self.certainty * (dct @ error))

    def weigh_score(self, gradient: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames numbers"]:
        """Components alone: moments settle where limbs go, but at low noise they lift feet and widen steps."""
        return torch.cat([gradient[:, :MOTION_NUMBERS], torch.zeros_like(gradient[:, MOTION_NUMBERS:])], 1)

    def decode(self, latent: Float[Tensor, "frames numbers"]) -> Float[Tensor, "frames 3 height width"]:
        """V (scale z): what the basis can show of the film; see `decode_on` for the rest frame's details."""
        return self.latents.decode(latent).unflatten(1, (3, SIDE, WIDTH)).clamp(0.0, 1.0)

    def decode_on(
        self, latent: Float[Tensor, "frames numbers"], rest: Float[Tensor, "3 height width"]
    ) -> Float[Tensor, "frames 3 height width"]:
        """The film that differs from the rest frame as the latent says."""
        moved = self.latents.decode(latent - self.encode(rest[None]))
        return (rest + moved.unflatten(1, rest.shape)).clamp(0.0, 1.0)


def film_certainty(network: MotionNetwork) -> Float[Tensor, "frequencies numbers"]:
    """w = R^2 / ((1 - R^2) E) for every frequency of components and of moments; the components' mean is 1 at 1 to 6.

    E is the energy of true films. A mean film that explains a share R^2 of a true film z is R^2 z and noise of variance
    R^2 (1 - R^2) E; so z is known with this precision. The mean over time counts `MEAN_POSE` of that.
    """
    known = network.explained.clamp(0.0, 0.95)
    energies = network.mean.square() + network.deviation.square()
    energy = torch.stack([energies[:, kind].sum(1) for kind in KINDS], 1)
    weights = known / ((1.0 - known) * energy)
    weights = weights / weights[1:7, 0].mean()
    weights[0] *= MEAN_POSE
    counts = torch.tensor([kind.stop - kind.start for kind in KINDS])
    return weights.repeat_interleave(counts, 1)


def view_of_camera(camera: Camera) -> StageView:
    """Azimuth and elevation of a camera that looks at the body; its distance counts as the standard one."""
    ahead = camera.T_camera_world[2, :3]
    return StageView(float(np.arctan2(-ahead[0], -ahead[2])), float(np.arcsin(np.clip(-ahead[1], -1.0, 1.0))))


def save_embedded(path: Path, network: MotionNetwork, latents: FilmLatents, facts: dict[str, str]) -> None:
    """Weights in half precision, bases in eight bits, and facts about the training, in one file."""
    shape = network.shape
    numbers = {name: str(getattr(shape, name)) for name in NetworkShape.__dataclass_fields__}
    tensors = {f"network.{k}": v.half().contiguous() for k, v in network.state_dict().items()}
    tensors |= latent_tensors(latents)
    with replacing(path) as temporary:
        save_file(tensors, temporary, {**facts, **numbers})


def load_embedded(path: Path | None = None) -> EmbeddedPrior:
    """The shipped prior, or one that `gambol prior train` made."""
    path = path or WEIGHTS
    if not path.is_file():
        raise PriorError(f"There are no weights at {path}; make some: gambol prior train -o FOLDER")
    facts = read_facts(path)
    shape = NetworkShape(**{name: int(facts[name]) for name in NetworkShape.__dataclass_fields__})
    tensors = load_file(path)
    network = MotionNetwork(shape)
    try:
        network.load_state_dict({k[8:]: v.float() for k, v in tensors.items() if k.startswith("network.")})
    except RuntimeError as error:
        raise PriorError(f"{path} was made by another version of Gambol; make it anew: gambol prior train") from error
    latents = latents_of_tensors(tensors)
    return EmbeddedPrior(network, latents)


def read_facts(path: Path) -> dict[str, str]:
    """What the file says about itself."""
    try:
        with safe_open(path, "pt") as file:
            return dict(file.metadata())
    except Exception as error:
        raise PriorError(f"{path} does not hold an embedded prior: {error}.") from error
