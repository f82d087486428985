"""`gambol.track` with its arguments, and the request made of them. Imports nothing heavy before it is called."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gambol.progress import Progress

if TYPE_CHECKING:
    from gambol.app.track import TrackReport
    from gambol.physics.run_tracking import TrackingSettings

MjcfUnits = Literal["simulated", "character"]
"""Unit of length of OUT.xml: simulated metres, or the units of OUT.glb."""


def _default_settings() -> TrackingSettings:
    from gambol.physics.run_tracking import TrackingSettings

    return TrackingSettings()


@dataclass(frozen=True)
class TrackRequest:
    """What `gambol track` is asked for."""

    path: Path
    """A character file, or the folder of a run."""
    output: Path
    """The .glb file to write; other files are written beside it under the same name."""
    clip: str | None = None
    """Name or number of the clip; None: the last one."""
    fps: float = 30.0
    """Frames per second that the clip is tracked and written at."""
    restore_travel: bool = False
    """Give a clip that walks in place its travel over the ground first."""
    lift: float = 0.0
    """Height by which the clip is raised first, metres: shows what becomes of a floating clip."""
    settings: TrackingSettings = field(default_factory=_default_settings)
    """Settings of the simulation and the optimisation."""
    torque_limit: float | None = None
    """Largest torque of every actuator in OUT.xml, newton metres in the units of that file; None: no limit."""
    mjcf_units: MjcfUnits = "simulated"
    """Unit of length of OUT.xml."""
    film: bool = True
    """Write OUT.mp4."""
    anyway: bool = False
    """Track a motion that is no matter of ground contact, such as flight, all the same."""


def track(
    path: str | Path,
    output: str | Path,
    *,
    clip: str | None = None,
    restore_travel: bool = False,
    iterations: int = 200,
    upright: float | Literal["anneal"] = 1.0,
    size: float | Literal["asis"] | None = None,
    seeds: int = 1,
    window: float | None = None,
    look_ahead: float | None = None,
    anyway: bool = False,
    paper: bool = False,
    inertia_floor: bool = True,
    skate_loss: bool = True,
    torque_limit: float | None = None,
    mjcf_units: Literal["simulated", "character"] = "simulated",
    engine: Literal["newton", "mujoco"] | None = None,
    device: str = "cpu",
    film: bool = True,
    fps: float = 30.0,
    seed: int = 0,
    progress: Progress | None = None,
) -> TrackReport:
    """Find the nearest motion to a clip that physics allows, and write it with its simulation.

    Args:
        path: A character file, or the folder of a run.
        output: The .glb file to write; .json, .npz, .xml, .usda and .mp4 are written beside it.
        clip: Name or number of the clip; the last one where not given.
        restore_travel: Give a clip that walks in place its travel over the ground first.
        iterations: Optimiser steps of each window.
        upright: Scale of the virtual torque that keeps the root upright, 0 to switch it off; anneal: lower it to 0
            during the optimisation.
        size: Length of the living body, metres: small bodies fall and swing faster for their size. asis: the length in
            the file. Not given: the pace of a run's motion decides; 1.5 for a file, whose units say little.
        seeds: Number of starts side by side; the best is kept.
        window: Seconds that are searched at once. A longer clip is tracked in windows, each from the simulated state
            in which the last one ended. Not given: 2 by gradient, 8 frames by sampling.
        look_ahead: Seconds at the end of a window that are only looked ahead at, and searched again by the next window.
            Not given: a quarter of the window by gradient, half of it by sampling.
        anyway: Track a motion that is no matter of ground contact (it flies, swims, glides, hovers) all the same.
        paper: Use the paper's settings: a target per simulation step, no loss for sliding or dragging feet or jerk,
            the first frame on the ground.
        inertia_floor: Give light and thin bones more inertia; without it only much shorter steps are stable.
        skate_loss: Penalise feet that slide where they stand, or drag where they swing.
        torque_limit: Largest torque of every actuator in the .xml file, newton metres.
        mjcf_units: Unit of length of the .xml file: simulated metres, or the character's own units as in the .glb file
            (gravity and torques are converted with it).
        engine: newton optimises by gradient, mujoco by sampling; newton where it is installed.
        device: Device that Newton simulates on.
        film: Write the film.
        fps: Frames per second that the clip is tracked and written at.
        seed: Random seed of the search by sampling, and of further starts.
        progress: Called with (steps done, steps in total, what is being done).
    """
    from gambol.app.track import track_file
    from gambol.physics.articulated_body import BodyConfig
    from gambol.physics.gradient_tracking import DEFAULT_TRACK, PAPER_TRACK
    from gambol.physics.run_tracking import TrackingSettings

    config = replace(PAPER_TRACK if paper else DEFAULT_TRACK, iterations=iterations, seed=seed)
    config = replace(config, window=window, look_ahead=look_ahead)
    config = replace(config, anneal=True) if upright == "anneal" else replace(config, upright=upright)
    if not skate_loss:
        config = replace(config, skate=0.0, clear=0.0, hover=0.0)
    body = BodyConfig() if inertia_floor else BodyConfig(roundness=0.0, inertia_floor=0.0, mass_floor=0.0)
    request = TrackRequest(
        Path(path),
        Path(output),
        clip=clip,
        fps=fps,
        restore_travel=restore_travel,
        settings=TrackingSettings(body=body, track=config, seeds=seeds, living_size=size, engine=engine, device=device),
        torque_limit=torque_limit,
        mjcf_units=mjcf_units,
        film=film,
        anyway=anyway,
    )
    return track_file(request, progress=progress)
