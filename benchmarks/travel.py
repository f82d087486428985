"""Real gaits on the ground: at least 90 % of the walk, run, gallop and trot clips slip by at most 5 % of a stride.

Run: GAMBOL_DATA=... python benchmarks/travel.py [--quick] [--each]
Also known answers: creatures made by code walk, trot and gallop at a known speed; put in place, they must get it
back within 1 %, as loops and as clips that end anywhere.
Slip is the whole path, forth and back, of the contact point during a stance, mean over the stances, as
a share of the stride (`gambol.motion.feet.contacts.stance_slip`). All clips of a file whose names say walk, run, jog,
sprint, gallop or trot count, jumps, backward and sideways gaits among them; only clips in which no foot moves do not.
The stances are those of the file's own clip with its travel restored, the same before and after the feet are locked.
Two more readings of the locked clip itself: "found anew" looks for its stances again; "by height alone" counts every
foot within 1 % of a leg of the ground as standing, however it moves. Lines with # have no target: the root alone cannot
stop feet that disagree with each other. "Joint change" is what the foot lock turns the joints by, root and all, against
the clip as it was: mean over all joints, and over the joints of the legs alone.
"""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measure import Scoreboard

from gambol.character.anatomy.find_anatomy import find_anatomy
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion, motions_for
from gambol.files.asset import Asset, load
from gambol.motion.clip import joint_matrices
from gambol.motion.feet.contacts import FootTracks, Stances, body_motion, find_stances, stance_slip, track_feet
from gambol.motion.feet.feet_from_nodes import clip_with_feet
from gambol.motion.feet.foot_lock import lock_feet
from gambol.motion.feet.travel import TravelConfig, find_travel, mostly_pauses, remove_travel, restore_travel
from gambol.motion.node_clip import NodeClip
from gambol.motion.node_clip_conversion import clip_from_nodes
from gambol.motion.rotations import rotation_angle

GAIT = re.compile(r"walk|run|jog|sprint|gallop|trot", re.IGNORECASE)
FAMILIES = {
    "jump": re.compile(r"jump", re.IGNORECASE),
    "sideways and backwards": re.compile(r"strafe|back", re.IGNORECASE),
    "gallop": re.compile(r"gallop", re.IGNORECASE),
    "trot": re.compile(r"trot", re.IGNORECASE),
    "run": re.compile(r"run|jog|sprint", re.IGNORECASE),
    "walk": re.compile(r"walk", re.IGNORECASE),
}
ALLOWED = 0.05
NEAR = 0.01
"""Height of a foot that stands "by height alone", leg lengths."""
CREATURES = ("fox", "dog", "horse", "human", "trex", "bird", "lizard", "spider")
ENOUGH = 40
"""Shares of fewer clips than this (--quick) say little and have no target."""
FOLLOWING = TravelConfig(smoothing_seconds=0.05)
"""The root follows the feet from frame to frame, in place of one speed for a loop."""


@dataclass(frozen=True)
class Result:
    """Slip as a share of the stride, after each step."""

    name: str
    family: str
    root: float
    root_following: float
    locked: float
    found_anew: float
    by_height: float
    in_place_again: float
    """How far `remove_travel` of the restored clip is from the clip, in sizes."""
    pauses: bool
    """Whether the feet mostly stand still, so that the body's speed follows them and is not steady."""
    joint_change: tuple[float, float]
    """How far the foot lock turns the joints: mean over all of them, and over those of the legs, degrees."""
    foot_in_file: tuple[float, float]
    """Mean distance of the feet from where the file has them, in leg lengths: by angles alone, with feet brought."""


def family_of(name: str) -> str:
    """The first family that a clip's name fits."""
    return next(family for family, pattern in FAMILIES.items() if pattern.search(name))


def measure_clip(asset: Asset, anatomy, node_clip: NodeClip) -> Result | None:
    """All numbers of one clip; None where no foot moves."""
    character = asset.character
    clip = clip_with_feet(character, node_clip, anatomy)
    tracks = track_feet(character, clip, anatomy)
    if np.abs(tracks.steps).max() < 1e-6 * tracks.leg:
        return None
    restored = restore_travel(character, clip, anatomy, ground=True)
    after = track_feet(character, restored, anatomy)
    stances = find_stances(after, *body_motion(restored, after.leg))
    following = restore_travel(character, clip, anatomy, config=FOLLOWING)
    locked = lock_feet(character, restored, anatomy)
    back = remove_travel(restore_travel(character, clip, anatomy))
    return Result(
        f"{asset.path.stem}: {node_clip.name.split('|')[-1]}",
        family_of(node_clip.name),
        stance_slip(character, restored, anatomy, stances=stances).share,
        stance_slip(character, following, anatomy, stances=stances).share,
        stance_slip(character, locked, anatomy, stances=stances).share,
        stance_slip(character, locked, anatomy).share,
        stance_slip(character, locked, anatomy, stances=on_ground(track_feet(character, locked, anatomy))).share,
        float(np.abs(back.root - clip.root).max()) / character.size,
        mostly_pauses(*find_travel(character, clip, anatomy)[:2]),
        _joint_change(anatomy, restored, locked),
        _foot_misses(asset, anatomy, node_clip, clip),
    )


def _joint_change(anatomy, before, after) -> tuple[float, float]:
    turned = np.degrees(rotation_angle(np.swapaxes(joint_matrices(before), -1, -2) @ joint_matrices(after))).mean(0)
    legs = [bone for limb in anatomy.legs for bone in limb.bones]
    return float(turned.mean()), float(turned[legs].mean())


def known_speeds(board: Scoreboard, quick: bool) -> None:
    """Speeds of creatures made by code, found again from the feet alone."""
    for loop in (True, False):
        misses = {}
        for family in CREATURES[::3] if quick else CREATURES:
            creature = make_creature(family, 2)
            character = creature.character()
            anatomy = creature.anatomy(character)
            for motion in {"walk", "run", "trot", "gallop", "sneak", "march"} & set(motions_for(anatomy)):
                clip = make_motion(character, anatomy, motion, loop=loop, seconds=2.0 if loop else 2.3)
                found = restore_travel(character, remove_travel(clip), anatomy)
                ways = [(c.root[-1] - c.root[0])[[0, 2]] for c in (clip, found)]
                # along the path: across it a clip that is no loop ends somewhere in its sway
                misses[f"{family} {motion}"] = abs(float(ways[1] @ ways[0] / (ways[0] @ ways[0])) - 1.0)
        worst = max(misses, key=lambda name: misses[name])
        what = "loops" if loop else "clips that are no loops"
        print(f"# known speeds, {len(misses)} {what}: mean miss {100 * np.mean(list(misses.values())):.2f}%")
        board.at_most(f"known speed of {what}, worst ({worst})", 100.0 * misses[worst], 1.0, "%")


def on_ground(tracks: FootTracks) -> Stances:
    """Every foot that is close to y = 0 stands, however it moves."""
    return Stances(tracks.tops <= NEAR * tracks.leg, np.zeros(len(tracks.tops)))


def _foot_misses(asset: Asset, anatomy, node_clip: NodeClip, clip) -> tuple[float, float]:
    from gambol.motion.feet.soles import find_soles, leg_length
    from gambol.motion.kinematics import pose_clip
    from gambol.motion.node_clip_conversion import bone_displacements

    skeleton = asset.character.require_skeleton()
    soles = find_soles(asset.character, anatomy)
    feet = [sole.limb.bones[sole.start] for sole in soles]
    leg = float(np.median([leg_length(skeleton, sole.limb) for sole in soles]))
    moved = bone_displacements(asset.character, node_clip, node_clip.frame_times(30.0))[:, feet]
    meant = np.einsum("fbij,bj->fbi", moved[..., :3, :3], skeleton.heads[feet]) + moved[..., :3, 3]
    plain, _ = clip_from_nodes(asset.character, node_clip)
    found = [pose_clip(skeleton, c)[:, feet][..., :3, 3] for c in (plain, clip)]
    misses = [float(np.linalg.norm(f - meant, axis=-1).mean()) / leg for f in found]
    return misses[0], misses[1]


def main() -> None:
    """Measure all clips, print a line for each family and for all."""
    if not os.environ.get("GAMBOL_DATA"):
        sys.exit("set GAMBOL_DATA to the folder with the real characters")
    quick, results, frozen = "--quick" in sys.argv, [], []
    files = sorted((Path(os.environ["GAMBOL_DATA"]) / "characters").glob("**/*.gl*"))
    for number, path in enumerate(p for p in files if not p.stem.endswith(("-mesh", "-rig"))):
        asset = load(path)
        clips = [c for c in asset.clips if GAIT.search(c.name)]
        if asset.character.mesh is None or not clips or (quick and number % 4):
            continue
        anatomy = find_anatomy(asset.character)
        for node_clip in clips[::3] if quick else clips:
            result = measure_clip(asset, anatomy, node_clip)
            if result is None:
                frozen.append(f"{path.stem}: {node_clip.name}")
                continue
            results.append(result)
            if "--each" in sys.argv:
                slips = (result.root, result.root_following, result.locked, result.found_anew, result.by_height)
                shares = " ".join(f"{share:.3f}" for share in slips)
                print(f"#   {result.name}: {shares} (root, following, locked, found anew, by height)")
    report(results, frozen, quick)


def report(results: list[Result], frozen: list[str], quick: bool) -> None:
    """Print the lines."""
    board = Scoreboard()

    def share(values: list[float]) -> float:
        return 100.0 * float(np.mean(np.array(values) <= ALLOWED))

    if frozen:
        print(f"# not counted, since no foot moves in them: {', '.join(frozen)}")
    for family in [*FAMILIES, "all"]:
        of = [r for r in results if family in (r.family, "all")]
        if not of:
            continue
        for what, values in (("root only", [r.root for r in of]), ("following", [r.root_following for r in of])):
            print(f"# {family} ({len(of)} clips), {what}: {share(values):.1f}%, median {100 * np.median(values):.2f}%")
        board.at_least(f"{family} ({len(of)} clips), locked", share([r.locked for r in of]), 90.0, "%")
    for what, values in (
        ("found anew", [r.found_anew for r in results]),
        ("by height alone", [r.by_height for r in results]),
    ):
        if len(results) >= ENOUGH:
            board.at_least(f"all, locked, {what}", share(values), 90.0, "%")
        else:
            print(f"# all, locked, {what}: {share(values):.1f}%")
    board.at_most("median slip, locked", 100.0 * float(np.median([r.locked for r in results])), 1.0, "%")
    steady = [r for r in results if not r.pauses]
    board.at_most("in place again after restoring, sizes", max(r.in_place_again for r in steady), 0.01, "")
    for r in results:
        if r.pauses:
            print(f"# {r.name} pauses, so its speed is not steady: in place again within {r.in_place_again:.2f} sizes")
    changes = np.array([r.joint_change for r in results])
    board.at_most("joint change by foot lock, all joints, mean", float(changes[:, 0].mean()), 5.0, "deg")
    print(f"# joints of the legs: mean {changes[:, 1].mean():.1f} deg, worst clip {changes[:, 1].max():.1f} deg")
    print(f"# most changed: {', '.join(r.name for r in sorted(results, key=lambda r: -r.joint_change[1])[:5])}")
    print(f"# feet off the file's by angles alone: {np.mean([r.foot_in_file[0] for r in results]):.3f} legs")
    board.at_most("feet off the file's, legs", float(np.mean([r.foot_in_file[1] for r in results])), 0.02, "")
    known_speeds(board, quick)
    board.finish()


if __name__ == "__main__":
    main()
