"""ViPS's claims in one table, with the shipped weights and no file but the characters.

    python benchmarks/vips.py --quick    two unseen characters, 16 poses each, 6 targets: about 2 CPU minutes
    python benchmarks/vips.py            all ten unseen characters, 64 poses each, 60 targets

Plausibility and diversity of samples against artists' clips of characters that nothing was trained on, beside uniform
angles, joint-limit boxes, and a Gaussian of the artists' clips of the training split; manifold inverse kinematics
against damped least squares; in-betweening and walks against straight lines in angles. `benchmarks/poses.py` has the
full comparison with trained baselines and whole families held out. The table goes to docs/research/reproduction.md.
"""

import argparse

import numpy as np
import torch
from distillation_suite import data_folder
from pose_measures import Gaussians, box_poses, coverage, diversity, joint_positions, nearest_neighbour, uniform_poses
from poses import HELD_OUT_CHARACTERS, TRAINING_CHARACTERS, real_poses
from reproduction_tables import markdown, told, write_table

from gambol.poses.interpolation import interpolate_keys, walk_pose_space
from gambol.poses.inverse_kinematics import Handles, handle_positions, least_squares_pose, solve_handles
from gambol.poses.pose_parameters import pose_bones
from gambol.poses.pose_space import PoseSpace, sample_pose_space
from gambol.poses.pose_violations import find_violations
from gambol.poses.skeleton_features import describe_skeleton
from gambol.poses.weights_file import load_pose_network


def samples(shards: list, gaussians: Gaussians, network, count: int) -> list[tuple[str, ...]]:
    """Rows of plausibility and diversity, means over the bodies."""
    found: dict[str, list[tuple[float, ...]]] = {}
    for shard in shards:
        rig, generator = shard.rig, torch.Generator().manual_seed(0)
        made = {
            "artists' clips themselves": shard.x,
            "ours": sample_pose_space(PoseSpace(rig, network, describe_skeleton(rig)), count, generator),
            "Gaussian of artists' clips": gaussians.sample(rig, count, generator),
            "joint-limit boxes": box_poses(rig, count, generator),
            "uniform angles": uniform_poses(rig, count, generator),
        }
        real = joint_positions(rig, shard.x)
        for name, x in made.items():
            places = joint_positions(rig, x)
            wrong = float(find_violations(rig, x).count().mean())
            apart = (coverage(places, real), nearest_neighbour(places, real)) if x is not shard.x else (1.0, 0.5)
            found.setdefault(name, []).append((*apart, diversity(places) / diversity(real), wrong))
    return [
        (f"samples: {name}", *(told(column, 2) for column in zip(*rows, strict=True))) for name, rows in found.items()
    ]


def inverse_kinematics(shards: list, network, targets: int) -> list[tuple[str, ...]]:
    """Two end joints of real poses as handles, from the rest pose."""
    rng, ours, plain, missed = np.random.default_rng(0), [], [], []
    for k in range(targets):
        shard = shards[k % len(shards)]
        rig = shard.rig
        goal = shard.x[int(rng.integers(len(shard)))][None]
        leaves = np.array([b for b in range(1, len(rig)) if not rig.skeleton.children[b]])
        bones = torch.as_tensor(rng.choice(leaves, min(2, len(leaves)), replace=False))
        points = torch.as_tensor(rig.skeleton.heads[bones]).float()
        handles = Handles(bones, points, torch.zeros(len(bones), 3))
        handles = Handles(bones, points, handle_positions(rig, goal, handles)[0])
        start = torch.zeros(1, len(rig), 3)
        found = solve_handles(PoseSpace(rig, network, describe_skeleton(rig)), start, handles)
        missed.append(float(found.distances.max()))
        ours.append(float(find_violations(rig, found.x).count()[0]))
        plain.append(float(find_violations(rig, least_squares_pose(rig, start, handles).x).count()[0]))
    nothing = ("-", "-", "-")
    far = f"inverse kinematics, ours (handles missed by at most {max(missed):.4f} sizes)"
    return [(far, *nothing, told(ours, 2)), ("inverse kinematics, damped least squares", *nothing, told(plain, 2))]


def paths(shards: list, network) -> list[tuple[str, ...]]:
    """Violations on the way between real poses."""
    found: dict[str, list[float]] = {"walk, ours": [], "walk, straight in angles": [], "in-between, ours": []}
    missed = 0.0
    for shard in shards:
        rig = shard.rig
        space = PoseSpace(rig, network, describe_skeleton(rig))
        a, b, c = shard.x[:1], shard.x[len(shard) // 2][None], shard.x[-1:]
        u = torch.linspace(0, 1, 24)[:, None, None]
        between = interpolate_keys(space, [(0, a), (11, b), (23, c)])
        for name, x in zip(found, (walk_pose_space(space, a, b, 24), (1 - u) * a + u * b, between), strict=True):
            found[name].append(float(find_violations(rig, x).count().mean()))
        heads = pose_bones(rig, between[[0, 11, 23]]).heads - pose_bones(rig, torch.cat([a, b, c])).heads
        missed = max(missed, float(heads.abs().max()))
    rows = [(name, "-", "-", "-", told(values, 2)) for name, values in found.items()]
    return [*rows[:-1], (f"{rows[-1][0]} (keys missed by {missed:.1g} m)", *rows[-1][1:])]


def main() -> None:
    """Measure, print, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    network = load_pose_network(None)
    data, count = data_folder(), 16 if quick else 64
    unseen, known = (
        (HELD_OUT_CHARACTERS[:2], TRAINING_CHARACTERS[:3]) if quick else (HELD_OUT_CHARACTERS, TRAINING_CHARACTERS)
    )
    shards = [shard for _, shard in real_poses(data, unseen, count)]
    gaussians = Gaussians([shard for _, shard in real_poses(data, known, count)])
    rows = samples(shards, gaussians, network, count)
    rows += inverse_kinematics(shards, network, 6 if quick else 60)
    rows += paths(shards, network)
    head = (
        f"{len(shards)} unseen characters",
        "coverage",
        "1-NN (0.5 is best)",
        "diversity / real",
        "violations per pose",
    )
    write_table("vips", markdown(head, rows))


if __name__ == "__main__":
    main()
