"""Physics tracking: speed, synthetic walks, real clips, MuJoCo's replay, clips of `gambol animate`, long clips.

python benchmarks/physics.py [--quick] [--real] [--weak] [--animated DIR] [--long] [--films] [--out DIR]

Without further options: speed and the synthetic walks. `--real` tracks eight real clips (GAMBOL_DATA), with travel
restored and lifted by 10 cm, `--weak` once more with the upright torque at 10 %; clips and numbers (and films) go to
`--out`, and what is there already is not tracked again. `--animated DIR` tracks every run in a folder. `--long`
animates a real fox for 4 s and for 8 s (GAMBOL_DATA) and tracks both in windows; after a stop it goes on where it was.
Times are process CPU seconds with a warm kernel cache.
"""

import json
import os
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import torch
from measure import Scoreboard, cpu_seconds
from synthetic_walks import humanoid_walk, quadruped_walk

from gambol.app.animate import animate_file
from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
from gambol.app.find_runs import find_run, find_runs
from gambol.app.track import living_size_of_run, load_clip, track_file
from gambol.app.track_request import TrackRequest
from gambol.physics.articulated_body import BodyConfig, make_articulated_body
from gambol.physics.collision_boxes import bone_boxes
from gambol.physics.gradient_tracking import TrackConfig, expand_controls, optimise_controls, start_controls
from gambol.physics.mjcf import replay_mjcf
from gambol.physics.newton_model import FREE_ROOT_SLOTS
from gambol.physics.run_tracking import TrackingSettings, simulate_solution
from gambol.physics.simulator import Simulator
from gambol.physics.tracking_measures import TrackMeasures, measure_tracking
from gambol.physics.tracking_problem import make_tracking_problem
from gambol.physics.world import PhysicsWorld, world_for_living_size
from gambol.progress import ProgressLines

REAL = (
    ("characters/quaternius/Wolf.glb", "Walk"),
    ("characters/quaternius/Wolf.glb", "Gallop"),
    ("characters/mesh2motion/horse-animated.glb", "Trot"),
    ("characters/kaykit/Knight.glb", "Walking_A"),
    ("characters/kaykit/Knight.glb", "Running_A"),
    ("mocap/cmu/35_11.bvh", "35_11"),
    ("mocap/cmu/16_24.bvh", "16_24"),
    ("mocap/cmu/09_11.bvh", "09_11"),
)
"""Walk, gallop, trot; walk and run of a toy knight with sword and shield; walk, walk in a curve, run."""
ITERATIONS = TrackConfig().iterations
"""Of real and animated clips: what the command does."""
FLYING = ("jump", "fly")
"""Motions that float by nature: what is left of their float says nothing, and is printed apart."""
LONG_CHARACTER, LONG_PROMPT, LONG_SECONDS = "characters/khronos/Fox.glb", "a fox is walking", (4, 8)
LIFT = 0.1
WEAK = 0.1


def speed(board: Scoreboard, name: str, walk) -> None:
    """Substeps per second, forward and with gradient, of a body that stands on the ground."""
    skeleton, boxes, clip = walk()
    body = make_articulated_body(skeleton, boxes, (clip,), config=BodyConfig(size=None))
    problem = make_tracking_problem(body, skeleton, (clip,), PhysicsWorld())
    steps = problem.time.substeps
    simulator = Simulator(body, PhysicsWorld(), substeps=steps, dt=problem.time.dt)
    targets = expand_controls(start_controls(problem, TrackConfig()), problem)[:steps]
    q = problem.start[0]
    qd = torch.zeros(len(body), 6)
    g = torch.ones(len(body), 7), torch.ones(len(body), 6)

    def forward() -> None:
        for _ in range(100):
            simulator.forward(q, qd, targets)

    def backward() -> None:
        for _ in range(20):
            simulator.backward(q, qd, targets, *g)

    forward()
    board.at_least(f"{name} ({len(body)} bodies), forward", 100 * steps / cpu_seconds(forward, 5) / 1e3, 100, "k/s")
    board.at_least(f"{name} ({len(body)} bodies), gradient", 20 * steps / cpu_seconds(backward, 5) / 1e3, 15, "k/s")


def synthetic(board: Scoreboard, name: str, walk, iterations: int, bounds: tuple[float, ...], quick: bool) -> None:
    """A walk that floats and slides, tracked: time, distance, penetration, skate, jerk."""
    skeleton, boxes, clip = walk(24 if quick else 48)
    body = make_articulated_body(skeleton, boxes, (clip,), config=BodyConfig(size=None))
    problem = make_tracking_problem(body, skeleton, (clip,), PhysicsWorld())
    simulator = Simulator(body, PhysicsWorld(), substeps=problem.time.substeps, dt=problem.time.dt)
    config = TrackConfig(iterations=iterations // 4 if quick else iterations, patience=0)
    start = time.process_time()
    solution = optimise_controls(problem, simulator, config=config)
    seconds = time.process_time() - start
    motion = simulate_solution(problem, simulator, solution)[0]
    found = measure_tracking(body, motion.frame_states, problem.states[:, 0].double().numpy())
    print(f"# {name}: loss {solution.history[0]:.2f} -> {float(solution.losses[0]):.3f}; {_tell(found)}")
    most, away, deep, skate = bounds
    board.at_most(f"{name}, {config.iterations} iterations", seconds, most, "s")
    if quick:
        return
    board.at_most(f"{name}, MPJPE", 100 * found.mpjpe, away, "cm")
    board.at_most(f"{name}, deepest", 100 * found.penetration, deep, "cm")
    board.at_most(f"{name}, skate of the lowest point per frame", 100 * found.skate_lowest, skate, "cm")
    board.at_most(f"{name}, jerk, times the target's", found.jerk_ratio, 4, "")


def real(board: Scoreboard, out: Path, weak: bool, quick: bool) -> None:
    """Eight real clips: which stand, and how far MuJoCo's replay is off."""
    data, rows = Path(os.environ["GAMBOL_DATA"]), []
    for file, clip in REAL[:2] if quick else REAL:
        name = f"{Path(file).stem}-{clip}{'-weak' if weak else ''}"
        told = out / f"{name}.json"
        if not told.is_file():
            config = TrackConfig(iterations=ITERATIONS, upright=WEAK if weak else 1.0)
            start = time.process_time()
            request = TrackRequest(
                data / file,
                out / f"{name}.glb",
                clip=clip,
                restore_travel=file.endswith(".glb"),
                lift=LIFT,
                film="--films" in sys.argv,
                settings=TrackingSettings(track=config),
            )
            report = track_file(request)
            text = (out / f"{name}.xml").read_text()
            body = report.tracked.body
            goal = np.load(out / f"{name}.npz")["target_states"]
            again = measure_tracking(body, replay_mjcf(text, body), goal)
            written = json.loads(told.read_text())
            written |= {"cpu_seconds": time.process_time() - start, "replay": asdict(again)}
            told.write_text(json.dumps(written, indent=1))
        rows.append((name, json.loads(told.read_text())))
    print(
        "| clip | bodies | frames | CPU s | MPJPE, % of size | root height | tilt | skate, cm/frame (target) | jerk x "
        "| upright work | MuJoCo MPJPE x |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, r in rows:
        t = r["tracking"]
        print(
            f"| {name} | {r['bodies']} | {r['frames']} | {r['cpu_seconds']:.0f} | {100 * t['mpjpe_sizes']:.1f} "
            f"| {t['root_height']:.0%} | {t['tilt']:.0f}° | {100 * t['skate_lowest']:.2f} "
            f"({100 * t['skate_lowest_target']:.2f}) | {t['jerk_ratio']:.1f} | {r['upright']['work_share']:.0%} "
            f"| {r['replay']['mpjpe'] / t['mpjpe']:.1f} |"
        )
    stand = sum(TrackMeasures(**r["tracking"]).stands for _, r in rows)
    if weak:
        board.at_least("real clips that stand, upright torque at 10 %", stand, 5 if not quick else 1, "")
        return
    board.at_least("real clips that stand", stand, len(rows), "")
    close = sum(r["replay"]["mpjpe"] <= 2.0 * r["tracking"]["mpjpe"] for _, r in rows)
    board.at_least("replays in MuJoCo within twice Newton's MPJPE", close, 6 if not quick else 1, "")


def animated(board: Scoreboard, folder: Path, out: Path, quick: bool) -> None:
    """Runs of `gambol animate`: what tracking takes away of foot skate and float."""
    skates, floats, flies, away = [], [], [], []
    for run in find_runs(folder):
        told = out / f"animated-{run.name}.json"
        if not told.is_file():
            config = replace(TrackConfig(), iterations=20 if quick else ITERATIONS)
            source = folder / run.name if (folder / run.name).is_dir() else run.model
            settings = TrackingSettings(track=config)
            target = out / f"animated-{run.name}.glb"
            track_file(TrackRequest(source, target, film="--films" in sys.argv, settings=settings))
        r = json.loads(told.read_text())
        before, after = r["before"], r["after"]
        skates.append((before["foot_skate_sizes"] or 0.0, after["foot_skate_sizes"] or 0.0))
        floats.append((before["float_mean"], after["float_mean"]))
        flies.append(before["motion"] in FLYING)
        away.append(after["mpjpe_root_relative"] * r["simulated_metres_per_metre"] / r["simulated_size"])
        print(
            f"# {run.name}: skate {skates[-1][0]:.3f} -> {skates[-1][1]:.3f}, "
            f"float {floats[-1][0]:.4f} -> {floats[-1][1]:.4f} sizes, joints off by {100 * away[-1]:.1f} % of size"
        )
    before, after = np.array(floats).mean(0)
    grounded = np.array(floats)[~np.array(flies)].mean(0)
    print(f"# float left with the {sum(flies)} that fly by nature: {100 * after / max(before, 1e-9):.1f} %")
    skate, skate_left = np.array(skates).mean(0)
    ratios = [found / asked for asked, found in skates if asked > 0]
    print(f"# skate left, mean of each clip's own share: {100 * float(np.mean(ratios)) if ratios else 0.0:.1f} %")
    board.at_most("animated: foot skate left", 100 * skate_left / max(skate, 1e-9), 50, "%")
    board.at_most("animated: float left", 100 * grounded[1] / max(grounded[0], 1e-9), 50, "%")
    board.at_most("animated: root-relative MPJPE, mean", 100 * float(np.mean(away)), 5, "% of size")


def long_clips(board: Scoreboard, out: Path, quick: bool) -> None:
    """Walks of 4 s and 8 s in windows: cost, distance window by window, seams, replay."""
    told, suffix = {}, "-quick" if quick else ""
    for seconds in LONG_SECONDS:
        run, target = out / f"long-{seconds}s", out / f"long-{seconds}s{suffix}.glb"
        if not (run / "metrics.json").is_file():
            fox = Path(os.environ["GAMBOL_DATA"]) / LONG_CHARACTER
            asked = AnimateRequest(prompt=LONG_PROMPT, seconds=float(seconds))
            animate_file(AnimateFileRequest(asked, fox, outputs=AnimateOutputs(film=False)), run)
        if not target.with_suffix(".json").is_file():
            config = replace(TrackConfig(), iterations=20 if quick else ITERATIONS)
            request = TrackRequest(run, target, film="--films" in sys.argv, settings=TrackingSettings(track=config))
            track_file(request, progress=ProgressLines(sys.stderr.write, interval=30.0).report)
        told[seconds] = json.loads(target.with_suffix(".json").read_text())
        r, arrays = told[seconds], np.load(target.with_suffix(".npz"))
        seams = [window["last_frame"] for window in r["windows"][:-1]]
        told[seconds]["seams"] = seam_jerk(arrays["states"], seams)
        away = ", ".join(f"{100 * window['mpjpe_sizes']:.2f}" for window in r["windows"])
        print(
            f"# {seconds} s: {len(r['windows'])} windows, {sum(w['simulation_steps'] for w in r['windows'])} steps, "
            f"{r['cpu_seconds']:.0f} CPU s; joints away, % of size: {away}; skate "
            f"{r['before']['foot_skate_sizes']:.3f} -> {r['after']['foot_skate_sizes']:.3f} sizes/s, float "
            f"{r['before']['float_mean']:.4f} -> {r['after']['float_mean']:.4f} sizes"
        )
    short, long = (told[seconds] for seconds in LONG_SECONDS)
    planned = [sum(w["simulation_steps"] / w["iterations"] for w in r["windows"]) for r in (short, long)]
    windows = [window["mpjpe_sizes"] for window in long["windows"]]
    board.at_most("long: simulation steps of an iteration, 8 s over 4 s", planned[1] / planned[0], 2.3, "")
    board.at_most("long: CPU seconds, 8 s over 4 s", long["cpu_seconds"] / short["cpu_seconds"], 2.3, "")
    board.at_most("long: distance in the last window over the first, 8 s", windows[-1] / windows[0], 1.3, "")
    board.at_most("long: jerk at seams over the clip's 95 % quantile", max(r["seams"] for r in (short, long)), 1.5, "")
    exact = sum(replays_exactly(out / f"long-{s}s", out / f"long-{s}s{suffix}.npz") for s in LONG_SECONDS)
    board.at_least("long: replays of all controls that are exact", exact, 2, "")
    board.at_least("long: clips that stand", short["stands"] + long["stands"], 2, "")


def seam_jerk(states: np.ndarray, seams: list[int]) -> float:
    """Largest third difference of any joint across a seam, as a multiple of the 95 % quantile over all frames."""
    jerk = np.linalg.norm(np.diff(states[..., :3], n=3, axis=0), axis=-1).max(1)
    at = [k for seam in seams for k in range(seam - 3, seam + 1) if 0 <= k < len(jerk)]
    return float(jerk[at].max() / np.quantile(jerk, 0.95))


def replays_exactly(run: Path, arrays: Path) -> bool:
    """Whether OUT.npz's targets of all steps, from its first state, give the states of all its frames to the bit."""
    asset, asked = load_clip(run)
    character, saved = asset.character, np.load(arrays)
    body = make_articulated_body(character.require_skeleton(), bone_boxes(character), (asked,), config=BodyConfig())
    world = world_for_living_size(living_size_of_run(find_run(run), character), body.size)
    steps = int(saved["substeps_per_frame"])
    simulator = Simulator(body, world, substeps=steps, dt=1.0 / (float(saved["fps"]) * steps))
    q, qd = (torch.from_numpy(saved[name][0]).float() for name in ("states", "twists"))
    targets = torch.zeros(len(saved["joint_targets"]), simulator.slots)
    targets[:, FREE_ROOT_SLOTS:] = torch.from_numpy(saved["joint_targets"]).float().flatten(1)
    for frame, chunk in enumerate(targets.split(steps), start=1):
        q, qd = simulator.forward(q, qd, chunk)
        if not np.array_equal(q.double().numpy(), saved["states"][frame]):
            return False
    return True


def _tell(found: TrackMeasures) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in asdict(found).items())


def main() -> None:
    """Measure what was asked for."""
    torch.set_num_threads(1)
    quick = "--quick" in sys.argv
    out = Path(sys.argv[sys.argv.index("--out") + 1] if "--out" in sys.argv else "out/physics")
    out.mkdir(parents=True, exist_ok=True)
    board = Scoreboard()
    if "--animated" in sys.argv:
        animated(board, Path(sys.argv[sys.argv.index("--animated") + 1]), out, quick)
        board.finish()
    if "--long" in sys.argv:
        if not os.environ.get("GAMBOL_DATA"):
            sys.exit("set GAMBOL_DATA to the folder with the real characters")
        long_clips(board, out, quick)
        board.finish()
    if "--real" in sys.argv or "--weak" in sys.argv:
        if not os.environ.get("GAMBOL_DATA"):
            sys.exit("set GAMBOL_DATA to the folder with the real characters")
        if "--real" in sys.argv:
            real(board, out, False, quick)
        if "--weak" in sys.argv:
            real(board, out, True, quick)
        board.finish()
    for name, walk in (("quadruped", quadruped_walk), ("humanoid", humanoid_walk)):
        speed(board, name, walk)
    synthetic(board, "quadruped", quadruped_walk, 100, (25, 2, 1, 0.5), quick)
    synthetic(board, "humanoid", humanoid_walk, 200, (50, 6, 1.5, 1.5), quick)
    board.finish()


if __name__ == "__main__":
    main()
