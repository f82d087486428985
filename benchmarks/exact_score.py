"""The paper's whole path with a prior whose score is exact: how much of a known motion comes back.

    python benchmarks/exact_score.py --quick     one body, 500 steps, about 15 CPU seconds
    python benchmarks/exact_score.py             three bodies, 1,500 steps of 96 x 144 pixels

A library of clips of a body made by code is the prior (`gambol.priors.library.clip_library`): real splats, the
checkerboard, the follow camera, score distillation with AKD's schedule and guidance, eq. 9 and 10. The start is the
rest pose with a drift; the walk of the library must come back. Two numbers for each body: the share of the squared
distance of all joints from start to truth that is covered, in the world and about the root. Sheets go to
out/exact_score/: start, found, true.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from measure import Scoreboard

from gambol.creatures.catalogue import make_creature
from gambol.creatures.gaits.make_motion import make_motion
from gambol.diffusion.video_prior import VideoFormat
from gambol.distill.body import make_subject
from gambol.distill.presets import PAPER, akd_losses
from gambol.distill.problem import MotionConfig, clip_of, make_problem
from gambol.distill.run import run_methods
from gambol.motion.kinematics import pose_clip
from gambol.priors.library.clip_library import clip_library_prior
from gambol.render.contact_sheet import contact_sheet
from gambol.render.observer import ObserverConfig
from gambol.render.video_file import write_png

OUT = Path(__file__).parents[1] / "out" / "exact_score"
TARGETS = {"fox": (0.8, 0.6), "human": (0.4, 0.4), "raptor": (0.5, 0.4)}
"""Least shares that must be recovered, in the world and about the root."""


def known_clips(subject, video: VideoFormat) -> dict:
    """A slow walk and a jump of the body, starting at the origin."""
    clips = {}
    for motion in ("walk", "jump"):
        seconds, fps = video.frames / video.fps / 1.6, video.fps * 1.6
        clip = make_motion(subject.character, subject.anatomy, motion, seconds=seconds, fps=fps, loop=False)
        root = clip.root.copy()
        root[:, [0, 2]] -= root[0, [0, 2]]
        clips[motion] = replace(clip, fps=video.fps, root=root)
    return clips


def recover(noun: str, video: VideoFormat, steps: int) -> tuple[float, float, float]:
    """Shares of the walk that are recovered, in the world and about the root, and the CPU seconds."""
    creature = make_creature(noun, 3, vertices=800)
    character = creature.character()
    subject = make_subject(character, creature.anatomy(character))
    clips = known_clips(subject, video)
    view = ObserverConfig(splats=2500, azimuth=float(np.radians(60.0)), elevation=float(np.radians(18.0)))
    prior = clip_library_prior(subject, clips, video, observer=view)
    config = MotionConfig(basis=PAPER.basis, start_speed=PAPER.start_speed)
    losses = akd_losses(prior.mixture.means[0].numel())
    problem = make_problem(prior, subject, f"a {noun} is walking", losses=losses, config=config, observer=view)
    method = replace(PAPER.methods[0], learning_rate=0.01).with_steps(steps)
    began = time.process_time()
    state = run_methods(problem, (method,))
    seconds = time.process_time() - began
    skeleton = character.require_skeleton()
    motions = [problem.parameters.zeros(), state.coefficients]
    found = [pose_clip(skeleton, clip_of(problem, m, noun))[:, :, :3, 3] for m in motions]
    true = pose_clip(skeleton, clips["walk"])[: video.frames, :, :3, 3]
    start, now = found
    world = 1 - ((now - true) ** 2).sum() / ((start - true) ** 2).sum()
    own = [x - x[:, :1] for x in (start, now, true)]
    about_root = 1 - ((own[1] - own[2]) ** 2).sum() / ((own[0] - own[2]) ** 2).sum()
    write_sheet(noun, problem, [*motions], clips["walk"])
    return float(world), float(about_root), seconds


def write_sheet(noun: str, problem, motions: list, clip) -> None:
    """Rows of frames: the start, what was found, and the truth."""
    poses = [problem.pose(*problem.parameters.motion(m)) for m in motions]
    poses.append(problem.observer.actor.pose_clip(clip)[: problem.window])
    chosen = np.linspace(0, problem.window - 1, 6).round().astype(int)
    pictures, captions = [], []
    for name, T in zip(("start", "found", "true"), poses, strict=True):
        with torch.no_grad():
            frames = problem.observer.render(T, 0)[torch.from_numpy(chosen)].permute(0, 2, 3, 1).numpy()
        pictures += [*(frames * 255).round().astype(np.uint8).repeat(2, 1).repeat(2, 2)]
        captions += [f"{name} {i}" for i in chosen]
    OUT.mkdir(parents=True, exist_ok=True)
    write_png(OUT / f"{noun}.png", contact_sheet(pictures, len(chosen), captions))


def main() -> None:
    """Run, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    torch.set_num_threads(1)
    score = Scoreboard()
    video = VideoFormat(12, 64, 96, 12.0) if quick else VideoFormat(16, 96, 144, 12.0)
    for noun, (world, about_root) in list(TARGETS.items())[: 1 if quick else None]:
        found = recover(noun, video, 500 if quick else 1500)
        score.at_least(f"{noun}_joints_in_the_world", found[0], world, "")
        score.at_least(f"{noun}_joints_about_the_root", found[1], about_root, "")
        print(f"  {noun}: {found[2]:.0f} CPU s", flush=True)
    score.finish()


if __name__ == "__main__":
    main()
