"""What a distillation is told, and the presets: a sketch on any computer, a draft, and the paper's own settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from gambol.diffusion.noise_schedules import AnnealedDraw, Constant, FallingBound, Levels, Ramp, Schedule
from gambol.distill.penalties import PAPER_PENALTIES, PenaltyWeights
from gambol.errors import AssetError
from gambol.priors.embedded.stage import SPLATS, StageView

Method = Literal["sds", "annealed", "fit"]
METHODS = ("sds", "annealed", "fit")
Curves = Literal["cosine", "spline", "free"]
Film = Literal["mean", "sample"]

SKETCH_LEVELS = FallingBound(0.6, Ramp(0.99, 0.92, 30))
SKETCH_VIEW = StageView()
MOST_VIEWS = 8
"""Of a stage (`scenes.SPREAD`)."""


@dataclass(frozen=True)
class DistilSettings:
    """How a motion is distilled; the defaults are the sketch's: a fit, and nothing after it."""

    steps: int = 30
    settling: int = 30
    """Steps of the first phase: a fit to films that the prior is asked for, which settles the large motion. All of
    them, where nothing follows."""
    views: int = 8
    """Of the embedded prior's stage: a film is asked for and fitted from each, since what the prior gets wrong differs
    from view to view. One to eight."""
    guidance: float | Schedule = 5.0
    rate: float = 0.05
    """Adam's, of coefficients that are about 1 for a joint that goes its whole way."""
    refining: float = 0.6
    """The rate of the second phase, as a part of the first one's."""
    frequencies: int = 16
    """Of the motion's cosine transform, or knots of its spline, in each of the prior's windows."""
    levels: Levels = SKETCH_LEVELS
    penalties: PenaltyWeights = field(default_factory=PenaltyWeights)
    view: StageView = SKETCH_VIEW
    """Where the camera stands (the first of two in front of the embedded prior)."""
    seed: int = 0
    curves: Curves = "cosine"
    """What motion is made of: cosines, a cubic B-spline, or free numbers in every frame (paper)."""
    draws: int = 1
    """Noises and levels in each step, averaged."""
    per_frame: bool = True
    """Divide the prior's gradient by the number of frames; the paper's weights go with the plain sum."""
    drift: float = 0.0
    """Speed of the start along +x, sizes per second. The embedded prior's cameras go along, so on its stage it is 0."""
    film: Film = "mean"
    """Which film the first phase fits to: the mean one, from every side, or a sample."""
    film_calls: int = 10
    """Calls of the prior for a film, with and without the sentence."""
    film_guidance: float = 1.0
    """How strongly the sentence counts in it; more than 1 asks a standing body for the opposite of a mean motion."""
    loop: bool = False
    """The last pose is the first again."""
    seconds: float | None = None
    """Length of the clip; longer than the prior's window, a random window is looked at in each step."""
    locked: tuple[str, ...] = ()
    """Joints that keep their rest pose, by name."""
    splats: int = SPLATS
    """The body's, in front of the prior."""
    manner: bool = True
    """Tell the embedded prior when in its cycle the motion starts and which side leads, both drawn from the seed."""
    follow_feet: bool = True
    """Find the way over the ground from the standing feet."""
    pose_prior: float = 0.0
    """Weight of the pose space: how plausible it finds each frame, and what its validators find wrong. 0: unused."""

    def __post_init__(self) -> None:
        for name, least in (
            ("steps", 1),
            ("settling", 0),
            ("frequencies", 2),
            ("draws", 1),
            ("film_calls", 1),
            ("views", 1),
        ):
            if getattr(self, name) < least:
                raise AssetError(f"{name} is {getattr(self, name)}; it must be {least} or more.")
        if self.views > MOST_VIEWS:
            raise AssetError(f"views is {self.views}; a stage has {MOST_VIEWS} at most.")
        if not self.rate > 0:
            raise AssetError(f"rate is {self.rate}; it must be above 0.")
        if self.seconds is not None and not 0 < self.seconds <= 600:
            raise AssetError(f"The clip is to last {self.seconds:g} seconds; allowed is above 0, up to 600.")
        if not 0 <= self.seed < 2**31:
            raise AssetError(f"The seed is {self.seed}; it must be 0 or more, below {2**31}.")
        for guidance in (self.guidance_at(0), self.film_guidance):
            if not 0 <= guidance <= 1000:
                raise AssetError(f"The guidance is {guidance:g}; it takes a number from 0 to 1000.")

    def guidance_at(self, step: int) -> float:
        """How strongly the sentence counts in this step."""
        return self.guidance.at(step) if isinstance(self.guidance, Ramp | Constant) else self.guidance


SKETCH = DistilSettings()
DRAFT = DistilSettings(
    steps=1000,
    settling=0,
    guidance=Ramp(25.0, 12.0, 1000),
    rate=0.02,
    levels=AnnealedDraw(1000),
    drift=0.4,
    film="sample",
    film_calls=30,
    film_guidance=3.0,
    splats=20_000,
)
"""A large model in a tenth of the paper's steps: levels and guidance from high to low, smooth curves, limits."""
PAPER = DistilSettings(
    steps=10_000,
    settling=0,
    guidance=100.0,
    rate=0.005,
    levels=FallingBound(),
    penalties=PAPER_PENALTIES,
    curves="free",
    per_frame=False,
    drift=0.4,
    film="sample",
    film_calls=30,
    film_guidance=3.0,
    splats=20_000,
    follow_feet=False,
)
"""AKD's printed settings. Rate, drift, view and splats are not printed and ours (docs/method.md)."""
FIT_STEPS = 200
"""Of a fit to one sample of a large model."""
VIDEO_STEPS = 80
"""Of the sketch's fit to a film that was given: one view says less than eight, so it takes longer."""
SCORE_STEPS = 160
"""Of score distillation after the sketch's fit."""
LONG_STEPS, LONG_SETTLING = 300, 140
"""Of a sketch of a loop: no film is one, so all of it is score distillation."""


def only_fits(settings: DistilSettings) -> bool:
    """Whether nothing follows the fit."""
    return settings.settling >= settings.steps


def guided(settings: DistilSettings, guidance: float | None) -> DistilSettings:
    """The settings with this guidance where it counts: a fit asks for films with it, score distillation for scores."""
    if guidance is None:
        return settings
    return replace(settings, film_guidance=guidance) if only_fits(settings) else replace(settings, guidance=guidance)


def with_method(settings: DistilSettings, method: Method) -> DistilSettings:
    """The settings as the method wants them: the fit alone, scores after it, or annealed levels and guidance."""
    if method == "fit":
        steps = settings.settling if only_fits(settings) else min(settings.steps, FIT_STEPS)
        return replace(settings, steps=steps, settling=steps)
    if only_fits(settings):
        settings = replace(settings, steps=settings.settling + SCORE_STEPS)
        if settings.loop:
            slower = FallingBound(0.6, Ramp(0.99, 0.92, LONG_SETTLING))
            settings = replace(settings, steps=LONG_STEPS, settling=LONG_SETTLING, levels=slower)
    if method == "annealed":
        strong = settings.guidance_at(0)
        levels = AnnealedDraw(settings.steps, shift=1.0)
        return replace(settings, settling=0, levels=levels, guidance=Ramp(1.5 * strong, 0.5 * strong, settings.steps))
    return settings


def with_steps(settings: DistilSettings, steps: int) -> DistilSettings:
    """The same schedules over another number of steps."""
    part = steps / settings.steps

    def scaled(value: Schedule) -> Schedule:
        return replace(value, steps=max(round(value.steps * part), 1)) if isinstance(value, Ramp) else value

    levels: Levels = settings.levels
    if isinstance(levels, AnnealedDraw):
        levels = replace(levels, steps=max(round(levels.steps * part), 1))
    else:
        levels = replace(levels, high=scaled(levels.high))
    guidance = scaled(settings.guidance) if isinstance(settings.guidance, Ramp) else settings.guidance
    settling = round(settings.settling * part)
    return replace(settings, steps=steps, settling=settling, levels=levels, guidance=guidance)


def settings_from(chosen: Mapping[str, Any]) -> DistilSettings:
    """The sketch with some of its fields changed; schedules follow the number of steps."""
    known = [f.name for f in fields(DistilSettings)]
    unknown = [name for name in chosen if name not in known]
    if unknown:
        raise AssetError(f"There is no setting {', '.join(unknown)}; there are {', '.join(known)}.")
    base = SKETCH
    if chosen.get("loop"):
        base = with_method(replace(SKETCH, loop=True), "sds")
    steps = chosen.get("steps", base.steps)
    changed = replace(base if steps < 1 else with_steps(base, steps), **chosen)
    return changed if "film_guidance" in chosen else guided(changed, chosen.get("guidance"))
