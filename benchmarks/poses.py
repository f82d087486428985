"""Compare the pose space with its baselines, on characters that nothing was trained on.

    python benchmarks/poses.py --data DATA --poses POSES [--weights W] [--from-clips W] [--unconditioned W] [--quick]

DATA is the folder of real characters, POSES one that `gambol pose collect` filled (for the Gaussians). `--from-clips`:
the same network trained on artists' clips; `--unconditioned`: one that knows nothing of the skeleton. `--family W
NAMES`: weights that were trained without a family, measured on collected poses of it. `--animate`: the pose prior in
ten distillations. `--sheets OUT`: picture sheets of samples.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from measure import Scoreboard
from pose_measures import (
    Gaussians,
    box_poses,
    coverage,
    diversity,
    joint_positions,
    minimum_matching,
    nearest_neighbour,
    uniform_poses,
)

from gambol.files.asset import load
from gambol.motion.rotations import rotation_angle
from gambol.poses.interpolation import interpolate_keys, step_lengths, walk_pose_space
from gambol.poses.inverse_kinematics import Handles, handle_positions, least_squares_pose, solve_handles
from gambol.poses.pose_diffusion import denoise_poses, invert_poses
from gambol.poses.pose_parameters import clip_from_parameters, pose_bones
from gambol.poses.pose_space import POSE_TEMPERATURE, PoseSpace, sample_pose_space
from gambol.poses.pose_violations import find_violations
from gambol.poses.skeleton_features import describe_skeleton
from gambol.poses.weights_file import load_pose_network
from gambol.training.poses.from_files import file_poses
from gambol.training.poses.shards import PoseShard, read_folder
from gambol.view.pose_sheet import draw_pose_sheet

HELD_OUT_CHARACTERS = (
    "khronos/Fox",
    "kaykit/Knight",
    "kaykit/Rogue",
    "quaternius/Trex",
    "quaternius/Velociraptor",
    "quaternius/Triceratops",
    "quaternius/Stegosaurus",
    "quaternius/Rat",
    "Pig",
    "Zebra",
)
"""Parts of the paths of characters that nothing was trained on."""
TRAINING_CHARACTERS = (
    "quaternius/Wolf",
    "quaternius/KnightCharacter",
    "quaternius/Deer",
    "mesh2motion/human-animated",
    "mesh2motion/fox-animated",
    "mesh2motion/bird-animated",
    "quaternius-more/RobotExpressive",
    "quaternius-more/Zombie_Animated__Zombie",
)
"""Characters of the training split: each network's temperature is chosen on these."""
TEMPERATURES = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6)
"""Sampling temperatures that are tried."""
OURS = "ours"
"""Row of the network that is judged."""
FROM_CLIPS = "artists' clips"
"""Row of the network that was trained on artists' clips."""


def real_poses(data: Path, names: tuple[str, ...], count: int) -> list[tuple[Path, PoseShard]]:
    """File and evenly chosen real poses of each character."""
    found = []
    for name in names:
        paths = sorted(p for p in (data / "characters").rglob("*.gl*") if name in p.as_posix())
        if not paths:
            continue
        shard = file_poses(load(paths[0]), set(), name)
        if shard is not None:
            chosen = torch.linspace(0, len(shard) - 1, min(count, len(shard))).round().long()
            found.append((paths[0], PoseShard(shard.rig, shard.x[chosen], shard.clip[chosen], shard.metadata)))
    return found


def fitting_temperature(network: object, real: list[PoseShard], count: int) -> float:
    """The lowest of `TEMPERATURES` whose 1-NN accuracy is within 0.01 of the best; mean over bodies and two seeds."""
    apart = []
    for temperature in TEMPERATURES:
        found = []
        for shard in real:
            space, seen = (
                PoseSpace(shard.rig, network, describe_skeleton(shard.rig)),
                joint_positions(shard.rig, shard.x),
            )
            for seed in range(2):
                made = sample_pose_space(space, count, torch.Generator().manual_seed(seed), temperature=temperature)
                found.append(abs(nearest_neighbour(joint_positions(shard.rig, made), seen) - 0.5))
        apart.append(float(np.mean(found)))
    return next(t for t, gap in zip(TEMPERATURES, apart, strict=True) if gap <= min(apart) + 0.01)


def compare(
    real: list[PoseShard],
    gaussians: Gaussians,
    networks: dict[str, tuple[object, float]],
    count: int,
    seed: int = 0,
) -> dict[str, dict[str, float]]:
    """Every measure by method, mean over the bodies; networks come with their sampling temperatures."""
    rows: dict[str, list[dict[str, float]]] = {}
    for shard in real:
        rig = shard.rig
        generator = torch.Generator().manual_seed(seed)
        made = {
            "uniform": uniform_poses(rig, count, generator),
            "limits box": box_poses(rig, count, generator),
            "Gaussian": gaussians.sample(rig, count, generator),
        }
        for name, (network, temperature) in networks.items():
            space = PoseSpace(rig, network, describe_skeleton(rig))
            for label, validators in ((name, True), (f"{name}, unguided", False))[: 2 if name == OURS else 1]:
                made[label] = sample_pose_space(
                    space, count, torch.Generator().manual_seed(seed), temperature=temperature, validators=validators
                )
        seen = joint_positions(rig, shard.x)
        made = {**made, "real": shard.x[torch.randperm(len(shard), generator=generator)]}
        for name, x in made.items():
            positions = joint_positions(rig, x)
            rows.setdefault(name, []).append(
                {
                    "coverage": coverage(positions, seen),
                    "1-NN": nearest_neighbour(positions, seen),
                    "MMD": minimum_matching(positions, seen),
                    "diversity": diversity(positions) / max(diversity(seen), 1e-9),
                    "violations": float(find_violations(rig, x).count().mean()),
                }
            )
    return {name: {key: float(np.mean([r[key] for r in found])) for key in found[0]} for name, found in rows.items()}


def show(table: dict[str, dict[str, float]]) -> None:
    """Print one row per method."""
    keys = list(next(iter(table.values())))
    print(f"{'':18}" + "".join(f"{key:>12}" for key in keys))
    for name, row in table.items():
        print(f"{name:18}" + "".join(f"{row[key]:12.3f}" for key in keys), flush=True)


def judge_table(table: dict[str, dict[str, float]], board: Scoreboard, label: str) -> None:
    """Judge ours against the methods that use no artist's clip."""
    others = [row for name, row in table.items() if name not in (OURS, "ours, unguided", FROM_CLIPS, "real")]
    ours, wild = table[OURS], table["uniform"]["violations"]
    apart = [abs(row["1-NN"] - 0.5) for row in others]
    board.at_least(f"{label}: coverage", ours["coverage"], max(row["coverage"] for row in others), "")
    board.at_most(f"{label}: 1-NN less 0.5", abs(ours["1-NN"] - 0.5), min(apart), "")
    board.at_most(f"{label}: violations", ours["violations"], min(row["violations"] for row in others), "")
    board.at_most(f"{label}: violations of the uniform ones", ours["violations"] / wild, 0.05, "")
    board.at_least(f"{label}: diversity of the real poses'", ours["diversity"], 0.7, "")


def inversion(real: list[PoseShard], network: object, board: Scoreboard) -> None:
    """Mean joint error of denoise_poses(invert_poses(pose)), degrees."""
    errors = []
    for shard in real:
        features, x = describe_skeleton(shard.rig), shard.x[::4]
        again = denoise_poses(network, features, invert_poses(network, features, x))
        R = pose_bones(shard.rig, x.double()).joint[:, 1:].numpy()
        S = pose_bones(shard.rig, again.double()).joint[:, 1:].numpy()
        errors.append(np.degrees(rotation_angle(np.swapaxes(R, -1, -2) @ S)).mean())
    board.at_most("denoise(invert(pose)), mean joint error", float(np.mean(errors)), 1.0, " degrees")


def projection(real: list[PoseShard], network: object, board: Scoreboard, targets: int) -> None:
    """Solve for two end joints of real poses as handles, starting from the rest pose."""
    generator, rows = np.random.default_rng(0), []
    for k in range(targets):
        shard = real[k % len(real)]
        rig = shard.rig
        goal = shard.x[int(generator.integers(len(shard)))][None]
        leaves = np.array([b for b in range(1, len(rig)) if not rig.skeleton.children[b]])
        bones = torch.as_tensor(generator.choice(leaves, min(2, len(leaves)), replace=False))
        points = torch.as_tensor(rig.skeleton.heads[bones]).float()
        handles = Handles(bones, points, torch.zeros(len(bones), 3))
        handles = Handles(bones, points, handle_positions(rig, goal, handles)[0])
        space, start = PoseSpace(rig, network, describe_skeleton(rig)), torch.zeros(1, len(rig), 3)
        began = time.process_time()
        found = solve_handles(space, start, handles)
        taken = time.process_time() - began
        plain = least_squares_pose(rig, start, handles)
        wrong = [float(find_violations(rig, p.x).count()[0]) for p in (found, plain)]
        rows.append((float(found.distances.max()), taken, *wrong))
    misses, taken, ours, plain = np.array(rows).T
    print("project: largest distances, sizes: " + ", ".join(f"{miss:.4f}" for miss in np.sort(misses)[-4:]))
    board.at_least("project: handles within 1 % of the size", float((misses <= 0.01).mean()), 0.99, "")
    board.at_most("project: violations (target: damped least squares')", float(ours.mean()), float(plain.mean()), "")
    board.at_most("project: CPU time, the longest", float(taken.max()), 1.0, " s")


def paths(real: list[PoseShard], network: object, board: Scoreboard) -> None:
    """Measure walks and in-betweens of real poses."""
    ratios, ours, straight, keys = [], [], [], []
    for shard in real:
        rig = shard.rig
        space = PoseSpace(rig, network, describe_skeleton(rig))
        a, b, c = shard.x[:1], shard.x[len(shard) // 2][None], shard.x[-1:]
        path = walk_pose_space(space, a, b, 24)
        steps = step_lengths(rig, path)
        ratios.append(float(steps.max() / steps.mean().clamp_min(1e-9)))
        u = torch.linspace(0, 1, 24)[:, None, None]
        ours.append(float(find_violations(rig, path).count().mean()))
        straight.append(float(find_violations(rig, (1 - u) * a + u * b).count().mean()))
        between = interpolate_keys(space, [(0, a), (11, b), (23, c)])
        heads = pose_bones(rig, between[[0, 11, 23]]).heads - pose_bones(rig, torch.cat([a, b, c])).heads
        keys.append(float(heads.abs().max()))
    board.at_most("walk: largest step / mean step", max(ratios), 2.0, "")
    board.at_most("walk: violations (target: linear interpolation's)", np.mean(ours), np.mean(straight), "")
    board.at_most("in-between: keys miss, sizes", max(keys), 1e-4, "")


def timing(real: list[PoseShard], network: object, board: Scoreboard) -> None:
    """Time 64 samples of a body with about 30 bones."""
    shard = min(real, key=lambda shard: abs(len(shard.rig) - 30))
    space = PoseSpace(shard.rig, network, describe_skeleton(shard.rig))
    taken = []
    for seed in range(2):
        began = time.process_time()
        sample_pose_space(space, 64, torch.Generator().manual_seed(seed))
        taken.append(time.process_time() - began)
    board.at_most(f"64 samples of {len(shard.rig)} bones, CPU time", min(taken), 2.0, " s")


def animations(board: Scoreboard, prompts: int) -> None:
    """Compare violations and motion of distilled clips with and without the pose prior."""
    from distillation_suite import optimised_clip

    from gambol.creatures.catalogue import make_creature
    from gambol.distill.losses import PosePrior
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.quality_metrics import motion_amount
    from gambol.poses.pose_parameters import parameters_from_clip
    from gambol.poses.pose_rig import make_pose_rig
    from gambol.priors.embedded.prior import load_embedded

    asked = ["fox walking", "human jumping", "trex walking", "eagle flying", "spider walking", "horse trotting",
             "woman dancing", "cat sneaking", "ostrich running", "lizard walking"]  # fmt: skip
    prior, rows = load_embedded(), []
    for words in asked[:prompts]:
        noun, doing = words.split()
        made = make_creature(noun, 900, vertices=1500)
        character = made.character()
        anatomy = made.anatomy(character)
        rig = make_pose_rig(character, anatomy)
        row = []
        for weight in (0.0, 1.0):
            losses = (PosePrior(weight),)
            clip = optimised_clip(prior, character, f"a {noun} is {doing}", losses=losses, anatomy=anatomy)
            violations = find_violations(rig, parameters_from_clip(rig, clip)).count().mean()
            row += [float(violations), motion_amount(observe_clip(character, anatomy, clip))]
        print(f"{words}: violations {row[0]:.2f} -> {row[2]:.2f}, motion {row[1]:.3f} -> {row[3]:.3f}", flush=True)
        rows.append(row)
    plain, amount, held, moved = np.array(rows).mean(0)
    board.at_most("--pose-prior: violations (target: without it)", held, plain, "")
    board.at_least("--pose-prior: motion amount, share of without", moved / amount, 0.9, "")


def main() -> None:
    """Run the measurements that the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--data", "--poses", "--weights", "--from-clips", "--unconditioned", "--sheets"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--family", nargs="+", help="weights without a family, then the family's names")
    parser.add_argument("--quick", action="store_true", help="few poses of few characters")
    parser.add_argument("--animate", action="store_true")
    parser.add_argument("--only-family", action="store_true", help="leave out what is measured on unseen characters")
    options = parser.parse_args()
    torch.set_num_threads(1)
    board = Scoreboard()
    count = 24 if options.quick else 64
    network = load_pose_network(options.weights)
    networks: dict[str, tuple[object, float]] = {OURS: (network, POSE_TEMPERATURE)}
    known = [] if options.data is None else [shard for _, shard in real_poses(options.data, TRAINING_CHARACTERS, count)]
    for name, path in (("unconditioned", options.unconditioned), (FROM_CLIPS, options.from_clips)):
        if path is not None:
            other = load_pose_network(path)
            networks[name] = (other, fitting_temperature(other, known, count) if known else POSE_TEMPERATURE)
    if known and not options.quick:
        print(f"the temperature that the training split gives: {fitting_temperature(network, known, count)}")
    print("temperatures: " + ", ".join(f"{name} {t}" for name, (_, t) in networks.items()))
    shards = read_folder([options.poses])
    if options.data is not None and not options.only_family:
        files = real_poses(options.data, HELD_OUT_CHARACTERS, count)[: 3 if options.quick else None]
        real = [shard for _, shard in files]
        print(f"{len(real)} unseen characters, {sum(map(len, real))} real poses, {count} made poses of each")
        table = compare(real, Gaussians(shards), networks, count)
        show(table)
        judge_table(table, board, "unseen rigs")
        inversion(real, network, board)
        timing(real, network, board)
        paths(real, network, board)
        projection(real, network, board, 20 if options.quick else 200)
        if options.sheets is not None:
            options.sheets.mkdir(parents=True, exist_ok=True)
            for path, shard in files:
                space = PoseSpace(shard.rig, network, describe_skeleton(shard.rig))
                x = sample_pose_space(space, 12, torch.Generator().manual_seed(1))
                clip = clip_from_parameters(shard.rig, x, "poses", 1.0)
                draw_pose_sheet(load(path).character, clip, options.sheets / f"{path.stem}.png")
    if options.family is not None:
        path, *names = options.family
        family = [shard for shard in shards if shard.kind in names]
        others = [shard for shard in shards if shard.kind not in names]
        networks[OURS] = (load_pose_network(Path(path)), POSE_TEMPERATURE)
        table = compare(family, Gaussians(others), networks, count)
        print(f"trained without {', '.join(names)}, measured on {len(family)} of them")
        show(table)
        judge_table(table, board, "family held out")
    if options.animate:
        animations(board, 3 if options.quick else 10)
    board.finish()


if __name__ == "__main__":
    main()
