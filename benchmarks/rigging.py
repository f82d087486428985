"""Rigging, measured: skin weights beside Blender's bone heat, time and growth, and skeletons for bare meshes.

Run: python benchmarks/rigging.py [--quick] [--only weights|time|skeletons]
Needs GAMBOL_DATA; the peer needs bpy. Results of the peer are kept in out/rigging and not computed again.
Weights are compared in mean L1 over all drawn vertices to the artist's, which are stripped first; both sides get the
bones that carry weight. The peer is Blender's importer and its "Automatic Weights", with vertices merged and not merged
and with both ways in which the importer guesses bones (its default and "temperance"): the best of the four counts.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from measure import Scoreboard
from rig_templates import KINDS, unit_body

from gambol.character.bind_pose import bind_transforms
from gambol.character.rigging.bone_ends import bone_tails
from gambol.character.rigging.heat_weights import heat_weights
from gambol.character.rigging.rig import find_rig
from gambol.character.rigging.rigged_scene import strip_rig
from gambol.character.rigging.voxel_solid import voxelise
from gambol.character.scene import apply_matrix, linear_blend_skinning
from gambol.character.skeleton import BoneSegments
from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.errors import AssetError
from gambol.files.asset import load
from gambol.files.gltf.container import read_document
from gambol.files.gltf.read import read_scene

WEIGHT_TARGETS = {"fox": 0.10, "dragon": 0.10, "human": 0.10, "horse": 0.12, "bird": 0.25}
"""Greatest allowed mean L1 distance to the artist's weights, by Mesh2Motion file."""
HELD_OUT = (
    *("Knight", "Rogue", "Fox", "RiggedFigure", "Trex", "Velociraptor", "Triceratops", "Stegosaurus", "Rat"),
    *("Farm_Animals_Animated___Pig", "Farm_Animals_Animated___Zebra", "horse-animated"),
)
"""Files that no constant was tuned on."""
LEFT_OUT = ("RecursiveSkeletons", "SimpleSkin")
"""Test files without a body."""
MAIN_JOINTS = {
    "fox": "Back_Leg_Upper_ Back_Leg_Lower_ Front_Leg_Upper_ Spine_3 Head Tail_Base",
    "horse": "back_leg_upper_ back_leg_lower_ front_humerus_ spine_5 head tail_1",
    "bird": "UpperLeg_ LowerLeg_ wing_1_ spine_2 head tail_1",
    "human": "DEF-thigh. DEF-shin. DEF-upper_arm. DEF-neck DEF-head",
}
"""Hips, knees, shoulders, neck, head and tail base as the real rigs name them."""
MAIN_CREATURE_JOINTS = ("Thigh", "Shin", "UpperArm", "Wing1", "Femur1", "Neck1", "Head", "Tail1")
"""Main joints of built-in creatures."""


def data_root() -> Path:
    """Where the real characters are."""
    root = os.environ.get("GAMBOL_DATA")
    if not root:
        sys.exit("Set GAMBOL_DATA to the folder with the real characters.")
    return Path(root) / "characters"


def problem(path: Path):
    """Vertices, triangles, the artist's weights and the bones that carry some; all at bind, in file space."""
    scene, _, _ = read_scene(read_document(path))
    binds = bind_transforms(scene)
    joints = scene.joint_nodes
    column = np.full(len(scene.nodes), -1)
    column[joints] = np.arange(len(joints))
    vertices, triangles, weights, first = [], [], [], 0
    for part in (p for p in scene.parts if p.skin is not None and p.joints is not None):
        skin = scene.skins[part.skin]
        matrices = np.stack([binds[int(j)] for j in skin.joints]) @ skin.inverse_binds
        vertices.append(linear_blend_skinning(part.positions.astype(float), part.joints, part.weights, matrices))
        rows = np.zeros((len(part.positions), len(joints)))
        np.add.at(rows, (np.arange(len(rows))[:, None], column[skin.joints[part.joints]]), part.weights)
        triangles.append(part.triangles + first)
        weights.append(rows)
        first += len(rows)
    vertices, weights = np.concatenate(vertices), np.concatenate(weights)
    tails = bone_tails(scene, binds, float(np.ptp(vertices, axis=0).max()))
    deform = np.flatnonzero(weights.sum(0) > 0)
    heads = np.array([binds[int(n)][:3, 3] for n in joints])
    ends = np.array([tails[int(n)] for n in joints])
    segments = BoneSegments(deform, heads[deform], ends[deform])
    return vertices, np.concatenate(triangles), weights, segments, joints, heads


def peer(path: Path, name: str, vertices, triangles, weights, joints, heads) -> tuple[float, float, int] | None:
    """Blender's best L1, its CPU seconds and how many vertices it leaves without weight; None where it fails."""
    folder = Path("out/rigging")
    folder.mkdir(parents=True, exist_ok=True)
    answer = folder / f"{name}.npz"
    if not answer.exists():
        task = folder / f"{name}-task.npz"
        deform = weights.sum(0) > 0
        np.savez(task, V=vertices, T=triangles, nodes=joints, heads=heads, deform=deform, path=str(path))
        job = Path(__file__).with_name("rigging_peer.py")
        done = subprocess.run([sys.executable, str(job), str(task), str(answer)], capture_output=True)
        task.unlink()
        if done.returncode:  # the importer refuses some files
            np.savez(answer)
    found, best = np.load(answer), None
    for key in (k for k in found.files if k.startswith("W_")):
        theirs = found[key]
        sums = theirs.sum(1)
        if not (sums > 1e-3).any():
            continue
        scaled = theirs / np.maximum(sums, 1e-9)[:, None] * (sums > 1e-3)[:, None]
        miss = float(np.abs(scaled - weights).sum(1).mean())
        if best is None or miss < best[0]:
            best = miss, float(found["t" + key[1:]]), int((sums <= 1e-3).sum())
    return best


def weights_table(board: Scoreboard, quick: bool) -> None:
    """Ours and the peer on every skinned file."""
    import importlib.util

    root, wins, lost, held = data_root(), 0, 0, [0, 0]
    ratios = []
    with_peer = importlib.util.find_spec("bpy") is not None
    print(f"{'file':56} vertices bones   ours   peer  peer's lost  CPU s ours peer")
    for path in sorted(root.glob("**/*.gl*")):
        scene_name = f"{path.parent.name}-{path.stem}"
        if path.stem in LEFT_OUT or path.stem.endswith(("-mesh", "-rig")) or (quick and "more" in scene_name):
            continue
        vertices, triangles, weights, segments, joints, heads = problem(path)
        seconds = min(_seconds(vertices, triangles, segments, weights) for _ in range(2))
        ours = heat_weights(vertices, triangles, segments, weights.shape[1])
        miss = float(np.abs(ours.dense() - weights).sum(1).mean())
        assert np.abs(ours.weights.sum(1) - 1.0).max() < 1e-4
        theirs = peer(path, scene_name, vertices, triangles, weights, joints, heads) if with_peer else None
        peer_text = f"{theirs[0]:6.3f} {theirs[2]:12d}" if theirs else "failed             "
        mark = "*" if path.stem in HELD_OUT else " "
        print(
            f"{scene_name + mark:56} {len(vertices):8} {len(segments):5} {miss:6.3f} {peer_text} {seconds:10.3f} "
            f"{theirs[1] if theirs else np.nan:.3f}",
            flush=True,
        )
        if theirs:
            ratios.append(seconds / max(theirs[1], 1e-3))
        animal = path.stem.removesuffix("-animated")
        if path.stem.endswith("-animated") and animal in WEIGHT_TARGETS:
            board.at_most(f"rigging.weights.{animal}", miss, WEIGHT_TARGETS[animal], "")
        elif path.parent.name != "mesh2motion" and theirs:
            better = miss < theirs[0]
            wins, lost = wins + better, lost + (not better)
            if path.stem in HELD_OUT:
                held = [held[0] + better, held[1] + 1]
    if with_peer:
        board.at_least("rigging.weights.better_than_peer", wins / max(wins + lost, 1), 0.8, "")
        print(
            f"better on {wins} of {wins + lost} painted files that the peer solves; {held[0]} of {held[1]} held out (*)"
        )
        board.at_most("rigging.weights.time_beside_peer", float(np.median(ratios)), 3.0, "x")
        print(f"CPU time beside the peer's on the slowest file: {max(ratios):.1f} x")


def _seconds(vertices, triangles, segments, weights) -> float:
    started = time.process_time()
    heat_weights(vertices, triangles, segments, weights.shape[1])
    return time.process_time() - started


def growth(board: Scoreboard, quick: bool) -> None:
    """CPU time over vertices, with 50 bones, on the built-in fox subdivided again and again; memory at a million."""
    import resource

    import trimesh

    character = make_creature("fox", vertices=4000).character()
    skeleton, mesh = character.skeleton, character.mesh
    spans = [(h, t) for h, t in zip(skeleton.segments.heads, skeleton.segments.tails, strict=True)]
    while len(spans) < 50:
        head, tail = spans.pop(0)
        spans += [(head, 0.5 * (head + tail)), (0.5 * (head + tail), tail)]
    spans = spans[:50]
    bones = BoneSegments(np.arange(50), np.array([a for a, _ in spans]), np.array([b for _, b in spans]))
    points, faces = mesh.vertices, mesh.triangles
    counts, times = [], []
    heat_weights(points, faces, bones, 50)
    while len(points) < (300_000 if quick else 1_200_000):
        started = time.process_time()
        heat_weights(points, faces, bones, 50)
        counts.append(len(points))
        times.append(time.process_time() - started)
        print(f"{counts[-1]:9} vertices, 50 bones: {times[-1]:.2f} CPU s", flush=True)
        points, faces = trimesh.remesh.subdivide(points, faces)
    at_ten_thousand = float(np.exp(np.interp(np.log(1e4), np.log(counts), np.log(times))))
    board.at_most("rigging.time.ten_thousand", at_ten_thousand, 1.0, "s")
    up_to = np.array(counts) <= 330_000
    exponent = np.polyfit(np.log(np.array(counts)[up_to]), np.log(np.array(times)[up_to]), 1)[0]
    board.at_most("rigging.time.growth_exponent", float(exponent), 1.3, "")
    if not quick:
        board.at_most("rigging.memory.million", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20, 8.0, "GB")


def skeletons(board: Scoreboard, quick: bool) -> None:
    """Templates in bare meshes: type, facing, joints inside, distance of the main joints to the reference's."""
    generator = np.random.default_rng(20)
    right, total, misses, inside, facing_right = 0, 0, [], [], 0
    cases = []
    for name in MAIN_JOINTS:
        bare = load(data_root() / "mesh2motion" / f"{name}-mesh.glb").character
        reference = load(data_root() / "mesh2motion" / f"{name}-animated.glb").character.skeleton
        places = dict(zip(reference.names, reference.heads, strict=True))
        kind = {"bird": "bird", "human": "biped"}.get(name, "quadruped")
        ends = {"horse": ("l", "r")}.get(name, ("L", "R"))
        main = {}
        own = ("Thigh", "Shin", "Wing1" if kind == "bird" else "UpperArm", "Neck1", "Head", "Tail1")
        for ours, theirs in zip(own, MAIN_JOINTS[name].split(), strict=False):
            if theirs[-1] in "_.":
                main |= {f"{ours}.L": places[theirs + ends[0]], f"{ours}.R": places[theirs + ends[1]]}
            else:
                main[ours] = places[theirs]
        cases.append((name, kind, bare, main, 0))
    names = list(CREATURE_FAMILIES)
    for i in range(8 if quick else 40):
        name = names[int(generator.integers(len(names)))]
        creature = make_creature(name, 9000 + i).character()
        places = dict(zip(creature.skeleton.names, creature.skeleton.heads, strict=True))
        main = {n: p for n, p in places.items() if n.removesuffix(".L").removesuffix(".R") in MAIN_CREATURE_JOINTS}
        cases.append((name, KINDS.get(name, "quadruped"), strip_rig(creature), main, int(generator.integers(4))))
    for name, kind, bare, main, quarter in cases:
        total += 1
        turned = _turned(bare, quarter)
        try:
            rig = find_rig(turned)
        except AssetError as error:
            print(f"{name:10} {kind:10} {error}", flush=True)
            continue
        T = bare.placement.T_world_file @ np.linalg.inv(_quarter(quarter))
        heads = apply_matrix(T, rig.T_file_joint[:, :3, 3])
        found = dict(zip(rig.names, heads, strict=True))
        gaps = {n: np.linalg.norm(found[n] - p) / bare.size for n, p in main.items() if n in found}
        unit, centre, size = unit_body(bare.mesh.vertices)
        deep = voxelise(unit, bare.mesh.triangles).depth_at((heads - centre) / size) > 0
        forwards = found["Head"][0] > found["Hips"][0] if "Head" in found and kind != "biped" else True
        right, facing_right = right + (rig.kind == kind), facing_right + bool(forwards)
        inside.append(deep.mean())
        if gaps and rig.kind == kind:
            misses.append(np.mean(list(gaps.values())))
        worst = max(gaps, key=lambda n: gaps[n]) if gaps else "-"
        print(
            f"{name:10} {kind:10} as {rig.kind:10} main joints off by {np.mean(list(gaps.values()) or [np.nan]):.3f} "
            f"of the size, most {worst} {max(gaps.values(), default=np.nan):.3f}; inside {deep.mean():.0%}; "
            f"{'' if forwards else 'FACES BACKWARDS'}",
            flush=True,
        )
    board.at_least("rigging.skeletons.type_right", right / total, 0.9, "")
    board.at_most("rigging.skeletons.main_joints", float(np.mean(misses)), 0.06, "")
    board.at_least("rigging.skeletons.joints_inside", float(np.mean(inside)), 1.0, "")
    print(f"facing right for {facing_right} of {total}")


def _quarter(turns: int):
    """So many quarter turns about the vertical."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][turns]
    T = np.eye(4)
    T[:3, :3] = [[c, 0, s], [0, 1, 0], [-s, 0, c]]
    return T


def _turned(character, turns: int):
    """The bare character in a file whose axes lie otherwise."""
    from dataclasses import replace

    from gambol.character.character import make_character

    scene = character.scene
    turn = _quarter(turns)
    points = [part.morphed(None).astype(float) for part in scene.parts]
    world = [apply_matrix(turn @ scene.nodes.T_world_node[p.node], q) for p, q in zip(scene.parts, points, strict=True)]
    parts = tuple(
        replace(part, positions=places.astype(np.float32), morph_targets=None, morph_weights=None)
        for part, places in zip(scene.parts, world, strict=True)
    )
    count = len(scene.nodes)
    still = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    nodes = replace(
        scene.nodes,
        parents=np.full(count, -1),
        translations=np.zeros((count, 3)),
        rotations_wxyz=still,
        scales=np.ones((count, 3)),
        matrices={},
    )
    return make_character(character.name, replace(scene, nodes=nodes, parts=parts), scale=character.placement.scale)


def main() -> None:
    """Measure what was asked for."""
    board, quick = Scoreboard(), "--quick" in sys.argv
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None
    for name, measure in (("weights", weights_table), ("time", growth), ("skeletons", skeletons)):
        if only in (None, name):
            measure(board, quick)
    board.finish()


if __name__ == "__main__":
    main()
