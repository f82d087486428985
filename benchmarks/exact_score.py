"""The paper's whole path with a prior whose score is exact: how much of a known motion comes back.

    python benchmarks/exact_score.py --quick     one body, 500 steps, about 15 CPU seconds
    python benchmarks/exact_score.py             three bodies, 1,500 steps of 96 x 144 pixels

A library of clips of a body made by code is the prior (`gambol.priors.library.clip_library`): real splats, the
checkerboard, the follow camera, score distillation with AKD's schedule and guidance, eq. 9 and 10. The start is the
rest pose with a drift; the walk of the library must come back. Three numbers for each body: the share of the squared
distance from start to truth that is covered, of the video (what the prior sees), of all joints in the world, and of
all joints about the root. One view leaves depth open, and a person's limbs turn far about their own length: there the
video comes back, but not all joints, so joints of a person are printed and not judged. Sheets go to out/exact_score/:
start, found, true.
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
from gambol.distill.optimised_body import make_subject
from gambol.distill.presets import PAPER, akd_losses
from gambol.distill.problem import MotionConfig, clip_of, make_problem
from gambol.distill.run_methods import run_methods
from gambol.motion.kinematics import pose_clip
from gambol.priors.library.clip_library import clip_library_prior
from gambol.render.contact_sheet import contact_sheet
from gambol.render.observer import ObserverConfig
from gambol.render.video_file import write_png

OUT = Path(__file__).parents[1] / "out" / "exact_score"
BODIES = {
    "fox": (VideoFormat(16, 96, 144, 12.0), 60.0, (0.85, 0.8, 0.6)),
    "raptor": (VideoFormat(16, 96, 144, 12.0), 60.0, (0.85, 0.8, 0.5)),
    "human": (VideoFormat(12, 128, 96, 12.0), 50.0, (0.85, None, None)),
}
"""Format, azimuth of the view in degrees, and least shares that must be recovered: video, world, about the root."""


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


def recover(noun: str, video: VideoFormat, azimuth: float, steps: int) -> tuple[tuple[float, float, float], float]:
    """Shares of the walk that are recovered (video, world, about the root), and the CPU seconds."""
    creature = make_creature(noun, 3, vertices=800)
    character = creature.character()
    subject = make_subject(character, creature.anatomy(character))
    clips = known_clips(subject, video)
    view = ObserverConfig(splats=2500, azimuth=float(np.radians(azimuth)), elevation=float(np.radians(18.0)))
    prior = clip_library_prior(subject, clips, video, observer=view)
    config = MotionConfig(basis=PAPER.basis, start_speed=PAPER.start_speed)
    losses = akd_losses(prior.mixture.means[0].numel())
    problem = make_problem(prior, subject, f"a {noun} is walking", losses=losses, config=config, observer=view)
    method = replace(PAPER.scores, learning_rate=0.01).with_steps(steps)
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
    with torch.no_grad():
        latents = [prior.encode(problem.observer.render(problem.moved(m)[1], 0)) for m in motions]
    goal = prior.mixture.means[0]
    seen = 1 - (latents[1] - goal).square().sum() / (latents[0] - goal).square().sum()
    write_sheet(noun, problem, [*motions], clips["walk"])
    return (float(seen), float(world), float(about_root)), seconds


def write_sheet(noun: str, problem, motions: list, clip) -> None:
    """Rows of frames: the start, what was found, and the truth."""
    poses = [problem.moved(m)[1] for m in motions]
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
    names = ("video", "joints_in_the_world", "joints_about_the_root")
    for noun, (video, azimuth, targets) in list(BODIES.items())[: 1 if quick else None]:
        video = VideoFormat(12, 64, 96, 12.0) if quick else video
        shares, seconds = recover(noun, video, azimuth, 500 if quick else 1500)
        for name, share, target in zip(names, shares, targets, strict=True):
            if target is None:
                print(f"{noun}_{name} {share:.4g} (not judged)", flush=True)
            else:
                score.at_least(f"{noun}_{name}", share, target, "")
        print(f"  {noun}: {seconds:.0f} CPU s", flush=True)
    score.finish()


if __name__ == "__main__":
    main()
