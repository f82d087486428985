"""The embedded prior by itself: what its films can show, what its network knows, how sentences are understood.

    python benchmarks/embedded_prior.py --oracle     joints fitted to true films: does the representation lose anything?
    python benchmarks/embedded_prior.py --network    share of unseen films' energy that the network explains, by family
    python benchmarks/embedded_prior.py --samples    DDIM samples against true takes: energy, steps, differences
    python benchmarks/embedded_prior.py --quick      a few clips, families and takes of all
    python benchmarks/embedded_prior.py              everything

Whole runs of `gambol animate` are judged by benchmarks/animate.py.
"""

import argparse
import json
import time
from pathlib import Path
from statistics import geometric_mean, mean

from distillation_suite import REAL, SENTENCES, UNUSUAL, body_of, data_folder, subject, true_clip
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
SAMPLED_CLIPS = (
    ("fox 920031", "walk"), ("horse 920032", "run"), ("cat 920033", "sneak"), ("human 920034", "walk"),
    ("human 920034", "wave"), ("woman 920035", "punch"), ("woman 920035", "jump"), ("child 920036", "dance"),
    ("trex 920037", "bite"), ("ostrich 920038", "run"), ("songbird 920039", "fly"), ("lizard 920040", "walk"),
    ("spider 920041", "walk"), ("centipede 920042", "walk"), ("snake 920043", "slither"), ("shark 920044", "swim"),
)  # fmt: skip
"""Unseen bodies and motions that samples are drawn of."""
SAMPLED_TAKES, SAMPLE_CALLS = 4, 30
"""Takes of each, and calls of the network per sample."""
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


def drawn_take(name: str, motion: str, seed: int):
    """A true clip in a random style as near the natural one as a take is, and what the network is told of it."""
    import numpy as np
    from distillation_suite import OTHER_NAMES, measured_body

    from gambol.creatures.gaits.make_motion import motions_for
    from gambol.creatures.gaits.motion_style import MotionStyle
    from gambol.creatures.parameter_ranges import ranges_of
    from gambol.priors.embedded.style import START_PHASES, STYLE_AXES, TAKE_SIDES, TAKE_SPREAD, TAKE_TEMPO
    from gambol.training.embedded.creature_clips import clocked_motion, style_conditioning

    individual, body = measured_body(name)
    known = motions_for(individual.anatomy)
    asked = next(n for n in OTHER_NAMES.get(motion, (motion,)) if n in known)
    generator, allowed = np.random.default_rng([seed, 5]), ranges_of(MotionStyle)
    axes = {}
    for axis, both_ways in zip(STYLE_AXES, TAKE_SIDES, strict=True):
        bounds = allowed[axis]
        moved = TAKE_SPREAD * both_ways * generator.uniform(-0.5, 0.5) * (bounds.high - bounds.low)
        axes[axis] = float(np.clip(bounds.typical + moved, bounds.low, bounds.high))
    tempo = float(np.exp(generator.uniform(-TAKE_TEMPO, TAKE_TEMPO)))
    phase, mirrored = float(generator.uniform(*START_PHASES)), bool(generator.random() < 0.5)
    style = MotionStyle(**axes, tempo=tempo, phase=phase, mirrored=mirrored)
    clip, rate = clocked_motion(individual, body, asked, style)
    return clip, style_conditioning(style, rate)


def sampled_takes(prior, name: str, motion: str):
    """Films of true takes and a sample of the prior for each, told the same style [takes, frames, numbers]."""
    import torch

    from gambol.diffusion.samplers import sample_latent
    from gambol.diffusion.video_prior import Reference
    from gambol.distill.optimised_body import make_subject
    from gambol.priors.embedded.part_observer import PartObserver
    from gambol.render.observer import ObserverConfig

    body = body_of(name)
    observer = PartObserver(make_subject(body.character, body.anatomy), ObserverConfig())
    reference = Reference(observer.start_frame(0))
    true, sampled = [], []
    for seed in range(SAMPLED_TAKES):
        clip, style = drawn_take(name, motion, seed)
        sentence = SENTENCES[motion].format(who=subject(name))
        condition = prior.condition(sentence, reference=reference, style=style)
        still = condition.start.expand(prior.format.frames, -1)
        generator = torch.Generator().manual_seed(seed)
        sampled.append(sample_latent(prior, condition, still, generator, guidance=1.0, steps=SAMPLE_CALLS))
        with torch.no_grad():
            true.append(prior.encode(observer.render(observer.actor.pose_clip(clip), 0)))
    return torch.stack(true), torch.stack(sampled)


def take_measures(films) -> tuple[float, float, float]:
    """Energy about the mean pose, share of it between neighbouring frames, and distance between takes."""
    moving = films - films.mean(1, keepdim=True)
    energy = float(moving.square().sum())
    steps = float(films.diff(dim=1).square().sum())
    apart = (films[:, None] - films[None]).square().sum().sqrt()
    return energy, steps / energy, float(apart)


def measure_samples(score: Scoreboard, prior, *, quick: bool) -> None:
    """Samples against true takes of unseen individuals in the same styles, each measure as a ratio to the true one.

    The mean of ratios is the geometric one.
    """
    ratios = []
    for name, motion in SAMPLED_CLIPS[:: 5 if quick else 1]:
        true, sampled = (take_measures(films) for films in sampled_takes(prior, name, motion))
        ratios.append([mine / theirs for mine, theirs in zip(sampled, true, strict=True)])
        print(f"  {name} {motion}: energy, steps, difference of takes", *(f"{x:.2f}" for x in ratios[-1]), flush=True)
    energy, steps, apart = (geometric_mean(column) for column in zip(*ratios, strict=True))
    score.at_least("samples_energy", energy, 0.8, "")
    score.at_most("samples_energy", energy, 1.25, "")
    score.at_most("samples_neighbours_apart", steps, 1.5, "")
    score.at_least("samples_takes_differ", apart, 0.7, "")
    score.at_most("samples_takes_differ", apart, 1.4, "")


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
    parser.add_argument("--samples", action="store_true")
    parser.add_argument("--weights", type=Path, default=None)
    arguments = parser.parse_args()
    import torch

    from gambol.priors.embedded.prior import load_embedded

    torch.set_num_threads(1)
    prior, score = load_embedded(arguments.weights), Scoreboard()
    chosen = arguments.oracle or arguments.network or arguments.samples
    if arguments.network or not chosen:
        measure_network(score, prior, quick=arguments.quick)
    if arguments.samples or not chosen:
        measure_samples(score, prior, quick=arguments.quick)
    if arguments.oracle or not chosen:
        measure_oracle(score, prior, quick=arguments.quick)
    if not chosen:
        score.at_least("sentences_understood", text_share(), 0.85, "")
    score.finish()


if __name__ == "__main__":
    main()
