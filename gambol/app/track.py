"""Track a clip of a file or run by simulation, and write everything about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from gambol.app.evaluate import last_clip, missing_travel
from gambol.app.find_runs import Run, find_run
from gambol.app.off_ground import motions_of_run, refuse_off_ground
from gambol.app.track_request import TrackRequest
from gambol.app.write_tracking_numbers import mjcf_targets, save_tracking_arrays, target_states, tracking_json
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.errors import AssetError, ConfigError
from gambol.evaluate.metrics import ClipMetrics, measure
from gambol.evaluate.observation import observe_clip
from gambol.files.asset import Asset, export_clip, load
from gambol.files.atomic_write import write_text
from gambol.files.formats import GLTF_SUFFIXES
from gambol.motion.clip import Clip
from gambol.motion.dynamic_similarity import SCALED_LEGS
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.foot_lock import restore_travel_and_lock_feet
from gambol.motion.feet.soles import typical_leg_length
from gambol.physics.change_length_unit import scale_lengths
from gambol.physics.mjcf import save_mjcf, write_mjcf
from gambol.physics.run_tracking import TrackedClip, track_clips
from gambol.physics.tracking_measures import TrackMeasures, measure_tracking
from gambol.progress import Progress

SEPARATE_SKELETON_SHARE = 0.24
"""Least share of all bones that makes a tree of joints a skeleton of its own, and not a foot or a helmet."""


@dataclass(frozen=True)
class TrackReport:
    """Result of `track_file`: the files that were written, and the numbers before and after."""

    clip: str
    """Name of the new clip."""
    written: tuple[Path, ...]
    """Files that were written, OUT.glb first."""
    before: ClipMetrics
    """Metrics of the original clip."""
    after: ClipMetrics
    """Metrics of the tracked clip."""
    tracking: TrackMeasures
    """How well the simulation follows the target."""
    tracked: TrackedClip
    """The tracked clip with its simulation."""
    notes: tuple[str, ...]
    """Sentences for the user."""


def load_clip(
    path: str | Path, *, clip: str | None = None, fps: float = 30.0, restore_travel: bool = False
) -> tuple[Asset, Clip]:
    """Load a clip of a character file or a run (its last one where none is named) as joint angles."""
    run = find_run(path)
    if run.model is None:
        raise AssetError(f"{path} holds a film but no character file; physics needs the character.")
    asset = load(run.model, facing=run.settings.facing or None)
    refuse_two_skeletons(asset.character)
    character, anatomy = asset.character, find_anatomy(asset.character)
    node_clip = last_clip(asset, clip)
    found = clip_with_feet(character, node_clip, anatomy, fps=fps)
    found = replace(found, name=node_clip.name.split("|")[-1])
    return asset, restore_travel_and_lock_feet(character, found, anatomy) if restore_travel else found


def living_size_of_run(run: Run, character: Character) -> float | None:
    """Length of the living body that moves at the pace of a run's motion, metres; None where it is not known.

    The embedded prior has no scale: its motion is played as fast as the length of the legs says, within bounds.
    """
    if not run.settings.prior.startswith("embedded"):
        return None
    leg = typical_leg_length(character, find_anatomy(character))
    return character.size * float(np.clip(leg, *SCALED_LEGS)) / leg


def refuse_two_skeletons(character: Character) -> None:
    """Raise AssetError for a file with two characters: simulated as one body they would be welded together."""
    trees = joint_trees(character)
    large = [bones for bones in trees if len(bones) >= max(2, SEPARATE_SKELETON_SHARE * sum(map(len, trees)))]
    if len(large) > 1:
        names = [character.require_skeleton().names[bones[0]] for bones in large]
        found = " and ".join(f"'{name}' with {len(bones)} bones" for name, bones in zip(names, large, strict=True))
        raise AssetError(
            f"The file holds {len(large)} skeletons that nothing joins: {found}. A simulation needs one body; "
            "give each character its own file."
        )


def joint_trees(character: Character) -> list[list[int]]:
    """Bones of the motion skeleton, grouped by the tree of joints that they belong to in the file."""
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


def track_file(request: TrackRequest, *, progress: Progress | None = None) -> TrackReport:
    """Track a clip and write OUT.glb, .mp4, .json, .npz, .xml, and .usda where usd-core is installed.

    A motion that is no matter of ground contact is refused, unless the request says `anyway`. Where the settings have
    no size of the living body, it is the size that a run's motion has the pace of. Artists' files have arbitrary units;
    their bodies are taken to be as large as they are simulated. The same call again resumes an optimisation that was
    stopped, to the same bytes.
    """
    output = Path(request.output)
    if output.suffix.lower() not in GLTF_SUFFIXES:
        raise ConfigError(f"{output.name} has the suffix {output.suffix or '(none)'!r}; `track` writes a .glb file.")

    def report_stage(what: str) -> None:
        if progress is not None:
            progress(0, 1, what)

    report_stage("reading the clip")
    asset, asked = load_clip(request.path, clip=request.clip, fps=request.fps, restore_travel=request.restore_travel)
    character, settings = asset.character, request.settings
    if request.lift:
        asked = replace(asked, root=asked.root + np.array([0.0, request.lift, 0.0, 0.0, 0.0, 0.0]))
    run = find_run(request.path)
    if not request.anyway:
        refuse_off_ground(character, find_anatomy(character), asked, motions=motions_of_run(run))
    if settings.living_size is None:
        settings = replace(settings, living_size=living_size_of_run(run, character))
    saved = output.with_name(f"{output.stem}.unfinished")
    tracked = track_clips(character, (asked,), settings=settings, progress=progress, checkpoint=saved)[0]
    report_stage("measuring the tracked clip")
    before, after = measure_clips(character, asked, tracked.clip)
    numbers = measure_tracking(tracked.body, tracked.motion.frame_states, target_states(character, tracked))
    report_stage(f"writing {output.name}")
    written = [export_clip(asset, tracked.clip, output)]
    notes = [] if request.restore_travel else _missing_travel_note(asset, request.clip)
    text = mjcf_text(asset, tracked, request)
    report = tracking_json(request.path, settings, asked, tracked, before, after, numbers)
    jobs: list[tuple[str, Callable[[Path], None]]] = [
        (".xml", lambda target: save_mjcf(target, text)),
        (".npz", lambda target: save_tracking_arrays(target, character, tracked)),
    ]
    if find_spec("pxr") is not None:
        from gambol.physics.usd import write_usd

        jobs.append((".usda", lambda target: write_usd(target, tracked.body, tracked.world, tracked.motion)))
    else:
        notes.append("No USD was written: it needs usd-core (pip install usd-core).")
    if request.film:
        jobs.append((".mp4", lambda target: _write_film(target, character, asked, tracked, progress)))
    jobs.append((".json", lambda target: write_text(target, json.dumps(report, indent=1, ensure_ascii=False) + "\n")))
    for suffix, write in jobs:
        target = output.with_suffix(suffix)
        write(target)
        written.append(target)
    saved.unlink(missing_ok=True)
    return TrackReport(tracked.clip.name, tuple(written), before, after, numbers, tracked, tuple(notes))


def mjcf_text(asset: Asset, tracked: TrackedClip, request: TrackRequest) -> str:
    """The tracked bodies as MJCF in the units that were asked for.

    character: lengths as in OUT.glb, so that both can be laid over each other; times and masses stay, so gravity is in
    those units too.
    """
    body, world, motion = tracked.body, tracked.world, tracked.motion
    if request.mjcf_units == "character":
        factor = 1.0 / (body.scale * asset.character.placement.scale)
        body, world, motion = scale_lengths(body, world, motion, factor)
    return write_mjcf(
        body,
        world,
        motion,
        name=tracked.target.name,
        targets=mjcf_targets(asset.character, tracked),
        torque_limit=request.torque_limit,
    )


def measure_clips(character: Character, asked: Clip, tracked: Clip) -> tuple[ClipMetrics, ClipMetrics]:
    """Metrics of the original clip, and of the tracked one with the distance to the original."""
    anatomy = find_anatomy(character)
    cuboids = character.cuboids if character.weights is not None else None
    before = observe_clip(character, anatomy, asked)
    after = observe_clip(character, anatomy, tracked)
    return measure(before, cuboids=cuboids), measure(after, cuboids=cuboids, reference=before)


def _missing_travel_note(asset: Asset, clip: str | None) -> list[str]:
    """A note where the clip walks in place."""
    travel = missing_travel(asset, find_anatomy(asset.character), last_clip(asset, clip))
    if travel is None:
        return []
    return [f"The feet walk {travel:.2f} m, but the body stays behind; --restore-travel adds this travel first."]


def _write_film(
    target: Path, character: Character, asked: Clip, tracked: TrackedClip, progress: Progress | None
) -> None:
    from gambol.render.video_file import write_film
    from gambol.view.ghost_film import film_beside_ghost

    frames = film_beside_ghost(character, tracked.target, tracked.clip, asked=asked, progress=progress)
    write_film(target, frames, asked.fps)
