"""Characters, prompts and judging that the benchmarks of distillation share."""

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

MAIN = ("walk", "run", "jump", "idle", "turn left")
"""Motions that every body with legs is asked for."""
SENTENCES = {
    "idle": "{who} is standing still",
    "walk": "{who} is walking",
    "run": "{who} is running",
    "trot": "{who} is trotting",
    "jump": "{who} is jumping",
    "turn left": "{who} turns left",
    "turn right": "{who} turns right",
    "sneak": "{who} is sneaking",
    "march": "{who} is marching",
    "limp": "{who} is limping",
    "dance": "{who} is dancing",
    "kick": "{who} kicks",
    "punch": "{who} is punching",
    "wave": "{who} is waving",
    "eat": "{who} is eating",
    "bite": "{who} bites",
    "fly": "{who} is flying",
    "slither": "{who} slithers",
    "swim": "{who} is swimming",
}
QUICK = ("fox 900001", "human 900002", "trex 900003", "songbird 900004", "lizard 900005", "horse 900006")
UNSEEN = (
    *QUICK,
    *(
        f"{family} {900010 + i}"
        for i, family in enumerate(
            (
                "wolf",
                "cat",
                "lion",
                "deer",
                "cow",
                "elephant",
                "rabbit",
                "mouse",
                "woman",
                "child",
                "ostrich",
                "chicken",
                "raptor",
                "crocodile",
                "spider",
                "bear",
                "pig",
                "zebra",
            )
        )
    ),
)
"""Creatures of all kinds of bodies with seeds that no training uses."""
REAL = (
    "kaykit/Knight",
    "kaykit/Rogue",
    "khronos/Fox",
    "khronos/RiggedFigure",
    "quaternius/Trex",
    "quaternius/Velociraptor",
    "quaternius/Triceratops",
    "quaternius/Stegosaurus",
    "quaternius/Rat",
    "quaternius-more/Farm_Animals_Animated___Pig",
    "quaternius-more/Farm_Animals_Animated___Zebra",
    "mesh2motion/horse-animated",
)
"""The held-out characters of the split."""
OTHER_NAMES = {"run": ("gallop", "run"), "eat": ("eat", "peck"), "jump": ("jump", "hop")}
"""Names that procedural motions of a class have, first choice first."""
OTHERS: dict[str, tuple[str, ...]] = {
    "trot": ("horse 900006", "wolf 900010", "cow 900014", "cat 900011"),
    "turn right": ("fox 900001", "human 900002", "trex 900003", "horse 900006"),
    "sneak": ("cat 900011", "human 900002", "wolf 900010", "fox 900001"),
    "march": ("human 900002", "child 900019", "horse 900006", "ostrich 900020"),
    "limp": ("wolf 900010", "human 900002", "horse 900006", "lion 900012"),
    "dance": ("human 900002", "woman 900018", "bear 900025", "child 900019"),
    "kick": ("human 900002", "horse 900006", "woman 900018", "ostrich 900020"),
    "punch": ("human 900002", "woman 900018", "child 900019"),
    "wave": ("human 900002", "woman 900018", "child 900019"),
    "eat": ("chicken 900021", "horse 900006", "cow 900014", "deer 900013"),
    "bite": ("wolf 900010", "trex 900003", "crocodile 900023", "lion 900012"),
    "fly": ("songbird 900004", "eagle 900030", "duck 900031", "flamingo 900032"),
    "slither": ("snake 900033", "snake 900034", "snake 900035"),
    "swim": ("fish 900036", "shark 900037", "dolphin 900038", "eel 900039"),
}
"""Other motions on bodies that have data for them."""
UNUSUAL: dict[str, tuple[str, ...]] = {
    "spider 900050": ("walk", "run", "turn left"),
    "ant 900051": ("walk", "run", "turn left"),
    "scorpion 900052": ("walk", "run"),
    "crab 900053": ("walk", "run"),
    "centipede 900054": ("walk", "run"),
    "lizard 900055": ("walk", "run", "turn left"),
    "crocodile 900056": ("walk", "run", "turn left"),
    "turtle 900057": ("walk", "turn left"),
    "frog 900058": ("jump", "walk"),
    "kangaroo 900059": ("jump", "walk"),
    "sauropod 900060": ("walk", "run", "turn left"),
    "giraffe 900061": ("walk", "run"),
    "dragon 900062": ("walk", "run", "fly"),
    "pegasus 900063": ("walk", "run", "fly"),
    "wyvern 900064": ("walk", "fly"),
    "centaur 900065": ("walk", "run", "wave"),
    "monster 900066": ("walk", "run", "jump"),
    "weasel 900067": ("walk", "run"),
    "wasp 900068": ("fly",),
    "snake 900069": ("slither",),
    "fish 900070": ("swim",),
    "shark 900071": ("swim",),
    "dolphin 900072": ("swim",),
    "eel 900073": ("swim",),
}
"""Ways of going of unusual bodies: many-legged, sprawling, legless, finned, long-necked, winged with four legs."""


@dataclass(frozen=True)
class Job:
    """One clip to distil."""

    character: str
    """'family seed', or a held-out file."""
    prompt: str
    """Empty for the empty prompt; 'start' is what iteration 0 shows."""
    asked: str
    """The motion that the prompt means, or ''."""
    seed: int


@dataclass(frozen=True)
class Outcome:
    """What the judge saw."""

    job: Job
    motion: str
    confidence: float
    cpu_seconds: float
    penetration: float
    floats: float
    skate: float | None
    knees: float = 0.0
    """The most by which a joint of a leg bends beyond its limits, radians."""
    evaluations: int = 0
    """Of the prior's network."""
    explained: float | None = None
    """R^2 of end effectors against the body's true clip."""


def data_folder() -> Path:
    """Where the real characters are."""
    return Path(os.environ.get("GAMBOL_DATA", Path(__file__).parents[2] / "shared" / "data"))


@cache
def window_seconds(name: str) -> float:
    """The length of one window of the embedded prior for a body: what the benchmarks of the prior judge."""
    from gambol.priors.embedded.part_film import FRAMES

    return (FRAMES - 1) / body_of(name).fps


@cache
def body_of(name: str):
    """The body of a creature or a file, ready for distillation."""
    from gambol.creatures.catalogue import make_creature
    from gambol.distill.optimised_body import make_body, make_subject
    from gambol.files.asset import load
    from gambol.priors.embedded.part_observer import PartObserver
    from gambol.render.observer import ObserverConfig

    if "/" in name:
        character = load(data_folder() / "characters" / f"{name}.glb").character
    else:
        family, seed = name.split()
        character = make_creature(family, int(seed), vertices=1500).character()
    subject = make_subject(character)
    return make_body(subject, PartObserver(subject, ObserverConfig()).actor)


def optimised_clip(prior, character, prompt: str, *, seed: int = 0, losses=(), anatomy=None):
    """The embedded prior's fit of a sentence, without post-processing; `losses` are added to the sketch's."""
    from gambol.distill.optimised_body import make_subject
    from gambol.distill.presets import SKETCH, named_methods
    from gambol.distill.problem import clip_of, make_problem
    from gambol.distill.run_methods import run_methods

    subject = make_subject(character, anatomy)
    problem = make_problem(prior, subject, prompt, losses=(*SKETCH.losses, *losses), seed=seed)
    return clip_of(problem, run_methods(problem, named_methods(SKETCH, SKETCH.method)).coefficients, prompt)


@cache
def measured_body(name: str):
    """The individual and moving body of a creature or a file, for procedural motions."""
    from gambol.creatures.gaits.moving_body import measure_body
    from gambol.training.embedded.creature_clips import film_body

    body = body_of(name)
    return film_body(name, body.character, body.anatomy), measure_body(body.character, body.anatomy)


@cache
def true_clip(name: str, motion: str, *, phase: float = 0.05, mirrored: bool = False, rate: float | None = None):
    """The procedural motion of a body at the natural frame rate, its steady travel left out; None if it has none.

    `rate` is in cycles per frame, as far as the tempo's range allows.
    """
    from gambol.creatures.gaits.make_motion import motions_for
    from gambol.creatures.gaits.motion_style import MotionStyle
    from gambol.training.embedded.creature_clips import clocked_motion

    individual, body = measured_body(name)
    names = motions_for(individual.anatomy)
    asked = next((n for n in OTHER_NAMES.get(motion, (motion,)) if n in names), None)
    if asked is None:
        return None
    style = MotionStyle(phase=phase, mirrored=mirrored)
    if rate is not None:
        natural = clocked_motion(individual, body, asked, style, frames=2)[1]
        style = MotionStyle(phase=phase, mirrored=mirrored, tempo=min(max(rate / natural, 0.7), 1.4))
    return clocked_motion(individual, body, asked, style)[0]


@cache
def judged_true_clip(name: str, motion: str) -> str | None:
    """What the judge says of a body's true clip of a motion, post-processed as all clips are."""
    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING, post_process
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.recognise import recognise

    clip = true_clip(name, motion)
    if clip is None:
        return None
    body = body_of(name)
    done = post_process(body.character, clip, body.anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)
    return recognise(observe_clip(body.character, body.anatomy, done)).motion


def subject(name: str) -> str:
    """Who moves, for the prompt."""
    words = {"Knight": "knight", "Rogue": "rogue", "RiggedFigure": "person", "Trex": "t-rex", "Rat": "rat"}
    if "/" not in name:
        return f"a {name.split()[0]}"
    stem = name.split("/")[-1].split("___")[-1].removesuffix("-animated")
    return f"the {words.get(stem, stem.lower())}"


def main_jobs(characters: Iterable[str], seeds: int) -> list[Job]:
    """Every character x the five main motions."""
    return [
        Job(name, SENTENCES[motion].format(who=subject(name)), motion, seed)
        for name in characters
        for motion in MAIN
        for seed in range(seeds)
    ]


def judge_clip(name: str, clip) -> dict:
    """The judge's word and what is sound about a clip."""
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.quality_metrics import float_mean, foot_skate, penetration
    from gambol.evaluate.recognise import recognise

    body = body_of(name)
    seen = observe_clip(body.character, body.anatomy, clip)
    found = recognise(seen)
    return {
        "motion": found.motion,
        "confidence": found.confidence,
        "penetration": penetration(seen)[0],
        "floats": float_mean(seen),
        "skate": foot_skate(seen),
    }


def run_jobs(
    jobs: list[Job], work: Callable[[Job], Outcome], store: Path, digest: str, processes: int
) -> dict[Job, Outcome]:
    """Do what is not in the store yet (one JSON line per clip), in so many processes of one thread."""
    done = read_store(store, digest)
    missing = [job for job in jobs if job not in done]
    store.parent.mkdir(parents=True, exist_ok=True)
    if missing:
        with (
            ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_one_thread) as pool,
            store.open("a") as lines,
        ):
            start = time.time()
            for i, outcome in enumerate(pool.map(work, missing)):
                done[outcome.job] = outcome
                lines.write(json.dumps({"digest": digest, **asdict(outcome)}) + "\n")
                lines.flush()
                left = (time.time() - start) / (i + 1) * (len(missing) - i - 1)
                said = f"{outcome.job.character}: {outcome.job.prompt!r} is {outcome.motion}"
                print(f"  {i + 1}/{len(missing)} {said} ({left / 60:.0f} min left)", flush=True)
    return {job: done[job] for job in jobs}


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def read_store(store: Path, digest: str) -> dict[Job, Outcome]:
    """What earlier runs with the same weights and settings found."""
    done: dict[Job, Outcome] = {}
    if store.exists():
        for line in store.read_text().splitlines():
            found = json.loads(line)
            if found.pop("digest") == digest:
                job = Job(**found.pop("job"))
                done[job] = Outcome(job, **found)
    return done


def digest_of(*parts: object) -> str:
    """Changes when weights or settings do; files count by their bytes."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(part.read_bytes() if isinstance(part, Path) else repr(part).encode())
    return whole.hexdigest()[:16]


def print_confusion(outcomes: Iterable[Outcome]) -> None:
    """Asked motions down, seen ones across."""
    outcomes = [o for o in outcomes if o.job.asked]
    asked = [m for m in SENTENCES if any(o.job.asked == m for o in outcomes)]
    seen = sorted({o.motion for o in outcomes}, key=lambda m: list(SENTENCES).index(m))
    print("\n" + " " * 12 + "".join(f"{m[:9]:>10}" for m in seen))
    for motion in asked:
        row = [sum(o.job.asked == motion and o.motion == m for o in outcomes) for m in seen]
        print(f"{motion:<12}" + "".join(f"{n or '':>10}" for n in row))
    print()
