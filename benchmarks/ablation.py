"""The ablations of AKD 6.5, and ours: what each part of the method is for, with intervals over pairs.

    python benchmarks/ablation.py --quick              12 pairs in each table, small pictures
    python benchmarks/ablation.py --quick --only rgb   one of rgb, embedded, square, assets, ours
    python benchmarks/ablation.py                      three times the steps, larger pictures, 16 pairs
    python benchmarks/ablation.py --only assets --generator shap-e:FOLDER

rgb: no ground render, no ground loss, no smoothness (AKD 6.5, fig. 7) on the whole RGB path: splats, checkerboard,
follow camera, score distillation with the paper's schedule, eq. 9 and 10, from a prior whose score is exact: a library
of two clips of the same body, rendered as the observer is. embedded: the same on the embedded prior, which sees no
ground. square: joints or field, library or embedded prior (fig. 8). assets: where the character comes from (fig. 9).
ours: joint limits, basis in time, precision weights, guidance, pose prior, control variate.

Every table has the means of the full method, and the paired differences of each variant to it with 95 % bootstrap
intervals over pairs. Resumable: out/ablation-*.jsonl. Tables go to docs/research/reproduction.md.
"""

import argparse
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from compare import limb_change
from distillation_suite import data_folder
from reproduction_tables import Store, differences, markdown, told, write_table

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.diffusion.video_prior import VideoFormat
from gambol.distill.field_observation import observe_field
from gambol.distill.losses import PosePrior
from gambol.distill.optimised_body import make_subject
from gambol.distill.post_processing import DEFAULT_POST_PROCESSING, post_process
from gambol.distill.presets import PAPER, SKETCH, akd_field_losses, akd_losses, refining_scores
from gambol.distill.problem import MotionConfig, clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.distill.sds import SDS
from gambol.distill.video_fit import VideoFit
from gambol.evaluate.motion_definitions import shows_motion
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.quality_metrics import (
    edge_stretch,
    float_mean,
    foot_skate,
    jerk,
    joint_limit_violation,
    motion_amount,
    penetration,
)
from gambol.motion.kinematics import pose_clip
from gambol.priors.embedded.prior import load_embedded
from gambol.priors.library.clip_library import clip_library_prior
from gambol.render.observer import ObserverConfig

ROOT = Path(__file__).parents[1]
NOUNS = ("fox", "raptor", "human", "horse", "cat", "ostrich", "dog", "lion", "deer", "woman", "trex", "pig", "wolf",
         "child", "zebra", "chicken")  # fmt: skip
"""Bodies of the pairs, with seeds that no training uses."""
SEED = 900_100
"""Seed of the first body."""
SLOWER = 1.6
"""Known clips are played slower by this factor: on a checkerboard a speed is known only up to whole squares."""
AZIMUTH, ELEVATION = float(np.radians(60.0)), float(np.radians(18.0))
"""The view: from the front, since from the side a standing body's legs are one."""
WHAT = {
    "recovered": "recovered share of the joints' motion",
    "motion": "motion amount, sizes/s",
    "float": "float, sizes",
    "penetration": "penetration, sizes",
    "skate": "foot skate, sizes/s",
    "jerk": "jerk, sizes/s³",
    "limits": "beyond joint limits, rad",
    "limbs": "limb-length change",
    "edges": "edge stretch",
    "shown": "motion is shown",
}
"""Measures by name, as tables call them."""


def quality(seen, asked: str | None = None) -> dict:
    """What is measured of every result."""
    skate = foot_skate(seen)
    found = {
        "motion": motion_amount(seen),
        "float": float_mean(seen),
        "penetration": penetration(seen)[1],
        "skate": None if skate is None else skate / seen.size,
        "jerk": jerk(seen),
        "limits": joint_limit_violation(seen),
        "limbs": limb_change(seen),
        "edges": edge_stretch(seen),
    }
    return found | ({} if asked is None else {"shown": float(shows_motion(seen, asked) >= 0.5)})


@cache
def prior():
    """The embedded prior."""
    return load_embedded()


@cache
def subject_of(noun: str, number: int):
    """A body made by code, before it is observed."""
    creature = make_creature(noun, SEED + number, vertices=800)
    character = creature.character()
    return make_subject(character, creature.anatomy(character))


def known_clips(subject, video: VideoFormat) -> dict:
    """A slow walk and a jump of the body, starting at the origin."""
    clips = {}
    for motion in ("walk", "jump"):
        seconds, fps = video.frames / video.fps / SLOWER, video.fps * SLOWER
        clip = make_motion(subject.character, subject.anatomy, motion, seconds=seconds, fps=fps, loop=False)
        root = clip.root.copy()
        root[:, [0, 2]] -= root[0, [0, 2]]
        clips[motion] = replace(clip, fps=video.fps, root=root)
    return clips


def library_result(
    noun: str,
    number: int,
    quick: bool,
    *,
    representation: str = "joints",
    ground_render: bool = True,
    ground_loss: bool = True,
    smoothness: bool = True,
) -> dict:
    """Score distillation of a known walk on the RGB path, with parts left out."""
    video = VideoFormat(12, 48, 72, 12.0) if quick else VideoFormat(16, 72, 108, 12.0)
    view = ObserverConfig(splats=700 if quick else 2500, azimuth=AZIMUTH, elevation=ELEVATION, ground=ground_render)
    subject = subject_of(noun, number)
    clips = known_clips(subject, video)
    library = clip_library_prior(subject, clips, video, observer=view)
    numbers = library.mixture.means[0].numel()
    smooth, ground = (akd_losses if representation == "joints" else akd_field_losses)(numbers)
    losses = (*((smooth,) if smoothness else ()), *((ground,) if ground_loss else ()))
    config = MotionConfig(representation=representation, basis=PAPER.basis, start_speed=PAPER.start_speed)
    problem = make_problem(library, subject, f"a {noun} is walking", losses=losses, config=config, observer=view)
    state = run_methods(problem, (replace(PAPER.scores, learning_rate=0.01).with_steps(250 if quick else 800),))
    clip = clip_of(problem, state.coefficients, noun)
    found = (
        observe_field(problem, state.coefficients)
        if representation == "field"
        else observe_clip(subject.character, subject.anatomy, clip)
    )
    skeleton = subject.character.require_skeleton()
    true = pose_clip(skeleton, clips["walk"])[: video.frames, :, :3, 3]
    start = pose_clip(skeleton, clip_of(problem, problem.parameters.zeros(), noun))[:, :, :3, 3]
    covered = 1.0 - ((found.joints - true) ** 2).sum() / ((start - true) ** 2).sum()
    return quality(found) | {"recovered": float(covered), "evaluations": state.evaluations}


def embedded_result(
    subject,
    prompt: str,
    asked: str,
    *,
    method=None,
    losses=None,
    weigh: bool = True,
    steps: int | None = None,
    **options,
) -> dict:
    """A fit to the embedded prior's proposal with parts left out, post-processed."""
    request = AnimateRequest(prompt, method=method, steps=steps, splats=300, **options)
    plan = resolve(request, prior())
    problem = make_problem(
        prior(),
        subject,
        prompt,
        losses=(*plan.losses, *(losses or ())),
        config=replace(plan.motion, natural_length=False),
        observer=plan.observer,
    )
    if not weigh:
        target = plan.methods[0].propose(problem, torch.Generator().manual_seed(0))
        scale = float(target.precision.mean())
        problem = replace(problem, target=replace(target, precision=torch.full_like(target.precision, scale)))
    state = run_methods(problem, plan.methods)
    clip = clip_of(problem, state.coefficients, prompt)
    body = problem.body
    post = replace(DEFAULT_POST_PROCESSING, limit_leg_joints=request.limits, foot_lock=False)
    done = post_process(body.character, clip, body.anatomy, post, travels=False, loop=False)
    seen = observe_clip(body.character, body.anatomy, done)
    found = quality(seen, asked) | {"evaluations": state.evaluations}
    if problem.parameters.name == "field":
        own = observe_field(problem, state.coefficients)
        found |= {
            "limbs": limb_change(own),
            "edges": edge_stretch(own),
            "jerk": jerk(own),
            "motion": motion_amount(own),
        }
    return found


def table_of(results: dict[str, list[dict]], base: str, names: tuple[str, ...]) -> str:
    """Means of the full method, and paired differences of the variants to it."""
    count = len(results[base])
    head = (f"{count} pairs", base, *(f"{name}, difference" for name in results if name != base))
    rows = []
    for name in names:
        own = told([r.get(name) for r in results[base]])
        rows.append(
            (WHAT[name], own, *(told(differences(v, results[base], name)) for k, v in results.items() if k != base))
        )
    return markdown(head, rows)


def pairs(count: int) -> list[tuple[str, int]]:
    """Bodies of a table."""
    return [(noun, i) for i, noun in enumerate(NOUNS[:count])]


def rgb(store: Store, count: int, quick: bool) -> None:
    """AKD 6.5 on the RGB path."""
    variants = {
        "full": {},
        "no ground render": {"ground_render": False},
        "no ground loss": {"ground_loss": False},
        "no smoothness": {"smoothness": False},
    }
    results: dict[str, list[dict]] = {name: [] for name in variants}
    for noun, i in pairs(count):  # pair by pair, so that a run that was stopped has whole pairs
        for name, options in variants.items():

            def work(noun=noun, i=i, options=options) -> dict:
                return library_result(noun, i, quick, **options)

            results[name].append(store.get(f"rgb {name} {noun} {i}", work))
    names = ("recovered", "motion", "float", "penetration", "skate", "jerk")
    write_table("ablation-rgb", table_of(results, "full", names))


def embedded(store: Store, count: int, quick: bool) -> None:
    """AKD 6.5 on the embedded prior."""
    variants = {"full": {}, "no ground loss": {"ground": "off"}, "no smoothness": {"smoothness": "off"}}
    write_table(
        "ablation-embedded",
        embedded_table(store, variants, count, ("motion", "float", "penetration", "skate", "jerk", "shown")),
    )


def embedded_table(store: Store, variants: dict[str, dict], count: int, names: tuple[str, ...]) -> str:
    """A table of variants of a walk and a run by turns, on the embedded prior."""
    results = {}
    for name, options in variants.items():
        found = []
        for noun, i in pairs(count):
            doing, asked = (("walking", "walk"), ("running", "run"))[i % 2]
            prompt = f"a {noun} is {doing}"

            def work(noun=noun, i=i, prompt=prompt, asked=asked, options=options) -> dict:
                return embedded_result(subject_of(noun, i), prompt, asked, **options)

            found.append(store.get(f"embedded {name} {prompt} {i}", work))
        results[name] = found
    return table_of(results, next(iter(variants)), names)


def square(store: Store, count: int, quick: bool) -> None:
    """Joints or field, library or embedded prior (AKD fig. 8)."""
    rows = {}
    for representation in ("joints", "field"):
        name = "full" if representation == "joints" else "field"
        rows[f"{representation}, library"] = [
            store.get(
                f"rgb {name} {n} {i}", lambda n=n, i=i, r=representation: library_result(n, i, quick, representation=r)
            )
            for n, i in pairs(count)
        ]
        found = []
        for noun, i in pairs(count):
            doing, asked = (("walking", "walk"), ("running", "run"))[i % 2]
            prompt, own = f"a {noun} is {doing}", {} if representation == "joints" else {"representation": "field"}

            def work(noun=noun, i=i, prompt=prompt, asked=asked, own=own) -> dict:
                return embedded_result(subject_of(noun, i), prompt, asked, **own)

            found.append(store.get(f"embedded {name} {prompt} {i}", work))
        rows[f"{representation}, embedded"] = found
    names = ("recovered", "motion", "limbs", "edges", "jerk", "shown")
    head = (f"{count} pairs", *rows)
    cells = [(WHAT[name], *(told([r.get(name) for r in found]) for found in rows.values())) for name in names]
    write_table("ablation-square", markdown(head, cells))


ASSETS = (("fox", "khronos/Fox"), ("wolf", "quaternius/Wolf"), ("horse", "mesh2motion/horse-animated"),
          ("pig", "quaternius-more/Farm_Animals_Animated___Pig"), ("human", "mesh2motion/human-animated"),
          ("trex", "quaternius/Trex"))  # fmt: skip
"""Words of a built-in body, and the artist's character of the same kind."""


def assets(store: Store, count: int, quick: bool, generator: str | None = None) -> None:
    """Where the character comes from (AKD fig. 9): each of six bodies walks and runs."""
    from gambol.app.generate import generate_character
    from gambol.app.rig import rig_mesh
    from gambol.files.asset import load

    def made(noun: str, path: str) -> dict:
        def artist():
            return load(data_folder() / "characters" / f"{path}.glb")

        sources = {
            "artist's rig": lambda: artist().character,
            "built-in": lambda: make_creature(noun, SEED, vertices=1500).character(),
            "artist's mesh, rigged here": lambda: rig_mesh(artist()).asset.character,
        }
        return sources | (
            {"text to 3D": lambda: generate_character(f"a {noun}", generator)[0].character} if generator else {}
        )

    results: dict[str, list[dict]] = {}
    for noun, path in ASSETS:
        for source, make in made(noun, path).items():
            if "artist" in source and not data_folder().is_dir():
                continue
            for doing, asked in (("walking", "walk"), ("running", "run")):

                def work(make=make, noun=noun, doing=doing, asked=asked) -> dict:
                    return embedded_result(make_subject(make()), f"a {noun} is {doing}", asked)

                results.setdefault(source, []).append(store.get(f"assets {source} {noun} {doing}", work))
    write_table(
        "ablation-assets",
        table_of(results, next(iter(results)), ("motion", "float", "penetration", "skate", "edges", "shown")),
    )


def ours(store: Store, count: int, quick: bool) -> None:
    """What is not the paper's: each part left out or changed, on the embedded prior."""
    variants = {
        "full": {},
        "no joint limits": {"limits": False},
        "B-spline": {"basis": "spline"},
        "free frames": {"basis": "free"},
        "no precision weights": {"weigh": False},
        "guidance 2": {"guidance": 2.0},
        "pose prior": {"losses": (PosePrior(1.0),)},
        "then score distillation": {
            "method": (VideoFit(steps=120), SDS(steps=30, guidance=5.0, learning_rate=0.03, per_frame=True))
        },
    }
    names = ("motion", "limits", "penetration", "skate", "jerk", "edges", "shown")
    write_table("ablation-ours", embedded_table(store, variants, count, names))
    write_table("ablation-variate", control_variate(store, count))


def control_variate(store: Store, count: int) -> str:
    """A walk that is refined by its own sentence should stay as it is: with and without its own score subtracted."""
    results: dict[str, list[dict]] = {"with": [], "without": []}
    for noun, i in pairs(count):
        for name, found in results.items():

            def work(noun=noun, i=i, subtract=name == "with") -> dict:
                subject = subject_of(noun, i)

                def start(fps: float, frames: int):
                    seconds = frames / fps
                    clip = make_motion(subject.character, subject.anatomy, "walk", seconds=seconds, fps=fps, loop=False)
                    return replace(clip, root=clip.root[:frames], angles=clip.angles[:frames])

                config = MotionConfig(seconds=2.0)
                seen = ObserverConfig(splats=300)
                asked = f"a {noun} is walking"
                problem = make_problem(
                    prior(), subject, asked, config=config, start=start, open_phase=True, observer=seen
                )
                problem = problem if subtract else replace(problem, refines=False)
                method = refining_scores(SKETCH, (SKETCH.scores,)).with_steps(40)
                state = run_methods(problem, (method,))
                body = problem.body
                before, after = (
                    observe_clip(body.character, body.anatomy, clip_of(problem, c, noun))
                    for c in (problem.parameters.zeros(), state.coefficients)
                )
                return {"kept": motion_amount(after) / motion_amount(before), "jerk": jerk(after)}

            found.append(store.get(f"variate {name} {noun} {i}", work))
    less = differences(results["without"], results["with"], "kept")
    rows = [
        (
            "motion amount, share of the clip's own",
            *(told([r["kept"] for r in f]) for f in results.values()),
            told(less),
        )
    ]
    return markdown((f"{count} walks", "its own score subtracted", "not subtracted", "difference"), rows)


TABLES = {"rgb": rgb, "embedded": embedded, "square": square, "assets": assets, "ours": ours}
"""The tables by name."""


def main() -> None:
    """Measure what is missing, print and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=tuple(TABLES), nargs="+", default=tuple(TABLES))
    parser.add_argument("--pairs", type=int, help="pairs of a table")
    parser.add_argument("--generator", help="text-to-3D for the table of assets, as in gambol new")
    options = parser.parse_args()
    torch.set_num_threads(1)
    count = options.pairs or (12 if options.quick else len(NOUNS))
    store = Store(ROOT / "out" / ("ablation-quick.jsonl" if options.quick else "ablation.jsonl"))
    for name in options.only:
        extra = {"generator": options.generator} if name == "assets" else {}
        TABLES[name](store, count, options.quick, **extra)


if __name__ == "__main__":
    main()
