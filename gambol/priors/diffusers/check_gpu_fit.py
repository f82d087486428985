"""Says whether a video model fits into a GPU, how long a step takes, and which setting to change if it does not fit.

Arguments are checked before torch is imported, so that mistakes are reported at once.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.errors import ConfigError
from gambol.priors.diffusers.catalogue import check_model_source
from gambol.priors.diffusers.settings import Offload, PriorSettings
from gambol.render.memory_budget import parse_bytes

if TYPE_CHECKING:
    from gambol.priors.diffusers.estimate_memory import StepEstimate

GPU_PEAK_FLOPS = {"A100": 312e12, "H100": 989e12, "RTX 4090": 165e12}
"""Peak bfloat16 operations per second of well-known GPUs, from the vendor's data sheets."""
ASSUMED_GPU_UTILISATION = 0.4
"""Share of a GPU's peak that video models are assumed to reach."""
ADVISED_TILE_PIXELS = 256
"""Tile size that is advised where whole frames do not fit."""


@dataclass(frozen=True)
class PriorCheck:
    """The answer of `gambol doctor --prior`."""

    estimate: StepEstimate
    """Memory and work of one step."""
    seconds: dict[str, float]
    """Seconds per step: on well-known GPUs at an assumed utilisation, and here by the speed of a matrix product."""
    memory: int | None
    """Bytes that the step has to fit into; None where there is no GPU and no number was given."""
    advice: str
    """Whether it fits, and what to set if it does not."""

    def lines(self) -> list[str]:
        """Return the answer as lines of text."""
        step = self.estimate
        video = f"{step.format.frames} frames of {step.format.height} x {step.format.width} pixels"
        told = [
            f"{step.model}, {video}, {step.settings.precision}",
            "  phase     weights GB  the rest GB  together GB  TFLOP",
        ]
        for phase in step.phases:
            weights, rest, need = (n / 1e9 for n in (step.weights(phase.name), phase.activations, step.need(phase)))
            told.append(f"  {phase.name:<8} {weights:>11.1f} {rest:>12.1f} {need:>12.1f} {phase.flops / 1e12:>6.0f}")
        told.append(f"A step needs {step.peak / 1e9:.1f} GB. {self.advice}")
        times = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in self.seconds.items())
        return [*told, f"A step takes about: {times}."]


def check_prior(
    source: str | Path, *, frames: int | None = None, size: str | None = None, memory: str | None = None
) -> PriorCheck:
    """Estimate a step of a known model or a model folder, and compare it with a GPU's memory.

    `size` is 'HxW' in pixels and `memory` a text such as 24GB; None stands for the model's own format and this
    machine's GPU.
    """
    check_model_source(source)
    height, width = _sides(size)
    if frames is not None and frames < 1:
        raise ConfigError(f"The video was given {frames} frames; it needs 1 or more.")
    available = None if memory is None else parse_bytes(memory)
    from gambol.priors.diffusers.estimate_memory import estimate_step

    estimate = estimate_step(source, PriorSettings(frames=frames, height=height, width=width, device="cuda"))
    seconds = {name: estimate.flops / (peak * ASSUMED_GPU_UTILISATION) for name, peak in GPU_PEAK_FLOPS.items()}
    seconds["this machine"] = estimate.flops / measure_flops()
    available = _gpu_memory() if available is None else available
    return PriorCheck(estimate, seconds, available, _advice(source, estimate, available))


def cheaper_settings(source: str | Path, estimate: StepEstimate, memory: int) -> StepEstimate | None:
    """Return the estimate with the first of a list of thriftier settings that fits into `memory` bytes.

    None means that only fewer frames, a smaller size or a smaller model will fit.
    """
    from gambol.priors.diffusers.estimate_memory import estimate_step

    tiled = estimate
    if estimate.settings.tile is None and min(estimate.format.height, estimate.format.width) > ADVISED_TILE_PIXELS:
        tiled = estimate_step(source, replace(estimate.settings, tile=ADVISED_TILE_PIXELS))
    offloads: tuple[Offload, ...] = ("none", "models", "layers")
    for offload in offloads[offloads.index(estimate.settings.offload) :]:
        for candidate in (estimate, tiled):
            thrifty = replace(candidate, settings=replace(candidate.settings, offload=offload))
            if thrifty.peak <= memory:
                return thrifty
    return None


def measure_flops() -> float:
    """Measure the floating point operations per second of this machine's device in a matrix product."""
    import torch

    gpu = torch.cuda.is_available()
    matrix = torch.ones(4096, 4096, device="cuda", dtype=torch.bfloat16) if gpu else torch.ones(512, 512)

    def multiply(times: int) -> float:
        start = time.perf_counter()
        for _ in range(times):
            torch.mm(matrix, matrix)
        if gpu:
            torch.cuda.synchronize()
        return time.perf_counter() - start

    multiply(1)
    return 5 * 2 * len(matrix) ** 3 / max(multiply(5), 1e-9)


def _advice(source: str | Path, estimate: StepEstimate, memory: int | None) -> str:
    if memory is None:
        return "This machine has no GPU; --memory 24GB asks about another one."
    if estimate.peak <= memory:
        return f"It fits into {memory / 1e9:.0f} GB."
    cheaper = cheaper_settings(source, estimate, memory)
    if cheaper is None:
        least = f"PriorSettings(offload='layers', tile={ADVISED_TILE_PIXELS})"
        return (
            f"It does not fit into {memory / 1e9:.0f} GB, not even with {least}: lower --frames or --size, or take a "
            "smaller model."
        )
    old, new = estimate.settings, cheaper.settings
    changes = [f"offload='{new.offload}'"] if new.offload != old.offload else []
    changes += [f"tile={new.tile}"] if new.tile != old.tile else []
    return (
        f"It does not fit into {memory / 1e9:.0f} GB. From Python, load_prior('{source}', "
        f"PriorSettings({', '.join(changes)})) needs {cheaper.peak / 1e9:.1f} GB and "
        f"{cheaper.flops / estimate.flops:.1f} times the work per step."
    )


def _sides(size: str | None) -> tuple[int | None, int | None]:
    if size is None:
        return None, None
    sides = size.lower().split("x")
    if len(sides) != 2 or not all(side.isdigit() and int(side) > 0 for side in sides):
        raise ConfigError(f"The size is given as '{size}'; write height x width in pixels, such as 480x720.")
    return int(sides[0]), int(sides[1])


def _gpu_memory() -> int | None:
    import torch

    return torch.cuda.get_device_properties(0).total_memory if torch.cuda.is_available() else None
