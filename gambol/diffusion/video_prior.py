"""The one interface behind which every video model stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from jaxtyping import Float
from torch import Tensor

from gambol.diffusion.parametrisation import Signal, Weighting, weight_one
from gambol.errors import GambolError
from gambol.render.cameras import Camera


class PriorError(GambolError):
    """A video prior cannot do what it was asked for; the message says what it can."""

    exit_code = 2


class PriorFailure(PriorError):
    """A video prior failed while running: out of memory, or numbers that are not finite."""

    exit_code = 1


@dataclass(frozen=True)
class VideoFormat:
    """The video that a prior wants to see."""

    frames: int
    height: int
    """Pixels."""
    width: int
    """Pixels."""
    fps: float
    """Frames per second."""
    picture: Literal["real", "control"] = "real"
    """Which render: the character as it looks, or the part-coloured control render."""


ConditionT = TypeVar("ConditionT")


class VideoPrior(ABC, Generic[ConditionT]):
    """A diffusion model over latent videos; the noise level t runs from 0 (clean) to 1 (noise).

    A latent has whatever shape `encode` gives it. Only `encode` is differentiable; `predict_clean` and `decode` run
    without gradients. A prior knows one video at a time: no batch axis.
    """

    format: VideoFormat
    weighting: Weighting = staticmethod(weight_one)
    """The w(t) that goes with what the model predicts, used where no other is chosen."""

    @abstractmethod
    def condition(
        self,
        prompt: str,
        negative: str = "",
        *,
        reference_frame: Float[Tensor, "3 height width"] | None = None,
        camera: Camera | None = None,
    ) -> ConditionT:
        """Everything the model is told, made once per run: a prior ignores what it has no use for.

        `reference_frame` shows the character in its rest pose, colours in [0, 1]; `camera` is the one of that frame.
        """

    @abstractmethod
    def encode(self, video: Float[Tensor, "frames 3 height width"]) -> Float[Tensor, "*latent"]:
        """The latent z of a video with colours in [0, 1]; differentiable."""

    @abstractmethod
    def signal(self, t: float) -> Signal:
        """The a and s of z_t = a z + s e."""

    @abstractmethod
    def predict_clean(
        self, noisy: Float[Tensor, "*latent"], t: float, condition: ConditionT, guidance: float
    ) -> Float[Tensor, "*latent"]:
        """The clean estimate x0 of z_t, with classifier-free guidance; guidance 1 is the model as it is."""

    @abstractmethod
    def decode(self, latent: Float[Tensor, "*latent"]) -> Float[Tensor, "frames 3 height width"]:
        """The video of a latent, colours in [0, 1]: for people to look at."""

    def typical(self, film: Float[Tensor, "*latent"], still: Float[Tensor, "*latent"]) -> Float[Tensor, "*latent"]:
        """A mean film with as much motion about a still one as true films have; as it is where nothing is known."""
        return film

    def weigh(self, error: Float[Tensor, "*latent"]) -> Float[Tensor, "*latent"]:
        """An error against a mean film, each part by how sure such a film is of it; here all alike."""
        return error

    def weigh_score(self, gradient: Float[Tensor, "*latent"]) -> Float[Tensor, "*latent"]:
        """How much each number of the latent pulls in score distillation; all alike where the prior knows no better."""
        return gradient

    def add_noise(
        self, latent: Float[Tensor, "*latent"], noise: Float[Tensor, "*latent"], t: float
    ) -> Float[Tensor, "*latent"]:
        """z_t = a z + s e."""
        signal = self.signal(t)
        return signal.a * latent + signal.s * noise
