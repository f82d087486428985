"""How well the embedded prior drives a distillation, and how well sentences are understood.

    python benchmarks/embedded_prior.py --quick      6 creatures x 5 motions
    python benchmarks/embedded_prior.py              24 unseen creatures, the held-out real characters, all motions

Resumable: clips that were judged with the same weights are not made again (out/embedded_prior.jsonl).
"""

import argparse
import json
import time
from functools import cache
from pathlib import Path

from distillation_suite import (
    MAIN,
    OTHERS,
    QUICK,
    REAL,
    SENTENCES,
    UNSEEN,
    Job,
    Outcome,
    body_of,
    data_folder,
    digest_of,
    judge_clip,
    main_jobs,
    optimised_clip,
    print_confusion,
    run_jobs,
    subject,
)
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
UNSEEN_SENTENCES = ROOT / "tests" / "unseen_sentences.json"


@cache
def prior():
    """The shipped prior."""
    from gambol.priors.embedded.prior import load_embedded

    return load_embedded()


def work(job: Job) -> Outcome:
    """Distil one clip and judge it."""
    from gambol.distill.post_processing import add_root_travel
    from gambol.motion.clip import rest_clip
    from gambol.priors.embedded.stage import FRAMES

    body, start = body_of(job.character), time.process_time()
    if job.prompt == "start":
        clip = rest_clip(body.character.require_skeleton(), FRAMES, body.fps)
    else:
        clip = optimised_clip(prior(), body.character, job.prompt, seed=job.seed)
    clip = add_root_travel(body.character, clip, body.anatomy)
    seconds = time.process_time() - start
    return Outcome(job, cpu_seconds=seconds, **judge_clip(job.character, clip))


def share(outcomes: list[Outcome], motion: str | None = None) -> float:
    """Part of the outcomes that show what was asked for (or `motion`)."""
    return sum(o.motion == (motion or o.job.asked) for o in outcomes) / max(len(outcomes), 1)


def text_share() -> float:
    """Part of the hundred sentences without a training word that are understood."""
    from gambol.priors.embedded.text.encoder import classify_sentence

    cases = json.loads(UNSEEN_SENTENCES.read_text())
    return sum(classify_sentence(case["sentence"]).motion == case["motion"] for case in cases) / len(cases)


def sentence_jobs() -> list[Job]:
    """Twenty of the hundred sentences, each for a body that its motion suits."""
    cases = json.loads(UNSEEN_SENTENCES.read_text())
    bodies = {motion: names[0] for motion, names in OTHERS.items()}
    chosen = [case for case in cases if case["motion"] in MAIN][::3][:20]
    return [
        Job(bodies.get(case["motion"], UNSEEN[i % 6]), case["sentence"], case["motion"], 0)
        for i, case in enumerate(chosen)
    ]


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--store", type=Path, default=ROOT / "out" / "embedded_prior.jsonl")
    arguments = parser.parse_args()
    from gambol.distill.presets import SKETCH
    from gambol.priors.embedded.prior import DEFAULT_MOTION, WEIGHTS

    digest = digest_of(WEIGHTS, SKETCH, DEFAULT_MOTION)
    score = Scoreboard()
    score.at_least("sentences_understood", text_share(), 0.85, "")
    creatures, seeds = (QUICK, 1) if arguments.quick else (UNSEEN, arguments.seeds)
    made = main_jobs(creatures, seeds)
    real = [] if arguments.quick or not data_folder().is_dir() else main_jobs(REAL, seeds)
    starts = [Job(name, "start", "", 0) for name in creatures]
    empty = [Job(name, "", "", 0) for name in creatures]
    others = [] if arguments.quick else [
        Job(name, SENTENCES[motion].format(who=subject(name)), motion, 0)
        for motion, names in OTHERS.items()
        for name in names
    ]  # fmt: skip
    spoken = [] if arguments.quick else sentence_jobs()
    jobs = [*made, *starts, *empty, *real, *others, *spoken]
    found = run_jobs(list(dict.fromkeys(jobs)), work, arguments.store, digest, arguments.processes)
    outcomes = {name: [found[job] for job in group] for name, group in (
        ("made", made), ("real", real), ("start", starts), ("empty", empty), ("others", others), ("spoken", spoken)
    )}  # fmt: skip
    print_confusion(outcomes["made"])
    score.at_least("unseen_creatures", share(outcomes["made"]), 0.9, "")
    for motion in MAIN:
        print(f"  {motion}: {share([o for o in outcomes['made'] if o.job.asked == motion]):.2f}")
    if real:
        print_confusion(outcomes["real"])
        score.at_least("real_characters", share(outcomes["real"]), 0.75, "")
        for motion in MAIN:
            print(f"  {motion}: {share([o for o in outcomes['real'] if o.job.asked == motion]):.2f}")
    for motion in MAIN:
        wrong = [o for o in outcomes["made"] if o.job.asked != motion]
        score.at_most(f"wrong_prompt_gives_{motion.replace(' ', '_')}", share(wrong, motion), 0.15, "")
        if motion == "walk":
            print(f"  empty prompt gives walk: {share(outcomes['empty'], motion):.2f} (the default, reported only)")
            continue
        score.at_most(f"empty_prompt_gives_{motion.replace(' ', '_')}", share(outcomes["empty"], motion), 0.15, "")
        if motion != "idle":
            score.at_most(f"start_gives_{motion.replace(' ', '_')}", share(outcomes["start"], motion), 0.15, "")
    if others:
        print_confusion(outcomes["others"])
        for motion in OTHERS:
            score.at_least(
                motion.replace(" ", "_"), share([o for o in outcomes["others"] if o.job.asked == motion]), 0.6, ""
            )
        score.at_least("unseen_sentences_distilled", share(outcomes["spoken"]), 0.7, "")
    longest = max(o.cpu_seconds for o in outcomes["made"])
    score.at_most("cpu_seconds_per_clip", longest, 40.0, " s")
    score.finish()


if __name__ == "__main__":
    main()
