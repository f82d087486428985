"""Gambol gives any rigged 3D character motion from a sentence.

import gambol

fox = gambol.load("fox.glb")
clip = gambol.animate(fox, "a fox is running")
gambol.save(fox, clip, "fox-runs.glb")
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gambol.app.animate_request import AnimateRequest as AnimateRequest
    from gambol.app.batch import batch as batch
    from gambol.app.convert import convert_file as convert_file
    from gambol.app.edit import edit as edit
    from gambol.app.evaluate import evaluate_path as evaluate_file  # noqa: F401
    from gambol.app.inspect import inspect_file as inspect_file
    from gambol.app.new import write_creature as write_creature
    from gambol.app.pose import inbetween as inbetween
    from gambol.app.pose import sample_poses as sample_poses
    from gambol.app.pose import score_poses as score_poses
    from gambol.app.pose import solve_pose as solve_pose
    from gambol.app.pose import walk_poses as walk_poses
    from gambol.app.render import render_file as render_file
    from gambol.app.request_json import read_request as read_request
    from gambol.app.request_json import write_request as write_request
    from gambol.app.retarget import retarget as retarget
    from gambol.app.rig import rig_file as rig  # noqa: F401
    from gambol.app.segment import Segment as Segment
    from gambol.app.splat import splat_file as splat_file
    from gambol.app.track_request import track as track
    from gambol.character.character import Character as Character
    from gambol.diffusion.parametrisation import Signal as Signal
    from gambol.diffusion.video_prior import ActionText as ActionText
    from gambol.diffusion.video_prior import MotionLength as MotionLength
    from gambol.diffusion.video_prior import PromptReading as PromptReading
    from gambol.diffusion.video_prior import Reference as Reference
    from gambol.diffusion.video_prior import TargetLatent as TargetLatent
    from gambol.diffusion.video_prior import VideoFormat as VideoFormat
    from gambol.diffusion.video_prior import VideoPrior as VideoPrior
    from gambol.distill.constraints import Constraint as Constraint
    from gambol.distill.constraints import Freeze as Freeze
    from gambol.distill.constraints import GroundPath as GroundPath
    from gambol.distill.constraints import Hold as Hold
    from gambol.distill.constraints import LookAt as LookAt
    from gambol.distill.constraints import Pin as Pin
    from gambol.distill.constraints import PoseKey as PoseKey
    from gambol.distill.constraints import Speed as Speed
    from gambol.distill.losses import AKDGround as AKDGround
    from gambol.distill.losses import AKDSmoothness as AKDSmoothness
    from gambol.distill.losses import Ground as Ground
    from gambol.distill.losses import JointLimits as JointLimits
    from gambol.distill.losses import Loss as Loss
    from gambol.distill.losses import Motion as Motion
    from gambol.distill.losses import PosePrior as PosePrior
    from gambol.distill.losses import Skate as Skate
    from gambol.distill.losses import Smoothness as Smoothness
    from gambol.distill.losses import Stance as Stance
    from gambol.distill.losses import StartHeading as StartHeading
    from gambol.distill.sds import SDS as SDS
    from gambol.distill.video_fit import VideoFit as VideoFit
    from gambol.errors import ConfigError as ConfigError
    from gambol.errors import GambolError as GambolError
    from gambol.errors import PriorError as PriorError
    from gambol.files.asset import Asset as Asset
    from gambol.motion.clip import Clip as Clip
    from gambol.priors.load import VideoOptions as VideoOptions
    from gambol.priors.load import find_prior as find_prior
    from gambol.render.observer import Observer as Observer
    from gambol.render.observer import ObserverConfig as ObserverConfig
    from gambol.render.observer import Subject as Subject

# Torch's threads wait asleep instead of spinning, because kernels that are not torch's share the cores with them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__version__ = "0.2.0"

_NAMES = {
    "app.animate_request": "AnimateRequest",
    "app.batch": "batch",
    "app.convert": "convert_file",
    "app.edit": "edit",
    "app.evaluate": "evaluate_file=evaluate_path",
    "app.inspect": "inspect_file",
    "app.new": "write_creature",
    "app.pose": "inbetween sample_poses score_poses solve_pose walk_poses",
    "app.render": "render_file",
    "app.request_json": "read_request write_request",
    "app.retarget": "retarget",
    "app.rig": "rig=rig_file",
    "app.segment": "Segment",
    "app.splat": "splat_file",
    "app.track_request": "track",
    "character.character": "Character",
    "diffusion.parametrisation": "Signal",
    "diffusion.video_prior": "ActionText MotionLength PromptReading Reference TargetLatent VideoFormat VideoPrior",
    "distill.constraints": "Constraint Freeze GroundPath Hold LookAt Pin PoseKey Speed",
    "distill.losses": "AKDGround AKDSmoothness Ground JointLimits Loss Motion PosePrior Skate Smoothness Stance"
    " StartHeading",
    "distill.sds": "SDS",
    "distill.video_fit": "VideoFit",
    "errors": "ConfigError GambolError PriorError",
    "files.asset": "Asset",
    "motion.clip": "Clip",
    "priors.load": "VideoOptions find_prior",
    "render.observer": "Observer ObserverConfig Subject",
}
"""Modules and the public names that each holds; `name=other` where it is called otherwise there.

A module is imported when a name of it is first used. `gambol.evaluate` and `gambol.render` are subpackages, so the
functions are called `evaluate_file` and `render_file`.
"""
_PUBLIC = {
    name.partition("=")[0]: (f"gambol.{module}", name.rpartition("=")[2])
    for module, names in _NAMES.items()
    for name in names.split()
}

__all__ = ["__version__", "animate", "load", "save", *sorted(_PUBLIC)]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'gambol' has no attribute '{name}'")
    from importlib import import_module

    module, own_name = _PUBLIC[name]
    return getattr(import_module(module), own_name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})


def load(
    path: str | Path, *, scale: float | None = None, facing: str | None = None, character: str | None = None
) -> Asset:
    """Read a character file.

    Args:
        path: A glTF, FBX, .blend, BVH or mesh file.
        scale: Metres per file unit; found from the file where not given.
        facing: The file's axis that the character looks along (+x, -x, +z, -z); found from the file where not given.
        character: Which character of a file that holds several; the largest where not given.
    """
    from gambol.files.asset import load as load_asset

    return load_asset(path, scale=scale, facing=facing, character=character)


def animate(
    character: Asset,
    prompt: str | AnimateRequest = "",
    *,
    segments: Sequence[Segment] = (),
    style: Mapping[str, float] | None = None,
    prior: VideoPrior[Any] | str | Path | None = None,
    preset: Literal["sketch", "draft", "paper"] | None = None,
    method: Any = None,
    losses: Sequence[Loss] | None = None,
    constraints: Sequence[Loss] = (),
    seed: int = 0,
    variants: int = 1,
    steps: int | None = None,
    guidance: float | None = None,
    seconds: float | None = None,
    loop: bool = False,
    start_clip: str | None = None,
    video: str | Path | None = None,
    video_camera: str | None = None,
    video_background: str | None = None,
    prior_fps: float | None = None,
    negative: str = "",
    name: str | None = None,
    lock: Sequence[str] = (),
    representation: Literal["joints", "field"] = "joints",
    basis: Literal["cosine", "spline", "free"] | None = None,
    smoothness: Literal["ours", "paper", "off"] | None = None,
    ground: Literal["ours", "paper", "off"] | None = None,
    limits: bool = True,
    ground_render: bool = True,
    skate: float = 0.0,
    pose_prior: float = 0.0,
    views: int | None = None,
    splats: int | None = None,
    fps: float = 30.0,
    in_place: bool = False,
    travel: float | str | Sequence[tuple[float, float]] | None = None,
    foot_lock: bool = True,
) -> Clip:
    """Give a character motion from a sentence; returns the clip.

    Args:
        character: What `gambol.load` returns.
        prompt: What the character does, in plain English; or an `AnimateRequest`, which then holds all but the prior.
        segments: Actions one after the other, in place of the prompt: `gambol.Segment("a fox walks", seconds=3)`.
        style: Numbers of the style by axis, such as tempo 0.8 or bounce 1.3.
        prior: A `VideoPrior`, or the name, folder or weights file of one; the embedded prior where not given.
        preset: sketch: the embedded prior, any computer; draft and paper: a large video model on a GPU. Default: the
            one that suits the prior.
        method: `fit`, `sds`, `annealed`, `VideoFit(...)`, `SDS(...)`, or several methods to run one after the other.
        losses: Losses in place of the preset's.
        constraints: Losses and constraints that are added to the preset's losses.
        seed: Seed of all random numbers; another seed gives another motion.
        variants: Number of seeds; the clip with the least loss is returned.
        steps: Optimiser steps. Default: the preset's.
        guidance: How strongly the sentence counts. Default: the preset's.
        seconds: Length of the clip, at most 60. Default: the motion's own (4 s of what repeats, an action once); of
            large models the length of their video.
        loop: Make a seamless cycle.
        start_clip: Clip of the file that is refined.
        video: Film of this very character that the joints are fitted to, without any prior; with a large model a video
            as that model sees it (`gambol prior sample` makes one).
        video_camera: Direction of the film's camera in degrees, and its field of view where it is known: '35,10' or
            '35,10,40' (azimuth 0 sees the right side, 90 the face). Default: found from the film.
        video_background: What is behind the body in the film: a picture file, or a colour as '#ffffff'. Default: found
            from the film.
        prior_fps: Frames per second of the prior's video. Default: the prior's own.
        negative: What the motion should not be.
        name: Name of the new clip. Default: the sentence.
        lock: Names of joints that keep their start pose.
        representation: joints, or field: every splat moves by a deformation field along a given trajectory, as
            text-to-4D methods have it; the clip is then the nearest motion of the joints.
        basis: Basis functions of the motion in time: cosines, a B-spline, or free numbers per frame (the paper's).
        smoothness: Which smoothness loss: ours (squared accelerations), the paper's (AKD eq. 9), or none. Default: the
            preset's.
        ground: Which ground loss: ours (the lowest point), the paper's on bone cuboids (AKD eq. 10), or none. Default:
            the preset's.
        limits: Joint limits from the anatomy.
        ground_render: Show the checkerboard to a prior that sees pictures; without it the background is plain.
        skate: Weight of the loss against sliding feet, for priors that see the root's travel, as large models do.
        pose_prior: Weight of the pose space (`gambol pose`), which keeps every frame plausible; 1 is a good start.
        views: Number of views that the prior is shown, where it takes several. Default: the prior's own.
        splats: Number of splats that the prior is shown. Default: the prior's own.
        fps: Frames per second of the clip.
        in_place: Keep the character on the spot: remove the root's travel.
        travel: Speed in m/s, or a path of points (x ahead, z right) in metres: '0,0 2,0 3,1'.
        foot_lock: Lock standing feet to the ground.
    """
    from pathlib import Path

    from gambol.app.animate_request import AnimateRequest
    from gambol.app.check_request import check_texts, default_prior
    from gambol.errors import ConfigError
    from gambol.files.asset import Asset

    given = {name: value for name, value in locals().items() if name in AnimateRequest.__dataclass_fields__}
    if not isinstance(character, Asset):
        raise ConfigError(f"animate was given {character!r}; it takes what gambol.load returns.")
    given |= {
        "method": tuple(method) if isinstance(method, list) else method,
        "video": None if video is None else Path(video),
        "lock": tuple(lock) if isinstance(lock, list | tuple) else (lock,),
        "segments": tuple(segments) if isinstance(segments, list | tuple) else (segments,),
        "style": {} if style is None else style,
        "losses": None if losses is None else tuple(losses),
        "constraints": tuple(constraints) if isinstance(constraints, list | tuple) else (constraints,),
    }
    if isinstance(prompt, AnimateRequest):
        if (
            any(
                value != AnimateRequest.__dataclass_fields__[name].default
                for name, value in given.items()
                if name not in ("prompt", "style")
            )
            or style
        ):
            raise ConfigError("A request holds all of its settings; beside it animate takes only the prior.")
        request, prior_fps = prompt, prompt.prior_fps
    else:
        request = AnimateRequest(**given)
    from gambol.app.animate_character import animate_character, check_names
    from gambol.diffusion.video_prior import VideoPrior
    from gambol.priors.load import VideoOptions, find_prior

    if prior is None and request.video is not None and request.preset is None:
        from gambol.app.given_motion import film_prior

        prior = film_prior(request)
    if isinstance(prior, str | Path) or prior is None:
        prior = find_prior(prior or default_prior(request.preset)).load(VideoOptions(fps=prior_fps))
    if not isinstance(prior, VideoPrior):
        raise ConfigError(f"prior is {prior!r}; it takes a VideoPrior, or the name, folder or weights file of one.")
    check_texts(request, prior)
    check_names(request, character)
    return animate_character(character, prior, request).clip


def save(character: Asset, clip: Clip, path: str | Path, *, root_bone: Literal["hips", "root"] = "hips") -> Path:
    """Write the character with the clip as its last animation, by the path's suffix, and read it back.

    Args:
        character: What `gambol.load` returns.
        clip: What `gambol.animate` returns.
        path: A .glb, .gltf, .vrm, .fbx, .blend or .bvh file.
        root_bone: Which node carries travel over the ground and heading: the hips, or the root above them.
    """
    from gambol.errors import ConfigError
    from gambol.files.asset import Asset, export_clip
    from gambol.motion.clip import Clip

    if not isinstance(character, Asset) or not isinstance(clip, Clip):
        given = f"{type(character).__name__} and {type(clip).__name__}"
        raise ConfigError(f"save was given {given}; it takes a character, a clip and a path: save(fox, clip, 'a.glb').")
    return export_clip(character, clip, path, root_bone=root_bone)
