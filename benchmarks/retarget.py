"""Motion capture on four human rigs: 20 clips of every kind; feet that stand, limbs that point where they should.

Run: GAMBOL_DATA=... python benchmarks/retarget.py [--quick] [--each]
Foot contacts are those of the captured clip. While a foot stands there, "slip" is the path of its contact point over
the ground in one stance and "float" how far its lowest point is from the ground, both in leg lengths; "sink" is the
depth of the deepest 1 % of the frames below the ground. "Limbs" is the angle between the directions of matching bones
of arms and legs in the world, "trunk" the angle between the turns of pelvis, chest and head away from rest, degrees.
"Arms in trunk" is how deep elbows and wrists are inside the trunk on average, in leg lengths; moving them out of a
stout body (the Knight) costs angle.
All are compared with naive copying: every joint takes the rotation of the matching one in its own rest frame, and the
root moves by the source's path times the ratio of the legs. Two more lines say whether something snapped: the largest
turn of a joint from one frame to the next, against the captured clip's own.
"""

import csv
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measure import Scoreboard

from gambol.character.anatomy.anatomy import Anatomy, BodyPart
from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.character.character import Character
from gambol.files.asset import load
from gambol.motion.clip import Clip, clip_from_matrices, joint_matrices
from gambol.motion.feet.contacts import Stances, clip_stances, stance_slip, track_feet
from gambol.motion.feet.soles import find_soles
from gambol.motion.kinematics import pose_clip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.retarget.arm_clearance import arm_depths, two_bone_arms
from gambol.motion.retarget.body_match import ALIGNED_SECTIONS, BodyPlan, body_plan, match_bones
from gambol.motion.retarget.retarget import carried_stances, leg_ratio, retarget_clip, turns_from_rest
from gambol.motion.rotations import rotation_angle

RIGS = (
    "kaykit/Knight",
    "khronos/RiggedFigure",
    "mesh2motion/human-animated",
    "quaternius-more/Animated_Men_Characters__Male_Casual",
)
TWICE = ("walk", "run", "jump", "dance")
"""Kinds of which two clips are taken; one of the others: 20 in all."""
ENOUGH = 40
"""With fewer results than this (--quick) the stout Knight weighs too much for the target of the limbs."""


@dataclass(frozen=True)
class Body:
    """A character with what is known of it."""

    name: str
    character: Character
    anatomy: Anatomy
    plan: BodyPlan


@dataclass(frozen=True)
class Marks:
    """How good one clip on one rig is."""

    slip: float
    floats: float
    sink: float
    limbs: float
    trunk: float
    arms_in_trunk: float
    jerk: float
    """Largest turn of a joint from frame to frame over the same of the source's, radians more."""


def read_body(path: Path) -> tuple[Body, tuple]:
    """A file's character and clips."""
    asset = load(path)
    anatomy = find_anatomy(asset.character)
    return Body(path.stem, asset.character, anatomy, body_plan(asset.character, anatomy)), asset.clips


def naive(clip: Clip, source: Body, target: Body) -> Clip:
    """What copying joint rotations gives: the same angles in other rest frames."""
    match = match_bones(source.character, source.plan, target.character, target.plan)
    R = joint_matrices(clip)
    joints = np.where((match.first >= 0)[:, None, None], R[:, np.maximum(match.first, 0)], np.eye(3))
    scale = leg_ratio(source.character, source.plan, target.character, target.plan)
    return clip_from_matrices(clip.name, clip.fps, scale * clip.root[:, :3], joints)[0]


def limb_angles(clip: Clip, source: Body, moved: Clip, target: Body) -> float:
    """Mean angle between matching bones of arms and legs."""
    angles = []
    T = [pose_clip(b.character.require_skeleton(), c)[..., :3, 3] for b, c in ((source, clip), (target, moved))]
    for key, bones in target.plan.sections.items():
        by = source.plan.sections.get(key)
        if key[3] not in ALIGNED_SECTIONS or by is None or len(bones) != len(by) or len(bones) < 2:
            continue
        ends = [_joints(b.plan, key, chain) for b, chain in ((source, by), (target, bones))]
        if len(ends[0]) != len(ends[1]):
            ends = [list(by), list(bones)]
        a, b = (np.diff(t[:, e], axis=1) for t, e in zip(T, ends, strict=True))
        cosine = (a * b).sum(-1) / np.maximum(np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1), 1e-12)
        angles.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).mean())
    return float(np.mean(angles))


def _joints(plan: BodyPlan, key: tuple, chain: tuple[int, ...]) -> list[int]:
    """The joints of a chain and the one behind it (wrist, ankle), where there is one."""
    below = plan.sections.get((*key[:3], "hand" if key[0] == BodyPart.ARM else "foot"), ())
    return [*chain, *below[:1]]


def trunk_angles(clip: Clip, source: Body, moved: Clip, target: Body) -> float:
    """Mean angle between what pelvis, chest and head have turned away from rest."""
    D = [turns_from_rest(b.character, c) for b, c in ((source, clip), (target, moved))]
    heads = [b.anatomy.of(BodyPart.HEAD) for b in (source, target)]
    pairs = [(source.plan.pelvis, target.plan.pelvis), (source.plan.spine[-1], target.plan.spine[-1])]
    if heads[0] and heads[1]:
        pairs.append((heads[0][0].bones[0], heads[1][0].bones[0]))
    return float(
        np.mean([np.degrees(rotation_angle(D[0][:, a].swapaxes(-1, -2) @ D[1][:, b])).mean() for a, b in pairs])
    )


def arms_in_trunk(clip: Clip, body: Body) -> float:
    """Mean depth of elbows and wrists inside the trunk, metres."""
    depths = arm_depths(clip, body.character, body.anatomy, body.plan, two_bone_arms(body.plan))
    return float(np.mean(list(depths.values()))) if depths else 0.0


def fastest_turn(clip: Clip) -> float:
    """The largest turn of any joint from one frame to the next, radians."""
    R = joint_matrices(clip)
    return float(rotation_angle(np.swapaxes(R[:-1], -1, -2) @ R[1:]).max())


def measure(clip: Clip, source: Body, moved: Clip, target: Body, stances: Stances) -> Marks:
    """All numbers of one clip on one rig."""
    tracks = track_feet(target.character, moved, target.anatomy)
    standing = np.concatenate([stances.standing, stances.standing[:, -1:]], axis=1)
    heights = np.abs(tracks.heights[standing]) if standing.any() else np.zeros(1)
    return Marks(
        stance_slip(target.character, moved, target.anatomy, stances=stances).in_legs,
        float(heights.mean()) / tracks.leg,
        float(max(-np.quantile(tracks.heights, 0.01), 0.0)) / tracks.leg,
        limb_angles(clip, source, moved, target),
        trunk_angles(clip, source, moved, target),
        arms_in_trunk(moved, target) / tracks.leg,
        fastest_turn(moved) - fastest_turn(clip),
    )


def chosen_clips(folder: Path) -> list[tuple[str, Path]]:
    """The first clip of each kind by name, and one from the middle of the common kinds."""
    kinds: dict[str, list[Path]] = {}
    with (folder / "labels.csv").open() as lines:
        for row in csv.DictReader(lines):
            kinds.setdefault(row["category"], []).append(folder / row["file"])
    first = [(kind, sorted(paths)[0]) for kind, paths in sorted(kinds.items())]
    return first + [(kind, sorted(kinds[kind])[len(kinds[kind]) // 2]) for kind in TWICE]


def main() -> None:
    """Measure every clip on every rig, print the comparison."""
    if not os.environ.get("GAMBOL_DATA"):
        sys.exit("set GAMBOL_DATA to the folder with the real characters and the motion capture")
    data, quick = Path(os.environ["GAMBOL_DATA"]), "--quick" in sys.argv
    targets = [read_body(data / f"characters/{rig}.glb")[0] for rig in (RIGS[::2] if quick else RIGS)]
    results: dict[str, tuple[Marks, Marks]] = {}
    clips = chosen_clips(data / "mocap/cmu")
    for kind, path in clips[::4] if quick else clips:
        source, node_clips = read_body(path)
        clip, _ = clip_from_nodes(source.character, node_clips[0])
        _, stances = clip_stances(source.character, clip, source.anatomy)
        soles = find_soles(source.character, source.anatomy)
        for target in targets:
            carried = carried_stances(stances, soles, find_soles(target.character, target.anatomy))
            moved = retarget_clip(clip, source.character, source.anatomy, target.character, target.anatomy)
            marks = [measure(clip, source, c, target, carried) for c in (moved, naive(clip, source, target))]
            name = f"{kind} {path.stem} on {target.name}"
            results[name] = marks[0], marks[1]
            if "--each" in sys.argv:
                told = ", ".join(f"{field} {value:.3f}" for field, value in vars(marks[0]).items())
                print(f"#   {name}: {told}", flush=True)
    report(results)


def report(results: dict[str, tuple[Marks, Marks]]) -> None:
    """Means against targets and against naive copying, and the worst cases by name."""
    board = Scoreboard()
    for field, target, unit, scale in (
        ("slip", 2.0, "% of a leg", 100.0),
        ("floats", 2.0, "% of a leg", 100.0),
        ("sink", 2.0, "% of a leg", 100.0),
        ("limbs", 6.0, "deg", 1.0),
        ("trunk", 5.0, "deg", 1.0),
        ("arms_in_trunk", 1.0, "% of a leg", 100.0),
    ):
        ours, copied = (scale * np.array([getattr(m[k], field) for m in results.values()]) for k in (0, 1))
        worst = sorted(zip(ours, results, strict=True), reverse=True)[:3]
        if field == "limbs" and len(results) < ENOUGH:
            print(f"# limbs, mean {ours.mean():.3g}{unit}, half of it on the Knight: too few for the target")
        else:
            board.at_most(f"{field}, mean", float(ours.mean()), target, unit)
        print(f"#   naive copying: {copied.mean():.3g}{unit}; ours is better on {100 * np.mean(ours < copied):.0f}%")
        print(f"#   worst: {', '.join(f'{name} {value:.3g}{unit}' for value, name in worst)}")
    jerks = {name: marks[0].jerk for name, marks in results.items()}
    worst = max(jerks, key=lambda name: jerks[name])
    board.at_most(f"turn in one frame beyond the source's, worst ({worst})", np.degrees(jerks[worst]), 45.0, "deg")
    board.finish()


if __name__ == "__main__":
    main()
