"""The numbers of a tracked clip as files: JSON of its measures, arrays of its simulation."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from gambol.character.character import Character
from gambol.evaluate.metrics import ClipMetrics
from gambol.files.atomic_write import replacing
from gambol.physics.generalised_coordinates import (
    body_transforms,
    joint_angles,
    states_from_transforms,
    transforms_from_states,
)
from gambol.physics.hinge_targets import hinge_targets, knot_targets
from gambol.physics.run_tracking import TrackedClip
from gambol.physics.tracking_measures import TrackMeasures

TRACK_SCHEMA = 1
"""Version of the format of OUT.json and OUT.npz."""


def mjcf_targets(character: Character, tracked: TrackedClip) -> Float[ndarray, "frames joints 3"]:
    """Joint targets at the frames with which MuJoCo's rigid hinges move as the simulated joints did, radians."""
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
    """The contents of OUT.json as plain data."""
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
        "cpu_seconds": tracked.cpu_seconds,
        "windows": [asdict(window) for window in tracked.windows],
        "stands": numbers.stands,
        "tracking": asdict(numbers),
        "upright": {"scale": tracked.motion.upright, **asdict(tracked.efforts.upright)},
        "before": asdict(before),
        "after": asdict(after),
        "settings": asdict(settings),
    }


def save_tracking_arrays(target: Path, character: Character, tracked: TrackedClip) -> None:
    """Write OUT.npz: targets, torques, contact forces, inertias; simulated metres, newtons, y up, quaternions xyzw."""
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
