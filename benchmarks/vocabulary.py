"""The vocabulary: every motion on two bodies, adverbs along their style axes, sentences that share no training word.

    python benchmarks/vocabulary.py --motions    every motion on two fitting bodies, seen by its definition or the judge
    python benchmarks/vocabulary.py --style      12 adverbs x 6 bodies: the asked axis moves, the motion stays
    python benchmarks/vocabulary.py --text       200 sentences: the intended motion among the first three
    python benchmarks/vocabulary.py --quick      every eighth motion, two bodies of the styles, the sentences
    python benchmarks/vocabulary.py              everything

Resumable (out/vocabulary.jsonl). --sheets draws a sheet of stick figures for each motion into out/vocabulary/; with
--only MOTION ... the motions are these alone.

The two bodies of a motion are the first two of its kind's members on which its *true* clip, made by code and
post-processed as all clips are, shows it: a body whose arms are too short for a clap cannot tell whether the prior
claps. What the prior makes of a body has no part in this choice.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from distillation_suite import body_of, digest_of, subject, true_clip, window_seconds
from measure import Scoreboard

ROOT = Path(__file__).parents[1]
STORE = ROOT / "out" / "vocabulary.jsonl"
SHEETS = ROOT / "out" / "vocabulary"
SENTENCES = ROOT / "tests" / "unseen_vocabulary_sentences.json"
MEMBERS = {
    "legged": ("khronos/Fox", "human 920002", "horse 920013", "quaternius/Velociraptor"),
    "person": ("kaykit/Knight", "human 920002", "khronos/RiggedFigure", "woman 920003"),
    "armed": ("kaykit/Rogue", "woman 920003", "khronos/RiggedFigure", "human 920002"),
    "animal": ("wolf 920004", "quaternius/Trex", "horse 920013", "bear 920014"),
    "many-legged": ("spider 920005", "ant 920006", "crab 920015"),
    "winged": ("songbird 920007", "eagle 920008", "duck 920016"),
    "finned": ("shark 920009", "dolphin 920010", "fish 920017"),
    "legless": ("snake 920011", "snake 920012", "snake 920018"),
}
"""Candidate bodies of each kind that nothing was trained on."""
BODIES_PER_MOTION = 2
"""Bodies on which every motion is asked for."""
WORDINGS = {
    "idle": "is standing still", "turn left": "turns left", "turn right": "turns right", "kick": "kicks",
    "bite": "bites", "look around": "is looking around", "sidestep left": "is sidestepping to the left",
    "sidestep right": "is sidestepping to the right", "turn around": "turns around", "sit down": "sits down",
    "stand up": "stands up", "lie down": "lies down", "get up": "gets up from the ground",
    "rear up": "rears up",
    "get hit": "gets hit", "fall down": "falls down dead", "raise hands": "raises both hands",
    "pick up": "picks up a box",
    "swing sword": "swings a sword", "swing golf club": "swings a golf club", "take off": "takes off",
    "jumping jacks": "is doing jumping jacks", "zombie walk": "walks like a zombie",
    "old walk": "walks like an old man", "drunk walk": "walks drunk", "proud walk": "walks proudly",
    "heavy walk": "walks heavily", "cartwheel": "does a cartwheel",
    "walk backwards": "is walking backwards", "land": "is landing", "charge": "charges", "stomp": "stomps",
    "clap": "is clapping", "carry": "carries a box", "throw": "throws a ball", "catch": "catches a ball",
    "push": "pushes a wall", "pull": "pulls a rope", "bow": "bows", "strike": "strikes", "coil": "coils up",
    "breach": "breaches", "roar": "roars", "shake": "shakes itself", "box": "is boxing", "point": "points ahead",
    "salute": "salutes", "nod": "nods", "hop": "is hopping", "limp": "is limping", "slither": "slithers",
}  # fmt: skip
"""What follows the subject; other motions are 'is' and their participle."""
WALKERS = ("fox 920020", "human 920021", "trex 920022", "horse 920023", "cat 920024", "kaykit/Knight")
"""Bodies of the styles."""


@dataclass(frozen=True)
class Styled:
    """An adverb, what it changes, and in which direction."""

    adverb: str
    measure: str
    sign: float


STYLES = (
    Styled("slowly", "stride_hz", -1.0),
    Styled("quickly", "stride_hz", 1.0),
    Styled("proudly", "head", 1.0),
    Styled("sadly", "head", -1.0),
    Styled("tiredly", "stride_hz", -1.0),
    Styled("happily", "bounce", 1.0),
    Styled("nervously", "stride", -1.0),
    Styled("heavily", "stride_hz", -1.0),
    Styled("cautiously", "stride_hz", -1.0),
    Styled("majestically", "head", 1.0),
    Styled("lazily", "stride_hz", -1.0),
    Styled("energetically", "bounce", 1.0),
)
"""Twelve adverbs, each with the measure that it must move."""


def sentence_of(name: str, motion: str) -> str:
    """What the prior is asked for."""
    plain = {"jump": "is jumping", "run": "is running", "swim": "is swimming", "sit": "is sitting"}
    end = "e" if motion.endswith("e") and motion != "be" else ""
    words = WORDINGS.get(motion) or plain.get(motion) or f"is {motion.removesuffix(end)}ing"
    return f"{subject(name)} {words}"


def motion_pairs(motions: Sequence[str]) -> list[tuple[str, str]]:
    """(body, motion) for each of the motions, on the first bodies whose true clip shows it, or else the first ones."""
    from gambol.motion.vocabulary import find_entry

    found = []
    for motion in motions:
        members = MEMBERS[find_entry(motion).bodies[0]]
        shown: list[str] = []
        for name in members:
            if len(shown) < BODIES_PER_MOTION and is_shown(true_score(name, motion)):
                shown.append(name)
        others = [name for name in members if name not in shown]
        found += [(name, motion) for name in (*shown, *others)[:BODIES_PER_MOTION]]
    return found


def is_shown(score: float | None) -> bool:
    """Whether a score is that of a clip that shows its motion."""
    from gambol.evaluate.motion_definitions import SHOWN_SCORE

    return score is not None and score >= SHOWN_SCORE


def true_score(name: str, motion: str) -> float | None:
    """The score of a body's true clip, from the store or measured; None if it has none."""
    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING

    job = ("true", name, motion)
    return rows([job], digest_of(DEFAULT_POST_PROCESSING))[job]["score"]


@cache
def asset_of(name: str):
    """The character as `gambol.animate` takes it."""
    import tempfile

    from distillation_suite import data_folder

    from gambol.creatures.catalogue import make_creature
    from gambol.files.asset import export_scene, load

    if "/" in name:
        return load(data_folder() / "characters" / f"{name}.glb")
    family, seed = name.split()
    path = Path(tempfile.mkdtemp()) / f"{family}.glb"
    export_scene(make_creature(family, int(seed), vertices=1500).scene, (), path)
    return load(path)


def animated(name: str, sentence: str, seed: int = 0):
    """The clip that the sentence gives a body."""
    import gambol

    return gambol.animate(asset_of(name), sentence, seed=seed, seconds=window_seconds(name))


def finished(name: str, clip):
    """A true clip, post-processed as all clips are."""
    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING, post_process

    body = body_of(name)
    return post_process(body.character, clip, body.anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)


def score_of(name: str, motion: str, clip) -> float:
    """How clearly a clip shows a motion."""
    from gambol.evaluate.motion_definitions import shows_motion
    from gambol.evaluate.observation import observe_clip

    body = body_of(name)
    return shows_motion(observe_clip(body.character, body.anatomy, clip), motion)


def measures_of(name: str, clip) -> dict[str, float | str]:
    """The measures that adverbs change, in leg lengths and hertz, and the judge's word."""
    import numpy as np

    from gambol.character.anatomy.anatomy import BodyPart
    from gambol.evaluate.observation import observe_clip
    from gambol.evaluate.recognise import recognise
    from gambol.evaluate.traits import traits_of

    body = body_of(name)
    seen = observe_clip(body.character, body.anatomy, clip)
    traits = traits_of(seen)
    heads = [bone for bone, part in enumerate(body.anatomy.parts) if part == BodyPart.HEAD]
    points = seen.tips[:, heads[:1], 1] if heads else seen.tips[:, :, 1].max(1, keepdims=True)
    root = seen.joints[:, 0, 1]
    return {
        "stride_hz": traits.stride_hz,
        "stride": traits.stride,
        "head": float(np.median(points)) / seen.leg,
        "bounce": float(np.quantile(root, 0.95) - np.quantile(root, 0.05)) / seen.leg,
        "motion": recognise(seen).motion,
    }


def motion_row(name: str, motion: str) -> dict:
    """The prior's clip of one motion, scored."""
    return {"score": score_of(name, motion, animated(name, sentence_of(name, motion)))}


def true_row(name: str, motion: str) -> dict:
    """The true clip of one motion, scored; None if the body has none."""
    true = true_clip(name, motion)
    return {"score": None if true is None else score_of(name, motion, finished(name, true))}


def style_row(name: str, adverb: str) -> dict:
    """The measures of a walk with an adverb."""
    sentence = f"{subject(name)} is walking {adverb}".strip()
    return measures_of(name, animated(name, sentence))


def rows(jobs: list[tuple[str, str, str]], digest: str) -> dict[tuple[str, str, str], dict]:
    """Do what is not in the store yet: (kind, body, motion or adverb)."""
    work = {"motion": motion_row, "true": true_row, "style": style_row}
    found: dict[tuple[str, str, str], dict] = {}
    if STORE.exists():
        lines = (json.loads(line) for line in STORE.read_text().splitlines())
        found = {tuple(line["job"]): line["row"] for line in lines if line["digest"] == digest}
    STORE.parent.mkdir(parents=True, exist_ok=True)
    with STORE.open("a") as store:
        for number, job in enumerate(jobs):
            if job not in found:
                found[job] = work[job[0]](*job[1:])
                store.write(json.dumps({"digest": digest, "job": job, "row": found[job]}) + "\n")
                store.flush()
                print(f"  {number + 1}/{len(jobs)} {job[0]} {job[1]}: {job[2] or 'neutral'} {found[job]}", flush=True)
    return found


def measure_motions(score: Scoreboard, digest: str, motions: Sequence[str]) -> None:
    """Each motion on two fitting bodies."""
    pairs = motion_pairs(motions)
    found = rows([("motion", name, motion) for name, motion in pairs], digest)
    shown = [is_shown(found["motion", name, motion]["score"]) for name, motion in pairs]
    true = [is_shown(true_score(name, motion)) for name, motion in pairs]
    for title, seen in (("not seen", shown), ("not seen of true clips", true)):
        print(f"  {title}:", ", ".join(f"{m} ({n})" for (n, m), ok in zip(pairs, seen, strict=True) if not ok))
    print(f"  true clips: {sum(true)} of {len(true)}")
    score.at_least("vocabulary_seen", sum(shown) / len(shown), 0.80, "")


def measure_style(score: Scoreboard, digest: str, *, quick: bool) -> None:
    """Adverbs against the neutral walk of the same body."""
    bodies = WALKERS[:2] if quick else WALKERS
    adverbs = ["", *(style.adverb for style in STYLES)]
    found = rows([("style", name, adverb) for name in bodies for adverb in adverbs], digest)
    moved, kept = [], []
    for style in STYLES:
        line = []
        for name in bodies:
            neutral, styled = found["style", name, ""], found["style", name, style.adverb]
            change = style.sign * (styled[style.measure] - neutral[style.measure])
            line.append(change)
            moved.append(change > 0)
            kept.append(styled["motion"] == neutral["motion"])
        print(f"  {style.adverb} ({style.measure}): " + " ".join(f"{x:+.3f}" for x in line))
    score.at_least("style_moves", sum(moved) / len(moved), 0.90, "")
    score.at_least("style_keeps_motion", sum(kept) / len(kept), 0.90, "")


def measure_text(score: Scoreboard) -> None:
    """Sentences that share no content word with the training phrases."""
    from gambol.priors.embedded.text.encoder import classify_sentence

    cases = json.loads(SENTENCES.read_text())["sentences"]
    first = third = 0
    for sentence, motion in cases:
        chances = classify_sentence(sentence).probabilities
        ranked = sorted(chances, key=lambda name: -chances[name])
        first += ranked[0] == motion
        third += motion in ranked[:3]
    print(f"  first: {first} of {len(cases)}")
    score.at_least("sentences_among_first_three", third / len(cases), 0.85, "")


def draw_sheets(motions: Sequence[str]) -> None:
    """A sheet of stick figures for each motion: six moments of each body from the side."""
    from gambol.render.video_file import write_png

    SHEETS.mkdir(parents=True, exist_ok=True)
    for name, motion in motion_pairs(motions):
        clip = animated(name, sentence_of(name, motion))
        picture = stick_sheet(name, clip)
        write_png(SHEETS / f"{motion.replace(' ', '-')}-{name.replace('/', '-').replace(' ', '-')}.png", picture)


def stick_sheet(name: str, clip, moments: int = 8):
    """Moments of a clip as stick figures in a row, from the side; the body stays in the middle."""
    import numpy as np
    from PIL import Image, ImageDraw

    from gambol.motion.kinematics import pose_clip

    body, side = body_of(name), 150
    skeleton = body.character.require_skeleton()
    T = pose_clip(skeleton, clip)
    heads = T[..., :3, 3]
    picture = Image.new("RGB", (moments * side, side), "white")
    draw = ImageDraw.Draw(picture)
    scale = 0.55 * side / body.character.size
    for k in range(moments):
        frame = k * (len(clip) - 1) // (moments - 1)
        middle = heads[frame, 0]
        flat = [((k + 0.5) * side + scale * (p[0] - middle[0]), 0.85 * side - scale * p[1]) for p in heads[frame]]
        draw.line([(k * side, 0.85 * side), ((k + 1) * side, 0.85 * side)], fill="#bbbbbb")
        for bone, parent in enumerate(skeleton.parents):
            if parent >= 0:
                draw.line([flat[parent], flat[bone]], fill="#204080", width=2)
    return np.asarray(picture)


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("quick", "motions", "style", "text", "sheets"):
        parser.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--only", nargs="+", default=(), metavar="MOTION")
    arguments = parser.parse_args()
    import torch

    from gambol.distill.post_processing import DEFAULT_POST_PROCESSING
    from gambol.distill.presets import SKETCH
    from gambol.motion.vocabulary import VOCABULARY_NAMES
    from gambol.priors.embedded.prior import WEIGHTS

    torch.set_num_threads(1)
    motions = arguments.only or VOCABULARY_NAMES[:: 8 if arguments.quick else 1]
    if arguments.sheets:
        draw_sheets(motions)
        return
    everything = not (arguments.motions or arguments.style or arguments.text)
    digest, score = digest_of(WEIGHTS, SKETCH, DEFAULT_POST_PROCESSING), Scoreboard()
    if everything or arguments.text:
        measure_text(score)
    if everything or arguments.motions:
        measure_motions(score, digest, motions)
    if everything or arguments.style:
        measure_style(score, digest, quick=arguments.quick)
    score.finish()


if __name__ == "__main__":
    main()
