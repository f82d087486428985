"""Text-motion matching of true and generated clips in the joint space of the learned judge.

    python benchmarks/text_motion.py --quick              a few true clips of each kind, 12 generated ones
    python benchmarks/text_motion.py                      all of them; 5 to 15 CPU seconds per generated clip
    python benchmarks/text_motion.py --runs FOLDER        generated clips are the runs of a folder, by their prompts
    python benchmarks/text_motion.py --true-only          no generated clips

True clips are unseen: procedural motions of creatures with seeds from 910000, clips of the held-out characters, and the
held-out captures with their descriptions (GAMBOL_DATA). Resumable: vectors are kept in out/text_motion/.
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from distillation_suite import digest_of
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out" / "text_motion"
FIRST_SEED = 910_000
"""Seed of the first creature; neither a training nor another benchmark makes creatures from here on."""
CREATURES, QUICK_CREATURES = 60, 8
MOTIONS_PER_CREATURE = 24
GENERATED, QUICK_GENERATED = 72, 12
PHRASE_SEED = 910_000
HELD_OUT = ROOT / "benchmarks" / "held_out.txt"


@dataclass(frozen=True)
class Pair:
    """A clip and its sentence in the joint space."""

    group: str
    """What the clip shows: its motion, or its description."""
    sentence: str
    motion_vector: list[float]
    text_vector: list[float]


def data_folder() -> Path:
    """Where the real characters are."""
    return Path(os.environ.get("GAMBOL_DATA", ROOT.parent / "shared" / "data"))


@cache
def model():
    """The shipped matching model."""
    from gambol.app.match_motions import matching_model

    return matching_model()


def pairs_of(clips: list[tuple[str, str, object]]) -> list[Pair]:
    """Pairs from (group, sentence, features)."""
    import torch

    from gambol.evaluate.matching.network import embed_motions
    from gambol.priors.embedded.text.encoder import load_text_encoder

    if not clips:
        return []
    groups, sentences, features = zip(*clips, strict=True)
    network = model().network
    motions = embed_motions(network, list(features)).tolist()
    with torch.no_grad():
        texts = network.text_vectors(load_text_encoder().encode(list(sentences))).tolist()
    return [Pair(*row) for row in zip(groups, sentences, motions, texts, strict=True)]


def creature_of(number: int):
    """An unseen creature of the families that the training draws from, each in turn."""
    from gambol.creatures.catalogue import CREATURE_FAMILIES, make_creature
    from gambol.training.matching.clips import FAMILY_TURNS
    from gambol.training.matching.recipe import nouns_of

    nouns = nouns_of(number) or tuple(CREATURE_FAMILIES)
    noun = nouns[(number // len(FAMILY_TURNS)) % len(nouns)]
    creature = make_creature(noun, FIRST_SEED + number, vertices=1500)
    return noun, creature.character(), creature


def true_creature_clips(number: int, variant: int = 0) -> list[Pair]:
    """Procedural motions of one unseen creature with unseen phrases; `variant` draws other styles."""
    from gambol.creatures.gaits.make_motion import make_motion, motions_for
    from gambol.creatures.gaits.motion_style import draw_style
    from gambol.evaluate.matching.features import clip_features
    from gambol.motion.dynamic_similarity import natural_frame_rate
    from gambol.motion.feet.soles import typical_leg_length
    from gambol.motion.vocabulary import vocabulary_motion
    from gambol.training.matching.sentences import motion_sentence

    noun, character, creature = creature_of(number)
    anatomy = creature.anatomy(character)
    fps = natural_frame_rate(typical_leg_length(character, anatomy))
    rng = np.random.default_rng([PHRASE_SEED, number, variant])
    clips = []
    for name in rng.permutation(motions_for(anatomy))[:MOTIONS_PER_CREATURE].tolist():
        style = draw_style(rng, spread=0.75)
        seconds = float(rng.uniform(32, 90)) / fps
        clip = make_motion(character, anatomy, name, style, seconds=seconds, fps=fps, loop=False)
        motion = vocabulary_motion(name)
        clips.append((motion, motion_sentence(motion, noun, rng), clip_features(character, anatomy, clip)))
    return pairs_of(clips)


def real_clips(*, captured: bool) -> list[Pair]:
    """Clips of held-out files: captures with their descriptions, or characters' clips whose names say a motion."""
    from gambol.training.embedded.file_clips import clips_of, label_motion
    from gambol.training.matching.clips import real_clip
    from gambol.training.matching.recipe import held_out_parts

    parts = held_out_parts(HELD_OUT)
    kinds = (".bvh",) if captured else (".glb", ".gltf")
    paths = sorted(p for p in data_folder().rglob("*") if p.suffix.lower() in kinds)
    found = []
    for path in (p for p in paths if any(part in p.as_posix() for part in parts)):
        for clip in clips_of(path):
            made = real_clip(path, clip.name)
            motion = label_motion(made.texts[0]) if made is not None else ""
            if made is not None and (motion or made.described):
                found.append((motion or made.texts[0], made.texts[0], features_of(made)))
    return pairs_of(found)


def features_of(clip):
    """The features of a training clip."""
    from gambol.evaluate.matching.features import MotionFeatures

    return MotionFeatures(clip.frames.astype(np.float32), 0.0)


def generated_jobs(count: int) -> list[tuple[int, str, str]]:
    """Creature, motion and sentence of clips to generate: the motions that its body can do, in turn."""
    from gambol.creatures.gaits.make_motion import motions_for
    from gambol.motion.vocabulary import vocabulary_motion
    from gambol.training.matching.sentences import motion_sentence

    jobs = []
    for i in range(count):
        number = i % CREATURES
        noun, character, creature = creature_of(number)
        names = motions_for(creature.anatomy(character))
        motion = vocabulary_motion(names[(7 * i) % len(names)])
        jobs.append((number, motion, motion_sentence(motion, noun, np.random.default_rng([PHRASE_SEED, i]))))
    return jobs


def generated_clip(number: int, motion: str, sentence: str) -> list[Pair]:
    """A clip that the embedded prior makes for an unseen creature."""
    from gambol.app.animate import animate_file
    from gambol.app.animate_request import AnimateFileRequest, AnimateOutputs, AnimateRequest
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.files.asset import export_scene
    from gambol.motion.dynamic_similarity import natural_frame_rate
    from gambol.motion.feet.soles import typical_leg_length
    from gambol.priors.embedded.part_film import FRAMES

    noun, _, creature = creature_of(number)
    path = OUT / "characters" / f"{noun}-{FIRST_SEED + number}.glb"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        export_scene(creature.scene, (), path)
    run = OUT / "runs" / f"{path.stem}-{motion.replace(' ', '-')}"
    character = creature.character()
    rate = natural_frame_rate(typical_leg_length(character, find_anatomy(character)))
    asked = AnimateRequest(sentence, seconds=(FRAMES - 1) / rate)  # one window of the prior
    animate_file(AnimateFileRequest(asked, path, outputs=AnimateOutputs(film=False)), run, overwrite=True)
    return run_pairs(run, motion)


def run_pairs(folder: Path, group: str = "") -> list[Pair]:
    """The new clip of a run with its prompt; runs without a prompt say nothing."""
    from gambol.app.evaluate import last_clip
    from gambol.app.find_runs import find_run
    from gambol.character.anatomy.find_anatomy import find_anatomy
    from gambol.evaluate.matching.features import motion_features
    from gambol.evaluate.observation import observe_node_clip
    from gambol.files.asset import load
    from gambol.priors.embedded.text.encoder import classify_sentence

    run = find_run(folder)
    if run.model is None or not run.settings.prompt:
        return []
    asset = load(run.model)
    seen = observe_node_clip(asset.character, find_anatomy(asset.character), last_clip(asset), fps=60.0)
    prompt = run.settings.prompt
    return pairs_of([(group or classify_sentence(prompt).motion, prompt, motion_features(seen))])


def stored(name: str, make: Callable[[], list[Pair]]) -> list[Pair]:
    """Pairs from a file of out/text_motion, made unless it is there and belongs to the shipped weights."""
    from gambol.evaluate.matching.load import MATCHING_WEIGHTS
    from gambol.priors.embedded.prior import WEIGHTS

    digest = digest_of(MATCHING_WEIGHTS, *([WEIGHTS] if name.startswith("generated") else []))
    path = OUT / "vectors" / f"{name}-{digest}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        made = [vars(pair) for pair in make()]
        path.with_suffix(".part").write_text(json.dumps(made))
        path.with_suffix(".part").replace(path)
        print(f"  {name}: {len(made)} clips", flush=True)
    return [Pair(**row) for row in json.loads(path.read_text())]


def vectors(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Vectors of motions and of sentences, and the groups."""
    return (
        np.array([p.motion_vector for p in pairs]),
        np.array([p.text_vector for p in pairs]),
        [p.group for p in pairs],
    )


def report(score: Scoreboard, name: str, pairs: list[Pair], targets: tuple[float, float, float]) -> None:
    """R-precision lines with targets, then the other measures of a set."""
    from gambol.evaluate.matching.measures import diversity, matching_distance, multimodality, r_precision

    if len(pairs) < 2:
        return
    motions, texts, groups = vectors(pairs)
    pool = min(32, len(set(groups)))
    found = r_precision(motions, texts, groups, rng=np.random.default_rng(0))
    print(f"  {name}: {len(pairs)} clips, {len(set(groups))} groups, R-precision among {pool}")
    for k, target in enumerate(targets):
        score.at_least(f"{name}_r_precision_{k + 1}", float(found[k]), target, "")
    print(
        f"  {name}: matching distance {matching_distance(motions, texts):.3f}, "
        f"diversity {diversity(motions, rng=np.random.default_rng(0)):.3f}, "
        f"multimodality {multimodality(motions, groups):.3f}"
    )


def worst_motions(pairs: list[Pair]) -> Iterator[str]:
    """Motions whose clips are nearest to another motion's name, most often first."""
    from gambol.app.match_motions import known_sentences

    known = known_sentences(model())
    motions, _, groups = vectors(pairs)
    read = [known.names[i] for i in (motions @ known.vectors.T).argmax(1)]
    for motion in sorted(set(groups)):
        own = [r for r, g in zip(read, groups, strict=True) if g == motion]
        wrong = [r for r in own if r != motion]
        if 2 * len(wrong) > len(own) > 1:
            yield f"{motion} as {max(set(wrong), key=wrong.count)} ({len(wrong)} of {len(own)})"


def same_groups(true: list[Pair], others: list[Pair]) -> list[Pair]:
    """True clips of the motions that the others show, as many of each as there are at most."""
    shown = {pair.group for pair in others}
    return [pair for pair in true if pair.group in shown]


def main() -> None:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--true-only", action="store_true")
    parser.add_argument("--runs", type=Path, help="a folder of runs instead of newly generated clips")
    arguments = parser.parse_args()
    from gambol.evaluate.matching.measures import frechet_distance

    count = QUICK_CREATURES if arguments.quick else CREATURES
    made, again = (
        [p for i in range(count) for p in stored(f"creature-{i}-{v}", lambda i=i, v=v: true_creature_clips(i, v))]
        for v in range(2)
    )
    score = Scoreboard()
    report(score, "true_creatures", made, (0.8, 0.9, 0.95))
    for line in worst_motions(made):
        print(f"  often read otherwise: {line}")
    if data_folder().is_dir():
        report(score, "held_out_characters", stored("files", lambda: real_clips(captured=False)), (0.6, 0.75, 0.85))
        report(score, "held_out_captures", stored("captures", lambda: real_clips(captured=True)), (0.4, 0.55, 0.65))
    own = frechet_distance(vectors(made)[0], vectors(again)[0])
    print(f"  true_creatures: Frechet distance to the same creatures' motions in other styles {own:.3f}")
    if arguments.true_only:
        score.finish()
    if arguments.runs is not None:
        from gambol.app.find_runs import find_runs

        folders = [run.model.parent for run in find_runs(arguments.runs) if run.model is not None]
        generated = [p for folder in folders for p in run_pairs(folder)]
    else:
        jobs = generated_jobs(QUICK_GENERATED if arguments.quick else GENERATED)
        generated = [
            p
            for number, motion, sentence in jobs
            for p in stored(
                f"generated-{number}-{motion.replace(' ', '-')}",
                lambda n=number, m=motion, s=sentence: generated_clip(n, m, s),
            )
        ]
    report(score, "generated", generated, (0.5, 0.65, 0.75))
    true = same_groups(made, generated)
    if len(generated) > 1 and len(true) > 1:
        distance = frechet_distance(vectors(generated)[0], vectors(true)[0])
        score.at_most("frechet_generated_from_true", distance, 0.3, "")
    score.finish()


if __name__ == "__main__":
    main()
