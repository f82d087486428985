"""Which prior a name stands for, and how it is loaded."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gambol.diffusion.video_prior import VideoPrior
from gambol.errors import ConfigError
from gambol.priors.check_prior_name import EMBEDDED, check_prior_name


@dataclass(frozen=True)
class VideoOptions:
    """How a large model is run; None takes the model's own choice. The embedded prior has none of these."""

    frames: int | None = None
    """Frames of the model's video."""
    size: tuple[int, int] | None = None
    """Height and width of the model's video, pixels."""
    fps: float | None = None
    """Frames per second of the model's video."""
    device: str | None = None
    """Device of the model, such as cpu or cuda; None takes a GPU where there is one."""
    offload: Literal["none", "models", "layers"] = "none"
    """Which parts of the model leave the device while they are not in use."""
    tile: int | None = None
    """Side of the tiles in which pictures are encoded, pixels; None encodes whole pictures."""


@dataclass(frozen=True)
class PriorSource:
    """A prior by name, before it is loaded."""

    name: str
    """`embedded`, a weights file that `gambol prior train` wrote, or a large model's name or folder."""
    kind: type[VideoPrior[Any]]
    """Class of the prior; its attributes say which settings suit it."""
    weights: Path | None = None
    """Weights file of an embedded prior; None for a large model."""

    @property
    def identity(self) -> str:
        """Name and, for weights files, a digest: what settings of a run are compared by."""
        if self.weights is None:
            return self.name
        name = EMBEDDED if self.name == EMBEDDED else self.weights.name
        return f"{name} {hashlib.sha256(self.weights.read_bytes()).hexdigest()[:16]}"

    def check(self, options: VideoOptions) -> None:
        """Refuse options that this prior does not take."""
        if self.weights is None:
            return
        if options.frames is not None or options.size is not None:
            raise ConfigError("The embedded prior has its own frames and size; other ones are for large models.")
        if options.device not in (None, "cpu"):
            raise ConfigError(f"The embedded prior runs on the CPU, not on {options.device}; leave out the device.")
        if options.offload != "none" or options.tile is not None:
            raise ConfigError("The embedded prior is small; offload and tile are for large models.")

    def load(self, options: VideoOptions | None = None) -> VideoPrior[Any]:
        """The prior, ready to run."""
        options = options or VideoOptions()
        self.check(options)
        if self.weights is not None:
            from gambol.priors.embedded.prior import load_embedded

            return load_embedded(self.weights)
        import torch

        from gambol.priors.diffusers.load import load_prior
        from gambol.priors.diffusers.settings import PriorSettings

        height, width = options.size or (None, None)
        device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
        precision: Any = "bfloat16" if device != "cpu" else "float32"
        settings = PriorSettings(
            frames=options.frames,
            height=height,
            width=width,
            fps=options.fps,
            device=device,
            precision=precision,
            offload=options.offload,
            tile=options.tile,
        )
        return load_prior(self.name, settings)


def find_prior(name: str | Path) -> PriorSource:
    """The prior that a name stands for; raises `ConfigError` for a name that stands for none."""
    from gambol.priors.diffusers.base import DiffusersPrior
    from gambol.priors.embedded.prior import WEIGHTS, EmbeddedPrior

    text = str(name)
    check_prior_name(text)
    if text == EMBEDDED:
        return PriorSource(text, EmbeddedPrior, WEIGHTS)
    if text.endswith(".safetensors"):
        return PriorSource(text, EmbeddedPrior, Path(text))
    return PriorSource(text, DiffusersPrior)  # type: ignore[type-abstract]
