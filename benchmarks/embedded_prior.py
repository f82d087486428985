"""The embedded prior by itself: what its films can show, what its network knows, how sentences are understood.

    python benchmarks/embedded_prior.py --oracle     joints fitted to true films: does the representation lose anything?
    python benchmarks/embedded_prior.py --network    share of unseen films' energy that the network explains, by family
    python benchmarks/embedded_prior.py --quick      a few clips and families of both
    python benchmarks/embedded_prior.py              everything

Whole runs of `gambol animate` are judged by benchmarks/animate.py.
"""

import argparse
import json
import time
from pathlib import Path
from statistics import mean

from distillation_suite import REAL, UNUSUAL, body_of, data_folder, true_clip
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
UNSEEN_SENTENCES = ROOT / "tests" / "unseen_sentences.json"
INDIVIDUALS_PER_FAMILY = 2
FIRST_INDIVIDUAL = 900_000
"""Shard of the first unseen individual; no recipe trains on shards beyond 100,000."""
ORACLE_CLIPS = (
    *((f"{noun} {910000 + i}", motion) for i, (noun, motion) in enumerate((
        ("fox", "walk"), ("horse", "run"), ("wolf", "limp"), ("cat", "sneak"), ("dog", "trot"), ("deer", "jump"),
        ("elephant", "eat"), ("giraffe", "walk"), ("rabbit", "jump"), ("mouse", "run"), ("lion", "turn left"),
        ("human", "walk"), ("human", "wave"), ("human", "punch"), ("human", "kick"), ("human", "dance"),
        ("woman", "jump"), ("child", "march"), ("human", "turn right"), ("trex", "run"), ("raptor", "bite"),
        ("songbird", "fly"), ("eagle", "fly"), ("chicken", "eat"), ("ostrich", "run"), ("lizard", "walk"),
        ("crocodile", "walk"), ("turtle", "walk"), ("spider", "walk"), ("spider", "run"), ("snake", "slither"),
        ("snake", "turn left"), ("bear", "idle"), ("cow", "eat"),
    ))),
    *((name, motions[0]) for name, motions in UNUSUAL.items()),
)  # fmt: skip
"""Clips of all kinds that joints are fitted to."""
REAL_ORACLE_MOTIONS = ("walk", "wave", "run", "punch", "turn left")
"""Motions of held-out files, taken in turn."""


def oracle_outcome(name: str, motion: str, prior) -> tuple[float, str, float]:
    """R^2 of end effectors after a fit to the true film, the worst end effector, and CPU seconds; no network."""
    from dataclasses import replace

    import torch

    from gambol.diffusion.video_prior import TargetLatent
    from gambol.distill.optimised_body import make_subject
    from gambol.distill.presets import SKETCH, named_methods
    from gambol.distill.problem import clip_of, make_problem
    from gambol.distill.run_methods import run_methods
    from gambol.evaluate.end_effectors import end_effector_agreement

    body, true = body_of(name), true_clip(name, motion)
    began = time.process_time()
    problem = make_problem(prior, make_subject(body.character, body.anatomy), motion, losses=SKETCH.losses)
    with torch.no_grad():
        film = prior.encode(problem.observer.render(problem.body.actor.pose_clip(true), 0))
    target = TargetLatent(film[None], ((0, 0),), prior.target_precision)
    fitted = run_methods(replace(problem, target=target), named_methods(SKETCH, "fit"))
    taken = time.process_time() - began
    found = end_effector_agreement(body.character, body.anatomy, true, clip_of(problem, fitted.coefficients, motion))
    return found.explained, found.worst, taken


def measure_oracle(score: Scoreboard, prior, *, quick: bool) -> None:
    """Fit joints to true films of all kinds."""
    clips = list(ORACLE_CLIPS)
    if data_folder().is_dir():
        clips += [(name, REAL_ORACLE_MOTIONS[i % len(REAL_ORACLE_MOTIONS)]) for i, name in enumerate(REAL)]
    clips = [(name, motion) for name, motion in clips if _has(name, motion)]
    found = []
    for name, motion in clips[::7] if quick else clips:
        explained, worst, taken = oracle_outcome(name, motion, prior)
        found.append((explained, taken))
        print(f"  {name} {motion}: R^2 {explained:.3f}, worst {worst}, {taken:.1f} CPU s", flush=True)
    score.at_least("oracle_clips", len(found), 8 if quick else 40, "")
    score.at_least("oracle_end_effectors", mean(explained for explained, _ in found), 0.93, "")
    score.at_least("oracle_worst_clip", min(explained for explained, _ in found), 0.6, "")
    score.at_most("oracle_fit_cpu_seconds", max(taken for _, taken in found), 5.0, " s")


def _has(name: str, motion: str) -> bool:
    from gambol.errors import GambolError

    try:
        return true_clip(name, motion) is not None
    except GambolError as error:
        print(f"  {name}: {error}")
        return False


def measure_network(score: Scoreboard, prior, *, quick: bool) -> None:
    """Share of the energy of unseen individuals' films that the clean estimate explains."""
    import tempfile
    from functools import partial

    from gambol.creatures.catalogue import CREATURE_FAMILIES
    from gambol.motion.vocabulary import VOCABULARY_NAMES
    from gambol.training.embedded.measure_knowledge import clean_estimates, explained_shares
    from gambol.training.embedded.shards import creature_shard, read_shards, write_shard
    from gambol.training.text.phrase_bank import phrase_embeddings

    nouns = tuple(CREATURE_FAMILIES)[:: 6 if quick else 1]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, noun in enumerate(nouns):
            for k in range(INDIVIDUALS_PER_FAMILY):
                paths.append(Path(folder) / f"{noun}-{k}.safetensors")
                write_shard(paths[-1], partial(creature_shard, 1, FIRST_INDIVIDUAL + 100 * i + k, (noun,)))
        films = read_shards(paths)
    true, estimates = clean_estimates(prior.network, films, phrase_embeddings(0))
    families = explained_shares(true, estimates, films.nouns)
    motions = explained_shares(true, estimates, [VOCABULARY_NAMES[int(k)] for k in films.motion])
    everything = ["all"] * len(films)
    for title, shares in (("families", families), ("motions", motions)):
        print(f"  {title}:", ", ".join(f"{k} {v:.2f}" for k, v in sorted(shares.items(), key=lambda item: item[1])))
    for low, high in ((0, 1), (1, 13), (13, 19), (19, 28)):
        share = explained_shares(true, estimates, everything, slice(low, high))["all"]
        print(f"  frequencies {low} to {high - 1} of 48: {share:.3f}")
    score.at_least("explained_mean_of_families", mean(families.values()), 0.80, "")
    score.at_least("explained_worst_family", min(families.values()), 0.55, "")


def text_share() -> float:
    """Part of the hundred sentences without a training word that are understood."""
    from gambol.priors.embedded.text.encoder import classify_sentence

    cases = json.loads(UNSEEN_SENTENCES.read_text())
    return sum(classify_sentence(case["sentence"]).motion == case["motion"] for case in cases) / len(cases)


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--oracle", action="store_true")
    parser.add_argument("--network", action="store_true")
    parser.add_argument("--weights", type=Path, default=None)
    arguments = parser.parse_args()
    import torch

    from gambol.priors.embedded.prior import load_embedded

    torch.set_num_threads(1)
    prior, score = load_embedded(arguments.weights), Scoreboard()
    chosen = arguments.oracle or arguments.network
    if arguments.network or not chosen:
        measure_network(score, prior, quick=arguments.quick)
    if arguments.oracle or not chosen:
        measure_oracle(score, prior, quick=arguments.quick)
    if not chosen:
        score.at_least("sentences_understood", text_share(), 0.85, "")
    score.finish()


if __name__ == "__main__":
    main()
