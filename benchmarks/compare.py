"""Joints against a deformation field at equal evaluations of the prior, over the suite of characters and prompts.

    python benchmarks/compare.py --quick            29 pairs, coarse fields, no films: about 10 CPU minutes
    python benchmarks/compare.py                    all pairs of benchmarks/suite.json
    python benchmarks/compare.py --films 6          also films of the first pairs, and the blind A/B page
    python benchmarks/compare.py --videophy FOLDER  also VideoPhy's two scores of the films

Both representations are fitted to the same proposal of the embedded prior (VideoFit, eight evaluations), with the same
seed, ground loss and number of steps. Limb lengths, edges and flicker are measured on what the method itself moves (a
field's joints go where the field carries them); what motion it is, and how well it fits the sentence, on the joints
after the same post-processing, for a field on the nearest joints. Intervals are bootstrap intervals over the pairs, the
last column's of paired differences. Resumable: out/compare.jsonl. The table goes to docs/research/reproduction.md.
"""

import argparse
import json
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import torch
from distillation_suite import data_folder
from reproduction_tables import Store, differences, markdown, told, write_table

from gambol.app.animate_plan import resolve
from gambol.app.animate_request import AnimateRequest
from gambol.app.benchmark_suite import SuiteItem, load_suite
from gambol.app.match_motions import match_observed
from gambol.creatures.catalogue import make_creature
from gambol.distill.field_observation import observe_field
from gambol.distill.optimised_body import make_subject
from gambol.distill.post_processing import DEFAULT_POST_PROCESSING, post_process
from gambol.distill.problem import clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.evaluate.motion_definitions import shows_motion
from gambol.evaluate.observation import observe_clip
from gambol.evaluate.quality_metrics import edge_stretch, float_mean, jerk, motion_amount, penetration
from gambol.files.asset import load
from gambol.priors.embedded.prior import load_embedded
from gambol.render.actor import make_actor, outline_points
from gambol.render.follow_camera import View, follow_cameras
from gambol.render.free_splats import free_actor
from gambol.render.looks import Look
from gambol.render.splat_video import render_poses
from gambol.render.splats_from_mesh import splats_from_mesh

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out" / "compare"
QUICK_PAIRS = 29
"""Pairs of `--quick`: as many as AKD's section 6.1 has assets."""
QUICK_SPLATS = 200
"""Splats whose parts the prior measures in `--quick`, of both representations."""
FLICKER_SPLATS, FLICKER_SIZE, FLICKER_FRAMES = 1500, (72, 108), 16
"""Splats, height and width, and frames of the films whose flicker is measured."""
COLUMNS = (
    ("motion", "motion amount, sizes/s"),
    ("limbs", "limb-length change, mean"),
    ("edges", "edge stretch, 95th percentile"),
    ("flicker", "flicker, grey levels"),
    ("jerk", "jerk, sizes/s³"),
    ("penetration", "penetration, sizes"),
    ("shown", "motion is shown"),
    ("matching", "text-motion cosine"),
)


@cache
def prior():
    """The embedded prior."""
    return load_embedded()


def character_of(item: SuiteItem):
    """The character of an item of the suite."""
    if item.built_in is not None:
        return make_creature(item.built_in, 7, vertices=1500).character()
    return load(data_folder() / item.character).character


def solved(item: SuiteItem, representation: str, splats: int | None, seed: int = 0):
    """The problem of a pair and its last state."""
    request = AnimateRequest(item.prompt, representation=representation, splats=splats, seed=seed)
    plan = resolve(request, prior())
    problem = make_problem(
        prior(),
        make_subject(character_of(item)),
        item.prompt,
        losses=plan.losses,
        config=replace(plan.motion, natural_length=False),
        observer=plan.observer,
        seed=seed,
    )
    return problem, run_methods(problem, plan.methods)


def measured(item: SuiteItem, representation: str, splats: int | None) -> dict:
    """Everything that is measured of one representation on a pair."""
    problem, state = solved(item, representation, splats)
    body = problem.body
    character, anatomy = body.character, body.anatomy
    clip = clip_of(problem, state.coefficients, item.prompt)
    own = (
        observe_field(problem, state.coefficients)
        if representation == "field"
        else observe_clip(character, anatomy, clip)
    )
    done = post_process(character, clip, anatomy, DEFAULT_POST_PROCESSING, travels=False, loop=False)
    seen = observe_clip(character, anatomy, done)
    match = match_observed([seen], item.prompt)[0].prompt
    return {
        "motion": motion_amount(own),
        "limbs": limb_change(own),
        "edges": edge_stretch(own),
        "flicker": flicker(problem, state),
        "jerk": jerk(own),
        "penetration": penetration(seen)[1],
        "float": float_mean(seen),
        "shown": float(shows_motion(seen, item.motion) >= 0.5),
        "matching": match.cosine,
        "evaluations": state.evaluations,
    }


def limb_change(seen) -> float:
    """Mean over bones and frames of |length / rest length - 1|, from joint to parent joint and from joint to tip."""
    child = np.flatnonzero(seen.parents >= 0)
    spans = np.concatenate([seen.joints[:, child] - seen.joints[:, seen.parents[child]], seen.tips - seen.joints], 1)
    rests = np.concatenate(
        [seen.rest_joints[child] - seen.rest_joints[seen.parents[child]], seen.rest_tips - seen.rest_joints]
    )
    rest = np.linalg.norm(rests, axis=-1)
    long = rest > 0.01 * seen.size
    return float(np.abs(np.linalg.norm(spans, axis=-1)[:, long] / rest[long] - 1.0).mean())


def film_of(problem, state, splats: int, size: tuple[int, int], frames: int | None = None, *, ground: bool = True):
    """A film of a result from one side camera, and its frame rate: a field's splats, or a skeleton's."""
    character = problem.body.character
    bound = make_actor(character, splats_from_mesh(character, splats, picture=min(size)))
    with torch.no_grad():
        if problem.parameters.name == "field":
            actor = free_actor(bound, problem.parameters.T_start)
            T = problem.parameters.finished.at(actor.splats.centres, state.coefficients)
        else:
            actor, T = bound, bound.pose(*problem.parameters.motion(state.coefficients))
        T = T[:frames]
        cameras = follow_cameras(outline_points(actor, T), View("three-quarter", 0.6, 0.25), size[1], size[0])
        video = render_poses(actor, T, cameras, Look() if ground else Look(None)).rgb
    return video.clamp(0.0, 1.0), problem.observer.fps


def flicker(problem, state) -> float:
    """Mean |I(t + 1) - 2 I(t) + I(t - 1)| over the pixels of a film, in grey levels of 255."""
    video, _ = film_of(problem, state, FLICKER_SPLATS, FLICKER_SIZE, FLICKER_FRAMES)
    return 255.0 * float((video[2:] - 2 * video[1:-1] + video[:-2]).abs().mean())


def write_films(items: list[SuiteItem], splats: int | None, count: int) -> None:
    """Films of both as run folders, and the blind page."""
    from gambol.app.ab_study import write_ab_page
    from gambol.render.video_file import write_film

    for item in items[:count]:
        name = "-".join(item.prompt.split())
        for representation in ("joints", "field"):
            folder = OUT / representation / name
            if (folder / "film.mp4").exists():
                continue
            problem, state = solved(item, representation, splats)
            video, fps = film_of(problem, state, 4000, (240, 320), ground=False)
            folder.mkdir(parents=True, exist_ok=True)
            settings = {"prompt": item.prompt, "character": item.character, "method": representation, "seed": 0}
            (folder / "settings.json").write_text(json.dumps(settings))
            pixels = (255.0 * video + 0.5).to(torch.uint8).permute(0, 2, 3, 1).numpy()
            write_film(folder / "film.mp4", pixels, fps)
    print(write_ab_page(OUT / "joints", OUT / "field", OUT / "ab.html"))


def videophy_scores(store: Store, items: list[SuiteItem], folder: Path) -> dict[str, list[dict]]:
    """VideoPhy's scores of the films that were written."""
    from gambol.app.score_videophy import score_run
    from gambol.evaluate.videophy import load_videophy

    model, scores = load_videophy(folder), {"joints": [], "field": []}
    for item in items:
        name = "-".join(item.prompt.split())
        for kind, rows in scores.items():
            path = OUT / kind / name
            if (path / "film.mp4").exists():
                key = f"videophy {folder.name} {kind} {item.prompt}"
                work = partial(score_run, path, model, prompt=item.prompt)
                rows.append(store.get(key, lambda work=work: asdict(work())))
    return scores


def main() -> None:
    """Measure, print, write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--films", type=int, default=0, metavar="PAIRS", help="films and A/B page of so many pairs")
    parser.add_argument("--videophy", type=Path, metavar="FOLDER", help="weights of VideoPhy")
    options = parser.parse_args()
    torch.set_num_threads(1)
    items = [i for i in load_suite(Path(__file__).with_name("suite.json")) if i.built_in or data_folder().is_dir()]
    splats = QUICK_SPLATS if options.quick else None
    items = spread(items, QUICK_PAIRS) if options.quick else items
    store = Store(ROOT / "out" / ("compare-quick.jsonl" if options.quick else "compare.jsonl"))
    rows: dict[str, list[dict]] = {"joints": [], "field": []}
    for item in items:
        for kind, found in rows.items():
            key = f"{kind} {item.character} {item.prompt}"
            found.append(store.get(key, lambda item=item, kind=kind: measured(item, kind, splats)))
    table = [
        (
            label,
            *(told([r[name] for r in rows[kind]]) for kind in rows),
            told(differences(rows["field"], rows["joints"], name)),
        )
        for name, label in COLUMNS
    ]
    used = {kind: np.mean([r["evaluations"] for r in rows[kind]]) for kind in rows}
    head = (f"{len(items)} pairs", "joints", "field", "field less joints")
    table.append(("evaluations of the prior", *(f"{used[kind]:.0f}" for kind in rows), "0"))
    if options.films:
        write_films(items, splats, options.films)
    if options.videophy is not None:
        scores = videophy_scores(store, items, options.videophy)
        for name in sorted(set(scores["joints"][0]) - {"cpu_seconds"}) if scores["joints"] else ():
            own = {kind: [r[name] for r in found] for kind, found in scores.items()}
            less = differences(scores["field"], scores["joints"], name)
            table.append((f"VideoPhy {name}", told(own["joints"]), told(own["field"]), told(less)))
    write_table("compare", markdown(head, table))


def spread(items: list, count: int) -> list:
    """So many items, evenly over the list."""
    chosen = np.linspace(0, len(items) - 1, min(count, len(items))).round().astype(int)
    return [items[i] for i in chosen]


if __name__ == "__main__":
    main()
