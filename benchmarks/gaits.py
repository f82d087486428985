"""Procedural motion of random creatures: planted feet, nothing below the ground, no leg through another, true speeds.

Run: python benchmarks/gaits.py [--quick] [--all] [--each N] [--families fox,cat] [--motions walk,run] [--results FILE]
Every creature is drawn anew (shape, coat, style of each motion) and does everything that `motions_for` offers it. The
default is 100 of each of ten families, `--all` takes every family of the catalogue, `--quick` three of each. Two
processes; each finished creature is a line of the results file, so an interrupted run resumes, unless the
code of the motions has changed since. What is measured, on the skinned surface that a viewer sees:

slip          path of a foot over the ground while it stands, per cycle, in strides. It stands while its lowest point is
              within 0.3 % of the hip's height from the ground and while the gait means it to, whichever is longer.
              On-the-spot motions have no stride: leg lengths in 1.2 seconds of a 0.9 m leg. A snake's is how far the
              lying part leaves its own track. Nothing slips in flight ("fly").
penetration   depth of the lowest point of the whole surface below the ground, in sizes.
float         height of the lowest point of a foot that is meant to stand, in sizes; of a snake's hind half. A flying
              animal has none.
crossing      how deep two legs sink into each other, in sums of their radii, beyond what the rest pose does
              (`measure_leg_crossing`), and whether a right foot comes to the left of its left partner.
speed         |stride x frequency / speed - 1|: stride and frequency by the prints, speed by the root. Turns go in
              circles, so their turning is compared instead; a snake's stride is the wavelength of its body.
loop          largest distance of a vertex in the last frame from its place in the first one, in sizes.
"""

import argparse
import hashlib
import json
import os
import time
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from measure import Scoreboard

from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
from gambol.creatures.gaits import gait_measures as measures
from gambol.creatures.gaits import make_motion as gaits
from gambol.creatures.gaits.gait_motion import FrameTimes, gait_pace
from gambol.creatures.gaits.measure_leg_crossing import leg_pairs, worst_crossing
from gambol.creatures.gaits.motion_style import MotionStyle, draw_style
from gambol.creatures.gaits.moving_body import MovingBody, measure_body
from gambol.creatures.gaits.slither import body_length
from gambol.motion.kinematics import pose_clip

TEN = ("fox", "horse", "cat", "human", "ostrich", "trex", "spider", "lizard", "snake", "songbird")
TARGETS = {
    "slip": 0.01,
    "penetration": 0.01,
    "float": 0.01,
    "crossing": 0.25,
    "sides": 0.0,
    "speed": 0.05,
    "loop": 1e-3,
}
VERTICES = 3000
CYCLES, STEPS = 3, 40
"""Cycles of a gait that are measured, and frames of each."""
ROOT = Path(__file__).resolve().parent.parent


def motion_times(body: MovingBody, motion: str, style: MotionStyle) -> tuple[FrameTimes, float, float]:
    """Frames, their rate and the number of cycles: three of a gait, else of 1.2 seconds for a leg of 0.9 m."""
    if body.legs and motion in gaits.GAIT_MOTIONS:
        free = FrameTimes(np.arange(2) / 30.0, False)
        tempo = gait_pace(body, gaits.GAIT_MOTIONS[motion](body), style, free).frequency
        return FrameTimes(np.arange(CYCLES * STEPS + 1) / (STEPS * tempo), True), STEPS * tempo, CYCLES
    slow = float(np.sqrt(body.leg_length / 0.9 if body.legs else body_length(body) / 1.5))
    fps = 50.0 / slow
    cycles = 8 if motion == "jump" else 2 if body.legs else 4
    return FrameTimes(np.arange(cycles * 60 + 1) / fps, True), fps, cycles


def measure_motion(creature, motion: str, style: MotionStyle) -> dict[str, float]:
    """All numbers of one clip."""
    character, anatomy, body, pairs = creature
    times, fps, cycles = motion_times(body, motion, style)
    builder = gaits.pose_motion(body, motion, style, times)
    clip = builder.clip(motion, fps)
    trace = measures.trace_motion(character, anatomy, clip, builder.standing if body.legs else None)
    low = min(trace.rest_low, *(float(foot.low.min()) for foot in trace.feet)) if trace.feet else trace.rest_low
    result = {
        "penetration": max(-low / trace.size, 0.0),
        "loop": trace.loop_error / trace.size,
        "jolt": measures.largest_jolt(clip),
    }
    if not body.legs:
        return {**result, **measure_legless(character, body, clip)}
    result["crossing"] = worst_crossing(body.skeleton, pairs, clip)
    result["sides"] = max(-measures.least_gap(trace) / trace.size, 0.0)
    if motion == "fly":
        return result
    steps = measures.measure_steps(trace, fps)
    on_the_way = motion in gaits.GAIT_MOTIONS or motion == "jump"
    stride = steps.stride if on_the_way and steps else body.leg_length
    result["slip"] = measures.worst_slip(trace, cycles) / stride
    result["float"] = measures.worst_float(trace)
    if on_the_way:
        result["speed"] = speed_error(trace, steps, clip)
    return result


def speed_error(trace, steps, clip) -> float:
    """How far the prints contradict the root."""
    if steps is None:
        return float("inf")
    turned = float(trace.heading[-1] - trace.heading[0])
    if abs(turned) > 0.1:
        return abs(steps.turn * steps.frequency * clip.duration / turned - 1.0)
    travelled = float(np.linalg.norm(trace.travel[[0, 2]]))
    return abs(steps.stride * steps.frequency * clip.duration / travelled - 1.0)


def measure_legless(character, body: MovingBody, clip) -> dict[str, float]:
    """A snake's numbers: its chain of joints against its own track, its hind half against the ground."""
    chain = [*body.tails[0][::-1], 0, *body.spine, *body.neck, body.head]
    joints = pose_clip(character.skeleton, clip)[:, chain][..., :3, 3]
    size, length = character.size, body_length(body)
    result = {"float": measures.hind_float(character, clip, body.tails[0]) / size}
    wave = measures.measure_wave(joints, clip.fps)
    stride = wave.wavelength if wave else length
    result["slip"] = measures.side_slip(joints, character.skeleton.heads[chain, 1]) / stride
    if clip.name == "slither":
        travelled = float(np.linalg.norm((clip.root[-1] - clip.root[0])[[0, 2]]))
        result["speed"] = abs(wave.wavelength * wave.frequency * clip.duration / travelled - 1.0) if wave else np.inf
    return result


def measure_creature(task: tuple[str, int, tuple[str, ...]]) -> dict:
    """One creature with all its motions."""
    import torch

    torch.set_num_threads(1)
    family, seed, wanted = task
    made = make_creature(family, seed, vertices=VERTICES)
    character = made.character()
    anatomy = made.anatomy(character)
    creature = (character, anatomy, measure_body(character, anatomy), leg_pairs(character, anatomy))
    clips = {}
    for number, motion in enumerate(gaits.motions_for(anatomy)):
        style = draw_style(np.random.default_rng([seed, number]))
        if not wanted or motion in wanted:
            clips[motion] = {k: float(f"{v:.3g}") for k, v in measure_motion(creature, motion, style).items()}
    return {"family": family, "seed": seed, "clips": clips}


def fingerprint() -> str:
    """Changes with the code that makes and measures the motions."""
    motion = [
        ROOT / "gambol" / "motion" / f"{name}.py"
        for name in ("clip", "kinematics", "folding_limb_ik", "rotations", "skinning")
    ]
    code = hashlib.sha256()
    for path in [Path(__file__), *motion, *sorted((ROOT / "gambol" / "creatures").rglob("*.py"))]:
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


def run(tasks: list, results: Path) -> list[dict]:
    """All creatures, those of the results file without work."""
    results.parent.mkdir(parents=True, exist_ok=True)
    code = fingerprint()
    lines = results.read_text().splitlines() if results.exists() else []
    if not lines or json.loads(lines[0]) != {"code": code}:
        lines = [json.dumps({"code": code})]
        results.write_text(lines[0] + "\n")
    done = {(r["family"], r["seed"]): r for r in map(json.loads, lines[1:])}
    left = [task for task in tasks if task[:2] not in done]
    start = time.monotonic()
    with get_context("spawn").Pool(2) as pool, results.open("a") as file:
        for number, result in enumerate(pool.imap_unordered(measure_creature, left), start=1):
            done[result["family"], result["seed"]] = result
            file.write(json.dumps(result) + "\n")
            file.flush()
            if number % 100 == 0:
                spent = time.monotonic() - start
                print(f"# {number} of {len(left)} creatures, {spent * (len(left) / number - 1):.0f} s left", flush=True)
    return [done[task[:2]] for task in tasks]


def report(found: list[dict], board: Scoreboard, worst_names: int) -> None:
    """Per measure: the worst of each family, the worst clips, the line of all."""
    clips = [(r["family"], r["seed"], motion, numbers) for r in found for motion, numbers in r["clips"].items()]
    families = list(dict.fromkeys(r["family"] for r in found))
    print(f"# {len(found)} creatures, {len(clips)} clips")
    for name, target in TARGETS.items():
        rows = [(numbers[name], f"{f} {seed} {motion}", f) for f, seed, motion, numbers in clips if name in numbers]
        if not rows:
            continue
        per = {f: max((v for v, _, g in rows if g == f), default=None) for f in families}
        print(f"# {name} by family:", ", ".join(f"{f} {v:.2g}" for f, v in per.items() if v is not None))
        last = sorted(rows, reverse=True)[:worst_names]
        print(f"# {name} worst clips:", ", ".join(f"{who} {v:.3g}" for v, who, _ in last))
        share = 100.0 * float(np.mean([v <= target for v, _, _ in rows]))
        board.at_least(f"{name}: clips within {target:g}", share, 100.0, "%")
        board.at_most(f"{name}: worst", max(v for v, _, _ in rows), target, "")
    jolts = sorted(((n["jolt"], f"{f} {s} {m}") for f, s, m, n in clips), reverse=True)[:worst_names]
    print("# largest change of a joint's turn between frames, radians:", ", ".join(f"{w} {v:.2f}" for v, w in jolts))


def main() -> None:
    """Parse, measure, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="three creatures of each family")
    parser.add_argument("--all", action="store_true", help="every family of the catalogue")
    parser.add_argument("--each", type=int, help="creatures of each family (100)")
    parser.add_argument("--families", help="only these, with commas")
    parser.add_argument("--motions", help="only these, with commas")
    parser.add_argument("--results", type=Path, help="results file, resumed if it exists (out/gaits.jsonl)")
    parser.add_argument("--worst", type=int, default=5, help="worst clips to name")
    args = parser.parse_args()
    each = args.each or (3 if args.quick else 100)
    families = args.families.split(",") if args.families else (list(CREATURE_FAMILIES) if args.all else TEN)
    wanted = tuple(args.motions.split(",")) if args.motions else ()
    results = args.results or ROOT / "out" / ("gaits-part.jsonl" if wanted else "gaits.jsonl")
    tasks = [(family, seed, wanted) for family in families for seed in range(each)]
    board = Scoreboard()
    report(run(tasks, results), board, args.worst)
    board.finish()


if __name__ == "__main__":
    main()
