"""A request resolved into a plan: presets, methods and losses are chosen only here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gambol.app.animate_request import AnimateRequest
from gambol.errors import ConfigError

if TYPE_CHECKING:  # requests are resolved before torch is needed
    from gambol.diffusion.video_prior import VideoPrior
    from gambol.distill.losses import Loss
    from gambol.distill.method import Method
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.problem import MotionConfig
    from gambol.render.observer import ObserverConfig


SUMMED_FRAMES = 49
"""Frames of the paper's video: a loss whose weight goes with a score per frame counts so often beside a sum."""


@dataclass(frozen=True)
class AnimatePlan:
    """A request resolved: everything that decides the motion."""

    preset: str
    """Name of the preset."""
    methods: tuple[Method, ...]
    """Methods that run one after the other."""
    losses: tuple[Loss, ...]
    """Losses and constraints beside the prior's loss."""
    motion: MotionConfig
    """Length, loop, basis functions."""
    observer: ObserverConfig
    """How the character is shown."""
    post: PostProcessing
    """How the optimised motion becomes a clip."""
    open_phase: bool
    """The prior is not told at which phase of a cycle the clip starts."""
    ranking_guidance: float
    """Guidance at which variants are compared."""
    per_frame: bool
    """Whether variants are compared by scores divided by the number of frames."""

    @property
    def method_names(self) -> str:
        """The methods' names, joined."""
        return " then ".join(type(method).__name__ for method in self.methods)


def resolve(request: AnimateRequest, prior: VideoPrior[Any] | type[VideoPrior[Any]]) -> AnimatePlan:
    """All settings of a run. What the request leaves open is chosen by the prior's preset."""
    from gambol.distill.losses import JointLimits
    from gambol.distill.post_processing import PostProcessing
    from gambol.distill.presets import find_preset
    from gambol.distill.problem import MotionConfig
    from gambol.distill.sds import SDS
    from gambol.distill.video_fit import VideoFit
    from gambol.motion.chosen_travel import parse_travel
    from gambol.render.observer import ObserverConfig

    if request.loop and request.travel is not None and not isinstance(parse_travel(request.travel), float):
        raise ConfigError("A loop repeats in place or straight ahead; give it a speed, or leave out the path.")
    if request.loop and any(leads_elsewhere(one) for one in request.constraints):
        raise ConfigError(
            "A loop goes straight ahead at one speed, so it follows no path and no change of speed. Leave out the loop,"
            " or give its speed as travel."
        )
    preset = find_preset(request.preset or prior.preset)
    methods = _methods(request, preset, prior)
    field = request.representation == "field"
    losses = (*(_field_losses if field else _losses)(request, preset), *request.constraints)
    fits = any(isinstance(method, VideoFit) for method in methods)
    samples = any(isinstance(method, VideoFit) and method.target == "sample" for method in methods)
    scores = [method for method in methods if isinstance(method, SDS)]
    limited = any(isinstance(loss, JointLimits) for loss in losses) and request.start_clip is None
    return AnimatePlan(
        preset=preset.name,
        methods=methods,
        losses=losses,
        motion=MotionConfig(
            representation=request.representation,
            basis=request.basis or preset.basis,
            start_speed=0.0 if prior.tracks_frames or (field and request.in_place) else preset.start_speed,
            trajectory=request.travel if field else None,
            seconds=request.seconds,
            natural_length=not (samples or request.start_clip is not None or request.video is not None),
            loop=request.loop,
            locked=tuple(request.lock),
        ),
        observer=ObserverConfig(
            splats=request.splats, views=request.views, fps=request.prior_fps, ground=request.ground_render
        ),
        post=PostProcessing(
            fps=request.fps,
            root_travel=preset.root_travel and not field,
            foot_lock=request.foot_lock and not field,
            limit_leg_joints=limited,
            in_place=request.in_place,
            travel=None if field else request.travel,
        ),
        open_phase=request.start_clip is not None and not fits,
        ranking_guidance=scores[-1].guidance_schedule.at(scores[-1].steps) if scores else preset.ranking_guidance,
        per_frame=all(getattr(method, "per_frame", True) for method in methods),
    )


def leads_elsewhere(constraint: Loss) -> bool:
    """Whether a constraint leads the body along a way or at speeds that do not repeat."""
    from gambol.distill.constraints import GroundPath, Speed

    return isinstance(constraint, GroundPath | Speed)


def _methods(request: AnimateRequest, preset: Any, prior: Any) -> tuple[Method, ...]:
    from gambol.distill.presets import named_methods, refining_scores
    from gambol.distill.run_methods import scale_steps
    from gambol.distill.sds import SDS
    from gambol.distill.video_fit import VideoFit

    given = own_methods(request)
    if request.video is not None:
        methods = given or (VideoFit(steps=preset.video_steps, per_frame=preset.per_frame),)
        if not all(isinstance(method, VideoFit) for method in methods):
            raise ConfigError("A video is fitted as it is: the method is VideoFit(...), or none is given.")
    elif given:
        methods = given
        if request.start_clip is not None and any(isinstance(method, VideoFit) for method in methods):
            raise ConfigError("A clip is refined by the prior's scores; with a start clip the method is SDS(...).")
    elif request.method is None:
        targets = prior.proposes_windows or (request.seconds is None and not request.loop)
        targets = targets and request.start_clip is None
        methods = named_methods(preset, preset.method if targets else "sds", loop=request.loop)
    else:
        methods = named_methods(preset, str(request.method), loop=request.loop)
    if request.start_clip is not None and not given:
        methods = (refining_scores(preset, methods),)
    if request.steps is not None:
        methods = scale_steps(methods, request.steps)
    if request.guidance is not None:
        kinds = SDS if any(isinstance(method, SDS) for method in methods) else VideoFit
        guidance = float(request.guidance)
        methods = tuple(replace(m, guidance=guidance) if isinstance(m, kinds) else m for m in methods)
    return methods


def own_methods(request: AnimateRequest) -> tuple[Method, ...]:
    """The methods that a request gives as objects; none where it gives a name or nothing."""
    from gambol.distill.method import Method

    if request.method is None or isinstance(request.method, str):
        return ()
    given = request.method if isinstance(request.method, tuple | list) else (request.method,)
    if not given or not all(isinstance(method, Method) for method in given):
        raise ConfigError(f"method is {request.method!r}; it takes fit, sds, annealed, VideoFit(...) or SDS(...).")
    return tuple(given)


def _field_losses(request: AnimateRequest, preset: Any) -> tuple[Loss, ...]:
    """Losses of a deformation field: the preset's kind of smoothness and ground, and rigidity."""
    from gambol.distill.losses import FieldRigidity, FieldSmoothness, Ground, Loss, Skate
    from gambol.distill.presets import akd_field_losses

    if request.losses is not None:
        unfit = [loss for loss in request.losses if not isinstance(loss, Loss) or "field" not in loss.representations]
        if unfit:
            raise ConfigError(f"{unfit[0]!r} is no loss of a deformation field; those have 'field' in representations.")
        return tuple(request.losses)
    usual = "ours" if preset.per_frame else "paper"
    smoothness, ground = akd_field_losses(1) if preset.per_frame else akd_field_losses()
    rigidity = FieldRigidity() if preset.per_frame else FieldRigidity(SUMMED_FRAMES * FieldRigidity().weight)
    kinds: dict[str, tuple[tuple[Loss, ...], tuple[Loss, ...]]] = {
        "ours": ((FieldSmoothness(),), (Ground(),)),
        "paper": ((smoothness,), (ground,)),
        "off": ((), ()),
    }
    losses = (rigidity, *kinds[request.smoothness or usual][0], *kinds[request.ground or usual][1])
    return losses + ((Skate(float(request.skate)),) if request.skate else ())


def _losses(request: AnimateRequest, preset: Any) -> tuple[Loss, ...]:
    from gambol.distill.losses import (
        Ground,
        JointLimits,
        Loss,
        PosePrior,
        Skate,
        Smoothness,
        Stance,
        StartHeading,
    )
    from gambol.distill.presets import akd_losses

    losses = preset.losses if request.losses is None else tuple(request.losses)
    unknown = [loss for loss in (*losses, *request.constraints) if not isinstance(loss, Loss)]
    if unknown:
        raise ConfigError(f"{unknown[0]!r} is not a loss; losses are objects of subclasses of gambol.Loss.")
    # scores that are divided by the number of frames go with weights that are divided by the paper's latent
    smoothness, ground = akd_losses(1) if preset.per_frame else akd_losses()
    choices = ((request.smoothness, Smoothness(), smoothness), (request.ground, Ground(), ground))
    for choice, ours, paper in choices:
        if choice is not None:
            others = tuple(loss for loss in losses if not isinstance(loss, type(ours) | type(paper)))
            losses = (*others, *{"ours": (ours,), "paper": (paper,), "off": ()}[choice])
    if request.ground in ("paper", "off"):
        losses = tuple(loss for loss in losses if not isinstance(loss, Stance))
    if not request.limits:
        losses = tuple(loss for loss in losses if not isinstance(loss, JointLimits))
    if request.loop:
        losses = tuple(loss for loss in losses if not isinstance(loss, StartHeading))
    losses += (Skate(float(request.skate)),) if request.skate else ()
    return losses + ((PosePrior(float(request.pose_prior)),) if request.pose_prior else ())
