"""`gambol track`: a clip of a file or run as physics allows it, and everything that is written of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.app.evaluate import last_clip, missing_way
from gambol.app.find_runs import Run, find_run
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import AssetError
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.observation import observe_clip
from gambol.files.asset import Asset, export_clip, load
from gambol.files.atomic_write import replacing
from gambol.files.formats import GLTF_SUFFIXES
from gambol.motion.clip import Clip
from gambol.motion.feet.foot_correction import clip_with_feet
from gambol.motion.feet.planting import walk_over_ground
from gambol.motion.feet.soles import typical_leg_length
from gambol.physics.generalised_coordinates import (
    body_transforms,
    joint_angles,
    states_from_transforms,
    transforms_from_states,
)
from gambol.physics.hinges import hinge_targets, knot_targets
from gambol.physics.mjcf import save_mjcf, write_mjcf
from gambol.physics.run_tracking import TrackedClip, TrackingSettings, track_clips
from gambol.physics.tracking_measures import TrackMeasures, measure_tracking
from gambol.priors.embedded.stage import LEGS
from gambol.progress import Progress

TRACK_SCHEMA = 1
SEPARATE_SKELETON_SHARE = 0.24
"""A tree of joints with this share of all bones is a skeleton of its own, not a foot or a helmet beside the body."""


@dataclass(frozen=True)
class TrackReport:
    """What was written, and the numbers before and after."""

    clip: str
    written: tuple[Path, ...]
    before: ClipMetrics
    after: ClipMetrics
    tracking: TrackMeasures
    tracked: TrackedClip
    notes: tuple[str, ...]


def load_clip(
    path: str | Path, *, clip: str | None = None, fps: float = 30.0, travel: bool = False
) -> tuple[Asset, Clip]:
    """The clip of a character file or a run (its last one where none is named), as joint angles."""
    run = find_run(path)
    if run.model is None:
        raise AssetError(f"{path} holds a film but no character file; physics needs the character.")
    asset = load(run.model, facing=run.settings.facing or None)
    refuse_two_skeletons(asset.character)
    character, anatomy = asset.character, find_anatomy(asset.character)
    node_clip = last_clip(asset, clip)
    found = clip_with_feet(character, node_clip, anatomy, fps=fps)
    found = replace(found, name=node_clip.name.split("|")[-1])
    return asset, walk_over_ground(character, found, anatomy) if travel else found


def living_size_of_run(run: Run, character: Character) -> float | None:
    """How large a body lives at the pace of a run's motion, metres; None where nothing is known of it.

    The embedded prior has no scale: its motion is played as fast as the length of the legs says, within bounds.
    """
    if not run.settings.prior.startswith("embedded"):
        return None
    leg = typical_leg_length(character, find_anatomy(character))
    return character.size * float(np.clip(leg, *LEGS)) / leg


def refuse_two_skeletons(character: Character) -> None:
    """A file with two characters loads as one tree; simulated as one body they would be welded together."""
    trees = joint_trees(character)
    large = [bones for bones in trees if len(bones) >= max(2, SEPARATE_SKELETON_SHARE * sum(map(len, trees)))]
    if len(large) > 1:
        names = [character.require_skeleton().names[bones[0]] for bones in large]
        told = " and ".join(f"'{name}' with {len(bones)} bones" for name, bones in zip(names, large, strict=True))
        raise AssetError(
            f"The file holds {len(large)} skeletons that nothing joins: {told}. A simulation needs one body; "
            "give each character its own file."
        )


def joint_trees(character: Character) -> list[list[int]]:
    """Bones of the motion skeleton by the tree of joints that they belong to in the file, in order."""
    skeleton = character.require_skeleton()
    if character.binding is None:
        return [list(range(len(skeleton)))]
    nodes, above = character.binding.bone_nodes, character.scene.nodes.parents
    bones = set(map(int, nodes))
    trees: dict[int, list[int]] = {}
    owner = np.zeros(len(nodes), dtype=np.int64)
    for bone, node in enumerate(nodes):
        up = int(above[node])
        while up >= 0 and up not in bones:
            up = int(above[up])
        owner[bone] = bone if up < 0 else owner[skeleton.parents[bone]]
        trees.setdefault(int(owner[bone]), []).append(bone)
    return list(trees.values())


def track_file(
    path: str | Path,
    output: str | Path,
    *,
    clip: str | None = None,
    fps: float = 30.0,
    travel: bool = False,
    lift: float = 0.0,
    torque_limit: float | None = None,
    film: bool = True,
    settings: TrackingSettings | None = None,
    progress: Progress | None = None,
) -> TrackReport:
    """Track a clip and write OUT.glb, OUT.mp4, OUT.json, OUT.npz, OUT.xml (and OUT.usda where usd-core is installed).

    Where `settings` have no size of the living body, it is the size that a run's motion has the pace of. Artists' files
    have arbitrary units; their bodies are taken to be as large as they are simulated. `lift` raises the clip first,
    metres: for tests of what a floating clip becomes.
    """
    output = Path(output)
    if output.suffix.lower() not in GLTF_SUFFIXES:
        raise AssetError(f"{output.name} has the suffix {output.suffix or '(none)'!r}; `track` writes a .glb file.")
    asset, asked = load_clip(path, clip=clip, fps=fps, travel=travel)
    if lift:
        asked = replace(asked, root=asked.root + np.array([0.0, lift, 0.0, 0.0, 0.0, 0.0]))
    settings = settings or TrackingSettings()
    if settings.living_size is None:
        settings = replace(settings, living_size=living_size_of_run(find_run(path), asset.character))
    saved = output.with_name(f"{output.stem}.unfinished")
    tracked = track_clips(asset.character, (asked,), settings=settings, progress=progress, checkpoint=saved)[0]
    before, after = measure_clips(asset.character, asked, tracked.clip)
    numbers = measure_tracking(tracked.body, tracked.motion.frame_states, target_states(asset.character, tracked))
    written = [export_clip(asset, tracked.clip, output)]
    notes = [] if travel else _missing_travel_note(asset, clip)
    text = write_mjcf(
        tracked.body,
        tracked.world,
        tracked.motion,
        name=asked.name,
        targets=mjcf_targets(asset.character, tracked),
        torque_limit=torque_limit,
    )
    jobs: list[tuple[str, Callable[[Path], None]]] = [
        (".xml", lambda target: save_mjcf(target, text)),
        (".npz", lambda target: save_tracking_arrays(target, asset.character, tracked)),
    ]
    if find_spec("pxr") is not None:
        from gambol.physics.usd import write_usd

        jobs.append((".usda", lambda target: write_usd(target, tracked.body, tracked.world, tracked.motion)))
    else:
        notes.append("No USD was written: it needs usd-core (pip install usd-core).")
    if film:
        jobs.append((".mp4", lambda target: _write_film(target, asset.character, asked, tracked, progress)))
    report = tracking_json(path, settings, asked, tracked, before, after, numbers)
    jobs.append((".json", lambda target: _write_text(target, json.dumps(report, indent=1, ensure_ascii=False) + "\n")))
    for suffix, write in jobs:
        target = output.with_suffix(suffix)
        write(target)
        written.append(target)
    saved.unlink(missing_ok=True)
    return TrackReport(tracked.clip.name, tuple(written), before, after, numbers, tracked, tuple(notes))


def measure_clips(character: Character, asked: Clip, tracked: Clip) -> tuple[ClipMetrics, ClipMetrics]:
    """All numbers of the clip that was asked for, and of the tracked one beside it."""
    anatomy = find_anatomy(character)
    cuboids = character.cuboids if character.weights is not None else None
    before = observe_clip(character, anatomy, asked)
    after = observe_clip(character, anatomy, tracked)
    return measure(before, cuboids=cuboids), measure(after, cuboids=cuboids, reference=before)


def _missing_travel_note(asset: Asset, clip: str | None) -> list[str]:
    """A hint where the clip walks without going anywhere."""
    way = missing_way(asset, find_anatomy(asset.character), last_clip(asset, clip))
    if way is None:
        return []
    return [f"The feet walk {way:.2f} m that the body does not go; --restore-travel gives the clip that way first."]


def mjcf_targets(character: Character, tracked: TrackedClip) -> Float[ndarray, "frames joints 3"]:
    """Joint targets at the frames that move MuJoCo's rigid hinges as Newton's joints moved."""
    if tracked.motion.engine == "mujoco":
        return knot_targets(tracked.motion)
    T = body_transforms(tracked.body, character.require_skeleton(), tracked.simulated)
    angles = joint_angles(tracked.body, T[..., :3, :3])
    return hinge_targets(tracked.body, tracked.world, tracked.motion, angles)


def target_states(character: Character, tracked: TrackedClip) -> np.ndarray:
    """States of the bodies in the target clip, at the frames."""
    return states_from_transforms(body_transforms(tracked.body, character.require_skeleton(), tracked.target))


def tracking_json(
    path: str | Path,
    settings: TrackingSettings,
    asked: Clip,
    tracked: TrackedClip,
    before: ClipMetrics,
    after: ClipMetrics,
    numbers: TrackMeasures,
) -> dict[str, Any]:
    """Everything that is told of a tracked clip, as plain data."""
    body = tracked.body
    return {
        "schema": TRACK_SCHEMA,
        "file": Path(path).name,
        "clip": asked.name,
        "tracked": tracked.clip.name,
        "engine": tracked.motion.engine,
        "bodies": len(body),
        "mass": body.mass,
        "simulated_size": body.size,
        "simulated_metres_per_metre": body.scale,
        "gravity": tracked.world.gravity,
        "frames": len(tracked.clip),
        "substeps_per_frame": tracked.motion.per_frame,
        "loss": tracked.loss,
        "iterations": tracked.iterations,
        "stands": numbers.stands,
        "tracking": asdict(numbers),
        "upright": {"scale": tracked.motion.upright, **asdict(tracked.efforts.upright)},
        "before": asdict(before),
        "after": asdict(after),
        "settings": asdict(settings),
    }


def save_tracking_arrays(target: Path, character: Character, tracked: TrackedClip) -> None:
    """Joint targets, torques, contact forces and inertias; simulated metres, newtons, y up, quaternions xyzw."""
    body, motion, forces = tracked.body, tracked.motion, tracked.efforts
    R = transforms_from_states(motion.frame_states)[..., :3, :3]
    with replacing(target) as temporary:
        np.savez_compressed(
            temporary,
            schema=TRACK_SCHEMA,
            fps=motion.fps,
            substeps_per_frame=motion.per_frame,
            simulated_metres_per_metre=body.scale,
            gravity=tracked.world.gravity,
            body_names=np.array(body.names),
            parents=body.parents,
            T_parent_joint=body.T_parent_joint,
            masses=body.masses,
            centres_of_mass=body.centres,
            inertias=body.inertias,
            contact_points=body.points,
            contact_bodies=body.point_bodies,
            states=motion.frame_states,
            twists=motion.twists[:: motion.per_frame],
            target_states=target_states(character, tracked),
            initial_rates=motion.rates,
            joint_targets=motion.targets,
            joint_angles=joint_angles(body, R),
            torques=forces.torques,
            contact_forces=forces.contacts,
            upright_torques=forces.upright_torques,
        )


def _write_film(
    target: Path, character: Character, asked: Clip, tracked: TrackedClip, progress: Progress | None
) -> None:
    from gambol.render.video_file import write_film
    from gambol.view.ghost_film import film_beside_ghost

    frames = film_beside_ghost(character, tracked.target, tracked.clip, asked=asked, progress=progress)
    write_film(target, frames, asked.fps)


def _write_text(target: Path, text: str) -> None:
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8")
