"""What a job needs of its machine, by its prior: cores, GPUs, memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gambol.app.animate_request import AnimateFileRequest
from gambol.app.check_request import default_prior
from gambol.errors import GambolError
from gambol.priors.check_prior_name import EMBEDDED, is_embedded
from gambol.scale.executor import Needs

if TYPE_CHECKING:  # jobs are planned before torch is needed
    from gambol.priors.diffusers.estimate_memory import StepEstimate

EMBEDDED_MEMORY = 1_500_000_000
"""Bytes that a job with the embedded prior reserves; docs/batch.md has the measurement."""
LIMIT_FACTOR = 2.0
"""A job is ended at this multiple of the memory that is reserved for it by default."""
LOADER_MEMORY = 4_000_000_000
"""Bytes beside its weights that a job with a large model reserves."""


@dataclass(frozen=True)
class PriorKey:
    """What decides which prior a worker has to hold; jobs that share it run on the same workers."""

    name: str
    """The prior's name."""
    frames: int | None
    """Frames of a large model's video."""
    size: tuple[int, int] | None
    """Height and width of a large model's video, pixels."""
    fps: float | None
    """Frames per second of a large model's video."""
    device: str | None
    """Device of a large model."""
    offload: str
    """Which parts of a large model leave the device."""
    tile: int | None
    """Side of the tiles in which a large model encodes pictures, pixels."""

    @property
    def short_name(self) -> str:
        """The name; of a file of weights without its folder."""
        return Path(self.name).name if is_embedded(self.name) else self.name

    @property
    def title(self) -> str:
        """The prior for people."""
        size = "" if self.size is None else f", {self.size[0]} x {self.size[1]}"
        return self.short_name + ("" if self.frames is None else f", {self.frames} frames") + size


@dataclass(frozen=True)
class JobNeeds:
    """What the user says that each job needs; None leaves it to the prior."""

    cpus: float | None = None
    """Cores, which is also the number of threads."""
    gpus: float | None = None
    """GPUs, or a fraction of one."""
    memory: int | None = None
    """Bytes of main memory, which then are the limit too."""


def prior_name(request: AnimateFileRequest) -> str:
    """The prior that a request names, or the preset's."""
    if request.prior is not None:
        return request.prior
    if request.request.preset in (None, "sketch"):  # known without torch
        return EMBEDDED
    return default_prior(request.request.preset)


def prior_key(request: AnimateFileRequest) -> PriorKey:
    """The prior that a request needs."""
    name = prior_name(request)
    fps = None if is_embedded(name) else request.request.prior_fps
    return PriorKey(name, request.frames, request.size, fps, request.device, request.offload, request.tile)


def needs_of(key: PriorKey, given: JobNeeds) -> tuple[Needs, str]:
    """What a worker with this prior needs, and a note where it could not be estimated."""
    cpus = 1.0 if given.cpus is None else given.cpus
    if is_embedded(key.name):
        memory, limit = EMBEDDED_MEMORY, round(LIMIT_FACTOR * EMBEDDED_MEMORY)
        if given.memory is not None:
            memory = limit = given.memory
        return Needs(cpus, given.gpus or 0.0, memory, limit), ""
    on_cpu = key.device == "cpu" or given.gpus == 0
    gpus = 0.0 if on_cpu else 1.0 if given.gpus is None else given.gpus
    note = ""
    try:
        memory = estimated_memory(key, on_cpu=on_cpu)
    except GambolError as error:
        memory, note = 0, f"The memory of {key.title} is not estimated ({error}), so none is reserved for it."
    if given.memory is not None:
        return Needs(cpus, gpus, given.memory, given.memory), ""
    return Needs(cpus, gpus, memory, round(LIMIT_FACTOR * memory)), note


def estimated_memory(key: PriorKey, *, on_cpu: bool) -> int:
    """Bytes of main memory of a job with a large model, by the estimate of `gambol doctor --prior`.

    On the CPU the whole step is in it; with a GPU the weights pass through it once, or stay in it (offload).
    """
    step = estimate_key(key, "cpu" if on_cpu else "cuda")
    return LOADER_MEMORY + (step.peak if on_cpu else sum(step.denoisers) + step.autoencoder)


def estimate_key(key: PriorKey, device: str) -> StepEstimate:
    """The estimate of a step with a large model."""
    from gambol.priors.diffusers.estimate_memory import estimate_step
    from gambol.priors.diffusers.settings import PriorSettings

    height, width = key.size or (None, None)
    offload: Any = key.offload
    settings = PriorSettings(
        frames=key.frames, height=height, width=width, device=device, offload=offload, tile=key.tile
    )
    return estimate_step(key.name, settings)
