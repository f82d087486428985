"""The whole of `gambol animate`, judged: files, films and reports of many characters and motions.

    python benchmarks/animate.py --quick       6 creatures x 5 motions, about 15 minutes
    python benchmarks/animate.py               24 unseen creatures and the held-out real characters, 2 seeds
    python benchmarks/animate.py --no-films    the same, judged without films: a fifth of the time
    python benchmarks/animate.py --methods     pass rate against evaluations of the prior, for sds, annealed and fit

Resumable (out/animate.jsonl; runs in out/animate/). Sheets of all clips are in out/animate/sheets.
"""

import argparse
import shutil
import time
from functools import cache, partial
from pathlib import Path
from statistics import mean

from distillation_suite import (
    MAIN,
    OTHERS,
    QUICK,
    REAL,
    SENTENCES,
    UNSEEN,
    UNUSUAL,
    Job,
    Outcome,
    body_of,
    data_folder,
    digest_of,
    judge_clip,
    judged_true_clip,
    main_jobs,
    print_confusion,
    run_jobs,
    subject,
    true_clip,
    window_seconds,
)
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out" / "animate"
METHODS = {
    "fit": (1, 3, 10, 20),
    "sds": (75, 190),
    "annealed": (75, 190),
}
"""Calls for each of the fit's films, steps of the others: cheap to dear."""
SAME_NAMES = {"walk": ("walk",), "run": ("run", "gallop"), "jump": ("jump",), "idle": ("idle",)}
SLACK = 0.15
"""Radians beyond a guessed limit at which a knee counts as bent backwards."""


@cache
def character_file(name: str) -> Path:
    """The file of a held-out character, or of a creature made by code."""
    from gambol.creatures.catalogue import make_creature
    from gambol.files.asset import export_scene

    if "/" in name:
        return data_folder() / "characters" / f"{name}.glb"
    family, seed = name.split()
    path = OUT / "characters" / f"{family}-{seed}.glb"
    if not path.exists():
        export_scene(make_creature(family, int(seed), vertices=1500).scene, (), path)
    return path


def run_folder(job: Job) -> Path:
    """Where a job's run is kept."""
    words = "-".join(f"{job.character} {job.prompt or 'empty'} {job.seed}".replace("/", " ").split())
    return OUT / "runs" / words


def work(job: Job, method: str = "fit", amount: int | None = None, films: bool = True) -> Outcome:
    """One whole run, judged by the file that it wrote."""
    if job.prompt == "start":
        return start_outcome(job)

    from gambol.app.animate import animate_file
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest

    began = time.process_time()
    whole = amount is None
    seconds = window_seconds(job.character)
    asked = AnimateRequest(job.prompt, seed=job.seed, seconds=seconds, **budget_of(method, amount))
    outputs = AnimateOutputs(film=whole and films, film_size=(640, 480))
    request = AnimateFileRequest(asked, character_file(job.character), outputs=outputs)
    run = run_folder(job) if whole else OUT / "methods" / f"{method}-{amount}" / run_folder(job).name
    report = animate_file(request, run, overwrite=True)
    taken, found = time.process_time() - began, report.metrics
    outcome = Outcome(
        job,
        found.motion,
        found.confidence,
        taken,
        found.penetration_max,
        found.float_mean,
        found.foot_skate_sizes,
        knee_excess(job.character, report.animated.clip),
        report.animated.evaluations,
        path_agreement(job, report.animated),
    )
    if not whole:
        shutil.rmtree(run, ignore_errors=True)
    return outcome


def path_agreement(job: Job, animated) -> float | None:
    """R^2 of end effectors against the body's true clip at the phase, side and rate that the prior was told."""
    from dataclasses import replace

    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING, post_process
    from gambol.evaluate.end_effectors import end_effector_agreement

    body, style = body_of(job.character), animated.problem.conditions[0].style
    if not job.asked or style is None:
        return None
    true = true_clip(job.character, job.asked, phase=style.phase, mirrored=style.mirrored, rate=style.rate)
    if true is None:
        return None
    true = post_process(body.character, true, body.anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)
    count = min(len(true), len(animated.clip))
    clips = (replace(clip, root=clip.root[:count], angles=clip.angles[:count]) for clip in (true, animated.clip))
    return end_effector_agreement(body.character, body.anatomy, *clips).explained


def budget_of(method: str, amount: int | None) -> dict:
    """The sketch by one of the methods, with a given budget."""
    from gambol.distill.video_fit import VideoFit

    if method == "fit":
        return {} if amount is None else {"method": VideoFit(calls=amount)}
    return {"method": method, "steps": amount}


def start_outcome(job: Job) -> Outcome:
    """What the judge sees at iteration 0."""
    from gambol.distill.post_processing import add_root_travel
    from gambol.motion.clip import rest_clip
    from gambol.priors.embedded.part_film import FRAMES

    body = body_of(job.character)
    clip = add_root_travel(body.character, rest_clip(body.character.require_skeleton(), FRAMES, body.fps), body.anatomy)
    return Outcome(job, cpu_seconds=0.0, **judge_clip(job.character, clip))


def knee_excess(name: str, clip) -> float:
    """The most by which knees and elbows of legs bend beyond their limits, radians: joints between hip and foot."""
    anatomy = body_of(name).anatomy
    inner = [bone for limb in anatomy.legs for bone in limb.bones[1:-1] if bone > 0]
    if not inner:
        return 0.0
    import numpy as np

    joints = np.array(inner)
    angles, limits = clip.angles[:, joints - 1], anatomy.limits[joints]
    beyond = np.maximum(angles - limits[..., 1], limits[..., 0] - angles)
    return float(max(beyond.max() - SLACK, 0.0))


def real_skate() -> dict[str, float]:
    """Mean foot skate of the held-out characters' own clips, their travel restored, sizes per second, by motion."""
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.evaluate.observation import observe_node_clip
    from gambol.evaluate.quality_metrics import foot_skate
    from gambol.files.asset import load

    found: dict[str, list[float]] = {}
    for name in REAL:
        path = character_file(name)
        if not path.exists():
            continue
        asset = load(path)
        anatomy = find_anatomy(asset.character)
        for clip in asset.clips:
            words = clip.name.lower()
            motion = next((m for m, names in SAME_NAMES.items() if any(n in words for n in names)), None)
            if motion is None or clip.duration < 0.3:
                continue
            skate = foot_skate(observe_node_clip(asset.character, anatomy, clip, restore_travel=True))
            if skate is not None:
                found.setdefault(motion, []).append(skate / asset.character.size)
    return {motion: mean(values) for motion, values in found.items()}


def share(outcomes: list[Outcome], motion: str | None = None) -> float:
    """Part of the outcomes that show what was asked for (or `motion`)."""
    return sum(o.motion == (motion or o.job.asked) for o in outcomes) / max(len(outcomes), 1)


def write_sheets(jobs: list[Job]) -> None:
    """One sheet per character: a row of moments for each motion, from the side."""
    from gambol.render.contact_sheet import contact_sheet
    from gambol.render.video_file import read_film, write_png

    folder = OUT / "sheets"
    folder.mkdir(parents=True, exist_ok=True)
    for name in dict.fromkeys(job.character for job in jobs):
        pictures, captions = [], []
        for job in (j for j in jobs if j.character == name):
            film = run_folder(job) / "film.mp4"
            if not film.exists():
                continue
            frames, _ = read_film(film)
            height, width = frames.shape[1] // 2, frames.shape[2] // 2
            for i in range(6):
                pictures.append(frames[i * (len(frames) - 1) // 5, height : 2 * height, :width])
                captions.append(f"{job.asked or 'empty'} {job.seed}")
        if pictures:
            write_png(folder / f"{name.replace('/', '-').replace(' ', '-')}.png", contact_sheet(pictures, 6, captions))


def compare_methods(processes: int, digest: str) -> None:
    """Pass rate against network evaluations, for each method and budget; printed and drawn."""
    jobs = main_jobs(QUICK, 1)
    lines: dict[str, list[tuple[float, float]]] = {}
    for method, amounts in METHODS.items():
        for amount in amounts:
            store = ROOT / "out" / f"animate_{method}_{amount}.jsonl"
            found = list(run_jobs(jobs, partial(work, method=method, amount=amount), store, digest, processes).values())
            point = (mean(o.evaluations for o in found), share(found))
            lines.setdefault(method, []).append(point)
            print(f"{method} {amount}: {point[0]:.0f} evaluations, {point[1]:.2f} pass", flush=True)
    path = OUT / "methods.svg"
    path.write_text(drawn(lines))
    print(path)


def drawn(lines: dict[str, list[tuple[float, float]]]) -> str:
    """A small plot: evaluations to the right (logarithmic), pass rate up."""
    from math import log10

    colours = dict(zip(lines, ("#c9501c", "#2a6fb0", "#3c8c4a"), strict=False))
    low, high = 0.7, 3.0
    spots = []
    for method, points in lines.items():
        places = [(60 + 400 * (log10(x) - low) / (high - low), 260 - 220 * y) for x, y in points]
        joined = " ".join(f"{x:.0f},{y:.0f}" for x, y in places)
        spots.append(f'<polyline points="{joined}" fill="none" stroke="{colours[method]}" stroke-width="2"/>')
        x, y = places[-1]
        spots.append(f'<text x="{x + 6:.0f}" y="{y:.0f}" fill="{colours[method]}">{method}</text>')
    ticks = [f'<text x="{60 + 400 * (log10(n) - low) / (high - low):.0f}" y="280">{n}</text>' for n in (10, 100, 1000)]
    ticks += [f'<text x="20" y="{264 - 220 * y:.0f}">{y:.1f}</text>' for y in (0.0, 0.5, 1.0)]
    text = "".join([*ticks, *spots, '<text x="160" y="296">evaluations of the prior\'s network</text>'])
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 300" font-family="sans-serif" font-size="12">'
    return f'{head}<rect width="520" height="300" fill="white"/>{text}</svg>'


def true_shares(jobs: list[Job]) -> float:
    """Part of the bodies' true clips that the judge accepts: the ceiling of the pass rate."""
    verdicts = [judged_true_clip(job.character, job.asked) == job.asked for job in jobs]
    return sum(verdicts) / max(len(verdicts), 1)


def passed_of_possible(score: Scoreboard, name: str, outcomes: list[Outcome], target: float) -> None:
    """Pass rate of a group as a share of what the judge accepts of true clips, and how closely paths follow them."""
    ceiling = true_shares([o.job for o in outcomes])
    paths = [o.explained for o in outcomes if o.explained is not None]
    followed = f", end effectors {mean(paths):.2f}" if paths else ""
    print(f"  {name}: pass {share(outcomes):.2f}, true clips {ceiling:.2f}{followed}")
    score.at_least(f"{name}_of_possible", share(outcomes) / max(ceiling, 1e-9), target, "")


def motion_jobs(motions: dict[str, tuple[str, ...]], *, by_body: bool = False) -> list[Job]:
    """Jobs of a table: bodies of each motion, or (`by_body`) motions of each body."""
    pairs = [(b, a) if not by_body else (a, b) for a, others in motions.items() for b in others]
    return [Job(name, SENTENCES[motion].format(who=subject(name)), motion, 0) for name, motion in pairs]


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--methods", action="store_true")
    parser.add_argument("--no-films", action="store_true", help="judge only: no films, no sheets, no CPU time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--store", type=Path, default=ROOT / "out" / "animate.jsonl")
    arguments = parser.parse_args()
    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING
    from gambol.distill.presets import SKETCH
    from gambol.priors.embedded.prior import WEIGHTS

    digest = digest_of(WEIGHTS, SKETCH, DEFAULT_POST_PROCESSING)
    if arguments.methods:
        compare_methods(arguments.processes, digest)
        return
    whole, films = not arguments.quick, not arguments.no_films
    creatures, seeds = (UNSEEN, arguments.seeds) if whole else (QUICK, 1)
    made = main_jobs(creatures, seeds)
    real = main_jobs(REAL, seeds) if whole and data_folder().is_dir() else []
    others, unusual = (motion_jobs(OTHERS), motion_jobs(UNUSUAL, by_body=True)) if whole else ([], [])
    starts = [Job(name, "start", "", 0) for name in creatures]
    empty = [Job(name, "", "", 0) for name in creatures]
    jobs = list(dict.fromkeys([*made, *starts, *empty, *real, *others, *unusual]))
    found = run_jobs(jobs, partial(work, films=films), arguments.store, digest, arguments.processes)
    made_found, real_found, other_found, unusual_found, start_found, empty_found = (
        [found[job] for job in group] for group in (made, real, others, unusual, starts, empty)
    )
    if films:
        write_sheets([*made, *real, *others, *unusual])
    score = Scoreboard()
    for name, group, target in (("unseen_creatures", made_found, 0.95), ("real_characters", real_found, 0.88)):
        if not group:
            continue
        print_confusion(group)
        print(f"  true clips that the judge accepts: {true_shares([o.job for o in group]):.2f}")
        score.at_least(name, share(group), target, "")
        for motion in MAIN:
            print(f"  {motion}: {share([o for o in group if o.job.asked == motion]):.2f}")
        score.at_most(f"{name}_float", mean(o.floats for o in group), 0.03, "")
        score.at_most(f"{name}_penetration", mean(o.penetration for o in group), 0.02, "")
        score.at_most(f"{name}_knees_beyond_limits", max(o.knees for o in group), 0.0, " rad")
    everything = [*made_found, *real_found, *other_found, *unusual_found]
    if data_folder().is_dir():
        for motion, usual in real_skate().items():
            own = [o.skate for o in everything if o.job.asked == motion and o.skate is not None]
            if own:
                score.at_most(f"skate_{motion}", mean(own), 1.5 * usual, " sizes/s")
    for motion in MAIN:
        short = motion.replace(" ", "_")
        wrong = [o for o in made_found if o.job.asked != motion]
        score.at_most(f"wrong_prompt_gives_{short}", share(wrong, motion), 0.10, "")
        if motion == "walk":
            print(f"  empty prompt gives walk: {share(empty_found, motion):.2f} (the default, reported only)")
            continue
        score.at_most(f"empty_prompt_gives_{short}", share(empty_found, motion), 0.10, "")
        if motion != "idle":  # the rest pose is idle: that says nothing
            score.at_most(f"start_gives_{short}", share(start_found, motion), 0.0, "")
    if other_found:
        print_confusion([*other_found, *unusual_found])
        for motion in OTHERS:
            passed_of_possible(score, motion.replace(" ", "_"), [o for o in other_found if o.job.asked == motion], 0.8)
        passed_of_possible(score, "other_motions", other_found, 0.8)
        paths = [o.explained for o in other_found if o.explained is not None]
        score.at_least("other_motions_end_effectors", mean(paths), 0.6, "")
        for name in UNUSUAL:
            own = [o for o in unusual_found if o.job.character == name]
            print(f"  {name}: " + ", ".join(f"{o.job.asked} is {o.motion}" for o in own))
        print(f"  unusual bodies' true clips: {true_shares(unusual):.2f}")
        score.at_least("unusual_bodies", share(unusual_found), 0.85, "")
    if films:
        score.at_most("cpu_seconds_per_clip", max(o.cpu_seconds for o in everything), 15.0, " s")
    score.at_most("evaluations_per_clip", max(o.evaluations for o in everything), 32.0, "")
    score.finish()


if __name__ == "__main__":
    main()
